//! The exponential law: P(X > x) = e^(-x/mean).
//!
//! Not a Poisson process: that is an arrival process with these gaps.

use rand::{Rng, RngExt};
use rand_distr::Exp1;

use super::quantity::Quantity;
use super::reading::{Unfit, one_form, positive};
use crate::input::{Fields, Problems};
use crate::units::Rate;

/// Exponential with a mean.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Exponential {
    mean: f64,
}

impl Exponential {
    /// The exponential law of this mean.
    ///
    /// # Errors
    /// When the mean is not a positive number.
    pub fn new(mean: f64) -> Result<Self, Unfit> {
        positive("mean", mean)?;
        Ok(Self { mean })
    }

    /// Reads `{ mean }`, or, of a time, `{ rate }`.
    pub(super) fn read<Q: Quantity>(fields: &mut Fields, problems: &mut Problems) -> Option<Self> {
        let forms: [&[&str]; 2] = [&["mean"], &["rate"]];
        let last = if Q::HAS_RATE { 2 } else { 1 };
        one_form(fields, &forms[..last], problems)?;
        let law = if fields.has("mean") {
            Self::new(fields.required::<Q>("mean", problems)?.number())
        } else {
            let rate = fields.required::<Rate>("rate", problems)?.as_per_second();
            positive("rate", rate).map(|()| Self { mean: 1.0 / rate })
        };
        law.map_err(|unfit| unfit.file(fields, problems)).ok()
    }

    /// Ziggurat, by rand_distr.
    #[inline]
    pub(super) fn draw<R: Rng>(self, rng: &mut R) -> f64 {
        let unit: f64 = rng.sample(Exp1);
        unit * self.mean
    }

    pub(super) fn mean(self) -> f64 {
        self.mean
    }

    pub(super) fn variance(self) -> f64 {
        self.mean * self.mean
    }

    pub(super) fn third_moment(self) -> f64 {
        6.0 * self.mean.powi(3)
    }

    pub(super) fn cdf(self, x: f64) -> f64 {
        -(-x.max(0.0) / self.mean).exp_m1()
    }

    pub(super) fn quantile(self, p: f64) -> f64 {
        -(-p).ln_1p() * self.mean
    }

    #[expect(clippy::unused_self, reason = "one shape for all laws")]
    pub(super) fn max(self) -> f64 {
        f64::INFINITY
    }

    pub(super) fn scaled(self, factor: f64) -> Self {
        Self {
            mean: self.mean * factor,
        }
    }

    pub(super) fn words(self, show: fn(f64) -> String) -> String {
        format!("exponential, mean {}", show(self.mean))
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing;
    use super::*;
    use crate::random::{CountLaw, DurationLaw, Law};

    #[test]
    fn draws_moments_and_inverse() {
        let law = Law::from(Exponential::new(2.0).expect("fits"));
        testing::moments(&law, 2.0, 4.0, 48.0);
        testing::inverse(&law);
        testing::draws(
            &law,
            [
                1.0179642445304742,
                1.9295603735472775,
                1.3721698618126525,
                1.0223306546293893,
                4.878627620830652,
            ],
        );
    }

    #[test]
    fn reads_a_mean_or_a_rate() {
        let law: DurationLaw =
            testing::read("{ exponential = { rate = \"25/s\" } }").expect("a law");
        assert_eq!(law.to_string(), "exponential, mean 40ms");
        assert_eq!(
            law,
            testing::read("{ exponential = { mean = \"40ms\" } }").expect("a law")
        );
        let told = testing::refused::<CountLaw>("{ exponential = { rate = \"25/s\" } }");
        assert!(told.contains("give `mean`"), "{told}");
        let told = testing::refused::<DurationLaw>("{ exponential = { mean = \"0s\" } }");
        assert!(told.contains("`mean` is 0"), "{told}");
    }
}
