//! Warnings about dead letters: nobody is told, they vanish unread, or too soon, or there is no
//! queue for them, or nothing ever gets there; and messages that fail for ever.
//!
//! Not loops of them, which are errors.

use crate::experiment::readings::endless;
use crate::input::{Problem, Problems};
use crate::model::{
    Ack, Counted, DeadLetter, Fleet, FleetId, Id, InFlight, Model, Overflow, Producer, QueueId,
    Redelivery, Returned, Signal,
};
use crate::policy::order::Order;
use crate::scenario::names::Names;
use crate::units::Ratio;

/// Files the warnings of dead letters.
pub(super) fn check(model: &Model, names: &Names<'_>, problems: &mut Problems) {
    for (id, queue) in model.queues.pairs() {
        match queue.delivery.dead_letter {
            Some(dead_letter) if never_used(id, dead_letter, model) => {
                unreachable(id, dead_letter.queue, model, names, problems);
            }
            Some(dead_letter) => {
                unwatched(id, dead_letter.queue, model, names, problems);
                soon_gone(id, dead_letter.queue, model, names, problems);
            }
            None => nowhere(id, model, names, problems),
        }
        if queue.delivery.max_receives == Some(1) {
            once(id, model, names, problems);
        }
    }
    for (id, fleet) in model.fleets.pairs().filter(|(id, _)| endless(model, *id)) {
        round(id, fleet, model, names, problems);
    }
}

/// Whether no message can ever become a dead letter.
fn never_used(id: QueueId, dead_letter: DeadLetter, model: &Model) -> bool {
    let queue = &model.queues[id];
    let limited = queue.delivery.max_receives.is_some() || queue.delivery.return_limit.is_some();
    let expires = queue.retention.is_some() || queue.ttl.is_some();
    let drops = match queue.overflow {
        Overflow::Refuse => queue.returned == Returned::Drop,
        Overflow::DropOldest | Overflow::DropNewest | Overflow::DropLowest => true,
    };
    let taken = (dead_letter.expired == Counted::Yes && expires)
        || (dead_letter.dropped == Counted::Yes && drops);
    let mut fleets = model.fleets.iter().filter(|fleet| fleet.queue == id);
    // A handler gives up after its attempts, and at once what it has acknowledged before.
    let gives_up = fleets.any(|it| it.handling.retry.is_some() || it.handling.ack == Ack::Before);
    !limited && !taken && !gives_up
}

/// A dead-letter queue that nothing leads to.
fn unreachable(
    id: QueueId,
    dead: QueueId,
    model: &Model,
    names: &Names<'_>,
    problems: &mut Problems,
) {
    let title = format!("nothing ever gets to `{}`", model.queues[dead].name);
    let place = names.queues.place(id.index(), &["dead_letter"]);
    let label = "no limit makes a dead letter: what fails is given back each time";
    let problem = Problem::warning(title, place, label);
    problems.file(problem.help(
        "add `delivery = { max_receives = 5 }` (or `return_limit`), or `retry` to its consumers",
    ));
}

/// Messages that fail each time, and that nothing takes out of their queue.
fn round(id: FleetId, fleet: &Fleet, model: &Model, names: &Names<'_>, problems: &mut Problems) {
    let queue = &model.queues[fleet.queue];
    let fails = &fleet.handling.fails;
    let by_handler = fails.permanent > Ratio::ZERO || fails.transient == Ratio::ONE;
    let poisons = |producer: &&(usize, &Producer)| {
        producer.1.stamp.poison.share > Ratio::ZERO && producer.1.queues.contains(&fleet.queue)
    };
    let producer = model.producers.iter().enumerate().find(|it| poisons(&it));
    let place = match producer.filter(|_| !by_handler) {
        Some((position, _)) => names.producers.place(position, &["poison"]),
        None => names.consumers.place(id.index(), &["fails"]),
    };
    let until = match [queue.retention, queue.ttl].into_iter().flatten().min() {
        Some(age) => format!("until it expires after {age}"),
        None => "for ever".to_owned(),
    };
    let title = format!("what always fails goes round in `{}` {until}", queue.name);
    let at_once = fleet.handling.retry.is_none()
        && queue.delivery.redelivery == Redelivery::OnDisconnect
        && queue.order == Order::Fifo;
    let label = if at_once {
        "given back without a limit, to the head: those behind it wait"
    } else {
        "given back without a limit"
    };
    let problem = Problem::warning(title, place, label);
    problems.file(problem.help(
        "add `max_receives` or `return_limit` to its `delivery`, and `dead_letter` to keep it",
    ));
}

