//! A list of things as text, JSON or CSV: what the smaller commands answer with.
//!
//! Not reports of runs.

use serde_json::{Map, Value};

use super::exit::Failed;
use super::options::Format;
use crate::report::{Grid, Side};

/// A longer name has no room for a text beside it.
const LONGEST_BESIDE: usize = 30;

/// Rows of cells under the names of their columns.
#[derive(Clone, Debug)]
pub(super) struct Listing {
    grid: Grid,
}

impl Listing {
    /// A list without rows.
    pub(super) fn new(columns: &[&str]) -> Self {
        let sides = vec![Side::Left; columns.len()];
        Self {
            grid: Grid::new("", columns, &sides),
        }
    }

    /// With another row.
    pub(super) fn push<const N: usize>(&mut self, cells: [&str; N]) {
        assert_eq!(N, self.grid.head.len(), "a cell for each column");
        self.grid.rows.push(cells.map(str::to_owned).to_vec());
    }

    /// As it is asked for. Text has no heads: what stands in a column is plain to see.
    pub(super) fn render(&self, format: Format) -> Result<String, Failed> {
        match format {
            Format::Text => Ok(self.text()),
            Format::Json => Ok(self.json()),
            Format::Csv => csv_of(&self.grid.head, &self.grid.rows),
        }
    }

    fn text(&self) -> String {
        let width = |row: &Vec<String>| row[0].chars().count();
        if self.grid.rows.iter().map(width).max() > Some(LONGEST_BESIDE) {
            return self.stanzas();
        }
        let mut grid = self.grid.clone();
        grid.head = Vec::new();
        grid.text()
    }

    /// Long names on lines of their own, so that none is broken.
    fn stanzas(&self) -> String {
        let mut text = String::new();
        for row in &self.grid.rows {
            let rest = row[1..].iter().filter(|cell| !cell.is_empty());
            let mut below = Grid::new("", &[], &[]);
            let indent = std::iter::once(" ".to_owned());
            below.rows = vec![indent.chain(rest.cloned()).collect()];
            text.push_str(&["  ", row[0].as_str(), "\n", below.text().as_str()].concat());
        }
        text
    }

    fn json(&self) -> String {
        let object = |row: &Vec<String>| {
            let entries = self.grid.head.iter().cloned().zip(row.iter().cloned());
            let entries = entries.map(|(name, cell)| (name, Value::String(cell)));
            Value::Object(entries.collect::<Map<_, _>>())
        };
        let all: Value = self.grid.rows.iter().map(object).collect();
        format!("{all:#}\n")
    }
}

/// A CSV table.
pub(super) fn csv_of(head: &[String], rows: &[Vec<String>]) -> Result<String, Failed> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let cannot = |error: String| Failed::new(format!("cannot write CSV: {error}"));
    for row in std::iter::once(head).chain(rows.iter().map(Vec::as_slice)) {
        let written = writer.write_record(row);
        written.map_err(|error| cannot(error.to_string()))?;
    }
    let bytes = writer
        .into_inner()
        .map_err(|error| cannot(error.to_string()))?;
    String::from_utf8(bytes).map_err(|error| cannot(error.to_string()))
}
