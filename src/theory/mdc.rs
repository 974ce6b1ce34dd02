//! M/D/c, exactly: mean, variance and distribution of the wait for Poisson arrivals, `c` servers
//! and a constant service time, served in order of arrival. Nothing here is for other laws.
//!
//! With time in units of the service D and a = lambda D, the number waiting at times D apart is
//! Q' = (Q + N - c)+ with N ~ Poisson(a): the maximum of a random walk. Its generating function
//! is F(1)/F(z) with F(z) = (e^{a(z-1)} - z^c) / prod_k (z - z_k), where z_0 = 1 and z_k are the
//! roots of z^c = e^{a(z-1)} inside the unit disc (Crommelin 1932). Multiplied out,
//!
//! * P(no wait) = (c - a) / prod_{k>=1} (1 - z_k);
//! * f_j = sum_m P(N = c+j+m) u_m for j >= 1, with the renewal sequence u_0 = 1,
//!   m u_m = sum_{i<=m} P_i u_{m-i} (Newton's identity), P_i = sum_k z_k^i;
//! * P(wait) = sum_m P(N >= c+m) u_m,  E Q = sum j f_j / P(no wait);
//! * P(Q > i) follows from the ladder heights g_j = f_j / (1 - sum_m P(N = c+m) u_m) by a renewal
//!   equation, and P(Wq > t) from P(Q > i) by the sum of Franx (2001).
//!
//! Every sum has positive terms only, so means and tails keep their relative precision, light
//! load and heavy, one server or ten thousand, where Crommelin's own sum for the mean cancels.
//! Spitzer's identity (1956), which shares none of this, is the check in the tests. Papers are
//! cited from memory.

use num_complex::Complex64;

use super::domain::{DomainError, MOST, count, positive, stable};
use super::numeric::{poisson, poisson_tail};
use super::root::exceeded_with;

/// M/D/c solved for one load.
#[derive(Clone, Debug)]
pub struct MDc {
    arrival_rate: f64,
    service: f64,
    servers: u32,
    p_wait: f64,
    no_wait: f64,
    waiting_mean: f64,
    /// E[Q(Q-1)], Q the number waiting.
    waiting_pairs: f64,
    /// P(Q > i) for the first i; beyond them it is geometric with `ratio`.
    waiting_tail: Vec<f64>,
    ratio: f64,
}

impl MDc {
    /// Poisson arrivals of rate `arrival_rate`, service always `service`, `servers` servers.
    ///
    /// Work grows as c sqrt c: milliseconds for 10,000 servers.
    ///
    /// # Errors
    /// A parameter is not above zero, or there is no steady state.
    pub fn new(arrival_rate: f64, service: f64, servers: u32) -> Result<Self, DomainError> {
        let load = positive("lambda", arrival_rate)? * positive("service", service)?;
        count("c", servers.into(), 1, MOST)?;
        let room = f64::from(servers) - load;
        stable(load / f64::from(servers))?;
        let gaps = gaps(load, servers);
        let weights = weights(load, servers);
        let renewal = renewal(&power_sums(&gaps, weights.len()));
        let ln_product: f64 = gaps.iter().map(Gap::ln_norm).sum();
        let no_wait = (room.ln() - ln_product).exp();

        let f = |j: usize| dot(&weights[j..], &renewal);
        let climbs: Vec<f64> = (1..weights.len()).map(f).collect();
        let moment = |power: fn(f64) -> f64| {
            let terms = climbs.iter().zip(1_u32..);
            terms.map(|(f, j)| f * power(f64::from(j))).sum::<f64>() / no_wait
        };
        let waiting_mean = moment(|j| j);
        let waiting_pairs = moment(|j| j * (j - 1.0)) + 2.0 * waiting_mean * waiting_mean;
        let stays = 1.0 - f(0);
        let ladder: Vec<f64> = climbs.iter().map(|f| f / stays).collect();
        let (waiting_tail, ratio) = waiting_tail(&ladder);
        Ok(Self {
            arrival_rate,
            service,
            servers,
            p_wait: f(0) + climbs.iter().sum::<f64>(),
            no_wait,
            waiting_mean,
            waiting_pairs,
            waiting_tail,
            ratio,
        })
    }

