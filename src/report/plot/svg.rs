//! A figure as SVG: laid out for a wide page or for a phone, the same bytes every time.
//!
//! Not what is shown, and not colours: those are classes, which a page or the picture's own style
//! gives their meaning. What the script of a page moves is marked with `data-` attributes.

use std::fmt::Write;

use super::axis::{Marks, Quantity, Ticks};
use super::figure::{Bound, Figure, Line, Panel, Shade, Shape, Stroke};
use super::labels::{cut, spread, width};
use super::pen::{Anchor, area, segment, straightened, text};
use crate::report::escape::escaped;

/// What the picture is laid out for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    /// A page: each line is named at its end.
    Wide,
    /// A phone: the names stand above the lines.
    Narrow,
}

impl Format {
    /// The word for it in the names of parts of a page.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Wide => "wide",
            Self::Narrow => "narrow",
        }
    }
}

const LABEL: f64 = 13.0;
const SMALL: f64 = 12.0;
const LINE_GAP: f64 = 17.0;
const SWATCH: f64 = 16.0;
/// The most room for a name.
const MOST_ROOM: f64 = 220.0;

/// The measures that pictures share, so that the same instant is at the same place in all.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    format: Format,
    width: f64,
    left: f64,
    right: f64,
}

impl Frame {
    /// The frame into which all these figures fit.
    pub(super) fn of(figures: &[Figure], format: Format) -> Self {
        let panels = || figures.iter().flat_map(|figure| &figure.panels);
        let (total, right) = match format {
            Format::Wide => {
                let lines = panels().flat_map(|panel| &panel.lines);
                let bounds = panels().flat_map(|panel| &panel.bounds);
                let names = lines
                    .map(|line| &line.name)
                    .chain(bounds.map(|bound| &bound.name));
                let widest = names.map(|name| width(name, LABEL)).fold(60.0, f64::max);
                (780.0, 780.0 - widest.min(MOST_ROOM) - SWATCH - 10.0)
            }
            Format::Narrow => (360.0, 346.0),
        };
        let ticks = panels().flat_map(|panel| y_ticks(panel).marks);
        let widest = ticks
            .map(|(_, label)| width(&label, SMALL))
            .fold(20.0, f64::max);
        Self {
            format,
            width: total,
            left: widest + 14.0,
            right,
        }
    }

    fn x(&self, figure: &Figure, place: f64) -> f64 {
        let (from, to) = (figure.axis.from, figure.axis.to);
        let share = if to > from {
            (place - from) / (to - from)
        } else {
            0.0
        };
        self.left + (self.right - self.left) * share.clamp(0.0, 1.0)
    }
}

fn y_ticks(panel: &Panel) -> Ticks {
    Ticks::covering(panel.top(), 4, panel.quantity)
}

