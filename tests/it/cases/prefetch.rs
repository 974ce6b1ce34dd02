//! Prefetch: work that sits with one consumer while others idle, and credit that runs out on the
//! way to the broker (cases O08 and O09).
//!
//! Not how much prefetch is right: that is arithmetic, and `check` does it.

use super::{Answer, ask};
use queuecast::sim::Fact;

/// Case O08, opendatacube/datacube-core pull request 325 and RolnickLab/antenna issue 1323: as
/// many long tasks as slots, and a Celery that reserves four tasks for each slot.
const SLOTS: &str = r#"
    [run]
    stop = "settled"

    [producers.p]
    queue    = "tasks"
    arrivals = { bursts = { size = 16 } }

    [queues.tasks]
    delivery = { dispatch = "greedy" }

    [consumers.slots]
    queue    = "tasks"
    count    = 16
    service  = "60s"
    prefetch = 4
"#;

#[test]
fn o08_four_reserved_for_each_slot_makes_four_times_the_makespan() {
    let answer = ask(SLOTS, &[]);
    assert_eq!(answer.ended(), 240.0, "4 S");
    assert_eq!(answer.value("consumers.slots.busy.max"), 4.0);
    assert_eq!(answer.value("consumers.slots.utilization"), 0.25);
    let one = ask(SLOTS, &["consumers.slots.prefetch=1"]);
    assert_eq!(one.ended(), 60.0, "S");
    assert_eq!(one.value("consumers.slots.utilization"), 1.0);
}

/// The reports say 4 S with early acknowledgement. That counts four tasks a slot. But a task that
/// is acknowledged when it starts gives its credit back, so that a slot has one at work *and* four
/// reserved: 5 S, with a fifth of the slots at work at first. It is the same arithmetic with which
/// Celery's manual says that ten processes and a multiplier of 1 hold 20 tasks.
#[test]
fn o08_an_early_acknowledgement_holds_one_more() {
    let answer = ask(SLOTS, &["consumers.slots.ack=before"]);
    assert_eq!(answer.ended(), 300.0, "5 S");
    let ten_processes = [
        "producers.p.arrivals.bursts.size=100",
        "consumers.slots.ack=before",
        "consumers.slots.count=1",
        "consumers.slots.concurrency=10",
        "consumers.slots.prefetch=10",
    ];
    let manual = ask(SLOTS, &ten_processes);
    let received = manual.receives();
    assert_eq!(received.iter().filter(|at| **at == 0.0).count(), 20);
}

/// The second report: one stuck job, and the next one, reserved behind it, waited 9 minutes while
/// 31 other slots idled.
#[test]
fn o08_a_job_reserved_behind_a_stuck_one_waits_while_31_slots_idle() {
    let stuck = [
        "producers.p.arrivals.bursts.size=2",
        "consumers.slots.count=32",
        "consumers.slots.service=540s",
    ];
    let starts = |answer: &Answer| answer.facts(|fact| matches!(fact, Fact::Began { .. }));
    assert_eq!(starts(&ask(SLOTS, &stuck)), [0.0, 540.0]);
    let late = [&stuck[..], &["consumers.slots.prefetch=1"]].concat();
    assert_eq!(starts(&ask(SLOTS, &late)), [0.0, 0.0]);
}

/// Case O09, a RabbitMQ article of 2012: 50 ms each way, 4 ms of work, a queue that is never
/// empty.
const ROUND_TRIP: &str = r#"
    [run]
    stop   = "105s"
    warmup = "1s"

    [producers.p]
    queue    = "q"
    arrivals = { bursts = { size = 30_000 } }

    [queues.q]

    [consumers.c]
    queue          = "q"
    service        = "4ms"
    prefetch       = 1
    delivery_delay = "50ms"
"#;

/// How long the last message to come waited in its consumer's buffer, in seconds: of one handler
/// that takes them in order.
fn buffered(answer: &Answer, delay: f64) -> f64 {
    let received = answer.receives();
    let began = answer.facts(|fact| matches!(fact, Fact::Began { .. }));
    let last = began.len() - 1;
    began[last] - (received[last] + delay)
}

#[test]
fn o09_utilization_is_prefetch_times_work_over_the_round_trip() {
    for (prefetch, busy) in [
        (1, 4.0 / 104.0),
        (13, 0.5),
        (25, 100.0 / 104.0),
        (26, 1.0),
        (51, 1.0),
    ] {
        let set = format!("consumers.c.prefetch={prefetch}");
        let answer = ask(ROUND_TRIP, &[&set]);
        // Ten cycles of 104 ms are cut at the ends of the 104 s.
        answer.is_about("consumers.c.utilization", busy, 1e-4);
    }
}

/// A prefetch of 51 lives through a network of half the speed (204 ms / 4 ms), and costs 25 * 4 ms
/// in the consumer's buffer when the network is well.
#[test]
fn o09_51_survives_half_the_network_and_waits_100_ms_in_the_client() {
    let slow = ["consumers.c.delivery_delay=100ms", "run.warmup=2s"];
    let with = |prefetch: &'static str| ask(ROUND_TRIP, &[&slow[..], &[prefetch]].concat());
    with("consumers.c.prefetch=51").is_about("consumers.c.utilization", 1.0, 1e-9);
    with("consumers.c.prefetch=26").is_about("consumers.c.utilization", 104.0 / 204.0, 1e-3);
    let well = ask(ROUND_TRIP, &["consumers.c.prefetch=51"]);
    let waited = buffered(&well, 0.05);
    assert!((waited - 0.1).abs() < 1e-9, "{waited}: 50 ms become 150 ms");
    let enough = ask(ROUND_TRIP, &["consumers.c.prefetch=26"]);
    assert!(buffered(&enough, 0.05).abs() < 1e-9);
}

/// When the work becomes ten times as long, the article says, the newest of 26 messages waits
/// behind 22 others, 880 ms, and the newest of 51 behind 47, 1,880 ms: 95 and 97 % of the latency.
/// It counts whole messages. When the newest arrives, 100 ms after the broker sent it, 3.5 of the
/// first 26 are done, so half a message is in work before those 22: 900 ms, and 1,900 ms. The
/// shares are the same.
#[test]
fn o09_longer_work_turns_prefetch_into_latency() {
    for (prefetch, behind, share) in [(26, 22.0, 0.95), (51, 47.0, 0.97)] {
        let set = format!("consumers.c.prefetch={prefetch}");
        let answer = ask(ROUND_TRIP, &[&set, "consumers.c.service=40ms"]);
        let waited = buffered(&answer, 0.05);
        let published = behind * 0.04;
        assert!((waited - (published + 0.02)).abs() < 1e-9, "{waited}");
        let of_latency = waited / (waited + 0.05);
        assert!((of_latency - share).abs() < 0.005, "{of_latency}");
    }
}
