//! Numbers as people read them: thousands separators, four digits that matter, a unit that fits.
//!
//! Not for machines: JSON and CSV carry plain numbers in base units.

use crate::outcome::Unit;
use crate::stats::confidence::Interval;

/// A whole number with separators: `100,000`.
pub fn count(value: u64) -> String {
    group(&value.to_string())
}

/// A number of things, in words: `1 handler`, `60 handlers`.
pub fn counted(value: u64, thing: &str) -> String {
    let plural = if value == 1 { "" } else { "s" };
    format!("{} {thing}{plural}", count(value))
}

/// A number with this many decimals and separators: `1,181.20`.
pub fn fixed(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits)
            if digits
                .chars()
                .any(|digit| digit.is_ascii_digit() && digit != '0') =>
        {
            ("-", digits)
        }
        Some(digits) => ("", digits),
        None => ("", text.as_str()),
    };
    let (whole, part) = digits.split_at(digits.find('.').unwrap_or(digits.len()));
    format!("{sign}{}{part}", group(whole))
}

/// A number of a unit: `41.23 ms`, `87.3 %`, `100,000`.
pub fn plain(value: f64, unit: Unit) -> String {
    let scale = Scale::fitting(value, unit);
    join(&scale.number(value), scale.name)
}

/// A number and half the width of its interval: `41.23 ± 0.31 ms`.
pub fn between(interval: &Interval, unit: Unit) -> String {
    let scale = Scale::fitting(interval.mean, unit);
    join(&scale.interval(interval), scale.name)
}

/// Seconds: `83.33 s`.
pub fn seconds(value: f64) -> String {
    plain(value, Unit::Seconds)
}

fn join(number: &str, unit: &str) -> String {
    match unit {
        "" => number.to_owned(),
        "/s" => format!("{number}{unit}"),
        _ => format!("{number} {unit}"),
    }
}

fn group(digits: &str) -> String {
    let mut grouped = String::with_capacity(digits.len() + digits.len() / 3);
    for (place, digit) in digits.char_indices() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// The unit in which a number is shown, and what one of it is in the base unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    /// Its name: `ms`; empty for plain numbers.
    pub name: &'static str,
    size: f64,
}

const SECONDS: [(&str, f64, f64); 6] = [
    ("d", 86_400.0, 172_800.0),
    ("h", 3_600.0, 7_200.0),
    ("s", 1.0, 1.0),
    ("ms", 1e-3, 1e-3),
    ("µs", 1e-6, 1e-6),
    ("ns", 1e-9, 0.0),
];

const BYTES: [(&str, f64, f64); 4] = [
    ("GiB", 1_073_741_824.0, 1_073_741_824.0),
    ("MiB", 1_048_576.0, 1_048_576.0),
    ("KiB", 1_024.0, 1_024.0),
    ("B", 1.0, 0.0),
];

impl Scale {
    /// The scale in which `value` reads best. Seconds stay seconds up to two hours, so that they
    /// can be compared with a scenario's.
    pub fn fitting(value: f64, unit: Unit) -> Self {
        let one = |name, size| Self { name, size };
        match unit {
            Unit::Count | Unit::Number => one("", 1.0),
            Unit::Ratio => one("%", 0.01),
            Unit::PerSecond => one("/s", 1.0),
            Unit::Seconds | Unit::Instant if value == 0.0 => one("s", 1.0),
            Unit::Seconds | Unit::Instant => Self::first(&SECONDS, value),
            Unit::Bytes => Self::first(&BYTES, value),
        }
    }

    fn first(units: &[(&'static str, f64, f64)], value: f64) -> Self {
        let fits = |(_, _, from): &&(&str, f64, f64)| value.abs() >= *from;
        let (name, size, _) = units.iter().find(fits).unwrap_or(&units[units.len() - 1]);
        Self { name, size: *size }
    }

    /// A number in this scale, without the unit: four digits, or all before the point.
    pub fn number(self, value: f64) -> String {
        let scaled = value / self.size;
        if !scaled.is_finite() {
            return "not a number".to_owned();
        }
        let decimals = if scaled.fract() == 0.0 {
            0
        } else {
            decimals_for(scaled)
        };
        fixed(scaled, decimals)
    }

    /// A mean and half the width of its interval in this scale, without the unit, to as many
    /// digits as the half-width is worth.
    pub fn interval(self, interval: &Interval) -> String {
        let half = interval.half_width() / self.size;
        let mean = interval.mean / self.size;
        // All alike, but for the rounding of their sum.
        if half <= 1e-12 * mean.abs() || !half.is_finite() {
            return format!("{} ± 0", self.number(interval.mean));
        }
        let decimals = decimals_for_half(half);
        format!("{} ± {}", fixed(mean, decimals), fixed(half, decimals))
    }
}

/// Decimals that show four significant digits.
fn decimals_for(value: f64) -> usize {
    let order = value.abs().log10().floor();
    (3.0 - order).clamp(0.0, 12.0) as usize
}

/// Decimals that show one digit of a half-width, two when it starts with 1 or 2.
fn decimals_for_half(half: f64) -> usize {
    let order = half.log10().floor();
    let extra = if half / 10_f64.powf(order) < 3.0 {
        1.0
    } else {
        0.0
    };
    (extra - order).clamp(0.0, 12.0) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_thousands() {
        assert_eq!(count(0), "0");
        assert_eq!(count(999), "999");
        assert_eq!(count(100_000), "100,000");
        assert_eq!(count(1_234_567), "1,234,567");
        assert_eq!(fixed(-1234.5, 1), "-1,234.5");
        assert_eq!(fixed(-0.01, 1), "0.0");
    }

    #[test]
    fn chooses_a_unit_that_fits() {
        assert_eq!(seconds(0.0), "0 s");
        assert_eq!(seconds(0.04), "40 ms");
        assert_eq!(seconds(423.16), "423.2 s");
        assert_eq!(seconds(432_000.0), "5 d");
        assert_eq!(plain(0.872_727, Unit::Ratio), "87.27 %");
        assert_eq!(plain(1_181.23, Unit::PerSecond), "1,181/s");
        assert_eq!(plain(1_536.0, Unit::Bytes), "1.500 KiB");
        assert_eq!(plain(8_000.0, Unit::Count), "8,000");
        assert_eq!(plain(f64::NAN, Unit::Number), "not a number");
    }

    #[test]
    fn an_interval_has_no_more_digits_than_it_is_worth() {
        let interval = |mean, half| Interval {
            mean,
            low: mean - half,
            high: mean + half,
            level: 0.95,
            count: 20,
        };
        assert_eq!(
            between(&interval(0.041_234, 0.000_34), Unit::Number),
            "0.0412 ± 0.0003"
        );
        assert_eq!(
            between(&interval(0.041_234, 0.000_12), Unit::Seconds),
            "41.23 ± 0.12 ms"
        );
        assert_eq!(between(&interval(8_000.0, 0.0), Unit::Count), "8,000 ± 0");
        assert_eq!(
            between(&interval(34_512.0, 1_203.0), Unit::Number),
            "34,512 ± 1,203"
        );
    }
}
