//! The ladder of Sidekiq's default settings: retry n waits n⁴ + 15 + rand(10 (n + 1)) whole
//! seconds, n from 0, 25 retries (`lib/sidekiq/job_retry.rb` of github.com/sidekiq/sidekiq, commit
//! 1bb4aa0).
//!
//! Not the poller's delay, which comes on top in Sidekiq itself: about 5 s for each process.

use rand::{Rng, RngExt};

use crate::units::SimDuration;

/// 25 retries after the first try.
pub(super) const ATTEMPTS: u32 = 26;

/// n⁴ + 15 seconds.
pub(super) fn raw(retry: u32) -> SimDuration {
    let seconds = u64::from(retry).saturating_pow(4).saturating_add(15);
    SimDuration::from_nanos(seconds.saturating_mul(SimDuration::from_secs(1).as_nanos()))
}

/// A whole number of seconds below 10 (n + 1), each as likely.
pub(super) fn spread<R: Rng>(retry: u32, rng: &mut R) -> SimDuration {
    SimDuration::from_secs(rng.random_range(0..10 * (u64::from(retry) + 1)))
}

/// (10 (n + 1) - 1) / 2 seconds.
pub(super) fn mean_spread(retry: u32) -> f64 {
    f64::from(retry).mul_add(5.0, 4.5)
}

#[cfg(test)]
mod tests {
    use super::super::super::RetryPolicy;
    use super::*;
    use crate::input::testing::read;
    use crate::random::{Purpose, Seed, StreamKey};

    fn policy() -> RetryPolicy {
        read("{ backoff = \"sidekiq\" }").expect("a policy")
    }

    /// The ladder's own numbers: 15, 16, 31, 96, 271, 640 … 331,791 s; 1,763,395 s in all; 429 s
    /// after 5 and 15,483 s after 10; a mean jitter of 1,612.5 s.
    #[test]
    fn climbs_the_published_ladder() {
        let seconds = |n: u32| raw(n).as_nanos() / 1_000_000_000;
        assert_eq!(
            [0, 1, 2, 3, 4, 5, 24].map(seconds),
            [15, 16, 31, 96, 271, 640, 331_791]
        );
        let after = |n: u32| (0..n).map(seconds).sum::<u64>();
        assert_eq!([after(5), after(10), after(25)], [429, 15_483, 1_763_395]);
        let jitter: f64 = (0..25).map(mean_spread).sum();
        assert!((jitter - 1_612.5).abs() < 1e-9);
        let mean: f64 = (0..25).map(|n| policy().mean_delay(n)).sum();
        assert!((mean / 86_400.0 - 20.43).abs() < 0.005);
    }

    #[test]
    fn spreads_by_whole_seconds_up_to_its_bound() {
        let mut stream = StreamKey::named(Seed(1), 0, "jobs", Purpose::Jitter).stream();
        let mut seen = [0; 20];
        for _ in 0..20_000 {
            let wait = policy().delay(1, SimDuration::ZERO, &mut stream).as_nanos();
            assert_eq!(wait % 1_000_000_000, 0);
            seen[(wait / 1_000_000_000 - 16) as usize] += 1;
        }
        let deviation = (20_000.0_f64 * 0.05 * 0.95).sqrt();
        assert!(
            seen.iter()
                .all(|times| (f64::from(*times) - 1_000.0).abs() < 4.0 * deviation)
        );
    }
}
