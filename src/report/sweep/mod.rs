//! A sweep as pages: a table for people, rows for spreadsheets, JSON for scripts, pictures.
//!
//! Not the points' runs: a [`Record`] holds what is kept of a point, whether it was computed now or
//! read back from a results file, and every page is made from those.

mod files;
mod page;
mod pictures;
mod rows;
mod seal;
mod text;

pub use files::PAGE;
pub use pictures::Picture;
pub use rows::{Ends, FIRST, LAST, Layout, WrongRow, is_sealed};
pub use seal::Fnv;

use serde_json::{Map, Value, json};

use super::json::{ends, number};
use super::summary::LEVEL;
use crate::outcome::{Ended, Measures, Unit};
use crate::stats::confidence::Interval;

/// A key that varies.
#[derive(Clone, Debug)]
pub struct Axis {
    /// Its dotted name.
    pub key: String,
    /// Its values in order.
    pub ticks: Vec<Tick>,
}

/// One value of a key.
#[derive(Clone, Debug)]
pub struct Tick {
    /// As it is written behind `--set KEY=`.
    pub text: String,
    /// In base units, when it is a quantity.
    pub number: Option<(f64, Unit)>,
    /// As it stands in JSON.
    pub json: Value,
}

/// What is kept of a point.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// Its number, from 0.
    pub point: usize,
    /// How many runs its numbers are means of.
    pub replications: usize,
    /// How they ended: as the first that a limit stopped, else as the first.
    pub ended: Ended,
    /// The hash of their histories.
    pub digest: u64,
    /// For each objective, whether it is met.
    pub met: Vec<bool>,
    /// Every metric, in the order of the catalogue.
    pub values: Vec<Option<f64>>,
    /// The ends of its interval, where there is one; empty without replications.
    pub ends: Vec<Option<(f64, f64)>>,
}

impl Record {
    /// What is kept of these measures.
    pub fn of(
        point: usize,
        measures: &Measures,
        ended: Ended,
        digest: u64,
        met: Vec<bool>,
    ) -> Self {
        let places = 0..measures.catalogue().entries().len();
        let ends = |place| {
            let interval = measures.interval(place, LEVEL)?;
            Some((interval.low, interval.high))
        };
        Self {
            point,
            replications: measures.replications(),
            ended,
            digest,
            met,
            values: places.clone().map(|place| measures.at(place)).collect(),
            ends: match measures.replications() {
                0 | 1 => Vec::new(),
                _ => places.map(ends).collect(),
            },
        }
    }

    /// The interval of a metric over the replications.
    pub fn interval(&self, place: usize) -> Option<Interval> {
        let (low, high) = (*self.ends.get(place)?)?;
        Some(Interval {
            mean: self.values[place]?,
            low,
            high,
            level: LEVEL,
            count: self.replications,
        })
    }

    /// Whether every objective is met; true when there is none.
    pub fn is_good(&self) -> bool {
        self.met.iter().all(|met| *met)
    }
}

/// An objective as the base scenario has it.
#[derive(Clone, Debug)]
pub struct Goal {
    /// As it is written.
    pub that: String,
    /// The metric that it is about.
    pub metric: String,
    /// The number that it is compared with, where there is one.
    pub level: Option<f64>,
}

/// All that is to be said of a sweep.
#[derive(Clone, Copy, Debug)]
pub struct Sweep<'a> {
    /// What the scenario is called.
    pub title: &'a str,
    /// Where it stands.
    pub path: &'a str,
    /// The scenario as it is written.
    pub scenario_text: &'a str,
    /// The seed of every point that does not vary it.
    pub seed: u64,
    /// The command that computes it again.
    pub command: &'a str,
    /// The keys that vary.
    pub axes: &'a [Axis],
    /// For every point of the whole, which value of each key it has.
    pub places: &'a [Vec<usize>],
    /// Whether the keys go side by side, so that the first stands for all.
    pub paired: bool,
    /// Names and units of the metrics, in order.
    pub metrics: &'a [(String, Unit)],
    /// The metrics that were asked for; empty for those that move.
    pub show: &'a [String],
    /// What the points are held against.
    pub goals: &'a [Goal],
    /// The points that there are, in order: fewer than all in a part of a sweep.
    pub records: &'a [Record],
}

/// What most sweeps are about, the most telling first; those that move are shown.
const TELLING: [(&str, &str); 12] = [
    ("queues", "rejected"),
    ("queues", "drained_at"),
    ("queues", "lag.max"),
    ("consumers", "utilization"),
    ("queues", "wait.p99"),
    ("queues", "timed_out"),
    ("queues", "dropped"),
    ("queues", "expired"),
    ("queues", "lost"),
    ("queues", "duplicates"),
    ("queues", "dead_lettered"),
    ("queues", "depth.max"),
];

/// So many metrics are shown when nobody asks for some.
const SHOWN: usize = 4;

