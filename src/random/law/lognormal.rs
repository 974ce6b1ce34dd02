//! The lognormal law: ln X is normal. The usual shape of service times and latencies.
//!
//! Not a power law: all its moments are finite.

use rand::{Rng, RngExt};
use statrs::distribution::{ContinuousCDF, LogNormal, Normal};

use super::quantity::{Quantity, four_digits};
use super::reading::{Unfit, listed, positive, quantiles};
use crate::input::{Fields, Problem, Problems};

/// ln X is normal of mean `mu` and standard deviation `sigma`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lognormal {
    mu: f64,
    sigma: f64,
    sampler: rand_distr::LogNormal<f64>,
}

impl Lognormal {
    /// The law of these parameters of ln X.
    ///
    /// # Errors
    /// When `mu` is no finite number or `sigma` is not positive.
    pub fn new(mu: f64, sigma: f64) -> Result<Self, Unfit> {
        positive("sigma", sigma)?;
        let sampler = rand_distr::LogNormal::new(mu, sigma)
            .ok()
            .filter(|_| mu.is_finite())
            .ok_or_else(|| Unfit::new("mu", format!("`mu` is {mu}"), "give a finite number"))?;
        Ok(Self { mu, sigma, sampler })
    }

    /// From mean and coefficient of variation: sigma² = ln(1 + cv²).
    ///
    /// # Errors
    /// When one of them is not a positive number.
    pub fn from_mean_cv(mean: f64, cv: f64) -> Result<Self, Unfit> {
        positive("mean", mean)?;
        positive("cv", cv)?;
        let variance = (cv * cv).ln_1p();
        Self::new(mean.ln() - variance / 2.0, variance.sqrt())
    }

    /// From one quantile (its share and its value) and the coefficient of variation.
    ///
    /// # Errors
    /// When the quantile or the cv is not a positive number.
    pub fn from_quantile_cv((share, at): (f64, f64), cv: f64) -> Result<Self, Unfit> {
        positive("p50", at)?;
        positive("cv", cv)?;
        let sigma = (cv * cv).ln_1p().sqrt();
        Self::new(at.ln() - score(share) * sigma, sigma)
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
        let sigma = (high.1 / low.1).ln() / (score(high.0) - score(low.0));
        Self::new(low.1.ln() - score(low.0) * sigma, sigma)
    }

    /// From the mean and one quantile: with z the quantile's normal score,
    /// sigma²/2 - z sigma + ln(at / mean) = 0, of whose roots the smaller is the law that people
    /// mean (the other is far more variable).
    ///
    /// # Errors
    /// When one of them is not positive, the median is not below the mean, or a higher quantile
    /// is not above it or so far above that no lognormal law has it: p99 at most
    /// e^(z²/2) = 15 times the mean.
    pub fn from_mean_quantile(mean: f64, (share, at): (f64, f64)) -> Result<Self, Unfit> {
        positive("mean", mean)?;
        positive("p50", at)?;
        let z = score(share);
        let ratio = (at / mean).ln();
        if share <= 0.5 {
            if ratio >= 0.0 {
                let help = "of a lognormal law the median lies below the mean";
                return Err(Unfit::new("p50", "the median is not below the mean", help));
            }
            return Self::from_mean_sigma(mean, z + (z * z - 2.0 * ratio).sqrt());
        }
        if ratio <= 0.0 {
            let reason = "the quantile is not above the mean";
            let help = "give the quantile a larger value, or `mean` a smaller one";
            return Err(Unfit::new("p99", reason, help));
        }
        let rest = z * z - 2.0 * ratio;
        if rest < 0.0 {
            let most = four_digits((z * z / 2.0).exp());
            let reason = format!(
                "no lognormal law has this quantile at {} times its mean",
                four_digits(at / mean)
            );
            let help = format!("it is at most {most} times; give two quantiles instead");
            return Err(Unfit::new("p99", reason, help));
        }
        // z - sqrt(rest), without cancellation.
        Self::from_mean_sigma(mean, 2.0 * ratio / (z + rest.sqrt()))
    }

    fn from_mean_sigma(mean: f64, sigma: f64) -> Result<Self, Unfit> {
        Self::new(mean.ln() - sigma * sigma / 2.0, sigma)
    }

