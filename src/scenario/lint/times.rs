//! Warnings of times that do not go together: timeouts shorter than the work, retries beyond the
//! timeout, retention shorter than an outage.
//!
//! Not how often they strike: that takes a run.

use super::{about, span};
use crate::input::{Problem, Problems};
use crate::model::{
    Ack, BatchWork, Fleet, FleetId, Id, Intake, Model, Origin, Outage, QueueId, Redelivery,
    RetryPlace, Rework, Stop, Visibility, Windows,
};
use crate::policy::arrival::Arrivals;
use crate::scenario::load::Load;
use crate::scenario::names::Names;
use crate::scenario::redelivered::Redelivered;
use crate::units::{Ratio, SimDuration, SimTime};

/// Files the warnings of times.
pub(super) fn check(model: &Model, names: &Names<'_>, problems: &mut Problems) {
    let load = Load::of(model);
    for (id, fleet) in model.fleets.pairs() {
        let delivery = &model.queues[fleet.queue].delivery;
        if let Redelivery::Visibility(visibility) = delivery.redelivery {
            lapses(visibility, id, model, &load, names, problems);
            late_retries(visibility, id, model, names, problems);
        }
        cut_off(id, model, names, problems);
    }
    for (id, _) in model.queues.pairs() {
        retention(id, model, names, problems);
    }
}

/// For how long a delivery is unacknowledged: in 999 of 1,000, in seconds.
#[derive(Clone, Copy, Debug)]
struct Held {
    /// The wait with its consumer, behind others that it holds.
    buffered: f64,
    /// The work itself.
    work: f64,
    /// The way of the message there, and of its acknowledgement back.
    travel: f64,
}

impl Held {
    fn of(fleet: &Fleet) -> Self {
        let (mean, tail) = (fleet.service.mean(), |p| fleet.service.law().quantile(p));
        let handling = &fleet.handling;
        let work = match handling.batch {
            None => tail(0.999),
            Some(batch) => {
                let window = batch.window.as_secs_f64();
                let size = f64::from(batch.size);
                window
                    + match batch.work {
                        // The tail of a sum, about: one of them is long.
                        BatchWork::Each => mean.mul_add(size - 1.0, tail(0.999)),
                        BatchWork::Once => tail(0.999_f64.powf(1.0 / size)),
                    }
            }
        };
        let ahead = match handling.intake {
            // How many "all that is there" are depends on the line.
            Intake::Pull | Intake::Push { prefetch: u32::MAX } => 0,
            Intake::Push { prefetch } => prefetch.saturating_sub(fleet.concurrency),
        };
        Self {
            buffered: f64::from(ahead) / f64::from(fleet.concurrency) * mean,
            work: match handling.ack {
                Ack::Before => 0.0,
                Ack::After => work,
            },
            travel: 2.0 * handling.delivery_delay.as_secs_f64(),
        }
    }

    fn total(self) -> f64 {
        self.buffered + self.work + self.travel
    }

    /// `45s of work (p99.9) behind 12s with its consumer, and 2s of travel`
    fn told(self) -> String {
        let work = format!("{} of work (p99.9)", span(self.work));
        let told = match (self.work > 0.0, self.buffered > 0.0) {
            (true, false) => work,
            (true, true) => format!("{work} behind {} with its consumer", span(self.buffered)),
            (false, _) => format!("{} with its consumer", span(self.buffered)),
        };
        if self.travel > 0.0 {
            return format!("{told}, and {} of travel", span(self.travel));
        }
        told
    }
}

