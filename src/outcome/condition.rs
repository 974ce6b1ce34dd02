//! What is asked of one metric: an expectation, or an objective of a plan.
//!
//! Not the language in which it is written: the scenario reads that.

use super::catalogue::Unit;
use crate::model::Comparison;

/// Half a nanosecond: two instants that are nearer than this are the same.
const SAME_INSTANT: f64 = 0.5e-9;

/// What is asked of one metric.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    /// As it was written.
    pub text: String,
    /// The metric's name.
    pub metric: String,
    /// What the metric is measured in.
    pub unit: Unit,
    /// What is asked of it.
    pub test: Test,
}

/// What is asked of a metric. Quantities are in the metric's unit: seconds, bytes, per second.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Test {
    /// It stands so to the quantity.
    Is(Comparison, f64),
    /// It is as near to the quantity as the tolerance, or nearer.
    Near {
        /// The quantity.
        value: f64,
        /// The tolerance, zero or more.
        tolerance: f64,
    },
    /// It did not happen: `== never`.
    Never,
    /// It did: `!= never`.
    Happened,
}

impl Condition {
    /// Whether the condition holds of what was observed; `None` is a metric that did not happen,
    /// of which only `== never` holds. Times are compared to the nanosecond.
    pub fn holds(&self, observed: Option<f64>) -> bool {
        match self.test {
            Test::Never => observed.is_none(),
            Test::Happened => observed.is_some(),
            Test::Is(comparison, value) => observed.is_some_and(|observed| {
                let same = self.is_time() && (observed - value).abs() < SAME_INSTANT;
                comparison.holds(if same { value } else { observed }, value)
            }),
            Test::Near { value, tolerance } => observed.is_some_and(|observed| {
                let slack = if self.is_time() { SAME_INSTANT } else { 0.0 };
                (observed - value).abs() <= tolerance + slack
            }),
        }
    }

    fn is_time(&self) -> bool {
        match self.unit {
            Unit::Seconds | Unit::Instant => true,
            Unit::Count | Unit::Number | Unit::Ratio | Unit::PerSecond | Unit::Bytes => false,
        }
    }
}
