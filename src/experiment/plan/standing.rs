//! Whether an objective is met, as far as so many runs can tell.
//!
//! **The rule.** Without chance one run decides. With chance an objective is one on the mean over
//! runs like these (a mean, a percentile, an instant: each run has one number), and it is decided
//! when Student's interval of that mean lies wholly on one side of what is asked; until then it is
//! open, and more runs are made. The interval is looked at after 20, 40, 80 … runs, only then, and
//! each look at each objective of each value that may be looked at has its own part of the
//! probability of error (Bonferroni): whatever the order in which the search asks, and however
//! long it goes on, the probability that any decision of a plan is wrong is at most one less its
//! level. That a numerator of 20 runs is near enough to normal is taken for granted.
//!
//! Where nothing is asked for (`== 0`, `never`), one run that has some decides: no metric is below
//! zero, so that no mean of further runs can be zero again.
//!
//! What did not happen in one run has no mean over runs, so a quantity is then not met; `never` is
//! met while it happened in none. Where all runs say the same, their word is taken.
//!
//! Not the search.

use crate::model::Comparison;
use crate::outcome::{Condition, Test};
use crate::stats::confidence::{Interval, student};

/// How an objective, or all of them, stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Met.
    Meets,
    /// Not met.
    Fails,
    /// So many runs cannot tell.
    Open,
}

impl Standing {
    /// The word for it in machine output.
    pub fn word(self) -> &'static str {
        match self {
            Self::Meets => "meets",
            Self::Fails => "fails",
            Self::Open => "undecided",
        }
    }

    /// How several stand together: one that fails is enough, and all must meet.
    pub(super) fn all(each: impl IntoIterator<Item = Self>) -> Self {
        let mut all = Self::Meets;
        for one in each {
            all = match (all, one) {
                (Self::Fails, _) | (_, Self::Fails) => Self::Fails,
                (Self::Open, _) | (_, Self::Open) => Self::Open,
                (Self::Meets, Self::Meets) => Self::Meets,
            };
        }
        all
    }

    fn of(met: bool) -> Self {
        if met { Self::Meets } else { Self::Fails }
    }
}

/// How an objective stands by the numbers of runs, one a run, when each side may err with
/// probability `error`.
pub(super) fn standing(objective: &Condition, values: &[Option<f64>], error: f64) -> Standing {
    let whole: Option<Vec<f64>> = values.iter().copied().collect();
    let alike = values.windows(2).all(|pair| pair[0] == pair[1]);
    match (objective.test, whole) {
        (Test::Never, _) => Standing::of(values.iter().all(Option::is_none)),
        (Test::Happened, whole) => Standing::of(whole.is_some()),
        (Test::Is(..) | Test::Near { .. }, None) => Standing::Fails,
        (Test::Is(..) | Test::Near { .. }, Some(values)) if alike => {
            Standing::of(objective.holds(values.first().copied()))
        }
        (test @ (Test::Is(..) | Test::Near { .. }), Some(values)) => {
            student(&values, 1.0 - 2.0 * error).map_or(Standing::Open, |it| between(test, &it))
        }
    }
}

/// Whether runs that are there have decided that an objective is not met, whatever further ones
/// say: something happened that never may, or did not where a number is asked for, or was more
/// than nothing where nothing is asked for. No metric is below zero, so that then no mean is zero
/// either.
pub(super) fn has_failed(objective: &Condition, values: &[Option<f64>]) -> bool {
    let lacks = values.iter().any(Option::is_none);
    let exceeds = |level: f64| values.iter().flatten().any(|value| *value > level);
    match objective.test {
        Test::Never => values.iter().any(Option::is_some),
        Test::Is(Comparison::AtMost | Comparison::Equal, level) => {
            lacks || (level <= 0.0 && exceeds(level))
        }
        Test::Is(Comparison::Below, level) => lacks || level <= 0.0,
        Test::Is(Comparison::AtLeast | Comparison::Above | Comparison::NotEqual, _)
        | Test::Near { .. }
        | Test::Happened => lacks,
    }
}

