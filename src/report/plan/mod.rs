//! Pages of a plan: the answer, its evidence, what decides, and how far it carries, as text, JSON,
//! CSV and a page with pictures.
//!
//! Not the search: `experiment::plan` does that.

mod advice;
mod json;
mod page;
mod pictures;
mod text;

use std::fs;
use std::path::{Path, PathBuf};

use super::csv::{cell, write};
use super::files::{WriteError, failed, replace};
use super::sweep::Axis;
use crate::experiment::plan::{By, Examined, Headroom, Plan};
use crate::experiment::readings::read;
use crate::outcome::{Condition, Unit};
use crate::stats::confidence::Interval;

/// All that is to be said of a plan.
#[derive(Clone, Copy, Debug)]
pub struct PlanReport<'a> {
    /// What was found.
    pub plan: &'a Plan,
    /// What was asked for.
    pub objectives: &'a [Condition],
    /// The key that was varied, and its values by place.
    pub axis: &'a Axis,
    /// Which end of the range is better to have.
    pub wanted: Wanted,
    /// How far the answer carries.
    pub headroom: &'a [Headroom],
    /// The scenario's title.
    pub title: &'a str,
    /// Where it stands.
    pub path: &'a str,
    /// The scenario as it is written.
    pub scenario_text: &'a str,
    /// What there is to warn of, a sentence each.
    pub warnings: &'a [String],
    /// The command that gives this plan again.
    pub command: &'a str,
}

/// What its page is called; that of a run in the same folder is `report.html`.
const PAGE: &str = "plan.html";

/// Which value is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// The smallest that meets all.
    Smallest,
    /// The largest that does.
    Largest,
}

impl Wanted {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Smallest => "smallest",
            Self::Largest => "largest",
        }
    }
}

impl PlanReport<'_> {
    /// The text of the value at a place.
    fn value(&self, place: usize) -> &str {
        &self.axis.ticks[place].text
    }

    /// A row for each objective of each value that was run.
    pub fn csv(&self) -> String {
        let head = [
            &self.axis.key,
            "objective",
            "stands",
            "by",
            "mean",
            "low",
            "high",
            "level",
            "n",
            "exact",
            "fluid",
        ];
        let head = head.map(str::to_owned).to_vec();
        let all = (0..self.objectives.len()).collect::<Vec<_>>();
        let rows = self.plan.examined.iter().flat_map(|value| {
            let row = |index: &usize| self.row(value, *index);
            all.iter().map(row).collect::<Vec<_>>()
        });
        write(std::iter::once(head).chain(rows))
    }

    fn row(&self, value: &Examined, index: usize) -> Vec<String> {
        let (standing, by) = value.standings[index];
        let interval = self.interval(value, index);
        let known = |known: &Option<crate::outcome::Known>| known.as_ref().and_then(|it| it.value);
        vec![
            self.value(value.place).to_owned(),
            self.objectives[index].text.clone(),
            standing.word().to_owned(),
            by.word().to_owned(),
            cell(self.mean(value, index)),
            cell(interval.map(|it| it.low)),
            cell(interval.map(|it| it.high)),
            cell(interval.map(|it| it.level)),
            value.runs.len().to_string(),
            cell(known(&value.exact[index])),
            cell(known(&value.fluid[index])),
        ]
    }

    fn mean(&self, value: &Examined, index: usize) -> Option<f64> {
        value.measures.value(&self.objectives[index].metric)
    }

    fn interval(&self, value: &Examined, index: usize) -> Option<Interval> {
        let place = value
            .measures
            .catalogue()
            .position(&self.objectives[index].metric);
        value.measures.interval(place?, self.plan.level)
    }

    /// Where a reading without runs would have led elsewhere, and why.
    fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        for (index, objective) in self.objectives.iter().enumerate() {
            let [exact, fluid] = self.plan.predicted[index];
            let found = self.plan.alone[index].meets;
            for (name, predicted) in [("the closed form", exact), ("the fluid", fluid)] {
                let Some(predicted) = predicted.filter(|place| Some(*place) != found) else {
                    continue;
                };
                let needs = found.map_or("none of the range", |place| self.value(place));
                notes.push(format!(
                    "`{}`: by {name} {} would be the {} value, by the runs it is {needs}",
                    objective.text,
                    self.value(predicted),
                    self.wanted.word(),
                ));
                let where_they_part = found.map_or(predicted, |found| found.min(predicted));
                notes.extend(self.because(index, where_they_part));
            }
        }
        notes
    }

    /// What the runs of the first value say on which the readings do not agree.
    fn because(&self, index: usize, place: usize) -> Vec<String> {
        let Some(value) = self.plan.of(place) else {
            return Vec::new();
        };
        let at = format!("at {} = {}", self.axis.key, self.value(place));
        if let (_, By::Limit(why)) = value.standings[index] {
            let stopper = why.stopper();
            return vec![format!(
                "{at} {stopper} stopped a run, and a run that a limit stops meets nothing"
            )];
        }
        let metric = &self.objectives[index].metric;
        let said = read(&value.model, &value.measures, &value.runs).notes;
        let about = |note: &&String| note.starts_with(&format!("{metric} is "));
        let said = said.iter().filter(about);
        said.map(|note| format!("{at} {note}")).collect()
    }

    /// Writes `plan.csv`, `plan.json` and `plan.html` into `folder`, beside what other commands
    /// have there, and returns the path of the page.
    ///
    /// # Errors
    /// When the folder cannot be written to.
    pub fn write(&self, folder: &Path) -> Result<PathBuf, WriteError> {
        fs::create_dir_all(folder).map_err(failed("create", folder))?;
        replace(folder, "plan.csv", self.csv().as_bytes())?;
        replace(folder, "plan.json", self.json().as_bytes())?;
        replace(folder, PAGE, self.html().as_bytes())?;
        Ok(folder.join(PAGE))
    }
}

/// What did not happen, in a word.
fn absent(unit: Unit) -> &'static str {
    if unit == Unit::Instant { "never" } else { "-" }
}
