//! A client: what the requests of a caller share, and defend themselves with (rule E7). One for
//! each consumer, or one for all of them.
//!
//! Not what its policies decide, which is in [`crate::policy`].

use std::collections::VecDeque;

use super::fact::{CallFact, NotCalled};
use super::request::{Phase, RequestRef};
use crate::model::{Caller, CallerId, Model};
use crate::policy::breaker::{BreakerState, Position};
use crate::policy::concurrency::LimitState;
use crate::policy::retry::budget::BudgetState;
use crate::sim::World;
use crate::sim::event::Event;
use crate::sim::recorder::Recorder;
use crate::units::{SimDuration, SimTime};

/// A client at run time.
#[derive(Debug)]
pub(super) struct Client {
    pub(super) budget: Option<BudgetState>,
    pub(super) breaker: Option<BreakerState>,
    limit: Option<LimitState>,
    /// Calls that somebody waits for.
    pub(super) out: u32,
    /// Requests that wait for room, in the order in which they came.
    waiting: VecDeque<RequestRef>,
    /// Whether it is letting requests go out: what ends at once meanwhile does not begin that anew.
    admits: bool,
}

/// How a call ended, to a limit of calls out at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CallEnd {
    Good,
    Bad,
    /// For a reason of the caller's own: nothing is learned from it.
    Own,
}

impl Client {
    pub(super) fn new(caller: &Caller) -> Self {
        Self {
            budget: caller.retry.and_then(|it| it.budget).map(BudgetState::new),
            breaker: caller.breaker.map(BreakerState::new),
            limit: caller.concurrency.map(LimitState::new),
            out: 0,
            waiting: VecDeque::new(),
            admits: false,
        }
    }

    /// The clients of a caller.
    pub(super) fn all(model: &Model, id: CallerId) -> Vec<Self> {
        let client = |_| Self::new(&model.callers[id]);
        (0..model.clients_of(id)).map(client).collect()
    }

    /// The most calls out at once; 0 for no limit.
    pub(super) fn limit_now(&self) -> u32 {
        self.limit.as_ref().map_or(0, LimitState::limit)
    }

    /// Whether another call may go out.
    pub(super) fn has_room(&self) -> bool {
        let limit = self.limit.as_ref();
        limit.is_none_or(|limit| limit.has_room(self.out))
    }
}

impl<R: Recorder> World<'_, R> {
    pub(super) fn client(&mut self, caller: CallerId, client: u32) -> &mut Client {
        &mut self.exchange.clients[caller][client as usize]
    }

    /// Whether the breaker lets an attempt through; that it turned is told.
    pub(super) fn breaker_permits(&mut self, caller: CallerId, client: u32) -> bool {
        let now = self.calendar.now();
        let Some(breaker) = &mut self.client(caller, client).breaker else {
            return true;
        };
        let was_open = breaker.half_opens_at().is_some();
        let may = breaker.permits(now);
        let turned = was_open && breaker.half_opens_at().is_none();
        if turned {
            self.tell_call(CallFact::BreakerTurned {
                caller,
                from: Position::Open,
                to: Position::HalfOpen,
            });
        }
        may
    }

    /// The breaker sees how an attempt ended, after so long.
    pub(super) fn breaker_sees(
        &mut self,
        caller: CallerId,
        client: u32,
        end: CallEnd,
        took: SimDuration,
    ) {
        let now = self.calendar.now();
        let Some(breaker) = &mut self.client(caller, client).breaker else {
            return;
        };
        if end == CallEnd::Own {
            return breaker.give_back();
        }
        let from = breaker.position(now);
        // Its time was over already, and nobody had asked.
        let was_open = breaker.half_opens_at().is_some() && from == Position::HalfOpen;
        let to = breaker.record(now, end == CallEnd::Good, took);
        if was_open {
            self.tell_call(CallFact::BreakerTurned {
                caller,
                from: Position::Open,
                to: Position::HalfOpen,
            });
        }
        if let Some(to) = to {
            self.tell_call(CallFact::BreakerTurned { caller, from, to });
        }
    }

    /// A request that may not go out beside those that are out waits for room, or fails.
    pub(super) fn wait_for_room(&mut self, id: RequestRef, caller: CallerId, client: u32) {
        let now = self.calendar.now();
        let state = self.client(caller, client);
        let wait = state
            .limit
            .as_ref()
            .map_or(SimDuration::ZERO, LimitState::wait);
        if wait.is_zero() {
            return self.not_called(id, NotCalled::Limit);
        }
        state.waiting.push_back(id);
        if let Some(request) = self.exchange.requests.get_mut(id) {
            let until = now.saturating_add(wait).min(request.deadline);
            request.phase = Phase::Waiting { until };
            if until < SimTime::MAX {
                self.calendar.schedule(until, Event::StopWaiting(id));
            }
        }
    }

    /// A request has waited long enough for room, unless it has got it.
    #[inline(never)]
    pub(in crate::sim) fn stop_waiting(&mut self, id: RequestRef) {
        let now = self.calendar.now();
        let Some(request) = self.exchange.requests.get(id) else {
            return;
        };
        if request.phase == (Phase::Waiting { until: now }) {
            let why = if request.deadline <= now {
                NotCalled::Deadline
            } else {
                NotCalled::Limit
            };
            self.forget_waiting(id);
            self.not_called(id, why);
        }
    }

    /// A request waits for room no more.
    pub(super) fn forget_waiting(&mut self, id: RequestRef) {
        if let Some(request) = self.exchange.requests.get(id) {
            let (caller, client) = (request.caller, request.client);
            self.client(caller, client).waiting.retain(|it| *it != id);
        }
    }

    /// A call that somebody waited for has ended: there may be room for those who wait.
    pub(super) fn return_call(&mut self, caller: CallerId, client: u32, end: CallEnd) {
        let state = self.client(caller, client);
        let before = state.out;
        state.out -= 1;
        if let Some(limit) = &mut state.limit {
            let from = limit.limit();
            match end {
                CallEnd::Good => limit.record(true, before),
                CallEnd::Bad => limit.record(false, before),
                CallEnd::Own => {}
            }
            let to = limit.limit();
            if to != from {
                self.tell_call(CallFact::LimitMoved { caller, from, to });
            }
        }
    }

    /// Lets requests go out that wait for room, as far as there is some.
    #[inline(never)]
    pub(in crate::sim) fn let_out(&mut self, caller: CallerId, client: u32) {
        let state = self.client(caller, client);
        if state.waiting.is_empty() || std::mem::replace(&mut state.admits, true) {
            return;
        }
        loop {
            let state = self.client(caller, client);
            if !state.has_room() {
                break;
            }
            let Some(next) = state.waiting.pop_front() else {
                break;
            };
            self.go_out(next);
        }
        self.client(caller, client).admits = false;
    }

    /// Whether somebody waits for room, so that a newcomer has to wait behind.
    pub(super) fn has_line(&mut self, caller: CallerId, client: u32) -> bool {
        !self.client(caller, client).waiting.is_empty()
    }
}
