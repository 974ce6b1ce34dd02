//! Rational numbers, for arithmetic whose answer turns on an equality.
//!
//! Whether a fleet at its break-even point ever drains, and whether a fleet of 60 or of 61 meets a
//! target, depends on two numbers being equal. Binary floating point cannot say so: 1200 x 0.04
//! may come out a hair above 48. Not a number type for the public interface, which speaks `f64`:
//! numbers come in through [`from_f64`] and leave through [`to_f64`].

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{FromPrimitive, One, Pow, Signed, ToPrimitive, Zero};

/// A rational number of any size, always in lowest terms.
pub(crate) type Exact = BigRational;

/// A decimal of up to this many digits was typed. Longer ones are rather quotients: of the `f64`s
/// at random, fewer than one in a thousand has so short a decimal.
const TYPED_DIGITS: usize = 12;

/// The number that was most likely meant by `x`.
///
/// A decimal of at most 12 digits, when one reads as `x` (0.04 is 1/25); else a fraction that
/// rounds to `x` and is too simple for chance (0.2777777777777778 is 5/18); else `x` itself, bit by
/// bit. All lie within half a unit in the last place.
///
/// # Panics
/// When `x` is not finite: callers check their input first.
pub(crate) fn from_f64(x: f64) -> Exact {
    assert!(x.is_finite(), "an exact number must be finite, not {x}");
    match decimal(x.abs())
        .or_else(|| quotient(x.abs()))
        .unwrap_or_else(|| bits(x.abs()))
    {
        magnitude if x < 0.0 => -magnitude,
        magnitude => magnitude,
    }
}

/// The nearest `f64`.
pub(crate) fn to_f64(x: &Exact) -> f64 {
    x.to_f64()
        .expect("a rational number always has a nearest f64")
}

/// A whole number.
pub(crate) fn whole(n: u64) -> Exact {
    Exact::from_integer(BigInt::from(n))
}

/// `x`, or 0 when it is negative.
pub(crate) fn at_least_zero(x: Exact) -> Exact {
    if x.is_negative() { Exact::zero() } else { x }
}

/// `x` as the decimal that is printed for it, when that is short enough to have been typed.
fn decimal(x: f64) -> Option<Exact> {
    let text = format!("{x:e}");
    let (mantissa, exponent) = text.split_once('e')?;
    let (units, decimals) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    if units.len() + decimals.len() > TYPED_DIGITS {
        return None;
    }
    let digits: u64 = format!("{units}{decimals}").parse().ok()?;
    let power = exponent.parse::<i32>().ok()? - decimals.len() as i32;
    Some(whole(digits) * Exact::from_integer(BigInt::from(10)).pow(power))
}

/// The fraction of the smallest denominator among those that round to `x`, a positive number, when
/// that denominator is small for the room there is.
///
/// Of numbers at random, one in a hundred has such a fraction. Taking the fraction of every number
/// would be no less right, but sums of many would run to thousands of digits, and those of binary
/// numbers do not.
fn quotient(x: f64) -> Option<Exact> {
    let half = Exact::new(BigInt::one(), BigInt::from(2));
    let low = (bits(x) + bits(x.next_down())) * &half;
    let high = (bits(x) + bits(x.next_up().min(f64::MAX))) * &half;
    let fraction = simplest_between(&low, &high);
    let by_chance = Exact::from_integer(fraction.denom() * fraction.denom()) * (high - low);
    (by_chance * whole(100) < Exact::one()).then_some(fraction)
}

/// `x` itself.
fn bits(x: f64) -> Exact {
    <Exact as FromPrimitive>::from_f64(x).expect("a finite number is a fraction")
}

/// The fraction of the smallest denominator strictly between two positive numbers, by descent in
/// the Stern-Brocot tree (textbook).
fn simplest_between(low: &Exact, high: &Exact) -> Exact {
    let floor = low.floor();
    let next = &floor + Exact::one();
    if &next < high {
        return next;
    }
    // Both ends share their whole part, or `high` is the next whole number: go on with the
    // reciprocal of what follows the point, where the order turns round.
    let above = (high - &floor).recip();
    let rest = low - &floor;
    let fraction = if rest.is_zero() {
        above.floor() + Exact::one()
    } else {
        simplest_between(&above, &rest.recip())
    };
    floor + fraction.recip()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn ratio(numer: i64, denom: i64) -> Exact {
        Exact::new(BigInt::from(numer), BigInt::from(denom))
    }

    #[test]
    fn a_short_decimal_is_itself() {
        assert_eq!(from_f64(0.04), ratio(1, 25));
        assert_eq!(from_f64(1200.0), ratio(1200, 1));
        assert_eq!(from_f64(-2.5e-3), ratio(-1, 400));
        assert_eq!(from_f64(1e6), ratio(1_000_000, 1));
        assert_eq!(from_f64(0.0), Exact::zero());
    }

    #[test]
    fn a_quotient_is_found_again() {
        assert_eq!(from_f64(1000.0 / 3600.0), ratio(5, 18));
        assert_eq!(from_f64(1.0 / 30.0), ratio(1, 30));
        assert_eq!(from_f64(4_300_000.0 / 86_400.0), ratio(4_300_000, 86_400));
    }

    #[test]
    fn a_number_that_was_measured_stays_binary() {
        let x = 2_f64.sqrt();
        assert_eq!(from_f64(x), bits(x));
    }

    proptest! {
        #![proptest_config(ProptestConfig {
            rng_seed: proptest::test_runner::RngSeed::Fixed(1),
            ..ProptestConfig::default()
        })]

        #[test]
        fn coming_in_and_going_out_changes_nothing(x in proptest::num::f64::NORMAL) {
            prop_assert_eq!(to_f64(&from_f64(x)).to_bits(), x.to_bits());
        }

        #[test]
        fn small_quotients_come_in_exactly(p in 1_u32..1000, q in 1_u32..1000) {
            let x = f64::from(p) / f64::from(q);
            prop_assert_eq!(from_f64(x), ratio(i64::from(p), i64::from(q)));
        }
    }
}
