//! The worked example message by message, by the names of the reference table: no closed form, but
//! a run of the simulator on the table's grid, so that its numbers come out to the last digit.
//!
//! Not a scenario: the grid (whole halves of an arrival period) and two ties (an arrival acts
//! before a timeout, and before a completion where the row says so) are the table's own
//! conventions.

use super::{Family, FormulaError, Params, Solved, Value};
use crate::model::{Counts, Id, InFlight, Model, Outage, Queue, Restart, Returns, Stop, Windows};
use crate::outcome::Why;
use crate::policy::admission::Admission;
use crate::policy::arrival::{Arrivals, Constant};
use crate::policy::publish::{Blocking, PublishPolicy};
use crate::random::law::DurationLaw;
use crate::sim::{Fact, Recorder, simulate};
use crate::units::{Rate, Ratio, SimDuration, SimTime};

pub(super) const FAMILY: Family = Family {
    models: &["discrete outage"],
    open,
};

/// Half an arrival period in the simulator's nanoseconds: wide enough for a tie to be broken by
/// one of them.
const UNIT: u64 = 1_000_000;
/// The fleet runs for so many arrival periods before the outage starts.
const PERIODS_BEFORE: u64 = 5_000;
const BEFORE: SimTime = SimTime::from_nanos(2 * UNIT * PERIODS_BEFORE);
/// More messages than this take too long for a formula.
const MOST_MESSAGES: f64 = 2e7;

const NAMES: &[&str] = &[
    "offered_in_outage",
    "t_full",
    "t_empty",
    "t_last_queued_start",
    "max_queueing_delay",
    "rejected",
    "rejected_in_outage",
    "t_last_reject",
    "number_blocked",
    "max_simultaneously_blocked",
    "longest_wait",
    "longest_wait_publish_instant",
    "timed_out",
    "t_unblocked",
];

/// The row's parameters on the grid.
struct Grid {
    arrivals: f64,
    service: SimDuration,
    servers: u32,
    outage: SimDuration,
    /// What is subtracted from each arrival so that it acts before others of its instant.
    early: u64,
}

impl Grid {
    fn of(params: &Params) -> Result<Self, FormulaError> {
        let arrivals = params.number("lambda")?;
        let span = |seconds: f64| on_grid(seconds, arrivals);
        let servers = params.count("c")?;
        let service = params.number("service")?;
        let outage = params.number("outage")?;
        let spare = servers as f64 / service - arrivals;
        let messages = arrivals * outage * (1.0 + arrivals / spare);
        if spare.is_nan() || spare <= 0.0 || messages.is_nan() || messages > MOST_MESSAGES {
            let why = "the fleet never drains, or so late that a run is too long";
            return Err(FormulaError::OutOfDomain(why.to_owned()));
        }
        Ok(Self {
            arrivals,
            service: span(service),
            servers: servers as u32,
            outage: span(outage),
            early: u64::from(params.text("tie")? == "arrival first"),
        })
    }

    fn seconds(&self, nanos: u64) -> f64 {
        nanos as f64 / UNIT as f64 / (2.0 * self.arrivals)
    }

    /// Seconds since the start of the outage.
    fn instant(&self, at: SimTime) -> f64 {
        let after = at.as_nanos() as f64 - BEFORE.as_nanos() as f64;
        after / UNIT as f64 / (2.0 * self.arrivals)
    }
}

fn on_grid(seconds: f64, arrivals: f64) -> SimDuration {
    SimDuration::from_nanos((seconds * 2.0 * arrivals * UNIT as f64).round() as u64)
}

fn unknown(key: &str, params: &Params, expected: &'static str) -> FormulaError {
    FormulaError::Malformed {
        key: key.to_owned(),
        value: params.get(key).unwrap_or_default().to_owned(),
        expected,
    }
}

fn open(_: &str, params: &Params) -> Result<Solved, FormulaError> {
    let grid = Grid::of(params)?;
    let mut model = model(params, &grid)?;
    let ((), ended, _) = simulate(&model, 0, ());
    if ended.why != Why::Drained {
        return Err(FormulaError::OutOfDomain("the queue never drains".into()));
    }
    // The phase pattern lets messages wait a little after the queue was first empty.
    let later = SimDuration::from_nanos(20 * grid.service.as_nanos());
    model.plan.stop = Stop::At(ended.at + later);
    let watch = Watch::new(&grid, ended.at);
    let (watch, ..) = simulate(&model, 0, watch);
    Ok(Solved::new(NAMES, move |name| watch.quantity(&grid, name)))
}

