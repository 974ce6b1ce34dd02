//! A metric over one key: a curve, the band of its intervals, the level that is asked of it.
//!
//! Not maps.

use std::fmt::Write;

use super::{Chart, Spot, airy, thinned};
use crate::outcome::Unit;
use crate::report::plot::axis::Ticks;
use crate::report::plot::labels::width;
use crate::report::plot::svg::{Anchor, Format, SMALL, document, segment, text};
use crate::report::sweep::Axis;
use crate::report::sweep::absent;

/// Where a curve is drawn.
struct Frame {
    width: f64,
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
    /// The highest value that fits.
    most: f64,
}

impl Frame {
    fn y(&self, value: f64) -> f64 {
        self.bottom - (self.bottom - self.top - 6.0) * value / self.most
    }
}

/// Draws the curve.
pub(super) fn draw(
    chart: &Chart,
    axis: &Axis,
    spots: &[Spot],
    format: Format,
    style: Option<&str>,
) -> String {
    let (total, high) = match format {
        Format::Wide => (780.0, 260.0),
        Format::Narrow => (360.0, 220.0),
    };
    let levels = chart
        .goals
        .iter()
        .filter(|goal| goal.metric == chart.metric);
    let levels: Vec<(f64, &str)> = levels
        .filter_map(|goal| Some((chart.shown(goal.level?), goal.that.as_str())))
        .collect();
    let tops = spots.iter().flat_map(|spot| {
        let ends = spot.ends.map(|(_, high)| high);
        [spot.value, ends].into_iter().flatten()
    });
    let most = tops
        .map(|value| chart.shown(value))
        .chain(levels.iter().map(|(level, _)| *level))
        .fold(0.0, f64::max);
    let most = if most > 0.0 { most } else { 1.0 };
    let ticks = Ticks::covering(most, 4, chart.quantity());
    let labels = ticks.marks.iter().map(|(_, label)| width(label, SMALL));
    let frame = Frame {
        width: total,
        left: labels.fold(20.0, f64::max) + 14.0,
        right: total - 24.0,
        top: 60.0,
        bottom: 60.0 + high,
        most,
    };
    let mut body = String::new();
    text(&mut body, (2.0, 20.0), "title", Anchor::Start, &chart.title);
    text(
        &mut body,
        (2.0, 44.0),
        "muted",
        Anchor::Start,
        &chart.heading(),
    );
    grid(&mut body, &frame, &ticks, &levels);
    let places = places(axis, &frame);
    band(&mut body, chart, &frame, &places, spots);
    line(&mut body, chart, &frame, &places, spots);
    axis_below(&mut body, &frame, axis, &places);
    let words = in_words(chart, axis, spots);
    let size = (frame.width, frame.bottom + 46.0);
    let id = match format {
        Format::Wide => format!("{}-wide", chart.name()),
        Format::Narrow => format!("{}-narrow", chart.name()),
    };
    document(&id, size, &chart.title, &words, style, &body)
}

fn grid(to: &mut String, frame: &Frame, ticks: &Ticks, levels: &[(f64, &str)]) {
    let across = |y: f64| [(frame.left, y), (frame.right, y)];
    for (value, label) in &ticks.marks {
        let class = if *value > 0.0 { "grid" } else { "axis" };
        let y = frame.y(*value);
        segment(to, class, &across(y));
        text(to, (frame.left - 7.0, y + 4.0), "muted", Anchor::End, label);
    }
    for (level, that) in levels {
        let y = frame.y(*level);
        segment(to, "bound", &across(y));
        let above = if y < frame.top + 24.0 {
            y + 14.0
        } else {
            y - 5.0
        };
        text(to, (frame.right, above), "muted", Anchor::End, that);
    }
}

/// Where each value of the key stands: as its number says; by ratio when the steps grow with it;
/// one beside the other when it has no number.
fn places(axis: &Axis, frame: &Frame) -> Vec<f64> {
    let margin = 8.0;
    let (left, right) = (frame.left + margin, frame.right - margin);
    let last = axis.ticks.len() - 1;
    let even = || (0..=last).map(|place| place as f64 / last.max(1) as f64);
    let numbers: Option<Vec<(f64, Unit)>> = axis.ticks.iter().map(|tick| tick.number).collect();
    let numbers = numbers.filter(|all| {
        all.iter().all(|(_, unit)| *unit == all[0].1) && all.windows(2).all(|it| it[0].0 < it[1].0)
    });
    let shares: Vec<f64> = match numbers {
        None => even().collect(),
        Some(all) => {
            let numbers: Vec<f64> = all.iter().map(|(number, _)| *number).collect();
            let scale: fn(f64) -> f64 = if grows(&numbers) { f64::ln } else { |it| it };
            let (low, high) = (scale(numbers[0]), scale(numbers[last]));
            let share = |number: &f64| (scale(*number) - low) / (high - low);
            numbers.iter().map(share).collect()
        }
    };
    let place = |share: f64| left + (right - left) * share;
    shares.into_iter().map(place).collect()
}

