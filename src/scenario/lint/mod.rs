//! Warnings: a scenario that can run, and will surprise.
//!
//! Not errors: each says which numbers do not go together, and a way out.

mod calls;
mod collapse;
mod crowds;
mod dead_letters;
mod losses;
#[cfg(test)]
mod testing;
mod times;

use super::load::{Load, short};
use super::names::Names;
use super::preset::field;
use super::redelivered::Redelivered;
use crate::input::{Data, Problem, Problems, Span, Value};
use crate::model::{Id, Model, Origin, Queue, Stop, Windows};
use crate::units::{SimDuration, SimTime};

/// Files the warnings of a model that is otherwise right.
pub(super) fn check(model: &Model, names: &Names<'_>, root: &Value, problems: &mut Problems) {
    loose_ends(model, names, problems);
    overload(model, names, problems);
    late_outages(model, root, problems);
    times::check(model, names, problems);
    dead_letters::check(model, names, problems);
    crowds::check(model, names, problems);
    losses::check(model, names, problems);
    calls::check(model, names, problems);
    collapse::check(model, names, root, problems);
}

/// A time in words, with three digits.
fn span(seconds: f64) -> SimDuration {
    if seconds <= 0.0 || !seconds.is_finite() {
        return SimDuration::from_secs_rounded(seconds);
    }
    let digits = 2 - seconds.abs().log10().floor() as i32;
    let scale = 10_f64.powi(digits.clamp(0, 9));
    SimDuration::from_secs_rounded((seconds * scale).round() / scale)
}

/// A number with two digits, as far as an approximation goes.
fn about(number: f64) -> String {
    let digits = 1 - number.abs().log10().floor() as i32;
    let scale = 10_f64.powi(digits.clamp(-12, 9));
    short((number * scale).round() / scale)
}

/// Queues that nobody fills, or nobody empties.
fn loose_ends(model: &Model, names: &Names<'_>, problems: &mut Problems) {
    let mut fed = vec![false; model.queues.len()];
    let mut served = vec![false; model.queues.len()];
    let targets = model.producers.iter().flat_map(|producer| &producer.queues);
    for queue in targets {
        fed[queue.index()] = true;
    }
    model
        .fleets
        .iter()
        .for_each(|fleet| served[fleet.queue.index()] = true);
    for (id, queue) in model.queues.pairs() {
        // Dead letters wait for somebody who looks at them.
        if let Some(dead_letter) = queue.delivery.dead_letter {
            fed[dead_letter.queue.index()] = true;
            served[dead_letter.queue.index()] = true;
        }
        if let Some(redrive) = queue.delivery.redrive {
            fed[redrive.to.index()] = true;
            served[id.index()] = true;
        }
    }
    for (position, entry) in names.queues.entries().iter().enumerate() {
        let mut warn = |title: String, label: &str| {
            problems.file(Problem::warning(title, entry.key_span.clone(), label));
        };
        if !fed[position] {
            warn(
                format!("nothing publishes to `queues.{}`", entry.key),
                "stays empty",
            );
        } else if !served[position] {
            warn(
                format!("no consumer reads `queues.{}`", entry.key),
                "is never emptied",
            );
        }
    }
}

/// More offered than the consumers can do, for ever.
fn overload(model: &Model, names: &Names<'_>, problems: &mut Problems) {
    let load = Load::of(model);
    let mut first = vec![None; model.queues.len()];
    for (id, fleet) in model.fleets.pairs() {
        first[fleet.queue.index()].get_or_insert(id);
    }
    for (id, queue) in model.queues.pairs() {
        let (Some(rate), Some(first)) = (load.offered(id), first[id.index()]) else {
            continue;
        };
        let again = Redelivered::of(model, first, &load);
        let again = again.filter(|it| it.is_too_much() && !it.is_endless());
        let nominal = load.capacity(id);
        let capacity = again
            .as_ref()
            .map_or(nominal, |it| it.capacity().min(nominal));
        let drains = model.plan.stop != Stop::Drained && rate <= capacity;
        // What outlives its welcome leaves by itself; sources that end leave time to catch up.
        if rate < capacity || drains || leaves(queue) || ends(model) {
            continue;
        }
        let rates = format!(
            "{}/s offered, at most {}/s completed",
            short(rate),
            short(capacity)
        );
        let title = format!("`{}` never drains: {rates}", queue.name);
        let place = names.consumers.entries()[first.index()].key_span.clone();
        let label = match again.as_ref().filter(|_| rate < nominal) {
            Some(again) => again.told(),
            None => "too slow in the long run".to_owned(),
        };
        let problem = Problem::warning(title, place, label);
        let needs = again.as_ref().and_then(Redelivered::needs);
        problems.file(match (model.plan.stop, needs) {
            (_, Some(needs)) => problem.help(format!("{needs}; or fewer redeliveries")),
            (Stop::Drained, None) => problem
                .help("add consumers, or stop after a time: this run ends only at its horizon"),
            (Stop::Settled | Stop::At(_), None) => {
                problem.help("add consumers, or make the work shorter")
            }
        });
    }
}

fn leaves(queue: &Queue) -> bool {
    queue.retention.is_some() || queue.ttl.is_some()
}

/// Whether all sources end.
fn ends(model: &Model) -> bool {
    model
        .producers
        .iter()
        .all(|producer| match &producer.origin {
            Origin::Arrivals {
                arrivals,
                count,
                until,
                ..
            } => arrivals.ends() || count.is_some() || until.is_some(),
            Origin::Fleet(_) => true,
        })
}

/// Outages that start when the run is over, or end after it.
fn late_outages(model: &Model, root: &Value, problems: &mut Problems) {
    let end = match model.plan.stop {
        Stop::At(end) => end.min(model.plan.horizon),
        Stop::Drained | Stop::Settled => model.plan.horizon,
    };
    let struck = model.outages.iter().map(|outage| &outage.windows);
    let troubled = model.troubles.iter().map(|trouble| &trouble.windows);
    let of_fleets = struck.enumerate().map(|it| (it, "consumers."));
    let of_others = troubled.enumerate().map(|it| (it, "dependencies."));
    for ((nth, windows), whose) in of_fleets.chain(of_others) {
        let Windows::Fixed(windows) = windows else {
            continue;
        };
        for (start, _) in windows.iter().filter(|(start, _)| *start >= end) {
            let title = format!("an outage never happens: it starts at {start}");
            let label = format!("the run ends at {end}, or before");
            problems.file(Problem::warning(
                title,
                outage_place(root, whose, nth),
                label,
            ));
        }
        let until = |(start, span): &(SimTime, SimDuration)| {
            let over = start.saturating_add(*span);
            (*start < end && over > end && over < SimTime::MAX).then_some(over)
        };
        for over in windows.iter().filter_map(until) {
            let title = format!("the run ends at {end}, before the outage does at {over}");
            let label = "its recovery is not seen";
            problems.file(Problem::warning(
                title,
                outage_place(root, whose, nth),
                label,
            ));
        }
    }
}

/// Where the n-th outage stands that strikes a component of a section.
fn outage_place(root: &Value, whose: &str, nth: usize) -> Span {
    let items = match field(root, "outages").map(|outages| &outages.data) {
        Some(Data::Array(items)) => items.as_slice(),
        Some(_) | None => &[],
    };
    let strikes = |item: &&Value| match field(item, "target").map(|target| &target.data) {
        Some(Data::String(target)) => target.starts_with(whose),
        Some(_) | None => false,
    };
    let place = items.iter().filter(strikes).nth(nth);
    place.map_or(0..0, |item| item.span.clone())
}
