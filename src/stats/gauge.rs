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
        // A branch, since a new highest level is rare.
        if self.level > self.most {
            self.most = self.level;
        }
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

/// The age of something that is replaced by something else from time to time: it grows with the
/// clock while there is something, and is zero while there is nothing. What it is need be known
/// only when it is replaced.
///
/// Twice the integral of the age of what was born at `b`, from `s` to `t`, is
/// `(t² - s²) - 2 b (t - s)`: the squares cancel from one to the next, and only the second part is
/// summed at each change. In 128 bits, whose arithmetic wraps without harm until the end.
#[derive(Clone, Copy, Debug, Default)]
pub struct AgeGauge {
    /// Up to when the past has been accounted for.
    since: SimTime,
    /// The squares of ends less those of beginnings of the times when there was something, without
    /// the last end.
    squares: u128,
    /// Births, each times how long it counted.
    births: u128,
    most: u64,
}

fn square(instant: SimTime) -> u128 {
    u128::from(instant.as_nanos()) * u128::from(instant.as_nanos())
}

impl AgeGauge {
    /// There was nothing up to `now`, and there is something from now on.
    #[inline(always)]
    pub fn start(&mut self, now: SimTime) {
        let change = square(self.since).wrapping_sub(square(now));
        self.squares = self.squares.wrapping_add(change);
        self.since = now;
    }

    /// Up to `now` there was something that was born at `born`.
    #[inline(always)]
    pub fn settle(&mut self, now: SimTime, born: SimTime) {
        let step = u128::from(now.since_past(self.since).as_nanos());
        let births = u128::from(born.as_nanos()) * step;
        self.births = self.births.wrapping_add(births);
        let age = now.since_past(born).as_nanos();
        if age > self.most {
            self.most = age;
        }
        self.since = now;
    }

    /// Twice the integral of the age, in square nanoseconds.
    fn double_area(&self) -> u128 {
        let squares = self.squares.wrapping_add(square(self.since));
        squares.wrapping_sub(self.births.wrapping_mul(2))
    }

    /// Forgets the past.
    pub fn restart(&mut self, now: SimTime) {
        *self = Self::default();
        self.start(now);
    }

    /// The mean age over the `span` nanoseconds up to `now`, and the highest, both in seconds;
    /// `born` is the birth of what there is now.
    pub fn mean_and_most(&self, now: SimTime, span: u64, born: Option<SimTime>) -> (f64, f64) {
        let mut settled = *self;
        if let Some(born) = born {
            settled.settle(now, born);
        }
        let mean = if span == 0 {
            0.0
        } else {
            settled.double_area() as f64 / 2.0 / span as f64 / 1e9
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
        gauge.start(at(0));
        gauge.settle(at(10), at(0));
        gauge.settle(at(20), at(8));
        // Triangle of 10 (area 50), then from 2 to 12 over 10 (area 70), then nothing for 10.
        let (mean, most) = gauge.mean_and_most(at(30), 30, None);
        assert!((mean * 1e9 - 4.0).abs() < 1e-9 && (most * 1e9 - 12.0).abs() < 1e-9);
        // Something that was born at 25 and is still there.
        gauge.start(at(25));
        let (mean, _) = gauge.mean_and_most(at(31), 31, Some(at(25)));
        assert!((mean * 1e9 * 31.0 - 138.0).abs() < 1e-6, "{mean}");
    }
}
