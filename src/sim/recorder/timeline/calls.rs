//! The moments of dependencies, and of those who call them.
//!
//! Not those of queues and fleets, which are the rest of the timeline.

use super::{Timeline, Who};
use crate::outcome::{Kind, Repeated, Subject};
use crate::policy::breaker::Position;
use crate::sim::dependency::{CallFact, Leaving};
use crate::sim::recorder::episode::Swarm;
use crate::units::SimTime;

impl Timeline {
    /// Something was back for good: known at the end of the run only.
    pub(in crate::sim) fn recovered(&mut self, at: SimTime, subject: Subject) {
        self.add(at, subject, Kind::Recovered);
    }

    pub(super) fn hear_call(&mut self, now: SimTime, fact: &CallFact) {
        match *fact {
            CallFact::Left { caller, why, .. } => match why {
                Leaving::Timeout | Leaving::Deadline => {
                    self.once_more(now, Who::Caller(caller), Repeated::CallTimedOut);
                }
                Leaving::Hedged | Leaving::Crash => {}
            },
            CallFact::Refused { dependency, .. } => {
                self.once_more(now, Who::Dependency(dependency), Repeated::CallRefused);
            }
            CallFact::NotCalled { caller, .. } => {
                self.once_more(now, Who::Caller(caller), Repeated::NotCalled);
            }
            CallFact::BreakerTurned { caller, to, .. } => {
                let what = match to {
                    Position::Closed => Repeated::BreakerClosed,
                    Position::Open => Repeated::BreakerOpened,
                    Position::HalfOpen => Repeated::BreakerHalfOpen,
                };
                self.once_more(now, Who::Caller(caller), what);
            }
            CallFact::TroubleStarted {
                dependency,
                servers,
                of,
                slowdown,
            } => {
                let kind = Kind::TroubleStarted {
                    servers,
                    of,
                    slowdown,
                };
                self.add(now, Subject::Dependency(dependency), kind);
            }
            CallFact::TroubleEnded {
                dependency,
                servers,
                waiting,
            } => {
                let kind = Kind::TroubleEnded { servers, waiting };
                self.add(now, Subject::Dependency(dependency), kind);
            }
            CallFact::Requested { .. }
            | CallFact::Called { .. }
            | CallFact::Queued { .. }
            | CallFact::Started { .. }
            | CallFact::Answered { .. }
            | CallFact::Dropped { .. }
            | CallFact::Crashed { .. }
            | CallFact::LimitMoved { .. }
            | CallFact::Ended { .. } => {}
        }
    }

    pub(super) fn close_calls(&mut self) {
        for it in Repeated::ALL {
            for dependency in self.dependencies.ids() {
                self.close_for_good(Who::Dependency(dependency), Swarm::Of(it));
            }
            for caller in self.callers.ids() {
                self.close_for_good(Who::Caller(caller), Swarm::Of(it));
            }
        }
    }
}
