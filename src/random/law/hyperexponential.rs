//! The hyperexponential law H2: exponential of one of two means, more variable than exponential.
//!
//! Not a mixture of anything else: that is the mixture law.

use rand::{Rng, RngExt};
use rand_distr::Exp1;

use super::quantity::{Quantity, four_digits};
use super::reading::{Unfit, invert, one_form, positive};
use crate::input::{Fields, Problem, Problems};
use crate::units::Ratio;

/// With probability `p` exponential of the first mean, else of the second.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hyperexponential {
    /// Both probabilities, for 1 - p would lose the digits of a rare branch.
    shares: [f64; 2],
    means: [f64; 2],
}

impl Hyperexponential {
    /// The law that takes the first mean with probability `p`.
    ///
    /// # Errors
    /// When `p` is no probability, or a mean is not a positive number.
    pub fn new(p: f64, means: [f64; 2]) -> Result<Self, Unfit> {
        if !(0.0..=1.0).contains(&p) {
            return Err(Unfit::new(
                "p",
                format!("`p` is {p}"),
                "give a `p` from 0 to 1",
            ));
        }
        for mean in means {
            positive("means", mean)?;
        }
        Ok(Self {
            shares: [p, 1.0 - p],
            means,
        })
    }

    /// The law of this mean and coefficient of variation with balanced means: both branches carry
    /// half of the total, p · m1 = (1 - p) · m2 (Tijms 1994, cited from memory):
    /// p = (1 + sqrt((c² - 1) / (c² + 1))) / 2, m1 = mean / 2p, m2 = mean / 2(1 - p).
    ///
    /// # Errors
    /// When the mean is not positive, or the cv below 1.
    pub fn from_mean_cv(mean: f64, cv: f64) -> Result<Self, Unfit> {
        positive("mean", mean)?;
        if !(cv.is_finite() && cv >= 1.0) {
            let reason = format!("a hyperexponential law has a cv of 1 or more, not {cv}");
            let help = "for less, use `erlang = { k, mean }` or `gamma = { mean, cv }`";
            return Err(Unfit::new("cv", reason, help));
        }
        let scv = cv * cv;
        // 1 - p without the cancellation that a large cv would bring.
        let root = ((scv - 1.0) / (scv + 1.0)).sqrt();
        let rare = 1.0 / ((scv + 1.0) * (1.0 + root));
        let p = 1.0 - rare;
        Ok(Self {
            shares: [p, rare],
            means: [mean / (2.0 * p), mean / (2.0 * rare)],
        })
    }

    /// Reads `{ mean, cv }` or `{ p, means = [a, b] }`.
    pub(super) fn read<Q: Quantity>(fields: &mut Fields, problems: &mut Problems) -> Option<Self> {
        one_form(fields, &[&["mean", "cv"], &["p", "means"]], problems)?;
        let law = if fields.has("cv") {
            let mean = fields.required::<Q>("mean", problems);
            let cv = fields.required("cv", problems);
            Self::from_mean_cv(mean?.number(), cv?)
        } else {
            let p = fields.required::<Ratio>("p", problems);
            let means = fields.required_spanned::<Vec<Q>>("means", problems)?;
            let [first, second] = &means.it[..] else {
                let title = format!("`means` has {} entries", means.it.len());
                problems.file(
                    Problem::error(title, means.span, "must be two")
                        .help("for more than two, use `mixture = [{ weight, law }, …]`"),
                );
                return None;
            };
            Self::new(p?.get(), [first.number(), second.number()])
        };
        law.map_err(|unfit| unfit.file(fields, problems)).ok()
    }

    /// The probability of the first branch.
    pub fn p(&self) -> f64 {
        self.shares[0]
    }

    /// The means of both branches.
    pub fn means(&self) -> [f64; 2] {
        self.means
    }

    #[inline]
    pub(super) fn draw<R: Rng>(&self, rng: &mut R) -> f64 {
        let mean = self.means[usize::from(rng.random::<f64>() >= self.shares[0])];
        rng.sample::<f64, _>(Exp1) * mean
    }

    fn mixed(&self, of: impl Fn(f64) -> f64) -> f64 {
        self.shares[0] * of(self.means[0]) + self.shares[1] * of(self.means[1])
    }

    pub(super) fn mean(&self) -> f64 {
        self.mixed(|mean| mean)
    }

    pub(super) fn variance(&self) -> f64 {
        self.mixed(|mean| 2.0 * mean * mean) - self.mean().powi(2)
    }

    pub(super) fn third_moment(&self) -> f64 {
        self.mixed(|mean| 6.0 * mean.powi(3))
    }

    pub(super) fn cdf(&self, x: f64) -> f64 {
        self.mixed(|mean| -(-x.max(0.0) / mean).exp_m1())
    }

    /// No closed form: searched between the quantiles of the branches.
    pub(super) fn quantile(&self, p: f64) -> f64 {
        if p >= 1.0 {
            return f64::INFINITY;
        }
        let of = |mean: f64| -(-p).ln_1p() * mean;
        let (a, b) = (of(self.means[0]), of(self.means[1]));
        invert(|x| self.cdf(x), p, a.min(b), a.max(b))
    }

    #[expect(clippy::unused_self, reason = "one shape for all laws")]
    pub(super) fn max(&self) -> f64 {
        f64::INFINITY
    }

    pub(super) fn scaled(&self, factor: f64) -> Self {
        Self {
            shares: self.shares,
            means: self.means.map(|mean| mean * factor),
        }
    }

    pub(super) fn words(&self, show: fn(f64) -> String) -> String {
        let cv = four_digits((self.variance()).sqrt() / self.mean());
        format!("hyperexponential, mean {}, cv {cv}", show(self.mean()))
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing;
    use super::*;
    use crate::random::{DurationLaw, Law};

    #[test]
    fn draws_moments_and_inverse() {
        // scv 3: root 1/√2.
        let law = Hyperexponential::from_mean_cv(2.0, 3.0_f64.sqrt()).expect("fits");
        let p = f64::midpoint(1.0, 0.5_f64.sqrt());
        assert!((law.p() - p).abs() < 1e-15);
        let third = 6.0 * (p / p.powi(3) + (1.0 - p) / (1.0 - p).powi(3));
        let law = Law::from(law);
        testing::moments(&law, 2.0, 12.0, third);
        testing::inverse(&law);
        testing::draws(
            &law,
            [
                1.1303102974062997,
                0.5988674322521317,
                0.38036720581840916,
                3.0477754653215943,
                1.4617902641246983,
            ],
        );
    }

    #[test]
    fn a_small_cv_points_to_laws_that_have_it() {
        let text = "{ hyperexponential = { mean = \"1s\", cv = 0.5 } }";
        let problems = testing::refused::<DurationLaw>(text);
        assert!(problems.contains("cv of 1 or more, not 0.5"), "{problems}");
        assert!(problems.contains("gamma"), "{problems}");
    }

    #[test]
    fn a_huge_cv_keeps_its_mean() {
        let law = Law::from(Hyperexponential::from_mean_cv(2.0, 1e4).expect("fits"));
        assert!((law.mean() - 2.0).abs() < 1e-12);
        assert!((law.scv() / 1e8 - 1.0).abs() < 1e-9);
    }
}
