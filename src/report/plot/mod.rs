//! Pictures: depth, lag and rates over time, as SVG and PNG.
//!
//! Not a plotting library: one kind of chart, drawn by hand. Its lines must be classes that a page
//! colours for light and dark, be named at their ends, stand in two layouts, and be told in words
//! to those who cannot see them; plotters writes fixed colours and a legend, and its output would
//! have to be edited after the fact. PNG is the same SVG through resvg, which costs some fifty
//! small crates of pure Rust and ten lines here; a second drawing by the bitmaps of plotters would
//! not show what the SVG shows.

mod axis;
mod calls;
mod figure;
mod labels;
mod pictures;
mod png;
mod svg;

use self::figure::Figure;
use self::svg::Format;
use crate::model::Model;
use crate::outcome::RunRecord;

/// One picture of a run.
#[derive(Clone, Debug)]
pub struct Picture(Figure);

/// The pictures of a run, none when it has no series.
pub fn pictures(model: &Model, record: &RunRecord) -> Vec<Picture> {
    pictures::all(model, record)
        .into_iter()
        .map(Picture)
        .collect()
}

impl Picture {
    /// The name of its files, without the ending: `depth`.
    pub fn name(&self) -> &'static str {
        self.0.name
    }

    /// A file of its own, with fixed colours on a light ground.
    pub fn svg(&self) -> String {
        svg::draw(&self.0, Format::Wide, Some(&style(&LIGHT)))
    }

    /// The standalone picture in pixels.
    pub fn png(&self) -> Vec<u8> {
        png::render(&self.svg())
    }

    /// For a page that carries the style of inline pictures: one for wide screens, one for phones.
    pub fn inline(&self) -> [String; 2] {
        [Format::Wide, Format::Narrow].map(|format| svg::draw(&self.0, format, None))
    }
}

/// The style of inline pictures: the colours are those of the page's custom properties.
pub(super) fn page_style() -> String {
    style(&PAGE)
}

/// Names in `style.css`, longest first where one begins another, and what they stand for.
type Colours = [(&'static str, &'static str); 12];

/// The colours of Okabe and Ito ("Color Universal Design", 2008; cited from memory), which people
/// with any kind of colour vision can tell apart.
const LIGHT: Colours = [
    ("FONTS", "'DejaVu Sans',Verdana,sans-serif"),
    ("FG", "#1a1a1a"),
    ("MUTED", "#595959"),
    ("GRID", "#e3e3e3"),
    ("DOWN", "#ececec"),
    ("C0", "#0072b2"),
    ("C1", "#d55e00"),
    ("C2", "#009e73"),
    ("C3", "#cc79a7"),
    ("C4", "#e69f00"),
    ("C5", "#56b4e9"),
    ("C6", "#1a1a1a"),
];

const PAGE: Colours = [
    ("FONTS", "inherit"),
    ("FG", "var(--fg)"),
    ("MUTED", "var(--muted)"),
    ("GRID", "var(--grid)"),
    ("DOWN", "var(--down)"),
    ("C0", "var(--c0)"),
    ("C1", "var(--c1)"),
    ("C2", "var(--c2)"),
    ("C3", "var(--c3)"),
    ("C4", "var(--c4)"),
    ("C5", "var(--c5)"),
    ("C6", "var(--fg)"),
];

fn style(colours: &Colours) -> String {
    let rules = include_str!("style.css").to_owned();
    colours
        .iter()
        .fold(rules, |rules, (name, colour)| rules.replace(name, colour))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::fixture;

    #[test]
    fn the_same_run_gives_the_same_picture_to_the_byte() {
        let of_queues: &[&str] = &["depth", "lag", "rates"];
        for ((model, runs), known) in [
            (fixture::outage(), of_queues),
            (fixture::blocked(), of_queues),
            (fixture::calling(), &["calls"]),
        ] {
            let drawn = || pictures(&model, &runs[0]);
            let names: Vec<_> = drawn().iter().map(Picture::name).collect();
            assert_eq!(names, known);
            for (one, again) in drawn().iter().zip(drawn()) {
                let svg = one.svg();
                assert_eq!(svg, again.svg());
                assert_eq!(one.png(), again.png());
                for bad in ["NaN", "inf", "var(", "e-"] {
                    let drawing = svg.split("</style>").nth(1).expect("a drawing");
                    assert!(!drawing.contains(bad), "{bad} in {drawing}");
                }
            }
        }
    }
}
