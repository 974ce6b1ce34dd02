//! Outages and scheduled sizes: handlers stop and come back (rules D2 and D5).
//!
//! Not the work that they do in between ([`super::consumer`]).

use std::ops::Range;

use super::World;
use super::consumer::{Handler, Work};
use super::delivery::{LeaseRef, Return};
use super::event::Event;
use super::fact::Fact;
use super::recorder::Recorder;
use super::windows::WindowsState;
use crate::model::{FleetId, InFlight, Outage, QueueId, Restart, Returns};
use crate::random::StreamKey;
use crate::units::{Ratio, SimDuration, SimTime};

/// An outage at run time.
#[derive(Debug)]
pub(super) struct OutageState {
    windows: WindowsState,
    /// How many handlers it stopped.
    stopped: u32,
    /// Messages of lost work that the broker has not missed yet.
    held: Vec<u32>,
    /// The same where messages are leased.
    leases: Vec<LeaseRef>,
}

impl OutageState {
    pub(super) fn new(key: StreamKey) -> Self {
        Self {
            windows: WindowsState::new(key),
            stopped: 0,
            held: Vec::new(),
            leases: Vec::new(),
        }
    }
}

impl<R: Recorder> World<'_, R> {
    /// Puts the next start of an outage on the calendar.
    pub(super) fn schedule_outage(&mut self, index: u16) {
        let state = &mut self.outages[usize::from(index)];
        let now = self.calendar.now();
        let windows = &self.model.outages[usize::from(index)].windows;
        if let Some(start) = state.windows.start(windows, now) {
            self.calendar.schedule(start, Event::StartOutage(index));
        }
    }

    /// How many handlers an outage stops now: its share of the consumers that there are meant to
    /// be. An outage of all stops those too that a schedule adds while it lasts.
    fn share_of(&self, outage: &Outage) -> u32 {
        let fleet = &self.model.fleets[outage.fleet];
        if outage.share == Ratio::ONE {
            return fleet.most_handlers();
        }
        let consumers = f64::from(self.fleets[outage.fleet].count);
        (consumers * outage.share.get()).round() as u32 * fleet.concurrency
    }

    /// An outage starts.
    pub(super) fn start_outage(&mut self, index: u16) {
        let model = self.model;
        let outage = &model.outages[usize::from(index)];
        let now = self.calendar.now();
        let state = &mut self.outages[usize::from(index)];
        let span = state.windows.span(&outage.windows);
        self.calendar
            .schedule(now.saturating_add(span), Event::EndOutage(index));
        let fleet = &self.fleets[outage.fleet];
        let of = fleet.count * model.fleets[outage.fleet].concurrency;
        let stopped = self.share_of(outage);
        let handlers = fleet.base..fleet.base + stopped;
        self.outages[usize::from(index)].stopped = stopped;
        self.tell(Fact::OutageStarted {
            fleet: outage.fleet,
            handlers: stopped.min(of),
            of,
        });
        if let InFlight::Crash(returns) = outage.in_flight
            && self.fleets[outage.fleet].leased
        {
            return self.crash_leased(index, handlers, returns);
        }
        let mut lost = Vec::new();
        for handler in handlers {
            self.stop(handler);
            match outage.in_flight {
                InFlight::Finish => {}
                InFlight::Freeze => self.freeze(handler),
                InFlight::Crash(_) => lost.extend(self.crash_work(handler)),
            }
        }
        self.tell_staffing(outage.fleet);
        match outage.in_flight {
            InFlight::Finish | InFlight::Freeze => {}
            InFlight::Crash(Returns::AtRestart) => {
                let queue = model.fleets[outage.fleet].queue;
                self.queues[queue].missing += lost.len() as u64;
                self.outages[usize::from(index)].held.append(&mut lost);
                self.admit(queue);
            }
            InFlight::Crash(Returns::AtOnce) => {
                let queue = self.model.fleets[outage.fleet].queue;
                self.bring_back(queue, lost);
                self.put_to_work(queue);
            }
        }
    }

    /// Consumers of a leased fleet crash with all that they hold.
    fn crash_leased(&mut self, index: u16, handlers: Range<u32>, returns: Returns) {
        let fleet = self.model.outages[usize::from(index)].fleet;
        let leases = self.crash_hands(handlers.clone());
        for handler in handlers {
            self.stop(handler);
        }
        self.tell_staffing(fleet);
        match returns {
            Returns::AtOnce => self.miss(leases, Return::Crash),
            Returns::AtRestart => self.outages[usize::from(index)].leases = leases,
        }
        self.dispatch(self.model.fleets[fleet].queue);
    }

    /// The messages of a queue that its broker has not missed yet; they are missing no more.
    pub(super) fn take_missing(&mut self, queue: QueueId) -> Vec<u32> {
        let mut slots = Vec::new();
        for (state, outage) in self.outages.iter_mut().zip(&self.model.outages) {
            if self.model.fleets[outage.fleet].queue == queue {
                slots.append(&mut state.held);
            }
        }
        self.queues[queue].missing -= slots.len() as u64;
        slots
    }

    /// Messages that came back may find free handlers, of this fleet or another.
    fn put_to_work(&mut self, queue: QueueId) {
        if self.queues[queue].leased {
            return self.dispatch(queue);
        }
        while !self.queues[queue].line.is_empty()
            && let Some(handler) = self.idle_handler(queue)
        {
            let Some(slot) = self.next_message(queue) else {
                break;
            };
            self.deliver_to_idle(queue, slot, handler);
        }
        self.admit(queue);
    }

    /// An outage ends: its handlers come back at once, or one by one.
    pub(super) fn end_outage(&mut self, index: u16) {
        let model = self.model;
        let outage = &model.outages[usize::from(index)];
        let fleet = &model.fleets[outage.fleet];
        let held = std::mem::take(&mut self.outages[usize::from(index)].held);
        if !held.is_empty() {
            self.queues[fleet.queue].missing -= held.len() as u64;
            self.bring_back(fleet.queue, held);
        }
        let leases = std::mem::take(&mut self.outages[usize::from(index)].leases);
        self.miss(leases, Return::Crash);
        let base = self.fleets[outage.fleet].base;
        let stopped = self.outages[usize::from(index)].stopped;
        let handlers = base..base + stopped;
        let count = stopped.min(self.fleets[outage.fleet].count * fleet.concurrency);
        let waiting = self.queues[fleet.queue].line.len() as u64;
        self.tell(Fact::OutageEnded {
            fleet: outage.fleet,
            handlers: count,
            waiting,
        });
        match outage.restart {
            Restart::InPhase => {
                for handler in handlers {
                    self.start(handler, outage.in_flight);
                }
                self.tell_staffing(outage.fleet);
            }
            Restart::Staggered => {
                self.restart_one_by_one(index, handlers, fleet.service.mean());
            }
        }
        self.put_to_work(fleet.queue);
        self.schedule_outage(index);
    }

    fn restart_one_by_one(&mut self, outage: u16, handlers: Range<u32>, service: f64) {
        let now = self.calendar.now();
        let count = f64::from(handlers.len() as u32);
        for (place, handler) in handlers.enumerate() {
            let after = SimDuration::from_secs_rounded(service * place as f64 / count);
            let event = Event::Restart { handler, outage };
            self.calendar.schedule(now.saturating_add(after), event);
        }
    }

    /// One handler of a staggered restart comes back.
    pub(super) fn restart(&mut self, handler: u32, outage: u16) {
        self.start(handler, self.model.outages[usize::from(outage)].in_flight);
        self.tell_staffing(self.handlers[handler as usize].fleet);
    }

    /// A fleet changes its size: new handlers start, and those scaled away finish what they do.
    pub(super) fn scale(&mut self, id: FleetId, change: u16) {
        let fleet = &self.model.fleets[id];
        let (from, to) = (
            self.fleets[id].count,
            fleet.staffing[usize::from(change)].count,
        );
        self.tell(Fact::Scaled {
            fleet: id,
            from,
            to,
        });
        self.resize(id, to);
    }

    /// A fleet has so many consumers from now on. One that goes gives back what it has not begun.
    pub(super) fn resize(&mut self, id: FleetId, to: u32) {
        let fleet = &self.model.fleets[id];
        let from = std::mem::replace(&mut self.fleets[id].count, to);
        let base = self.fleets[id].base;
        let handler = |consumers: u32| base + consumers * fleet.concurrency;
        (handler(from)..handler(to)).for_each(|handler| self.start(handler, InFlight::Finish));
        (handler(to)..handler(from)).for_each(|handler| self.stop(handler));
        if self.fleets[id].leased {
            let first = self.fleets[id].first_consumer;
            (first + to..first + from).for_each(|consumer| self.hand_back(consumer));
        }
        self.tell_staffing(id);
    }

    /// A handler gets one more reason to stand still. It finishes what it does.
    pub(super) fn stop(&mut self, handler: u32) {
        let held = &mut self.handlers[handler as usize];
        held.stops += 1;
        let Handler {
            work, stops, fleet, ..
        } = *held;
        if stops > 1 {
            return;
        }
        let fleet = &mut self.fleets[fleet];
        fleet.up -= 1;
        let leased = fleet.leased;
        match work {
            Work::Idle => fleet.idle.remove(handler - fleet.base),
            Work::Working { .. }
            | Work::Calling { .. }
            | Work::Publishing { .. }
            | Work::Gathering { .. } => {
                fleet.overtime += 1;
            }
            Work::Frozen { .. } => unreachable!("work stands still only in a stopped handler"),
        }
        if leased {
            self.stop_gathering(handler);
            self.look_at_credit(self.consumer_of(handler));
        }
    }

    /// The work of a stopped handler stands still.
    fn freeze(&mut self, handler: u32) {
        self.handlers[handler as usize].freezes += 1;
        self.stand_still(handler);
    }

    /// Work that is frozen goes on later.
    pub(super) fn stand_still(&mut self, handler: u32) {
        let Handler { work, fleet, .. } = self.handlers[handler as usize];
        let now = self.calendar.now();
        let (slot, since, until) = match work {
            Work::Working { slot, since, until } => (slot, since, until),
            // Its calls go on by themselves; what it does about them comes later.
            Work::Calling { job, since } => (job, since, now),
            Work::Idle | Work::Publishing { .. } | Work::Gathering { .. } | Work::Frozen { .. } => {
                return;
            }
        };
        if self.fleets[fleet].leased {
            self.keep_beats(slot);
        }
        let (done, left) = (now.since(since), until.since(now));
        self.calendar.cancel_finish(handler);
        self.handlers[handler as usize].work = Work::Frozen { slot, done, left };
        self.fleets[fleet].overtime -= 1;
        self.tell(Fact::Frozen { fleet, handler });
    }

    /// A handler loses one reason to stand still, which treated its work as `in_flight` says.
    /// Without any it takes a message; frozen work goes on as soon as nothing freezes it, though
    /// its handler may still be stopped for a reason that lets it finish.
    pub(super) fn start(&mut self, handler: u32, in_flight: InFlight) {
        let held = &mut self.handlers[handler as usize];
        held.stops -= 1;
        held.freezes -= u16::from(in_flight == InFlight::Freeze);
        let Handler {
            work,
            stops,
            freezes,
            fleet,
            queue,
        } = *held;
        let up = stops == 0;
        self.fleets[fleet].up += u32::from(up);
        match work {
            Work::Idle if up => {
                self.look_for_work(handler, fleet, queue);
                self.admit(queue);
            }
            Work::Working { .. }
            | Work::Calling { .. }
            | Work::Publishing { .. }
            | Work::Gathering { .. }
                if up =>
            {
                self.fleets[fleet].overtime -= 1;
            }
            Work::Frozen { slot, done, left } if freezes == 0 => {
                self.fleets[fleet].overtime += u32::from(!up);
                self.thaw(handler, slot, done, left);
            }
            Work::Idle
            | Work::Working { .. }
            | Work::Calling { .. }
            | Work::Publishing { .. }
            | Work::Gathering { .. }
            | Work::Frozen { .. } => {}
        }
        if up && self.fleets[fleet].leased {
            self.look_at_credit(self.consumer_of(handler));
        }
    }

    /// Work that stood still goes on with what is left of it. It counts as begun as long ago as
    /// it has been worked on, so that its service time is the time of work.
    fn thaw(&mut self, handler: u32, slot: u32, done: SimDuration, left: SimDuration) {
        let now = self.calendar.now();
        let fleet = self.handlers[handler as usize].fleet;
        let since = SimTime::from_nanos(now.as_nanos() - done.as_nanos());
        if self.fleets[fleet].leased
            && let Some(request) = self.custody.request_of(slot)
        {
            self.handlers[handler as usize].work = Work::Calling { job: slot, since };
            self.tell(Fact::Thawed { fleet, handler });
            return self.resume_request(request);
        }
        let until = now.saturating_add(left);
        if self.fleets[fleet].leased {
            self.beat_from_now(slot);
        }
        self.handlers[handler as usize].work = Work::Working { slot, since, until };
        self.calendar.schedule(until, Event::Finish(handler));
        self.tell(Fact::Thawed { fleet, handler });
    }
}