fn model(params: &Params, grid: &Grid) -> Result<Model, FormulaError> {
    let offset = match params.text("arrival_offset")? {
        "half period" => UNIT,
        // The fleet runs before, so one period is the phase of none.
        "0 (arrival at t=0 too)" | "one period" => 2 * UNIT,
        _ => {
            return Err(unknown(
                "arrival_offset",
                params,
                "`half period` or `one period`",
            ));
        }
    };
    let offset = SimDuration::from_nanos(offset - grid.early);
    let rate = Rate::new(1, SimDuration::from_nanos(2 * UNIT));
    let arrivals = Arrivals::Constant(Constant { rate, offset });
    let service = DurationLaw::constant(grid.service);
    let mut model = Model::plain(arrivals, grid.servers, service, Stop::Drained);
    model.producers[Id::at(0)].on_full = on_full(params, grid)?;
    bound(&mut model.queues[Id::at(0)], params, grid)?;
    model.outages = outages(params, grid)?;
    Ok(model)
}

fn on_full(params: &Params, grid: &Grid) -> Result<PublishPolicy, FormulaError> {
    if params.text("policy")? == "reject" {
        return Ok(PublishPolicy::Reject);
    }
    let timeout = if params.text("timeout")? == "none" {
        None
    } else {
        // One nanosecond late: an arrival of the same instant acts first.
        let span = on_grid(params.number("timeout")?, grid.arrivals);
        Some(SimDuration::from_nanos(span.as_nanos() + 1))
    };
    Ok(PublishPolicy::Block(Blocking {
        timeout,
        connections: u64::MAX,
    }))
}

fn bound(queue: &mut Queue, params: &Params, grid: &Grid) -> Result<(), FormulaError> {
    queue.admission = match params.text("admission")? {
        "-" | "fifo" => Admission::Fifo,
        "newfirst" => Admission::NewcomersFirst,
        "lifo" => Admission::Lifo,
        text => text
            .strip_prefix("open slot, waiter wakes after ")
            .and_then(|rest| rest.strip_suffix(" s")?.parse::<f64>().ok())
            .map(|seconds| Admission::WakeUp(on_grid(seconds, grid.arrivals)))
            .ok_or_else(|| unknown("admission", params, "an admission order of the table"))?,
    };
    queue.capacity = params.count("bound")?;
    queue.counts = match params.text("bound_counts")? {
        "waiting" => Counts::Waiting,
        "waiting+in service" => Counts::WaitingAndInFlight,
        _ => {
            return Err(unknown(
                "bound_counts",
                params,
                "`waiting` or `waiting+in service`",
            ));
        }
    };
    Ok(())
}

/// One outage in phase; staggered, one for each handler, nested, so that they end one after the
/// other on the grid, rounded down.
fn outages(params: &Params, grid: &Grid) -> Result<Vec<Outage>, FormulaError> {
    let in_flight = match params.text("inflight")? {
        "pause" => InFlight::Finish,
        "freeze" => InFlight::Freeze,
        "crash" => InFlight::Crash(Returns::AtOnce),
        "crash_late" => InFlight::Crash(Returns::AtRestart),
        _ => {
            return Err(unknown(
                "inflight",
                params,
                "`pause`, `freeze`, `crash` or `crash_late`",
            ));
        }
    };
    let outage = |handlers: u32, after: SimDuration| Outage {
        fleet: Id::at(0),
        windows: Windows::Fixed(vec![(BEFORE, grid.outage + after)]),
        share: Ratio::new(f64::from(handlers) / f64::from(grid.servers)).unwrap_or(Ratio::ONE),
        in_flight,
        restart: Restart::InPhase,
    };
    match params.text("restart")? {
        "in phase" => Ok(vec![outage(grid.servers, SimDuration::ZERO)]),
        "staggered" => Ok((0..grid.servers)
            .map(|place| {
                let after = grid.service.as_nanos() * u64::from(place) / u64::from(grid.servers);
                let after = SimDuration::from_nanos(after / UNIT * UNIT);
                outage(grid.servers - place, after)
            })
            .collect()),
        _ => Err(unknown("restart", params, "`in phase` or `staggered`")),
    }
}

