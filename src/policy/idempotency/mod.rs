//! How duplicates are kept from acting twice (rule G2).
//!
//! Not whether a message is delivered twice: that is the broker's doing.

pub mod effects;

use crate::units::SimDuration;

/// How duplicates are kept from acting twice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Idempotency {
    /// Not at all.
    #[default]
    None,
    /// It looks at the start whether the key is there, and writes it when it has acted: two that
    /// overlap both act.
    CheckThenInsert,
    /// It reserves the key at the start, then acts: a crash in between leaves the key taken and
    /// the work undone.
    UniqueKey,
    /// It claims the key for a while, acts, and completes the claim; a stale claim is taken over.
    Claim {
        /// How long a claim holds.
        expires: SimDuration,
    },
}
