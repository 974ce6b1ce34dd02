//! Levels, times and shares of dependencies and of those who call them, in constant memory; and
//! the check of Little's law for dependencies (rule B3).
//!
//! Not counts: those are the ledger's.

use crate::model::{CallerId, DependencyId, Model, Table};
use crate::policy::breaker::Position;
use crate::policy::concurrency::ConcurrencyLimit;
use crate::sim::dependency::{Audience, CallFact, Nth, Reply, RequestEnd};
use crate::sim::fact::Fact;
use crate::sim::recorder::Recorder;
use crate::stats::{Gauge, Histogram, Peak};
use crate::units::{SimDuration, SimTime};

/// The statistics of calls.
#[derive(Debug)]
pub(in crate::sim) struct CallStatistics {
    pub(in crate::sim) from: SimTime,
    pub(in crate::sim) stations: Table<DependencyId, StationStatistics>,
    pub(in crate::sim) callers: Table<CallerId, CallerStatistics>,
}

/// Of a dependency.
#[derive(Debug, Default)]
pub(in crate::sim) struct StationStatistics {
    pub(in crate::sim) depth: Gauge,
    pub(in crate::sim) busy: Gauge,
    pub(in crate::sim) latency: Histogram,
    pub(in crate::sim) retries: Peak,
    /// What every call spent here that is here no more, in nanoseconds since the restart.
    spent: u128,
    /// What servers worked on calls that are over, and on those of them that it was worth.
    worked: u128,
    useful: u128,
}

/// Of a caller.
#[derive(Debug, Default)]
pub(in crate::sim) struct CallerStatistics {
    pub(in crate::sim) open: Gauge,
    pub(in crate::sim) latency: Histogram,
    /// Breakers that are open, and half open.
    pub(in crate::sim) breakers_open: Gauge,
    pub(in crate::sim) breakers_half_open: Gauge,
    /// The limits of all clients together.
    pub(in crate::sim) limit: Gauge,
}

impl StationStatistics {
    fn is_over(&mut self, now: SimTime, sojourn: SimDuration, service: SimDuration) {
        self.busy.fall(now, 1);
        self.spent += u128::from(sojourn.as_nanos());
        self.worked += u128::from(service.as_nanos());
    }

    /// The share of servers' time, on calls that are over, that went into no good answer in time.
    pub(in crate::sim) fn wasted(&self) -> Option<f64> {
        let wasted = self.worked - self.useful;
        (self.worked > 0).then(|| wasted as f64 / self.worked as f64)
    }
}

impl CallStatistics {
    pub(in crate::sim) fn new(model: &Model) -> Self {
        let dependencies = model.dependencies.iter();
        let mut callers: Table<CallerId, CallerStatistics> = model
            .callers
            .iter()
            .map(|_| CallerStatistics::default())
            .collect();
        for (id, caller) in model.callers.pairs() {
            let initial = caller.concurrency.map_or(0, |limit| match limit {
                ConcurrencyLimit::Fixed { limit, .. } => limit,
                ConcurrencyLimit::Aimd(aimd) => aimd.initial,
            });
            let all = u64::from(initial) * u64::from(model.clients_of(id));
            callers[id].limit.set(SimTime::ZERO, all);
        }
        Self {
            from: SimTime::ZERO,
            stations: dependencies.map(|_| StationStatistics::default()).collect(),
            callers,
        }
    }

    /// Levels stay, all that was observed is forgotten.
    fn restart(&mut self, now: SimTime) {
        self.from = now;
        for station in &mut self.stations {
            station.depth.restart(now);
            station.busy.restart(now);
            station.latency = Histogram::default();
            station.retries = Peak::default();
            (station.spent, station.worked, station.useful) = (0, 0, 0);
        }
        for caller in &mut self.callers {
            for gauge in [
                &mut caller.open,
                &mut caller.breakers_open,
                &mut caller.breakers_half_open,
                &mut caller.limit,
            ] {
                gauge.restart(now);
            }
            caller.latency = Histogram::default();
        }
    }

    /// Little's law, to the nanosecond: calls inside integrated over time are the sum of what each
    /// spent there. `unfinished` is what those inside have spent so far. Says what differs. Only
    /// for runs whose statistics were kept from the start.
    pub(in crate::sim) fn breach_of_little(
        &self,
        id: DependencyId,
        now: SimTime,
        unfinished: u128,
    ) -> Option<String> {
        let station = &self.stations[id];
        let area = station.depth.area(now) + station.busy.area(now);
        let spent = station.spent + unfinished;
        (self.from == SimTime::ZERO && area != spent)
            .then(|| format!("calls spent {spent} ns in all, but L times T is {area} ns"))
    }

