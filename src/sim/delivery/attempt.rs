//! One attempt of a handler on what it has in hand: what it will come to is settled when it
//! begins, and told when it ends (rules D4, E1, G1, G2).
//!
//! Not the way of the answers to the broker ([`super::settle`]).

use super::job::{Job, Phase, Piece, Plan, share_out};
use super::lease::{Early, Hand, Lease, Said};
use crate::model::{
    Ack, BatchFailure, BatchWork, Failures, FleetId, Id, IdempotencyKey, QueueId, Rework,
};
use crate::policy::idempotency::Idempotency;
use crate::policy::idempotency::effects::Start;
use crate::policy::retry::budget::Cause;
use crate::sim::World;
use crate::sim::consumer::Work;
use crate::sim::event::Event;
use crate::sim::fact::{Call, Fact, Failure};
use crate::sim::recorder::Recorder;
use crate::units::{Ratio, SimDuration, SimTime};

/// A failing attempt takes so long at least, and one whose acknowledgement is lost: one of no time
/// on a message that comes back at once would hold the clock still.
pub(super) const LEAST_TIME: SimDuration = SimDuration::from_nanos(1_000);

/// What belongs to one attempt among all of a message, for its own draws.
pub(super) fn attempt_of(identity: u64, number: u32, attempt: u32) -> u64 {
    let nth = u64::from(number) << 32 | u64::from(attempt);
    identity ^ nth.wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

impl<R: Recorder> World<'_, R> {
    /// A handler begins to work on its job.
    pub(super) fn begin_attempt(&mut self, handler: u32, job: u32) {
        let fleet = self.handlers[handler as usize].fleet;
        let first = self.custody.jobs[job].attempt == 0;
        // A handler that pauses is at work: it is held.
        let resumes = self.custody.jobs[job].phase == Phase::Pausing;
        if first && self.model.fleets[fleet].handling.ack == Ack::Before {
            self.acknowledge_early(job);
        }
        let mut pieces = std::mem::take(&mut self.custody.jobs[job].pieces);
        let attempt = self.custody.jobs[job].attempt;
        for piece in &mut pieces {
            *piece = self.plan(fleet, piece, handler, attempt);
        }
        let batch = self.model.fleets[fleet].handling.batch;
        let work = share_out(&mut pieces, batch.map_or(BatchWork::Each, |it| it.work));
        let job_state = &mut self.custody.jobs[job];
        job_state.pieces = pieces;
        job_state.phase = Phase::Working;
        self.occupy(handler, job, work);
        if !resumes {
            self.tell(Fact::Began { fleet, handler });
        }
        if self.handlers[handler as usize].freezes > 0 {
            self.stand_still(handler);
        }
    }

    /// A handler is busy with a job for so long.
    pub(super) fn occupy(&mut self, handler: u32, job: u32, span: SimDuration) {
        let since = self.calendar.now();
        let until = since.saturating_add(span);
        self.handlers[handler as usize].work = Work::Working {
            slot: job,
            since,
            until,
        };
        self.calendar.schedule(until, Event::Finish(handler));
    }

    /// What an attempt on a message will come to.
    fn plan(&mut self, fleet: FleetId, piece: &Piece, handler: u32, attempt: u32) -> Piece {
        let mut planned = Piece::of(piece.lease);
        let Some(lease) = self.custody.leases.get_mut(piece.lease) else {
            planned.plan = Plan::Skip;
            return planned;
        };
        let now = self.calendar.now();
        let begins = !matches!(lease.hand, Hand::Working(_));
        if begins {
            (lease.worked_since, lease.beats_from) = (now, now);
        }
        lease.hand = Hand::Working(handler);
        let lease = *lease;
        if begins {
            self.join_work(lease.queue, lease.message);
        }
        if self.ack_is_lost(&lease) {
            planned.work = LEAST_TIME;
        }
        planned.again = self.take_again(fleet, piece, lease, attempt);
        let model = self.model;
        let handling = &model.fleets[fleet].handling;
        let identity = lease.said.identity;
        let thing = attempt_of(identity, lease.number, attempt);
        planned.plan = match self.start_effect(fleet, lease.queue.index() as u32, identity, now) {
            Start::Skip => Plan::Skip,
            Start::Busy { until } => Plan::Busy { until },
            Start::Act if self.is_beyond_limit(fleet, lease.queue) => {
                Plan::Fail(Failure::Throttled)
            }
            Start::Act => match self.failure(fleet, &handling.fails, lease.said, thing) {
                None => Plan::Act,
                Some(failure) => Plan::Fail(failure),
            },
        };
        let service = match handling.rework {
            Rework::Restart => identity,
            Rework::Resample if lease.number == 1 && attempt == 0 => identity,
            Rework::Resample => thing,
        };
        let law = match (&planned.plan, &handling.fails.takes) {
            (Plan::Skip | Plan::Busy { .. }, _) => return planned,
            (Plan::Fail(Failure::Throttled), _) => {
                planned.work = LEAST_TIME;
                return planned;
            }
            (Plan::Fail(_), Some(takes)) => takes,
            (Plan::Act | Plan::Fail(_) | Plan::Refused | Plan::Done | Plan::Ignored, _) => {
                &model.fleets[fleet].service
            }
        };
        let least = match planned.plan {
            Plan::Fail(_) => LEAST_TIME,
            Plan::Act
            | Plan::Refused
            | Plan::Skip
            | Plan::Busy { .. }
            | Plan::Done
            | Plan::Ignored => planned.work,
        };
        let drawn = law.draw(&mut self.fleets[fleet].service.at(service));
        planned.work = drawn.max(least);
        planned.acts_after = part_of(planned.work, handling.effect_at);
        planned
    }

    /// Why this is an attempt after a failed one, if it is, which is then told; the consumer's
    /// budget hears of a first one.
    fn take_again(
        &mut self,
        fleet: FleetId,
        piece: &Piece,
        lease: Lease,
        attempt: u32,
    ) -> Option<Cause> {
        self.model.fleets[fleet].handling.retry?;
        let again = match piece.again {
            None if lease.holds => self.care(lease.message.slot).again.take(),
            again => again,
        };
        if again.is_some() || attempt > 0 {
            let queue = lease.queue;
            self.tell(Fact::Reworked { queue });
        } else {
            self.hear_of_attempt(lease.consumer);
        }
        again
    }

    /// Whether the fleet's limiter has no call left for an attempt, which is then told.
    fn is_beyond_limit(&mut self, fleet: FleetId, queue: QueueId) -> bool {
        let now = self.calendar.now();
        let Some(limiter) = &mut self.fleets[fleet].limiter else {
            return false;
        };
        let beyond = limiter.take(now).is_err();
        if beyond {
            let call = Call::Attempt;
            self.tell(Fact::Throttled { queue, call });
        }
        beyond
    }

    fn start_effect(&mut self, fleet: FleetId, queue: u32, identity: u64, now: SimTime) -> Start {
        let policy = self.idempotency(fleet);
        self.custody.effects.touch(identity, queue);
        self.custody.effects.begin(identity, queue, now, policy)
    }

    /// What keeps duplicates of a fleet from acting twice; a key made anew for each attempt keeps
    /// nothing.
    pub(super) fn idempotency(&self, fleet: FleetId) -> Idempotency {
        let handling = &self.model.fleets[fleet].handling;
        match handling.idempotency_key {
            IdempotencyKey::Natural => handling.idempotency,
            IdempotencyKey::GeneratedPerAttempt => Idempotency::None,
        }
    }

    /// How an attempt fails, if it does.
    fn failure(&self, fleet: FleetId, fails: &Failures, said: Said, thing: u64) -> Option<Failure> {
        let chances = &self.fleets[fleet].failure;
        let now = self.calendar.now();
        let cured = fails.cured_at.is_some_and(|at| now >= at);
        let broken = now >= fails.breaks_at && !cured;
        if broken && (said.poisoned || chances.happens(fails.permanent, said.identity)) {
            return Some(Failure::Permanent);
        }
        chances
            .happens(fails.transient, thing.wrapping_add(1))
            .then_some(Failure::Transient)
    }

    /// The work, or the pause before it, of a leased fleet's handler is over.
    // Inlined into its only caller it would weigh on plain handlers.
    #[inline(never)]
    pub(in crate::sim) fn finish_leased(&mut self, handler: u32, job: u32, service: SimDuration) {
        let phase = self.custody.jobs[job].phase;
        match phase {
            Phase::Pausing => self.begin_attempt(handler, job),
            Phase::Working if self.calls_out(handler, job) => {}
            Phase::Gathering
            | Phase::Filling
            | Phase::Working
            | Phase::Calling
            | Phase::Stumbling => {
                self.end_attempt(handler, job, service);
            }
        }
    }

    pub(super) fn end_attempt(&mut self, handler: u32, job: u32, service: SimDuration) {
        let fleet = self.handlers[handler as usize].fleet;
        let publishes = self.model.fleets[fleet].publishes.is_some();
        if !publishes {
            // One that publishes is at work until it has.
            self.tell_worked(handler, job, service);
        }
        let mut pieces = std::mem::take(&mut self.custody.jobs[job].pieces);
        for piece in &mut pieces {
            match piece.plan {
                Plan::Act => {
                    piece.plan = self.succeed(fleet, piece);
                    self.hear_of_success(piece.lease, piece.again);
                }
                Plan::Fail(failure) => self.fail(fleet, piece.lease, failure),
                Plan::Skip => self.skip(piece.lease),
                Plan::Refused | Plan::Busy { .. } | Plan::Done | Plan::Ignored => {}
            }
        }
        self.custody.jobs[job].pieces = pieces;
        if publishes {
            let parents: Vec<u64> = self.custody.jobs[job]
                .pieces
                .iter()
                .filter(|piece| piece.plan == Plan::Done)
                .filter_map(|piece| self.custody.leases.get(piece.lease))
                .map(|lease| lease.said.identity)
                .collect();
            return self.publish_after(handler, job, service, &parents);
        }
        self.settle_job(handler, job);
    }

    /// A handler has worked on a job for so long, and was held by it before.
    fn tell_worked(&mut self, handler: u32, job: u32, service: SimDuration) {
        let fleet = self.handlers[handler as usize].fleet;
        let paused = self.custody.jobs[job].delay;
        self.tell(Fact::Worked {
            fleet,
            handler,
            service,
            paused,
        });
    }

    /// A job has been published: the handler has worked on it, and its messages are answered for.
    pub(in crate::sim) fn published(&mut self, handler: u32, job: u32, service: SimDuration) {
        self.tell_worked(handler, job, service);
        self.settle_job(handler, job);
    }

    /// An attempt is over: the messages are answered for, or tried again in place.
    fn settle_job(&mut self, handler: u32, job: u32) {
        let fleet = self.handlers[handler as usize].fleet;
        self.ask_budget(fleet, job);
        let batch = self.model.fleets[fleet].handling.batch;
        let Job { pieces, .. } = &self.custody.jobs[job];
        let is_bad = |piece: &Piece| piece.plan.is_bad();
        let all_bad = batch.is_some_and(|batch| batch.failure == BatchFailure::Whole)
            && pieces.iter().any(is_bad);
        if self.try_in_place(handler, job, all_bad) {
            return;
        }
        let pieces = std::mem::take(&mut self.custody.jobs[job].pieces);
        let mut acks = false;
        for piece in &pieces {
            if all_bad || is_bad(piece) {
                self.answer_failure(fleet, piece);
            } else {
                acks = true;
            }
        }
        if acks {
            self.acknowledge(
                fleet,
                pieces.iter().filter(|piece| !(all_bad || is_bad(piece))),
            );
        }
        self.custody.jobs[job].pieces = pieces;
        self.custody.jobs.close(job);
        self.release(handler);
    }

    /// What a job's handler had done when it was cut short, so long after it began.
    pub(super) fn cut_short(&mut self, fleet: FleetId, job: u32, worked: SimDuration) {
        match self.custody.jobs[job].phase {
            Phase::Working => {}
            Phase::Calling | Phase::Stumbling => return self.cut_short_calling(job),
            Phase::Gathering | Phase::Filling | Phase::Pausing => return,
        }
        let each = self.model.fleets[fleet]
            .handling
            .batch
            .is_none_or(|batch| batch.work == BatchWork::Each);
        let mut left = worked;
        let pieces = std::mem::take(&mut self.custody.jobs[job].pieces);
        for piece in &pieces {
            let acts = piece.plan == Plan::Act && !piece.work.is_zero();
            if acts && left >= piece.acts_after {
                self.act(piece.lease);
                if left >= piece.work {
                    self.mark_done(piece.lease);
                }
            }
            if each {
                left = left.saturating_sub(piece.work);
            }
        }
        self.custody.jobs[job].pieces = pieces;
    }

    /// Messages are acknowledged before the work on them begins: they cannot come back, unless
    /// the acknowledgement is lost.
    fn acknowledge_early(&mut self, job: u32) {
        let pieces = std::mem::take(&mut self.custody.jobs[job].pieces);
        for piece in &pieces {
            let lease = self.custody.leases.get(piece.lease);
            if !lease.is_some_and(|lease| lease.holds) {
                continue;
            }
            let lost = self.loses_ack(piece.lease);
            let Some(lease) = self.custody.leases.get_mut(piece.lease) else {
                continue;
            };
            if lost {
                lease.early = Early::Lost;
            } else {
                lease.early = Early::Acknowledged;
                lease.deadline = SimTime::MAX;
                let (queue, delivery) = (lease.queue, (lease.received, piece.lease.slot));
                let slot = lease.message.slot;
                self.queues[queue].desk.unacked.remove(&delivery);
                self.retell_unacked(queue);
                self.release_group(queue, slot);
                self.free_credit_after_travel(piece.lease);
            }
        }
        self.custody.jobs[job].pieces = pieces;
    }
}

fn part_of(work: SimDuration, share: Ratio) -> SimDuration {
    if share == Ratio::ONE {
        return work;
    }
    SimDuration::from_nanos((work.as_nanos() as f64 * share.get()).round() as u64)
}
