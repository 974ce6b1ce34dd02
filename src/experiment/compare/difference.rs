//! The difference of one metric between two sets of paired runs, and what it is worth.
//!
//! **The rule of the verdict.** Where chance has a part, each metric that differs in at least one
//! pair is a hypothesis, "nothing changes": by Student's t on the differences of the pairs, or,
//! when the metric did not happen in every run, by the exact sign test on the pairs in which it
//! happened on one side alone. Some hundred metrics are looked at at once, so at a level of 95 %
//! each by itself five would seem to move where nothing does. What is called a move is therefore
//! what Holm's rule leaves, which holds the probability of a single false move among all metrics
//! of the comparison to 5 %, and needs nothing of how metrics hang together: waits, sojourns and
//! depths are all but one number. Intervals are not widened; one that leaves out zero while the
//! rule keeps its metric is called unclear, not noise: the pairs are too few to tell.
//!
//! Not what is shown first: that is the report's.

use crate::outcome::{Measures, Unit};
use crate::stats::confidence::{Interval, student};
use crate::stats::hypothesis::{holm, p_of_even_chances, p_of_zero_mean};

/// One metric in two arms.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// The arm that is compared with the baseline, from 1.
    pub arm: usize,
    /// The metric's full name.
    pub metric: String,
    /// Its unit.
    pub unit: Unit,
    /// In the baseline.
    pub baseline: Seen,
    /// In the other.
    pub other: Seen,
    /// The other less the baseline, over the pairs; `None` when one of them did not happen.
    pub difference: Option<f64>,
    /// The interval of the difference, where there are two pairs or more.
    pub interval: Option<Interval>,
    /// The p-value of "nothing changes"; `None` when nothing differs, or nothing is left to chance.
    pub p: Option<f64>,
    /// What it is worth.
    pub verdict: Verdict,
}

/// One metric in one arm.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Seen {
    /// Its mean over the runs; `None` when it did not happen in every one.
    pub mean: Option<f64>,
    /// In how many runs it happened.
    pub happened: usize,
    /// How many runs there are.
    pub runs: usize,
}

/// What a difference is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The same in every pair.
    Same,
    /// It differs, and nothing is left to chance.
    Exact,
    /// It moves, at the level of all verdicts together.
    Moves,
    /// By itself it would be called a move, among so many metrics it is not.
    Unclear,
    /// No more than chance explains.
    Noise,
    /// One pair, and chance has a part: nothing can be said.
    Unknown,
}

impl Verdict {
    /// The word for it in machine output.
    pub fn word(self) -> &'static str {
        match self {
            Self::Same => "same",
            Self::Exact => "exact",
            Self::Moves => "moves",
            Self::Unclear => "unclear",
            Self::Noise => "noise",
            Self::Unknown => "unknown",
        }
    }
}

impl Difference {
    /// The difference over the baseline; `None` where the baseline is zero.
    pub fn relative(&self) -> Option<f64> {
        let baseline = self.baseline.mean.filter(|mean| *mean != 0.0)?;
        Some(self.difference? / baseline.abs())
    }

    /// How large the change is, whatever the unit: the difference over the larger of both, from 0
    /// to 2; 1 for what happens on one side only.
    pub fn size(&self) -> f64 {
        match (self.baseline.mean, self.other.mean, self.difference) {
            (Some(a), Some(b), Some(difference)) => {
                let most = a.abs().max(b.abs());
                if most > 0.0 {
                    difference.abs() / most
                } else {
                    0.0
                }
            }
            _ => 1.0,
        }
    }
}

/// Every metric that both have and that happened somewhere. Verdicts that need the whole family
/// are left to [`judge`].
pub(super) fn all(a: &Measures, b: &Measures, level: f64, by_chance: bool) -> Vec<Difference> {
    let entries = a.catalogue().entries().iter().enumerate();
    let one = |(at, (name, unit)): (usize, &(String, Unit))| {
        let there = b.catalogue().position(name)?;
        let [baseline, other] = [(a, at), (b, there)].map(|(measures, place)| Seen {
            mean: measures.at(place),
            happened: measures.present(place),
            runs: measures.replications(),
        });
        if baseline.happened + other.happened == 0 {
            return None;
        }
        let (left, right) = (a.values(at), b.values(there));
        let pairs: Vec<_> = left.zip(right).collect();
        let both = |(a, b): &(Option<f64>, Option<f64>)| Some((*b)? - (*a)?);
        let gaps: Option<Vec<f64>> = pairs.iter().map(both).collect();
        let differs = pairs.iter().any(|(a, b)| a != b);
        let p = match &gaps {
            _ if !differs || !by_chance => None,
            Some(gaps) => p_of_zero_mean(gaps),
            None => p_of_happening(&pairs),
        };
        let verdict = match (differs, by_chance, p) {
            (false, ..) => Verdict::Same,
            (true, false, _) => Verdict::Exact,
            (true, true, None) => Verdict::Unknown,
            (true, true, Some(_)) => Verdict::Noise,
        };
        Some(Difference {
            arm: 0,
            metric: name.clone(),
            unit: *unit,
            baseline,
            other,
            difference: gaps
                .as_ref()
                .map(|it| it.iter().sum::<f64>() / it.len() as f64),
            interval: gaps.and_then(|gaps| student(&gaps, level)),
            p,
            verdict,
        })
    };
    entries.filter_map(one).collect()
}

