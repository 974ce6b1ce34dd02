//! Exponential back-off, x_k = min(cap, base 2^(k-1)), without jitter, with full and with equal
//! jitter: the total of the first n delays. Decorrelated jitter remembers its last delay and has
//! its own file, [`super::decorrelated`].
//!
//! Brooker 2015, "Exponential backoff and jitter" (cited from memory).

use super::domain::{DomainError, count, positive};
use super::uniform_sum::UniformSum;

/// How a delay x is spread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spread {
    /// x itself.
    None,
    /// Uniform on (0, x).
    Full,
    /// x/2 and uniform on (0, x/2).
    Equal,
}

/// The total of the first n delays.
#[derive(Clone, Debug)]
pub struct Backoff {
    delays: Vec<f64>,
    spread: Spread,
    random: Option<UniformSum>,
}

impl Backoff {
    /// `base` and `cap` in seconds, `retries` from 1 to 1000.
    ///
    /// # Errors
    /// A parameter is outside that domain.
    pub fn new(base: f64, cap: f64, retries: u64, spread: Spread) -> Result<Self, DomainError> {
        positive("base", base)?;
        positive("cap", cap)?;
        count("retries", retries, 1, 1000)?;
        let delays: Vec<f64> = (0..retries)
            .map(|k| (base * 2_f64.powi(k as i32)).min(cap))
            .collect();
        let random = match spread {
            Spread::None => None,
            Spread::Full => Some(UniformSum::new(&delays)),
            Spread::Equal => {
                let halves: Vec<f64> = delays.iter().map(|x| x / 2.0).collect();
                Some(UniformSum::new(&halves))
            }
        };
        Ok(Self {
            delays,
            spread,
            random,
        })
    }

    /// The longest last delay.
    pub fn last_delay(&self) -> f64 {
        self.delays.last().copied().unwrap_or(0.0)
    }

    /// The largest total.
    pub fn max_total(&self) -> f64 {
        self.delays.iter().sum()
    }

    /// The smallest total.
    pub fn min_total(&self) -> f64 {
        match self.spread {
            Spread::None => self.max_total(),
            Spread::Full => 0.0,
            Spread::Equal => self.max_total() / 2.0,
        }
    }

    /// Mean total: sum x, sum x/2, 3/4 sum x.
    pub fn mean_total(&self) -> f64 {
        f64::midpoint(self.min_total(), self.max_total())
    }

    /// Variance of the total: 0, sum x^2/12, sum x^2/48.
    pub fn var_total(&self) -> f64 {
        let squares: f64 = self.delays.iter().map(|x| x * x).sum();
        match self.spread {
            Spread::None => 0.0,
            Spread::Full => squares / 12.0,
            Spread::Equal => squares / 48.0,
        }
    }

    /// P(total > t).
    pub fn p_total_exceeds(&self, t: f64) -> f64 {
        match &self.random {
            Some(random) => random.tail(t - self.min_total()),
            None => f64::from(u8::from(self.max_total() > t)),
        }
    }

    /// The total that is exceeded with probability `tail`.
    pub fn total_exceeded_with(&self, tail: f64) -> f64 {
        let random = self
            .random
            .as_ref()
            .map_or(0.0, |random| random.exceeded_with(tail));
        self.min_total() + random
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn five_retries_from_one_second() {
        let total = |spread| Backoff::new(1.0, 60.0, 5, spread).unwrap();
        assert!((total(Spread::None).mean_total() - 31.0).abs() < 1e-14);
        assert!((total(Spread::Full).mean_total() - 15.5).abs() < 1e-14);
        assert!((total(Spread::Equal).mean_total() - 23.25).abs() < 1e-14);
        // Symmetric: the median is the mean.
        assert!((total(Spread::Full).total_exceeded_with(0.5) - 15.5).abs() < 1e-12);
    }

    #[test]
    fn the_cap_holds() {
        let total = Backoff::new(1.0, 4.0, 1000, Spread::None).unwrap();
        assert!((total.max_total() - (1.0 + 2.0 + 997.0 * 4.0 + 4.0)).abs() < 1e-9);
    }
}
