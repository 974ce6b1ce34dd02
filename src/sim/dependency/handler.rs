//! A handler that calls: once its own service time is over it is held until its request has ended
//! (rule E6).
//!
//! Not what becomes of work that fails: that is the fleet's way with it.

use super::fact::{CallFact, RequestEnd};
use super::request::{By, RequestRef};
use crate::model::{BudgetPer, CallerId};
use crate::policy::breaker::Position;
use crate::sim::World;
use crate::sim::recorder::Recorder;

impl<R: Recorder> World<'_, R> {
    /// A handler wants something of a dependency for its job; the request is under way.
    pub(in crate::sim) fn request_for(
        &mut self,
        caller: CallerId,
        handler: u32,
        job: u32,
        identity: u64,
    ) -> RequestRef {
        let client = match self.model.callers[caller].per {
            BudgetPer::Fleet => 0,
            BudgetPer::Consumer => self.place_of_consumer(handler),
        };
        self.open_request(caller, client, By::Handler { handler, job }, identity)
    }

    /// The place in its fleet of a handler's consumer.
    fn place_of_consumer(&self, handler: u32) -> u32 {
        let fleet = self.handlers[handler as usize].fleet;
        let first = self.fleets[fleet].base;
        (handler - first) / self.model.fleets[fleet].concurrency
    }

    /// A request of a handler has ended, one way or another: so has its attempt on the job.
    pub(super) fn request_ended(&mut self, handler: u32, job: u32, how: RequestEnd) {
        let failed = match how {
            RequestEnd::Well => None,
            RequestEnd::TimedOut
            | RequestEnd::Refused(_)
            | RequestEnd::Failed
            | RequestEnd::NotCalled(_)
            | RequestEnd::Crashed => Some(how.cause()),
        };
        self.come_to_an_end(handler, job, failed);
    }

    /// A consumer that crashes comes back as another process: what its requests shared is as it
    /// was at first.
    pub(in crate::sim) fn forget_client(&mut self, caller: CallerId, consumer: u32) {
        let config = &self.model.callers[caller];
        if config.per != BudgetPer::Consumer {
            return;
        }
        let now = self.calendar.now();
        let client = self.client(caller, consumer);
        let before = std::mem::replace(client, super::Client::new(config));
        debug_assert_eq!(before.out, 0, "what crashes waits for no call");
        let (from, to) = (before.limit_now(), client.limit_now());
        if from != to {
            self.tell_call(CallFact::LimitMoved { caller, from, to });
        }
        if let Some(breaker) = before.breaker {
            let from = match breaker.half_opens_at() {
                Some(_) => Position::Open,
                None => breaker.position(now),
            };
            let to = Position::Closed;
            if from != to {
                self.tell_call(CallFact::BreakerTurned { caller, from, to });
            }
        }
    }
}