/// The p-value of "it happens as often in one as in the other"; `None` for a single pair.
fn p_of_happening(pairs: &[(Option<f64>, Option<f64>)]) -> Option<f64> {
    if pairs.len() < 2 {
        return None;
    }
    let count = |which: fn(&(Option<f64>, Option<f64>)) -> bool| {
        pairs.iter().filter(|pair| which(pair)).count() as u64
    };
    let first_alone = count(|(a, b)| a.is_some() && b.is_none());
    let second_alone = count(|(a, b)| a.is_none() && b.is_some());
    Some(p_of_even_chances(first_alone, first_alone + second_alone))
}

/// Says which of all tested differences move.
pub(super) fn judge(differences: &mut [Difference], level: f64) {
    let alpha = 1.0 - level;
    let mut tested: Vec<&mut Difference> =
        differences.iter_mut().filter(|it| it.p.is_some()).collect();
    let p: Vec<f64> = tested.iter().filter_map(|it| it.p).collect();
    for ((difference, p), moves) in tested.iter_mut().zip(&p).zip(holm(&p, alpha)) {
        difference.verdict = if moves {
            Verdict::Moves
        } else if *p <= alpha {
            Verdict::Unclear
        } else {
            Verdict::Noise
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(mean: Option<f64>) -> Seen {
        Seen {
            mean,
            happened: usize::from(mean.is_some()),
            runs: 1,
        }
    }

    fn with(p: Option<f64>, a: Option<f64>, b: Option<f64>) -> Difference {
        Difference {
            arm: 1,
            metric: "queues.q.depth.mean".to_owned(),
            unit: Unit::Number,
            baseline: seen(a),
            other: seen(b),
            difference: a.zip(b).map(|(a, b)| b - a),
            interval: None,
            p,
            verdict: Verdict::Same,
        }
    }

    #[test]
    fn the_family_decides_and_not_each_for_itself() {
        let p = [None, Some(0.004), Some(0.04), Some(0.9)];
        let mut all = p.map(|p| with(p, Some(1.0), Some(2.0)));
        judge(&mut all, 0.95);
        let verdicts = all.map(|it| it.verdict);
        let expected = [
            Verdict::Same,
            Verdict::Moves,
            Verdict::Unclear,
            Verdict::Noise,
        ];
        assert_eq!(verdicts, expected);
    }

    #[test]
    fn a_change_is_as_large_from_zero_as_to_zero() {
        let near = |found: f64, expected: f64| assert!((found - expected).abs() < 1e-12);
        let size = |a, b| with(None, a, b).size();
        near(size(Some(0.0), Some(8.0)), 1.0);
        near(size(Some(8.0), Some(0.0)), 1.0);
        near(size(None, Some(8.0)), 1.0);
        near(size(Some(4.0), Some(2.0)), 0.5);
        assert_eq!(with(None, Some(4.0), Some(2.0)).relative(), Some(-0.5));
        assert_eq!(with(None, Some(0.0), Some(2.0)).relative(), None);
    }

    #[test]
    fn what_happens_on_one_side_alone_is_tested_by_its_pairs() {
        let (yes, no) = (Some(1.0), None);
        let mut pairs = vec![(yes, yes); 10];
        assert_eq!(p_of_happening(&pairs), Some(1.0));
        pairs.extend([(no, yes); 6]);
        // Six pairs, all one way: 2/64.
        assert!((p_of_happening(&pairs).unwrap() - 2.0 / 64.0).abs() < 1e-12);
        assert_eq!(p_of_happening(&[(no, yes)]), None);
    }
}
