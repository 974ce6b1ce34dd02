//! A quantity with its unit, kept exact, so that the steps of a range meet its end: `30s`,
//! `1000/s`, `0.1`, `5%`, `2KiB`, `1m 30s`.
//!
//! Not what a key takes: the units that exist are known by the readers of [`crate::units`], which
//! are asked what one of a unit is.

use num_traits::{One, Pow, ToPrimitive, Zero};

use crate::exact::{Exact, to_f64, whole};
use crate::outcome::Unit as Measured;
use crate::units::{Bytes, Decimal, SimDuration, read_count};

/// Steps by a factor are rounded to this many digits, whole parts never.
const DIGITS: usize = 6;

/// What kinds of quantities there are; those of one kind can be added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Plain,
    Percent,
    Time,
    Rate,
    Size,
}

/// A unit as it is written, and how many base units (1, percent, seconds, per second, bytes) it is.
#[derive(Clone, Debug, PartialEq)]
struct Unit {
    suffix: String,
    size: Exact,
}

/// An exact quantity.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Quantity {
    kind: Kind,
    /// In base units.
    value: Exact,
    /// In which it is written.
    unit: Unit,
}

impl Quantity {
    /// Reads a text that is a quantity from its first letter to its last.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let mut rest = text.trim();
        let mut sum: Option<Self> = None;
        while !rest.is_empty() {
            let (number, after) = Decimal::split(rest)?;
            let end = after
                .find(|letter: char| letter.is_ascii_digit())
                .unwrap_or(after.len());
            let (suffix, more) = after.split_at(end);
            let (kind, unit) = unit(suffix.trim())?;
            let number = Exact::new(
                number.digits.into(),
                num_bigint::BigInt::from(10).pow(number.scale),
            );
            let part = Self {
                kind,
                value: number * &unit.size,
                unit,
            };
            sum = Some(match sum {
                None => part,
                // Only times are written in several parts: `1m 30s`.
                Some(sum) if kind == Kind::Time && sum.kind == kind => sum.plus(&part),
                Some(_) => return None,
            });
            rest = more;
        }
        sum
    }

    /// Whether the two can be added and compared.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        self.kind == other.kind
    }

    /// Whether it is a whole number without a unit, so that a step of one goes without saying.
    pub(super) fn is_whole_number(&self) -> bool {
        self.kind == Kind::Plain && self.value.is_integer()
    }

    /// One of a kind that has no unit.
    pub(super) fn one() -> Self {
        Self {
            kind: Kind::Plain,
            value: Exact::one(),
            unit: Unit {
                suffix: String::new(),
                size: Exact::one(),
            },
        }
    }

    pub(super) fn is_zero(&self) -> bool {
        self.value.is_zero()
    }

    pub(super) fn is_above(&self, other: &Self) -> bool {
        self.value > other.value
    }

    /// How many steps fit between this and `end`; `None` when they are too many to count.
    pub(super) fn steps_to(&self, end: &Self, step: &Self) -> Option<u64> {
        ((&end.value - &self.value) / &step.value)
            .floor()
            .to_integer()
            .to_u64()
    }

    /// This quantity and so many steps.
    pub(super) fn after(&self, steps: u64, step: &Self) -> Self {
        let way = Self {
            value: &step.value * whole(steps),
            ..step.clone()
        };
        self.plus(&way)
    }

    /// This quantity times a factor, in its own unit.
    pub(super) fn times(&self, factor: &Exact) -> Self {
        Self {
            value: &self.value * factor,
            ..self.clone()
        }
    }

    /// Halfway to another of its kind, in the finer unit: whole between whole numbers, else to as
    /// many digits as a step by a factor.
    pub(super) fn midpoint(&self, other: &Self) -> Self {
        let sum = self.plus(other);
        let half = Self {
            value: &sum.value / whole(2),
            ..sum
        };
        if self.is_whole_number() && other.is_whole_number() {
            return Self {
                value: half.value.floor(),
                ..half
            };
        }
        half.rounded()
    }

    /// The same with as many digits as a step by a factor is worth.
    pub(super) fn rounded(&self) -> Self {
        let number = &self.value / &self.unit.size;
        let whole_digits = number.to_integer().to_string().len();
        // The zeros behind the point of 0.00012 are no digits.
        let mut decimals = DIGITS.saturating_sub(whole_digits);
        if !number.is_zero() {
            let ten = whole(10);
            let mut scaled = number.clone();
            while scaled < Exact::one() {
                scaled *= &ten;
                decimals += 1;
            }
        }
        let scale = whole(10).pow(decimals);
        Self {
            value: (number * &scale).round() / scale * &self.unit.size,
            ..self.clone()
        }
    }

    /// As it is written in the finer of both units.
    fn plus(&self, other: &Self) -> Self {
        let finer = self.unit.size <= other.unit.size;
        let unit = if finer { &self.unit } else { &other.unit };
        Self {
            kind: self.kind,
            value: &self.value + &other.value,
            unit: unit.clone(),
        }
    }

    /// As it is written: all digits of the number, then the unit.
    pub(super) fn text(&self) -> String {
        let mut number = &self.value / &self.unit.size;
        let (mut decimals, ten) = (0, whole(10));
        // Every unit is a product of twos and fives of every finer one, so this ends.
        while !number.is_integer() {
            number *= &ten;
            decimals += 1;
        }
        let digits = format!("{:0>width$}", number.to_integer(), width = decimals + 1);
        let (front, back) = digits.split_at(digits.len() - decimals);
        let point = if decimals > 0 { "." } else { "" };
        format!("{front}{point}{back}{}", self.unit.suffix)
    }

    /// As a number of what machines read: seconds, per second, bytes, a ratio, a number.
    pub(super) fn measured(&self) -> (f64, Measured) {
        let unit = match self.kind {
            Kind::Plain => Measured::Number,
            Kind::Percent => return (to_f64(&(&self.value / whole(100))), Measured::Ratio),
            Kind::Time => Measured::Seconds,
            Kind::Rate => Measured::PerSecond,
            Kind::Size => Measured::Bytes,
        };
        (to_f64(&self.value), unit)
    }
}

