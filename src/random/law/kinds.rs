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
