//! Numbers that are refused at the door, each with its reason: what could never work, or would keep
//! the clock standing still.
//!
//! Not slips of the fingers: those are in the snapshots of diagnostics.

use std::path::Path;

use queuecast::scenario::{Color, Scenario};

const PLAIN: &str = r#"
[run]
stop = "1h"
[producers.p]
queue = "q"
arrivals = { poisson = { rate = "1/s" } }
[queues.q]
[consumers.c]
queue = "q"
count = 2
service = "10ms"
[dependencies.api]
servers = 2
service = "10ms"
"#;

fn load(set: &str) -> Result<Scenario, String> {
    let scenario = Scenario::from_text("a.toml", PLAIN, &[set.to_owned()], Path::new(""));
    scenario.map_err(|failure| failure.render(Color::Never))
}

/// Each wrong assignment with its reason, and its neighbour that is right.
const CASES: [(&str, &str, &str); 23] = [
    (
        "consumers.c.ack_loss=100%",
        "every acknowledgement is lost",
        "consumers.c.ack_loss=99%",
    ),
    (
        "consumers.c.limit={ rate = \"10/min\", window = \"5s\" }",
        "make it 6s or longer",
        "consumers.c.limit={ rate = \"10/min\", window = \"6s\" }",
    ),
    (
        "consumers.c.crash={ at = \"1m\", consumers = 3 }",
        "3 consumers crash of a fleet that has 2",
        "consumers.c.crash={ at = \"1m\", consumers = 2 }",
    ),
    (
        "consumers.c.crash={ mtbf = \"1ns\" }",
        "no time between crashes",
        "consumers.c.crash={ mtbf = \"1ms\" }",
    ),
    (
        "consumers.c.crash={ mtbf = \"0s\" }",
        "a mean time of 0s",
        "consumers.c.crash={ mtbf = \"1h\" }",
    ),
    (
        "consumers.c.autoscale={ hpa = { target = 1, sync = \"1ns\" } }",
        "`sync` is 1ns",
        "consumers.c.autoscale={ hpa = { target = 1, sync = \"1ms\" } }",
    ),
    (
        "consumers.c.autoscale={ keda = { target = 1, poll = \"1ns\" } }",
        "`poll` is 1ns",
        "consumers.c.autoscale={ keda = { target = 1, poll = \"1ms\" } }",
    ),
    (
        "consumers.c.autoscale={ keda = { target = 1, poll = \"1.0001s\" } }",
        "are due less than 1ms apart",
        "consumers.c.autoscale={ keda = { target = 1, poll = \"1.001s\" } }",
    ),
    (
        "consumers.c.autoscale={ target_tracking = { target = 1, every = \"1ns\" } }",
        "`every` is 1ns",
        "consumers.c.autoscale={ target_tracking = { target = 1, every = \"1ms\" } }",
    ),
    (
        "consumers.c.autoscale={ ramp = { rate = \"1001/s\", min = 1 } }",
        "one more every 1ms",
        "consumers.c.autoscale={ ramp = { rate = \"1000/s\", min = 1 } }",
    ),
    (
        "consumers.c.autoscale={ hpa = { target = 1, max = 100000000 } }",
        "lower `max` of `autoscale`",
        "consumers.c.autoscale={ hpa = { target = 1, max = 10000 } }",
    ),
    (
        "queues.q.delivery={ visibility_timeout = \"30s\", heartbeat = \"1ns\" }",
        "a heartbeat without a pause",
        "queues.q.delivery={ visibility_timeout = \"30s\", heartbeat = \"1ms\" }",
    ),
    (
        "queues.q.delivery={ visibility_timeout = \"30s\", sweep = \"1us\" }",
        "`sweep` is 1us",
        "queues.q.delivery={ visibility_timeout = \"30s\", sweep = \"1ms\" }",
    ),
    (
        "queues.q.delivery.ack_timeout={ limit = \"1s\", check = \"1ns\" }",
        "`check` is 1ns",
        "queues.q.delivery.ack_timeout={ limit = \"1s\", check = \"1ms\" }",
    ),
    (
        "alerts=[{ when = \"queues.q.depth > 0\", every = \"1ns\" }]",
        "`every` is 1ns",
        "alerts=[{ when = \"queues.q.depth > 0\", every = \"1ms\" }]",
    ),
    (
        "consumers.c.retry={ attempts = 3, budget = { aws_standard = { cost = 0 } } }",
        "bounded by no budget",
        "consumers.c.retry={ attempts = 3, budget = { aws_standard = { cost = 1 } } }",
    ),
    (
        "consumers.c.retry={ attempts = 3, budget = { aws_standard = { tokens = 4 } } }",
        "4 tokens pay for no retry, which costs 5",
        "consumers.c.retry={ attempts = 3, budget = { aws_standard = { tokens = 5 } } }",
    ),
    (
        "consumers.c.retry={ attempts = 3, budget = { aws_standard = { cost = 501 } } }",
        "500 tokens pay for no retry, which costs 501",
        "consumers.c.retry={ attempts = 3, budget = { aws_standard = { cost = 500 } } }",
    ),
    (
        "consumers.c.retry={ attempts = 3, backoff = { exponential = { base = \"0s\" } } }",
        "a base of 0s never grows",
        "consumers.c.retry={ attempts = 3, backoff = { exponential = { base = \"1ms\" } } }",
    ),
    (
        "dependencies.api.servers=4294967295",
        "must be at most 1000000",
        "dependencies.api.servers=1000000",
    ),
    (
        "dependencies.api.limit={ window = { calls = 1, per = \"1ns\" } }",
        "a window of 1ns limits nothing",
        "dependencies.api.limit={ window = { calls = 1, per = \"1ms\" } }",
    ),
    (
        "consumers.c.calls={ dependency = \"api\", hedge = { after = \"1ms\", at_most = 101 } }",
        "must be at most 100",
        "consumers.c.calls={ dependency = \"api\", hedge = { after = \"1ms\", at_most = 100 } }",
    ),
    (
        "outages=[{ target = \"dependencies.api\", start = \"1m\", duration = \"1m\", \
          slowdown = 1e308 }]",
        "answers nobody",
        "outages=[{ target = \"dependencies.api\", start = \"1m\", duration = \"1m\", \
          slowdown = 1e6 }]",
    ),
];

