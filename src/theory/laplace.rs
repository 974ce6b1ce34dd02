//! Tails of non-negative random times from their Laplace transforms. Approximate: about eight
//! digits where the tail is smooth, fewer beside a jump.

/// A complex number as (real, imaginary).
pub(crate) type Complex = (f64, f64);

/// Half the number of terms; the weights sum to 10^(M/3), which costs as many digits.
const M: usize = 14;

/// P(X > t) from `transform(s)` = E exp(-s X), by the Euler summation of the Bromwich integral
/// (Abate and Whitt 2006, "A unified framework for numerically inverting Laplace transforms";
/// cited from memory).
pub(crate) fn tail(t: f64, transform: impl Fn(Complex) -> Complex) -> f64 {
    if t <= 0.0 {
        return 1.0;
    }
    let abscissa = M as f64 * std::f64::consts::LN_10 / 3.0;
    let mut sum = 0.0;
    for (k, weight) in euler_weights().into_iter().enumerate() {
        let s = (abscissa / t, std::f64::consts::PI * k as f64 / t);
        let (re, im) = transform(s);
        // The tail has the transform (1 - E exp(-sX))/s.
        let tail_re = ((1.0 - re) * s.0 - im * s.1) / (s.0 * s.0 + s.1 * s.1);
        sum += weight * tail_re;
    }
    (abscissa.exp() / t * sum).clamp(0.0, 1.0)
}

/// Alternating weights, the last M of them tapered by binomial sums.
fn euler_weights() -> Vec<f64> {
    let mut weights = vec![1.0; 2 * M + 1];
    weights[0] = 0.5;
    let mut binomial = 1.0;
    let half = 0.5_f64.powi(M as i32);
    weights[2 * M] = half;
    for k in 1..M {
        binomial *= (M + 1 - k) as f64 / k as f64;
        weights[2 * M - k] = weights[2 * M - k + 1] + half * binomial;
    }
    for (k, weight) in weights.iter_mut().enumerate() {
        if k % 2 == 1 {
            *weight = -*weight;
        }
    }
    weights
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inverts_an_exponential_law() {
        // 1/(1+s)
        let transform = |(re, im): Complex| {
            let norm = (1.0 + re).powi(2) + im * im;
            ((1.0 + re) / norm, -im / norm)
        };
        for t in [0.1_f64, 1.0, 5.0] {
            assert!((tail(t, transform) - (-t).exp()).abs() < 1e-7, "{t}");
        }
    }
}
