//! A fleet at run time: its handlers, which take a message, work, and complete it (rule D1).
//!
//! Not what stops them ([`super::outage`]).
//!
//! ```text
//! idle -> working -> (calling) -> (publishing) -> idle
//!           |  ^
//!           v  |
//!          frozen          a stopped handler that works does so to the end, then stands still
//! ```

use super::World;
use super::budget;
use super::chances::Chances;
use super::event::Event;
use super::fact::Fact;
use super::idle::IdleSet;
use super::publish::Publish;
use super::recorder::Recorder;
use super::scaler::ScalerState;
use super::world::tell;
use crate::model::{BudgetPer, Fleet, FleetId, Id, Model, QueueId};
use crate::policy::calls::Calls;
use crate::policy::retry::budget::BudgetState;
use crate::random::{Purpose, StreamKey};
use crate::units::{SimDuration, SimTime};

/// What a handler does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Work {
    /// Nothing: it is free, or stopped.
    Idle,
    /// It works on the message in this slot, or on the job, where messages are leased.
    Working {
        slot: u32,
        since: SimTime,
        until: SimTime,
    },
    /// It gathers the messages of a job, which come or are on their way.
    Gathering { job: u32 },
    /// Its work stands still, with so much of it done and left.
    Frozen {
        slot: u32,
        done: SimDuration,
        left: SimDuration,
    },
    /// Its own work on the job is done, and it waits for the end of the job's request.
    Calling { job: u32, since: SimTime },
    /// Its work is done, and so many of the publishes that follow from it are under way.
    Publishing {
        slot: u32,
        service: SimDuration,
        open: u32,
    },
}

/// What a handler did before it took a message: whether it is among the idle.
#[derive(Clone, Copy)]
enum Before {
    Idle,
    Working,
}

/// A handler at run time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Handler {
    pub(super) work: Work,
    /// How many reasons there are for it to stand still: outages, and being scaled away.
    pub(super) stops: u16,
    /// How many of them let no work go on either.
    pub(super) freezes: u16,
    pub(super) fleet: FleetId,
    /// Where its fleet takes from.
    pub(super) queue: QueueId,
}

const _: () = assert!(size_of::<Handler>() <= 32, "two handlers a cache line");

/// A fleet at run time.
#[derive(Debug)]
pub(super) struct FleetState<'m> {
    pub(super) config: &'m Fleet,
    /// Its first handler.
    pub(super) base: u32,
    /// Its handlers that are idle and not stopped, counted from the first.
    pub(super) idle: IdleSet,
    pub(super) service: StreamKey,
    /// The service time where it is always the same.
    always: Option<SimDuration>,
    /// Whether the end of work is more than the completion of a message: something follows, or
    /// messages are leased.
    special: bool,
    /// Consumers that there are meant to be.
    pub(super) count: u32,
    /// Handlers that can work.
    pub(super) up: u32,
    /// Handlers that work though they are stopped.
    pub(super) overtime: u32,
    /// What decides its size, if anything does.
    pub(super) scaler: Option<ScalerState>,
    /// Whether it takes messages under leases.
    pub(super) leased: bool,
    /// Its first consumer, of all consumers of leased fleets.
    pub(super) first_consumer: u32,
    /// Its handlers that gather a batch and have room in it.
    pub(super) filling: IdleSet,
    /// Its consumers that may be pushed more, and who is next of them.
    pub(super) creditors: IdleSet,
    pub(super) next_creditor: u32,
    pub(super) failure: Chances,
    pub(super) loss: Chances,
    pub(super) jitter: StreamKey,
    pub(super) crash: StreamKey,
    /// What is left of the budget of its retries, where its consumers share one.
    pub(super) budget: Option<BudgetState>,
    /// What is left of its attempts, where they are limited.
    pub(super) limiter: Option<Calls>,
}

