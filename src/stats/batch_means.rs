//! Batch means: an interval from one long run whose observations depend on each other, in
//! constant memory and without knowing beforehand how long the run will be.
//!
//! Not for a run that is on its way somewhere: batches of a transient differ because it moves.
//!
//! A run is kept as 40 to 79 batches of equal length; when there are 80, neighbours are joined and
//! the length doubles. In the end neighbours are joined once more, to 20 to 29 batches: the
//! longest that leave enough of them. Instead of growing the length until the correlation of
//! neighbouring batches (lag 1) is no longer significant, the longest possible batches are taken
//! at once, and the correlation of those half or a third as long, which shows more clearly, says
//! whether that was enough. Percentiles: the share of a batch that lies below an estimated
//! percentile is a mean like any other; its interval, p ± h, is read backwards through the
//! distribution of the whole run (Bahadur 1966 for why, cited from memory).

use super::Histogram;
use super::confidence::{Interval, student};
use crate::units::SimDuration;

/// When there are so many batches, neighbours are joined.
const MOST: usize = 80;
/// Fewer batches than this say nothing.
const LEAST: usize = MOST / 2;
/// In the end there are fewer batches than this.
const FINAL: usize = 30;
/// So many observations must lie beyond a percentile for an interval of it.
const LEAST_BEYOND: f64 = 100.0;
/// The one-sided 5 % point of the normal law.
const Z_95_ONE_SIDED: f64 = 1.644_853_626_951_472;

/// Whether neighbouring batches depend on each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Neighbours {
    /// Not visibly: the interval may be believed.
    Independent,
    /// They do: the interval is too narrow, and the run too short.
    Correlated,
}

/// Batches of equal length, joined by two whenever there are too many.
#[derive(Clone, Debug)]
pub struct Batches<T> {
    done: Vec<T>,
    /// How many of the first batches make one of these: a power of two.
    length: u64,
}

impl<T> Default for Batches<T> {
    fn default() -> Self {
        Self {
            done: Vec::new(),
            length: 1,
        }
    }
}

impl<T> Batches<T> {
    /// The length of each batch, in units of the first.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// The complete batches, in order.
    pub fn done(&self) -> &[T] {
        &self.done
    }

    /// Adds a batch of the present length; whether the length has doubled by that.
    pub fn push(&mut self, batch: T, join: impl Fn(&mut T, &T)) -> bool {
        self.done.push(batch);
        if self.done.len() < MOST {
            return false;
        }
        for pair in self.done.chunks_exact_mut(2) {
            if let [first, second] = pair {
                join(first, second);
            }
        }
        let mut place = 0;
        self.done.retain(|_| {
            place += 1;
            place % 2 == 1
        });
        self.length *= 2;
        true
    }
}

/// The interval of the mean of batch values, and whether it may be believed; `None` when there are
/// too few batches. The latest batches are used when not all fit into groups of equal size.
pub fn interval(values: &[f64], level: f64) -> Option<(Interval, Neighbours)> {
    if values.len() < LEAST {
        return None;
    }
    let group = values.len() / FINAL + 1;
    let rest = values.len() % group;
    let means: Vec<f64> = values[rest..]
        .chunks_exact(group)
        .map(|group| group.iter().sum::<f64>() / group.len() as f64)
        .collect();
    Some((student(&means, level)?, neighbours(values)))
}

/// Tests the correlation of neighbours against none (Anderson 1942, cited from memory): one-sided,
/// at 5 %, since only a positive one makes an interval too narrow.
fn neighbours(values: &[f64]) -> Neighbours {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    let products: f64 = values
        .windows(2)
        .map(|pair| (pair[0] - mean) * (pair[1] - mean))
        .sum();
    let limit = (Z_95_ONE_SIDED * (n - 2.0).sqrt() - 1.0) / (n - 1.0);
    if squares > 0.0 && products / squares > limit {
        Neighbours::Correlated
    } else {
        Neighbours::Independent
    }
}

/// Each power of two is split into this many buckets (as a power of two).
const BITS: u32 = 4;

/// The bucket of a time: 6 % wide or less.
#[inline]
fn bucket_of(nanos: u64) -> usize {
    let shift = (nanos | 1 << BITS).ilog2() - BITS;
    ((u64::from(shift) << BITS) + (nanos >> shift)) as usize
}

