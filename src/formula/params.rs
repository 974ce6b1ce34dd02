//! Parameters written `k=v;k=v`, as in the reference tables. Reads text into numbers; what is a
//! sensible number is each model's own business.

use std::cell::RefCell;
use std::str::FromStr;

use num_rational::Ratio;

use super::FormulaError;
use super::law::Law;

/// An exact fraction.
pub type Fraction = Ratio<i128>;

/// The parameters of one model, in the order written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Params {
    entries: Vec<(String, String)>,
    /// What has been asked for.
    asked: RefCell<Vec<String>>,
}

impl FromStr for Params {
    type Err = FormulaError;

    /// Splits at `;` outside parentheses, then at the first `=`.
    fn from_str(text: &str) -> Result<Self, FormulaError> {
        let mut entries = Vec::new();
        for part in split_outside(text, ';')
            .into_iter()
            .filter(|part| !part.is_empty())
        {
            let malformed = |expected| FormulaError::Malformed {
                key: part.to_owned(),
                value: String::new(),
                expected,
            };
            let (key, value) = part
                .split_once('=')
                .ok_or_else(|| malformed("`key=value`"))?;
            let key = key.trim().to_owned();
            if entries.iter().any(|(known, _)| *known == key) {
                return Err(malformed("each key once"));
            }
            entries.push((key, value.trim().to_owned()));
        }
        Ok(Self::from_pairs(entries))
    }
}

impl Params {
    /// From keys and values that are already apart, as on a command line.
    pub fn from_pairs(entries: Vec<(String, String)>) -> Self {
        Self {
            entries,
            asked: RefCell::default(),
        }
    }

    /// The names of the parameters, in the order written.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.entries.iter().map(|(key, _)| key.as_str())
    }

    /// The parameters that nobody has asked for.
    pub fn unread(&self) -> Vec<&str> {
        let asked = self.asked.borrow();
        let unread = |key: &&str| !asked.iter().any(|it| it == key);
        self.keys().filter(unread).collect()
    }

    /// The text of a parameter, if present.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.asked.borrow_mut().push(key.to_owned());
        self.entries
            .iter()
            .find(|(name, _)| name == key)
            .map(|(_, value)| value.as_str())
    }

    /// The text of a parameter.
    ///
    /// # Errors
    /// It is missing.
    pub fn text(&self, key: &str) -> Result<&str, FormulaError> {
        self.get(key)
            .ok_or_else(|| FormulaError::Missing(key.to_owned()))
    }

    /// A finite number: a decimal, or a fraction of decimals such as `1/0.8`.
    ///
    /// # Errors
    /// It is missing or not such a number.
    pub fn number(&self, key: &str) -> Result<f64, FormulaError> {
        self.read(key, "a number, as `0.04` or `1/30`", number)
    }

    /// The same number, exactly.
    ///
    /// # Errors
    /// It is missing, not a number, or has too many digits.
    pub fn fraction(&self, key: &str) -> Result<Fraction, FormulaError> {
        self.read(
            key,
            "a decimal or a fraction of at most 30 digits",
            fraction,
        )
    }

    /// The same, or `None` for the word `none`.
    ///
    /// # Errors
    /// As [`Self::fraction`].
    pub fn fraction_or_none(&self, key: &str) -> Result<Option<Fraction>, FormulaError> {
        match self.text(key)? {
            "none" => Ok(None),
            _ => self.fraction(key).map(Some),
        }
    }

    /// A whole number, not negative.
    ///
    /// # Errors
    /// It is missing or not whole.
    pub fn count(&self, key: &str) -> Result<u64, FormulaError> {
        self.read(key, "a whole number", |text| {
            let whole = text.split_once('.').map_or(text, |(whole, zeros)| {
                if zeros.bytes().all(|byte| byte == b'0') {
                    whole
                } else {
                    text
                }
            });
            whole.parse().ok()
        })
    }

    /// A law with its mean inside, such as `erlang(k=2,mean=1)`.
    ///
    /// # Errors
    /// It is missing or not a known law.
    pub fn law(&self, key: &str) -> Result<Law, FormulaError> {
        self.read(
            key,
            "a law with its mean, as `erlang(k=2,mean=1)`",
            |text| Law::parse(text, None),
        )
    }

    /// A law whose mean is given apart, such as `erlang(k=2)`.
    ///
    /// # Errors
    /// It is missing or not a known law.
    pub fn law_of_mean(&self, key: &str, mean: f64) -> Result<Law, FormulaError> {
        self.read(key, "a law, as `erlang(k=2)`", |text| {
            Law::parse(text, Some(mean))
        })
    }

    fn read<T>(
        &self,
        key: &str,
        expected: &'static str,
        parse: impl Fn(&str) -> Option<T>,
    ) -> Result<T, FormulaError> {
        let value = self.text(key)?;
        parse(value).ok_or_else(|| FormulaError::Malformed {
            key: key.to_owned(),
            value: value.to_owned(),
            expected,
        })
    }
}

