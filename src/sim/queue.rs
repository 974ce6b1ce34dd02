//! A queue at run time: its line, its gate, its bytes; what enters the line and what leaves it
//! other than by delivery.
//!
//! Not who is refused ([`super::publish`]), nor who works ([`super::consumer`]).
//!
//! ```text
//! accepted -> waiting -> in flight -> completed
//!               |  ^         |
//!               |  +---------+ returned
//!               +-> dropped | expired | lost
//! ```

use super::World;
use super::budget;
use super::call;
use super::delivery::{self, Desk};
use super::event::Event;
use super::fact::Fact;
use super::message::Message;
use super::publish::{End, Publish};
use super::recorder::Recorder;
use super::world::tell;
use crate::model::{Counts, FleetId, Model, Overflow, Queue, QueueId, Returned};
use crate::policy::admission::Gate;
use crate::policy::order::{Line, Order};
use crate::random::{Purpose, Stream, StreamKey};
use crate::units::{SimDuration, SimTime};

/// Whether a queue has been empty before the publishes of an instant, after the last disturbance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Drain {
    /// It has not.
    NotYet,
    /// It is empty now; what else happens at this instant will tell.
    Look,
    /// It has.
    Told,
}

/// A queue at run time.
#[derive(Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent facts, each read alone on the hot path"
)]
pub(super) struct QueueState<'m> {
    pub(super) config: &'m Queue,
    pub(super) line: Line,
    pub(super) gate: Gate,
    /// Draws of random orders.
    pub(super) choice: Stream,
    pub(super) in_flight: u64,
    /// When the youngest message was accepted that is done (rule F4).
    pub(super) newest_done: SimTime,
    /// Those of them that nobody works on: their consumer crashed, and the broker has not missed
    /// it yet. A bound on waiting and worked-on messages does not see them.
    pub(super) missing: u64,
    /// Bytes held, when anybody asks for them.
    pub(super) bytes: u64,
    pub(super) weighs: bool,
    /// Below so many waiting messages there is room and nothing else to look at; 0 where the bound
    /// is of another kind, or somebody counts what is sent.
    pub(super) room_below: u64,
    /// Whether it makes a difference which messages come with one call.
    pub(super) by_call: bool,
    /// The same, where moreover there is nothing else to a message that comes: no lease, weight,
    /// priority, retention, or gate that wakes up, and nothing makes room for it. 0 for others.
    pub(super) plain_below: u64,
    /// Messages are expired that have waited longer than this; the longest span for never.
    ttl: SimDuration,
    /// Whether it has reached its bound, and has not had room again since.
    full: bool,
    /// The depth at which that is told, or that it is empty.
    low_mark: u64,
    /// Whether it has been drained.
    drain: Drain,
    /// Whether the broker is down.
    pub(super) down: bool,
    /// Who takes from here.
    pub(super) fleets: Vec<FleetId>,
    /// Whose turn it is to be asked first for an idle handler.
    pub(super) turn: usize,
    /// Slots that were open at the last look, where waiters must wake up to take one.
    pub(super) slots_seen: u64,
    /// Waiters that are waking up.
    pub(super) waking: u64,
    /// When the next retention timer is due; the end of time for none.
    pub(super) expires_at: SimTime,
    /// Whether messages are delivered under leases.
    pub(super) leased: bool,
    /// What is kept of it if they are.
    pub(super) desk: Desk,
}

