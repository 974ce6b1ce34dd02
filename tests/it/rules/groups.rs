//! Rules F3, F4 and G2 where messages have keys and identities: groups, order, deduplication.
//!
//! Not how keys are drawn.

use queuecast::sim::Fact;

use crate::world::{Story, one};

const SETTLED: &str = "stop = \"settled\"";
const GROUPS: &str = "groups = true";
const ONE_KEY: &str = "keys = 1";

fn burst(messages: u32, more: &str) -> String {
    format!("arrivals = {{ bursts = {{ size = {messages}, at = \"0s\" }} }}\n{more}")
}

fn story(messages: u32, q: &str, c: &str) -> Story {
    one(SETTLED, &burst(messages, ONE_KEY), q, c, "")
}

#[test]
fn f3_messages_of_one_key_are_out_one_at_a_time() {
    let story = story(3, GROUPS, "count = 3\nservice = \"1s\"");
    assert_eq!(story.begins(), [0, 1_000, 2_000]);
    assert_eq!(story.queue().in_flight.max, 1.0);
    assert_eq!(story.flows().out_of_order, 0);
}

#[test]
fn f3_other_keys_go_on() {
    // Two of a million keys: neither of them is 0 with this seed, nor the other's.
    let others = format!(
        "[producers.others]\nqueue = \"q\"\n{}",
        burst(2, "keys = 1_000_000")
    );
    let p = burst(2, ONE_KEY);
    let story = one(SETTLED, &p, GROUPS, "count = 4\nservice = \"1s\"", &others);
    assert_eq!(story.begins(), [0, 0, 0, 1_000]);
}

#[test]
fn f3_several_of_one_key_come_with_one_call() {
    let story = story(4, GROUPS, "count = 2\nbatch = 10\nservice = \"1s\"");
    // The first is taken as it comes, alone; at 1 the three that wait come together, and the
    // other handler gets none of them.
    assert_eq!(story.received(), [0, 1_000, 1_000, 1_000]);
    assert_eq!(story.acks(), [1_000, 4_000, 4_000, 4_000]);
}

#[test]
fn f3_a_key_is_locked_until_its_message_lapses() {
    let q = format!("{GROUPS}\ndelivery = {{ visibility_timeout = \"10s\" }}");
    let story = story(2, &q, "count = 2\nservice = \"15s\"");
    // The first lapses at 10, and is taken again before the second. Done at 15 it unlocks its
    // key: the second is taken, lapses at 25, is taken again, and done at 30.
    assert_eq!(story.received(), [0, 10_000, 15_000, 25_000]);
    assert_eq!(story.acks(), [15_000, 30_000]);
    assert_eq!(story.flows().out_of_order, 0);
}

#[test]
fn f3_a_key_is_unlocked_by_a_crash_and_by_a_dead_letter() {
    let crash = "count = 2\nservice = \"2s\"\ncrash = { at = \"1s\", restart = \"9s\" }";
    let story = story(2, GROUPS, crash);
    assert_eq!(story.begins(), [0, 1_000, 3_000], "by the other consumer");
    let p = burst(1, "keys = 1\npoison = \"100%\"");
    let good = format!(
        "[producers.good]\nqueue = \"q\"\n{}\n[queues.dead]",
        burst(1, ONE_KEY)
    );
    let c = "service = \"1s\"\nretry = { attempts = 1 }";
    let q = format!("{GROUPS}\ndead_letter = \"dead\"");
    let story = one(SETTLED, &p, &q, c, &good);
    assert_eq!((story.deaths(), story.acks()), (vec![1_000], vec![2_000]));
}

#[test]
fn f3_a_failure_holds_up_its_key_only_while_it_is_out() {
    let p = burst(1, "keys = 1\npoison = \"100%\"");
    let good = format!("[producers.good]\nqueue = \"q\"\n{}", burst(1, ONE_KEY));
    let c = "count = 2\nservice = \"1s\"\nfails = { cured_at = \"3s\" }\n\
             retry = { attempts = 9, backoff = { fixed = \"5s\" } }";
    // With the broker it is not in flight: the second overtakes it.
    let delayed = one(SETTLED, &p, GROUPS, c, &good);
    assert_eq!(delayed.acks(), [2_000, 7_000]);
    // Under a visibility timeout it stays in flight, and holds up its key.
    let q = format!("{GROUPS}\ndelivery = {{ visibility_timeout = \"1m\" }}");
    let hidden = one(SETTLED, &p, &q, c, &good);
    assert_eq!(hidden.acks(), [7_000, 8_000]);
}

/// A message that succeeds only at its second attempt, at 6 s, and one that is published half a
/// second after it and done at 2 s.
fn overtaken(first: &str, second: &str, c: &str) -> Story {
    let p = burst(1, &format!("{first}\npoison = \"100%\""));
    let c = format!(
        "service = \"1s\"\nfails = {{ cured_at = \"3s\" }}\n\
         retry = {{ attempts = 9, backoff = {{ fixed = \"5s\" }} }}\n{c}"
    );
    let good = format!(
        "[producers.good]\nqueue = \"q\"\n{second}\n\
         arrivals = {{ bursts = {{ size = 1, at = \"500ms\" }} }}"
    );
    one(SETTLED, &p, "", &c, &good)
}

#[test]
fn f4_order_is_measured_overall_and_by_key() {
    let counts = |first: &str, second: &str| {
        let story = overtaken(first, second, "");
        assert_eq!(story.acks(), [2_000, 7_000]);
        (
            story.flows().out_of_order,
            story.flows().out_of_order_by_key,
        )
    };
    assert_eq!(counts(ONE_KEY, ONE_KEY), (1, 1));
    assert_eq!(
        counts(ONE_KEY, "keys = 1_000_000"),
        (1, 0),
        "of another key"
    );
    assert_eq!(counts("", ""), (1, 0), "of none");
}

#[test]
fn f4_a_version_guard_ignores_what_is_older_than_applied() {
    let guarded = |first: &str, second: &str| {
        let flows = *overtaken(first, second, "guard = \"version\"").flows();
        (flows.ignored, flows.effects, flows.completed)
    };
    assert_eq!(guarded(ONE_KEY, ONE_KEY), (1, 1, 2));
    assert_eq!(guarded(ONE_KEY, "keys = 1_000_000"), (0, 2, 2));
}

#[test]
fn g2_a_deduplication_window_counts_from_the_first_accepted_send_and_outlives_deletion() {
    // Nearly every confirm is lost: with this seed the publisher sends at 0, 2, 4, … 12 at least.
    let p = burst(1, "confirm_loss = { share = \"99%\", timeout = \"2s\" }");
    let run = "stop = \"12001ms\"\nseed = 3";
    let c = "service = \"100ms\"";
    let story = one(run, &p, "dedup_window = \"5s\"", c, "");
    let swallowed = |fact: &Fact| matches!(fact, Fact::Deduplicated { .. });
    // Deleted at 0.1 the message is still known until 5; the send of 6 is a new one, until 11.
    assert_eq!(story.received(), [0, 6_000, 12_000]);
    assert_eq!(story.when(swallowed), [2_000, 4_000, 8_000, 10_000]);
    assert_eq!(story.flows().duplicates, 1, "done again at 6.1");
    let plain = one(run, &p, "", c, "");
    assert_eq!(
        plain.received(),
        [0, 2_000, 4_000, 6_000, 8_000, 10_000, 12_000]
    );
    assert_eq!(plain.flows().duplicates, 5);
}
