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
    /// Since when it is measured, and when it last changed.
    since: SimTime,
    changed: Option<SimTime>,
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
        self.changed = Some(now);
        self.consumers.set(now, u64::from(to));
    }

    /// Forgets the past; the size stays.
    pub(in crate::sim) fn restart(&mut self, now: SimTime) {
        self.consumers.restart(now);
        (self.changes, self.reversals) = (0, 0);
        (self.since, self.changed) = (now, None);
    }

    /// When it last changed, if it then kept its size for the last quarter of the measured time at
    /// least; `None` where it never changed, or still does.
    pub(in crate::sim) fn settled_at(&self, now: SimTime) -> Option<SimTime> {
        let changed = self.changed?;
        let (kept, measured) = (now.since(changed), now.since(self.since));
        (4 * u128::from(kept.as_nanos()) >= u128::from(measured.as_nanos())).then_some(changed)
    }

    /// How far its peak lay above the size at which it settled, as a share of that; `None` where
    /// it did not settle, or has nobody left.
    pub(in crate::sim) fn overshoot(&self, now: SimTime) -> Option<f64> {
        self.settled_at(now)?;
        let (peak, settled) = (self.consumers.most() as f64, self.consumers.level() as f64);
        (settled > 0.0).then(|| (peak - settled) / settled)
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

    #[test]
    fn a_fleet_has_settled_when_it_kept_its_size_for_a_quarter_of_the_time() {
        let at = |seconds| SimTime::ZERO + SimDuration::from_secs(seconds);
        let mut sizes = Sizes::from(2);
        assert_eq!(sizes.settled_at(at(100)), None, "it never changed");
        sizes.change(at(600), 2, 10);
        sizes.change(at(900), 10, 8);
        assert_eq!(sizes.settled_at(at(1_199)), None);
        assert_eq!(sizes.overshoot(at(1_199)), None);
        // At 1,200 s it has had 8 for 300 s: a quarter. Its peak of 10 was a quarter too many.
        assert_eq!(sizes.settled_at(at(1_200)), Some(at(900)));
        assert_eq!(sizes.overshoot(at(1_200)), Some(0.25));
        sizes.change(at(1_200), 8, 0);
        assert_eq!(sizes.overshoot(at(9_000)), None, "nobody is left");
        assert_eq!(sizes.settled_at(at(9_000)), Some(at(1_200)));
        // Measured anew from 10,000 s on, with nobody: what was is forgotten.
        sizes.restart(at(10_000));
        assert_eq!(sizes.settled_at(at(20_000)), None);
    }
}