    /// Probability that a message waits at all.
    pub fn p_wait(&self) -> f64 {
        self.p_wait
    }

    /// Mean number waiting.
    pub fn waiting(&self) -> f64 {
        self.waiting_mean
    }

    /// Mean wait, over all messages.
    pub fn mean_wait(&self) -> f64 {
        self.waiting_mean / self.arrival_rate
    }

    /// Variance of the wait, by the distributional law of Little (Keilson & Servi 1988, cited
    /// from memory): lambda^2 E Wq^2 = E Q(Q-1).
    pub fn var_wait(&self) -> f64 {
        let square = self.waiting_pairs - self.waiting_mean * self.waiting_mean;
        square / (self.arrival_rate * self.arrival_rate)
    }

    /// P(Wq > t).
    pub fn p_wait_exceeds(&self, t: f64) -> f64 {
        if t < 0.0 {
            return 1.0;
        }
        if t <= 0.0 {
            return self.p_wait;
        }
        // Franx: with k = floor(t/D) + 1 and u = a(k - t/D), the wait exceeds t when more than
        // kc - 1 - j are waiting and j come within u, or when kc come within u.
        let load = self.arrival_rate * self.service;
        let whole = (t / self.service).floor() + 1.0;
        let mean = load * (whole - t / self.service);
        let end = whole * f64::from(self.servers);
        let first = (mean - 12.0 * mean.sqrt() - 20.0).max(0.0).floor();
        let mut weight = poisson(first as u64, mean);
        let (mut j, mut sum) = (first, 0.0);
        while j < end {
            sum += weight * self.more_waiting_than(end - 1.0 - j);
            j += 1.0;
            weight *= mean / j;
            if j > mean && weight < 1e-18 * sum {
                return sum;
            }
        }
        sum + poisson_tail(end as u64, mean)
    }

    /// The wait that a fraction `above` of the messages exceeds; zero when fewer than that wait.
    pub fn wait_exceeded_with(&self, above: f64) -> f64 {
        if self.p_wait <= above || self.no_wait >= 1.0 - above {
            return 0.0;
        }
        exceeded_with(above, self.service, |t| self.p_wait_exceeds(t))
    }

    /// P(Q > i); `i` is a whole number.
    fn more_waiting_than(&self, i: f64) -> f64 {
        let last = self.waiting_tail.len() - 1;
        let beyond = i - last as f64;
        if beyond > 0.0 {
            self.waiting_tail[last] * self.ratio.powf(beyond)
        } else {
            self.waiting_tail[i as usize]
        }
    }
}

/// 1 - z_k of one root inside the unit disc: a complex pair, or one that is real.
enum Gap {
    Pair(Complex64),
    Real(f64),
}

impl Gap {
    fn ln_norm(&self) -> f64 {
        match self {
            Self::Pair(y) => y.norm_sqr().ln(),
            Self::Real(y) => y.ln(),
        }
    }
}

/// All roots but z_0 = 1, as gaps y = 1 - z: solutions of y = -expm1(i theta - rho y).
fn gaps(load: f64, servers: u32) -> Vec<Gap> {
    let rho = load / f64::from(servers);
    let room = (f64::from(servers) - load) / f64::from(servers);
    (1..=servers / 2)
        .map(|k| {
            let angle = std::f64::consts::TAU * f64::from(k) / f64::from(servers);
            let gap = gap(rho, room, angle);
            if 2 * k == servers {
                Gap::Real(gap.re)
            } else {
                Gap::Pair(gap)
            }
        })
        .collect()
}

