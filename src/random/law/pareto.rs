//! The Pareto law: P(X > x) = (min / x)^alpha from `min` on. A power-law tail: moments of order
//! alpha and above are infinite, and a simulation of them never settles.
//!
//! Not the Lomax law, which starts at zero.

use rand::{Rng, RngExt};

use super::quantity::{Quantity, four_digits};
use super::reading::{Unfit, one_form, positive};
use crate::input::{Fields, Problems};

/// Pareto from `min` on with tail index `alpha`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pareto {
    alpha: f64,
    min: f64,
    sampler: rand_distr::Pareto<f64>,
}

impl Pareto {
    /// The law of this tail index from `min` on.
    ///
    /// # Errors
    /// When one of them is not a positive number.
    pub fn new(alpha: f64, min: f64) -> Result<Self, Unfit> {
        positive("alpha", alpha)?;
        positive("min", min)?;
        let sampler = rand_distr::Pareto::new(min, alpha)
            .map_err(|error| Unfit::new("alpha", error.to_string(), "give it nearer to 2"))?;
        Ok(Self {
            alpha,
            min,
            sampler,
        })
    }

    /// From tail index and mean: mean = alpha · min / (alpha - 1).
    ///
    /// # Errors
    /// When the tail index is not above 1, where the mean would be infinite, or the mean is not
    /// positive.
    pub fn from_mean(alpha: f64, mean: f64) -> Result<Self, Unfit> {
        positive("mean", mean)?;
        if !(alpha.is_finite() && alpha > 1.0) {
            let reason = format!("a Pareto law of alpha {alpha} has no finite mean");
            return Err(Unfit::new(
                "alpha",
                reason,
                "give an alpha above 1, or `min` for `mean`",
            ));
        }
        Self::new(alpha, mean * (alpha - 1.0) / alpha)
    }

    /// Reads `{ alpha, min }` or `{ alpha, mean }`; `shape` is another word for `alpha`.
    pub(super) fn read<Q: Quantity>(fields: &mut Fields, problems: &mut Problems) -> Option<Self> {
        let word = if fields.has("shape") {
            "shape"
        } else {
            "alpha"
        };
        one_form(fields, &[&[word, "min"], &[word, "mean"]], problems)?;
        let alpha = fields.required(word, problems)?;
        let law = if fields.has("mean") {
            Self::from_mean(alpha, fields.required::<Q>("mean", problems)?.number())
        } else {
            Self::new(alpha, fields.required::<Q>("min", problems)?.number())
        };
        law.map_err(|unfit| {
            let blamed = if unfit.key == "alpha" {
                unfit.at(word)
            } else {
                unfit
            };
            blamed.file(fields, problems);
        })
        .ok()
    }

    /// By inversion, by rand_distr.
    #[inline]
    pub(super) fn draw<R: Rng>(&self, rng: &mut R) -> f64 {
        rng.sample(self.sampler)
    }

    /// E X^n = alpha min^n / (alpha - n), infinite for alpha <= n.
    fn moment(&self, n: i32) -> f64 {
        let order = f64::from(n);
        if self.alpha <= order {
            return f64::INFINITY;
        }
        self.alpha * self.min.powi(n) / (self.alpha - order)
    }

    pub(super) fn mean(&self) -> f64 {
        self.moment(1)
    }

    pub(super) fn variance(&self) -> f64 {
        if self.alpha <= 2.0 {
            return f64::INFINITY;
        }
        let above = self.alpha - 1.0;
        self.min.powi(2) * self.alpha / (above * above * (self.alpha - 2.0))
    }

    pub(super) fn third_moment(&self) -> f64 {
        self.moment(3)
    }

    pub(super) fn cdf(&self, x: f64) -> f64 {
        if x <= self.min {
            return 0.0;
        }
        1.0 - (self.min / x).powf(self.alpha)
    }

    pub(super) fn quantile(&self, p: f64) -> f64 {
        self.min * (1.0 - p).powf(-1.0 / self.alpha)
    }

    #[expect(clippy::unused_self, reason = "one shape for all laws")]
    pub(super) fn max(&self) -> f64 {
        f64::INFINITY
    }

    pub(super) fn scaled(&self, factor: f64) -> Self {
        Self::new(self.alpha, self.min * factor).expect("a positive factor")
    }

    pub(super) fn words(&self, show: fn(f64) -> String) -> String {
        format!(
            "pareto, mean {}, alpha {}",
            show(self.mean()),
            four_digits(self.alpha)
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
        // Alpha 4, min 3/2: mean 2, E X^2 = 4 * 9/4 / 2, E X^3 = 4 * 27/8.
        let law = Law::from(Pareto::from_mean(4.0, 2.0).expect("fits"));
        testing::moments(&law, 2.0, 0.5, 13.5);
        testing::inverse(&law);
        testing::draws(
            &law,
            [
                1.8185537642616103,
                1.801431934686352,
                2.387758269720622,
                2.4450089186395996,
                1.6323174454031424,
            ],
        );
    }

    #[test]
    fn one_mistake_is_one_error() {
        let text = "{ pareto = { mean = \"400ms\", p99 = \"25s\" } }";
        let problems = testing::refused::<DurationLaw>(text);
        assert_eq!(problems.lines().count(), 1, "{problems}");
        assert!(
            problems.contains("cannot go by `mean` and `p99`"),
            "{problems}"
        );
        assert!(problems.contains("give `alpha` and `min`"), "{problems}");
    }

    #[test]
    fn heavy_tails_have_infinite_moments() {
        let law = Law::from(Pareto::new(1.5, 1.0).expect("fits"));
        assert!((law.mean() - 3.0).abs() < 1e-12);
        assert!(law.variance().is_infinite() && law.scv().is_infinite());
        assert!(
            Law::from(Pareto::new(1.0, 1.0).expect("fits"))
                .scv()
                .is_infinite()
        );
        let text = "{ pareto = { shape = 0.9, mean = \"1s\" } }";
        let problems = testing::refused::<DurationLaw>(text);
        assert!(problems.contains("no finite mean"), "{problems}");
    }
}
