//! Rules D1 to D5: fleets, outages, redelivery, scale; chained stages and copies.
//!
//! Not what a queue does.

use queuecast::model::Id;
use queuecast::sim::Fact;

use crate::world::{Story, one, scenario};

const SETTLED: &str = "stop = \"settled\"";

fn outage(start: &str, duration: &str, more: &str) -> String {
    format!(
        "[[outages]]\ntarget = \"consumers.c\"\nstart = \"{start}\"\nduration = \"{duration}\"\n\
         {more}"
    )
}

#[test]
fn d1_a_fleet_has_count_times_concurrency_handlers() {
    let p = "arrivals = { bursts = { size = 7, at = \"0s\" } }";
    let story = one(
        SETTLED,
        p,
        "",
        "count = 2\nconcurrency = 3\nservice = \"1s\"",
        "",
    );
    assert_eq!(story.starts(), [0, 0, 0, 0, 0, 0, 1_000]);
}

#[test]
fn d2_an_outage_stops_new_deliveries_and_names_what_becomes_of_work_in_hand() {
    let ends = |in_flight: &str| {
        let p = "arrivals = { bursts = { size = 2, at = \"0s\" } }";
        let rest = outage("1s", "3s", &format!("in_flight = {in_flight}"));
        one(SETTLED, p, "", "service = \"2s\"", &rest).ends()
    };
    assert_eq!(ends("\"finish\""), [2_000, 6_000]);
    assert_eq!(ends("\"freeze\""), [5_000, 7_000]);
    assert_eq!(ends("\"crash\""), [6_000, 8_000]);
}

#[test]
fn d2_a_share_stops_that_part_of_the_fleet() {
    let p = "arrivals = { bursts = { size = 4, at = \"1s\" } }";
    let rest = outage("0s", "10s", "share = 0.5");
    let story = one(SETTLED, p, "", "count = 4\nservice = \"1s\"", &rest);
    assert_eq!(story.starts(), [1_000, 1_000, 2_000, 2_000]);
}

#[test]
fn d2_a_staggered_restart_spreads_over_one_service_time() {
    let p = "arrivals = { bursts = { size = 4, at = \"0s\" } }";
    let rest = outage("0s", "2s", "restart = \"staggered\"");
    let story = one(SETTLED, p, "", "count = 4\nservice = \"1s\"", &rest);
    // The burst meets a fleet that has just stopped, rule A2.
    assert_eq!(story.starts(), [2_000, 2_250, 2_500, 2_750]);
}

#[test]
fn a2_consumers_that_crash_at_one_instant_give_each_other_nothing() {
    let p = "arrivals = { bursts = { size = 1, at = \"0s\" } }";
    let c = "count = 2\nservice = \"3s\"\n\
             crash = { at = \"1s\", consumers = 2, restart = \"1s\" }";
    let story = one(SETTLED, p, "", c, "");
    let received = story.when(|fact| matches!(fact, Fact::Received { .. }));
    assert_eq!(received, [0, 2_000]);
    assert_eq!(story.record.fleets[Id::at(0)].held, 1);
}

#[test]
fn d4_a_lost_message_comes_back_to_the_head_and_is_counted() {
    let p = "arrivals = { constant = { rate = \"1/s\" } }\ncount = 2";
    let rest = outage("2s", "1s", "in_flight = \"crash\"");
    let story = one(SETTLED, p, "", "service = \"4s\"", &rest);
    // The first starts again at 3 and is done at 7, before the second.
    assert_eq!(story.sojourns(), [7_000, 10_000]);
    let flows = story.flows();
    assert_eq!(
        (flows.delivered, flows.redelivered, flows.completed),
        (3, 1, 2)
    );
    assert_eq!(story.record.fleets[Id::at(0)].crashed, 1);
    assert_eq!(
        story.waits(),
        [0, 6_000],
        "only the first delivery of a message ends its wait"
    );
}

#[test]
fn d4_the_broker_may_miss_the_consumer_only_at_its_restart() {
    let p = "arrivals = { bursts = { size = 2, at = \"0s\" } }";
    let depth_during = |in_flight: &str| {
        let rest = outage("1s", "2s", &format!("in_flight = {in_flight}"));
        one("stop = \"2s\"", p, "", "service = \"4s\"", &rest)
            .queue()
            .depth
            .end
    };
    assert_eq!(depth_during("\"crash\""), 2.0);
    assert_eq!(
        depth_during("{ crash = { returns = \"at_restart\" } }"),
        1.0
    );
}

