//! How laws are read: a plain quantity, or a name with parameters; and what makes parameters unfit.
//!
//! Not which parameters a law takes: each reads its own in its own file.

use thiserror::Error;

use super::quantity::Quantity;
use super::{
    Empirical, Erlang, Exponential, Gamma, Hyperexponential, Law, Lognormal, Mixture, NAMES,
    Pareto, Uniform, Weibull,
};
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

    /// The same, with another parameter to blame.
    #[must_use]
    pub(super) fn at(mut self, key: &'static str) -> Self {
        let (old, new) = (format!("`{}`", self.key), format!("`{key}`"));
        self.reason = self.reason.replace(&old, &new);
        self.help = self.help.replace(&old, &new);
        self.key = key;
        self
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

/// Whether one of `forms` (sets of keys) was written: all keys of it and none of another. Files one
/// problem that lists the forms when it is none of them.
pub(super) fn one_form(
    fields: &mut Fields,
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
        // One error for one mistake: what other laws take is part of it.
        every.extend(
            ["mean", "cv"]
                .into_iter()
                .chain(QUANTILES.map(|(key, _)| key)),
        );
        every.sort_unstable();
        every.dedup();
        let given: Vec<_> = every
            .into_iter()
            .filter(|key| fields.entry(key).is_some())
            .collect();
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

/// The least x in [low, high] with cdf(x) >= p, by bisection to the last bit; `high` when the
/// two ends are one.
pub(super) fn invert(cdf: impl Fn(f64) -> f64, p: f64, mut low: f64, mut high: f64) -> f64 {
    if cdf(low) >= p {
        return low;
    }
    loop {
        let middle = f64::midpoint(low, high);
        if middle <= low || middle >= high {
            return high;
        }
        if cdf(middle) >= p {
            high = middle;
        } else {
            low = middle;
        }
    }
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

/// Quantiles as they are written, with their shares.
const QUANTILES: [(&str, f64); 15] = [
    ("p1", 0.01),
    ("p5", 0.05),
    ("p10", 0.1),
    ("p20", 0.2),
    ("p25", 0.25),
    ("p40", 0.4),
    ("p50", 0.5),
    ("p60", 0.6),
    ("p75", 0.75),
    ("p80", 0.8),
    ("p90", 0.9),
    ("p95", 0.95),
    ("p99", 0.99),
    ("p999", 0.999),
    ("p9999", 0.9999),
];

/// One quantile as it was given.
pub(super) struct Given {
    pub(super) key: &'static str,
    pub(super) share: f64,
    pub(super) at: f64,
}

/// Every quantile that is given, by rising share; `None` when one of them is wrong.
pub(super) fn quantiles<Q: Quantity>(
    fields: &mut Fields,
    problems: &mut Problems,
) -> Option<Vec<Given>> {
    let mut all = Vec::new();
    let mut wrong = false;
    for (key, share) in QUANTILES {
        match fields.optional::<Q>(key, problems) {
            Some(at) => all.push(Given {
                key,
                share,
                at: at.number(),
            }),
            None => wrong |= fields.has(key),
        }
    }
    (!wrong).then_some(all)
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
    if variant.name == "mixture"
        && let Some(body) = variant.body
    {
        return Mixture::read::<Q>(body, problems).map(|law| Reading::Random(law.into()));
    }
    let mut fields = variant.fields(problems)?;
    let law = match variant.name {
        "exponential" => Exponential::read::<Q>(&mut fields, problems).map(Law::from),
        "uniform" => Uniform::read::<Q>(&mut fields, problems).map(Law::from),
        "erlang" => Erlang::read::<Q>(&mut fields, problems).map(Law::from),
        "gamma" => Gamma::read::<Q>(&mut fields, problems).map(Law::from),
        "hyperexponential" => Hyperexponential::read::<Q>(&mut fields, problems).map(Law::from),
        "lognormal" => Lognormal::read::<Q>(&mut fields, problems).map(Law::from),
        "weibull" => Weibull::read::<Q>(&mut fields, problems).map(Law::from),
        "pareto" => Pareto::read::<Q>(&mut fields, problems).map(Law::from),
        "empirical" => Empirical::read::<Q>(&mut fields, problems).map(Law::from),
        _ => None,
    };
    fields.close(problems);
    law.map(Reading::Random)
}
