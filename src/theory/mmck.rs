//! M/M/c/K: as M/M/c with room for K messages in service and waiting; an arrival that finds K is
//! lost. Works at any load. Not the broker's "max-length counts waiting messages only": add c.
//!
//! Gross and Harris (cited from memory).

use super::domain::{DomainError, MOST, count, positive};
use super::masses::{Masses, scaled_sum};
use super::root::exceeded_with;

/// A solved M/M/c/K queue. Rates per second, times in seconds.
#[derive(Clone, Debug)]
pub struct Mmck {
    lambda: f64,
    mu: f64,
    servers: u64,
    room: u64,
    states: Masses,
    accepted: f64,
    /// P(an accepted message finds c + j or more), j = 0, 1, ...
    finds: Vec<f64>,
}

impl Mmck {
    /// Arrivals `lambda` > 0, service `mu` > 0 a server, `servers` >= 1, and `room` >= `servers`
    /// for those in service and waiting together.
    ///
    /// # Errors
    /// A parameter is outside that domain.
    pub fn new(lambda: f64, mu: f64, servers: u64, room: u64) -> Result<Self, DomainError> {
        let a = positive("lambda", lambda)? / positive("mu", mu)?;
        count("c", servers, 1, MOST)?;
        count("K", room, servers, MOST)?;
        let mode = if a > servers as f64 {
            room
        } else {
            (a as u64).min(room)
        };
        let states = Masses::outward(mode, Some(room), |n| a / (n + 1).min(servers) as f64);
        // Summed without the last state: 1 - p_K cancels when nearly everything is lost.
        let below: f64 = states
            .iter()
            .filter(|&(n, _)| n < room)
            .map(|(_, p)| p)
            .sum();
        let mut sum = 0.0;
        let mut found_from = |n: u64| {
            sum += states.at(n);
            sum / below
        };
        let mut finds: Vec<f64> = (servers..room).rev().map(&mut found_from).collect();
        finds.reverse();
        Ok(Self {
            lambda,
            mu,
            servers,
            room,
            states,
            accepted: below,
            finds,
        })
    }

    /// The probability that an arrival is lost.
    pub fn p_block(&self) -> f64 {
        self.states.at(self.room)
    }

    /// The probability of `n` messages in service and waiting.
    pub fn p_present(&self, n: u64) -> f64 {
        self.states.at(n)
    }

    /// Accepted messages per second.
    pub fn throughput(&self) -> f64 {
        self.lambda * self.accepted
    }

    /// The share of server time that is busy.
    pub fn utilization(&self) -> f64 {
        self.throughput() / (self.mu * self.servers as f64)
    }

    /// Mean number in service and waiting.
    pub fn mean_present(&self) -> f64 {
        self.states.iter().map(|(n, p)| n as f64 * p).sum()
    }

    /// Mean number waiting.
    pub fn mean_waiting(&self) -> f64 {
        self.states
            .iter()
            .map(|(n, p)| n.saturating_sub(self.servers) as f64 * p)
            .sum()
    }

    /// Mean wait of accepted messages.
    pub fn mean_wait(&self) -> f64 {
        self.mean_waiting() / self.throughput()
    }

    /// Mean sojourn of accepted messages.
    pub fn mean_sojourn(&self) -> f64 {
        self.mean_wait() + 1.0 / self.mu
    }

    /// The probability that an accepted message waits.
    pub fn p_wait(&self) -> f64 {
        self.finds.first().copied().unwrap_or(0.0)
    }

    /// P(wait > t) of accepted messages: a message that finds c + j waits for j + 1 departures,
    /// so the sum over j of the Poisson weight of j departures in t and P(finds >= c + j).
    pub fn p_wait_exceeds(&self, t: f64) -> f64 {
        if t < 0.0 {
            return 1.0;
        }
        let departures = self.servers as f64 * self.mu * t;
        scaled_sum(-departures, &self.finds, |j| departures / (j + 1.0))
    }

    /// The wait that is exceeded with probability `tail`, among accepted messages.
    pub fn wait_exceeded_with(&self, tail: f64) -> f64 {
        exceeded_with(tail, 1.0 / (self.servers as f64 * self.mu), |t| {
            self.p_wait_exceeds(t)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_place_is_erlang_b() {
        let queue = Mmck::new(2.0, 1.0, 1, 1).unwrap();
        assert!((queue.p_block() - 2.0 / 3.0).abs() < 1e-15);
        assert!((queue.throughput() - 2.0 / 3.0).abs() < 1e-15);
        assert!(queue.p_wait().abs() < f64::MIN_POSITIVE);
    }

    #[test]
    fn one_server_at_full_load_is_uniform() {
        let queue = Mmck::new(1.0, 1.0, 1, 9).unwrap();
        assert!((queue.p_present(4) - 0.1).abs() < 1e-15);
        assert!((queue.mean_present() - 4.5).abs() < 1e-13);
        assert!((queue.mean_wait() - 3.6 / 0.9).abs() < 1e-13);
    }

    #[test]
    fn a_huge_overload_does_not_overflow() {
        let queue = Mmck::new(1e6, 1.0, 100, 10_000).unwrap();
        assert!((queue.throughput() - 100.0).abs() < 1e-9);
    }
}
