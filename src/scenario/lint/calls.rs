//! Warnings about the times of those who call a dependency: waiting for ever, leaving before an
//! answer can be there, retries in step, breakers that open too late, messages that come back
//! while their handler still waits.
//!
//! Not overload by retries ([`super::collapse`]): that is a matter of rates.

use super::crowds::{CROWD, is_pulse};
use super::span;
use crate::input::{Problem, Problems, Span};
use crate::model::{
    Caller, CallerId, Dependency, FleetId, Id, Model, Redelivery, Trouble, Who, Windows,
};
use crate::scenario::load::{Load, short};
use crate::scenario::names::Names;
use crate::units::SimDuration;

/// Files the warnings of the times of calls.
pub(super) fn check(model: &Model, names: &Names<'_>, problems: &mut Problems) {
    let load = Load::of(model);
    for (id, caller) in model.callers.pairs() {
        let dependency = &model.dependencies[caller.dependency];
        patience(caller, dependency, names, problems);
        deadline(caller, names, problems);
        in_step(caller, load.requests(id), model, names, problems);
        late_breaker(id, caller, model, &load, names, problems);
        if let Who::Fleet(fleet) = caller.who {
            lapses(fleet, caller, model, names, problems);
        }
    }
}

/// Where a key of the calls of a caller stands.
pub(super) fn place(caller: &Caller, keys: &[&str], names: &Names<'_>) -> Span {
    let whole = [&["calls"], keys].concat();
    match caller.who {
        Who::Fleet(id) => names.consumers.place(id.index(), &whole),
        Who::Producer(id) => names.producers.place(id.index(), &whole),
    }
}

/// Whether a key of the calls of a caller was written.
fn wrote(caller: &Caller, key: &str, names: &Names<'_>) -> bool {
    place(caller, &[key], names) != place(caller, &[], names)
}

/// A caller that never leaves, or that leaves before an answer can be there.
fn patience(caller: &Caller, dependency: &Dependency, names: &Names<'_>, problems: &mut Problems) {
    let tail = dependency.service.law().quantile(0.99);
    let Some(timeout) = caller.timeout else {
        let bounded = caller.deadline.is_some() || wrote(caller, "timeout", names);
        let said = names
            .dependencies
            .place(caller.dependency.index(), &["timeout"])
            != names.dependencies.place(caller.dependency.index(), &[]);
        if !bounded && !said {
            let title = format!("`{}` waits for an answer for ever", caller.name);
            let label = format!("held for as long as `{}` hangs", dependency.name);
            let problem = Problem::warning(title, place(caller, &[], names), label);
            let help = format!(
                "add a `timeout` well above the p99 of {} of its service; `\"none\"` if this is \
                 meant",
                span(tail)
            );
            problems.file(problem.help(help));
        }
        return;
    };
    if timeout.as_secs_f64() >= tail {
        return;
    }
    let title = format!(
        "`{}` leaves calls that `{}` would have answered",
        caller.name, dependency.name
    );
    let label = format!(
        "{timeout}, against a p99 of {} without any wait",
        span(tail)
    );
    let own = wrote(caller, "timeout", names);
    let id = caller.dependency.index();
    let at = if own {
        place(caller, &["timeout"], names)
    } else {
        names.dependencies.place(id, &["timeout"])
    };
    let problem = Problem::warning(title, at, label);
    problems.file(problem.help("raise `timeout` above the p99, or make the service shorter"));
}

/// A timeout of the dependency that its caller's deadline makes shorter.
fn deadline(caller: &Caller, names: &Names<'_>, problems: &mut Problems) {
    let (Some(timeout), Some(deadline)) = (caller.timeout, caller.deadline) else {
        return;
    };
    if deadline >= timeout {
        return;
    }
    let title = format!("`{}` leaves its calls before their timeout", caller.name);
    let label = format!("{deadline} for all calls of a request, {timeout} for one");
    let problem = Problem::warning(title, place(caller, &["deadline"], names), label);
    problems.file(problem.help("a deadline has room for the calls that `retry` allows"));
}

