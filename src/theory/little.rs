//! Little's law, L = lambda W, in its three readings. Holds for any stable system, whatever its
//! laws; says nothing of a system that is not stable.
//!
//! Little 1961, "A proof for the queuing formula L = lambda W" (cited from memory).

/// The mean number present, from the rate of arrivals and the mean time spent.
pub fn number(rate: f64, time: f64) -> f64 {
    rate * time
}

/// The mean time spent, from the mean number present and the rate of arrivals.
pub fn time(number: f64, rate: f64) -> f64 {
    number / rate
}

/// The rate of arrivals, from the mean number present and the mean time spent.
pub fn rate(number: f64, time: f64) -> f64 {
    number / time
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_three_readings_agree() {
        let held = number(1200.0, 0.04);
        assert!((held - 48.0).abs() < 1e-12);
        assert!((time(held, 1200.0) - 0.04).abs() < 1e-15);
        assert!((rate(held, 0.04) - 1200.0).abs() < 1e-9);
    }
}
