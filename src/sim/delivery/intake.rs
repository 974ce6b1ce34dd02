//! How messages leave the line for a consumer's hands: a free handler pulls one or a batch, or the
//! broker pushes as long as there is credit (rule D1).
//!
//! Not the work on them.

use super::job::{JobRef, Phase, Piece};
use super::lease::{Answer, Early, Hand, Lease, LeaseRef};
use super::line::Whereabouts;
use crate::model::{Dispatch, FleetId, Grouping, Intake, QueueId, Redelivery};
use crate::sim::World;
use crate::sim::consumer::Work;
use crate::sim::event::Event;
use crate::sim::fact::{Call, Fact};
use crate::sim::recorder::Recorder;
use crate::units::{SimDuration, SimTime};

/// Who takes the next message.
#[derive(Clone, Copy, Debug)]
pub(super) enum Taker {
    /// A handler that has asked for it.
    Handler(u32),
    /// A consumer that may be pushed another.
    Consumer(u32),
}

impl<R: Recorder> World<'_, R> {
    /// Hands out what can be handed out.
    pub(in crate::sim) fn dispatch(&mut self, id: QueueId) {
        // What frees somebody while messages are handed out is seen by the next look of this loop:
        // one within the other would go as deep as there are handlers.
        if std::mem::replace(&mut self.queues[id].desk.hands_out, true) {
            return;
        }
        while self.queues[id].line.is_ready()
            && let Some(taker) = self.taker(id)
        {
            let Some(slot) = self.next_leased(id) else {
                break;
            };
            self.receive(id, slot, taker);
        }
        self.queues[id].desk.hands_out = false;
        self.admit(id);
    }

    /// Who can take a message now. Fleets of one queue take turns.
    pub(super) fn taker(&mut self, id: QueueId) -> Option<Taker> {
        if self.holds_back(id) {
            return None;
        }
        let state = &self.queues[id];
        let count = state.fleets.len();
        let turn = state.turn;
        let order = (0..count).map(|at| state.fleets[(turn + at) % count]);
        let (place, taker) = order
            .enumerate()
            .find_map(|(at, fleet)| Some((at, self.taker_of(fleet)?)))?;
        if !self.may_call(id, Call::Receive) {
            return None;
        }
        self.queues[id].turn = (turn + place + 1) % count;
        Some(taker)
    }

    /// Whether as many are out as can be. What was acknowledged before the work is not.
    fn holds_back(&self, id: QueueId) -> bool {
        let most = self.model.queues[id].delivery.max_in_flight;
        most.is_some_and(|most| self.queues[id].desk.unacked.len() as u64 >= most)
    }

    fn taker_of(&self, id: FleetId) -> Option<Taker> {
        let fleet = &self.fleets[id];
        match self.model.fleets[id].handling.intake {
            Intake::Pull => {
                let handler = fleet.filling.first().or_else(|| fleet.idle.first());
                handler.map(|number| Taker::Handler(fleet.base + number))
            }
            Intake::Push { .. } => {
                let number = match self.model.queues[self.model.fleets[id].queue]
                    .delivery
                    .dispatch
                {
                    Dispatch::Greedy => fleet.creditors.first(),
                    Dispatch::RoundRobin => fleet
                        .creditors
                        .first_from(fleet.next_creditor)
                        .or_else(|| fleet.creditors.first()),
                };
                number.map(|number| Taker::Consumer(fleet.first_consumer + number))
            }
        }
    }

    /// Whether a call to the broker may be made now; otherwise that is told, and it is made again
    /// when the next window has begun.
    pub(in crate::sim) fn may_call(&mut self, id: QueueId, call: Call) -> bool {
        let may = self.may_call_again(id, call);
        if !may {
            self.tell(Fact::Throttled { queue: id, call });
        }
        may
    }

    /// The same of a call that has been put off already.
    pub(in crate::sim) fn may_call_again(&mut self, id: QueueId, call: Call) -> bool {
        match self.take_call(id, call) {
            Ok(()) => true,
            Err(next) => {
                let state = &mut self.queues[id];
                if next < SimTime::MAX && state.desk.calls_again != next {
                    state.desk.calls_again = next;
                    self.calendar.schedule(next, Event::CallAgain(id));
                }
                false
            }
        }
    }

    /// Uses up a call of this window, or says when there is one again.
    pub(super) fn take_call(&mut self, id: QueueId, call: Call) -> Result<(), SimTime> {
        let now = self.calendar.now();
        let calls = &mut self.queues[id].desk.calls;
        let budget = match call {
            Call::Send => &mut calls.send,
            Call::Receive => &mut calls.receive,
            Call::Delete => &mut calls.delete,
            // The broker does not know of them: their limiter is the fleet's.
            Call::Attempt => return Ok(()),
        };
        budget.as_mut().map_or(Ok(()), |budget| budget.take(now))
    }

    /// A taker receives a message that has left the line.
    pub(super) fn receive(&mut self, id: QueueId, slot: u32, taker: Taker) {
        match taker {
            Taker::Handler(handler) => self.receive_by_handler(id, slot, handler),
            Taker::Consumer(consumer) => self.receive_by_consumer(id, slot, consumer),
        }
    }

    fn receive_by_handler(&mut self, id: QueueId, slot: u32, handler: u32) {
        let fleet = self.handlers[handler as usize].fleet;
        let handling = &self.model.fleets[fleet].handling;
        let (size, delay) = (
            handling.batch.map_or(1, |batch| batch.size),
            handling.delivery_delay,
        );
        let job = self.job_to_fill(handler);
        let consumer = self.consumer_of(handler);
        let key = self.group_of(id, slot);
        self.take_piece(id, slot, consumer, job);
        while (self.custody.jobs[job].pieces.len() as u32) < size
            && let Some(slot) = self.next_for_call(id, key)
        {
            self.take_piece(id, slot, consumer, job);
        }
        self.handlers[handler as usize].work = Work::Gathering { job };
        if delay.is_zero() {
            self.gathered(handler, job);
        } else {
            let at = self.calendar.now().saturating_add(delay);
            let job = self.custody.jobs.ref_of(job);
            self.calendar.schedule(at, Event::Unpack { handler, job });
        }
    }

    fn group_of(&self, id: QueueId, slot: u32) -> Option<u64> {
        match self.model.queues[id].delivery.grouping {
            Grouping::None => None,
            Grouping::ByKey => Some(self.spot_of(id, slot).key),
        }
    }

    /// One more message for a receive that has one: of the same group first.
    fn next_for_call(&mut self, id: QueueId, key: Option<u64>) -> Option<u32> {
        if self.holds_back(id) {
            return None;
        }
        let same = key.and_then(|key| self.next_of_group(id, key));
        same.or_else(|| {
            self.queues[id]
                .line
                .is_ready()
                .then(|| self.next_leased(id))
                .flatten()
        })
    }

    fn take_piece(&mut self, id: QueueId, slot: u32, consumer: u32, job: u32) {
        let lease = self.lease(id, slot, consumer);
        self.custody.jobs[job].pieces.push(Piece::of(lease));
    }

    fn receive_by_consumer(&mut self, id: QueueId, slot: u32, consumer: u32) {
        let lease = self.lease(id, slot, consumer);
        let state = &self.custody.consumers[consumer as usize];
        let (fleet, number) = (state.fleet, state.number);
        self.fleets[fleet].next_creditor = number + 1;
        self.look_at_credit(consumer);
        let delay = self.model.fleets[fleet].handling.delivery_delay;
        if delay.is_zero() {
            self.deliver_to(lease);
        } else {
            let at = self.calendar.now().saturating_add(delay);
            self.calendar.schedule(at, Event::Deliver(lease));
        }
    }

    /// A message is in flight to a consumer from now.
    fn lease(&mut self, id: QueueId, slot: u32, consumer: u32) -> LeaseRef {
        let now = self.calendar.now();
        let message = &mut self.messages[slot];
        message.deliveries += 1;
        let number = message.deliveries;
        let wait = (number == 1).then(|| now.since(message.queued));
        let said = self.said_of(slot);
        let state = &mut self.custody.consumers[consumer as usize];
        state.unacked += 1;
        let (fleet, epoch) = (state.fleet, state.epoch);
        let deadline = match self.model.queues[id].delivery.redelivery {
            Redelivery::OnDisconnect => SimTime::MAX,
            Redelivery::Visibility(visibility) => {
                lapse_seen(now.saturating_add(visibility.timeout), visibility.sweep)
            }
        };
        let lease = self.custody.leases.insert(Lease {
            message: self.ref_of(slot),
            queue: id,
            said,
            consumer,
            epoch,
            received: now,
            worked_since: now,
            beats_from: now,
            number,
            deadline,
            holds: true,
            counts: true,
            early: Early::No,
            hand: Hand::Waiting,
            answer: Answer::None,
        });
        self.custody.effects.hold(said.identity);
        self.care(slot).place = Whereabouts::InFlight(lease);
        self.queues[id].in_flight += 1;
        self.tell(Fact::Received {
            queue: id,
            fleet,
            wait,
        });
        self.queues[id].desk.unacked.insert((now, lease.slot));
        self.retell_unacked(id);
        if deadline < SimTime::MAX {
            self.calendar.schedule(deadline, Event::Lapse(lease));
        }
        lease
    }

    /// Tells since when the oldest delivery has been unacknowledged.
    pub(super) fn retell_unacked(&mut self, id: QueueId) {
        let state = &mut self.queues[id];
        let received = state.desk.unacked.first().map(|(received, _)| *received);
        if received != state.desk.oldest_unacked {
            state.desk.oldest_unacked = received;
            self.tell(Fact::OldestUnacked {
                queue: id,
                received,
            });
        }
    }

    /// A pushed message arrives in its consumer's buffer.
    #[inline(never)]
    pub(in crate::sim) fn deliver_to(&mut self, id: LeaseRef) {
        let Some(lease) = self.custody.leases.get(id).copied() else {
            return;
        };
        let state = &mut self.custody.consumers[lease.consumer as usize];
        let scaled_away = state.number >= self.fleets[state.fleet].count;
        if state.epoch != lease.epoch || scaled_away {
            return self.lose_hold(id);
        }
        state.buffer.push_back(id);
        let (fleet, number) = (state.fleet, state.number);
        let concurrency = self.model.fleets[fleet].concurrency;
        let (base, first) = (self.fleets[fleet].base, number * concurrency);
        let within = |set: Option<u32>| set.filter(|at| *at < first + concurrency);
        let filling = within(self.fleets[fleet].filling.first_from(first));
        let idle = within(self.fleets[fleet].idle.first_from(first));
        if let Some(handler) = filling.or(idle) {
            self.take_from_buffer(base + handler);
        }
    }

    /// A handler takes from its consumer's buffer; whether there was anything.
    fn take_from_buffer(&mut self, handler: u32) -> bool {
        let consumer = self.consumer_of(handler);
        let fleet = self.handlers[handler as usize].fleet;
        let size = self.model.fleets[fleet]
            .handling
            .batch
            .map_or(1, |b| b.size);
        if self.custody.consumers[consumer as usize].buffer.is_empty() {
            return false;
        }
        let job = self.job_to_fill(handler);
        let buffer = &mut self.custody.consumers[consumer as usize].buffer;
        let pieces = &mut self.custody.jobs[job].pieces;
        while (pieces.len() as u32) < size
            && let Some(lease) = buffer.pop_front()
        {
            pieces.push(Piece::of(lease));
        }
        self.handlers[handler as usize].work = Work::Gathering { job };
        self.gathered(handler, job);
        true
    }

    /// The job that a handler gathers for, or a new one of a handler that was idle.
    fn job_to_fill(&mut self, handler: u32) -> u32 {
        let held = self.handlers[handler as usize];
        let fleet = &mut self.fleets[held.fleet];
        fleet.filling.remove(handler - fleet.base);
        fleet.idle.remove(handler - fleet.base);
        if let Work::Gathering { job } = held.work {
            return job;
        }
        self.custody.jobs.open()
    }

    /// The messages of a receive have come to their handler.
    #[inline(never)]
    pub(in crate::sim) fn unpack(&mut self, handler: u32, job: JobRef) {
        if self.custody.jobs.is_open(job) {
            self.gathered(handler, job.slot);
        }
    }

    /// A handler has gathered some messages: it starts, or waits for more.
    fn gathered(&mut self, handler: u32, job: u32) {
        let fleet = self.handlers[handler as usize].fleet;
        let batch = self.model.fleets[fleet].handling.batch;
        let waits = batch.filter(|batch| {
            let some = self.custody.jobs[job].pieces.len() as u32;
            let stopped = self.handlers[handler as usize].stops > 0;
            some < batch.size && !batch.window.is_zero() && !stopped
        });
        let Some(batch) = waits else {
            return self.begin_attempt(handler, job);
        };
        let number = handler - self.fleets[fleet].base;
        self.fleets[fleet].filling.insert(number);
        if self.custody.jobs[job].phase == Phase::Gathering {
            // The window is counted from the first message.
            self.custody.jobs[job].phase = Phase::Filling;
            let at = self.calendar.now().saturating_add(batch.window);
            let job = self.custody.jobs.ref_of(job);
            self.calendar
                .schedule(at, Event::CloseBatch { handler, job });
        }
    }

    /// A batch has waited for its window.
    #[inline(never)]
    pub(in crate::sim) fn close_batch(&mut self, handler: u32, job: JobRef) {
        if self.custody.jobs.is_open(job) && self.custody.jobs[job.slot].phase == Phase::Filling {
            self.stop_gathering(handler);
        }
    }

    /// A handler that gathers starts with what it has.
    pub(in crate::sim) fn stop_gathering(&mut self, handler: u32) {
        let fleet = self.handlers[handler as usize].fleet;
        let number = handler - self.fleets[fleet].base;
        let waits = self.fleets[fleet].filling.contains(number);
        if let Work::Gathering { job } = self.handlers[handler as usize].work
            && waits
        {
            self.fleets[fleet].filling.remove(number);
            self.begin_attempt(handler, job);
        }
    }

    /// A free handler of a leased fleet looks for work.
    pub(in crate::sim) fn seek(&mut self, handler: u32) {
        let fleet = self.handlers[handler as usize].fleet;
        let queue = self.model.fleets[fleet].queue;
        match self.model.fleets[fleet].handling.intake {
            Intake::Push { .. } => {
                if !self.take_from_buffer(handler) {
                    self.be_idle(handler);
                }
            }
            Intake::Pull => {
                self.be_idle(handler);
                self.dispatch(queue);
            }
        }
    }

    fn be_idle(&mut self, handler: u32) {
        let fleet = &mut self.fleets[self.handlers[handler as usize].fleet];
        fleet.idle.insert(handler - fleet.base);
    }

    /// A handler that is done with its job asks for the next.
    pub(in crate::sim) fn ask(&mut self, handler: u32) {
        let fleet = self.handlers[handler as usize].fleet;
        let handling = &self.model.fleets[fleet].handling;
        let delay = match handling.intake {
            Intake::Pull => handling.delivery_delay,
            Intake::Push { .. } => SimDuration::ZERO,
        };
        if delay.is_zero() {
            return self.seek(handler);
        }
        let at = self.calendar.now().saturating_add(delay);
        self.calendar.schedule(at, Event::Ask(handler));
    }

    /// A handler's request reaches the broker.
    #[inline(never)]
    pub(in crate::sim) fn asked(&mut self, handler: u32) {
        let held = &self.handlers[handler as usize];
        if held.stops == 0 && held.work == Work::Idle {
            self.seek(handler);
        }
    }
}

/// When a broker that looks now and then sees that a deadline has passed.
pub(super) fn lapse_seen(deadline: SimTime, sweep: Option<SimDuration>) -> SimTime {
    let Some(sweep) = sweep.filter(|sweep| !sweep.is_zero()) else {
        return deadline;
    };
    let sweeps = deadline.as_nanos().div_ceil(sweep.as_nanos());
    SimTime::from_nanos(sweeps.saturating_mul(sweep.as_nanos()))
}
