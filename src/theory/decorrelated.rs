//! Decorrelated jitter: s_k = min(cap, U(base, 3 s_{k-1})), s_0 = base. The density of s_k and the
//! joint moments with the total are carried from delay to delay; percentiles of the total come
//! from its Laplace transform, and have four digits for two delays, whose density has kinks, and
//! more for more of them.
//!
//! Brooker 2015 (cited from memory). Uncapped, E s_k = base (2 1.5^k - 1).

use super::domain::{DomainError, count, positive};
use super::laplace::{self, Complex};
use super::quadrature::Legendre;
use super::root::exceeded_with;

/// Nodes a panel: enough for the waves of the transform, which is what needs most.
const NODES: usize = 24;

/// Panels to each tripling of the delay.
const PANELS: i32 = 6;

/// The law of n delays with decorrelated jitter. Times in seconds.
#[derive(Clone, Debug)]
pub struct Decorrelated {
    base: f64,
    cap: f64,
    retries: u64,
    /// Panels between base and cap with base, 3 base, 9 base, ... among their ends: no density has
    /// a kink elsewhere.
    nodes: Vec<f64>,
    weights: Vec<f64>,
    /// For each node x, the weights that integrate over s from max(base, x/3) to the cap: a part
    /// of one panel, and all nodes from the next panel on.
    reach: Vec<Reach>,
    /// The same for the part of the next delay that the cap cuts off.
    to_cap: Vec<f64>,
}

#[derive(Clone, Debug)]
struct Reach {
    part: Vec<f64>,
    part_at: usize,
    full_from: usize,
}

/// A measure on delays: a density at the nodes and a mass at the cap.
#[derive(Clone, Debug)]
struct Measure {
    density: Vec<f64>,
    at_cap: f64,
}

impl Decorrelated {
    /// `base` and `cap` in seconds, at most 1000 `retries`.
    ///
    /// # Errors
    /// A parameter is outside that domain, or the cap is more than 10^12 bases.
    pub fn new(base: f64, cap: f64, retries: u64) -> Result<Self, DomainError> {
        positive("base", base)?;
        positive("cap", cap)?;
        count("retries", retries, 1, 1000)?;
        if cap > 1e12 * base {
            return Err(DomainError::new(
                "the cap is more than 10^12 times the base",
            ));
        }
        let rule = Legendre::new(NODES);
        let end = |i: i32| base * 3_f64.powf(f64::from(i) / f64::from(PANELS));
        let most = PANELS * 26;
        let mut ends: Vec<f64> = (0..most).map(end).take_while(|&end| end < cap).collect();
        ends.push(cap);
        let (mut nodes, mut weights) = (Vec::new(), Vec::new());
        for panel in ends.windows(2) {
            let half = (panel[1] - panel[0]) / 2.0;
            nodes.extend(rule.nodes.iter().map(|z| panel[0] + half * (1.0 + z)));
            weights.extend(rule.weights.iter().map(|w| half * w));
        }
        let reach = nodes
            .iter()
            .map(|&x| Reach::above(x / 3.0, &ends, &rule))
            .collect();
        let cut = Reach::above(cap / 3.0, &ends, &rule);
        let mut to_cap = vec![0.0; nodes.len()];
        to_cap[cut.full_from..].copy_from_slice(&weights[cut.full_from..]);
        to_cap[cut.part_at..][..cut.part.len()].copy_from_slice(&cut.part);
        for (weight, s) in to_cap.iter_mut().zip(&nodes) {
            *weight *= (3.0 * s - cap) / (3.0 * s - base);
        }
        Ok(Self {
            base,
            cap,
            retries,
            nodes,
            weights,
            reach,
            to_cap,
        })
    }

    /// Whether every delay is the cap.
    fn is_constant(&self) -> bool {
        self.cap <= self.base
    }

    /// The first delay.
    fn first(&self) -> Measure {
        let (base, cap) = (self.base, self.cap);
        if self.is_constant() {
            return Measure {
                density: vec![0.0; self.nodes.len()],
                at_cap: 1.0,
            };
        }
        let inside = |&x: &f64| if x < 3.0 * base { 0.5 / base } else { 0.0 };
        let density = self.nodes.iter().map(inside).collect();
        Measure {
            density,
            at_cap: (3.0 * base - cap).max(0.0) / (2.0 * base),
        }
    }

