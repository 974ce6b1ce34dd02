//! `[consumers.NAME]`: how many, how long they work, and what they publish when they have.
//!
//! Not how they handle what they are given ([`super::handling`]), and not their outages.

use super::autoscale;
use super::calls::{self, Calls};
use super::handling;
use super::names::Names;
use super::publish::{Claims, Publisher};
use super::reading::{at_least, items};
use crate::input::{Data, Entry, Fields, Problem, Problems, Span, Spanned, Value};
use crate::model::{Fleet, QueueId, Staffing};
use crate::random::law::DurationLaw;
use crate::units::{SimDuration, SimTime};

/// More copies of a message than this are a slip of the fingers, and one instant would never end.
const MOST_COPIES: u32 = 1_000_000;

/// The most handlers of all fleets together: each has a place in memory.
const MOST_HANDLERS: u64 = 16_000_000;

const LATER: [&str; 1] = ["log"];

/// A fleet without its own publishing and calls, and those apart: ids of publishing fleets come
/// after those of the producers, and those of callers at last.
#[derive(Debug)]
pub(super) struct Reading {
    pub fleet: Fleet,
    pub publishes: Option<(Publisher, u32)>,
    pub calls: Option<Calls>,
}

/// Reads one fleet.
pub(super) fn read(
    entry: &Entry,
    names: &Names<'_>,
    claims: &mut Claims,
    problems: &mut Problems,
) -> Option<Reading> {
    let name = names.consumers.dotted(&entry.key);
    let mut fields = Fields::open(&entry.value, name.clone(), problems)?;
    fields.not_yet(&LATER, problems);
    let log = fields.has("log");
    let queue = if log {
        fields.entry("queue");
        None
    } else {
        fields.required_spanned::<String>("queue", problems)
    };
    let queue: Option<QueueId> = queue.and_then(|queue| names.queues.find(&queue, problems));
    let count = fields.or("count", 1_u32, problems);
    let concurrency = fields.spanned::<u32>("concurrency", problems);
    let concurrency = match concurrency {
        Some(found) => at_least(&1, found, "concurrency", problems),
        None => Some(1),
    };
    let service = fields.required::<DurationLaw>("service", problems);
    let scheduled = fields.entry("schedule");
    let staffing = schedule(&mut fields, problems);
    let scaling = autoscale::read(fields.entry("autoscale"), count, scheduled, problems);
    let cost_per_hour = cost_per_hour(&mut fields, problems);
    let handling = handling::read(&mut fields, problems);
    if let Some(crash) = &handling.crash {
        let sizes = staffing.iter().flatten().map(|change| change.count);
        let sizes = sizes.chain(scaling.as_ref().map(|scaling| scaling.max));
        let most = sizes.fold(count, u32::max);
        crash_of_fewer(crash.consumers, most, &mut fields, problems);
    }
    let calls = fields
        .entry("calls")
        .map(|entry| calls::read(entry, calls::Of::Consumers, names, problems));
    let publishes = fields.entry("publishes").map(|entry| {
        let name = format!("{name}.publishes");
        publishes(&entry.value, name, names, claims, problems)
    });
    fields.close(problems);
    let publishes = publishes.map_or(Some(None), |read| read.map(Some));
    let calls = calls.map_or(Some(None), |read| read.map(Some));
    let fleet = Fleet {
        name,
        queue: queue?,
        count,
        concurrency: concurrency?,
        service: service?,
        staffing: staffing?,
        publishes: None,
        scaling,
        cost_per_hour,
        handling,
    };
    Some(Reading {
        fleet,
        publishes: publishes?,
        calls: calls?,
    })
}

/// No more consumers crash together than there ever are.
fn crash_of_fewer(crash: u32, most: u32, fields: &mut Fields<'_>, problems: &mut Problems) {
    if crash <= most.max(1) {
        return;
    }
    let Some(Entry { value, .. }) = fields.entry("crash") else {
        return;
    };
    let inner = match &value.data {
        Data::Table(table) => table.get("consumers"),
        Data::String(_)
        | Data::Integer(_)
        | Data::Float(_)
        | Data::Boolean(_)
        | Data::Datetime
        | Data::Array(_) => None,
    };
    let place = inner.map_or_else(|| value.span.clone(), |entry| entry.value.span.clone());
    let title = format!("{crash} consumers crash of a fleet that has {most}");
    let problem = Problem::error(title, place, format!("must be at most {most}"));
    problems.file(problem.help(format!("for all of them, write `consumers = {most}`")));
}

