//! The pictures of a comparison: the same queue in each arm, on one axis.
//!
//! Not one picture an arm: those are in [`super::pictures`].

use super::axis::{Axis, Quantity};
use super::figure::{Bound, COLOURS, Figure, Line, Panel, Shade, Shape, Stroke};
use super::pictures::{Counted, shades, stairs, steps};
use crate::model::{Model, Queue};
use crate::outcome::{RunRecord, Sample, Series};
use crate::report::names::{Names, last_part};
use crate::report::number::count;

/// One arm of a comparison: its letter, and its first run.
#[derive(Clone, Copy, Debug)]
pub struct Overlaid<'a> {
    /// What it is called.
    pub letter: char,
    /// What was run.
    pub model: &'a Model,
    /// What came of it.
    pub run: &'a RunRecord,
}

/// One queue in one arm.
struct Drawn<'a> {
    letter: char,
    colour: usize,
    queue: &'a Queue,
    samples: &'a [Sample],
    series: &'a Series,
    end: f64,
}

/// All pictures of a comparison; none when no run has a series.
pub(super) fn all(arms: &[Overlaid<'_>]) -> Vec<Figure> {
    let mut names: Vec<&str> = Vec::new();
    for queue in arms.iter().flat_map(|arm| &arm.model.queues) {
        if !names.contains(&queue.name.as_str()) {
            names.push(&queue.name);
        }
    }
    let queues: Vec<Vec<Drawn<'_>>> = names.iter().map(|name| drawn(arms, name)).collect();
    let ends = queues.iter().flatten().map(|drawn| drawn.end);
    let end = ends.fold(0.0, f64::max);
    if end <= 0.0 {
        return Vec::new();
    }
    let shades = shaded(arms);
    let figure = |name: &str, title: &str, make: fn(&[Drawn<'_>]) -> Vec<Panel>| Figure {
        name: name.to_owned(),
        title: title.to_owned(),
        axis: Axis::time(end),
        shades: shades.clone(),
        panels: queues.iter().flat_map(|drawn| make(drawn)).collect(),
    };
    vec![
        figure("depth", "Messages waiting", depth),
        figure("lag", "Age of the oldest waiting message", lag),
        figure("rates", "Rates", rates),
    ]
}

/// A queue in every arm that has it.
fn drawn<'a>(arms: &[Overlaid<'a>], name: &str) -> Vec<Drawn<'a>> {
    let one = |(colour, arm): (usize, &Overlaid<'a>)| {
        let series = arm
            .run
            .series
            .as_ref()
            .filter(|series| !series.is_empty())?;
        let (id, queue) = arm.model.queues.pairs().find(|(_, it)| it.name == name)?;
        Some(Drawn {
            letter: arm.letter,
            colour: colour % COLOURS,
            queue,
            samples: &series.queues[id],
            series,
            end: f64::max(
                arm.run.ended.at.as_secs_f64(),
                series.end_of(0).as_secs_f64() * 1e-3,
            ),
        })
    };
    arms.iter().enumerate().filter_map(one).collect()
}

