//! How laws are read: a plain quantity, or a name with parameters; and what makes parameters unfit.
//!
//! Not which parameters a law takes: each reads its own in its own file.

use thiserror::Error;

use super::quantity::Quantity;
use super::{Exponential, Law, NAMES};
use crate::input::{Data, Fields, Problem, Problems, Value, Variant};

/// Why numbers are not the parameters of a law, and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{reason}; {help}")]
pub struct Unfit {
    /// The parameter that is to blame.
    pub key: &'static str,
    /// What is wrong, in lower case.
    pub reason: String,
    /// A way out.
    pub help: String,
}

impl Unfit {
    /// `key` is to blame for `reason`; `help` says the way out.
    pub(super) fn new(
        key: &'static str,
        reason: impl Into<String>,
        help: impl Into<String>,
    ) -> Self {
        Self {
            key,
            reason: reason.into(),
            help: help.into(),
        }
    }

    /// Files this as a problem at the parameter's value, or at the table when it has none.
    pub(super) fn file(self, fields: &mut Fields, problems: &mut Problems) {
        let place = match fields.entry(self.key) {
            Some(entry) => entry.value.span.clone(),
            None => fields.place(),
        };
        problems.file(Problem::error(self.reason, place, "").help(self.help));
    }
}

/// Refuses what is not a positive finite number.
pub(super) fn positive(key: &'static str, number: f64) -> Result<(), Unfit> {
    if number.is_finite() && number > 0.0 {
        return Ok(());
    }
    Err(Unfit::new(
        key,
        format!("`{key}` is {number}"),
        format!("give a `{key}` above zero"),
    ))
}

/// Whether one of `forms` (sets of keys) was written: all keys of it and none of another. Files a
/// problem that lists the forms when it is none of them.
pub(super) fn one_form(
    fields: &Fields,
    forms: &[&[&'static str]],
    problems: &mut Problems,
) -> Option<()> {
    let written = |form: &[&str]| form.iter().filter(|key| fields.has(key)).count();
    let mut every: Vec<&str> = forms.concat();
    every.sort_unstable();
    every.dedup();
    let total = written(&every);
    let found = forms
        .iter()
        .any(|form| written(form) == form.len() && total == form.len());
    if !found {
        let given: Vec<_> = every.into_iter().filter(|key| fields.has(key)).collect();
        let title = match given[..] {
            [] => format!("`{}` lacks its parameters", fields.name()),
            _ => format!("`{}` cannot go by {}", fields.name(), listed(&given)),
        };
        let choices: Vec<_> = forms.iter().map(|form| listed(form)).collect();
        let help = format!("give {}", choices.join(", or "));
        problems.file(Problem::error(title, fields.place(), "").help(help));
    }
    found.then_some(())
}

/// `a`, `b` and `c`, in backticks.
pub(super) fn listed(keys: &[&str]) -> String {
    let quoted: Vec<_> = keys.iter().map(|key| format!("`{key}`")).collect();
    match quoted.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, front)) => format!("{} and {last}", front.join(", ")),
        None => String::new(),
    }
}

/// What was read where a law is due.
pub(super) enum Reading<Q> {
    /// A plain quantity, kept as exact as it was written.
    Constant(Q),
    /// Anything else.
    Random(Law),
}

/// Reads a law of `Q`: a plain quantity, or one of the laws with its parameters.
pub(super) fn read<Q: Quantity>(value: &Value, problems: &mut Problems) -> Option<Reading<Q>> {
    let named = match &value.data {
        Data::Table(_) => true,
        Data::String(text) => text.starts_with(|c: char| c.is_ascii_alphabetic()),
        Data::Integer(_) | Data::Float(_) | Data::Boolean(_) | Data::Datetime | Data::Array(_) => {
            false
        }
    };
    if !named {
        return Q::read(value, problems).map(Reading::Constant);
    }
    let variant = Variant::of(value, "a law", &NAMES, problems)?;
    if variant.name == "constant"
        && let Some(body) = variant.body
    {
        return Q::read(body, problems).map(Reading::Constant);
    }
    let mut fields = variant.fields(problems)?;
    let law = match variant.name {
        "exponential" => Exponential::read::<Q>(&mut fields, problems).map(Law::from),
        _ => None,
    };
    fields.close(problems);
    law.map(Reading::Random)
}
