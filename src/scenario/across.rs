//! What the readers of single components cannot see: dead letters that go round in a loop, and
//! keys that one component needs and another does not write.
//!
//! Not chains of fleets that publish ([`super::chains`]): a dead letter comes back by a redrive
//! only, which ends.

use super::names::Names;
use crate::input::{Problem, Problems, Span};
use crate::model::{Grouping, Guard, Id, Model, Origin, Producer, QueueId, Table};
use crate::units::Ratio;

/// Files what is wrong between the components of a model.
pub(super) fn check(model: &Model, names: &Names<'_>, problems: &mut Problems) {
    dead_letters(model, names, problems);
    for (id, queue) in model.queues.pairs() {
        if queue.delivery.grouping == Grouping::ByKey {
            let place = names.queues.place(id.index(), &["groups"]);
            let what = format!("`{}` groups by key", queue.name);
            keys(id, &what, &place, model, names, problems);
        }
    }
    for (id, fleet) in model.fleets.pairs() {
        let delivery = &model.queues[fleet.queue].delivery;
        let limited = delivery.max_receives.is_some() || delivery.return_limit.is_some();
        if fleet.handling.ack_loss == Ratio::ONE && !limited {
            let place = names.consumers.place(id.index(), &["ack_loss"]);
            let title = "every acknowledgement is lost, so each message is delivered for ever";
            let problem = Problem::error(title, place, "must be below 1");
            problems.file(problem.help("or limit the deliveries of its queue: `max_receives = 3`"));
        }
        if fleet.handling.guard == Guard::Version {
            let place = names.consumers.place(id.index(), &["guard"]);
            let what = format!("`{}` guards versions by key", fleet.name);
            keys(fleet.queue, &what, &place, model, names, problems);
        }
    }
}

/// A loop is filed once, where its first queue names the next.
fn dead_letters(model: &Model, names: &Names<'_>, problems: &mut Problems) {
    let next = |queue: QueueId| {
        let dead_letter = model.queues[queue].delivery.dead_letter?;
        Some(dead_letter.queue)
    };
    // Each queue is come to once, however long the chains are.
    let mut seen: Table<QueueId, bool> = model.queues.iter().map(|_| false).collect();
    let mut rounds = Vec::new();
    for start in model.queues.ids() {
        let mut way = Vec::new();
        let mut at = Some(start);
        while let Some(queue) = at
            && !std::mem::replace(&mut seen[queue], true)
        {
            way.push(queue);
            at = next(queue);
        }
        // Back where this very way has been: it is a round from there on.
        let back = at.and_then(|queue| way.iter().position(|it| *it == queue));
        rounds.extend(back.map(|place| way.split_off(place)));
    }
    rounds.sort_by_key(|round: &Vec<_>| round.iter().min().copied());
    for mut round in rounds {
        let first = round.iter().enumerate().min_by_key(|(_, queue)| **queue);
        let Some((place, &start)) = first else {
            continue;
        };
        round.rotate_left(place);
        let mut names_on_the_way: Vec<_> = round
            .iter()
            .map(|queue| model.queues[*queue].name.as_str())
            .collect();
        names_on_the_way.push(&model.queues[start].name);
        let title = "dead letters go round in a loop, so nobody ever sees them";
        let place = names.queues.place(start.index(), &["dead_letter"]);
        let problem = Problem::error(title, place, "leads back here");
        problems.file(problem.help(format!("the loop is {}", names_on_the_way.join(" -> "))));
    }
}

/// Files each publisher to a queue that writes no keys.
fn keys(
    queue: QueueId,
    what: &str,
    place: &Span,
    model: &Model,
    names: &Names<'_>,
    problems: &mut Problems,
) {
    for (position, producer) in model.producers.iter().enumerate() {
        if !producer.queues.contains(&queue) || producer.stamp.keys.is_some() {
            continue;
        }
        let (name, span) = publisher(position, producer, names);
        let title = format!("{what}, and `{name}` writes no keys");
        let problem = Problem::error(title, place.clone(), "needs the keys of all messages");
        let problem = problem.also(span, "publishes there without `keys`");
        problems.file(problem.help(format!("add `keys = 1000` to `{name}`")));
    }
}

/// What one who publishes is called, and where it says so.
fn publisher(position: usize, producer: &Producer, names: &Names<'_>) -> (String, Span) {
    match &producer.origin {
        Origin::Arrivals { .. } => (producer.name.clone(), names.producers.place(position, &[])),
        Origin::Fleet(fleet) => {
            let place = names.consumers.place(fleet.index(), &["publishes"]);
            (format!("{}.publishes", producer.name), place)
        }
    }
}
