//! Laws that know what they count: durations, counts, and sizes.
//!
//! Not more laws: each holds one [`Law`] of plain numbers and turns a draw into its quantity,
//! once, at this edge.

use std::fmt;

use rand::Rng;

use super::quantity::{Amount, Quantity};
use super::reading::{self, Reading};
use super::{Constant, Law};
use crate::input::{Problem, Problems, Read, Value};
use crate::units::{Bytes, SimDuration};

/// A law of durations: `"40ms"`, or `{ lognormal = { mean = "20s", p99 = "95s" } }`.
#[derive(Clone, Debug, PartialEq)]
pub struct DurationLaw {
    law: Law,
    constant: Option<SimDuration>,
}

impl DurationLaw {
    /// Always `span`, exactly.
    pub fn constant(span: SimDuration) -> Self {
        Self {
            law: constant(span.as_secs_f64()),
            constant: Some(span),
        }
    }

    /// A law of seconds.
    pub fn new(law: Law) -> Self {
        let constant =
            matches!(law, Law::Constant(_)).then(|| SimDuration::from_secs_rounded(law.mean()));
        Self { law, constant }
    }

    /// A duration from this law; a constant takes nothing from `rng`.
    #[inline]
    pub fn draw<R: Rng>(&self, rng: &mut R) -> SimDuration {
        match self.constant {
            Some(span) => span,
            None => SimDuration::from_secs_rounded(self.law.draw(rng)),
        }
    }

    /// The law of the seconds: its moments, quantiles, and name.
    pub fn law(&self) -> &Law {
        &self.law
    }

    /// The mean in seconds.
    pub fn mean(&self) -> f64 {
        self.law.mean()
    }

    /// The duration, if it is always the same.
    pub fn as_constant(&self) -> Option<SimDuration> {
        self.constant
    }

    /// The law of `factor` times the duration.
    #[must_use]
    pub fn scaled(&self, factor: f64) -> Self {
        Self::new(self.law.scaled(factor))
    }
}

impl Read for DurationLaw {
    const EXPECTS: &'static str = "a duration such as \"40ms\", or a law of durations";

    fn read(value: &Value, problems: &mut Problems) -> Option<Self> {
        Some(match reading::read(value, problems)? {
            Reading::Constant(span) => Self::constant(span),
            Reading::Random(law) => Self::new(law),
        })
    }
}

impl fmt::Display for DurationLaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.constant {
            Some(span) => write!(f, "constant, {span}"),
            None => f.write_str(&self.law.words(SimDuration::show)),
        }
    }
}

/// Terms in the sums of a rounded law's moments.
const MOST_TERMS: u32 = 20_000;

/// A law of counts: `17`, or `{ uniform = { min = 1, max = 5 } }`. Draws are rounded to the
/// nearest whole number, halves to the even one.
#[derive(Clone, Debug, PartialEq)]
pub struct CountLaw(Law);

impl CountLaw {
    /// Always `count`.
    pub fn constant(count: u64) -> Self {
        Self(constant(count as f64))
    }

    /// A law of numbers, which are rounded when they are drawn.
    pub fn new(law: Law) -> Self {
        Self(law)
    }

    /// A count from this law.
    #[inline]
    pub fn draw<R: Rng>(&self, rng: &mut R) -> u64 {
        self.0.draw(rng).round_ties_even() as u64
    }

    /// The law of the numbers before they are rounded.
    pub fn law(&self) -> &Law {
        &self.0
    }

    /// E N and E N² of the rounded count: Σ P(N > n) and Σ (2n + 1) P(N > n). Those of the law
    /// before rounding where its tail is too long to sum, and a half more or less is nothing.
    pub fn moments(&self) -> (f64, f64) {
        let (mut first, mut second) = (0.0, 0.0);
        for n in 0..MOST_TERMS {
            let n = f64::from(n);
            let above = 1.0 - self.0.cdf(n + 0.5);
            first += above;
            second += (2.0 * n + 1.0) * above;
            if (n + 1.0) * above <= 1e-14 * first {
                return (first, second);
            }
        }
        let mean = self.0.mean();
        (mean, self.0.variance() + mean * mean)
    }