/// Draws `figure`. `style` goes into the picture when it must stand alone.
pub(super) fn draw(figure: &Figure, frame: &Frame, style: Option<&str>) -> String {
    let mut body = String::new();
    let mut y = 20.0;
    text(
        &mut body,
        (2.0, y),
        "class=\"title\"",
        Anchor::Start,
        &figure.title,
    );
    y += 8.0;
    for (place, panel) in figure.panels.iter().enumerate() {
        y += 20.0;
        let heading = cut(&panel.heading, SMALL, frame.width - 4.0);
        text(
            &mut body,
            (2.0, y),
            "class=\"muted\"",
            Anchor::Start,
            &heading,
        );
        if frame.format == Format::Narrow {
            y = key(&mut body, frame, panel, y);
        }
        let strip = if place == 0 && !figure.shades.is_empty() {
            20.0
        } else {
            8.0
        };
        let top = y + strip;
        let bottom = top + height(panel, figure.panels.len(), frame.format);
        let most = panel.top();
        let _ = writeln!(
            body,
            "<g class=\"panel\" data-top=\"{top:.1}\" data-bottom=\"{bottom:.1}\" \
             data-most=\"{most}\">"
        );
        shades(&mut body, frame, figure, (top, bottom), place == 0);
        draw_panel(&mut body, frame, figure, panel, (top, bottom));
        body.push_str("</g>\n");
        y = bottom;
    }
    let high = below(&mut body, frame, figure, y);
    let name = safe(&figure.name);
    let id = format!("{name}-{}", frame.format.word());
    let style = style.map(|style| {
        format!(
            "<style>\n{style}</style>\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n"
        )
    });
    let Frame {
        width, left, right, ..
    } = frame;
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"plot\" \
         viewBox=\"0 0 {width:.0} {high:.0}\" width=\"{width:.0}\" height=\"{high:.0}\" \
         role=\"img\" \
         aria-labelledby=\"{id}-title {id}-what\" data-figure=\"{name}\" data-left=\"{left:.1}\" \
         data-right=\"{right:.1}\">\n\
         <title id=\"{id}-title\">{}</title>\n<desc id=\"{id}-what\">{}</desc>\n{}{body}</svg>\n",
        escaped(&figure.title),
        escaped(&in_words(figure)),
        style.unwrap_or_default(),
    )
}

/// A name that can be an anchor, and stand in an attribute.
pub(in crate::report) fn safe(name: &str) -> String {
    let keep = |letter: char| letter.is_alphanumeric() || ".-_".contains(letter);
    let letters = name.chars();
    letters.map(|it| if keep(it) { it } else { '-' }).collect()
}

fn height(panel: &Panel, panels: usize, format: Format) -> f64 {
    let least = match (panels, format) {
        (1, Format::Wide) => 260.0,
        (1, Format::Narrow) => 220.0,
        _ => 150.0,
    };
    match format {
        Format::Wide => {
            let labels = panel.lines.len() + panel.bounds.len();
            f64::max(least, LINE_GAP * labels as f64)
        }
        Format::Narrow => least,
    }
}

/// What the picture shows, for those who cannot see it.
fn in_words(figure: &Figure) -> String {
    let mut words = String::new();
    for panel in &figure.panels {
        let show = |value: f64| panel.quantity.show(value);
        let _ = write!(words, "{}:", panel.heading);
        for line in &panel.lines {
            let (most, last) = (show(line.highest()), show(line.last()));
            let _ = write!(words, " {} at most {most}, at the end {last};", line.name);
        }
        for bound in &panel.bounds {
            let _ = write!(words, " {};", bound.name);
        }
        words.push(' ');
    }
    for shade in &figure.shades {
        let (from, to) = (
            Quantity::Time.show(shade.from),
            Quantity::Time.show(shade.to),
        );
        let _ = write!(words, "{} from {from} to {to}. ", shade.label);
    }
    words.trim_end().to_owned()
}

/// Shaded spans; above the first panel the first of each name is named, as far as there is room
/// until the next name.
fn shades(to: &mut String, frame: &Frame, figure: &Figure, (top, bottom): (f64, f64), named: bool) {
    let x = |place| frame.x(figure, place);
    for (place, shade) in figure.shades.iter().enumerate() {
        let from = x(shade.from);
        let (wide, high) = (f64::max(x(shade.to) - from, 1.0), bottom - top);
        let _ = writeln!(
            to,
            "<rect class=\"down\" data-shade=\"{place}\" x=\"{from:.1}\" y=\"{top:.1}\" \
             width=\"{wide:.1}\" height=\"{high:.1}\"/>"
        );
    }
    let mut names: Vec<(usize, &Shade)> = Vec::new();
    for (place, shade) in figure.shades.iter().enumerate().filter(|_| named) {
        if names.iter().all(|(_, known)| known.label != shade.label) {
            names.push((place, shade));
        }
    }
    let mut free_from = frame.left;
    for (order, (place, shade)) in names.iter().enumerate() {
        let needed = width(&shade.label, SMALL);
        let middle = f64::midpoint(x(shade.from), x(shade.to));
        let next = names
            .get(order + 1)
            .map_or(frame.width, |(_, next)| x(next.from));
        let room = f64::max(next - 8.0 - free_from, 0.0).min(frame.width - free_from);
        let label = cut(&shade.label, SMALL, room);
        // A name of a few letters says nothing.
        if label != shade.label && room < 40.0 {
            continue;
        }
        let needed = f64::min(needed, room);
        let start = f64::min(middle - needed / 2.0, free_from + room - needed).max(free_from);
        let attributes = format!("class=\"muted\" data-shade-name=\"{place}\"");
        text(to, (start, top - 5.0), &attributes, Anchor::Start, &label);
        free_from = start + needed + 8.0;
    }
}

