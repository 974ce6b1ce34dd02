//! Statistics of samples, for tests of draws.
//!
//! Not the statistics of the simulation (`stats`), which these tests must not lean on.

/// Mean, variance, and the standard errors of both, from a sample.
pub(crate) struct Moments {
    pub(crate) mean: f64,
    pub(crate) variance: f64,
    pub(crate) mean_error: f64,
    pub(crate) variance_error: f64,
}

impl Moments {
    pub(crate) fn of(sample: &[f64]) -> Self {
        let n = sample.len() as f64;
        let mean = sample.iter().sum::<f64>() / n;
        let central = |power: i32| sample.iter().map(|x| (x - mean).powi(power)).sum::<f64>() / n;
        let variance = central(2);
        Self {
            mean,
            variance,
            mean_error: (variance / n).sqrt(),
            variance_error: ((central(4) - variance * variance).max(0.0) / n).sqrt(),
        }
    }
}

/// The p-value of Kolmogorov and Smirnov's test of a sample against a continuous cdf, by the
/// asymptotic series 2 Σ (-1)^(k-1) e^(-2 k² d²) with Stephens's correction of d.
pub(crate) fn kolmogorov_smirnov(sample: &mut [f64], cdf: impl Fn(f64) -> f64) -> f64 {
    sample.sort_by(f64::total_cmp);
    let n = sample.len() as f64;
    let distance = sample
        .iter()
        .enumerate()
        .map(|(i, x)| {
            let at = cdf(*x);
            (at - i as f64 / n).max((i as f64 + 1.0) / n - at)
        })
        .fold(0.0, f64::max);
    let scaled = (n.sqrt() + 0.12 + 0.11 / n.sqrt()) * distance;
    let term = |k: i32| (-2.0 * f64::from(k * k) * scaled * scaled).exp();
    let sum: f64 = (1..=100)
        .map(|k| if k % 2 == 1 { term(k) } else { -term(k) })
        .sum();
    (2.0 * sum).clamp(0.0, 1.0)
}

/// The p-value of Pearson's chi-square test of counts against expected ones.
pub(crate) fn chi_square(pairs: &[(f64, f64)]) -> f64 {
    use statrs::distribution::{ChiSquared, ContinuousCDF};
    let statistic: f64 = pairs
        .iter()
        .map(|(seen, due)| (seen - due).powi(2) / due)
        .sum();
    let law = ChiSquared::new(pairs.len() as f64 - 1.0).expect("two cells or more");
    law.sf(statistic)
}

/// The correlation of pairs, times √n: standard normal when there is none.
pub(crate) fn correlation(pairs: &[(f64, f64)]) -> f64 {
    let first: Vec<_> = pairs.iter().map(|pair| pair.0).collect();
    let second: Vec<_> = pairs.iter().map(|pair| pair.1).collect();
    let (a, b) = (Moments::of(&first), Moments::of(&second));
    let n = pairs.len() as f64;
    let covariance = pairs
        .iter()
        .map(|(x, y)| (x - a.mean) * (y - b.mean))
        .sum::<f64>()
        / n;
    covariance / (a.variance * b.variance).sqrt() * n.sqrt()
}