/// Whether the last step is more than ten times the first, and all is above zero.
fn grows(numbers: &[f64]) -> bool {
    let [first, second, .., before, last] = numbers else {
        return false;
    };
    *first > 0.0 && last - before > 10.0 * (second - first)
}

/// The runs of neighbours that have a value.
fn pieces<T>(spots: &[Option<T>]) -> impl Iterator<Item = Vec<&T>> {
    let pieces = spots.split(Option::is_none);
    pieces
        .filter(|piece| !piece.is_empty())
        .map(|piece| piece.iter().flatten().collect())
}

fn band(to: &mut String, chart: &Chart, frame: &Frame, places: &[f64], spots: &[Spot]) {
    let ends = places.iter().zip(spots).map(|(x, spot)| {
        let (low, high) = spot.ends?;
        let y = |value: f64| frame.y(chart.shown(value).clamp(0.0, frame.most));
        Some((*x, y(low), y(high)))
    });
    let ends: Vec<_> = ends.collect();
    for piece in pieces(&ends) {
        let above = piece.iter().map(|(x, _, high)| (*x, *high));
        let below = piece.iter().rev().map(|(x, low, _)| (*x, *low));
        let around: Vec<_> = above.chain(below).collect();
        segment(to, "band", &around);
    }
}

fn line(to: &mut String, chart: &Chart, frame: &Frame, places: &[f64], spots: &[Spot]) {
    let points = places.iter().zip(spots);
    let points: Vec<_> = points
        .map(|(x, spot)| Some((*x, frame.y(chart.shown(spot.value?)))))
        .collect();
    for piece in pieces(&points) {
        let piece: Vec<_> = piece.into_iter().copied().collect();
        segment(to, "line c0", &piece);
    }
    let mut told = false;
    for ((x, _), point) in places.iter().zip(spots).zip(&points) {
        let (class, y) = match point {
            Some((_, y)) => ("spot", *y),
            None => ("open", frame.top),
        };
        let _ = writeln!(
            to,
            "<circle class=\"{class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\"/>"
        );
        if point.is_none() && !told {
            told = true;
            let beside = (x + 7.0, y + 4.0);
            text(to, beside, "muted", Anchor::Start, absent(chart.unit));
        }
    }
}

fn axis_below(to: &mut String, frame: &Frame, axis: &Axis, places: &[f64]) {
    let y = frame.bottom;
    let mut free_from = f64::NEG_INFINITY;
    let labels: Vec<&str> = axis.ticks.iter().map(|tick| tick.text.as_str()).collect();
    let room = (frame.right - frame.left) / labels.len() as f64;
    let every = thinned(&labels, airy, room);
    for (place, (x, label)) in places.iter().zip(labels).enumerate() {
        segment(to, "axis", &[(*x, y), (*x, y + 4.0)]);
        let half = airy(label) / 2.0;
        if place % every == 0 && x - half >= free_from {
            text(to, (*x, y + 18.0), "muted", Anchor::Middle, label);
            free_from = x + half;
        }
    }
    let middle = f64::midpoint(frame.left, frame.right);
    text(to, (middle, y + 38.0), "muted", Anchor::Middle, &axis.key);
}

fn in_words(chart: &Chart, axis: &Axis, spots: &[Spot]) -> String {
    let mut words = format!("{} over {}:", chart.metric, axis.key);
    for (tick, spot) in axis.ticks.iter().zip(spots) {
        let value = spot.value.map(|value| chart.said(value));
        let value = value.unwrap_or_else(|| absent(chart.unit).to_owned());
        let _ = write!(words, " {} at {};", value, tick.text);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_that_grow_are_drawn_by_ratio() {
        assert!(grows(&[1.0, 10.0, 100.0, 1000.0]));
        assert!(!grows(&[48.0, 52.0, 56.0, 60.0]));
        assert!(!grows(&[0.0, 1.0, 10.0, 100.0]));
    }

    #[test]
    fn a_curve_breaks_where_there_is_no_value() {
        let spots = [Some(1), Some(2), None, Some(3), None];
        let pieces: Vec<_> = pieces(&spots).collect();
        assert_eq!(pieces, [vec![&1, &2], vec![&3]]);
    }
}
