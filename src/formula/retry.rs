//! Names of everything about trying again: retries, redelivery, metastable collapse, visibility
//! timeouts and back-off. The mathematics is in `theory`; simulated tables are not answered here.

use super::names::{count_in, number_in, percentile_tail};
use super::{Family, FormulaError, Params, Solved, Value};
use crate::theory::backoff::{Backoff, Spread};
use crate::theory::decorrelated::Decorrelated;
use crate::theory::domain::{non_negative, probability};
use crate::theory::meanfield::MeanField;
use crate::theory::retry_load::{FifoRetries, IndependentFailures, mean_deliveries};
use crate::theory::visibility::{LateDelete, deliveries};

const INDEPENDENT: &str = "retries with independent failures";
const DUPLICATES: &str = "redelivery duplicates";
const FIFO_FLUID: &str = "FIFO retry fluid, immediate retry at timeout, full outage";
const FIXED_POINTS: &str = "mean-field retry fixed points, M/M/c, p=P(sojourn>T)";
const LARGEST: &str = "mean-field retry: largest lambda with a healthy fixed point";
const VISIBILITY: &str = "visibility timeout";
const NO_JITTER: &str = "back-off none";
const FULL: &str = "back-off full jitter";
const EQUAL: &str = "back-off equal jitter";
const DECORRELATED: &str = "back-off decorrelated jitter";

pub(super) const FAMILY: Family = Family {
    models: &[
        INDEPENDENT,
        DUPLICATES,
        FIFO_FLUID,
        FIXED_POINTS,
        LARGEST,
        VISIBILITY,
        NO_JITTER,
        FULL,
        EQUAL,
        DECORRELATED,
    ],
    open,
};

fn open(model: &str, params: &Params) -> Result<Solved, FormulaError> {
    match model {
        INDEPENDENT => independent(params),
        DUPLICATES => duplicates(params),
        FIFO_FLUID => fifo_fluid(params),
        FIXED_POINTS => fixed_points(params),
        LARGEST => largest(params),
        VISIBILITY => visibility(params),
        NO_JITTER => backoff(params, Spread::None),
        FULL => backoff(params, Spread::Full),
        EQUAL => backoff(params, Spread::Equal),
        _ => decorrelated(params),
    }
}

fn independent(params: &Params) -> Result<Solved, FormulaError> {
    let (lambda, p_fail) = (params.number("lambda")?, params.number("p_fail")?);
    let load = IndependentFailures::new(lambda, p_fail, params.count("max_attempts")?)?;
    let names = [
        "mean_attempts",
        "attempt_rate",
        "dlq_rate",
        "success_rate",
        "p_dlq",
    ];
    Ok(Solved::new(&names, move |name| {
        let number = match name {
            "mean_attempts" => load.mean_attempts(),
            "attempt_rate" => load.attempt_rate(),
            "dlq_rate" => load.dead_letter_rate(),
            "success_rate" => load.success_rate(),
            "p_dlq" => load.p_dead_letter(),
            _ => return None,
        };
        Some(number.into())
    }))
}

fn duplicates(params: &Params) -> Result<Solved, FormulaError> {
    let lambda = non_negative("lambda", params.number("lambda")?)?;
    let fraction = probability("redelivery_fraction", params.number("redelivery_fraction")?)?;
    let names = [
        "duplicates_per_second",
        "duplicates_per_minute",
        "duplicates_per_day",
        "mean_deliveries_if_each_delivery_repeats",
    ];
    Ok(Solved::new(&names, move |name| {
        let number = match name {
            "duplicates_per_second" => lambda * fraction,
            "duplicates_per_minute" => lambda * fraction * 60.0,
            "duplicates_per_hour" => lambda * fraction * 3600.0,
            "duplicates_per_day" => lambda * fraction * 86_400.0,
            "mean_deliveries_if_each_delivery_repeats" => mean_deliveries(fraction),
            _ => return None,
        };
        Some(number.into())
    }))
}

fn fifo_fluid(params: &Params) -> Result<Solved, FormulaError> {
    let (lambda, capacity) = (params.number("lambda")?, params.number("capacity")?);
    let retries = params.count("max_retries")?;
    let queue = FifoRetries::new(lambda, capacity, params.number("timeout")?, retries)?;
    let names = [
        "failing_state_load",
        "metastable",
        "critical_outage_seconds",
    ];
    Ok(Solved::new(&names, move |name| match name {
        "failing_state_load" => Some((lambda * (1.0 + retries as f64)).into()),
        "metastable" => Some(queue.is_metastable().into()),
        "critical_outage_seconds" => {
            Some(queue.critical_outage().map_or(Value::Never, Value::Number))
        }
        _ => None,
    }))
}

fn mean_field(params: &Params) -> Result<MeanField, FormulaError> {
    let (mu, servers) = (params.number("mu")?, params.count("c")?);
    let (timeout, retries) = (params.number("timeout")?, params.count("max_retries")?);
    Ok(MeanField::new(mu, servers, timeout, retries)?)
}

