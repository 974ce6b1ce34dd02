//! Rules D4 and F3 where a broker limits what is out, how often it comes back, and how many calls
//! it takes; with C1, what becomes of what comes back to a full queue.
//!
//! Not what brings it back.

use queuecast::model::Id;
use queuecast::sim::Fact;

use crate::world::{Story, one};

const SETTLED: &str = "stop = \"settled\"";

fn story(messages: u32, q: &str, c: &str) -> Story {
    let p = format!("arrivals = {{ bursts = {{ size = {messages}, at = \"0s\" }} }}");
    one(SETTLED, &p, q, c, "[queues.dead]")
}

#[test]
fn d4_max_in_flight_holds_deliveries_back() {
    let q = "delivery = { max_in_flight = 2 }";
    let story = story(5, q, "count = 3\nprefetch = 5\nservice = \"1s\"");
    assert_eq!(story.received(), [0, 0, 1_000, 1_000, 2_000]);
    assert_eq!(story.queue().in_flight.max, 2.0);
}

#[test]
fn d4_what_was_acknowledged_before_the_work_is_not_among_the_max_in_flight() {
    let q = "delivery = { max_in_flight = 2 }";
    let c = "ack = \"before\"\ncount = 4\nservice = \"1s\"";
    let story = story(5, q, c);
    assert_eq!(story.received(), [0, 0, 0, 0, 1_000]);
    assert_eq!(story.queue().in_flight.max, 4.0, "until the work is done");
}

/// How often one message is delivered before it is dead, and when it is.
fn limited(delivery: &str, c: &str) -> (Vec<u64>, Vec<u64>) {
    let q = format!("dead_letter = \"dead\"\ndelivery = {{ {delivery} }}");
    let story = story(1, &q, c);
    (story.received(), story.deaths())
}

#[test]
fn d4_a_return_limit_counts_returns_of_the_stated_kinds() {
    let fails = "fails = { transient = \"100%\" }\nservice = \"1s\"";
    // Two returns are allowed; the third is one too many, and needs no receive to be seen.
    let (received, deaths) = limited("return_limit = 2", fails);
    assert_eq!((received, deaths), (vec![0, 1_000, 2_000], vec![3_000]));
    let crash = "crash = { at = \"500ms\", restart = \"1s\" }\nservice = \"1s\"";
    let (received, deaths) = limited("return_limit = 0", crash);
    assert_eq!((received, deaths), (vec![0], vec![500]));
    let others = "return_limit = 0, limit_counts = [\"failure\", \"timeout\", \"lapse\"]";
    let (received, deaths) = limited(others, crash);
    assert_eq!(
        (received, deaths),
        (vec![0, 1_500], vec![]),
        "a crash is not counted"
    );
    let slow = "count = 9\nservice = \"15s\"";
    let lapse = "visibility_timeout = \"10s\", return_limit = 0, limit_counts = [\"lapse\"]";
    assert_eq!(limited(lapse, slow), (vec![0], vec![10_000]));
}

#[test]
fn d4_an_acknowledgement_timeout_closes_the_channel_when_the_broker_looks() {
    let delivery = "ack_timeout = { limit = \"30s\", check = \"1m\" }, return_limit = 1";
    // 30 s are over at 30, and seen at 60; delivered again at once, and seen at 120.
    let (received, deaths) = limited(delivery, "service = \"5m\"");
    assert_eq!((received, deaths), (vec![0, 60_000], vec![120_000]));
    let exactly = "ack_timeout = { limit = \"1m\", check = \"1m\" }, return_limit = 0";
    let (_, deaths) = limited(exactly, "service = \"5m\"");
    assert_eq!(deaths, [120_000], "at 60 it is a minute, not more");
}

