//! Which metrics the table and the pictures of a sweep show when nobody asks for some.
//!
//! **The rule.** First those that the objectives are about. Then what went wrong, where it happened
//! at any point, whether it moves or not: messages refused, lost, done twice or given up; with the
//! first at most four. Then two of what else moves of what most sweeps are about, and more of it up
//! to four in all. What would make the table wider than 80 columns is left out, except objectives.
//! Where nothing moves, one stands alone.
//!
//! Not what is written: the results file and JSON have every metric.

use super::{Record, Sweep, parts};
use crate::outcome::Unit;
use crate::report::Grid;

/// What went wrong, all counts of queues.
const WRONG: [&str; 9] = [
    "rejected",
    "timed_out",
    "abandoned",
    "dropped",
    "expired",
    "lost",
    "duplicates",
    "dead_lettered",
    "out_of_order",
];
/// What most sweeps are about besides, the most telling first.
const TELLING: [(&str, &str); 5] = [
    ("queues", "drained_at"),
    ("queues", "lag.max"),
    ("consumers", "utilization"),
    ("queues", "wait.p99"),
    ("queues", "depth.max"),
];
/// So many metrics are shown.
const SHOWN: usize = 4;
/// So many where more went wrong.
const MOST: usize = 6;
/// The columns of a terminal, less the indent.
const WIDTH: usize = 78;

impl Sweep<'_> {
    /// The places in the catalogue of the metrics to show.
    pub(super) fn shown(&self) -> Vec<usize> {
        let place = |name: &str| self.metrics.iter().position(|(known, _)| known == name);
        if !self.show.is_empty() {
            return self.show.iter().filter_map(|name| place(name)).collect();
        }
        let mut chosen: Vec<usize> = Vec::new();
        let mut add = |place: usize, most: usize, must: bool| {
            if chosen.len() < most && !chosen.contains(&place) {
                chosen.push(place);
                if !must && !self.fits(&chosen) {
                    chosen.pop();
                }
            }
        };
        for goal in self.goals {
            if let Some(place) = place(&goal.metric) {
                add(place, SHOWN, true);
            }
        }
        let named = |section: &'static str, name: &'static str| {
            let fits = move |(known, _): &(String, Unit)| parts(known) == (section, name);
            let places = self.metrics.iter().enumerate();
            places.filter_map(move |(place, metric)| fits(metric).then_some(place))
        };
        let wrong = WRONG.iter().flat_map(|name| named("queues", name));
        let wrong: Vec<usize> = wrong.filter(|it| self.happened(*it)).collect();
        let (moved, still): (Vec<_>, Vec<_>) = wrong.into_iter().partition(|it| self.moves(*it));
        let telling = || {
            TELLING
                .iter()
                .flat_map(|(section, name)| named(section, name))
        };
        // A table of what went wrong alone would not say what came of it.
        let both = moved.into_iter().chain(still);
        both.for_each(|it| add(it, SHOWN, false));
        let moving = telling().filter(|it| self.moves(*it));
        for (at, place) in moving.enumerate() {
            add(place, if at < 2 { MOST } else { SHOWN }, false);
        }
        if chosen.is_empty() {
            chosen.extend(named("queues", WRONG[0]).chain(telling()).next());
        }
        chosen
    }

    /// Whether a count is more than nothing at any point.
    fn happened(&self, place: usize) -> bool {
        let more = |record: &Record| record.values[place].is_some_and(|value| value > 0.0);
        self.records.iter().any(more)
    }

    /// Whether a metric is not the same at every point.
    fn moves(&self, place: usize) -> bool {
        let bits = |record: &Record| record.values[place].map(f64::to_bits);
        let first = self.records.first().map(bits);
        self.records
            .iter()
            .any(|record| Some(bits(record)) != first)
    }

    /// Whether a table of these metrics has room on a terminal.
    fn fits(&self, shown: &[usize]) -> bool {
        let mut grid = self.table_of(shown);
        fold(&mut grid);
        width(&grid) <= WIDTH
    }
}

/// Breaks long heads behind the component's name, where the table would not fit: never within a
/// word.
pub(super) fn fold(grid: &mut Grid) {
    if width(grid) <= WIDTH {
        return;
    }
    for head in &mut grid.head {
        let (section, metric) = parts(head);
        if !metric.is_empty() {
            let name = &head[section.len()..head.len() - metric.len()];
            *head = format!("{section}{name}\n{metric}");
        }
    }
}

/// How wide a table is when no cell is broken.
fn width(grid: &Grid) -> usize {
    let lines = |cell: &str| cell.lines().map(|it| it.chars().count()).max().unwrap_or(0);
    let column = |place: usize| {
        let cells = grid.rows.iter().map(|row| lines(&row[place]));
        cells.fold(lines(&grid.head[place]), usize::max)
    };
    let columns = 0..grid.head.len();
    columns
        .map(|place| column(place) + 2)
        .sum::<usize>()
        .saturating_sub(1)
}

#[cfg(test)]
mod tests {
    use super::super::tests::{axis, records};
    use super::*;

    /// A sweep over two points with these metrics and their values at each.
    fn shown(metrics: &[(&str, Unit, [f64; 2])]) -> (Vec<String>, String) {
        let names: Vec<_> = metrics.iter().map(|it| (it.0.to_owned(), it.1)).collect();
        let mut records = records(2, 1);
        for (point, record) in records.iter_mut().enumerate() {
            record.values = metrics.iter().map(|it| Some(it.2[point])).collect();
            record.met = Vec::new();
        }
        let axes = [axis("consumers.fleet.count", &["1", "2"], Unit::Number)];
        let sweep = Sweep {
            title: "t",
            path: "t.toml",
            scenario_text: "",
            seed: 1,
            command: "",
            axes: &axes,
            places: &[vec![0], vec![1]],
            paired: false,
            metrics: &names,
            show: &[],
            goals: &[],
            records: &records,
        };
        let shown = sweep.shown().into_iter().map(|it| names[it].0.clone());
        (shown.collect(), sweep.text())
    }

    #[test]
    fn what_went_wrong_is_shown_even_where_it_does_not_move() {
        let (names, _) = shown(&[
            ("queues.q.rejected", Unit::Count, [0.0, 0.0]),
            ("queues.q.duplicates", Unit::Count, [7.0, 7.0]),
            ("queues.q.dead_lettered", Unit::Count, [3.0, 1.0]),
            ("queues.q.depth.max", Unit::Count, [90.0, 40.0]),
            ("queues.q.drained_at", Unit::Instant, [5.0, 5.0]),
        ]);
        let expected = [
            "queues.q.dead_lettered",
            "queues.q.duplicates",
            "queues.q.depth.max",
        ];
        assert_eq!(names, expected);
    }

    #[test]
    fn heads_break_between_words_at_80_columns() {
        let names = ["orders", "orders_of_yesterday"];
        let metrics: Vec<(String, Unit)> = names
            .iter()
            .flat_map(|it| {
                let of = |metric| (format!("queues.{it}.{metric}"), Unit::Count);
                ["duplicates", "dead_lettered", "lost"].map(of)
            })
            .collect();
        let metrics: Vec<_> = metrics
            .iter()
            .map(|it| (&*it.0, it.1, [2.0, 1.0]))
            .collect();
        let (names, text) = shown(&metrics);
        assert!(names.len() > 1, "{names:?}");
        assert!(
            text.lines().all(|line| line.chars().count() <= 80),
            "{text}"
        );
        for name in names {
            let metric = parts(&name).1.to_owned();
            assert!(
                text.split_whitespace().any(|it| it.ends_with(&metric)),
                "{text}"
            );
        }
    }
}
