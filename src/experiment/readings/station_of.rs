//! A queue with its consumers as a station in steady state, or the assumption that it breaks.
//!
//! Not the form for it: that is chosen in [`super::theory_of`].

use super::found::{number, seconds};
use super::handled::{Handled, Memoryless, Repeats, handled};
use super::source_of::{Question, Source, law, source_of};
use crate::model::{
    Counts, Fleet, FleetId, Handling, InFlight, LengthCheck, Outage, Overflow, Queue, Returns,
    SendBatch, Windows,
};
use crate::policy::publish::PublishPolicy;
use crate::random::Law;
use crate::theory::station::{self, Places};
use crate::theory::transform::Transform;
use crate::units::{Ratio, SimDuration};

/// A bound, or an age, that is passed less often than this is none.
const SELDOM: f64 = 1e-9;

/// A server that breaks down and is repaired, whether it works or not, with exponential times.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Breaks {
    /// Mean time to the next failure, in seconds.
    pub(super) up: f64,
    /// Mean time to repair, in seconds.
    pub(super) down: f64,
}

/// How long a handler is taken up by a message.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Service<'a> {
    /// For one service time.
    Drawn(&'a Law),
    /// For all attempts at it, one after the other.
    Attempts(&'a Law, Box<Handled>),
}

impl Service<'_> {
    pub(super) fn mean(&self) -> f64 {
        match self {
            Self::Drawn(law) => law.mean(),
            Self::Attempts(_, handled) => handled.total.moments[0],
        }
    }

    pub(super) fn scv(&self) -> f64 {
        match self {
            Self::Drawn(law) => law.scv(),
            Self::Attempts(_, handled) => {
                let [mean, second, _] = handled.total.moments;
                second / (mean * mean) - 1.0
            }
        }
    }

    /// From the first delivery to the end of work, of those on which it succeeds.
    pub(super) fn stay(&self) -> f64 {
        match self {
            Self::Drawn(law) => law.mean(),
            Self::Attempts(_, handled) => handled.total.mean_done,
        }
    }

    /// The share of messages that are given up.
    pub(super) fn given_up(&self) -> f64 {
        match self {
            Self::Drawn(_) => 0.0,
            Self::Attempts(_, handled) => handled.total.given_up,
        }
    }

    pub(super) fn is_exponential(&self) -> bool {
        match self {
            Self::Drawn(law) => matches!(law, Law::Exponential(_)),
            Self::Attempts(_, handled) => match handled.repeats {
                Repeats::No => false,
                Repeats::Yes { memoryless, .. } => memoryless == Memoryless::Yes,
            },
        }
    }

    /// As theory knows it.
    pub(super) fn law(&self) -> station::Law {
        match self {
            Self::Drawn(it) => law(it),
            Self::Attempts(..) if self.is_exponential() => {
                station::Law::Known(Transform::exponential(self.mean()))
            }
            Self::Attempts(_, handled) => station::Law::Moments {
                mean: self.mean(),
                scv: self.scv(),
                third: Some(handled.total.moments[2]).filter(|third| third.is_finite()),
            },
        }
    }
}

/// A station in steady state.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Steady<'a> {
    pub(super) source: Source,
    pub(super) service: Service<'a>,
    pub(super) handlers: u32,
    pub(super) places: Places,
    /// The fleet, when there is only one.
    pub(super) fleet: Option<FleetId>,
    pub(super) breaks: Option<Breaks>,
}

impl Steady<'_> {
    /// Load over what the handlers can do.
    pub(super) fn utilization(&self) -> f64 {
        let up = self.breaks.map_or(1.0, |it| it.up / (it.up + it.down));
        self.source.rate() * self.service.mean() / (f64::from(self.handlers) * up)
    }

    /// P(more than `messages` wait) in heavy traffic, where the number is near exponential:
    /// exp(-2 (1 - rho) n/(ca2 + cs2)) (Kingman 1962, cited from memory).
    fn beyond(&self, messages: f64) -> f64 {
        let rho = self.utilization();
        let varies = self.source.scv() + self.service.scv();
        if rho >= 1.0 {
            1.0
        } else if varies > 0.0 {
            (-2.0 * (1.0 - rho) * messages / varies).exp()
        } else {
            0.0
        }
    }
}

