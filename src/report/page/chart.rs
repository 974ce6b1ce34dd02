//! Pictures of a page: the drawing, its numbers as a table for those who cannot see it, and its
//! data for the script that reads and zooms it.
//!
//! Not the drawing itself.

use std::fmt::Write;

use serde_json::{Map, Value, json};

use super::table;
use crate::report::escape::escaped;
use crate::report::grid::{Grid, Side};
use crate::report::plot::{self, Figure, HeatMap, Line, Marks, Panel, Shape};

/// The most rows of a table of the numbers of a figure over time.
const MOST_ROWS: usize = 24;

/// Figures below each other, with the place of the buttons that the script shows.
pub(super) fn figures(figures: &[Figure]) -> String {
    if figures.is_empty() {
        return String::new();
    }
    let mut html = "<div class=\"charts\">\n".to_owned();
    for (figure, [wide, narrow]) in figures.iter().zip(plot::inline(figures)) {
        let (name, title) = (plot::safe(&figure.name), escaped(&figure.title));
        let grids = figure.panels.iter().map(|panel| grid(figure, panel));
        let numbers = numbers(&title, &grids.collect::<Vec<_>>());
        let _ = write!(
            html,
            "<figure class=\"chart\" data-chart=\"{name}\" aria-label=\"{title}\">\n\
             <div class=\"plots\">\n<div class=\"wide\">{wide}</div>\n\
             <div class=\"narrow\">{narrow}</div>\n</div>\n{numbers}</figure>\n",
        );
    }
    html + "</div>\n"
}

/// A heat map.
pub(super) fn heat(map: &HeatMap) -> String {
    let [wide, narrow] = map.inline();
    let title = escaped(&map.title);
    format!(
        "<figure aria-label=\"{title}\">\n<div class=\"wide\">{wide}</div>\n\
         <div class=\"narrow\">{narrow}</div>\n{}</figure>\n",
        numbers(&title, &[heat_grid(map)])
    )
}

/// The numbers of a picture, folded away.
fn numbers(title: &str, grids: &[Grid]) -> String {
    let tables: String = grids.iter().map(table::html).collect();
    if tables.is_empty() {
        return tables;
    }
    format!("<details>\n<summary>{title}: the numbers</summary>\n{tables}</details>\n")
}

fn grid(figure: &Figure, panel: &Panel) -> Grid {
    let places = match &figure.axis.marks {
        Marks::Clock => figure.axis.round_instants(MOST_ROWS),
        Marks::At(marks) => marks.clone(),
    };
    let first = match figure.axis.name.as_str() {
        "" => "time",
        name => name,
    };
    let names = panel.lines.iter().map(|line| line.name.as_str());
    let head: Vec<&str> = std::iter::once(first).chain(names).collect();
    let sides = vec![Side::Right; head.len()];
    let caption = format!("{}: {}", figure.title, panel.heading);
    let mut grid = Grid::new(&caption, &head, &sides);
    let cell = |line: &Line, place: f64| {
        let value = line.at(place);
        value.map_or_else(|| "–".to_owned(), |value| panel.quantity.show(value))
    };
    let row = |(place, label): &(f64, String)| {
        let cells = panel.lines.iter().map(|line| cell(line, *place));
        std::iter::once(label.clone()).chain(cells).collect()
    };
    grid.rows = places.iter().map(row).collect();
    grid
}

/// The map as a table, its upper row first as in the picture.
fn heat_grid(map: &HeatMap) -> Grid {
    let corner = format!("{} ↓, {} →", map.up.name, map.across.name);
    let values = map.across.values.iter().map(String::as_str);
    let head: Vec<&str> = std::iter::once(corner.as_str()).chain(values).collect();
    let sides = vec![Side::Right; head.len()];
    let mut grid = Grid::new(&map.title, &head, &sides);
    for (row, up) in map.up.values.iter().enumerate().rev() {
        let columns = 0..map.across.values.len();
        let cells = columns.map(|column| map.said(map.cell(column, row)));
        grid.rows
            .push(std::iter::once(up.clone()).chain(cells).collect());
    }
    grid
}

/// What the script must know of all figures: by name the axis, the shades, and the panels with
/// their lines. Lines that share their places on the axis refer to one list of them.
pub(super) fn data<'a>(figures: impl Iterator<Item = &'a Figure>) -> Value {
    let entry = |figure: &Figure| (plot::safe(&figure.name), of_figure(figure));
    Value::Object(figures.map(entry).collect::<Map<_, _>>())
}

fn of_figure(figure: &Figure) -> Value {
    let mut places: Vec<Vec<f64>> = Vec::new();
    let panels: Vec<Value> = figure
        .panels
        .iter()
        .map(|panel| of_panel(panel, &mut places))
        .collect();
    let marks = match &figure.axis.marks {
        Marks::Clock => Value::Null,
        Marks::At(marks) => json!(marks),
    };
    let shades = figure.shades.iter();
    let shades: Vec<_> = shades.map(|it| (it.from, it.to, &it.label)).collect();
    let axis = &figure.axis;
    json!({
        "axis": { "name": axis.name, "from": axis.from, "to": axis.to, "marks": marks },
        "shades": shades,
        "panels": panels,
        "x": places,
    })
}

fn of_panel(panel: &Panel, places: &mut Vec<Vec<f64>>) -> Value {
    let lines: Vec<Value> = panel
        .lines
        .iter()
        .map(|line| {
            let x: Vec<f64> = line.points.iter().map(|(x, _)| *x).collect();
            let known = places.iter().position(|known| *known == x);
            let place = known.unwrap_or_else(|| {
                places.push(x);
                places.len() - 1
            });
            let values: Vec<f64> = line.points.iter().map(|(_, value)| short(*value)).collect();
            let band = line.band.iter();
            let band: Vec<_> = band
                .map(|(low, high)| (short(*low), short(*high)))
                .collect();
            json!({
                "name": line.name,
                "colour": line.colour,
                "shape": match line.shape {
                    Shape::Slope => "slope",
                    Shape::Steps => "steps",
                    Shape::Dots => "dots",
                },
                "x": place,
                "y": values,
                "band": band,
            })
        })
        .collect();
    let bounds = panel.bounds.iter();
    let bounds: Vec<_> = bounds.map(|bound| (&bound.name, bound.value)).collect();
    json!({
        "heading": panel.heading,
        "quantity": panel.quantity.word(),
        "lines": lines,
        "bounds": bounds,
    })
}

/// Nine digits, which is more than can be seen: those behind them are left-overs of divisions.
fn short(value: f64) -> f64 {
    format!("{value:.8e}").parse().unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_are_short_stay_as_they_are() {
        for value in [0.0, 0.1, 83.3325, 100_000.0, 1e-9] {
            assert_eq!(short(value).to_bits(), value.to_bits());
        }
        assert_eq!(short(1_199.999_999_999_9).to_bits(), 1_200_f64.to_bits());
    }
}
