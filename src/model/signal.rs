//! Alerts: which reading of a component is watched, against what, for how long.
//!
//! Not the conditions of `[[expect]]`: those are asked of the results, after the run.

use super::table::{FleetId, ProducerId, QueueId};
use crate::units::SimDuration;

/// A reading that is watched while the run goes on.
#[derive(Clone, Debug)]
pub struct Alert {
    /// What it is called in the timeline.
    pub name: String,
    /// The condition as it was written.
    pub text: String,
    /// What is read.
    pub signal: Signal,
    /// How it is compared with the threshold.
    pub comparison: Comparison,
    /// The threshold, in the signal's unit (seconds, messages, bytes).
    pub threshold: f64,
    /// How long the condition must hold before the alert fires.
    pub hold: SimDuration,
    /// How often it is evaluated.
    pub every: SimDuration,
}

/// What can be read of a component at an instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signal {
    /// Messages waiting.
    Depth(QueueId),
    /// Age of the oldest waiting message, in seconds.
    Lag(QueueId),
    /// Messages delivered and not yet acknowledged.
    InFlight(QueueId),
    /// Bytes of waiting and in-flight messages.
    Memory(QueueId),
    /// Publishers blocked at a queue.
    BlockedAt(QueueId),
    /// Publishers of one producer that are blocked.
    Blocked(ProducerId),
    /// Handlers at work.
    Busy(FleetId),
    /// A count since the start of the run, of a queue.
    Count(Flow, QueueId),
}

/// What is counted of the messages of a queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// Publishes meant for it.
    Offered,
    /// Publishes that it took.
    Accepted,
    /// Publishes refused for good.
    Rejected,
    /// Publishes that waited in vain.
    TimedOut,
    /// Publishes given up after retries.
    Abandoned,
    /// Messages dropped because it was full.
    Dropped,
    /// Messages that outlived their retention or time to live.
    Expired,
    /// Messages lost with the broker.
    Lost,
    /// Deliveries.
    Delivered,
    /// Deliveries after the first of a message.
    Redelivered,
    /// Messages done.
    Completed,
}

/// How two numbers are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `<=`
    AtMost,
    /// `>=`
    AtLeast,
    /// `<`
    Below,
    /// `>`
    Above,
}

impl Comparison {
    /// Whether `left` stands to `right` as this says. Equality of floats is to the bit: counts and
    /// whole nanoseconds are held exactly.
    #[expect(clippy::float_cmp, reason = "counts are exact in a float up to 2^53")]
    pub fn holds(self, left: f64, right: f64) -> bool {
        match self {
            Self::Equal => left == right,
            Self::NotEqual => left != right,
            Self::AtMost => left <= right,
            Self::AtLeast => left >= right,
            Self::Below => left < right,
            Self::Above => left > right,
        }
    }
}
