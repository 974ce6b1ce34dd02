//! M/M/c+M (Erlang A): M/M/c whose waiting messages give up after an exponential patience. Stable
//! at any load. Not for a common deadline, and service is never given up.
//!
//! Palm 1957; Garnett, Mandelbaum and Reiman 2002; Mandelbaum and Zeltyn 2007 (cited from memory).
//! Everything here is a sum of positive terms over the birth-death states.

use super::domain::{DomainError, MOST, count, positive};
use super::masses::{Masses, scaled_sum};
use super::root::exceeded_with;

/// A solved M/M/c+M queue. Rates per second, times in seconds.
#[derive(Clone, Debug)]
pub struct ErlangA {
    lambda: f64,
    mu: f64,
    theta: f64,
    servers: u64,
    /// P(an arrival finds c + j or more), j = 0, 1, ...
    finds: Vec<f64>,
    busy: f64,
    mean_waiting: f64,
    /// E[wait; served] and E[wait; gives up].
    waits: (f64, f64),
    p_served: f64,
}

impl ErlangA {
    /// Arrivals `lambda` > 0, service `mu` > 0 a server, patience with mean 1/`theta`, `servers`
    /// from 1 to ten million.
    ///
    /// # Errors
    /// A parameter is outside that domain, or so little is given up under overload that the queue
    /// would hold more than ten million messages.
    pub fn new(lambda: f64, mu: f64, theta: f64, servers: u64) -> Result<Self, DomainError> {
        let a = positive("lambda", lambda)? / positive("mu", mu)?;
        positive("theta", theta)?;
        count("c", servers, 1, MOST)?;
        let capacity = servers as f64 * mu;
        let queue = ((lambda - capacity) / theta).max(0.0);
        if queue > MOST as f64 {
            return Err(DomainError::new(format!(
                "about {queue:.3e} messages would wait"
            )));
        }
        let mode = if a < servers as f64 {
            a as u64
        } else {
            servers + queue as u64
        };
        let states = Masses::outward(mode, None, |n| {
            let waiting = (n + 1).saturating_sub(servers) as f64;
            lambda / ((n + 1).min(servers) as f64 * mu + waiting * theta)
        });
        let mut solved = Self {
            lambda,
            mu,
            theta,
            servers,
            finds: states.tails(servers),
            busy: states.iter().map(|(n, p)| n.min(servers) as f64 * p).sum(),
            mean_waiting: states
                .iter()
                .map(|(n, p)| n.saturating_sub(servers) as f64 * p)
                .sum(),
            waits: (0.0, 0.0),
            p_served: 0.0,
        };
        solved.p_served = mu * solved.busy / lambda;
        solved.waits = solved.partial_waits(&states);
        Ok(solved)
    }

    /// E[wait; served] and E[wait; gives up]. Who finds c + j is offered V, a sum of exponential
    /// times with rates c mu + i theta, i = 0..=j, so that E e^{-theta V} = c mu/(c mu + (j+1)
    /// theta); the first is E V e^{-theta V}, the second E (1 - (1 + theta V) e^{-theta V})/theta.
    fn partial_waits(&self, states: &Masses) -> (f64, f64) {
        let capacity = self.servers as f64 * self.mu;
        let (mut inverse, mut given_up) = (0.0, 0.0);
        let (mut served_wait, mut lost_wait) = (0.0, 0.0);
        for j in 0..self.finds.len() as u64 {
            let rate = capacity + (j + 1) as f64 * self.theta;
            inverse += 1.0 / rate;
            given_up += (j + 1) as f64 * self.theta / rate;
            let mass = states.at(self.servers + j);
            served_wait += mass * capacity / rate * inverse;
            lost_wait += mass * given_up / rate;
        }
        (served_wait, lost_wait)
    }

    /// The probability that an arrival finds all servers busy.
    pub fn p_wait(&self) -> f64 {
        self.finds.first().copied().unwrap_or(0.0)
    }

