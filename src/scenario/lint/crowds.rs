//! Warnings about many at once: retries in step, work that sits with one consumer, handlers that
//! have nothing to do.
//!
//! Not overload: that is a matter of rates.

use super::span;
use crate::input::{Problem, Problems};
use crate::model::{
    Fleet, FleetId, Grouping, Id, Intake, Model, Origin, Producer, QueueId, Redelivery,
};
use crate::policy::keys::Keys;
use crate::policy::publish::PublishPolicy;
use crate::policy::retry::{Backoff, RetryPolicy};
use crate::scenario::load::{Load, short};
use crate::scenario::names::Names;
use crate::units::SimDuration;

/// So many that come back together make a pulse.
pub(super) const CROWD: f64 = 10.0;

/// A prefetch is far above need from so many on, and from so many times the need.
const FAR: u64 = 100;
const TIMES: u64 = 10;

/// Files the warnings of crowds.
pub(super) fn check(model: &Model, names: &Names<'_>, problems: &mut Problems) {
    let load = Load::of(model);
    for (id, fleet) in model.fleets.pairs() {
        in_step(id, fleet, &load, names, problems);
        at_the_limit(id, fleet, model, names, problems);
        let alone = fleet.most_handlers() <= fleet.concurrency && load.readers(fleet.queue) == 1;
        if !alone {
            prefetch(id, fleet, names, problems);
        }
        half_batches(id, fleet, names, problems);
    }
    for (position, producer) in model.producers.iter().enumerate() {
        publishes_in_step(position, producer, names, problems);
        publishes_at_once(position, producer, model, names, problems);
    }
    for id in model.queues.ids() {
        idle(id, model, names, problems);
    }
}

/// Whether all who fail together come back together.
pub(super) fn is_pulse(policy: &RetryPolicy) -> bool {
    let waits = match policy.backoff {
        Backoff::Fixed(_) | Backoff::Linear(_) | Backoff::Exponential(_) => true,
        Backoff::Immediate | Backoff::Sidekiq | Backoff::Celery => false,
    };
    policy.attempts > 1 && waits && !policy.is_spread()
}

/// Retries of handlers without jitter.
fn in_step(id: FleetId, fleet: &Fleet, load: &Load, names: &Names<'_>, problems: &mut Problems) {
    let Some(retry) = fleet.handling.retry.filter(|retry| is_pulse(&retry.policy)) else {
        return;
    };
    let handlers = f64::from(fleet.most_handlers());
    let rate = load.offered(fleet.queue).unwrap_or(0.0);
    let crowd = match (handlers > CROWD, rate > CROWD) {
        (true, _) => format!("{handlers} handlers"),
        (false, true) => format!("{}/s", short(rate)),
        (false, false) => return,
    };
    let first = span(retry.policy.mean_delay(0));
    let title = format!(
        "what fails together in `{}` is retried together",
        fleet.name
    );
    let label = format!("{crowd}, all again after {first}");
    let place = names.consumers.place(id.index(), &["retry"]);
    problems.file(Problem::warning(title, place, label).help("add `jitter = \"full\"`"));
}

/// Attempts that their limiter refuses, and that are made again at once.
fn at_the_limit(
    id: FleetId,
    fleet: &Fleet,
    model: &Model,
    names: &Names<'_>,
    problems: &mut Problems,
) {
    let Some(limit) = fleet.handling.limit else {
        return;
    };
    let waits = match (
        fleet.handling.retry,
        model.queues[fleet.queue].delivery.redelivery,
    ) {
        (Some(retry), _) => retry.policy.backoff != Backoff::Immediate,
        (None, Redelivery::Visibility(_)) => true,
        (None, Redelivery::OnDisconnect) => false,
    };
    if waits {
        return;
    }
    let title = format!(
        "what the limiter of `{}` refuses is tried again at once",
        fleet.name
    );
    let place = names.consumers.place(id.index(), &["limit"]);
    let label = format!("{} go through, the others spin", limit.rate);
    let problem = Problem::warning(title, place, label);
    problems.file(problem.help("give `retry` a `backoff`"));
}

/// Retries of publishes without jitter.
fn publishes_in_step(
    position: usize,
    producer: &Producer,
    names: &Names<'_>,
    problems: &mut Problems,
) {
    let (PublishPolicy::Retry(policy), Origin::Arrivals { arrivals, .. }) =
        (&producer.on_full, &producer.origin)
    else {
        return;
    };
    let rate = arrivals.mean_rate().unwrap_or(0.0);
    if !is_pulse(policy) || rate <= CROWD {
        return;
    }
    let title = format!(
        "what `{}` is refused together it publishes together",
        producer.name
    );
    let label = format!(
        "{}/s, all again after {}",
        short(rate),
        span(policy.mean_delay(0))
    );
    let place = names.producers.place(position, &["on_full", "retry"]);
    problems.file(Problem::warning(title, place, label).help("add `jitter = \"full\"`"));
}

