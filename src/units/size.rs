//! Sizes of messages and of memory, in bytes.
//!
//! Not counts of messages: those are plain numbers.

use std::fmt;
use std::str::FromStr;

use super::decimal::{Decimal, QuantityError};

/// A number of bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Bytes(pub u64);

const EXPECTED: &str = "a size is a number with its unit, such as \"2KiB\" or \"1.5GB\" \
                        (B kB MB GB KiB MiB GiB)";

const UNITS: [(&str, u64); 8] = [
    ("GiB", 1 << 30),
    ("MiB", 1 << 20),
    ("KiB", 1 << 10),
    ("GB", 1_000_000_000),
    ("MB", 1_000_000),
    ("kB", 1_000),
    ("KB", 1_000),
    ("B", 1),
];

impl FromStr for Bytes {
    type Err = QuantityError;

    fn from_str(text: &str) -> Result<Self, QuantityError> {
        let owned = || text.to_owned();
        let (number, unit) = Decimal::split(text).ok_or_else(|| QuantityError::NoNumber {
            text: owned(),
            expected: EXPECTED,
        })?;
        if unit.is_empty() {
            return Err(QuantityError::NoUnit {
                text: owned(),
                expected: EXPECTED,
            });
        }
        let (_, bytes) = UNITS
            .iter()
            .find(|(name, _)| *name == unit)
            .ok_or_else(|| QuantityError::UnknownUnit {
                unit: unit.to_owned(),
                expected: EXPECTED,
            })?;
        number
            .times(*bytes)
            .map(Self)
            .ok_or_else(|| QuantityError::OutOfRange {
                text: owned(),
                expected: EXPECTED,
            })
    }
}

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, unit) = UNITS[..3]
            .iter()
            .find(|(_, unit)| self.0 >= *unit)
            .unwrap_or(&("B", 1));
        write!(
            f,
            "{}{name}",
            (self.0 as f64 / *unit as f64 * 100.0).round() / 100.0
        )
    }
}

#[cfg(test)]
mod tests {
    use super::Bytes;

    #[test]
    fn reads_sizes() {
        assert_eq!("2KiB".parse(), Ok(Bytes(2048)));
        assert_eq!("1.5GB".parse(), Ok(Bytes(1_500_000_000)));
        assert_eq!(Bytes(2048).to_string(), "2KiB");
        assert!("12".parse::<Bytes>().is_err());
        assert!("12 bits".parse::<Bytes>().is_err());
    }
}
