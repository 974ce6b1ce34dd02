//! Laws of a positive time, known by their Laplace-Stieltjes transforms: E e^{-sT}, its complement
//! and its divided difference, each without cancellation. Nothing is drawn here.

use std::f64::consts::TAU;

use num_complex::Complex64;

use super::numeric::{decay_mean, excess_over_log};

/// A law of a positive time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Transform {
    /// Always the same.
    Deterministic {
        /// The value.
        mean: f64,
    },
    /// Gamma; shape 1 is exponential, shape k is Erlang-k.
    Gamma {
        /// Mean.
        mean: f64,
        /// Shape, the inverse of the squared coefficient of variation.
        shape: f64,
    },
    /// Exponential with one of two rates.
    Hyperexponential {
        /// Probability of the first rate.
        weight: f64,
        /// The two rates.
        rates: [f64; 2],
    },
    /// Uniform between two bounds.
    Uniform {
        /// Smallest value.
        low: f64,
        /// Largest value.
        high: f64,
    },
    /// Lognormal, by quadrature.
    Lognormal {
        /// Mean.
        mean: f64,
        /// Squared coefficient of variation.
        scv: f64,
    },
}

impl Transform {
    /// Exponential with this mean.
    pub fn exponential(mean: f64) -> Self {
        Self::Gamma { mean, shape: 1.0 }
    }

    /// Hyperexponential with two rates and balanced means, p/rate_1 = (1-p)/rate_2; `scv` >= 1.
    pub fn balanced(mean: f64, scv: f64) -> Self {
        let weight = f64::midpoint(1.0, ((scv - 1.0) / (scv + 1.0)).sqrt());
        let rates = [2.0 * weight / mean, 2.0 * (1.0 - weight) / mean];
        Self::Hyperexponential { weight, rates }
    }

    /// The mean.
    pub fn mean(&self) -> f64 {
        match *self {
            Self::Deterministic { mean }
            | Self::Gamma { mean, .. }
            | Self::Lognormal { mean, .. } => mean,
            Self::Hyperexponential { weight, rates } => {
                weight / rates[0] + (1.0 - weight) / rates[1]
            }
            Self::Uniform { low, high } => f64::midpoint(low, high),
        }
    }

    /// Squared coefficient of variation.
    pub fn scv(&self) -> f64 {
        match *self {
            Self::Deterministic { .. } => 0.0,
            Self::Gamma { shape, .. } => 1.0 / shape,
            Self::Hyperexponential { weight, rates } => {
                // E T^2 - 2 (E T)^2 = 2 p q (1/r1 - 1/r2)^2.
                let spread = (1.0 / rates[0] - 1.0 / rates[1]) / self.mean();
                1.0 + 2.0 * weight * (1.0 - weight) * spread * spread
            }
            Self::Uniform { low, high } => ((high - low) / (high + low)).powi(2) / 3.0,
            Self::Lognormal { scv, .. } => scv,
        }
    }

    /// E T^3.
    pub fn third_moment(&self) -> f64 {
        match *self {
            Self::Deterministic { mean } => mean.powi(3),
            Self::Gamma { mean, shape } => mean.powi(3) * (1.0 + 1.0 / shape) * (1.0 + 2.0 / shape),
            Self::Hyperexponential { weight, rates } => {
                6.0 * (weight / rates[0].powi(3) + (1.0 - weight) / rates[1].powi(3))
            }
            Self::Uniform { low, high } => (high + low) * (high * high + low * low) / 4.0,
            Self::Lognormal { mean, scv } => (mean * (1.0 + scv)).powi(3),
        }
    }

    /// 1 - E e^{-sT}, for s >= 0, with its relative precision.
    pub fn complement(&self, s: f64) -> f64 {
        match *self {
            Self::Deterministic { mean } => -(-s * mean).exp_m1(),
            Self::Gamma { mean, shape } => -(-shape * (s * mean / shape).ln_1p()).exp_m1(),
            Self::Hyperexponential { weight, rates } => {
                s * (weight / (rates[0] + s) + (1.0 - weight) / (rates[1] + s))
            }
            Self::Uniform { low, high } => {
                let z = s * (high - low);
                -(-s * low).exp_m1() + (-s * low).exp() * decay_mean_complement(z)
            }
            Self::Lognormal { mean, scv } => lognormal(mean, scv)
                .map(|(t, weight)| -(-s * t).exp_m1() * weight)
                .sum(),
        }
    }

