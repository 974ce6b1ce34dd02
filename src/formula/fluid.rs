//! What involves no chance, by the names of the reference tables: the fluid model of outages and of
//! rates that change, and D/D/c from empty. The fleet that drains in time is in `sizing`.

use crate::fluid::outage::{Blocking, Outage};
use crate::fluid::{self, Admission, Bound, Inputs, NoFlow, OnFull, Segment, Totals, Trajectory};
use crate::theory::ddc::Ddc;

use super::params::number;
use super::{Family, FormulaError, Params, Solved, Value, names};

pub(super) const FAMILY: Family = Family {
    models: &[
        "fluid outage, reject",
        "fluid outage, block",
        "fluid piecewise",
        "D/D/c",
    ],
    open,
};

fn open(model: &str, params: &Params) -> Result<Solved, FormulaError> {
    match model {
        "fluid outage, reject" => reject(params),
        "fluid outage, block" => block(params),
        "fluid piecewise" => piecewise(params),
        _ => ddc(params),
    }
}

impl From<NoFlow> for FormulaError {
    fn from(refusal: NoFlow) -> Self {
        Self::OutOfDomain(refusal.to_string())
    }
}

/// A number, or the word `none`.
fn number_or_none(params: &Params, key: &str) -> Result<Option<f64>, FormulaError> {
    match params.get(key) {
        None | Some("none") => Ok(None),
        Some(_) => params.number(key).map(Some),
    }
}

fn bound(params: &Params) -> Result<Bound, FormulaError> {
    Ok(number_or_none(params, "bound")?.map_or(Bound::Unlimited, Bound::Messages))
}

/// The outage that the parameters describe; the number of consumers is `c`.
fn outage(params: &Params, consumers: u64) -> Result<Outage, FormulaError> {
    Ok(Outage::new(
        params.number("lambda")?,
        params.number("service")?,
        consumers,
        params.number("outage")?,
        bound(params)?,
    )?)
}

/// An instant or a time that may never come.
fn or_never(instant: Option<f64>) -> Value {
    instant.map_or(Value::Never, Value::from)
}

/// A count that may go on for ever.
fn or_unbounded(count: f64) -> Value {
    if count.is_infinite() {
        Value::Unbounded
    } else {
        count.into()
    }
}

fn reject(params: &Params) -> Result<Solved, FormulaError> {
    const NAMES: &[&str] = &[
        "offered_in_outage",
        "backlog_at_end",
        "t_full",
        "rejected",
        "rejected_fraction_of_outage_offered",
        "max_lag",
        "drain_time",
        "t_empty",
        "lag_at_drain_fraction_1/4",
        "lag_at_drain_fraction_1/2",
        "lag_at_drain_fraction_3/4",
    ];
    let outage = outage(params, params.count("c")?)?;
    Ok(Solved::new(NAMES, move |name| {
        Some(match name {
            "offered_in_outage" => outage.offered().into(),
            "backlog_at_end" => outage.backlog().into(),
            "t_full" => or_never(outage.full_at()),
            "rejected" => outage.rejected().into(),
            "rejected_fraction_of_outage_offered" => outage.rejected_share().into(),
            "max_lag" => outage.max_lag().into(),
            "drain_time" => or_never(outage.drain()),
            "t_empty" => or_never(outage.empties_at()),
            _ => {
                let share = names::number_in(name, "lag_at_drain_fraction_", "")?;
                outage.lag_after_share(share)?.into()
            }
        })
    }))
}

/// The prefixes of the quantities of one admission order.
const ORDERS: [(&str, Admission); 4] = [
    ("fifo_", Admission::Fifo),
    ("barge_", Admission::NewcomersFirst),
    ("lifo_", Admission::Lifo),
    ("random_", Admission::Random),
];

fn block(params: &Params) -> Result<Solved, FormulaError> {
    const EVERY_ORDER: &[&str] = &[
        "number_blocked",
        "longest_wait",
        "mean_wait_of_blocked",
        "timed_out",
        "t_unblocked",
        "t_empty",
    ];
    const COMMON: &[&str] = &[
        "t_full",
        "max_simultaneously_blocked",
        "t_unblocked",
        "t_empty",
        "blocked_publisher_seconds",
        "random_expected_timed_out",
    ];
    let outage = outage(params, params.count("c")?)?;
    let timeout = number_or_none(params, "timeout")?;
    if timeout.is_some_and(|timeout| timeout <= 0.0) {
        return Err(FormulaError::OutOfDomain(
            "the timeout must be above 0".to_owned(),
        ));
    }
    let of_orders = ORDERS.iter().flat_map(|(order, _)| {
        EVERY_ORDER
            .iter()
            .map(move |quantity| format!("{order}{quantity}"))
    });
    let names: Vec<String> = COMMON
        .iter()
        .map(|&name| name.to_owned())
        .chain(of_orders)
        .collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    Ok(Solved::new(&names, move |name| {
        let of = |order| outage.blocking(order, timeout);
        match name {
            "t_full" => Some(or_never(outage.full_at())),
            // The number blocked is the same in every order while nobody gives up, and so are the
            // instants at which it begins and ends.
            "max_simultaneously_blocked" => Some(of(Admission::Fifo)?.at_once.into()),
            "blocked_publisher_seconds" => Some(of(Admission::Fifo)?.publisher_seconds?.into()),
            "t_unblocked" | "t_empty" if timeout.is_some() => None,
            "t_unblocked" | "t_empty" if of(Admission::Fifo).is_none() => Some(Value::Never),
            "t_unblocked" | "t_empty" => of_blocking(&of(Admission::Fifo)?, name),
            "random_expected_timed_out" => Some(of(Admission::Random)?.timed_out?.into()),
            _ => ORDERS
                .iter()
                .find_map(|&(prefix, order)| of_blocking(&of(order)?, name.strip_prefix(prefix)?)),
        }
    }))
}