/// Retries of calls without jitter.
fn in_step(
    caller: &Caller,
    requests: Option<f64>,
    model: &Model,
    names: &Names<'_>,
    problems: &mut Problems,
) {
    let Some(retry) = caller.retry.filter(is_pulse) else {
        return;
    };
    let crowd = match caller.who {
        Who::Fleet(id) => f64::from(model.fleets[id].most_handlers()),
        Who::Producer(_) => requests.unwrap_or(0.0),
    };
    if crowd <= CROWD {
        return;
    }
    let told = match caller.who {
        Who::Fleet(_) => format!("{} handlers", short(crowd)),
        Who::Producer(_) => format!("{}/s", short(crowd)),
    };
    let title = format!(
        "calls of `{}` that fail together are made together again",
        caller.name
    );
    let label = format!("{told}, all again after {}", span(retry.mean_delay(0)));
    let problem = Problem::warning(title, place(caller, &["retry"], names), label);
    problems.file(problem.help("add `jitter = \"full\"`"));
}

/// A breaker that has not seen enough failures when the trouble is over.
fn late_breaker(
    id: CallerId,
    caller: &Caller,
    model: &Model,
    load: &Load,
    names: &Names<'_>,
    problems: &mut Problems,
) {
    let (Some(breaker), Some(requests)) = (caller.breaker, load.requests(id)) else {
        return;
    };
    let strikes = |trouble: &&Trouble| trouble.dependency == caller.dependency;
    let troubles = model.troubles.iter().filter(strikes);
    let Some(longest) = troubles.filter_map(longest).max() else {
        return;
    };
    let consumers = f64::from(model.clients_of(id));
    let attempts = caller.retry.map_or(1, |retry| retry.attempts);
    let rate = requests * f64::from(attempts) / consumers;
    // A window full of good calls has to fill with so many bad ones.
    let bad = (breaker.failures.get() * f64::from(breaker.window)).ceil();
    let takes = bad / rate;
    if takes <= longest.as_secs_f64() {
        return;
    }
    let each = if consumers > 1.0 { " a consumer" } else { "" };
    let title = format!(
        "the breaker of `{}` opens when the trouble is over",
        caller.name
    );
    let label = format!(
        "{bad} calls have to fail first: {} at {}/s{each}, against {longest}",
        span(takes),
        short(rate)
    );
    let problem = Problem::warning(title, place(caller, &["breaker"], names), label);
    problems.file(problem.help("make its `window` smaller, or share it: `per = \"fleet\"`"));
}

/// The longest of the stated times of a trouble.
fn longest(trouble: &Trouble) -> Option<SimDuration> {
    match &trouble.windows {
        Windows::Fixed(windows) => windows.iter().map(|(_, span)| *span).max(),
        Windows::Random { .. } => None,
    }
}

/// A visibility timeout that passes while the handler still calls.
fn lapses(id: FleetId, caller: &Caller, model: &Model, names: &Names<'_>, problems: &mut Problems) {
    let fleet = &model.fleets[id];
    let queue = &model.queues[fleet.queue];
    let (Redelivery::Visibility(visibility), Some(timeout)) =
        (queue.delivery.redelivery, caller.timeout)
    else {
        return;
    };
    if visibility.heartbeat.is_some() {
        return;
    }
    let attempts = caller.retry.map_or(1, |retry| retry.attempts);
    let waits: f64 = caller.retry.map_or(0.0, |retry| {
        let waits = (0..attempts - 1).take(1_000);
        waits.map(|n| retry.backoff.raw(n).as_secs_f64()).sum()
    });
    let calls = f64::from(attempts).mul_add(timeout.as_secs_f64(), waits);
    let calls = caller
        .deadline
        .map_or(calls, |deadline| calls.min(deadline.as_secs_f64()));
    let work = fleet.service.law().quantile(0.999);
    let limit = visibility.timeout;
    if work + calls <= limit.as_secs_f64() {
        return;
    }
    let title = format!(
        "messages of `{}` are delivered again while `{}` still calls",
        queue.name, fleet.name
    );
    let keys = ["delivery", "visibility_timeout"];
    let at = names.queues.place(fleet.queue.index(), &keys);
    let label = format!(
        "{limit}, against {} of work and {} of calls",
        span(work),
        span(calls)
    );
    let problem = Problem::warning(title, at, label);
    let problem = problem.also(place(caller, &[], names), format!("{attempts} x {timeout}"));
    problems.file(problem.help("raise the timeout above both, or give the calls a `deadline`"));
}