#[test]
fn d5_a_schedule_adds_handlers_that_take_what_waits() {
    let p = "arrivals = { bursts = { size = 4, at = \"0s\" } }";
    let c = "service = \"10s\"\nschedule = [{ from = \"2s\", count = 3 }]";
    assert_eq!(
        one(SETTLED, p, "", c, "").starts(),
        [0, 2_000, 2_000, 10_000]
    );
}

#[test]
fn a_publish_to_several_queues_is_a_copy_to_each() {
    let text = "[run]\nstop = \"settled\"\n[producers.p]\nqueues = [\"a\", \"b\"]\n\
                arrivals = { bursts = { size = 3, at = \"0s\" } }\n[queues.a]\ncapacity = 1\n\
                [queues.b]\n[consumers.c]\nqueue = \"a\"\nservice = \"1s\"\n\
                [consumers.d]\nqueue = \"b\"\nservice = \"2s\"";
    let story = Story::of(&scenario(text));
    let publisher = story.record.publishers[Id::at(0)].flows;
    assert_eq!(
        (publisher.offered, publisher.accepted, publisher.rejected),
        (6, 5, 1)
    );
    let completed: Vec<_> = story
        .record
        .queues
        .iter()
        .map(|q| q.flows.completed)
        .collect();
    assert_eq!(completed, [2, 3]);
}

/// A stage of one second feeds a queue of one place whose consumer takes ten.
fn chained(on_full: &str) -> (Story, Vec<u64>) {
    let text = format!(
        "[run]\nstop = \"settled\"\n[producers.p]\nqueue = \"a\"\n\
         arrivals = {{ bursts = {{ size = 4, at = \"0s\" }} }}\n[queues.a]\n\
         [queues.b]\ncapacity = 1\n[consumers.one]\nqueue = \"a\"\nservice = \"1s\"\n\
         publishes = {{ queue = \"b\", on_full = {on_full} }}\n\
         [consumers.two]\nqueue = \"b\"\nservice = \"10s\""
    );
    let model = scenario(&text);
    let first = model.fleets[Id::at(0)].queue;
    let story = Story::of(&model);
    let of_first = |fact: &Fact| matches!(fact, Fact::Completed { queue, .. } if *queue == first);
    let ends = story.when(of_first);
    (story, ends)
}

#[test]
fn a_stage_whose_publish_is_rejected_goes_on() {
    let (story, ends) = chained("\"reject\"");
    assert_eq!(ends, [1_000, 2_000, 3_000, 4_000]);
    assert_eq!(story.record.publishers[Id::at(1)].flows.rejected, 2);
}

#[test]
fn a_stage_whose_publish_is_blocked_is_blocked_with_it() {
    let (story, ends) = chained("\"block\"");
    // The third publish waits from 3 to 11, when the second stage takes its second message; the
    // fourth from 12 to 21.
    assert_eq!(ends, [1_000, 2_000, 11_000, 21_000]);
    assert_eq!(story.record.ended.at.as_secs_f64(), 41.0);
    assert_eq!(story.admissions(), [8_000, 9_000]);
    assert_eq!(
        story.record.fleets[Id::at(0)].service.max,
        Some(1.0),
        "blocked is not service"
    );
}

#[test]
fn a_stage_that_retries_its_publish_holds_its_handler_meanwhile() {
    let (story, ends) = chained("{ retry = { attempts = 2, backoff = { fixed = \"1s\" } } }");
    assert_eq!(ends, [1_000, 2_000, 4_000, 6_000]);
    assert_eq!(story.record.publishers[Id::at(1)].flows.abandoned, 2);
}

#[test]
fn copies_of_a_stage_are_messages_of_their_own() {
    let text = "[run]\nstop = \"settled\"\n[producers.p]\nqueue = \"a\"\n\
                arrivals = { bursts = { size = 2, at = \"0s\" } }\n[queues.a]\n[queues.b]\n\
                [consumers.one]\nqueue = \"a\"\nservice = \"1s\"\n\
                publishes = { queue = \"b\", copies = 3 }\n\
                [consumers.two]\nqueue = \"b\"\nservice = \"1s\"";
    let story = Story::of(&scenario(text));
    assert_eq!(story.record.queues[Id::at(1)].flows.completed, 6);
    assert_eq!(story.record.ended.at.as_secs_f64(), 7.0);
}
