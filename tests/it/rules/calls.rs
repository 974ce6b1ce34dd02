//! Rules C1, C2 and F3 where several messages go with one call: what the broker says to a call it
//! says to all of them.
//!
//! Not how many calls a second has ([`super::limits`]).

use queuecast::model::Id;
use queuecast::outcome::Why;
use queuecast::units::SimTime;

use crate::world::{Story, one};

const SETTLED: &str = "stop = \"settled\"";
const BLOCK: &str = "on_full = \"block\"";

fn burst(size: u32, at: &str, keys: &str) -> String {
    format!("arrivals = {{ bursts = {{ size = {size}, at = \"{at}\" }} }}\n{keys}")
}

/// Another producer of the queue.
fn also(name: &str, keys: &str) -> String {
    format!("[producers.{name}]\nqueue = \"q\"\n{keys}\n")
}

/// rabbitmq/rabbitmq-server issue 8966: a limit of 5, and transactions of 3, 6, and 6 messages.
/// The first two are accepted, and 9 messages wait; the third is not.
fn transactions(check: &str) -> Story {
    let each = [(3, "1s"), (6, "2s"), (6, "3s")];
    let [first, second, third] = each.map(|(size, at)| burst(size, at, "send_batch = 6"));
    let q = format!("capacity = 5\n{check}");
    let outage = "[[outages]]\ntarget = \"consumers.c\"\nstart = \"0s\"\nduration = \"10s\"\n";
    let rest = also("second", &second) + &also("third", &third) + outage;
    one(SETTLED, &first, &q, "service = \"1s\"", &rest)
}

#[test]
fn c1_a_bound_may_be_looked_at_once_a_call() {
    let seen = |check: &str| {
        let story = transactions(check);
        let flows = story.flows();
        (story.queue().depth.max, flows.accepted, flows.rejected)
    };
    assert_eq!(seen("length_check = \"batch\""), (9.0, 9, 6));
    assert_eq!(seen("length_check = \"message\""), (5.0, 5, 10));
    assert_eq!(seen(""), (5.0, 5, 10));
}

#[test]
fn c1_blocked_publishers_overshoot_a_bound_with_their_call_too() {
    let p = burst(9, "0s", &format!("send_batch = 3\n{BLOCK}"));
    let story = |check: &str| {
        let q = format!("capacity = 2\nlength_check = \"{check}\"");
        one(SETTLED, &p, &q, "service = \"1s\"", "")
    };
    // One is worked on and two wait, which is all there is room for. One waits at 1 s, and three
    // come; one waits at 4 s, and the last three do.
    let batch = story("batch");
    assert_eq!(
        batch.admissions(),
        [1_000, 1_000, 1_000, 4_000, 4_000, 4_000]
    );
    assert_eq!(batch.queue().depth.max, 4.0);
    let message = story("message");
    assert_eq!(
        message.admissions(),
        [1_000, 2_000, 3_000, 4_000, 5_000, 6_000]
    );
    assert_eq!(message.queue().depth.max, 2.0);
}

#[test]
fn f3_a_call_that_is_refused_is_refused_once_for_all_of_its_messages() {
    let story = |keys: &str| {
        let p = burst(100, "0s", &format!("send_batch = 10\n{keys}"));
        let q = "calls = { send = \"1/s\" }";
        one(SETTLED, &p, q, "count = 100\nservice = \"1ms\"", "")
    };
    let reject = story("");
    assert_eq!((reject.flows().accepted, reject.flows().rejected), (10, 90));
    assert_eq!(reject.flows().throttled, 9);
    // Blocked, they leave call by call, a call a second, and are not refused again meanwhile.
    let block = story(BLOCK);
    let due: Vec<u64> = (0..10).flat_map(|second| [1_000 * second; 10]).collect();
    assert_eq!(block.received(), due);
    assert_eq!(block.flows().throttled, 9);
}

#[test]
fn f3_a_call_takes_those_of_its_own_producer_along() {
    let keys = format!("send_batch = 4\n{BLOCK}");
    let rest = also("b", &burst(2, "200ms", &keys))
        + &also("c", &burst(2, "300ms", &keys))
        + &also("other", &burst(1, "0s", ""));
    let p = "arrivals = { bursts = { size = 2, at = \"100ms\", every = \"300ms\", times = 2 } }";
    let p = format!("{p}\n{keys}");
    let q = "calls = { send = \"1/s\" }";
    let story = one(SETTLED, &p, q, "count = 9\nservice = \"1ms\"", &rest);
    assert_eq!(
        story.received(),
        [0, 1_000, 1_000, 1_000, 1_000, 2_000, 2_000, 3_000, 3_000]
    );
    let of = |place| story.record.publishers[Id::at(place)].unblocked_at;
    let seconds = |place| of(place).map(SimTime::as_secs_f64);
    assert_eq!([0, 1, 2].map(seconds), [1.0, 2.0, 3.0].map(Some));
}

#[test]
fn f3_only_messages_of_one_instant_go_with_one_call() {
    let p = "arrivals = { constant = { rate = \"10/s\" } }\ncount = 20\nsend_batch = 10";
    let q = "calls = { send = \"1/s\" }";
    let story = one(SETTLED, p, q, "service = \"1ms\"", "");
    assert_eq!((story.flows().accepted, story.flows().throttled), (2, 18));
}

#[test]
fn c2_a_publish_that_is_tried_again_at_once_takes_a_microsecond() {
    let p = burst(2, "0s", "on_full = { retry = { attempts = 5 } }");
    let q = "calls = { send = \"1/s\" }";
    let story = one(SETTLED, &p, q, "service = \"0s\"", "");
    assert_eq!(story.flows().abandoned, 1);
    assert_eq!(story.record.ended.at.as_nanos(), 4_000);
}

#[test]
fn e1_an_attempt_whose_acknowledgement_is_lost_takes_a_microsecond() {
    for c in ["", "ack = \"before\"\n", "idempotency = \"unique_key\"\n"] {
        let c = format!("{c}service = \"0s\"\nack_loss = \"100%\"");
        let run = "stop = \"1ms\"\nmax_events = 100_000";
        let q = "delivery = { max_receives = 1_000_000 }";
        let story = one(run, &burst(1, "0s", ""), q, &c, "");
        assert_eq!(story.record.ended.why, Why::Duration, "{c}");
        assert_eq!(story.flows().delivered, 1_001, "{c}");
    }
}
