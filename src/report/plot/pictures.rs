//! The pictures of a run: depth, lag, rates and handlers of its queues over time, and calls.
//!
//! Not measurements: the series of the run is drawn as it is, rates averaged over wider buckets.

use super::axis::{Axis, Quantity};
use super::calls;
use super::figure::{Bound, COLOURS, Figure, Line, Panel, Shade, Shape, Stroke};
use super::handlers;
use crate::model::{Model, QueueId};
use crate::outcome::{Kind, Moment, RunRecord, Sample, Series};
use crate::report::names::{Names, last_part};
use crate::report::number::count;
use crate::units::SimTime;

/// The most steps of a line of rates; narrower ones show the beat of a batch, not a rate.
const MOST_STEPS: usize = 150;

/// All pictures of a run; none without a series.
pub(super) fn all(model: &Model, record: &RunRecord) -> Vec<Figure> {
    let Some(series) = record.series.as_ref().filter(|series| !series.is_empty()) else {
        return Vec::new();
    };
    let names = Names::of(model);
    let end = record
        .ended
        .at
        .as_secs_f64()
        .max(series.end_of(0).as_secs_f64() * 1e-3);
    let shades = shades(&names, record);
    let figure = |name: &str, title: &str, panels| Figure {
        name: name.to_owned(),
        title: title.to_owned(),
        axis: Axis::time(end),
        shades: shades.clone(),
        panels,
    };
    let mut figures = Vec::new();
    if !model.queues.is_empty() {
        let lag = lag(model, series, end);
        figures.extend([
            figure("depth", "Messages waiting", depth(model, series, end)),
            figure("lag", "Age of the oldest waiting message", lag),
            figure("rates", "Rates", rates(model, series, end)),
        ]);
    }
    figures.extend(handlers::figure(model, series, end, &shades));
    if !model.dependencies.is_empty() {
        let panels = calls::panels(model, series, end);
        figures.push(figure("calls", "Calls", panels));
    }
    figures
}

fn depth(model: &Model, series: &Series, end: f64) -> Vec<Panel> {
    let lines = levels(model, series, end, |sample| sample.depth as f64);
    let (bounds, beyond) = bounds(model, &lines);
    let heading = match beyond.as_slice() {
        [] => "messages".to_owned(),
        [bound] => format!("messages ({}, beyond the picture)", bound.name),
        _ => "messages (some bounds are beyond the picture)".to_owned(),
    };
    let quantity = Quantity::Number;
    let mut panels = vec![Panel {
        heading,
        quantity,
        lines,
        bounds,
    }];
    let below: [(&str, Counted); 2] = [
        ("waiting for their next attempt", |sample| sample.delayed),
        ("publishers blocked", |sample| sample.blocked),
    ];
    for (heading, read) in below {
        let mut lines = levels(model, series, end, |sample| read(sample) as f64);
        lines.retain(|line| line.highest() > 0.0);
        if !lines.is_empty() {
            panels.push(Panel {
                heading: heading.to_owned(),
                quantity,
                lines,
                bounds: Vec::new(),
            });
        }
    }
    panels
}

fn lag(model: &Model, series: &Series, end: f64) -> Vec<Panel> {
    vec![Panel {
        heading: "time since it was accepted".to_owned(),
        quantity: Quantity::Time,
        lines: levels(model, series, end, |sample| sample.lag.as_secs_f64()),
        bounds: Vec::new(),
    }]
}

/// A line a queue, through what `read` says at the end of each bucket, from zero at the start.
fn levels(model: &Model, series: &Series, end: f64, read: impl Fn(&Sample) -> f64) -> Vec<Line> {
    let line = |(place, (id, samples)): (usize, (QueueId, &Vec<Sample>))| {
        let at = |index| series.end_of(index).as_secs_f64().min(end);
        let read = samples
            .iter()
            .enumerate()
            .map(|(index, sample)| (at(index), read(sample)));
        let points = std::iter::once((0.0, 0.0)).chain(read).collect();
        let name = last_part(&model.queues[id].name);
        let stroke = if place < COLOURS {
            Stroke::Solid
        } else {
            Stroke::Dashed
        };
        Line {
            stroke,
            ..Line::new(name, place, Shape::Slope, points)
        }
    };
    series.queues.pairs().enumerate().map(line).collect()
}

/// The bounds of the queues, one for all that share it: first those that a queue came near to,
/// then those far above, which would flatten the lines.
fn bounds(model: &Model, lines: &[Line]) -> (Vec<Bound>, Vec<Bound>) {
    let queues = || model.queues.iter().zip(lines);
    let mut values: Vec<u64> = model.queues.iter().map(|queue| queue.capacity).collect();
    values.sort_unstable();
    values.dedup();
    values.retain(|value| *value < u64::MAX);
    let bound = |capacity: u64| {
        let mut sharing = queues().filter(|(queue, _)| queue.capacity == capacity);
        let only = sharing
            .next()
            .filter(|_| sharing.next().is_none() && model.queues.len() > 1);
        let value = capacity as f64;
        let name = format!("bound {}", count(capacity));
        Bound {
            name,
            value,
            colour: only.map(|(_, line)| line.colour),
        }
    };
    let is_near = |capacity: &u64| {
        let mut sharing = queues().filter(|(queue, _)| queue.capacity == *capacity);
        sharing.any(|(_, line)| 2.0 * line.highest() >= *capacity as f64)
    };
    let (near, beyond): (Vec<u64>, Vec<u64>) = values.into_iter().partition(is_near);
    let bounds = |values: Vec<u64>| values.into_iter().map(bound).collect();
    (bounds(near), bounds(beyond))
}

