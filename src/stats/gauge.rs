//! Levels over time: how many, weighted by how long.
//!
//! Not observations: those are tallied in a [`Histogram`](super::Histogram).

use crate::units::SimTime;

/// A whole-number level that changes in steps.
///
/// Its integral up to `t` is `t · level − Σ (instant · change)` over all changes: so a change costs
/// one addition, and the arithmetic wraps without harm until the end.
#[derive(Clone, Copy, Debug, Default)]
pub struct Gauge {
    level: u64,
    most: u64,
    /// Instants times changes since the last restart, which counts as a change from zero.
    moments: u128,
}

impl Gauge {
    /// The level now.
    #[inline]
    pub fn level(&self) -> u64 {
        self.level
    }

    /// The highest level since the last restart.
    pub fn most(&self) -> u64 {
        self.most
    }

    /// The level changes at `now`.
    #[inline]
    pub fn set(&mut self, now: SimTime, level: u64) {
        if level >= self.level {
            self.rise(now, level - self.level);
        } else {
            self.fall(now, self.level - level);
        }
    }

    /// The level goes up by `by`.
    #[inline]
    pub fn rise(&mut self, now: SimTime, by: u64) {
        self.level += by;
        self.most = self.most.max(self.level);
        self.moments = self
            .moments
            .wrapping_add(u128::from(now.as_nanos()) * u128::from(by));
    }

    /// The level goes down by `by`.
    #[inline]
    pub fn fall(&mut self, now: SimTime, by: u64) {
        self.level -= by;
        self.moments = self
            .moments
            .wrapping_sub(u128::from(now.as_nanos()) * u128::from(by));
    }

    /// Forgets the past; the level stays.
    pub fn restart(&mut self, now: SimTime) {
        self.most = self.level;
        self.moments = u128::from(now.as_nanos()) * u128::from(self.level);
    }

    /// The level integrated from the last restart to `now`, in nanoseconds.
    pub fn area(&self, now: SimTime) -> u128 {
        (u128::from(now.as_nanos()) * u128::from(self.level)).wrapping_sub(self.moments)
    }
}

/// The age of something that is replaced by something younger from time to time: it grows with the
/// clock while there is something, and is zero while there is nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct AgeGauge {
    born: Option<SimTime>,
    since: SimTime,
    /// Twice the integral of the age, in square nanoseconds.
    double_area: u128,
    most: u64,
}

impl AgeGauge {
    /// What is oldest changes at `now`; `born` is its birth, `None` when there is nothing.
    #[inline(always)]
    pub fn set(&mut self, now: SimTime, born: Option<SimTime>) {
        self.settle(now);
        self.born = born;
    }

    #[inline(always)]
    fn settle(&mut self, now: SimTime) {
        if let Some(born) = self.born {
            let (from, to) = (
                self.since.since(born).as_nanos(),
                now.since(born).as_nanos(),
            );
            // In two products of 64 bits each: their sum may need 65.
            let step = u128::from(to - from);
            self.double_area += step * u128::from(to) + step * u128::from(from);
            self.most = self.most.max(to);
        }
        self.since = now;
    }

    /// The age at `now`, in nanoseconds.
    pub fn age(&self, now: SimTime) -> u64 {
        self.born.map_or(0, |born| now.since(born).as_nanos())
    }

    /// Forgets the past; what is oldest stays.
    pub fn restart(&mut self, now: SimTime) {
        *self = Self {
            born: self.born,
            since: now,
            double_area: 0,
            most: self.age(now),
        };
    }

    /// The mean age over the `span` nanoseconds up to `now`, and the highest, both in seconds.
    pub fn mean_and_most(&self, now: SimTime, span: u64) -> (f64, f64) {
        let mut settled = *self;
        settled.settle(now);
        let mean = if span == 0 {
            0.0
        } else {
            settled.double_area as f64 / 2.0 / span as f64 / 1e9
        };
        (mean, settled.most as f64 / 1e9)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(nanos: u64) -> SimTime {
        SimTime::from_nanos(nanos)
    }

    #[test]
    fn a_level_is_weighted_by_time() {
        let mut gauge = Gauge::default();
        gauge.rise(at(10), 3);
        gauge.fall(at(20), 2);
        assert_eq!(
            (gauge.area(at(40)), gauge.most(), gauge.level()),
            (50, 3, 1)
        );
        gauge.restart(at(40));
        assert_eq!((gauge.area(at(45)), gauge.most()), (5, 1));
    }

    #[test]
    fn an_age_is_a_sawtooth() {
        let mut gauge = AgeGauge::default();
        gauge.set(at(0), Some(at(0)));
        gauge.set(at(10), Some(at(8)));
        gauge.set(at(20), None);
        // Triangle of 10 (area 50), then from 2 to 12 over 10 (area 70), then nothing for 10.
        let (mean, most) = gauge.mean_and_most(at(30), 30);
        assert!((mean * 1e9 - 4.0).abs() < 1e-9 && (most * 1e9 - 12.0).abs() < 1e-9);
    }
}
