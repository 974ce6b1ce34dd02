//! How many calls a caller has out at once: a fixed number (a bulkhead), or one that grows while
//! calls go well and shrinks when they do not (rule E7).
//!
//! Not how many handlers there are.

use crate::units::{Ratio, SimDuration};

/// The most calls out at once.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ConcurrencyLimit {
    /// Always the same.
    Fixed {
        /// How many.
        limit: u32,
        /// How long a request waits for one of them to end before it fails.
        wait: SimDuration,
    },
    /// Additive increase, multiplicative decrease.
    Aimd(Aimd),
}

/// A limit that follows what calls come to: one more for each `limit` calls that go well while the
/// limit is used, and a part of it after a call that does not.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aimd {
    /// At first.
    pub initial: u32,
    /// At least.
    pub min: u32,
    /// At most.
    pub max: u32,
    /// What it is multiplied by after a failure or a timeout.
    pub backoff: Ratio,
}
