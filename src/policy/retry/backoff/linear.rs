//! Linear backoff: raw(n) = min(cap, base + n · step).
//!
//! Not exponential: many retries cost their square, not their power.

use crate::input::{Fields, Problems};
use crate::units::SimDuration;

/// A wait that grows by a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Linear {
    /// The first wait.
    pub base: SimDuration,
    /// How much longer each next one is.
    pub step: SimDuration,
    /// The longest wait.
    pub cap: SimDuration,
}

impl Linear {
    /// Reads `{ base, step, cap }`; the step is the base and the cap far away unless said
    /// otherwise.
    pub(super) fn read(fields: &mut Fields, problems: &mut Problems) -> Option<Self> {
        let step = fields.optional("step", problems);
        let cap = fields.or("cap", SimDuration::MAX, problems);
        let base = fields.required("base", problems)?;
        Some(Self {
            base,
            step: step.unwrap_or(base),
            cap,
        })
    }

    pub(super) fn raw(&self, retry: u32) -> SimDuration {
        let grown = self.step.as_nanos().saturating_mul(u64::from(retry));
        SimDuration::from_nanos(self.base.as_nanos().saturating_add(grown)).min(self.cap)
    }
}

#[cfg(test)]
mod tests {
    use super::super::Backoff;
    use crate::input::testing::read;
    use crate::units::SimDuration;

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
        let far: Backoff = read("{ linear = { base = \"100d\" } }").expect("a backoff");
        assert_eq!(far.raw(u32::MAX), SimDuration::MAX);
    }
}
