//! Messages, in a slab: a queue's line and a handler hold only a slot.
//!
//! Not publishes: until a queue accepts one there is no message.

use crate::model::{Id, ProducerId};
use crate::units::SimTime;

/// A message that a queue has accepted. Its own draws (work, size, priority) follow from its
/// identity, so they need not be kept.
#[derive(Clone, Copy, Debug)]
pub(super) struct Message {
    /// What its draws follow from; copies of one publish share it.
    pub(super) identity: u64,
    /// When its publish was meant to be made.
    pub(super) intended: SimTime,
    /// When it was accepted.
    pub(super) accepted: SimTime,
    /// Since when it waits, or waited last.
    pub(super) queued: SimTime,
    /// Who published it.
    pub(super) producer: ProducerId,
    /// How often it was delivered.
    pub(super) deliveries: u32,
}

/// What a waiting message takes of memory, whatever it carries: itself, and its place in line.
pub const BYTES_A_WAITING_MESSAGE: usize = size_of::<Message>() + size_of::<u32>();

const _: () = assert!(BYTES_A_WAITING_MESSAGE <= 48);

/// All messages that are alive.
#[derive(Debug)]
pub(super) struct Messages {
    slots: Vec<Message>,
    /// The slot that was freed last, `NONE` when none is free. A free slot keeps in place of an
    /// identity the one that was freed before it.
    free: u32,
    alive: u64,
}

/// No slot.
const NONE: u32 = u32::MAX;

impl Default for Messages {
    fn default() -> Self {
        Self {
            slots: Vec::new(),
            free: NONE,
            alive: 0,
        }
    }
}

impl Messages {
    /// Keeps a message and returns its slot.
    #[inline(always)]
    pub(super) fn insert(&mut self, message: Message) -> u32 {
        self.alive += 1;
        if self.free == NONE {
            self.add_free();
        }
        let slot = self.free;
        let place = &mut self.slots[slot as usize];
        self.free = place.identity as u32;
        *place = message;
        slot
    }

    /// One more slot, free. The message that is to have it stays out of this, in registers.
    #[inline(never)]
    fn add_free(&mut self) {
        let slot = self.slots.len() as u32;
        assert!(slot < NONE, "fewer messages than 2^32 are alive");
        self.slots.push(Message {
            identity: self.free.into(),
            intended: SimTime::ZERO,
            accepted: SimTime::ZERO,
            queued: SimTime::ZERO,
            producer: Id::at(0),
            deliveries: 0,
        });
        self.free = slot;
    }

    /// Forgets a message.
    #[inline(always)]
    pub(super) fn remove(&mut self, slot: u32) {
        self.alive -= 1;
        self.slots[slot as usize].identity = self.free.into();
        self.free = slot;
    }

    /// How many are alive.
    #[inline(always)]
    pub(super) fn alive(&self) -> u64 {
        self.alive
    }
}

impl std::ops::Index<u32> for Messages {
    type Output = Message;

    #[inline]
    fn index(&self, slot: u32) -> &Message {
        &self.slots[slot as usize]
    }
}

impl std::ops::IndexMut<u32> for Messages {
    #[inline]
    fn index_mut(&mut self, slot: u32) -> &mut Message {
        &mut self.slots[slot as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slot_is_used_again() {
        let message = Message {
            identity: 1,
            intended: SimTime::ZERO,
            accepted: SimTime::ZERO,
            queued: SimTime::ZERO,
            producer: Id::at(0),
            deliveries: 0,
        };
        let mut messages = Messages::default();
        let (first, second) = (messages.insert(message), messages.insert(message));
        messages.remove(first);
        assert_eq!((messages.insert(message), messages.alive()), (first, 2));
        assert_ne!(first, second);
    }
}