/// When something was down in any arm; with the letters of those in which it was, unless it was
/// in all.
fn shaded(arms: &[Overlaid<'_>]) -> Vec<Shade> {
    let mut found: Vec<(Shade, Vec<char>)> = Vec::new();
    for arm in arms {
        for shade in shades(&Names::of(arm.model), arm.run) {
            match found.iter_mut().find(|(known, _)| *known == shade) {
                Some((_, letters)) => letters.push(arm.letter),
                None => found.push((shade, vec![arm.letter])),
            }
        }
    }
    let named = |(shade, letters): (Shade, Vec<char>)| {
        if letters.len() == arms.len() {
            return shade;
        }
        let letters: Vec<_> = letters.iter().map(char::to_string).collect();
        Shade {
            label: format!("{}: {}", letters.join(" "), shade.label),
            ..shade
        }
    };
    found.into_iter().map(named).collect()
}

fn depth(drawn: &[Drawn<'_>]) -> Vec<Panel> {
    let lines = levels(drawn, |sample| sample.depth as f64);
    let bounds = bounds(drawn, &lines);
    let mut panels = vec![panel(drawn, "messages", Quantity::Number, lines, bounds)];
    let blocked = levels(drawn, |sample| sample.blocked as f64);
    if blocked.iter().any(|line| line.highest() > 0.0) {
        let heading = "publishers blocked";
        panels.push(panel(drawn, heading, Quantity::Number, blocked, Vec::new()));
    }
    panels
}

fn lag(drawn: &[Drawn<'_>]) -> Vec<Panel> {
    let lines = levels(drawn, |sample| sample.lag.as_secs_f64());
    let heading = "time since it was accepted";
    vec![panel(drawn, heading, Quantity::Time, lines, Vec::new())]
}

fn rates(drawn: &[Drawn<'_>]) -> Vec<Panel> {
    let told: [(&str, Counted); 3] = [
        ("offered", |sample| sample.offered),
        ("completed", |sample| sample.completed),
        ("refused", |sample| sample.refused),
    ];
    let made = told.into_iter().map(|(what, read)| {
        let line = |it: &Drawn<'_>| {
            let steps = steps(it.series, it.samples.len(), it.end);
            line(it, Shape::Steps, stairs(&steps, it.samples, read))
        };
        let lines: Vec<Line> = drawn.iter().map(line).collect();
        let heading = format!("{what} a second");
        panel(drawn, &heading, Quantity::Number, lines, Vec::new())
    });
    let all = made.filter(|panel| panel.lines.iter().any(|line| line.highest() > 0.0));
    all.collect()
}

fn levels(drawn: &[Drawn<'_>], read: fn(&Sample) -> f64) -> Vec<Line> {
    let one = |it: &Drawn<'_>| {
        let at = |index| it.series.end_of(index).as_secs_f64().min(it.end);
        let samples = it.samples.iter().enumerate();
        let points = samples.map(|(index, sample)| (at(index), read(sample)));
        let points = std::iter::once((0.0, 0.0)).chain(points);
        line(it, Shape::Slope, points.collect())
    };
    drawn.iter().map(one).collect()
}

fn line(it: &Drawn<'_>, shape: Shape, points: Vec<(f64, f64)>) -> Line {
    // The baseline lies under the others.
    let stroke = if it.colour == 0 {
        Stroke::Solid
    } else {
        Stroke::Dashed
    };
    Line {
        stroke,
        ..Line::new(&it.letter.to_string(), it.colour, shape, points)
    }
}

/// The bounds that some line came near to, one for all that share it.
fn bounds(drawn: &[Drawn<'_>], lines: &[Line]) -> Vec<Bound> {
    let near = |(it, line): &(&Drawn<'_>, &Line)| {
        let bound = it.queue.capacity;
        bound < u64::MAX && 2.0 * line.highest() >= bound as f64
    };
    let mut values: Vec<u64> = drawn
        .iter()
        .zip(lines)
        .filter(near)
        .map(|(it, _)| it.queue.capacity)
        .collect();
    values.sort_unstable();
    values.dedup();
    let bound = |value: u64| Bound {
        name: format!("bound {}", count(value)),
        value: value as f64,
        colour: None,
    };
    values.into_iter().map(bound).collect()
}

fn panel(
    drawn: &[Drawn<'_>],
    heading: &str,
    quantity: Quantity,
    lines: Vec<Line>,
    bounds: Vec<Bound>,
) -> Panel {
    let queue = drawn.first().map_or("", |it| last_part(&it.queue.name));
    Panel {
        heading: format!("{queue}: {heading}"),
        quantity,
        lines,
        bounds,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::fixture;

    #[test]
    fn arms_share_their_axis_and_outages_that_are_alike() {
        let (model, runs) = fixture::outage();
        let mut later = runs.clone();
        later[0].timeline.truncate(1);
        let arm = |letter, run| Overlaid {
            letter,
            model: &model,
            run,
        };
        let figures = all(&[arm('A', &runs[0]), arm('B', &runs[0])]);
        let names: Vec<_> = figures.iter().map(|figure| figure.name.as_str()).collect();
        assert_eq!(names, ["depth", "lag", "rates"]);
        let depth = &figures[0].panels[0];
        let lines: Vec<_> = depth.lines.iter().map(|line| line.name.as_str()).collect();
        assert_eq!(lines, ["A", "B"]);
        assert_eq!(depth.lines[0].points, depth.lines[1].points);
        assert_eq!(depth.bounds.len(), 1, "one for both");
        assert_eq!(figures[0].shades[0].label, "fleet down");
        let apart = all(&[arm('A', &runs[0]), arm('B', &later[0])]);
        let labels: Vec<_> = apart[0].shades.iter().map(|it| it.label.as_str()).collect();
        assert_eq!(labels, ["A: fleet down", "B: fleet down"]);
    }
}
