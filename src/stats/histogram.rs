//! A histogram of times with a bounded relative error: log-linear buckets, mergeable, a nanosecond
//! or so for each record.
//!
//! Not a list of values: its size does not grow with the run. Mean, count, and extremes are exact;
//! quantiles are interpolated within a bucket that is less than 0.4 % wide.

use crate::units::SimDuration;

/// Each power of two is split into this many buckets (as a power of two).
const BITS: u32 = 8;
const PER_OCTAVE: u64 = 1 << BITS;

/// Counts of durations by bucket.
#[derive(Clone, Debug)]
pub struct Histogram {
    /// Zeros are counted apart: most waits and nearly all latencies of a healthy queue are zero.
    zeros: u64,
    buckets: Vec<u64>,
    count: u64,
    sum: u128,
    most: u64,
    least: u64,
}

impl Default for Histogram {
    fn default() -> Self {
        Self {
            zeros: 0,
            buckets: Vec::new(),
            count: 0,
            sum: 0,
            most: 0,
            least: u64::MAX,
        }
    }
}

/// Values below `PER_OCTAVE` have a bucket each; above, the top `BITS` bits after the leading one
/// choose the bucket.
#[inline]
fn bucket_of(value: u64) -> usize {
    let shift = (value | PER_OCTAVE).ilog2() - BITS;
    (u64::from(shift) * PER_OCTAVE + (value >> shift)) as usize
}

/// The smallest value of a bucket, and how many values it holds.
fn bounds_of(bucket: usize) -> (u64, u64) {
    let bucket = bucket as u64;
    let shift = (bucket >> BITS).saturating_sub(1);
    ((bucket - (shift << BITS)) << shift, 1 << shift)
}

impl Histogram {
    /// Records a duration.
    #[inline(always)]
    pub fn record(&mut self, value: SimDuration) {
        if value.is_zero() {
            self.zeros += 1;
        } else {
            self.record_some(value.as_nanos());
        }
    }

    #[inline(always)]
    fn record_some(&mut self, value: u64) {
        let bucket = bucket_of(value);
        match self.buckets.get_mut(bucket) {
            Some(held) => *held += 1,
            None => self.first_of(bucket),
        }
        self.count += 1;
        self.sum += u128::from(value);
        // Branches, since new extremes are rare.
        if value > self.most {
            self.most = value;
        }
        if value < self.least {
            self.least = value;
        }
    }

    #[cold]
    fn first_of(&mut self, bucket: usize) {
        self.buckets.resize(bucket + PER_OCTAVE as usize, 0);
        self.buckets[bucket] = 1;
    }

    /// The same with as many records more of one value as are missing to this count.
    #[must_use]
    pub fn filled_to(&self, count: u64, value: SimDuration) -> Self {
        let mut filled = self.clone();
        let missing = count - self.count();
        if missing == 0 {
            return filled;
        }
        filled.record(value);
        if value.is_zero() {
            filled.zeros += missing - 1;
        } else {
            let nanos = value.as_nanos();
            filled.buckets[bucket_of(nanos)] += missing - 1;
            filled.count += missing - 1;
            filled.sum += u128::from(nanos) * u128::from(missing - 1);
        }
        filled
    }

    /// How many were recorded.
    pub fn count(&self) -> u64 {
        self.zeros + self.count
    }

    /// Their sum in nanoseconds.
    pub fn sum(&self) -> u128 {
        self.sum
    }

    /// Their mean in seconds.
    pub fn mean(&self) -> Option<f64> {
        (self.count() > 0).then(|| self.sum as f64 / self.count() as f64 / 1e9)
    }

    /// The longest, in seconds.
    pub fn max(&self) -> Option<f64> {
        (self.count() > 0).then(|| self.most as f64 / 1e9)
    }

    /// The `p` quantile in seconds: the value below or at which a share `p` lies (the lower one
    /// when two qualify), interpolated within its bucket.
    pub fn quantile(&self, p: f64) -> Option<f64> {
        let count = self.count();
        if count == 0 {
            return None;
        }
        let rank = ((p * count as f64).ceil() as u64).clamp(1, count);
        if rank <= self.zeros {
            return Some(0.0);
        }
        let mut below = self.zeros;
        for (bucket, held) in self.buckets.iter().enumerate() {
            if below + held >= rank {
                let (low, width) = bounds_of(bucket);
                let within = (rank - below) as f64 - 0.5;
                let value = low as f64 + (width - 1) as f64 * within / *held as f64;
                return Some(value.clamp(self.least as f64, self.most as f64) / 1e9);
            }
            below += held;
        }
        self.max()
    }

    /// Adds all of another histogram.
    pub fn merge(&mut self, other: &Self) {
        if self.buckets.len() < other.buckets.len() {
            self.buckets.resize(other.buckets.len(), 0);
        }
        for (mine, theirs) in self.buckets.iter_mut().zip(&other.buckets) {
            *mine += theirs;
        }
        self.zeros += other.zeros;
        self.least = self.least.min(other.least);
        self.most = self.most.max(other.most);
        self.count += other.count;
        self.sum += other.sum;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_tile_the_line() {
        let mut next = 0;
        for bucket in 0..bucket_of(1 << 40) {
            let (low, width) = bounds_of(bucket);
            assert_eq!(low, next, "bucket {bucket}");
            assert_eq!(bucket_of(low), bucket);
            assert_eq!(bucket_of(low + width - 1), bucket);
            next = low + width;
        }
        assert!(bucket_of(u64::MAX) < 20_000);
    }

    #[test]
    fn quantiles_are_within_the_bucket() {
        let mut histogram = Histogram::default();
        (1..=1_000_000).for_each(|v| histogram.record(SimDuration::from_nanos(v * 1_000)));
        for p in [0.001, 0.5, 0.9, 0.99, 0.999] {
            let seen = histogram.quantile(p).expect("recorded");
            assert!((seen / p - 1.0).abs() < 1e-3, "{p}: {seen}");
        }
        assert_eq!(histogram.max(), Some(1.0));
    }

    #[test]
    fn filling_is_recording_again_and_again() {
        for value in [SimDuration::ZERO, SimDuration::from_millis(40)] {
            let mut histogram = Histogram::default();
            histogram.record(SimDuration::from_millis(3));
            let filled = histogram.filled_to(8, value);
            (1..8).for_each(|_| histogram.record(value));
            assert_eq!(format!("{filled:?}"), format!("{histogram:?}"));
            assert_eq!(histogram.filled_to(8, value).count(), 8);
        }
    }

    #[test]
    fn merging_halves_gives_the_whole() {
        let (mut odd, mut even, mut whole) = (
            Histogram::default(),
            Histogram::default(),
            Histogram::default(),
        );
        for v in (0..10_000).map(|v| SimDuration::from_nanos(v * v)) {
            whole.record(v);
            if v.as_nanos() % 2 == 0 {
                even.record(v);
            } else {
                odd.record(v);
            }
        }
        even.merge(&odd);
        assert_eq!(even.quantile(0.9), whole.quantile(0.9));
        assert_eq!((even.sum(), even.count()), (whole.sum(), whole.count()));
    }
}
