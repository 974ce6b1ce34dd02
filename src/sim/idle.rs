//! Which handlers of a fleet are idle: a set of small numbers whose least is found at once.
//!
//! Not a queue of handlers: the lowest number works first, so that it does not depend on history
//! who takes a message.

/// A set of numbers below a bound: levels of bits, each bit saying whether a word of the level
/// below it has any. Up to 64 numbers are one word.
#[derive(Clone, Debug)]
pub(super) struct IdleSet {
    top: u64,
    /// The levels below it, the lowest first.
    levels: Vec<Vec<u64>>,
}

impl IdleSet {
    /// An empty set of numbers below `bound`.
    pub(super) fn new(bound: u32) -> Self {
        let mut levels = Vec::new();
        let mut words = (bound as usize).div_ceil(64);
        while words > 1 {
            levels.push(vec![0; words]);
            words = words.div_ceil(64);
        }
        Self { top: 0, levels }
    }

    /// Puts a number in.
    #[inline(always)]
    pub(super) fn insert(&mut self, number: u32) {
        if self.levels.is_empty() {
            self.top |= 1 << (number % 64);
        } else {
            self.insert_below(number);
        }
    }

    fn insert_below(&mut self, number: u32) {
        let mut index = number as usize;
        for level in &mut self.levels {
            level[index / 64] |= 1 << (index % 64);
            index /= 64;
        }
        self.top |= 1 << (index % 64);
    }

    /// Takes a number out.
    #[inline(always)]
    pub(super) fn remove(&mut self, number: u32) {
        if self.levels.is_empty() {
            self.top &= !(1 << (number % 64));
        } else {
            self.remove_below(number);
        }
    }

    fn remove_below(&mut self, number: u32) {
        let mut index = number as usize;
        for level in &mut self.levels {
            level[index / 64] &= !(1 << (index % 64));
            if level[index / 64] != 0 {
                return;
            }
            index /= 64;
        }
        self.top &= !(1 << (index % 64));
    }

    /// The words of a level, the lowest first; the top is the last.
    fn level(&self, height: usize) -> &[u64] {
        self.levels
            .get(height)
            .map_or(std::slice::from_ref(&self.top), Vec::as_slice)
    }

    /// Whether a number is in it.
    #[inline]
    pub(super) fn contains(&self, number: u32) -> bool {
        let index = number as usize;
        self.level(0)[index / 64] >> (index % 64) & 1 == 1
    }

    /// The least number in it that is not below `least`.
    pub(super) fn first_from(&self, least: u32) -> Option<u32> {
        let mut index = least as usize;
        for height in 0..=self.levels.len() {
            let word = *self.level(height).get(index / 64)? & (u64::MAX << (index % 64));
            if word == 0 {
                index = index / 64 + 1;
                continue;
            }
            let mut found = index / 64 * 64 + word.trailing_zeros() as usize;
            for below in self.levels[..height].iter().rev() {
                found = found * 64 + below[found].trailing_zeros() as usize;
            }
            return Some(found as u32);
        }
        None
    }

    /// The least number in it.
    #[inline(always)]
    pub(super) fn first(&self) -> Option<u32> {
        if self.top == 0 {
            return None;
        }
        if self.levels.is_empty() {
            return Some(self.top.trailing_zeros());
        }
        Some(self.first_below())
    }

    fn first_below(&self) -> u32 {
        let mut index = self.top.trailing_zeros() as usize;
        for level in self.levels.iter().rev() {
            index = index * 64 + level[index].trailing_zeros() as usize;
        }
        index as u32
    }
}

#[cfg(test)]
mod tests {
    use super::IdleSet;

    #[test]
    fn gives_the_least() {
        for bound in [1, 64, 65, 5_000, 300_000] {
            let mut set = IdleSet::new(bound);
            assert_eq!(set.first(), None);
            let numbers: Vec<u32> = (0..bound).step_by(1.max(bound as usize / 97)).collect();
            numbers.iter().rev().for_each(|n| set.insert(*n));
            for pair in numbers.windows(2) {
                assert_eq!(set.first_from(pair[0] + 1), Some(pair[1]), "bound {bound}");
                assert!(set.contains(pair[0]) && set.first_from(pair[0]) == Some(pair[0]));
            }
            assert_eq!(set.first_from(numbers[numbers.len() - 1] + 1), None);
            for number in numbers {
                assert_eq!(set.first(), Some(number), "bound {bound}");
                set.remove(number);
            }
            assert_eq!(set.first(), None);
        }
    }
}