/// What is counted for a line of rates.
pub(super) type Counted = fn(&Sample) -> u64;

/// The lines of rates, the lowest layer first: their names, colours, and what they count.
const RATES: [(&str, usize, Counted); 8] = [
    ("from other queues", 5, |sample| sample.moved_in),
    ("delivered again", 4, |sample| sample.redelivered),
    ("failed", 6, |sample| sample.failed),
    ("discarded", 3, |sample| sample.discarded),
    ("refused", 1, |sample| sample.refused),
    ("completed", 2, |sample| sample.completed),
    ("accepted", 5, |sample| sample.accepted),
    ("offered", 0, |sample| sample.offered),
];

fn rates(model: &Model, series: &Series, end: f64) -> Vec<Panel> {
    let panel = |(id, samples): (QueueId, &Vec<Sample>)| {
        let steps = steps(series, samples.len(), end);
        let all_accepted = samples
            .iter()
            .all(|sample| sample.accepted == sample.offered);
        let line = |(name, colour, read): (&str, usize, Counted)| {
            let points = stairs(&steps, samples, read);
            let (name, stroke) = match name {
                "offered" if all_accepted => ("offered, accepted", Stroke::Solid),
                "offered" | "from other queues" => (name, Stroke::Dashed),
                _ => (name, Stroke::Solid),
            };
            Line {
                stroke,
                ..Line::new(name, colour, Shape::Steps, points)
            }
        };
        // Nobody publishes to most dead-letter queues.
        let published = samples.iter().any(|sample| sample.offered > 0)
            || samples.iter().all(|sample| sample.moved_in == 0);
        let is_told = |line: &Line| match line.name.as_str() {
            "offered, accepted" => published,
            "accepted" => !all_accepted,
            "refused" | "discarded" | "failed" | "delivered again" | "from other queues" => {
                line.highest() > 0.0
            }
            _ => true,
        };
        Panel {
            heading: format!("{}, messages a second", last_part(&model.queues[id].name)),
            quantity: Quantity::Number,
            lines: RATES.into_iter().map(line).filter(is_told).collect(),
            bounds: Vec::new(),
        }
    };
    series.queues.pairs().map(panel).collect()
}

/// A step of a line of rates: which buckets it takes together, and from when to when it is.
pub(super) struct Step {
    buckets: std::ops::Range<usize>,
    from: f64,
    to: f64,
}

pub(super) fn steps(series: &Series, buckets: usize, end: f64) -> Vec<Step> {
    let together = buckets.div_ceil(MOST_STEPS).max(1);
    let start_of = |index: usize| match index {
        0 => 0.0,
        _ => series.end_of(index - 1).as_secs_f64(),
    };
    let mut steps: Vec<Step> = Vec::new();
    for first in (0..buckets).step_by(together) {
        let after = buckets.min(first + together);
        let (from, to) = (start_of(first), start_of(after).min(end));
        let is_short = (to - from) * 2.0 < start_of(together);
        match steps.last_mut() {
            // The run ended within it: too short for a rate of its own.
            Some(last) if is_short => (last.buckets.end, last.to) = (after, to.max(last.to)),
            _ => steps.push(Step {
                buckets: first..after,
                from,
                to,
            }),
        }
    }
    steps.retain(|step| step.to > step.from);
    steps
}

pub(super) fn stairs<T>(steps: &[Step], samples: &[T], read: fn(&T) -> u64) -> Vec<(f64, f64)> {
    let rate = |step: &Step| {
        let counted: u64 = samples[step.buckets.clone()].iter().map(read).sum();
        counted as f64 / (step.to - step.from)
    };
    let stair = |step: &Step| (step.from, rate(step));
    let end = steps.last().map(|step| (step.to, rate(step)));
    steps.iter().map(stair).chain(end).collect()
}