    /// The probability that the count is not zero.
    pub fn at_least_one(&self) -> f64 {
        1.0 - self.0.cdf(0.5)
    }
}

impl Read for CountLaw {
    const EXPECTS: &'static str = "a count such as 17, or a law of counts";

    fn read(value: &Value, problems: &mut Problems) -> Option<Self> {
        match reading::read::<Amount>(value, problems)? {
            Reading::Constant(Amount(count)) if count.fract() > 0.0 => {
                let title = format!("a count of {count} is not whole");
                let problem = Problem::error(title, value.span.clone(), "must be whole");
                problems.file(problem.help("for a mean that is not whole, give a law"));
                None
            }
            Reading::Constant(Amount(count)) => Some(Self(constant(count))),
            Reading::Random(law) => Some(Self(law)),
        }
    }
}

impl fmt::Display for CountLaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Law::Uniform(it) = &self.0 {
            let (least, most) = (it.quantile(0.0).ceil(), it.max().floor());
            return write!(f, "uniform, {least} to {most}");
        }
        f.write_str(&self.0.words(Amount::show))
    }
}

/// A law of sizes: `"2KiB"`, or `{ exponential = { mean = "2KiB" } }`. Draws are rounded to whole
/// bytes.
#[derive(Clone, Debug, PartialEq)]
pub struct SizeLaw(Law);

impl SizeLaw {
    /// Always `size`.
    pub fn constant(size: Bytes) -> Self {
        Self(constant(size.0 as f64))
    }

    /// A law of bytes.
    pub fn new(law: Law) -> Self {
        Self(law)
    }

    /// A number of bytes from this law.
    #[inline]
    pub fn draw<R: Rng>(&self, rng: &mut R) -> u64 {
        self.0.draw(rng).round_ties_even() as u64
    }

    /// The law of the bytes.
    pub fn law(&self) -> &Law {
        &self.0
    }
}

impl Read for SizeLaw {
    const EXPECTS: &'static str = "a size such as \"2KiB\", or a law of sizes";

    fn read(value: &Value, problems: &mut Problems) -> Option<Self> {
        Some(match reading::read(value, problems)? {
            Reading::Constant(size) => Self::constant(size),
            Reading::Random(law) => Self::new(law),
        })
    }
}

impl fmt::Display for SizeLaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.words(Bytes::show))
    }
}

/// A constant that a quantity guarantees to be finite and not negative.
fn constant(value: f64) -> Law {
    Constant::new(value)
        .expect("a quantity is finite and not negative")
        .into()
}

#[cfg(test)]
mod tests {
    use super::super::testing;
    use super::*;

    /// An exponential law of mean m, rounded: P(N > n) = r^n √r with r = e^(-1/m), so
    /// E N = √r / (1 - r) and E N² = E N · (1 + r) / (1 - r).
    #[test]
    fn moments_of_a_rounded_law() {
        let law: CountLaw = testing::read("{ exponential = { mean = 3 } }").expect("a law");
        let r = (-1.0_f64 / 3.0).exp();
        let mean = r.sqrt() / (1.0 - r);
        let (first, second) = law.moments();
        assert!((first - mean).abs() < 1e-12);
        assert!((second - mean * (1.0 + r) / (1.0 - r)).abs() < 1e-10);
        assert!((law.at_least_one() - r.sqrt()).abs() < 1e-15);
        let wide: CountLaw = testing::read("{ exponential = { mean = \"1M\" } }").expect("a law");
        assert!((wide.moments().0 - 1e6).abs() < 1.0);
    }

    #[test]
    fn moments_of_whole_numbers() {
        assert_eq!(CountLaw::constant(17).moments(), (17.0, 289.0));
        assert_eq!(CountLaw::constant(0).moments(), (0.0, 0.0));
        let die: CountLaw = testing::read("{ uniform = { min = 1, max = 6 } }").expect("a law");
        let (first, second) = die.moments();
        assert!((first - 3.5).abs() < 1e-12 && (second - 91.0 / 6.0).abs() < 1e-12);
        assert_eq!(die.to_string(), "uniform, 1 to 6");
    }
}
