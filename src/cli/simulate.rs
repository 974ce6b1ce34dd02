//! A scenario run, measured and judged: what `run` reports and `test` counts.
//!
//! Not how it is told.

use super::judge::judge;
use super::options::Talk;
use super::progress::Meter;
use crate::experiment::replicate::{digest, replicate};
use crate::outcome::{Catalogue, Ended, Measures, RunRecord};
use crate::report::Expected;
use crate::scenario::Scenario;
use crate::sim::Detail;

/// What came of a scenario.
#[derive(Clone, Debug)]
pub(super) struct Simulated {
    pub(super) runs: Vec<RunRecord>,
    pub(super) measures: Measures,
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
        let runs = replicate(model, model.plan.replications, detail, &progress);
        let measures = Measures::of(Catalogue::of(model), &runs);
        Self {
            expectations: judge(&scenario.expectations, &measures),
            digest: digest(&runs),
            measures,
            runs,
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
