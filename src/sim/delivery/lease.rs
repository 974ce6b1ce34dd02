//! Leases: who was given which message, since when, until when.
//!
//! Not the work on it: that is a [job](super::job).

use super::line::MessageRef;
use crate::model::QueueId;
use crate::units::{SimDuration, SimTime};

/// A lease, and which use of its slot it is, so that an event of a past one is known to be stale.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::sim) struct LeaseRef {
    pub(super) slot: u32,
    generation: u32,
}

#[cfg(test)]
impl LeaseRef {
    /// Of a test that has no leases.
    pub(super) fn of_none() -> Self {
        Self {
            slot: 0,
            generation: 0,
        }
    }
}

/// A delivery of a message to a consumer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lease {
    pub(super) message: MessageRef,
    pub(super) queue: QueueId,
    /// What its message is, which may end before the lease does.
    pub(super) said: Said,
    /// Of all consumers of leased fleets.
    pub(super) consumer: u32,
    /// Which incarnation of the consumer: a crash begins another.
    pub(super) epoch: u32,
    pub(super) received: SimTime,
    /// Since when it is worked on, and heartbeats are sent.
    pub(super) worked_since: SimTime,
    /// Heartbeats before were sent, or fell due while the work stood still.
    pub(super) beats_from: SimTime,
    /// Which delivery of the message, from 1.
    pub(super) number: u32,
    /// When the visibility lapses; the end of time where it does not.
    pub(super) deadline: SimTime,
    /// Whether the message is in flight under this lease.
    pub(super) holds: bool,
    /// Whether it counts against its consumer's prefetch.
    pub(super) counts: bool,
    pub(super) early: Early,
    pub(super) hand: Hand,
    /// What the consumer has to say, while that is on its way.
    pub(super) answer: Answer,
}

/// What is known of a message to whoever works on it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Said {
    pub(super) identity: u64,
    /// When its publish was meant to be made.
    pub(super) intended: SimTime,
    /// When it was accepted.
    pub(super) accepted: SimTime,
    pub(super) key: Option<u64>,
    /// Whether no attempt on it ever succeeds.
    pub(super) poisoned: bool,
}

/// Whether a message was acknowledged when the work on it began.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Early {
    /// It was not.
    No,
    /// It was: it cannot come back.
    Acknowledged,
    /// It was, but the acknowledgement was lost; the consumer makes no other.
    Lost,
}

/// Where a lease is on the side of the consumer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hand {
    /// On its way, or in the consumer's buffer.
    Waiting,
    /// A handler works on it.
    Working(u32),
    /// Its answer is on its way to the broker.
    Answered,
    /// Nobody has it: its consumer crashed, or is done with it.
    Nobody,
}

/// What a consumer says of a message.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Answer {
    /// Nothing yet.
    None,
    /// It is done, after this long since it was meant to be published.
    Done { sojourn: SimDuration },
    /// It is given back.
    GiveBack,
    /// It is to be delivered again after a while.
    Retry { after: SimDuration },
    /// Nobody shall try it again.
    GiveUp,
}

/// All leases.
#[derive(Debug, Default)]
pub(in crate::sim) struct Leases {
    slots: Vec<(u32, Option<Lease>)>,
    free: Vec<u32>,
}

impl Leases {
    pub(super) fn insert(&mut self, lease: Lease) -> LeaseRef {
        if let Some(slot) = self.free.pop() {
            let (generation, held) = &mut self.slots[slot as usize];
            *held = Some(lease);
            let generation = *generation;
            return LeaseRef { slot, generation };
        }
        self.slots.push((0, Some(lease)));
        let slot = (self.slots.len() - 1) as u32;
        LeaseRef {
            slot,
            generation: 0,
        }
    }

    /// The lease, unless it has ended.
    pub(super) fn get(&self, id: LeaseRef) -> Option<&Lease> {
        let (generation, lease) = &self.slots[id.slot as usize];
        lease.as_ref().filter(|_| *generation == id.generation)
    }

    /// The lease, if a consumer has it in hand.
    pub(super) fn in_hand(&self, id: LeaseRef) -> Option<&Lease> {
        self.get(id).filter(|lease| lease.hand != Hand::Nobody)
    }

    pub(super) fn get_mut(&mut self, id: LeaseRef) -> Option<&mut Lease> {
        let (generation, lease) = &mut self.slots[id.slot as usize];
        lease.as_mut().filter(|_| *generation == id.generation)
    }

    /// Forgets a lease that neither holds a message nor is held by a consumer.
    pub(super) fn end_if_over(&mut self, id: LeaseRef) {
        let (generation, held) = &mut self.slots[id.slot as usize];
        let over = held
            .as_ref()
            .is_some_and(|lease| !lease.holds && lease.hand == Hand::Nobody);
        if *generation == id.generation && over {
            *held = None;
            *generation = generation.wrapping_add(1);
            self.free.push(id.slot);
        }
    }

    /// The consumer that has the lease in this slot, if one has.
    pub(super) fn consumer_at(&self, slot: u32) -> Option<u32> {
        let lease = self.slots[slot as usize].1.as_ref()?;
        (lease.hand != Hand::Nobody).then_some(lease.consumer)
    }

    /// All that hold a message of a queue.
    pub(super) fn holding(&self, queue: QueueId) -> Vec<LeaseRef> {
        let held = |(slot, (generation, lease)): (usize, &(u32, Option<Lease>))| {
            let lease = lease.as_ref()?;
            (lease.holds && lease.queue == queue).then_some(LeaseRef {
                slot: slot as u32,
                generation: *generation,
            })
        };
        self.slots.iter().enumerate().filter_map(held).collect()
    }
}
