//! Pages: what a run measured, as text, JSON, CSV, pictures and HTML, one format a file.
//!
//! Not measurements: a report sees the model and the outcome, never the simulation, and computes
//! nothing that a machine would want to know.

mod assumptions;
mod compare;
mod csv;
mod escape;
mod files;
#[cfg(test)]
mod fixture;
mod grid;
mod html;
mod json;
mod ledger;
mod names;
pub mod number;
pub mod page;
mod plan;
pub mod plot;
mod sketch;
mod sources;
mod spells;
pub mod stability;
mod summary;
pub mod sweep;
mod text;
mod timeline;

pub use compare::{ArmOrigin, ComparisonReport};
pub use files::{Pictures, WriteError};
pub use grid::{Grid, Side};
pub use plan::{PlanReport, Wanted};
pub use sketch::Letters;
pub use sources::sources_text;
pub use timeline::timeline;

use ledger::Account;

use crate::model::Model;
use crate::outcome::{Ended, Measures, Readings, RunRecord};
use crate::stats::confidence::Interval;

/// All that is to be said of a run (or of its replications), put together by who ran it.
#[derive(Clone, Copy, Debug)]
pub struct Report<'a> {
    /// What was run.
    pub model: &'a Model,
    /// Where its scenario stands.
    pub path: &'a str,
    /// The scenario as it is written.
    pub scenario_text: &'a str,
    /// The command that runs it again.
    pub command: &'a str,
    /// What was understood of the scenario, a line each.
    pub understood: &'a [String],
    /// What is odd about it, a line each.
    pub warnings: &'a [String],
    /// The replications, in order; the first is the one whose timeline and series are shown.
    pub runs: &'a [RunRecord],
    /// Their metrics.
    pub measures: &'a Measures,
    /// Intervals from batch means, by metric, where one long run gives them.
    pub batch_means: &'a [(String, Interval)],
    /// Closed form, fluid and simulation.
    pub readings: &'a Readings,
    /// What the scenario expects, and whether it held.
    pub expectations: &'a [Expected],
    /// The hash of the history of all replications.
    pub digest: u64,
}

/// One expectation, judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expected {
    /// The condition as it is written.
    pub that: String,
    /// Whether it held.
    pub held: bool,
    /// What was observed, in words.
    pub observed: String,
}

impl Report<'_> {
    /// The run whose timeline and series are shown.
    ///
    /// # Panics
    /// When there is no run to report.
    pub fn shown(&self) -> &RunRecord {
        self.runs.first().expect("a report is of at least one run")
    }

    /// How the runs ended: as the first that a limit stopped, otherwise as the first.
    pub fn ended(&self) -> Ended {
        let partial = self.runs.iter().find(|run| run.ended.why.is_partial());
        partial.unwrap_or_else(|| self.shown()).ended
    }

    /// Whether a limit stopped one of the runs, so that its numbers are those of a part of it.
    pub fn is_partial(&self) -> bool {
        self.ended().why.is_partial()
    }

    /// Where every publish and message of the shown run is at its end, component by component.
    fn ledger(&self) -> Vec<Account> {
        ledger::accounts(self.model, self.shown())
    }

    /// The digest as it is written.
    fn digest_text(&self) -> String {
        format!("{:016x}", self.digest)
    }

    /// A sentence about a result that is partial.
    fn partial_text(&self) -> Option<String> {
        let stopped = self
            .runs
            .iter()
            .filter(|run| run.ended.why.is_partial())
            .count();
        let ended = self.ended();
        let at = number::seconds(ended.at.as_secs_f64());
        let of = match self.runs.len() {
            1 => String::new(),
            runs => format!(" ({stopped} of {runs} runs)"),
        };
        self.is_partial().then(|| {
            format!(
                "PARTIAL RESULT: stopped at {at} by {}{of}",
                ended.why.stopper()
            )
        })
    }
}
