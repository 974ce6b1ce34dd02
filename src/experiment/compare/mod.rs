//! Two or more models under the same seed: what changes from the first to each of the others, how
//! sure that is, and what is noise.
//!
//! Replication by replication all meet the same messages (common random numbers, rule A3), so what
//! is judged are the differences of pairs, never two intervals side by side. Not a search: see
//! [`super::plan`] for the smallest fleet.

mod difference;

pub use difference::{Difference, Seen, Verdict};

use rayon::prelude::*;

use super::precision::until;
use super::replicate::{digest, replicate};
use super::warmup::settle;
use crate::model::{Model, Replications, Warmup};
use crate::outcome::{Catalogue, Measures, RunRecord};
use crate::sim::{Detail, Progress};
use crate::units::SimDuration;

/// Pairs of runs when chance has a part and the scenarios ask for one run: one pair says nothing
/// of what is chance.
pub const PAIRS: u32 = 20;

/// What is asked.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// How many pairs; as many as the models ask for, or else [`PAIRS`], unless it is said.
    pub pairs: Option<u32>,
    /// The level of each interval, and of all verdicts together, such as 0.95.
    pub level: f64,
    /// The metrics that are compared, by full names or by what they begin with up to a dot; all of
    /// them when there is none.
    pub metrics: &'a [String],
}

/// One of what is compared.
#[derive(Clone, Debug)]
pub struct Arm {
    /// What was run: with the seed of the first, and a warm-up in place of `auto`.
    pub model: Model,
    /// The replications, in order; the first has levels over time if they were asked for.
    pub runs: Vec<RunRecord>,
    /// Their metrics.
    pub measures: Measures,
    /// The digest of all runs.
    pub digest: u64,
}

/// What came of a comparison.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// The baseline, then the others.
    pub arms: Vec<Arm>,
    /// The level of each interval, and of all verdicts together.
    pub level: f64,
    /// Whether chance has a part in any of them.
    pub by_chance: bool,
    /// Every metric that the baseline and another both have, arm by arm, in the order of the
    /// catalogue; without those that happened in neither.
    pub differences: Vec<Difference>,
    /// Components that stand in one alone: the arm, and their names.
    pub alone: Vec<(usize, Vec<String>)>,
    /// What a reader must know.
    pub notes: Vec<String>,
}

impl Comparison {
    /// How many runs of each there are.
    pub fn pairs(&self) -> usize {
        self.arms[0].runs.len()
    }

    /// How many hypotheses were tested together.
    pub fn tested(&self) -> usize {
        let tested = |it: &&Difference| it.p.is_some();
        self.differences.iter().filter(tested).count()
    }
}

/// Compares the first of `models` with each of the others.
///
/// # Panics
/// When there is no model.
pub fn compare(
    models: &[Model],
    question: Question<'_>,
    detail: Detail,
    progress: Progress<'_>,
) -> Comparison {
    let by_chance = models.iter().any(Model::is_random);
    let mut notes = Vec::new();
    let pairs = pairs_of(models, question.pairs, by_chance, progress, &mut notes);
    let models = alike(models, &mut notes);
    let run = |model: Model| {
        let runs = replicate(&model, pairs, detail, progress);
        let measures = Measures::of(Catalogue::of(&model), &runs);
        Arm {
            digest: digest(&runs),
            measures,
            runs,
            model,
        }
    };
    let arms: Vec<Arm> = models.into_par_iter().map(run).collect();
    notes.extend(arms.iter().enumerate().filter_map(partial));
    notes.extend(other_ends(&arms));
    let is_asked = |name: &str| question.metrics.is_empty() || names(question.metrics, name);
    let mut differences = Vec::new();
    for (place, arm) in arms.iter().enumerate().skip(1) {
        let found = difference::all(&arms[0].measures, &arm.measures, question.level, by_chance);
        differences.extend(found.into_iter().map(|it| Difference { arm: place, ..it }));
    }
    differences.retain(|it| is_asked(&it.metric));
    difference::judge(&mut differences, question.level);
    Comparison {
        alone: alone(&arms),
        level: question.level,
        by_chance,
        differences,
        notes,
        arms,
    }
}

