//! Rules D1 to D4 where messages are leased: who holds what, when it is acknowledged, and what
//! brings it back; with A2, which of two at one instant comes first.
//!
//! Not failures and their retries, and not limits.

use queuecast::model::Id;
use queuecast::outcome::Flows;
use queuecast::sim::Fact;

use crate::world::{Story, one};

const SETTLED: &str = "stop = \"settled\"";
/// A queue that watches connections, with leases though none is ever too many.
const CONNECTED: &str = "delivery = { max_receives = 1_000 }";

/// So many messages at the start.
fn burst(messages: u32) -> String {
    format!("arrivals = {{ bursts = {{ size = {messages}, at = \"0s\" }} }}")
}

fn story(messages: u32, q: &str, c: &str) -> Story {
    one(SETTLED, &burst(messages), q, c, "")
}

fn outage(start: &str, duration: &str, more: &str) -> String {
    format!(
        "[[outages]]\ntarget = \"consumers.c\"\nstart = \"{start}\"\nduration = \"{duration}\"\n\
         {more}"
    )
}

#[test]
fn d1_prefetched_messages_are_held_unacknowledged() {
    let story = story(5, "", "prefetch = 3\nservice = \"1s\"");
    // Three at once; each acknowledgement makes room for one more.
    assert_eq!(story.received(), [0, 0, 0, 1_000, 2_000]);
    assert_eq!(story.begins(), [0, 1_000, 2_000, 3_000, 4_000]);
    assert_eq!(story.queue().in_flight.max, 3.0);
    assert_eq!(story.queue().depth.max, 2.0, "not those that are held");
}

#[test]
fn d1_a_prefetch_counts_what_is_worked_on() {
    let story = story(3, "", "prefetch = 1\nconcurrency = 2\nservice = \"1s\"");
    assert_eq!(story.begins(), [0, 1_000, 2_000], "one of two handlers");
}

#[test]
fn d1_dispatch_says_whose_turn_it_is() {
    let c = "count = 2\nprefetch = 2\nservice = \"1s\"";
    assert_eq!(story(2, "", c).begins(), [0, 0], "one after the other");
    let q = "delivery = { dispatch = \"greedy\" }";
    assert_eq!(story(2, q, c).begins(), [0, 1_000], "all to the first");
}

/// Four messages, a second apart from 0 on, in batches of three within ten seconds.
fn batches(more: &str) -> Story {
    let p = "arrivals = { constant = { rate = \"1/s\" } }\ncount = 4";
    let batch = format!("batch = {{ size = 3, window = \"10s\"{more} }}\nservice = \"1s\"");
    one(SETTLED, p, "", &batch, "")
}

#[test]
fn d1_a_batch_waits_until_its_size_or_its_window() {
    let story = batches("");
    // The third fills it at 2; one after the other they take until 5. The fourth waits since 3,
    // is received at 5, and is alone when the window is over.
    assert_eq!(story.received(), [0, 1_000, 2_000, 5_000]);
    assert_eq!(story.begins(), [2_000, 15_000]);
    assert_eq!(story.acks(), [5_000, 5_000, 5_000, 16_000]);
}

#[test]
fn d1_a_batch_may_be_one_piece_of_work() {
    let story = batches(", work = \"once\"");
    // A second in all, until 3; the fourth comes at that instant, and its window is over at 13.
    assert_eq!(story.begins(), [2_000, 13_000]);
    assert_eq!(story.acks(), [3_000, 3_000, 3_000, 14_000]);
}

#[test]
fn d1_a_message_travels_to_its_consumer_and_its_acknowledgement_back() {
    let story = story(2, "", "delivery_delay = \"100ms\"\nservice = \"1s\"");
    // Received at 0, begun at 0.1, done at 1.1; acknowledged, and the next asked for, at 1.2.
    assert_eq!(story.received(), [0, 1_200]);
    assert_eq!(story.begins(), [100, 1_300]);
    assert_eq!(story.acks(), [1_200, 2_400]);
    let pushed = one(
        SETTLED,
        &burst(2),
        "",
        "prefetch = 2\ndelivery_delay = \"100ms\"\nservice = \"1s\"",
        "",
    );
    assert_eq!(pushed.begins(), [100, 1_100], "a buffer hides the way");
}

