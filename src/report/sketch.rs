//! Depth and lag over time as letters, for a terminal: 80 columns, no colour.
//!
//! Not another reading: what is drawn are the figures of the page. A column shows the highest
//! value within its span, and anything above zero is seen.

use std::fmt::Write;

use super::plot::{Axis, Figure, Line, Shade, pictures};
use crate::model::Model;
use crate::outcome::RunRecord;

/// Which letters a terminal can show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Letters {
    /// Blocks of eight heights.
    #[default]
    Blocks,
    /// ASCII.
    Plain,
}

/// The letters of a drawing.
struct Pen {
    /// From the lowest to the full one.
    heights: &'static [char],
    down: char,
    corner: char,
    axis: char,
    tick: char,
}

const BLOCKS: Pen = Pen {
    heights: &['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'],
    down: '▒',
    corner: '└',
    axis: '─',
    tick: '┬',
};

const PLAIN: Pen = Pen {
    heights: &['.', ':', '#'],
    down: '=',
    corner: '+',
    axis: '-',
    tick: '+',
};

const WIDTH: usize = 80;
const INDENT: &str = "  ";
/// The most queues that are drawn: those of which most waited.
const MOST_QUEUES: usize = 3;
/// The most rows that say what was down.
const MOST_DOWN: usize = 3;

impl Letters {
    fn pen(self) -> &'static Pen {
        match self {
            Self::Blocks => &BLOCKS,
            Self::Plain => &PLAIN,
        }
    }
}

/// The drawing; empty when nothing ever waited, or nothing was recorded over time.
pub(super) fn sketch(model: &Model, record: &RunRecord, letters: Letters) -> String {
    let figures = pictures(model, record);
    let find = |name: &str| figures.iter().find(|figure| figure.name == name);
    let (Some(depth), Some(lag)) = (find("depth"), find("lag")) else {
        return String::new();
    };
    let lines = depth.panels[0].lines.iter().zip(&lag.panels[0].lines);
    let mut waited: Vec<_> = lines.filter(|(depth, _)| depth.highest() > 0.0).collect();
    let others = waited.len().saturating_sub(MOST_QUEUES);
    let mut by_most: Vec<f64> = waited.iter().map(|(line, _)| line.highest()).collect();
    by_most.sort_by(|a, b| b.total_cmp(a));
    let least = by_most.get(MOST_QUEUES - 1).copied().unwrap_or(0.0);
    waited.retain(|(line, _)| line.highest() >= least);
    waited.truncate(MOST_QUEUES);
    let drawings: Vec<String> = waited
        .iter()
        .map(|(depth_line, lag_line)| {
            let rows = [
                Rows::of(depth_line, depth, "waiting", 5),
                Rows::of(lag_line, lag, "age of the oldest", 3),
            ];
            drawing(&depth_line.name, depth, &rows, letters.pen())
        })
        .collect();
    let mut text = drawings.join("\n");
    if others > 0 {
        let _ = writeln!(text, "\n{INDENT}({others} more in report.html)");
    }
    text
}

/// A line in as many rows of letters.
struct Rows<'a> {
    line: &'a Line,
    what: &'static str,
    rows: usize,
    /// Its highest value in words.
    most: String,
}

impl<'a> Rows<'a> {
    fn of(line: &'a Line, figure: &Figure, what: &'static str, rows: usize) -> Self {
        Self {
            line,
            what,
            rows,
            most: figure.panels[0].quantity.show(line.highest()),
        }
    }
}

/// The rows of one queue over one axis of time.
fn drawing(name: &str, figure: &Figure, parts: &[Rows], pen: &Pen) -> String {
    let labels = parts.iter().map(|part| part.most.chars().count());
    let label = labels.max().unwrap_or(1);
    let columns = WIDTH - INDENT.len() - label - 2;
    let mut text = String::new();
    for part in parts {
        let room = WIDTH - INDENT.len() - part.what.len() - 2;
        let _ = writeln!(text, "{INDENT}{}, {}", shortened(name, room), part.what);
        let heights = heights(part, &figure.axis, columns, pen);
        for row in (0..part.rows).rev() {
            let said = if row + 1 == part.rows { &part.most } else { "" };
            let letters: String = heights
                .iter()
                .map(|height| letter(*height, row, pen))
                .collect();
            put(&mut text, said, label, &letters);
        }
    }
    axis(&mut text, &figure.axis, (label, columns), pen);
    down(&mut text, figure, (label, columns), pen);
    text
}

fn put(text: &mut String, said: &str, label: usize, letters: &str) {
    let row = format!("{INDENT}{said:>label$} {letters}");
    let _ = writeln!(text, "{}", row.trim_end());
}

/// How high each column is, in parts of rows.
fn heights(part: &Rows, axis: &Axis, columns: usize, pen: &Pen) -> Vec<usize> {
    let steps = (part.rows * pen.heights.len()) as f64;
    let edge = |column: usize| axis.to * column as f64 / columns as f64;
    let height = |column: usize| {
        let highest = highest_within(part.line, edge(column), edge(column + 1));
        let height = (steps * highest / part.line.highest()).round() as usize;
        if highest > 0.0 { height.max(1) } else { 0 }
    };
    (0..columns).map(height).collect()
}

/// The highest value of a line in a span, its left end left out, but for the start.
fn highest_within(line: &Line, from: f64, to: f64) -> f64 {
    let first = line.points.partition_point(|(x, _)| *x <= from);
    let after = line.points.partition_point(|(x, _)| *x <= to);
    let inside = line.points[first.min(after)..after]
        .iter()
        .map(|(_, value)| *value);
    inside.chain(line.at(to)).fold(0.0, f64::max)
}

