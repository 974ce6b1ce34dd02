//! An experiment from its model to its numbers: warm-up, replications, intervals, and how sure
//! they are. The one door for whoever runs a scenario.
//!
//! Not what is shown of it.

use super::precision::{LEVEL, until};
use super::replicate::{digest, replicate};
use super::verdict::{believable, judge};
use super::warmup::settle;
use crate::model::{Model, Replications, Warmup};
use crate::outcome::{Catalogue, Measures, RunRecord};
use crate::sim::{BatchMean, Detail, Progress, measure_in_batches};
use crate::stats::confidence::Interval;

/// What an experiment found.
#[derive(Clone, Debug)]
pub struct Experiment {
    /// The runs, in the order of replications; the first has levels over time if asked for.
    pub runs: Vec<RunRecord>,
    /// Their metrics.
    pub measures: Measures,
    /// Intervals by metric from batch means, when there is one long run, as far as they can be
    /// believed; else empty.
    pub batch_means: Vec<(String, Interval)>,
    /// What a reader must know: which numbers are not yet precise and how much it takes, what the
    /// warm-up was.
    pub notes: Vec<String>,
    /// The digest of all runs.
    pub digest: u64,
}

/// Runs the experiment that the plan of `model` asks for: a pilot for `warmup = "auto"`, then so
/// many replications, or rounds of them until metrics are precise. The same answer for any number
/// of threads, and the same history whatever is watched.
pub fn conduct(model: &Model, detail: Detail, progress: Progress<'_>) -> Experiment {
    let (settled, mut notes) = match model.plan.warmup {
        Warmup::Auto => settle(model),
        Warmup::For(_) => (model.clone(), Vec::new()),
    };
    let model = &settled;
    let (runs, batches) = match &model.plan.replications {
        Replications::Fixed(1) if model.is_random() && model.is_steady() => {
            let (run, batches) = measure_in_batches(model, 0, detail, progress, LEVEL);
            (vec![run], batches)
        }
        Replications::Fixed(count) => (replicate(model, *count, detail, progress), Vec::new()),
        Replications::Until(goal) => {
            let (runs, said) = until(model, goal, detail, progress);
            notes.extend(said);
            (runs, Vec::new())
        }
    };
    let measures = Measures::of(Catalogue::of(model), &runs);
    // What precision some metrics need was said by who asked.
    let asked = |note: &String| match &model.plan.replications {
        Replications::Fixed(_) => false,
        Replications::Until(goal) => goal
            .of
            .iter()
            .any(|name| note.starts_with(&format!("{name} "))),
    };
    let judged = judge(model, &measures, &runs, &batches).into_iter();
    notes.extend(judged.filter(|note| !asked(note)));
    let interval = |batch: BatchMean| {
        let (interval, neighbours) = batch.interval?;
        believable(&interval, neighbours).then_some((batch.metric, interval))
    };
    Experiment {
        measures,
        batch_means: batches.into_iter().filter_map(interval).collect(),
        notes,
        digest: digest(&runs),
        runs,
    }
}
