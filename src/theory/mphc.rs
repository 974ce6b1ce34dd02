//! M/E2/c, M/H2/c and every other M/PH/c with two phases, exactly: mean wait and probability of
//! waiting. Not the distribution of the wait, and not three phases or more.
//!
//! A quasi-birth-death process: the level is the number present, the phase the number of busy
//! servers in their second phase. Above c the matrix R is found by logarithmic reduction
//! (Latouche & Ramaswami 1993; Neuts 1981 for the geometric form; cited from memory), below c by
//! block elimination. All matrices are non-negative, so tiny waits keep their relative precision.

use super::domain::{DomainError, count, positive, stable};
use super::matrix::Matrix;

/// A law of two phases: starts in the first or the second; the first ends or goes on to the
/// second. Hyperexponential: never on. Erlang-2: always on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TwoPhases {
    /// Probability of starting in the first phase.
    pub first: f64,
    /// Rates of the two phases.
    pub rates: [f64; 2],
    /// Probability that the second phase follows the first.
    pub onward: f64,
}

impl TwoPhases {
    /// Erlang-2.
    pub fn erlang(mean: f64) -> Self {
        let rates = [2.0 / mean; 2];
        Self {
            first: 1.0,
            rates,
            onward: 1.0,
        }
    }

    /// Exponential with the first rate with probability `weight`, else with the second.
    pub fn hyperexponential(weight: f64, rates: [f64; 2]) -> Self {
        Self {
            first: weight,
            rates,
            onward: 0.0,
        }
    }

    /// The mean.
    pub fn mean(&self) -> f64 {
        self.first / self.rates[0] + (self.first * self.onward + 1.0 - self.first) / self.rates[1]
    }
}

/// M/PH/c solved for one load.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MPhC {
    arrival_rate: f64,
    p_wait: f64,
    waiting: f64,
}

impl MPhC {
    /// The largest number of servers solved: work grows as its fourth power, about a second here.
    pub const MOST_SERVERS: u32 = 200;

    /// Poisson arrivals of rate `arrival_rate`, `service` on each of `servers` servers.
    ///
    /// # Errors
    /// A parameter is not above zero, there is no steady state, or there are more servers than
    /// [`Self::MOST_SERVERS`].
    pub fn new(arrival_rate: f64, service: TwoPhases, servers: u32) -> Result<Self, DomainError> {
        let load = positive("lambda", arrival_rate)? * positive("service", service.mean())?;
        count("c", servers.into(), 1, Self::MOST_SERVERS.into())?;
        stable(load / f64::from(servers))?;
        let chain = Chain {
            arrival_rate,
            service,
            servers: servers as usize,
        };
        Ok(chain.solve())
    }

    /// Probability that a message waits.
    pub fn p_wait(&self) -> f64 {
        self.p_wait
    }

    /// Mean number waiting.
    pub fn waiting(&self) -> f64 {
        self.waiting
    }

    /// Mean wait.
    pub fn mean_wait(&self) -> f64 {
        self.waiting / self.arrival_rate
    }
}

struct Chain {
    arrival_rate: f64,
    service: TwoPhases,
    servers: usize,
}

impl Chain {
    fn solve(&self) -> MPhC {
        let c = self.servers;
        let climb = self.climb();
        // Sojourns N_n before a first passage down, so that pi_{n+1} = pi_n U_n N_{n+1}; above c
        // all of them are the same, and R = lambda N.
        let above = self.local(c).plus(&climb, -self.arrival_rate).inverse();
        let mut sojourns = vec![above.clone()];
        for n in (1..c).rev() {
            let next = self.sojourn_below(n, &sojourns[sojourns.len() - 1]);
            sojourns.push(next);
        }
        let (mut level, mut below) = (vec![1.0], 1.0);
        for (n, sojourn) in sojourns.iter().rev().enumerate() {
            if n > 0 {
                below += level.iter().sum::<f64>();
            }
            level = sojourn.applied_to(&self.up(&level));
            let scale = 1.0 / level.iter().sum::<f64>();
            for p in &mut level {
                *p *= scale;
            }
            below *= scale;
        }
        // Now `level` is pi_c, and pi_{c+k} = pi_c R^k.
        let rate = above.scaled(self.arrival_rate);
        let sums = Matrix::identity(c + 1).plus(&rate, -1.0).inverse();
        let visits = sums.applied_to(&level);
        let at_least: f64 = visits.iter().sum();
        let queued = sums.applied_to(&rate.applied_to(&visits));
        MPhC {
            arrival_rate: self.arrival_rate,
            p_wait: at_least / (below + at_least),
            waiting: queued.iter().sum::<f64>() / (below + at_least),
        }
    }

    /// Rates at which one of `busy` servers ends its work, in its first and its second phase.
    fn ends(&self, busy: usize, second: usize) -> [f64; 2] {
        let [one, two] = self.service.rates;
        let first = (busy - second) as f64 * one * (1.0 - self.service.onward);
        [first, second as f64 * two]
    }