fn fixed_points(params: &Params) -> Result<Solved, FormulaError> {
    let lambda = non_negative("lambda", params.number("lambda")?)?;
    let points = mean_field(params)?.fixed_points(lambda);
    let names: Vec<String> = (1..=points.len()).map(|i| format!("p_{i}")).collect();
    let names: Vec<&str> = std::iter::once("n_fixed_points")
        .chain(names.iter().map(String::as_str))
        .collect();
    Ok(Solved::new(&names, move |name| {
        if name == "n_fixed_points" {
            return Some((points.len() as u64).into());
        }
        let place = usize::try_from(count_in(name, "p_")?.checked_sub(1)?).ok()?;
        points.get(place).map(|&p| p.into())
    }))
}

fn largest(params: &Params) -> Result<Solved, FormulaError> {
    let field = mean_field(params)?;
    let star = field.largest_healthy();
    Ok(Solved::new(
        &["lambda_star", "fraction_of_capacity"],
        move |name| match name {
            "lambda_star" => Some(star.into()),
            "fraction_of_capacity" => Some((star / field.capacity()).into()),
            _ => None,
        },
    ))
}

fn visibility(params: &Params) -> Result<Solved, FormulaError> {
    let (law, lapse) = (params.law("service")?, params.number("visibility")?);
    let most = params.count("max_receive_count")?;
    let honoured = deliveries(LateDelete::Honoured, |t| law.tail(t), lapse, most)?;
    let refused = deliveries(LateDelete::Refused, |t| law.tail(t), lapse, most)?;
    let names = [
        "p_exceeds",
        "A_p_duplicate",
        "A_mean_deliveries",
        "A_p_dlq",
        "A_work_per_message",
        "B_mean_deliveries",
        "B_p_dlq",
        "B_work_per_message_if_killed_at_V",
        "B_work_per_message_if_run_to_end",
    ];
    Ok(Solved::new(&names, move |name| {
        let number = match name {
            "p_exceeds" => law.tail(lapse),
            "A_p_duplicate" => honoured.p_duplicate,
            "A_mean_deliveries" => honoured.mean,
            "A_p_dlq" => honoured.p_dead_letter,
            "A_work_per_message" => honoured.mean * law.mean(),
            "B_mean_deliveries" => refused.mean,
            "B_p_dlq" => refused.p_dead_letter,
            "B_work_per_message_if_killed_at_V" => refused.mean * law.limited_mean(lapse),
            "B_work_per_message_if_run_to_end" => refused.mean * law.mean(),
            _ => return None,
        };
        Some(number.into())
    }))
}

fn backoff(params: &Params, spread: Spread) -> Result<Solved, FormulaError> {
    let (base, cap) = (params.number("base")?, params.number("cap")?);
    let total = Backoff::new(base, cap, params.count("retries")?, spread)?;
    let names: &[&str] = match spread {
        Spread::None => &["mean_total", "var_total", "last_delay"],
        Spread::Full => &[
            "mean_total",
            "var_total",
            "max_total",
            "p50_total",
            "p99_total",
        ],
        Spread::Equal => &[
            "mean_total",
            "var_total",
            "min_total",
            "max_total",
            "p50_total",
            "p99_total",
        ],
    };
    Ok(Solved::new(names, move |name| {
        let number = match name {
            "mean_total" => total.mean_total(),
            "var_total" => total.var_total(),
            "sd_total" => total.var_total().sqrt(),
            "min_total" => total.min_total(),
            "max_total" => total.max_total(),
            "last_delay" => total.last_delay(),
            _ => match number_in(name, "P(total>", ")") {
                Some(t) => total.p_total_exceeds(t),
                None => total.total_exceeded_with(total_tail(name)?),
            },
        };
        Some(number.into())
    }))
}

/// The tail of `p99_total`.
fn total_tail(name: &str) -> Option<f64> {
    percentile_tail(name.strip_suffix("_total")?, "p")
}

fn decorrelated(params: &Params) -> Result<Solved, FormulaError> {
    let (base, cap) = (params.number("base")?, params.number("cap")?);
    let law = Decorrelated::new(base, cap, params.count("retries")?)?;
    let names = [
        "mean_total",
        "mean_last",
        "var_last",
        "p_last_at_cap",
        "sd_total",
        "p50_total",
        "p99_total",
    ];
    Ok(Solved::new(&names, move |name| {
        let number = match name {
            "mean_total" => law.mean_and_var_total().0,
            "var_total" => law.mean_and_var_total().1,
            "sd_total" => law.mean_and_var_total().1.sqrt(),
            "mean_last" => law.mean_last(),
            "var_last" => law.var_last(),
            "p_last_at_cap" => law.p_last_at_cap(),
            _ => match number_in(name, "P(total>", ")") {
                Some(t) => law.p_total_exceeds(t),
                None => law.total_exceeded_with(total_tail(name)?),
            },
        };
        Some(number.into())
    }))
}
