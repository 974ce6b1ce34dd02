//! The part of an attempt in which a handler waits for a dependency, once its own service time is
//! over (rule E6).
//!
//! Not the request itself ([`crate::sim::dependency`]), nor what a failed attempt comes to.

use super::attempt::{LEAST_TIME, attempt_of};
use super::job::{Phase, Plan};
use crate::policy::retry::budget::Cause;
use crate::sim::World;
use crate::sim::consumer::Work;
use crate::sim::fact::Failure;
use crate::sim::recorder::Recorder;
use crate::units::SimDuration;

impl<R: Recorder> World<'_, R> {
    /// A handler whose own work on its job is done calls a dependency, if its fleet calls one and
    /// anything of the job is to be done; whether it does.
    pub(super) fn calls_out(&mut self, handler: u32, job: u32) -> bool {
        let fleet = self.handlers[handler as usize].fleet;
        let Some(caller) = self.model.fleets[fleet].handling.calls else {
            return false;
        };
        let Work::Working { since, .. } = self.handlers[handler as usize].work else {
            return false;
        };
        let state = &self.custody.jobs[job];
        let acts = |plan| matches!(plan, Plan::Act);
        let Some(piece) = state.pieces.iter().find(|piece| acts(piece.plan)) else {
            return false;
        };
        // One request for all of a batch, which is known by its first message.
        let Some(lease) = self.custody.leases.get(piece.lease) else {
            return false;
        };
        let first = lease.number == 1 && state.attempt == 0;
        let identity = if first {
            lease.said.identity
        } else {
            attempt_of(lease.said.identity, lease.number, state.attempt)
        };
        let request = self.request_for(caller, handler, job, identity);
        let own = self.calendar.now().since(since);
        let state = &mut self.custody.jobs[job];
        state.own = own;
        (state.phase, state.request) = (Phase::Calling, Some(request));
        self.handlers[handler as usize].work = Work::Calling { job, since };
        self.attempt(request);
        true
    }

    /// A job's request has ended; when it failed, so has all that it was made for.
    pub(in crate::sim) fn come_to_an_end(&mut self, handler: u32, job: u32, failed: Option<Cause>) {
        let Work::Calling { since, .. } = self.handlers[handler as usize].work else {
            return;
        };
        let state = &mut self.custody.jobs[job];
        state.request = None;
        let service = self.calendar.now().since(since);
        let waited = service.saturating_sub(state.own);
        let called_for = || {
            state
                .pieces
                .iter()
                .filter(|it| it.plan == Plan::Act)
                .count()
        };
        // What it waited for is part of the work on all that it was for.
        let each = waited.as_nanos() / called_for().max(1) as u64;
        for piece in state.pieces.iter_mut().filter(|it| it.plan == Plan::Act) {
            match failed {
                None => {
                    let waited = SimDuration::from_nanos(each);
                    piece.part = piece.part.saturating_add(waited);
                }
                Some(cause) => piece.plan = Plan::Fail(Failure::Dependency(cause)),
            }
        }
        if failed.is_some() && service.is_zero() {
            // A failure of no time on a message that comes back at once would hold the clock still.
            state.phase = Phase::Stumbling;
            return self.occupy(handler, job, LEAST_TIME);
        }
        self.end_attempt(handler, job, service);
    }

    /// What a handler had done that waited for a dependency when it was cut short: it has acted if
    /// that was before the end of its own work.
    pub(super) fn cut_short_calling(&mut self, job: u32) {
        let pieces = std::mem::take(&mut self.custody.jobs[job].pieces);
        for piece in &pieces {
            if piece.plan == Plan::Act && piece.acts_after < piece.work {
                self.act(piece.lease);
            }
        }
        self.custody.jobs[job].pieces = pieces;
    }

    /// The request of a job that is cut short, if it waits for one, is aborted.
    pub(super) fn abort_call(&mut self, job: u32) {
        if let Some(request) = self.custody.jobs[job].request.take() {
            self.abort_request(request);
        }
    }
}
