//! What retries do to the load: attempts and dead letters under independent failures, duplicates,
//! and the outage after which a FIFO queue with client timeouts never recovers. Fluid and mean
//! values only; nothing random is simulated.
//!
//! Bronson et al. 2021 for metastable failures (cited from memory).

use super::domain::{DomainError, count, non_negative, positive, probability, stable};
use super::root::root;

/// Attempts that fail independently, at most so many each.
#[derive(Clone, Copy, Debug)]
pub struct IndependentFailures {
    lambda: f64,
    p_fail: f64,
    attempts: f64,
}

impl IndependentFailures {
    /// `lambda` fresh requests per second, each attempt fails with `p_fail`, and there are at most
    /// `max_attempts`, the first included.
    ///
    /// # Errors
    /// A parameter is outside its domain.
    pub fn new(lambda: f64, p_fail: f64, max_attempts: u64) -> Result<Self, DomainError> {
        let lambda = non_negative("lambda", lambda)?;
        let p_fail = probability("p_fail", p_fail)?;
        let attempts = count("max_attempts", max_attempts, 1, 1_000_000)? as f64;
        Ok(Self {
            lambda,
            p_fail,
            attempts,
        })
    }

    /// Mean attempts per request: (1 - p^m)/(1 - p), and m at p = 1.
    pub fn mean_attempts(&self) -> f64 {
        if self.p_fail < 1.0 {
            self.p_success() / (1.0 - self.p_fail)
        } else {
            self.attempts
        }
    }

    /// Attempts per second.
    pub fn attempt_rate(&self) -> f64 {
        self.lambda * self.mean_attempts()
    }

    /// The probability that every attempt fails: p^m.
    pub fn p_dead_letter(&self) -> f64 {
        self.p_fail.powf(self.attempts)
    }

    /// Requests per second of which every attempt fails.
    pub fn dead_letter_rate(&self) -> f64 {
        self.lambda * self.p_dead_letter()
    }

    /// Requests per second that succeed.
    pub fn success_rate(&self) -> f64 {
        self.lambda * self.p_success()
    }

    fn p_success(&self) -> f64 {
        -(self.attempts * self.p_fail.ln()).exp_m1()
    }
}

/// Mean deliveries of a message when each delivery, the repeated ones too, is repeated with
/// probability `fraction`: 1/(1 - fraction).
pub fn mean_deliveries(fraction: f64) -> f64 {
    1.0 / (1.0 - fraction)
}

/// A FIFO queue in the fluid limit: clients give up after a timeout and retry at once, and the
/// server also works on attempts that were given up.
#[derive(Clone, Copy, Debug)]
pub struct FifoRetries {
    rho: f64,
    timeout: f64,
    retries: u64,
}

/// How a full outage ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Aftermath {
    Recovers,
    Collapses,
}

impl FifoRetries {
    /// `lambda` fresh requests per second at a server of `capacity` per second, with `timeout`
    /// seconds and at most `retries` retries a request, at most 100.
    ///
    /// # Errors
    /// A parameter is outside its domain, or lambda >= capacity.
    pub fn new(
        lambda: f64,
        capacity: f64,
        timeout: f64,
        retries: u64,
    ) -> Result<Self, DomainError> {
        let rho = positive("lambda", lambda)? / positive("capacity", capacity)?;
        let rho = stable(rho)?;
        positive("timeout", timeout)?;
        let retries = count("max_retries", retries, 0, 100)?;
        Ok(Self {
            rho,
            timeout,
            retries,
        })
    }

    /// Whether a collapsed state sustains itself: lambda (1 + r) > capacity.
    pub fn is_metastable(&self) -> bool {
        self.collapsed_load() > 1.0 + 1e-12
    }

    /// The load of the collapsed state in units of the capacity.
    fn collapsed_load(&self) -> f64 {
        self.rho * (1.0 + self.retries as f64)
    }

    /// The full outage beyond which the queue never recovers, in seconds; `None` where it always
    /// does. Exact up to rounding: the fluid is piecewise linear.
    pub fn critical_outage(&self) -> Option<f64> {
        if !self.is_metastable() {
            return None;
        }
        // Nothing times out below one timeout; beyond 1 + r of them every retry is in the queue
        // before the first answer.
        let sign = |outage: f64| match self.aftermath(outage) {
            Aftermath::Recovers => -1.0,
            Aftermath::Collapses => 1.0,
        };
        Some(root(sign, 1.0, 1.5 + self.retries as f64) * self.timeout)
    }

