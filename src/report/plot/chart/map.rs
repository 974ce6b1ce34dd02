//! A metric over two keys: a cell for each point, the darker the more, and the line along which the
//! objectives begin to be met.
//!
//! Not smoothed: nothing is drawn between the points that were computed.

use std::fmt::Write;

use super::{Chart, Spot, airy, colour, thinned};
use crate::outcome::Unit;
use crate::report::plot::labels::{cut, width};
use crate::report::plot::svg::{Anchor, Format, LABEL, SMALL, document, segment, text};
use crate::report::sweep::{Axis, absent};

/// Where the cells are.
struct Frame {
    width: f64,
    left: f64,
    top: f64,
    /// The size of a cell.
    wide: f64,
    high: f64,
    columns: usize,
    rows: usize,
}

impl Frame {
    fn of(upwards: &Axis, columns: usize, format: Format) -> Self {
        let rows = upwards.ticks.len();
        let labels = upwards.ticks.iter().map(|tick| width(&tick.text, SMALL));
        let left = labels.fold(20.0, f64::max) + 14.0;
        let (total, legend, room) = match format {
            Format::Wide => (780.0, 130.0, 360.0),
            Format::Narrow => (360.0, 14.0, 300.0),
        };
        Self {
            width: total,
            left,
            top: 78.0,
            wide: (total - legend - left) / columns as f64,
            high: (room / rows as f64).clamp(12.0, 40.0),
            columns,
            rows,
        }
    }

    fn x(&self, column: usize) -> f64 {
        self.left + self.wide * column as f64
    }

    /// The upper side of a row; the first is at the bottom.
    fn y(&self, row: usize) -> f64 {
        self.top + self.high * (self.rows - 1 - row) as f64
    }

    fn bottom(&self) -> f64 {
        self.top + self.high * self.rows as f64
    }

    fn right(&self) -> f64 {
        self.x(self.columns)
    }
}

/// The least and the most value of all.
struct Span {
    low: f64,
    high: f64,
}

impl Span {
    fn of(columns: &[Vec<Spot>]) -> Option<Self> {
        let values = || columns.iter().flatten().filter_map(|spot| spot.value);
        let low = values().fold(f64::INFINITY, f64::min);
        let high = values().fold(f64::NEG_INFINITY, f64::max);
        (low <= high).then_some(Self { low, high })
    }

    /// Whether all values are the same, but for the rounding of a sum.
    fn is_flat(&self) -> bool {
        self.high - self.low <= 1e-12 * self.high.abs()
    }

    fn share(&self, value: f64) -> f64 {
        if self.is_flat() {
            0.5
        } else {
            (value - self.low) / (self.high - self.low)
        }
    }
}

/// Draws the map.
pub(super) fn draw(
    chart: &Chart,
    across: &Axis,
    upwards: &Axis,
    columns: &[Vec<Spot>],
    format: Format,
    style: Option<&str>,
) -> String {
    let frame = Frame::of(upwards, columns.len(), format);
    let span = Span::of(columns);
    let mut body = String::new();
    text(&mut body, (2.0, 20.0), "title", Anchor::Start, &chart.title);
    text(
        &mut body,
        (2.0, 44.0),
        "muted",
        Anchor::Start,
        &chart.heading(),
    );
    text(&mut body, (2.0, 66.0), "muted", Anchor::Start, &upwards.key);
    cells(&mut body, chart, &frame, columns, span.as_ref());
    if !chart.goals.is_empty() {
        boundary(&mut body, &frame, columns);
    }
    axes(&mut body, &frame, across, upwards);
    let bottom = match format {
        Format::Wide => {
            let gaps = columns.iter().flatten().any(|spot| spot.value.is_none());
            let y = legend(&mut body, chart, &frame, span.as_ref());
            if gaps {
                without_value(&mut body, chart, &frame, y);
            }
            f64::max(frame.bottom() + 46.0, frame.top + 156.0)
        }
        Format::Narrow => {
            let lines = range_in_words(chart, span.as_ref());
            let at = (2.0, frame.bottom() + 58.0);
            text(&mut body, at, "muted", Anchor::Start, &lines);
            frame.bottom() + 66.0
        }
    };
    let bottom = asked(&mut body, chart, &frame, bottom);
    let id = match format {
        Format::Wide => format!("{}-wide", chart.name()),
        Format::Narrow => format!("{}-narrow", chart.name()),
    };
    let words = in_words(chart, across, upwards, columns, span.as_ref());
    document(
        &id,
        (frame.width, bottom),
        &chart.title,
        &words,
        style,
        &body,
    )
}

fn cells(
    to: &mut String,
    chart: &Chart,
    frame: &Frame,
    columns: &[Vec<Spot>],
    span: Option<&Span>,
) {
    let (wide, high) = (frame.wide, frame.high);
    for (column, spots) in columns.iter().enumerate() {
        for (row, spot) in spots.iter().enumerate() {
            let (x, y) = (frame.x(column), frame.y(row));
            let rect =
                format!("x=\"{x:.1}\" y=\"{y:.1}\" width=\"{wide:.1}\" height=\"{high:.1}\"");
            let share = spot.value.zip(span).map(|(value, span)| span.share(value));
            let _ = match share {
                Some(share) => {
                    let fill = colour::of(share);
                    writeln!(to, "<rect class=\"cell\" {rect} fill=\"{fill}\"/>")
                }
                None => writeln!(to, "<rect class=\"absent\" {rect}/>"),
            };
            let said = match spot.value {
                Some(value) => chart.said(value),
                None => absent(chart.unit).to_owned(),
            };
            let worth = spot.value.is_some() || chart.unit == Unit::Instant;
            if worth && high >= 16.0 && width(&said, 11.0) + 14.0 <= wide {
                let class = match share {
                    Some(share) if colour::is_dark(share) => "ondark",
                    Some(_) => "onlight",
                    None => "muted",
                };
                let middle = (x + wide / 2.0, y + high / 2.0 + 4.0);
                text(to, middle, class, Anchor::Middle, &said);
            }
            if spot.met && !chart.goals.is_empty() {
                dot(to, (x + wide - 5.5, y + 5.5));
            }
        }
    }
}

