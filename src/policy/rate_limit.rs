//! How many calls a dependency takes: a token bucket, or so many in each window (rule E6).
//!
//! Not how many calls a broker takes in each second ([`super::calls`], which windows are made of).

use crate::units::{Rate, SimDuration};

/// A limit on the rate of calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RateLimit {
    /// Tokens come at a rate, and so many can be saved up; a call takes one.
    TokenBucket {
        /// How many tokens come.
        rate: Rate,
        /// How many can be there, and are at first.
        burst: u32,
    },
    /// So many calls in each window of time, from its start on.
    Window {
        /// How many calls.
        calls: u32,
        /// How long a window is.
        per: SimDuration,
    },
}
