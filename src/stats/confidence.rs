//! Intervals for a mean from independent observations.
//!
//! Not for observations that depend on each other: batch them first.

use statrs::distribution::{ContinuousCDF, StudentsT};

/// A mean and the interval that covers the true one with the stated level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The mean of the observations.
    pub mean: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// The level, such as 0.95.
    pub level: f64,
    /// How many observations.
    pub count: usize,
}

impl Interval {
    /// Half of its width.
    pub fn half_width(&self) -> f64 {
        (self.high - self.low) / 2.0
    }
}

/// Student's t interval (W. S. Gosset 1908): mean ± t · s / √n with n − 1 degrees of freedom.
/// `None` for fewer than two values.
pub fn student(values: &[f64], level: f64) -> Option<Interval> {
    let (mean, error) = mean_and_error(values)?;
    let count = values.len();
    let n = count as f64;
    let half = error * student_quantile(f64::midpoint(1.0, level), n - 1.0);
    Some(Interval {
        mean,
        low: mean - half,
        high: mean + half,
        level,
        count,
    })
}

/// The mean and its standard error, s / √n; `None` for fewer than two values.
pub(super) fn mean_and_error(values: &[f64]) -> Option<(f64, f64)> {
    if values.len() < 2 {
        return None;
    }
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    Some((mean, (squares / (n - 1.0) / n).sqrt()))
}

/// The `p` quantile of Student's t with `freedom` degrees of freedom.
pub fn student_quantile(p: f64, freedom: f64) -> f64 {
    StudentsT::new(0.0, 1.0, freedom).map_or(f64::NAN, |law| law.inverse_cdf(p))
}

#[cfg(test)]
mod tests {
    use super::student;

    #[test]
    fn agrees_with_a_printed_table() {
        // t(0.975, 9) = 2.262 in every printed table.
        let values: Vec<f64> = (1..=10).map(f64::from).collect();
        let interval = student(&values, 0.95).expect("ten values");
        let error = (82.5_f64 / 9.0 / 10.0).sqrt();
        assert!((interval.half_width() / error - 2.262).abs() < 5e-4);
        assert!((interval.mean - 5.5).abs() < 1e-12);
        assert!(student(&values[..1], 0.95).is_none());
    }
}
