//! Warnings about calls that a dependency cannot answer: too many at all, too many with retries or
//! hedges, a collapse that outlasts its cause, and outages that strike nothing.
//!
//! Not proof: whether a collapse comes, and stays, takes a run.

use super::calls::place;
use super::outage_place;
use crate::input::{Problem, Problems, Value};
use crate::model::{
    Answers, Caller, CallerId, Dependency, DependencyId, Expired, Id, Model, StationOrder, Trouble,
    Who,
};
use crate::policy::concurrency::ConcurrencyLimit;
use crate::policy::retry::budget::Budget;
use crate::scenario::load::{Load, most_calls, short};
use crate::scenario::names::Names;
use crate::units::{Ratio, SimDuration};

/// Files the warnings of rates of calls.
pub(super) fn check(model: &Model, names: &Names<'_>, root: &Value, problems: &mut Problems) {
    let load = Load::of(model);
    for (id, dependency) in model.dependencies.pairs() {
        idle(id, dependency, model, names, problems);
        overload(id, dependency, model, &load, names, problems);
    }
    for (id, caller) in model.callers.pairs() {
        stays_down(id, caller, model, &load, names, problems);
        hedges(id, caller, model, &load, names, problems);
        refused(caller, model, names, problems);
    }
    for (position, trouble) in model.troubles.iter().enumerate() {
        strikes(position, trouble, model, root, problems);
    }
}

/// A dependency that nobody calls.
fn idle(
    id: DependencyId,
    dependency: &Dependency,
    model: &Model,
    names: &Names<'_>,
    problems: &mut Problems,
) {
    if model.callers.iter().any(|caller| caller.dependency == id) {
        return;
    }
    let title = format!("nothing calls `{}`", dependency.name);
    let at = names.dependencies.place(id.index(), &[]);
    problems.file(Problem::warning(title, at, "stays idle"));
}

