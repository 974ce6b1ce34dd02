//! Which messages a queue has accepted lately (the deduplication window of SQS FIFO, rule G2).
//!
//! Not whether the message is still there: a window outlives the deletion of its message.

use std::collections::{BTreeSet, VecDeque};

use crate::units::{SimDuration, SimTime};

/// The identities accepted within the last window.
#[derive(Clone, Debug)]
pub struct Dedup {
    window: SimDuration,
    accepted: BTreeSet<u64>,
    /// The same by time, to forget them.
    by_time: VecDeque<(SimTime, u64)>,
}

impl Dedup {
    /// Nothing is accepted yet; each accepted identity is remembered for `window`.
    pub fn new(window: SimDuration) -> Self {
        Self {
            window,
            accepted: BTreeSet::new(),
            by_time: VecDeque::new(),
        }
    }

    /// Whether the identity was not accepted within the last window, the instant exactly a window
    /// ago not counted. If so it is accepted now; if not, its window goes on from the first send.
    /// Time never goes back from one call to the next.
    pub fn is_new(&mut self, now: SimTime, identity: u64) -> bool {
        while let Some((then, old)) = self.by_time.front() {
            if now.since(*then) < self.window {
                break;
            }
            self.accepted.remove(old);
            self.by_time.pop_front();
        }
        let is_new = self.accepted.insert(identity);
        if is_new {
            self.by_time.push_back((now, identity));
        }
        is_new
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answers<const N: usize>(dedup: &mut Dedup, sends: [(u64, u64); N]) -> [bool; N] {
        sends.map(|(at, identity)| dedup.is_new(SimTime::from_nanos(at), identity))
    }

    #[test]
    fn the_window_counts_from_the_first_accepted_send() {
        let mut dedup = Dedup::new(SimDuration::from_nanos(10));
        let seen = answers(
            &mut dedup,
            [(0, 1), (5, 1), (9, 1), (9, 2), (10, 1), (19, 1), (20, 1)],
        );
        assert_eq!(seen, [true, false, false, true, true, false, true]);
    }

    #[test]
    fn only_the_window_is_remembered() {
        let mut dedup = Dedup::new(SimDuration::from_nanos(10));
        for identity in 0..1_000 {
            assert!(dedup.is_new(SimTime::from_nanos(identity), identity));
            assert!(dedup.accepted.len() <= 10);
            assert!(dedup.by_time.len() <= 10);
        }
    }

    #[test]
    fn a_window_of_no_time_drops_nothing() {
        let mut dedup = Dedup::new(SimDuration::ZERO);
        assert_eq!(answers(&mut dedup, [(3, 1), (3, 1)]), [true, true]);
    }
}