/// Whether one of `asked` is `name`, or begins it up to a dot.
pub fn names(asked: &[String], name: &str) -> bool {
    let begins = |asked: &String| {
        let rest = name.strip_prefix(asked.as_str());
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    asked.iter().any(begins)
}

/// What an arm is called: A is the baseline.
pub fn letter(arm: usize) -> char {
    char::from(b'A' + arm.min(25) as u8)
}

/// How many runs of each there shall be.
fn pairs_of(
    models: &[Model],
    asked: Option<u32>,
    by_chance: bool,
    progress: Progress<'_>,
    notes: &mut Vec<String>,
) -> u32 {
    if !by_chance {
        let note = "nothing is left to chance: one run of each, and every difference is exact";
        notes.push(note.to_owned());
        return 1;
    }
    if let Some(pairs) = asked {
        if pairs == 1 {
            let note = "one run of each, and chance has a part: no telling what is noise; compare \
                        with `--replications 20`";
            notes.push(note.to_owned());
        }
        return pairs;
    }
    let of = |model: &Model| match &model.plan.replications {
        Replications::Fixed(count) => *count,
        Replications::Until(goal) => until(model, goal, Detail::Measures, progress).0.len() as u32,
    };
    let most = models.iter().map(of).max().unwrap_or(1);
    if most > 1 {
        return most;
    }
    notes.push(format!(
        "{PAIRS} runs of each, since chance has a part and one pair would not tell it from a \
         change; `--replications N` for another number"
    ));
    PAIRS
}

/// The models with the seed of the first, and with one warm-up for all that look for one: pairs
/// are of the same messages over the same time.
fn alike(models: &[Model], notes: &mut Vec<String>) -> Vec<Model> {
    let seed = models[0].plan.seed;
    let mut alike = models.to_vec();
    for (place, model) in alike.iter_mut().enumerate() {
        if model.plan.seed != seed {
            notes.push(format!(
                "{} has seed {} in its file, and was run with seed {}, that of A: pairs meet the \
                 same messages",
                letter(place),
                model.plan.seed.0,
                seed.0
            ));
        }
        model.plan.seed = seed;
    }
    let auto: Vec<usize> = (0..alike.len())
        .filter(|place| alike[*place].plan.warmup == Warmup::Auto)
        .collect();
    let mut longest = SimDuration::ZERO;
    for &place in &auto {
        let (settled, said) = settle(&alike[place]);
        if let Warmup::For(warmup) = settled.plan.warmup {
            longest = longest.max(warmup);
        }
        let named = said
            .into_iter()
            .map(|it| format!("{}: {it}", letter(place)));
        notes.extend(named);
    }
    for &place in &auto {
        alike[place].plan.warmup = Warmup::For(longest);
    }
    if auto.len() > 1 {
        notes.push(format!(
            "the longest warm-up, {longest}, is left out of all that look for one"
        ));
    }
    alike
}

fn partial((place, arm): (usize, &Arm)) -> Option<String> {
    let stopped = |run: &&RunRecord| run.ended.why.is_partial();
    let count = arm.runs.iter().filter(stopped).count();
    let first = arm.runs.iter().find(stopped)?;
    Some(format!(
        "{} is partial: {count} of {} runs stopped by {}",
        letter(place),
        arm.runs.len(),
        first.ended.why.stopper()
    ))
}

/// What to make of counts when one run is longer than another.
fn other_ends(arms: &[Arm]) -> Option<String> {
    let end = |arm: &Arm| arm.runs[0].ended.at;
    let first = end(&arms[0]);
    arms.iter().any(|arm| end(arm) != first).then(|| {
        let said = arms.iter().enumerate();
        let said = said
            .map(|(place, arm)| format!("{} at {:.1} s", letter(place), end(arm).as_secs_f64()));
        let said: Vec<_> = said.collect();
        format!(
            "runs end at instants of their own ({}), and counts and averages are of each run's \
             own time; `--set run.stop=DURATION` compares over the same time",
            said.join(", ")
        )
    })
}

/// Components that the baseline or one of the others has alone.
fn alone(arms: &[Arm]) -> Vec<(usize, Vec<String>)> {
    let of = |arm: &Arm| -> Vec<String> {
        let names = arm.model.components().into_iter();
        names.map(str::to_owned).collect()
    };
    let base = of(&arms[0]);
    let mut lost: Vec<String> = Vec::new();
    let mut found = Vec::new();
    for (place, arm) in arms.iter().enumerate().skip(1) {
        let here = of(arm);
        let gone = base.iter().filter(|name| !here.contains(name));
        lost.extend(gone.cloned());
        let new: Vec<String> = here.into_iter().filter(|it| !base.contains(it)).collect();
        found.push((place, new));
    }
    lost.dedup();
    found.insert(0, (0, lost));
    found.retain(|(_, names)| !names.is_empty());
    found
}
