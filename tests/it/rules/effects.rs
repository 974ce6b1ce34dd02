//! Rules G1 and G2: at which point work acts on the world outside, and what keeps duplicates from
//! acting twice.
//!
//! Not the sending side, whose duplicates are swallowed by the broker.

use queuecast::outcome::Flows;

use crate::world::{Story, one};

const SETTLED: &str = "stop = \"settled\"";

fn story(q: &str, c: &str) -> Story {
    let p = "arrivals = { bursts = { size = 1, at = \"0s\" } }";
    one(SETTLED, p, q, c, "")
}

/// Work of ten seconds that acts at five, cut short by a crash.
fn crashed_at(at: &str, ack: &str) -> Flows {
    let c = format!(
        "service = \"10s\"\neffect_at = \"50%\"\nack = \"{ack}\"\n\
         crash = {{ at = \"{at}\", restart = \"1s\" }}"
    );
    *story("", &c).flows()
}

#[test]
fn g1_a_crash_before_the_effect_leaves_none_and_after_it_one() {
    let counts = |flows: Flows| (flows.effects, flows.duplicate_effects, flows.undone);
    assert_eq!(counts(crashed_at("4s", "after")), (1, 0, 0));
    assert_eq!(
        counts(crashed_at("5s", "after")),
        (2, 1, 0),
        "it has just acted"
    );
    assert_eq!(counts(crashed_at("6s", "after")), (2, 1, 0));
    assert_eq!(
        counts(crashed_at("4s", "before")),
        (0, 0, 1),
        "a lost effect"
    );
    assert_eq!(counts(crashed_at("6s", "before")), (1, 0, 0));
}

#[test]
fn g1_a_message_of_several_deliveries_has_an_effect_for_each() {
    let q = "delivery = { visibility_timeout = \"30s\" }";
    let flows = *story(q, "count = 9\nservice = \"100s\"").flows();
    // Delivered at 0, 30, 60 and 90; deleted at 100, when the others still work.
    assert_eq!(
        (flows.effects, flows.duplicate_effects, flows.completed),
        (4, 3, 1)
    );
}

#[test]
fn g1_a_message_that_dies_without_an_effect_is_undone() {
    let q = "delivery = { max_receives = 2 }";
    let flows = *story(q, "fails = { permanent = \"100%\" }\nservice = \"1s\"").flows();
    assert_eq!((flows.effects, flows.undone, flows.dropped), (0, 1, 1));
}

/// Work of 15 s on a visibility of ten, by two: the second begins at ten.
fn overlapping(how: &str) -> Story {
    let q = "delivery = { visibility_timeout = \"10s\" }";
    story(q, &format!("count = 2\nservice = \"15s\"\n{how}"))
}

#[test]
fn g2_check_then_insert_lets_two_that_overlap_both_act() {
    let story = overlapping("idempotency = \"check_then_insert\"");
    let flows = story.flows();
    assert_eq!((flows.effects, flows.duplicate_effects), (2, 1));
    assert_eq!((flows.skipped, flows.undone), (0, 0));
    // One that begins when the first is done finds the key.
    let q = "delivery = { visibility_timeout = \"10s\", max_receives = 2 }";
    let c = "ack_loss = \"100%\"\nservice = \"5s\"\nidempotency = \"check_then_insert\"";
    let flows = *self::story(q, c).flows();
    assert_eq!((flows.delivered, flows.effects, flows.skipped), (2, 1, 1));
}

#[test]
fn g2_a_unique_key_lets_one_act() {
    let story = overlapping("idempotency = \"unique_key\"");
    let flows = story.flows();
    assert_eq!((flows.effects, flows.skipped, flows.undone), (1, 1, 0));
    // The second takes the work for done, and acknowledges what the first is still at.
    assert_eq!(story.acks(), [10_000]);
    assert_eq!(story.record.ended.at.as_secs_f64(), 15.0);
}

#[test]
fn g2_a_crash_between_reservation_and_action_leaves_it_undone() {
    let crash = "service = \"10s\"\ncrash = { at = \"4s\", restart = \"1s\" }";
    let flows = *story("", &format!("{crash}\nidempotency = \"unique_key\"")).flows();
    assert_eq!((flows.effects, flows.undone, flows.completed), (0, 1, 1));
    assert_eq!((flows.delivered, flows.skipped), (2, 1));
}

#[test]
fn g2_a_crash_between_action_and_completion_is_acted_on_again_but_by_a_unique_key() {
    let counts = |how: &str| {
        let c = format!(
            "service = \"10s\"\neffect_at = \"50%\"\nidempotency = {how}\n\
             crash = {{ at = \"6s\", restart = \"1s\" }}"
        );
        let story = story("", &c);
        (story.flows().effects, story.flows().skipped, story.acks())
    };
    // It has acted at 5, and nobody knows.
    assert_eq!(counts("\"check_then_insert\""), (2, 0, vec![17_000]));
    assert_eq!(counts("\"unique_key\""), (1, 1, vec![7_000]));
    assert_eq!(
        counts("{ claim = { expires = \"1m\" } }"),
        (2, 0, vec![70_000])
    );
}

#[test]
fn g2_a_claim_is_taken_over_when_it_is_stale() {
    let crash = "service = \"10s\"\ncrash = { at = \"4s\", restart = \"1s\" }";
    let claim = "idempotency = { claim = { expires = \"1m\" } }";
    let story = story("", &format!("{crash}\n{claim}"));
    // Claimed at 0; busy at 5, when it comes back; stale at 60.
    assert_eq!(story.acks(), [70_000]);
    let flows = story.flows();
    assert_eq!((flows.effects, flows.undone, flows.delivered), (1, 0, 3));
}

#[test]
fn g2_a_claim_taken_over_while_the_first_still_works_acts_twice() {
    let counts = |expires: &str| {
        let how = format!("idempotency = {{ claim = {{ expires = \"{expires}\" }} }}");
        let flows = *overlapping(&how).flows();
        (flows.effects, flows.duplicate_effects, flows.delivered)
    };
    assert_eq!(counts("8s"), (2, 1, 2));
    assert_eq!(counts("1m"), (1, 0, 2), "the second lets it be");
}

#[test]
fn g2_an_orderly_failure_frees_the_key() {
    for how in ["\"unique_key\"", "{ claim = { expires = \"1h\" } }"] {
        let c = format!(
            "service = \"1s\"\nfails = {{ permanent = \"100%\", cured_at = \"1500ms\" }}\n\
             idempotency = {how}"
        );
        let story = story("", &c);
        assert_eq!(story.acks(), [3_000], "{how}");
        assert_eq!(story.flows().effects, 1);
    }
}

#[test]
fn g2_a_key_made_anew_for_each_attempt_keeps_nothing() {
    for how in [
        "\"check_then_insert\"",
        "\"unique_key\"",
        "{ claim = { expires = \"1m\" } }",
    ] {
        let keyed = format!("idempotency = {how}\nidempotency_key = \"generated_per_attempt\"");
        let flows = *overlapping(&keyed).flows();
        assert_eq!((flows.effects, flows.duplicate_effects), (2, 1), "{how}");
    }
}
