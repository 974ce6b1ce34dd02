//! Where closed form, fluid and simulation differ, or there is none of them: the assumption that
//! fails is named.

use queuecast::experiment::readings::expect;
use queuecast::outcome::Verdict;

use crate::readings::{OUTAGE, STEADY, model, readings, reason, row};

#[test]
fn a_short_run_is_called_short() {
    let sets = [
        "run.stop=20s",
        "run.warmup=0s",
        "run.replications=100",
        "producers.p.arrivals.poisson.rate=9.5/s",
    ];
    let readings = readings(STEADY, &sets);
    let because = reason(&readings, "queues.q.depth.mean");
    assert!(
        because.starts_with("not steady: M/M/1 is for the long run"),
        "{because}"
    );
    // Needed for 1 %: the asymptotic variance, so many days (theory::run_length).
    assert!(because.contains("for the mean depth to 1 %"), "{because}");
}

#[test]
fn an_empty_start_is_named() {
    let sets = ["run.stop=95s", "run.warmup=0s", "run.replications=4000"];
    let readings = readings(STEADY, &sets);
    let because = reason(&readings, "queues.q.depth.mean");
    assert!(
        because.contains("counts its start with an empty queue"),
        "{because}"
    );
}

#[test]
fn chance_is_named_where_the_fluid_leaves_it_out() {
    let text = STEADY.to_owned()
        + "[[outages]]\ntarget = \"consumers.c\"\nstart = \"0s\"\nduration = \"10s\"\n";
    let sets = [
        "run.stop=drained",
        "run.warmup=0s",
        "run.replications=200",
        "producers.p.arrivals.poisson.rate=9/s",
    ];
    let readings = readings(&text, &sets);
    let because = reason(&readings, "queues.q.depth.max");
    assert!(
        because.starts_with("the fluid knows no chance"),
        "{because}"
    );
}

#[test]
fn a_bound_that_chance_reaches_is_named() {
    let readings = readings(STEADY, &["queues.q.capacity=3"]);
    let because = reason(&readings, "queues.q.rejected");
    assert!(
        because.contains("the bound of 3 is reached by chance in 8 of 8 runs"),
        "{because}"
    );
    // The closed form knows both.
    assert_eq!(
        row(&readings, "queues.q.rejected_share").verdict,
        Verdict::Agree
    );
}

#[test]
fn bursts_are_named_where_two_moments_do_not_tell() {
    let sets = [
        "producers.p.arrivals={ renewal = { hyperexponential = { mean = \"50ms\", cv = 2 } } }",
        "consumers.c.count=4",
        "consumers.c.service=170ms",
    ];
    let readings = readings(STEADY, &sets);
    let because = reason(&readings, "queues.q.wait.mean");
    assert!(
        because.starts_with("Whitt 1993 knows two moments"),
        "{because}"
    );
    assert!(
        because.contains("(squared coefficients of variation 4 and 0)"),
        "{because}"
    );
}

#[test]
fn what_has_no_closed_form_says_why() {
    let blocks = "producers.p.on_full.block={}";
    let small = "queues.q.capacity=5";
    let both = "producers.p.arrivals={ on_off = { on = \"9/s\", off = \"2/s\", \
                mean_on = \"1s\", mean_off = \"1s\" } }";
    let more = "[[outages]]\ntarget = \"consumers.c\"\nstart = \"10m\"\nduration = \"1m\"\n";
    let second = "[producers.r]\nqueue = \"q\"\narrivals = { constant = { rate = \"1/s\" } }\n";
    for (extra, sets, expected) in [
        (
            "",
            &[small, blocks][..],
            "its bound of 5 is reached now and then",
        ),
        (
            "",
            &["producers.p.arrivals.poisson.rate=10/s"],
            "grows for ever",
        ),
        (
            "",
            &["producers.p.arrivals.poisson.rate=12/s"],
            "not steady: 12.0000 messages a second",
        ),
        ("", &[both], "producers.p goes on and off"),
        (
            "",
            &["producers.p.until=30m"],
            "producers.p ends in the run",
        ),
        (
            "",
            &["producers.p.start=30m"],
            "producers.p starts in the run",
        ),
        (
            "",
            &["queues.q.retention=1s"],
            "messages older than 1s expire",
        ),
        ("", &["queues.q.memory.limit=1MiB"], "its bytes are bounded"),
        (
            "",
            &["consumers.c.schedule=[{ from = \"30m\", count = 2 }]"],
            "changes its size",
        ),
        (more, &[], "an outage makes the load change over time"),
        (second, &[], "several sources that are not all Poisson"),
    ] {
        let readings = expect(&model(&(STEADY.to_owned() + extra), sets));
        let why = &readings.no_form[0];
        assert!(
            why.starts_with("queues.q: ") && why.contains(expected),
            "{why}"
        );
    }
}

#[test]
fn what_has_no_flow_says_why() {
    let clients = "producers.checkout.arrivals={ clients = { count = 50, think = \"1s\" } }";
    for (sets, expected) in [
        (&[clients][..], "not known beforehand"),
        (
            &["producers.checkout.on_full.retry={ attempts = 3, backoff = { fixed = \"1s\" } }"],
            "come back after a refusal",
        ),
        (
            &["producers.checkout.on_full.block={ timeout = \"30s\", admission = \"random\" }"],
            "matter of chance",
        ),
        (
            &["producers.checkout.on_full.block={ connections = 100 }"],
            "than have connections",
        ),
        (
            &["queues.orders.memory.limit=1MiB"],
            "its bytes are bounded",
        ),
    ] {
        let readings = expect(&model(OUTAGE, sets));
        assert!(
            readings.no_flow[0].contains(expected),
            "{:?}",
            readings.no_flow
        );
    }
    let text = OUTAGE.replace(
        "start    = \"0s\"\nduration = \"90s\"",
        "mtbf = \"1h\"\nmttr = \"1m\"",
    );
    let readings = expect(&model(&text, &["run.stop=1h"]));
    assert!(
        readings.no_flow[0].contains("come at random"),
        "{:?}",
        readings.no_flow
    );
}