#[test]
fn what_cannot_work_is_refused_and_its_neighbour_is_not() {
    for (wrong, reason, right) in CASES {
        let told = load(wrong).map(|_| ()).expect_err(wrong);
        assert!(told.contains(reason), "{wrong}\n{told}");
        load(right).unwrap_or_else(|told| panic!("{right}\n{told}"));
    }
}

#[test]
fn a_slow_limit_has_windows_in_which_something_comes() {
    let limit = |set: &str| {
        let scenario = load(set).expect(set);
        let fleet = scenario.model.fleets.iter().next().expect("one").clone();
        fleet.handling.limit.expect("is there").window.to_string()
    };
    assert_eq!(limit("consumers.c.limit=10/min"), "6s");
    assert_eq!(limit("consumers.c.limit=10/s"), "1s");
}

#[test]
fn control_characters_do_not_reach_the_terminal() {
    let text = PLAIN.replacen("[run]", "title = \"a\\u001b[31mb\"\n[run]", 1);
    let scenario = Scenario::from_text("a.toml", &text, &[], Path::new("")).expect("right");
    assert_eq!(scenario.model.title, "a\u{fffd}[31mb");
    let odd = text.replace("[queues.q]", "[queues.\"q\\u001b]\"]");
    let told = Scenario::from_text("a.toml", &odd, &[], Path::new("")).expect_err("wrong");
    let told = told.render(Color::Never);
    assert!(!told.contains('\u{1b}'), "{told:?}");
    let raw = text.replace("[queues.q]", "[queues.q]\u{1b}[31m");
    let told = Scenario::from_text("a.toml", &raw, &[], Path::new("")).expect_err("wrong");
    let told = told.render(Color::Never);
    assert!(!told.contains('\u{1b}'), "{told:?}");
    let set = "queues.q.order=\u{1b}[31m";
    let told = load(set).map(|_| ()).expect_err("wrong");
    assert!(!told.contains('\u{1b}'), "{told:?}");
}