impl<'m> QueueState<'m> {
    pub(super) fn new(
        model: &Model,
        id: QueueId,
        queue: &'m Queue,
        leased: bool,
        named: impl Fn(&str, Purpose) -> StreamKey,
    ) -> Self {
        let fed_by = |p: &&crate::model::Producer| p.queues.contains(&id);
        let sized = model
            .producers
            .iter()
            .filter(fed_by)
            .any(crate::model::Producer::has_own_size);
        let budgeted = model
            .producers
            .iter()
            .filter(fed_by)
            .any(|producer| budget::of_producer(producer).is_some());
        let by_call = call::takes_by_call(model, id);
        let weighs = queue.memory.is_some() || sized;
        let room_below = match queue.counts {
            Counts::Waiting
                if queue.memory.is_none()
                    && queue.delivery.calls.send.is_none()
                    && !by_call
                    && !budgeted =>
            {
                queue.capacity
            }
            Counts::Waiting | Counts::WaitingAndInFlight => 0,
        };
        let plain = !leased && !weighs && queue.adds_nothing();
        Self {
            config: queue,
            line: delivery::empty_line(leased, queue),
            gate: Gate::new(queue.admission),
            choice: named(&queue.name, Purpose::Choice).stream(),
            in_flight: 0,
            newest_done: SimTime::ZERO,
            missing: 0,
            bytes: 0,
            weighs,
            room_below,
            by_call,
            plain_below: if plain { room_below } else { 0 },
            ttl: queue.ttl.unwrap_or(SimDuration::MAX),
            full: false,
            low_mark: 0,
            drain: Drain::NotYet,
            down: false,
            fleets: model
                .fleets
                .pairs()
                .filter(|(_, f)| f.queue == id)
                .map(|(i, _)| i)
                .collect(),
            turn: 0,
            slots_seen: 0,
            waking: 0,
            expires_at: SimTime::MAX,
            leased,
            desk: Desk::new(model, id),
        }
    }

    /// A fleet has taken a message: the next is asked first from now on.
    pub(super) fn pass_turn(&mut self, id: FleetId) {
        let at = self.fleets.iter().position(|other| *other == id);
        self.turn = (at.unwrap_or(0) + 1) % self.fleets.len();
    }
}

impl<'m, R: Recorder> World<'m, R> {
    /// A plain queue takes a publish, and its bound is not reached yet.
    #[inline(always)]
    pub(super) fn accept_plain(&mut self, publish: Publish) {
        let id = publish.queue;
        let slot = self.make_message(publish);
        if self.queues[id].line.is_empty()
            && let Some(handler) = self.idle_handler(id)
        {
            self.deliver_to_idle(id, slot, handler);
        } else {
            let depth = self.join_line(id, slot, 0);
            if depth == self.queues[id].plain_below {
                self.fill(id, depth);
            }
        }
        self.ended(publish, End::Accepted);
    }

