//! The uniform law: every number from `min` to `max` alike.
//!
//! Not a choice among whole numbers, except as a law of counts: there the ends are widened by a
//! half, so that rounding gives each whole number from `min` to `max` the same chance.

use rand::{Rng, RngExt};

use super::quantity::Quantity;
use super::reading::Unfit;
use crate::input::{Fields, Problems};

/// Uniform between two numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Uniform {
    min: f64,
    max: f64,
}

impl Uniform {
    /// The uniform law from `min` to `max`.
    ///
    /// # Errors
    /// When `max` is below `min`, or one of them is negative or no finite number.
    pub fn new(min: f64, max: f64) -> Result<Self, Unfit> {
        if !(min.is_finite() && min >= 0.0) {
            return Err(Unfit::new(
                "min",
                format!("`min` is {min}"),
                "give zero or more",
            ));
        }
        if !(max.is_finite() && max >= min) {
            let help = "give a `max` that is not below `min`";
            return Err(Unfit::new("max", "`max` lies below `min`", help));
        }
        Ok(Self { min, max })
    }

    /// Reads `{ min, max }`.
    pub(super) fn read<Q: Quantity>(fields: &mut Fields, problems: &mut Problems) -> Option<Self> {
        let min = fields.required::<Q>("min", problems);
        let max = fields.required::<Q>("max", problems);
        let law = Self::new(min?.number(), max?.number());
        law.map(|it| it.widened(Q::HALF_STEP))
            .map_err(|unfit| unfit.file(fields, problems))
            .ok()
    }

    fn widened(self, by: f64) -> Self {
        Self {
            min: self.min - by,
            max: self.max + by,
        }
    }

    #[inline]
    pub(super) fn draw<R: Rng>(&self, rng: &mut R) -> f64 {
        let unit: f64 = rng.random();
        self.min + (self.max - self.min) * unit
    }

    pub(super) fn mean(&self) -> f64 {
        f64::midpoint(self.min, self.max)
    }

    pub(super) fn variance(&self) -> f64 {
        (self.max - self.min).powi(2) / 12.0
    }

    pub(super) fn third_moment(&self) -> f64 {
        let (a, b) = (self.min, self.max);
        (a + b) * (a * a + b * b) / 4.0
    }

    pub(super) fn cdf(&self, x: f64) -> f64 {
        if x >= self.max {
            1.0
        } else if x <= self.min {
            0.0
        } else {
            (x - self.min) / (self.max - self.min)
        }
    }

    pub(super) fn quantile(&self, p: f64) -> f64 {
        self.min + (self.max - self.min) * p
    }

    pub(super) fn max(&self) -> f64 {
        self.max
    }

    pub(super) fn scaled(&self, factor: f64) -> Self {
        Self {
            min: self.min * factor,
            max: self.max * factor,
        }
    }

    pub(super) fn words(&self, show: fn(f64) -> String) -> String {
        format!("uniform, {} to {}", show(self.min), show(self.max))
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing;
    use super::*;
    use crate::random::{CountLaw, Law};

    #[test]
    fn draws_moments_and_inverse() {
        let law = Law::from(Uniform::new(1.0, 3.0).expect("fits"));
        testing::moments(&law, 2.0, 1.0 / 3.0, 10.0);
        testing::inverse(&law);
        testing::draws(
            &law,
            [
                1.925743030489246,
                1.9614431340407097,
                1.3114824631874826,
                1.283317395900881,
                2.4261872290281734,
            ],
        );
        assert!(Uniform::new(3.0, 1.0).is_err());
    }

    #[test]
    fn counts_reach_both_ends_as_often_as_the_middle() {
        let law: CountLaw = testing::read("{ uniform = { min = 0, max = 3 } }").expect("a law");
        let seen = testing::tally(40_000, |rng| law.draw(rng));
        assert_eq!(seen.len(), 4);
        for (count, times) in seen {
            let deviations = (f64::from(times) - 10_000.0) / 86.6;
            assert!(deviations.abs() < 4.0, "{count}: {times}");
        }
    }
}
