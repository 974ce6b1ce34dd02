//! M/M/1 whose server breaks down and is repaired, both after exponential times; the work
//! interrupted resumes. Two different models: the clock of the next failure runs always, or only
//! while serving. They give different answers, so the caller must choose.
//!
//! And work that begins again after each failure, which its server has only while it works.
//!
//! White and Christie 1958; Gaver 1962; Avi-Itzhak and Naor 1963; Mitrany and Avi-Itzhak 1968
//! (cited from memory).

use super::domain::{DomainError, non_negative, positive, stable};

/// When the server can fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailureClock {
    /// Idle or not.
    Always,
    /// Only while it serves: M/G/1 with completion times.
    WhileServing,
}

/// A solved M/M/1 queue with breakdowns. Rates per second, times in seconds.
#[derive(Clone, Copy, Debug)]
pub struct Breakdowns {
    lambda: f64,
    mu: f64,
    failure: f64,
    repair: f64,
    clock: FailureClock,
}

impl Breakdowns {
    /// Arrivals `lambda`, service `mu`, failures at rate `failure` >= 0, repairs at rate `repair`.
    ///
    /// # Errors
    /// A parameter is outside that domain, or there is no steady state.
    pub fn new(
        lambda: f64,
        mu: f64,
        failure: f64,
        repair: f64,
        clock: FailureClock,
    ) -> Result<Self, DomainError> {
        positive("lambda", lambda)?;
        positive("mu", mu)?;
        non_negative("failure_rate", failure)?;
        positive("repair_rate", repair)?;
        let solved = Self {
            lambda,
            mu,
            failure,
            repair,
            clock,
        };
        stable(solved.utilization())?;
        Ok(solved)
    }

    /// The share of time a server whose clock runs always is up: eta/(xi + eta).
    pub fn availability(&self) -> f64 {
        self.repair / (self.repair + self.failure)
    }

    /// Load with the time lost to repairs, (lambda/mu)(1 + xi/eta).
    pub fn utilization(&self) -> f64 {
        self.lambda * self.mean_completion()
    }

    /// Mean time from the start of a service to its end, repairs included.
    pub fn mean_completion(&self) -> f64 {
        (1.0 + self.failure / self.repair) / self.mu
    }

    /// Mean number present. With the clock running always, lambda ((xi+eta)^2 + xi mu)/((xi+eta)
    /// (eta (mu-lambda) - xi lambda)); else by Pollaczek and Khinchine from completion times.
    pub fn mean_present(&self) -> f64 {
        let (xi, eta) = (self.failure, self.repair);
        match self.clock {
            FailureClock::Always => {
                let both = xi + eta;
                let spare = eta * (self.mu - self.lambda) - xi * self.lambda;
                self.lambda * (both * both + xi * self.mu) / (both * spare)
            }
            FailureClock::WhileServing => self.lambda * self.mean_sojourn(),
        }
    }

    /// Mean sojourn.
    pub fn mean_sojourn(&self) -> f64 {
        match self.clock {
            FailureClock::Always => self.mean_present() / self.lambda,
            FailureClock::WhileServing => self.mean_wait() + self.mean_completion(),
        }
    }

    /// Mean sojourn less the mean completion time. With the clock running always a server can be
    /// down when its next message comes, and the time until it is up counts here.
    pub fn mean_wait(&self) -> f64 {
        match self.clock {
            FailureClock::Always => self.mean_sojourn() - self.mean_completion(),
            FailureClock::WhileServing => {
                let mean = self.mean_completion();
                let (xi, eta, mu) = (self.failure, self.repair, self.mu);
                let second_moment = 2.0 * mean * mean + 2.0 * xi / (mu * eta * eta);
                self.lambda * second_moment / (2.0 * (1.0 - self.utilization()))
            }
        }
    }
}

/// The mean time that work of `service` takes when each failure, `up` apart in the mean
/// (exponential), makes it begin again, as long as before: up (e^(service/up) - 1). Repairs are
/// not counted.
pub fn repeat_identical(service: f64, up: f64) -> f64 {
    up * (service / up).exp_m1()
}

/// The same when each attempt draws another service time S: up (1/E e^(-S/up) - 1), from
/// `undisturbed` = E e^(-S/up), the probability that an attempt is not disturbed.
pub fn repeat_anew(undisturbed: f64, up: f64) -> f64 {
    up * (1.0 / undisturbed - 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_that_begins_again_takes_longer() {
        // Exponential work drawn anew has no memory: what is lost is drawn again, and nothing is.
        // E e^(-S/up) = 1/(1 + m/up), so the time is m.
        assert!((repeat_anew(1.0 / (1.0 + 0.3), 10.0) - 3.0).abs() < 1e-14);
        // As long as the mean time between failures: e - 1 of it.
        assert!((repeat_identical(10.0, 10.0) - 17.182_818_284_590_452).abs() < 1e-12);
        // Seldom failures: s + s^2/(2 up).
        assert!((repeat_identical(1.0, 1e6) - 1.000_000_5).abs() < 1e-12);
    }

    #[test]
    fn without_failures_both_are_mm1() {
        for clock in [FailureClock::Always, FailureClock::WhileServing] {
            let queue = Breakdowns::new(0.8, 1.0, 0.0, 1.0, clock).unwrap();
            assert!((queue.mean_present() - 4.0).abs() < 1e-13);
            assert!((queue.mean_wait() - 4.0).abs() < 1e-13);
        }
    }

    #[test]
    fn a_clock_that_runs_always_makes_longer_queues() {
        let present = |clock| {
            Breakdowns::new(0.5, 1.0, 0.01, 0.1, clock)
                .unwrap()
                .mean_present()
        };
        assert!(present(FailureClock::Always) > present(FailureClock::WhileServing));
    }
}