/// Where an interval lies to what is asked.
fn between(test: Test, interval: &Interval) -> Standing {
    let (low, high) = (interval.low, interval.high);
    let outside = |from: f64, to: f64| high < from || to < low;
    let (meets, fails) = match test {
        Test::Is(Comparison::AtMost, v) => (high <= v, low > v),
        Test::Is(Comparison::Below, v) => (high < v, low >= v),
        Test::Is(Comparison::AtLeast, v) => (low >= v, high < v),
        Test::Is(Comparison::Above, v) => (low > v, high <= v),
        Test::Is(Comparison::Equal, v) => (false, outside(v, v)),
        Test::Is(Comparison::NotEqual, v) => (outside(v, v), false),
        Test::Near { value, tolerance } => {
            let (from, to) = (value - tolerance, value + tolerance);
            (from <= low && high <= to, outside(from, to))
        }
        Test::Never | Test::Happened => (false, false),
    };
    match (meets, fails) {
        (true, _) => Standing::Meets,
        (_, true) => Standing::Fails,
        (false, false) => Standing::Open,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::Unit;

    fn asks(test: Test) -> Condition {
        Condition {
            text: String::new(),
            metric: "queues.q.wait.mean".to_owned(),
            unit: Unit::Seconds,
            test,
        }
    }

    fn stands(test: Test, values: &[f64]) -> Standing {
        let values: Vec<_> = values.iter().copied().map(Some).collect();
        standing(&asks(test), &values, 0.025)
    }

    const SPREAD: [f64; 4] = [0.9, 1.1, 0.95, 1.05];

    #[test]
    fn an_interval_on_one_side_decides_and_one_across_does_not() {
        let at_most = |v| stands(Test::Is(Comparison::AtMost, v), &SPREAD);
        // s = 0.0913, t(0.975, 3) = 3.182: 1 ± 0.145.
        let found = [0.84, 0.86, 1.0, 1.14, 1.15].map(at_most);
        let (fails, open, meets) = (Standing::Fails, Standing::Open, Standing::Meets);
        assert_eq!(found, [fails, open, open, open, meets]);
        let above = |v| stands(Test::Is(Comparison::Above, v), &SPREAD);
        assert_eq!([0.8, 1.0, 1.2].map(above), [meets, open, fails]);
        let near = |value| {
            stands(
                Test::Near {
                    value,
                    tolerance: 0.2,
                },
                &SPREAD,
            )
        };
        assert_eq!([1.0, 1.2, 1.4].map(near), [meets, open, fails]);
    }

    #[test]
    fn what_all_runs_say_is_taken_and_what_one_lacks_is_not_met() {
        let at_most = Test::Is(Comparison::AtMost, 1.0);
        assert_eq!(stands(at_most, &[1.0, 1.0]), Standing::Meets);
        assert_eq!(stands(at_most, &[2.0]), Standing::Fails);
        let lacking = [Some(0.5), None, Some(0.5)];
        assert_eq!(standing(&asks(at_most), &lacking, 0.05), Standing::Fails);
        assert_eq!(
            standing(&asks(Test::Never), &lacking, 0.05),
            Standing::Fails
        );
        assert_eq!(
            standing(&asks(Test::Never), &[None; 2], 0.05),
            Standing::Meets
        );
        assert_eq!(
            standing(&asks(Test::Happened), &lacking, 0.05),
            Standing::Fails
        );
    }

    #[test]
    fn one_run_is_enough_where_nothing_is_asked_for() {
        let is = |comparison, level, value: Option<f64>| {
            has_failed(&asks(Test::Is(comparison, level)), &[Some(0.0), value])
        };
        for (comparison, level, value, failed) in [
            (Comparison::Equal, 0.0, Some(3.0), true),
            (Comparison::Equal, 0.0, Some(0.0), false),
            (Comparison::AtMost, 0.0, Some(0.1), true),
            // A mean may lie below one of its runs, and on either side of a level.
            (Comparison::AtMost, 1.0, Some(9.0), false),
            (Comparison::Equal, 3.0, Some(9.0), false),
            (Comparison::AtLeast, 1.0, Some(0.0), false),
            (Comparison::AtLeast, 1.0, None, true),
        ] {
            assert_eq!(
                is(comparison, level, value),
                failed,
                "{comparison:?} {level}"
            );
        }
        assert!(has_failed(&asks(Test::Never), &[None, Some(1.0)]));
        assert!(!has_failed(&asks(Test::Never), &[None]));
    }

    #[test]
    fn one_that_fails_is_enough() {
        let (meets, fails, open) = (Standing::Meets, Standing::Fails, Standing::Open);
        assert_eq!(Standing::all([meets, open, fails]), fails);
        assert_eq!(Standing::all([meets, open]), open);
        assert_eq!(Standing::all([meets, meets]), meets);
    }
}