#[cfg(test)]
mod tests {
    use super::super::testing::{CALLED, fires, quiet};

    fn with<'a>(sets: &[&'a str]) -> Vec<&'a str> {
        [&CALLED, sets].concat()
    }

    #[test]
    fn a_caller_leaves_at_some_time() {
        quiet(&CALLED);
        let never = "dependencies.d={ servers = 10, service = \"100ms\" }";
        let calls = "consumers.c.calls=d";
        fires(
            &[never, calls],
            "waits for an answer for ever",
            "`dependencies.d` hangs",
        );
        for meant in ["\"none\"", "\"1s\""] {
            let calls = format!("consumers.c.calls={{ dependency = \"d\", timeout = {meant} }}");
            quiet(&[never, &calls]);
        }
        quiet(&[
            never,
            "consumers.c.calls={ dependency = \"d\", deadline = \"1s\" }",
        ]);
    }

    #[test]
    fn and_not_before_an_answer_can_be_there() {
        let work = "dependencies.d.service={ exponential = { mean = \"100ms\" } }";
        // The p99 of an exponential law is 4.605 means.
        let short = with(&[work, "dependencies.d.timeout=460ms"]);
        fires(
            &short,
            "leaves calls that `dependencies.d` would have answered",
            "461ms",
        );
        quiet(&with(&[work, "dependencies.d.timeout=461ms"]));
    }

    #[test]
    fn a_deadline_has_room_for_a_call() {
        let short = with(&["consumers.c.calls={ dependency = \"d\", deadline = \"500ms\" }"]);
        fires(
            &short,
            "before their timeout",
            "500ms for all calls of a request, 1s for one",
        );
        quiet(&with(&[
            "consumers.c.calls={ dependency = \"d\", deadline = \"1s\" }",
        ]));
    }

    #[test]
    fn calls_are_not_made_in_step() {
        let retry = "consumers.c.calls={ dependency = \"d\", \
                     retry = { attempts = 2, backoff = { fixed = \"1s\" } } }";
        let many = with(&[retry, "consumers.c.count=11"]);
        fires(
            &many,
            "made together again",
            "11 handlers, all again after 1s",
        );
        quiet(&with(&[retry, "consumers.c.count=10"]));
        let spread = "consumers.c.calls.retry.jitter=full";
        quiet(&with(&[retry, spread, "consumers.c.count=11"]));
    }

    #[test]
    fn a_breaker_opens_in_time() {
        let breaker = "consumers.c.calls={ dependency = \"d\", breaker = \"resilience4j\" }";
        let rate = "producers.p.arrivals={ poisson = { rate = \"2/s\" } }";
        let outage = |span: &str| {
            format!(
                "outages=[{{ target = \"dependencies.d\", start = \"1m\", duration = \"{span}\" }}]"
            )
        };
        // 50 of 100 at 2/s.
        let numbers = "50 calls have to fail first: 25s at 2/s";
        let brief = outage("24s");
        fires(
            &with(&[breaker, rate, &brief]),
            "opens when the trouble is over",
            numbers,
        );
        quiet(&with(&[breaker, rate, &outage("25s")]));
    }

    #[test]
    fn a_message_stays_invisible_while_its_handler_calls() {
        let timeout = "queues.q.delivery.visibility_timeout=5s";
        let retry = "consumers.c.calls={ dependency = \"d\", \
                     retry = { attempts = 4, backoff = { fixed = \"300ms\" } } }";
        // 100 ms, four times 1 s, and three times 300 ms.
        quiet(&with(&[timeout, retry]));
        let longer = "consumers.c.calls.retry.backoff={ fixed = \"301ms\" }";
        let title = "are delivered again while `consumers.c` still calls";
        fires(
            &with(&[timeout, retry, longer]),
            title,
            "5s, against 100ms of work and 4.9s",
        );
        let deadline = "consumers.c.calls.deadline=4s";
        quiet(&with(&[timeout, retry, longer, deadline]));
    }
}