/// The station of a queue.
pub(super) fn steady(asked: Question<'_>) -> Result<Steady<'_>, String> {
    let queue = &asked.model.queues[asked.queue];
    if queue.memory.is_some() {
        return Err("its bytes are bounded; closed forms count messages, not bytes".to_owned());
    }
    let mut station = crew(asked)?;
    station.breaks = breaks(asked, &station)?;
    if let Some((id, fleet)) = fleets(asked).next() {
        let known = handled(asked.model, id, asked.window)?;
        if let Some(why) = known.no_wait.first() {
            return Err(why.clone());
        }
        let plain = fleet.handling == Handling::default() && queue.delivery.is_plain();
        if station.breaks.is_some() && !plain {
            return Err("with breakdowns the closed form is for plain deliveries".to_owned());
        }
        if !known.is_once() {
            station.service = Service::Attempts(fleet.service.law(), Box::new(known));
        }
    }
    station.source = source_of(asked)?;
    if station.breaks.is_some() && !matches!(station.source, Source::Poisson(_)) {
        return Err("with breakdowns the closed form needs Poisson arrivals".to_owned());
    }
    station.places = places(asked, queue, &station)?;
    let ages = [queue.retention, queue.ttl];
    if let Some(age) = ages
        .into_iter()
        .flatten()
        .map(SimDuration::as_secs_f64)
        .reduce(f64::min)
    {
        // Messages that leave within the age, at the rate of the whole crew.
        let served = age * f64::from(station.handlers) / station.service.mean();
        if station.beyond(served) > SELDOM {
            return Err(format!(
                "messages older than {} expire; in closed forms nobody leaves",
                seconds(age)
            ));
        }
    }
    Ok(station)
}

fn fleets(asked: Question<'_>) -> impl Iterator<Item = (FleetId, &Fleet)> {
    let fleets = asked.model.fleets.pairs();
    fleets.filter(move |(_, fleet)| fleet.queue == asked.queue)
}

/// The handlers, with the source still to be found.
pub(super) fn crew(asked: Question<'_>) -> Result<Steady<'_>, String> {
    let fleets: Vec<(FleetId, &Fleet)> = fleets(asked).collect();
    let Some(((id, first), rest)) = fleets.split_first() else {
        return Err("no consumer takes from it".to_owned());
    };
    if rest.iter().any(|(_, fleet)| fleet.service != first.service) {
        return Err(
            "its fleets work at different speeds; closed forms are for equal servers".to_owned(),
        );
    }
    if fleets.iter().any(|(_, fleet)| !fleet.staffing.is_empty()) {
        return Err("a fleet changes its size; closed forms are for a fixed number".to_owned());
    }
    let handlers = fleets.iter().map(|(_, fleet)| fleet.most_handlers());
    Ok(Steady {
        source: Source::Poisson(0.0),
        service: Service::Drawn(first.service.law()),
        handlers: handlers.fold(0, u32::saturating_add),
        places: Places::Unlimited,
        fleet: rest.is_empty().then_some(*id),
        breaks: None,
    })
}

/// Whether an outage within the run is a breakdown that theory knows; an error when it is not.
pub(super) fn breaks(asked: Question<'_>, station: &Steady<'_>) -> Result<Option<Breaks>, String> {
    let model = asked.model;
    let window = asked.window;
    let ours = |outage: &&Outage| model.fleets[outage.fleet].queue == asked.queue;
    let mut known = None;
    for (_, fleet) in fleets(asked) {
        let crash = fleet.handling.crash.iter();
        let mut crashes = crash.flat_map(|crash| crash.at.iter().map(|at| (*at, crash.restart)));
        if crashes.any(|(at, restart)| {
            window.end.is_none_or(|end| at.as_secs_f64() < end)
                && at.saturating_add(restart).as_secs_f64() > window.from
        }) {
            return Err(
                "a crash makes the load change over time; closed forms are for steady load"
                    .to_owned(),
            );
        }
    }
    for outage in model.outages.iter().filter(ours) {
        match &outage.windows {
            Windows::Fixed(windows) => {
                let within = windows.iter().any(|(start, span)| {
                    window.end.is_none_or(|end| start.as_secs_f64() < end)
                        && start.saturating_add(*span).as_secs_f64() > window.from
                });
                if within {
                    return Err(
                        "an outage makes the load change over time; closed forms are for steady \
                         load"
                            .to_owned(),
                    );
                }
            }
            Windows::Random { up, down } => {
                let exponential = [up.law(), down.law()]
                    .iter()
                    .all(|law| matches!(law, Law::Exponential(_)))
                    && station.service.is_exponential();
                let resumes = match outage.in_flight {
                    InFlight::Freeze => true,
                    InFlight::Finish | InFlight::Crash(Returns::AtOnce | Returns::AtRestart) => {
                        false
                    }
                };
                let one = station.handlers == 1 && outage.share == Ratio::ONE && known.is_none();
                if !(exponential && resumes && one) {
                    return Err(
                        "it has outages at random; the closed form is for one handler whose work \
                         freezes, with exponential service, up and down times"
                            .to_owned(),
                    );
                }
                known = Some(Breaks {
                    up: up.mean(),
                    down: down.mean(),
                });
            }
        }
    }
    Ok(known)
}

/// The places, or why the bound breaks the form.
fn places(asked: Question<'_>, queue: &Queue, station: &Steady<'_>) -> Result<Places, String> {
    if queue.capacity == u64::MAX {
        return Ok(Places::Unlimited);
    }
    let room = match queue.counts {
        Counts::Waiting => queue.capacity,
        Counts::WaitingAndInFlight => queue.capacity.saturating_sub(station.handlers.into()),
    };
    if station.beyond(room as f64) < SELDOM {
        return Ok(Places::Unlimited);
    }
    let all = asked.model.producers.iter();
    let mut ours = all.filter(|producer| producer.queues.contains(&asked.queue));
    if queue.length_check == LengthCheck::Batch
        && ours
            .clone()
            .any(|it| it.stamp.send_batch != SendBatch::default())
    {
        return Err("its bound is looked at once for several messages".to_owned());
    }
    let refused = ours.all(|producer| matches!(producer.on_full, PublishPolicy::Reject));
    let refuses = match queue.overflow {
        Overflow::Refuse => refused,
        Overflow::DropOldest | Overflow::DropNewest | Overflow::DropLowest => false,
    };
    let markov = matches!(station.source, Source::Poisson(_))
        && matches!(station.service, Service::Drawn(Law::Exponential(_)))
        && station.breaks.is_none();
    if refuses && markov {
        return Ok(Places::Bounded(room));
    }
    Err(format!(
        "its bound of {} is reached now and then; with a bound, closed forms need Poisson \
         arrivals, exponential service, and publishers that are refused",
        number(queue.capacity as f64)
    ))
}
