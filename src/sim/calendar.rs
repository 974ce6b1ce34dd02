//! The calendar: what happens next, and when it is now. One comparison orders everything:
//! `time: 64 | rank: 8 | sequence: 56`.
//!
//! Not who acts. There are three stores, each made for its kind of event: the next arrival of each
//! source in a short list, completions in a tournament tree with a leaf for each handler,
//! everything else in a heap. What comes out is one order, asked for in three steps.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::event::{Event, rank};
use super::tournament::{EMPTY, Tournament};
use crate::model::{Id, ProducerId};
use crate::units::SimTime;

/// With more sources than this their arrivals go to the heap: a list is scanned at each change.
const MOST_LISTED: usize = 16;
const NEVER: u128 = u128::MAX;

/// What happens next.
#[derive(Debug)]
pub(super) struct Calendar {
    now: SimTime,
    sequence: u64,
    sources: Vec<u128>,
    /// The time of the soonest arrival in the list, `EMPTY` for none, and whose it is.
    soonest_source: (u64, ProducerId),
    work: Tournament,
    /// Whose completion came out last, `NOBODY` once its place is filled again or cleared.
    taken: u32,
    timers: BinaryHeap<Reverse<Timer>>,
    /// The time of the soonest timer, `EMPTY` for none.
    soonest_timer: u64,
    /// Completions before this instant come before all timers.
    timers_after: u64,
}

/// No handler.
const NOBODY: u32 = u32::MAX;

#[derive(Clone, Copy, Debug)]
struct Timer {
    key: u128,
    event: Event,
}

impl PartialEq for Timer {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
    }
}

impl Eq for Timer {}

impl PartialOrd for Timer {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Timer {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.key.cmp(&other.key)
    }
}

/// The key of the first event of a rank at an instant.
pub(super) fn key(at: SimTime, rank: u8, sequence: u64) -> u128 {
    u128::from(at.as_nanos()) << 64 | u128::from(u64::from(rank) << 56 | sequence)
}

fn time_of(key: u128) -> SimTime {
    SimTime::from_nanos((key >> 64) as u64)
}

impl Calendar {
    /// An empty calendar for so many sources and handlers.
    pub(super) fn new(sources: usize, handlers: usize) -> Self {
        let listed = if sources > MOST_LISTED { 0 } else { sources };
        Self {
            now: SimTime::ZERO,
            sequence: 0,
            sources: vec![NEVER; listed.max(1)],
            soonest_source: (EMPTY, Id::at(0)),
            work: Tournament::new(handlers),
            taken: NOBODY,
            timers: BinaryHeap::new(),
            soonest_timer: EMPTY,
            timers_after: EMPTY,
        }
    }

    /// The instant that has been reached.
    #[inline]
    pub(super) fn now(&self) -> SimTime {
        self.now
    }

    /// Puts an event on the calendar.
    ///
    /// # Panics
    /// In debug builds, when it would lie in the past.
    #[inline(always)]
    pub(super) fn schedule(&mut self, at: SimTime, event: Event) {
        debug_assert!(at >= self.now, "{event:?} at {at} lies before {}", self.now);
        match event {
            Event::Finish(handler) => {
                if self.taken == handler {
                    self.taken = NOBODY;
                }
                if !self.work.set(handler, at) {
                    self.work.clear(handler);
                    self.push_timer(key(at, rank::COMPLETION, u64::from(handler)), event);
                }
            }
            Event::Arrive(producer) if producer.index() < self.sources.len() => {
                self.sequence += 1;
                let key = key(at, rank::PUBLISH, self.sequence);
                self.replace_source(producer, key);
            }
            Event::Arrive(_)
            | Event::ClientPublish(_)
            | Event::RetryPublish(_)
            | Event::GiveUp(_)
            | Event::WakeUp(_)
            | Event::Expire(_)
            | Event::StartOutage(_)
            | Event::EndOutage(_)
            | Event::Restart { .. }
            | Event::Grow { .. }
            | Event::Shrink { .. }
            | Event::RestoreBroker(_)
            | Event::Lapse(_)
            | Event::Deliver(_)
            | Event::Answer(_)
            | Event::Credit { .. }
            | Event::Ask(_)
            | Event::Unpack { .. }
            | Event::CloseBatch { .. }
            | Event::RetryDue(_)
            | Event::PublishAgain(_)
            | Event::CallAgain(_)
            | Event::Redrive(_)
            | Event::CheckAcks(_)
            | Event::CrashConsumer { .. }
            | Event::CrashAt(_)
            | Event::RestartConsumer(_)
            | Event::Review(_)
            | Event::ComeUp(_)
            | Event::AnswerCall(_)
            | Event::LeaveCall(_)
            | Event::HedgeCall(_)
            | Event::TryCall(_)
            | Event::StopWaiting(_)
            | Event::LetOut { .. }
            | Event::StartTrouble(_)
            | Event::EndTrouble(_)
            | Event::BecomeCalm
            | Event::LookWhetherDrained(_)
            | Event::WarmUp
            | Event::Evaluate(_)
            | Event::Sample => {
                self.sequence += 1;
                self.push_timer(key(at, event.rank(), self.sequence), event);
            }
        }
    }

