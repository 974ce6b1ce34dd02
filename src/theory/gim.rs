//! GI/M/1 and GI/M/c, exactly: renewal arrivals of any law with a transform, exponential service,
//! `c` servers, in order of arrival. Not for other service laws.
//!
//! Takacs (1957, 1962), as in Gross & Harris 5.3, cited from memory: with A* the transform of the
//! time between arrivals, omega the root of w = A*(c mu (1-w)) in (0,1), phi_j = A*(j mu) and
//! C_j = prod_{i<=j} phi_i/(1-phi_i), P(Wq > t) = K/(1-omega) e^{-c mu (1-omega) t} where
//! 1/K = 1/(1-omega) + sum_{j=1}^c C(c,j)/(C_j(1-phi_j)) r_j,
//! r_j = (c(1-phi_j) - j)/(c(1-omega) - j). All terms are positive, but r_j is 0/0 when
//! c(1-omega) is the integer j (M/M/10 at rho = 0.8). As A*(c mu (1-omega)) = omega, r_j is
//! 1 - c mu (divided difference of -A* between j mu and c mu (1-omega)), which has no such hole.

use super::domain::{DomainError, MOST, count, positive, stable};
use super::numeric::decay_mean;
use super::root::exceeded_with;
use super::transform::Transform;

/// GI/M/c solved for one load.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GiMc {
    arrival_rate: f64,
    service_rate: f64,
    servers: u32,
    idle_share: f64,
    p_wait: f64,
}

impl GiMc {
    /// Times between arrivals of law `arrivals`, exponential service of rate `service_rate` on
    /// each of `servers` servers.
    ///
    /// # Errors
    /// A parameter is not above zero, or there is no steady state.
    pub fn new(arrivals: &Transform, service_rate: f64, servers: u32) -> Result<Self, DomainError> {
        let arrival_rate = 1.0 / positive("mean_interarrival", arrivals.mean())?;
        count("c", servers.into(), 1, MOST)?;
        let capacity = f64::from(servers) * positive("mu", service_rate)?;
        stable(arrival_rate / capacity)?;
        let idle_share = root(arrivals, capacity);
        Ok(Self {
            arrival_rate,
            service_rate,
            servers,
            idle_share,
            p_wait: p_wait(arrivals, service_rate, servers, idle_share),
        })
    }

    /// Utilization.
    pub fn rho(&self) -> f64 {
        self.arrival_rate / (f64::from(self.servers) * self.service_rate)
    }

    /// omega, for one server sigma: the ratio of the geometric queue that an arrival meets.
    pub fn omega(&self) -> f64 {
        1.0 - self.idle_share
    }

    /// Probability that a message waits.
    pub fn p_wait(&self) -> f64 {
        self.p_wait
    }

    /// The rate at which the tail of the wait decays: c mu (1 - omega).
    pub fn decay(&self) -> f64 {
        f64::from(self.servers) * self.service_rate * self.idle_share
    }

    /// Mean wait.
    pub fn mean_wait(&self) -> f64 {
        self.p_wait / self.decay()
    }

    /// Variance of the wait.
    pub fn var_wait(&self) -> f64 {
        self.p_wait * (2.0 - self.p_wait) / self.decay().powi(2)
    }

    /// P(Wq > t), t >= 0.
    pub fn p_wait_exceeds(&self, t: f64) -> f64 {
        self.p_wait * (-self.decay() * t).exp()
    }

    /// The wait that a fraction `above` exceeds; zero when fewer than that wait.
    pub fn wait_exceeded_with(&self, above: f64) -> f64 {
        ((self.p_wait / above).ln() / self.decay()).max(0.0)
    }

    /// P(W > t), W the wait and the service together, t >= 0.
    pub fn p_sojourn_exceeds(&self, t: f64) -> f64 {
        // The wait is zero or exponential with rate theta, the service exponential with rate mu:
        // their sum exceeds t with probability e^{-mu t} + mu int_0^t e^{-theta x - mu(t-x)} dx.
        let (theta, mu) = (self.decay(), self.service_rate);
        let both = (-theta.min(mu) * t).exp() * mu * t * decay_mean((theta - mu).abs() * t);
        (-mu * t).exp() + self.p_wait * both
    }

    /// The sojourn that a fraction `above` exceeds.
    pub fn sojourn_exceeded_with(&self, above: f64) -> f64 {
        if self.servers == 1 {
            // One server: the sojourn is exponential.
            return -above.ln() / self.decay();
        }
        exceeded_with(above, 1.0 / self.service_rate, |t| {
            self.p_sojourn_exceeds(t)
        })
    }
}

/// 1 - omega: the x in (0,1) with 1 - A*(rate x) = x. Solved for x, so that its relative
/// precision survives heavy load; (1 - A*(rate x))/x decreases.
fn root(arrivals: &Transform, rate: f64) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    loop {
        let x = f64::midpoint(low, high);
        if x <= low || x >= high {
            return x;
        }
        if arrivals.complement(rate * x) > x {
            low = x;
        } else {
            high = x;
        }
    }
}