    /// Reads two of `mean`, `cv`, and quantiles such as `p50` and `p99`.
    pub(super) fn read<Q: Quantity>(fields: &mut Fields, problems: &mut Problems) -> Option<Self> {
        let mean_given = fields.has("mean");
        let cv_given = fields.has("cv");
        let mean = fields.optional::<Q>("mean", problems).map(|it| it.number());
        let cv = fields.optional::<f64>("cv", problems);
        let given = quantiles::<Q>(fields, problems)?;
        if mean_given != mean.is_some() || cv_given != cv.is_some() {
            return None;
        }
        let points: Vec<_> = given.iter().map(|it| (it.share, it.at)).collect();
        let law = match (mean, cv, &points[..]) {
            (Some(mean), Some(cv), []) => Self::from_mean_cv(mean, cv),
            (Some(mean), None, [one]) => Self::from_mean_quantile(mean, *one),
            (None, Some(cv), [one]) => Self::from_quantile_cv(*one, cv),
            (None, None, [low, high]) => Self::from_quantiles(*low, *high),
            (mean, cv, _) => {
                let mut keys: Vec<_> = given.iter().map(|it| it.key).collect();
                keys.extend(mean.map(|_| "mean"));
                keys.extend(cv.map(|_| "cv"));
                let title = match keys[..] {
                    [] => "`lognormal` lacks its parameters".to_owned(),
                    _ => format!("`lognormal` cannot go by {}", listed(&keys)),
                };
                let help = "give two of `mean`, `cv`, and quantiles such as `p50` and `p99`";
                problems.file(Problem::error(title, fields.place(), "").help(help));
                return None;
            }
        };
        law.map_err(|mut unfit| {
            if let (Some(mean), None, [one]) = (mean, cv, &points[..])
                && let Some(way_out) = mixture::<Q>(mean, *one)
            {
                unfit.help = format!("{}, or {way_out}", unfit.help);
            }
            let blamed = match (unfit.key, &given[..]) {
                ("p50", [first, ..]) => unfit.at(first.key),
                ("p99", [.., last]) => unfit.at(last.key),
                _ => unfit,
            };
            blamed.file(fields, problems);
        })
        .ok()
    }

    #[inline]
    pub(super) fn draw<R: Rng>(&self, rng: &mut R) -> f64 {
        rng.sample(self.sampler)
    }

    pub(super) fn mean(&self) -> f64 {
        (self.mu + self.sigma * self.sigma / 2.0).exp()
    }

    pub(super) fn variance(&self) -> f64 {
        self.mean().powi(2) * (self.sigma * self.sigma).exp_m1()
    }

    pub(super) fn third_moment(&self) -> f64 {
        (3.0 * self.mu + 4.5 * self.sigma * self.sigma).exp()
    }

    fn statrs(&self) -> LogNormal {
        LogNormal::new(self.mu, self.sigma).expect("the parameters were checked")
    }

    pub(super) fn cdf(&self, x: f64) -> f64 {
        self.statrs().cdf(x)
    }

    pub(super) fn quantile(&self, p: f64) -> f64 {
        self.statrs().inverse_cdf(p)
    }

    #[expect(clippy::unused_self, reason = "one shape for all laws")]
    pub(super) fn max(&self) -> f64 {
        f64::INFINITY
    }

    pub(super) fn scaled(&self, factor: f64) -> Self {
        Self::new(self.mu + factor.ln(), self.sigma).expect("a positive factor")
    }

    pub(super) fn words(&self, show: fn(f64) -> String) -> String {
        let cv = four_digits((self.sigma * self.sigma).exp_m1().sqrt());
        format!("lognormal, mean {}, cv {cv}", show(self.mean()))
    }
}

/// A mixture that has a mean and a high quantile further from it than a lognormal law can have it,
/// in words; `None` when nothing positive has both, or a lognormal law has.
///
/// A share w of all, a little more than lie above the quantile, takes exactly that; the others are
/// exponential, of the mean that is left.
fn mixture<Q: Quantity>(mean: f64, (share, at): (f64, f64)) -> Option<String> {
    let (above, most) = (1.0 - share, mean / at);
    let is_far = share > 0.5 && (at / mean).ln() > score(share).powi(2) / 2.0;
    if !is_far || most <= above {
        return None;
    }
    let slow = four_digits(f64::midpoint(above, most.min(1.2 * above)));
    let rest = (mean - slow * at) / (1.0 - slow);
    let quantity = |number| {
        let shown = Q::show(number);
        match shown.parse::<f64>() {
            Ok(_) => shown,
            Err(_) => format!("\"{shown}\""),
        }
    };
    let (fast, slow) = (four_digits(100.0 * (1.0 - slow)), four_digits(100.0 * slow));
    Some(format!(
        "`{{ mixture = [{{ weight = {fast}, law = {{ exponential = {{ mean = {} }} }} }}, \
         {{ weight = {slow}, law = {} }}] }}`, which has both",
        quantity(rest),
        quantity(at),
    ))
}

