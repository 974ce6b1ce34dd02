//! The answer of [`super::size`], or why there is none: its fields are named as the JSON of
//! `queuecast size` names them.
//!
//! Only the shape; nothing is worked out here.

use serde::{Serialize, Serializer};

use crate::fluid::NoFlow;

use super::wait::WaitModel;

/// The answer.
#[derive(Clone, Debug, Serialize)]
pub struct Sizing {
    /// Messages in work at once, on average (Little's law): arrivals times service.
    pub offered_load: f64,
    /// The fewest consumers whose capacity is at least the arrivals; with none to spare it may be
    /// that no backlog ever drains.
    pub break_even: u64,
    /// Messages waiting at the end of the outage; absent without one.
    #[serde(serialize_with = "count")]
    pub backlog: Option<f64>,
    /// How long the arrivals need to fill the bound; absent without one.
    pub bound_fill_s: Option<f64>,
    /// Publishes rejected during the outage.
    #[serde(serialize_with = "count")]
    pub rejected: Option<f64>,
    /// The same as a share of the publishes during the outage.
    pub rejected_share: Option<f64>,
    /// Messages to drain when publishers block instead of being rejected: all that came during the
    /// outage. Absent when none is rejected.
    #[serde(serialize_with = "count")]
    pub backlog_when_blocking: Option<f64>,
    /// One row for each fleet.
    pub rows: Vec<Row>,
    /// Where the waits come from.
    pub wait_model: WaitModel,
    /// The smallest fleet for each goal; the first goal is always stability.
    pub goals: Vec<Goal>,
    /// The smallest fleet that meets every goal; absent when one cannot be met.
    pub smallest: Option<u64>,
    /// The goal that decides.
    pub binding: String,
}

/// One fleet.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// Its size.
    pub consumers: u64,
    /// What it can do.
    pub throughput_per_s: f64,
    /// Offered load over consumers; above 1 the fleet falls behind.
    pub utilization: f64,
    /// What it can do beyond the arrivals; negative when it falls behind.
    pub headroom_per_s: f64,
    /// From the end of the outage until nothing waits; absent for never, or without an outage.
    pub drain_s: Option<f64>,
    /// The mean wait when nothing is out; absent when it grows for ever, as are the next two.
    pub wait_mean_s: Option<f64>,
    /// Half of the messages wait longer.
    pub wait_p50_s: Option<f64>,
    /// One in a hundred waits longer.
    pub wait_p99_s: Option<f64>,
}

/// The smallest fleet for one goal, with evidence that one less does not do.
#[derive(Clone, Debug, Serialize)]
pub struct Goal {
    /// `stable`, `recover within 5m`, or the wait as the user wrote it.
    pub goal: String,
    /// The fleet; absent when no fleet of up to ten million meets the goal.
    pub consumers: Option<u64>,
    /// The fleet that a recovery needs when publishers block instead of being rejected; absent when
    /// none is rejected.
    pub when_blocking: Option<u64>,
    /// What this fleet reaches: the drain or the wait.
    pub reached_s: Option<f64>,
    /// What one consumer less reaches; absent for never.
    pub one_less_s: Option<f64>,
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SizeError {
    /// A number is out of its range.
    #[error("{what} must be {range}, not {value}")]
    OutOfRange {
        /// What it is.
        what: &'static str,
        /// What it may be.
        range: &'static str,
        /// What it was.
        value: f64,
    },
    /// A fleet of nobody.
    #[error("a fleet needs at least one consumer")]
    NoConsumers,
    /// There is nothing to recover from.
    #[error("a time to recover needs an outage to recover from")]
    NothingToRecoverFrom,
    /// The outage cannot be worked out.
    #[error(transparent)]
    NoFlow(#[from] NoFlow),
}

/// A number of messages: without a decimal point when it is whole.
#[expect(
    clippy::ref_option,
    reason = "serde hands over a reference to the field"
)]
fn count<S: Serializer>(number: &Option<f64>, serializer: S) -> Result<S::Ok, S::Error> {
    match *number {
        None => serializer.serialize_none(),
        Some(number) if number.fract() == 0.0 && number < 9e15 => {
            serializer.serialize_u64(number as u64)
        }
        Some(number) => serializer.serialize_f64(number),
    }
}
