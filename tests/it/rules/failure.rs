//! Rules E1 to E5: how work fails, when it is tried again and where it waits meanwhile, and what
//! becomes of what nobody can work on.
//!
//! Not the law of the waits: that is tested against a table in [`crate::retry`].

use queuecast::model::Id;
use queuecast::outcome::Why;
use queuecast::sim::Fact;

use crate::world::{Story, one, scenario};

const SETTLED: &str = "stop = \"settled\"";
const TO_DEAD: &str = "dead_letter = \"dead\"";

fn burst(messages: u32) -> String {
    format!("arrivals = {{ bursts = {{ size = {messages}, at = \"0s\" }} }}")
}

fn story(messages: u32, q: &str, c: &str) -> Story {
    one(SETTLED, &burst(messages), q, c, "[queues.dead]")
}

#[test]
fn e1_a_transient_failure_is_drawn_anew_for_each_attempt() {
    let story = story(4_000, "", "count = 9\nfails = \"30%\"\nservice = \"1s\"");
    let flows = story.flows();
    assert_eq!(flows.completed, 4_000, "each gets over it");
    assert_eq!(flows.failed, flows.delivered - 4_000);
    // A geometric number of failures each: mean 3/7, variance 30/49. Five deviations of the sum.
    let spread = 5.0 * (4_000.0_f64 * 30.0 / 49.0).sqrt();
    assert!(
        (flows.failed as f64 - 4_000.0 * 3.0 / 7.0).abs() < spread,
        "{}",
        flows.failed
    );
    assert_eq!(flows.failed_for_good, 0);
}

#[test]
fn e1_a_permanent_failure_is_of_the_message() {
    let q = format!("{TO_DEAD}\ndelivery = {{ max_receives = 3 }}");
    let story = story(
        4_000,
        &q,
        "count = 9\nfails = { permanent = \"20%\" }\nservice = \"1s\"",
    );
    let flows = story.flows();
    assert_eq!(flows.failed, 3 * flows.dead_lettered, "every attempt on it");
    assert_eq!(flows.failed_for_good, flows.failed);
    assert_eq!(flows.completed + flows.dead_lettered, 4_000);
    // Binomial: five deviations are 126.
    assert!(
        flows.dead_lettered.abs_diff(800) < 127,
        "{}",
        flows.dead_lettered
    );
}

#[test]
fn e1_poison_is_a_share_of_messages_or_all_of_a_key() {
    let q = format!("{TO_DEAD}\ndelivery = {{ max_receives = 2 }}");
    let c = "count = 9\nservice = \"1s\"";
    let p = format!("{}\nkeys = 1\npoison = {{ keys = [0] }}", burst(3));
    let good = format!(
        "[producers.good]\nqueue = \"q\"\nkeys = 1\n{}\n[queues.dead]",
        burst(4)
    );
    let by_key = one(SETTLED, &p, &q, c, &good);
    let flows = by_key.flows();
    assert_eq!(
        (flows.dead_lettered, flows.completed, flows.failed),
        (3, 4, 6)
    );
    let p = format!("{}\npoison = \"25%\"", burst(4_000));
    let by_share = one(SETTLED, &p, &q, c, "[queues.dead]");
    // Binomial: five deviations are 137.
    let dead = by_share.flows().dead_lettered;
    assert!(dead.abs_diff(1_000) < 138, "{dead}");
    let p = format!("{}\nkeys = 4\npoison = {{ keys = [2] }}", burst(4_000));
    let one_of_four = one(SETTLED, &p, &q, c, "[queues.dead]");
    let dead = one_of_four.flows().dead_lettered;
    assert!(dead.abs_diff(1_000) < 138, "{dead}");
}

#[test]
fn e1_retry_on_transient_sends_a_permanent_failure_straight_to_the_dead_letters() {
    let dies = |on: &str, fails: &str| {
        let c = format!(
            "fails = {{ {fails} = \"100%\" }}\nservice = \"1s\"\n\
             retry = {{ attempts = 3, backoff = {{ fixed = \"10s\" }}, retry_on = {on} }}"
        );
        let story = story(1, TO_DEAD, &c);
        (story.failures(), story.deaths())
    };
    // One attempt takes a second, and each of two waits ten.
    let thrice = (vec![1_000, 12_000, 23_000], vec![23_000]);
    assert_eq!(dies("\"any\"", "permanent"), thrice);
    assert_eq!(
        dies("\"transient\"", "permanent"),
        (vec![1_000], vec![1_000])
    );
    assert_eq!(dies("\"transient\"", "transient"), thrice);
    assert_eq!(dies("[\"transient\", \"permanent\"]", "permanent"), thrice);
}