/// What the table asks of a run.
#[derive(Clone, Debug)]
struct Watch {
    outage: std::ops::Range<SimTime>,
    early: u64,
    emptied: SimTime,
    offered_in_outage: u64,
    full: Option<SimTime>,
    rejected: u64,
    rejected_in_outage: u64,
    last_reject: Option<SimTime>,
    oldest: Option<SimTime>,
    last_queued_start: Option<SimTime>,
    longest_queueing: SimDuration,
    blocked: u64,
    blocked_ever: u64,
    most_blocked: u64,
    timed_out: u64,
    /// How long the longest of those admitted was blocked, and from when.
    longest_block: Option<(SimDuration, SimTime)>,
    unblocked: Option<SimTime>,
}

impl Watch {
    fn new(grid: &Grid, emptied: SimTime) -> Self {
        Self {
            outage: BEFORE..BEFORE + grid.outage,
            early: grid.early,
            emptied,
            offered_in_outage: 0,
            full: None,
            rejected: 0,
            rejected_in_outage: 0,
            last_reject: None,
            oldest: None,
            last_queued_start: None,
            longest_queueing: SimDuration::ZERO,
            blocked: 0,
            blocked_ever: 0,
            most_blocked: 0,
            timed_out: 0,
            longest_block: None,
            unblocked: None,
        }
    }

    fn unblock(&mut self, now: SimTime) {
        self.blocked -= 1;
        if self.blocked == 0 {
            self.unblocked = Some(now);
        }
    }

    fn quantity(&self, grid: &Grid, name: &str) -> Option<Value> {
        let instant = |at: Option<SimTime>| at.map_or(Value::None, |at| grid.instant(at).into());
        let span = |span: SimDuration| Value::from(grid.seconds(span.as_nanos()));
        let longest = self.longest_block;
        Some(match name {
            "offered_in_outage" => self.offered_in_outage.into(),
            "t_full" => instant(self.full),
            "t_empty" => instant(Some(self.emptied)),
            "t_last_queued_start" => instant(self.last_queued_start),
            "max_queueing_delay" => span(self.longest_queueing),
            "rejected" => self.rejected.into(),
            "rejected_in_outage" => self.rejected_in_outage.into(),
            "t_last_reject" => instant(self.last_reject),
            "number_blocked" => self.blocked_ever.into(),
            "max_simultaneously_blocked" => self.most_blocked.into(),
            "longest_wait" => longest.map_or(Value::None, |(waited, _)| span(waited)),
            "longest_wait_publish_instant" => instant(longest.map(|(_, since)| since)),
            "timed_out" => self.timed_out.into(),
            "t_unblocked" => instant(self.unblocked),
            _ => return None,
        })
    }
}

impl Recorder for Watch {
    fn observe(&mut self, now: SimTime, fact: &Fact) {
        // When an arrival of this instant is due on the table's grid.
        let due = now.saturating_add(SimDuration::from_nanos(self.early));
        let in_outage = self.outage.contains(&due);
        if let Fact::Offered { .. } = fact {
            self.offered_in_outage += u64::from(in_outage);
        } else if let Fact::Filled { .. } = fact {
            self.full.get_or_insert(due);
        } else if let Fact::Rejected { .. } = fact {
            self.rejected += 1;
            self.rejected_in_outage += u64::from(in_outage);
            self.last_reject = Some(due);
        } else if let Fact::Oldest { accepted, .. } = *fact {
            self.oldest = Some(accepted);
        } else if let Fact::Dequeued { waited, .. } = *fact {
            let oldest = self.oldest.map_or(waited, |since| now.since(since));
            let nominal = oldest.as_nanos().saturating_sub(self.early);
            self.longest_queueing = self.longest_queueing.max(SimDuration::from_nanos(nominal));
            if !waited.is_zero() {
                self.last_queued_start = Some(now);
            }
        } else if let Fact::Blocked { .. } = fact {
            self.blocked += 1;
            self.blocked_ever += 1;
            self.most_blocked = self.most_blocked.max(self.blocked);
            self.unblocked = None;
        } else if let Fact::Admitted { waited, .. } = *fact {
            if self
                .longest_block
                .is_none_or(|(longest, _)| waited > longest)
            {
                let since = SimTime::from_nanos(now.as_nanos() - waited.as_nanos());
                self.longest_block = Some((waited, since));
            }
            self.unblock(now);
        } else if let Fact::TimedOut { .. } = fact {
            self.timed_out += 1;
            self.unblock(now);
        }
    }
}
