//! A line of slots, first come, first served: a ring of a power of two of places, so that going
//! around is a mask.
//!
//! Not a `VecDeque`, which goes around by comparing, and whose joining is a call: together they
//! cost a plain queue twenty instructions a message more.

/// The line.
#[derive(Clone, Debug, Default)]
pub(super) struct Ring {
    /// None, or a power of two.
    places: Vec<u32>,
    head: usize,
    len: usize,
}

/// How many places there are at first.
const FIRST: usize = 16;

impl Ring {
    /// The place of the `nth` in line.
    #[inline(always)]
    fn place(&self, nth: usize) -> usize {
        self.head.wrapping_add(nth) & self.places.len().wrapping_sub(1)
    }

    /// Joins at the end.
    #[inline(always)]
    pub(super) fn push_back(&mut self, slot: u32) {
        if self.len == self.places.len() {
            self.grow();
        }
        let place = self.place(self.len);
        self.places[place] = slot;
        self.len += 1;
    }

    /// Joins at the front.
    pub(super) fn push_front(&mut self, slot: u32) {
        if self.len == self.places.len() {
            self.grow();
        }
        self.head = self.place(usize::MAX);
        self.places[self.head] = slot;
        self.len += 1;
    }

    /// The first leaves.
    #[inline(always)]
    pub(super) fn pop_front(&mut self) -> Option<u32> {
        let slot = self.front()?;
        self.head = self.place(1);
        self.len -= 1;
        Some(slot)
    }

    /// The first.
    #[inline(always)]
    pub(super) fn front(&self) -> Option<u32> {
        if self.len == 0 {
            return None;
        }
        self.places.get(self.head).copied()
    }

    /// All, the first first.
    pub(super) fn iter(&self) -> impl Iterator<Item = u32> {
        (0..self.len).map(|nth| self.places[self.place(nth)])
    }

    /// Twice the places, in order from the first.
    #[inline(never)]
    fn grow(&mut self) {
        let most = (2 * self.len).max(FIRST);
        let mut places = Vec::with_capacity(most);
        places.extend(self.iter());
        places.resize(most, 0);
        self.places = places;
        self.head = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::Ring;
    use std::collections::VecDeque;

    /// Against `VecDeque`, through several turns and doublings, also when joined at the front.
    #[test]
    fn is_a_line() {
        let (mut ring, mut line) = (Ring::default(), VecDeque::new());
        for step in 0..5_000_u32 {
            if step % 97 == 0 {
                ring.push_front(step);
                line.push_front(step);
            }
            if step % 2_000 < 1_200 || step % 3 == 0 {
                ring.push_back(step);
                line.push_back(step);
            } else {
                assert_eq!(ring.pop_front(), line.pop_front());
            }
            assert_eq!(ring.front(), line.front().copied());
        }
        assert!(ring.iter().eq(line.iter().copied()));
        while let Some(first) = line.pop_front() {
            assert_eq!(ring.pop_front(), Some(first));
        }
        assert_eq!(ring.pop_front(), None);
    }
}
