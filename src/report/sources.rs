//! The readings side by side: closed form, fluid, simulation, how each is known, and whether they
//! agree.
//!
//! Not the readings themselves, nor the judgement: both come from below.

use super::grid::{Grid, Side};
use super::number::{Scale, between, plain};
use crate::outcome::{How, Known, Reading, Readings, Unit, Verdict};
use crate::stats::confidence::Interval;

/// The table of the readings, and what is to be said below it: the assumptions that fail, by
/// number, then why there is no closed form or fluid reading, then what else must be known.
pub(super) fn tables(readings: &Readings) -> (Grid, Grid) {
    let sides = [
        Side::Left,
        Side::Right,
        Side::Right,
        Side::Right,
        Side::Left,
    ];
    let mut simulated = readings
        .rows
        .iter()
        .filter_map(|row| row.simulation.as_ref());
    let level = simulated.find_map(|known| known.interval);
    let simulated = level.map_or_else(
        || "simulated".to_owned(),
        |interval| format!("simulated ({} %)", 100.0 * interval.level),
    );
    let head = ["metric", "closed form", "fluid", &simulated, ""];
    let mut grid = Grid::new("readings", &head, &sides);
    let mut failing = Vec::new();
    for reading in &readings.rows {
        let verdict = match &reading.verdict {
            Verdict::Agree => "agree".to_owned(),
            Verdict::Alone => String::new(),
            Verdict::Differ { because } => format!("differ [{}]", place_of(&mut failing, because)),
        };
        grid.rows.push(row(reading, verdict));
    }
    let failing = failing
        .iter()
        .zip(1..)
        .map(|(why, place)| (format!("[{place}]"), (*why).clone()));
    let none = |what: &str, why: &String| ("-".to_owned(), format!("no {what} for {why}"));
    // One reason against both is told once.
    let (no_form, no_flow) = (&readings.no_form, &readings.no_flow);
    let no_form = no_form.iter().map(|why| {
        if no_flow.contains(why) {
            none("closed form and no fluid reading", why)
        } else {
            none("closed form", why)
        }
    });
    let no_flow = no_flow
        .iter()
        .filter(|why| !readings.no_form.contains(why))
        .map(|why| none("fluid reading", why));
    let notes = readings
        .notes
        .iter()
        .map(|note| ("-".to_owned(), note.clone()));
    let mut below = Grid::new("notes on the readings", &[], &[Side::Left, Side::Left]);
    let said = failing.chain(no_form).chain(no_flow).chain(notes);
    below.rows = said.map(|(mark, sentence)| vec![mark, sentence]).collect();
    (grid, below)
}

/// The readings as text: the table, and what is to be said below it. Empty when there are none.
pub fn sources_text(readings: &Readings) -> String {
    let (grid, below) = tables(readings);
    let parts = [grid, below];
    parts
        .iter()
        .filter(|grid| !grid.rows.is_empty())
        .map(Grid::text)
        .collect()
}

/// The number of a reason, which is added when it is new.
fn place_of<'a>(reasons: &mut Vec<&'a String>, reason: &'a String) -> usize {
    if let Some(place) = reasons.iter().position(|known| *known == reason) {
        return place + 1;
    }
    reasons.push(reason);
    reasons.len()
}

fn row(reading: &Reading, verdict: String) -> Vec<String> {
    let known = |known: Option<&Known>| match known {
        Some(known) => format!("{}\n{}", shown(known, reading.unit), source(known)),
        None => "-".to_owned(),
    };
    vec![
        two_lines(&reading.metric),
        known(reading.theory.as_ref()),
        known(reading.fluid.as_ref()),
        reading
            .simulation
            .as_ref()
            .map_or_else(|| "-".to_owned(), |known| shown(known, reading.unit)),
        verdict,
    ]
}

/// How a number is known, and from what; of a fluid reading the head of its column says how.
fn source(known: &Known) -> String {
    match known.how {
        How::Exact | How::Approximate | How::Simulated => {
            format!("{}, {}", known.how.word(), known.source)
        }
        How::Fluid => known.source.clone(),
    }
}

/// A metric's name, its component's on a line of its own.
fn two_lines(metric: &str) -> String {
    match metric.match_indices('.').nth(1) {
        Some((dot, _)) => format!("{}\n{}", &metric[..dot], &metric[dot..]),
        None => metric.to_owned(),
    }
}

fn shown(known: &Known, unit: Unit) -> String {
    let Some(value) = known.value else {
        return "never".to_owned();
    };
    match known.interval {
        // The interval of a percentile need not lie evenly about it: its own ends are told.
        Some(Interval { low, high, .. }) if !is_even(value, low, high) => {
            let scale = Scale::fitting(value, unit);
            let (from, to) = (scale.number(low), scale.number(high));
            format!("{} ({from} to {to})", plain(value, unit))
        }
        Some(interval) => between(&interval, unit),
        None => plain(value, unit),
    }
}

fn is_even(value: f64, low: f64, high: f64) -> bool {
    (f64::midpoint(low, high) - value).abs() <= 0.01 * (high - low)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_reason_against_two_readings_is_told_once() {
        let why = |text: &str| text.to_owned();
        let readings = Readings {
            no_form: vec![why("queues.a: crashes"), why("queues.b: batches")],
            no_flow: vec![why("queues.a: crashes"), why("queues.c: limits")],
            ..Readings::default()
        };
        let told = sources_text(&readings);
        assert_eq!(told.matches("crashes").count(), 1, "{told}");
        for said in [
            "no closed form and no fluid reading for queues.a: crashes",
            "no closed form for queues.b: batches",
            "no fluid reading for queues.c: limits",
        ] {
            assert!(told.contains(said), "{told}");
        }
    }
}
