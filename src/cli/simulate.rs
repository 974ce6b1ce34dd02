//! A scenario run, measured and judged: what `run` reports and `test` counts.
//!
//! Not how it is told.

use super::judge::judge;
use super::options::Talk;
use super::progress::Meter;
use crate::experiment::{Experiment, conduct};
use crate::outcome::{Ended, Measures, RunRecord};
use crate::report::Expected;
use crate::scenario::Scenario;
use crate::sim::Detail;
use crate::stats::confidence::Interval;

/// What came of a scenario.
#[derive(Clone, Debug)]
pub(super) struct Simulated {
    pub(super) runs: Vec<RunRecord>,
    pub(super) measures: Measures,
    /// Intervals from the batches of a single run.
    pub(super) batch_means: Vec<(String, Interval)>,
    /// What is not yet precise, and what that takes.
    pub(super) notes: Vec<String>,
    pub(super) expectations: Vec<Expected>,
    /// The hash of the history of all replications.
    pub(super) digest: u64,
}

impl Simulated {
    /// Runs the replications that a scenario asks for.
    pub(super) fn of(scenario: &Scenario, detail: Detail, talk: Talk) -> Self {
        let model = &scenario.model;
        let meter = Meter::new(&model.plan, talk);
        let progress = |at| meter.reached(at);
        let Experiment {
            runs,
            measures,
            batch_means,
            notes,
            digest,
        } = conduct(model, detail, &progress);
        Self {
            expectations: judge(&scenario.expectations, &measures),
            runs,
            measures,
            batch_means,
            notes,
            digest,
        }
    }

    /// How the runs ended: as the first that a limit stopped, otherwise as the first.
    pub(super) fn ended(&self) -> Ended {
        let partial = self.runs.iter().find(|run| run.ended.why.is_partial());
        partial.unwrap_or(&self.runs[0]).ended
    }

    /// The expectations that did not hold.
    pub(super) fn broken(&self) -> impl Iterator<Item = &Expected> {
        self.expectations.iter().filter(|expected| !expected.held)
    }
}
