//! The table of a sweep, for people.
//!
//! Not for machines: those have all metrics, with all digits.

use std::fmt::Write;

use super::{Record, Sweep, columns, short_names};
use crate::outcome::Unit;
use crate::report::number::{between, count, counted, plain, seconds};
use crate::report::{Grid, Side};

impl Sweep<'_> {
    /// The sweep as text of at most 80 columns: what varies, and a row for each point.
    pub fn text(&self) -> String {
        let mut text = format!("{}\n", self.title);
        let _ = writeln!(text, "{}\n", self.head());
        let mut table = self.table();
        columns::fold(&mut table);
        text += &table.text();
        for note in self.notes() {
            let _ = writeln!(text, "\n{note}");
        }
        text
    }

    /// How many points there are, and of what.
    fn head(&self) -> String {
        let (here, all) = (self.records.len() as u64, self.places.len() as u64);
        let points = if here == all {
            counted(all, "point")
        } else {
            format!("{} of {}", count(here), counted(all, "point"))
        };
        let axis = |axis: &super::Axis| {
            let texts = axis.ticks.iter().map(|tick| tick.text.as_str());
            let (first, last) = (texts.clone().next(), texts.clone().next_back());
            match (first, last) {
                (Some(first), Some(last)) if axis.ticks.len() > 2 => {
                    let many = counted(axis.ticks.len() as u64, "value");
                    format!("\n  {}: {first} to {last}, {many}", axis.key)
                }
                _ => format!("\n  {}: {}", axis.key, texts.collect::<Vec<_>>().join(", ")),
            }
        };
        let axes: String = self.axes.iter().map(axis).collect();
        let side_by_side = if self.paired { ", side by side" } else { "" };
        format!("{points}{side_by_side}{axes}")
    }

    /// The table: the keys, the metrics that are shown, and whether the objectives are met.
    pub fn table(&self) -> Grid {
        self.table_of(&self.shown())
    }

    /// The table with these metrics.
    pub(super) fn table_of(&self, shown: &[usize]) -> Grid {
        let keys: Vec<&str> = self.axes.iter().map(|axis| axis.key.as_str()).collect();
        let metrics: Vec<&str> = shown
            .iter()
            .map(|at| self.metrics[*at].0.as_str())
            .collect();
        let mut head = short_names(&keys, &metrics);
        if !self.goals.is_empty() {
            head.push("objectives");
        }
        let sides = vec![Side::Right; head.len()];
        let mut grid = Grid::new("The points of the sweep", &head, &sides);
        for record in self.records {
            let keys = self
                .settings(record.point)
                .map(|(_, tick)| tick.text.clone());
            let metrics = shown.iter().map(|place| self.cell(record, *place));
            let verdict = (!self.goals.is_empty()).then(|| verdict(record));
            grid.rows.push(keys.chain(metrics).chain(verdict).collect());
        }
        grid
    }

    fn cell(&self, record: &Record, place: usize) -> String {
        let unit = self.metrics[place].1;
        match (record.interval(place), record.values[place]) {
            (Some(interval), _) => between(&interval, unit),
            (None, Some(value)) => plain(value, unit),
            (None, None) => absent(unit).to_owned(),
        }
    }

    /// What must be known of the table.
    pub fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        match self.goals {
            [] => {}
            [goal] => notes.push(format!("Objective: {}", goal.that)),
            goals => {
                let all: Vec<_> = goals
                    .iter()
                    .map(|goal| format!("\n  {}", goal.that))
                    .collect();
                notes.push(format!("Objectives:{}", all.concat()));
            }
        }
        if self.records.iter().any(|record| record.replications > 1) {
            notes.push("± is half the width of the 95 % interval over the replications".to_owned());
        }
        let stopped = self.partial().count() as u64;
        if let Some(first) = self.partial().next() {
            notes.push(format!(
                "PARTIAL: {} stopped by a limit, the first at {} by {}:\n  {}",
                counted(stopped, "point"),
                seconds(first.ended.at.as_secs_f64()),
                first.ended.why.stopper(),
                self.name(first.point),
            ));
        }
        notes
    }
}

/// What is said where a metric has no value.
pub(in crate::report) fn absent(unit: Unit) -> &'static str {
    match unit {
        Unit::Instant => "never",
        Unit::Count
        | Unit::Number
        | Unit::Seconds
        | Unit::Ratio
        | Unit::PerSecond
        | Unit::Bytes => "-",
    }
}

fn verdict(record: &Record) -> String {
    let met = record.met.iter().filter(|met| **met).count();
    match (met, record.met.len()) {
        (met, all) if met == all => "met".to_owned(),
        (0, _) => "missed".to_owned(),
        (met, all) => format!("{met} of {all}"),
    }
}
