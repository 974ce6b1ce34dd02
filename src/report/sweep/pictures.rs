//! The pictures of a sweep: a metric over one key as a line with its intervals, over two keys as a
//! map with the line along which the objectives end.
//!
//! Not how they are drawn.

use super::{Axis, Goal, Record, Sweep};
use crate::outcome::Unit;
use crate::report::plot::{self, Edge, Figure, HeatCell, HeatMap, Line, Panel, Shape};

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
            0 => measured_in(*unit).to_owned(),
            _ => format!(
                "{} (at {missing} of {} it never happened)",
                measured_in(*unit),
                self.records.len()
            ),
        };
        let bounds = self.goals.iter().filter(|goal| goal.metric == *metric);
        Figure {
            name: named(metric),
            title: metric.clone(),
            axis: across,
            shades: Vec::new(),
            panels: vec![Panel {
                heading,
                quantity: (*unit).into(),
                lines: vec![line],
                bounds: bounds.filter_map(Goal::bound).collect(),
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
            title: metric.clone(),
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
pub(in crate::report) fn horizontal(axis: &Axis) -> (Vec<f64>, plot::Axis) {
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

pub(in crate::report) fn measured_in(unit: Unit) -> &'static str {
    match unit {
        Unit::Count | Unit::Number => "number",
        Unit::Seconds => "time",
        Unit::Instant => "time since the start",
        Unit::Ratio => "share",
        Unit::PerSecond => "per second",
        Unit::Bytes => "size",
    }
}

#[cfg(test)]
mod tests {
    use super::super::Tick;
    use super::super::tests::{axis, goals, metrics, records};
    use super::*;

    /// Pictures of a sweep over so many values of each key.
    fn pictures(axes: &[Axis], places: &[Vec<usize>], replications: usize) -> Vec<Picture> {
        let (metrics, goals) = (metrics(), goals());
        let records = records(places.len(), replications);
        let sweep = Sweep {
            title: "t",
            path: "t.toml",
            scenario_text: "",
            seed: 1,
            command: "queuecast sweep t.toml",
            axes,
            places,
            paired: false,
            metrics: &metrics,
            show: &["queues.orders.drained_at".to_owned()],
            goals: &goals,
            records: &records,
        };
        sweep.pictures()
    }

    #[test]
    fn over_one_key_there_is_a_line_with_its_intervals() {
        let axes = [axis("fleet.count", &["4", "6", "8"], Unit::Number)];
        let drawn = pictures(&axes, &[vec![0], vec![1], vec![2]], 5);
        let [Picture::Line(figure)] = drawn.as_slice() else {
            panic!("one line: {drawn:?}");
        };
        assert_eq!((figure.axis.from, figure.axis.to), (4.0, 8.0));
        let panel = &figure.panels[0];
        // At the last point it never happened.
        assert_eq!(
            panel.heading,
            "time since the start (at 1 of 3 it never happened)"
        );
        assert_eq!(panel.lines[0].points, [(4.0, 37.5), (6.0, 25.0)]);
        assert_eq!(panel.lines[0].band.len(), 2);
    }

    #[test]
    fn values_far_apart_or_without_numbers_lie_evenly() {
        for texts in [["1", "10", "1000"], ["reject", "block", "retry"]] {
            let axes = axis("key", &texts, Unit::Number);
            assert_eq!(horizontal(&axes).0, [0.0, 1.0, 2.0], "{texts:?}");
        }
        let none = Tick {
            text: "x".to_owned(),
            number: None,
            json: "x".into(),
        };
        let mut mixed = axis("key", &["1", "2"], Unit::Number);
        mixed.ticks.push(none);
        assert_eq!(horizontal(&mixed).0, [0.0, 1.0, 2.0]);
    }

    #[test]
    fn over_two_keys_there_is_a_map_of_every_point() {
        let axes = [
            axis("count", &["4", "6"], Unit::Number),
            axis("duration", &["30s", "60s"], Unit::Seconds),
        ];
        let places = [vec![0, 0], vec![0, 1], vec![1, 0], vec![1, 1]];
        let drawn = pictures(&axes, &places, 1);
        let [Picture::Map(map)] = drawn.as_slice() else {
            panic!("one map: {drawn:?}");
        };
        let values: Vec<_> = map.cells.iter().map(|cell| cell.value).collect();
        // Row by row from the bottom: 30 s, then 60 s.
        assert_eq!(values, [Some(50.0), Some(25.0), Some(37.5), None]);
        let met: Vec<_> = map.cells.iter().map(|cell| cell.met).collect();
        assert_eq!(met, [Some(false), Some(true), Some(false), Some(true)]);
        assert_eq!(map.boundary.as_deref(), Some("queues.orders.rejected <= 0"));
    }
}