    fn push_timer(&mut self, key: u128, event: Event) {
        self.timers.push(Reverse(Timer { key, event }));
        self.find_soonest_timer();
    }

    /// Takes the completion of a handler off the calendar. One in the heap stays there and is
    /// stale: its handler knows.
    pub(super) fn cancel_finish(&mut self, handler: u32) {
        if self.taken == handler {
            self.taken = NOBODY;
        }
        self.work.clear(handler);
    }

    /// Moves the clock to the next event before the key `until` if it is a completion, and returns
    /// whose. Times alone decide unless there is a tie, which is rare but with constant sources;
    /// and of a tie, completions come before arrivals.
    #[inline(always)]
    pub(super) fn next_completion(&mut self, until: u128) -> Option<u32> {
        if self.taken != NOBODY {
            self.work.clear(self.taken);
            self.taken = NOBODY;
        }
        let (work, handler) = self.work.first;
        let end = (until >> 64) as u64;
        if work <= self.soonest_source.0 && work < self.timers_after && work < end {
            self.now = SimTime::from_nanos(work);
            self.taken = handler;
            return Some(handler);
        }
        None
    }

    /// The same for an arrival, once no completion is next. Its source gets another, or its end.
    #[inline(always)]
    pub(super) fn next_arrival(&mut self, until: u128) -> Option<ProducerId> {
        let (source, producer) = self.soonest_source;
        let end = (until >> 64) as u64;
        if source < self.work.first.0 && source < self.soonest_timer && source < end {
            self.now = SimTime::from_nanos(source);
            return Some(producer);
        }
        None
    }

    /// The next event once it is neither: where times tie, for a timer, or near the end.
    pub(super) fn next_by_key(&mut self, until: u128) -> Option<Event> {
        let (work, handler) = self.work.first;
        let work = match work {
            EMPTY => NEVER,
            _ => key(
                SimTime::from_nanos(work),
                rank::COMPLETION,
                u64::from(handler),
            ),
        };
        let source = self.sources[self.soonest_source.1.index()];
        let timer = self.timers.peek().map_or(NEVER, |Reverse(timer)| timer.key);
        let next = work.min(source).min(timer);
        if next >= until {
            return None;
        }
        self.now = time_of(next);
        if next == work {
            self.taken = handler;
            return Some(Event::Finish(handler));
        }
        if next == source {
            return Some(Event::Arrive(self.soonest_source.1));
        }
        let event = self.timers.pop().map(|Reverse(timer)| timer.event);
        self.find_soonest_timer();
        event
    }

    /// Nothing more comes from a source.
    pub(super) fn end_source(&mut self, producer: ProducerId) {
        if producer.index() < self.sources.len() {
            self.replace_source(producer, NEVER);
        }
    }

    /// Changes the next arrival of a source in the list, and finds the soonest of all.
    #[inline(always)]
    fn replace_source(&mut self, producer: ProducerId, key: u128) {
        if let [only] = self.sources.as_mut_slice() {
            *only = key;
            self.soonest_source = ((key >> 64) as u64, producer);
            return;
        }
        self.sources[producer.index()] = key;
        let mut soonest = (self.sources[0], 0);
        for (index, key) in self.sources.iter().enumerate().skip(1) {
            if *key < soonest.0 {
                soonest = (*key, index);
            }
        }
        self.soonest_source = ((soonest.0 >> 64) as u64, Id::at(soonest.1));
    }

    #[inline]
    fn find_soonest_timer(&mut self) {
        let key = self.timers.peek().map_or(NEVER, |Reverse(timer)| timer.key);
        self.soonest_timer = (key >> 64) as u64;
        let rank = (key >> 56) as u8;
        self.timers_after = self
            .soonest_timer
            .saturating_add(u64::from(rank > rank::COMPLETION));
    }

