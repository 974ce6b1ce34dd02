//! The line of a leased queue: a message keeps its place when it comes back, may leave out of the
//! middle, and has more said about it than a plain one.
//!
//! Not the order itself: that is the policy's.

use super::lease::LeaseRef;
use crate::model::{ConfirmLoss, Counted, Grouping, Id, Overflow, Queue, QueueId, Returned};
use crate::policy::order::Line;
use crate::policy::retry::budget::Cause;
use crate::policy::roster::Spot;
use crate::sim::World;
use crate::sim::event::Event;
use crate::sim::fact::{Death, Fact, Transfer};
use crate::sim::publish::{End, Publish};
use crate::sim::recorder::Recorder;
use crate::units::{SimDuration, SimTime};

/// A message, and which of its lives: a slot is used again, and a message that moves to another
/// queue is a new one to those that were given the old.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::sim) struct MessageRef {
    pub(in crate::sim) slot: u32,
    pub(in crate::sim) generation: u32,
}

/// What is known of a message of a leased queue.
#[derive(Clone, Copy, Debug)]
pub(in crate::sim) struct Care {
    /// Its place in the order in which messages first came to the queue.
    pub(super) sequence: u64,
    pub(super) generation: u32,
    /// How often it came back in a way that counts.
    pub(super) returns: u32,
    /// Why it came back last, if it did.
    pub(super) came_back: Death,
    /// How many attempts failed, since it came to this queue.
    pub(super) failures: u32,
    /// The wait before the last attempt.
    pub(super) delay: SimDuration,
    /// Why it is to be worked on again, if it is.
    pub(super) again: Option<Cause>,
    pub(super) queue: QueueId,
    pub(super) place: Whereabouts,
    /// Whether it keeps others of its group from being delivered.
    pub(super) locks: bool,
    /// How many handlers work on it.
    pub(super) at_work: u32,
    /// Whether a client may wait for its end; not when its confirm was lost.
    pub(super) awaited: bool,
}

/// Where a message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::sim) enum Whereabouts {
    /// No more.
    Gone,
    /// In the line.
    Waiting,
    /// With a consumer, or given up by one and not yet missed.
    InFlight(LeaseRef),
    /// With the broker, until its next attempt is due.
    Delayed,
}

