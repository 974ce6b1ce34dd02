//! The smallest number of servers that meets an objective: a bound on waiting or on the sojourn in
//! M/M/c, or the draining of a backlog in time (fluid). Not for bursts, priorities or retries.
//!
//! Halfin and Whitt 1981 for the square-root rule (cited from memory).

use super::domain::{DomainError, MOST, non_negative, positive};
use super::erlang_b;
use super::mmc::Mmc;
use super::normal;
use super::root::root;

/// A probability this little above its bound, relatively, still meets it: `alpha` is a decimal,
/// and a probability that equals it exactly must not cost a server.
const GUARD: f64 = 1e-12;

/// The smallest c with P(wait > t) <= `alpha`.
///
/// # Errors
/// `alpha` is not between 0 and 1, or another parameter is not a number above zero, or more than
/// ten million servers are needed.
pub fn servers_for_wait(lambda: f64, mu: f64, t: f64, alpha: f64) -> Result<u64, DomainError> {
    let a = load(lambda, mu, t, alpha)?;
    smallest(a, |c| {
        let spare = (c as f64 * mu - lambda).max(0.0);
        let ln_p = erlang_b::ln_delay_by_series(a, c) - spare * t;
        ln_p <= alpha.ln() + GUARD
    })
}

/// The smallest c that serves the share `level` within a wait of `t`: P(wait <= t) >= `level`.
///
/// # Errors
/// As [`servers_for_wait`].
pub fn servers_for_service_level(
    lambda: f64,
    mu: f64,
    t: f64,
    level: f64,
) -> Result<u64, DomainError> {
    servers_for_wait(lambda, mu, t, 1.0 - level)
}

/// The smallest c with P(sojourn > t) <= `alpha`.
///
/// # Errors
/// As [`servers_for_wait`]; also when service alone exceeds `t` too often for any c.
pub fn servers_for_sojourn(lambda: f64, mu: f64, t: f64, alpha: f64) -> Result<u64, DomainError> {
    let a = load(lambda, mu, t, alpha)?;
    if (-mu * t).exp() >= alpha {
        return Err(DomainError::new(
            "service alone exceeds the time more often than allowed",
        ));
    }
    smallest(a, |c| {
        Mmc::new(lambda, mu, c).is_ok_and(|queue| {
            queue.is_stable() && queue.p_sojourn_exceeds(t) <= alpha * (1.0 + GUARD)
        })
    })
}

fn load(lambda: f64, mu: f64, t: f64, alpha: f64) -> Result<f64, DomainError> {
    non_negative("t", t)?;
    if !(alpha > 0.0 && alpha < 1.0) {
        return Err(DomainError::new(format!(
            "`alpha` must be between 0 and 1, not {alpha}"
        )));
    }
    Ok(positive("lambda", lambda)? / positive("mu", mu)?)
}

/// The smallest c for which `meets`, which once true stays true, above the offered load `a`.
fn smallest(a: f64, meets: impl Fn(u64) -> bool) -> Result<u64, DomainError> {
    if a > MOST as f64 {
        return Err(DomainError::new(
            "more than ten million servers would be needed",
        ));
    }
    let mut low = a.floor() as u64;
    let mut step = 1;
    let mut high = low + step;
    while !meets(high) {
        if high > MOST {
            return Err(DomainError::new(
                "more than ten million servers would be needed",
            ));
        }
        low = high;
        step *= 2;
        high += step;
    }
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if meets(middle) {
            high = middle;
        } else {
            low = middle;
        }
    }
    Ok(high)
}

/// Halfin and Whitt's beta: alpha = 1/(1 + beta Phi(beta)/phi(beta)).
///
/// # Errors
/// `alpha` is not between 0 and 1.
pub fn halfin_whitt_beta(alpha: f64) -> Result<f64, DomainError> {
    load(1.0, 1.0, 0.0, alpha)?;
    let p_wait = |beta: f64| {
        let phi = (-beta * beta / 2.0).exp() / std::f64::consts::TAU.sqrt();
        let below = normal::tail(-beta);
        1.0 / (1.0 + beta * below / phi)
    };
    Ok(root(|beta| (p_wait(beta) / alpha).ln(), 0.0, 38.0))
}

