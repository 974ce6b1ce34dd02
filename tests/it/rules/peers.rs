//! Exact traces that other simulators publish, by the numbers of the case list: our rules give
//! theirs to the last digit wherever theirs are ours.
//!
//! Not their random results: those are estimates, and closed forms are a better check.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "a test looks for the facts that it is about"
)]

use queuecast::sim::Fact;

use crate::world::{Story, one, scenario};

const SETTLED: &str = "stop = \"settled\"";

/// A producer of one burst.
fn burst(name: &str, size: u32, at: &str, more: &str) -> String {
    format!(
        "[producers.{name}]\nqueue = \"q\"\n\
         arrivals = {{ bursts = {{ size = {size}, at = \"{at}\" }} }}\n{more}\n"
    )
}

/// X01: Ciw, `tests/test_simulation.py::test_first_in_first_out`.
#[test]
fn x01_first_in_first_out() {
    let p = "arrivals = { constant = { rate = \"1/s\" } }\nstart = \"1s\"";
    let story = one("stop = \"9s\"", p, "", "service = \"1500ms\"", "");
    assert_eq!(story.ends(), [2_500, 4_000, 5_500, 7_000, 8_500]);
}

/// X05: Ciw, the same test: what is unfinished at the end is counted.
#[test]
fn x05_unfinished_work_at_the_end() {
    let every = |seconds: u32| {
        let p = format!(
            "arrivals = {{ bursts = {{ size = 1, at = \"{seconds}s\", every = \"{seconds}s\" }} }}"
        );
        one("stop = \"25s\"", &p, "", "service = \"12s\"", "")
    };
    let a = every(10);
    assert_eq!((a.starts(), a.ends()), (vec![10_000, 22_000], vec![22_000]));
    assert_eq!(a.waits(), [0, 2_000]);
    assert_eq!((a.queue().in_flight.end, a.queue().depth.end), (1.0, 0.0));
    let b = every(7);
    assert_eq!((b.starts(), b.ends()), (vec![7_000, 19_000], vec![19_000]));
    assert_eq!(b.waits(), [0, 5_000]);
    assert_eq!((b.queue().in_flight.end, b.queue().depth.end), (1.0, 1.0));
}

/// X06: Ciw, `tests/test_scheduling.py::test_preemptive_schedules_resume_options`, without the
/// meaning that draws the service time anew.
#[test]
fn x06_an_outage_that_restarts_or_resumes_the_work_in_hand() {
    let ends = |in_flight: &str| {
        let outage = format!(
            "[[outages]]\ntarget = \"consumers.c\"\nstart = \"5s\"\nduration = \"4s\"\n\
             in_flight = {in_flight}"
        );
        let p = "arrivals = { bursts = { size = 1, at = \"1s\" } }";
        one(SETTLED, p, "", "service = \"10s\"", &outage).ends()
    };
    assert_eq!(ends("\"freeze\""), [15_000], "it resumes: 4 of 10 are done");
    assert_eq!(ends("\"crash\""), [19_000], "it restarts");
    assert_eq!(ends("{ crash = { returns = \"at_restart\" } }"), [19_000]);
    assert_eq!(
        ends("\"finish\""),
        [11_000],
        "an outage that lets it finish"
    );
}

/// X08, the shape of Ciw's `test_overtime` with one service time for all: three servers until 7,
/// then two until 11, then one. Those scaled away finish what they do.
#[test]
fn x08_scaled_away_consumers_finish_what_they_do() {
    let text = [
        "[run]\nstop = \"settled\"\n".to_owned(),
        burst("a", 3, "1s", ""),
        burst("b", 2, "9s", ""),
        burst("c", 1, "12s", ""),
        "[queues.q]\n[consumers.c]\nqueue = \"q\"\ncount = 3\nservice = \"7s\"\n\
         schedule = [{ from = \"7s\", count = 2 }, { from = \"11s\", count = 1 }]"
            .to_owned(),
    ];
    let story = Story::of(&scenario(&text.concat()));
    // Server 3 works on until 8, one second over; of the two that start at 9 the one scaled away
    // at 11 works on until 16, and takes nothing more.
    assert_eq!(story.starts(), [1_000, 1_000, 1_000, 9_000, 9_000, 16_000]);
    assert_eq!(story.ends(), [8_000, 8_000, 8_000, 16_000, 16_000, 23_000]);
    let overtime = story.facts.iter().filter_map(|(at, fact)| match fact {
        Fact::Staffed { up, overtime, .. } => Some((at.as_nanos() / 1_000_000_000, *up, *overtime)),
        _ => None,
    });
    let expected = [(0, 3, 0), (7, 2, 1), (8, 2, 0), (11, 1, 1), (16, 1, 0)];
    assert_eq!(overtime.collect::<Vec<_>>(), expected);
}

/// X12 without pre-emption: Ciw, `test_preemptive_priorities`; here every service takes 5.
#[test]
fn x12_a_high_priority_waits_for_the_work_in_hand_and_for_no_one_else() {
    let text = [
        "[run]\nstop = \"settled\"\n".to_owned(),
        burst("low1", 1, "1500ms", "priority = 1"),
        burst("low2", 1, "5s", "priority = 1"),
        burst("low3", 1, "7s", "priority = 1"),
        burst("high", 1, "7500ms", "priority = 2"),
        "[queues.q]\norder = \"priority\"\n[consumers.c]\nqueue = \"q\"\nservice = \"5s\""
            .to_owned(),
    ];
    let story = Story::of(&scenario(&text.concat()));
    assert_eq!(story.starts(), [1_500, 6_500, 11_500, 16_500]);
    // The third to start is the high one: it waits 4 s, and the low one that came before it 9.5 s.
    assert_eq!(story.waits(), [0, 1_500, 4_000, 9_500]);
}

