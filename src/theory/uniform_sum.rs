//! The sum of independent uniform times U(0, w): its tail and its percentiles. Nothing is known
//! here of retries.

use super::laplace::{self, Complex};
use super::root::exceeded_with;

/// A sum of uniform variables, widths grouped by equality.
#[derive(Clone, Debug)]
pub(crate) struct UniformSum {
    /// Width and how often it occurs.
    groups: Vec<(f64, i32)>,
    number: i32,
    whole: f64,
}

impl UniformSum {
    /// Widths above zero; equal ones next to each other, as in any rising sequence.
    pub(crate) fn new(widths: &[f64]) -> Self {
        let mut groups: Vec<(f64, i32)> = Vec::new();
        for &width in widths {
            match groups.last_mut() {
                Some((known, number)) if known.total_cmp(&width).is_eq() => *number += 1,
                _ => groups.push((width, 1)),
            }
        }
        Self {
            groups,
            number: widths.len() as i32,
            whole: widths.iter().sum(),
        }
    }

    /// P(sum > t).
    pub(crate) fn tail(&self, t: f64) -> f64 {
        // The law is symmetric; the small side has the small terms.
        let exact = if t > self.whole / 2.0 {
            self.below(self.whole - t)
        } else {
            self.below(t).map(|below| 1.0 - below)
        };
        exact.unwrap_or_else(|| laplace::tail(t, |s| self.transform(s)))
    }

    /// The value exceeded with probability `tail`.
    pub(crate) fn exceeded_with(&self, tail: f64) -> f64 {
        if tail > 0.5 {
            return self.whole - self.exceeded_with(1.0 - tail);
        }
        exceeded_with(tail, self.whole / 4.0, |t| self.tail(t))
    }

    /// P(sum <= u) by inclusion and exclusion, sum over subsets of (-1)^|S| (u - w(S))^n/(n! prod
    /// w); `None` where so many terms cancel that fewer than nine digits are left.
    fn below(&self, u: f64) -> Option<f64> {
        if u <= 0.0 {
            return Some(0.0);
        }
        // Scaled by the geometric mean of the denominator, so that no power overflows.
        let n = f64::from(self.number);
        let ln_scale: f64 = (1..=self.number).map(|k| f64::from(k).ln()).sum::<f64>()
            + self
                .groups
                .iter()
                .map(|&(width, times)| f64::from(times) * width.ln())
                .sum::<f64>();
        let scale = (ln_scale / n).exp();
        let (mut sum, mut size) = (0.0, 0.0);
        self.subsets(0, u, 1.0, &mut |rest: f64, factor: f64| {
            let term = factor * (rest / scale).powi(self.number);
            sum += term;
            size += term.abs();
        });
        (size.is_finite() && size * f64::EPSILON * n < 1e-9 * sum).then_some(sum)
    }

    /// Visits u - w(S) > 0 with its signed number of subsets.
    fn subsets(&self, group: usize, rest: f64, factor: f64, visit: &mut impl FnMut(f64, f64)) {
        let Some(&(width, times)) = self.groups.get(group) else {
            return visit(rest, factor);
        };
        let mut binomial = 1.0;
        for taken in 0..=times {
            let left = rest - f64::from(taken) * width;
            if left <= 0.0 {
                break;
            }
            self.subsets(group + 1, left, factor * binomial, visit);
            binomial *= -f64::from(times - taken) / f64::from(taken + 1);
        }
    }

    /// prod of (1 - e^{-s w})/(s w).
    fn transform(&self, s: Complex) -> Complex {
        let mut product = (1.0, 0.0);
        for &(width, times) in &self.groups {
            let (re, im) = (s.0 * width, s.1 * width);
            let decay = (-re).exp();
            let (above_re, above_im) = (1.0 - decay * im.cos(), decay * im.sin());
            let norm = re * re + im * im;
            let factor = (
                (above_re * re + above_im * im) / norm,
                (above_im * re - above_re * im) / norm,
            );
            for _ in 0..times {
                product = (
                    product.0 * factor.0 - product.1 * factor.1,
                    product.0 * factor.1 + product.1 * factor.0,
                );
            }
        }
        product
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_equal_widths_make_a_triangle() {
        let sum = UniformSum::new(&[1.0, 1.0]);
        assert!((sum.tail(1.5) - 0.125).abs() < 1e-15);
        assert!((sum.tail(0.5) - 0.875).abs() < 1e-15);
        assert!((sum.exceeded_with(0.02) - 1.8).abs() < 1e-14);
        assert!((sum.exceeded_with(0.98) - 0.2).abs() < 1e-14);
    }

    #[test]
    fn inversion_agrees_with_inclusion_and_exclusion() {
        let sum = UniformSum::new(&[1.0, 2.0, 4.0, 8.0, 8.0]);
        for t in [3.0, 10.0, 20.0] {
            let (inverted, exact) = (laplace::tail(t, |s| sum.transform(s)), sum.tail(t));
            assert!((inverted - exact).abs() < 2e-6, "{t}: {inverted} {exact}");
        }
    }

    #[test]
    fn a_hundred_widths_are_nearly_normal() {
        // Mean 50, variance 100/12; the 99th percentile of the normal law is 2.3263 deviations.
        let sum = UniformSum::new(&[1.0; 100]);
        let expected = 50.0 + 2.326_347_874 * (100.0_f64 / 12.0).sqrt();
        assert!((sum.exceeded_with(0.01) / expected - 1.0).abs() < 1e-3);
    }
}