#[test]
fn e1_a_failing_attempt_takes_a_time_of_its_own_until_the_handler_is_repaired() {
    let c = "fails = { permanent = \"100%\", takes = \"100ms\", cured_at = \"350ms\" }\n\
             service = \"1s\"";
    let story = story(1, "", c);
    assert_eq!(
        story.failures(),
        [100, 200, 300, 400],
        "the last began at 300"
    );
    assert_eq!(story.acks(), [1_400]);
}

#[test]
fn e1_a_handler_breaks_and_is_repaired() {
    // One after the other, a second each: those begun between 1.5 s and 3.5 s find it broken.
    let c = "fails = { permanent = \"100%\", breaks_at = \"1500ms\", cured_at = \"3500ms\" }\n\
             service = \"1s\"\nretry = { attempts = 1 }";
    let story = story(5, TO_DEAD, c);
    assert_eq!(story.failures(), [3_000, 4_000]);
    assert_eq!(story.acks(), [1_000, 2_000, 5_000]);
}

#[test]
fn e5_a_dead_letter_may_have_been_done() {
    // Done at 1.5 s, when its visibility had lapsed at 1 s; dead at 2 s, when the second had.
    let q = format!(
        "{TO_DEAD}\ndelivery = {{ visibility_timeout = \"1s\", late_ack = \"refused\", \
         max_receives = 2 }}"
    );
    let flows = *story(1, &q, "count = 2\nservice = \"1500ms\"").flows();
    assert_eq!((flows.dead_lettered, flows.dead_lettered_done), (1, 1));
    let fails = "count = 2\nservice = \"500ms\"\nfails = \"100%\"";
    let flows = *story(1, &q, fails).flows();
    assert_eq!((flows.dead_lettered, flows.dead_lettered_done), (1, 0));
}

#[test]
fn e5_a_dead_letter_has_a_cause() {
    let causes = |queue: &str, consumer: &str| {
        let flows = *story(1, &format!("{TO_DEAD}\n{queue}"), consumer).flows();
        let found = [
            flows.dead_lettered_slow,
            flows.dead_lettered_failed,
            flows.dead_lettered_crashed,
            flows.dead_lettered_expired,
            flows.dead_lettered_dropped,
        ];
        assert_eq!(flows.dead_lettered, found.iter().sum::<u64>(), "{consumer}");
        found
    };
    let twice = "delivery = { visibility_timeout = \"1s\", max_receives = 2 }";
    let slow = "count = 3\nservice = \"2500ms\"";
    assert_eq!(causes(twice, slow), [1, 0, 0, 0, 0]);
    let fails = "service = \"500ms\"\nfails = \"100%\"";
    assert_eq!(causes(twice, fails), [0, 1, 0, 0, 0]);
    let later = format!("{fails}\nretry = {{ attempts = 9, backoff = {{ fixed = \"2s\" }} }}");
    assert_eq!(causes(twice, &later), [0, 1, 0, 0, 0]);
    let given_up = format!("{fails}\nretry = {{ attempts = 1 }}");
    assert_eq!(causes("", &given_up), [0, 1, 0, 0, 0]);
    let lost = "service = \"500ms\"\nack_loss = \"100%\"";
    assert_eq!(causes(twice, lost), [0, 0, 1, 0, 0]);
    let crash = "service = \"1h\"\ncrash = { at = [\"500ms\", \"1500ms\"], \
                 restart = \"100ms\" }";
    assert_eq!(causes(twice, crash), [0, 0, 1, 0, 0]);
    let returned = "delivery = { return_limit = 1 }";
    assert_eq!(causes(returned, crash), [0, 0, 1, 0, 0]);
    let closed = "delivery = { return_limit = 1, ack_timeout = \"1s\" }";
    assert_eq!(causes(closed, "service = \"1h\""), [1, 0, 0, 0, 0]);
}

#[test]
fn e2_the_delays_of_an_exponential_backoff_double_up_to_their_cap() {
    let c = "fails = { transient = \"100%\", takes = \"1s\" }\nservice = \"1s\"\n\
             retry = { attempts = 9, \
             backoff = { exponential = { base = \"500ms\", cap = \"30s\" } } }";
    let begins = story(1, TO_DEAD, c).begins();
    // A second of work before each of 0.5, 1, 2, 4, 8, 16, 30, 30 s.
    assert_eq!(
        begins,
        [
            0, 1_500, 3_500, 6_500, 11_500, 20_500, 37_500, 68_500, 99_500
        ]
    );
}

