//! Warnings about calls that a dependency cannot answer: too many at all, too many with retries or
//! hedges, a collapse that outlasts its cause, and outages that strike nothing.
//!
//! Not proof: whether a collapse comes, and stays, takes a run.

use std::fmt::Write;

use super::calls::place;
use super::outage_place;
use crate::experiment::stability::{By, Collapsed, Finding, judge};
use crate::input::{Problem, Problems, Value};
use crate::model::{Answers, Caller, CallerId, Dependency, DependencyId, Id, Model, Trouble, Who};
use crate::scenario::load::{Load, short};
use crate::scenario::names::Names;
use crate::units::{Ratio, SimDuration};

/// What the warnings are made from.
struct Seen<'a> {
    model: &'a Model,
    load: Load,
    names: &'a Names<'a>,
}

/// Files the warnings of rates of calls.
pub(super) fn check(model: &Model, names: &Names<'_>, root: &Value, problems: &mut Problems) {
    let seen = Seen {
        model,
        load: Load::of(model),
        names,
    };
    for (id, dependency) in model.dependencies.pairs() {
        idle(id, dependency, &seen, problems);
        overload(id, dependency, &seen, problems);
        stays_down(id, &seen, problems);
    }
    for (id, caller) in model.callers.pairs() {
        hedges(id, caller, &seen, problems);
        refused(caller, &seen, problems);
    }
    for (position, trouble) in model.troubles.iter().enumerate() {
        strikes(position, trouble, model, root, problems);
    }
}

/// A dependency that nobody calls.
fn idle(id: DependencyId, dependency: &Dependency, seen: &Seen<'_>, problems: &mut Problems) {
    if seen
        .model
        .callers
        .iter()
        .any(|caller| caller.dependency == id)
    {
        return;
    }
    let title = format!("nothing calls `{}`", dependency.name);
    let at = seen.names.dependencies.place(id.index(), &[]);
    problems.file(Problem::warning(title, at, "stays idle"));
}

/// More first calls than it can answer, for ever.
fn overload(id: DependencyId, dependency: &Dependency, seen: &Seen<'_>, problems: &mut Problems) {
    let capacity = Load::of_dependency(dependency);
    let Some((once, _)) = seen
        .load
        .calls(id, seen.model)
        .filter(|(once, _)| *once > capacity)
    else {
        return;
    };
    let title = format!(
        "`{}` is called more often than it can answer",
        dependency.name
    );
    let label = format!(
        "{}/s called, at most {}/s answered",
        short(once),
        short(capacity)
    );
    let at = seen.names.dependencies.place(id.index(), &[]);
    let problem = Problem::warning(title, at, label);
    problems.file(problem.help("add servers, or call less often"));
}

/// The condition of a collapse that feeds itself, as [`judge`] has it: told of the caller whose
/// calls become more by most. That a slowdown under load can do the same at fewer calls is left to
/// the map.
fn stays_down(id: DependencyId, seen: &Seen<'_>, problems: &mut Problems) {
    let requests = |caller| seen.load.requests(caller);
    let Some(judged) = judge(seen.model, id, &requests) else {
        return;
    };
    if judged.finding != Finding::FeedsItself {
        return;
    }
    let dependency = &seen.model.dependencies[id];
    let capacity = judged.capacity;
    let more = |it: &Collapsed| it.calls - it.fresh;
    let stale = judged.callers.iter().filter(|(_, it)| it.stale);
    let Some((caller, found)) = stale.max_by(|a, b| more(&a.1).total_cmp(&more(&b.1))) else {
        return;
    };
    let caller = &seen.model.callers[*caller];
    let Some(timeout) = caller.timeout else {
        return;
    };
    let title = format!(
        "`{}` can stay down when its cause has gone",
        dependency.name
    );
    let told = in_words(found, timeout);
    let mut sum = format!("{told} = {}/s", short(found.calls));
    if judged.callers.len() > 1 {
        let _ = write!(sum, ", {}/s with others", short(judged.collapsed));
    }
    let label = format!("{sum}, against {}/s", short(capacity));
    let at = place(caller, &["retry"], seen.names);
    let problem = Problem::warning(title, at, label);
    let line = match dependency.capacity {
        u64::MAX => "its line has no bound".to_owned(),
        most => format!(
            "a line of {most} is {} of work",
            super::span(most as f64 / capacity)
        ),
    };
    let at = seen.names.dependencies.place(id.index(), &["queue"]);
    let problem = problem.also(at, format!("{line}, and the timeout is {timeout}"));
    let room = (capacity * timeout.as_secs_f64()).floor();
    problems.file(problem.help(format!(
        "bound the line well below {room} calls ({}/s x {timeout}), give `retry` a `budget`, \
         serve the youngest first (`order = \"lifo\"`), or drop expired calls with a margin",
        short(capacity)
    )));
}

