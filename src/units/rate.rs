//! A rate, kept exact: a count per a duration, never a rounded period.
//!
//! Not a float: the k-th instant of a paced source comes from integer arithmetic (rule A1).

use std::fmt;
use std::str::FromStr;

use super::decimal::{Decimal, QuantityError, si_multiplier};
use super::time::{NANOS_PER_SECOND, SimDuration, unit_nanos};

/// `count` events in every `per`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rate {
    count: u64,
    per: u64,
}

impl Rate {
    /// No events at all.
    pub const ZERO: Self = Self {
        count: 0,
        per: NANOS_PER_SECOND,
    };

    /// `count` events in every `per`.
    ///
    /// # Panics
    /// When `per` is zero.
    pub fn new(count: u64, per: SimDuration) -> Self {
        assert!(!per.is_zero(), "a rate needs a time to count in");
        let shared = gcd(count, per.as_nanos());
        Self {
            count: count / shared,
            per: per.as_nanos() / shared,
        }
    }

    /// `count` events a second.
    pub fn per_second(count: u64) -> Self {
        Self::new(count, SimDuration::from_secs(1))
    }

    /// Events a second.
    pub fn as_per_second(self) -> f64 {
        self.count as f64 * 1e9 / self.per as f64
    }

    /// The count of the rate in lowest terms: so many events in every [`Rate::per`].
    pub const fn count(self) -> u64 {
        self.count
    }

    /// The time of the rate in lowest terms.
    pub const fn per(self) -> SimDuration {
        SimDuration::from_nanos(self.per)
    }

    /// Whether nothing ever happens at this rate.
    pub fn is_zero(self) -> bool {
        self.count == 0
    }

    /// Time from event 0 to event `k`, to the nearest nanosecond (half up); `MAX` when it is out
    /// of range or the rate is zero.
    #[inline]
    pub fn span_of(self, k: u64) -> SimDuration {
        if self.count == 0 {
            return SimDuration::MAX;
        }
        let count = u128::from(self.count);
        let nanos = (u128::from(k) * u128::from(self.per) + count / 2) / count;
        SimDuration::from_nanos(u64::try_from(nanos).unwrap_or(u64::MAX))
    }
}

impl Rate {
    /// Time in which `whole` events and a `part` of one more come, to the nearest nanosecond:
    /// [`Rate::span_of`] where the part is zero; `MAX` when it is out of range.
    pub fn span_of_parts(self, whole: u64, part: f64) -> SimDuration {
        if self.count == 0 {
            return SimDuration::MAX;
        }
        let (count, product) = (
            u128::from(self.count),
            u128::from(whole) * u128::from(self.per),
        );
        let rest = (product % count) as f64 + part * self.per as f64;
        let beyond = (rest / self.count as f64 + 0.5).floor() as u128;
        SimDuration::from_nanos(u64::try_from(product / count + beyond).unwrap_or(u64::MAX))
    }

    /// How many events are due in `span`.
    pub fn events_in(self, span: SimDuration) -> f64 {
        let product = u128::from(self.count) * u128::from(span.as_nanos());
        let per = u128::from(self.per);
        (product / per) as f64 + (product % per) as f64 / self.per as f64
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

const EXPECTED: &str = "a rate is a count per time, such as \"1200/s\", \"90/min\" or \"4.3M/day\"";

impl FromStr for Rate {
    type Err = QuantityError;

    fn from_str(text: &str) -> Result<Self, QuantityError> {
        let owned = || text.to_owned();
        let (number, rest) = Decimal::split(text).ok_or_else(|| QuantityError::NoNumber {
            text: owned(),
            expected: EXPECTED,
        })?;
        let (multiplier, unit) = rest.split_once('/').ok_or_else(|| QuantityError::NoUnit {
            text: owned(),
            expected: EXPECTED,
        })?;
        let unit = unit.trim();
        let unknown = |unit: &str| QuantityError::UnknownUnit {
            unit: unit.to_owned(),
            expected: EXPECTED,
        };
        let nanos = match unit {
            "day" => unit_nanos("d"),
            "hour" => unit_nanos("h"),
            "sec" => unit_nanos("s"),
            _ => unit_nanos(unit),
        }
        .ok_or_else(|| unknown(unit))?;
        let multiplier =
            si_multiplier(multiplier.trim()).ok_or_else(|| unknown(multiplier.trim()))?;
        let out_of_range = || QuantityError::OutOfRange {
            text: owned(),
            expected: "rates reach 1000 G/s",
        };
        let scale = 10_u128.pow(number.scale);
        let count = number
            .digits
            .checked_mul(u128::from(multiplier))
            .ok_or_else(out_of_range)?;
        let per = scale
            .checked_mul(u128::from(nanos))
            .ok_or_else(out_of_range)?;
        let shared = gcd_wide(count, per);
        let (count, per) = (count / shared, per / shared);
        let narrow = |wide: u128| u64::try_from(wide).map_err(|_| out_of_range());
        let rate = Self {
            count: narrow(count)?,
            per: narrow(per)?,
        };
        if rate.as_per_second() > 1e12 {
            return Err(out_of_range());
        }
        Ok(rate)
    }
}

fn gcd_wide(a: u128, b: u128) -> u128 {
    if b == 0 { a } else { gcd_wide(b, a % b) }
}

impl fmt::Display for Rate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let second = self.as_per_second();
        for (unit, factor) in [("s", 1.0), ("min", 60.0), ("h", 3_600.0), ("day", 86_400.0)] {
            let value = second * factor;
            if value >= 1.0 || unit == "day" || value == 0.0 {
                return write!(f, "{}/{unit}", (value * 1e6).round() / 1e6);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_rates_exactly() {
        let rate: Rate = "1200/s".parse().expect("a rate");
        assert_eq!(rate.span_of(1), SimDuration::from_nanos(833_333));
        assert_eq!(rate.span_of(2), SimDuration::from_nanos(1_666_667));
        assert_eq!(rate.span_of(108_000), SimDuration::from_secs(90));
        assert_eq!(
            "4.3M/day".parse::<Rate>().expect("a rate").to_string(),
            "49.768519/s"
        );
        assert_eq!(
            "90/min".parse::<Rate>(),
            Ok(Rate::new(3, SimDuration::from_secs(2)))
        );
        assert_eq!(
            "0.5/s".parse::<Rate>(),
            Ok(Rate::new(1, SimDuration::from_secs(2)))
        );
    }

    #[test]
    fn counts_parts_of_events() {
        let rate = Rate::per_second(1200);
        for k in [0, 1, 2, 5, 107_999] {
            assert_eq!(rate.span_of_parts(k, 0.0), rate.span_of(k));
        }
        assert_eq!(
            rate.span_of_parts(2, 0.5),
            SimDuration::from_nanos(2_083_333)
        );
        assert!((rate.events_in(SimDuration::from_millis(1)) - 1.2).abs() < 1e-15);
        assert!((rate.events_in(SimDuration::from_secs(90)) - 108_000.0).abs() < 1e-9);
    }

    #[test]
    fn refuses_what_is_no_rate() {
        for bad in [
            "1200",
            "/s",
            "12/fortnight",
            "3X/s",
            "",
            "5 s",
            "99999999999G/s",
        ] {
            assert!(bad.parse::<Rate>().is_err(), "{bad}");
        }
    }
}