/// The root with argument `angle` of its c-th root: fixed-point steps, which cannot leave the
/// unit disc, then Newton's.
fn gap(rho: f64, room: f64, angle: f64) -> Complex64 {
    let turn = Complex64::new(0.0, angle);
    // Near z = 1 the equation is quadratic in w = i theta - rho y.
    let slope = Complex64::from(room / rho);
    let w = slope - (slope * slope - 2.0 * turn / rho).sqrt();
    let mut y = (turn - w) / rho;
    if (1.0 - y).norm() > 1.0 {
        y = Complex64::from(1.0);
    }
    for _ in 0..4 {
        y = -exp_m1(turn - rho * y);
    }
    for _ in 0..40 {
        let image = exp_m1(turn - rho * y);
        // The derivative of y + expm1(i theta - rho y) is 1 - rho - rho expm1(...).
        let step = (y + image) / (room - rho * image);
        y -= step;
        if step.norm() <= 1e-16 * y.norm() {
            break;
        }
    }
    y
}

/// e^z - 1 without cancellation near zero.
fn exp_m1(z: Complex64) -> Complex64 {
    let half = (z.im / 2.0).sin();
    let real = z.re.exp_m1() * z.im.cos() - 2.0 * half * half;
    Complex64::new(real, z.re.exp() * z.im.sin())
}

/// P(N = c + i) for i = 0, 1, ... as far as they matter.
fn weights(load: f64, servers: u32) -> Vec<f64> {
    let mut weights = vec![poisson(u64::from(servers), load)];
    let (mut relative, mut n) = (1.0, f64::from(servers));
    while relative > 1e-26 {
        n += 1.0;
        relative *= load / n;
        weights.push(weights[0] * relative);
    }
    weights
}

/// Sums over all roots, z_0 = 1 among them, of z^i for i = 1, ..., count - 1.
fn power_sums(gaps: &[Gap], count: usize) -> Vec<f64> {
    let mut sums = vec![1.0; count.saturating_sub(1)];
    for gap in gaps {
        match gap {
            Gap::Pair(y) => {
                let root = 1.0 - y;
                let mut power = root;
                for sum in &mut sums {
                    *sum += 2.0 * power.re;
                    power *= root;
                }
            }
            Gap::Real(y) => {
                let root = 1.0 - y;
                let mut power = root;
                for sum in &mut sums {
                    *sum += power;
                    power *= root;
                }
            }
        }
    }
    sums
}

/// u_0 = 1, m u_m = sum_{i=1}^m P_i u_{m-i}.
fn renewal(power_sums: &[f64]) -> Vec<f64> {
    let mut renewal = vec![1.0];
    for m in 1..=power_sums.len() {
        let sum: f64 = (1..=m).map(|i| power_sums[i - 1] * renewal[m - i]).sum();
        renewal.push(sum / m as f64);
    }
    renewal
}

