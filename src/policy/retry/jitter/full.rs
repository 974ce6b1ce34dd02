//! Full jitter: U(0, raw).
//!
//! Not bounded below: a retry can come at once.

use rand::{Rng, RngExt};

use crate::units::SimDuration;

#[inline]
pub(in crate::policy::retry) fn spread<R: Rng>(raw: SimDuration, rng: &mut R) -> SimDuration {
    SimDuration::from_secs_rounded(raw.as_secs_f64() * rng.random::<f64>())
}

/// raw / 2.
pub(in crate::policy::retry) fn mean(raw: f64) -> f64 {
    raw / 2.0
}