    /// Any queue takes a publish: it becomes a message.
    pub(super) fn accept(&mut self, publish: Publish) -> &'m Queue {
        let id = publish.queue;
        let slot = self.make_message(publish);
        let state = &self.queues[id];
        let (queue, weighs, leased) = (state.config, state.weighs, state.leased);
        let is_empty = state.line.is_empty();
        if weighs {
            self.weigh(id, slot, u64::wrapping_add);
        }
        if leased {
            self.accept_leased(id, slot, publish);
            return queue;
        }
        if queue.overflow != Overflow::Refuse && self.slots_below_bound(id) == 0 {
            self.overflow(id, slot);
        } else if is_empty && let Some(handler) = self.idle_handler(id) {
            self.deliver_to_idle(id, slot, handler);
            if queue.capacity < u64::MAX && self.slots_below_bound(id) == 0 {
                self.fill(id, 0);
            }
        } else {
            self.enqueue(id, queue, slot);
        }
        self.ended(publish, End::Accepted);
        if queue.memory.is_some() {
            self.watch_memory(id);
        }
        queue
    }

    /// A publish becomes a message; returns its slot.
    #[inline(always)]
    fn make_message(&mut self, publish: Publish) -> u32 {
        let Publish {
            producer,
            queue: id,
            identity,
            intended,
            ..
        } = publish;
        let now = self.calendar.now();
        let latency = now.since_past(intended);
        tell!(
            self,
            Fact::Accepted {
                producer,
                queue: id,
                identity,
                latency,
            }
        );
        let message = Message {
            identity,
            intended,
            accepted: now,
            queued: now,
            producer,
            deliveries: 0,
        };
        self.messages.insert(message)
    }

    /// A new message joins the line; returns how many wait then.
    #[inline(always)]
    fn join_line(&mut self, id: QueueId, slot: u32, priority: u64) -> u64 {
        let line = &mut self.queues[id].line;
        line.push(slot, self.calendar.now(), priority);
        let depth = line.len() as u64;
        self.waiting += 1;
        tell!(self, Fact::Enqueued { queue: id });
        depth
    }

    fn enqueue(&mut self, id: QueueId, queue: &Queue, slot: u32) {
        let priority = match queue.order {
            Order::Fifo | Order::Lifo | Order::Random => 0,
            Order::Priority => self.priority_of(id, slot),
        };
        let depth = self.join_line(id, slot, priority);
        if depth == 1 && queue.retention.is_some() {
            self.watch_retention(id);
        }
        if self.is_full(id, queue, depth) {
            self.fill(id, depth);
        }
    }

    /// Whether a queue that holds so many waiting messages has reached its bound.
    #[inline(always)]
    pub(super) fn is_full(&self, id: QueueId, queue: &Queue, depth: u64) -> bool {
        match queue.counts {
            Counts::Waiting => depth >= queue.capacity,
            Counts::WaitingAndInFlight => self.slots_below_bound(id) == 0,
        }
    }

    /// A full queue that does not refuse makes room, or does not take the newcomer.
    pub(super) fn overflow(&mut self, id: QueueId, slot: u32) {
        let priority = self.priority_of(id, slot);
        let spot = self.queues[id].leased.then(|| self.spot_of(id, slot));
        self.tell_oldest(id);
        let line = &mut self.queues[id].line;
        let makes_room = match self.model.queues[id].overflow {
            Overflow::Refuse => unreachable!("a queue that refuses has not accepted"),
            Overflow::DropNewest => None,
            Overflow::DropOldest => line.pop_oldest(),
            Overflow::DropLowest => line.pop_lower(priority),
        };
        let dropped = makes_room.unwrap_or(slot);
        if dropped != slot {
            let accepted = self.messages[slot].accepted;
            match spot {
                None => line.push(slot, accepted, priority),
                Some(spot) => line.push_at(slot, spot),
            }
            let depth = line.len() as u64;
            let queued = self.messages[dropped].queued;
            let waited = self.calendar.now().since(queued);
            self.tell(Fact::Replaced { queue: id, waited });
            self.fill(id, depth);
        }
        self.drop_or_dead_letter(id, dropped);
    }

    /// The next message to be delivered leaves the line; those that are too old are expired.
    #[inline(always)]
    pub(super) fn next_message(&mut self, id: QueueId) -> Option<u32> {
        loop {
            let state = &mut self.queues[id];
            if state.line.is_empty() {
                return None;
            }
            // In a line that keeps its order the next is the oldest, and it is looked up anyway.
            let slot = if let Some(slot) = state.line.pop_in_order() {
                let (queue, accepted) = (id, self.messages[slot].accepted);
                tell!(self, Fact::Oldest { queue, accepted });
                slot
            } else {
                self.pop_in_any_order(id)?
            };
            let Message {
                accepted, queued, ..
            } = self.messages[slot];
            let now = self.calendar.now();
            let waited = now.since_past(queued);
            self.waiting -= 1;
            tell!(self, Fact::Dequeued { queue: id, waited });
            let state = &self.queues[id];
            let (depth, ttl) = (state.line.len() as u64, state.ttl);
            if depth <= state.low_mark {
                self.reach_low_mark(id, depth);
            }
            if now.since_past(accepted) <= ttl {
                return Some(slot);
            }
            self.tell(Fact::Expired { queue: id });
            self.bury(id, slot);
        }
    }

    #[inline(never)]
    fn pop_in_any_order(&mut self, id: QueueId) -> Option<u32> {
        self.tell_oldest(id);
        let state = &mut self.queues[id];
        state.line.pop(&mut state.choice)
    }

    /// A message is in the line no more, and it was not the next.
    pub(super) fn left_line(&mut self, id: QueueId, slot: u32) {
        let queued = self.messages[slot].queued;
        let waited = self.calendar.now().since(queued);
        if self.rests(id) {
            self.custody.resting -= 1;
        } else {
            self.waiting -= 1;
        }
        tell!(self, Fact::Dequeued { queue: id, waited });
        let state = &self.queues[id];
        let depth = state.line.len() as u64;
        if depth <= state.low_mark {
            self.reach_low_mark(id, depth);
        }
    }

    /// A queue reaches its bound; it has room again once a tenth of that is free.
    pub(super) fn fill(&mut self, id: QueueId, depth: u64) {
        let capacity = self.model.queues[id].capacity;
        let state = &mut self.queues[id];
        state.full = true;
        state.low_mark = capacity - capacity.div_ceil(10);
        self.tell(Fact::Filled { queue: id, depth });
    }

    #[cold]
    fn reach_low_mark(&mut self, id: QueueId, depth: u64) {
        let state = &mut self.queues[id];
        state.low_mark = 0;
        if std::mem::take(&mut state.full) {
            self.tell(Fact::Cleared { queue: id, depth });
        }
        if depth == 0 {
            self.look_later_whether_drained(id);
        }
    }

    /// A queue is empty, or nobody is blocked at it any more.
    pub(super) fn look_later_whether_drained(&mut self, id: QueueId) {
        let state = &mut self.queues[id];
        if self.calm && state.drain == Drain::NotYet && state.line.is_empty() {
            state.drain = Drain::Look;
            let now = self.calendar.now();
            self.calendar.schedule(now, Event::LookWhetherDrained(id));
        }
    }

    /// Looks before the publishes of an instant whether a queue has been drained, if that is to be
    /// seen.
    #[cold]
    pub(super) fn look_whether_drained(&mut self, id: QueueId) {
        let state = &mut self.queues[id];
        if state.drain != Drain::Look {
            return;
        }
        state.drain = Drain::NotYet;
        if state.line.is_empty() && self.ledger.queues[id].blocked == 0 {
            state.drain = Drain::Told;
            self.tell(Fact::Emptied { queue: id });
        }
    }

    /// Tells which message has been the oldest up to now: before another can be.
    pub(super) fn tell_oldest(&mut self, id: QueueId) {
        if let Some(accepted) = self.oldest_accepted(id) {
            self.tell(Fact::Oldest {
                queue: id,
                accepted,
            });
        }
    }

    /// Messages in flight come back, and go to the head in the order in which they were accepted.
    pub(super) fn bring_back(&mut self, id: QueueId, mut slots: Vec<u32>) {
        slots.sort_by_key(|slot| (self.messages[*slot].accepted, *slot));
        self.tell_oldest(id);
        for slot in slots.into_iter().rev() {
            self.queues[id].in_flight -= 1;
            self.tell(Fact::Returned { queue: id });
            let keeps = match self.model.queues[id].returned {
                Returned::Keep => true,
                Returned::Drop => self.slots_below_bound(id) > 0,
            };
            if !keeps {
                self.tell(Fact::Dropped { queue: id });
                self.bury(id, slot);
                continue;
            }
            let now = self.calendar.now();
            self.messages[slot].queued = now;
            let message = self.messages[slot];
            let priority = self.priority_of(id, slot);
            self.queues[id]
                .line
                .restore(slot, message.accepted, priority);
            self.waiting += 1;
            self.tell(Fact::Enqueued { queue: id });
        }
        self.watch_retention(id);
        let depth = self.queues[id].line.len() as u64;
        if depth >= self.model.queues[id].capacity {
            self.fill(id, depth);
        }
    }

    /// A message has reached its end: its memory is free, and a client that waited for it goes on.
    #[inline(always)]
    pub(super) fn bury(&mut self, id: QueueId, slot: u32) {
        if self.queues[id].weighs {
            self.weigh(id, slot, u64::wrapping_sub);
        }
        if self.queues[id].leased && !self.forget(slot) {
            return self.messages.remove(slot);
        }
        self.end_message(slot);
    }

    /// The rest of that, when it weighs nothing any more.
    #[inline(always)]
    pub(super) fn end_message(&mut self, slot: u32) {
        if self.has_clients {
            self.message_ended(self.messages[slot].producer);
        }
        self.messages.remove(slot);
    }

    pub(super) fn priority_of(&self, id: QueueId, slot: u32) -> u64 {
        if self.model.queues[id].order != Order::Priority {
            return 0;
        }
        let message = &self.messages[slot];
        let law = &self.model.producers[message.producer].priority;
        law.draw(
            &mut self.producers[message.producer]
                .priority
                .at(message.identity),
        )
    }
}