    /// The probability of giving up.
    pub fn p_abandon(&self) -> f64 {
        self.theta * self.mean_waiting / self.lambda
    }

    /// The probability of giving up, among those who wait.
    pub fn p_abandon_given_wait(&self) -> f64 {
        self.p_abandon() / self.p_wait()
    }

    /// Mean number waiting.
    pub fn mean_waiting(&self) -> f64 {
        self.mean_waiting
    }

    /// Mean time in the queue over everybody, whether served or not.
    pub fn mean_wait(&self) -> f64 {
        self.mean_waiting / self.lambda
    }

    /// Mean time in the queue of those who are served.
    pub fn mean_wait_served(&self) -> f64 {
        self.waits.0 / self.p_served
    }

    /// Mean time in the queue of those who give up.
    pub fn mean_wait_abandoned(&self) -> f64 {
        self.waits.1 / self.p_abandon()
    }

    /// Served messages per second.
    pub fn throughput(&self) -> f64 {
        self.mu * self.busy
    }

    /// The share of server time that is busy.
    pub fn utilization(&self) -> f64 {
        self.busy / self.servers as f64
    }

    /// P(offered wait > t), the wait of an infinitely patient arrival. e^{-theta V} of who finds
    /// c + j is Beta(c mu/theta, j + 1), so P(V > t) is a sum of negative binomial weights.
    pub fn p_offered_exceeds(&self, t: f64) -> f64 {
        if t < 0.0 {
            return 1.0;
        }
        let capacity = self.servers as f64 * self.mu;
        let lapsed = -(-self.theta * t).exp_m1();
        let b = capacity / self.theta;
        scaled_sum(-capacity * t, &self.finds, |j| (b + j) * lapsed / (j + 1.0))
    }

    /// P(time in the queue > t) over everybody.
    pub fn p_wait_exceeds(&self, t: f64) -> f64 {
        self.p_offered_exceeds(t) * (-self.theta * t.max(0.0)).exp()
    }

    /// A time of the order of the waits.
    fn scale(&self) -> f64 {
        1.0 / (self.servers as f64 * self.mu)
    }

    /// The offered wait that is exceeded with probability `tail`.
    pub fn offered_exceeded_with(&self, tail: f64) -> f64 {
        exceeded_with(tail, self.scale(), |t| self.p_offered_exceeds(t))
    }

    /// The time in the queue that is exceeded with probability `tail`, over everybody.
    pub fn wait_exceeded_with(&self, tail: f64) -> f64 {
        exceeded_with(tail, self.scale(), |t| self.p_wait_exceeds(t))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patience_equal_to_service_is_an_infinite_server() {
        // theta = mu: the number present is Poisson(a), whatever c is.
        let queue = ErlangA::new(3.0, 1.0, 1.0, 2).unwrap();
        let p_wait = 1.0 - (-3.0_f64).exp() * 4.0;
        assert!((queue.p_wait() - p_wait).abs() < 1e-14);
    }

    #[test]
    fn the_parts_add_up_to_everybody() {
        for (lambda, theta, servers) in [(0.7, 0.5, 1), (55.0, 0.1, 50), (450.0, 5.0, 300)] {
            let queue = ErlangA::new(lambda, 1.0, theta, servers).unwrap();
            let served = queue.throughput() / lambda;
            assert!((served + queue.p_abandon() - 1.0).abs() < 1e-13);
            let all =
                queue.mean_wait_served() * served + queue.mean_wait_abandoned() * queue.p_abandon();
            assert!((all / queue.mean_wait() - 1.0).abs() < 1e-12);
            assert!((queue.p_offered_exceeds(0.0) / queue.p_wait() - 1.0).abs() < 1e-14);
        }
    }

    #[test]
    fn long_waits_stay_finite() {
        let queue = ErlangA::new(1200.0, 25.0, 1.0 / 30.0, 40).unwrap();
        assert!(queue.p_offered_exceeds(1e6) < 1e-300);
        assert!(ErlangA::new(1e9, 1.0, 1e-3, 1).is_err());
    }
}
