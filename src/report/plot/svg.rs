//! A figure as SVG: laid out for a wide page or for a phone, the same bytes every time.
//!
//! Not what is shown, and not colours: those are classes, which a page or the picture's own style
//! gives their meaning.

use std::fmt::Write;

use super::axis::{Quantity, Ticks};
use super::figure::{Bound, Figure, Line, Panel, Stroke};
use super::labels::{cut, spread, width};
use crate::outcome::Unit;
use crate::report::escape::escaped;
use crate::report::number::{plain, seconds};

/// What the picture is laid out for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    /// A page: each line is named at its end.
    Wide,
    /// A phone: the names stand above the lines.
    Narrow,
}

pub(super) const LABEL: f64 = 13.0;
pub(super) const SMALL: f64 = 12.0;
const LINE_GAP: f64 = 17.0;
const SWATCH: f64 = 16.0;
/// The most room for a name.
const MOST_ROOM: f64 = 220.0;

/// The measures of a drawing.
struct Frame {
    format: Format,
    width: f64,
    left: f64,
    right: f64,
    end: f64,
}

impl Frame {
    fn of(figure: &Figure, format: Format) -> Self {
        let longest = |text: &str| width(text, LABEL);
        let (total, right) = match format {
            Format::Wide => {
                let lines = figure.panels.iter().flat_map(|panel| &panel.lines);
                let bounds = figure.panels.iter().flat_map(|panel| &panel.bounds);
                let names = lines
                    .map(|line| &line.name)
                    .chain(bounds.map(|bound| &bound.name));
                let widest = names.map(|name| longest(name)).fold(60.0, f64::max);
                (780.0, 780.0 - widest.min(MOST_ROOM) - SWATCH - 10.0)
            }
            Format::Narrow => (360.0, 346.0),
        };
        let ticks = figure.panels.iter().flat_map(|panel| y_ticks(panel).marks);
        let widest = ticks
            .map(|(_, label)| width(&label, SMALL))
            .fold(20.0, f64::max);
        Self {
            format,
            width: total,
            left: widest + 14.0,
            right,
            end: figure.end,
        }
    }

    fn x(&self, seconds: f64) -> f64 {
        self.left + (self.right - self.left) * (seconds / self.end).clamp(0.0, 1.0)
    }
}

fn y_ticks(panel: &Panel) -> Ticks {
    Ticks::covering(panel.top(), 4, panel.quantity)
}

/// Draws `figure`. `style` goes into the picture when it must stand alone.
pub(super) fn draw(figure: &Figure, format: Format, style: Option<&str>) -> String {
    let frame = Frame::of(figure, format);
    let mut body = String::new();
    let mut y = 20.0;
    text(&mut body, (2.0, y), "title", Anchor::Start, &figure.title);
    y += 8.0;
    for (place, panel) in figure.panels.iter().enumerate() {
        y += 20.0;
        text(&mut body, (2.0, y), "muted", Anchor::Start, &panel.heading);
        if frame.format == Format::Narrow {
            y = key(&mut body, &frame, panel, y);
        }
        let strip = if place == 0 && !figure.shades.is_empty() {
            20.0
        } else {
            8.0
        };
        let top = y + strip;
        let bottom = top + height(panel, figure.panels.len(), frame.format);
        shades(&mut body, &frame, figure, (top, bottom), place == 0);
        draw_panel(&mut body, &frame, panel, (top, bottom));
        y = bottom;
    }
    time_axis(&mut body, &frame, y);
    let id = match format {
        Format::Wide => format!("{}-wide", figure.name),
        Format::Narrow => format!("{}-narrow", figure.name),
    };
    let size = (frame.width, y + 30.0);
    document(&id, size, &figure.title, &in_words(figure), style, &body)
}

/// A drawing as a document with its title, and what it shows in words. `style` goes into it when it
/// must stand alone.
pub(super) fn document(
    id: &str,
    (wide, high): (f64, f64),
    title: &str,
    words: &str,
    style: Option<&str>,
    body: &str,
) -> String {
    let style = style.map(|style| {
        format!(
            "<style>\n{style}</style>\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n"
        )
    });
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"plot\" \
         viewBox=\"0 0 {wide:.0} {high:.0}\" width=\"{wide:.0}\" height=\"{high:.0}\" role=\"img\" \
         aria-labelledby=\"{id}-title {id}-what\">\n\
         <title id=\"{id}-title\">{}</title>\n<desc id=\"{id}-what\">{}</desc>\n{}{body}</svg>\n",
        escaped(title),
        escaped(words),
        style.unwrap_or_default(),
    )
}

fn height(panel: &Panel, panels: usize, format: Format) -> f64 {
    let least = match (panels, format) {
        (1, Format::Wide) => 260.0,
        (1, Format::Narrow) => 220.0,
        _ => 150.0,
    };
    let labels = panel.lines.len() + panel.bounds.len();
    f64::max(least, LINE_GAP * labels as f64)
}

/// What the picture shows, for those who cannot see it.
fn in_words(figure: &Figure) -> String {
    let mut words = String::new();
    for panel in &figure.panels {
        let show = |value: f64| match panel.quantity {
            Quantity::Time => seconds(value),
            Quantity::Number => plain(value, Unit::Number),
        };
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
        let (from, to) = (seconds(shade.from), seconds(shade.to));
        let _ = write!(words, "{} from {from} to {to}. ", shade.label);
    }
    words.trim_end().to_owned()
}

#[derive(Clone, Copy)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