/// What a consumer costs an hour.
fn cost_per_hour(fields: &mut Fields<'_>, problems: &mut Problems) -> Option<f64> {
    let found = fields.spanned::<f64>("cost_per_hour", problems)?;
    at_least(&0.0, found, "cost_per_hour", problems)
}

fn publishes(
    value: &Value,
    name: String,
    names: &Names<'_>,
    claims: &mut Claims,
    problems: &mut Problems,
) -> Option<(Publisher, u32)> {
    let mut fields = Fields::open(value, name, problems)?;
    let publisher = Publisher::read(&mut fields, names, claims, problems);
    let copies = match fields.spanned::<u32>("copies", problems) {
        Some(found) if found.it > MOST_COPIES => {
            let title = format!("{} copies of each message are too many", found.it);
            let label = format!("at most {MOST_COPIES}");
            problems.file(Problem::error(title, found.span, label));
            None
        }
        Some(found) => at_least(&1, found, "copies", problems),
        None => Some(1),
    };
    fields.close(problems);
    Some((publisher?, copies?))
}

/// Reads `schedule = [{ from, count }, …]`.
fn schedule(fields: &mut Fields<'_>, problems: &mut Problems) -> Option<Vec<Staffing>> {
    let name = format!("{}.schedule", fields.name());
    let changes = items(fields.entry("schedule"), problems).iter();
    let changes: Vec<_> = changes.map(|item| change(item, &name, problems)).collect();
    let changes: Vec<(Staffing, Span)> = changes.into_iter().collect::<Option<_>>()?;
    for pair in changes.windows(2) {
        let [(before, first), (after, second)] = pair else {
            continue;
        };
        if after.from <= before.from {
            let title = "the changes of a schedule are not in the order of time";
            let problem = Problem::error(title, second.clone(), "not later");
            problems.file(problem.also(first.clone(), "than this one"));
        }
    }
    Some(changes.into_iter().map(|(change, _)| change).collect())
}

fn change(item: &Value, name: &str, problems: &mut Problems) -> Option<(Staffing, Span)> {
    let mut fields = Fields::open(item, name, problems)?;
    let from = fields.required_spanned::<SimDuration>("from", problems);
    let count = fields.required::<u32>("count", problems);
    fields.close(problems);
    let Spanned { it, span } = from?;
    let from = SimTime::ZERO.saturating_add(it);
    Some((
        Staffing {
            from,
            count: count?,
        },
        span,
    ))
}

/// Files a problem when all fleets together have too many handlers to hold.
pub(super) fn check_size(fleets: &[Option<Reading>], names: &Names<'_>, problems: &mut Problems) {
    let mut total = 0_u64;
    let entries = names.consumers.entries().iter().enumerate();
    for (fleet, (position, entry)) in fleets.iter().zip(entries) {
        let Some(Reading { fleet, .. }) = fleet else {
            continue;
        };
        let most = fleet
            .staffing
            .iter()
            .map(|change| change.count)
            .chain(fleet.scaling.as_ref().map(|scaling| scaling.max))
            .fold(fleet.count, u32::max);
        let handlers = u64::from(most) * u64::from(fleet.concurrency);
        total = total.saturating_add(handlers);
        if total > MOST_HANDLERS {
            let title = format!("{total} handlers are more than {MOST_HANDLERS}");
            let label = format!("{most} consumers with {} handlers each", fleet.concurrency);
            let scaled = fleet.scaling.as_ref().is_some_and(|it| it.max == most);
            let (place, help) = if scaled {
                let place = names.consumers.place(position, &["autoscale"]);
                (place, "lower `max` of `autoscale`, or `concurrency`")
            } else {
                (entry.key_span.clone(), "lower `count` or `concurrency`")
            };
            problems.file(Problem::error(title, place, label).help(help));
            return;
        }
    }
}
