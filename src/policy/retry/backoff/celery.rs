//! The ladder of Celery's automatic retries: retry n waits a whole number of seconds from 0 to
//! min(600, 2^n), each as likely, n from 0, 3 retries (`celery/utils/time.py` of
//! github.com/celery/celery, commit 5dc781f: `randrange(min(600, factor * 2**n) + 1)`, factor 1).
//!
//! Not `self.retry()` without a backoff, which waits 180 s: that is `{ fixed = "180s" }`.

use rand::{Rng, RngExt};

use crate::units::SimDuration;

/// 3 retries after the first try.
pub(super) const ATTEMPTS: u32 = 4;

/// The longest wait.
pub(super) const CAP: SimDuration = SimDuration::from_secs(600);

/// min(600, 2^n) seconds.
pub(super) fn raw(retry: u32) -> SimDuration {
    SimDuration::from_secs(1_u64 << retry.min(10)).min(CAP)
}

/// A whole number of seconds from none to `raw`, each as likely.
pub(super) fn spread<R: Rng>(raw: SimDuration, rng: &mut R) -> SimDuration {
    let second = SimDuration::from_secs(1).as_nanos();
    SimDuration::from_secs(rng.random_range(0..=raw.as_nanos() / second))
}

#[cfg(test)]
mod tests {
    use super::super::super::RetryPolicy;
    use super::*;
    use crate::input::testing::read;
    use crate::random::{Purpose, Seed, StreamKey};

    fn policy() -> RetryPolicy {
        read("{ backoff = \"celery\" }").expect("a policy")
    }

    #[test]
    fn doubles_up_to_ten_minutes_three_times_by_default() {
        let seconds = |n| raw(n).as_nanos() / 1_000_000_000;
        assert_eq!(
            [0, 1, 2, 3, 8, 9, 10, 11, u32::MAX].map(seconds),
            [1, 2, 4, 8, 256, 512, 600, 600, 600]
        );
        assert!(policy().allows(2) && !policy().allows(3));
        let means = [0, 1, 2].map(|n| policy().mean_delay(n));
        for (mean, due) in means.into_iter().zip([0.5, 1.0, 2.0]) {
            assert!((mean - due).abs() < 1e-12, "{mean}");
        }
    }

    #[test]
    fn spreads_by_whole_seconds_from_none_to_all() {
        let mut stream = StreamKey::named(Seed(1), 0, "tasks", Purpose::Jitter).stream();
        let mut seen = [0; 5];
        for _ in 0..20_000 {
            let wait = policy().delay(2, SimDuration::ZERO, &mut stream).as_nanos();
            assert_eq!(wait % 1_000_000_000, 0);
            seen[(wait / 1_000_000_000) as usize] += 1;
        }
        // Binomial (20,000, 1/5): sd 57; five sd either way, and the seed is fixed.
        assert!(
            seen.iter()
                .all(|times| f64::from(*times - 4_000).abs() < 285.0),
            "{seen:?}"
        );
    }
}
