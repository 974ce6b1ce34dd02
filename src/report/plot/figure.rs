//! A figure as plain data: panels over one horizontal axis, lines, bands, bounds, shaded spans.
//!
//! Not a drawing: the layout lies with `svg`, and colours with the page.

use super::axis::Axis;
pub use super::axis::Quantity;

/// How many colours the palette has.
pub const COLOURS: usize = 7;

/// A picture.
#[derive(Clone, Debug)]
pub struct Figure {
    /// The name of its file, without the ending, and of its parts in a page: `depth`. Lower-case
    /// letters, digits and hyphens, once in a page.
    pub name: String,
    /// What is shown.
    pub title: String,
    /// What lies from left to right.
    pub axis: Axis,
    /// When something was down.
    pub shades: Vec<Shade>,
    /// From the top.
    pub panels: Vec<Panel>,
}

/// A span of the horizontal axis in which something was down.
#[derive(Clone, Debug, PartialEq)]
pub struct Shade {
    /// Where it begins.
    pub from: f64,
    /// Where it ends.
    pub to: f64,
    /// What was down.
    pub label: String,
}

/// Lines over one vertical axis.
#[derive(Clone, Debug)]
pub struct Panel {
    /// What the vertical axis counts, in its unit: `messages`.
    pub heading: String,
    /// How its numbers are written.
    pub quantity: Quantity,
    /// The lines, the lowest layer first.
    pub lines: Vec<Line>,
    /// Levels that are drawn across.
    pub bounds: Vec<Bound>,
}

/// A line from left to right.
#[derive(Clone, Debug)]
pub struct Line {
    /// What it is called at its end.
    pub name: String,
    /// Which colour of the palette.
    pub colour: usize,
    /// How it is drawn.
    pub stroke: Stroke,
    /// What lies between its points.
    pub shape: Shape,
    /// Places on the horizontal axis, in order, and values.
    pub points: Vec<(f64, f64)>,
    /// The ends of the interval of each point, low and high; empty for a line without intervals.
    pub band: Vec<(f64, f64)>,
}

/// How a line is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stroke {
    /// Through.
    Solid,
    /// So that what lies under it can be seen.
    Dashed,
}

/// What lies between the points of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A straight line.
    Slope,
    /// The value of the point on the left; the last point says only where the last step ends.
    Steps,
    /// A straight line that leads the eye, and a dot at each point: nothing was measured between.
    Dots,
}

/// A level that cannot be passed, or should not be.
#[derive(Clone, Debug, PartialEq)]
pub struct Bound {
    /// What it is called at its end: `bound 100,000`.
    pub name: String,
    /// Where it is.
    pub value: f64,
    /// The colour of the only line that it holds for.
    pub colour: Option<usize>,
}

impl Line {
    /// A solid line without intervals.
    pub fn new(name: &str, colour: usize, shape: Shape, points: Vec<(f64, f64)>) -> Self {
        Self {
            name: name.to_owned(),
            colour: colour % COLOURS,
            stroke: Stroke::Solid,
            shape,
            points,
            band: Vec::new(),
        }
    }

    /// Its highest value, its intervals included.
    pub(in crate::report) fn highest(&self) -> f64 {
        let values = self.points.iter().map(|(_, value)| *value);
        let ends = self.band.iter().map(|(_, high)| *high);
        values.chain(ends).fold(0.0, f64::max)
    }

    /// Its last value.
    pub(in crate::report) fn last(&self) -> f64 {
        self.points.last().map_or(0.0, |(_, value)| *value)
    }

    /// Its value at a place of the horizontal axis; `None` before its first point, and behind its
    /// last one.
    pub(in crate::report) fn at(&self, place: f64) -> Option<f64> {
        let after = self.points.partition_point(|(x, _)| *x <= place);
        let (left, value) = *self.points.get(after.checked_sub(1)?)?;
        let Some((right, next)) = self.points.get(after) else {
            return (place <= left).then_some(value);
        };
        Some(match self.shape {
            Shape::Steps => value,
            Shape::Slope | Shape::Dots => value + (next - value) * (place - left) / (right - left),
        })
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_the_value_that_is_drawn() {
        let points = vec![(0.0, 10.0), (2.0, 20.0), (4.0, 20.0)];
        let slope = Line::new("", 0, Shape::Slope, points.clone());
        let steps = Line::new("", 0, Shape::Steps, points);
        for (place, sloping, stepping) in [
            (-1.0, None, None),
            (0.0, Some(10.0), Some(10.0)),
            (1.0, Some(15.0), Some(10.0)),
            (2.0, Some(20.0), Some(20.0)),
            (4.0, Some(20.0), Some(20.0)),
            (5.0, None, None),
        ] {
            assert_eq!(slope.at(place), sloping, "{place}");
            assert_eq!(steps.at(place), stepping, "{place}");
        }
    }
}
