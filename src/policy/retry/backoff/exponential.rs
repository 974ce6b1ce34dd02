//! Exponential backoff: raw(n) = min(cap, base · factor^n) (rule E2).
//!
//! Not spread: clients that failed together come back together, unless a jitter parts them.

use crate::input::{Fields, Problem, Problems};
use crate::units::SimDuration;

/// A wait that grows by a factor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Exponential {
    /// The first wait.
    pub base: SimDuration,
    /// The longest wait.
    pub cap: SimDuration,
    /// How many times longer each next one is, at least 1.
    pub factor: f64,
}

impl Exponential {
    /// Reads `{ base, cap, factor }`; the factor is 2 and the cap far away unless said otherwise.
    pub(super) fn read(fields: &mut Fields, problems: &mut Problems) -> Option<Self> {
        let factor = fields.spanned::<f64>("factor", problems);
        let cap = fields.spanned::<SimDuration>("cap", problems);
        let base = fields.required_spanned::<SimDuration>("base", problems)?;
        if base.it.is_zero() {
            let title = "a base of 0s never grows, whatever the factor";
            let problem = Problem::error(title, base.span, "must be longer than zero");
            problems.file(problem.help("to retry at once, write `backoff = \"immediate\"`"));
            return None;
        }
        let base = base.it;
        if let Some(factor) = &factor
            && factor.it < 1.0
        {
            let title = format!("a factor of {} makes the waits shorter", factor.it);
            let problem = Problem::error(title, factor.span.clone(), "must be 1 or more");
            problems.file(problem);
            return None;
        }
        if let Some(cap) = &cap
            && cap.it < base
        {
            let title = format!("the cap lies below the base of {base}");
            let problem = Problem::error(title, cap.span.clone(), "shorter than the first wait");
            problems.file(problem.help("for one wait always, use `{ fixed = … }`"));
            return None;
        }
        Some(Self {
            base,
            cap: cap.map_or(SimDuration::MAX, |cap| cap.it),
            factor: factor.map_or(2.0, |factor| factor.it),
        })
    }

    pub(super) fn raw(&self, retry: u32) -> SimDuration {
        let power = self.factor.powi(i32::try_from(retry).unwrap_or(i32::MAX));
        let nanos = (self.base.as_nanos() as f64 * power).round() as u64;
        SimDuration::from_nanos(nanos).min(self.cap)
    }
}

#[cfg(test)]
mod tests {
    use super::super::Backoff;
    use crate::input::testing::{read, refused};

    #[test]
    fn doubles_up_to_its_cap_and_never_overflows() {
        let text = "{ exponential = { base = \"500ms\", cap = \"30s\" } }";
        let backoff: Backoff = read(text).expect("a backoff");
        let millis = [0, 1, 2, 5, 6, 7, u32::MAX].map(|n| backoff.raw(n).as_nanos() / 1_000_000);
        assert_eq!(millis, [500, 1_000, 2_000, 16_000, 30_000, 30_000, 30_000]);
        let told = refused::<Backoff>("{ exponential = { base = \"0s\" } }");
        assert!(told.contains("a base of 0s never grows"), "{told}");
    }
}
