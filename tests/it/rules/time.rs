//! Rules A (time and order) and H (what is reported).
//!
//! Not rules of a component.

use queuecast::outcome::Why;
use queuecast::sim::Fact;

use crate::world::one;

const BURST: &str = "arrivals = { bursts = { size = 1, at = \"0s\" } }";

#[test]
fn a1_message_k_is_at_the_exact_multiple_of_the_period() {
    let story = one(
        "stop = \"settled\"",
        "arrivals = { constant = { rate = \"3/s\" } }\ncount = 7\nstart = \"1s\"",
        "",
        "service = \"0s\"",
        "",
    );
    let accepted = story
        .facts
        .iter()
        .filter_map(|(at, fact)| matches!(fact, Fact::Accepted { .. }).then_some(at.as_nanos()));
    // Thirds of a second, each rounded by itself: an error does not add up.
    let thirds = [
        1_000_000_000,
        1_333_333_333,
        1_666_666_667,
        2_000_000_000,
        2_333_333_333,
        2_666_666_667,
        3_000_000_000,
    ];
    assert_eq!(accepted.collect::<Vec<u64>>(), thirds);
}

#[test]
fn a2_a_slot_freed_now_admits_the_publisher_whose_timeout_is_now() {
    let timeout = |timeout: &str| {
        let p = format!(
            "arrivals = {{ bursts = {{ size = 3, at = \"0s\" }} }}\n\
             on_full = {{ block = {{ timeout = \"{timeout}\" }} }}"
        );
        one(
            "stop = \"settled\"",
            &p,
            "capacity = 1",
            "service = \"2s\"",
            "",
        )
    };
    let in_time = timeout("2s");
    assert_eq!(
        (in_time.admissions(), in_time.flows().timed_out),
        (vec![2_000], 0)
    );
    let late = timeout("1999ms");
    assert_eq!((late.admissions(), late.flows().timed_out), (vec![], 1));
    let gave_up = late.when(|fact| matches!(fact, Fact::TimedOut { .. }));
    assert_eq!(gave_up, [1_999]);
}

#[test]
fn a2_a_completion_at_the_very_deadline_of_another_message_saves_it() {
    let keeps = |retention: &str| {
        let p = "arrivals = { bursts = { size = 2, at = \"0s\" } }";
        let q = format!("retention = \"{retention}\"");
        one("stop = \"settled\"", p, &q, "service = \"1s\"", "")
            .flows()
            .completed
    };
    assert_eq!((keeps("1s"), keeps("999ms")), (2, 1));
}

#[test]
fn a2_a_fleet_that_stops_now_does_not_take_the_message_that_arrives_now() {
    let p = "arrivals = { bursts = { size = 1, at = \"1s\" } }";
    let outage = |start: &str, duration: &str| {
        let rest = format!(
            "[[outages]]\ntarget = \"consumers.c\"\nstart = \"{start}\"\nduration = \"{duration}\""
        );
        one("stop = \"settled\"", p, "", "service = \"1s\"", &rest).starts()
    };
    assert_eq!(outage("1s", "2s"), [3_000]);
    assert_eq!(
        outage("0s", "1s"),
        [1_000],
        "an outage that ends now is over"
    );
}

#[test]
fn a2_a_publish_at_the_very_end_is_not_made_and_a_completion_is() {
    let p = "arrivals = { constant = { rate = \"1/s\" } }";
    let story = one("stop = \"3s\"", p, "", "service = \"1s\"", "");
    assert_eq!((story.flows().offered, story.flows().completed), (3, 3));
    assert_eq!(story.ends(), [1_000, 2_000, 3_000]);
    assert_eq!(story.record.ended.why, Why::Duration);
}

#[test]
fn a4_too_many_alive_end_the_run_with_a_reason() {
    let p = "arrivals = { bursts = { size = 4_000_000_000, at = \"1s\" } }";
    let story = one(
        "stop = \"1h\"\nmax_alive = 10",
        p,
        "",
        "service = \"1h\"",
        "",
    );
    assert_eq!(story.record.ended.why, Why::MessageLimit);
    assert_eq!(story.flows().accepted, 11, "one too many, and not one more");
}

#[test]
fn a4_too_many_events_end_the_run_with_a_reason() {
    let p = "arrivals = { constant = { rate = \"1000/s\" } }";
    let story = one(
        "stop = \"1h\"\nmax_events = 500",
        p,
        "",
        "service = \"1ms\"",
        "",
    );
    assert_eq!(story.record.ended.why, Why::EventLimit);
    assert_eq!(story.record.events, 500);
}