/// When handlers or a broker were down, from the timeline. What has not come back at the end of
/// the run is down until then; what went down and came back together is told together.
pub(super) fn shades(names: &Names, record: &RunRecord) -> Vec<Shade> {
    let mut open: Vec<(&Moment, String)> = Vec::new();
    let mut spans: Vec<(SimTime, SimTime, String)> = Vec::new();
    let mut close = |from: SimTime, to: SimTime, label: String| match spans
        .iter_mut()
        .find(|span| span.0 == from && span.1 == to)
    {
        Some(span) => span.2 = format!("{}, {label}", span.2),
        None => spans.push((from, to, label)),
    };
    for moment in &record.timeline {
        if let Some(label) = goes_down(names, moment) {
            open.push((moment, label));
        } else if comes_back(moment.kind) {
            let same = |(start, _): &(&Moment, String)| start.subject == moment.subject;
            if let Some(place) = open.iter().position(same) {
                let (start, label) = open.remove(place);
                close(start.at, moment.at, label);
            }
        }
    }
    for (start, label) in open {
        close(start.at, record.ended.at, label);
    }
    let shade = |(from, to, label): (SimTime, SimTime, String)| Shade {
        from: from.as_secs_f64(),
        to: to.as_secs_f64(),
        label,
    };
    spans.into_iter().map(shade).collect()
}

fn goes_down(names: &Names, moment: &Moment) -> Option<String> {
    let who = names.subject(moment.subject);
    if let Kind::OutageStarted { handlers, of } = moment.kind {
        let all = handlers == of;
        Some(if all {
            format!("{who} down")
        } else {
            format!("{who}: {handlers} of {of} down")
        })
    } else if let Kind::TroubleStarted { servers, of, .. } = moment.kind {
        Some(match servers {
            0 => format!("{who} slow"),
            _ if servers == of => format!("{who} down"),
            _ => format!("{who}: {servers} of {of} down"),
        })
    } else {
        let crashed = matches!(moment.kind, Kind::BrokerCrashed { .. });
        crashed.then(|| format!("broker of {who} down"))
    }
}

fn comes_back(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::OutageEnded { .. } | Kind::BrokerBack | Kind::TroubleEnded { .. }
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::fixture;

    fn figure(name: &str, (model, runs): &(Model, Vec<RunRecord>)) -> Figure {
        let mut figures = all(model, &runs[0]).into_iter();
        figures
            .find(|figure| figure.name == name)
            .expect("it is drawn")
    }

    #[test]
    fn a_last_bucket_that_is_cut_short_has_the_rate_of_the_others() {
        let rates = figure("rates", &fixture::outage());
        let offered = rates.panels[0].lines.last().expect("a line");
        assert_eq!(offered.name, "offered");
        for (at, rate) in &offered.points {
            assert!((rate - 1_200.0).abs() < 1e-4, "{rate}/s at {at} s");
        }
    }

    #[test]
    fn a_bound_far_above_is_told_and_not_drawn() {
        let mut world = fixture::outage();
        assert_eq!(
            figure("depth", &world).panels[0].bounds[0].name,
            "bound 100,000"
        );
        for queue in &mut world.0.queues {
            queue.capacity = 1_000_000;
        }
        let panel = &figure("depth", &world).panels[0];
        assert!(panel.bounds.is_empty());
        assert_eq!(
            panel.heading,
            "messages (bound 1,000,000, beyond the picture)"
        );
    }

    #[test]
    fn what_does_not_come_back_is_down_to_the_end() {
        let mut world = fixture::outage();
        let shade = |from, to| Shade {
            from,
            to,
            label: "fleet down".to_owned(),
        };
        assert_eq!(figure("lag", &world).shades, [shade(0.0, 90.0)]);
        world.1[0].timeline.truncate(1);
        assert_eq!(figure("lag", &world).shades, [shade(0.0, 423.333_333_333)]);
    }

    #[test]
    fn publishers_blocked_have_a_panel_when_there_are_any() {
        assert_eq!(figure("depth", &fixture::outage()).panels.len(), 1);
        let blocked = figure("depth", &fixture::blocked());
        let lines: Vec<_> = blocked.panels[1]
            .lines
            .iter()
            .map(|line| &line.name)
            .collect();
        assert_eq!(lines, ["orders"]);
        assert!((blocked.panels[1].highest() - 8_000.0).abs() < 1e-9);
    }

    #[test]
    fn failures_and_what_comes_from_other_queues_have_lines_when_there_are_any() {
        let names = |world: &(Model, Vec<RunRecord>), panel: usize| -> Vec<String> {
            let lines = &figure("rates", world).panels[panel].lines;
            lines.iter().map(|line| line.name.clone()).collect()
        };
        let told = ["refused", "completed", "accepted", "offered"];
        assert_eq!(names(&fixture::outage(), 0), told);
        let leased = fixture::leased();
        let told = [
            "from other queues",
            "delivered again",
            "failed",
            "completed",
            "offered, accepted",
        ];
        assert_eq!(names(&leased, 0), told);
        assert_eq!(names(&leased, 1), ["from other queues", "completed"]);
        let depth = figure("depth", &leased);
        assert_eq!(depth.panels[1].heading, "waiting for their next attempt");
        assert_eq!(depth.panels.len(), 2);
    }

    #[test]
    fn a_run_without_a_series_has_no_pictures() {
        let (model, mut runs) = fixture::outage();
        runs[0].series = None;
        assert!(all(&model, &runs[0]).is_empty());
    }
}
