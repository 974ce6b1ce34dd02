//! Simulated time: whole nanoseconds since the run began, and spans of it.
//!
//! Not wall-clock time, and never a float: ties between events stay ties.

use std::fmt;
use std::ops::{Add, AddAssign, Sub};
use std::str::FromStr;

use super::decimal::{Decimal, QuantityError};

/// Nanoseconds in a second.
pub const NANOS_PER_SECOND: u64 = 1_000_000_000;

/// An instant: nanoseconds since the run began (584 years fit).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SimTime(u64);

/// A span of simulated time in whole nanoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SimDuration(u64);

impl SimTime {
    /// The start of the run.
    pub const ZERO: Self = Self(0);
    /// Beyond every instant that is reached.
    pub const MAX: Self = Self(u64::MAX);

    /// The instant this many nanoseconds after the start.
    pub const fn from_nanos(nanos: u64) -> Self {
        Self(nanos)
    }

    /// Nanoseconds since the start.
    pub const fn as_nanos(self) -> u64 {
        self.0
    }

    /// Seconds since the start.
    pub fn as_secs_f64(self) -> f64 {
        SimDuration(self.0).as_secs_f64()
    }

    /// The span from `earlier` to this instant, zero if `earlier` is later.
    pub const fn since(self, earlier: Self) -> SimDuration {
        SimDuration(self.0.saturating_sub(earlier.0))
    }

    /// Time since an instant that is known not to be later.
    #[inline]
    pub(crate) fn since_past(self, earlier: Self) -> SimDuration {
        debug_assert!(earlier <= self, "{earlier} is later than {self}");
        SimDuration(self.0.wrapping_sub(earlier.0))
    }

    /// This instant plus a span, `MAX` when it would not fit.
    #[must_use]
    pub const fn saturating_add(self, span: SimDuration) -> Self {
        Self(self.0.saturating_add(span.0))
    }
}

impl SimDuration {
    /// No time at all.
    pub const ZERO: Self = Self(0);
    /// The longest span.
    pub const MAX: Self = Self(u64::MAX);

    /// A span of this many nanoseconds.
    pub const fn from_nanos(nanos: u64) -> Self {
        Self(nanos)
    }

    /// A span of whole milliseconds.
    pub const fn from_millis(millis: u64) -> Self {
        Self(millis * 1_000_000)
    }

    /// A span of whole seconds.
    pub const fn from_secs(secs: u64) -> Self {
        Self(secs * NANOS_PER_SECOND)
    }

    /// Seconds to the nearest nanosecond, half up. Negative and NaN become zero, and nothing
    /// becomes longer than 292 years:
    /// this is the one edge at which the floats of the random laws become time.
    #[inline]
    pub fn from_secs_rounded(secs: f64) -> Self {
        Self(((secs * 1e9 + 0.5) as i64).max(0) as u64)
    }

    /// The sum, or the longest span when it would not fit.
    #[must_use]
    pub const fn saturating_add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }

    /// The difference, or no time when `other` is longer.
    #[must_use]
    pub const fn saturating_sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }

    /// Nanoseconds.
    pub const fn as_nanos(self) -> u64 {
        self.0
    }

    /// Seconds.
    pub fn as_secs_f64(self) -> f64 {
        // Exact numerators give the float nearest to the decimal, for the first hundred days.
        if self.0 < 1 << 53 {
            return self.0 as f64 / 1e9;
        }
        (self.0 / NANOS_PER_SECOND) as f64 + (self.0 % NANOS_PER_SECOND) as f64 / 1e9
    }

    /// Whether this is no time at all.
    pub const fn is_zero(self) -> bool {
        self.0 == 0
    }
}

impl Add<SimDuration> for SimTime {
    type Output = Self;
    fn add(self, span: SimDuration) -> Self {
        Self(self.0 + span.0)
    }
}

impl AddAssign<SimDuration> for SimTime {
    fn add_assign(&mut self, span: SimDuration) {
        self.0 += span.0;
    }
}

impl Add for SimDuration {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl Sub for SimDuration {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

const EXPECTED: &str =
    "a duration is a number with its unit, such as \"40ms\" or \"1m 30s\" (ns us ms s m h d)";

const UNITS: [(&str, u64); 9] = [
    ("d", 86_400 * NANOS_PER_SECOND),
    ("h", 3_600 * NANOS_PER_SECOND),
    ("m", 60 * NANOS_PER_SECOND),
    ("min", 60 * NANOS_PER_SECOND),
    ("s", NANOS_PER_SECOND),
    ("ms", 1_000_000),
    ("us", 1_000),
    ("µs", 1_000),
    ("ns", 1),
];

/// The nanoseconds in one `unit` of time, if it is one.
pub(super) fn unit_nanos(unit: &str) -> Option<u64> {
    UNITS
        .iter()
        .find(|(name, _)| *name == unit)
        .map(|(_, nanos)| *nanos)
}

impl FromStr for SimDuration {
    type Err = QuantityError;