fn three_and_a_crash(ack: &str) -> Story {
    let c =
        format!("ack = \"{ack}\"\nservice = \"10s\"\ncrash = {{ at = \"5s\", restart = \"1s\" }}");
    story(3, "", &c)
}

#[test]
fn d3_before_is_at_most_once() {
    let story = three_and_a_crash("before");
    assert_eq!(story.begins(), [0, 6_000, 16_000]);
    let flows = story.flows();
    assert_eq!((flows.lost, flows.completed, flows.redelivered), (1, 2, 0));
    assert_eq!(story.record.fleets[Id::at(0)].crashed, 1);
}

#[test]
fn d3_after_is_at_least_once() {
    let story = three_and_a_crash("after");
    // The first again, and before the others.
    assert_eq!(story.begins(), [0, 6_000, 16_000, 26_000]);
    assert_eq!(story.sojourns_of_acks(), [16_000, 26_000, 36_000]);
    let flows = story.flows();
    assert_eq!((flows.lost, flows.completed, flows.redelivered), (0, 3, 1));
}

fn many_crashes(ack: &str) -> Story {
    let p = "arrivals = { constant = { rate = \"4/s\" } }\ncount = 2_000";
    let c = format!(
        "ack = \"{ack}\"\ncount = 5\nprefetch = 3\n\
         service = {{ exponential = {{ mean = \"500ms\" }} }}\n\
         crash = {{ mtbf = \"10s\", restart = \"500ms\" }}"
    );
    one(SETTLED, p, "", &c, "")
}

#[test]
fn d3_before_loses_exactly_the_crashed() {
    let story = many_crashes("before");
    let crashed = story.record.fleets[Id::at(0)].crashed;
    let flows = story.flows();
    assert!(crashed > 50, "{crashed}");
    assert_eq!(flows.lost, crashed, "not those that were only held");
    assert_eq!(flows.completed, flows.accepted - crashed);
    assert_eq!(flows.duplicates, 0);
}

#[test]
fn d3_after_loses_none() {
    let story = many_crashes("after");
    let flows = story.flows();
    assert!(story.record.fleets[Id::at(0)].crashed > 50);
    assert_eq!((flows.lost, flows.completed), (0, flows.accepted));
    assert_eq!(flows.redelivered, flows.delivered - flows.accepted);
}

/// All acknowledgements of one message are lost, and three deliveries are all it may have.
fn lost_acks(more: &str, ack: &str) -> (Story, Flows) {
    let q = format!("delivery = {{ max_receives = 3{more} }}");
    let c = format!("ack = \"{ack}\"\nack_loss = \"100%\"\nservice = \"1s\"");
    let story = story(1, &q, &c);
    let flows = *story.flows();
    (story, flows)
}

#[test]
fn d3_a_lost_acknowledgement_brings_the_message_back() {
    let (story, flows) = lost_acks("", "after");
    assert_eq!(story.begins(), [0, 1_000, 2_000], "with the connection");
    assert_eq!((flows.acks_lost, flows.completed), (3, 0));
    assert_eq!((flows.effects, flows.duplicates), (3, 2));
    let (story, flows) = lost_acks(", visibility_timeout = \"30s\"", "after");
    assert_eq!(story.begins(), [0, 30_000, 60_000], "when it lapses");
    assert_eq!((flows.acks_lost, flows.lapsed), (3, 3));
    assert_eq!(flows.dropped, 1, "at 90 s, where there are no dead letters");
}

