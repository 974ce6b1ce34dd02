//! Numerical tools of the closed forms: Poisson weights without cancellation, small
//! quotients with removable singularities. No queue is known here.

use std::f64::consts::TAU;

/// e - ln(1 + e), without cancellation near zero.
pub(crate) fn excess_over_log(e: f64) -> f64 {
    if e.abs() > 0.1 {
        return e - e.ln_1p();
    }
    // e^2/2 - e^3/3 + e^4/4 - ...
    let (mut power, mut sum, mut n) = (e * e, 0.0, 2.0);
    loop {
        let next = sum + power / n;
        if next.to_bits() == f64::to_bits(sum) {
            return sum;
        }
        sum = next;
        power *= -e;
        n += 1.0;
    }
}

/// (1 - e^-z)/z, which is 1 at z = 0.
pub(crate) fn decay_mean(z: f64) -> f64 {
    if z.abs() < 1e-300 {
        1.0
    } else {
        -(-z).exp_m1() / z
    }
}

/// P(N = count) of a Poisson law, by the saddle point (Loader 2000, cited from memory): the
/// relative error stays near 1e-15 for any count and mean.
pub(crate) fn poisson(count: u64, mean: f64) -> f64 {
    let n = count as f64;
    if count < 16 {
        let over = (1..=count).fold(1.0, |product, i| product * mean / i as f64);
        return over * (-mean).exp();
    }
    let deviance = n * excess_over_log((mean - n) / n);
    (-deviance - stirling_error(n)).exp() / (TAU * n).sqrt()
}

/// ln n! - ln(sqrt(2 pi n) (n/e)^n), from n = 16 on.
fn stirling_error(n: f64) -> f64 {
    let s = 1.0 / (n * n);
    (1.0 / 12.0 - s * (1.0 / 360.0 - s * (1.0 / 1260.0 - s * (1.0 / 1680.0 - s / 1188.0)))) / n
}

/// P(N >= count) of a Poisson law, for `count` above the mean: positive terms only.
pub(crate) fn poisson_tail(count: u64, mean: f64) -> f64 {
    let (mut term, mut sum, mut n) = (1.0, 1.0, count as f64);
    while term > 1e-18 * sum {
        n += 1.0;
        term *= mean / n;
        sum += term;
    }
    poisson(count, mean) * sum
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: f64, b: f64, tolerance: f64) {
        assert!((a / b - 1.0).abs() < tolerance, "{a:e} is not {b:e}");
    }

    #[test]
    fn poisson_weights_agree_with_known_values() {
        // e^-1 / 20! and the central term of mean 100, to 16 digits by exact arithmetic.
        close(
            poisson(20, 1.0),
            (-1.0_f64).exp() / 2_432_902_008_176_640_000.0,
            3e-14,
        );
        close(poisson(100, 100.0), 0.039_860_996_809_147_134, 1e-14);
        // The weights of one law sum to one, however large the mean.
        let sum: f64 = (80_000..120_000).map(|n| poisson(n, 100_000.0)).sum();
        close(sum, 1.0, 1e-13);
    }

    #[test]
    fn poisson_tail_is_the_rest_of_the_sum() {
        let direct: f64 = (30..200).map(|n| poisson(n, 20.0)).sum();
        close(poisson_tail(30, 20.0), direct, 1e-14);
    }

    #[test]
    fn excess_over_log_is_smooth_where_the_series_takes_over() {
        for e in [0.1_f64, -0.1] {
            close(
                excess_over_log(e * 0.999_999_999_999),
                excess_over_log(e),
                1e-11,
            );
        }
        close(excess_over_log(1e-8), 0.5e-16, 1e-7);
    }
}
