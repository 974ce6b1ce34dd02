//! The constant law: always the same number.
//!
//! Not how an exact duration is kept: [`super::DurationLaw`] keeps that beside the law.

use rand::Rng;

use super::reading::Unfit;

/// Always `value`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Constant {
    value: f64,
}

impl Constant {
    /// The law that always gives `value`.
    ///
    /// # Errors
    /// When it is negative or no finite number.
    pub fn new(value: f64) -> Result<Self, Unfit> {
        if value.is_finite() && value >= 0.0 {
            return Ok(Self { value });
        }
        Err(Unfit::new(
            "value",
            format!("{value} cannot be a constant"),
            "give it zero or more",
        ))
    }

    #[inline]
    pub(super) fn draw<R: Rng>(self, _rng: &mut R) -> f64 {
        self.value
    }

    pub(super) fn mean(self) -> f64 {
        self.value
    }

    #[expect(clippy::unused_self, reason = "one shape for all laws")]
    pub(super) fn variance(self) -> f64 {
        0.0
    }

    pub(super) fn third_moment(self) -> f64 {
        self.value.powi(3)
    }

    pub(super) fn cdf(self, x: f64) -> f64 {
        if x < self.value { 0.0 } else { 1.0 }
    }

    pub(super) fn quantile(self, _p: f64) -> f64 {
        self.value
    }

    pub(super) fn max(self) -> f64 {
        self.value
    }

    pub(super) fn scaled(self, factor: f64) -> Self {
        Self {
            value: self.value * factor,
        }
    }

    pub(super) fn words(self, show: fn(f64) -> String) -> String {
        format!("constant, {}", show(self.value))
    }
}
