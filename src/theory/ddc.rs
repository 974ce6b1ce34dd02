//! D/D/c from empty: steady arrivals to c servers that all need the same time.
//!
//! Arrival n (n = 0, 1, ...) comes at n/lambda and waits floor(n/c) max(0, S - c/lambda), first
//! come first served: the c arrivals of a round wait as long as each other, and each round as much
//! longer as c services outlast c arrivals (elementary). Transient, and no distribution: nothing is
//! random.

use num_traits::Zero;

use crate::exact::{Exact, at_least_zero, from_f64, to_f64, whole};

/// A D/D/c queue that begins empty.
#[derive(Clone, Debug)]
pub struct Ddc {
    servers: u64,
    utilization: Exact,
    /// What each round of c arrivals waits longer than the one before, in seconds.
    growth: Exact,
}

impl Ddc {
    /// `arrivals` per second to `servers` that need `service_s` seconds; `None` unless all are
    /// finite and above 0.
    pub fn new(arrivals: f64, service_s: f64, servers: u64) -> Option<Self> {
        let usable = |number: f64| number.is_finite() && number > 0.0;
        if !usable(arrivals) || !usable(service_s) || servers == 0 {
            return None;
        }
        let (arrivals, service, count) = (from_f64(arrivals), from_f64(service_s), whole(servers));
        Some(Self {
            servers,
            utilization: &arrivals * &service / &count,
            growth: at_least_zero(service - count / arrivals),
        })
    }

    /// Offered load over servers; above 1 the wait grows without end.
    pub fn utilization(&self) -> f64 {
        to_f64(&self.utilization)
    }

    /// The wait of arrival `n`, counted from 0, in seconds.
    pub fn wait_of_arrival(&self, n: u64) -> f64 {
        to_f64(&(whole(n / self.servers) * &self.growth))
    }

    /// How much longer each arrival waits than the one before it, on average, in seconds.
    pub fn growth_per_arrival(&self) -> f64 {
        to_f64(&(&self.growth / whole(self.servers)))
    }

    /// The mean wait of the first `count` arrivals, in seconds; 0 for none.
    pub fn mean_wait_of_first(&self, count: u64) -> f64 {
        if count == 0 {
            return 0.0;
        }
        // Whole rounds 0, 1, ..., r - 1 of c arrivals each, then what is left in round r.
        let rounds = whole(count / self.servers);
        let left = whole(count % self.servers);
        let earlier = if rounds.is_zero() {
            whole(0)
        } else {
            &rounds - whole(1)
        };
        let whole_rounds = whole(self.servers) * &rounds * earlier / whole(2);
        let sum = (whole_rounds + rounds * left) * &self.growth;
        to_f64(&(sum / whole(count)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Follows the queue itself, in integers: arrivals every `gap`, services of `service`.
    fn waits(gap: u64, service: u64, servers: usize, count: u64) -> Vec<u64> {
        let mut free_at = vec![0; servers];
        let wait = |n: u64| {
            let first = free_at.iter_mut().min().expect("there are servers");
            let start = (*first).max(n * gap);
            *first = start + service;
            start - n * gap
        };
        (0..count).map(wait).collect()
    }

    #[test]
    fn agrees_with_the_queue_followed_arrival_by_arrival() {
        for (gap, service, servers) in [(10, 100, 8), (10, 100, 10), (7, 20, 3), (2, 3, 1)] {
            let rate = 1.0 / gap as f64;
            let queue = Ddc::new(rate, service as f64, servers).unwrap();
            let waits = waits(gap, service, servers as usize, 100);
            for (n, wait) in waits.iter().enumerate() {
                let close = (queue.wait_of_arrival(n as u64) - *wait as f64).abs() < 1e-9;
                assert!(close, "arrival {n} of {gap}, {service}, {servers}");
            }
            let mean = waits.iter().sum::<u64>() as f64 / 100.0;
            assert!((queue.mean_wait_of_first(100) - mean).abs() < 1e-9);
        }
    }

    #[test]
    fn at_break_even_nobody_ever_waits() {
        let queue = Ddc::new(1200.0, 0.04, 48).unwrap();
        assert!(queue.wait_of_arrival(1_000_000).abs() < f64::MIN_POSITIVE);
        assert!((queue.utilization() - 1.0).abs() < f64::EPSILON);
    }

    #[test]
    fn nonsense_has_no_queue() {
        assert!(Ddc::new(0.0, 1.0, 1).is_none());
        assert!(Ddc::new(1.0, f64::NAN, 1).is_none());
        assert!(Ddc::new(1.0, 1.0, 0).is_none());
    }
}