    fn from_str(text: &str) -> Result<Self, QuantityError> {
        let mut rest = text.trim();
        let mut total = Self::ZERO;
        loop {
            let (number, after) = Decimal::split(rest).ok_or_else(|| QuantityError::NoNumber {
                text: text.to_owned(),
                expected: EXPECTED,
            })?;
            let end = after
                .find(|c: char| !c.is_alphabetic())
                .unwrap_or(after.len());
            let (unit, tail) = after.split_at(end);
            if unit.is_empty() {
                return Err(QuantityError::NoUnit {
                    text: text.to_owned(),
                    expected: EXPECTED,
                });
            }
            let nanos = unit_nanos(unit).ok_or_else(|| QuantityError::UnknownUnit {
                unit: unit.to_owned(),
                expected: EXPECTED,
            })?;
            total = number
                .times(nanos)
                .and_then(|span| total.0.checked_add(span))
                .map(Self)
                .ok_or_else(|| QuantityError::OutOfRange {
                    text: text.to_owned(),
                    expected: "durations reach 584 years",
                })?;
            rest = tail.trim();
            if rest.is_empty() {
                return Ok(total);
            }
        }
    }
}

impl fmt::Display for SimDuration {
    /// Exact and short, and it parses back: `40ms`, `1m 30s`, `1m 23.3325s`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 < NANOS_PER_SECOND {
            let (name, unit) = match self.0 {
                0 => ("s", NANOS_PER_SECOND),
                1..1_000 => ("ns", 1),
                1_000..1_000_000 => ("us", 1_000),
                _ => ("ms", 1_000_000),
            };
            return write!(f, "{}{name}", fixed(self.0, unit));
        }
        let minute = 60 * NANOS_PER_SECOND;
        let mut rest = self.0;
        let mut gap = "";
        for (name, unit) in [("d", 1_440 * minute), ("h", 60 * minute), ("m", minute)] {
            if rest >= unit {
                write!(f, "{gap}{}{name}", rest / unit)?;
                rest %= unit;
                gap = " ";
            }
        }
        if rest > 0 {
            write!(f, "{gap}{}s", fixed(rest, NANOS_PER_SECOND))?;
        }
        Ok(())
    }
}

impl fmt::Display for SimTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        SimDuration(self.0).fmt(f)
    }
}

/// `nanos / unit` as an exact decimal without trailing zeros; `unit` is a power of ten.
fn fixed(nanos: u64, unit: u64) -> String {
    let (whole, part) = (nanos / unit, nanos % unit);
    if part == 0 {
        return whole.to_string();
    }
    let width = unit.ilog10() as usize;
    format!(
        "{whole}.{}",
        format!("{part:0width$}").trim_end_matches('0')
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_durations_and_writes_them_back() {
        for (text, nanos, shown) in [
            ("40ms", 40_000_000, "40ms"),
            ("1m 30s", 90_000_000_000, "1m 30s"),
            ("90s", 90_000_000_000, "1m 30s"),
            ("1.5h", 5_400_000_000_000, "1h 30m"),
            ("2min", 120_000_000_000, "2m"),
            ("83.3325s", 83_332_500_000, "1m 23.3325s"),
            ("0s", 0, "0s"),
            ("416.667us", 416_667, "416.667us"),
        ] {
            let span: SimDuration = text.parse().expect(text);
            assert_eq!(span.as_nanos(), nanos, "{text}");
            assert_eq!(span.to_string(), shown, "{text}");
            assert_eq!(shown.parse::<SimDuration>(), Ok(span), "{text}");
        }
    }

    #[test]
    fn a_duration_without_a_unit_says_which_exist() {
        let error = "40".parse::<SimDuration>().unwrap_err().to_string();
        assert!(
            error.contains("no unit") && error.contains("ns us ms s m h d"),
            "{error}"
        );
        assert!("40 parsecs".parse::<SimDuration>().is_err());
        assert!("".parse::<SimDuration>().is_err());
        assert!("-3s".parse::<SimDuration>().is_err());
        assert!("9999999d".parse::<SimDuration>().is_err());
    }
}