impl<R: Recorder> World<'_, R> {
    /// The message, unless it has ended or moved.
    pub(super) fn is_alive(&self, message: MessageRef) -> bool {
        let care = &self.custody.care[message.slot as usize];
        care.generation == message.generation && care.place != Whereabouts::Gone
    }

    pub(super) fn care(&mut self, slot: u32) -> &mut Care {
        &mut self.custody.care[slot as usize]
    }

    pub(super) fn ref_of(&self, slot: u32) -> MessageRef {
        let generation = self.custody.care[slot as usize].generation;
        MessageRef { slot, generation }
    }

    /// What decides a message's place in line.
    pub(in crate::sim) fn spot_of(&self, id: QueueId, slot: u32) -> Spot {
        let key = match self.model.queues[id].delivery.grouping {
            Grouping::None => 0,
            Grouping::ByKey => self.key_of(slot).unwrap_or(0),
        };
        Spot {
            sequence: self.custody.care[slot as usize].sequence,
            priority: self.priority_of(id, slot),
            key,
        }
    }

    /// The key that its producer gave a message.
    pub(super) fn key_of(&self, slot: u32) -> Option<u64> {
        let message = &self.messages[slot];
        let keys = self.model.producers[message.producer].stamp.keys.as_ref()?;
        Some(keys.draw(&mut self.producers[message.producer].key.at(message.identity)))
    }

    /// A message comes to a leased queue for the first time, or from another queue.
    pub(super) fn enrol(&mut self, id: QueueId, slot: u32) {
        let index = slot as usize;
        let state = &mut self.queues[id];
        let sequence = state.desk.next_sequence;
        state.desk.next_sequence += 1;
        if self.custody.care.len() <= index {
            self.custody.care.resize(index + 1, Care::of_nothing());
        }
        let before = &self.custody.care[index];
        let generation = before.generation.wrapping_add(1);
        let awaited = before.awaited;
        self.custody.care[index] = Care {
            sequence,
            generation,
            place: Whereabouts::Waiting,
            queue: id,
            awaited,
            ..Care::of_nothing()
        };
    }

    /// A leased queue takes a publish.
    // Inlined into its only caller it would weigh on plain queues.
    #[inline(never)]
    pub(in crate::sim) fn accept_leased(&mut self, id: QueueId, slot: u32, publish: Publish) {
        let now = self.calendar.now();
        let identity = publish.identity;
        self.custody.effects.hold(identity);
        self.custody.effects.touch(identity, id.index() as u32);
        self.enrol(id, slot);
        let lost = self.loses_confirm(publish);
        self.care(slot).awaited = lost.is_none();
        if let Some(dedup) = &mut self.queues[id].desk.dedup
            && !dedup.is_new(now, identity)
        {
            self.tell(Fact::Deduplicated { queue: id });
            self.bury(id, slot);
        } else if self.model.queues[id].overflow != Overflow::Refuse
            && self.slots_below_bound(id) == 0
        {
            self.overflow(id, slot);
        } else {
            self.join(id, slot);
        }
        match lost {
            None => self.ended(publish, End::Accepted),
            Some(loss) => self.publish_again(publish, loss.timeout),
        }
        if self.model.queues[id].memory.is_some() {
            self.watch_memory(id);
        }
    }

    /// Whether the confirm of an accepted publish is lost, which is then told.
    fn loses_confirm(&mut self, publish: Publish) -> Option<ConfirmLoss> {
        let Publish {
            producer, queue, ..
        } = publish;
        let loss = self.model.producers[producer].stamp.confirm_loss?;
        let sent = self.queues[queue].desk.accepted_sends;
        self.queues[queue].desk.accepted_sends += 1;
        let thing = publish.identity ^ sent.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        if !self.producers[producer].loss.happens(loss.share, thing) {
            return None;
        }
        self.tell(Fact::ConfirmLost { producer, queue });
        self.custody.effects.hold(publish.identity);
        Some(loss)
    }

    /// A message that is new to the line goes to a taker that waits for it, or waits.
    pub(super) fn join(&mut self, id: QueueId, slot: u32) {
        let spot = self.spot_of(id, slot);
        self.tell_oldest(id);
        let line = &mut self.queues[id].line;
        let was_ready = line.is_ready();
        line.push_at(slot, spot);
        if !was_ready
            && line.is_ready()
            && let Some(taker) = self.taker(id)
        {
            let state = &mut self.queues[id];
            let popped = state.line.pop(&mut state.choice);
            debug_assert_eq!(popped, Some(slot), "what makes a line ready is next");
            self.lock_group(id, slot);
            self.receive(id, slot, taker);
            let queue = &self.model.queues[id];
            if queue.capacity < u64::MAX && self.slots_below_bound(id) == 0 {
                self.fill(id, 0);
            }
            return;
        }
        self.tell_joined(id, slot);
        let depth = self.queues[id].line.len() as u64;
        if self.is_full(id, &self.model.queues[id], depth) {
            self.fill(id, depth);
        }
    }

    /// Tells that a message waits; it stands in the line.
    fn tell_joined(&mut self, id: QueueId, slot: u32) {
        self.care(slot).place = Whereabouts::Waiting;
        if self.rests(id) {
            self.custody.resting += 1;
        } else {
            self.waiting += 1;
        }
        self.tell(Fact::Enqueued { queue: id });
        self.watch_retention(id);
    }

    /// Whether messages that wait here do so for ever: dead letters that nobody takes.
    pub(in crate::sim) fn rests(&self, id: QueueId) -> bool {
        self.queues[id].desk.rests
    }

    /// A message that was out comes back to its place in the line, if there is room for what comes
    /// back.
    pub(super) fn come_back(&mut self, id: QueueId, slot: u32) {
        let keeps = match self.model.queues[id].returned {
            Returned::Keep => true,
            Returned::Drop => self.slots_below_bound(id) > 0,
        };
        if !keeps {
            return self.drop_or_dead_letter(id, slot);
        }
        self.messages[slot].queued = self.calendar.now();
        let spot = self.spot_of(id, slot);
        self.tell_oldest(id);
        self.queues[id].line.push_at(slot, spot);
        self.tell_joined(id, slot);
        let depth = self.queues[id].line.len() as u64;
        if depth >= self.model.queues[id].capacity {
            self.fill(id, depth);
        }
        self.dispatch(id);
    }

    /// The next message to be delivered leaves the line; those that are too old expire, and those
    /// that were delivered too often are dead letters.
    pub(super) fn next_leased(&mut self, id: QueueId) -> Option<u32> {
        loop {
            self.tell_oldest(id);
            let state = &mut self.queues[id];
            let slot = state.line.pop(&mut state.choice)?;
            if let Some(slot) = self.fit_for_delivery(id, slot) {
                return Some(slot);
            }
        }
    }

    /// The next message of a group that a handler has just received from.
    pub(super) fn next_of_group(&mut self, id: QueueId, key: u64) -> Option<u32> {
        loop {
            self.tell_oldest(id);
            let slot = self.queues[id].line.pop_same(key)?;
            if let Some(slot) = self.fit_for_delivery(id, slot) {
                return Some(slot);
            }
        }
    }

    fn fit_for_delivery(&mut self, id: QueueId, slot: u32) -> Option<u32> {
        self.lock_group(id, slot);
        self.left_line(id, slot);
        let queue = &self.model.queues[id];
        let message = &self.messages[slot];
        let age = self.calendar.now().since(message.accepted);
        let received = message.deliveries;
        if queue.ttl.is_some_and(|ttl| age > ttl) {
            self.release_group(id, slot);
            self.expire_one(id, slot);
            return None;
        }
        if queue
            .delivery
            .max_receives
            .is_some_and(|most| received >= most)
        {
            self.release_group(id, slot);
            let because = self.care(slot).came_back;
            self.dead_letter(id, slot, because);
            return None;
        }
        Some(slot)
    }

    /// A message is out: no other of its group is delivered meanwhile.
    fn lock_group(&mut self, id: QueueId, slot: u32) {
        self.care(slot).locks = self.model.queues[id].delivery.grouping == Grouping::ByKey;
    }

    /// A message is no longer out: its group may go on.
    pub(super) fn release_group(&mut self, id: QueueId, slot: u32) {
        if std::mem::take(&mut self.care(slot).locks) {
            let key = self.spot_of(id, slot).key;
            self.queues[id].line.release(key);
        }
    }

    /// A message has outlived its queue's patience: a dead letter, where those are taken.
    pub(in crate::sim) fn expire_one(&mut self, id: QueueId, slot: u32) {
        let dead = self.model.queues[id].delivery.dead_letter;
        if dead.is_some_and(|dead| dead.expired == Counted::Yes) {
            return self.dead_letter(id, slot, Death::Expired);
        }
        self.tell(Fact::Expired { queue: id });
        self.bury(id, slot);
    }

    /// A message is dropped by a full queue: a dead letter, where those are taken.
    pub(in crate::sim) fn drop_or_dead_letter(&mut self, id: QueueId, slot: u32) {
        let dead = self.model.queues[id].delivery.dead_letter;
        if dead.is_some_and(|dead| dead.dropped == Counted::Yes) {
            return self.dead_letter(id, slot, Death::Dropped);
        }
        self.tell(Fact::Dropped { queue: id });
        self.bury(id, slot);
    }

    /// A delayed message is due.
    #[inline(never)]
    pub(in crate::sim) fn retry_due(&mut self, message: MessageRef) {
        let care = self.custody.care[message.slot as usize];
        if !self.is_alive(message) || care.place != Whereabouts::Delayed {
            return;
        }
        let id = care.queue;
        self.queues[id].desk.delayed -= 1;
        self.tell(Fact::Due { queue: id });
        self.come_back(id, message.slot);
    }

    /// What must be told when a message of a leased queue has reached its end; whether a client
    /// may wait for that.
    pub(in crate::sim) fn forget(&mut self, slot: u32) -> bool {
        self.care(slot).place = Whereabouts::Gone;
        let identity = self.messages[slot].identity;
        self.let_go(identity);
        self.custody.care[slot as usize].awaited
    }

    /// A message comes to a queue from another.
    pub(super) fn move_to(&mut self, to: QueueId, slot: u32, how: Transfer) {
        let now = self.calendar.now();
        let message = &mut self.messages[slot];
        message.queued = now;
        message.deliveries = 0;
        self.enrol(to, slot);
        self.tell(Fact::Moved { queue: to, how });
        let state = &mut self.queues[to];
        if state.weighs {
            self.weigh(to, slot, u64::wrapping_add);
        }
    }

    /// Schedules the next attempt on a message that is with the broker until then.
    pub(super) fn delay(&mut self, id: QueueId, slot: u32, after: SimDuration) {
        self.care(slot).place = Whereabouts::Delayed;
        self.queues[id].desk.delayed += 1;
        let due: SimTime = self.calendar.now().saturating_add(after);
        let message = self.ref_of(slot);
        self.calendar.schedule(due, Event::RetryDue(message));
    }
}

impl Care {
    fn of_nothing() -> Self {
        Self {
            sequence: 0,
            generation: 0,
            returns: 0,
            came_back: Death::Failed,
            failures: 0,
            delay: SimDuration::ZERO,
            again: None,
            queue: QueueId::at(0),
            place: Whereabouts::Gone,
            locks: false,
            at_work: 0,
            awaited: true,
        }
    }
}

/// An empty line of a queue.
pub(in crate::sim) fn empty_line(leased: bool, queue: &Queue) -> Line {
    match queue.delivery.grouping {
        Grouping::None if leased => Line::leased(queue.order),
        Grouping::None => Line::new(queue.order),
        Grouping::ByKey => Line::grouped(),
    }
}
