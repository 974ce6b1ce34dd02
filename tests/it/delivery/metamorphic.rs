//! What must not change when mechanisms of delivery are there and never strike, or say the same
//! in other words.
//!
//! Not what they do when they strike.

use queuecast::model::Model;
use queuecast::outcome::RunRecord;
use queuecast::sim::{Detail, measure};

use crate::world::{Story, scenario};

/// Random arrivals and services, three consumers, and two outages that leave work as `in_flight`
/// says.
fn text(q: &str, c: &str, in_flight: &str) -> String {
    format!(
        "[run]\nstop = \"settled\"\nseed = 11\n\
         [producers.p]\nqueue = \"q\"\narrivals = {{ poisson = {{ rate = \"60/s\" }} }}\n\
         count = 20_000\n[queues.q]\n{q}\n\
         [consumers.c]\nqueue = \"q\"\ncount = 3\n\
         service = {{ exponential = {{ mean = \"40ms\" }} }}\n{c}\n\
         [[outages]]\ntarget = \"consumers.c\"\nstart = \"30s\"\nduration = \"10s\"\n\
         in_flight = \"{in_flight}\"\n\
         [[outages]]\ntarget = \"consumers.c\"\nstart = \"90s\"\nduration = \"2s\"\n\
         share = 0.34\nin_flight = \"{in_flight}\""
    )
}

fn model(q: &str, c: &str, in_flight: &str) -> Model {
    scenario(&text(q, c, in_flight))
}

fn run(q: &str, c: &str, in_flight: &str) -> RunRecord {
    measure(&model(q, c, in_flight), 0, Detail::Measures, &|_| {})
}

/// All of the queue and the fleet that both kinds of delivery have.
fn numbers(record: &RunRecord) -> String {
    let queue = record.queues.iter().next().expect("a queue");
    let fleet = record.fleets.iter().next().expect("a fleet");
    let f = queue.flows;
    format!(
        "{:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?}\n{:?} {:?} {:?} {:?}",
        (
            f.offered,
            f.accepted,
            f.delivered,
            f.redelivered,
            f.completed,
            f.lost
        ),
        queue.wait,
        queue.sojourn,
        queue.depth,
        queue.in_flight,
        queue.lag,
        queue.memory,
        queue.drained_at,
        record.ended,
        fleet.busy,
        fleet.service,
        fleet.utilization,
        fleet.crashed
    )
}

/// In nanoseconds, each wait in the order of delivery, and each sojourn in that of completion.
fn each(model: &Model) -> (Vec<u64>, Vec<u64>) {
    let story = Story::of(model);
    (story.nanos_waited(), story.nanos_stayed())
}

#[test]
fn leases_that_never_strike_change_nothing() {
    for in_flight in ["finish", "freeze"] {
        let plain = run("", "", in_flight);
        for q in [
            "delivery = { visibility_timeout = \"1h\" }",
            "delivery = { visibility_timeout = \"1h\", heartbeat = \"10ms\" }",
            "delivery = { max_receives = 3, max_in_flight = 1_000 }",
            "delivery = { ack_timeout = \"30m\", return_limit = 0 }",
            "dedup_window = \"5m\"",
        ] {
            let leased = run(q, "", in_flight);
            assert_eq!(numbers(&leased), numbers(&plain), "{in_flight} {q}");
        }
        let leased = model("delivery = { visibility_timeout = \"1h\" }", "", in_flight);
        let (waits, sojourns) = each(&leased);
        assert_eq!(waits.len(), 20_000);
        assert_eq!(
            (waits, sojourns),
            each(&model("", "", in_flight)),
            "{in_flight}"
        );
    }
}

#[test]
fn a_crash_is_the_same_with_leases_and_without() {
    let plain = run("", "", "crash");
    assert!(plain.fleets.iter().any(|fleet| fleet.crashed > 0));
    let leased = run("delivery = { max_receives = 1_000 }", "", "crash");
    assert_eq!(numbers(&leased), numbers(&plain));
}

#[test]
fn a_prefetch_of_one_is_a_pull_by_one_handler() {
    for in_flight in ["finish", "freeze"] {
        // To the first that is free, as a pull: an outage of a part stops the same work.
        let q = "delivery = { max_receives = 1_000, dispatch = \"greedy\" }";
        let (pulled, pushed) = (run(q, "", in_flight), run(q, "prefetch = 1", in_flight));
        assert_eq!(numbers(&pushed), numbers(&pulled), "{in_flight}");
    }
}

#[test]
fn batches_of_one_are_none() {
    let q = "delivery = { visibility_timeout = \"100ms\" }";
    let digest = |c: &str| run(q, c, "finish").digest;
    let plain = digest("");
    assert_eq!(digest("batch = 1"), plain);
    assert_eq!(
        digest("batch = { size = 1, window = \"1s\", work = \"once\" }"),
        plain
    );
}

#[test]
fn what_never_fails_is_never_retried() {
    let q = "delivery = { visibility_timeout = \"100ms\" }";
    let digest = |c: &str| run(q, c, "finish").digest;
    let plain = digest("");
    let retry = "retry = { attempts = 5, backoff = { fixed = \"1s\" }, jitter = \"full\" }";
    assert_eq!(digest(&format!("fails = 0.0\n{retry}")), plain);
    let in_place = "retry = { attempts = 5, place = \"in_place\", retry_on = \"transient\" }";
    assert_eq!(digest(in_place), plain);
}

#[test]
fn groups_of_keys_that_never_meet_change_nothing() {
    // 20,000 messages of 2^40 keys: two are alike with a probability of 2e-4, and not here.
    let with = |q: &str| {
        let text = text(q, "", "finish")
            .replace("count = 20_000", "count = 20_000\nkeys = 1_099_511_627_776");
        numbers(&measure(&scenario(&text), 0, Detail::Measures, &|_| {}))
    };
    assert_eq!(with("groups = true"), with(""));
}
