//! All arms side by side in the metrics that the question is about: their values, and how far each
//! lies from the baseline.
//!
//! Not the list of everything that moves: see [`super::text`].

use super::ComparisonReport;
use super::text::{change, shortened, value};
use crate::experiment::compare::{Difference, Seen, Verdict, letter};
use crate::outcome::Unit;
use crate::report::grid::{Grid, Side};
use crate::report::names::Names;

impl ComparisonReport<'_> {
    /// Whether the arms stand side by side.
    pub(super) fn side_by_side(&self) -> bool {
        !self.show.is_empty()
    }

    /// A row for each metric that is shown, with a column for each arm.
    pub(super) fn values(&self) -> Grid {
        let arms = 0..self.comparison.arms.len();
        let of =
            |metric: &str, unit: Unit| arms.clone().map(|it| self.cell(it, metric, unit)).collect();
        self.rows("values", arms.clone(), &of)
    }

    /// The same with the difference from the baseline; a word where it is not known to differ.
    pub(super) fn gaps(&self) -> Grid {
        let arms = 1..self.comparison.arms.len();
        let gap = |arm: usize, metric: &str| {
            let it = self.of_arm(arm).find(|it| it.metric == metric);
            it.map_or_else(String::new, in_words)
        };
        let of = |metric: &str, _| arms.clone().map(|arm| gap(arm, metric)).collect();
        self.rows("differences from A", arms.clone(), &of)
    }

    fn rows(
        &self,
        caption: &str,
        arms: std::ops::Range<usize>,
        of: &dyn Fn(&str, Unit) -> Vec<String>,
    ) -> Grid {
        let called = |arm: usize| match &self.origins[arm].name {
            Some(name) => format!("{} {name}", letter(arm)),
            None => letter(arm).to_string(),
        };
        let letters: Vec<String> = arms.map(called).collect();
        let head = std::iter::once("metric").chain(letters.iter().map(String::as_str));
        let head: Vec<&str> = head.collect();
        let mut sides = vec![Side::Right; head.len()];
        sides[0] = Side::Left;
        let mut grid = Grid::new(caption, &head, &sides);
        let baseline = &self.comparison.arms[0];
        let names = Names::of(&baseline.model);
        for metric in self.shown() {
            let mut entries = baseline.measures.catalogue().entries().iter();
            let Some((_, unit)) = entries.find(|(name, _)| name == metric) else {
                continue;
            };
            let mut row = vec![shortened(&names, metric)];
            row.extend(of(metric, *unit));
            grid.rows.push(row);
        }
        grid
    }

    /// What is shown, as far as it happened in any arm.
    fn shown(&self) -> impl Iterator<Item = &str> {
        let happened = |metric: &&String| {
            let mut all = self.comparison.differences.iter();
            all.any(|it| it.metric == **metric)
        };
        self.show.iter().filter(happened).map(String::as_str)
    }

    fn cell(&self, arm: usize, metric: &str, unit: Unit) -> String {
        let measures = &self.comparison.arms[arm].measures;
        let seen = measures.catalogue().position(metric).map(|at| Seen {
            mean: measures.at(at),
            happened: measures.present(at),
            runs: measures.replications(),
        });
        seen.map_or_else(String::new, |it| value(it.mean, it.happened, it.runs, unit))
    }
}

/// A difference, or why there is none.
fn in_words(it: &Difference) -> String {
    match it.verdict {
        Verdict::Moves | Verdict::Exact | Verdict::Unknown => match it.difference {
            Some(_) => change(it),
            None if it.baseline.happened == 0 => "only here".to_owned(),
            None if it.other.happened == 0 => "only in A".to_owned(),
            None => it.verdict.word().to_owned(),
        },
        Verdict::Same | Verdict::Unclear | Verdict::Noise => it.verdict.word().to_owned(),
    }
}