    /// Minus the rates within a level of `busy` busy servers.
    fn local(&self, busy: usize) -> Matrix {
        let mut local = Matrix::zero(busy + 1);
        for i in 0..=busy {
            let onward = (busy - i) as f64 * self.service.rates[0] * self.service.onward;
            let ends: f64 = self.ends(busy, i).iter().sum();
            local[(i, i)] = self.arrival_rate + onward + ends;
            if i < busy {
                local[(i, i + 1)] = -onward;
            }
        }
        local
    }

    /// N_n from N_{n+1}, for n < c: the inverse of local - U_n G_{n+1} with G = N_{n+1} D_{n+1}.
    fn sojourn_below(&self, n: usize, next: &Matrix) -> Matrix {
        let mut down = Matrix::zero(n + 2);
        for i in 0..=n + 1 {
            let [first, second] = self.ends(n + 1, i);
            down[(i, i)] = first;
            if i > 0 {
                down[(i, i - 1)] = second;
            }
        }
        let passage = next.times(&down);
        let mut local = self.local(n);
        let first = self.service.first;
        for i in 0..=n {
            for j in 0..=n {
                let starts = first * passage[(i, j)] + (1.0 - first) * passage[(i + 1, j)];
                local[(i, j)] -= self.arrival_rate * starts;
            }
        }
        local.inverse()
    }

    /// An arrival finds a free server: pi_n U_n.
    fn up(&self, level: &[f64]) -> Vec<f64> {
        let mut next = vec![0.0; level.len() + 1];
        for (i, p) in level.iter().enumerate() {
            next[i] += self.arrival_rate * self.service.first * p;
            next[i + 1] += self.arrival_rate * (1.0 - self.service.first) * p;
        }
        next
    }

    /// The first-passage matrix G of one level down, above c, by logarithmic reduction.
    fn climb(&self) -> Matrix {
        let c = self.servers;
        let inverse = self.local(c).inverse();
        let mut high = inverse.clone().scaled(self.arrival_rate);
        let mut low = inverse.times(&self.down_and_restart());
        let mut passage = low.clone();
        let mut reach = high.clone();
        // Each step doubles the height that is accounted for.
        for _ in 0..60 {
            let both = high.times(&low).plus(&low.times(&high), 1.0);
            let stay = Matrix::identity(c + 1).plus(&both, -1.0).inverse();
            high = stay.times(&high.times(&high));
            low = stay.times(&low.times(&low));
            passage = passage.plus(&reach.times(&low), 1.0);
            reach = reach.times(&high);
            let left = reach.row_sums().into_iter().fold(0.0, f64::max);
            if left < 1e-17 {
                break;
            }
        }
        // Stable, so the passage is certain; what is missing from one is rounding.
        let sums = passage.row_sums();
        for (i, sum) in sums.iter().enumerate() {
            for j in 0..=c {
                passage[(i, j)] /= sum;
            }
        }
        passage
    }

    /// Above c: a server ends its work and starts on the next message.
    fn down_and_restart(&self) -> Matrix {
        let (c, first) = (self.servers, self.service.first);
        let mut down = Matrix::zero(c + 1);
        for i in 0..=c {
            let [one, two] = self.ends(c, i);
            down[(i, i)] += one * first + two * (1.0 - first);
            if i < c {
                down[(i, i + 1)] += one * (1.0 - first);
            }
            if i > 0 {
                down[(i, i - 1)] += two * first;
            }
        }
        down
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::theory::gim::GiMc;
    use crate::theory::transform::Transform;

    fn close(a: f64, b: f64, tolerance: f64) {
        assert!((a / b - 1.0).abs() < tolerance, "{a:e} is not {b:e}");
    }

    #[test]
    fn one_server_is_pollaczek_khinchine() {
        for rho in [0.1, 0.9, 0.999] {
            let erlang = MPhC::new(rho, TwoPhases::erlang(1.0), 1).unwrap();
            close(erlang.mean_wait(), 0.75 * rho / (1.0 - rho), 1e-11);
            let hyper = TwoPhases::hyperexponential(0.9, [2.0, 0.2]);
            let second = 2.0 * (0.9 / 4.0 + 0.1 / 0.04);
            let rate = rho / hyper.mean();
            let exact = MPhC::new(rate, hyper, 1).unwrap();
            close(
                exact.mean_wait(),
                rate * second / (2.0 * (1.0 - rho)),
                1e-11,
            );
            close(exact.p_wait(), rho, 1e-12);
        }
    }

    #[test]
    fn equal_phases_are_exponential() {
        let same = TwoPhases::hyperexponential(0.3, [1.0, 1.0]);
        for (servers, load) in [(5, 4.0), (48, 24.0), (48, 47.0)] {
            let exact = MPhC::new(load, same, servers).unwrap();
            let erlang = GiMc::new(&Transform::exponential(1.0 / load), 1.0, servers).unwrap();
            close(exact.p_wait(), erlang.p_wait(), 1e-11);
            close(exact.mean_wait(), erlang.mean_wait(), 1e-11);
        }
    }

    #[test]
    fn unstable_loads_are_refused() {
        assert!(MPhC::new(2.0, TwoPhases::erlang(1.0), 2).is_err());
        assert!(MPhC::new(1.0, TwoPhases::erlang(1.0), 10_000).is_err());
    }
}
