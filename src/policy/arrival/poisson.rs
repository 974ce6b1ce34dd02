//! A Poisson process: exponential gaps, no memory.
//!
//! Not a process whose rate changes in time: that is a schedule with Poisson pacing.

use rand::RngExt;
use rand_distr::Exp1;

use super::Next;
use crate::input::{Fields, Problems};
use crate::random::Stream;
use crate::units::{Rate, SimDuration, SimTime};

/// Arrivals at `rate`, independent of each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Poisson {
    /// How often, on average.
    pub rate: Rate,
}

impl Poisson {
    pub(super) fn read(fields: &mut Fields, problems: &mut Problems) -> Option<Self> {
        let rate = fields.required("rate", problems)?;
        Some(Self { rate })
    }

    pub(super) fn source(&self) -> Source {
        Source {
            now: SimTime::ZERO,
            mean_gap: 1.0 / self.rate.as_per_second(),
        }
    }
}

#[derive(Clone, Debug)]
pub(super) struct Source {
    now: SimTime,
    /// In seconds; infinite at a rate of zero.
    mean_gap: f64,
}

impl Source {
    #[inline]
    pub(super) fn next(&mut self, stream: &mut Stream) -> Option<Next> {
        let gap: f64 = stream.sample(Exp1);
        let gap = SimDuration::from_secs_rounded(gap * self.mean_gap);
        self.now = self.now.saturating_add(gap);
        (self.now < SimTime::MAX).then_some(Next {
            at: self.now,
            count: 1,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{read, seconds};

    /// Counts in a second have the mean and the variance 50; four standard deviations of each
    /// estimate from 20,000 seconds.
    #[test]
    fn counts_have_one_mean_and_variance() {
        let times = seconds(&read("{ poisson = { rate = \"50/s\" } }"), 20_000.0);
        let mut counts = vec![0.0; 20_000];
        for at in times {
            counts[at as usize] += 1.0;
        }
        let n = counts.len() as f64;
        let mean = counts.iter().sum::<f64>() / n;
        let variance = counts
            .iter()
            .map(|count| (count - mean).powi(2))
            .sum::<f64>()
            / n;
        assert!((mean - 50.0).abs() < 4.0 * (50.0 / n).sqrt(), "{mean}");
        // Var of the sample variance of a Poisson count: (μ + 2μ²) / n.
        assert!(
            (variance - 50.0).abs() < 4.0 * (5050.0 / n).sqrt(),
            "{variance}"
        );
    }

    #[test]
    fn a_rate_of_zero_never_comes() {
        assert!(seconds(&read("{ poisson = { rate = \"0/s\" } }"), 1e9).is_empty());
    }
}
