//! A heat map as SVG.
//!
//! Not its colours: those are classes, as they are for figures.

use std::fmt::Write;

use super::heat::{HeatMap, STEPS};
use super::labels::{cut, width};
use super::pen::{Anchor, segment, text};
use super::svg::{Format, safe};
use crate::report::escape::escaped;

const SMALL: f64 = 12.0;

/// The places of the cells.
struct Board {
    width: f64,
    left: f64,
    top: f64,
    cell: (f64, f64),
    rows: usize,
}

impl Board {
    fn of(map: &HeatMap, format: Format) -> Self {
        let (total, high) = match format {
            Format::Wide => (780.0, 34.0),
            Format::Narrow => (360.0, 26.0),
        };
        let labels = map.up.values.iter().map(|value| width(value, SMALL));
        let left = labels.fold(20.0, f64::max).min(total / 3.0) + 12.0;
        let columns = map.across.values.len().max(1) as f64;
        Self {
            width: total,
            left,
            top: 52.0,
            cell: ((total - 4.0 - left) / columns, high),
            rows: map.up.values.len(),
        }
    }

    /// A corner, in cells from the bottom left.
    fn corner(&self, (column, row): (usize, usize)) -> (f64, f64) {
        (
            self.left + self.cell.0 * column as f64,
            self.top + self.cell.1 * (self.rows - row) as f64,
        )
    }
}

/// Draws `map`. `style` goes into the picture when it must stand alone.
pub(super) fn draw(map: &HeatMap, format: Format, style: Option<&str>) -> String {
    let board = Board::of(map, format);
    let mut body = String::new();
    text(
        &mut body,
        (2.0, 20.0),
        "class=\"title\"",
        Anchor::Start,
        &map.title,
    );
    let up = format!("{} ↑", map.up.name);
    text(
        &mut body,
        (2.0, 42.0),
        "class=\"muted\"",
        Anchor::Start,
        &up,
    );
    cells(&mut body, map, &board);
    // A light line under a dark one can be seen on every colour.
    for class in ["halo", "border"] {
        for border in map.borders() {
            let ends = [board.corner(border.from), board.corner(border.to)];
            segment(&mut body, &format!("class=\"{class}\""), &ends);
        }
    }
    let high = legend(&mut body, map, &board);
    let id = format!("{}-{}", safe(&map.name), format.word());
    let style = style.map(|style| {
        format!(
            "<style>\n{style}</style>\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n"
        )
    });
    let wide = board.width;
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"plot heat\" \
         viewBox=\"0 0 {wide:.0} {high:.0}\" width=\"{wide:.0}\" height=\"{high:.0}\" role=\"img\" \
         aria-labelledby=\"{id}-title {id}-what\">\n\
         <title id=\"{id}-title\">{}</title>\n<desc id=\"{id}-what\">{}</desc>\n{}{body}</svg>\n",
        escaped(&map.title),
        escaped(&in_words(map)),
        style.unwrap_or_default(),
    )
}

fn in_words(map: &HeatMap) -> String {
    let range = map.range().map_or_else(String::new, |(least, most)| {
        let (least, most) = (map.quantity.show(least), map.quantity.show(most));
        format!(" From {least} to {most}.")
    });
    format!(
        "{} from left to right, {} from the bottom upwards.{range}",
        map.across.name, map.up.name
    )
}