/// What is kept of the times of one batch.
#[derive(Clone, Debug, Default)]
struct Tally {
    nanos: u128,
    /// By bucket.
    counts: Vec<u32>,
}

impl Tally {
    fn join(&mut self, later: &Self) {
        self.nanos += later.nanos;
        if self.counts.len() < later.counts.len() {
            self.counts.resize(later.counts.len(), 0);
        }
        for (mine, theirs) in self.counts.iter_mut().zip(&later.counts) {
            *mine += theirs;
        }
    }

    /// How many lie in buckets before this one.
    fn below(&self, bucket: usize) -> f64 {
        self.counts
            .iter()
            .take(bucket)
            .map(|count| f64::from(*count))
            .sum()
    }
}

/// Observed times in batches of equally many.
#[derive(Clone, Debug)]
pub struct TimeBatches {
    batches: Batches<Tally>,
    open: Tally,
    /// How many are missing from the open batch.
    left: u64,
}

impl Default for TimeBatches {
    fn default() -> Self {
        Self {
            batches: Batches::default(),
            open: Tally::default(),
            left: 1,
        }
    }
}

impl TimeBatches {
    /// Records a time.
    #[inline]
    pub fn record(&mut self, time: SimDuration) {
        let nanos = time.as_nanos();
        let bucket = bucket_of(nanos);
        if bucket >= self.open.counts.len() {
            self.open.counts.resize(bucket + 1, 0);
        }
        self.open.counts[bucket] += 1;
        self.open.nanos += u128::from(nanos);
        self.left -= 1;
        if self.left == 0 {
            self.close();
        }
    }

    #[cold]
    fn close(&mut self) {
        let full = std::mem::take(&mut self.open);
        self.batches.push(full, Tally::join);
        self.left = self.batches.length();
    }

    /// The interval of the mean, in seconds, about the mean of the whole run.
    pub fn mean(&self, whole: &Histogram, level: f64) -> Option<(Interval, Neighbours)> {
        let length = self.batches.length() as f64;
        let mean = |batch: &Tally| batch.nanos as f64 / 1e9 / length;
        let means: Vec<f64> = self.batches.done().iter().map(mean).collect();
        let (interval, neighbours) = interval(&means, level)?;
        Some((about(whole.mean()?, &interval), neighbours))
    }

    /// The interval of the `p` quantile, in seconds; `None` as well when there are too few times
    /// beyond it.
    pub fn quantile(
        &self,
        whole: &Histogram,
        p: f64,
        level: f64,
    ) -> Option<(Interval, Neighbours)> {
        let beyond = whole.count() as f64 * (1.0 - p).min(p);
        let quantile = whole.quantile(p).filter(|_| beyond >= LEAST_BEYOND)?;
        let done = self.batches.done();
        let (size, bucket) = (
            self.batches.length() as f64,
            bucket_of((quantile * 1e9) as u64),
        );
        let total = size * done.len() as f64;
        // The edge of a bucket near the quantile: the one below which nearly a share p lies.
        let share = |edge: usize| done.iter().map(|batch| batch.below(edge)).sum::<f64>() / total;
        let edges = [bucket, bucket + 1].map(|edge| (edge, share(edge)));
        let least = 0.5 / total;
        if edges[0].1 < least && edges[1].1 > 1.0 - least {
            // All lie in one bucket.
            let (low, high) = (whole.quantile(0.0)?, whole.max()?);
            let (interval, neighbours) = interval(&vec![quantile; done.len()], level)?;
            let interval = Interval {
                low,
                high,
                ..interval
            };
            return Some((interval, neighbours));
        }
        // None when what lies beyond came after the last complete batch.
        let inner = edges
            .iter()
            .filter(|(_, at)| *at > least && *at < 1.0 - least);
        let (edge, at) = inner.min_by(|a, b| (a.1 - p).abs().total_cmp(&(b.1 - p).abs()))?;
        let shares: Vec<f64> = done.iter().map(|batch| batch.below(*edge) / size).collect();
        let (interval, neighbours) = interval(&shares, level)?;
        let half = interval.half_width() * (p * (1.0 - p) / (at * (1.0 - at))).sqrt();
        let interval = Interval {
            mean: quantile,
            low: whole.quantile((p - half).max(0.0))?,
            high: whole.quantile(p + half).filter(|_| p + half < 1.0)?,
            ..interval
        };
        Some((interval, neighbours))
    }
}

