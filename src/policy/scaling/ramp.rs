//! So many more consumers each minute while there is work: how pollers of a serverless platform
//! grow (Lambda's event source mapping of an SQS queue).
//!
//! Not a target: it grows until its most, or until nothing waits.

use super::Sight;
use crate::units::{Rate, SimDuration};

/// A ramp.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ramp {
    /// How fast it grows: 300 a minute for Lambda (60 before November 2023).
    pub rate: Rate,
}

impl Ramp {
    /// It grows by one at a time, evenly.
    pub(super) fn every(self) -> SimDuration {
        self.rate.span_of(1).max(SimDuration::from_nanos(1))
    }

    /// One more while anything waits; back to the fewest when nothing does.
    pub(super) fn wanted(sight: Sight, min: u32) -> u32 {
        if sight.backlog > 0 {
            sight.wanted.saturating_add(1)
        } else {
            min
        }
    }
}
