//! `M[X]/M/1`: batches of messages arrive as a Poisson stream, one server with exponential service.
//! Not for batches taken together by the consumer.
//!
//! Chaudhry and Templeton 1983; Gross and Harris (cited from memory).

use super::domain::{DomainError, positive, stable};

/// A solved `M[X]/M/1` queue. Rates per second, times in seconds.
#[derive(Clone, Copy, Debug)]
pub struct BatchArrivals {
    rate: f64,
    mu: f64,
    rho: f64,
    present: f64,
    within: f64,
}

impl BatchArrivals {
    /// `batches` arrive per second, each of X messages with mean `size` and E X^2 `size_squared`;
    /// the server works at rate `mu`.
    ///
    /// # Errors
    /// A parameter is not above zero, the moments belong to no size, or there is no steady state.
    pub fn new(batches: f64, size: f64, size_squared: f64, mu: f64) -> Result<Self, DomainError> {
        let rate = positive("lambda_batches", batches)? * positive("batch", size)?;
        if size < 1.0 || size_squared < size * size * (1.0 - 1e-12) {
            return Err(DomainError::new("a batch holds at least one message"));
        }
        let rho = stable(rate / positive("mu", mu)?)?;
        let present = rho * (size_squared + size) / (2.0 * size * ((mu - rate) / mu));
        let within = (size_squared - size) / (2.0 * size * mu);
        Ok(Self {
            rate,
            mu,
            rho,
            present,
            within,
        })
    }

    /// Utilization.
    pub fn utilization(&self) -> f64 {
        self.rho
    }

    /// Mean number waiting or in service: rho (E X^2 + E X)/(2 E X (1 - rho)).
    pub fn mean_present(&self) -> f64 {
        self.present
    }

    /// Mean number waiting.
    pub fn mean_waiting(&self) -> f64 {
        self.rate * self.mean_wait()
    }

    /// Mean sojourn of a message.
    pub fn mean_sojourn(&self) -> f64 {
        self.present / self.rate
    }

    /// Mean wait of a message.
    pub fn mean_wait(&self) -> f64 {
        self.mean_wait_of_first() + self.mean_wait_within_batch()
    }

    /// Mean wait of the first message of a batch: the work it finds.
    pub fn mean_wait_of_first(&self) -> f64 {
        self.present / self.mu
    }

    /// Mean wait of a message for those of its own batch, (E X^2/E X - 1)/(2 mu).
    pub fn mean_wait_within_batch(&self) -> f64 {
        self.within
    }
}

/// Mean and E X^2 of a batch whose size is geometric from 1 up, by its mean.
pub fn geometric_size(mean: f64) -> (f64, f64) {
    (mean, mean * (2.0 * mean - 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batches_of_one_are_mm1() {
        let queue = BatchArrivals::new(0.8, 1.0, 1.0, 1.0).unwrap();
        assert!((queue.mean_wait() - 4.0).abs() < 1e-13);
        assert!(queue.mean_wait_within_batch().abs() < 1e-13);
    }
}
