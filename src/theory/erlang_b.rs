//! Erlang's loss and delay formulas: the probability that all servers are busy. Nothing is known
//! here of waits; see [`super::mmc`].
//!
//! B is the loss probability of M/G/c/c for any law of service (Erlang 1917; insensitivity,
//! Sevastyanov 1957), C the probability of waiting in M/M/c. The recursions are Jagerman 1974 and
//! Cooper 1981. Papers are cited from memory.

/// Erlang B, by B(k) = a B(k-1)/(k + a B(k-1)): never overflows, falls to zero below 1e-308.
///
/// Offered load `a` >= 0 in erlangs. Relative error 1.5e-15 up to 100,000 servers.
pub fn blocking(a: f64, servers: u64) -> f64 {
    blocking_from(1.0, a, 1.0, servers)
}

/// `steps` steps of the recursion from B of `first - 1` servers.
fn blocking_from(start: f64, a: f64, first: f64, steps: u64) -> f64 {
    (0..steps).fold(start, |b, i| a * b / (first + i as f64 + a * b))
}

/// ln B in log space, where B itself is too small for a float: L(k) = ln(1 + e^x) with
/// x = ln(k/a) + L(k-1), and ln B = -L(c).
pub fn ln_blocking(a: f64, servers: u64) -> f64 {
    let ln_a = a.ln();
    -(1..=servers).fold(0.0, |l: f64, k| {
        let x = (k as f64).ln() - ln_a + l;
        if k == 1 {
            // 1/B(1) = 1 + 1/a, without the detour through logarithms.
            (1.0 / a).ln_1p()
        } else if x > 0.0 {
            x + (-x).exp().ln_1p()
        } else {
            x.exp().ln_1p()
        }
    })
}

/// ln B by 1/B = sum over j of prod_{i<j} (c - i)/a, which stops after O(sqrt c) terms near and
/// above full load: made for searches over c. Relative error of B below 1e-12.
pub fn ln_blocking_by_series(a: f64, servers: u64) -> f64 {
    const LARGE: f64 = 1e280;
    let (mut term, mut sum, mut ln_scale) = (1.0, 0.0_f64, 0.0);
    for i in 0..servers {
        term *= (servers - i) as f64 / a;
        sum += term;
        if term < 1e-17 * sum {
            break;
        }
        if sum > LARGE {
            term /= LARGE;
            sum /= LARGE;
            ln_scale += LARGE.ln();
        }
    }
    // The leading 1 of 1/B is kept apart: near B = 1 it is all there is.
    if ln_scale > 0.0 {
        -(sum.ln() + ln_scale)
    } else {
        -sum.ln_1p()
    }
}

/// Erlang C, the probability of waiting in M/M/c, from B: C = B/((1 - rho) + rho B).
///
/// 1 at and above full load. 1 - rho is taken as (c - a)/c.
pub fn delay(a: f64, servers: u64) -> f64 {
    delay_from(blocking(a, servers), a, servers as f64)
}

fn delay_from(b: f64, a: f64, servers: f64) -> f64 {
    if a < servers {
        b * servers / (servers - a + a * b)
    } else {
        1.0
    }
}

/// ln C, also where C is too small for a float.
pub fn ln_delay(a: f64, servers: u64) -> f64 {
    ln_delay_from(ln_blocking(a, servers), a, servers as f64)
}

/// ln C by [`ln_blocking_by_series`].
pub fn ln_delay_by_series(a: f64, servers: u64) -> f64 {
    ln_delay_from(ln_blocking_by_series(a, servers), a, servers as f64)
}

fn ln_delay_from(ln_b: f64, a: f64, servers: f64) -> f64 {
    if a >= servers {
        return 0.0;
    }
    ln_b - ((servers - a) / servers + a / servers * ln_b.exp()).ln()
}

/// The load that is carried, a (1 - B), without cancellation when most of it is lost.
pub fn carried(a: f64, servers: u64) -> f64 {
    let b = blocking(a, servers);
    match servers.checked_sub(1) {
        // 1 - B(c) = (c/a) B(c)/B(c-1).
        Some(fewer) if b > 0.5 => servers as f64 * b / blocking(a, fewer),
        Some(_) => a * (1.0 - b),
        None => 0.0,
    }
}

/// Erlang B for any real number of servers >= 0, by Jagerman's 1/B(x,a) = int e^-u (1+u/a)^x du
/// for the fractional part and the recursion from there on. Offered load `a` > 0.
pub fn blocking_continuous(a: f64, servers: f64) -> f64 {
    let fraction = servers.fract();
    // u = exp(t - exp(-t)) makes the trapezoid rule converge double-exponentially.
    let step = 1.0 / 32.0;
    let inverse: f64 = (-192..=192)
        .map(|i| {
            let t = f64::from(i) * step;
            let u = (t - (-t).exp()).exp();
            (-u).exp() * (1.0 + u / a).powf(fraction) * u * (1.0 + (-t).exp()) * step
        })
        .sum();
    let start = if fraction > 0.0 { 1.0 / inverse } else { 1.0 };
    blocking_from(start, a, fraction + 1.0, servers.trunc() as u64)
}

/// Erlang C for any real number of servers >= 0.
pub fn delay_continuous(a: f64, servers: f64) -> f64 {
    delay_from(blocking_continuous(a, servers), a, servers)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(x: f64, y: f64, relative: f64) {
        assert!((x / y - 1.0).abs() < relative, "{x} {y}");
    }

    #[test]
    fn small_cases_by_hand() {
        // B(2, 1) = (1/2)/(1 + 1 + 1/2); C(2, 1) = 1/3.
        close(blocking(1.0, 2), 0.2, 1e-15);
        close(delay(1.0, 2), 1.0 / 3.0, 1e-15);
        close(carried(10.0, 1), 10.0 / 11.0, 1e-15);
        close(delay(0.25, 1), 0.25, 1e-15);
    }

    #[test]
    fn ten_thousand_servers_at_0_9999() {
        // The inverse recursion in 40 decimal digits.
        close(blocking(9999.0, 10_000), 0.00787367750611536, 1e-13);
        close(delay(9999.0, 10_000), 0.9875562524344859, 1e-13);
    }

    #[test]
    fn all_forms_agree() {
        for (a, servers) in [
            (9999.0, 10_000),
            (8000.0, 10_000),
            (15_000.0, 10_000),
            (0.3, 3),
        ] {
            close(ln_blocking(a, servers), blocking(a, servers).ln(), 1e-12);
            close(
                ln_blocking_by_series(a, servers),
                ln_blocking(a, servers),
                1e-12,
            );
            close(
                blocking_continuous(a, servers as f64),
                blocking(a, servers),
                1e-12,
            );
        }
        close(
            ln_blocking_by_series(1000.0, 10_000),
            ln_blocking(1000.0, 10_000),
            1e-12,
        );
        close(ln_blocking(1e9, 1), -1e-9, 1e-9);
    }
}
