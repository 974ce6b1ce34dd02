//! Which headline numbers of an experiment are not yet precise, in plain sentences, and how much
//! longer a run they need.
//!
//! The headline numbers are the mean and the 99th percentile of a queue's wait, its mean sojourn,
//! and a fleet's utilization. One is not yet precise when the half-width of its 95 % interval is
//! more than 5 % of it; when its batches visibly depend on each other, which can hide a factor of
//! three, and three times the half-width is more than that; when theory says that the run is three
//! times too short, whatever its interval says; and when what makes the load swing (phases of
//! arrivals, outages at random) happened fewer than 100 times. Below 100 of those no interval can
//! be trusted, for what it does not see it cannot count.
//!
//! Not a rule for stopping: that is [`super::precision`].

use super::growth::grows;
use super::needs::Needs;
use super::precision::{LEVEL, relative};
use super::words::{many, percent, times};
use crate::model::{Model, Origin, QueueId, Windows};
use crate::outcome::{Measures, RunRecord};
use crate::policy::arrival::Arrivals;
use crate::sim::BatchMean;
use crate::stats::batch_means::Neighbours;
use crate::stats::confidence::Interval;
use crate::units::SimDuration;

/// A relative half-width that needs no remark.
pub const ENOUGH: f64 = 0.05;
/// How much of a half-width batches that depend on each other can hide.
const HIDDEN: f64 = 3.0;
/// So often must happen what makes the load swing.
const CYCLES: f64 = 100.0;
/// Theory is asked from this load on: below, the run itself sees enough.
const HEAVY: f64 = 0.8;

/// How sure one number is.
#[derive(Clone, Copy, Debug)]
enum Sure {
    /// The run is too short to say.
    Unknown,
    /// The relative half-width of its interval.
    Within(f64, Neighbours),
}

/// What is not yet precise of these runs of `model`, a sentence each; `batches` is what batch means
/// say of a single run. Nothing where chance has no part.
pub fn judge(
    model: &Model,
    measures: &Measures,
    runs: &[RunRecord],
    batches: &[BatchMean],
) -> Vec<String> {
    if !model.is_random() {
        return Vec::new();
    }
    if runs.len() == 1 && !model.is_steady() {
        let note = "one run of something random that is disturbed on schedule: its numbers have \
                    no interval, and another seed gives others; set `replications = 20`";
        return vec![note.to_owned()];
    }
    let evidence = Evidence {
        measures,
        batches,
        single: runs.len() == 1,
    };
    let mut notes = Vec::new();
    for (id, queue) in model.queues.pairs() {
        let had: u64 = runs.iter().map(|run| run.queues[id].wait.count).sum();
        if had == 0 {
            continue;
        }
        if let Some(why) = grows(model, id, measures) {
            notes.push(why);
            continue;
        }
        let needs = Needs::of(model, id).filter(|needs| needs.load >= HEAVY);
        let short = needs.as_ref().map(|it| it.messages(ENOUGH) / had as f64);
        let value = |what: &str| measures.value(&format!("{}.{what}", queue.name));
        let waiting = value("wait.mean").zip(value("sojourn.mean"));
        let part = waiting.map_or(1.0, |(wait, sojourn)| (wait / sojourn).powi(2));
        for (what, short) in [
            ("wait.mean", short),
            ("wait.p99", short),
            ("sojourn.mean", short.map(|short| short * part)),
        ] {
            let name = format!("{}.{what}", queue.name);
            notes.extend(
                evidence
                    .of(&name)
                    .and_then(|sure| sentence(&name, sure, short)),
            );
        }
        if let Some(needs) = needs.filter(|needs| needs.messages(ENOUGH) > had as f64) {
            notes.push(length(&queue.name, &needs, had));
        }
        notes.extend(swings(model, id, runs));
    }
    for fleet in &model.fleets {
        let name = format!("{}.utilization", fleet.name);
        notes.extend(
            evidence
                .of(&name)
                .and_then(|sure| sentence(&name, sure, None)),
        );
    }
    notes
}

/// Whether an interval from batch means may be shown: its batches do not visibly depend on each
/// other, or what that can hide is small.
pub(super) fn believable(interval: &Interval, neighbours: Neighbours) -> bool {
    match neighbours {
        Neighbours::Independent => true,
        Neighbours::Correlated => HIDDEN * relative(interval) <= ENOUGH,
    }
}

