//! Independent gaps of any one law; the first arrival comes after one gap.
//!
//! Not a process with phases: that is the on-off process.

use super::Next;
use crate::input::{Problem, Problems, Read, Value};
use crate::random::{DurationLaw, Stream};
use crate::units::SimTime;

/// Gaps between arrivals.
#[derive(Clone, Debug, PartialEq)]
pub struct Renewal {
    /// The law of the gaps.
    pub gaps: DurationLaw,
}

impl Renewal {
    /// Reads a law of durations.
    pub(super) fn read(body: &Value, problems: &mut Problems) -> Option<Self> {
        let gaps = DurationLaw::read(body, problems)?;
        if gaps.law().quantile(1.0 - 1e-9) < 1e-9 {
            let problem = Problem::error("gaps of no time at all", body.span.clone(), "");
            problems.file(problem.help("give the gaps a mean of a nanosecond or more"));
            return None;
        }
        Some(Self { gaps })
    }

    pub(super) fn source(&self) -> Source {
        Source {
            now: SimTime::ZERO,
            gaps: self.gaps.clone(),
        }
    }

    /// One over the mean gap; none when that is infinite.
    pub(super) fn mean_rate(&self) -> Option<f64> {
        Some(self.gaps.mean())
            .filter(|mean| mean.is_finite())
            .map(f64::recip)
    }
}

#[derive(Clone, Debug)]
pub(super) struct Source {
    now: SimTime,
    gaps: DurationLaw,
}

impl Source {
    #[inline]
    pub(super) fn next(&mut self, stream: &mut Stream) -> Option<Next> {
        self.now = self.now.saturating_add(self.gaps.draw(stream));
        (self.now < SimTime::MAX).then_some(Next {
            at: self.now,
            count: 1,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{problems, read, run, seconds};

    #[test]
    fn the_first_comes_after_one_gap() {
        let steady = run(&read("{ renewal = \"250ms\" }"), 3);
        assert_eq!(
            steady,
            [(250_000_000, 1), (500_000_000, 1), (750_000_000, 1)]
        );
        assert_eq!(read("{ renewal = \"250ms\" }").mean_rate(), Some(4.0));
    }

    /// Renewal counts over t have a variance of scv · rate · t.
    #[test]
    fn counts_are_as_steady_as_their_gaps() {
        let erlang = read("{ renewal = { erlang = { k = 4, mean = \"100ms\" } } }");
        let counted = seconds(&erlang, 10_000.0).len() as f64;
        let deviation = (100_000.0_f64 / 4.0).sqrt();
        assert!((counted - 100_000.0).abs() < 4.0 * deviation, "{counted}");
    }

    #[test]
    fn refuses_gaps_of_nothing() {
        assert!(problems("{ renewal = \"0s\" }").contains("no time at all"));
        assert!(problems("\"renewal\"").contains("needs its parameters"));
    }
}
