//! One publish, from the instant it is meant to be made to one of its four ends: accepted,
//! rejected, timed out, abandoned (rules C2 to C4).
//!
//! Not when a producer publishes ([`super::producer`]), nor what becomes of the message then.
//!
//! ```text
//! offered -> room? -> accepted
//!              |no
//!              +-- reject ------------------------------> rejected
//!              +-- block -> waits at the gate -> admitted -> accepted
//!              |               |timeout ----------------> timed out
//!              +-- retry -> postponed -> room? ...  ----> abandoned
//! ```

use super::World;
use super::event::Event;
use super::fact::{Call, Fact};
use super::recorder::Recorder;
use super::world::tell;
use crate::model::{Counts, OnLimit, Overflow, ProducerId, QueueId};
use crate::policy::admission::{Admission, Ticket};
use crate::policy::arrival::WaitFor;
use crate::policy::publish::{Blocking, PublishPolicy};
use crate::policy::retry::RetryPolicy;
use crate::policy::retry::budget::Cause;
use crate::units::{SimDuration, SimTime};

/// A refused publish is tried again after so long at least: a call takes some time, and one that
/// takes none and is refused again at once would hold the clock still.
const LEAST_DELAY: SimDuration = SimDuration::from_nanos(1_000);

/// A publish that is under way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Publish {
    pub(super) producer: ProducerId,
    pub(super) queue: QueueId,
    /// When it was meant to be made.
    pub(super) intended: SimTime,
    pub(super) identity: u64,
    /// The handler that waits for its end, if a handler makes it.
    pub(super) handler: Option<u32>,
}

/// A publish that waits: blocked, or postponed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pending {
    pub(super) publish: Publish,
    pub(super) since: SimTime,
    /// How many tries it has had.
    pub(super) tries: u32,
    /// The delay before the last try.
    pub(super) delay: SimDuration,
    /// Why it is tried again, if it is.
    pub(super) cause: Option<Cause>,
}

/// All publishes that wait. A slot that is used again has another generation, so that a ticket
/// of its past is known to be stale.
#[derive(Debug, Default)]
pub(super) struct Tickets {
    slots: Vec<(u32, Option<Pending>)>,
    free: Vec<u32>,
    open: u64,
}

impl Tickets {
    pub(super) fn insert(&mut self, pending: Pending) -> Ticket {
        self.open += 1;
        if let Some(slot) = self.free.pop() {
            let (generation, held) = &mut self.slots[slot as usize];
            *held = Some(pending);
            return Ticket {
                slot,
                generation: *generation,
            };
        }
        self.slots.push((0, Some(pending)));
        Ticket {
            slot: (self.slots.len() - 1) as u32,
            generation: 0,
        }
    }

    pub(super) fn take(&mut self, ticket: Ticket) -> Option<Pending> {
        let (generation, held) = &mut self.slots[ticket.slot as usize];
        if *generation != ticket.generation {
            return None;
        }
        let pending = held.take()?;
        *generation = generation.wrapping_add(1);
        self.open -= 1;
        self.free.push(ticket.slot);
        Some(pending)
    }

    fn waits(&self, ticket: Ticket) -> bool {
        let (generation, held) = &self.slots[ticket.slot as usize];
        *generation == ticket.generation && held.is_some()
    }

    /// Whose publish waits with this ticket, if one does.
    pub(super) fn producer_of(&self, ticket: Ticket) -> Option<ProducerId> {
        let (generation, held) = &self.slots[ticket.slot as usize];
        let held = held.as_ref().filter(|_| *generation == ticket.generation);
        held.map(|pending| pending.publish.producer)
    }

    /// How many wait.
    #[inline(always)]
    pub(super) fn open(&self) -> u64 {
        self.open
    }
}

/// Why a queue refuses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    /// It is full, its broker is down, or there were too many calls.
    Refused(Cause),
    /// Its memory is full, and that blocks publishers whatever their policy.
    Alarm,
}

/// How a publish ended, for whoever waits for that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// It became a message.
    Accepted,
    /// It did not.
    Failed,
}

