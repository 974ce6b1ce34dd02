//! The Weibull law: P(X > x) = e^(-(x/scale)^shape). Shape below 1 is a stretched exponential
//! (many short, some very long), above 1 a compressed one.
//!
//! Not fitted to mean and cv, which has no closed form: give shape and mean, or two quantiles.

use rand::{Rng, RngExt};
use statrs::function::gamma::gamma;

use super::quantity::{Quantity, four_digits};
use super::reading::{Unfit, listed, one_form, positive, quantiles};
use crate::input::{Fields, Problem, Problems};

/// Weibull of a shape and a scale.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weibull {
    shape: f64,
    scale: f64,
    sampler: rand_distr::Weibull<f64>,
}

impl Weibull {
    /// The law of this shape and scale (the value that a share of 1/e exceeds).
    ///
    /// # Errors
    /// When one of them is not a positive number.
    pub fn new(shape: f64, scale: f64) -> Result<Self, Unfit> {
        positive("shape", shape)?;
        positive("scale", scale)?;
        let sampler = rand_distr::Weibull::new(scale, shape)
            .map_err(|error| Unfit::new("shape", error.to_string(), "give it nearer to 1"))?;
        Ok(Self {
            shape,
            scale,
            sampler,
        })
    }

    /// From shape and mean: mean = scale · Γ(1 + 1/shape).
    ///
    /// # Errors
    /// When one of them is not a positive number.
    pub fn from_shape_mean(shape: f64, mean: f64) -> Result<Self, Unfit> {
        positive("shape", shape)?;
        positive("mean", mean)?;
        Self::new(shape, mean / gamma(1.0 + 1.0 / shape))
    }

    /// From two quantiles, each its share and its value, the lower one first.
    ///
    /// # Errors
    /// When the first is not positive, or the second not above the first.
    pub fn from_quantiles(low: (f64, f64), high: (f64, f64)) -> Result<Self, Unfit> {
        positive("p50", low.1)?;
        if high.1 <= low.1 {
            let help = "a higher quantile lies above a lower one";
            return Err(Unfit::new("p99", "the quantiles do not rise", help));
        }
        let exponent = |share: f64| -(-share).ln_1p();
        let shape = (exponent(high.0) / exponent(low.0)).ln() / (high.1 / low.1).ln();
        Self::new(shape, low.1 / exponent(low.0).powf(1.0 / shape))
    }

    /// Reads `{ shape, mean }`, `{ shape, scale }`, or two quantiles such as `{ p50, p99 }`.
    pub(super) fn read<Q: Quantity>(fields: &mut Fields, problems: &mut Problems) -> Option<Self> {
        let given = quantiles::<Q>(fields, problems)?;
        let law = if let [low, high] = &given[..] {
            Self::from_quantiles((low.share, low.at), (high.share, high.at)).map_err(|unfit| {
                match unfit.key {
                    "p50" => unfit.at(low.key),
                    _ => unfit.at(high.key),
                }
            })
        } else if given.is_empty() {
            one_form(fields, &[&["shape", "mean"], &["shape", "scale"]], problems)?;
            let shape = fields.required("shape", problems)?;
            if fields.has("mean") {
                Self::from_shape_mean(shape, fields.required::<Q>("mean", problems)?.number())
            } else {
                Self::new(shape, fields.required::<Q>("scale", problems)?.number())
            }
        } else {
            let keys: Vec<_> = given.iter().map(|it| it.key).collect();
            let title = format!("`weibull` cannot go by {}", listed(&keys));
            let help = "give two quantiles, or `shape` and `mean`, or `shape` and `scale`";
            problems.file(Problem::error(title, fields.place(), "").help(help));
            return None;
        };
        law.map_err(|unfit| unfit.file(fields, problems)).ok()
    }

    /// By inversion, by rand_distr.
    #[inline]
    pub(super) fn draw<R: Rng>(&self, rng: &mut R) -> f64 {
        rng.sample(self.sampler)
    }

    /// E X^n = scale^n Γ(1 + n/shape).
    fn moment(&self, n: i32) -> f64 {
        self.scale.powi(n) * gamma(1.0 + f64::from(n) / self.shape)
    }

    pub(super) fn mean(&self) -> f64 {
        self.moment(1)
    }

    pub(super) fn variance(&self) -> f64 {
        self.moment(2) - self.moment(1).powi(2)
    }

    pub(super) fn third_moment(&self) -> f64 {
        self.moment(3)
    }

    pub(super) fn cdf(&self, x: f64) -> f64 {
        -(-(x.max(0.0) / self.scale).powf(self.shape)).exp_m1()
    }

    pub(super) fn quantile(&self, p: f64) -> f64 {
        self.scale * (-(-p).ln_1p()).powf(1.0 / self.shape)
    }

    #[expect(clippy::unused_self, reason = "one shape for all laws")]
    pub(super) fn max(&self) -> f64 {
        f64::INFINITY
    }

    pub(super) fn scaled(&self, factor: f64) -> Self {
        Self::new(self.shape, self.scale * factor).expect("a positive factor")
    }

    pub(super) fn words(&self, show: fn(f64) -> String) -> String {
        format!(
            "weibull, mean {}, shape {}",
            show(self.mean()),
            four_digits(self.shape)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing;
    use super::*;
    use crate::random::{DurationLaw, Law};

    #[test]
    fn draws_moments_and_inverse() {
        // Shape 1/2, scale 1: E X^n = (2n)!, so 2, 24 - 4, 720.
        let law = Law::from(Weibull::from_shape_mean(0.5, 2.0).expect("fits"));
        testing::moments(&law, 2.0, 20.0, 720.0);
        testing::inverse(&law);
        testing::draws(
            &law,
            [
                0.593370976643481,
                0.5365079635519766,
                3.4579612396826493,
                3.8194239244622725,
                0.1143403980065253,
            ],
        );
    }

    #[test]
    fn fits_two_quantiles() {
        let text = "{ weibull = { p50 = \"30ms\", p99 = \"400ms\" } }";
        let law: DurationLaw = testing::read(text).expect("a law");
        assert!((law.law().cdf(0.03) - 0.5).abs() < 1e-12);
        assert!((law.law().cdf(0.4) - 0.99).abs() < 1e-12);
        let text = "{ weibull = { p50 = \"30ms\", shape = 2 } }";
        let problems = testing::refused::<DurationLaw>(text);
        assert!(problems.contains("cannot go by `p50`"), "{problems}");
    }
}
