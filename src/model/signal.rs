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
    /// Age of the oldest delivery that is not acknowledged, in seconds.
    UnackedAge(QueueId),
    /// Messages that wait with the broker for their next attempt.
    Delayed(QueueId),
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
    /// Retries made: publishes tried again, and failed work begun again.
    Retries,
    /// Retries not made, since a budget did not allow them.
    RetriesRefused,
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
    /// Messages that came from other queues as dead letters.
    DeadLetters,
    /// Messages that left for the dead-letter queue.
    DeadLettered,
    /// Those of them on which some attempt had succeeded.
    DeadLetteredDone,
    /// Messages that left a dead-letter queue for where they came from.
    Redriven,
    /// Messages that came back from a dead-letter queue.
    RedrivenIn,
    /// Accepted publishes that were known already, and swallowed.
    Deduplicated,
    /// Attempts that failed.
    Failed,
    /// Those of them that no further attempt gets over.
    FailedForGood,
    /// Attempts that succeeded on a message on which another had.
    Duplicates,
    /// Deliveries whose visibility lapsed.
    Lapsed,
    /// Acknowledgements lost on their way.
    AcksLost,
    /// Attempts that began while another worked on the same message.
    Overlaps,
    /// Acknowledgements refused since they came too late.
    AcksRefused,
    /// Calls refused or put off, since those of their window were used up.
    Throttled,
    /// Messages done after one that was accepted later.
    OutOfOrder,
    /// Messages done after one of the same key that was accepted later.
    OutOfOrderByKey,
    /// Messages that a version guard ignored.
    Ignored,
    /// Effects on the world outside.
    Effects,
    /// Effects after the first of a message.
    DuplicateEffects,
    /// Attempts that found their message acted on, and did nothing.
    Skipped,
    /// Messages that reached their end without an effect.
    Undone,
}

impl Flow {
    /// All of them, with the names of their metrics.
    pub const ALL: [(&'static str, Self); 34] = [
        ("offered", Self::Offered),
        ("accepted", Self::Accepted),
        ("rejected", Self::Rejected),
        ("timed_out", Self::TimedOut),
        ("abandoned", Self::Abandoned),
        ("retries", Self::Retries),
        ("retries_refused", Self::RetriesRefused),
        ("dropped", Self::Dropped),
        ("expired", Self::Expired),
        ("lost", Self::Lost),
        ("delivered", Self::Delivered),
        ("redelivered", Self::Redelivered),
        ("completed", Self::Completed),
        ("dead_letters", Self::DeadLetters),
        ("dead_lettered", Self::DeadLettered),
        ("dead_lettered_done", Self::DeadLetteredDone),
        ("redriven", Self::Redriven),
        ("redriven_in", Self::RedrivenIn),
        ("deduplicated", Self::Deduplicated),
        ("failed", Self::Failed),
        ("failed_for_good", Self::FailedForGood),
        ("duplicates", Self::Duplicates),
        ("lapsed", Self::Lapsed),
        ("acks_lost", Self::AcksLost),
        ("overlaps", Self::Overlaps),
        ("acks_refused", Self::AcksRefused),
        ("throttled", Self::Throttled),
        ("out_of_order", Self::OutOfOrder),
        ("out_of_order_by_key", Self::OutOfOrderByKey),
        ("ignored", Self::Ignored),
        ("effects", Self::Effects),
        ("duplicate_effects", Self::DuplicateEffects),
        ("skipped", Self::Skipped),
        ("undone", Self::Undone),
    ];

    /// The name of its metric: `dead_letters`.
    pub fn name(self) -> &'static str {
        let found = Self::ALL.iter().find(|(_, flow)| *flow == self);
        found.map_or("count", |(name, _)| name)
    }
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
