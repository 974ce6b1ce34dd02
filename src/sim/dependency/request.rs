//! A request: what a caller wants once, with all the calls that it takes (rules E6 and E7).
//!
//! Not who makes it: a handler is held until its end, a producer's ends for itself.
//!
//! ```text
//! begins -> attempt -> (waits for room) -> calls -> ends well
//!             ^  |                          |
//!             |  +-- not called ------------+-- failed, timed out, refused
//!             |                             v
//!             +--------- pauses <----- tried again? ----> ends
//! ```

use super::call::CallRef;
use super::client::CallEnd;
use super::fact::{CallFact, Leaving, NotCalled, Nth, RequestEnd};
use super::slab::Ref;
use crate::model::{CallerId, ProducerId};
use crate::policy::retry::budget::Cause;
use crate::sim::World;
use crate::sim::budget::succeed;
use crate::sim::event::Event;
use crate::sim::recorder::Recorder;
use crate::units::{SimDuration, SimTime};

/// What a reference to a request is to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::sim) enum OfRequest {}

/// A request.
pub(in crate::sim) type RequestRef = Ref<OfRequest>;

/// A request at run time.
#[derive(Debug)]
pub(super) struct Request {
    pub(super) caller: CallerId,
    /// Which client of the caller's.
    pub(super) client: u32,
    pub(super) by: By,
    /// What its draws belong to.
    pub(super) identity: u64,
    began: SimTime,
    /// When it is over at the latest; the end of time for never.
    pub(super) deadline: SimTime,
    pub(super) phase: Phase,
    /// Which attempt it is, from 0.
    pub(super) attempt: u32,
    /// The wait before it.
    delay: SimDuration,
    /// Why it is made, when it is not the first.
    again: Option<Cause>,
    /// When its first call was made.
    called: SimTime,
    /// Calls of the attempt that it waits for.
    pub(super) calls: Vec<CallRef>,
    /// Further calls of the attempt.
    pub(super) hedges: u32,
    /// When another is due; the end of time for never.
    pub(super) hedge_at: SimTime,
}

/// Who makes a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::sim) enum By {
    /// A producer.
    Producer(ProducerId),
    /// A handler, for its job.
    Handler { handler: u32, job: u32 },
}

/// How far a request is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// It waits for the answer to its calls, or for its turn.
    Calling,
    /// It waits for room among the calls out at once.
    Waiting { until: SimTime },
    /// It waits before it is tried again.
    Pausing,
    /// Its handler stands still, and does this when it goes on.
    Held(Then),
}

/// What is next for a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Then {
    /// An attempt.
    Attempt,
    /// The end.
    End,
    /// To do something about an attempt that has failed.
    Decide(RequestEnd),
}

