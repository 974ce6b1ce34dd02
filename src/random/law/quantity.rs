//! What the numbers of a law count: seconds, bytes, or things.
//!
//! Not the quantities themselves, which are in [`crate::units`].

use crate::input::{Data, Problem, Problems, Read, Value};
use crate::units::{Bytes, SimDuration, read_count};

/// A quantity that a law can be of.
pub trait Quantity: Read {
    /// Whether its mean can be given as a rate.
    const HAS_RATE: bool;

    /// Half the distance between neighbours where only whole numbers mean something, else 0.
    const HALF_STEP: f64;

    /// Seconds, bytes, or a number.
    fn number(&self) -> f64;

    /// A number in the quantity's own words, to four digits: `40ms`, `2KiB`, `17`.
    fn show(number: f64) -> String;
}

impl Quantity for SimDuration {
    const HAS_RATE: bool = true;
    const HALF_STEP: f64 = 0.0;

    fn number(&self) -> f64 {
        self.as_secs_f64()
    }

    fn show(number: f64) -> String {
        if number.is_finite() {
            Self::from_secs_rounded(four_digits(number)).to_string()
        } else {
            "infinite".to_owned()
        }
    }
}

impl Quantity for Bytes {
    const HAS_RATE: bool = false;
    const HALF_STEP: f64 = 0.0;

    fn number(&self) -> f64 {
        self.0 as f64
    }

    fn show(number: f64) -> String {
        if number.is_finite() {
            Self(number.round() as u64).to_string()
        } else {
            "infinite".to_owned()
        }
    }
}

/// A parameter of a law of counts: zero or more, a mean such as 2.5 included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Amount(pub f64);

impl Read for Amount {
    const EXPECTS: &'static str = "a number, zero or more";

    fn read(value: &Value, problems: &mut Problems) -> Option<Self> {
        if let Data::String(text) = &value.data
            && let Ok(count) = read_count(text)
        {
            return Some(Self(count as f64));
        }
        let number = f64::read(value, problems)?;
        if number < 0.0 {
            let title = format!("{number} is negative");
            problems.file(Problem::error(
                title,
                value.span.clone(),
                "must be zero or more",
            ));
            return None;
        }
        Some(Self(number))
    }
}

impl Quantity for Amount {
    const HAS_RATE: bool = false;
    const HALF_STEP: f64 = 0.5;

    fn number(&self) -> f64 {
        self.0
    }

    fn show(number: f64) -> String {
        four_digits(number).to_string()
    }
}

/// Rounded to four significant digits, for reading by people.
pub(super) fn four_digits(number: f64) -> f64 {
    if number == 0.0 || !number.is_finite() {
        return number;
    }
    let shift = 10_f64.powi(3 - number.abs().log10().floor() as i32);
    (number * shift).round() / shift
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shows_four_digits_in_units() {
        assert_eq!(SimDuration::show(0.04), "40ms");
        assert_eq!(SimDuration::show(1.0 / 3.0), "333.3ms");
        assert_eq!(Bytes::show(2048.0), "2KiB");
        assert_eq!(Amount::show(2.5), "2.5");
    }
}
