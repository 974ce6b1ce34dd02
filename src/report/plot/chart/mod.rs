//! Pictures of a sweep: a metric over one key as a curve with its intervals, over two keys as a
//! map with the line along which the objectives begin to be met.
//!
//! Not runs over time: those are figures.

mod colour;
mod curve;
mod map;

use super::axis::Quantity;
use super::labels::width;
use super::png;
use super::svg::{Format, SMALL};
use super::{Colours, LIGHT, PAGE, coloured, style};
use crate::outcome::Unit;
use crate::report::number::plain;
use crate::report::sweep::{Axis, Goal, Record, Sweep};

/// One picture of a sweep.
#[derive(Clone, Debug)]
pub struct Chart {
    /// The metric's full name.
    metric: String,
    unit: Unit,
    /// What the sweep is called.
    title: String,
    kind: Kind,
    /// The objectives on the metric, or all when none is on it.
    goals: Vec<Goal>,
}

#[derive(Clone, Debug)]
enum Kind {
    Curve(Axis, Vec<Spot>),
    /// The axis across, the axis upwards, and the cells of each column.
    Map(Axis, Axis, Vec<Vec<Spot>>),
}

/// What a picture shows of a point.
#[derive(Clone, Debug)]
struct Spot {
    value: Option<f64>,
    ends: Option<(f64, f64)>,
    /// Whether the chart's objectives are met.
    met: bool,
}

/// The pictures of these metrics; none of a part of a sweep, of one point, or over three keys.
pub(in crate::report) fn charts(sweep: &Sweep<'_>, metrics: &[usize]) -> Vec<Chart> {
    let whole = sweep.records.len() == sweep.places.len() && sweep.records.len() > 1;
    let chart = |&place: &usize| {
        let (metric, unit) = sweep.metrics[place].clone();
        let own = |(_, goal): &(usize, &Goal)| goal.metric == metric;
        let all: Vec<_> = sweep.goals.iter().enumerate().collect();
        let mut goals: Vec<_> = all.iter().copied().filter(own).collect();
        if goals.is_empty() {
            goals = all;
        }
        let spot = |record: &Record| Spot {
            value: record.values[place],
            ends: record.ends.get(place).copied().flatten(),
            met: goals.iter().all(|(goal, _)| record.met[*goal]),
        };
        let spots: Vec<Spot> = sweep.records.iter().map(spot).collect();
        let varied: Vec<_> = match (sweep.paired, sweep.axes) {
            (true, [first, ..]) => vec![first],
            _ => sweep
                .axes
                .iter()
                .filter(|axis| axis.ticks.len() > 1)
                .collect(),
        };
        let kind = match varied[..] {
            [axis] => Kind::Curve(axis.clone(), spots),
            [across, upwards] => {
                let columns = spots.chunks(upwards.ticks.len()).map(<[_]>::to_vec);
                Kind::Map(across.clone(), upwards.clone(), columns.collect())
            }
            _ => return None,
        };
        Some(Chart {
            metric,
            unit,
            title: sweep.title.to_owned(),
            kind,
            goals: goals.into_iter().map(|(_, goal)| goal.clone()).collect(),
        })
    };
    metrics.iter().filter(|_| whole).filter_map(chart).collect()
}

impl Chart {
    /// The name of its files, without the ending: `sweep-queues.orders.rejected`.
    pub fn name(&self) -> String {
        format!("sweep-{}", self.metric)
    }

    /// A file of its own, with fixed colours on a light ground.
    pub fn svg(&self) -> String {
        let style = style(&LIGHT) + &rules(&LIGHT);
        self.draw(Format::Wide, Some(&style))
    }

    /// The standalone picture in pixels.
    pub fn png(&self) -> Vec<u8> {
        png::render(&self.svg())
    }

    /// For a page that carries the style of inline pictures and [`Chart::page_style`]: one for wide
    /// screens, one for phones.
    pub fn inline(&self) -> [String; 2] {
        [Format::Wide, Format::Narrow].map(|format| self.draw(format, None))
    }

    /// The style that inline charts need besides that of all pictures.
    pub fn page_style() -> String {
        rules(&PAGE)
    }

    fn draw(&self, format: Format, style: Option<&str>) -> String {
        match &self.kind {
            Kind::Curve(axis, spots) => curve::draw(self, axis, spots, format, style),
            Kind::Map(across, upwards, columns) => {
                map::draw(self, across, upwards, columns, format, style)
            }
        }
    }

