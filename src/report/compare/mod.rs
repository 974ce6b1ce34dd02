//! Pages of a comparison: what moves, what is noise, what happened when, as text, JSON, CSV and
//! pictures.
//!
//! Not the verdicts: `experiment::compare` makes them.

mod csv;
mod json;
mod merged;
mod page;
mod side;
mod text;

use std::path::Path;

use super::files::{File, WriteError, place};
use super::plot::{self, Overlaid};
use crate::experiment::compare::{Comparison, Difference, letter};

/// All that is to be said of a comparison.
#[derive(Clone, Copy, Debug)]
pub struct ComparisonReport<'a> {
    /// What was found.
    pub comparison: &'a Comparison,
    /// Where each arm came from, in order.
    pub origins: &'a [ArmOrigin],
    /// The metrics that the question is about, laid side by side; empty for those that move.
    pub show: &'a [String],
    /// The command that gives it again.
    pub command: &'a str,
}

/// Where one arm came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArmOrigin {
    /// The scenario's file.
    pub path: String,
    /// What is written in that file.
    pub text: String,
    /// What it is called, when it has a name of its own.
    pub name: Option<String>,
    /// What this arm changes of it, and the others do not: keys and values.
    pub set: Vec<(String, String)>,
}

/// The files of a comparison; the last is moved last.
const OURS: [&str; 7] = [
    "differences.csv",
    "timeline.txt",
    "depth.svg",
    "lag.svg",
    "rates.svg",
    "report.html",
    "summary.json",
];

impl ComparisonReport<'_> {
    /// Writes `report.html`, `differences.csv`, `timeline.txt`, `summary.json` and the pictures
    /// into `folder`.
    ///
    /// # Errors
    /// When the folder cannot be written to; then what was there is still there.
    pub fn write(&self, folder: &Path) -> Result<(), WriteError> {
        let mut files: Vec<File> = vec![
            ("differences.csv", self.csv().into_bytes()),
            ("timeline.txt", self.timeline().into_bytes()),
        ];
        for picture in plot::overlaid(&overlaid(self.comparison)) {
            let name = OURS
                .iter()
                .find(|ours| ours.strip_suffix(".svg") == Some(picture.name.as_str()));
            files.extend(name.map(|name| (*name, picture.svg().into_bytes())));
        }
        files.push(("report.html", self.html().into_bytes()));
        files.push(("summary.json", self.json().into_bytes()));
        place(folder, &files, &OURS)
    }

    /// The differences of one arm from the baseline.
    fn of_arm(&self, arm: usize) -> impl Iterator<Item = &Difference> {
        let all = self.comparison.differences.iter();
        all.filter(move |it| it.arm == arm)
    }

    /// What an arm is, in a line: its name or its file, and what is set.
    fn origin(&self, arm: usize) -> String {
        match (&self.origins[arm].name, self.changes(arm)) {
            (None, changes) => changes,
            (Some(name), none) if none.is_empty() => name.clone(),
            (Some(name), changes) => format!("{name}: {changes}"),
        }
    }

    /// What is set in an arm; its file as well, unless it has a name.
    fn changes(&self, arm: usize) -> String {
        let ArmOrigin {
            path, name, set, ..
        } = &self.origins[arm];
        let set = set.iter().map(|(key, value)| format!("{key} = {value}"));
        let file = name.is_none().then(|| path.clone());
        let parts: Vec<String> = file.into_iter().chain(set).collect();
        parts.join(", ")
    }
}

/// The arms as they are drawn: the first run of each.
fn overlaid(comparison: &Comparison) -> Vec<Overlaid<'_>> {
    let arms = comparison.arms.iter().enumerate();
    arms.map(|(place, arm)| Overlaid {
        letter: letter(place),
        model: &arm.model,
        run: &arm.runs[0],
    })
    .collect()
}
