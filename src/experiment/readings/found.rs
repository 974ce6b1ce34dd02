//! What theory or the fluid has found for one metric, and how far a simulation may be from it.
//!
//! Not whether they agree: that is the verdict's.

use crate::model::{Model, QueueId, Stop, Warmup};
use crate::outcome::{How, Known, RunRecord};

/// The time that is looked at, in seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Window {
    /// From when statistics are kept.
    pub(super) from: f64,
    /// When the run ends, on average over the replications; unknown where none was run and it ends
    /// by itself.
    pub(super) end: Option<f64>,
}

impl Window {
    /// Of runs, or of the plan alone.
    pub(super) fn of(model: &Model, runs: &[RunRecord]) -> Self {
        if runs.is_empty() {
            let from = match model.plan.warmup {
                Warmup::For(span) => span.as_secs_f64(),
                Warmup::Auto => 0.0,
            };
            let end = match model.plan.stop {
                Stop::At(end) => Some(end.as_secs_f64()),
                Stop::Drained | Stop::Settled => None,
            };
            return Self { from, end };
        }
        let mean =
            |read: fn(&RunRecord) -> f64| runs.iter().map(read).sum::<f64>() / runs.len() as f64;
        Self {
            from: mean(|run| run.measured_from.as_secs_f64()),
            end: Some(mean(|run| run.ended.at.as_secs_f64())),
        }
    }

    /// How long is measured.
    pub(super) fn span(&self) -> Option<f64> {
        self.end.map(|end| end - self.from)
    }
}

/// What a closed form takes for granted, for the sentence that says what fails.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct LongRun {
    /// The time in which the station forgets how it started, in seconds.
    pub(super) relaxation: f64,
    /// How long a run must be for the mean depth to 1 % at 95 %, in seconds, where known.
    pub(super) one_percent: Option<f64>,
    /// Squared coefficients of variation of gaps and of service times.
    pub(super) scv: [f64; 2],
    /// Messages that may wait in the form.
    pub(super) places: f64,
    /// What an approximation leaves out.
    pub(super) doubt: Doubt,
}

/// What an approximation leaves out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Doubt {
    /// All but two moments of a law.
    Moments,
    /// That what comes back may have to wait.
    Wait,
}

/// A number for one metric.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Found {
    /// The metric's full name.
    pub(super) metric: String,
    /// The queue that it is about.
    pub(super) queue: QueueId,
    /// The number.
    pub(super) known: Known,
    /// How far whole messages and the edges of the run take a simulation from it.
    pub(super) grain: f64,
    /// Half of the 99 % interval of one random run, where theory knows it.
    pub(super) scatter: Option<f64>,
    /// What a closed form assumes.
    pub(super) assumes: Option<LongRun>,
}

/// A number with its origin.
pub(super) fn known(value: Option<f64>, how: How, source: &str) -> Known {
    Known {
        value,
        how,
        source: source.to_owned(),
        interval: None,
    }
}

/// All that one kind of reading says of a model.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Told {
    /// The numbers.
    pub(super) found: Vec<Found>,
    /// Why there are no others, by component.
    pub(super) none: Vec<String>,
    /// What else it has to say.
    pub(super) notes: Vec<String>,
}

/// Seconds for people: `333.3ms`.
pub(super) fn seconds(s: f64) -> String {
    use crate::random::law::Quantity;
    crate::units::SimDuration::show(s)
}

/// A number for people, to four digits.
pub(super) fn number(x: f64) -> String {
    use crate::random::law::{Amount, Quantity};
    Amount::show(x)
}