    fn hear(&mut self, now: SimTime, fact: &CallFact) {
        match *fact {
            CallFact::Requested { caller, .. } => self.callers[caller].open.rise(now, 1),
            CallFact::Called {
                dependency,
                nth: Nth::Retry,
                ..
            } => self.stations[dependency].retries.count(now),
            CallFact::Queued { dependency } => self.stations[dependency].depth.rise(now, 1),
            CallFact::Started { dependency, waited } => {
                let station = &mut self.stations[dependency];
                if waited.is_some() {
                    station.depth.fall(now, 1);
                }
                station.busy.rise(now, 1);
            }
            CallFact::Answered {
                dependency,
                answer,
                audience,
                sojourn,
                service,
                ..
            } => {
                let station = &mut self.stations[dependency];
                station.is_over(now, sojourn, service);
                if audience == Audience::Listening {
                    station.latency.record(sojourn);
                    if answer == Reply::Good {
                        station.useful += u128::from(service.as_nanos());
                    }
                }
            }
            CallFact::Crashed {
                dependency,
                sojourn,
                service,
                ..
            } => self.stations[dependency].is_over(now, sojourn, service),
            CallFact::Dropped { dependency, waited } => {
                let station = &mut self.stations[dependency];
                station.depth.fall(now, 1);
                station.spent += u128::from(waited.as_nanos());
            }
            CallFact::BreakerTurned { caller, from, to } => self.turn(now, caller, from, to),
            CallFact::LimitMoved { caller, from, to } => {
                let limit = &mut self.callers[caller].limit;
                let level = limit.level() + u64::from(to) - u64::from(from);
                limit.set(now, level);
            }
            CallFact::Ended { caller, how, took } => {
                let caller = &mut self.callers[caller];
                caller.open.fall(now, 1);
                if how == RequestEnd::Well {
                    caller.latency.record(took);
                }
            }
            CallFact::Called {
                nth: Nth::First | Nth::Hedge,
                ..
            }
            | CallFact::Refused { .. }
            | CallFact::Left { .. }
            | CallFact::NotCalled { .. }
            | CallFact::TroubleStarted { .. }
            | CallFact::TroubleEnded { .. } => {}
        }
    }

    fn turn(&mut self, now: SimTime, caller: CallerId, from: Position, to: Position) {
        let caller = &mut self.callers[caller];
        match from {
            Position::Closed => {}
            Position::Open => caller.breakers_open.fall(now, 1),
            Position::HalfOpen => caller.breakers_half_open.fall(now, 1),
        }
        match to {
            Position::Closed => {}
            Position::Open => caller.breakers_open.rise(now, 1),
            Position::HalfOpen => caller.breakers_half_open.rise(now, 1),
        }
    }
}

impl Recorder for CallStatistics {
    #[inline(always)]
    fn observe(&mut self, now: SimTime, fact: &Fact) {
        if let Fact::Call(fact) = fact {
            self.hear(now, fact);
        } else if matches!(fact, Fact::WarmedUp) {
            self.restart(now);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Id, Stop};
    use crate::policy::arrival::{Arrivals, Constant};
    use crate::random::DurationLaw;
    use crate::units::Rate;

    const STATION: fn() -> DependencyId = || DependencyId::at(0);

    fn span(millis: u64) -> SimDuration {
        SimDuration::from_millis(millis)
    }

    /// Statistics of one dependency and one caller, told these facts at these milliseconds.
    fn told(facts: &[(u64, CallFact)]) -> CallStatistics {
        let arrivals = Arrivals::Constant(Constant {
            rate: Rate::per_second(1),
            offset: SimDuration::ZERO,
        });
        let model = Model::plain(arrivals, 1, DurationLaw::constant(span(1)), Stop::Drained);
        let mut seen = CallStatistics::new(&model);
        seen.stations = [StationStatistics::default()].into_iter().collect();
        seen.callers = [CallerStatistics::default()].into_iter().collect();
        for (millis, fact) in facts {
            seen.hear(SimTime::ZERO + span(*millis), fact);
        }
        seen
    }

    fn started(waited: Option<u64>) -> CallFact {
        CallFact::Started {
            dependency: STATION(),
            waited: waited.map(span),
        }
    }

    fn answered(audience: Audience, sojourn: u64, service: u64) -> CallFact {
        CallFact::Answered {
            dependency: STATION(),
            answer: Reply::Good,
            audience,
            sojourn: span(sojourn),
            service: span(service),
            call: 0,
        }
    }

    #[test]
    fn what_calls_spend_is_their_level_over_time() {
        let dependency = STATION();
        let facts = [
            (0, started(None)),
            (100, CallFact::Queued { dependency }),
            (200, CallFact::Queued { dependency }),
            (500, answered(Audience::Listening, 500, 500)),
            (500, started(Some(400))),
            (900, answered(Audience::Gone, 800, 400)),
            (
                900,
                CallFact::Dropped {
                    dependency,
                    waited: span(700),
                },
            ),
        ];
        let seen = told(&facts);
        let end = SimTime::ZERO + span(1_000);
        assert_eq!(seen.breach_of_little(dependency, end, 0), None);
        // A millisecond that nobody spent is found out.
        let breach = seen.breach_of_little(dependency, end, 1_000_000);
        assert!(breach.is_some_and(|it| it.contains("2001000000")), "found");
        let station = &seen.stations[dependency];
        assert_eq!((station.depth.most(), station.busy.most()), (2, 1));
        assert!((station.wasted().expect("work") - 4.0 / 9.0).abs() < 1e-12);
        assert_eq!(station.latency.count(), 1, "nobody hears a late answer");
    }

    #[test]
    fn breakers_and_limits_are_levels() {
        let caller = CallerId::at(0);
        let turned = |from, to| CallFact::BreakerTurned { caller, from, to };
        let moved = |from, to| CallFact::LimitMoved { caller, from, to };
        let seen = told(&[
            (0, moved(0, 20)),
            (100, turned(Position::Closed, Position::Open)),
            (400, turned(Position::Open, Position::HalfOpen)),
            (500, turned(Position::HalfOpen, Position::Closed)),
            (500, moved(20, 18)),
        ]);
        let of = &seen.callers[caller];
        let end = SimTime::ZERO + span(1_000);
        let millis = |gauge: &Gauge| gauge.area(end) / 1_000_000;
        assert_eq!(millis(&of.breakers_open), 300);
        assert_eq!(millis(&of.breakers_half_open), 100);
        assert_eq!(millis(&of.limit), 20 * 500 + 18 * 500);
    }
}
