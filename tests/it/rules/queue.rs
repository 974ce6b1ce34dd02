//! Rules C2, C5 and C6: what a queue lets go of by itself, and its memory.
//!
//! Not who is refused.

use queuecast::sim::Fact;
use queuecast::units::SimTime;

use crate::world::{Story, one};

const SETTLED: &str = "stop = \"settled\"";

/// Five messages, a second apart from 0 on, one server that takes ten seconds, room for two.
fn overflowing(overflow: &str) -> Story {
    let p = "arrivals = { constant = { rate = \"1/s\" } }\ncount = 5";
    let q = format!("capacity = 2\noverflow = \"{overflow}\"");
    one(SETTLED, p, &q, "service = \"10s\"", "")
}

#[test]
fn c2_drop_oldest_lets_the_head_go() {
    let story = overflowing("drop_oldest");
    // Those of 1 and 2 s go; those of 3 and 4 s are served at 10 and 20.
    assert_eq!(story.waits(), [0, 7_000, 16_000]);
    assert_eq!((story.flows().accepted, story.flows().dropped), (5, 2));
    assert_eq!(
        story.queue().depth.max,
        2.0,
        "a bound of two is never three"
    );
}

#[test]
fn c6_drop_newest_lets_the_newcomer_go() {
    let story = overflowing("drop_newest");
    assert_eq!(story.waits(), [0, 9_000, 18_000]);
    assert_eq!((story.flows().accepted, story.flows().dropped), (5, 2));
    assert_eq!(
        story.when(|fact| matches!(fact, Fact::Dropped { .. })),
        [3_000, 4_000]
    );
}

#[test]
fn c6_drop_lowest_lets_the_youngest_of_the_lowest_priority_go() {
    let p = "arrivals = { constant = { rate = \"1/s\" } }\ncount = 3\npriority = 1";
    let q = "capacity = 2\noverflow = \"drop_lowest\"\norder = \"priority\"";
    let more = "[producers.high]\nqueue = \"q\"\npriority = 5\n\
                arrivals = { bursts = { size = 1, at = \"3s\" } }\n\
                [producers.low]\nqueue = \"q\"\npriority = 1\n\
                arrivals = { bursts = { size = 1, at = \"4s\" } }";
    let story = one(SETTLED, p, q, "service = \"10s\"", more);
    // The high one of 3 s pushes out the low one of 2 s; the low one of 4 s is itself the youngest
    // of the lowest. At 10 s the high one goes, at 20 s the low one of 1 s.
    assert_eq!(story.waits(), [0, 7_000, 19_000]);
    assert_eq!(
        story.when(|fact| matches!(fact, Fact::Dropped { .. })),
        [3_000, 4_000]
    );
    assert_eq!(story.queue().depth.max, 2.0);
}

#[test]
fn c5_retention_expires_at_the_instant_while_nobody_takes() {
    let p = "arrivals = { constant = { rate = \"1/s\" } }\ncount = 3";
    let story = one(SETTLED, p, "retention = \"3s\"", "service = \"10s\"", "");
    assert_eq!(
        story.when(|fact| matches!(fact, Fact::Expired { .. })),
        [4_000, 5_000]
    );
    assert_eq!((story.flows().completed, story.flows().expired), (1, 2));
}

#[test]
fn c6_a_time_to_live_is_looked_at_on_delivery() {
    let p = "arrivals = { bursts = { size = 3, at = \"0s\" } }";
    let short = one(SETTLED, p, "ttl = \"500ms\"", "service = \"1s\"", "");
    assert_eq!(
        short.when(|fact| matches!(fact, Fact::Expired { .. })),
        [1_000, 1_000]
    );
    let exact = one(SETTLED, p, "ttl = \"1s\"", "service = \"1s\"", "");
    assert_eq!(
        exact.starts(),
        [0, 1_000],
        "as old as its time to live is not older"
    );
    assert_eq!(
        exact.when(|fact| matches!(fact, Fact::Expired { .. })),
        [2_000]
    );
}

/// Three messages of a kibibyte at once, two kibibytes of memory, a second each.
fn heavy(on_limit: &str, more: &str) -> Story {
    let p = "arrivals = { bursts = { size = 3, at = \"0s\" } }\nsize = \"1KiB\"";
    let q = format!("memory = {{ limit = \"2KiB\", on_limit = {on_limit} }}");
    one(SETTLED, p, &q, "service = \"1s\"", more)
}