fn of_blocking(blocking: &Blocking, quantity: &str) -> Option<Value> {
    Some(match quantity {
        "number_blocked" => blocking.ever.into(),
        "longest_wait" => blocking.longest?.into(),
        "mean_wait_of_blocked" => blocking.mean()?.into(),
        "timed_out" => blocking.timed_out?.into(),
        "t_unblocked" => or_never(blocking.unblocked_at),
        "t_empty" => or_never(blocking.empties_at),
        _ => return None,
    })
}

fn piecewise(params: &Params) -> Result<Solved, FormulaError> {
    const NAMES: &[&str] = &[
        "max_level",
        "t_first_full",
        "t_empty",
        "t_unblocked_last",
        "rejected",
        "final_reject_rate",
        "max_lag",
        "max_lag_at",
    ];
    let (arrivals, capacity) = segments(params.text("segments")?)?;
    let on_full = match params.get("policy").unwrap_or("reject") {
        "reject" => OnFull::Reject,
        "block" => OnFull::Block {
            admission: Admission::Fifo,
            timeout: None,
        },
        other => {
            return Err(FormulaError::Malformed {
                key: "policy".to_owned(),
                value: other.to_owned(),
                expected: "`reject` or `block`",
            });
        }
    };
    let trajectory = fluid::run(&Inputs {
        arrivals,
        capacity,
        bound: bound(params)?,
        on_full,
        retention: None,
        horizon_s: f64::INFINITY,
    })?;
    let totals = trajectory.totals();
    Ok(Solved::new(NAMES, move |name| {
        of_trajectory(&trajectory, &totals, name)
    }))
}

fn of_trajectory(trajectory: &Trajectory, totals: &Totals, name: &str) -> Option<Value> {
    Some(match name {
        "max_level" => or_unbounded(trajectory.max_demand()),
        "t_first_full" => or_never(trajectory.first_full()),
        "t_empty" => or_never(trajectory.empties_at()),
        "t_unblocked_last" => or_never(trajectory.unblocked_at()),
        "rejected" => or_unbounded(totals.rejected),
        "final_reject_rate" => trajectory.final_reject_rate().into(),
        "max_lag" => or_unbounded(trajectory.max_lag().value),
        "max_lag_at" => match trajectory.max_lag().at_s {
            never if never.is_infinite() => Value::Never,
            at => at.into(),
        },
        _ if name.starts_with("lag_at_") => trajectory
            .lag_at(names::number_in(name, "lag_at_", "")?)
            .into(),
        _ => {
            let t = names::number_in(name, "level_at_", "")?;
            (trajectory.level_at(t) + trajectory.blocked_at(t)).into()
        }
    })
}

/// Arrivals and capacity from `start:lambda:mu|start:lambda:mu`.
fn segments(text: &str) -> Result<(Vec<Segment>, Vec<Segment>), FormulaError> {
    let segment = |part: &str| {
        let numbers: Option<Vec<f64>> = part.split(':').map(number).collect();
        match numbers?.as_slice() {
            &[from_s, arrivals, capacity] => Some((
                Segment {
                    from_s,
                    rate: arrivals,
                },
                Segment {
                    from_s,
                    rate: capacity,
                },
            )),
            _ => None,
        }
    };
    let pairs: Option<Vec<_>> = text.split('|').map(segment).collect();
    pairs
        .map(|pairs| pairs.into_iter().unzip())
        .ok_or_else(|| FormulaError::Malformed {
            key: "segments".to_owned(),
            value: text.to_owned(),
            expected: "`start:lambda:mu`, joined by `|`",
        })
}

fn ddc(params: &Params) -> Result<Solved, FormulaError> {
    const NAMES: &[&str] = &[
        "wait_growth_per_arrival_avg",
        "rho",
        "wait_of_arrival_0",
        "wait_of_arrival_1",
        "wait_of_arrival_10",
        "wait_of_arrival_100",
        "wait_of_arrival_999",
        "wait_of_arrival_9999",
        "mean_wait_first_1000",
    ];
    let service = params.law("service")?;
    if service.scv() > 0.0 {
        return Err(FormulaError::OutOfDomain(
            "D/D/c takes a deterministic service".to_owned(),
        ));
    }
    let queue = Ddc::new(params.number("lambda")?, service.mean(), params.count("c")?)
        .ok_or_else(|| FormulaError::OutOfDomain("D/D/c takes numbers above 0".to_owned()))?;
    Ok(Solved::new(NAMES, move |name| {
        Some(match name {
            "wait_growth_per_arrival_avg" => queue.growth_per_arrival().into(),
            "rho" => queue.utilization().into(),
            _ => match names::count_in(name, "mean_wait_first_") {
                Some(count) => queue.mean_wait_of_first(count).into(),
                None => queue
                    .wait_of_arrival(names::count_in(name, "wait_of_arrival_")?)
                    .into(),
            },
        })
    }))
}
