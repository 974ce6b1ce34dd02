//! A slab whose slots are used again, each time as another generation: a reference to something
//! of the past is known to be stale.
//!
//! Not a table: those have a row for each component, from the start.

use std::marker::PhantomData;

/// A slot, and which use of it. `K` says of what, so that a call is not looked up as a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::sim) struct Ref<K> {
    slot: u32,
    generation: u32,
    of: PhantomData<K>,
}

/// All things of a kind that are there.
#[derive(Debug)]
pub(super) struct Slab<K, T> {
    slots: Vec<(u32, Option<T>)>,
    free: Vec<u32>,
    of: PhantomData<K>,
}

impl<K, T> Default for Slab<K, T> {
    fn default() -> Self {
        Self {
            slots: Vec::new(),
            free: Vec::new(),
            of: PhantomData,
        }
    }
}

impl<K: Copy, T> Slab<K, T> {
    /// Keeps something.
    pub(super) fn insert(&mut self, it: T) -> Ref<K> {
        let slot = self.free.pop().unwrap_or_else(|| {
            self.slots.push((0, None));
            (self.slots.len() - 1) as u32
        });
        let (generation, held) = &mut self.slots[slot as usize];
        *held = Some(it);
        Ref {
            slot,
            generation: *generation,
            of: PhantomData,
        }
    }

    /// What is meant, unless it is no more.
    pub(super) fn get(&self, id: Ref<K>) -> Option<&T> {
        let (generation, held) = &self.slots[id.slot as usize];
        held.as_ref().filter(|_| *generation == id.generation)
    }

    /// The same, to change.
    pub(super) fn get_mut(&mut self, id: Ref<K>) -> Option<&mut T> {
        let (generation, held) = &mut self.slots[id.slot as usize];
        held.as_mut().filter(|_| *generation == id.generation)
    }

    /// Takes it out, unless it is no more.
    pub(super) fn remove(&mut self, id: Ref<K>) -> Option<T> {
        let (generation, held) = &mut self.slots[id.slot as usize];
        if *generation != id.generation {
            return None;
        }
        let it = held.take()?;
        *generation = generation.wrapping_add(1);
        self.free.push(id.slot);
        Some(it)
    }

    /// All that are there.
    pub(super) fn iter(&self) -> impl Iterator<Item = &T> {
        self.slots.iter().filter_map(|(_, held)| held.as_ref())
    }

    /// How many are there.
    pub(super) fn len(&self) -> u64 {
        (self.slots.len() - self.free.len()) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reference_to_the_past_is_stale() {
        let mut slab: Slab<(), u32> = Slab::default();
        let first = slab.insert(1);
        assert_eq!((slab.remove(first), slab.len()), (Some(1), 0));
        let second = slab.insert(2);
        assert_eq!(slab.get(first), None);
        assert_eq!(slab.remove(first), None);
        assert_eq!((slab.get(second), slab.len()), (Some(&2), 1));
        assert_eq!(first.slot, second.slot);
    }
}