    /// The heading: the metric, and what it is measured in where its numbers do not say so.
    fn heading(&self) -> String {
        match self.unit {
            Unit::Ratio => format!("{}, %", self.metric),
            Unit::PerSecond => format!("{}, per second", self.metric),
            Unit::Bytes => format!("{}, bytes", self.metric),
            Unit::Count | Unit::Number | Unit::Seconds | Unit::Instant => self.metric.clone(),
        }
    }

    /// The objectives in a line: `queues.orders.drained_at <= 331s`.
    fn asked(&self) -> String {
        let all: Vec<_> = self.goals.iter().map(|goal| goal.that.as_str()).collect();
        all.join(" and ")
    }

    /// A value as the axis has it: ratios in percent.
    fn shown(&self, value: f64) -> f64 {
        match self.unit {
            Unit::Ratio => 100.0 * value,
            Unit::Count
            | Unit::Number
            | Unit::Seconds
            | Unit::Instant
            | Unit::PerSecond
            | Unit::Bytes => value,
        }
    }

    fn quantity(&self) -> Quantity {
        match self.unit {
            Unit::Seconds | Unit::Instant => Quantity::Time,
            Unit::Count | Unit::Number | Unit::Ratio | Unit::PerSecond | Unit::Bytes => {
                Quantity::Number
            }
        }
    }

    /// A value in words.
    fn said(&self, value: f64) -> String {
        plain(value, self.unit)
    }
}

fn rules(colours: &Colours) -> String {
    coloured(include_str!("chart.css"), colours)
}

/// Of labels that want to stand at these places, those for which there is room: every second, every
/// third … and the first always.
fn thinned(labels: &[&str], step: impl Fn(&str) -> f64, room: f64) -> usize {
    let widest = labels.iter().map(|label| step(label)).fold(0.0, f64::max);
    let mut every = 1;
    while every < labels.len() && room * (every as f64) < widest {
        every += 1;
    }
    every
}

/// The width of a small label with air around it.
fn airy(label: &str) -> f64 {
    width(label, SMALL) + 8.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sweep::tests::{axis, goals, metrics, records};

    fn drawn(axes: &[Axis], count: usize, replications: usize) -> Vec<Chart> {
        let (metrics, goals, records) = (metrics(), goals(), records(count, replications));
        let last = axes.last().map_or(1, |axis| axis.ticks.len());
        let places: Vec<_> = (0..count)
            .map(|point| match axes.len() {
                1 => vec![point],
                _ => vec![point / last, point % last],
            })
            .collect();
        let sweep = Sweep {
            title: "Checkout & co.",
            path: "t.toml",
            seed: 1,
            command: "",
            axes,
            places: &places,
            paired: false,
            metrics: &metrics,
            show: &[],
            goals: &goals,
            records: &records,
        };
        sweep.pictures()
    }

    #[test]
    fn one_key_makes_curves_and_two_make_maps() {
        let counts = axis("consumers.fleet.count", &["48", "52", "56"], Unit::Number);
        let outages = axis("outages.0.duration", &["30s", "60s"], Unit::Seconds);
        let curves = drawn(std::slice::from_ref(&counts), 3, 3);
        assert_eq!(curves.len(), 4);
        assert_eq!(curves[0].name(), "sweep-queues.orders.rejected");
        let svg = curves[0].svg();
        assert!(
            svg.contains("class=\"band\"") && svg.contains("class=\"bound\""),
            "{svg}"
        );
        let maps = drawn(&[counts, outages], 6, 1);
        let svg = maps[0].svg();
        assert_eq!(svg.matches("class=\"cell\"").count(), 6, "{svg}");
        // Met from the third point on: four cells, and the line before them.
        assert_eq!(svg.matches("class=\"met\"").count(), 4 + 1, "{svg}");
        assert!(svg.contains("class=\"edge\""));
        let drained = maps[1].svg();
        assert_eq!(
            drained.matches("class=\"absent\"").count(),
            1 + 1,
            "{drained}"
        );
        for chart in &maps {
            assert!(chart.png().starts_with(&[0x89, b'P', b'N', b'G']));
            assert!(chart.inline().iter().all(|svg| !svg.contains("<style>")));
        }
    }

    #[test]
    fn a_part_of_a_sweep_has_no_pictures() {
        let counts = axis("consumers.fleet.count", &["48"], Unit::Number);
        assert!(drawn(&[counts], 1, 1).is_empty());
    }

    #[test]
    fn labels_are_left_out_until_there_is_room() {
        let labels = ["100", "200", "300", "400"];
        assert_eq!(thinned(&labels, |_| 30.0, 40.0), 1);
        assert_eq!(thinned(&labels, |_| 30.0, 20.0), 2);
        assert_eq!(thinned(&labels, |_| 30.0, 1.0), 4);
    }
}