/// A finite number from a decimal or a fraction of decimals.
pub(crate) fn number(text: &str) -> Option<f64> {
    let decimal = |text: &str| text.trim().parse::<f64>().ok();
    let value = match text.split_once('/') {
        Some((above, below)) => decimal(above)? / decimal(below)?,
        None => decimal(text)?,
    };
    value.is_finite().then_some(value)
}

/// The same, exactly; `None` also beyond 30 digits.
pub(crate) fn fraction(text: &str) -> Option<Fraction> {
    match text.split_once('/') {
        Some((above, below)) => {
            let (above, below) = (decimal_fraction(above)?, decimal_fraction(below)?);
            num_traits::CheckedDiv::checked_div(&above, &below)
        }
        None => decimal_fraction(text),
    }
}

fn decimal_fraction(text: &str) -> Option<Fraction> {
    let text = text.trim();
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i32>().ok()?),
        None => (text, 0),
    };
    let (whole, decimals) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{decimals}");
    let signless = digits.strip_prefix(['-', '+']).unwrap_or(&digits);
    if signless.is_empty() || digits.len() > 31 || !signless.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let mantissa = digits.parse::<i128>().ok()?;
    let exponent = exponent.checked_sub(i32::try_from(decimals.len()).ok()?)?;
    let scale = 10_i128
        .checked_pow(exponent.unsigned_abs())
        .filter(|_| exponent.abs() <= 30)?;
    if exponent < 0 {
        Some(Fraction::new(mantissa, scale))
    } else {
        mantissa.checked_mul(scale).map(Fraction::from_integer)
    }
}

/// Splits at `separator` wherever no parenthesis is open.
pub(crate) fn split_outside(text: &str, separator: char) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut depth, mut start) = (0_usize, 0);
    for (at, letter) in text.char_indices() {
        match letter {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ if letter == separator && depth == 0 => {
                parts.push(text[start..at].trim());
                start = at + letter.len_utf8();
            }
            _ => {}
        }
    }
    parts.push(text[start..].trim());
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_every_form_of_the_tables() {
        let text = "lambda=0.5;theta=1/30;c=2;bound=none;service=hyperexp2(p=0.9,rate1=2,rate2=1)";
        let params: Params = text.parse().unwrap();
        assert_eq!(params.number("lambda"), Ok(0.5));
        assert_eq!(params.number("theta"), Ok(1.0 / 30.0));
        assert_eq!(params.fraction("theta"), Ok(Fraction::new(1, 30)));
        assert_eq!(params.count("c"), Ok(2));
        assert_eq!(params.fraction_or_none("bound"), Ok(None));
        assert_eq!(
            params.law("service"),
            Ok(Law::Hyperexp2 {
                p: 0.9,
                rate1: 2.0,
                rate2: 1.0
            })
        );
        assert_eq!(params.number("mu"), Err(FormulaError::Missing("mu".into())));
    }

    #[test]
    fn odd_text_is_an_error_and_never_a_panic() {
        for odd in ["lambda", "a=1;a=2", "=;=", "a==;b=(((;c=)"] {
            let _: Result<Params, _> = odd.parse();
        }
        let params: Params = "a=1e400;b=1/0;c=-1;d=;e=1e99;f=.;g=--1;h=é;i=1.5"
            .parse()
            .unwrap();
        for key in ["a", "b", "d", "f", "g", "h"] {
            assert!(params.number(key).is_err(), "{key}");
        }
        for key in ["a", "b", "d", "e", "f", "g", "h"] {
            assert!(params.fraction(key).is_err(), "{key}");
        }
        for key in ["c", "d", "f", "h", "i"] {
            assert!(params.count(key).is_err(), "{key}");
        }
    }

    #[test]
    fn fractions_are_exact() {
        assert_eq!(fraction("0.07"), Some(Fraction::new(7, 100)));
        assert_eq!(fraction("1/0.8"), Some(Fraction::new(5, 4)));
        assert_eq!(fraction("1e3"), Some(Fraction::from_integer(1000)));
        assert_eq!(fraction("-2.5e-1"), Some(Fraction::new(-1, 4)));
    }
}