impl<'m> FleetState<'m> {
    pub(super) fn new(
        fleet: &'m Fleet,
        leased: bool,
        base: u32,
        first_consumer: u32,
        named: impl Fn(&str, Purpose) -> StreamKey,
    ) -> Self {
        let mut idle = IdleSet::new(fleet.most_handlers());
        let up = fleet.count * fleet.concurrency;
        (0..up).for_each(|number| idle.insert(number));
        let key = |purpose| named(&fleet.name, purpose);
        let mut creditors = IdleSet::new(fleet.most_handlers());
        (0..fleet.count).for_each(|number| creditors.insert(number));
        Self {
            config: fleet,
            base,
            idle,
            service: key(Purpose::Service),
            always: fleet.service.as_constant(),
            special: fleet.publishes.is_some() || leased,
            count: fleet.count,
            up,
            overtime: 0,
            scaler: ScalerState::of(fleet),
            leased,
            first_consumer,
            filling: IdleSet::new(fleet.most_handlers()),
            creditors,
            next_creditor: 0,
            failure: Chances::new(key(Purpose::Failure)),
            loss: Chances::new(key(Purpose::Loss)),
            jitter: key(Purpose::Jitter),
            crash: key(Purpose::Outage),
            budget: budget::of_fleet(fleet, BudgetPer::Fleet),
            limiter: fleet
                .handling
                .limit
                .map(|limit| Calls::new(limit.rate, limit.window)),
        }
    }
}

