//! The ledger of calls: what was asked must have been answered, refused, left, or still be there
//! (rules B1 and B2).
//!
//! Not the ledger of messages ([`crate::sim::ledger`]), which keeps it and hears its facts.

use super::fact::{Audience, CallFact, Leaving, Nth, Refusal, Reply, RequestEnd};
use crate::model::{CallerId, DependencyId, Model, ProducerId, Table, Who};
use crate::outcome::{CallerLedger, Ledger as Account, StationLedger};
use crate::policy::breaker::Position;

/// What became of calls, as the facts have it.
#[derive(Clone, Debug)]
pub(in crate::sim) struct CallLedger {
    pub(in crate::sim) stations: Table<DependencyId, StationLedger>,
    pub(in crate::sim) callers: Table<CallerId, CallerLedger>,
    /// Whom each caller calls, and as which producer, if as one.
    who: Table<CallerId, (DependencyId, Option<ProducerId>)>,
    /// Whether it tries again.
    retries: Table<CallerId, bool>,
}

impl CallLedger {
    pub(in crate::sim) fn new(model: &Model) -> Self {
        let dependencies = model.dependencies.iter();
        let callers = || model.callers.iter();
        Self {
            stations: dependencies.map(|_| StationLedger::default()).collect(),
            callers: callers().map(|_| CallerLedger::default()).collect(),
            who: callers()
                .map(|caller| match caller.who {
                    Who::Fleet(_) => (caller.dependency, None),
                    Who::Producer(producer) => (caller.dependency, Some(producer)),
                })
                .collect(),
            retries: callers().map(|caller| caller.retry.is_some()).collect(),
        }
    }

    /// Enters a fact, in the accounts of inline producers too.
    #[inline(never)]
    pub(in crate::sim) fn enter(
        &mut self,
        fact: &CallFact,
        producers: &mut Table<ProducerId, Account>,
    ) {
        match *fact {
            CallFact::Requested { caller, .. } => {
                let account = &mut self.callers[caller];
                account.flows.requests += 1;
                account.open += 1;
                let (dependency, producer) = self.who[caller];
                self.stations[dependency].flows.requests += 1;
                if let Some(producer) = producer {
                    producers[producer].flows.offered += 1;
                    producers[producer].in_flight += 1;
                }
            }
            CallFact::Called {
                caller,
                dependency,
                nth,
                ..
            } => {
                self.stations[dependency].flows.calls += 1;
                let flows = &mut self.callers[caller].flows;
                flows.made += 1;
                flows.retries += u64::from(nth == Nth::Retry);
                flows.hedges += u64::from(nth == Nth::Hedge);
                if let (Nth::Retry, Some(producer)) = (nth, self.who[caller].1) {
                    producers[producer].flows.retries += 1;
                }
            }
            CallFact::Refused {
                dependency, why, ..
            } => {
                let flows = &mut self.stations[dependency].flows;
                flows.refused += 1;
                flows.throttled += u64::from(why == Refusal::Limited);
                flows.shed += u64::from(why == Refusal::Shed);
            }
            CallFact::Queued { dependency } => self.stations[dependency].waiting += 1,
            CallFact::Started { dependency, waited } => {
                let account = &mut self.stations[dependency];
                account.waiting -= u64::from(waited.is_some());
                account.serving += 1;
            }
            CallFact::Answered {
                dependency,
                answer,
                audience,
                ..
            } => {
                let account = &mut self.stations[dependency];
                account.serving -= 1;
                match (audience, answer) {
                    (Audience::Gone, _) => account.flows.late += 1,
                    (Audience::Listening, Reply::Good) => account.flows.answered += 1,
                    (Audience::Listening, Reply::Failed) => account.flows.failed += 1,
                }
            }
            CallFact::Left {
                dependency, why, ..
            } => match why {
                Leaving::Timeout | Leaving::Deadline => {
                    self.stations[dependency].flows.timed_out += 1;
                }
                Leaving::Hedged | Leaving::Crash => {}
            },
            CallFact::Dropped { dependency, .. } => {
                let account = &mut self.stations[dependency];
                account.waiting -= 1;
                account.flows.dropped += 1;
            }
            CallFact::Crashed { dependency, .. } => {
                let account = &mut self.stations[dependency];
                account.serving -= 1;
                account.flows.crashed += 1;
            }
            CallFact::NotCalled { caller, .. } => self.callers[caller].flows.not_called += 1,
            CallFact::BreakerTurned { caller, to, .. } => {
                self.callers[caller].flows.opened += u64::from(to == Position::Open);
            }
            CallFact::Ended { caller, how, .. } => self.end(caller, how, producers),
            CallFact::LimitMoved { .. }
            | CallFact::TroubleStarted { .. }
            | CallFact::TroubleEnded { .. } => {}
        }
    }

    fn end(
        &mut self,
        caller: CallerId,
        how: RequestEnd,
        producers: &mut Table<ProducerId, Account>,
    ) {
        let account = &mut self.callers[caller];
        account.open -= 1;
        let flows = &mut account.flows;
        match how {
            RequestEnd::Well => flows.succeeded += 1,
            RequestEnd::TimedOut => flows.timed_out += 1,
            RequestEnd::Crashed => flows.crashed += 1,
            RequestEnd::Refused(_) | RequestEnd::Failed | RequestEnd::NotCalled(_) => {
                flows.failed += 1;
            }
        }
        let Some(producer) = self.who[caller].1 else {
            return;
        };
        let account = &mut producers[producer];
        account.in_flight -= 1;
        match how {
            RequestEnd::Well => account.flows.accepted += 1,
            RequestEnd::TimedOut => account.flows.timed_out += 1,
            RequestEnd::Refused(_)
            | RequestEnd::Failed
            | RequestEnd::NotCalled(_)
            | RequestEnd::Crashed => {
                if self.retries[caller] {
                    account.flows.abandoned += 1;
                } else {
                    account.flows.rejected += 1;
                }
            }
        }
    }

    /// What does not add up, if anything.
    pub(in crate::sim) fn imbalance(&self) -> Option<String> {
        for (index, account) in self.stations.iter().enumerate() {
            let f = &account.flows;
            let answered = f.answered + f.failed + f.late;
            let gone = f.refused + f.dropped + f.crashed;
            if f.calls != answered + gone + account.waiting + account.serving {
                return Some(format!("dependency {index}: {account:?}"));
            }
        }
        for (index, account) in self.callers.iter().enumerate() {
            let f = &account.flows;
            let ended = f.succeeded + f.timed_out + f.failed + f.crashed;
            if f.requests != ended + account.open {
                return Some(format!("caller {index}: {account:?}"));
            }
        }
        None
    }
}