/// The factor of `x2`, which must be above one to lead anywhere.
pub(super) fn factor(text: &str) -> Option<Exact> {
    let factor = Quantity::parse(text).filter(|it| it.kind == Kind::Plain)?;
    (factor.value > Exact::one()).then_some(factor.value)
}

/// What a unit is, of the kind that knows it.
fn unit(suffix: &str) -> Option<(Kind, Unit)> {
    let of = |kind, size: Exact| {
        let suffix = suffix.to_owned();
        Some((kind, Unit { suffix, size }))
    };
    let one = format!("1{suffix}");
    let seconds = |text: &str| {
        let span = text.parse::<SimDuration>().ok()?;
        Some(whole(span.as_nanos()) / whole(1_000_000_000))
    };
    if suffix == "%" {
        return of(Kind::Percent, Exact::one());
    }
    if let Some((multiplier, per)) = suffix.split_once('/') {
        let multiplier = read_count(&format!("1{}", multiplier.trim())).ok()?;
        let per = match per.trim() {
            "day" => "d",
            "hour" => "h",
            "sec" => "s",
            other => other,
        };
        return of(Kind::Rate, whole(multiplier) / seconds(&format!("1{per}"))?);
    }
    if let Some(size) = seconds(&one) {
        return of(Kind::Time, size);
    }
    if let Ok(Bytes(bytes)) = one.parse() {
        return of(Kind::Size, whole(bytes));
    }
    of(Kind::Plain, whole(read_count(&one).ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quantity(text: &str) -> Quantity {
        Quantity::parse(text).expect(text)
    }

    #[test]
    fn a_quantity_is_written_as_it_was_read() {
        for text in [
            "48", "0.1", "30s", "1.5ms", "1000/s", "2k/s", "90/min", "5%", "2KiB", "8k",
        ] {
            assert_eq!(quantity(text).text(), text);
        }
        assert_eq!(quantity("1m 30s").text(), "90s");
        assert_eq!(quantity("100_000").text(), "100000");
    }

    #[test]
    fn what_is_no_quantity_is_none() {
        for text in ["", "reject", "5 apples", "1k 2k", "12/fortnight", "1..2"] {
            assert_eq!(Quantity::parse(text), None, "{text}");
        }
    }

    #[test]
    fn tenths_add_up() {
        let (start, step) = (quantity("0.1"), quantity("0.1"));
        assert_eq!(start.steps_to(&quantity("0.3"), &step), Some(2));
        assert_eq!(start.after(2, &step).text(), "0.3");
        assert_eq!(quantity("1m").after(1, &quantity("30s")).text(), "90s");
        assert_eq!(
            quantity("1KiB").after(1, &quantity("1kB")).text(),
            "2.024kB"
        );
    }

    #[test]
    fn machines_read_base_units() {
        assert_eq!(quantity("90/min").measured(), (1.5, Measured::PerSecond));
        assert_eq!(quantity("5%").measured(), (0.05, Measured::Ratio));
        assert_eq!(quantity("40ms").measured(), (0.04, Measured::Seconds));
        assert_eq!(quantity("2KiB").measured(), (2048.0, Measured::Bytes));
    }

    #[test]
    fn rounding_keeps_whole_parts_and_six_digits() {
        assert_eq!(quantity("1048576").rounded().text(), "1048576");
        assert_eq!(quantity("985.261253356933ms").rounded().text(), "985.261ms");
        assert_eq!(quantity("0.000123456789").rounded().text(), "0.000123457");
    }
}
