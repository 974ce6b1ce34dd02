//! Consumers that crash with all that they hold, one by one or with an outage, and channels that
//! the broker closes (rules D3, D4).
//!
//! Not when an outage strikes ([`crate::sim::outage`]).

use super::hands::ConsumerState;
use super::lease::{Early, LeaseRef};
use super::line::{Care, Whereabouts};
use super::settle::Return;
use crate::model::{FleetId, InFlight, QueueId, Redelivery};
use crate::sim::World;
use crate::sim::consumer::Work;
use crate::sim::event::Event;
use crate::sim::fact::{Fact, Place};
use crate::sim::recorder::Recorder;
use crate::units::{SimDuration, SimTime};

impl<R: Recorder> World<'_, R> {
    /// Puts the crashes of leased fleets, and the broker's looks for old deliveries, on the
    /// calendar.
    pub(in crate::sim) fn schedule_crashes(&mut self) {
        for (id, fleet) in self.model.fleets.pairs() {
            let Some(crash) = &fleet.handling.crash else {
                continue;
            };
            for at in &crash.at {
                self.calendar.schedule(*at, Event::CrashAt(id));
            }
            let first = self.fleets[id].first_consumer;
            let most = fleet.most_handlers() / fleet.concurrency;
            (first..first + most).for_each(|consumer| self.schedule_crash(consumer));
        }
        for (id, queue) in self.model.queues.pairs() {
            if let Some(timeout) = queue.delivery.ack_timeout {
                let at = SimTime::ZERO.saturating_add(timeout.check);
                self.calendar.schedule(at, Event::CheckAcks(id));
            }
        }
    }

    /// Puts the next crash of a consumer on the calendar; one that was due before is stale.
    fn schedule_crash(&mut self, consumer: u32) {
        let state = &mut self.custody.consumers[consumer as usize];
        state.crashes += 1;
        let (fleet, number, nth) = (state.fleet, state.number, state.crashes);
        let crash = self.model.fleets[fleet].handling.crash.as_ref();
        let Some(mtbf) = crash.and_then(|crash| crash.mtbf.as_ref()) else {
            return;
        };
        let thing = u64::from(nth) << 32 | u64::from(number);
        let up = mtbf.draw(&mut self.fleets[fleet].crash.at(thing));
        // A consumer that crashes the instant it is up would hold the clock still.
        let up = up.max(SimDuration::from_nanos(1));
        let at = self.calendar.now().saturating_add(up);
        self.calendar
            .schedule(at, Event::CrashConsumer { consumer, nth });
    }

    /// Consumers crash at a stated instant.
    #[inline(never)]
    pub(in crate::sim) fn crash_at(&mut self, fleet: FleetId) {
        let Some(crash) = &self.model.fleets[fleet].handling.crash else {
            return;
        };
        let first = self.fleets[fleet].first_consumer;
        let count = crash.consumers.min(self.fleets[fleet].count);
        // All are down before anything comes back: none is given what another had.
        let mut leases = Vec::new();
        for consumer in first..first + count {
            leases.append(&mut self.take_down(consumer));
        }
        self.miss_all(fleet, leases);
    }

    /// A consumer crashes, unless it has since.
    #[inline(never)]
    pub(in crate::sim) fn crash_consumer(&mut self, consumer: u32, nth: u32) {
        let state = &self.custody.consumers[consumer as usize];
        let fleet = state.fleet;
        if state.crashes != nth {
            return;
        }
        let leases = self.take_down(consumer);
        self.miss_all(fleet, leases);
    }

    /// Consumers of a fleet are no more, and the broker misses what they held.
    fn miss_all(&mut self, fleet: FleetId, leases: Vec<LeaseRef>) {
        if !leases.is_empty() {
            self.miss(leases, Return::Crash);
            self.dispatch(self.model.fleets[fleet].queue);
        }
    }

    /// A consumer is down until its restart; what it held is returned. What is down already cannot
    /// crash; its time begins anew.
    fn take_down(&mut self, consumer: u32) -> Vec<LeaseRef> {
        let state = &self.custody.consumers[consumer as usize];
        let (fleet, number) = (state.fleet, state.number);
        let Some(crash) = &self.model.fleets[fleet].handling.crash else {
            return Vec::new();
        };
        if !self.is_up(consumer) {
            self.schedule_crash(consumer);
            return Vec::new();
        }
        let leases = self.empty_hands(consumer);
        self.forget_budget(consumer);
        for handler in self.handlers_of_consumer(consumer) {
            self.stop(handler);
        }
        self.tell(Fact::ConsumerCrashed {
            fleet,
            consumer: number,
            held: leases.len() as u32,
        });
        self.tell_staffing(fleet);
        let at = self.calendar.now().saturating_add(crash.restart);
        self.calendar.schedule(at, Event::RestartConsumer(consumer));
        leases
    }

    /// A crashed consumer is back.
    #[inline(never)]
    pub(in crate::sim) fn restart_consumer(&mut self, consumer: u32) {
        let ConsumerState { fleet, number, .. } = self.custody.consumers[consumer as usize];
        self.tell(Fact::ConsumerBack {
            fleet,
            consumer: number,
        });
        for handler in self.handlers_of_consumer(consumer) {
            self.start(handler, InFlight::Finish);
        }
        self.tell_staffing(fleet);
        self.look_at_credit(consumer);
        self.schedule_crash(consumer);
        self.dispatch(self.model.fleets[fleet].queue);
    }

    /// Takes everything out of a consumer's hands: it works on nothing, and holds nothing. What
    /// it held is returned.
    pub(in crate::sim) fn empty_hands(&mut self, consumer: u32) -> Vec<LeaseRef> {
        let state = &mut self.custody.consumers[consumer as usize];
        state.epoch += 1;
        state.unacked = 0;
        let mut leases: Vec<_> = state.buffer.drain(..).collect();
        for handler in self.handlers_of_consumer(consumer) {
            self.crash_job(handler, &mut leases);
        }
        self.look_at_credit(consumer);
        leases
    }

    /// Cuts the work of a handler short.
    fn crash_job(&mut self, handler: u32, leases: &mut Vec<LeaseRef>) {
        let held = self.handlers[handler as usize];
        let (fleet, now) = (held.fleet, self.calendar.now());
        let job = match held.work {
            Work::Idle => return,
            // Its work is done: what it publishes is let go on, though its messages come back.
            Work::Publishing { slot, .. } => {
                let pieces = &self.custody.jobs[slot].pieces;
                leases.extend(pieces.iter().map(|piece| piece.lease));
                return;
            }
            Work::Gathering { job } => {
                let state = &mut self.fleets[fleet];
                state.filling.remove(handler - state.base);
                job
            }
            Work::Working { slot, since, .. } | Work::Calling { job: slot, since } => {
                let worked = now.since(since);
                self.keep_beats(slot);
                self.cut_short(fleet, slot, worked);
                self.abort_call(slot);
                self.calendar.cancel_finish(handler);
                self.tell(Fact::Crashed { fleet, handler });
                slot
            }
            Work::Frozen { slot, done, .. } => {
                self.tell(Fact::Thawed { fleet, handler });
                self.cut_short(fleet, slot, done);
                self.abort_call(slot);
                self.tell(Fact::Crashed { fleet, handler });
                slot
            }
        };
        leases.extend(
            self.custody.jobs[job]
                .pieces
                .iter()
                .map(|piece| piece.lease),
        );
        self.custody.jobs.close(job);
        self.handlers[handler as usize].work = Work::Idle;
        let works = matches!(
            held.work,
            Work::Working { .. } | Work::Calling { .. } | Work::Gathering { .. }
        );
        if held.stops == 0 {
            let state = &mut self.fleets[fleet];
            state.idle.insert(handler - state.base);
        } else if works {
            self.fleets[fleet].overtime -= 1;
        }
    }

    /// A consumer is no longer meant to be there: it finishes what it works on, and its connection
    /// is closed on what it has not begun.
    pub(in crate::sim) fn hand_back(&mut self, consumer: u32) {
        let buffer = std::mem::take(&mut self.custody.consumers[consumer as usize].buffer);
        for id in buffer {
            self.uncount(id);
            self.miss_one(id, Return::Crash);
        }
    }

    /// The heartbeats of a job were the last.
    pub(in crate::sim) fn keep_beats(&mut self, job: u32) {
        let leases: Vec<_> = self.custody.jobs[job]
            .pieces
            .iter()
            .map(|p| p.lease)
            .collect();
        for lease in leases {
            self.stop_beating(lease);
        }
    }

    /// Work on a job goes on after it stood still, and so do its heartbeats.
    pub(in crate::sim) fn beat_from_now(&mut self, job: u32) {
        let now = self.calendar.now();
        for piece in &self.custody.jobs[job].pieces {
            if let Some(lease) = self.custody.leases.get_mut(piece.lease) {
                lease.beats_from = now;
            }
        }
    }

    /// The broker misses what a consumer held: at once, or when its visibility lapses. What was
    /// acknowledged early is lost.
    pub(in crate::sim) fn miss(&mut self, leases: Vec<LeaseRef>, why: Return) {
        for id in leases {
            self.miss_one(id, why);
        }
    }

    fn miss_one(&mut self, id: LeaseRef, why: Return) {
        let Some(lease) = self.custody.leases.get(id).copied() else {
            return;
        };
        if lease.early == Early::Acknowledged {
            if lease.holds {
                self.stop_holding(id);
                self.lose(lease.queue, lease.message.slot);
            }
            return self.let_lease_go(id);
        }
        match self.model.queues[lease.queue].delivery.redelivery {
            Redelivery::OnDisconnect => self.give_back(id, why),
            Redelivery::Visibility(_) => self.let_lease_go(id),
        }
    }

    /// A pushed message arrives at a consumer that is no more.
    pub(super) fn lose_hold(&mut self, id: LeaseRef) {
        self.uncount(id);
        self.miss_one(id, Return::Crash);
    }

    /// A message in flight is lost for good.
    fn lose(&mut self, queue: QueueId, slot: u32) {
        self.tell(Fact::Lost {
            queue,
            from: Place::InFlight,
        });
        self.release_group(queue, slot);
        self.bury(queue, slot);
    }

    /// Handlers of an outage crash: everything in the hands of their consumers is returned.
    pub(in crate::sim) fn crash_hands(&mut self, handlers: std::ops::Range<u32>) -> Vec<LeaseRef> {
        let mut leases = Vec::new();
        let mut next = handlers.start;
        while next < handlers.end {
            let consumer = self.consumer_of(next);
            leases.append(&mut self.empty_hands(consumer));
            self.forget_budget(consumer);
            self.schedule_crash(consumer);
            next = self.handlers_of_consumer(consumer).end;
        }
        leases
    }

    /// The broker looks for deliveries that are unacknowledged for too long, and closes the
    /// channels of their consumers; what these work on is cut short.
    #[inline(never)]
    pub(in crate::sim) fn check_acks(&mut self, id: QueueId) {
        let Some(timeout) = self.model.queues[id].delivery.ack_timeout else {
            return;
        };
        let now = self.calendar.now();
        let unacked = &self.queues[id].desk.unacked;
        let late: Vec<_> = unacked
            .iter()
            .take_while(|(received, _)| now.since(*received) > timeout.limit)
            .copied()
            .collect();
        for late in late {
            // Not if it came back with another delivery of the same channel.
            if self.queues[id].desk.unacked.contains(&late)
                && let Some(consumer) = self.custody.leases.consumer_at(late.1)
            {
                self.close_channel(consumer);
            }
        }
        let at = now.saturating_add(timeout.check);
        self.calendar.schedule(at, Event::CheckAcks(id));
    }

    fn close_channel(&mut self, consumer: u32) {
        let ConsumerState { fleet, number, .. } = self.custody.consumers[consumer as usize];
        let leases = self.empty_hands(consumer);
        self.tell(Fact::ChannelClosed {
            fleet,
            consumer: number,
            held: leases.len() as u32,
        });
        self.tell_staffing(fleet);
        self.miss(leases, Return::Timeout);
        self.schedule_crash(consumer);
        for handler in self.handlers_of_consumer(consumer) {
            if self.handlers[handler as usize].stops == 0
                && self.handlers[handler as usize].work == Work::Idle
            {
                self.seek(handler);
            }
        }
        self.dispatch(self.model.fleets[fleet].queue);
    }

    /// The broker of a leased queue goes down with all that it held; what is worked on is worked
    /// on to no end. Returns how many messages were lost besides those that waited.
    pub(in crate::sim) fn lose_all_out(&mut self, id: QueueId) -> u64 {
        let held = self.custody.leases.holding(id);
        let mut lost = held.len() as u64;
        for lease in held {
            let Some(slot) = self.custody.leases.get(lease).map(|l| l.message.slot) else {
                continue;
            };
            self.stop_holding(lease);
            self.lose(id, slot);
        }
        let delayed = |(slot, care): (usize, &Care)| {
            (care.place == Whereabouts::Delayed && care.queue == id).then_some(slot as u32)
        };
        let delayed: Vec<_> = self
            .custody
            .care
            .iter()
            .enumerate()
            .filter_map(delayed)
            .collect();
        for slot in delayed {
            lost += 1;
            self.queues[id].desk.delayed -= 1;
            self.tell(Fact::Forestalled { queue: id });
            self.tell(Fact::Lost {
                queue: id,
                from: Place::Waiting,
            });
            self.bury(id, slot);
        }
        lost
    }
}
