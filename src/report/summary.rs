//! The summary: for each component the metrics that say something, with intervals where there are
//! several replications.
//!
//! Not every metric: what is zero or did not happen is left out. JSON and CSV carry them all.

use std::collections::BTreeMap;

use super::grid::{Grid, Side};
use super::number::{Scale, between, plain};
use crate::model::Model;
use crate::outcome::{Measures, Unit};

/// The level of the intervals.
pub(super) const LEVEL: f64 = 0.95;

/// What is shown of one component.
#[derive(Clone, Debug)]
pub(super) struct Card {
    /// Its full name; behind it and a dot, the names in the tables are metrics.
    pub(super) name: String,
    /// Its tables: single numbers, levels, times; those without rows are left out.
    pub(super) grids: Vec<Grid>,
}

/// The cards of all components that have something to show, in the order of the model.
pub(super) fn cards(model: &Model, measures: &Measures) -> Vec<Card> {
    let callers = model.callers.iter();
    let callers: Vec<_> = callers.map(|it| format!("{}.calls", it.name)).collect();
    let mut names = model.components();
    names.extend(callers.iter().map(String::as_str));
    let places = places(measures, &names);
    let card = |name: &str| {
        let metrics = metrics_of(measures, name, &places[name]);
        let grids = [
            singles(measures, name, &metrics),
            levels(measures, name, &metrics),
            times(measures, name, &metrics),
        ];
        Card {
            name: name.to_owned(),
            grids: grids
                .into_iter()
                .filter(|grid| !grid.rows.is_empty())
                .collect(),
        }
    };
    names
        .iter()
        .map(|name| card(name))
        .filter(|card| !card.grids.is_empty())
        .collect()
}

/// A metric of one component with its parts: `wait` with `mean`, `p50` …, or `offered` alone.
struct Metric<'a> {
    base: &'a str,
    /// Names of the parts and places in the catalogue.
    parts: Vec<(&'a str, usize)>,
    unit: Unit,
}

impl Metric<'_> {
    fn part(&self, name: &str) -> Option<usize> {
        self.parts
            .iter()
            .find(|(part, _)| *part == name)
            .map(|(_, position)| *position)
    }
}

/// Where in the catalogue the metrics of each component are: found in one pass, since there may be
/// thousands of components.
fn places<'a>(measures: &Measures, names: &[&'a str]) -> BTreeMap<&'a str, Vec<usize>> {
    let mut places: BTreeMap<_, _> = names.iter().map(|name| (*name, Vec::new())).collect();
    for (place, (metric, _)) in measures.catalogue().entries().iter().enumerate() {
        // The longest name is whose it is: `consumers.fleet.calls` is not the fleet.
        let mut dots = metric.rmatch_indices('.').map(|(dot, _)| dot);
        if let Some(owner) = dots.find(|&dot| places.contains_key(&metric[..dot]))
            && let Some(places) = places.get_mut(&metric[..owner])
        {
            places.push(place);
        }
    }
    places
}

fn metrics_of<'a>(measures: &'a Measures, component: &str, places: &[usize]) -> Vec<Metric<'a>> {
    let mut metrics: Vec<Metric> = Vec::new();
    for &position in places {
        let (name, unit) = &measures.catalogue().entries()[position];
        let metric = &name[component.len() + 1..];
        let (base, part) = metric.split_once('.').unwrap_or((metric, ""));
        match metrics.iter_mut().find(|known| known.base == base) {
            Some(known) => known.parts.push((part, position)),
            None => metrics.push(Metric {
                base,
                parts: vec![(part, position)],
                unit: *unit,
            }),
        }
    }
    metrics
}

fn singles(measures: &Measures, component: &str, metrics: &[Metric]) -> Grid {
    let mut grid = Grid::new(
        &format!("{component}, numbers"),
        &[],
        &[Side::Left, Side::Right],
    );
    for metric in metrics {
        let Some(position) = metric.part("") else {
            continue;
        };
        let (unit, nothing) = match metric.base {
            // Its name says in what it is summed.
            "blocked_seconds" => (Unit::Number, 0.0),
            // More than one is worth a line.
            "deliveries_per_message" | "amplification" => (metric.unit, 1.0),
            _ => (metric.unit, 0.0),
        };
        if let Some(shown) = single(measures, position, unit, nothing) {
            grid.rows.push(vec![metric.base.to_owned(), shown]);
        }
    }
    grid
}

/// One number, `None` when it says `nothing`, or is absent from every replication.
fn single(measures: &Measures, position: usize, unit: Unit, nothing: f64) -> Option<String> {
    let (present, all) = (measures.present(position), measures.replications());
    if present < all {
        return (present > 0).then(|| format!("in {present} of {all} runs"));
    }
    let mean = measures
        .at(position)
        .filter(|mean| *mean - nothing != 0.0)?;
    Some(match measures.interval(position, LEVEL) {
        Some(interval) => between(&interval, unit),
        None => plain(mean, unit),
    })
}

fn levels(measures: &Measures, component: &str, metrics: &[Metric]) -> Grid {
    let levels = metrics.iter().filter(|metric| metric.part("end").is_some());
    several(
        measures,
        levels,
        &["mean", "max", "end"],
        (component, "level"),
    )
}

fn times(measures: &Measures, component: &str, metrics: &[Metric]) -> Grid {
    let times = metrics.iter().filter(|metric| metric.part("p50").is_some());
    let columns: &[&str] = match measures.replications() {
        0 | 1 => &["mean", "p50", "p90", "p99", "p999", "max"],
        // An interval takes room.
        _ => &["mean", "p50", "p99", "max"],
    };
    several(measures, times, columns, (component, "time"))
}

/// A row for each metric whose maximum is neither zero nor absent, in the unit that fits it.
fn several<'a>(
    measures: &Measures,
    metrics: impl Iterator<Item = &'a Metric<'a>>,
    columns: &[&str],
    (component, kind): (&str, &str),
) -> Grid {
    let mut sides = vec![Side::Right; columns.len()];
    sides.insert(0, Side::Left);
    let first = match measures.replications() {
        0 | 1 => kind.to_owned(),
        _ => format!("{kind} ({} %)", 100.0 * LEVEL),
    };
    let head: Vec<&str> = std::iter::once(first.as_str())
        .chain(columns.iter().copied())
        .collect();
    let mut grid = Grid::new(&format!("{component}, {kind}s"), &head, &sides);
    for metric in metrics {
        let highest = metric
            .part("max")
            .and_then(|position| measures.at(position));
        let Some(highest) = highest.filter(|highest| *highest != 0.0) else {
            continue;
        };
        let mean = metric
            .part("mean")
            .and_then(|position| measures.at(position));
        // Between both, so that neither is all zeros.
        let mean = mean.filter(|mean| *mean > 0.0);
        let middle = mean.map_or(highest, |mean| (mean * highest).sqrt());
        let scale = Scale::fitting(middle, metric.unit);
        let cell = |name: &&str| {
            metric.part(name).map_or_else(String::new, |position| {
                match (measures.interval(position, LEVEL), measures.at(position)) {
                    (Some(interval), _) => scale.interval(&interval),
                    (None, Some(value)) => scale.number(value),
                    (None, None) => "-".to_owned(),
                }
            })
        };
        let name = match scale.name {
            "" => metric.base.to_owned(),
            unit => format!("{}, {unit}", metric.base),
        };
        grid.rows.push(
            std::iter::once(name)
                .chain(columns.iter().map(cell))
                .collect(),
        );
    }
    grid
}