    /// Moves the clock to the end of the run.
    pub(super) fn close(&mut self, at: SimTime) {
        self.now = at;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{FleetId, ProducerId, QueueId};
    use crate::policy::admission::Ticket;

    fn at(nanos: u64) -> SimTime {
        SimTime::from_nanos(nanos)
    }

    /// As the world asks, with sources of which nothing more comes.
    fn next(calendar: &mut Calendar, until: u128) -> Option<Event> {
        let completion = calendar.next_completion(until).map(Event::Finish);
        let next = completion
            .or_else(|| calendar.next_arrival(until).map(Event::Arrive))
            .or_else(|| calendar.next_by_key(until));
        if let Some(Event::Arrive(producer)) = next {
            calendar.end_source(producer);
        }
        next
    }

    fn drained(mut calendar: Calendar) -> Vec<Event> {
        std::iter::from_fn(|| next(&mut calendar, NEVER)).collect()
    }

    /// Rule A2, each rank against the next, scheduled in the opposite order.
    #[test]
    fn events_of_one_instant_act_in_the_order_of_their_ranks() {
        let ticket = Ticket {
            slot: 0,
            generation: 0,
        };
        let ordered = [
            Event::EndOutage(0),
            Event::Finish(0),
            Event::GiveUp(ticket),
            Event::StartOutage(0),
            Event::Arrive(ProducerId::at(0)),
            Event::Sample,
        ];
        let mut calendar = Calendar::new(1, 4);
        for event in ordered.iter().rev() {
            calendar.schedule(at(5), *event);
        }
        assert_eq!(drained(calendar), ordered);
    }

    #[test]
    fn within_a_rank_the_order_of_scheduling_holds_and_handlers_go_by_number() {
        let mut calendar = Calendar::new(2, 4);
        calendar.schedule(at(5), Event::Arrive(ProducerId::at(1)));
        calendar.schedule(at(5), Event::Arrive(ProducerId::at(0)));
        calendar.schedule(at(5), Event::Finish(3));
        calendar.schedule(at(5), Event::Finish(1));
        calendar.schedule(at(5), Event::Expire(QueueId::at(1)));
        calendar.schedule(at(5), Event::Expire(QueueId::at(0)));
        let grow = Event::Grow {
            fleet: FleetId::at(0),
            change: 0,
        };
        calendar.schedule(at(4), grow);
        let expected = [
            grow,
            Event::Finish(1),
            Event::Finish(3),
            Event::Expire(QueueId::at(1)),
            Event::Expire(QueueId::at(0)),
            Event::Arrive(ProducerId::at(1)),
            Event::Arrive(ProducerId::at(0)),
        ];
        assert_eq!(drained(calendar), expected);
    }

    #[test]
    fn a_completion_too_far_for_the_tree_still_comes_in_its_place() {
        let mut calendar = Calendar::new(1, 1 << 20);
        let far = at(u64::MAX >> 10);
        calendar.schedule(far, Event::Finish(7));
        calendar.schedule(far, Event::Finish(5));
        calendar.schedule(at(1), Event::Finish(6));
        assert_eq!(
            drained(calendar),
            [Event::Finish(6), Event::Finish(5), Event::Finish(7)]
        );
    }

    #[test]
    fn many_sources_and_few_come_out_in_the_same_order() {
        for sources in [3, 40] {
            let mut calendar = Calendar::new(sources, 2);
            for index in 0..3_usize {
                calendar.schedule(at(9 - index as u64), Event::Arrive(ProducerId::at(index)));
            }
            let order = [2, 1, 0].map(|index| Event::Arrive(ProducerId::at(index)));
            assert_eq!(drained(calendar), order);
        }
    }

    #[test]
    fn nothing_comes_at_or_after_the_end() {
        let mut calendar = Calendar::new(1, 2);
        calendar.schedule(at(10), Event::Arrive(ProducerId::at(0)));
        calendar.schedule(at(10), Event::Finish(1));
        let end = key(at(10), rank::PUBLISH, 0);
        assert_eq!(next(&mut calendar, end), Some(Event::Finish(1)));
        assert_eq!(next(&mut calendar, end), None);
    }

    #[test]
    fn a_cancelled_completion_does_not_come() {
        let mut calendar = Calendar::new(1, 2);
        calendar.schedule(at(3), Event::Finish(0));
        calendar.schedule(at(4), Event::Finish(1));
        calendar.cancel_finish(0);
        assert_eq!(drained(calendar), [Event::Finish(1)]);
    }
}
