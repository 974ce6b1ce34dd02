//! The waiting messages of a queue that delivers one receive of a key at a time, in order (rule
//! F3: the groups of SQS FIFO).
//!
//! Not partitions: any consumer may take any key that is not locked.

use std::collections::{BTreeMap, BTreeSet};

use super::roster::Spot;

/// Waiting messages by sequence and by key, and which keys are locked.
///
/// A key is locked while any of its messages is out. A key with nothing waiting and nothing out
/// takes no memory.
#[derive(Clone, Debug, Default)]
pub struct Groups {
    /// Slots by key and sequence.
    by_key: BTreeMap<(u64, u64), u32>,
    /// Keys by sequence.
    by_sequence: BTreeMap<u64, u64>,
    /// How many messages of each locked key are out.
    out: BTreeMap<u64, u32>,
    /// The lowest sequence of each key that is not locked.
    heads: BTreeSet<u64>,
}

impl Groups {
    /// No message waits and no key is locked.
    pub fn new() -> Self {
        Self::default()
    }

    /// A message joins, or comes back to its old place.
    ///
    /// # Panics
    /// When another of the same sequence waits: that is a bug of the caller.
    pub fn push(&mut self, slot: u32, spot: Spot) {
        let before = self.by_sequence.insert(spot.sequence, spot.key);
        assert!(before.is_none(), "a message waits twice: this is a bug");
        if !self.out.contains_key(&spot.key) {
            match self.head(spot.key) {
                Some((head, _)) if head < spot.sequence => {}
                Some((head, _)) => {
                    self.heads.remove(&head);
                    self.heads.insert(spot.sequence);
                }
                None => {
                    self.heads.insert(spot.sequence);
                }
            }
        }
        self.by_key.insert((spot.key, spot.sequence), slot);
    }

    /// The first message of all whose key is not locked goes out, and locks its key.
    #[inline(never)]
    pub fn pop(&mut self) -> Option<u32> {
        let sequence = self.heads.pop_first()?;
        let key = self.by_sequence.remove(&sequence)?;
        self.out.insert(key, 1);
        self.by_key.remove(&(key, sequence))
    }

    /// The next message of a key that this very receive has locked goes out too.
    pub fn pop_same(&mut self, key: u64) -> Option<u32> {
        debug_assert!(self.out.contains_key(&key), "a receive holds its key");
        let (sequence, slot) = self.head(key)?;
        *self.out.get_mut(&key)? += 1;
        self.by_key.remove(&(key, sequence));
        self.by_sequence.remove(&sequence);
        Some(slot)
    }

    /// One message of a key is no longer out; after the last one the key is unlocked.
    ///
    /// A message that comes back is pushed and released, in either order: with the push first,
    /// nobody overtakes it in between.
    pub fn release(&mut self, key: u64) {
        let Some(out) = self.out.get_mut(&key) else {
            debug_assert!(false, "a key is released as often as it went out");
            return;
        };
        *out -= 1;
        if *out == 0 {
            self.out.remove(&key);
            self.heads.extend(self.head(key).map(|(head, _)| head));
        }
    }

    /// Whether [`Groups::pop`] would give a message.
    #[inline]
    pub fn is_ready(&self) -> bool {
        !self.heads.is_empty()
    }

    /// A message leaves from wherever it stands, and no key is locked; `None` when it does not
    /// wait.
    pub fn remove(&mut self, spot: Spot) -> Option<u32> {
        self.leave(spot.sequence)
    }

    /// The message that joined first of all that wait, whether or not its key is locked.
    pub fn oldest(&self) -> Option<u32> {
        let (sequence, key) = self.by_sequence.first_key_value()?;
        self.by_key.get(&(*key, *sequence)).copied()
    }

    /// The message that joined first leaves, whether or not its key is locked, and locks nothing.
    pub fn pop_oldest(&mut self) -> Option<u32> {
        let sequence = *self.by_sequence.first_key_value()?.0;
        self.leave(sequence)
    }

    /// All slots that wait, in order of sequence.
    pub fn slots(&self) -> Vec<u32> {
        let places = self.by_sequence.iter();
        places
            .map(|(sequence, key)| self.by_key[&(*key, *sequence)])
            .collect()
    }

    /// How many wait, those of locked keys included.
    #[inline]
    pub fn len(&self) -> usize {
        self.by_sequence.len()
    }