/// A dead-letter queue that no alert watches, told where it is first named.
fn unwatched(
    id: QueueId,
    dead: QueueId,
    model: &Model,
    names: &Names<'_>,
    problems: &mut Problems,
) {
    let watches = |signal: Signal| {
        matches!(
            signal,
            Signal::Depth(queue) | Signal::Lag(queue) | Signal::Count(_, queue) if queue == dead
        )
    };
    let first = model.queues.pairs().find(|(_, queue)| {
        let leads = queue.delivery.dead_letter;
        leads.is_some_and(|dead_letter| dead_letter.queue == dead)
    });
    let is_first = first.is_some_and(|(first, _)| first == id);
    if !is_first || model.alerts.iter().any(|alert| watches(alert.signal)) {
        return;
    }
    let name = &model.queues[dead].name;
    let title = format!("nobody is told of dead letters in `{name}`");
    let place = names.queues.place(id.index(), &["dead_letter"]);
    let problem = Problem::warning(title, place, "0 alerts watch it");
    problems.file(problem.help(format!(
        "add `[[alerts]]` with `when = \"{name}.depth > 0\"`"
    )));
}

/// A dead letter that is expired before, or as soon as, its original would have been.
fn soon_gone(
    id: QueueId,
    dead: QueueId,
    model: &Model,
    names: &Names<'_>,
    problems: &mut Problems,
) {
    let (source, target) = (&model.queues[id], &model.queues[dead]);
    let (Some(original), Some(kept)) = (source.retention, target.retention) else {
        return;
    };
    if kept > original {
        return;
    }
    let title = format!(
        "dead letters of `{}` may vanish before they are read",
        source.name
    );
    let place = names.queues.place(dead.index(), &["retention"]);
    let label = format!("kept for {kept}, counted from the first publish on SQS");
    let problem = Problem::warning(title, place, label);
    let also = names.queues.place(id.index(), &["retention"]);
    let problem = problem.also(also, format!("may be {original} old when they arrive"));
    problems.file(problem.help(format!(
        "keep messages of `{}` for longer than {original}",
        target.name
    )));
}

/// A limit on deliveries, and no queue for what is beyond it.
fn nowhere(id: QueueId, model: &Model, names: &Names<'_>, problems: &mut Problems) {
    let queue = &model.queues[id];
    let delivery = &queue.delivery;
    let (key, limit) = match (delivery.max_receives, delivery.return_limit) {
        (Some(most), _) => ("max_receives", format!("{most} receives")),
        (None, Some(limit)) => ("return_limit", format!("{} returns", limit.returns)),
        (None, None) => return,
    };
    if !comes_back(id, model) {
        return;
    }
    let title = format!("`{}` drops messages that cannot be worked on", queue.name);
    let place = names.queues.place(id.index(), &["delivery", key]);
    let label = format!("after {limit} a message is lost");
    let problem = Problem::warning(title, place, label);
    problems.file(problem.help("add `dead_letter`, and a queue for it"));
}

