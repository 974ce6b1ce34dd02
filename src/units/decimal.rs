//! The number of a quantity, read exactly: `1_200`, `4.3`, `0.5`; and what can be wrong with one.
//!
//! Not a float: `0.1` stays one tenth until a unit turns it into whole nanoseconds or bytes.

use thiserror::Error;

/// Why a text is not a quantity of the kind that is due. The text says which units exist.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum QuantityError {
    /// There is no number at the front.
    #[error("`{text}` does not start with a number; {expected}")]
    NoNumber {
        /// What was written.
        text: String,
        /// What would be right, with an example.
        expected: &'static str,
    },
    /// A number without a unit where one is due.
    #[error("`{text}` has no unit; {expected}")]
    NoUnit {
        /// What was written.
        text: String,
        /// What would be right, with an example.
        expected: &'static str,
    },
    /// A unit that does not exist for this kind.
    #[error("`{unit}` is not a unit here; {expected}")]
    UnknownUnit {
        /// The unit that was written.
        unit: String,
        /// What would be right, with an example.
        expected: &'static str,
    },
    /// The value does not fit what the program can hold.
    #[error("`{text}` is out of range; {expected}")]
    OutOfRange {
        /// What was written.
        text: String,
        /// What would fit.
        expected: &'static str,
    },
}

/// An exact non-negative decimal: `digits / 10^scale`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decimal {
    /// All digits, without the point.
    pub digits: u128,
    /// How many of them stand after the point.
    pub scale: u32,
}

const MOST_DIGITS: usize = 27;

impl Decimal {
    /// Splits a decimal number off the front of `text`; the rest is returned trimmed.
    /// Underscores between digits are passed over. `None` when there is no number, or one of more
    /// than 27 digits.
    pub fn split(text: &str) -> Option<(Self, &str)> {
        let text = text.trim();
        let end = text
            .find(|c: char| !(c.is_ascii_digit() || c == '.' || c == '_'))
            .unwrap_or(text.len());
        let (number, rest) = text.split_at(end);
        let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
        let digits: String = whole
            .chars()
            .chain(fraction.chars())
            .filter(char::is_ascii_digit)
            .collect();
        if digits.is_empty() || digits.len() > MOST_DIGITS || fraction.contains('.') {
            return None;
        }
        let scale = fraction.chars().filter(char::is_ascii_digit).count() as u32;
        Some((
            Self {
                digits: digits.parse().ok()?,
                scale,
            },
            rest.trim(),
        ))
    }

    /// This number times `unit`, rounded half up; `None` beyond 64 bits.
    pub fn times(self, unit: u64) -> Option<u64> {
        let scale = 10_u128.pow(self.scale);
        let product = self.digits.checked_mul(u128::from(unit))?;
        u64::try_from(product.checked_add(scale / 2)? / scale).ok()
    }

    /// The nearest float.
    pub fn to_f64(self) -> f64 {
        self.digits as f64 / 10_f64.powi(self.scale as i32)
    }

    /// Whether the number is whole.
    pub fn is_whole(self) -> bool {
        self.digits.is_multiple_of(10_u128.pow(self.scale))
    }
}

/// SI multipliers of counts and rates.
pub(super) fn si_multiplier(letter: &str) -> Option<u64> {
    match letter {
        "" => Some(1),
        "k" | "K" => Some(1_000),
        "M" => Some(1_000_000),
        "G" => Some(1_000_000_000),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::Decimal;

    #[test]
    fn splits_number_and_rest() {
        assert_eq!(
            Decimal::split("1_200/s"),
            Some((
                Decimal {
                    digits: 1200,
                    scale: 0
                },
                "/s"
            ))
        );
        assert_eq!(
            Decimal::split(" 4.3 M"),
            Some((
                Decimal {
                    digits: 43,
                    scale: 1
                },
                "M"
            ))
        );
        assert_eq!(Decimal::split("ms"), None);
        assert_eq!(Decimal::split("1.2.3s"), None);
    }

    #[test]
    fn rounds_half_up() {
        assert_eq!(
            Decimal {
                digits: 15,
                scale: 1
            }
            .times(1),
            Some(2)
        );
        assert_eq!(
            Decimal {
                digits: u128::MAX / 2,
                scale: 0
            }
            .times(4),
            None
        );
    }
}