/// P(Q > i) from the ladder heights g_1, g_2, ... by T_i = G_i + sum_{k<=i} g_k T_{i-k}, far
/// enough for the geometric tail, and its ratio.
fn waiting_tail(ladder: &[f64]) -> (Vec<f64>, f64) {
    let mut above: Vec<f64> = vec![0.0; ladder.len() + 1];
    for k in (0..ladder.len()).rev() {
        above[k] = above[k + 1] + ladder[k];
    }
    let mut tail = Vec::with_capacity(4 * ladder.len());
    for i in 0..4 * ladder.len().max(16) {
        let steps = ladder.iter().take(i);
        let reached: f64 = steps.zip(tail.iter().rev()).map(|(g, t)| g * t).sum();
        let value = above.get(i).copied().unwrap_or(0.0) + reached;
        tail.push(value);
        if value < 1e-280 {
            break;
        }
    }
    let ratio = match tail[..] {
        [.., before, last] if before > 0.0 => last / before,
        _ => 0.0,
    };
    (tail, ratio)
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::theory::numeric::excess_over_log;

    fn close(a: f64, b: f64, tolerance: f64) {
        assert!((a / b - 1.0).abs() < tolerance, "{a:e} is not {b:e}");
    }

    /// P(wait), mean and variance by Spitzer's identity, with Y = (N_n - nc)+, N_n ~ Poisson(na).
    fn spitzer(load: f64, servers: u32) -> [f64; 3] {
        let c = f64::from(servers);
        let decay = c * excess_over_log(load / c - 1.0);
        let [mut exponent, mut mean, mut variance] = [0.0; 3];
        for n in 1..(45.0 / decay) as u64 + 3 {
            let time = n as f64;
            let start = n * u64::from(servers);
            let (mut weight, mut over) = (poisson(start, load * time), 0.0);
            let floor = weight * 1e-20;
            while weight > floor {
                exponent += weight / time;
                mean += weight * over / (load * time);
                variance += weight * over * (over - 1.0) / (load * load * time);
                over += 1.0;
                weight *= load * time / (start as f64 + over);
            }
        }
        [-f64::exp_m1(-exponent), mean, variance]
    }

    #[test]
    fn agrees_with_spitzers_identity() {
        for (servers, rho) in [
            (1, 0.1),
            (1, 0.5),
            (2, 0.9),
            (3, 0.01),
            (10, 0.5),
            (10, 0.9),
            (48, 0.25),
            (48, 0.9),
            (101, 0.7),
            (500, 0.5),
            (500, 0.99),
            (2000, 0.98),
            (10_000, 0.99),
        ] {
            let load = rho * f64::from(servers);
            let [p_wait, mean, variance] = spitzer(load, servers);
            let exact = MDc::new(load, 1.0, servers).unwrap();
            close(exact.p_wait(), p_wait, 1e-10);
            close(exact.mean_wait(), mean, 1e-10);
            close(exact.var_wait(), variance, 1e-10);
        }
    }

    #[test]
    fn one_server_is_pollaczek_khinchine() {
        for rho in [0.001, 0.3, 0.9, 0.999, 0.99999] {
            let exact = MDc::new(rho, 1.0, 1).unwrap();
            close(exact.mean_wait(), rho / (2.0 * (1.0 - rho)), 1e-11);
            let variance = exact.mean_wait().powi(2) + rho / (3.0 * (1.0 - rho));
            close(exact.var_wait(), variance, 1e-11);
        }
    }

    #[test]
    fn the_mean_is_the_integral_of_the_tail() {
        // Simpson's rule inside each service time, where the tail is smooth.
        for (servers, load) in [(1, 0.6), (3, 2.4), (20, 17.0)] {
            let exact = MDc::new(load, 1.0, servers).unwrap();
            let panels = 200;
            let mut integral = 0.0;
            for unit in 0..120 {
                for i in 0..=panels {
                    let end = i == 0 || i == panels;
                    let factor = if end { 1.0 } else { f64::from(2 + 2 * (i % 2)) };
                    // Just inside the unit: the tail has a kink at its ends.
                    let t = f64::from(unit) + f64::from(i) / f64::from(panels) * (1.0 - 1e-12);
                    integral += factor * exact.p_wait_exceeds(t) / f64::from(3 * panels);
                }
            }
            close(integral, exact.mean_wait(), 1e-7);
        }
    }

    #[test]
    fn percentiles_and_tails_are_inverse() {
        let exact = MDc::new(43.2, 1.0, 48).unwrap();
        for above in [0.2, 0.01, 1e-6, 1e-30] {
            close(
                exact.p_wait_exceeds(exact.wait_exceeded_with(above)),
                above,
                1e-10,
            );
        }
        assert!(exact.wait_exceeded_with(0.5) <= 0.0);
    }

    #[test]
    fn light_loads_underflow_to_zero_and_heavy_ones_are_refused() {
        let idle = MDc::new(1.0, 1.0, 4000).unwrap();
        assert!(idle.p_wait() <= 0.0 && idle.mean_wait() <= 0.0 && idle.p_wait_exceeds(1.0) <= 0.0);
        assert!(MDc::new(48.0, 1.0, 48).is_err());
        assert!(MDc::new(0.0, 1.0, 1).is_err());
        assert!(MDc::new(f64::NAN, 1.0, 1).is_err());
    }
}
