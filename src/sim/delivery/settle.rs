//! How an answer comes to the broker, and what it does there: a message is deleted, given back,
//! put off, or given up; or its visibility lapses first (rules D3, D4).
//!
//! Not what the work came to ([`super::attempt`]).

use super::job::Piece;
use super::lease::{Answer, Early, Hand, Lease, LeaseRef, Said};
use super::line::Whereabouts;
use crate::model::{Counted, FleetId, LateAck, QueueId, Redelivery, ReturnKinds, Visibility};
use crate::sim::World;
use crate::sim::consumer::Work;
use crate::sim::event::Event;
use crate::sim::fact::{Call, Death, Fact, Place};
use crate::sim::recorder::Recorder;
use crate::units::{SimDuration, SimTime};

/// Why a message comes back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::sim) enum Return {
    /// Its consumer gave it back.
    Failure,
    /// Its consumer is no more.
    Crash,
    /// It was not acknowledged in time, and its consumer's channel was closed.
    Timeout,
    /// Its visibility lapsed.
    Lapse,
}

impl Return {
    fn counts(self, kinds: ReturnKinds) -> bool {
        let counted = match self {
            Self::Failure => kinds.failure,
            Self::Crash => kinds.crash,
            Self::Timeout => kinds.timeout,
            Self::Lapse => kinds.lapse,
        };
        counted == Counted::Yes
    }

    /// Of what a message is a dead letter if it has no delivery left after that of `lease`.
    fn leads_to(self, lease: &Lease) -> Death {
        match (self, lease.hand, lease.answer) {
            (Self::Failure, _, _)
            | (Self::Lapse, Hand::Nobody, Answer::GiveBack | Answer::Retry { .. }) => Death::Failed,
            (Self::Crash, _, _)
            | (Self::Lapse, Hand::Nobody, Answer::None | Answer::Done { .. } | Answer::GiveUp) => {
                Death::Crashed
            }
            (Self::Timeout, _, _)
            | (Self::Lapse, Hand::Waiting | Hand::Working(_) | Hand::Answered, _) => Death::Slow,
        }
    }
}