/// A visibility timeout that passes before the work is done.
fn lapses(
    visibility: Visibility,
    id: FleetId,
    model: &Model,
    load: &Load,
    names: &Names<'_>,
    problems: &mut Problems,
) {
    let fleet = &model.fleets[id];
    let queue = &model.queues[fleet.queue];
    let held = Held::of(fleet);
    let (limit, key) = match visibility.heartbeat {
        None => (visibility.timeout, "visibility_timeout"),
        Some(_) => (visibility.at_most, "max_extension"),
    };
    let again = Redelivered::of(model, id, load);
    let a_second = again.map_or(0.0, |it| it.overlaps());
    if held.total() <= limit.as_secs_f64() && !matters(a_second, model) {
        return;
    }
    let title = format!(
        "messages of `{}` are delivered again while `{}` still has them",
        queue.name, fleet.name
    );
    let place = names.queues.place(fleet.queue.index(), &["delivery", key]);
    let many = if matters(a_second, model) {
        format!(
            ": about {} such deliveries an hour",
            about(a_second * 3600.0)
        )
    } else {
        String::new()
    };
    let label = format!("{limit}, against {}{many}", held.told());
    let problem = Problem::warning(title, place, label);
    let works = names.consumers.place(id.index(), &["service"]);
    let problem = problem.also(works, "works so long");
    let problem = match visibility.heartbeat {
        None if held.buffered > held.work => {
            problem.help("lower `prefetch`, or raise the timeout above both")
        }
        None => problem.help("raise the timeout well above the work, or add a `heartbeat`"),
        Some(_) => problem.help("raise `max_extension`, or split the work"),
    };
    problems.file(price(id, model, load, problem));
}

/// Whether something that happens so often a second does so once an hour, or once in the run.
fn matters(a_second: f64, model: &Model) -> bool {
    let end = match model.plan.stop {
        Stop::At(end) => end.min(model.plan.horizon),
        Stop::Drained | Stop::Settled => SimTime::ZERO,
    };
    a_second * end.as_secs_f64().max(3600.0) >= 1.0
}

/// What deliveries that lapse cost, and what decides how often they do.
fn price(id: FleetId, model: &Model, load: &Load, mut problem: Problem) -> Problem {
    if let Some(again) = Redelivered::of(model, id, load) {
        let needs = again.needs();
        let needs = needs.map_or_else(String::new, |needs| format!(": {needs}"));
        problem = problem.help(again.told() + &needs);
        let lost = again.given_up();
        if matters(lost, model) {
            let to = match model.queues[model.fleets[id].queue].delivery.dead_letter {
                Some(_) => "become dead letters",
                None => "are dropped",
            };
            problem = problem.help(format!(
                "about {} messages an hour use up their deliveries while they are worked on, and \
                 {to}, though the work would succeed",
                about(lost * 3600.0)
            ));
        }
    }
    let service = model.fleets[id].service.law();
    match model.fleets[id].handling.rework {
        Rework::Restart if service.variance() > 0.0 => problem.help(
            "`rework = \"restart\"`: what took too long once does each time; with \"resample\" \
             each delivery draws anew",
        ),
        Rework::Restart | Rework::Resample => problem,
    }
}

/// An acknowledgement timeout that passes before the work is done.
fn cut_off(id: FleetId, model: &Model, names: &Names<'_>, problems: &mut Problems) {
    let fleet = &model.fleets[id];
    let queue = &model.queues[fleet.queue];
    let held = Held::of(fleet);
    let Some(timeout) = queue.delivery.ack_timeout else {
        return;
    };
    if held.total() <= timeout.limit.as_secs_f64() {
        return;
    }
    let title = format!(
        "`{}` loses its connection while it works on `{}`",
        fleet.name, queue.name
    );
    let keys = ["delivery", "ack_timeout", "limit"];
    let place = names.queues.place(fleet.queue.index(), &keys);
    let label = format!("{}, against {}", timeout.limit, held.told());
    let problem = Problem::warning(title, place, label);
    problems.file(problem.help("raise `ack_timeout`, split the work, or lower `prefetch`"));
}

/// Retries that are due after the message has been delivered again.
fn late_retries(
    visibility: Visibility,
    id: FleetId,
    model: &Model,
    names: &Names<'_>,
    problems: &mut Problems,
) {
    let fleet = &model.fleets[id];
    // What is acknowledged before the work is invisible no more when it fails.
    let retry = fleet.handling.retry;
    let Some(retry) = retry.filter(|_| fleet.handling.ack == Ack::After) else {
        return;
    };
    let (limit, held_by) = match retry.place {
        RetryPlace::Delayed => (visibility.timeout, "the broker"),
        RetryPlace::InPlace if visibility.heartbeat.is_some() => return,
        RetryPlace::InPlace => (visibility.timeout, "its handler"),
    };
    let Some(last) = retry.policy.attempts.checked_sub(2) else {
        return;
    };
    let longest = retry.policy.backoff.raw(last);
    if longest <= limit {
        return;
    }
    let title = format!(
        "a retry of `{}` waits with {held_by} for longer than its message is invisible",
        fleet.name
    );
    let place = names.consumers.place(id.index(), &["retry", "backoff"]);
    let label = format!("up to {longest}, against a visibility timeout of {limit}");
    let problem = Problem::warning(title, place, label);
    problems.file(problem.help(format!(
        "cap the backoff below {limit}, or raise the visibility timeout above {longest}"
    )));
}