    /// E e^{-sT}, for s >= 0.
    pub fn at(&self, s: f64) -> f64 {
        match *self {
            Self::Deterministic { mean } => (-s * mean).exp(),
            Self::Gamma { mean, shape } => (-shape * (s * mean / shape).ln_1p()).exp(),
            Self::Hyperexponential { weight, rates } => {
                weight * rates[0] / (rates[0] + s) + (1.0 - weight) * rates[1] / (rates[1] + s)
            }
            Self::Uniform { low, high } => (-s * low).exp() * decay_mean(s * (high - low)),
            Self::Lognormal { mean, scv } => lognormal(mean, scv)
                .map(|(t, weight)| (-s * t).exp() * weight)
                .sum(),
        }
    }

    /// (E e^{-rT} - E e^{-sT}) / (s - r) for r, s >= 0; at r = s its limit E T e^{-sT}.
    pub fn slope(&self, s: f64, r: f64) -> f64 {
        match *self {
            Self::Deterministic { mean } => point_slope(mean, s, r),
            Self::Gamma { mean, shape } => {
                let step = (s - r) / (shape / mean + r);
                // ln(1 + step)/step, by which the exponent falls short of linear.
                let bend = if step.abs() < 1e-8 {
                    1.0 - step / 2.0
                } else {
                    step.ln_1p() / step
                };
                let fall = decay_mean(shape * step.ln_1p()) * bend;
                self.at(r) * fall * shape / (shape / mean + r)
            }
            Self::Hyperexponential { weight, rates } => {
                let part = |rate: f64| rate / (rate + s) / (rate + r);
                weight * part(rates[0]) + (1.0 - weight) * part(rates[1])
            }
            Self::Uniform { low, high } => {
                let width = high - low;
                point_slope(low, s, r) * decay_mean(r * width)
                    + (-s * low).exp() * width * decay_mean_slope(s * width, r * width)
            }
            Self::Lognormal { mean, scv } => {
                let nodes = lognormal(mean, scv);
                nodes.map(|(t, weight)| point_slope(t, s, r) * weight).sum()
            }
        }
    }

    /// E e^{-sT} for complex s with a positive real part.
    pub fn at_complex(&self, s: Complex64) -> Complex64 {
        match *self {
            Self::Deterministic { mean } => (-s * mean).exp(),
            Self::Gamma { mean, shape } => (-(1.0 + s * mean / shape).ln() * shape).exp(),
            Self::Hyperexponential { weight, rates } => {
                weight * rates[0] / (rates[0] + s) + (1.0 - weight) * rates[1] / (rates[1] + s)
            }
            Self::Uniform { low, high } => {
                ((-s * low).exp() - (-s * high).exp()) / (s * (high - low))
            }
            Self::Lognormal { mean, scv } => lognormal_complex(mean, scv, s),
        }
    }
}

/// (e^{-rt} - e^{-st}) / (s - r).
fn point_slope(t: f64, s: f64, r: f64) -> f64 {
    (-s.min(r) * t).exp() * t * decay_mean((s - r).abs() * t)
}

/// 1 - (1 - e^-z)/z.
fn decay_mean_complement(z: f64) -> f64 {
    if z > 0.5 {
        return 1.0 - decay_mean(z);
    }
    // With e = expm1(-z), z - 1 + e^-z is e - ln(1 + e).
    if z > 0.0 {
        excess_over_log((-z).exp_m1()) / z
    } else {
        0.0
    }
}

/// (d(y) - d(x)) / (x - y) for d(z) = (1 - e^-z)/z; symmetric.
fn decay_mean_slope(x: f64, y: f64) -> f64 {
    let (small, large) = if x < y { (x, y) } else { (y, x) };
    if large < 1.0 {
        // d(z) = sum (-z)^n/(n+1)!, and (x^n - y^n)/(x - y) = sum of x^i y^(n-1-i).
        let (mut sum, mut factor, mut powers, mut top) = (0.0, 0.5, 1.0, 1.0);
        for n in 1..30 {
            sum += factor * powers;
            top *= large;
            powers = powers * small + top;
            factor /= -f64::from(n + 2);
        }
        return sum;
    }
    let part = decay_mean(large) - (-small).exp() * decay_mean(large - small);
    // [(1 - e^-L) - L (e^-S - e^-L)/(L - S)] / (S L), with S = 0 as its own limit.
    if small > 1e-3 {
        part / small
    } else {
        // d(0) = 1 and d'(0) = -1/2: the difference quotient from the values themselves.
        (decay_mean(small) - decay_mean(large)) / (large - small)
    }
}