impl Sweep<'_> {
    /// The places in the catalogue of the metrics to show.
    fn shown(&self) -> Vec<usize> {
        let place = |name: &str| self.metrics.iter().position(|(known, _)| known == name);
        if !self.show.is_empty() {
            return self.show.iter().filter_map(|name| place(name)).collect();
        }
        let mut chosen: Vec<usize> = Vec::new();
        let mut add = |place: usize| {
            if chosen.len() < SHOWN && !chosen.contains(&place) {
                chosen.push(place);
            }
        };
        for goal in self.goals {
            place(&goal.metric).into_iter().for_each(&mut add);
        }
        let telling = TELLING.iter().flat_map(|told| {
            let fits = |(name, _): &(String, Unit)| parts(name) == *told;
            let places = self.metrics.iter().enumerate();
            places.filter_map(move |(place, metric)| fits(metric).then_some(place))
        });
        let telling: Vec<usize> = telling.collect();
        telling
            .iter()
            .filter(|place| self.moves(**place))
            .for_each(|place| add(*place));
        if chosen.is_empty() {
            chosen.extend(telling.first());
        }
        chosen
    }

    /// Whether a metric is not the same at every point.
    fn moves(&self, place: usize) -> bool {
        let bits = |record: &Record| record.values[place].map(f64::to_bits);
        let first = self.records.first().map(bits);
        self.records
            .iter()
            .any(|record| Some(bits(record)) != first)
    }

    /// The points that a limit stopped.
    pub fn partial(&self) -> impl Iterator<Item = &Record> {
        self.records.iter().filter(|it| it.ended.why.is_partial())
    }

    /// A point in words: `consumers.fleet.count=48, outages.0.duration=90s`.
    pub fn name(&self, point: usize) -> String {
        let settings = self.settings(point);
        let words = settings.map(|(key, tick)| format!("{key}={}", tick.text));
        words.collect::<Vec<_>>().join(", ")
    }

    fn settings(&self, point: usize) -> impl Iterator<Item = (&str, &Tick)> {
        let axes = self.axes.iter().zip(&self.places[point]);
        axes.map(|(axis, place)| (axis.key.as_str(), &axis.ticks[*place]))
    }

    /// The sweep as JSON, indented, with a line feed at the end. Its keys:
    ///
    /// - `queuecast`: the version; `scenario`: `title`, `path`, `seed`; `command`;
    /// - `of`: how many points there are in all;
    /// - `objectives`: the conditions that the points are held against;
    /// - `points`, in order, each with `point` (its number, from 1), `set` (the keys with their
    ///   values), `replications`, `ended` (`why`, `at_s`), `partial`, `digest`, `met` (for each
    ///   objective), `metrics` (all, flat), and `intervals` where there are replications.
    pub fn json(&self) -> String {
        let point = |record: &Record| {
            let set = self.settings(record.point);
            let set: Map<String, Value> = set
                .map(|(key, tick)| (key.to_owned(), tick.json.clone()))
                .collect();
            let metrics = self.metrics.iter().zip(&record.values);
            let metrics: Map<String, Value> = metrics
                .map(|((name, unit), value)| (name.clone(), number(*value, *unit)))
                .collect();
            let intervals = self.metrics.iter().enumerate();
            let intervals: Map<String, Value> = intervals
                .filter_map(|(place, (name, _))| {
                    Some((name.clone(), ends(&record.interval(place)?)))
                })
                .collect();
            let ended = record.ended;
            json!({
                "point": record.point + 1,
                "set": set,
                "replications": record.replications,
                "ended": { "why": ended.why.word(), "at_s": ended.at.as_secs_f64() },
                "partial": ended.why.is_partial(),
                "digest": format!("{:016x}", record.digest),
                "met": record.met,
                "metrics": metrics,
                "intervals": intervals,
            })
        };
        let all = json!({
            "queuecast": env!("CARGO_PKG_VERSION"),
            "scenario": { "title": self.title, "path": self.path, "seed": self.seed },
            "command": self.command,
            "of": self.places.len(),
            "objectives": self.goals.iter().map(|goal| &goal.that).collect::<Vec<_>>(),
            "points": self.records.iter().map(point).collect::<Vec<_>>(),
        });
        format!("{all:#}\n")
    }
}

/// A metric's name without its component: `("queues", "wait.p99")`.
fn parts(name: &str) -> (&str, &str) {
    let (section, rest) = name.split_once('.').unwrap_or((name, ""));
    (
        section,
        rest.split_once('.').map_or("", |(_, metric)| metric),
    )
}