/// Publishes that a limit on calls refuses, and that are made again at once.
fn publishes_at_once(
    position: usize,
    producer: &Producer,
    model: &Model,
    names: &Names<'_>,
    problems: &mut Problems,
) {
    let PublishPolicy::Retry(policy) = &producer.on_full else {
        return;
    };
    let calls = |queue: &QueueId| model.queues[*queue].delivery.calls.send;
    let limit = producer.queues.iter().find_map(calls);
    let Some(limit) = limit.filter(|_| policy.backoff == Backoff::Immediate) else {
        return;
    };
    if policy.attempts < 2 {
        return;
    }
    let title = format!(
        "what the call limit refuses `{}` is published again at once",
        producer.name
    );
    let place = names.producers.place(position, &["on_full", "retry"]);
    let label = format!("{limit} go through; the same instant has no call for the others");
    let problem = Problem::warning(title, place, label);
    problems.file(problem.help("give `retry` a `backoff` of the time until there are calls again"));
}

/// A prefetch that gathers work with one consumer while others are idle.
fn prefetch(id: FleetId, fleet: &Fleet, names: &Names<'_>, problems: &mut Problems) {
    let Intake::Push { prefetch } = fleet.handling.intake else {
        return;
    };
    let (work, delay) = (
        SimDuration::from_secs_rounded(fleet.service.mean()),
        fleet.handling.delivery_delay,
    );
    if work.is_zero() {
        return;
    }
    let round = 2 * u128::from(delay.as_nanos()) + u128::from(work.as_nanos());
    let each = round.div_ceil(u128::from(work.as_nanos())) as u64;
    let batch = fleet.handling.batch.map_or(1, |batch| batch.size);
    let each = each.saturating_mul(u64::from(batch));
    let need = each.saturating_mul(u64::from(fleet.concurrency));
    let held = u64::from(prefetch);
    if held <= FAR || held <= need.saturating_mul(TIMES) {
        return;
    }
    let shown = match prefetch {
        u32::MAX => "all that is there".to_owned(),
        prefetch => prefetch.to_string(),
    };
    let title = format!(
        "a consumer of `{}` holds work that others could do",
        fleet.name
    );
    let label = format!("takes {shown}, and {need} keep its handlers busy");
    let place = names.consumers.place(id.index(), &["prefetch"]);
    let problem = Problem::warning(title, place, label);
    problems.file(problem.help(format!(
        "(2 x {delay} of delay + {} of work) / work is {each} a handler: lower `prefetch`",
        span(fleet.service.mean())
    )));
}

/// A batch that is larger than what a consumer may hold.
fn half_batches(id: FleetId, fleet: &Fleet, names: &Names<'_>, problems: &mut Problems) {
    let (Intake::Push { prefetch }, Some(batch)) = (fleet.handling.intake, fleet.handling.batch)
    else {
        return;
    };
    if batch.size <= prefetch {
        return;
    }
    let title = format!("a batch of {} never fills in `{}`", batch.size, fleet.name);
    let label = format!("a consumer holds at most {prefetch}");
    let place = names.consumers.place(id.index(), &["batch"]);
    let problem = Problem::warning(title, place, label);
    problems.file(problem.help("raise `prefetch`, or make the batch smaller"));
}

/// More handlers than keys, where a key is worked on one message at a time.
fn idle(id: QueueId, model: &Model, names: &Names<'_>, problems: &mut Problems) {
    if model.queues[id].delivery.grouping == Grouping::None {
        return;
    }
    let keys = model
        .producers
        .iter()
        .filter(|producer| producer.queues.contains(&id))
        .filter_map(|producer| producer.stamp.keys.as_ref())
        .map(Keys::count);
    let handlers = model.fleets.iter().filter(|fleet| fleet.queue == id);
    let handlers: u64 = handlers.map(|fleet| u64::from(fleet.most_handlers())).sum();
    let Some(keys) = keys.max().filter(|keys| *keys < handlers) else {
        return;
    };
    let title = format!(
        "{} handlers of `{}` are always idle",
        handlers - keys,
        model.queues[id].name
    );
    let several = if keys == 1 { "" } else { "s" };
    let label =
        format!("one message of a key at a time: {keys} key{several} for {handlers} handlers");
    let place = names.queues.place(id.index(), &["groups"]);
    let problem = Problem::warning(title, place, label);
    problems.file(problem.help("use more keys, or fewer handlers"));
}

