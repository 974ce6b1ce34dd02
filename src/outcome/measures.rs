//! The numbers of an experiment by metric: one a replication, their mean, and its interval.
//!
//! Not the records of single runs: only what the catalogue names of them.

use super::catalogue::{Catalogue, Unit};
use super::record::RunRecord;
use crate::stats::confidence::{Interval, student};

/// Values of every metric in every replication.
#[derive(Clone, Debug)]
pub struct Measures {
    catalogue: Catalogue,
    /// A row for each replication, in order.
    rows: Vec<Vec<Option<f64>>>,
}

impl Measures {
    /// The measures of these runs, which must be of one model and in the order of replications.
    pub fn of(catalogue: Catalogue, runs: &[RunRecord]) -> Self {
        Self::from_rows(catalogue, runs.iter().map(Catalogue::read).collect())
    }

    /// The measures of runs whose values were [read](Catalogue::read) before, a row each.
    pub fn from_rows(catalogue: Catalogue, rows: Vec<Vec<Option<f64>>>) -> Self {
        Self { catalogue, rows }
    }

    /// The catalogue.
    pub fn catalogue(&self) -> &Catalogue {
        &self.catalogue
    }

    /// How many replications there are.
    pub fn replications(&self) -> usize {
        self.rows.len()
    }

    /// The mean of a metric over the replications; `None` when it did not happen in one of them
    /// (a mean over those in which it did would flatter), or is not known.
    pub fn value(&self, name: &str) -> Option<f64> {
        self.at(self.catalogue.position(name)?)
    }

    /// The mean of the metric at a place of the catalogue.
    pub fn at(&self, position: usize) -> Option<f64> {
        let values = self.column(position)?;
        Some(values.iter().sum::<f64>() / values.len() as f64)
    }

    /// The metric at a place in each replication, in order; `None` where it did not happen.
    pub fn values(&self, position: usize) -> impl Iterator<Item = Option<f64>> {
        self.rows.iter().map(move |row| row[position])
    }

    /// The values of a metric, one a replication; `None` when one is absent.
    pub fn column(&self, position: usize) -> Option<Vec<f64>> {
        let values: Option<Vec<f64>> = self.values(position).collect();
        values.filter(|values| !values.is_empty())
    }

    /// In how many replications the metric at a place is there.
    pub fn present(&self, position: usize) -> usize {
        self.values(position).flatten().count()
    }

    /// The interval of a metric over the replications; `None` for fewer than two.
    pub fn interval(&self, position: usize, level: f64) -> Option<Interval> {
        student(&self.column(position)?, level)
    }

    /// Names, units, and means, in the order of the catalogue.
    pub fn all(&self) -> impl Iterator<Item = (&str, Unit, Option<f64>)> {
        let entries = self.catalogue.entries().iter().enumerate();
        entries.map(|(position, (name, unit))| (name.as_str(), *unit, self.at(position)))
    }
}