pub(super) fn text(to: &mut String, (x, y): (f64, f64), class: &str, anchor: Anchor, words: &str) {
    let anchor = match anchor {
        Anchor::Start => "",
        Anchor::Middle => " text-anchor=\"middle\"",
        Anchor::End => " text-anchor=\"end\"",
    };
    let class = if class.is_empty() {
        String::new()
    } else {
        format!(" class=\"{class}\"")
    };
    let words = escaped(words);
    let _ = writeln!(
        to,
        "<text x=\"{x:.1}\" y=\"{y:.1}\"{class}{anchor}>{words}</text>"
    );
}

pub(super) fn segment(to: &mut String, class: &str, points: &[(f64, f64)]) {
    let _ = write!(to, "<path class=\"{class}\" d=\"");
    for (place, (x, y)) in points.iter().enumerate() {
        let _ = write!(to, "{}{x:.1} {y:.1}", if place == 0 { 'M' } else { 'L' });
    }
    to.push_str("\"/>\n");
}

/// Shaded spans of time, the first of each name named above the first panel where there is room.
fn shades(to: &mut String, frame: &Frame, figure: &Figure, (top, bottom): (f64, f64), named: bool) {
    let mut free_from = frame.left;
    let mut told: Vec<&str> = Vec::new();
    for shade in &figure.shades {
        let (from, until) = (frame.x(shade.from), frame.x(shade.to));
        let wide = f64::max(until - from, 1.0);
        let high = bottom - top;
        let _ = writeln!(
            to,
            "<rect class=\"down\" x=\"{from:.1}\" y=\"{top:.1}\" width=\"{wide:.1}\" \
             height=\"{high:.1}\"/>"
        );
        let needed = width(&shade.label, SMALL);
        let start = f64::max(f64::midpoint(from, until) - needed / 2.0, free_from);
        let is_new = named && !told.contains(&shade.label.as_str());
        if is_new && start + needed <= frame.width && start < until + 4.0 {
            told.push(&shade.label);
            text(to, (start, top - 5.0), "muted", Anchor::Start, &shade.label);
            free_from = start + needed + 8.0;
        }
    }
}

fn draw_panel(to: &mut String, frame: &Frame, panel: &Panel, (top, bottom): (f64, f64)) {
    let scale = (bottom - top - 4.0) / panel.top();
    let y = |value: f64| bottom - value * scale;
    for (value, label) in y_ticks(panel).marks {
        let class = if value > 0.0 { "grid" } else { "axis" };
        segment(
            to,
            class,
            &[(frame.left, y(value)), (frame.right, y(value))],
        );
        text(
            to,
            (frame.left - 7.0, y(value) + 4.0),
            "muted",
            Anchor::End,
            &label,
        );
    }
    for bound in &panel.bounds {
        segment(
            to,
            &of_bound(bound),
            &[(frame.left, y(bound.value)), (frame.right, y(bound.value))],
        );
    }
    for line in &panel.lines {
        let points: Vec<_> = line
            .points
            .iter()
            .map(|&(at, value)| (frame.x(at), y(value)))
            .collect();
        segment(to, &classes(line), &straightened(&points));
    }
    match frame.format {
        Format::Wide => names_at_the_ends(to, frame, panel, top, y),
        Format::Narrow => {}
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
        segment(
            to,
            &class,
            &[(x, end), (x + 4.0, end), (x + SWATCH - 2.0, place)],
        );
        let name = cut(name, LABEL, MOST_ROOM);
        text(
            to,
            (x + SWATCH + 2.0, place + 4.5),
            "",
            Anchor::Start,
            &name,
        );
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
        segment(to, &class, &[(x, y - 4.0), (x + SWATCH, y - 4.0)]);
        text(to, (x + SWATCH + 4.0, y), "", Anchor::Start, &name);
        x += needed + 10.0;
    }
    y
}

fn time_axis(to: &mut String, frame: &Frame, y: f64) {
    let most = match frame.format {
        Format::Wide => 8,
        Format::Narrow => 5,
    };
    for (at, label) in Ticks::covering(frame.end, most, Quantity::Time).marks {
        let x = frame.x(at);
        segment(to, "axis", &[(x, y), (x, y + 4.0)]);
        let half = width(&label, SMALL) / 2.0;
        let x = f64::min(x, frame.width - half);
        text(to, (x, y + 18.0), "muted", Anchor::Middle, &label);
    }
}

/// Without the points that lie on a straight line between their neighbours, to a tenth of the
/// drawing's unit: what is left looks the same.
fn straightened(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let mut kept: Vec<(f64, f64)> = Vec::new();
    for &point in points {
        while let [.., before, middle] = kept[..] {
            let across = (middle.0 - before.0) * (point.1 - before.1)
                - (middle.1 - before.1) * (point.0 - before.0);
            let along = (point.0 - before.0).hypot(point.1 - before.1);
            let is_between = (before.0..=point.0).contains(&middle.0)
                && (f64::min(before.1, point.1)..=f64::max(before.1, point.1)).contains(&middle.1);
            if across.abs() > 0.02 * along || !is_between {
                break;
            }
            kept.pop();
        }
        kept.push(point);
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::straightened;

    #[test]
    fn a_straight_line_needs_two_points_and_a_corner_stays() {
        let ramp: Vec<_> = (0..=100)
            .map(|x| (f64::from(x), f64::from(x) * 2.0))
            .collect();
        assert_eq!(straightened(&ramp), [(0.0, 0.0), (100.0, 200.0)]);
        let corner = [(0.0, 0.0), (10.0, 20.0), (20.0, 0.0)];
        assert_eq!(straightened(&corner), corner);
        let spike = [(0.0, 0.0), (5.0, 0.0), (5.0, 50.0), (5.0, 0.0), (9.0, 0.0)];
        assert_eq!(straightened(&spike), spike);
    }
}