/// An interval of the same width about another middle: the run has a last batch that is not full.
pub fn about(mean: f64, interval: &Interval) -> Interval {
    let half = interval.half_width();
    Interval {
        mean,
        low: mean - half,
        high: mean + half,
        ..*interval
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sum_of(values: impl Iterator<Item = u64>) -> Batches<u64> {
        let mut batches = Batches::default();
        let (mut open, mut held) = (0, 0);
        for value in values {
            open += value;
            held += 1;
            if held == batches.length() {
                batches.push(open, |mine, later| *mine += later);
                (open, held) = (0, 0);
            }
        }
        batches
    }

    #[test]
    fn joining_keeps_order_and_sums() {
        let batches = sum_of(0..1_000);
        assert_eq!((batches.length(), batches.done().len()), (16, 62));
        for (place, sum) in batches.done().iter().enumerate() {
            let first = 16 * place as u64;
            assert_eq!(*sum, (first..first + 16).sum::<u64>());
        }
    }

    #[test]
    fn there_are_twenty_to_twenty_nine_batches_in_the_end() {
        assert!(interval(&[1.0; LEAST - 1], 0.95).is_none());
        for count in LEAST..MOST {
            let (interval, _) = interval(&vec![1.0; count], 0.95).unwrap();
            assert!((20..30).contains(&interval.count), "{count}: {interval:?}");
        }
    }

    #[test]
    fn a_slow_swing_is_seen_and_a_fast_one_is_not() {
        let slow: Vec<f64> = (0..60).map(|i| f64::from(i / 10 % 2)).collect();
        assert_eq!(interval(&slow, 0.95).unwrap().1, Neighbours::Correlated);
        let fast: Vec<f64> = (0..60).map(|i| f64::from(i * 37 % 60)).collect();
        assert_eq!(interval(&fast, 0.95).unwrap().1, Neighbours::Independent);
        let still = interval(&[3.0; 60], 0.95).unwrap();
        assert_eq!(still.1, Neighbours::Independent);
        assert!(still.0.half_width().abs() < 1e-15);
    }

    #[test]
    fn buckets_are_in_order_and_narrow() {
        let mut before = 0;
        for nanos in 0..100_000 {
            let bucket = bucket_of(nanos);
            assert!(bucket == before || bucket == before + 1, "{nanos}");
            before = bucket;
        }
        assert!(bucket_of(u64::MAX) < 1_000);
        assert_eq!(bucket_of(1_000_000), bucket_of(1_010_000));
        assert_ne!(bucket_of(1_000_000), bucket_of(1_070_000));
    }

    #[test]
    fn a_percentile_has_the_interval_of_order_statistics() {
        // Times from 0 to 1 s, thoroughly mixed: in n of them the share below the 90th percentile
        // varies by sqrt(0.9 * 0.1 / n), or less where mixing is more even than chance.
        let (mut batches, mut whole) = (TimeBatches::default(), Histogram::default());
        let mut state = 1_u64;
        for _ in 0..40_000 {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let time = SimDuration::from_nanos(((state >> 33) * 1_000_000_000) >> 31);
            batches.record(time);
            whole.record(time);
        }
        let (interval, neighbours) = batches.quantile(&whole, 0.9, 0.95).unwrap();
        let due = 2.06 * (0.9 * 0.1 / 40_000.0_f64).sqrt();
        assert!(interval.low < interval.mean && interval.mean < interval.high);
        let ratio = interval.half_width() / due;
        assert!((0.6..1.5).contains(&ratio), "{ratio}");
        assert_eq!(neighbours, Neighbours::Independent);
        // 40 lie beyond the 99.9th percentile: too few.
        assert!(batches.quantile(&whole, 0.999, 0.95).is_none());
        let (mean, _) = batches.mean(&whole, 0.95).unwrap();
        assert!(
            (mean.mean - 0.5).abs() < 2.0 * mean.half_width(),
            "{mean:?}"
        );
    }

    #[test]
    fn what_never_varies_is_sure() {
        let (mut batches, mut whole) = (TimeBatches::default(), Histogram::default());
        for _ in 0..2_000 {
            batches.record(SimDuration::from_millis(40));
            whole.record(SimDuration::from_millis(40));
        }
        let (interval, _) = batches.quantile(&whole, 0.9, 0.95).unwrap();
        assert!((interval.low - 0.04).abs() < 1e-12 && (interval.high - 0.04).abs() < 1e-12);
    }
}