/// Whether anything brings messages of a queue back.
fn comes_back(id: QueueId, model: &Model) -> bool {
    let delivery = &model.queues[id].delivery;
    let lapses = matches!(delivery.redelivery, Redelivery::Visibility(_));
    let mut fleets = model.fleets.iter().filter(|fleet| fleet.queue == id);
    let fails = fleets.any(|fleet| {
        let handling = &fleet.handling;
        let fails = [handling.fails.transient, handling.fails.permanent];
        fails != [Ratio::ZERO; 2] || handling.crash.is_some() || handling.ack_loss > Ratio::ZERO
    });
    let poison = model.producers.iter().any(|producer| {
        let poison = &producer.stamp.poison;
        let any = poison.share > Ratio::ZERO || !poison.keys.is_empty();
        any && producer.queues.contains(&id)
    });
    let crashes = model.outages.iter().any(|outage| {
        let crash = matches!(outage.in_flight, InFlight::Crash(_));
        crash && model.fleets[outage.fleet].queue == id
    });
    lapses || fails || poison || crashes
}

/// One delivery, and no second one.
fn once(id: QueueId, model: &Model, names: &Names<'_>, problems: &mut Problems) {
    let title = format!(
        "`{}` delivers each message once only",
        model.queues[id].name
    );
    let place = names
        .queues
        .place(id.index(), &["delivery", "max_receives"]);
    let label = "1 receive: a crash, a deploy or a slow handler makes a dead letter";
    let problem = Problem::warning(title, place, label);
    problems.file(problem.help("allow 5 or more"));
}

#[cfg(test)]
mod tests {
    use super::super::testing::{DEAD, fires, quiet, watched};

    #[test]
    fn somebody_is_told() {
        fires(
            &[DEAD, "queues.q.delivery.max_receives=5"],
            "nobody is told of dead letters in `queues.d`",
            "0 alerts",
        );
        quiet(&watched(&[]));
    }

    #[test]
    fn something_gets_there() {
        let never = "nothing ever gets to `queues.d`";
        let fails = "consumers.c.fails={ transient = \"5%\" }";
        fires(&[DEAD, fails], never, "no limit makes a dead letter");
        quiet(&watched(&["queues.q.delivery={ return_limit = 3 }"]));
        let retry = "consumers.c.retry={ attempts = 3 }";
        quiet(&watched(&["queues.q.delivery={}", retry]));
        let expired = [
            "queues.q.delivery={}",
            "queues.q.retention=1h",
            "queues.q.dead_letter={ queue = \"d\", takes = [\"failed\", \"expired\"] }",
        ];
        quiet(&watched(&expired));
        fires(&watched(&expired[..2]), never, "no limit");
    }

    #[test]
    fn what_always_fails_is_given_up() {
        let goes_round = "what always fails goes round in `queues.q` for ever";
        let poison = "producers.p.poison=1%";
        fires(&[poison], goes_round, "to the head: those behind it wait");
        fires(&["consumers.c.fails=100%"], goes_round, "without a limit");
        let kept = [poison, "queues.q.retention=4d"];
        fires(&kept, "until it expires after 4d", "without a limit");
        quiet(&["consumers.c.fails=99%"]);
        quiet(&[poison, "consumers.c.retry={ attempts = 3 }"]);
        quiet(&watched(&[poison]));
        let cured = "consumers.c.fails={ permanent = \"5%\", cured_at = \"10m\" }";
        quiet(&[cured]);
    }

    #[test]
    fn dead_letters_are_kept_for_longer() {
        let source = "queues.q.retention=4d";
        let short = watched(&[source, "queues.d.retention=4d"]);
        fires(&short, "may vanish before they are read", "kept for 4d");
        quiet(&watched(&[source, "queues.d.retention=14d"]));
        quiet(&watched(&[source]));
    }

    #[test]
    fn what_is_beyond_a_limit_goes_somewhere() {
        let limit = "queues.q.delivery.max_receives=5";
        let sets = [limit, "consumers.c.fails=1%"];
        fires(
            &sets,
            "drops messages that cannot be worked on",
            "after 5 receives",
        );
        quiet(&watched(&sets));
        // Nothing ever comes back.
        quiet(&[limit]);
    }

    #[test]
    fn there_is_a_second_delivery() {
        let once = watched(&["queues.q.delivery.max_receives=1"]);
        fires(&once, "delivers each message once only", "1 receive");
        quiet(&watched(&["queues.q.delivery.max_receives=2"]));
    }
}
