//! What a drawing is made of: texts, paths, and paths that have no more points than can be seen.
//!
//! Not where they are.

use std::fmt::Write;

use crate::report::escape::escaped;

/// On which side of its place a text stands.
#[derive(Clone, Copy, Debug)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// A text. `attributes` are written as they are: `class="muted"`.
pub(super) fn text(
    to: &mut String,
    (x, y): (f64, f64),
    attributes: &str,
    anchor: Anchor,
    words: &str,
) {
    let anchor = match anchor {
        Anchor::Start => "",
        Anchor::Middle => " text-anchor=\"middle\"",
        Anchor::End => " text-anchor=\"end\"",
    };
    let space = if attributes.is_empty() { "" } else { " " };
    let words = escaped(words);
    let _ = writeln!(
        to,
        "<text x=\"{x:.1}\" y=\"{y:.1}\"{space}{attributes}{anchor}>{words}</text>"
    );
}

/// Lines from point to point. `attributes` are written as they are.
pub(super) fn segment(to: &mut String, attributes: &str, points: &[(f64, f64)]) {
    let _ = writeln!(to, "<path {attributes} d=\"{}\"/>", way(points));
}

/// The inside of a line there and one back.
pub(super) fn area(to: &mut String, attributes: &str, points: &[(f64, f64)]) {
    let _ = writeln!(to, "<path {attributes} d=\"{}Z\"/>", way(points));
}

fn way(points: &[(f64, f64)]) -> String {
    let mut way = String::new();
    for (place, (x, y)) in points.iter().enumerate() {
        let _ = write!(way, "{}{x:.1} {y:.1}", if place == 0 { 'M' } else { 'L' });
    }
    way
}

/// Without the points that lie on a straight line between their neighbours, to a tenth of the
/// drawing's unit: what is left looks the same.
pub(super) fn straightened(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
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