/// Short names of keys and metrics: the end of each that no other has.
pub(super) fn short_names<'a>(keys: &[&'a str], metrics: &[&'a str]) -> Vec<&'a str> {
    let short_key = |name: &'a str| name.rsplit('.').next().unwrap_or(name);
    let short_metric = |name: &'a str| match parts(name).1 {
        "" => name,
        metric => metric,
    };
    let full: Vec<&str> = keys.iter().chain(metrics).copied().collect();
    let keys = keys.iter().map(|key| short_key(key));
    let short: Vec<&str> = keys
        .chain(metrics.iter().map(|name| short_metric(name)))
        .collect();
    let shared = |name: &str| short.iter().filter(|other| **other == name).count() > 1;
    let named = short.iter().zip(full);
    named
        .map(|(short, full)| if shared(short) { full } else { short })
        .collect()
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::outcome::Why;
    use crate::units::SimTime;

    pub(in crate::report) const METRICS: [(&str, Unit); 5] = [
        ("producers.p.rejected", Unit::Count),
        ("queues.orders.rejected", Unit::Count),
        ("queues.orders.drained_at", Unit::Instant),
        ("queues.orders.lag.max", Unit::Seconds),
        ("consumers.fleet.utilization", Unit::Ratio),
    ];

    pub(in crate::report) fn metrics() -> Vec<(String, Unit)> {
        let owned = |(name, unit): &(&str, Unit)| ((*name).to_owned(), *unit);
        METRICS.iter().map(owned).collect()
    }

    pub(in crate::report) fn axis(key: &str, texts: &[&str], unit: Unit) -> Axis {
        let tick = |text: &&str| {
            let digits = text.trim_end_matches(|it: char| it.is_alphabetic());
            Tick {
                text: (*text).to_owned(),
                number: digits.parse().ok().map(|number: f64| (number, unit)),
                json: (*text).into(),
            }
        };
        Axis {
            key: key.to_owned(),
            ticks: texts.iter().map(tick).collect(),
        }
    }

    /// Points that reject less and drain sooner one after the other; the last never drains.
    pub(in crate::report) fn records(count: usize, replications: usize) -> Vec<Record> {
        let record = |point: usize| {
            let (n, m) = (point as f64, (count - point) as f64);
            let drained = (point + 1 < count).then_some(m * 12.5);
            let values = vec![
                Some(0.0),
                Some(100.0 * m),
                drained,
                Some(m + 0.25),
                Some(0.5 + n / 100.0),
            ];
            let ends = |value: &Option<f64>| value.map(|value| (value * 0.9, value * 1.1));
            Record {
                point,
                replications,
                ended: Ended {
                    why: if drained.is_some() {
                        Why::Drained
                    } else {
                        Why::Horizon
                    },
                    at: SimTime::from_nanos(423_160_000_000),
                },
                digest: 0xabc + point as u64,
                met: vec![point >= 2],
                ends: match replications {
                    1 => Vec::new(),
                    _ => values.iter().map(ends).collect(),
                },
                values,
            }
        };
        (0..count).map(record).collect()
    }

    pub(in crate::report) fn goals() -> Vec<Goal> {
        vec![Goal {
            that: "queues.orders.rejected <= 0".to_owned(),
            metric: "queues.orders.rejected".to_owned(),
            level: Some(0.0),
        }]
    }

    #[test]
    fn names_are_as_short_as_they_can_be() {
        let keys = ["consumers.fleet.count", "outages.0.duration"];
        let metrics = [
            "queues.a.rejected",
            "queues.b.rejected",
            "queues.a.wait.p99",
        ];
        assert_eq!(
            short_names(&keys, &metrics),
            [
                "count",
                "duration",
                "queues.a.rejected",
                "queues.b.rejected",
                "wait.p99"
            ]
        );
    }

    #[test]
    fn what_moves_is_shown_and_what_is_asked_of_comes_first() {
        let (metrics, goals, records) = (metrics(), goals(), records(4, 1));
        let axes = [axis(
            "consumers.fleet.count",
            &["1", "2", "3", "4"],
            Unit::Number,
        )];
        let places = [vec![0], vec![1], vec![2], vec![3]];
        let sweep = Sweep {
            title: "t",
            path: "t.toml",
            scenario_text: "title = \"t\"\n",
            seed: 1,
            command: "queuecast sweep t.toml",
            axes: &axes,
            places: &places,
            paired: false,
            metrics: &metrics,
            show: &[],
            goals: &goals,
            records: &records,
        };
        assert_eq!(sweep.shown(), [1, 2, 3, 4]);
        let show = ["queues.orders.lag.max".to_owned()];
        assert_eq!(
            Sweep {
                show: &show,
                ..sweep
            }
            .shown(),
            [3]
        );
        let same = vec![
            records[0].clone(),
            Record {
                point: 1,
                ..records[0].clone()
            },
        ];
        let still = Sweep {
            goals: &[],
            records: &same,
            ..sweep
        };
        assert_eq!(still.shown(), [1]);
        let json: Value = serde_json::from_str(&sweep.json()).expect("JSON");
        assert_eq!(json["points"][3]["set"]["consumers.fleet.count"], "4");
        assert_eq!(
            json["points"][3]["metrics"]["queues.orders.drained_at"],
            Value::Null
        );
        assert_eq!(json["points"][3]["partial"], true);
    }
}
