//! Tables of a page: each in a box within which it scrolls, so that a phone's page does not.
//!
//! Not what is in them.

use std::fmt::Write;

use super::Instant;
use crate::report::escape::escaped;
use crate::report::grid::{Grid, Side};

/// A table; empty when it has no rows.
pub(super) fn html(grid: &Grid) -> String {
    let row = |row: &Vec<String>| (String::new(), row.clone());
    rows(grid, &grid.rows.iter().map(row).collect::<Vec<_>>())
}

/// What happened when: each row says its instant to the script of the page.
pub(super) fn timeline(instants: &[Instant]) -> String {
    let grid = Grid::new(
        "timeline",
        &["time", "what happened"],
        &[Side::Right, Side::Left],
    );
    let row = |instant: &Instant| {
        let at = format!(" data-t=\"{}\"", instant.seconds);
        (at, vec![instant.clock.clone(), instant.text.clone()])
    };
    rows(&grid, &instants.iter().map(row).collect::<Vec<_>>())
}

/// A table of these rows, each with the attributes of its element.
fn rows(grid: &Grid, rows: &[(String, Vec<String>)]) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let side = |place: usize| match grid.sides.get(place) {
        Some(Side::Right) => " class=\"right\"",
        Some(Side::Left) | None => "",
    };
    let caption = escaped(&grid.caption);
    let mut html = format!(
        "<div class=\"scroll\" role=\"group\" aria-label=\"{caption}\" tabindex=\"0\">\n<table>\n\
         <caption class=\"unseen\">{caption}</caption>\n"
    );
    if !grid.head.is_empty() {
        html.push_str("<thead><tr>");
        for (place, name) in grid.head.iter().enumerate() {
            let (element, scope) = if name.is_empty() {
                ("td", "")
            } else {
                ("th", " scope=\"col\"")
            };
            let name = escaped(name);
            let _ = write!(html, "<{element}{scope}{}>{name}</{element}>", side(place));
        }
        html.push_str("</tr></thead>\n");
    }
    html.push_str("<tbody>\n");
    for (attributes, row) in rows {
        let _ = write!(html, "<tr{attributes}>");
        for (place, cell) in row.iter().enumerate() {
            let (element, scope) = if place == 0 {
                ("th", " scope=\"row\"")
            } else {
                ("td", "")
            };
            let words = escaped(cell).replace('\n', "<br>");
            let _ = write!(html, "<{element}{scope}{}>{words}</{element}>", side(place));
        }
        html.push_str("</tr>\n");
    }
    html + "</tbody>\n</table>\n</div>\n"
}
