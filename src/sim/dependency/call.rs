//! A call: one attempt at a dependency, from the caller's door to an answer, to its timeout, or to
//! whatever comes first.
//!
//! Not the request that it is made for ([`super::request`]): that may make several.

use super::fact::{Audience, CallFact, Leaving, Nth, Reply, RequestEnd};
use super::request::RequestRef;
use super::slab::Ref;
use crate::model::DependencyId;
use crate::sim::World;
use crate::sim::event::Event;
use crate::sim::recorder::Recorder;
use crate::units::{SimDuration, SimTime};

/// What a reference to a call is to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::sim) enum OfCall {}

/// A call.
pub(in crate::sim) type CallRef = Ref<OfCall>;

/// A call at run time. It is there as long as its caller waits for it, or its dependency has it.
#[derive(Debug)]
pub(super) struct Call {
    pub(super) dependency: DependencyId,
    /// Whose it is, while that waits for the answer.
    pub(super) request: Option<RequestRef>,
    /// What its own draws belong to.
    pub(super) thing: u64,
    pub(super) came: SimTime,
    /// When its caller leaves it at the latest; the end of time for never.
    pub(super) leaves: SimTime,
    pub(super) standing: Standing,
}

/// Where a call is with its dependency.
#[derive(Clone, Copy, Debug)]
pub(super) enum Standing {
    /// In line.
    Waits,
    /// With a server, which works on it.
    Served {
        server: u32,
        until: SimTime,
        /// All of the work on it.
        work: SimDuration,
        reply: Reply,
    },
    /// With a server that stands still, with so much of the work left.
    Frozen {
        server: u32,
        left: SimDuration,
        work: SimDuration,
        reply: Reply,
    },
    /// It was dropped; its caller does not know.
    Dropped,
}

impl Audience {
    pub(super) fn of(request: Option<RequestRef>) -> Self {
        match request {
            Some(_) => Self::Listening,
            None => Self::Gone,
        }
    }
}

/// What belongs to one call among all of a request, for its own draws: the first is the request's.
fn thing_of(identity: u64, attempt: u32, hedge: u32) -> u64 {
    let nth = u64::from(attempt) << 16 | u64::from(hedge);
    identity ^ nth.wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

impl<R: Recorder> World<'_, R> {
    /// A request makes a call.
    pub(super) fn call(&mut self, id: RequestRef, nth: Nth) {
        let now = self.calendar.now();
        let Some(request) = self.exchange.requests.get_mut(id) else {
            return;
        };
        let caller = request.caller;
        let config = &self.model.callers[caller];
        let dependency = config.dependency;
        let timeout = config
            .timeout
            .map_or(SimTime::MAX, |it| now.saturating_add(it));
        let leaves = timeout.min(request.deadline);
        let thing = thing_of(request.identity, request.attempt, request.hedges);
        let call = self.exchange.calls.insert(Call {
            dependency,
            request: Some(id),
            thing,
            came: now,
            leaves,
            standing: Standing::Waits,
        });
        request.calls.push(call);
        let client = request.client;
        self.exchange.clients[caller][client as usize].out += 1;
        self.tell_call(CallFact::Called {
            caller,
            dependency,
            nth,
            call: thing,
        });
        self.check_size();
        if let Err(why) = self.come_in(call, dependency) {
            self.tell_call(CallFact::Refused {
                caller,
                dependency,
                why,
            });
            self.exchange.calls.remove(call);
            return self.call_failed(id, call, RequestEnd::Refused(why));
        }
        if leaves < SimTime::MAX {
            self.calendar.schedule(leaves, Event::LeaveCall(call));
        }
        self.plan_hedge(id);
    }

    /// A further call is due after a while, if the caller hedges and the attempt has not made all.
    fn plan_hedge(&mut self, id: RequestRef) {
        let now = self.calendar.now();
        let Some(request) = self.exchange.requests.get_mut(id) else {
            return;
        };
        let hedge = self.model.callers[request.caller].hedge;
        if let Some(hedge) = hedge.filter(|hedge| request.hedges < hedge.at_most) {
            let at = now.saturating_add(hedge.after);
            request.hedge_at = at;
            self.calendar.schedule(at, Event::HedgeCall(id));
        }
    }

    /// A call has been out for so long that another is made beside it, if there is room for it.
    #[inline(never)]
    pub(in crate::sim) fn hedge_call(&mut self, id: RequestRef) {
        let now = self.calendar.now();
        let Some(request) = self.exchange.requests.get_mut(id) else {
            return;
        };
        if request.hedge_at != now || request.calls.is_empty() {
            return;
        }
        request.hedge_at = SimTime::MAX;
        let (caller, client) = (request.caller, request.client);
        let stands_still = self.stands_still(id);
        if self.exchange.clients[caller][client as usize].has_room() && !stands_still {
            if let Some(request) = self.exchange.requests.get_mut(id) {
                request.hedges += 1;
            }
            self.call(id, Nth::Hedge);
        }
    }

    /// A caller has waited long enough for the answer to a call, unless it has been answered.
    #[inline(never)]
    pub(in crate::sim) fn leave_call(&mut self, id: CallRef) {
        let Some(call) = self.exchange.calls.get(id) else {
            return;
        };
        let Some(request) = call.request else {
            return;
        };
        let deadline = self.exchange.requests.get(request).map(|it| it.deadline);
        let why = if deadline == Some(self.calendar.now()) {
            Leaving::Deadline
        } else {
            Leaving::Timeout
        };
        self.leave(request, id, why);
        self.call_failed(request, id, RequestEnd::TimedOut);
    }

    /// A caller leaves a call, with which its dependency may go on.
    pub(super) fn leave(&mut self, request: RequestRef, id: CallRef, why: Leaving) {
        let Some(caller) = self.exchange.requests.get(request).map(|it| it.caller) else {
            return;
        };
        let Some(call) = self.exchange.calls.get_mut(id) else {
            return;
        };
        call.request = None;
        let dependency = call.dependency;
        let is_gone = matches!(call.standing, Standing::Dropped);
        if is_gone {
            self.exchange.calls.remove(id);
        }
        self.tell_call(CallFact::Left {
            caller,
            dependency,
            why,
        });
    }

    /// A request hears the answer to a call.
    pub(super) fn hear(&mut self, request: RequestRef, call: CallRef, reply: Reply) {
        match reply {
            Reply::Failed => self.call_failed(request, call, RequestEnd::Failed),
            Reply::Good => self.call_succeeded(request, call),
        }
    }
}
