//! Replications until metrics are precise: rounds of a fixed size, looked at between rounds only,
//! so that the answer does not depend on the number of threads.
//!
//! Not a promise of coverage: a rule that stops at a narrow interval stops a little too often at
//! one that is narrow by chance. So it never stops after the first round, and the interval of at
//! least 20 replications is what it looks at.

use super::replicate::round;
use super::words::{percent, times};
use crate::model::{Model, Precision};
use crate::outcome::{Catalogue, Measures, RunRecord};
use crate::sim::{Detail, Progress};
use crate::stats::confidence::Interval;

/// The level of every interval that is judged.
pub const LEVEL: f64 = 0.95;

/// Runs as many replications of `model` as make the metrics precise, or as many as there may be;
/// and says what came of it.
pub(super) fn until(
    model: &Model,
    goal: &Precision,
    detail: Detail,
    progress: Progress<'_>,
) -> (Vec<RunRecord>, Vec<String>) {
    let target = goal.target.get();
    let mut runs: Vec<RunRecord> = Vec::new();
    loop {
        let from = runs.len() as u32;
        let to = from.saturating_add(Precision::ROUND).min(goal.at_most);
        runs.extend(round(model, from..to, detail, progress));
        if to < goal.at_most.min(2 * Precision::ROUND) {
            continue;
        }
        let measures = Measures::of(Catalogue::of(model), &runs);
        let widths = goal.of.iter().map(|name| (name, width(&measures, name)));
        let open: Vec<_> = widths
            .filter(|(_, width)| width.is_none_or(|width| width > target))
            .collect();
        if open.is_empty() {
            let names = goal.of.join(" and ");
            let note = format!(
                "{to} replications: {names} is known to ±{}",
                percent(target)
            );
            return (runs, vec![note]);
        }
        if to >= goal.at_most {
            let notes = open
                .into_iter()
                .map(|(name, width)| missed(name, width, goal));
            let notes = notes.collect();
            return (runs, notes);
        }
    }
}

/// The relative half-width of a metric; `None` when it did not happen in every replication.
fn width(measures: &Measures, name: &str) -> Option<f64> {
    let position = measures.catalogue().position(name)?;
    measures.interval(position, LEVEL).map(|it| relative(&it))
}

/// The half-width of an interval over its mean; zero for what never varies.
pub(super) fn relative(interval: &Interval) -> f64 {
    let half = interval.half_width();
    if half > 0.0 {
        half / interval.mean.abs()
    } else {
        0.0
    }
}

fn missed(name: &str, width: Option<f64>, goal: &Precision) -> String {
    let (most, target) = (goal.at_most, goal.target.get());
    match width {
        Some(width) => format!(
            "{name} is not yet precise after {most} replications, the most allowed: ±{} at 95 %, \
             not ±{}; needs about {} times this run",
            percent(width),
            percent(target),
            times((width / target).powi(2)),
        ),
        None => format!(
            "{name} is not yet precise after {most} replications, the most allowed: it did not \
             happen in every one"
        ),
    }
}
