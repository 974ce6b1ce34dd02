//! Sidekiq's ladder of 25 retries (case O13).
//!
//! Not its rate limiter.

use super::{Answer, ask};
use queuecast::sim::Fact;

/// Case O13, sidekiq lib/sidekiq/job_retry.rb: a job that fails on every try, with the defaults.
/// (The poller, which looks every 5 s a process, is left out: it adds its wait to each retry.)
const FAILS: &str = r#"
    [run]
    stop    = "settled"
    horizon = "30d"

    [producers.p]
    queue    = "jobs"
    arrivals = { bursts = { size = 1 } }
    poison   = "100%"

    [queues.jobs]
    preset      = "sidekiq"
    dead_letter = "dead"

    [queues.dead]
    retention = "180d"

    [consumers.workers]
    queue   = "jobs"
    count   = 1
    service = "1ms"
"#;

/// `n^4 + 15`, in seconds.
fn base(n: u64) -> u64 {
    n.pow(4) + 15
}

fn due(answer: &Answer) -> Vec<f64> {
    answer.facts(|fact| matches!(fact, Fact::Due { .. }))
}

#[test]
fn o13_each_rung_is_its_base_and_whole_seconds_of_jitter() {
    let answer = ask(FAILS, &[]);
    let due = due(&answer);
    assert_eq!(due.len(), 25);
    let mut since = 0.0;
    for (n, at) in (0..).zip(&due) {
        // The attempt before took a millisecond.
        let waited = ((at - since) * 1e3).round() as u64 - 1;
        assert!(waited.is_multiple_of(1_000), "{waited}");
        let jitter = (waited / 1_000).checked_sub(base(n)).unwrap();
        assert!(jitter < 10 * (n + 1), "{jitter} of retry {n}");
        since = *at;
    }
    assert_eq!(base(24), 331_791);
    assert_eq!(answer.value("queues.jobs.delivered"), 26.0);
    assert_eq!(answer.value("queues.jobs.dead_lettered"), 1.0);
}

/// The published sums of the bases, with the jitter of so many rungs above them.
#[test]
fn o13_the_rungs_add_up_to_20_days() {
    let answer = ask(FAILS, &[]);
    let due = due(&answer);
    for (retries, sum) in [(5, 429), (10, 15_483), (25, 1_763_395)] {
        assert_eq!((0..retries).map(base).sum::<u64>(), sum);
        let most = (1..=retries).map(|n| 10 * n - 1).sum::<u64>();
        let at = due[retries as usize - 1];
        // A millisecond for each attempt.
        let jitter = at - sum as f64 - retries as f64 * 1e-3;
        assert!((-1e-6..=most as f64).contains(&jitter), "{retries}: {at}");
    }
    let hours = |retries: u64| (0..retries).map(base).sum::<u64>() as f64 / 3_600.0;
    assert!((hours(15) - 35.5).abs() < 0.05);
    assert!((hours(20) / 24.0 - 6.5).abs() < 0.05);
    assert!((20.40..=20.46).contains(&(answer.ended() / 86_400.0)));
}

/// 1,763,395 s of bases and 1,612.5 s of jitter. The jitter of rung n is uniform over 10 (n + 1)
/// whole seconds, so the total has a variance of the sum of (100 (n + 1)^2 - 1) / 12 = 46,040, and
/// the mean of 400 a standard deviation of 10.7 s.
#[test]
fn o13_the_mean_total_is_20_43_days() {
    let many = [
        "producers.p.arrivals.bursts.size=400",
        "consumers.workers.count=80",
    ];
    let answer = ask(FAILS, &many);
    let died = answer.facts(|fact| matches!(fact, Fact::DeadLettered { .. }));
    assert_eq!(died.len(), 400);
    let mean = died.iter().sum::<f64>() / 400.0;
    assert!((mean - 1_765_007.5).abs() < 33.0, "{mean}");
    assert!((mean / 86_400.0 - 20.43).abs() < 0.005);
}
