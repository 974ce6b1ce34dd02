//! What was once wrong, one test each, numbered for good.
//!
//! Not rules: a rule has its test among the rules.

use queuecast::model::Id;
use queuecast::outcome::Why;
use queuecast::scenario::{Color, Scenario};
use queuecast::sim::Fact;
use queuecast::units::SimTime;

use crate::world::{Story, one, scenario};

const SETTLED: &str = "stop = \"settled\"";

/// Frozen work stood still for ever when its handler was scaled away meanwhile.
#[test]
fn r01_work_frozen_by_an_outage_goes_on_though_its_handler_is_scaled_away() {
    let p = "arrivals = { bursts = { size = 2, at = \"0s\" } }";
    let outage = "[[outages]]\ntarget = \"consumers.c\"\nstart = \"1s\"\nduration = \"2s\"\n\
                  in_flight = \"freeze\"";
    for from in ["500ms", "2s"] {
        let c =
            format!("count = 2\nservice = \"4s\"\nschedule = [{{ from = \"{from}\", count = 1 }}]");
        let story = one(SETTLED, p, "", &c, outage);
        assert_eq!(story.ends(), [6_000, 6_000], "scaled away at {from}");
    }
}

/// A message that came back got the retention timer of a younger one that waited.
#[test]
fn r02_a_message_that_comes_back_expires_at_its_own_time() {
    let p = "arrivals = { constant = { rate = \"20/min\" } }\ncount = 2";
    let outage = "[[outages]]\ntarget = \"consumers.c\"\nstart = \"5s\"\nduration = \"90s\"\n\
                  in_flight = \"crash\"";
    let story = one(
        SETTLED,
        p,
        "retention = \"10s\"",
        "service = \"30s\"",
        outage,
    );
    assert_eq!(
        story.when(|fact| matches!(fact, Fact::Expired { .. })),
        [10_000, 13_000]
    );
}

/// Where waiters wake up to freed slots, nobody woke them up to freed memory.
#[test]
fn r03_a_waiter_wakes_up_to_freed_memory() {
    let p = "arrivals = { bursts = { size = 4, at = \"0s\" } }\nsize = \"1KiB\"\n\
             on_full = { block = { admission = \"newcomers_first\", wake_up = \"100ms\" } }";
    let q = "memory = { limit = \"1KiB\", on_limit = \"block\" }";
    let story = one(
        "stop = \"settled\"\nhorizon = \"1m\"",
        p,
        q,
        "service = \"1s\"",
        "",
    );
    assert_eq!(story.record.ended.why, Why::Settled);
    assert_eq!(story.ends(), [1_000, 2_100, 3_200, 4_300]);
}

/// A crash that is noticed only at the restart frees a bound on work in flight, and a blocked
/// publisher was not told: a newcomer went ahead of it.
#[test]
fn r04_room_that_a_crash_leaves_is_for_those_who_wait() {
    let p = "arrivals = { bursts = { size = 2, at = \"0s\" } }\non_full = \"block\"";
    let q = "capacity = 1\ncapacity_counts = \"waiting_and_in_flight\"";
    let outage = "[[outages]]\ntarget = \"consumers.c\"\nstart = \"1s\"\nduration = \"2s\"\n\
                  in_flight = { crash = { returns = \"at_restart\" } }";
    let story = one(SETTLED, p, q, "service = \"4s\"", outage);
    assert_eq!(story.admissions(), [1_000]);
}

/// A broker that went down gave back, later, what its crashed consumers had held.
#[test]
fn r05_a_broker_loses_what_it_has_not_missed_yet() {
    let p = "arrivals = { constant = { rate = \"1/s\" } }\ncount = 3\nsize = \"1KiB\"";
    let q = "memory = { limit = \"3KiB\", on_limit = { crash = { restart = \"20s\" } } }";
    let outage = "[[outages]]\ntarget = \"consumers.c\"\nstart = \"500ms\"\nduration = \"5s\"\n\
                  in_flight = { crash = { returns = \"at_restart\" } }";
    let story = one(SETTLED, p, q, "service = \"4s\"", outage);
    assert_eq!((story.flows().lost, story.flows().completed), (3, 0));
}

/// A share was taken of the most that a fleet ever has, not of those that there are.
#[test]
fn r06_a_share_is_of_the_consumers_that_there_are() {
    let p = "arrivals = { bursts = { size = 4, at = \"1s\" } }";
    let c = "count = 4\nservice = \"10s\"\nschedule = [{ from = \"1m\", count = 40 }]";
    let outage = "[[outages]]\ntarget = \"consumers.c\"\nstart = \"0s\"\nduration = \"5s\"\n\
                  share = 0.5";
    assert_eq!(
        one(SETTLED, p, "", c, outage).starts(),
        [1_000, 1_000, 5_000, 5_000]
    );
}

/// A bound that work in flight fills was never told to be full.
#[test]
fn r07_a_bound_is_full_though_nobody_waits() {
    let p = "arrivals = { bursts = { size = 2, at = \"1s\" } }";
    let q = "capacity = 1\ncapacity_counts = \"waiting_and_in_flight\"";
    let story = one(SETTLED, p, q, "service = \"1s\"", "");
    assert_eq!(story.flows().rejected, 1);
    assert_eq!(story.queue().full_at.map(SimTime::as_secs_f64), Some(1.0));
}

/// A run that is over before it begins was noticed to be so by the first event, and a recorder
/// that takes samples made one.
#[test]
fn r08_a_run_with_nothing_to_do_ends_at_its_start() {
    let p = "arrivals = { constant = { rate = \"0/s\" } }";
    let story = one(
        SETTLED,
        p,
        "",
        "service = \"1s\"",
        "[[alerts]]\nwhen = \"queues.q.depth > 1\"",
    );
    assert_eq!(
        (story.record.ended.why, story.record.ended.at.as_nanos()),
        (Why::Settled, 0)
    );
}

/// Outages without any time between them held the clock still, and the run never ended.
#[test]
fn r10_outages_need_time_between_them() {
    let text = "[run]\nstop = \"1s\"\n[producers.p]\nqueue = \"q\"\n\
                arrivals = { constant = { rate = \"1/s\" } }\n[queues.q]\n\
                [consumers.c]\nqueue = \"q\"\nservice = \"1s\"\n[[outages]]\n\
                target = \"consumers.c\"\n\
                mtbf = { constant = \"0s\" }\nmttr = { constant = \"0s\" }";
    let failure = Scenario::from_text("a.toml", text, &[], std::path::Path::new(""));
    let told = failure.expect_err("it would not end").render(Color::Never);
    assert!(told.contains("no time between outages"), "{told}");
}

/// Several idle handlers of a queue without slots were one slot to those that wake up.
#[test]
fn r09_every_waiter_wakes_up_to_an_idle_handler_of_a_queue_without_slots() {
    let p = "arrivals = { bursts = { size = 6, at = \"0s\" } }\n\
             on_full = { block = { admission = \"newcomers_first\", wake_up = \"100ms\" } }";
    let text = format!(
        "[run]\nstop = \"settled\"\nhorizon = \"1m\"\n[producers.p]\nqueue = \"q\"\n{p}\n\
         [queues.q]\ncapacity = 1\n[consumers.c]\nqueue = \"q\"\ncount = 2\nservice = \"1s\""
    );
    let mut model = scenario(&text);
    model.queues[Id::at(0)].capacity = 0;
    let story = Story::of(&model);
    assert_eq!(story.record.ended.why, Why::Settled);
    assert_eq!(story.flows().completed, 6);
}