/// How the calls of a caller come about while none of them goes well.
fn in_words(found: &Collapsed, timeout: SimDuration) -> String {
    let requests = short(found.fresh);
    match found.by {
        By::Attempts(times) => format!("{requests}/s x {times}"),
        By::Budget(retries) => format!("{requests}/s and {}/s of retries", short(retries)),
        By::Breaker => "trials of open breakers".to_owned(),
        By::Concurrency(most) => format!("{most} calls at once, each for {timeout}"),
        By::Handlers(handlers) => format!("{handlers} handlers, a call each {timeout}"),
    }
}

/// Hedges that double a load which leaves no room for that.
fn hedges(id: CallerId, caller: &Caller, seen: &Seen<'_>, problems: &mut Problems) {
    let (Some(hedge), Some(requests)) = (caller.hedge, seen.load.requests(id)) else {
        return;
    };
    let dependency = &seen.model.dependencies[caller.dependency];
    let capacity = Load::of_dependency(dependency);
    let times = f64::from(hedge.at_most) + 1.0;
    if requests * times <= capacity {
        return;
    }
    let title = format!(
        "hedges of `{}` can overload `{}`",
        caller.name, dependency.name
    );
    let label = format!(
        "{}/s x {times} = {}/s, against {}/s",
        short(requests),
        short(requests * times),
        short(capacity)
    );
    let problem = Problem::warning(title, place(caller, &["hedge"], seen.names), label);
    problems.file(problem.help(
        "hedge after a high percentile of the answers only, or where half of the servers are idle",
    ));
}

/// More calls at once than the servers and their line have room for.
fn refused(caller: &Caller, seen: &Seen<'_>, problems: &mut Problems) {
    let dependency = &seen.model.dependencies[caller.dependency];
    let Who::Fleet(id) = caller.who else { return };
    let fleet = &seen.model.fleets[id];
    let (handlers, servers) = (
        u64::from(fleet.most_handlers()),
        u64::from(dependency.servers),
    );
    let room = dependency.capacity.saturating_add(servers);
    let limited = caller.concurrency.is_some() || dependency.limit.is_some();
    if limited || handlers <= room {
        return;
    }
    let title = format!(
        "`{}` refuses calls when all handlers are busy",
        dependency.name
    );
    let label = format!(
        "{handlers} handlers, against {servers} servers and a line of {}",
        dependency.capacity
    );
    let at = place(caller, &[], seen.names);
    let problem = Problem::warning(title, at, label);
    problems
        .file(problem.help("limit the calls out at once: `concurrency`, with `per = \"fleet\"`"));
}