#[test]
fn d4_a_closed_channel_gives_back_all_that_its_consumer_held_and_is_closed_once() {
    let q = "dead_letter = \"dead\"\ndelivery = { dispatch = \"greedy\", return_limit = 0, \
             ack_timeout = { limit = \"30s\", check = \"1m\" } }";
    let both = story(2, q, "prefetch = 2\nservice = \"5m\"");
    assert_eq!(both.deaths(), [60_000, 60_000]);
    let closed = |fact: &Fact| matches!(fact, Fact::ChannelClosed { .. });
    assert_eq!(both.when(closed), [60_000]);
    // What comes back is delivered again at that instant, and is not late.
    let q = "delivery = { dispatch = \"greedy\", \
             ack_timeout = { limit = \"30s\", check = \"1m\" } }";
    let p = "arrivals = { bursts = { size = 2, at = \"0s\" } }";
    for c in ["prefetch = 2", "prefetch = 2\ncount = 2"] {
        let c = format!("{c}\nservice = \"5m\"");
        let again = one("stop = \"61s\"", p, q, &c, "");
        assert_eq!(again.when(closed), [60_000], "{c}");
        assert_eq!(again.received(), [0, 0, 60_000, 60_000]);
    }
}

#[test]
fn d4_what_was_acknowledged_before_the_work_is_never_late() {
    let q = "delivery = { ack_timeout = { limit = \"30s\", check = \"1m\" } }";
    let story = story(1, q, "ack = \"before\"\nservice = \"5m\"");
    assert_eq!((story.acks(), story.flows().lost), (vec![300_000], 0));
    assert_eq!(story.record.fleets[Id::at(0)].channels_closed, 0);
}

#[test]
fn c1_what_comes_back_to_a_full_queue_is_kept_or_dropped() {
    let flows = |returned: &str| {
        let q = format!("capacity = 1\nreturned = \"{returned}\"");
        let c = "crash = { at = \"1s\", restart = \"1s\" }\nservice = \"4s\"";
        let story = story(2, &q, c);
        (
            story.flows().dropped,
            story.flows().completed,
            story.queue().depth.max,
        )
    };
    assert_eq!(flows("keep"), (0, 2, 2.0));
    assert_eq!(flows("drop"), (1, 1, 1.0));
}

#[test]
fn f3_a_receive_beyond_the_calls_of_a_second_waits_for_the_next() {
    let q = "calls = { receive = \"2/s\" }";
    let story = story(5, q, "count = 5\nservice = \"100ms\"");
    assert_eq!(story.received(), [0, 0, 1_000, 1_000, 2_000]);
    assert!(story.flows().throttled >= 2, "at 0, and at 1");
    let batch = "count = 5\nbatch = 10\nservice = \"100ms\"";
    let p = "arrivals = { bursts = { size = 12, at = \"0s\" } }";
    let story = one(SETTLED, p, q, batch, "");
    // The burst comes one by one: two calls take one each; at 1 s one call takes the ten others.
    let mut due = vec![0, 0];
    due.extend([1_000; 10]);
    assert_eq!(story.received(), due);
}

#[test]
fn f3_an_acknowledgement_beyond_the_calls_of_a_second_waits_for_the_next() {
    let q = "calls = { delete = \"1/s\" }";
    let story = story(4, q, "count = 4\nservice = \"100ms\"");
    assert_eq!(story.acks(), [100, 1_000, 2_000, 3_000]);
    assert_eq!(story.flows().throttled, 3);
    let batch = "batch = { size = 4, window = \"1s\" }\nservice = \"100ms\"";
    let p = "arrivals = { bursts = { size = 4, at = \"0s\" } }";
    let story = one(SETTLED, p, q, batch, "");
    assert_eq!(story.acks(), [400; 4], "those of a batch are one call");
}

#[test]
fn f3_a_publish_beyond_the_calls_of_a_second_is_refused() {
    let accepted = |p: &str| {
        let p = format!("arrivals = {{ bursts = {{ size = 6, at = \"500ms\" }} }}\n{p}");
        let q = "calls = { send = \"2/s\" }";
        let story = one(SETTLED, &p, q, "count = 6\nservice = \"10ms\"", "");
        let flows = story.record.publishers[Id::at(0)].flows;
        (story.received(), flows.accepted, flows.rejected)
    };
    assert_eq!(accepted(""), (vec![500; 2], 2, 4));
    assert_eq!(accepted("send_batch = 2"), (vec![500; 4], 4, 2));
    let retry = "on_full = { retry = { attempts = 9, backoff = { fixed = \"250ms\" } } }";
    // Tried again at 750, 1000, … : two more in each second.
    let (received, accepted, _) = accepted(retry);
    assert_eq!(
        (received, accepted),
        (vec![500, 500, 1_000, 1_000, 2_000, 2_000], 6)
    );
}