fn dot(to: &mut String, (x, y): (f64, f64)) {
    let _ = writeln!(
        to,
        "<circle class=\"met\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"2.5\"/>"
    );
}

/// The sides between cells where the objectives are met and cells where they are not.
fn boundary(to: &mut String, frame: &Frame, columns: &[Vec<Spot>]) {
    for (column, spots) in columns.iter().enumerate() {
        for (row, spot) in spots.iter().enumerate() {
            let (x, y) = (frame.x(column), frame.y(row));
            let right = columns.get(column + 1).map(|spots| &spots[row]);
            if right.is_some_and(|other| other.met != spot.met) {
                let x = x + frame.wide;
                segment(to, "edge", &[(x, y), (x, y + frame.high)]);
            }
            if spots
                .get(row + 1)
                .is_some_and(|other| other.met != spot.met)
            {
                segment(to, "edge", &[(x, y), (x + frame.wide, y)]);
            }
        }
    }
}

fn axes(to: &mut String, frame: &Frame, across: &Axis, upwards: &Axis) {
    let labels: Vec<&str> = across.ticks.iter().map(|tick| tick.text.as_str()).collect();
    let every = thinned(&labels, airy, frame.wide);
    for (column, label) in labels.into_iter().enumerate().step_by(every) {
        let at = (frame.x(column) + frame.wide / 2.0, frame.bottom() + 16.0);
        text(to, at, "muted", Anchor::Middle, label);
    }
    let middle = f64::midpoint(frame.left, frame.right());
    let below = (middle, frame.bottom() + 36.0);
    text(to, below, "muted", Anchor::Middle, &across.key);
    let labels: Vec<&str> = upwards
        .ticks
        .iter()
        .map(|tick| tick.text.as_str())
        .collect();
    let every = thinned(&labels, |_| 16.0, frame.high);
    for (row, label) in labels.into_iter().enumerate().step_by(every) {
        let at = (frame.left - 7.0, frame.y(row) + frame.high / 2.0 + 4.0);
        text(to, at, "muted", Anchor::End, label);
    }
}

/// The scale of the colours, beside the cells. Returns where it ends.
fn legend(to: &mut String, chart: &Chart, frame: &Frame, span: Option<&Span>) -> f64 {
    const STEPS: usize = 20;
    let Some(span) = span else { return frame.top };
    let (x, high) = (frame.right() + 16.0, 6.0);
    for step in 0..STEPS {
        let even = 1.0 - step as f64 / (STEPS - 1) as f64;
        let share = if span.is_flat() {
            span.share(span.high)
        } else {
            even
        };
        let (fill, y) = (colour::of(share), frame.top + high * step as f64);
        let _ = writeln!(
            to,
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"14\" height=\"{high:.1}\" fill=\"{fill}\"/>"
        );
    }
    let bottom = frame.top + high * STEPS as f64;
    let ends = [(frame.top + 10.0, span.high), (bottom, span.low)];
    for (y, value) in ends {
        let said = chart.said(value);
        text(to, (x + 20.0, y), "muted", Anchor::Start, &said);
    }
    bottom + 12.0
}

/// What a cell without a value looks like.
fn without_value(to: &mut String, chart: &Chart, frame: &Frame, y: f64) {
    let x = frame.right() + 16.0;
    let _ = writeln!(
        to,
        "<rect class=\"absent\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"14\" height=\"14\"/>"
    );
    let said = absent(chart.unit);
    text(to, (x + 20.0, y + 11.0), "muted", Anchor::Start, said);
}

/// What the dots and the line mean, below everything. Returns where the drawing ends.
fn asked(to: &mut String, chart: &Chart, frame: &Frame, bottom: f64) -> f64 {
    if chart.goals.is_empty() {
        return bottom;
    }
    let y = bottom + 8.0;
    segment(to, "edge", &[(4.0, y - 4.0), (22.0, y - 4.0)]);
    dot(to, (32.0, y - 4.0));
    let words = format!("met: {}", chart.asked());
    let words = cut(&words, LABEL, frame.width - 46.0);
    text(to, (42.0, y), "muted", Anchor::Start, &words);
    y + 14.0
}

fn range_in_words(chart: &Chart, span: Option<&Span>) -> String {
    match span {
        Some(span) => format!(
            "light {}, dark {}",
            chart.said(span.low),
            chart.said(span.high)
        ),
        None => absent(chart.unit).to_owned(),
    }
}

fn in_words(
    chart: &Chart,
    across: &Axis,
    upwards: &Axis,
    columns: &[Vec<Spot>],
    span: Option<&Span>,
) -> String {
    let spots = || columns.iter().flatten();
    let (all, met) = (spots().count(), spots().filter(|spot| spot.met).count());
    let without = spots().filter(|spot| spot.value.is_none()).count();
    let mut words = format!(
        "{} over {} and {}: {}.",
        chart.metric,
        across.key,
        upwards.key,
        range_in_words(chart, span)
    );
    if without > 0 {
        let _ = write!(
            words,
            " {} at {without} of {all} points.",
            absent(chart.unit)
        );
    }
    if !chart.goals.is_empty() {
        let _ = write!(words, " {} is met at {met} of {all} points.", chart.asked());
    }
    words
}