/// Where intervals come from.
struct Evidence<'a> {
    measures: &'a Measures,
    batches: &'a [BatchMean],
    single: bool,
}

impl Evidence<'_> {
    /// How sure a metric is; `None` when there is no such number.
    fn of(&self, name: &str) -> Option<Sure> {
        let position = self.measures.catalogue().position(name)?;
        self.measures.at(position)?;
        let found = if self.single {
            let batch = self.batches.iter().find(|it| it.metric == name)?;
            batch.interval
        } else {
            let interval = self.measures.interval(position, LEVEL);
            interval.map(|it| (it, Neighbours::Independent))
        };
        Some(found.map_or(Sure::Unknown, |(interval, neighbours)| {
            Sure::Within(relative(&interval), neighbours)
        }))
    }
}

/// What is to be said of one number; `short` is how many times too short the run is by theory. It
/// is the theory of a mean without crashes and the like: an interval that asks for more is right.
fn sentence(name: &str, sure: Sure, short: Option<f64>) -> Option<String> {
    let short = short.filter(|short| *short > 1.0);
    let by = |width: f64| Some(short.unwrap_or(0.0).max((width / ENOUGH).powi(2)));
    let (how, factor) = match sure {
        Sure::Unknown => ("too short a run to say how sure it is".to_owned(), short),
        Sure::Within(width, Neighbours::Correlated) if HIDDEN * width > ENOUGH => (
            format!(
                "±{} at 95 % by batches that still depend on each other, so even that is too \
                 narrow",
                percent(width)
            ),
            by(HIDDEN * width),
        ),
        Sure::Within(width, _) if width > ENOUGH => {
            (format!("±{} at 95 %", percent(width)), by(width))
        }
        Sure::Within(width, _) if short.is_some_and(|short| short > HIDDEN) => (
            format!(
                "±{} at 95 %, but so short a run cannot know how wide that is",
                percent(width)
            ),
            short,
        ),
        Sure::Within(..) => return None,
    };
    let more = factor.map_or_else(String::new, |factor| {
        let (factor, goal) = (times(factor), percent(ENOUGH));
        format!("; needs about {factor} times this run for ±{goal}")
    });
    Some(format!("{name} is not yet precise: {how}{more}"))
}

fn length(name: &str, needs: &Needs, had: u64) -> String {
    format!(
        "{name} needs about {} messages until the mean wait is known to ±{} ({} for ±1 %), and {} \
         were measured: {}",
        many(needs.messages(ENOUGH)),
        percent(ENOUGH),
        many(needs.for_1pct),
        many(had as f64),
        needs.source,
    )
}

/// What makes the load of a queue swing, and happened too seldom to say how sure its numbers are.
fn swings(model: &Model, queue: QueueId, runs: &[RunRecord]) -> Vec<String> {
    let measured = |run: &RunRecord| run.ended.at.since(run.measured_from).as_secs_f64();
    let span: f64 = runs.iter().map(measured).sum();
    let phases = model
        .producers
        .iter()
        .filter(|producer| producer.queues.contains(&queue))
        .filter_map(|producer| match &producer.origin {
            Origin::Arrivals {
                arrivals: Arrivals::OnOff(it),
                ..
            } => Some((
                format!("the arrivals of {} go on and off", producer.name),
                it.mean_cycle(),
            )),
            Origin::Arrivals { .. } | Origin::Fleet(_) => None,
        });
    let outages = model
        .outages
        .iter()
        .filter(|outage| model.fleets[outage.fleet].queue == queue)
        .filter_map(|outage| match &outage.windows {
            Windows::Random { up, down } => Some((
                format!("{} goes down", model.fleets[outage.fleet].name),
                up.mean() + down.mean(),
            )),
            Windows::Fixed(_) => None,
        });
    let name = &model.queues[queue].name;
    let seldom = |(what, cycle): (String, f64)| {
        let seen = span / cycle;
        (seen < CYCLES).then(|| {
            format!(
                "{name} is not yet precise, whatever its intervals say: {what} about every {}, \
                 which makes {} times in this run; intervals can be trusted from {CYCLES} times \
                 on, after about {} times this run",
                SimDuration::from_secs_rounded(cycle),
                times(seen),
                times(CYCLES / seen),
            )
        })
    };
    phases.chain(outages).filter_map(seldom).collect()
}