/// X16: simmer, `tests/testthat/test-simulation-1.R`.
#[test]
fn x16_a_loss_system_at_exact_half_steps() {
    let p = "arrivals = { constant = { rate = \"1/s\" } }\nstart = \"1s\"\ncount = 100";
    let q = "capacity = 1\ncapacity_counts = \"waiting_and_in_flight\"";
    let story = one(SETTLED, p, q, "service = \"1500ms\"", "");
    assert_eq!((story.flows().completed, story.flows().rejected), (50, 50));
    assert_eq!(story.ends().last(), Some(&100_500));
    let busy = story.record.fleets[queuecast::model::Id::at(0)].busy.mean;
    assert!(
        (busy * 100.5 - 75.0).abs() < 1e-9,
        "busy for 75 s in all: {busy}"
    );
}

/// X17: simmer, `tests/testthat/test-simulation-2.R`: a release acts before a seize of the same
/// instant.
#[test]
fn x17_a2_a_server_freed_now_serves_the_message_that_arrives_now() {
    let every = "arrivals = { constant = { rate = \"30/min\" } }\ncount = 5";
    let other = format!("[producers.other]\nqueue = \"q\"\nstart = \"1s\"\n{every}");
    let q = "capacity = 1\ncapacity_counts = \"waiting_and_in_flight\"";
    let story = one(SETTLED, every, q, "service = \"1s\"", &other);
    assert_eq!((story.flows().completed, story.flows().rejected), (10, 0));
    assert_eq!(
        story.starts(),
        (0..10).map(|k| k * 1_000).collect::<Vec<_>>()
    );
}

/// X18: Ciw, `docs/Guides/Arrivals/batching.rst`.
#[test]
fn x18_a_batch_of_three() {
    let p = "arrivals = { bursts = { size = 3, at = \"3s\" } }";
    assert_eq!(
        one(SETTLED, p, "", "service = \"3s\"", "").waits(),
        [0, 3_000, 6_000]
    );
}

/// X21: SimPy, the car wash: two machines, five minutes, and an arrival that ties with two
/// machines that become free.
#[test]
fn x21_the_car_wash() {
    let text = [
        "[run]\nstop = \"settled\"\n".to_owned(),
        burst("first", 4, "0s", ""),
        burst("car4", 1, "5m", ""),
        burst("car5", 1, "10m", ""),
        burst("car6", 1, "16m", ""),
        "[queues.q]\n[consumers.c]\nqueue = \"q\"\ncount = 2\nservice = \"5m\"".to_owned(),
    ];
    let story = Story::of(&scenario(&text.concat()));
    let minutes = |times: Vec<u64>| times.into_iter().map(|ms| ms / 60_000).collect::<Vec<_>>();
    assert_eq!(minutes(story.starts()), [0, 0, 5, 5, 10, 10, 16]);
    assert_eq!(minutes(story.ends()), [5, 5, 10, 10, 15, 15, 21]);
    assert_eq!(minutes(story.waits()), [0, 0, 5, 5, 5, 0, 0]);
}

/// X22: happy-simulator, `tests/unit/components/client/test_retry.py`: 0.1, 0.2 and 0.4 s, and
/// three attempts are three tries in all.
#[test]
fn x22_retries_come_after_their_delays() {
    let retry = |attempts: u32| {
        let p = format!(
            "arrivals = {{ bursts = {{ size = 2, at = \"0s\" }} }}\non_full = {{ retry = {{ \
             attempts = {attempts}, backoff = {{ exponential = {{ base = \"100ms\" }} }} }} }}"
        );
        let story = one(
            "stop = \"1m\"",
            &p,
            "capacity = 1",
            "count = 0\nservice = \"1s\"",
            "",
        );
        assert_eq!(story.flows().abandoned, 1);
        let gave_up = story.when(|fact| matches!(fact, Fact::Abandoned { .. }));
        (
            story.when(|fact| matches!(fact, Fact::Retried { .. })),
            gave_up,
        )
    };
    assert_eq!(retry(4), (vec![100, 300, 700], vec![700]));
    assert_eq!(retry(3), (vec![100, 300], vec![300]));
    assert_eq!(retry(1), (vec![], vec![0]));
}

/// X25: happy-simulator, `tests/unit/components/messaging/test_message_queue.py`.
#[test]
fn x25_fleets_of_one_queue_take_turns_and_a_queue_of_two_refuses_the_third() {
    let p = "arrivals = { bursts = { size = 6, at = \"0s\" } }";
    let more = "[consumers.d]\nqueue = \"q\"\ncount = 9\nservice = \"1s\"\n\
                [consumers.e]\nqueue = \"q\"\ncount = 9\nservice = \"1s\"";
    let story = one(SETTLED, p, "", "count = 9\nservice = \"1s\"", more);
    let each: Vec<_> = story
        .record
        .fleets
        .iter()
        .map(|fleet| fleet.delivered)
        .collect();
    assert_eq!(each, [2, 2, 2]);
    let p = "arrivals = { bursts = { size = 3, at = \"0s\" } }";
    let full = one(
        "stop = \"1s\"",
        p,
        "capacity = 2",
        "count = 0\nservice = \"1s\"",
        "",
    );
    assert_eq!((full.flows().accepted, full.flows().rejected), (2, 1));
}
