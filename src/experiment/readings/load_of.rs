//! What is known of a queue whose waits have no closed form, because of how its messages are
//! delivered and handled: the load on its consumers, and what they get done.
//!
//! Not the waits. Work is conserved whatever the order in which it comes, so the load needs no
//! assumption about independence, only that nothing grows for ever.

use super::found::{Doubt, Found, LongRun, known, number};
use super::handled::{Load, Repeats, handled};
use super::rates_of::cycle;
use super::source_of::{Question, source_of};
use super::station_of::{breaks, crew};
use crate::outcome::How;

/// The load, where deliveries are not plain and it is known.
pub(super) fn load(asked: Question<'_>) -> Vec<Found> {
    try_load(asked).unwrap_or_default()
}

fn try_load(asked: Question<'_>) -> Option<Vec<Found>> {
    let model = asked.model;
    let queue = &model.queues[asked.queue];
    let station = crew(asked).ok()?;
    let fleet = station.fleet?;
    let handled = handled(model, fleet, asked.window).ok()?;
    if handled.is_once() && handled.no_wait.is_empty() {
        return None;
    }
    let ages = [queue.retention, queue.ttl];
    let unbounded = queue.capacity == u64::MAX && queue.memory.is_none();
    if !unbounded || ages.iter().any(Option::is_some) || breaks(asked, &station).ok()?.is_some() {
        return None;
    }
    let source = source_of(asked).ok()?;
    let rate = source.rate() * handled.copies;
    let handlers = f64::from(station.handlers);
    let work = handled.total.moments[0];
    let members = &model.fleets[fleet];
    let busy = rate * cycle(members, &handled) / handlers;
    if busy.is_nan() || busy >= 1.0 - 1e-9 {
        return None;
    }
    let how = match handled.repeats {
        Repeats::No
        | Repeats::Yes {
            load: Load::Exact, ..
        } => How::Exact,
        Repeats::Yes {
            load: Load::WhenEnough,
            ..
        } => How::Approximate,
    };
    let name = if handled.is_once() {
        "load".to_owned()
    } else {
        format!("load, {} attempts each", number(handled.total.attempts))
    };
    let span = asked.window.span().filter(|span| *span > 0.0);
    // What is out at the edges of the run: at work, ahead of it, or with the broker.
    let held = rate * (handled.away + 2.0 * work / (1.0 - busy)) + handlers;
    let edge = |held: f64| span.map_or(0.0, |span| held / span);
    let assumes = LongRun {
        relaxation: (handled.away + work) / (1.0 - busy).powi(2),
        one_percent: None,
        scv: [source.scv(), station.service.scv()],
        places: f64::INFINITY,
        doubt: Doubt::Wait,
    };
    let found = |metric: String, value: f64, grain: f64| Found {
        metric,
        queue: asked.queue,
        known: known(Some(value), how, &name),
        grain,
        scatter: None,
        assumes: Some(assumes),
    };
    let done = rate * (1.0 - handled.total.given_up);
    Some(vec![
        found(format!("{}.goodput", queue.name), done, edge(held)),
        found(
            format!("{}.utilization", members.name),
            rate * work / handlers,
            edge(held * work) / handlers,
        ),
    ])
}
