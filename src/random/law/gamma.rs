//! The gamma law: Erlang's, with a shape that need not be whole; squared cv = 1 / shape.
//!
//! Not a heavy tail: it falls exponentially whatever the shape.

use rand::{Rng, RngExt};
use statrs::distribution::ContinuousCDF;

use super::quantity::Quantity;
use super::reading::{Unfit, invert, one_form, positive};
use crate::input::{Fields, Problems};

/// Gamma of a shape and a mean.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gamma {
    shape: f64,
    mean: f64,
    sampler: rand_distr::Gamma<f64>,
}

impl Gamma {
    /// The gamma law of this shape and mean.
    ///
    /// # Errors
    /// When one of them is not a positive number.
    pub fn new(shape: f64, mean: f64) -> Result<Self, Unfit> {
        positive("shape", shape)?;
        positive("mean", mean)?;
        let sampler = rand_distr::Gamma::new(shape, mean / shape)
            .map_err(|error| Unfit::new("shape", error.to_string(), "give it nearer to 1"))?;
        Ok(Self {
            shape,
            mean,
            sampler,
        })
    }

    /// The gamma law of this mean and coefficient of variation.
    ///
    /// # Errors
    /// When one of them is not a positive number.
    pub fn from_mean_cv(mean: f64, cv: f64) -> Result<Self, Unfit> {
        positive("cv", cv)?;
        Self::new(1.0 / (cv * cv), mean)
    }

    /// Reads `{ mean, cv }` or `{ shape, mean }`.
    pub(super) fn read<Q: Quantity>(fields: &mut Fields, problems: &mut Problems) -> Option<Self> {
        one_form(fields, &[&["mean", "cv"], &["shape", "mean"]], problems)?;
        let mean = fields.required::<Q>("mean", problems)?.number();
        let law = if fields.has("cv") {
            Self::from_mean_cv(mean, fields.required("cv", problems)?)
        } else {
            Self::new(fields.required("shape", problems)?, mean)
        };
        law.map_err(|unfit| unfit.file(fields, problems)).ok()
    }

    /// Marsaglia and Tsang (2000), by rand_distr.
    #[inline]
    pub(super) fn draw<R: Rng>(&self, rng: &mut R) -> f64 {
        rng.sample(self.sampler)
    }

    pub(super) fn mean(&self) -> f64 {
        self.mean
    }

    pub(super) fn variance(&self) -> f64 {
        self.mean * self.mean / self.shape
    }

    pub(super) fn third_moment(&self) -> f64 {
        self.mean.powi(3) * (1.0 + 1.0 / self.shape) * (1.0 + 2.0 / self.shape)
    }

    /// The law of mean `shape`, for which statrs has the incomplete gamma function.
    fn standard(&self) -> statrs::distribution::Gamma {
        statrs::distribution::Gamma::new(self.shape, 1.0).expect("the shape was checked")
    }

    fn scale(&self) -> f64 {
        self.mean / self.shape
    }

    pub(super) fn cdf(&self, x: f64) -> f64 {
        self.standard().cdf(x.max(0.0) / self.scale())
    }

    /// Searched: statrs's own search stops early where a small shape puts the quantile near zero.
    pub(super) fn quantile(&self, p: f64) -> f64 {
        if p >= 1.0 {
            return f64::INFINITY;
        }
        let mut high = self.mean;
        while self.cdf(high) < p {
            high *= 2.0;
        }
        invert(|x| self.cdf(x), p, 0.0, high)
    }

    #[expect(clippy::unused_self, reason = "one shape for all laws")]
    pub(super) fn max(&self) -> f64 {
        f64::INFINITY
    }

    pub(super) fn scaled(&self, factor: f64) -> Self {
        Self::new(self.shape, self.mean * factor).expect("a positive factor")
    }

    pub(super) fn words(&self, show: fn(f64) -> String) -> String {
        let cv = super::quantity::four_digits(1.0 / self.shape.sqrt());
        format!("gamma, mean {}, cv {cv}", show(self.mean))
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing;
    use super::*;
    use crate::random::Law;

    #[test]
    fn draws_moments_and_inverse() {
        // Shape 4, scale 1/2: E X = 2, Var = 1, E X^3 = 4 * 5 * 6 / 8.
        let law = Law::from(Gamma::from_mean_cv(2.0, 0.5).expect("fits"));
        testing::moments(&law, 2.0, 1.0, 15.0);
        testing::inverse(&law);
        testing::draws(
            &law,
            [
                1.7495309700734651,
                0.573223496758616,
                2.954696858602381,
                1.8293913446211774,
                0.7869478687661549,
            ],
        );
        let spread = Law::from(Gamma::new(0.25, 2.0).expect("fits"));
        testing::moments(&spread, 2.0, 16.0, 8.0 * 5.0 * 9.0);
        testing::inverse(&spread);
    }
}
