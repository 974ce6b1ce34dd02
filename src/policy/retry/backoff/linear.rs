//! Linear backoff: raw(n) = min(cap, base + n · step), and U(0, spread) on top.
//!
//! Not exponential: many retries cost their square, not their power.

use rand::{Rng, RngExt};

use crate::input::{Fields, Problems};
use crate::units::SimDuration;

/// A wait that grows by a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Linear {
    /// The first wait.
    pub base: SimDuration,
    /// How much longer each next one is.
    pub step: SimDuration,
    /// The longest wait, without the spread.
    pub cap: SimDuration,
    /// How much longer it may be, each length below that as likely: a jitter that does not grow
    /// with the wait. Zero for none.
    pub spread: SimDuration,
}

impl Linear {
    /// Reads `{ base, step, cap, spread }`; the step is the base, the cap far away, and there is
    /// no spread unless said otherwise.
    pub(super) fn read(fields: &mut Fields, problems: &mut Problems) -> Option<Self> {
        let step = fields.optional("step", problems);
        let cap = fields.or("cap", SimDuration::MAX, problems);
        let spread = fields.or("spread", SimDuration::ZERO, problems);
        let base = fields.required("base", problems)?;
        Some(Self {
            base,
            step: step.unwrap_or(base),
            cap,
            spread,
        })
    }

    pub(super) fn raw(&self, retry: u32) -> SimDuration {
        let grown = self.step.as_nanos().saturating_mul(u64::from(retry));
        SimDuration::from_nanos(self.base.as_nanos().saturating_add(grown)).min(self.cap)
    }

    /// `raw` and its spread.
    pub(super) fn spread<R: Rng>(&self, raw: SimDuration, rng: &mut R) -> SimDuration {
        if self.spread.is_zero() {
            return raw;
        }
        let more = rng.random_range(0..self.spread.as_nanos());
        raw.saturating_add(SimDuration::from_nanos(more))
    }

    pub(super) fn mean(&self, raw: f64) -> f64 {
        raw + self.spread.as_secs_f64() / 2.0
    }
}

#[cfg(test)]
mod tests {
    use super::super::Backoff;
    use crate::input::testing::read;
    use crate::policy::retry::RetryPolicy;
    use crate::random::{Purpose, Seed, StreamKey};
    use crate::units::SimDuration;

    #[test]
    fn spreads_by_the_same_time_whatever_the_wait() {
        let text = "{ attempts = 9, backoff = { linear = { base = \"5s\", spread = \"2s\" } } }";
        let policy: RetryPolicy = read(text).expect("a policy");
        assert!(policy.is_spread());
        assert!((policy.mean_delay(2) - 16.0).abs() < 1e-12);
        let mut stream = StreamKey::named(Seed(1), 0, "jobs", Purpose::Jitter).stream();
        let mut sum = 0.0;
        for _ in 0..10_000 {
            let wait = policy
                .delay(2, SimDuration::ZERO, &mut stream)
                .as_secs_f64();
            assert!((15.0..17.0).contains(&wait), "{wait}");
            sum += wait;
        }
        // The mean of 10,000 of U(0, 2): sd 0.0058; five sd either way, and the seed is fixed.
        assert!((sum / 10_000.0 - 16.0).abs() < 0.029, "{sum}");
    }

    #[test]
    fn grows_by_its_step_up_to_its_cap() {
        let seconds = |text: &str| {
            let backoff: Backoff = read(text).expect("a backoff");
            [0, 1, 2, 3].map(|n| backoff.raw(n).as_nanos() / 1_000_000_000)
        };
        assert_eq!(seconds("{ linear = { base = \"2s\" } }"), [2, 4, 6, 8]);
        assert_eq!(
            seconds("{ linear = { base = \"2s\", step = \"3s\", cap = \"7s\" } }"),
            [2, 5, 7, 7]
        );
        let spread = "{ linear = { base = \"2s\", spread = \"1s\" } }";
        assert_eq!(seconds(spread), [2, 4, 6, 8]);
        let far: Backoff = read("{ linear = { base = \"100d\" } }").expect("a backoff");
        assert_eq!(far.raw(u32::MAX), SimDuration::MAX);
    }
}
