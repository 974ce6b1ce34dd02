//! Pictures: lines over time or over the values of a key, and heat maps, as SVG and PNG.
//!
//! Not a plotting library: two kinds of chart, drawn by hand. Its lines must be classes that a page
//! colours for light and dark, be named at their ends, stand in two layouts, and be told in words
//! to those who cannot see them; plotters writes fixed colours and a legend, and its output would
//! have to be edited after the fact. PNG is the same SVG through resvg, which costs some fifty
//! small crates of pure Rust and ten lines here; a second drawing by the bitmaps of plotters would
//! not show what the SVG shows.

mod axis;
mod calls;
mod figure;
mod handlers;
mod heat;
mod heat_svg;
mod labels;
mod overlay;
mod pen;
mod pictures;
mod png;
mod svg;

pub use self::axis::{Axis, Marks};
pub use self::figure::{Bound, COLOURS, Figure, Line, Panel, Quantity, Shade, Shape, Stroke};
pub use self::heat::{Edge, HeatCell, HeatMap};
pub use self::overlay::Overlaid;
pub(super) use self::svg::safe;
use self::svg::{Format, Frame};
use crate::model::Model;
use crate::outcome::RunRecord;

/// The figures of a run, none when it has no series: `depth`, `lag`, `rates`, and `handlers`.
pub fn pictures(model: &Model, record: &RunRecord) -> Vec<Figure> {
    pictures::all(model, record)
}

/// The figures of a comparison, its arms on one axis; none when no run has a series.
pub fn overlaid(arms: &[Overlaid<'_>]) -> Vec<Figure> {
    overlay::all(arms)
}

/// A drawing as a file of its own, with fixed colours on a light ground; what stands in a page
/// takes its colours.
impl Figure {
    /// The picture as SVG.
    pub fn svg(&self) -> String {
        let frame = Frame::of(std::slice::from_ref(self), Format::Wide);
        svg::draw(self, &frame, Some(&style(&LIGHT)))
    }

    /// The same picture in pixels.
    pub fn png(&self) -> Vec<u8> {
        png::render(&self.svg())
    }
}

impl HeatMap {
    /// The picture as SVG, a file of its own.
    pub fn svg(&self) -> String {
        heat_svg::draw(self, Format::Wide, Some(&style(&LIGHT)))
    }

    /// The same picture in pixels.
    pub fn png(&self) -> Vec<u8> {
        png::render(&self.svg())
    }

    /// For a page that carries the style of inline pictures: one for wide screens, one for phones.
    pub(super) fn inline(&self) -> [String; 2] {
        [Format::Wide, Format::Narrow].map(|format| heat_svg::draw(self, format, None))
    }
}

/// Figures over one axis for a page, aligned with each other; of each one for wide screens and
/// one for phones.
pub(super) fn inline(figures: &[Figure]) -> Vec<[String; 2]> {
    let frames = [Format::Wide, Format::Narrow].map(|format| Frame::of(figures, format));
    let both = |figure| frames.map(|frame| svg::draw(figure, &frame, None));
    figures.iter().map(both).collect()
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
        let of_queues: &[&str] = &["depth", "lag", "rates", "handlers"];
        for ((model, runs), known) in [
            (fixture::outage(), of_queues),
            (fixture::blocked(), of_queues),
            (fixture::calling(), &["calls"]),
        ] {
            let drawn = || pictures(&model, &runs[0]);
            let names: Vec<_> = drawn().into_iter().map(|figure| figure.name).collect();
            assert_eq!(names, known);
            for (one, again) in drawn().iter().zip(drawn()) {
                let svg = one.svg();
                assert_eq!(svg, again.svg());
                assert_eq!(one.png(), again.png());
                for bad in ["NaN", "inf", "var(", "e-0", "e-1", "e-2"] {
                    let drawing = svg.split("</style>").nth(1).expect("a drawing");
                    assert!(!drawing.contains(bad), "{bad} in {drawing}");
                }
            }
        }
    }
}
