//! The differences as a table for spreadsheets.
//!
//! Not rounded: numbers are as they were measured.

use super::ComparisonReport;
use crate::experiment::compare::{Difference, letter};
use crate::report::csv::{cell, write};

const HEAD: [&str; 15] = [
    "arm",
    "metric",
    "a",
    "b",
    "difference",
    "low",
    "high",
    "level",
    "n",
    "relative",
    "p",
    "verdict",
    "unit",
    "a_happened",
    "b_happened",
];

impl ComparisonReport<'_> {
    /// A row for each metric that an arm shares with the baseline: `a` is the baseline's value,
    /// `b` the arm's; empty where it did not happen, or there is no such number.
    pub fn csv(&self) -> String {
        let head = HEAD.map(str::to_owned).to_vec();
        let rows = self.comparison.differences.iter().map(row);
        write(std::iter::once(head).chain(rows))
    }
}

fn row(it: &Difference) -> Vec<String> {
    let interval = it.interval.as_ref();
    vec![
        letter(it.arm).to_string(),
        it.metric.clone(),
        cell(it.baseline.mean),
        cell(it.other.mean),
        cell(it.difference),
        cell(interval.map(|interval| interval.low)),
        cell(interval.map(|interval| interval.high)),
        cell(interval.map(|interval| interval.level)),
        it.baseline.runs.to_string(),
        cell(it.relative()),
        cell(it.p),
        it.verdict.word().to_owned(),
        it.unit.word().to_owned(),
        it.baseline.happened.to_string(),
        it.other.happened.to_string(),
    ]
}