#[test]
fn d3_a_lost_early_acknowledgement_is_one() {
    let (story, flows) = lost_acks(", visibility_timeout = \"30s\"", "before");
    assert_eq!(story.begins(), [0, 30_000, 60_000]);
    assert_eq!(flows.acks_lost, 3, "one for each delivery");
}

#[test]
fn d4_work_is_done_again_in_its_own_time_or_in_another() {
    let end = |seed: u32, rework: &str, crash: &str| {
        let run = format!("{SETTLED}\nseed = {seed}");
        let c = format!(
            "service = {{ exponential = {{ mean = \"1h\" }} }}\nrework = \"{rework}\"\n{crash}"
        );
        one(&run, &burst(1), CONNECTED, &c, "").record.ended.at
    };
    let crash = "crash = { at = \"1ms\", restart = \"1s\" }";
    let late = queuecast::units::SimDuration::from_millis(1_001);
    for seed in 1..=10 {
        let plain = end(seed, "restart", "");
        assert_eq!(end(seed, "restart", crash), plain + late, "from the start");
        assert_eq!(
            end(seed, "resample", ""),
            plain,
            "the first draw is its own"
        );
        assert_ne!(end(seed, "resample", crash), plain + late);
    }
}

#[test]
fn d4_a_closed_connection_brings_all_that_was_held_back_to_the_head_in_order() {
    let c = "prefetch = 2\nservice = \"2s\"\ncrash = { at = \"1s\", restart = \"1s\" }";
    let story = story(3, "", c);
    // Two are out when it crashes; both come back before the third, which was not delivered yet.
    assert_eq!(story.received(), [0, 0, 2_000, 2_000, 4_000]);
    assert_eq!(story.acks(), [4_000, 6_000, 8_000]);
    let first = |fact: &Fact| matches!(fact, Fact::Received { wait: Some(_), .. });
    assert_eq!(
        story.when(first),
        [0, 0, 4_000],
        "the others are redelivered"
    );
    assert_eq!(story.flows().redelivered, 2);
}

#[test]
fn d4_a_lapsed_message_is_worked_on_by_two_at_once() {
    let q = "delivery = { visibility_timeout = \"30s\" }";
    let story = story(1, q, "count = 2\nservice = \"45s\"");
    assert_eq!(story.begins(), [0, 30_000]);
    assert_eq!(story.record.fleets[Id::at(0)].busy.max, 2.0);
    assert_eq!(story.acks(), [45_000], "the first deletes it");
    assert_eq!(story.record.ended.at.as_secs_f64(), 75.0);
    let flows = story.flows();
    assert_eq!(
        (flows.duplicates, flows.effects, flows.completed),
        (1, 2, 1)
    );
}

#[test]
fn d4_time_in_the_buffer_counts_towards_the_visibility() {
    let q = "delivery = { visibility_timeout = \"30s\" }";
    // The second lapses in the buffer at 30, though it has been worked on since 20, and takes its
    // place there once more; done at 40 it is deleted, but the copy is worked on to the end.
    let story = story(2, q, "prefetch = 2\nservice = \"20s\"");
    assert_eq!(story.begins(), [0, 20_000, 40_000]);
    assert_eq!((story.flows().lapsed, story.flows().duplicates), (1, 1));
}

#[test]
fn d4_heartbeats_begin_with_the_work() {
    let story = |heartbeat: &str| {
        let q =
            format!("delivery = {{ visibility_timeout = \"30s\", heartbeat = \"{heartbeat}\" }}");
        story(2, &q, "prefetch = 2\nservice = \"25s\"")
    };
    // The second is begun at 25. Its first heartbeat would be at 45, and it lapses at 30; it is
    // done at 50, and then its copy is worked on.
    let late = story("20s");
    assert_eq!(late.received(), [0, 0, 30_000]);
    assert_eq!(late.begins(), [0, 25_000, 50_000]);
    // With one at 29 it does not.
    assert_eq!(story("4s").begins(), [0, 25_000]);
}

