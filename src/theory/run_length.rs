//! How long a simulation must run: asymptotic variances of time averages and of mean waits in
//! M/M/1 and M/M/c, and the run that makes a 95 % interval 1 % of the mean. Steady state only: the
//! warm-up comes on top.
//!
//! The variance of an average over n observations (or over a time t) is near sigma^2/n (or
//! sigma^2/t); sigma^2 is the asymptotic variance. Blomqvist (1967) and Daley (1968) for M/M/1;
//! for M/M/c the sum for birth-death processes of Burman (1980) and Whitt (1992), here with its
//! geometric tail in closed form, so that it does not cancel. Cited from memory.

use super::domain::{DomainError, MOST, count, positive, stable};

/// The two-sided 95 % point of the normal law.
pub const Z_95: f64 = 1.959_963_984_540_054;

/// Observations (or time) after which a 95 % interval has a half-width of 1 % of `mean`.
pub fn for_1pct_95(asymptotic_variance: f64, mean: f64) -> f64 {
    let relative = Z_95 / 0.01 / mean;
    relative * relative * asymptotic_variance
}

/// M/M/1: arrival rate, service rate; only for rho < 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mm1 {
    rho: f64,
    service_rate: f64,
}

impl Mm1 {
    /// Arrivals and service per second.
    ///
    /// # Errors
    /// A rate is not above zero, or there is no steady state.
    pub fn new(arrival_rate: f64, service_rate: f64) -> Result<Self, DomainError> {
        let rho = positive("lambda", arrival_rate)? / positive("mu", service_rate)?;
        stable(rho)?;
        Ok(Self { rho, service_rate })
    }

    /// Mean wait in the queue.
    pub fn mean_wait(&self) -> f64 {
        self.rho / (self.service_rate * (1.0 - self.rho))
    }

    /// Mean number in the system.
    pub fn in_system(&self) -> f64 {
        self.rho / (1.0 - self.rho)
    }

    /// Of the mean wait over n customers: rho (2 + 5 rho - 4 rho^2 + rho^3)/(1 - rho)^4 / mu^2.
    pub fn variance_of_wait(&self) -> f64 {
        let rho = self.rho;
        let above = rho * (2.0 + rho * (5.0 + rho * (rho - 4.0)));
        above / ((1.0 - rho).powi(4) * self.service_rate.powi(2))
    }

    /// Of the time average of the number in the system: 2 rho (1 + rho)/(1 - rho)^4 / mu.
    pub fn variance_of_in_system(&self) -> f64 {
        2.0 * self.rho * (1.0 + self.rho) / ((1.0 - self.rho).powi(4) * self.service_rate)
    }
}

/// The time average of the number waiting in M/M/c.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MmcWaiting {
    waiting: f64,
    asymptotic_variance: f64,
}

impl MmcWaiting {
    /// Arrivals per second, service per second on each of `servers` servers.
    ///
    /// # Errors
    /// A parameter is not above zero, or there is no steady state.
    pub fn new(arrival_rate: f64, service_rate: f64, servers: u32) -> Result<Self, DomainError> {
        let load = positive("lambda", arrival_rate)? / positive("mu", service_rate)?;
        count("c", servers.into(), 1, MOST)?;
        let c = f64::from(servers);
        let room = (c - load) / c;
        let rho = stable(load / c)?;
        // 1/B(k) = P(N <= k)/p_k, whatever the number of servers above k.
        let mut shares = vec![1.0];
        for k in 1..=servers {
            let before = shares[shares.len() - 1];
            shares.push(1.0 + f64::from(k) / load * before);
        }
        let blocked = 1.0 / shares[shares.len() - 1];
        let p_wait = blocked / (room + rho * blocked);
        let waiting = p_wait * rho / room;

        // 2 sum_j (sum_{i<=j} (f_i - f) p_i)^2 / (lambda p_j), f_i = (i - c)+ with mean f.
        // Below c the inner sum is -f P(N <= j).
        let (mut below, mut p) = (0.0, p_wait * room);
        for k in (0..servers).rev() {
            p *= f64::from(k + 1) / load;
            below += shares[k as usize] * shares[k as usize] * p;
        }
        // From c on, p_{c+n} = p_c rho^n and minus the inner sum is p_{c+n} (head + rise n).
        let rise = rho / room;
        let head = rise / room - waiting * rise;
        let above = head * head / room
            + 2.0 * head * rise * rho / (room * room)
            + rise * rise * rho * (1.0 + rho) / room.powi(3);
        let sum = waiting * waiting * below + p_wait * room * above;
        Ok(Self {
            waiting,
            asymptotic_variance: 2.0 * sum / arrival_rate,
        })
    }

    /// Mean number waiting.
    pub fn waiting(&self) -> f64 {
        self.waiting
    }

    /// The asymptotic variance of its time average.
    pub fn asymptotic_variance(&self) -> f64 {
        self.asymptotic_variance
    }

    /// Time after which a 95 % interval has a half-width of 1 % of the mean.
    pub fn time_for_1pct_95(&self) -> f64 {
        for_1pct_95(self.asymptotic_variance, self.waiting)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: f64, b: f64) {
        assert!((a / b - 1.0).abs() < 1e-9, "{a:e} is not {b:e}");
    }

    #[test]
    fn blomqvists_values() {
        close(Mm1::new(0.5, 1.0).unwrap().variance_of_wait(), 29.0);
        close(Mm1::new(0.8, 1.0).unwrap().variance_of_wait(), 1976.0);
        close(Mm1::new(0.9, 1.0).unwrap().variance_of_wait(), 35_901.0);
        assert!(Mm1::new(1.0, 1.0).is_err());
    }

    #[test]
    fn the_closed_tail_agrees_with_the_sum_cut_off() {
        for (servers, load) in [(1, 0.6), (5, 4.0), (48, 40.0)] {
            let exact = MmcWaiting::new(2.0 * load, 2.0, servers).unwrap();
            let mut p = vec![1.0];
            for n in 1..600_u32 {
                p.push(p[n as usize - 1] * load / f64::from(n.min(servers)));
            }
            let total: f64 = p.iter().sum();
            let f = |n: usize| n.saturating_sub(servers as usize) as f64;
            let mean = (0..600).map(|n| f(n) * p[n]).sum::<f64>() / total;
            close(exact.waiting(), mean);
            // The inner sum from the nearer end: from the left below the mean, else the right.
            let inner = |j: usize| -> f64 {
                let part = |range: std::ops::Range<usize>| -> f64 {
                    range.map(|i| (f(i) - mean) * p[i] / total).sum()
                };
                if f(j) < mean {
                    part(0..j + 1)
                } else {
                    part(j + 1..600)
                }
            };
            let sum: f64 = (0..599)
                .map(|j| inner(j).powi(2) * total / (2.0 * load * p[j]))
                .sum();
            close(exact.asymptotic_variance(), 2.0 * sum);
        }
    }
}
