//! A table as plain data, which text and HTML each draw in their way.
//!
//! Not numbers: its cells are what a person reads.

use comfy_table::{Cell, CellAlignment, ContentArrangement, Table, presets};

/// A table: a caption, the heads of its columns, and rows of cells.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Grid {
    /// What it shows, for those who hear it; text has headings.
    pub caption: String,
    /// The heads of the columns; empty for none.
    pub head: Vec<String>,
    /// On which side the cells of each column stand.
    pub sides: Vec<Side>,
    /// The cells; those of one row are as many as the columns.
    pub rows: Vec<Vec<String>>,
}

/// On which side a cell stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Words.
    Left,
    /// Numbers.
    Right,
}

/// The width of a terminal that everybody has.
const WIDTH: u16 = 80;

impl Grid {
    /// A table without rows.
    pub fn new(caption: &str, head: &[&str], sides: &[Side]) -> Self {
        Self {
            caption: caption.to_owned(),
            head: head.iter().map(|&name| name.to_owned()).collect(),
            sides: sides.to_vec(),
            rows: Vec::new(),
        }
    }

    /// As text of at most 80 columns (long words in a narrow column are broken), indented by two.
    pub fn text(&self) -> String {
        let mut table = Table::new();
        table
            .load_style(presets::NOTHING)
            .set_content_arrangement(ContentArrangement::Dynamic)
            .set_width(WIDTH - 2);
        if !self.head.is_empty() {
            table.set_header(self.cells(&self.head));
        }
        table.add_rows(self.rows.iter().map(|row| self.cells(row)));
        for (place, column) in table.column_iter_mut().enumerate() {
            column.set_padding((u16::from(place > 0), 1));
        }
        table
            .lines()
            .map(|line| format!("  {}", line.trim_end()).trim_end().to_owned() + "\n")
            .collect()
    }

    fn cells(&self, row: &[String]) -> Vec<Cell> {
        let sides = self
            .sides
            .iter()
            .copied()
            .chain(std::iter::repeat(Side::Left));
        let cell = |(words, side): (&String, Side)| {
            Cell::new(words).set_alignment(match side {
                Side::Left => CellAlignment::Left,
                Side::Right => CellAlignment::Right,
            })
        };
        row.iter().zip(sides).map(cell).collect()
    }
}