#[test]
fn d5_a_consumer_that_is_scaled_away_gives_back_what_it_has_not_begun() {
    let c = "count = 2\nprefetch = 3\nservice = \"2s\"\n\
             schedule = [{ from = \"1s\", count = 1 }]";
    let story = story(6, CONNECTED, c);
    // Three each. The second consumer finishes one at 2; its two others come back at 1, and go to
    // the first as it has room for them, at 2 and 4.
    assert_eq!(story.received(), [0, 0, 0, 0, 0, 0, 2_000, 4_000]);
    assert_eq!(story.acks(), [2_000, 2_000, 4_000, 6_000, 8_000, 10_000]);
    let c = format!("{c}\ndelivery_delay = \"1500ms\"");
    let story = self::story(6, CONNECTED, &c);
    // On their way at 1, three arrive where nobody is, and come back.
    assert_eq!((story.flows().completed, story.flows().redelivered), (6, 3));
}

#[test]
fn d4_heartbeats_hold_a_message_for_twelve_hours_at_most() {
    let q = "delivery = { visibility_timeout = \"30s\", heartbeat = \"10s\" }";
    let story = story(1, q, "count = 2\nservice = \"13h\"");
    assert_eq!(story.received(), [0, 12 * 3_600_000]);
    assert_eq!(story.acks(), [13 * 3_600_000]);
}

#[test]
fn d4_a_heartbeat_that_falls_due_while_the_work_stands_still_is_not_sent() {
    let lapses = |thaws: &str| {
        let rest = format!(
            "[[outages]]\ntarget = \"consumers.c\"\nstart = \"5s\"\nduration = \"{thaws}\"\n\
             in_flight = \"freeze\""
        );
        let p = "arrivals = { bursts = { size = 1, at = \"0s\" } }";
        let q = "delivery = { visibility_timeout = \"10s\", heartbeat = \"4s\" }";
        let story = one("stop = \"settled\"", p, q, "service = \"30s\"", &rest);
        story.when(|fact| matches!(fact, Fact::Lapsed { .. }))
    };
    // Heartbeats at 4 s, and not at 8 s: the visibility lapses at 14 s unless it is extended at
    // 12 s. Work that goes on at 12 s does that, and work that goes on at 13.5 s does not.
    assert!(lapses("7s").is_empty());
    assert_eq!(lapses("8500ms"), [14_000]);
}

#[test]
fn d4_work_that_stands_still_sends_no_heartbeat() {
    let q = "delivery = { visibility_timeout = \"3s\", heartbeat = \"1s\" }";
    let c = "count = 2\nservice = \"2s\"";
    let rest = outage("1500ms", "3500ms", "share = 0.5\nin_flight = \"freeze\"");
    let story = one(SETTLED, &burst(1), q, c, &rest);
    // The last beat was at 1: it lapses at 4, and the other consumer is done at 6. The first goes
    // on at 5 with the half second that was left, and deletes it.
    assert_eq!(story.begins(), [0, 4_000]);
    assert_eq!(story.acks(), [5_500]);
}

#[test]
fn d4_max_receives_counts_the_first() {
    let dead = |most: u32| {
        let q = format!(
            "dead_letter = \"dead\"\n\
             delivery = {{ visibility_timeout = \"10s\", max_receives = {most} }}"
        );
        let c = "count = 9\nservice = \"1h\"";
        one(SETTLED, &burst(1), &q, c, "[queues.dead]").deaths()
    };
    assert_eq!(dead(1), [10_000], "at receive number 2");
    assert_eq!(dead(3), [30_000], "at receive number 4");
}

