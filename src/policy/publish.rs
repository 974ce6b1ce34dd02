//! What a publisher does when a queue refuses: fail fast, wait for room, or try again later
//! (rule C2).
//!
//! Not who gets the room: that is [`super::admission`].

use super::retry::RetryPolicy;
use crate::units::SimDuration;

/// What a publisher does when a queue refuses.
#[derive(Clone, Debug, Default)]
pub enum PublishPolicy {
    /// It fails at once.
    #[default]
    Reject,
    /// It waits for room.
    Block(Blocking),
    /// It tries again later.
    Retry(RetryPolicy),
}

/// How a publisher waits for room.
#[derive(Clone, Copy, Debug)]
pub struct Blocking {
    /// After how long it gives up; `None` for never.
    pub timeout: Option<SimDuration>,
    /// How many publishers of this producer can be blocked at once; past it a publish is
    /// rejected (rule C4). `u64::MAX` for no bound.
    pub connections: u64,
}

impl Default for Blocking {
    fn default() -> Self {
        Self {
            timeout: None,
            connections: u64::MAX,
        }
    }
}