/// More first calls than it can answer, for ever.
fn overload(
    id: DependencyId,
    dependency: &Dependency,
    model: &Model,
    load: &Load,
    names: &Names<'_>,
    problems: &mut Problems,
) {
    let capacity = Load::of_dependency(dependency);
    let Some((once, _)) = load.calls(id, model).filter(|(once, _)| *once > capacity) else {
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
    let at = names.dependencies.place(id.index(), &[]);
    let problem = Problem::warning(title, at, label);
    problems.file(problem.help("add servers, or call less often"));
}

/// The condition of a collapse that feeds itself: with all of its retries a caller makes more calls
/// than are answered, and the line holds more work than its patience lasts for, so that every call
/// that is worked on has been left (Bronson and others, "Metastable failures in distributed
/// systems", HotOS 2021, cited from memory).
fn stays_down(
    id: CallerId,
    caller: &Caller,
    model: &Model,
    load: &Load,
    names: &Names<'_>,
    problems: &mut Problems,
) {
    let dependency = &model.dependencies[caller.dependency];
    let (Some(timeout), Some(requests)) = (caller.timeout, load.requests(id)) else {
        return;
    };
    let defended =
        caller.breaker.is_some() || matches!(caller.concurrency, Some(ConcurrencyLimit::Aimd(_)));
    if defended || !stale(dependency, timeout) {
        return;
    }
    let capacity = Load::of_dependency(dependency);
    let (worst, told) = worst(id, requests, timeout, model);
    if worst <= capacity || requests > capacity {
        return;
    }
    let title = format!(
        "`{}` can stay down when its cause has gone",
        dependency.name
    );
    let label = format!("{told} = {}/s, against {}/s", short(worst), short(capacity));
    let problem = Problem::warning(title, place(caller, &["retry"], names), label);
    let line = match dependency.capacity {
        u64::MAX => "its line has no bound".to_owned(),
        most => format!(
            "a line of {most} is {} of work",
            super::span(most as f64 / capacity)
        ),
    };
    let at = names
        .dependencies
        .place(caller.dependency.index(), &["queue"]);
    let problem = problem.also(at, format!("{line}, and the timeout is {timeout}"));
    let room = (capacity * timeout.as_secs_f64()).floor();
    problems.file(problem.help(format!(
        "bound the line well below {room} calls ({}/s x {timeout}), give `retry` a `budget`, \
         serve the youngest first (`order = \"lifo\"`), or drop expired calls with a margin",
        short(capacity)
    )));
}

/// The most calls a second that a caller makes while none of them goes well, and how they come
/// about.
fn worst(id: CallerId, requests: f64, timeout: SimDuration, model: &Model) -> (f64, String) {
    let caller = &model.callers[id];
    let times = f64::from(most_calls(caller));
    let retries = requests * (times - 1.0);
    let told = format!("{}/s x {times}", short(requests));
    let (calls, told) = match caller.retry.and_then(|retry| retry.budget) {
        None => (requests + retries, told),
        // Nothing goes well, so nothing comes back into the budget.
        Some(Budget::AwsStandard(_) | Budget::Grpc(_)) => {
            (requests, format!("{}/s", short(requests)))
        }
        Some(Budget::Finagle(budget)) => {
            let reserve = f64::from(budget.per_second) * f64::from(model.clients_of(id));
            let retries = requests.mul_add(budget.share.get(), reserve).min(retries);
            let told = format!("{}/s and {}/s of retries", short(requests), short(retries));
            (requests + retries, told)
        }
    };
    // Handlers that wait for an answer make no other call.
    let Who::Fleet(fleet) = caller.who else {
        return (calls, told);
    };
    let handlers = f64::from(model.fleets[fleet].most_handlers());
    let busy = handlers / timeout.as_secs_f64();
    if busy < calls {
        (busy, format!("{handlers} handlers, a call each {timeout}"))
    } else {
        (calls, told)
    }
}

/// Whether calls can wait in line for so long that their callers have left when their turn comes.
fn stale(dependency: &Dependency, timeout: SimDuration) -> bool {
    let mean = dependency.service.mean();
    let capacity = f64::from(dependency.servers) / mean;
    let room = capacity * timeout.as_secs_f64();
    let long = dependency.capacity as f64 >= room;
    let waits = dependency.shed.is_none_or(|shed| shed >= timeout);
    let oldest_first = match dependency.order {
        StationOrder::Fifo => true,
        StationOrder::Lifo => false,
        StationOrder::Adaptive { above } => above >= timeout,
    };
    let worked_on = match dependency.expired {
        Expired::Served => true,
        // What is begun with no time left to end it is wasted all the same.
        Expired::Dropped { margin } => margin.as_secs_f64() < mean,
    };
    long && waits && oldest_first && worked_on
}

/// Hedges that double a load which leaves no room for that.
fn hedges(
    id: CallerId,
    caller: &Caller,
    model: &Model,
    load: &Load,
    names: &Names<'_>,
    problems: &mut Problems,
) {
    let (Some(hedge), Some(requests)) = (caller.hedge, load.requests(id)) else {
        return;
    };
    let dependency = &model.dependencies[caller.dependency];
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
    let problem = Problem::warning(title, place(caller, &["hedge"], names), label);
    problems.file(problem.help(
        "hedge after a high percentile of the answers only, or where half of the servers are idle",
    ));
}

/// More calls at once than the servers and their line have room for.
fn refused(caller: &Caller, model: &Model, names: &Names<'_>, problems: &mut Problems) {
    let dependency = &model.dependencies[caller.dependency];
    let Who::Fleet(id) = caller.who else { return };
    let fleet = &model.fleets[id];
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
    let at = place(caller, &[], names);
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
            "dependencies.d.expired={ dropped = { margin = \"100ms\" } }",
            "dependencies.d.shed=500ms",
            "producers.p.calls.retry.budget=grpc",
            "producers.p.calls.retry.budget=finagle",
            "producers.p.calls.breaker=resilience4j",
            "producers.p.calls.retry.attempts=1",
        ] {
            quiet(&rest(&[way_out]));
        }
        for none in [
            "producers.p.calls.retry={ attempts = 4, jitter = \"full\", \
             backoff = { fixed = \"1s\" } }",
            "dependencies.d.expired=dropped",
        ] {
            fires(&rest(&[none]), title, "240/s");
        }
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
