//! Equal jitter: raw/2 + U(0, raw/2).
//!
//! Not as much spread as full jitter, for a least wait of half.

use rand::{Rng, RngExt};

use crate::units::SimDuration;

#[inline]
pub(in crate::policy::retry) fn spread<R: Rng>(raw: SimDuration, rng: &mut R) -> SimDuration {
    let half = raw.as_secs_f64() / 2.0;
    SimDuration::from_secs_rounded(half + half * rng.random::<f64>())
}

/// 3/4 raw.
pub(in crate::policy::retry) fn mean(raw: f64) -> f64 {
    raw * 0.75
}

#[cfg(test)]
mod tests {
    use super::super::super::RetryPolicy;
    use super::*;
    use crate::input::testing::read;
    use crate::random::{Purpose, Seed, StreamKey};

    /// Rule E2: of base 0.5 s and cap 30 s, retry 0 waits 0.25 to 0.5 s, 3 waits 2 to 4 s, 6 and 7
    /// wait 15 to 30 s. Every window is filled to a hundredth of its ends.
    #[test]
    fn fills_its_windows_and_stays_in_them() {
        let text = "{ attempts = 9, backoff = { exponential = { base = \"500ms\", cap = \"30s\", \
                    factor = 2 } }, jitter = \"equal\" }";
        let policy: RetryPolicy = read(text).expect("a policy");
        let mut stream = StreamKey::named(Seed(1), 0, "clients", Purpose::Jitter).stream();
        for (retry, low, high) in [
            (0, 0.25, 0.5),
            (3, 2.0, 4.0),
            (6, 15.0, 30.0),
            (7, 15.0, 30.0),
        ] {
            let waits: Vec<_> = (0..2_000)
                .map(|_| {
                    policy
                        .delay(retry, SimDuration::ZERO, &mut stream)
                        .as_secs_f64()
                })
                .collect();
            let least = waits.iter().copied().fold(f64::INFINITY, f64::min);
            let most = waits.iter().copied().fold(0.0, f64::max);
            let edge = (high - low) / 100.0;
            assert!((low..low + edge).contains(&least), "{retry}: {least}");
            assert!((high - edge..=high).contains(&most), "{retry}: {most}");
        }
    }
}
