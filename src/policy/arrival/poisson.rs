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
