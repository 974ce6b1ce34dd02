//! Evenly spaced arrivals: message k comes at `offset + round(k · period)` (rule A1).
//!
//! Not `previous + period`: a rounded period would drift.

use super::Next;
use crate::input::{Fields, Problems};
use crate::units::{Rate, SimDuration, SimTime};

/// `rate`, the first one at `offset`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Constant {
    /// How often.
    pub rate: Rate,
    /// When the first one comes.
    pub offset: SimDuration,
}

impl Constant {
    pub(super) fn read(fields: &mut Fields, problems: &mut Problems) -> Option<Self> {
        let offset = fields.or("offset", SimDuration::ZERO, problems);
        let rate = fields.required("rate", problems)?;
        Some(Self { rate, offset })
    }

    pub(super) fn source(&self) -> Source {
        Source::new(self.rate, self.offset)
    }
}

/// Counts `k · per / count` up without a division: `at` is the whole part of `k · per / count`
/// plus one half, `rest / count` the fraction. Exactly what [`Rate::span_of`] gives for k.
#[derive(Clone, Debug)]
pub(super) struct Source {
    at: u64,
    rest: u64,
    count: u64,
    step: u64,
    step_rest: u64,
}

impl Source {
    fn new(rate: Rate, offset: SimDuration) -> Self {
        let count = rate.count();
        let per = rate.per().as_nanos();
        Self {
            at: offset.as_nanos(),
            rest: count / 2,
            count,
            step: per.checked_div(count).unwrap_or(0),
            step_rest: per.checked_rem(count).unwrap_or(0),
        }
    }

    #[inline]
    pub(super) fn next(&mut self) -> Option<Next> {
        if self.count == 0 || self.at == u64::MAX {
            return None;
        }
        let at = SimTime::from_nanos(self.at);
        let wraps = self.rest >= self.count - self.step_rest;
        if wraps {
            self.rest -= self.count - self.step_rest;
        } else {
            self.rest += self.step_rest;
        }
        self.at = self.at.saturating_add(self.step + u64::from(wraps));
        Some(Next { at, count: 1 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_hundred_and_eight_thousandth_is_on_the_dot() {
        let mut source = Source::new(Rate::per_second(1200), SimDuration::from_nanos(7));
        let at = |source: &mut Source| source.next().expect("endless").at.as_nanos();
        assert_eq!(at(&mut source), 7);
        assert_eq!(at(&mut source), 833_340);
        assert_eq!(at(&mut source), 1_666_674);
        let late = (3..=108_000).map(|_| at(&mut source)).last();
        assert_eq!(late, Some(90_000_000_007));
    }

    #[test]
    fn a_rate_of_zero_never_comes_and_the_end_of_time_ends() {
        assert_eq!(Source::new(Rate::ZERO, SimDuration::ZERO).next(), None);
        let mut late = Source::new(Rate::per_second(1), SimDuration::from_nanos(u64::MAX - 3));
        assert!(late.next().is_some());
        assert_eq!(late.next(), None);
    }

    proptest! {
        #[test]
        fn counting_up_is_the_same_as_dividing(
            count in 1..u64::from(u32::MAX),
            per in 1..u64::MAX / 4096,
        ) {
            let rate = Rate::new(count, SimDuration::from_nanos(per));
            let mut source = Source::new(rate, SimDuration::ZERO);
            for k in 0..1000 {
                let next = source.next().map(|next| next.at.as_nanos());
                prop_assert_eq!(next, Some(rate.span_of(k).as_nanos()));
            }
        }
    }
}