#[test]
fn e2_an_equal_jitter_keeps_each_delay_within_its_window() {
    let run = format!("{SETTLED}\nseed = 5");
    let c = "count = 200\nfails = { transient = \"100%\", takes = \"1s\" }\nservice = \"1s\"\n\
             retry = { attempts = 9, jitter = \"equal\", \
             backoff = { exponential = { base = \"500ms\", cap = \"30s\" } } }";
    // Attempts of one client: eight waits, each with a window of its own.
    let windows = [0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 15.0, 15.0];
    for place in ["delayed", "in_place"] {
        let c = c.replace(
            "attempts = 9",
            &format!("attempts = 9, place = \"{place}\""),
        );
        let story = one(&run, &burst(1), TO_DEAD, &c, "[queues.dead]");
        let failed: Vec<f64> = story
            .facts
            .iter()
            .filter(|(_, fact)| matches!(fact, Fact::Failed { .. }))
            .map(|(at, _)| at.as_secs_f64())
            .collect();
        assert_eq!(failed.len(), 9);
        for (n, pair) in failed.windows(2).enumerate() {
            let delay = pair[1] - pair[0] - 1.0;
            let least = windows[n] - 1e-9;
            assert!(
                (least..=2.0 * windows[n] + 1e-9).contains(&delay),
                "{place}: retry {n} after {delay}"
            );
        }
    }
}

/// One message that cannot be worked on before 3 s, and one behind it.
fn one_in_the_way(place: &str) -> Story {
    let p = format!("{}\npoison = \"100%\"", burst(1));
    let c = format!(
        "service = \"1s\"\nfails = {{ cured_at = \"3s\" }}\n\
         retry = {{ attempts = 3, backoff = {{ fixed = \"5s\" }}, place = \"{place}\" }}"
    );
    let good = "[producers.good]\nqueue = \"q\"\n\
                arrivals = { bursts = { size = 1, at = \"500ms\" } }";
    one(SETTLED, &p, "", &c, good)
}

#[test]
fn e3_a_retry_in_place_holds_its_handler_and_everything_behind_it() {
    let story = one_in_the_way("in_place");
    // 0 to 1, then from 6 to 7; only then the other.
    assert_eq!(story.acks(), [7_000, 8_000]);
    assert_eq!(story.flows().out_of_order, 0);
    assert_eq!((story.flows().delivered, story.flows().redelivered), (2, 0));
    // At work, or held, all the time from 0 to 8.
    assert_eq!(story.record.fleets[Id::at(0)].utilization, Some(1.0));
}

#[test]
fn e3_a_delayed_redelivery_frees_its_handler_and_reorders() {
    let story = one_in_the_way("delayed");
    assert_eq!(story.acks(), [2_000, 7_000]);
    assert_eq!(story.flows().out_of_order, 1);
    assert_eq!((story.flows().delivered, story.flows().redelivered), (3, 1));
}

#[test]
fn e3_a_delay_under_a_visibility_timeout_keeps_the_message_in_flight() {
    let p = format!("{}\npoison = \"100%\"", burst(1));
    let c = "count = 2\nservice = \"1s\"\nfails = { cured_at = \"3s\" }\n\
             retry = { attempts = 3, backoff = { fixed = \"5s\" } }";
    for timeout in ["2s", "1m"] {
        let q = format!("delivery = {{ visibility_timeout = \"{timeout}\" }}");
        let story = one(SETTLED, &p, &q, c, "");
        // Invisible for five seconds from the failure, whatever the timeout was.
        assert_eq!(story.received(), [0, 6_000], "{timeout}");
        assert_eq!(story.queue().in_flight.max, 1.0);
        assert_eq!(
            story.queue().depth.mean,
            0.0,
            "nor does it wait for any time"
        );
    }
}

