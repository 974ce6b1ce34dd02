//! Erlang's law: the sum of `k` exponential stages of one mean; squared cv = 1/k.
//!
//! Not more variable than exponential, whatever k: that is the hyperexponential law.

use rand::Rng;

use super::Gamma;
use super::quantity::Quantity;
use super::reading::Unfit;
use crate::input::{Fields, Problems};

/// Erlang of `k` stages.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Erlang {
    k: u32,
    gamma: Gamma,
}

impl Erlang {
    /// The law of `k` stages that have `mean` together.
    ///
    /// # Errors
    /// When `k` is zero, or the mean is not a positive number.
    pub fn new(k: u32, mean: f64) -> Result<Self, Unfit> {
        if k == 0 {
            return Err(Unfit::new("k", "`k` is 0", "give `k` at least 1 stage"));
        }
        let gamma = Gamma::new(f64::from(k), mean)?;
        Ok(Self { k, gamma })
    }

    /// How many stages there are.
    pub fn stages(&self) -> u32 {
        self.k
    }

    /// Reads `{ k, mean }`.
    pub(super) fn read<Q: Quantity>(fields: &mut Fields, problems: &mut Problems) -> Option<Self> {
        let k = fields.required::<f64>("k", problems);
        let mean = fields.required::<Q>("mean", problems);
        let (k, mean) = (k?, mean?.number());
        let law = if k.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(&k) {
            Self::new(k as u32, mean)
        } else {
            let help = format!("for a shape between, use `gamma = {{ shape = {k}, mean = … }}`");
            Err(Unfit::new(
                "k",
                format!("`k` is {k}, not a number of stages"),
                help,
            ))
        };
        law.map_err(|unfit| unfit.file(fields, problems)).ok()
    }

    #[inline]
    pub(super) fn draw<R: Rng>(&self, rng: &mut R) -> f64 {
        self.gamma.draw(rng)
    }

    pub(super) fn mean(&self) -> f64 {
        self.gamma.mean()
    }

    pub(super) fn variance(&self) -> f64 {
        self.gamma.variance()
    }

    pub(super) fn third_moment(&self) -> f64 {
        self.gamma.third_moment()
    }

    pub(super) fn cdf(&self, x: f64) -> f64 {
        self.gamma.cdf(x)
    }

    pub(super) fn quantile(&self, p: f64) -> f64 {
        self.gamma.quantile(p)
    }

    pub(super) fn max(&self) -> f64 {
        self.gamma.max()
    }

    pub(super) fn scaled(&self, factor: f64) -> Self {
        Self {
            k: self.k,
            gamma: self.gamma.scaled(factor),
        }
    }

    pub(super) fn words(&self, show: fn(f64) -> String) -> String {
        format!("erlang, mean {}, k {}", show(self.mean()), self.k)
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing;
    use super::*;
    use crate::random::{DurationLaw, Law};

    #[test]
    fn draws_moments_and_inverse() {
        // E X^3 = k (k+1) (k+2) / (k / mean)^3 = 24 / 27 * 8.
        let law = Law::from(Erlang::new(3, 2.0).expect("fits"));
        testing::moments(&law, 2.0, 4.0 / 3.0, 60.0 * 8.0 / 27.0);
        testing::inverse(&law);
        testing::draws(
            &law,
            [
                1.6827441887939283,
                0.43043831567423996,
                3.088953337298715,
                1.7732960137657268,
                0.6415168682812578,
            ],
        );
        // P(X <= x) = 1 - e^-u (1 + u + u^2/2), u = 3x/2.
        let u = 1.5_f64;
        let known = 1.0 - (-u).exp() * (1.0 + u + u * u / 2.0);
        assert!((law.cdf(1.0) - known).abs() < 1e-14);
    }

    #[test]
    fn half_a_stage_points_to_gamma() {
        let problems = testing::refused::<DurationLaw>("{ erlang = { k = 2.5, mean = \"1s\" } }");
        assert!(problems.contains("not a number of stages"), "{problems}");
        assert!(problems.contains("gamma = { shape = 2.5"), "{problems}");
    }
}
