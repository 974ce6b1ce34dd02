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

    /// As text like that, but where not all columns have room side by side, in tables one below
    /// the other, each with the first column, which may be broken at spaces down to `first`.
    pub fn text_in_parts(&self, first: usize) -> String {
        let longest = |column: usize| {
            let cells = self.rows.iter().chain(std::iter::once(&self.head));
            let lengths = cells.filter_map(|row| row.get(column).map(|cell| cell.chars().count()));
            lengths.max().unwrap_or(0)
        };
        let room = usize::from(WIDTH - 2) - longest(0).min(first);
        let mut parts: Vec<Vec<usize>> = Vec::new();
        let mut left = 0;
        for column in 1..self.head.len() {
            let width = longest(column) + 2;
            match parts.last_mut() {
                Some(part) if width <= left => part.push(column),
                Some(_) | None => {
                    parts.push(vec![0, column]);
                    left = room;
                }
            }
            left = left.saturating_sub(width);
        }
        let part = |columns: &Vec<usize>| {
            let of = |row: &Vec<String>| columns.iter().map(|it| row[*it].clone()).collect();
            Self {
                caption: self.caption.clone(),
                head: of(&self.head),
                sides: columns.iter().map(|it| self.sides[*it]).collect(),
                rows: self.rows.iter().map(of).collect(),
            }
        };
        let texts: Vec<String> = parts.iter().map(|columns| part(columns).text()).collect();
        texts.join("\n")
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_without_room_stand_below() {
        let mut grid = Grid::new("", &["metric", "A", "B", "C"], &[Side::Left; 4]);
        let wide = "x".repeat(30);
        grid.rows.push(vec![
            "orders .wait".to_owned(),
            wide.clone(),
            wide.clone(),
            wide,
        ]);
        let text = grid.text_in_parts(10);
        let heads: Vec<&str> = text
            .lines()
            .filter(|line| line.contains("metric"))
            .collect();
        assert_eq!(heads.len(), 2, "{text}");
        assert!(heads[0].contains('B') && heads[1].contains('C'), "{text}");
        assert!(
            text.lines().all(|line| line.chars().count() <= 80),
            "{text}"
        );
        // Nothing is broken, and one that fits is one table.
        assert_eq!(text.matches(&"x".repeat(30)).count(), 3);
        grid.rows[0].truncate(2);
        grid.head.truncate(2);
        assert_eq!(grid.text_in_parts(10), grid.text());
    }
}
