//! Roots of continuous functions of one variable, to full precision. Knows no queues.

/// The root of `f` between `a` and `b`, where it has opposite signs (Chandrupatla 1997: inverse
/// quadratic interpolation where it is safe, else bisection; cited from memory).
pub(crate) fn root(f: impl Fn(f64) -> f64, mut a: f64, mut b: f64) -> f64 {
    let (mut fa, mut fb) = (f(a), f(b));
    let mut t = 0.5;
    for _ in 0..2200 {
        let x = a + t * (b - a);
        let fx = f(x);
        let (c, fc);
        if (fx > 0.0) == (fa > 0.0) {
            (c, fc) = (a, fa);
        } else {
            (c, fc) = (b, fb);
            (b, fb) = (a, fa);
        }
        (a, fa) = (x, fx);
        let (best, f_best) = if fa.abs() < fb.abs() {
            (a, fa)
        } else {
            (b, fb)
        };
        let limit = (2.0 * f64::EPSILON * best.abs() + f64::MIN_POSITIVE) / (b - a).abs();
        if limit > 0.5 || f_best == 0.0 || !limit.is_finite() {
            return best;
        }
        let xi = (a - b) / (c - b);
        let phi = (fa - fb) / (fc - fb);
        t = if phi * phi < xi && (1.0 - phi).powi(2) < 1.0 - xi {
            fa / (fb - fa) * fc / (fb - fc) + (c - a) / (b - a) * fa / (fc - fa) * fb / (fc - fb)
        } else {
            0.5
        };
        t = t.clamp(limit, 1.0 - limit);
    }
    a
}

/// The time at which a falling tail P(X > t) reaches `tail`; zero when it starts at or below it.
/// `scale` is any time of the right order.
pub(crate) fn exceeded_with(tail: f64, scale: f64, survival: impl Fn(f64) -> f64) -> f64 {
    // 1 - 0.9 and 0.1 differ in the last digit; a percentile that is zero should print as zero.
    if survival(0.0) <= tail * (1.0 + 1e-14) {
        return 0.0;
    }
    let excess = |t: f64| (survival(t).max(f64::MIN_POSITIVE) / tail).ln();
    let (mut low, mut high) = (0.0, scale);
    for _ in 0..2000 {
        if excess(high) <= 0.0 {
            return root(excess, low, high);
        }
        low = high;
        high *= 2.0;
    }
    f64::INFINITY
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_roots_to_the_last_digits() {
        assert!((root(|x| x * x - 2.0, 0.0, 2.0) - 2.0_f64.sqrt()).abs() < 1e-15);
        assert!((root(|x| (x - 1e-9) * 1e20, 0.0, 1.0) / 1e-9 - 1.0).abs() < 1e-14);
        let exponential = exceeded_with(0.001, 1.0, |t| (-3.0 * t).exp());
        assert!((exponential - 1000.0_f64.ln() / 3.0).abs() < 1e-14);
    }

    #[test]
    #[expect(clippy::float_cmp, reason = "zero must be exact")]
    fn a_tail_that_starts_low_is_exceeded_at_zero() {
        assert_eq!(exceeded_with(1.0 - 0.9, 1.0, |t| 0.1 * (-t).exp()), 0.0);
    }
}
