//! The timelines of the first runs, merged by time: what happens to all at one instant is told
//! once.
//!
//! Not a comparison of instants: those are metrics.

use std::fmt::Write;

use super::ComparisonReport;
use crate::experiment::compare::letter;
use crate::report::names::Names;
use crate::report::timeline::{Clock, sentence};
use crate::units::SimTime;

/// One moment, and to which arms it happened.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Merged {
    pub(super) at: SimTime,
    pub(super) arms: Vec<usize>,
    pub(super) kind: &'static str,
    pub(super) subject: String,
    pub(super) text: String,
}

impl ComparisonReport<'_> {
    /// All moments, by time; at one instant in the order of the arms.
    pub(super) fn merged(&self) -> Vec<Merged> {
        let mut merged: Vec<Merged> = Vec::new();
        for (place, arm) in self.comparison.arms.iter().enumerate() {
            let names = Names::of(&arm.model);
            let run = &arm.runs[0];
            for moment in &run.timeline {
                let text = sentence(&arm.model, &names, run, moment);
                let same = |it: &&mut Merged| {
                    it.at == moment.at && it.text == text && !it.arms.contains(&place)
                };
                match merged.iter_mut().find(same) {
                    Some(known) => known.arms.push(place),
                    None => merged.push(Merged {
                        at: moment.at,
                        arms: vec![place],
                        kind: moment.kind.word(),
                        subject: names.full(moment.subject).to_owned(),
                        text,
                    }),
                }
            }
        }
        merged.sort_by_key(|it| it.at);
        merged
    }

    /// The same as lines: `t+83.3s  A B  orders reached its bound of 100,000`.
    pub fn timeline(&self) -> String {
        let rows = self.moments_in_words();
        let width = rows.iter().map(|row| row[0].len()).max().unwrap_or(0);
        let mut lines = String::new();
        for [at, marks, text] in rows {
            let _ = writeln!(lines, "{at:>width$}  {marks}  {text}");
        }
        lines
    }

    /// The clock of all first runs.
    pub(super) fn clock(&self) -> Clock {
        let ends = self.comparison.arms.iter().map(|arm| arm.runs[0].ended.at);
        Clock::reaching(ends.max().unwrap_or(SimTime::ZERO))
    }

    /// Each moment: when, the letters of the arms to which it happened, and what.
    pub(super) fn moments_in_words(&self) -> Vec<[String; 3]> {
        let arms = &self.comparison.arms;
        let clock = self.clock();
        let words = |it: Merged| {
            let mark = |place| {
                if it.arms.contains(&place) {
                    letter(place).to_string()
                } else {
                    " ".to_owned()
                }
            };
            let marks: Vec<_> = (0..arms.len()).map(mark).collect();
            [clock.show(it.at), marks.join(" "), it.text]
        };
        self.merged().into_iter().map(words).collect()
    }
}