/// K/(1-omega). Products of many factors, hence logarithms.
fn p_wait(arrivals: &Transform, mu: f64, servers: u32, idle_share: f64) -> f64 {
    let c = f64::from(servers);
    let (mut ln_factor, mut logs) = (0.0, Vec::with_capacity(servers as usize));
    for j in 1..=servers {
        let j = f64::from(j);
        let complement = arrivals.complement(j * mu);
        ln_factor += ((c - j + 1.0) / j * complement / arrivals.at(j * mu)).ln();
        let ratio = 1.0 - c * mu * arrivals.slope(j * mu, c * mu * idle_share);
        logs.push(ln_factor + (idle_share * ratio / complement).ln());
    }
    let top = logs.iter().copied().fold(0.0, f64::max);
    let sum: f64 = logs.iter().map(|ln| (ln - top).exp()).sum();
    (-top).exp() / ((-top).exp() + sum)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: f64, b: f64, tolerance: f64) {
        assert!((a / b - 1.0).abs() < tolerance, "{a:e} is not {b:e}");
    }

    /// Erlang C by the recursion of Erlang B.
    fn erlang_c(load: f64, servers: u32) -> f64 {
        let blocked = (1..=servers).fold(1.0, |b, k| load * b / (f64::from(k) + load * b));
        let room = (f64::from(servers) - load) / f64::from(servers);
        blocked / (room + load / f64::from(servers) * blocked)
    }

    #[test]
    fn poisson_arrivals_give_erlang_c_also_where_takacs_is_zero_over_zero() {
        for (servers, load) in [
            (1, 0.5),
            (10, 8.0),
            (10, 8.000_000_1),
            (48, 47.0),
            (100, 50.0),
            (1000, 990.0),
            (5000, 4950.0),
            (48, 47.999),
        ] {
            let exact = GiMc::new(&Transform::exponential(1.0 / load), 1.0, servers).unwrap();
            close(exact.p_wait(), erlang_c(load, servers), 2e-10);
            close(exact.omega(), load / f64::from(servers), 1e-12);
        }
    }

    #[test]
    fn sojourn_percentiles_and_tails_are_inverse() {
        for (servers, rho) in [(1, 0.8), (3, 0.8), (10, 0.8), (10, 0.9999)] {
            let mean = 1.0 / rho / f64::from(servers);
            let exact = GiMc::new(&Transform::Gamma { mean, shape: 3.0 }, 1.0, servers).unwrap();
            for above in [0.9, 0.5, 1e-3, 1e-9] {
                close(
                    exact.p_sojourn_exceeds(exact.sojourn_exceeded_with(above)),
                    above,
                    1e-10,
                );
            }
        }
    }

    #[test]
    fn evenly_spaced_arrivals_agree_with_the_chain_they_embed() {
        // D/M/c at arrival epochs: from n present, n+1 work through one interval. The chain is
        // cut off far out and iterated; its rows are binomial below c and Poisson above.
        let (servers, interval) = (3_usize, 1.0 / 2.4);
        let size = 120;
        let mut state = vec![0.0; size];
        state[0] = 1.0;
        let row = |present: usize| leaving(present, servers, interval, size);
        let rows: Vec<Vec<f64>> = (0..size).map(|n| row((n + 1).min(size - 1))).collect();
        for _ in 0..3000 {
            let mut next = vec![0.0; size];
            for (n, weight) in state.iter().enumerate() {
                for (m, p) in rows[n].iter().enumerate() {
                    next[m] += weight * p;
                }
            }
            state = next;
        }
        let waits: f64 = state[servers..].iter().sum();
        let exact = GiMc::new(
            &Transform::Deterministic { mean: interval },
            1.0,
            servers as u32,
        )
        .unwrap();
        close(exact.p_wait(), waits, 1e-8);
    }

    /// Law of the number left after `time` when none arrive: by small steps of the pure death
    /// process (uniformization).
    fn leaving(present: usize, servers: usize, time: f64, size: usize) -> Vec<f64> {
        let rate = servers as f64;
        let mut law = vec![0.0; size];
        law[present] = 1.0;
        let mut result = vec![0.0; size];
        let mut weight = (-rate * time).exp();
        for step in 1..60_u32 {
            for n in 0..size {
                result[n] += weight * law[n];
            }
            weight *= rate * time / f64::from(step);
            let mut next = vec![0.0; size];
            for n in 0..size {
                let down = n.min(servers) as f64 / rate;
                next[n] += law[n] * (1.0 - down);
                if n > 0 {
                    next[n - 1] += law[n] * down;
                }
            }
            law = next;
        }
        result
    }

    #[test]
    fn unstable_loads_are_refused() {
        assert!(GiMc::new(&Transform::exponential(1.0), 1.0, 1).is_err());
        assert!(GiMc::new(&Transform::exponential(f64::NAN), 1.0, 1).is_err());
    }
}