#[test]
fn e3_a_broker_that_sweeps_still_ends_a_delay_when_it_is_due() {
    let p = format!("{}\npoison = \"100%\"", burst(1));
    let c = "count = 2\nservice = \"1s\"\nfails = { cured_at = \"3s\" }\n\
             retry = { attempts = 3, backoff = { fixed = \"5s\" } }";
    // Whether the timeout that the delay replaces had been seen at 7, at 14, or already at 3.
    for more in [
        "\"2s\", sweep = \"7s\"",
        "\"9s\", sweep = \"7s\"",
        "\"2s\", sweep = \"3s\"",
    ] {
        let q = format!("delivery = {{ visibility_timeout = {more} }}");
        let story = one(SETTLED, &p, &q, c, "");
        assert_eq!(story.received(), [0, 6_000], "{more}");
    }
}

#[test]
fn e3_without_a_retry_a_failed_message_comes_back_at_once_or_when_it_lapses() {
    let c = "count = 2\nfails = { permanent = \"100%\", cured_at = \"1500ms\" }\nservice = \"1s\"";
    assert_eq!(story(1, "", c).begins(), [0, 1_000, 2_000]);
    let q = "delivery = { visibility_timeout = \"10s\" }";
    assert_eq!(story(1, q, c).begins(), [0, 10_000]);
}

#[test]
fn e3_a_batch_comes_back_as_a_whole_or_only_what_failed() {
    let flows = |failure: &str| {
        let p = format!("{}\npoison = \"100%\"", burst(1));
        let good = format!(
            "[producers.good]\nqueue = \"q\"\n{}\n[queues.dead]",
            burst(2)
        );
        let q = format!("{TO_DEAD}\ndelivery = {{ max_receives = 2 }}");
        let c = format!(
            "batch = {{ size = 3, window = \"1s\", failure = \"{failure}\" }}\nservice = \"1s\""
        );
        *one(SETTLED, &p, &q, &c, &good).flows()
    };
    let partial = flows("partial");
    assert_eq!((partial.delivered, partial.completed), (4, 2));
    assert_eq!((partial.dead_lettered, partial.effects), (1, 2));
    let whole = flows("whole");
    assert_eq!((whole.delivered, whole.completed), (6, 0));
    assert_eq!(
        (whole.dead_lettered, whole.effects),
        (3, 4),
        "all die with it"
    );
    assert_eq!(whole.duplicates, 2);
}

/// Three messages that cannot be worked on before 50 s, and a redrive at 100 s.
fn redriven(more: &str) -> Story {
    let text = format!(
        "[run]\n{SETTLED}\n[producers.p]\nqueue = \"q\"\n{}\npoison = \"100%\"\n\
         [queues.q]\n{TO_DEAD}\n{more}\n[queues.dead]\n\
         redrive = {{ at = \"100s\", rate = \"1/s\", to = \"q\" }}\n\
         [consumers.c]\nqueue = \"q\"\nservice = \"2s\"\ncount = 3\n\
         fails = {{ cured_at = \"50s\" }}\nretry = {{ attempts = 1 }}",
        burst(3)
    );
    Story::of(&scenario(&text))
}

#[test]
fn e5_a_redrive_moves_dead_letters_back_at_an_instant_and_a_rate() {
    let story = redriven("");
    assert_eq!(story.deaths(), [2_000; 3]);
    let moved = |fact: &Fact| matches!(fact, Fact::Redriven { .. });
    assert_eq!(story.when(moved), [100_000, 101_000, 102_000]);
    assert_eq!(story.acks(), [102_000, 103_000, 104_000]);
    assert_eq!(story.sojourns_of_acks(), [102_000, 103_000, 104_000]);
    let dead = &story.record.queues[Id::at(1)];
    assert_eq!((dead.flows.dead_letters, dead.flows.redriven), (3, 3));
    assert_eq!((dead.depth.max, dead.depth.end), (3.0, 0.0));
    assert_eq!(dead.lag.max, 102.0, "its last was as old as that");
    assert_eq!((story.flows().redriven_in, story.flows().completed), (3, 3));
}

#[test]
fn e5_a_redriven_message_is_new_unless_it_is_said_to_be_the_same() {
    let flows = |identity: &str| {
        let text = format!(
            "[run]\n{SETTLED}\n[producers.p]\nqueue = \"q\"\n{}\npoison = \"100%\"\n\
             [queues.q]\n{TO_DEAD}\ndedup_window = \"101500ms\"\n[queues.dead]\n\
             redrive = {{ at = \"100s\", rate = \"1/s\", to = \"q\", identity = \"{identity}\" }}\n\
             [consumers.c]\nqueue = \"q\"\nservice = \"2s\"\n\
             fails = {{ cured_at = \"50s\" }}\nretry = {{ attempts = 1 }}",
            burst(3)
        );
        *Story::of(&scenario(&text)).flows()
    };
    let new = flows("new");
    assert_eq!((new.completed, new.deduplicated), (3, 0));
    // Those of 100 and 101 s are within the window, the one of 102 s is not.
    let same = flows("same");
    assert_eq!((same.completed, same.deduplicated), (1, 2));
}