impl<R: Recorder> World<'_, R> {
    /// What is said of a message to whoever works on it.
    pub(super) fn said_of(&self, slot: u32) -> Said {
        let message = &self.messages[slot];
        let key = self.key_of(slot);
        let poison = &self.model.producers[message.producer].stamp.poison;
        let poisoned = key.is_some_and(|key| poison.keys.contains(&key))
            || self.producers[message.producer]
                .poison
                .happens(poison.share, message.identity);
        Said {
            identity: message.identity,
            intended: message.intended,
            accepted: message.accepted,
            key,
            poisoned,
        }
    }

    /// Whether the acknowledgement of a lease is lost on its way, which is then told.
    pub(super) fn loses_ack(&mut self, id: LeaseRef) -> bool {
        let lease = self.custody.leases.get(id).copied();
        let lost = lease.filter(|lease| self.ack_is_lost(lease));
        if let Some(Lease { queue, .. }) = lost {
            self.tell(Fact::AckLost { queue });
        }
        lost.is_some()
    }

    /// Whether it will be.
    pub(super) fn ack_is_lost(&self, lease: &Lease) -> bool {
        let fleet = self.custody.consumers[lease.consumer as usize].fleet;
        let share = self.model.fleets[fleet].handling.ack_loss;
        let thing = lease.said.identity ^ u64::from(lease.number).rotate_left(40);
        self.fleets[fleet].loss.happens(share, thing)
    }

    /// A handler acknowledges messages that it has worked on, with one call.
    pub(super) fn acknowledge<'p>(
        &mut self,
        fleet: FleetId,
        pieces: impl Iterator<Item = &'p Piece>,
    ) {
        let queue = self.model.fleets[fleet].queue;
        let now = self.calendar.now();
        let mut calls_at = None;
        for piece in pieces {
            let Some(lease) = self.custody.leases.in_hand(piece.lease).copied() else {
                continue;
            };
            match lease.early {
                Early::No => {}
                Early::Acknowledged => {
                    self.complete_early(piece.lease, lease);
                    continue;
                }
                Early::Lost => {
                    self.lose_connection(piece.lease);
                    continue;
                }
            }
            let at = *calls_at.get_or_insert_with(|| self.book_delete(queue));
            if self.loses_ack(piece.lease) {
                self.lose_connection(piece.lease);
                continue;
            }
            let sojourn = now.since(lease.said.intended);
            self.send_answer(piece.lease, Answer::Done { sojourn }, at);
        }
    }

    /// When an acknowledgement can be made: now, or in the next second that has a call left, which
    /// is then its own.
    fn book_delete(&mut self, queue: QueueId) -> SimTime {
        let now = self.calendar.now();
        let calls = &mut self.queues[queue].desk.calls.delete;
        let at = calls.as_mut().map_or(now, |calls| calls.book(now));
        if at > now {
            let call = Call::Delete;
            self.tell(Fact::Throttled { queue, call });
        }
        at
    }

    /// An acknowledgement was lost. Where the broker watches connections that means that the
    /// connection is gone, and the message comes back at once; otherwise when it lapses.
    fn lose_connection(&mut self, id: LeaseRef) {
        let Some(lease) = self.custody.leases.get(id).copied() else {
            return;
        };
        self.uncount(id);
        match self.model.queues[lease.queue].delivery.redelivery {
            Redelivery::OnDisconnect => self.give_back(id, Return::Crash),
            Redelivery::Visibility(_) => self.let_lease_go(id),
        }
    }

    /// Sends what a consumer has to say of a lease; the lease is in nobody's hand then.
    pub(super) fn send_answer(&mut self, id: LeaseRef, answer: Answer, at: SimTime) {
        self.leave_work(id);
        let Some(lease) = self.custody.leases.get_mut(id) else {
            return;
        };
        lease.hand = Hand::Answered;
        lease.answer = answer;
        let fleet = self.custody.consumers[lease.consumer as usize].fleet;
        let delay = self.model.fleets[fleet].handling.delivery_delay;
        let at = at.saturating_add(delay);
        if at <= self.calendar.now() {
            self.answered(id);
        } else if at < SimTime::MAX {
            self.calendar.schedule(at, Event::Answer(id));
        }
    }

    /// An early acknowledgement frees the consumer's credit when it reaches the broker.
    pub(super) fn free_credit_after_travel(&mut self, id: LeaseRef) {
        let Some(lease) = self.custody.leases.get(id).copied() else {
            return;
        };
        let fleet = self.custody.consumers[lease.consumer as usize].fleet;
        let delay = self.model.fleets[fleet].handling.delivery_delay;
        if delay.is_zero() {
            self.uncount(id);
            self.dispatch(lease.queue);
        } else if let Some(lease) = self.custody.leases.get_mut(id) {
            lease.counts = false;
            let lease = *lease;
            let at = self.calendar.now().saturating_add(delay);
            let (consumer, epoch) = (lease.consumer, lease.epoch);
            self.calendar
                .schedule(at, Event::Credit { consumer, epoch });
        }
    }

    /// A consumer may be pushed one more.
    #[inline(never)]
    pub(in crate::sim) fn credit(&mut self, consumer: u32, epoch: u32) {
        self.free_credit(consumer, epoch);
        let fleet = self.custody.consumers[consumer as usize].fleet;
        self.dispatch(self.model.fleets[fleet].queue);
    }

    /// What a consumer has to say of a lease reaches the broker.
    #[inline(never)]
    pub(in crate::sim) fn answered(&mut self, id: LeaseRef) {
        let Some(lease) = self.custody.leases.get(id).copied() else {
            return;
        };
        self.uncount(id);
        match lease.answer {
            Answer::Done { sojourn } => self.delete(id, lease, sojourn),
            Answer::GiveBack => self.give_back(id, Return::Failure),
            Answer::Retry { after } => self.put_off(id, lease, after),
            Answer::GiveUp => self.give_up_on(id, lease),
            Answer::None => {}
        }
        self.let_lease_go(id);
        self.dispatch(lease.queue);
    }

    /// An acknowledgement deletes its message, wherever it is by then.
    fn delete(&mut self, id: LeaseRef, lease: Lease, sojourn: SimDuration) {
        let queue = lease.queue;
        if lease.holds {
            return self.complete_message(id, lease, sojourn);
        }
        if !self.is_alive(lease.message) {
            return;
        }
        if self.model.queues[queue].delivery.late_ack == LateAck::Refused {
            return self.tell(Fact::AckRefused { queue });
        }
        let slot = lease.message.slot;
        match self.custody.care[slot as usize].place {
            Whereabouts::Gone => {}
            Whereabouts::InFlight(other) => {
                self.complete_message(other, lease, sojourn);
            }
            Whereabouts::Waiting => {
                let spot = self.spot_of(queue, slot);
                self.tell_oldest(queue);
                let removed = self.queues[queue].line.remove(spot);
                debug_assert_eq!(removed, Some(slot), "a waiting message stands in line");
                self.left_line(queue, slot);
                self.finish_message(lease, sojourn, Place::Waiting);
            }
            Whereabouts::Delayed => {
                self.queues[queue].desk.delayed -= 1;
                self.tell(Fact::Forestalled { queue });
                self.finish_message(lease, sojourn, Place::Waiting);
            }
        }
    }

    /// A message is done that is in flight under `holder`.
    fn complete_message(&mut self, holder: LeaseRef, lease: Lease, sojourn: SimDuration) {
        self.stop_holding(holder);
        self.finish_message(lease, sojourn, Place::InFlight);
    }

    fn finish_message(&mut self, lease: Lease, sojourn: SimDuration, from: Place) {
        let fleet = self.custody.consumers[lease.consumer as usize].fleet;
        let queue = lease.queue;
        self.tell(Fact::Acknowledged {
            queue,
            fleet,
            from,
            sojourn,
        });
        self.look_at_order(queue, lease.said);
        let slot = lease.message.slot;
        self.release_group(queue, slot);
        self.bury(queue, slot);
    }

    /// A message that was acknowledged early has been worked on.
    fn complete_early(&mut self, id: LeaseRef, lease: Lease) {
        let sojourn = self.calendar.now().since(lease.said.intended);
        if lease.holds {
            self.complete_message(id, lease, sojourn);
        }
        self.let_lease_go(id);
        self.dispatch(lease.queue);
    }

    /// A lease holds its message no more, which is in flight no more.
    pub(super) fn stop_holding(&mut self, id: LeaseRef) {
        let Some(lease) = self.custody.leases.get_mut(id) else {
            return;
        };
        debug_assert!(lease.holds, "a message is held by one lease");
        lease.holds = false;
        let (queue, received) = (lease.queue, lease.received);
        let state = &mut self.queues[queue];
        state.in_flight -= 1;
        state.desk.unacked.remove(&(received, id.slot));
        self.retell_unacked(queue);
        self.custody.leases.end_if_over(id);
    }

    /// Nobody has a lease in hand any more.
    pub(super) fn let_lease_go(&mut self, id: LeaseRef) {
        self.leave_work(id);
        let Some(lease) = self.custody.leases.get_mut(id) else {
            return;
        };
        if lease.hand != Hand::Nobody {
            lease.hand = Hand::Nobody;
            let identity = lease.said.identity;
            self.let_go(identity);
        }
        self.custody.leases.end_if_over(id);
    }

    /// A message comes back from a lease that holds it.
    pub(super) fn give_back(&mut self, id: LeaseRef, why: Return) {
        let Some(lease) = self.custody.leases.get(id).copied() else {
            return;
        };
        let queue = lease.queue;
        if lease.holds {
            let back = match why {
                Return::Lapse => Fact::Lapsed { queue },
                Return::Failure | Return::Crash | Return::Timeout => Fact::Returned { queue },
            };
            self.take_out(id, &lease, back);
        }
        if why != Return::Lapse {
            // Before the message goes to another hand: this one no longer works on it.
            self.let_lease_go(id);
        }
        if lease.holds {
            self.care(lease.message.slot).came_back = why.leads_to(&lease);
            self.count_return(queue, lease.message.slot, why);
        }
    }

    /// A message is in flight no more, nor done: what it is instead is told, and its group may go
    /// on.
    fn take_out(&mut self, id: LeaseRef, lease: &Lease, instead: Fact) {
        self.stop_holding(id);
        self.tell(instead);
        self.release_group(lease.queue, lease.message.slot);
    }

    /// A message has come back once more: it waits, or has come back too often.
    fn count_return(&mut self, queue: QueueId, slot: u32, why: Return) {
        let limit = self.model.queues[queue].delivery.return_limit;
        let care = self.care(slot);
        if let Some(limit) = limit
            && why.counts(limit.counts)
        {
            care.returns += 1;
            if care.returns > limit.returns {
                let because = care.came_back;
                return self.dead_letter(queue, slot, because);
            }
        }
        self.come_back(queue, slot);
    }

    /// A message is to be delivered again after a while. Where visibility decides it stays in
    /// flight, and invisible, until then.
    fn put_off(&mut self, id: LeaseRef, lease: Lease, after: SimDuration) {
        if !lease.holds {
            return;
        }
        let (queue, slot) = (lease.queue, lease.message.slot);
        match self.model.queues[queue].delivery.redelivery {
            Redelivery::Visibility(_) => {
                let at = self.calendar.now().saturating_add(after);
                if let Some(lease) = self.custody.leases.get_mut(id) {
                    lease.deadline = at;
                }
                self.calendar.schedule(at, Event::Lapse(id));
            }
            Redelivery::OnDisconnect => {
                self.take_out(id, &lease, Fact::Delayed { queue });
                self.delay(queue, slot, after);
            }
        }
    }

    /// Nobody shall try a message again.
    fn give_up_on(&mut self, id: LeaseRef, lease: Lease) {
        if lease.holds {
            let queue = lease.queue;
            self.take_out(id, &lease, Fact::Returned { queue });
            self.dead_letter(queue, lease.message.slot, Death::Failed);
        }
    }

    /// A delivery's visibility lapses, unless a heartbeat has extended it (rule D4).
    #[inline(never)]
    pub(in crate::sim) fn lapse(&mut self, id: LeaseRef) {
        let Some(lease) = self.custody.leases.get(id).copied() else {
            return;
        };
        let Redelivery::Visibility(visibility) = self.model.queues[lease.queue].delivery.redelivery
        else {
            return;
        };
        let now = self.calendar.now();
        if !lease.holds || lease.deadline == SimTime::MAX {
            return;
        }
        let deadline = if self.beats(&lease) {
            last_beat(&lease, visibility, now).max(lease.deadline)
        } else {
            lease.deadline
        };
        let planned = lease.hand == Hand::Nobody && matches!(lease.answer, Answer::Retry { .. });
        if deadline > now {
            if planned {
                // That it comes back at its deadline is on the calendar.
                return;
            }
            let deadline = super::intake::lapse_seen(deadline, visibility.sweep);
            if let Some(lease) = self.custody.leases.get_mut(id) {
                lease.deadline = deadline;
            }
            return self.calendar.schedule(deadline, Event::Lapse(id));
        }
        self.give_back(
            id,
            if planned {
                Return::Failure
            } else {
                Return::Lapse
            },
        );
    }

    /// Whether a consumer at work keeps a lease alive.
    fn beats(&self, lease: &Lease) -> bool {
        match lease.hand {
            Hand::Working(handler) => {
                matches!(
                    self.handlers[handler as usize].work,
                    Work::Working { .. } | Work::Calling { .. } | Work::Publishing { .. }
                )
            }
            Hand::Waiting | Hand::Answered | Hand::Nobody => false,
        }
    }

    /// A consumer at work is no more, or stands still: its last heartbeat is the last.
    pub(super) fn stop_beating(&mut self, id: LeaseRef) {
        let Some(lease) = self.custody.leases.get(id).copied() else {
            return;
        };
        let now = self.calendar.now();
        if let Redelivery::Visibility(visibility) =
            self.model.queues[lease.queue].delivery.redelivery
            && lease.deadline < SimTime::MAX
            && self.beats(&lease)
        {
            let deadline = last_beat(&lease, visibility, now).max(lease.deadline);
            let deadline = super::intake::lapse_seen(deadline, visibility.sweep);
            if let Some(lease) = self.custody.leases.get_mut(id) {
                lease.deadline = deadline;
            }
        }
    }
}

/// The deadline that the last heartbeat before `now` has set; the first comes when the message has
/// been worked on for its interval. One that fell due while the work stood still was not sent, and
/// those before it have set the deadline already.
fn last_beat(lease: &Lease, visibility: Visibility, now: SimTime) -> SimTime {
    let Some(every) = visibility.heartbeat else {
        return lease.deadline;
    };
    let worked = now.since(lease.worked_since).as_nanos();
    let beat = worked - worked % every.as_nanos().max(1);
    if beat == 0 {
        return lease.deadline;
    }
    let at = lease
        .worked_since
        .saturating_add(SimDuration::from_nanos(beat));
    if at < lease.beats_from {
        return lease.deadline;
    }
    let latest = lease.received.saturating_add(visibility.at_most);
    at.saturating_add(visibility.timeout).min(latest)
}
