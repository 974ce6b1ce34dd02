//! Retries in the mean field: M/M/c whose arrivals are the fresh requests and their retries, each
//! attempt failing with the stationary P(sojourn > T). Approximate for any real system: retries
//! are no Poisson stream. Shows where a healthy state ends.
//!
//! With S = 1 + p + ... + p^r and p = P(sojourn > T) at the whole rate Lambda, a fixed point at
//! the fresh rate lambda is a Lambda with Lambda/S(p(Lambda)) = lambda. Everything follows from
//! that one curve.

use super::domain::{DomainError, count, positive};
use super::mmc::Mmc;
use super::root::root;

/// A mean field of retries.
#[derive(Clone, Copy, Debug)]
pub struct MeanField {
    mu: f64,
    servers: u64,
    timeout: f64,
    retries: u64,
}

/// Points at which the curve is looked at before roots are refined.
const POINTS: u32 = 1000;

impl MeanField {
    /// Service `mu` a server, `servers`, a client `timeout`, and at most `retries` retries.
    ///
    /// # Errors
    /// A parameter is outside its domain.
    pub fn new(mu: f64, servers: u64, timeout: f64, retries: u64) -> Result<Self, DomainError> {
        Mmc::new(0.0, mu, servers)?;
        positive("timeout", timeout)?;
        count("max_retries", retries, 0, 1000)?;
        Ok(Self {
            mu,
            servers,
            timeout,
            retries,
        })
    }

    /// c mu.
    pub fn capacity(&self) -> f64 {
        self.servers as f64 * self.mu
    }

    /// P(sojourn > T) at the whole rate.
    fn p_timeout(&self, whole: f64) -> f64 {
        Mmc::new(whole, self.mu, self.servers)
            .map_or(1.0, |queue| queue.p_sojourn_exceeds(self.timeout))
    }

    /// The fresh rate that makes this whole rate.
    fn fresh(&self, whole: f64) -> f64 {
        let p = self.p_timeout(whole);
        whole / (0..=self.retries).rev().fold(0.0, |sum, _| 1.0 + p * sum)
    }

    /// Whole rates from 0 to the capacity, closer together towards the end.
    fn grid(&self) -> impl Iterator<Item = f64> {
        let capacity = self.capacity();
        (0..POINTS).map(move |i| {
            let left = 1.0 - f64::from(i) / f64::from(POINTS);
            capacity * (1.0 - left * left)
        })
    }

    /// The timeout probabilities p at the fresh rate `lambda` >= 0 that reproduce themselves, in
    /// rising order: one (healthy, or collapsed at p = 1), or three (healthy, the threshold
    /// between the two basins, collapsed).
    pub fn fixed_points(&self, lambda: f64) -> Vec<f64> {
        let capacity = self.capacity();
        let mut points = Vec::new();
        let end = capacity * (1.0 - 1e-12);
        let peak_at = self.peak().0;
        // The peak is in the list, so that two roots close together on its sides are both seen.
        let mut grid: Vec<f64> = self.grid().chain([peak_at, end]).collect();
        grid.sort_by(f64::total_cmp);
        let excess = |whole: f64| self.fresh(whole) - lambda;
        let signs: Vec<f64> = grid.iter().map(|&whole| excess(whole)).collect();
        for (place, sign) in grid.windows(2).zip(signs.windows(2)) {
            if (sign[0] > 0.0) != (sign[1] > 0.0) {
                points.push(self.p_timeout(root(excess, place[0], place[1])));
            }
        }
        if lambda * (1.0 + self.retries as f64) >= end {
            points.push(1.0);
        }
        points
    }

    /// The largest fresh rate with a healthy state; beyond it collapse is spontaneous.
    pub fn largest_healthy(&self) -> f64 {
        self.peak().1
    }

    /// The top of the curve: whole rate and fresh rate.
    fn peak(&self) -> (f64, f64) {
        let grid: Vec<f64> = self.grid().chain([self.capacity()]).collect();
        let heights: Vec<f64> = grid.iter().map(|&whole| self.fresh(whole)).collect();
        let top = (0..grid.len())
            .max_by(|&i, &j| heights[i].total_cmp(&heights[j]))
            .unwrap_or(0);
        let (mut low, mut high) = (
            grid[top.saturating_sub(1)],
            grid[(top + 1).min(grid.len() - 1)],
        );
        for _ in 0..100 {
            let third = (high - low) / 3.0;
            if self.fresh(low + third) < self.fresh(high - third) {
                low += third;
            } else {
                high -= third;
            }
        }
        let middle = f64::midpoint(low, high);
        let refined = self.fresh(middle);
        if refined > heights[top] {
            (middle, refined)
        } else {
            (grid[top], heights[top])
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_server_has_its_curve_in_closed_form() {
        // M/M/1: p = e^{-(mu - Lambda) T}; each fixed point must reproduce itself.
        let field = MeanField::new(100.0, 1, 0.2, 3).unwrap();
        let points = field.fixed_points(60.0);
        assert_eq!(points.len(), 3);
        for &p in &points[..2] {
            let whole = 60.0 * (1.0 + p + p * p + p * p * p);
            assert!(
                ((-(100.0 - whole) * 0.2).exp() / p - 1.0).abs() < 1e-11,
                "{p}"
            );
        }
        let star = field.largest_healthy();
        assert_eq!(field.fixed_points(star * 0.9999).len(), 3);
        assert_eq!(field.fixed_points(star * 1.0001), [1.0]);
    }

    #[test]
    fn without_retries_every_stable_rate_is_healthy() {
        let field = MeanField::new(1.0, 5, 1.0, 0).unwrap();
        assert!((field.largest_healthy() - 5.0).abs() < 1e-9);
        assert_eq!(field.fixed_points(4.0).len(), 1);
    }
}