fn cells(to: &mut String, map: &HeatMap, board: &Board) {
    let (wide, high) = board.cell;
    for (row, up) in map.up.values.iter().enumerate() {
        let (_, y) = board.corner((0, row + 1));
        let label = cut(up, SMALL, board.left - 8.0);
        let place = (board.left - 7.0, y + high / 2.0 + 4.0);
        text(to, place, "class=\"muted\"", Anchor::End, &label);
        for (column, across) in map.across.values.iter().enumerate() {
            let (x, _) = board.corner((column, row));
            let cell = map.cell(column, row);
            let step = cell.value.map(|value| map.step(value));
            let class = step.map_or_else(|| "none".to_owned(), |step| format!("h{step}"));
            let said = map.said(cell);
            let what = format!(
                "{} = {across}, {} = {up}: {said}",
                map.across.name, map.up.name
            );
            let _ = writeln!(
                to,
                "<g class=\"cell {class}\"><title>{}</title><rect x=\"{x:.1}\" y=\"{y:.1}\" \
                 width=\"{wide:.1}\" height=\"{high:.1}\"/>",
                escaped(&what)
            );
            let shown = cell
                .value
                .map_or_else(|| "–".to_owned(), |value| map.quantity.show(value));
            if width(&shown, SMALL) + 6.0 <= wide {
                let place = (x + wide / 2.0, y + high / 2.0 + 4.0);
                text(to, place, "", Anchor::Middle, &shown);
            }
            to.push_str("</g>\n");
        }
    }
}

/// The key from left to right, then the scale of colours. Returns how high the picture is.
fn legend(to: &mut String, map: &HeatMap, board: &Board) -> f64 {
    let mut free_from = 0.0;
    let (_, bottom) = board.corner((0, 0));
    for (column, label) in map.across.values.iter().enumerate() {
        let (x, _) = board.corner((column, 0));
        let (middle, half) = (x + board.cell.0 / 2.0, width(label, SMALL) / 2.0);
        if middle - half >= free_from {
            let place = (middle, bottom + 16.0);
            text(to, place, "class=\"muted\"", Anchor::Middle, label);
            free_from = middle + half + 6.0;
        }
    }
    let across = format!("{} →", map.across.name);
    let place = (board.width - 4.0, bottom + 34.0);
    text(to, place, "class=\"muted\"", Anchor::End, &across);
    let mut y = bottom + 46.0;
    if let Some((least, most)) = map.range() {
        let (least, most) = (map.quantity.show(least), map.quantity.show(most));
        text(
            to,
            (2.0, y + 11.0),
            "class=\"muted\"",
            Anchor::Start,
            &least,
        );
        let mut x = width(&least, SMALL) + 10.0;
        for step in 0..STEPS {
            let _ = writeln!(
                to,
                "<g class=\"cell h{step}\"><rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"14\" \
                 height=\"14\"/></g>"
            );
            x += 14.0;
        }
        text(
            to,
            (x + 8.0, y + 11.0),
            "class=\"muted\"",
            Anchor::Start,
            &most,
        );
        y += 22.0;
    }
    if let (Some(boundary), false) = (&map.boundary, map.borders().is_empty()) {
        for class in ["halo", "border"] {
            let ends = [(4.0, y + 7.0), (22.0, y + 7.0)];
            segment(to, &format!("class=\"{class}\""), &ends);
        }
        let said = cut(
            &format!("where `{boundary}` ends"),
            SMALL,
            board.width - 34.0,
        );
        text(
            to,
            (28.0, y + 11.0),
            "class=\"muted\"",
            Anchor::Start,
            &said,
        );
        y += 22.0;
    }
    y + 4.0
}

#[cfg(test)]
mod tests {
    use super::super::heat::tests::map;
    use super::*;

    #[test]
    fn a_map_has_its_cells_its_boundary_and_its_words() {
        for format in [Format::Wide, Format::Narrow] {
            let svg = draw(&map(), format, None);
            assert_eq!(svg, draw(&map(), format, None));
            let cells = "outages.0.duration = 60s: 300 s, met";
            assert!(svg.contains(cells), "{svg}");
            // Three sides, and the one in the legend.
            assert_eq!(svg.matches("class=\"halo\"").count(), 4);
            assert!(
                svg.contains("where `queues.orders.drained_at &lt;= 6m` ends"),
                "{svg}"
            );
            assert!(svg.contains("class=\"cell none\""), "never has no colour");
        }
    }
}