fn draw_panel(
    to: &mut String,
    frame: &Frame,
    figure: &Figure,
    panel: &Panel,
    (top, bottom): (f64, f64),
) {
    let scale = (bottom - top - 4.0) / panel.top();
    let y = |value: f64| bottom - value * scale;
    y_axis(to, frame, panel, y);
    for (place, bound) in panel.bounds.iter().enumerate() {
        let attributes = format!("class=\"{}\" data-bound=\"{place}\"", of_bound(bound));
        let ends = [(frame.left, y(bound.value)), (frame.right, y(bound.value))];
        segment(to, &attributes, &ends);
    }
    let at = |&(place, value): &(f64, f64)| (frame.x(figure, place), y(value));
    for (place, line) in panel.lines.iter().enumerate() {
        if line.band.is_empty() {
            continue;
        }
        let ends = || line.points.iter().zip(&line.band);
        let there = ends().map(|((x, _), (_, high))| at(&(*x, *high)));
        let back = ends().rev().map(|((x, _), (low, _))| at(&(*x, *low)));
        let attributes = format!("class=\"band c{}\" data-band=\"{place}\"", line.colour);
        area(to, &attributes, &there.chain(back).collect::<Vec<_>>());
    }
    for (place, line) in panel.lines.iter().enumerate() {
        let points: Vec<_> = drawn(line).iter().map(at).collect();
        let attributes = format!("class=\"{}\" data-line=\"{place}\"", classes(line));
        segment(to, &attributes, &straightened(&points));
        if line.shape == Shape::Dots {
            for (x, y) in points {
                let colour = line.colour;
                let dot = format!("<circle class=\"dot c{colour}\" cx=\"{x:.1}\" cy=\"{y:.1}\"");
                let _ = writeln!(to, "{dot} r=\"3\"/>");
            }
        }
    }
    match frame.format {
        Format::Wide => names_at_the_ends(to, frame, panel, top, y),
        Format::Narrow => {}
    }
}

fn y_axis(to: &mut String, frame: &Frame, panel: &Panel, y: impl Fn(f64) -> f64) {
    to.push_str("<g class=\"scale\">\n");
    for (value, label) in y_ticks(panel).marks {
        let class = if value > 0.0 { "grid" } else { "axis" };
        let ends = [(frame.left, y(value)), (frame.right, y(value))];
        segment(to, &format!("class=\"{class}\""), &ends);
        let place = (frame.left - 7.0, y(value) + 4.0);
        text(to, place, "class=\"muted\"", Anchor::End, &label);
    }
    to.push_str("</g>\n");
}

/// The points that are joined: those of steps have a corner before each but the first.
fn drawn(line: &Line) -> Vec<(f64, f64)> {
    match line.shape {
        Shape::Slope | Shape::Dots => line.points.clone(),
        Shape::Steps => {
            let first = line.points.first().copied();
            let corner = |pair: &[(f64, f64)]| [(pair[1].0, pair[0].1), pair[1]];
            first
                .into_iter()
                .chain(line.points.windows(2).flat_map(corner))
                .collect()
        }
    }
}

fn classes(line: &Line) -> String {
    match line.stroke {
        Stroke::Solid => format!("line c{}", line.colour),
        Stroke::Dashed => format!("line c{} dashed", line.colour),
    }
}