#[test]
fn e5_retention_of_dead_letters_counts_from_the_original_publish() {
    let text = format!(
        "[run]\n{SETTLED}\n[producers.p]\nqueue = \"q\"\n{}\npoison = \"100%\"\n\
         [queues.q]\n{TO_DEAD}\n[queues.dead]\nretention = \"60s\"\n\
         [consumers.c]\nqueue = \"q\"\nservice = \"10s\"\nretry = {{ attempts = 1 }}",
        burst(2)
    );
    let model = scenario(&text.replace(SETTLED, "stop = \"100s\""));
    let story = Story::of(&model);
    assert_eq!(story.deaths(), [10_000, 20_000]);
    let expired = |fact: &Fact| matches!(fact, Fact::Expired { .. });
    assert_eq!(story.when(expired), [60_000, 60_000], "not 70 and 80");
    assert_eq!(story.record.queues[Id::at(1)].lag.max, 60.0);
}

#[test]
fn e5_expired_and_dropped_messages_are_dead_letters_where_those_are_taken() {
    let flows = |takes: &str| {
        let q = format!(
            "dead_letter = {{ queue = \"dead\", takes = [\"failed\"{takes}] }}\n\
             ttl = \"5s\"\ncapacity = 2\noverflow = \"drop_newest\""
        );
        let f = *story(4, &q, "service = \"10s\"").flows();
        (f.dead_lettered, f.expired, f.dropped)
    };
    // One at work, two wait for 10 s and are too old then, the fourth finds no room.
    assert_eq!(flows(""), (0, 2, 1));
    assert_eq!(flows(", \"expired\""), (2, 0, 1));
    assert_eq!(flows(", \"dropped\""), (1, 2, 0));
}

#[test]
fn e5_resting_dead_letters_keep_no_run_waiting() {
    for (stop, why) in [("drained", Why::Drained), ("settled", Why::Settled)] {
        let run = format!("stop = \"{stop}\"");
        let p = format!("{}\npoison = \"100%\"", burst(2));
        let c = "service = \"1s\"\nretry = { attempts = 1 }";
        let story = one(&run, &p, TO_DEAD, c, "[queues.dead]");
        assert_eq!(story.record.ended.why, why);
        let end = if stop == "drained" { 1.0 } else { 2.0 };
        assert_eq!(story.record.ended.at.as_secs_f64(), end);
        assert_eq!(story.record.queues[Id::at(1)].depth.end, end);
    }
}

#[test]
fn e3_wasted_work_counts_the_pauses_of_a_retry_in_place() {
    let c = "fails = { permanent = \"100%\", cured_at = \"2s\" }\nservice = \"1s\"\n\
             retry = { attempts = 2, backoff = { fixed = \"2s\" }, place = \"in_place\" }";
    let p = "arrivals = { bursts = { size = 1, at = \"0s\" } }";
    let story = one("stop = \"settled\"", p, "", c, "");
    let fleet = &story.record.fleets[Id::at(0)];
    // A second that fails, two of waiting, and the one that succeeds.
    assert_eq!(
        (fleet.wasted_work, fleet.utilization),
        (Some(0.75), Some(1.0))
    );
    assert_eq!(fleet.service.max, Some(1.0));
}

#[test]
fn d1_the_parts_of_a_batch_are_together_its_work() {
    let wasted = |work: &str| {
        let c = format!(
            "batch = {{ size = 4, window = \"1s\", work = \"{work}\" }}\nservice = \"1s\"\n\
             crash = {{ at = \"4500ms\", restart = \"0s\" }}"
        );
        let p = "arrivals = { bursts = { size = 4, at = \"0s\", every = \"4s\", times = 2 } }";
        let story = one("stop = \"settled\"", p, "", &c, "");
        story.record.fleets[Id::at(0)].wasted_work
    };
    // As one piece, four take a second, and half a second is lost: of 2.5 s.
    assert_eq!(wasted("once"), Some(0.2));
    // One after the other: of 8.5 s.
    assert_eq!(wasted("each"), Some(0.5 / 8.5));
}