fn letter(height: usize, row: usize, pen: &Pen) -> char {
    let all = pen.heights.len();
    match height.saturating_sub(row * all) {
        0 => ' ',
        part => pen.heights[part.min(all) - 1],
    }
}

fn axis(text: &mut String, axis: &Axis, (label, columns): (usize, usize), pen: &Pen) {
    let mut line = vec![pen.axis; columns];
    let mut names = vec![' '; columns];
    let mut free_from = 0;
    for (at, name) in axis.ticks(6) {
        let column = column_of(at, axis, columns);
        let wide = name.chars().count();
        if column >= free_from && column + wide <= columns {
            line[column] = pen.tick;
            names[column..column + wide].copy_from_slice(&name.chars().collect::<Vec<_>>());
            free_from = column + wide + 2;
        }
    }
    let line: String = line.into_iter().collect();
    let _ = writeln!(text, "{INDENT}{:>label$}{}{line}", "0", pen.corner);
    put(text, "", label, &names.into_iter().collect::<String>());
}

fn column_of(at: f64, axis: &Axis, columns: usize) -> usize {
    ((at / axis.to * columns as f64).round() as usize).min(columns - 1)
}

/// A row for each thing that was down, marked while it was, and named where there is room.
fn down(text: &mut String, figure: &Figure, (label, columns): (usize, usize), pen: &Pen) {
    let mut names: Vec<&str> = Vec::new();
    for shade in &figure.shades {
        if !names.contains(&shade.label.as_str()) {
            names.push(&shade.label);
        }
    }
    for name in names.iter().take(MOST_DOWN) {
        let mut row = vec![' '; columns];
        let spans = figure.shades.iter().filter(|shade| shade.label == *name);
        for Shade { from, to, .. } in spans {
            let first = column_of(*from, &figure.axis, columns);
            let after = column_of(*to, &figure.axis, columns);
            row[first..after.max(first + 1)].fill(pen.down);
        }
        named(&mut row, name, pen);
        put(text, "", label, &row.into_iter().collect::<String>());
    }
    if names.len() > MOST_DOWN {
        let more = format!("({} more were down)", names.len() - MOST_DOWN);
        put(text, "", label, &more);
    }
}

/// Puts a name behind the last mark of a row, or before the first, or cut where it fits better.
fn named(row: &mut [char], name: &str, pen: &Pen) {
    let is_mark = |letter: &char| *letter == pen.down;
    let first = row.iter().position(is_mark).unwrap_or(0);
    let after = row.iter().rposition(is_mark).map_or(0, |last| last + 1);
    let wide = name.chars().count();
    let behind = row.len() - after;
    let start = if wide < behind || (wide >= first && behind >= first) {
        after + 1
    } else {
        first.saturating_sub(wide + 1)
    };
    let end = if start > after {
        row.len()
    } else {
        first.saturating_sub(1)
    };
    let room = end.saturating_sub(start);
    let name = shortened(name, room);
    for (place, letter) in row[start.min(end)..end].iter_mut().zip(name.chars()) {
        *place = letter;
    }
}

/// A text of at most so many letters.
fn shortened(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let kept: String = text.chars().take(most.saturating_sub(2)).collect();
    kept + ".."
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::fixture;

    #[test]
    fn depth_and_lag_as_blocks() {
        let (model, runs) = fixture::outage();
        insta::assert_snapshot!(sketch(&model, &runs[0], Letters::Blocks));
    }

    #[test]
    fn depth_and_lag_as_plain_letters() {
        let (model, runs) = fixture::outage();
        let drawn = sketch(&model, &runs[0], Letters::Plain);
        assert!(drawn.is_ascii(), "{drawn}");
        insta::assert_snapshot!(drawn);
    }

    #[test]
    fn what_is_above_zero_is_seen_and_the_highest_fills_its_rows() {
        let points = vec![
            (0.0, 0.0),
            (49.0, 0.0),
            (50.0, 1.0),
            (51.0, 0.0),
            (99.0, 0.0),
        ];
        let mut line = Line::new("orders", 0, super::super::plot::Shape::Slope, points);
        line.points.push((100.0, 1_000.0));
        let part = Rows {
            line: &line,
            what: "waiting",
            rows: 5,
            most: String::new(),
        };
        let heights = heights(&part, &Axis::time(100.0), 50, &BLOCKS);
        assert_eq!(heights[24], 1, "{heights:?}");
        assert_eq!(heights[10], 0);
        assert_eq!(heights[49], 40);
    }

    #[test]
    fn a_name_stands_where_there_is_room() {
        let row = |marked: std::ops::Range<usize>, name: &str| {
            let mut row = vec![' '; 20];
            row[marked].fill('=');
            named(&mut row, name, &PLAIN);
            row.into_iter().collect::<String>()
        };
        assert_eq!(row(0..4, "fleet down"), "==== fleet down     ");
        assert_eq!(row(16..18, "fleet down"), "     fleet down ==  ");
        assert_eq!(row(12..14, "a long name of it"), "a long na.. ==      ");
        assert_eq!(row(0..20, "fleet down"), "====================");
    }

    #[test]
    fn nothing_is_drawn_when_nothing_waited() {
        let (model, mut runs) = fixture::outage();
        let series = runs[0].series.as_mut().expect("a series");
        for sample in series.queues.iter_mut().flatten() {
            sample.depth = 0;
        }
        assert_eq!(sketch(&model, &runs[0], Letters::Blocks), "");
    }
}