    /// The fluid after an outage, time in units of the timeout. The wait W of who arrives at t
    /// begins at `outage` and obeys W' = a(t) - 1 down to zero, with a(t) = rho (1 + sum over k of
    /// prod_{j<=k} F(t-j)), where F(t) = 1 while W(t) > 1: attempts of that age time out.
    fn aftermath(&self, outage: f64) -> Aftermath {
        const SAME: f64 = 1e-12;
        const MOST_EVENTS: usize = 100_000;
        let span = self.retries as f64;
        let (mut now, mut wait) = (0.0, outage);
        // The instants at which F switches, beginning with 0 -> 1.
        let mut switches: Vec<f64> = if outage > 1.0 {
            vec![0.0]
        } else {
            return Aftermath::Recovers;
        };
        for _ in 0..MOST_EVENTS {
            let failing = switches.len() % 2 == 1;
            let last = switches[switches.len() - 1];
            if now - last >= span - SAME {
                return if failing {
                    Aftermath::Collapses
                } else {
                    Aftermath::Recovers
                };
            }
            let slope = self.inflow(&switches, now + SAME) - 1.0;
            let next_echo = switches
                .iter()
                .rev()
                .take_while(|&&at| at + span > now + SAME)
                .flat_map(|&at| (1..=self.retries).map(move |j| at + j as f64))
                .filter(|&at| at > now + SAME)
                .fold(f64::INFINITY, f64::min);
            let to_one = (1.0 - wait) / slope;
            let crosses = (failing && slope < 0.0) || (!failing && slope > 0.0);
            if crosses && now + to_one <= next_echo {
                now += to_one.max(0.0);
                wait = 1.0;
                switches.push(now);
            } else {
                wait = (wait + slope * (next_echo - now)).max(0.0);
                now = next_echo;
            }
        }
        Aftermath::Collapses
    }

    /// a(t), in units of the capacity.
    fn inflow(&self, switches: &[f64], t: f64) -> f64 {
        let timed_out = |j: &u64| {
            let then = t - *j as f64;
            switches.iter().rev().skip_while(|&&at| at > then).count() % 2 == 1
        };
        self.rho * (1.0 + (1..=self.retries).take_while(timed_out).count() as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn certain_failure_uses_every_attempt() {
        let all = IndependentFailures::new(350.0, 1.0, 3).unwrap();
        assert!((all.mean_attempts() - 3.0).abs() < 1e-15);
        assert!(all.success_rate().abs() < 1e-300);
        let none = IndependentFailures::new(350.0, 0.0, 3).unwrap();
        assert!((none.mean_attempts() - 1.0).abs() < 1e-15);
    }

    #[test]
    fn a_queue_recovers_at_once_below_the_timeout() {
        let queue = FifoRetries::new(60.0, 100.0, 1.0, 3).unwrap();
        assert_eq!(queue.aftermath(0.99), Aftermath::Recovers);
        assert_eq!(queue.aftermath(5.0), Aftermath::Collapses);
    }

    #[test]
    fn the_threshold_is_above_the_bound_and_scales_with_the_timeout() {
        // d <= T (1 + (1-rho)^2/rho) always recovers for rho >= 1/2.
        for lambda in [50.0, 60.0, 80.0, 90.0] {
            let rho = lambda / 100.0_f64;
            let critical = |t| {
                FifoRetries::new(lambda, 100.0, t, 3)
                    .unwrap()
                    .critical_outage()
            };
            let one = critical(1.0).unwrap();
            assert!(
                one >= 1.0 + (1.0 - rho).powi(2) / rho - 1e-9,
                "{lambda} {one}"
            );
            assert!((critical(0.5).unwrap() / one - 0.5).abs() < 1e-12);
        }
        assert!(
            FifoRetries::new(25.0, 100.0, 1.0, 3)
                .unwrap()
                .critical_outage()
                .is_none()
        );
    }
}