#[cfg(test)]
mod tests {
    use super::super::testing::{fires, quiet};

    const FIXED: &str = "consumers.c.retry={ attempts = 3, backoff = { fixed = \"5s\" } }";

    #[test]
    fn handlers_retry_with_jitter() {
        let title = "what fails together in `consumers.c` is retried together";
        let many = "consumers.c.count=20";
        fires(&[FIXED, many], title, "20 handlers, all again after 5s");
        let fast = "producers.p.arrivals={ poisson = { rate = \"50/s\" } }";
        fires(
            &[FIXED, fast, "consumers.c.service=1ms"],
            title,
            "50/s, all again",
        );
        quiet(&[FIXED]);
        quiet(&[FIXED, many, "consumers.c.retry.jitter=full"]);
        quiet(&[many, "consumers.c.retry={ backoff = \"sidekiq\" }"]);
    }

    #[test]
    fn a_limit_comes_with_a_backoff() {
        let limit = "consumers.c.limit=10/min";
        let title = "what the limiter of `consumers.c` refuses is tried again at once";
        fires(&[limit], title, "10/min go through");
        fires(
            &[limit, "consumers.c.retry={ attempts = 3 }"],
            title,
            "10/min",
        );
        quiet(&[limit, FIXED]);
        quiet(&[limit, "queues.q.delivery.visibility_timeout=30s"]);
    }

    #[test]
    fn publishers_retry_with_jitter() {
        let fast = "producers.p.arrivals={ poisson = { rate = \"50/s\" } }";
        let sets = |jitter: &str| {
            let policy = format!("attempts = 3, backoff = {{ fixed = \"2s\" }}{jitter}");
            let policy = format!("producers.p.on_full={{ retry = {{ {policy} }} }}");
            [
                fast.to_owned(),
                "consumers.c.service=1ms".to_owned(),
                policy,
            ]
        };
        let (plain, spread) = (sets(""), sets(", jitter = \"equal\""));
        let title = "what `producers.p` is refused together";
        fires(
            &plain.each_ref().map(String::as_str),
            title,
            "50/s, all again after 2s",
        );
        quiet(&spread.each_ref().map(String::as_str));
    }

    #[test]
    fn publishers_wait_for_a_call() {
        let calls = "queues.q.calls.send=1/s";
        let retry = "producers.p.on_full={ retry = { attempts = 9 } }";
        let title = "what the call limit refuses `producers.p` is published again at once";
        fires(&[calls, retry], title, "1/s go through");
        quiet(&[retry]);
        let waits =
            "producers.p.on_full={ retry = { attempts = 9, backoff = { fixed = \"1s\" } } }";
        quiet(&[calls, waits]);
    }

    #[test]
    fn a_prefetch_is_near_to_the_need() {
        let title = "holds work that others could do";
        // (2 x 100 ms + 100 ms) / 100 ms: 3 for each of two handlers.
        let with = |prefetch| {
            let count = "consumers.c.count=2";
            let delay = "consumers.c.delivery_delay=100ms";
            [count, "consumers.c.concurrency=2", delay, prefetch]
        };
        let numbers = "takes 101, and 6 keep its handlers busy";
        fires(&with("consumers.c.prefetch=101"), title, numbers);
        quiet(&with("consumers.c.prefetch=100"));
        let all = "consumers.c.prefetch=unlimited";
        fires(&with(all), title, "takes all that is there");
        // There is nobody else to do the work.
        quiet(&[all]);
        // Ten times the need of 50 handlers is more.
        let many = ["consumers.c.count=2", "consumers.c.concurrency=50"];
        quiet(&[many[0], many[1], "consumers.c.prefetch=500"]);
    }

    #[test]
    fn a_batch_can_fill() {
        let prefetch = "consumers.c.prefetch=5";
        fires(
            &[prefetch, "consumers.c.batch=6"],
            "never fills",
            "holds at most 5",
        );
        quiet(&[prefetch, "consumers.c.batch=5"]);
    }

    #[test]
    fn there_are_keys_for_all_handlers() {
        let groups = ["queues.q.groups=true", "consumers.c.count=8"];
        let few = [groups[0], groups[1], "producers.p.keys=5"];
        fires(
            &few,
            "3 handlers of `queues.q` are always idle",
            "5 keys for 8 handlers",
        );
        quiet(&[groups[0], groups[1], "producers.p.keys=8"]);
    }
}