/// The normal score of a share.
pub(super) fn score(share: f64) -> f64 {
    Normal::standard().inverse_cdf(share)
}

#[cfg(test)]
mod tests {
    use super::super::testing;
    use super::*;
    use crate::random::{DurationLaw, Law};

    #[test]
    fn draws_moments_and_inverse() {
        let law = Law::from(Lognormal::from_mean_cv(2.0, 1.0).expect("fits"));
        // E X^3 = mean^3 (1 + scv)^3.
        testing::moments(&law, 2.0, 4.0, 64.0);
        testing::inverse(&law);
        testing::draws(
            &law,
            [
                1.3133245252158987,
                1.3386811879984946,
                0.30422927606510647,
                0.3386079936085087,
                3.2261652104168816,
            ],
        );
    }

    /// The worked error message of the design: mean 20 s and p99 95 s give sigma 0.811, a tail of
    /// 8.0 % beyond 45 s, and p99.9 at 176.5 s.
    #[test]
    fn fits_a_mean_and_a_p99() {
        let text = "{ lognormal = { mean = \"20s\", p99 = \"95s\" } }";
        let law: DurationLaw = testing::read(text).expect("a law");
        let law = law.law();
        assert!((law.mean() - 20.0).abs() < 1e-9);
        assert!((law.quantile(0.99) - 95.0).abs() < 1e-6);
        assert!((1.0 - law.cdf(45.0) - 0.080).abs() < 5e-4);
        assert!((law.quantile(0.999) - 176.5).abs() < 0.05);
    }

    #[test]
    fn fits_every_other_pair() {
        for (text, p, at) in [
            (
                "{ lognormal = { p50 = \"30ms\", p99 = \"400ms\" } }",
                0.5,
                0.03,
            ),
            (
                "{ lognormal = { p50 = \"30ms\", p99 = \"400ms\" } }",
                0.99,
                0.4,
            ),
            (
                "{ lognormal = { mean = \"40ms\", p50 = \"30ms\" } }",
                0.5,
                0.03,
            ),
            ("{ lognormal = { cv = 2, p90 = \"80ms\" } }", 0.9, 0.08),
        ] {
            let law: DurationLaw = testing::read(text).expect(text);
            let found = law.law().quantile(p);
            assert!((found / at - 1.0).abs() < 1e-8, "{text}: {found}");
        }
    }

    #[test]
    fn the_way_out_of_a_quantile_too_far_is_a_law_that_has_it() {
        for far in [16.0, 20.0, 62.5, 99.0] {
            let text = format!(
                "{{ lognormal = {{ mean = \"400ms\", p99 = \"{}s\" }} }}",
                0.4 * far
            );
            let problems = testing::refused::<DurationLaw>(&text);
            assert_eq!(problems.lines().count(), 1, "{problems}");
            assert!(problems.contains("at most 14.97 times"), "{problems}");
            let quoted = problems.split('`').find(|part| part.contains("mixture"));
            let law: DurationLaw = testing::read(quoted.expect("an example")).expect("a law");
            assert!((law.law().mean() / 0.4 - 1.0).abs() < 5e-3, "{problems}");
            assert!(
                (law.law().quantile(0.99) / 0.4 / far - 1.0).abs() < 5e-3,
                "{problems}"
            );
        }
        // One in a hundred at more than a hundred times the mean is more than the mean.
        let none = "{ lognormal = { mean = \"1s\", p99 = \"101s\" } }";
        assert!(!testing::refused::<DurationLaw>(none).contains("mixture"));
    }

    #[test]
    fn says_what_no_lognormal_can_do() {
        for (parameters, reason) in [
            ("p50 = \"400ms\", p99 = \"30ms\"", "do not rise"),
            ("mean = \"1s\", p99 = \"20s\"", "20 times its mean"),
            (
                "mean = \"1s\", p50 = \"2s\"",
                "median is not below the mean",
            ),
            ("mean = \"1s\", p99 = \"500ms\"", "not above the mean"),
            ("mean = \"1s\"", "cannot go by `mean`"),
            ("mean = \"1s\", cv = 0", "`cv` is 0"),
            ("mean = \"1s\", p90 = \"0s\"", "`p90` is 0"),
        ] {
            let problems =
                testing::refused::<DurationLaw>(&format!("{{ lognormal = {{ {parameters} }} }}"));
            assert!(problems.contains(reason), "{parameters}: {problems}");
        }
    }
}
