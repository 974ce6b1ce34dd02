//! What is done about failed work: tried again in place, put off, given back, or given up (rules
//! E1 to E3).
//!
//! Not whether it fails: that is drawn when the attempt begins.

use super::job::{Phase, Piece, Plan};
use super::lease::{Answer, Early};
use crate::model::{FleetId, Redelivery, RetryOn, RetryPlace, Reworking};
use crate::sim::World;
use crate::sim::fact::{Fact, Failure};
use crate::sim::recorder::Recorder;
use crate::units::SimDuration;

impl Reworking {
    fn takes(&self, plan: Plan) -> bool {
        match (plan, self.on) {
            (Plan::Fail(_), RetryOn::Any)
            | (
                Plan::Fail(Failure::Transient | Failure::Throttled | Failure::Dependency(_)),
                RetryOn::Transient,
            ) => true,
            (Plan::Fail(Failure::Permanent), RetryOn::Transient)
            | (
                Plan::Act
                | Plan::Refused
                | Plan::Skip
                | Plan::Busy { .. }
                | Plan::Done
                | Plan::Ignored,
                _,
            ) => false,
        }
    }
}

impl<R: Recorder> World<'_, R> {
    /// Asks the budget of retries, where there is one, for each message of a job that would be
    /// tried again.
    pub(super) fn ask_budget(&mut self, fleet: FleetId, job: u32) {
        let retry = self.model.fleets[fleet].handling.retry;
        let Some(retry) = retry.filter(|retry| retry.policy.budget.is_some()) else {
            return;
        };
        let attempt = self.custody.jobs[job].attempt;
        let mut pieces = std::mem::take(&mut self.custody.jobs[job].pieces);
        for piece in &mut pieces {
            let Plan::Fail(failure) = piece.plan else {
                continue;
            };
            if !retry.takes(piece.plan) {
                continue;
            }
            self.hear_of_failure(piece.lease);
            let retries = match retry.place {
                RetryPlace::InPlace => Some(attempt),
                RetryPlace::Delayed => self.failures_of(piece),
            };
            let would = retries.is_some_and(|retries| retry.policy.allows(retries));
            if would && !self.may_work_again(piece.lease, failure) {
                piece.plan = Plan::Refused;
            }
        }
        self.custody.jobs[job].pieces = pieces;
    }

    /// How many attempts on a message have failed before, while it is in flight here.
    fn failures_of(&self, piece: &Piece) -> Option<u32> {
        let lease = self.custody.leases.in_hand(piece.lease)?;
        let care = &self.custody.care[lease.message.slot as usize];
        lease.holds.then_some(care.failures)
    }

    /// Tries the failed messages of a job again where they are, if that is how it is done and any
    /// may be tried; the others are answered for. Whether it does.
    pub(super) fn try_in_place(&mut self, handler: u32, job: u32, all_bad: bool) -> bool {
        let fleet = self.handlers[handler as usize].fleet;
        let retry = self.model.fleets[fleet].handling.retry;
        let Some(retry) = retry.filter(|retry| retry.place == RetryPlace::InPlace) else {
            return false;
        };
        let state = &self.custody.jobs[job];
        let attempt = state.attempt;
        let any = state.pieces.iter().any(|piece| retry.takes(piece.plan));
        if !any || !retry.policy.allows(attempt) {
            return false;
        }
        let pieces = std::mem::take(&mut self.custody.jobs[job].pieces);
        let (mut again, over): (Vec<_>, Vec<_>) = pieces
            .into_iter()
            .partition(|piece| piece.plan != Plan::Refused && (all_bad || retry.takes(piece.plan)));
        for piece in &mut again {
            piece.again = match piece.plan {
                Plan::Fail(failure) => Some(failure.cause()),
                Plan::Act
                | Plan::Refused
                | Plan::Skip
                | Plan::Busy { .. }
                | Plan::Done
                | Plan::Ignored => None,
            };
        }
        for piece in over.iter().filter(|piece| piece.plan.is_bad()) {
            self.answer_failure(fleet, piece);
        }
        self.acknowledge(fleet, over.iter().filter(|piece| !piece.plan.is_bad()));
        let thing = again.first().map_or(0, |piece| self.identity_of(piece));
        let last = self.custody.jobs[job].delay;
        let mut draws = self.fleets[fleet]
            .jitter
            .at(thing ^ u64::from(attempt) << 48);
        let delay = retry.policy.delay(attempt, last, &mut draws);
        let state = &mut self.custody.jobs[job];
        state.pieces = again;
        state.attempt += 1;
        state.phase = Phase::Pausing;
        state.delay = delay;
        self.occupy(handler, job, delay);
        self.tell(Fact::Began { fleet, handler });
        true
    }

    fn identity_of(&self, piece: &Piece) -> u64 {
        let lease = self.custody.leases.get(piece.lease);
        lease.map_or(0, |lease| lease.said.identity)
    }

    /// Answers for a message whose attempt has failed, or that another is at.
    pub(super) fn answer_failure(&mut self, fleet: FleetId, piece: &Piece) {
        if self.custody.leases.in_hand(piece.lease).is_none() {
            return;
        }
        let now = self.calendar.now();
        let answer = match piece.plan {
            Plan::Busy { until } => self.leave_or(
                fleet,
                Answer::Retry {
                    after: until.since(now),
                },
            ),
            Plan::Fail(_) | Plan::Refused => self.answer_to_failure(fleet, piece),
            // Given back with a batch that failed as a whole.
            Plan::Act | Plan::Skip | Plan::Done | Plan::Ignored => {
                self.leave_or(fleet, Answer::GiveBack)
            }
        };
        if let Some(answer) = answer {
            self.send_answer(piece.lease, answer, now);
        } else {
            self.uncount(piece.lease);
            if let Some(lease) = self.custody.leases.get_mut(piece.lease) {
                // Not sent, but why it lapses.
                lease.answer = Answer::GiveBack;
            }
            self.let_lease_go(piece.lease);
        }
    }

    /// `answer`, or nothing at all where the visibility is left to lapse.
    fn leave_or(&self, fleet: FleetId, answer: Answer) -> Option<Answer> {
        let queue = self.model.fleets[fleet].queue;
        match self.model.queues[queue].delivery.redelivery {
            Redelivery::OnDisconnect => Some(answer),
            Redelivery::Visibility(_) => None,
        }
    }

    fn answer_to_failure(&mut self, fleet: FleetId, piece: &Piece) -> Option<Answer> {
        let early = self
            .custody
            .leases
            .get(piece.lease)
            .is_some_and(|lease| lease.early == Early::Acknowledged);
        let Some(retry) = self.model.fleets[fleet].handling.retry else {
            if early {
                return Some(Answer::GiveUp);
            }
            return self.leave_or(fleet, Answer::GiveBack);
        };
        let lease = self.custody.leases.get(piece.lease).copied()?;
        if !lease.holds {
            return None;
        }
        let slot = lease.message.slot;
        let failures = self.custody.care[slot as usize].failures;
        self.care(slot).failures += 1;
        let cause = match piece.plan {
            Plan::Refused if !early => return self.leave_or(fleet, Answer::GiveUp),
            Plan::Fail(failure)
                if retry.place == RetryPlace::Delayed
                    && retry.takes(piece.plan)
                    && retry.policy.allows(failures) =>
            {
                failure.cause()
            }
            Plan::Fail(_)
            | Plan::Refused
            | Plan::Act
            | Plan::Skip
            | Plan::Busy { .. }
            | Plan::Done
            | Plan::Ignored => return Some(Answer::GiveUp),
        };
        self.care(slot).again = Some(cause);
        let last = self.custody.care[slot as usize].delay;
        let thing = lease.said.identity ^ u64::from(failures) << 48;
        let mut draws = self.fleets[fleet].jitter.at(thing);
        let after: SimDuration = retry.policy.delay(failures, last, &mut draws);
        self.care(slot).delay = after;
        Some(Answer::Retry { after })
    }
}