/// Square-root staffing, ceil(a + beta sqrt a): approximate, by zero to two servers and usually
/// one too few. A start for a search, not an answer.
///
/// # Errors
/// As [`halfin_whitt_beta`].
pub fn square_root_staffing(a: f64, alpha: f64) -> Result<u64, DomainError> {
    let beta = halfin_whitt_beta(alpha)?;
    Ok(guarded_ceil(positive("offered load", a)? + beta * a.sqrt()) as u64)
}

/// A backlog to be drained by servers which also take new arrivals, in the fluid model.
#[derive(Clone, Copy, Debug)]
pub struct Drain {
    lambda: f64,
    service: f64,
    backlog: f64,
}

impl Drain {
    /// `lambda` new messages a second, a mean `service`, and a `backlog` of messages.
    ///
    /// # Errors
    /// A parameter is negative or not finite, or `service` is zero.
    pub fn new(lambda: f64, service: f64, backlog: f64) -> Result<Self, DomainError> {
        non_negative("lambda", lambda)?;
        positive("service", service)?;
        non_negative("backlog", backlog)?;
        Ok(Self {
            lambda,
            service,
            backlog,
        })
    }

    /// The servers which drain in exactly `target`, a real number: (lambda + B/D) S.
    pub fn servers_real(&self, target: f64) -> f64 {
        (self.lambda + self.backlog / target) * self.service
    }

    /// The smallest whole number of servers which drain within `target` > 0.
    pub fn servers(&self, target: f64) -> u64 {
        let least = guarded_ceil(self.servers_real(target)) as u64;
        // Without a backlog the servers must still keep up.
        if self.backlog > 0.0 {
            least
        } else {
            least.max(1)
        }
    }

    /// The time to drain with `servers`; infinite where they do not keep up.
    pub fn time(&self, servers: u64) -> f64 {
        let capacity = servers as f64 / self.service;
        let spare = capacity - self.lambda;
        if self.backlog <= 0.0 {
            0.0
        } else if spare <= 1e-12 * capacity {
            f64::INFINITY
        } else {
            self.backlog / spare
        }
    }
}

/// The ceiling of a number that is whole in exact arithmetic about as often as not: within 1e-9,
/// relatively, above a whole number it is that number. A plain `ceil` is off by one in 8 % of the
/// cases whose exact answer is whole, such as (10 + 5400/60) 0.07 = 7.
pub fn guarded_ceil(x: f64) -> f64 {
    let nearest = x.round();
    if (x - nearest).abs() <= 1e-9 * nearest.abs().max(1.0) {
        nearest
    } else {
        x.ceil()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_answer_meets_the_bound_and_one_fewer_does_not() {
        for (lambda, mu, t, alpha) in [
            (1200.0, 25.0, 0.01, 0.01),
            (18.0, 0.25, 10.0, 0.05),
            (9000.0, 1.0, 0.0, 0.3),
        ] {
            let c = servers_for_wait(lambda, mu, t, alpha).unwrap();
            let p = |c| Mmc::new(lambda, mu, c).unwrap().p_wait_exceeds(t);
            assert!(p(c) <= alpha, "{c}");
            assert!(p(c - 1) > alpha, "{c}");
        }
    }

    #[test]
    fn a_bound_met_exactly_costs_no_server() {
        // M/M/1: P(wait) = rho = alpha.
        assert_eq!(servers_for_wait(0.1, 1.0, 0.0, 0.1), Ok(1));
        assert_eq!(servers_for_wait(0.7, 1.0, 0.0, 0.7), Ok(1));
    }

    #[test]
    fn a_whole_drain_answer_is_not_rounded_up() {
        // (10 + 5400/60) 0.07 is 7, and 7.000000000000001 in floating point.
        let drain = Drain::new(10.0, 0.07, 5400.0).unwrap();
        assert_eq!(drain.servers(60.0), 7);
        let outage = Drain::new(1200.0, 0.04, 72_000.0).unwrap();
        assert_eq!(outage.servers(240.0), 60);
        assert!((outage.time(60) - 240.0).abs() < 1e-10);
        assert!(outage.time(48).is_infinite());
    }

    #[test]
    fn an_impossible_sojourn_is_refused() {
        assert!(servers_for_sojourn(10.0, 1.0, 0.1, 0.01).is_err());
        assert!(servers_for_wait(1.0, 1.0, 0.0, 0.0).is_err());
    }
}