impl<R: Recorder> World<'_, R> {
    /// A handler that can take a message from this queue now. Fleets of one queue take turns.
    #[inline(always)]
    pub(super) fn idle_handler(&self, queue: QueueId) -> Option<u32> {
        let state = &self.queues[queue];
        if let [only] = state.fleets.as_slice() {
            return self.idle_of(*only);
        }
        let (before, after) = state.fleets.split_at(state.turn);
        let mut in_turn = after.iter().chain(before);
        in_turn.find_map(|id| self.idle_of(*id))
    }

    #[inline(always)]
    fn idle_of(&self, id: FleetId) -> Option<u32> {
        let fleet = &self.fleets[id];
        fleet.idle.first().map(|number| fleet.base + number)
    }

    /// An idle handler takes a message.
    #[inline(always)]
    pub(super) fn deliver_to_idle(&mut self, queue: QueueId, slot: u32, handler: u32) {
        let id = self.handlers[handler as usize].fleet;
        self.deliver(queue, slot, handler, id, Before::Idle);
    }

    /// A handler takes a message.
    #[inline(always)]
    fn deliver(&mut self, queue: QueueId, slot: u32, handler: u32, id: FleetId, before: Before) {
        let now = self.calendar.now();
        let fleet = &mut self.fleets[id];
        match before {
            Before::Idle => fleet.idle.remove(handler - fleet.base),
            Before::Working => {}
        }
        let message = &mut self.messages[slot];
        message.deliveries += 1;
        let first = message.deliveries == 1;
        let wait = first.then(|| now.since_past(message.accepted));
        let service = if let Some(span) = fleet.always {
            span
        } else {
            let mut draws = fleet.service.at(message.identity);
            fleet.config.service.draw(&mut draws)
        };
        let until = now.saturating_add(service);
        self.handlers[handler as usize].work = Work::Working {
            slot,
            since: now,
            until,
        };
        self.calendar.schedule(until, Event::Finish(handler));
        let state = &mut self.queues[queue];
        state.in_flight += 1;
        if state.fleets.len() > 1 {
            state.pass_turn(id);
        }
        tell!(
            self,
            Fact::Delivered {
                queue,
                fleet: id,
                handler,
                wait,
            }
        );
    }

    /// A handler completes its work; an event that has been overtaken is passed over.
    #[inline(always)]
    pub(super) fn finish(&mut self, handler: u32) {
        let now = self.calendar.now();
        let Handler { work, fleet, .. } = self.handlers[handler as usize];
        let Work::Working { slot, since, until } = work else {
            return;
        };
        if until != now {
            return;
        }
        let service = now.since_past(since);
        if self.fleets[fleet].special {
            if self.fleets[fleet].leased {
                return self.finish_leased(handler, slot, service);
            }
            return self.publish_onwards(handler, slot, service);
        }
        self.complete(handler, slot, service);
    }

    /// A message is done, and its handler free.
    #[inline(always)]
    fn complete(&mut self, handler: u32, slot: u32, service: SimDuration) {
        let Handler {
            fleet,
            queue,
            stops,
            ..
        } = self.handlers[handler as usize];
        let message = &self.messages[slot];
        let sojourn = self.calendar.now().since_past(message.intended);
        let state = &mut self.queues[queue];
        state.in_flight -= 1;
        // Without a branch: with many handlers it would go either way, and nobody could guess it.
        let late = u64::from(message.accepted < state.newest_done);
        state.newest_done = state.newest_done.max(message.accepted);
        tell!(
            self,
            Fact::Completed {
                queue,
                fleet,
                handler,
                service,
                sojourn,
                late,
            }
        );
        if state.weighs {
            self.weigh(queue, slot, u64::wrapping_sub);
        }
        self.end_message(slot);
        if stops == 0 {
            self.pull(handler, fleet, queue);
        } else {
            self.stay_stopped(handler, fleet);
        }
        self.admit(queue);
    }

    /// A handler of a leased fleet has no work any more: it asks for more, or stays stopped.
    pub(super) fn release(&mut self, handler: u32) {
        let Handler { fleet, stops, .. } = self.handlers[handler as usize];
        self.handlers[handler as usize].work = Work::Idle;
        if stops == 0 {
            self.ask(handler);
        } else {
            self.stay_stopped(handler, fleet);
        }
    }

    /// A stopped handler has no work any more.
    fn stay_stopped(&mut self, handler: u32, fleet: FleetId) {
        self.handlers[handler as usize].work = Work::Idle;
        self.fleets[fleet].overtime -= 1;
        self.tell_staffing(fleet);
    }

    /// A handler that can work again takes what there is for it.
    pub(super) fn look_for_work(&mut self, handler: u32, fleet: FleetId, queue: QueueId) {
        if self.fleets[fleet].leased {
            self.seek(handler);
        } else {
            self.pull(handler, fleet, queue);
        }
    }

    /// A free handler takes the next message, or is idle.
    #[inline(always)]
    fn pull(&mut self, handler: u32, id: FleetId, queue: QueueId) {
        if let Some(slot) = self.next_message(queue) {
            return self.deliver(queue, slot, handler, id, Before::Working);
        }
        self.handlers[handler as usize].work = Work::Idle;
        let fleet = &mut self.fleets[id];
        fleet.idle.insert(handler - fleet.base);
    }

    /// A chained stage: the work is done, and what follows from it is published. The handler is
    /// held until each publish has ended; a blocked one blocks it.
    #[inline(never)]
    fn publish_onwards(&mut self, handler: u32, slot: u32, service: SimDuration) {
        let parent = self.messages[slot].identity;
        self.publish_after(handler, slot, service, &[parent]);
    }

    /// The same for all messages that a handler has in hand, by their identities.
    #[inline(never)]
    pub(super) fn publish_after(
        &mut self,
        handler: u32,
        slot: u32,
        service: SimDuration,
        parents: &[u64],
    ) {
        let model: &Model = self.model;
        let fleet = self.handlers[handler as usize].fleet;
        let Some(onwards) = model.fleets[fleet].publishes else {
            return;
        };
        let producer = &model.producers[onwards.producer];
        let intended = self.calendar.now();
        self.end_calls(onwards.producer);
        // One more than there are, so that the last to end in this very loop does not complete.
        let each = onwards.copies * producer.queues.len() as u32;
        let open = each * parents.len() as u32 + 1;
        self.handlers[handler as usize].work = Work::Publishing {
            slot,
            service,
            open,
        };
        let copies = (0..onwards.copies).flat_map(|copy| parents.iter().map(move |it| (copy, it)));
        for (copy, parent) in copies {
            if self.is_too_large() {
                break;
            }
            let born_of = parent.wrapping_add(u64::from(copy));
            let identity = self.producers[onwards.producer].message.identity(born_of);
            for &queue in &producer.queues {
                let handler = Some(handler);
                let producer = onwards.producer;
                self.offer(Publish {
                    producer,
                    queue,
                    intended,
                    identity,
                    handler,
                });
            }
        }
        self.publish_done(handler);
    }

    /// One of the publishes that a handler waits for has ended.
    pub(super) fn publish_done(&mut self, handler: u32) {
        let Work::Publishing {
            slot,
            service,
            open,
        } = &mut self.handlers[handler as usize].work
        else {
            return;
        };
        *open -= 1;
        if *open == 0 {
            let (slot, service) = (*slot, *service);
            let fleet = self.handlers[handler as usize].fleet;
            if self.fleets[fleet].leased {
                return self.published(handler, slot, service);
            }
            self.complete(handler, slot, service);
        }
    }

    #[inline]
    pub(super) fn tell_staffing(&mut self, fleet: FleetId) {
        let FleetState { up, overtime, .. } = self.fleets[fleet];
        self.tell(Fact::Staffed {
            fleet,
            up,
            overtime,
        });
    }

    /// How many handlers of a fleet are at work. Counted when it is asked, which is rarely.
    pub(super) fn busy(&self, fleet: FleetId) -> u32 {
        let handlers = self.handlers_of(fleet);
        let at_work = |handler: &Handler| match handler.work {
            Work::Idle | Work::Frozen { .. } | Work::Gathering { .. } => false,
            Work::Working { .. } | Work::Calling { .. } | Work::Publishing { .. } => true,
        };
        let handlers = &self.handlers[handlers.start as usize..handlers.end as usize];
        handlers.iter().filter(|handler| at_work(handler)).count() as u32
    }

    /// All handlers of a fleet.
    pub(super) fn handlers_of(&self, fleet: FleetId) -> std::ops::Range<u32> {
        let base = self.fleets[fleet].base;
        base..base + self.model.fleets[fleet].most_handlers()
    }

    /// Takes the work on messages of a queue out of all hands, and returns the messages; the
    /// handlers are free.
    pub(super) fn drop_work_of(&mut self, queue: QueueId) -> Vec<u32> {
        let mut slots = Vec::new();
        for index in 0..self.queues[queue].fleets.len() {
            let fleet = self.queues[queue].fleets[index];
            for handler in self.handlers_of(fleet) {
                slots.extend(self.crash_work(handler));
            }
        }
        slots
    }

    /// Ends the work of a handler without completing it, and returns its message. A handler that
    /// publishes has done its work, and is let finish.
    pub(super) fn crash_work(&mut self, handler: u32) -> Option<u32> {
        let Handler {
            work, stops, fleet, ..
        } = self.handlers[handler as usize];
        let slot = match work {
            // Only handlers of leased queues call and gather.
            Work::Idle
            | Work::Publishing { .. }
            | Work::Calling { .. }
            | Work::Gathering { .. } => return None,
            Work::Working { slot, .. } => {
                self.calendar.cancel_finish(handler);
                self.tell(Fact::Crashed { fleet, handler });
                slot
            }
            Work::Frozen { slot, .. } => {
                self.tell(Fact::Thawed { fleet, handler });
                self.tell(Fact::Crashed { fleet, handler });
                slot
            }
        };
        self.handlers[handler as usize].work = Work::Idle;
        if stops == 0 {
            let state = &mut self.fleets[fleet];
            state.idle.insert(handler - state.base);
        } else if matches!(work, Work::Working { .. }) {
            self.fleets[fleet].overtime -= 1;
            self.tell_staffing(fleet);
        }
        Some(slot)
    }
}

/// The handlers of all fleets of a model, and where each fleet's begin.
pub(super) fn handlers_of(model: &Model) -> (Vec<Handler>, Vec<u32>) {
    let mut handlers = Vec::new();
    let mut bases = Vec::new();
    for (index, fleet) in model.fleets.iter().enumerate() {
        bases.push(handlers.len() as u32);
        let at_first = fleet.count * fleet.concurrency;
        handlers.extend((0..fleet.most_handlers()).map(|number| Handler {
            work: Work::Idle,
            stops: u16::from(number >= at_first),
            freezes: 0,
            fleet: FleetId::at(index),
            queue: fleet.queue,
        }));
    }
    (handlers, bases)
}
