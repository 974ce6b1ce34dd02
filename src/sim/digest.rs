//! The digest: a hash of the whole history. Equal digest, equal history (rule A3).
//!
//! Not a checksum of the results: two histories can have the same averages.

use super::fact::Fact;
use crate::model::Id;
use crate::units::SimTime;

/// A running hash of facts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Digest(u64);

const TIME: u64 = 0x9E37_79B9_7F4A_7C15;
const FACT: u64 = 0xD6E8_FEB8_6659_FD93;

impl Digest {
    pub(super) fn new() -> Self {
        Self(0x7175_6575_6563_6173)
    }

    /// The hash so far.
    pub(super) fn value(self) -> u64 {
        let mixed = (self.0 ^ self.0 >> 32).wrapping_mul(FACT);
        mixed ^ mixed >> 29
    }

    #[inline]
    fn add(&mut self, now: SimTime, tag: u64, what: u64) {
        let word = now.as_nanos().wrapping_mul(TIME) ^ what ^ tag << 56;
        self.0 = (self.0.rotate_left(23) ^ word).wrapping_mul(FACT);
    }

    #[inline(never)]
    fn add_call(&mut self, now: SimTime, word: Option<u64>) {
        if let Some(word) = word {
            self.add(now, 44, word);
        }
    }

    /// Adds a fact. Those that follow from others (a level, a retold publish) add nothing.
    #[inline(always)]
    pub(super) fn fold(&mut self, now: SimTime, fact: &Fact) {
        let publish = |producer: crate::model::ProducerId, queue: crate::model::QueueId| {
            (producer.index() as u64) << 16 | queue.index() as u64
        };
        match *fact {
            Fact::Accepted {
                queue, identity, ..
            } => {
                self.add(now, 1, identity ^ queue.index() as u64);
            }
            Fact::Delivered { handler, .. } => self.add(now, 2, u64::from(handler)),
            Fact::Completed { handler, .. } => self.add(now, 3, u64::from(handler)),
            Fact::Rejected { producer, queue } => self.add(now, 4, publish(producer, queue)),
            Fact::Blocked { producer, queue } => self.add(now, 5, publish(producer, queue)),
            Fact::TimedOut {
                producer, queue, ..
            } => self.add(now, 6, publish(producer, queue)),
            Fact::Postponed { producer, queue } => self.add(now, 7, publish(producer, queue)),
            Fact::Abandoned { producer, queue } => self.add(now, 8, publish(producer, queue)),
            Fact::Crashed { handler, .. } => self.add(now, 9, u64::from(handler)),
            Fact::Returned { queue } => self.add(now, 10, queue.index() as u64),
            Fact::Frozen { handler, .. } => self.add(now, 11, u64::from(handler)),
            Fact::Thawed { handler, .. } => self.add(now, 12, u64::from(handler)),
            Fact::Dropped { queue } => self.add(now, 13, queue.index() as u64),
            Fact::Expired { queue } => self.add(now, 14, queue.index() as u64),
            Fact::Lost { queue, .. } => self.add(now, 15, queue.index() as u64),
            Fact::Staffed { fleet, up, .. } => {
                self.add(now, 16, (fleet.index() as u64) << 32 | u64::from(up));
            }
            Fact::Wanted { fleet, to, .. } => {
                self.add(now, 42, (fleet.index() as u64) << 32 | u64::from(to));
            }
            Fact::AlertFired { alert, .. } => self.add(now, 17, u64::from(alert)),
            Fact::AlertCleared { alert, .. } => self.add(now, 18, u64::from(alert)),
            Fact::BrokerCrashed { queue, .. } => self.add(now, 19, queue.index() as u64),
            Fact::Ended { unfinished } => self.add(now, 20, unfinished),
            Fact::Received { queue, fleet, .. } => {
                self.add(now, 21, (fleet.index() as u64) << 16 | queue.index() as u64);
            }
            Fact::Began { handler, .. } => self.add(now, 22, u64::from(handler)),
            Fact::Worked { handler, .. } => self.add(now, 23, u64::from(handler)),
            Fact::Acknowledged { queue, sojourn, .. } => {
                self.add(now, 24, sojourn.as_nanos() ^ (queue.index() as u64) << 40);
            }
            Fact::AckLost { queue } => self.add(now, 25, queue.index() as u64),
            Fact::AckRefused { queue } => self.add(now, 26, queue.index() as u64),
            Fact::Lapsed { queue } => self.add(now, 27, queue.index() as u64),
            Fact::Delayed { queue } => self.add(now, 28, queue.index() as u64),
            Fact::Due { queue } => self.add(now, 29, queue.index() as u64),
            Fact::Forestalled { queue } => self.add(now, 41, queue.index() as u64),
            Fact::DeadLettered { queue, .. } => self.add(now, 30, queue.index() as u64),
            Fact::Redriven { queue } => self.add(now, 31, queue.index() as u64),
            Fact::Deduplicated { queue } => self.add(now, 32, queue.index() as u64),
            Fact::Failed { queue, failure, .. } => {
                self.add(now, 33, failure.number() << 16 | queue.index() as u64);
            }
            Fact::Throttled { queue, call } => {
                self.add(now, 34, (call as u64) << 16 | queue.index() as u64);
            }
            Fact::Acted { queue, nth } => {
                self.add(now, 35, u64::from(nth) << 16 | queue.index() as u64);
            }
            Fact::Skipped { queue } => self.add(now, 36, queue.index() as u64),
            Fact::Ignored { queue } => self.add(now, 37, queue.index() as u64),
            Fact::ConsumerCrashed { consumer, .. } => self.add(now, 38, u64::from(consumer)),
            Fact::ChannelClosed { consumer, .. } => self.add(now, 39, u64::from(consumer)),
            Fact::ConfirmLost { producer, queue } => self.add(now, 40, publish(producer, queue)),
            Fact::RetryRefused { queue } => self.add(now, 43, queue.index() as u64),
            Fact::Call(ref fact) => self.add_call(now, fact.word()),
            Fact::OldestUnacked { .. }
            | Fact::Reworked { .. }
            | Fact::Succeeded { .. }
            | Fact::Overlapped { .. }
            | Fact::Moved { .. }
            | Fact::OutOfOrder { .. }
            | Fact::Undone { .. }
            | Fact::ConsumerBack { .. }
            | Fact::RedriveStarted { .. }
            | Fact::RedriveEnded { .. }
            | Fact::Offered { .. }
            | Fact::Admitted { .. }
            | Fact::Retried { .. }
            | Fact::Enqueued { .. }
            | Fact::Dequeued { .. }
            | Fact::Replaced { .. }
            | Fact::Oldest { .. }
            | Fact::Filled { .. }
            | Fact::Weighed { .. }
            | Fact::Cleared { .. }
            | Fact::Emptied { .. }
            | Fact::OutageStarted { .. }
            | Fact::OutageEnded { .. }
            | Fact::Scaled { .. }
            | Fact::Burst { .. }
            | Fact::MemoryFull { .. }
            | Fact::BrokerBack { .. }
            | Fact::BecameCalm
            // Follows from what succeeded and what was dead-lettered.
            | Fact::DeadThoughDone { .. }
            | Fact::WarmedUp => {}
        }
    }
}