    /// The measure of the next delay.
    fn next(&self, from: &Measure) -> Measure {
        if self.is_constant() {
            return from.clone();
        }
        let (base, cap) = (self.base, self.cap);
        let spread: Vec<f64> = from
            .density
            .iter()
            .zip(&self.nodes)
            .map(|(h, s)| h / (3.0 * s - base))
            .collect();
        let mut above = vec![0.0; spread.len() + 1];
        for i in (0..spread.len()).rev() {
            above[i] = above[i + 1] + self.weights[i] * spread[i];
        }
        let from_cap = from.at_cap / (3.0 * cap - base);
        let arriving = |reach: &Reach| {
            let part: f64 = reach
                .part
                .iter()
                .zip(&spread[reach.part_at..])
                .map(|(w, h)| w * h)
                .sum();
            part + above[reach.full_from] + from_cap
        };
        let cut: f64 = self
            .to_cap
            .iter()
            .zip(&from.density)
            .map(|(w, h)| w * h)
            .sum();
        Measure {
            density: self.reach.iter().map(arriving).collect(),
            at_cap: cut + from_cap * 2.0 * cap,
        }
    }

    /// Integral of `f` over a measure.
    fn integral(&self, measure: &Measure, f: impl Fn(f64) -> f64) -> f64 {
        let inside: f64 = self
            .nodes
            .iter()
            .zip(&self.weights)
            .zip(&measure.density)
            .map(|((&s, w), h)| w * h * f(s))
            .sum();
        inside + measure.at_cap * f(self.cap)
    }

    /// The measure with density and mass multiplied by `f` of the delay.
    fn times(&self, measure: &Measure, f: impl Fn(f64) -> f64) -> Measure {
        let density = measure
            .density
            .iter()
            .zip(&self.nodes)
            .map(|(h, &s)| h * f(s))
            .collect();
        Measure {
            density,
            at_cap: measure.at_cap * f(self.cap),
        }
    }

    /// The last delay.
    fn last(&self) -> Measure {
        (1..self.retries).fold(self.first(), |measure, _| self.next(&measure))
    }

    /// Mean of the last delay.
    pub fn mean_last(&self) -> f64 {
        self.integral(&self.last(), |s| s)
    }

    /// Variance of the last delay.
    pub fn var_last(&self) -> f64 {
        let last = self.last();
        let mean = self.integral(&last, |s| s);
        self.integral(&last, |s| (s - mean).powi(2))
    }

    /// The probability that the last delay is the cap.
    pub fn p_last_at_cap(&self) -> f64 {
        self.last().at_cap
    }

    /// Mean and variance of the total: the measures E[T^m; s_k = s], m = 0, 1, 2, go along, and
    /// T is taken from its mean up to then, so that nothing cancels.
    pub fn mean_and_var_total(&self) -> (f64, f64) {
        let mut mass = self.first();
        let mut mean = self.integral(&mass, |s| s);
        let mut first = self.times(&mass, |s| s - mean);
        let mut second = self.times(&mass, |s| (s - mean).powi(2));
        for _ in 1..self.retries {
            mass = self.next(&mass);
            let step = self.integral(&mass, |s| s);
            mean += step;
            let (carried, squared) = (self.next(&first), self.next(&second));
            second = sum(&[
                squared,
                self.times(&carried, |s| 2.0 * (s - step)),
                self.times(&mass, |s| (s - step).powi(2)),
            ]);
            first = sum(&[carried, self.times(&mass, |s| s - step)]);
        }
        (mean, self.integral(&second, |_| 1.0))
    }

    /// P(total > t).
    pub fn p_total_exceeds(&self, t: f64) -> f64 {
        let n = self.retries as f64;
        if t < n * self.base.min(self.cap) {
            return 1.0;
        }
        if t >= n * self.cap {
            return 0.0;
        }
        if self.retries == 1 {
            return (1.0 - (t - self.base) / (2.0 * self.base)).clamp(0.0, 1.0);
        }
        laplace::tail(t, |s| self.transform(s))
    }

    /// The total that is exceeded with probability `tail`.
    pub fn total_exceeded_with(&self, tail: f64) -> f64 {
        let n = self.retries as f64;
        // The one jump of the law: every delay at the cap.
        let stay = 2.0 * self.cap / (3.0 * self.cap - self.base);
        let all_at_cap = if self.is_constant() {
            1.0
        } else {
            self.first().at_cap * stay.powf(n - 1.0)
        };
        if tail <= all_at_cap {
            return n * self.cap;
        }
        let least = n * self.base;
        let scale = (self.mean_and_var_total().0 - least) / 2.0;
        least + exceeded_with(tail, scale, |t| self.p_total_exceeds(least + t))
    }