#[test]
fn d4_a_late_acknowledgement_finds_the_message_wherever_it_is() {
    let late = |late: &str| {
        let q = format!("delivery = {{ visibility_timeout = \"10s\", late_ack = \"{late}\" }}");
        one("stop = \"44s\"", &burst(1), &q, "service = \"15s\"", "")
    };
    // It lapses at 10, and waits, since nobody is free; at 15 it is deleted out of the line.
    let honoured = late("honoured");
    assert_eq!(
        (honoured.received(), honoured.acks()),
        (vec![0], vec![15_000])
    );
    assert_eq!(honoured.queue().depth.end, 0.0);
    let refused = late("refused");
    assert_eq!(refused.received(), [0, 15_000, 30_000]);
    assert_eq!(refused.flows().acks_refused, 2, "at 15 and 30");
    assert_eq!(refused.flows().completed, 0);
}

#[test]
fn d4_a_broker_that_sweeps_sees_a_lapse_at_its_next_look() {
    let q = "delivery = { visibility_timeout = \"10s\", sweep = \"7s\" }";
    let story = story(1, q, "count = 9\nservice = \"20s\"");
    assert_eq!(
        story.received(),
        [0, 14_000],
        "10 is seen at 14, 24 is too late"
    );
}

/// Two messages of two seconds, and an outage from 1 to 4.
fn through_an_outage(q: &str, in_flight: &str) -> Vec<u64> {
    let rest = outage("1s", "3s", &format!("in_flight = {in_flight}"));
    one(SETTLED, &burst(2), q, "service = \"2s\"", &rest).acks()
}

#[test]
fn d2_what_becomes_of_work_in_hand_is_as_without_leases() {
    let long = "delivery = { visibility_timeout = \"1h\" }";
    for q in [CONNECTED, long] {
        assert_eq!(through_an_outage(q, "\"finish\""), [2_000, 6_000], "{q}");
        assert_eq!(through_an_outage(q, "\"freeze\""), [5_000, 7_000], "{q}");
    }
    assert_eq!(through_an_outage(CONNECTED, "\"crash\""), [6_000, 8_000]);
    let at_restart = "{ crash = { returns = \"at_restart\" } }";
    assert_eq!(through_an_outage(CONNECTED, at_restart), [6_000, 8_000]);
}

#[test]
fn d2_a_crash_is_missed_only_when_the_visibility_lapses() {
    let q = "delivery = { visibility_timeout = \"10s\" }";
    // The second first; the first from 10 on.
    assert_eq!(through_an_outage(q, "\"crash\""), [6_000, 12_000]);
}

#[test]
fn a2_a_completion_at_its_deadline_wins() {
    let delivered = |service: &str, q: &str| {
        let c = format!("count = 2\nservice = \"{service}\"");
        story(1, q, &c).flows().delivered
    };
    let visibility = "delivery = { visibility_timeout = \"2s\" }";
    assert_eq!(delivered("2s", visibility), 1);
    assert_eq!(delivered("2001ms", visibility), 2);
    let timeout = "delivery = { ack_timeout = { limit = \"30s\", check = \"1m\" } }";
    assert_eq!(delivered("60s", timeout), 1);
}

#[test]
fn a2_an_acknowledgement_that_arrives_at_the_lapse_wins() {
    let flows = |service: &str| {
        let q = "delivery = { visibility_timeout = \"2s\" }";
        let c = format!("count = 2\ndelivery_delay = \"500ms\"\nservice = \"{service}\"");
        *story(1, q, &c).flows()
    };
    // Half a second there, half a second back.
    let just = flows("1s");
    assert_eq!((just.delivered, just.lapsed, just.completed), (1, 0, 1));
    let late = flows("1001ms");
    assert_eq!((late.delivered, late.lapsed, late.completed), (2, 1, 1));
}

#[test]
fn a2_a_slot_freed_by_an_acknowledgement_admits_the_publisher_whose_timeout_is_now() {
    let p = format!(
        "{}\non_full = {{ block = {{ timeout = \"2s\" }} }}",
        burst(3)
    );
    let q = format!("capacity = 1\n{CONNECTED}");
    let story = one(SETTLED, &p, &q, "service = \"2s\"", "");
    assert_eq!((story.flows().timed_out, story.flows().accepted), (0, 3));
    assert_eq!(story.admissions(), [2_000]);
}