impl<R: Recorder> World<'_, R> {
    /// A publish is meant to be made now.
    #[inline(always)]
    pub(super) fn offer(&mut self, publish: Publish) {
        let Publish {
            producer, queue, ..
        } = publish;
        tell!(self, Fact::Offered { producer, queue });
        let state = &self.queues[queue];
        if (state.line.len() as u64) < state.plain_below {
            return self.accept_plain(publish);
        }
        // A copy, so that the publish itself can stay in registers.
        self.offer_with_care(Publish { ..publish });
    }

    /// A publish to a queue of which there is more to know than that its bound is far.
    #[inline(never)]
    fn offer_with_care(&mut self, publish: Publish) {
        match self.answer_to(publish, None) {
            Ok(()) => self.take(publish),
            Err(refusal) => self.refuse(publish, refusal, None),
        }
    }

    /// What the broker says to a publish. The producer's budget hears if it is taken, where
    /// anybody listens; `again` is why it is tried again, if it is.
    #[inline(always)]
    fn answer_to(&mut self, publish: Publish, again: Option<Cause>) -> Result<(), Refusal> {
        let state = &self.queues[publish.queue];
        if (state.line.len() as u64) < state.room_below {
            return Ok(());
        }
        if state.room_below > 0 {
            return self.room_beyond(publish.queue);
        }
        self.answer_to_call(publish)?;
        self.hear_of_publish(publish.producer, again);
        Ok(())
    }

    /// A publish finds room.
    fn take(&mut self, publish: Publish) {
        let queue = self.accept(publish);
        match queue.admission {
            Admission::Fifo | Admission::NewcomersFirst | Admission::Random | Admission::Lifo => {}
            Admission::WakeUp(_) => {
                self.look_at_slots(publish.queue);
            }
        }
    }

    /// Remembers how many slots are open, where waiters must wake up to take one; returns how many
    /// more there are than at the last look.
    fn look_at_slots(&mut self, id: QueueId) -> u64 {
        match self.queues[id].config.admission {
            Admission::Fifo | Admission::NewcomersFirst | Admission::Random | Admission::Lifo => 0,
            Admission::WakeUp(_) => {
                let open = self.slots_below_bound(id);
                let before = std::mem::replace(&mut self.queues[id].slots_seen, open);
                open.saturating_sub(before)
            }
        }
    }

    /// Whether the queue takes a publish now.
    pub(super) fn room(&self, id: QueueId) -> Result<(), Refusal> {
        let state = &self.queues[id];
        if (state.line.len() as u64) < state.room_below {
            return Ok(());
        }
        self.room_beyond(id)
    }

    /// Whether it does, where there is more to look at than a bound that is far.
    pub(super) fn room_beyond(&self, id: QueueId) -> Result<(), Refusal> {
        self.memory_beyond(id)?;
        let queue = &self.model.queues[id];
        if queue.overflow != Overflow::Refuse || self.slots_below_bound(id) > 0 {
            return Ok(());
        }
        Err(Refusal::Refused(Cause::Failure))
    }

    /// Whether its broker and the bound on its memory allow it.
    pub(super) fn memory_beyond(&self, id: QueueId) -> Result<(), Refusal> {
        let state = &self.queues[id];
        let Some(memory) = self.model.queues[id].memory else {
            return Ok(());
        };
        if state.down {
            return Err(Refusal::Refused(Cause::Timeout));
        }
        if state.bytes < memory.limit.0 {
            return Ok(());
        }
        match memory.on_limit {
            OnLimit::Block => Err(Refusal::Alarm),
            OnLimit::Refuse => Err(Refusal::Refused(Cause::Failure)),
            OnLimit::Crash { .. } => Ok(()),
        }
    }

    /// How many more messages the queue's bound allows. A free handler takes a message that need
    /// not wait, so a bound of zero waiting messages still lets work through.
    #[inline]
    pub(super) fn slots_below_bound(&self, id: QueueId) -> u64 {
        let queue = &self.model.queues[id];
        let state = &self.queues[id];
        let waiting = state.line.len() as u64;
        match queue.counts {
            Counts::Waiting if queue.capacity == 0 && waiting == 0 => {
                u64::from(self.idle_handler(id).is_some())
            }
            Counts::Waiting => queue.capacity.saturating_sub(waiting),
            Counts::WaitingAndInFlight => queue
                .capacity
                .saturating_sub(waiting + state.in_flight - state.missing),
        }
    }

    /// What the publisher does now that it is refused; `again` is what it has behind it, when it
    /// has been refused before.
    fn refuse(&mut self, publish: Publish, refusal: Refusal, again: Option<Pending>) {
        let Publish {
            producer, queue, ..
        } = publish;
        let policy = &self.model.producers[producer].on_full;
        match (policy, refusal) {
            (PublishPolicy::Block(blocking), _) => self.block(publish, *blocking, None),
            (_, Refusal::Alarm) => {
                let cause = again.and_then(|pending| pending.cause);
                self.block(publish, Blocking::default(), cause);
            }
            (PublishPolicy::Retry(policy), Refusal::Refused(cause)) => {
                self.postpone(publish, policy, cause, again);
            }
            (PublishPolicy::Reject, Refusal::Refused(_)) => {
                self.tell(Fact::Rejected { producer, queue });
                self.ended(publish, End::Failed);
            }
        }
    }

    fn block(&mut self, publish: Publish, blocking: Blocking, cause: Option<Cause>) {
        let Publish {
            producer, queue, ..
        } = publish;
        if self.ledger.producers[producer].blocked >= blocking.connections {
            self.tell(Fact::Rejected { producer, queue });
            return self.ended(publish, End::Failed);
        }
        let now = self.calendar.now();
        let pending = Pending {
            publish,
            since: now,
            tries: 1,
            delay: SimDuration::ZERO,
            cause,
        };
        let ticket = self.tickets.insert(pending);
        self.queues[queue].gate.join(ticket);
        self.blocked += 1;
        self.tell(Fact::Blocked { producer, queue });
        if let Some(timeout) = blocking.timeout {
            self.calendar
                .schedule(now.saturating_add(timeout), Event::GiveUp(ticket));
        }
    }

    fn postpone(
        &mut self,
        publish: Publish,
        policy: &RetryPolicy,
        cause: Cause,
        again: Option<Pending>,
    ) {
        let Publish {
            producer, queue, ..
        } = publish;
        let now = self.calendar.now();
        let (tries, last) = again.map_or((1, SimDuration::ZERO), |p| (p.tries + 1, p.delay));
        self.hear_of_refusal(producer, again.and_then(|pending| pending.cause));
        if tries >= policy.attempts || !self.may_publish_again(producer, queue, cause) {
            self.tell(Fact::Abandoned { producer, queue });
            return self.ended(publish, End::Failed);
        }
        let mut draws = self.producers[producer]
            .jitter
            .at(publish.identity ^ u64::from(tries));
        let delay = policy.delay(tries - 1, last, &mut draws);
        let after = if delay.is_zero() { LEAST_DELAY } else { delay };
        let ticket = self.tickets.insert(Pending {
            publish,
            since: now,
            tries,
            delay,
            cause: Some(cause),
        });
        self.tell(Fact::Postponed { producer, queue });
        self.calendar
            .schedule(now.saturating_add(after), Event::RetryPublish(ticket));
    }

    /// A postponed publish is tried again.
    pub(super) fn retry_publish(&mut self, ticket: Ticket) {
        let Some(pending) = self.tickets.take(ticket) else {
            return;
        };
        let Publish {
            producer, queue, ..
        } = pending.publish;
        self.tell(Fact::Retried { producer, queue });
        match self.answer_to(pending.publish, pending.cause) {
            Ok(()) => self.take(pending.publish),
            Err(refusal) => self.refuse(pending.publish, refusal, Some(pending)),
        }
    }

    /// A blocked publisher reaches its timeout.
    pub(super) fn give_up(&mut self, ticket: Ticket) {
        let Some(pending) = self.tickets.take(ticket) else {
            return;
        };
        let Publish {
            producer, queue, ..
        } = pending.publish;
        let waited = self.calendar.now().since(pending.since);
        self.blocked -= 1;
        let tickets = &self.tickets;
        self.queues[queue].gate.forget(|other| tickets.waits(other));
        self.tell(Fact::TimedOut {
            producer,
            queue,
            waited,
        });
        if self.ledger.queues[queue].blocked == 0 {
            self.look_later_whether_drained(queue);
        }
        self.ended(pending.publish, End::Failed);
    }

    /// Slots may have become free: lets blocked publishers in, as the admission order says.
    #[inline(always)]
    pub(super) fn admit(&mut self, queue: QueueId) {
        if self.blocked > 0 && self.ledger.queues[queue].blocked > 0 {
            self.admit_blocked(queue);
        }
    }

    fn admit_blocked(&mut self, queue: QueueId) {
        match self.model.queues[queue].admission {
            Admission::Fifo | Admission::NewcomersFirst | Admission::Random | Admission::Lifo => {
                while self.admit_one(queue) {}
            }
            Admission::WakeUp(delay) => {
                let at = self.calendar.now().saturating_add(delay);
                for _ in 0..self.look_at_slots(queue) {
                    self.queues[queue].waking += 1;
                    self.calendar.schedule(at, Event::WakeUp(queue));
                }
                self.leave_none_asleep(queue, at);
            }
        }
    }

    /// There is room that no freed slot tells of: memory, a broker that is back, several idle
    /// handlers of a queue without slots. Then at least one who waits for it wakes up.
    fn leave_none_asleep(&mut self, queue: QueueId, at: SimTime) {
        let now = self.calendar.now();
        let calls = &self.queues[queue].desk.calls.send;
        let may_call = calls.as_ref().is_none_or(|calls| calls.has_one(now));
        let waits = self.ledger.queues[queue].blocked > 0 && may_call;
        if waits && self.queues[queue].waking == 0 && self.room(queue).is_ok() {
            self.queues[queue].waking += 1;
            self.calendar.schedule(at, Event::WakeUp(queue));
        }
    }

    /// A blocked publisher wakes up, and takes a slot if one is still open.
    pub(super) fn wake_up(&mut self, queue: QueueId) {
        self.queues[queue].waking -= 1;
        self.admit_one(queue);
        self.look_at_slots(queue);
        if let Admission::WakeUp(delay) = self.model.queues[queue].admission {
            let at = self.calendar.now().saturating_add(delay);
            self.leave_none_asleep(queue, at);
        }
    }

    fn admit_one(&mut self, queue: QueueId) -> bool {
        if self.ledger.queues[queue].blocked == 0 || self.room(queue).is_err() {
            return false;
        }
        if !self.may_call_again(queue, Call::Send) {
            return false;
        }
        let now = self.calendar.now();
        let tickets = &self.tickets;
        let state = &mut self.queues[queue];
        let chosen = state
            .gate
            .admit(now, &mut state.choice, |other| tickets.waits(other));
        let Some(ticket) = chosen else {
            return false;
        };
        let producer = self.let_in(ticket, queue);
        if self.queues[queue].by_call {
            self.let_in_with(producer, queue);
        }
        true
    }

    /// A blocked publish is made; returns whose it is.
    pub(super) fn let_in(&mut self, ticket: Ticket, queue: QueueId) -> ProducerId {
        let pending = self.tickets.take(ticket);
        let pending = pending.expect("the gate admits none that does not wait");
        self.blocked -= 1;
        let producer = pending.publish.producer;
        self.tell(Fact::Admitted {
            producer,
            queue,
            waited: self.calendar.now().since(pending.since),
        });
        self.hear_of_publish(producer, pending.cause);
        self.accept(pending.publish);
        if self.ledger.queues[queue].blocked == 0 {
            self.look_later_whether_drained(queue);
        }
        producer
    }

    /// Tells whoever waits for the end of this publish.
    #[inline(always)]
    pub(super) fn ended(&mut self, publish: Publish, end: End) {
        if let Some(handler) = publish.handler {
            self.publish_done(handler);
        }
        if !self.has_clients {
            return;
        }
        match (self.producers[publish.producer].waits_for, end) {
            (Some(WaitFor::Accepted), _) | (Some(WaitFor::Completed), End::Failed) => {
                self.think(publish.producer);
            }
            (None, _) | (Some(WaitFor::Completed), End::Accepted) => {}
        }
    }
}
