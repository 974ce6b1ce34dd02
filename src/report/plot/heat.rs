//! A heat map as plain data: a metric over the values of two keys, and where an objective ends.
//!
//! Not a drawing: [`super::heat_svg`] lays it out.

use super::axis::Quantity;

/// How many steps the scale of colours has.
pub(super) const STEPS: usize = 10;

/// A metric over two keys.
#[derive(Clone, Debug)]
pub struct HeatMap {
    /// The name of its file, without the ending, and of its parts in a page. Lower-case letters,
    /// digits and hyphens, once in a page.
    pub name: String,
    /// What is shown: `Seconds until drained`.
    pub title: String,
    /// The key from left to right.
    pub across: Edge,
    /// The key from the bottom upwards.
    pub up: Edge,
    /// How its numbers are written.
    pub quantity: Quantity,
    /// The cells, row by row from the bottom, each row from the left.
    pub cells: Vec<HeatCell>,
    /// What the line between the cells stands for: `queues.orders.drained_at <= 331s`.
    pub boundary: Option<String>,
}

/// An edge of a heat map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    /// The key.
    pub name: String,
    /// Its values as they are written, in their order.
    pub values: Vec<String>,
}

/// One cell.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct HeatCell {
    /// The number; `None` when it did not happen.
    pub value: Option<f64>,
    /// Whether the objective is met here; `None` without one.
    pub met: Option<bool>,
}

/// A side of a cell on which the objective ends, in cells from the bottom left corner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Border {
    pub(super) from: (usize, usize),
    pub(super) to: (usize, usize),
}

impl HeatMap {
    /// The cell at a place from the left and from the bottom.
    pub(in crate::report) fn cell(&self, column: usize, row: usize) -> HeatCell {
        let cell = self.cells.get(row * self.across.values.len() + column);
        cell.copied().unwrap_or_default()
    }

    /// The least and the greatest value.
    pub(super) fn range(&self) -> Option<(f64, f64)> {
        let values = || self.cells.iter().filter_map(|cell| cell.value);
        let least = values().reduce(f64::min)?;
        Some((least, values().fold(least, f64::max)))
    }

    /// Which step of the scale of colours a value has.
    pub(super) fn step(&self, value: f64) -> usize {
        let (least, most) = self.range().unwrap_or((0.0, 0.0));
        if most <= least {
            return 0;
        }
        let share = (value - least) / (most - least);
        ((share * STEPS as f64) as usize).min(STEPS - 1)
    }

    /// The sides between a cell in which the objective is met and one in which it is not.
    pub(super) fn borders(&self) -> Vec<Border> {
        let (columns, rows) = (self.across.values.len(), self.up.values.len());
        let differ = |one: HeatCell, other: HeatCell| match (one.met, other.met) {
            (Some(one), Some(other)) => one != other,
            (None, _) | (_, None) => false,
        };
        let mut borders = Vec::new();
        for row in 0..rows {
            for column in 0..columns {
                let here = self.cell(column, row);
                if column + 1 < columns && differ(here, self.cell(column + 1, row)) {
                    let (from, to) = ((column + 1, row), (column + 1, row + 1));
                    borders.push(Border { from, to });
                }
                if row + 1 < rows && differ(here, self.cell(column, row + 1)) {
                    let (from, to) = ((column, row + 1), (column + 1, row + 1));
                    borders.push(Border { from, to });
                }
            }
        }
        borders
    }

    /// A value in words, and whether the objective is met.
    pub(in crate::report) fn said(&self, cell: HeatCell) -> String {
        let value = cell
            .value
            .map_or_else(|| "never".to_owned(), |value| self.quantity.show(value));
        match cell.met {
            Some(true) => format!("{value}, met"),
            Some(false) => format!("{value}, not met"),
            None => value,
        }
    }
}

#[cfg(test)]
pub(in crate::report) mod tests {
    use super::*;

    /// Three outages over two fleets; the objective is met on and below the diagonal.
    pub(in crate::report) fn map() -> HeatMap {
        let cell = |value, met| HeatCell {
            value,
            met: Some(met),
        };
        HeatMap {
            name: "drained".to_owned(),
            title: "Instant at which the queue is empty".to_owned(),
            across: Edge {
                name: "consumers.fleet.count".to_owned(),
                values: vec!["56".to_owned(), "60".to_owned(), "64".to_owned()],
            },
            up: Edge {
                name: "outages.0.duration".to_owned(),
                values: vec!["60s".to_owned(), "90s".to_owned()],
            },
            quantity: Quantity::Time,
            cells: vec![
                cell(Some(420.0), false),
                cell(Some(300.0), true),
                cell(Some(240.0), true),
                cell(None, false),
                cell(Some(423.0), false),
                cell(Some(340.0), true),
            ],
            boundary: Some("queues.orders.drained_at <= 6m".to_owned()),
        }
    }

    #[test]
    fn the_boundary_runs_between_met_and_not_met() {
        let border = |from, to| Border { from, to };
        assert_eq!(
            map().borders(),
            [
                border((1, 0), (1, 1)),
                border((1, 1), (2, 1)),
                border((2, 1), (2, 2))
            ]
        );
    }

    #[test]
    fn colours_go_from_the_least_to_the_greatest() {
        let map = map();
        let steps = [240.0, 331.0, 423.0].map(|value| map.step(value));
        assert_eq!(steps, [0, 4, STEPS - 1]);
        assert_eq!(map.said(map.cell(0, 1)), "never, not met");
    }
}
