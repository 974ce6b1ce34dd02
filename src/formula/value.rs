//! What a formula answers, printed as the reference tables print it. No units: seconds, rates per
//! second and plain numbers are all bare here, as in the tables.

use std::fmt;

/// One answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// A real number; infinity prints as `inf`.
    Number(f64),
    /// A count of things.
    Count(u64),
    /// A yes or no.
    Flag(bool),
    /// It does not happen at any time.
    Never,
    /// There is no such thing.
    None,
    /// It grows without limit.
    Unbounded,
}

impl Value {
    pub(crate) fn is_nan(self) -> bool {
        matches!(self, Self::Number(number) if number.is_nan())
    }
}

impl From<f64> for Value {
    fn from(number: f64) -> Self {
        Self::Number(number)
    }
}

impl From<u64> for Value {
    fn from(count: u64) -> Self {
        Self::Count(count)
    }
}

impl From<bool> for Value {
    fn from(flag: bool) -> Self {
        Self::Flag(flag)
    }
}

impl fmt::Display for Value {
    /// A number prints with the fewest digits, at most 17, that read back as the same number.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => write!(f, "{number:?}"),
            Self::Count(count) => write!(f, "{count}"),
            Self::Flag(flag) => write!(f, "{flag}"),
            Self::Never => f.write_str("never"),
            Self::None => f.write_str("none"),
            Self::Unbounded => f.write_str("unbounded"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prints_as_the_tables_do() {
        let printed = |value: Value| value.to_string();
        assert_eq!(printed(48.0.into()), "48.0");
        assert_eq!(printed(2.384186359449949e-7.into()), "2.384186359449949e-7");
        assert_eq!(printed((1.0 / 3.0).into()), "0.3333333333333333");
        assert_eq!(printed(f64::INFINITY.into()), "inf");
        assert_eq!(printed(59_u64.into()), "59");
        assert_eq!(printed(true.into()), "true");
        assert_eq!(printed(Value::Never), "never");
    }
}