/// Nodes and weights of the lognormal law: the trapezoid rule in the normal variable, whose error
/// for these integrands is below 1e-15.
fn lognormal(mean: f64, scv: f64) -> impl Iterator<Item = (f64, f64)> {
    const STEP: f64 = 1.0 / 16.0;
    let sigma = scv.ln_1p().sqrt();
    let median = mean / (1.0 + scv).sqrt();
    (-160..=256).map(move |i| {
        let y = f64::from(i) * STEP;
        (
            median * (sigma * y).exp(),
            STEP * (-y * y / 2.0).exp() / TAU.sqrt(),
        )
    })
}

/// The lognormal transform on a line shifted into the complex plane, where e^{-st} decays rather
/// than oscillates.
fn lognormal_complex(mean: f64, scv: f64, s: Complex64) -> Complex64 {
    const STEP: f64 = 0.1;
    let sigma = scv.ln_1p().sqrt();
    let median = mean / (1.0 + scv).sqrt();
    let shift = (-s.arg() / (2.0 * sigma)).clamp(-1.5, 1.5);
    (-100..=160)
        .map(|i| {
            let y = Complex64::new(f64::from(i) * STEP, shift);
            (-y * y / 2.0 - s * median * (y * sigma).exp()).exp()
        })
        .sum::<Complex64>()
        * (STEP / TAU.sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: f64, b: f64, tolerance: f64) {
        assert!((a / b - 1.0).abs() < tolerance, "{a:e} is not {b:e}");
    }

    fn laws() -> Vec<Transform> {
        vec![
            Transform::Deterministic { mean: 2.0 },
            Transform::exponential(2.0),
            Transform::Gamma {
                mean: 2.0,
                shape: 5.0,
            },
            Transform::Gamma {
                mean: 2.0,
                shape: 0.5,
            },
            Transform::balanced(2.0, 4.0),
            Transform::Uniform {
                low: 0.0,
                high: 4.0,
            },
            Transform::Uniform {
                low: 1.0,
                high: 3.0,
            },
            Transform::Lognormal {
                mean: 2.0,
                scv: 0.25,
            },
            Transform::Lognormal {
                mean: 2.0,
                scv: 4.0,
            },
            Transform::Lognormal {
                mean: 2.0,
                scv: 25.0,
            },
        ]
    }

    #[test]
    fn the_complement_and_the_transform_sum_to_one_and_start_with_the_mean() {
        for law in laws() {
            for s in [1e-3, 0.1, 1.0, 30.0] {
                close(law.at(s) + law.complement(s), 1.0, 1e-13);
            }
            close(law.complement(1e-9) / 1e-9, 2.0, 1e-7);
            close(law.mean(), 2.0, 1e-14);
            let second = 2.0 * (law.mean() - law.complement(1e-5) / 1e-5) / 1e-5;
            close(law.scv() + 1.0, second / 4.0, 5e-3);
            // 1 - E e^-sT = s E T - s^2 E T^2/2 + s^3 E T^3/6 - ...
            let s = 1e-4;
            let exact_second = law.mean().powi(2) * (1.0 + law.scv());
            let rest = (law.complement(s) / s - law.mean()) / s + exact_second / 2.0;
            if law.scv() < 10.0 {
                close(law.third_moment(), rest * 6.0 / s, 0.02);
            }
        }
    }

    #[test]
    fn slopes_are_difference_quotients() {
        for law in laws() {
            for (s, r) in [
                (0.5, 0.1),
                (3.0, 0.01),
                (0.2, 0.15),
                (0.01, 2.0),
                (0.7, 0.0),
            ] {
                close(law.slope(s, r), (law.at(r) - law.at(s)) / (s - r), 2e-13);
            }
            for s in [1e-6, 0.3, 5.0] {
                let near = law.slope(s, s * 1.000_000_1);
                close(law.slope(s, s), near, 1e-5);
                close(
                    law.slope(s, s * 1.000_000_1),
                    law.slope(s * 1.000_000_1, s),
                    1e-13,
                );
            }
        }
    }

    #[test]
    fn the_complex_transform_extends_the_real_one() {
        for law in laws() {
            for s in [0.01, 1.0, 7.0] {
                close(law.at_complex(Complex64::from(s)).re, law.at(s), 1e-12);
            }
            // Cauchy's formula on a circle gives back the value at its centre.
            let points = 64;
            let mean: Complex64 = (0..points)
                .map(|i| {
                    let turn = Complex64::cis(TAU * f64::from(i) / f64::from(points));
                    law.at_complex(2.0 + 1.5 * turn) / f64::from(points)
                })
                .sum();
            close(mean.re, law.at(2.0), 1e-7);
        }
    }
}
