//! Any closed form by the model, parameter and quantity names of the reference tables.
//!
//! Dispatch only: no mathematics is done here. Each family of models lives in its own file, lists
//! the models it knows and turns parameters into a [`Solved`], which answers by quantity name.
//! A new family is one file and one line of `FAMILIES`.

mod discrete_outage;
mod fluid;
mod general;
pub mod law;
mod many_servers;
mod markov;
mod names;
mod output_analysis;
pub mod params;
mod retry;
mod sizing;
pub mod table;
mod value;
mod variants;

pub use params::Params;
pub use value::Value;

use crate::theory::domain::DomainError;

/// Every family of models, each from its own file.
const FAMILIES: &[&Family] = &[
    &general::FAMILY,
    &many_servers::FAMILY,
    &output_analysis::FAMILY,
    &markov::FAMILY,
    &variants::FAMILY,
    &sizing::FAMILY,
    &retry::FAMILY,
    &fluid::FAMILY,
    &discrete_outage::FAMILY,
];

/// Some models that share a file: their names and the function that solves one of them.
pub(crate) struct Family {
    /// The exact names, as the tables write them.
    pub(crate) models: &'static [&'static str],
    /// Solves one of `models` for its parameters.
    pub(crate) open: fn(&str, &Params) -> Result<Solved, FormulaError>,
}

/// Why a formula has no answer.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum FormulaError {
    /// No family knows the model.
    #[error("no formula is known for the model `{model}`{}", hint(.near.as_deref()))]
    UnknownModel {
        /// What was asked for.
        model: String,
        /// The known name that looks most like it.
        near: Option<String>,
    },
    /// The model is known, the quantity is not.
    #[error("the model has no quantity `{0}`")]
    UnknownQuantity(String),
    /// A parameter which the model needs is absent.
    #[error("the parameter `{0}` is missing")]
    Missing(String),
    /// A parameter cannot be read.
    #[error("`{key}={value}` cannot be read: expected {expected}")]
    Malformed {
        /// The parameter.
        key: String,
        /// Its text.
        value: String,
        /// What would be read.
        expected: &'static str,
    },
    /// The parameters are readable, but outside the domain of the formula.
    #[error("{0}")]
    OutOfDomain(String),
}

impl From<DomainError> for FormulaError {
    fn from(error: DomainError) -> Self {
        Self::OutOfDomain(error.to_string())
    }
}

fn hint(near: Option<&str>) -> String {
    near.map_or_else(String::new, |name| format!("; did you mean `{name}`?"))
}

/// One model solved for one set of parameters: answers any number of questions by name.
pub struct Solved {
    names: Vec<String>,
    answer: Answer,
}

type Answer = Box<dyn Fn(&str) -> Option<Value>>;

impl std::fmt::Debug for Solved {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Solved")
            .field("names", &self.names)
            .finish_non_exhaustive()
    }
}

impl Solved {
    /// `names` are listed when everything is asked for; `answer` may know more of them, such as a
    /// percentile or a probability at any other point.
    pub(crate) fn new(names: &[&str], answer: impl Fn(&str) -> Option<Value> + 'static) -> Self {
        let names = names.iter().map(|&name| name.to_owned()).collect();
        Self {
            names,
            answer: Box::new(answer),
        }
    }

    /// The value of one quantity; `None` when the model has no such quantity or no such value.
    pub fn quantity(&self, name: &str) -> Option<Value> {
        (self.answer)(name).filter(|value| !value.is_nan())
    }

    /// Every quantity the model lists by default, in the order of the tables.
    pub fn all(&self) -> Vec<(String, Value)> {
        let known = |name: &String| self.quantity(name).map(|value| (name.clone(), value));
        self.names.iter().filter_map(known).collect()
    }
}

/// Solves `model` for parameters written `k=v;k=v`.
///
/// # Errors
/// The model is unknown, or a parameter is missing, unreadable or outside the formula's domain.
pub fn open(model: &str, params: &Params) -> Result<Solved, FormulaError> {
    let model = model.trim();
    match FAMILIES
        .iter()
        .find(|family| family.models.contains(&model))
    {
        Some(family) => (family.open)(model, params),
        None => Err(FormulaError::UnknownModel {
            model: model.to_owned(),
            near: nearest(model),
        }),
    }
}

/// The parameters that `model` reads, in the order in which it does, with what each is; those that
/// it reads only where others have certain values may be missing. Empty for an unknown model.
pub fn parameters(model: &str) -> Vec<(String, &'static str)> {
    const MOST: usize = 100;
    let mut found: Vec<(String, &'static str)> = Vec::new();
    let mut given: Vec<(String, String)> = Vec::new();
    for _ in 0..MOST {
        match open(model, &Params::from_pairs(given.clone())) {
            Err(FormulaError::Missing(key)) => {
                found.push((key.clone(), "a word"));
                // No number and no law: what is expected is then said.
                given.push((key, "?".to_owned()));
            }
            Err(FormulaError::Malformed { key, expected, .. }) => {
                let value = match expected {
                    _ if expected.starts_with("a law with") => "exponential(mean=1)",
                    _ if expected.starts_with("a law") => "exponential",
                    _ => "1",
                };
                let known = given.iter_mut().find(|(it, _)| *it == key);
                let (Some(known), Some(told)) =
                    (known, found.iter_mut().find(|(it, _)| *it == key))
                else {
                    break;
                };
                if known.1 != "?" {
                    break;
                }
                (known.1, told.1) = (value.to_owned(), expected);
            }
            Err(
                FormulaError::UnknownModel { .. }
                | FormulaError::UnknownQuantity(_)
                | FormulaError::OutOfDomain(_),
            )
            | Ok(_) => break,
        }
    }
    found
}

/// Every quantity of `model`.
///
/// # Errors
/// As [`open`]; also when `params` is not of the form `k=v;k=v`.
pub fn evaluate(model: &str, params: &str) -> Result<Vec<(String, Value)>, FormulaError> {
    Ok(open(model, &params.parse()?)?.all())
}

/// One quantity of `model`; `quantity` may carry any argument, as in `Wq_p995` or `P(Wq>0.25)`.
///
/// # Errors
/// As [`evaluate`]; also when the model has no such quantity.
pub fn quantity(model: &str, params: &str, quantity: &str) -> Result<Value, FormulaError> {
    open(model, &params.parse()?)?
        .quantity(quantity)
        .ok_or_else(|| FormulaError::UnknownQuantity(quantity.to_owned()))
}

/// The names of all known models.
pub fn models() -> impl Iterator<Item = &'static str> {
    FAMILIES
        .iter()
        .flat_map(|family| family.models.iter().copied())
}

fn nearest(model: &str) -> Option<String> {
    models()
        .map(|name| {
            (
                strsim::jaro_winkler(&name.to_lowercase(), &model.to_lowercase()),
                name,
            )
        })
        .filter(|&(likeness, _)| likeness > 0.75)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, name)| name.to_owned())
}
