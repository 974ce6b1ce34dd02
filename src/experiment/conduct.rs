//! An experiment from its model to its numbers: warm-up, replications, intervals, and how sure
//! they are. The one door for whoever runs a scenario.
//!
//! Not what is shown of it.

use super::replicate::{digest, replicate};
use crate::model::{Model, Replications};
use crate::outcome::{Catalogue, Measures, RunRecord};
use crate::sim::{Detail, Progress};
use crate::stats::confidence::Interval;

/// What an experiment found.
#[derive(Clone, Debug)]
pub struct Experiment {
    /// The runs, in the order of replications; the first has levels over time if asked for.
    pub runs: Vec<RunRecord>,
    /// Their metrics.
    pub measures: Measures,
    /// Intervals by metric from batch means, when there is one long run; else empty.
    pub batch_means: Vec<(String, Interval)>,
    /// What a reader must know: which numbers are not yet precise and how much it takes, what the
    /// warm-up was.
    pub notes: Vec<String>,
    /// The digest of all runs.
    pub digest: u64,
}

/// Runs the experiment that the plan of `model` asks for. The same answer for any number of
/// threads.
pub fn conduct(model: &Model, detail: Detail, progress: Progress<'_>) -> Experiment {
    let count = match &model.plan.replications {
        Replications::Fixed(count) => *count,
        Replications::Until(goal) => goal.at_most,
    };
    let runs = replicate(model, count, detail, progress);
    Experiment {
        measures: Measures::of(Catalogue::of(model), &runs),
        batch_means: Vec::new(),
        notes: Vec::new(),
        digest: digest(&runs),
        runs,
    }
}
