//! What to say where no value meets an objective: the best that was seen, and whether the key moves
//! the metric at all, or something else has to change.
//!
//! Not what else: that is told by whoever tells the plan.

use super::{Desk, Examined};
use crate::model::Comparison;
use crate::outcome::{Condition, Test};
use crate::stats::confidence::student;

/// Runs of the first and of the last value, at least, to tell whether the key moves a metric. They
/// share their random numbers, so that few are enough to see what matters.
const PAIRS: u32 = 5;
/// The level at which it is said to move.
const LEVEL: f64 = 0.95;

/// An objective that no value meets.
#[derive(Clone, Debug, PartialEq)]
pub struct Unmet {
    /// Its place.
    pub objective: usize,
    /// Of the values that were run, the place of the one nearest to what is asked; `None` where a
    /// number is asked for and there is none, or where it is not about a number.
    pub best: Option<usize>,
    /// What the key does to the metric.
    pub trend: Trend,
    /// The values between which that was seen: the first and the last that were run.
    pub between: (usize, usize),
}

/// What a key does to a metric.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trend {
    /// It brings it nearer to what is asked.
    Nearer,
    /// It takes it farther off.
    Farther,
    /// Nothing that so many runs could tell.
    Still,
    /// It cannot be told: a run lacks the number, or a limit stopped one.
    Unknown,
}

impl Trend {
    /// The word for it in machine output.
    pub fn word(self) -> &'static str {
        match self {
            Self::Nearer => "nearer",
            Self::Farther => "farther",
            Self::Still => "still",
            Self::Unknown => "unknown",
        }
    }
}

impl<E> Desk<'_, E> {
    /// What is known of these objectives, which no value of so many meets.
    pub(super) fn unmet(&mut self, values: usize, without: &[usize]) -> Vec<Unmet> {
        if without.is_empty() || values == 0 {
            return Vec::new();
        }
        // The checks may have left out the lowest values, as those that never catch up.
        let ends = [0, self.examined.len().saturating_sub(1)];
        let ends = ends.map(|at| self.examined.keys().nth(at).copied().unwrap_or(0));
        for place in ends {
            let pairs = PAIRS.min(self.terms.most_runs);
            let Some(value) = self.examined.get_mut(&place) else {
                return Vec::new();
            };
            let stopped = value.runs.iter().any(|run| run.ended.why.is_partial());
            if value.model.is_random() && !stopped {
                value.extend(pairs, self.told);
            }
        }
        let of = |index: &usize| {
            let objective = &self.terms.objectives[*index];
            let all = self.examined.values();
            Unmet {
                objective: *index,
                best: best(objective, all),
                trend: trend(objective, ends.map(|place| &self.examined[&place])),
                between: (ends[0], ends[1]),
            }
        };
        without.iter().map(of).collect()
    }
}

/// How far a number is from what is asked; nothing is the best.
fn distance(objective: &Condition, value: f64) -> Option<f64> {
    let above = |level: f64| f64::max(value - level, 0.0);
    let below = |level: f64| f64::max(level - value, 0.0);
    match objective.test {
        Test::Is(Comparison::AtMost | Comparison::Below, level) => Some(above(level)),
        Test::Is(Comparison::AtLeast | Comparison::Above, level) => Some(below(level)),
        Test::Is(Comparison::Equal, level) | Test::Near { value: level, .. } => {
            Some(above(level) + below(level))
        }
        Test::Is(Comparison::NotEqual, _) | Test::Never | Test::Happened => None,
    }
}

fn best<'a>(objective: &Condition, all: impl Iterator<Item = &'a Examined>) -> Option<usize> {
    let far = |value: &'a Examined| {
        let mean = value.measures.value(&objective.metric)?;
        Some((distance(objective, mean)?, value.place))
    };
    let nearest = all.filter_map(far).min_by(|a, b| a.0.total_cmp(&b.0));
    nearest.map(|(_, place)| place)
}

fn trend(objective: &Condition, ends: [&Examined; 2]) -> Trend {
    let limited = |it: &Examined| it.runs.iter().any(|run| run.ended.why.is_partial());
    if ends[0].place == ends[1].place || ends.iter().any(|it| limited(it)) {
        return Trend::Unknown;
    }
    let [first, last] = ends.map(|it| it.values(objective));
    let paired = first.iter().zip(&last);
    let farther = |(first, last): (&Option<f64>, &Option<f64>)| {
        Some(distance(objective, (*last)?)? - distance(objective, (*first)?)?)
    };
    let Some(changes) = paired.map(farther).collect::<Option<Vec<f64>>>() else {
        return Trend::Unknown;
    };
    let (low, high) = match (&changes[..], student(&changes, LEVEL)) {
        (_, Some(it)) => (it.low, it.high),
        ([only], None) if !ends[0].model.is_random() => (*only, *only),
        (_, None) => return Trend::Unknown,
    };
    if high < 0.0 {
        Trend::Nearer
    } else if low > 0.0 {
        Trend::Farther
    } else {
        Trend::Still
    }
}