/// A retention that is over before the consumers are back.
fn retention(id: QueueId, model: &Model, names: &Names<'_>, problems: &mut Problems) {
    let queue = &model.queues[id];
    let Some(kept) = queue.retention else {
        return;
    };
    // A client that waits for its answer sees that there is none: its message is no loss.
    let mut publishers = model.producers.iter().filter(|it| it.queues.contains(&id));
    if publishers.all(|producer| waits(&producer.origin)) {
        return;
    }
    let readers = model.fleets.iter().filter(|fleet| fleet.queue == id);
    if readers.count() != 1 {
        return;
    }
    let stops =
        |outage: &&Outage| model.fleets[outage.fleet].queue == id && outage.share == Ratio::ONE;
    let longest = model.outages.iter().filter(stops).map(longest).max();
    let Some(longest) = longest.filter(|longest| *longest >= kept) else {
        return;
    };
    let title = format!(
        "`{}` loses messages when its consumers are away",
        queue.name
    );
    let label = format!("kept for {kept}, against an outage of {longest}");
    let place = names.queues.place(id.index(), &["retention"]);
    let problem = Problem::warning(title, place, label);
    let help = "raise `retention` above the longest outage and the time to catch up";
    problems.file(problem.help(help));
}

/// Whether one who publishes waits for the answer.
fn waits(origin: &Origin) -> bool {
    match origin {
        Origin::Arrivals { arrivals, .. } => matches!(arrivals, Arrivals::Clients(_)),
        Origin::Fleet(_) => false,
    }
}