fn of_bound(bound: &Bound) -> String {
    match bound.colour {
        Some(colour) => format!("bound c{colour}"),
        None => "bound".to_owned(),
    }
}

/// The names of the lines, then of the bounds: in this order the script of a page finds them.
fn names_at_the_ends(
    to: &mut String,
    frame: &Frame,
    panel: &Panel,
    top: f64,
    y: impl Fn(f64) -> f64,
) {
    let lines = panel
        .lines
        .iter()
        .map(|line| (y(line.last()), &line.name, classes(line)));
    let bounds = panel
        .bounds
        .iter()
        .map(|bound| (y(bound.value), &bound.name, of_bound(bound)));
    let entries: Vec<_> = lines.chain(bounds).collect();
    let wanted: Vec<f64> = entries.iter().map(|(end, ..)| *end).collect();
    let places = spread(&wanted, LINE_GAP, top + 4.0, y(0.0));
    for ((end, name, class), place) in entries.into_iter().zip(places) {
        let x = frame.right;
        to.push_str("<g class=\"name\">");
        let way = [(x, end), (x + 4.0, end), (x + SWATCH - 2.0, place)];
        segment(to, &format!("class=\"{class}\""), &way);
        let name = cut(name, LABEL, MOST_ROOM);
        text(
            to,
            (x + SWATCH + 2.0, place + 4.5),
            "",
            Anchor::Start,
            &name,
        );
        to.push_str("</g>\n");
    }
}

/// The names above the lines, in as many rows as they take. Returns where the last one stands.
fn key(to: &mut String, frame: &Frame, panel: &Panel, from: f64) -> f64 {
    let lines = panel.lines.iter().map(|line| (&line.name, classes(line)));
    let bounds = panel
        .bounds
        .iter()
        .map(|bound| (&bound.name, of_bound(bound)));
    let (mut x, mut y) = (2.0, from + LINE_GAP);
    for (name, class) in lines.chain(bounds) {
        let name = cut(name, LABEL, MOST_ROOM);
        let needed = SWATCH + 4.0 + width(&name, LABEL);
        if x > 2.0 && x + needed > frame.width {
            (x, y) = (2.0, y + LINE_GAP);
        }
        let swatch = [(x, y - 4.0), (x + SWATCH, y - 4.0)];
        segment(to, &format!("class=\"{class}\""), &swatch);
        text(to, (x + SWATCH + 4.0, y), "", Anchor::Start, &name);
        x += needed + 10.0;
    }
    y
}

/// The horizontal axis below the last panel. Returns how high the picture is.
fn below(to: &mut String, frame: &Frame, figure: &Figure, y: f64) -> f64 {
    let most = match frame.format {
        Format::Wide => 8,
        Format::Narrow => 5,
    };
    let axis = &figure.axis;
    let marks = match &axis.marks {
        Marks::Clock => Ticks::covering(axis.to, most, Quantity::Time).marks,
        Marks::At(marks) => marks.clone(),
    };
    to.push_str("<g class=\"along\">\n");
    let mut free_from = 0.0;
    for (at, label) in marks {
        let x = frame.x(figure, at);
        let half = width(&label, SMALL) / 2.0;
        let middle = f64::min(x, frame.width - half);
        if middle - half < free_from {
            continue;
        }
        free_from = middle + half + 6.0;
        segment(to, "class=\"axis\"", &[(x, y), (x, y + 4.0)]);
        text(
            to,
            (middle, y + 18.0),
            "class=\"muted\"",
            Anchor::Middle,
            &label,
        );
    }
    to.push_str("</g>\n");
    if axis.name.is_empty() {
        return y + 30.0;
    }
    let place = (f64::midpoint(frame.left, frame.right), y + 36.0);
    text(to, place, "class=\"muted\"", Anchor::Middle, &axis.name);
    y + 46.0
}