    /// E exp(-s T): the measure, multiplied by exp(-s x) at each delay.
    fn transform(&self, s: Complex) -> Complex {
        let wave = |x: f64| {
            let size = (-s.0 * x).exp();
            (size * (s.1 * x).cos(), -size * (s.1 * x).sin())
        };
        let waves: Vec<Complex> = self.nodes.iter().map(|&x| wave(x)).collect();
        let at_cap = wave(self.cap);
        let turn = |re: &mut Measure, im: &mut Measure| {
            for (i, &wave) in waves.iter().enumerate() {
                (re.density[i], im.density[i]) = multiply((re.density[i], im.density[i]), wave);
            }
            (re.at_cap, im.at_cap) = multiply((re.at_cap, im.at_cap), at_cap);
        };
        let mut re = self.first();
        let mut im = self.times(&re, |_| 0.0);
        turn(&mut re, &mut im);
        for _ in 1..self.retries {
            (re, im) = (self.next(&re), self.next(&im));
            turn(&mut re, &mut im);
        }
        (self.integral(&re, |_| 1.0), self.integral(&im, |_| 1.0))
    }
}

fn multiply(a: Complex, b: Complex) -> Complex {
    (a.0 * b.0 - a.1 * b.1, a.0 * b.1 + a.1 * b.0)
}

fn sum(measures: &[Measure]) -> Measure {
    let nodes = measures[0].density.len();
    let density = (0..nodes)
        .map(|i| measures.iter().map(|m| m.density[i]).sum())
        .collect();
    Measure {
        density,
        at_cap: measures.iter().map(|m| m.at_cap).sum(),
    }
}

impl Reach {
    /// Integration from `y`, or from the lowest end above it, to the highest end.
    fn above(y: f64, ends: &[f64], rule: &Legendre) -> Self {
        let panel = ends
            .windows(2)
            .position(|panel| panel[0] < y && y < panel[1]);
        let Some(panel) = panel else {
            // Exactly on an end, or below all of them.
            let full = ends
                .iter()
                .take(ends.len() - 1)
                .filter(|&&end| end < y)
                .count();
            return Self {
                part: Vec::new(),
                part_at: 0,
                full_from: full * NODES,
            };
        };
        let half = (ends[panel + 1] - ends[panel]) / 2.0;
        let part = rule.weights_above((y - ends[panel]) / half - 1.0);
        let part = part.into_iter().map(|w| half * w).collect();
        Self {
            part,
            part_at: panel * NODES,
            full_from: (panel + 1) * NODES,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uncapped_means_are_known() {
        let mut total = 0.0;
        for k in 1..=6 {
            let law = Decorrelated::new(0.1, 1000.0, k).unwrap();
            let mean = 0.1 * (2.0 * 1.5_f64.powi(k as i32) - 1.0);
            total += mean;
            assert!((law.mean_last() / mean - 1.0).abs() < 1e-12, "{k}");
            assert!(
                (law.mean_and_var_total().0 / total - 1.0).abs() < 1e-12,
                "{k}"
            );
        }
    }

    #[test]
    fn mass_is_kept_and_the_cap_is_a_constant_at_last() {
        let law = Decorrelated::new(1.0, 20.0, 9).unwrap();
        let last = law.last();
        assert!((law.integral(&last, |_| 1.0) - 1.0).abs() < 1e-13);
        let constant = Decorrelated::new(5.0, 2.0, 3).unwrap();
        assert!((constant.mean_and_var_total().0 - 6.0).abs() < 1e-14);
        assert!((constant.total_exceeded_with(0.01) - 6.0).abs() < 1e-14);
    }

    #[test]
    fn two_uncapped_delays_have_a_total_in_closed_form() {
        // P(s1 + s2 > t) by quadrature over s1 ~ U(1, 3), s2 ~ U(1, 3 s1).
        let law = Decorrelated::new(1.0, 100.0, 2).unwrap();
        let direct = |t: f64| {
            let n = 20_000;
            let given = |s: f64| ((3.0 * s - (t - s)) / (3.0 * s - 1.0)).clamp(0.0, 1.0);
            let at = |i: i32| given(1.0 + 2.0 * (f64::from(i) + 0.5) / f64::from(n));
            (0..n).map(at).sum::<f64>() / f64::from(n)
        };
        for t in [3.0, 5.0, 8.0, 10.0] {
            let (inverted, direct) = (law.p_total_exceeds(t), direct(t));
            assert!((inverted - direct).abs() < 1e-4, "{t}: {inverted} {direct}");
        }
    }
}