#[test]
fn a4_blocked_publishers_count_as_alive() {
    let p = "arrivals = { bursts = { size = 4_000_000_000, at = \"1s\" } }\non_full = \"block\"";
    let story = one(
        "stop = \"1h\"\nmax_alive = 10",
        p,
        "capacity = 2",
        "service = \"1h\"",
        "",
    );
    assert_eq!(story.record.ended.why, Why::MessageLimit);
    assert_eq!((story.flows().accepted, story.flows().blocked_ever), (3, 8));
}

#[test]
fn h1_lag_is_an_age_and_depth_a_count() {
    let p = "arrivals = { bursts = { size = 3, at = \"0s\" } }";
    let story = one("stop = \"10s\"", p, "", "service = \"6s\"", "");
    // Two wait until 6, one until the end at 10, the oldest of them since 0.
    assert_eq!(
        (story.queue().depth.end, story.queue().lag.end),
        (1.0, 10.0)
    );
    assert_eq!(
        (story.queue().depth.mean, story.queue().lag.mean),
        (1.6, 5.0)
    );
}

#[test]
fn h1_an_alert_fires_when_its_condition_has_held_and_clears_when_it_does_not() {
    let p = "arrivals = { bursts = { size = 4, at = \"500ms\" } }";
    let alert = "[[alerts]]\nwhen = \"queues.q.depth > 1\"\nfor = \"2s\"\nevery = \"1s\"";
    // Three wait from 0.5, two from 2.5, one from 4.5. It is looked at every second: it holds from
    // 1, has held for 2 s at 3, and no longer holds at 5.
    let story = one("stop = \"10s\"", p, "", "service = \"2s\"", alert);
    assert_eq!(
        story.when(|fact| matches!(fact, Fact::AlertFired { .. })),
        [3_000]
    );
    assert_eq!(
        story.when(|fact| matches!(fact, Fact::AlertCleared { .. })),
        [5_000]
    );
    let longer = alert.replace("2s", "4s");
    let story = one("stop = \"10s\"", p, "", "service = \"2s\"", &longer);
    assert!(
        story
            .when(|fact| matches!(fact, Fact::AlertFired { .. }))
            .is_empty()
    );
}

#[test]
fn h2_the_warm_up_is_forgotten_and_levels_go_on() {
    let p = "arrivals = { constant = { rate = \"1/s\" } }";
    let story = one(
        "stop = \"5s\"\nwarmup = \"2s\"",
        p,
        "",
        "service = \"500ms\"",
        "",
    );
    // Messages come at 0, 1, 2, 3 and 4; the one of 2 is in hand when the statistics begin.
    let flows = story.flows();
    assert_eq!(
        (flows.accepted, flows.completed, flows.delivered),
        (2, 3, 2)
    );
    assert_eq!(story.queue().in_flight.mean, 0.5);
    assert_eq!(
        (story.queue().wait.count, story.queue().sojourn.count),
        (2, 3)
    );
    assert_eq!(
        story.record.queue_ledgers[queuecast::model::Id::at(0)]
            .flows
            .accepted,
        5
    );
}

#[test]
fn h2a_every_latency_names_its_start() {
    let p = "arrivals = { bursts = { size = 3, at = \"1s\" } }\non_full = \"block\"";
    let story = one(
        "stop = \"settled\"",
        p,
        "capacity = 1",
        "service = \"2s\"",
        "",
    );
    // The third is blocked from 1 to 3, waits from 3 to 5, and is done at 7.
    assert_eq!(story.waits(), [0, 2_000, 2_000]);
    assert_eq!(story.sojourns(), [2_000, 4_000, 6_000]);
    assert_eq!(story.queue().publish_latency.max, Some(2.0));
    assert_eq!(story.queue().block_time.max, Some(2.0));
}

#[test]
fn h2a_a_metric_of_nothing_is_absent() {
    let story = one(
        "stop = \"1s\"",
        BURST,
        "capacity = 9",
        "count = 0\nservice = \"1s\"",
        "",
    );
    assert_eq!(story.queue().full_at, None);
    assert_eq!(story.queue().sojourn.mean, None);
    assert_eq!(
        story.record.fleets[queuecast::model::Id::at(0)].utilization,
        None
    );
}
