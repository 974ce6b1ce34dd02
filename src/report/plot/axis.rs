//! Axes: where the ticks are and what they are called.
//!
//! Not where they are drawn: that is the layout's business.

use crate::outcome::Unit;
use crate::report::number::{fixed, plain};

/// How the numbers of an axis are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// Seconds, shown in the unit that fits: `2 min`.
    Time,
    /// Numbers of things, or of things a second: `100 k`.
    Number,
    /// Shares, shown in per cent: `20 %`.
    Share,
    /// Bytes: `2 GB`.
    Bytes,
}

/// A horizontal axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// What it is called below it; empty where its marks say it.
    pub name: String,
    /// Its left end.
    pub from: f64,
    /// Its right end.
    pub to: f64,
    /// What stands below it.
    pub marks: Marks,
}

/// The marks of a horizontal axis.
#[derive(Clone, Debug, PartialEq)]
pub enum Marks {
    /// Round instants, in seconds since the start.
    Clock,
    /// These places and what they are called, from left to right; what has no room is left out.
    /// For the values of a key: `(0.0, "48"), (1.0, "52")`.
    At(Vec<(f64, String)>),
}

impl Axis {
    /// Time from the start of a run.
    pub fn time(end: f64) -> Self {
        Self {
            name: String::new(),
            from: 0.0,
            to: end,
            marks: Marks::Clock,
        }
    }

    /// Round instants, at most so many steps apart, and what they are called.
    pub(in crate::report) fn ticks(&self, most: usize) -> Vec<(f64, String)> {
        Ticks::covering(self.to, most, Quantity::Time).marks
    }

    /// Round instants, at most so many and the end, and what they are called.
    pub(in crate::report) fn round_instants(&self, most: usize) -> Vec<(f64, String)> {
        let mut marks = self.ticks(most);
        if marks.last().is_some_and(|(last, _)| *last < self.to) {
            marks.push((self.to, Quantity::Time.show(self.to)));
        }
        marks
    }

    /// The values of a key, evenly spaced in their order: value `i` is at the place `i`.
    pub fn values(key: &str, values: &[String]) -> Self {
        let places = (0..values.len()).map(|place| place as f64);
        Self {
            name: key.to_owned(),
            from: 0.0,
            to: f64::max(values.len() as f64 - 1.0, 1.0),
            marks: Marks::At(places.zip(values.iter().cloned()).collect()),
        }
    }

    /// The values of a key where they lie as numbers; `None` when one of them is none. Each has
    /// its number and how it is written.
    pub fn numbers(key: &str, values: &[(f64, String)]) -> Option<Self> {
        let all = || values.iter().map(|(value, _)| *value);
        let (from, to) = (
            all().fold(f64::INFINITY, f64::min),
            all().fold(f64::NEG_INFINITY, f64::max),
        );
        (from.is_finite() && to.is_finite() && from < to).then(|| Self {
            name: key.to_owned(),
            from,
            to,
            marks: Marks::At(values.to_vec()),
        })
    }
}

impl Quantity {
    /// A number of it in words: `83.33 s`.
    pub(in crate::report) fn show(self, value: f64) -> String {
        plain(value, self.unit())
    }

    fn unit(self) -> Unit {
        match self {
            Self::Time => Unit::Seconds,
            Self::Number => Unit::Number,
            Self::Share => Unit::Ratio,
            Self::Bytes => Unit::Bytes,
        }
    }

    /// The word for it in the data of a page.
    pub(in crate::report) fn word(self) -> &'static str {
        match self {
            Self::Time => "time",
            Self::Number => "number",
            Self::Share => "share",
            Self::Bytes => "bytes",
        }
    }
}

impl From<Unit> for Quantity {
    fn from(unit: Unit) -> Self {
        match unit {
            Unit::Seconds | Unit::Instant => Self::Time,
            Unit::Count | Unit::Number | Unit::PerSecond => Self::Number,
            Unit::Ratio => Self::Share,
            Unit::Bytes => Self::Bytes,
        }
    }
}

/// The ticks of an axis from zero.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Ticks {
    /// Values and labels, from zero upwards.
    pub(super) marks: Vec<(f64, String)>,
    /// The distance between two.
    pub(super) step: f64,
}

/// Steps of time that people count in: their seconds, and the unit of their labels.
const TIME_STEPS: [(f64, f64, &str); 16] = [
    (1.0, 1.0, "s"),
    (2.0, 1.0, "s"),
    (5.0, 1.0, "s"),
    (10.0, 1.0, "s"),
    (20.0, 1.0, "s"),
    (30.0, 1.0, "s"),
    (60.0, 60.0, "min"),
    (120.0, 60.0, "min"),
    (300.0, 60.0, "min"),
    (600.0, 60.0, "min"),
    (1_800.0, 60.0, "min"),
    (3_600.0, 3_600.0, "h"),
    (7_200.0, 3_600.0, "h"),
    (21_600.0, 3_600.0, "h"),
    (43_200.0, 3_600.0, "h"),
    (86_400.0, 86_400.0, "d"),
];