/// The longest window; of outages at random, the p99.
fn longest(outage: &Outage) -> SimDuration {
    match &outage.windows {
        Windows::Fixed(windows) => {
            let ends = windows.iter().filter(|(start, _)| *start < SimTime::MAX);
            ends.map(|(_, span)| *span)
                .max()
                .unwrap_or(SimDuration::ZERO)
        }
        Windows::Random { down, .. } => SimDuration::from_secs_rounded(down.law().quantile(0.99)),
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{fires, quiet, watched};

    const TIMEOUT: &str = "queues.q.delivery.visibility_timeout=30s";

    #[test]
    fn a_visibility_timeout_is_longer_than_the_work() {
        let again = "are delivered again while `consumers.c` still has them";
        let work = "consumers.c.service={ exponential = { mean = \"5s\" } }";
        // The p99.9 of an exponential law is 6.908 means: 34.5 s.
        fires(&[TIMEOUT, work], again, "34.5s of work (p99.9)");
        quiet(&[
            TIMEOUT,
            "consumers.c.service={ exponential = { mean = \"4s\" } }",
        ]);
        quiet(&[TIMEOUT, work, "queues.q.delivery.heartbeat=10s"]);
        quiet(&[TIMEOUT, work, "consumers.c.ack=before"]);
    }

    #[test]
    fn what_a_consumer_holds_is_invisible_too() {
        let again = "are delivered again while `consumers.c` still has them";
        let sets = [TIMEOUT, "consumers.c.service=1s", "consumers.c.prefetch=32"];
        fires(
            &sets,
            again,
            "1s of work (p99.9) behind 31s with its consumer",
        );
        quiet(&[TIMEOUT, "consumers.c.service=1s", "consumers.c.prefetch=30"]);
    }

    #[test]
    fn few_that_take_longer_are_told_when_they_are_many_an_hour() {
        // Sum of P(S > 30 i s), i = 1, 2, ..., of 180,000: 97.6, and 97 in an hour;
        // p99.9 is 18.7 s, below the timeout.
        let slow = "consumers.c.service={ lognormal = { mean = \"400ms\", p99 = \"5s\" } }";
        let rate = "producers.p.arrivals.poisson.rate=50/s";
        let sets = [TIMEOUT, slow, rate, "consumers.c.count=60"];
        let told = super::super::testing::warnings(&sets);
        assert!(told.contains("are delivered again while"), "{told}");
        assert!(
            told.contains("against 18.7s of work (p99.9): about 97 such"),
            "{told}"
        );
        assert!(told.contains("such deliveries an hour"), "{told}");
        // Five deliveries end at 150 s: P(S > 150 s) = 8.7e-6 of 180,000.
        let limited = [&watched(&[])[..], &sets].concat();
        let told = super::super::testing::warnings(&limited);
        let lost = "about 1.6 messages an hour use up their deliveries while they are worked on, \
                    and become dead letters, though the work would succeed";
        assert!(told.contains(lost), "{told}");
        // One an hour comes: none in hours.
        quiet(&[TIMEOUT, slow]);
    }

    #[test]
    fn messages_and_answers_travel() {
        let delay = ["consumers.c.service=1s", "consumers.c.delivery_delay=15s"];
        let again = "are delivered again while `consumers.c` still has them";
        fires(
            &[TIMEOUT, delay[0], delay[1]],
            again,
            "1s of work (p99.9), and 30s of travel",
        );
        let timeout = "queues.q.delivery.ack_timeout=30s";
        fires(
            &[timeout, delay[0], delay[1]],
            "loses its connection",
            "and 30s of travel",
        );
        quiet(&[TIMEOUT, delay[0], "consumers.c.delivery_delay=14s"]);
    }

    #[test]
    fn an_unlimited_prefetch_is_no_number() {
        quiet(&[
            "queues.q.delivery.ack_timeout=10s",
            "consumers.c.prefetch=unlimited",
        ]);
    }

    #[test]
    fn a_batch_is_held_as_a_whole() {
        let batch = [TIMEOUT, "consumers.c.service=4s", "consumers.c.batch=8"];
        fires(&batch, "are delivered again", "32s of work");
        quiet(&[TIMEOUT, "consumers.c.service=4s", "consumers.c.batch=7"]);
        let once = "consumers.c.batch={ size = 8, work = \"once\" }";
        quiet(&[TIMEOUT, "consumers.c.service=4s", once]);
    }

    #[test]
    fn an_acknowledgement_timeout_is_longer_than_the_work() {
        let timeout = "queues.q.delivery.ack_timeout=30m";
        let sets = [timeout, "consumers.c.service=31m"];
        fires(
            &sets,
            "loses its connection while it works",
            "30m, against 31m",
        );
        quiet(&[timeout, "consumers.c.service=29m"]);
    }

    #[test]
    fn a_retry_comes_before_the_timeout() {
        let retry = |attempts: u32| {
            let backoff = "{ exponential = { base = \"1s\" } }";
            let policy = format!("attempts = {attempts}, backoff = {backoff}, jitter = \"full\"");
            format!("consumers.c.retry={{ {policy} }}")
        };
        // Waits of 1, 2, 4, 8, 16, 32 s.
        let late = retry(7);
        fires(
            &[TIMEOUT, &late],
            "waits with the broker",
            "up to 32s, against",
        );
        quiet(&[TIMEOUT, &retry(6)]);
        // Acknowledged already.
        quiet(&[TIMEOUT, &late, "consumers.c.ack=before"]);
        let held = [TIMEOUT, &late, "consumers.c.retry.place=in_place"];
        fires(&held, "waits with its handler", "up to 32s, against");
    }

    #[test]
    fn retention_outlives_the_outage() {
        let outage = "outages.0.duration=90s";
        let sets = [outage, "queues.q.retention=1m"];
        fires(
            &sets,
            "loses messages",
            "kept for 1m, against an outage of 1m 30s",
        );
        quiet(&[outage, "queues.q.retention=2m"]);
        quiet(&[outage, "queues.q.retention=1m", "outages.0.share=50%"]);
        let clients = "producers.p.arrivals={ clients = { count = 5, think = \"1h\" } }";
        quiet(&[outage, "queues.q.retention=1m", clients]);
    }
}
