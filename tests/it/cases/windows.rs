//! Windows of a FIFO queue: so many calls a second, and five minutes of deduplication (case O06).
//!
//! Not the order of its groups.

use super::ask;

/// Case O06, the SQS pages on FIFO queues: 300 calls a second of each kind, and 500 messages a
/// second that are to be sent.
const CALLS: &str = r#"
    [run]
    stop = "10s"

    [producers.p]
    queue    = "q"
    arrivals = { constant = { rate = "500/s" } }
    keys     = 1000

    [queues.q]
    preset = "sqs_fifo"

    [consumers.c]
    queue   = "q"
    count   = 100
    service = "10ms"
    batch   = 10
"#;

#[test]
fn o06_one_a_call_refuses_200_a_second_and_two_a_call_none() {
    let one = ask(CALLS, &[]);
    assert_eq!(one.value("queues.q.rejected"), 10.0 * 200.0);
    let batches = |rate: &str, size: u32| {
        let arrivals = format!("{{ constant = {{ rate = \"{rate}\" }} }}");
        let sets = [
            format!(
                "producers.p.arrivals={{ batch = {{ arrivals = {arrivals}, size = {size} }} }}"
            ),
            format!("producers.p.send_batch={size}"),
        ];
        ask(CALLS, &sets.each_ref().map(String::as_str))
    };
    assert_eq!(batches("250/s", 2).value("queues.q.rejected"), 0.0);
    // The ceiling: 300 calls of 10. 400 calls of 10 are 1,000 messages a second too many.
    let ceiling = batches("400/s", 10);
    assert_eq!(ceiling.value("queues.q.accepted"), 10.0 * 3_000.0);
    assert_eq!(ceiling.value("queues.q.rejected"), 10.0 * 1_000.0);
}

/// Case O06, ruby-shoryuken/shoryuken pull request 473 and softwaremill/elasticmq issue 354: a
/// message fails, is dead at 30 s, and is sent again with its old identity when the handler has
/// been repaired.
const REDRIVE: &str = r#"
    [run]
    stop = "15m"

    [producers.p]
    queue    = "q"
    arrivals = { bursts = { size = 1 } }

    [queues.q]
    dedup_window = "5m"
    dead_letter  = "dead"
    delivery     = { visibility_timeout = "30s", max_receives = 1 }

    [queues.dead]
    redrive = { at = "299s", rate = "10/s", to = "q", identity = "same" }

    [consumers.c]
    queue   = "q"
    service = "1s"
    fails   = { permanent = "100%", cured_at = "1m" }
"#;

#[test]
fn o06_a_redrive_with_the_old_identity_is_swallowed_for_300_s() {
    let early = ask(REDRIVE, &[]);
    assert_eq!(early.value("queues.dead.redriven"), 1.0, "accepted");
    assert_eq!(early.value("queues.q.deduplicated"), 1.0, "and swallowed");
    assert_eq!(early.value("queues.q.completed"), 0.0);
    assert_eq!(early.value("queues.dead.depth.end"), 0.0, "it is nowhere");
    let late = ask(REDRIVE, &["queues.dead.redrive.at=300s"]);
    assert_eq!(late.value("queues.q.deduplicated"), 0.0);
    assert_eq!(late.value("queues.q.completed"), 1.0);
    let new = ask(REDRIVE, &["queues.dead.redrive.identity=new"]);
    assert_eq!(new.value("queues.q.completed"), 1.0);
}

/// A producer whose confirm is lost sends again. Within the window that is swallowed, the message
/// being done for long or not; after it that is a duplicate.
const RESEND: &str = r#"
    [run]
    stop = "settled"

    [producers.p]
    queue        = "q"
    arrivals     = { constant = { rate = "10/s" } }
    count        = 1000
    confirm_loss = { share = "2%", timeout = "1m" }

    [queues.q]
    dedup_window = "5m"

    [consumers.c]
    queue   = "q"
    service = "1ms"
"#;

#[test]
fn o06_a_producer_that_sends_again_after_300_s_makes_duplicates() {
    let within = ask(RESEND, &[]);
    let lost = within.value("producers.p.confirms_lost");
    // 2 % of 1,000, and three standard deviations of 4.4; a second loss comes with 2 % again.
    assert!((7.0..=34.0).contains(&lost), "{lost}");
    assert_eq!(within.value("queues.q.deduplicated"), lost);
    assert_eq!(within.value("queues.q.completed"), 1_000.0);
    let beyond = ask(RESEND, &["producers.p.confirm_loss.timeout=301s"]);
    let lost = beyond.value("producers.p.confirms_lost");
    assert_eq!(beyond.value("queues.q.deduplicated"), 0.0);
    assert_eq!(beyond.value("queues.q.completed"), 1_000.0 + lost);
    assert_eq!(beyond.value("queues.q.duplicate_effects"), lost);
}
