//! The domain of a formula: what its parameters must be, and the error that says so. Formulas
//! check once, in their constructors, and trust their fields afterwards.

/// The parameters are outside the domain of a formula.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct DomainError(String);

impl DomainError {
    pub(crate) fn new(reason: impl Into<String>) -> Self {
        Self(reason.into())
    }
}

/// Counts above this are refused: a recursion over them would not end in useful time.
pub const MOST: u64 = 10_000_000;

/// A finite number above zero.
pub(crate) fn positive(name: &str, value: f64) -> Result<f64, DomainError> {
    if value > 0.0 && value.is_finite() {
        Ok(value)
    } else {
        Err(DomainError(format!(
            "`{name}` must be a finite number above zero, not {value}"
        )))
    }
}

/// A finite number, zero or above.
pub(crate) fn non_negative(name: &str, value: f64) -> Result<f64, DomainError> {
    if value >= 0.0 && value.is_finite() {
        Ok(value)
    } else {
        Err(DomainError(format!(
            "`{name}` must be a finite number from zero up, not {value}"
        )))
    }
}

/// A number from 0 to 1.
pub(crate) fn probability(name: &str, value: f64) -> Result<f64, DomainError> {
    if (0.0..=1.0).contains(&value) {
        Ok(value)
    } else {
        Err(DomainError(format!(
            "`{name}` must be from 0 to 1, not {value}"
        )))
    }
}

/// A whole number between bounds.
pub(crate) fn count(name: &str, value: u64, least: u64, most: u64) -> Result<u64, DomainError> {
    if (least..=most).contains(&value) {
        Ok(value)
    } else {
        Err(DomainError(format!(
            "`{name}` must be from {least} to {most}, not {value}"
        )))
    }
}

/// A load below one.
pub(crate) fn stable(rho: f64) -> Result<f64, DomainError> {
    if rho < 1.0 - 1e-12 {
        Ok(rho)
    } else {
        Err(DomainError(format!(
            "there is no steady state at a utilization of {rho}"
        )))
    }
}