#[test]
fn c5_full_memory_blocks_publishers_whatever_their_policy() {
    let story = heavy("\"block\"", "");
    assert_eq!(story.admissions(), [1_000]);
    assert_eq!((story.flows().completed, story.flows().rejected), (3, 0));
    assert_eq!(story.queue().memory.max, 2_048.0);
}

#[test]
fn c5_full_memory_refuses() {
    let story = heavy("\"refuse\"", "");
    assert_eq!((story.flows().completed, story.flows().rejected), (2, 1));
}

#[test]
fn c5_full_memory_takes_the_broker_down_with_what_it_held() {
    let later = "[producers.later]\nqueue = \"q\"\narrivals = { constant = { rate = \"1/s\" } }\n\
                 start = \"4s\"\ncount = 2";
    let story = heavy("{ crash = { restart = \"5s\" } }", later);
    // The second message fills it: one waiting and one in hand are lost. The third is refused,
    // and so is the one of 4 s; at 5 s the broker is back before the next one comes.
    assert_eq!(
        (
            story.flows().lost,
            story.flows().rejected,
            story.flows().completed
        ),
        (2, 2, 1)
    );
    assert_eq!(
        story.when(|fact| matches!(fact, Fact::BrokerBack { .. })),
        [5_000]
    );
    assert_eq!(story.ends(), [6_000]);
    assert_eq!(story.queue().memory.end, 0.0);
}

#[test]
fn each_order_serves_whom_it_says() {
    let waits = |order: &str| {
        let p = "arrivals = { constant = { rate = \"1/s\" } }\ncount = 4";
        let q = format!("order = \"{order}\"");
        one(SETTLED, p, &q, "service = \"10s\"", "").waits()
    };
    assert_eq!(waits("fifo"), [0, 9_000, 18_000, 27_000]);
    assert_eq!(waits("lifo"), [0, 7_000, 18_000, 29_000]);
    let mut random = waits("random");
    random.sort_unstable();
    assert_eq!(
        random.iter().sum::<u64>(),
        54_000,
        "the mean wait knows no order"
    );
}

/// When the queue was drained, in seconds, and when the run ended.
fn drained(stop: &str, p: &str, q: &str, c: &str) -> (Option<f64>, f64) {
    let outage = "[[outages]]\ntarget = \"consumers.c\"\nstart = \"0s\"\nduration = \"1s\"";
    let story = one(&format!("stop = \"{stop}\""), p, q, c, outage);
    let at = story.queue().drained_at.map(SimTime::as_secs_f64);
    (at, story.record.ended.at.as_secs_f64())
}

#[test]
fn h1_a_queue_is_drained_when_no_slot_is_taken_at_once() {
    let p = "arrivals = { constant = { rate = \"10/s\" } }\ncount = 20\non_full = \"block\"";
    let c = "service = \"200ms\"";
    // Taken at 1 s, 1.2 s, … : at each of these instants but the last, the only one who waits
    // leaves, and one who is blocked comes.
    for (stop, end) in [("drained", 4.8), ("20s", 20.0)] {
        assert_eq!(drained(stop, p, "capacity = 1", c), (Some(4.8), end));
    }
}

#[test]
fn h1_a_queue_is_drained_before_the_message_of_that_instant_comes() {
    let p = "arrivals = { constant = { rate = \"10/s\" } }";
    let c = "count = 3\nservice = \"200ms\"";
    // 10 wait at 1 s, and three leave: 7. With each step of 200 ms two come and three leave, so
    // that none waits at 2.4 s until the message comes that is due then.
    for (stop, end) in [("drained", 2.4), ("20s", 20.0)] {
        assert_eq!(drained(stop, p, "", c), (Some(2.4), end));
    }
}

#[test]
fn h1_a_queue_at_which_somebody_sleeps_is_not_drained() {
    let block = "{ block = { admission = { newcomers_first = { wake_up = \"1s\" } } } }";
    let p = format!("arrivals = {{ bursts = {{ size = 3, at = \"500ms\" }} }}\non_full = {block}");
    // One is taken at 1 s, when the first of the two who are blocked begins to wake up; the other
    // does when that one is in.
    let (at, end) = drained("drained", &p, "capacity = 1", "service = \"100ms\"");
    assert_eq!((at, end), (Some(3.0), 3.0));
}