/// Outages that stop no server, or whose answer nobody hears.
fn strikes(
    position: usize,
    trouble: &Trouble,
    model: &Model,
    root: &Value,
    problems: &mut Problems,
) {
    if trouble.share == Ratio::ZERO {
        return;
    }
    let dependency = &model.dependencies[trouble.dependency];
    let servers = f64::from(dependency.servers);
    let stopped = (servers * trouble.share.get()).round();
    let at = outage_place(root, "dependencies.", position);
    if stopped < 1.0 {
        let title = format!("an outage stops no server of `{}`", dependency.name);
        let label = format!("{} of {servers}", trouble.share);
        problems.file(Problem::warning(title, at, label));
    } else if trouble.answers == Answers::FailFast && stopped < servers {
        let title = "an outage that leaves servers at work refuses nothing";
        let label = format!("{} of {servers} servers go on", servers - stopped);
        let problem = Problem::warning(title, at, label);
        problems.file(problem.help("leave out `calls`, or stop all: leave out `share`"));
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{CALLED, fires, quiet};

    fn with<'a>(sets: &[&'a str]) -> Vec<&'a str> {
        [&CALLED, sets].concat()
    }

    /// 60/s inline, tried four times, against 100/s.
    const STORM: [&str; 2] = [
        "producers.p={ arrivals = { poisson = { rate = \"60/s\" } }, \
         calls = { dependency = \"d\", retry = { attempts = 4 } } }",
        "dependencies.d={ servers = 10, service = \"100ms\", timeout = \"1s\", queue = 300 }",
    ];

    fn storm<'a>(sets: &[&'a str]) -> Vec<&'a str> {
        [&STORM, sets].concat()
    }

    /// Without what the inline producer leaves over.
    const REST: [&str; 2] = ["queues={}", "consumers={}"];

    fn rest<'a>(sets: &[&'a str]) -> Vec<&'a str> {
        [storm(&REST), vec!["outages=[]"], sets.to_vec()].concat()
    }

    #[test]
    fn a_storm_can_outlast_its_cause() {
        let title = "`dependencies.d` can stay down when its cause has gone";
        fires(&rest(&[]), title, "60/s x 4 = 240/s, against 100/s");
        fires(
            &rest(&[]),
            title,
            "a line of 300 is 3s of work, and the timeout is 1s",
        );
        for way_out in [
            "dependencies.d.queue=99",
            "dependencies.d.queue={ order = \"lifo\" }",
            "dependencies.d.queue={ order = { adaptive = { above = \"500ms\" } } }",
            "dependencies.d.limit={ token_bucket = { rate = \"90/s\", burst = 1 } }",
            "producers.p.calls.concurrency={ fixed = { limit = 50 } }",
            "dependencies.d.expired={ dropped = { margin = \"100ms\" } }",
            "dependencies.d.shed=500ms",
            "producers.p.calls.retry.budget=grpc",
            "producers.p.calls.retry.budget=finagle",
            "producers.p.calls.breaker=resilience4j",
            "producers.p.calls.retry.attempts=1",
            "producers.p.calls.deadline=1s",
        ] {
            quiet(&rest(&[way_out]));
        }
        for none in [
            "producers.p.calls.retry={ attempts = 4, jitter = \"full\", \
             backoff = { fixed = \"1s\" } }",
            "dependencies.d.expired=dropped",
            "dependencies.d.queue={ order = { adaptive = { above = \"1s\" } } }",
        ] {
            fires(&rest(&[none]), title, "240/s");
        }
    }

    /// 30/s x 2 and 25/s x 2 are 110/s, and neither is too much by itself.
    #[test]
    fn callers_add_up() {
        let of = |name: &str, rate: u32| {
            format!(
                "{name} = {{ arrivals = {{ poisson = {{ rate = \"{rate}/s\" }} }}, \
                 calls = {{ dependency = \"d\", retry = {{ attempts = 2 }} }} }}"
            )
        };
        let two = |rate: u32| format!("producers={{ {}, {} }}", of("p", 30), of("q", rate));
        let title = "can stay down when its cause has gone";
        let label = "30/s x 2 = 60/s, 110/s with others, against 100/s";
        fires(&rest(&[&two(25)]), title, label);
        quiet(&rest(&[&two(15)]));
    }

    /// 80/s, a fifth more, and ten a second more are more than 100/s.
    #[test]
    fn a_budget_holds_only_as_far_as_it_reaches() {
        let sets = [
            "producers.p.arrivals={ poisson = { rate = \"80/s\" } }",
            "producers.p.calls.retry.budget=finagle",
        ];
        let title = "can stay down when its cause has gone";
        fires(
            &rest(&sets),
            title,
            "80/s and 26/s of retries = 106/s, against 100/s",
        );
    }

    #[test]
    fn handlers_that_wait_call_nobody_else() {
        let rate = "producers.p.arrivals={ poisson = { rate = \"60/s\" } }";
        let retry = "consumers.c.calls={ dependency = \"d\", retry = { attempts = 4 } }";
        // 100 handlers make at most 100 calls in each second of the timeout.
        let title = "can stay down when its cause has gone";
        quiet(&with(&[rate, retry, "consumers.c.count=100"]));
        let more = with(&[rate, retry, "consumers.c.count=101"]);
        fires(
            &more,
            title,
            "101 handlers, a call each 1s = 101/s, against 100/s",
        );
    }

    #[test]
    fn a_dependency_is_called_and_can_answer() {
        fires(
            &["dependencies.d={ servers = 1, service = \"100ms\" }"],
            "nothing calls `dependencies.d`",
            "stays idle",
        );
        let calls = "producers.p.calls=d";
        let more = rest(&[calls, "dependencies.d.servers=5"]);
        fires(
            &more,
            "more often than it can answer",
            "60/s called, at most 50/s answered",
        );
        quiet(&rest(&[calls, "dependencies.d.servers=6"]));
    }

    #[test]
    fn hedges_have_room() {
        let hedge = "producers.p.calls={ dependency = \"d\", timeout = \"none\", \
                     hedge = { after = \"200ms\" } }";
        fires(
            &rest(&[hedge]),
            "can overload `dependencies.d`",
            "60/s x 2 = 120/s",
        );
        quiet(&rest(&[hedge, "dependencies.d.servers=12"]));
    }

    #[test]
    fn handlers_find_room() {
        let line = "dependencies.d.queue=5";
        let many = with(&[line, "consumers.c.count=16"]);
        let numbers = "16 handlers, against 10 servers and a line of 5";
        fires(&many, "refuses calls when all handlers are busy", numbers);
        quiet(&with(&[line, "consumers.c.count=15"]));
    }

    #[test]
    fn an_outage_strikes_something() {
        let outage = |more: &str| {
            format!(
                "outages=[{{ target = \"dependencies.d\", start = \"1m\", \
                 duration = \"9s\", {more} }}]"
            )
        };
        let title = "stops no server of `dependencies.d`";
        fires(&with(&[&outage("share = \"4%\"")]), title, "4% of 10");
        let title = "refuses nothing";
        let half = outage("share = \"50%\", calls = \"fail_fast\"");
        fires(&with(&[&half]), title, "5 of 10 servers go on");
        quiet(&with(&[&outage("calls = \"fail_fast\"")]));
    }
}