impl<R: Recorder> World<'_, R> {
    /// A request begins.
    pub(in crate::sim) fn open_request(
        &mut self,
        caller: CallerId,
        client: u32,
        by: By,
        identity: u64,
    ) -> RequestRef {
        let now = self.calendar.now();
        let deadline = self.model.callers[caller].deadline;
        self.tell_call(CallFact::Requested { caller, identity });
        if let Some(budget) = &mut self.client(caller, client).budget {
            budget.first_try(now);
        }
        let id = self.exchange.requests.insert(Request {
            caller,
            client,
            by,
            identity,
            began: now,
            deadline: deadline.map_or(SimTime::MAX, |it| now.saturating_add(it)),
            phase: Phase::Calling,
            attempt: 0,
            delay: SimDuration::ZERO,
            again: None,
            called: now,
            calls: Vec::new(),
            hedges: 0,
            hedge_at: SimTime::MAX,
        });
        self.check_size();
        id
    }

    /// An attempt is due: it goes out, waits for room, or makes no call.
    pub(in crate::sim) fn attempt(&mut self, id: RequestRef) {
        let now = self.calendar.now();
        let stands_still = self.stands_still(id);
        let Some(request) = self.exchange.requests.get_mut(id) else {
            return;
        };
        if stands_still {
            request.phase = Phase::Held(Then::Attempt);
            return;
        }
        request.phase = Phase::Calling;
        let (caller, client) = (request.caller, request.client);
        if now >= request.deadline {
            return self.not_called(id, NotCalled::Deadline);
        }
        if !self.breaker_permits(caller, client) {
            return self.not_called(id, NotCalled::Open);
        }
        if self.client(caller, client).has_room() && !self.has_line(caller, client) {
            self.make_call(id);
        } else {
            self.wait_for_room(id, caller, client);
        }
    }

    /// A request that waited for room gets it.
    pub(super) fn go_out(&mut self, id: RequestRef) {
        let stands_still = self.stands_still(id);
        let Some(request) = self.exchange.requests.get_mut(id) else {
            return;
        };
        if stands_still {
            // Whoever stands still gives way, and asks again later.
            request.phase = Phase::Held(Then::Attempt);
            let (caller, client) = (request.caller, request.client);
            return self.breaker_sees(caller, client, CallEnd::Own, SimDuration::ZERO);
        }
        request.phase = Phase::Calling;
        self.make_call(id);
    }

    fn make_call(&mut self, id: RequestRef) {
        let now = self.calendar.now();
        if let Some(request) = self.exchange.requests.get_mut(id) {
            request.called = now;
            request.hedges = 0;
            let nth = if request.attempt == 0 {
                Nth::First
            } else {
                Nth::Retry
            };
            self.call(id, nth);
        }
    }

    /// An attempt makes no call: that is a failure.
    pub(super) fn not_called(&mut self, id: RequestRef, why: NotCalled) {
        let Some(request) = self.exchange.requests.get(id) else {
            return;
        };
        let (caller, client) = (request.caller, request.client);
        let waited = matches!(request.phase, Phase::Waiting { .. });
        self.tell_call(CallFact::NotCalled { caller, why });
        // The breaker has let it through, unless it is the breaker that does not.
        if why == NotCalled::Limit || waited {
            self.breaker_sees(caller, client, CallEnd::Own, SimDuration::ZERO);
        }
        match why {
            NotCalled::Deadline => self.end_request(id, RequestEnd::TimedOut),
            NotCalled::Open | NotCalled::Limit | NotCalled::Budget => {
                self.decide(id, RequestEnd::NotCalled(why));
            }
        }
    }

    /// A call of a request has ended, and nobody waits for it any more.
    fn call_ended(&mut self, id: RequestRef, call: CallRef, end: CallEnd) {
        if let Some(request) = self.exchange.requests.get_mut(id) {
            request.calls.retain(|it| *it != call);
            let (caller, client) = (request.caller, request.client);
            self.return_call(caller, client, end);
        }
    }

    /// A call has failed; with the last one of its attempt, that has.
    pub(super) fn call_failed(&mut self, id: RequestRef, call: CallRef, how: RequestEnd) {
        let now = self.calendar.now();
        let Some(request) = self.exchange.requests.get_mut(id) else {
            return;
        };
        let (caller, client) = (request.caller, request.client);
        let is_over = request.deadline <= now;
        // What a deadline cuts short says nothing about the dependency.
        let end = if is_over && how == RequestEnd::TimedOut {
            CallEnd::Own
        } else {
            CallEnd::Bad
        };
        self.call_ended(id, call, end);
        let attempt = self.exchange.requests.get_mut(id);
        if let Some(request) = attempt.filter(|request| request.calls.is_empty()) {
            request.hedge_at = SimTime::MAX;
            let took = now.since(request.called);
            self.breaker_sees(caller, client, end, took);
            self.decide(id, how);
        }
        self.let_out(caller, client);
    }

    /// A call was answered well, and so is its request; the other calls are left.
    pub(super) fn call_succeeded(&mut self, id: RequestRef, call: CallRef) {
        let now = self.calendar.now();
        self.call_ended(id, call, CallEnd::Good);
        let Some(request) = self.exchange.requests.get_mut(id) else {
            return;
        };
        request.hedge_at = SimTime::MAX;
        let (caller, client) = (request.caller, request.client);
        let (again, took) = (request.again, now.since(request.called));
        let others = std::mem::take(&mut request.calls);
        for other in others {
            self.leave(id, other, Leaving::Hedged);
            self.return_call(caller, client, CallEnd::Own);
        }
        self.breaker_sees(caller, client, CallEnd::Good, took);
        if let Some(budget) = &mut self.client(caller, client).budget {
            succeed(budget, again);
        }
        if self.stands_still(id) {
            if let Some(request) = self.exchange.requests.get_mut(id) {
                request.phase = Phase::Held(Then::End);
            }
        } else {
            self.end_request(id, RequestEnd::Well);
        }
        self.let_out(caller, client);
    }

    /// An attempt has failed: it is tried again after a while, or the request ends.
    fn decide(&mut self, id: RequestRef, how: RequestEnd) {
        let now = self.calendar.now();
        let stands_still = self.stands_still(id);
        let Some(request) = self.exchange.requests.get_mut(id) else {
            return;
        };
        if stands_still {
            request.phase = Phase::Held(Then::Decide(how));
            return;
        }
        let (caller, client, attempt) = (request.caller, request.client, request.attempt);
        let deadline = request.deadline;
        let Some(policy) = self.model.callers[caller].retry else {
            return self.end_request(id, how);
        };
        if deadline <= now {
            return self.end_request(id, RequestEnd::TimedOut);
        }
        let budget = &mut self.exchange.clients[caller][client as usize].budget;
        if let Some(budget) = budget.as_mut() {
            budget.failed();
        }
        if !policy.allows(attempt) {
            return self.end_request(id, how);
        }
        let cause = how.cause();
        if budget.as_mut().is_some_and(|it| !it.may_retry(now, cause)) {
            let why = NotCalled::Budget;
            self.tell_call(CallFact::NotCalled { caller, why });
            return self.end_request(id, how);
        }
        let jitter = self.exchange.jitter[caller];
        if let Some(request) = self.exchange.requests.get_mut(id) {
            let mut draws = jitter.at(request.identity ^ u64::from(attempt) << 48);
            request.delay = policy.delay(attempt, request.delay, &mut draws);
            request.attempt += 1;
            request.again = Some(cause);
            request.phase = Phase::Pausing;
            let at = now.saturating_add(request.delay).min(deadline);
            self.calendar.schedule(at, Event::TryCall(id));
        }
    }

    /// A request is over, and whoever made it goes on.
    fn end_request(&mut self, id: RequestRef, how: RequestEnd) {
        let now = self.calendar.now();
        let Some(request) = self.exchange.requests.remove(id) else {
            return;
        };
        self.tell_call(CallFact::Ended {
            caller: request.caller,
            how,
            took: now.since(request.began),
        });
        match request.by {
            By::Producer(producer) => self.inline_ended(producer),
            By::Handler { handler, job } => self.request_ended(handler, job, how),
        }
    }

    /// Whether the handler of a request stands still.
    pub(super) fn stands_still(&self, id: RequestRef) -> bool {
        match self.exchange.requests.get(id).map(|request| request.by) {
            Some(By::Handler { handler, .. }) => self.handlers[handler as usize].freezes > 0,
            Some(By::Producer(_)) | None => false,
        }
    }

    /// The handler of a request goes on, and does what it could not while it stood still.
    pub(in crate::sim) fn resume_request(&mut self, id: RequestRef) {
        let Some(request) = self.exchange.requests.get(id) else {
            return;
        };
        match request.phase {
            Phase::Held(Then::Attempt) => self.attempt(id),
            Phase::Held(Then::End) => self.end_request(id, RequestEnd::Well),
            Phase::Held(Then::Decide(how)) => self.decide(id, how),
            Phase::Calling | Phase::Waiting { .. } | Phase::Pausing => {}
        }
    }

    /// Whoever made a request is no more, and so is the request.
    pub(in crate::sim) fn abort_request(&mut self, id: RequestRef) {
        let now = self.calendar.now();
        self.forget_waiting(id);
        let Some(request) = self.exchange.requests.get_mut(id) else {
            return;
        };
        let calls = std::mem::take(&mut request.calls);
        let (caller, client) = (request.caller, request.client);
        let waits = matches!(request.phase, Phase::Waiting { .. });
        let took = now.since(request.began);
        let holds_a_permit = waits || !calls.is_empty();
        for call in calls {
            self.leave(id, call, Leaving::Crash);
            self.return_call(caller, client, CallEnd::Own);
        }
        if holds_a_permit {
            self.breaker_sees(caller, client, CallEnd::Own, SimDuration::ZERO);
        }
        self.exchange.requests.remove(id);
        let how = RequestEnd::Crashed;
        self.tell_call(CallFact::Ended { caller, how, took });
        // When all that crashes has: none of it makes another call.
        if self.has_line(caller, client) {
            self.calendar
                .schedule(now, Event::LetOut { caller, client });
        }
    }
}
