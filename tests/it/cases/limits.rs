//! Limits of a RabbitMQ broker: on the time to acknowledge, on memory, on length (cases O10 to
//! O12).
//!
//! Not limits on calls: see [`super::windows`].

use super::{Answer, ask};
use queuecast::outcome::Kind;
use queuecast::sim::Fact;

/// Case O10, celery/celery issue 6760: work of 20 minutes on a broker that closes a channel when a
/// delivery is unacknowledged for 15, and looks every minute.
const TOO_LONG: &str = r#"
    [run]
    stop = "24h"

    [producers.p]
    queue    = "jobs"
    arrivals = { bursts = { size = 1 } }

    [queues.jobs.delivery]
    ack_timeout = { limit = "15m", check = "1m" }

    [consumers.workers]
    queue    = "jobs"
    count    = 2
    service  = "20m"
    prefetch = 1

    [queues.dead]
"#;

fn closed(answer: &Answer) -> Vec<f64> {
    answer.facts(|fact| matches!(fact, Fact::ChannelClosed { .. }))
}

/// The broker looks at whole minutes, so a delivery is cut at an age between 15 and 16 minutes.
/// A delivery that begins when the last one was cut begins at a whole minute, and is exactly 15
/// minutes old, not older, at the next but one look: 16 minutes, the slow end of the published
/// range. A broker that looks every second shows the fast end.
#[test]
fn o10_twenty_minutes_of_work_are_never_done_and_tried_90_to_96_times_a_day() {
    let every_minute = ask(TOO_LONG, &[]);
    assert_eq!(every_minute.value("queues.jobs.completed"), 0.0);
    assert_eq!(
        every_minute.value("consumers.workers.channels_closed"),
        90.0
    );
    let cuts = closed(&every_minute);
    assert_eq!(cuts[..3], [960.0, 1_920.0, 2_880.0]);
    let every_second = ask(TOO_LONG, &["queues.jobs.delivery.ack_timeout.check=1s"]);
    // 86,400 / 901 = 95.9.
    assert_eq!(
        every_second.value("consumers.workers.channels_closed"),
        95.0
    );
    let off_the_minute = ask(TOO_LONG, &["producers.p.start=59s"]);
    assert_eq!(closed(&off_the_minute)[0], 960.0, "901 s old");
    assert!(every_minute.warns_of("loses its connection while it works"));
}

#[test]
fn o10_a_limit_of_20_that_counts_them_makes_a_dead_letter_of_the_21st_return() {
    let limit = [
        "queues.jobs.delivery.return_limit=20",
        "queues.jobs.dead_letter=dead",
    ];
    let died = |answer: &Answer| answer.facts(|fact| matches!(fact, Fact::DeadLettered { .. }));
    let slow = ask(TOO_LONG, &limit);
    assert_eq!(died(&slow), [21.0 * 960.0], "5.6 h");
    assert_eq!(slow.value("queues.jobs.delivered"), 21.0);
    let often = "queues.jobs.delivery.ack_timeout.check=1s";
    let fast = ask(TOO_LONG, &[&limit[..], &[often]].concat());
    assert_eq!(died(&fast), [21.0 * 901.0], "5.25 h");
    // From 4.3 on: failures and crashes count, this does not.
    let counts = "queues.jobs.delivery.limit_counts=[\"failure\", \"crash\"]";
    let never = ask(TOO_LONG, &[&limit[..], &[counts]].concat());
    assert_eq!(never.value("queues.jobs.dead_lettered"), 0.0);
    assert_eq!(never.value("consumers.workers.channels_closed"), 90.0);
}

/// All that a channel holds comes back with the one delivery that is too old.
#[test]
fn o10_the_rest_of_the_channel_comes_back_too() {
    let three = [
        "producers.p.arrivals.bursts.size=3",
        "consumers.workers.count=1",
        "consumers.workers.prefetch=3",
        "run.stop=1000s",
    ];
    let answer = ask(TOO_LONG, &three);
    assert_eq!(answer.value("consumers.workers.channels_closed"), 1.0);
    assert_eq!(answer.value("consumers.workers.held"), 3.0);
    assert_eq!(answer.value("queues.jobs.redelivered"), 3.0);
}

/// What is acknowledged when the work begins is in time, however long the work is.
#[test]
fn o10_an_early_acknowledgement_is_in_time() {
    let answer = ask(TOO_LONG, &["consumers.workers.ack=before"]);
    assert_eq!(answer.value("consumers.workers.channels_closed"), 0.0);
    assert_eq!(answer.value("queues.jobs.completed"), 1.0);
    assert_eq!(answer.value("queues.jobs.unacked_age.max"), 0.0);
}

