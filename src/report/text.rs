//! The report as text for a terminal: timeline, summary, readings, expectations; 80 columns, no
//! colour.
//!
//! Not for machines: those take JSON or CSV.

use std::fmt::Write;

use super::grid::{Grid, Side};
use super::sketch::{Letters, sketch};
use super::{Report, sources, summary, timeline};
use crate::units::SimTime;

impl Report<'_> {
    /// The whole report as text, in letters that its terminal can show.
    pub fn text(&self, letters: Letters) -> String {
        let mut text = String::new();
        if let Some(partial) = self.partial_text() {
            let _ = writeln!(text, "{partial}\n");
        }
        let _ = writeln!(text, "{}\n{}\n", self.model.title, self.origin());
        let _ = writeln!(text, "Timeline{}", self.of_first_run());
        text.push_str(&self.timeline_grid().text());
        let over_time = sketch(self.model, self.shown(), letters);
        if !over_time.is_empty() {
            let _ = write!(text, "\nOver time{}\n{over_time}", self.of_first_run());
        }
        let _ = writeln!(text, "\nSummary{}", self.measured());
        for card in summary::cards(self.model, self.measures) {
            let _ = writeln!(text, "\n{}", card.name);
            let grids: Vec<_> = card.grids.iter().map(Grid::text).collect();
            text.push_str(&grids.join("\n"));
        }
        self.write_readings(&mut text);
        self.write_expectations(&mut text);
        text
    }

    fn timeline_grid(&self) -> Grid {
        let mut grid = Grid::new("timeline", &[], &[Side::Right, Side::Left]);
        let row = |(at, sentence)| vec![at, sentence];
        grid.rows = timeline::lines(self.model, self.shown())
            .into_iter()
            .map(row)
            .collect();
        grid
    }

    /// Where the numbers come from, in a line.
    fn origin(&self) -> String {
        let runs = match self.runs.len() {
            1 => String::new(),
            runs => format!(", {runs} replications"),
        };
        let seed = self.model.plan.seed.0;
        format!(
            "{}, seed {seed}{runs}, digest {}",
            self.path,
            self.digest_text()
        )
    }

    /// Which run is shown, when there are several.
    pub(super) fn of_first_run(&self) -> String {
        match self.runs.len() {
            1 => String::new(),
            runs => format!(" (first of {runs} runs)"),
        }
    }

    /// Of what the summary is, when that is not one run from its start.
    pub(super) fn measured(&self) -> String {
        let from = self.shown().measured_from;
        let warm = timeline::Clock::reaching(self.shown().ended.at).show(from);
        let parts = [
            (self.runs.len() > 1).then(|| {
                let level = summary::LEVEL * 100.0;
                format!(
                    "mean of {} runs ± half of its {level} % interval",
                    self.runs.len()
                )
            }),
            (from > SimTime::ZERO).then(|| format!("measured from {warm}")),
        ];
        let said: Vec<_> = parts.into_iter().flatten().collect();
        if said.is_empty() {
            String::new()
        } else {
            format!(" ({})", said.join("; "))
        }
    }

    fn write_readings(&self, text: &mut String) {
        let said = sources::sources_text(self.readings);
        if !said.is_empty() {
            let _ = write!(text, "\nHow it is known\n{said}");
        }
    }

    fn write_expectations(&self, text: &mut String) {
        if !self.expectations.is_empty() {
            let _ = write!(text, "\nExpectations\n{}", self.expectation_grid().text());
        }
    }

    pub(super) fn expectation_grid(&self) -> Grid {
        let sides = [Side::Left, Side::Left, Side::Left];
        let mut grid = Grid::new("expectations", &["", "expected", "observed"], &sides);
        for expected in self.expectations {
            let held = if expected.held { "held" } else { "NOT HELD" };
            grid.rows.push(vec![
                held.into(),
                expected.that.clone(),
                expected.observed.clone(),
            ]);
        }
        grid
    }
}

#[cfg(test)]
mod tests {
    use super::Letters;
    use crate::report::fixture::Told;

    #[test]
    fn one_run_as_text() {
        insta::assert_snapshot!(Told::outage().report().text(Letters::Blocks));
    }

    #[test]
    fn several_partial_runs_as_text() {
        insta::assert_snapshot!(Told::blocked().report().text(Letters::Blocks));
    }

    #[test]
    fn leases_and_dead_letters_as_text() {
        insta::assert_snapshot!(Told::leased().report().text(Letters::Blocks));
    }

    #[test]
    fn a_dependency_as_text() {
        insta::assert_snapshot!(Told::calling().report().text(Letters::Blocks));
    }

    #[test]
    fn no_line_is_wider_than_a_terminal() {
        for told in [
            Told::outage(),
            Told::blocked(),
            Told::leased(),
            Told::calling(),
        ] {
            for line in told.report().text(Letters::Blocks).lines() {
                assert!(line.chars().count() <= 80, "{line}");
            }
        }
    }
}
