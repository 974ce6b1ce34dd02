//! In which order messages are completed, and which is the newest applied of each key (rule F4).
//!
//! Not the order in which they are delivered: that is the line's.

use std::collections::BTreeMap;

/// The highest sequences completed and applied so far.
#[derive(Clone, Debug, Default)]
pub struct Progress {
    highest: Option<u64>,
    highest_of_key: BTreeMap<u64, u64>,
    applied: BTreeMap<u64, u64>,
}

/// Whether a completion comes in the order of publishing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// No message of a higher sequence was completed before.
    InOrder,
    /// At least one was.
    Overtaken,
}

/// How a completion stands in the order of publishing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turns {
    /// Among all messages.
    pub overall: Turn,
    /// Among the messages of its key; in order when it has none.
    pub of_key: Turn,
}

/// What a version guard thinks of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Version {
    /// None newer of its key has been applied; now this one has.
    Newest,
    /// A newer one of its key has been applied, and stays the newest.
    Stale,
}

impl Progress {
    /// Nothing is completed yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// A message is completed. Completing the highest one again is in order.
    pub fn observe(&mut self, sequence: u64, key: Option<u64>) -> Turns {
        let highest = self.highest.get_or_insert(sequence);
        let overall = Turn::after(highest, sequence);
        let of_key = key.map_or(Turn::InOrder, |key| {
            let highest = self.highest_of_key.entry(key).or_insert(sequence);
            Turn::after(highest, sequence)
        });
        Turns { overall, of_key }
    }

    /// A message of a key is about to be applied under a version guard. Applying the newest one
    /// again is not stale.
    pub fn applied(&mut self, key: u64, sequence: u64) -> Version {
        let newest = self.applied.entry(key).or_insert(sequence);
        match Turn::after(newest, sequence) {
            Turn::InOrder => Version::Newest,
            Turn::Overtaken => Version::Stale,
        }
    }
}

impl Turn {
    /// How `sequence` comes after the highest so far, which it may raise.
    fn after(highest: &mut u64, sequence: u64) -> Self {
        if sequence < *highest {
            return Self::Overtaken;
        }
        *highest = sequence;
        Self::InOrder
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Turn::{InOrder, Overtaken};

    #[test]
    fn order_is_kept_overall_and_by_key_apart() {
        let mut progress = Progress::new();
        let completions = [
            (0, Some(7), InOrder, InOrder),
            (3, Some(8), InOrder, InOrder),
            (1, Some(7), Overtaken, InOrder),
            (2, Some(8), Overtaken, Overtaken),
            (3, Some(8), InOrder, InOrder),
            (2, None, Overtaken, InOrder),
            (4, None, InOrder, InOrder),
        ];
        for (sequence, key, overall, of_key) in completions {
            let turns = progress.observe(sequence, key);
            assert_eq!(turns, Turns { overall, of_key }, "{sequence} of {key:?}");
        }
    }

    #[test]
    fn the_guard_remembers_the_newest_applied_of_each_key() {
        let mut progress = Progress::new();
        assert_eq!(progress.applied(7, 5), Version::Newest);
        assert_eq!(progress.applied(7, 4), Version::Stale);
        assert_eq!(progress.applied(8, 4), Version::Newest);
        assert_eq!(progress.applied(7, 5), Version::Newest, "no older than it");
        assert_eq!(progress.applied(7, 6), Version::Newest);
        assert_eq!(progress.applied(7, 5), Version::Stale);
    }

    #[test]
    fn completing_is_not_applying() {
        let mut progress = Progress::new();
        progress.observe(9, Some(7));
        assert_eq!(progress.applied(7, 5), Version::Newest);
    }
}
