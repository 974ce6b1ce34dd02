//! Shares of a whole, and plain counts written with multipliers.
//!
//! Not percentages as numbers: `0.1%` is the ratio 0.001.

use std::fmt;
use std::str::FromStr;

use super::decimal::{Decimal, QuantityError, si_multiplier};

/// A share or probability between 0 and 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
pub struct Ratio(f64);

impl Ratio {
    /// Nothing.
    pub const ZERO: Self = Self(0.0);
    /// All of it.
    pub const ONE: Self = Self(1.0);

    /// A ratio, if the number lies between 0 and 1.
    pub fn new(value: f64) -> Option<Self> {
        (0.0..=1.0).contains(&value).then_some(Self(value))
    }

    /// The number between 0 and 1.
    pub fn get(self) -> f64 {
        self.0
    }
}

const EXPECTED: &str = "a ratio lies between 0 and 1, such as 0.001 or \"0.1%\"";

impl FromStr for Ratio {
    type Err = QuantityError;

    fn from_str(text: &str) -> Result<Self, QuantityError> {
        let (number, rest) = Decimal::split(text).ok_or_else(|| QuantityError::NoNumber {
            text: text.to_owned(),
            expected: EXPECTED,
        })?;
        let value = match rest {
            "" => number.to_f64(),
            "%" => number.to_f64() / 100.0,
            unit => {
                return Err(QuantityError::UnknownUnit {
                    unit: unit.to_owned(),
                    expected: EXPECTED,
                });
            }
        };
        Self::new(value).ok_or_else(|| QuantityError::OutOfRange {
            text: text.to_owned(),
            expected: EXPECTED,
        })
    }
}

impl fmt::Display for Ratio {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}%", (self.0 * 1e8).round() / 1e6)
    }
}

/// A whole count: `100_000`, `100k`, `2M`.
///
/// # Errors
/// When the text is no whole number that fits in 64 bits.
pub fn read_count(text: &str) -> Result<u64, QuantityError> {
    const EXPECTED: &str = "a count is a whole number, such as 100_000 or \"100k\"";
    let owned = || text.to_owned();
    let (number, rest) = Decimal::split(text).ok_or_else(|| QuantityError::NoNumber {
        text: owned(),
        expected: EXPECTED,
    })?;
    let multiplier = si_multiplier(rest).ok_or_else(|| QuantityError::UnknownUnit {
        unit: rest.to_owned(),
        expected: EXPECTED,
    })?;
    let scaled = Decimal {
        digits: number.digits * u128::from(multiplier),
        ..number
    };
    let whole = scaled
        .is_whole()
        .then(|| number.times(multiplier))
        .flatten();
    whole.ok_or_else(|| QuantityError::OutOfRange {
        text: owned(),
        expected: EXPECTED,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_ratios_and_counts() {
        assert_eq!("0.1%".parse(), Ok(Ratio(0.001)));
        assert_eq!("0.5".parse(), Ok(Ratio(0.5)));
        assert!("101%".parse::<Ratio>().is_err());
        assert_eq!(read_count("100_000"), Ok(100_000));
        assert_eq!(read_count("1.5k"), Ok(1_500));
        assert!(read_count("1.5").is_err());
        assert!(read_count("12 apples").is_err());
    }
}
