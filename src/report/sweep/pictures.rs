//! The pictures of a sweep: a metric over one key as a line with its intervals, over two keys as a
//! map with the line along which the objectives end.
//!
//! Not how they are drawn.

use super::{Axis, Goal, Record, Sweep};
use crate::outcome::Unit;
use crate::report::plot::{self, Bound, Edge, Figure, HeatCell, HeatMap, Line, Panel, Shape};

/// One picture of a sweep.
#[derive(Clone, Debug)]
pub enum Picture {
    /// Over one key.
    Line(Figure),
    /// Over two.
    Map(HeatMap),
}

impl Picture {
    /// The name of its files, without the ending: `sweep-queues.orders.rejected`.
    pub fn name(&self) -> &str {
        match self {
            Self::Line(figure) => &figure.name,
            Self::Map(map) => &map.name,
        }
    }

    /// The picture as SVG, a file of its own.
    pub fn svg(&self) -> String {
        match self {
            Self::Line(figure) => figure.svg(),
            Self::Map(map) => map.svg(),
        }
    }

    /// The same picture in pixels.
    pub fn png(&self) -> Vec<u8> {
        match self {
            Self::Line(figure) => figure.png(),
            Self::Map(map) => map.png(),
        }
    }
}

/// Values of a key farther apart than this are spread evenly: near each other the low ones could
/// not be told apart.
const WIDEST: f64 = 50.0;

impl Sweep<'_> {
    /// The pictures: a line for each shown metric over one key, a map over two; none over more,
    /// none of a single point, and none of a part of a sweep.
    pub fn pictures(&self) -> Vec<Picture> {
        let whole = self.records.len() == self.places.len() && self.records.len() > 1;
        let shown = self.shown();
        let pictures = shown.iter().filter_map(|place| self.picture(*place));
        pictures.filter(|_| whole).collect()
    }

    fn picture(&self, place: usize) -> Option<Picture> {
        let varied: Vec<&Axis> = match (self.paired, self.axes) {
            (true, [first, ..]) => vec![first],
            (true | false, axes) => axes.iter().filter(|axis| axis.ticks.len() > 1).collect(),
        };
        match varied[..] {
            [axis] => Some(Picture::Line(self.line(place, axis))),
            [across, up] => Some(Picture::Map(self.map(place, across, up))),
            _ => None,
        }
    }

    fn line(&self, place: usize, axis: &Axis) -> Figure {
        let (metric, unit) = &self.metrics[place];
        let (numbers, across) = horizontal(axis);
        let x = |record: &Record| numbers[self.places[record.point][self.place_of(axis)]];
        let there = |record: &&Record| record.values[place].is_some();
        let happened: Vec<&Record> = self.records.iter().filter(there).collect();
        let value = |record: &&Record| Some((x(record), record.values[place]?));
        let points = happened.iter().filter_map(value).collect();
        let mut line = Line::new(super::parts(metric).1, 0, Shape::Dots, points);
        let band = happened.iter().map(|record| *record.ends.get(place)?);
        line.band = band.collect::<Option<Vec<_>>>().unwrap_or_default();
        let missing = self.records.len() - happened.len();
        let heading = match missing {
            0 => metric.clone(),
            _ => format!(
                "{metric}; at {missing} of {} it never happened",
                self.records.len()
            ),
        };
        let bounds = self.goals.iter().filter(|goal| goal.metric == *metric);
        let bound = |goal: &Goal| {
            let name = goal.that.replace(&goal.metric, "");
            Some(Bound {
                name: name.trim().to_owned(),
                value: goal.level.filter(|level| *level > 0.0)?,
                colour: None,
            })
        };
        Figure {
            name: named(metric),
            title: title(metric, *unit),
            axis: across,
            shades: Vec::new(),
            panels: vec![Panel {
                heading,
                quantity: (*unit).into(),
                lines: vec![line],
                bounds: bounds.filter_map(bound).collect(),
            }],
        }
    }

    /// Which of the keys an axis is.
    fn place_of(&self, axis: &Axis) -> usize {
        let same = |known: &Axis| known.key == axis.key;
        self.axes.iter().position(same).unwrap_or(0)
    }

    fn map(&self, place: usize, across: &Axis, up: &Axis) -> HeatMap {
        let (metric, unit) = &self.metrics[place];
        let goals: Vec<(usize, &Goal)> = self.goals.iter().enumerate().collect();
        let own = goals.iter().copied().filter(|(_, it)| it.metric == *metric);
        let mut held: Vec<_> = own.collect();
        if held.is_empty() {
            held = goals;
        }
        let met = |record: &Record| {
            let all = held.iter().all(|(goal, _)| record.met[*goal]);
            (!held.is_empty()).then_some(all)
        };
        let edge = |axis: &Axis| Edge {
            name: axis.key.clone(),
            values: axis.ticks.iter().map(|tick| tick.text.clone()).collect(),
        };
        let (first, second) = (self.place_of(across), self.place_of(up));
        let columns = across.ticks.len();
        let mut cells = vec![HeatCell::default(); columns * up.ticks.len()];
        for record in self.records {
            let at = &self.places[record.point];
            cells[at[second] * columns + at[first]] = HeatCell {
                value: record.values[place],
                met: met(record),
            };
        }
        let asked: Vec<&str> = held.iter().map(|(_, goal)| goal.that.as_str()).collect();
        HeatMap {
            name: named(metric),
            title: title(metric, *unit),
            across: edge(across),
            up: edge(up),
            quantity: (*unit).into(),
            cells,
            boundary: (!asked.is_empty()).then(|| asked.join(" and ")),
        }
    }
}

/// Where the values of a key lie, and their axis: as numbers where they are all numbers in order
/// and not too far apart, otherwise evenly.
fn horizontal(axis: &Axis) -> (Vec<f64>, plot::Axis) {
    let texts: Vec<String> = axis.ticks.iter().map(|tick| tick.text.clone()).collect();
    let numbers = axis.ticks.iter().map(|tick| tick.number.map(|it| it.0));
    let numbers: Vec<f64> = numbers.collect::<Option<_>>().unwrap_or_default();
    let rising = numbers.windows(2).all(|pair| pair[0] < pair[1]);
    let least = numbers.iter().copied().find(|number| *number > 0.0);
    let near = least
        .zip(numbers.last())
        .is_some_and(|(least, last)| *last <= WIDEST * least);
    if rising && near {
        let marks: Vec<(f64, String)> = numbers.iter().copied().zip(texts.clone()).collect();
        if let Some(found) = plot::Axis::numbers(&axis.key, &marks) {
            return (numbers, found);
        }
    }
    let places = (0..texts.len()).map(|place| place as f64).collect();
    (places, plot::Axis::values(&axis.key, &texts))
}

fn named(metric: &str) -> String {
    format!("sweep-{metric}")
}

/// The metric, and what it is measured in where its numbers do not say so.
fn title(metric: &str, unit: Unit) -> String {
    match unit {
        Unit::PerSecond => format!("{metric}, per second"),
        Unit::Ratio | Unit::Bytes | Unit::Count | Unit::Number | Unit::Seconds | Unit::Instant => {
            metric.to_owned()
        }
    }
}
