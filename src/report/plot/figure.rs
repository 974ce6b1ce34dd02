//! A figure as plain data: panels over one axis of time, lines, bounds, and shaded spans.
//!
//! Not a drawing: [`super::svg`] lays it out.

use super::axis::Quantity;

/// How many colours the palette has.
pub(super) const COLOURS: usize = 7;

/// A picture.
#[derive(Clone, Debug)]
pub(super) struct Figure {
    /// The name of its file, without the ending: `depth`.
    pub(super) name: &'static str,
    /// What is shown.
    pub(super) title: String,
    /// Where the axis of time ends, in seconds.
    pub(super) end: f64,
    /// When something was down.
    pub(super) shades: Vec<Shade>,
    /// From the top.
    pub(super) panels: Vec<Panel>,
}

/// A span of time in which something was down.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Shade {
    pub(super) from: f64,
    pub(super) to: f64,
    pub(super) label: String,
}

/// Lines over one vertical axis.
#[derive(Clone, Debug)]
pub(super) struct Panel {
    /// What the vertical axis counts: `messages`.
    pub(super) heading: String,
    pub(super) quantity: Quantity,
    pub(super) lines: Vec<Line>,
    pub(super) bounds: Vec<Bound>,
}

/// A line over time.
#[derive(Clone, Debug)]
pub(super) struct Line {
    pub(super) name: String,
    /// Which colour of the palette.
    pub(super) colour: usize,
    pub(super) stroke: Stroke,
    /// Seconds and values.
    pub(super) points: Vec<(f64, f64)>,
}

/// How a line is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stroke {
    Solid,
    /// So that what lies under it can be seen.
    Dashed,
}

/// A level that cannot be passed.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Bound {
    pub(super) name: String,
    pub(super) value: f64,
    /// The colour of the only line that it holds for.
    pub(super) colour: Option<usize>,
}

impl Line {
    /// Its highest value.
    pub(super) fn highest(&self) -> f64 {
        self.points
            .iter()
            .map(|(_, value)| *value)
            .fold(0.0, f64::max)
    }

    /// Its last value.
    pub(super) fn last(&self) -> f64 {
        self.points.last().map_or(0.0, |(_, value)| *value)
    }
}

impl Panel {
    /// The highest value of any line.
    pub(super) fn highest(&self) -> f64 {
        self.lines.iter().map(Line::highest).fold(0.0, f64::max)
    }

    /// The highest value to be drawn; one for a panel of zeros.
    pub(super) fn top(&self) -> f64 {
        let top = self
            .bounds
            .iter()
            .map(|bound| bound.value)
            .fold(self.highest(), f64::max);
        if top > 0.0 { top } else { 1.0 }
    }
}