impl Ticks {
    /// At most `most` steps that cover zero to `top`.
    pub(super) fn covering(top: f64, most: usize, quantity: Quantity) -> Self {
        let least = top / most as f64;
        let (step, size, unit) = match quantity {
            Quantity::Time => time_step(least, top),
            Quantity::Number => number_step(least, top),
            Quantity::Share => (nice(least), 0.01, "%"),
            Quantity::Bytes => bytes_step(least, top),
        };
        let steps = (top / step + 1e-9).floor() as usize;
        let mark = |place: usize| {
            let value = step * place as f64;
            let label = match place {
                0 => "0".to_owned(),
                _ => label(value / size, step / size, unit),
            };
            (value, label)
        };
        Self {
            marks: (0..=steps).map(mark).collect(),
            step,
        }
    }
}

/// The step of at least `least` seconds, the size of its unit, and the unit.
fn time_step(least: f64, top: f64) -> (f64, f64, &'static str) {
    if least > 0.5 {
        let days = (nice(least / 86_400.0) * 86_400.0, 86_400.0, "d");
        return *TIME_STEPS
            .iter()
            .find(|(step, ..)| *step >= least)
            .unwrap_or(&days);
    }
    let (size, unit) = [(1.0, "s"), (1e-3, "ms"), (1e-6, "µs")]
        .into_iter()
        .find(|(size, _)| top >= *size)
        .unwrap_or((1e-9, "ns"));
    (nice(least), size, unit)
}

fn number_step(least: f64, top: f64) -> (f64, f64, &'static str) {
    let (size, unit) = match top {
        _ if top >= 1e10 => (1e9, "G"),
        _ if top >= 1e7 => (1e6, "M"),
        _ if top >= 1e4 => (1e3, "k"),
        _ => (1.0, ""),
    };
    (nice(least), size, unit)
}

fn bytes_step(least: f64, top: f64) -> (f64, f64, &'static str) {
    let units = [
        (1_073_741_824.0, "GiB"),
        (1_048_576.0, "MiB"),
        (1_024.0, "KiB"),
    ];
    let fits = |(size, _): &&(f64, &str)| top >= 2.0 * *size;
    let (size, unit) = *units.iter().find(fits).unwrap_or(&(1.0, "B"));
    (nice(least / size) * size, size, unit)
}

/// The least of 1, 2 and 5 times a power of ten that is no less.
fn nice(least: f64) -> f64 {
    if least <= 0.0 || !least.is_finite() {
        return 1.0;
    }
    let power = 10_f64.powf(least.log10().floor());
    let factors = [1.0, 2.0, 5.0, 10.0];
    let enough = |factor: &&f64| *factor * power >= least * (1.0 - 1e-9);
    power * factors.iter().find(enough).unwrap_or(&10.0)
}

fn label(value: f64, step: f64, unit: &str) -> String {
    let decimals = (0..9).find(|decimals| {
        let scaled = step * 10_f64.powi(*decimals);
        (scaled - scaled.round()).abs() < 1e-6
    });
    let number = fixed(value, decimals.unwrap_or(9) as usize);
    if unit.is_empty() {
        number
    } else {
        format!("{number} {unit}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(top: f64, most: usize, quantity: Quantity) -> Vec<String> {
        Ticks::covering(top, most, quantity)
            .marks
            .into_iter()
            .map(|(_, label)| label)
            .collect()
    }

    #[test]
    fn ticks_are_round_numbers() {
        let number = |top, most| labels(top, most, Quantity::Number);
        assert_eq!(number(105_000.0, 5), ["0", "50 k", "100 k"]);
        assert_eq!(
            number(9_000.0, 5),
            ["0", "2,000", "4,000", "6,000", "8,000"]
        );
        assert_eq!(number(1.1, 5), ["0", "0.5", "1.0"]);
        assert_eq!(
            number(2.5e7, 5),
            ["0", "5 M", "10 M", "15 M", "20 M", "25 M"]
        );
    }

    #[test]
    fn ticks_of_shares_and_bytes_have_their_units() {
        assert_eq!(
            labels(0.9, 5, Quantity::Share),
            ["0", "20 %", "40 %", "60 %", "80 %"]
        );
        assert_eq!(labels(5.5e6, 4, Quantity::Bytes), ["0", "2 MiB", "4 MiB"]);
    }

    #[test]
    fn an_axis_of_values_needs_two_that_differ() {
        let written = |value: f64| (value, value.to_string());
        assert_eq!(Axis::numbers("count", &[written(4.0), written(4.0)]), None);
        let axis = Axis::numbers("count", &[written(4.0), written(8.0)]).expect("numbers");
        assert_eq!((axis.from, axis.to), (4.0, 8.0));
    }

    #[test]
    fn ticks_of_time_are_those_of_clocks() {
        let time = |top, most| labels(top, most, Quantity::Time);
        assert_eq!(time(423.0, 5), ["0", "2 min", "4 min", "6 min"]);
        assert_eq!(time(95.0, 5), ["0", "20 s", "40 s", "60 s", "80 s"]);
        assert_eq!(time(86_400.0, 5), ["0", "6 h", "12 h", "18 h", "24 h"]);
        assert_eq!(time(3_456_000.0, 5), ["0", "10 d", "20 d", "30 d", "40 d"]);
        assert_eq!(time(2.2, 5), ["0", "0.5 s", "1.0 s", "1.5 s", "2.0 s"]);
        assert_eq!(time(0.09, 5), ["0", "20 ms", "40 ms", "60 ms", "80 ms"]);
        assert_eq!(time(0.0, 5), ["0"]);
    }
}
