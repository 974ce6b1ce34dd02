//! How many consumers a fleet has over time, and how often it changed its mind.
//!
//! Not how many of them work.

use std::cmp::Ordering;

use crate::stats::Gauge;
use crate::units::SimTime;

/// The sizes of a fleet.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::sim) struct Sizes {
    /// Consumers wanted, those that start up included.
    pub(in crate::sim) consumers: Gauge,
    /// Changes of size.
    pub(in crate::sim) changes: u64,
    /// Changes in the other direction than the one before.
    pub(in crate::sim) reversals: u64,
    last: Option<Ordering>,
}

impl Sizes {
    /// A fleet that begins with so many.
    pub(in crate::sim) fn from(count: u32) -> Self {
        let mut sizes = Self::default();
        sizes.consumers.set(SimTime::ZERO, u64::from(count));
        sizes
    }

    /// It is to have so many from now on.
    pub(in crate::sim) fn change(&mut self, now: SimTime, from: u32, to: u32) {
        let direction = to.cmp(&from);
        self.changes += 1;
        self.reversals += u64::from(self.last.is_some_and(|last| last != direction));
        self.last = Some(direction);
        self.consumers.set(now, u64::from(to));
    }

    /// Forgets the past; the size stays.
    pub(in crate::sim) fn restart(&mut self, now: SimTime) {
        self.consumers.restart(now);
        (self.changes, self.reversals) = (0, 0);
    }

    /// Hours of consumers up to `now`.
    pub(in crate::sim) fn consumer_hours(&self, now: SimTime) -> f64 {
        self.consumers.area(now) as f64 / 3_600e9
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::units::SimDuration;

    #[test]
    fn hours_and_reversals_are_counted() {
        let at = |seconds| SimTime::ZERO + SimDuration::from_secs(seconds);
        let mut sizes = Sizes::from(2);
        sizes.change(at(1_800), 2, 6);
        sizes.change(at(3_600), 6, 8);
        sizes.change(at(5_400), 8, 4);
        assert_eq!((sizes.changes, sizes.reversals), (3, 1));
        // Half an hour each of 2, 6, 8 and 4.
        assert!((sizes.consumer_hours(at(7_200)) - 10.0).abs() < 1e-12);
    }
}
