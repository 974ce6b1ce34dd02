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

#[cfg(test)]
mod tests {
    use super::super::testing;
    use super::*;
    use crate::random::{CountLaw, DurationLaw, Law, SizeLaw};
    use crate::units::SimDuration;

    #[test]
    fn never_varies_and_draws_nothing() {
        let law = Law::from(Constant::new(2.0).expect("fits"));
        assert!(law.variance().abs() < f64::MIN_POSITIVE && law.scv().abs() < f64::MIN_POSITIVE);
        testing::draws(&law, [2.0; 5]);
        assert!(law.cdf(1.999).abs() < 1e-15 && (law.cdf(2.0) - 1.0).abs() < 1e-15);
        let mut rng = testing::stream();
        let first = testing::stream().next_u64();
        law.draw(&mut rng);
        assert_eq!(rng.next_u64(), first);
    }

    #[test]
    fn reads_exactly() {
        let year = "365d 1ns";
        let law: DurationLaw = testing::read(&format!("\"{year}\"")).expect("a law");
        let span: SimDuration = year.parse().expect("a duration");
        assert_eq!(law.draw(&mut testing::stream()), span);
        assert_eq!(
            law,
            testing::read(&format!("{{ constant = \"{year}\" }}")).expect("a law")
        );
        let count: CountLaw = testing::read("17").expect("a law");
        assert_eq!(count.draw(&mut testing::stream()), 17);
        let size: SizeLaw = testing::read("\"2KiB\"").expect("a law");
        assert_eq!(size.draw(&mut testing::stream()), 2048);
        assert_eq!(size.to_string(), "constant, 2KiB");
        assert!(testing::refused::<CountLaw>("2.5").contains("not whole"));
        assert!(testing::refused::<DurationLaw>("40").contains("without a unit"));
        assert!(testing::refused::<DurationLaw>("\"exponental\"").contains("`exponential`"));
        assert!(testing::refused::<DurationLaw>("\"exponential\"").contains("needs its param"));
    }
}