/// Case O11, rabbitmq/cluster-operator issue 1553: a broker of 2 GiB, of which 80 % are usable, a
/// watermark of 40 % of that, and a write-ahead log that may take 512 MiB. What is left is for
/// messages, of 1 KiB each. (The broker blocks all publishers of its cluster; here there is one.)
const WATERMARK: &str = r#"
    [run]
    stop = "20s"

    [producers.p]
    queue    = "q"
    arrivals = { constant = { rate = "50k/s" } }
    size     = "1KiB"
    on_full  = "block"

    [queues.q]
    memory = { limit = "143.36MiB" }

    [consumers.c]
    queue   = "q"
    service = "1ms"

    [[outages]]
    target   = "consumers.c"
    start    = "0s"
    duration = "15s"
"#;

#[test]
fn o11_a_full_log_leaves_143_mib_and_room_for_146_thousand_messages() {
    let limit = |watermark: f64| 2_048.0 * 0.8 * watermark;
    assert!((limit(0.4) - 655.36).abs() < 1e-9);
    assert!((limit(0.4) - 512.0 - 143.36).abs() < 1e-9);
    assert!((limit(0.6) - 512.0 - 471.04).abs() < 1e-9);
    for (memory, watermark) in [("143.36MiB", 0.4), ("471.04MiB", 0.6)] {
        let set = format!("queues.q.memory.limit={memory}");
        let answer = ask(WATERMARK, &[&set]);
        // The one that reaches the limit is still taken.
        let fits = ((limit(watermark) - 512.0) * 1024.0).ceil();
        assert_eq!(answer.value("queues.q.depth.max"), fits);
        // At 50 a millisecond, from 0 on: the first that does not fit is blocked.
        let first = answer.facts(|fact| matches!(fact, Fact::Blocked { .. }))[0];
        assert!((first - fits / 50_000.0).abs() < 1e-9, "{first}");
        // Consumers go on: from 15 s on one publisher a millisecond is let in.
        assert_eq!(answer.value("queues.q.completed"), 5_000.0);
        assert_eq!(answer.value("queues.q.accepted"), fits + 5_000.0);
        let told = answer.moments(|kind| matches!(kind, Kind::MemoryFull { .. }));
        assert!((told[0] - first).abs() < 3e-5, "{told:?}");
    }
    let answer = ask(WATERMARK, &[]);
    assert_eq!(answer.value("queues.q.depth.max"), 146_801.0, "about 146k");
}

/// Case O12, rabbitmq/rabbitmq-server issues 2313 and 2314: ten consumers hold 50 each beside a
/// queue of at most 1,000 waiting; at 30 s all of them die.
const READY_ONLY: &str = r#"
    [run]
    stop = "60s"

    [producers.p]
    queue    = "q"
    arrivals = { constant = { rate = "100/s" } }

    [queues.q]
    capacity = 1000

    [consumers.c]
    queue    = "q"
    count    = 10
    service  = "1h"
    prefetch = 50
    crash    = { at = "30s", consumers = 10, restart = "1m" }
"#;

#[test]
fn o12_a_bound_on_ready_messages_stores_1500() {
    let answer = ask(READY_ONLY, &[]);
    assert_eq!(answer.value("queues.q.in_flight.max"), 500.0, "10 * 50");
    assert_eq!(answer.value("queues.q.depth.max"), 1_500.0, "1,000 + 500");
    assert_eq!(answer.value("queues.q.accepted"), 1_500.0);
    assert_eq!(answer.value("queues.q.rejected"), 4_500.0);
    assert_eq!(answer.value("queues.q.dropped"), 0.0);
    // The rule: what is budgeted less what consumers hold.
    let sized = ask(READY_ONLY, &["queues.q.capacity=500"]);
    assert_eq!(sized.value("queues.q.depth.max"), 1_000.0);
}

#[test]
fn o12_up_to_500_are_dropped_when_all_come_back_at_once() {
    let drop = "queues.q.returned=drop";
    let answer = ask(READY_ONLY, &[drop]);
    assert_eq!(answer.value("queues.q.dropped"), 500.0);
    assert_eq!(answer.value("queues.q.depth.max"), 1_000.0);
    // Up to: when there is room for 200 of them, 300 go. At 13 s 1,300 have come, 500 are held.
    let early = "consumers.c.crash.at=12999ms";
    let answer = ask(READY_ONLY, &[drop, early]);
    assert_eq!(answer.value("queues.q.dropped"), 300.0);
    // `drop-head` refuses nobody and loses the oldest: 6,000 less 1,500, and the 500 besides.
    let head = "queues.q.overflow=drop_oldest";
    let answer = ask(READY_ONLY, &[drop, head]);
    assert_eq!(answer.value("queues.q.rejected"), 0.0);
    assert_eq!(answer.value("queues.q.dropped"), 5_000.0);
    assert_eq!(answer.value("queues.q.depth.end"), 1_000.0);
}