    /// Whether nobody waits.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.by_sequence.is_empty()
    }

    fn leave(&mut self, sequence: u64) -> Option<u32> {
        let key = self.by_sequence.remove(&sequence)?;
        let slot = self.by_key.remove(&(key, sequence));
        if self.heads.remove(&sequence) {
            self.heads.extend(self.head(key).map(|(head, _)| head));
        }
        slot
    }

    /// The first that waits of a key: its sequence and its slot.
    fn head(&self, key: u64) -> Option<(u64, u32)> {
        let mut of_key = self.by_key.range((key, 0)..=(key, u64::MAX));
        of_key
            .next()
            .map(|((_, sequence), slot)| (*sequence, *slot))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{Purpose, Seed, StreamKey};
    use rand::RngExt;

    fn spot(sequence: u64, key: u64) -> Spot {
        Spot {
            sequence,
            priority: 0,
            key,
        }
    }

    fn filled(keys: &[u64]) -> Groups {
        let mut groups = Groups::new();
        for (slot, key) in (0_u32..).zip(keys) {
            groups.push(slot, spot(u64::from(slot), *key));
        }
        groups
    }

    #[test]
    fn a_key_is_locked_while_any_of_its_messages_is_out() {
        let mut groups = filled(&[7, 7, 8, 7]);
        assert_eq!(groups.pop(), Some(0));
        assert_eq!(groups.pop_same(7), Some(1));
        assert_eq!((groups.pop(), groups.pop()), (Some(2), None));
        assert_eq!(groups.pop_same(8), None, "nothing of it waits");
        groups.release(7);
        assert!(!groups.is_ready(), "one is still out");
        groups.release(7);
        assert_eq!(groups.pop(), Some(3));
    }

    #[test]
    fn what_comes_back_is_ahead_of_its_key() {
        let mut groups = filled(&[7, 7, 8]);
        assert_eq!(groups.pop(), Some(0));
        groups.push(0, spot(0, 7));
        groups.release(7);
        assert_eq!((groups.pop(), groups.pop()), (Some(0), Some(2)));
    }

    #[test]
    fn retention_sees_locked_keys_and_locks_none() {
        let mut groups = filled(&[7, 7, 8]);
        assert_eq!(groups.pop(), Some(0));
        assert_eq!(groups.oldest(), Some(1));
        assert_eq!(groups.pop_oldest(), Some(1));
        assert_eq!(groups.pop_oldest(), Some(2));
        groups.push(3, spot(3, 8));
        assert_eq!(groups.pop(), Some(3), "8 was never locked");
        assert_eq!(groups.pop(), None);
    }

    #[test]
    fn a_key_of_which_nothing_is_left_takes_no_memory() {
        let mut groups = filled(&[7, 8]);
        assert_eq!(groups.pop(), Some(0));
        assert_eq!(groups.remove(spot(1, 8)), Some(1));
        groups.release(7);
        assert!(groups.by_key.is_empty() && groups.by_sequence.is_empty());
        assert!(groups.out.is_empty() && groups.heads.is_empty());
    }

    /// The same by looking through lists: those that wait, in order, and the keys that are out.
    #[derive(Default)]
    struct Plain {
        waiting: Vec<(u32, Spot)>,
        out: Vec<(u32, Spot)>,
    }

    impl Plain {
        fn next(&self) -> Option<usize> {
            let locked = |key| self.out.iter().any(|(_, spot)| spot.key == key);
            self.waiting.iter().position(|(_, spot)| !locked(spot.key))
        }

        fn join(&mut self, slot: u32, spot: Spot) {
            self.waiting.push((slot, spot));
            self.waiting.sort_by_key(|(_, spot)| spot.sequence);
        }

        fn go_out(&mut self, at: Option<usize>) -> Option<u32> {
            let gone = self.waiting.remove(at?);
            self.out.push(gone);
            Some(gone.0)
        }
    }

    #[test]
    fn any_mix_of_calls_agrees_with_plain_lists() {
        let mut dice = StreamKey::named(Seed(2), 0, "dice", Purpose::Choice).stream();
        let (mut groups, mut plain) = (Groups::new(), Plain::default());
        for step in 0..40_000_u32 {
            match dice.random_range(0..9) {
                0..3 => {
                    let spot = spot(u64::from(step), dice.random_range(0..6));
                    groups.push(step, spot);
                    plain.join(step, spot);
                }
                3 => {
                    let next = plain.next();
                    assert_eq!(groups.pop(), plain.go_out(next));
                }
                4 if !plain.out.is_empty() => {
                    let key = plain.out[dice.random_range(0..plain.out.len())].1.key;
                    let next = plain.waiting.iter().position(|(_, spot)| spot.key == key);
                    assert_eq!(groups.pop_same(key), plain.go_out(next));
                }
                5..7 if !plain.out.is_empty() => {
                    let at = dice.random_range(0..plain.out.len());
                    let (slot, spot) = plain.out.swap_remove(at);
                    if dice.random_bool(0.3) {
                        groups.push(slot, spot);
                        plain.join(slot, spot);
                    }
                    groups.release(spot.key);
                }
                7 if !plain.waiting.is_empty() => {
                    let at = dice.random_range(0..plain.waiting.len());
                    let (slot, spot) = plain.waiting.remove(at);
                    assert_eq!(groups.remove(spot), Some(slot));
                    assert_eq!(groups.remove(spot), None);
                }
                _ => {
                    let oldest = plain.waiting.first().map(|(slot, _)| *slot);
                    assert_eq!((groups.oldest(), groups.pop_oldest()), (oldest, oldest));
                    plain.waiting.drain(..plain.waiting.len().min(1));
                }
            }
            assert_eq!(groups.is_ready(), plain.next().is_some());
            let slots: Vec<u32> = plain.waiting.iter().map(|(slot, _)| *slot).collect();
            assert_eq!((groups.len(), groups.slots()), (slots.len(), slots));
        }
    }
}
