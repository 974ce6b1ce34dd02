//! `queuecast formula`: any closed form or result of the arithmetic of rates by name.
//!
//! Not the formulas.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use serde_json::{Map, Number, Value as Json, json};

use super::exit::{Exit, Failed};
use super::listing::Listing;
use super::options::{Common, Format};
use super::output::print;
use crate::formula::table::{TableError, compute};
use crate::formula::{FormulaError, Params, Value, models, open, parameters};

/// Print a closed form, by model and parameters
///
/// Prints every quantity of a model. Names of models, parameters and quantities
/// are those of queueing theory; rates are per second and times in seconds.
/// `queuecast list models` names the models.
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct Args {
    /// The model: "M/M/c", "M/G/1", "fluid outage, reject"
    #[arg(required_unless_present = "file")]
    model: Option<String>,
    /// Its parameters: lambda=1200 mu=25 c=60
    #[arg(value_name = "KEY=VALUE")]
    params: Vec<String>,
    /// Print only this quantity; it can be any percentile or probability: Wq_p995
    #[arg(long, value_name = "NAME")]
    quantity: Option<String>,
    /// Take questions from a CSV table with the columns model, params ("k=v;k=v")
    /// and quantity, and write it with a column `computed`
    #[arg(
        long, value_name = "TABLE.csv",
        conflicts_with_all = ["model", "params", "quantity", "format"]
    )]
    file: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  queuecast formula \"M/M/c\" lambda=1200 mu=25 c=60
  queuecast formula \"M/M/c\" lambda=1200 mu=25 c=60 --quantity Wq_p999
  queuecast formula --file questions.csv > answers.csv";

/// Runs the command.
pub(super) fn run(args: &Args, common: &Common) -> Result<Exit, Failed> {
    match (&args.file, &args.model) {
        (Some(file), _) => answer_table(file)?,
        (None, Some(model)) => print(&answer(model, args, common.format)?)?,
        (None, None) => return Err(Failed::new("a model or `--file` is needed")),
    }
    Ok(Exit::Done)
}

fn answer(model: &str, args: &Args, format: Format) -> Result<String, Failed> {
    let params: Params = args.params.join(";").parse().map_err(failed)?;
    let solved = open(model, &params).map_err(|error| failed_of(model, error))?;
    if let Some(stray) = params.unread().first() {
        return Err(unread(model, stray));
    }
    let all = solved.all();
    let quantities = match &args.quantity {
        None => all,
        Some(name) => {
            let value = solved.quantity(name).ok_or_else(|| {
                let known: Vec<_> = all.iter().map(|(name, _)| name.as_str()).collect();
                let error = FormulaError::UnknownQuantity(name.clone());
                failed(error).hint(format!("it has {}", known.join(", ")))
            })?;
            vec![(name.clone(), value)]
        }
    };
    if format == Format::Json {
        let entries = quantities
            .iter()
            .map(|(name, value)| (name.clone(), number(*value)));
        let quantities: Map<_, _> = entries.collect();
        return Ok(format!(
            "{:#}\n",
            json!({"model": model, "quantities": quantities})
        ));
    }
    if let (Format::Text, Some(_), [(_, value)]) = (format, &args.quantity, &quantities[..]) {
        return Ok(format!("{value}\n"));
    }
    let mut listing = Listing::new(&["quantity", "value"]);
    for (name, value) in &quantities {
        listing.push([name, &value.to_string()]);
    }
    listing.render(format)
}

/// A value for machines: what is no number is a word.
fn number(value: Value) -> Json {
    match value {
        Value::Number(number) => {
            Number::from_f64(number).map_or_else(|| json!(value.to_string()), Json::Number)
        }
        Value::Count(count) => json!(count),
        Value::Flag(flag) => json!(flag),
        Value::Never | Value::None | Value::Unbounded => json!(value.to_string()),
    }
}

/// A model that does not know a parameter.
fn unread(model: &str, key: &str) -> Failed {
    let known = parameters(model);
    let names = known.iter().map(|(name, _)| name.as_str());
    let likeness = |name: &str| strsim::jaro_winkler(name, key);
    let near = names.filter(|name| likeness(name) > 0.75);
    let near = near.max_by(|a, b| likeness(a).total_cmp(&likeness(b)));
    let near = near.map_or_else(String::new, |name| format!("did you mean `{name}`? "));
    Failed::new(format!("the model has no parameter `{key}`"))
        .hint(format!("{near}it takes {}", taken(model)))
}

/// `lambda (a number, as `0.04` or `1/30`), c (a whole number)`
fn taken(model: &str) -> String {
    let known = parameters(model);
    let told: Vec<_> = known
        .iter()
        .map(|(name, what)| format!("{name} ({what})"))
        .collect();
    told.join(", ")
}

fn failed_of(model: &str, error: FormulaError) -> Failed {
    match &error {
        FormulaError::Missing(_) => {
            let message = error.to_string();
            Failed::new(message).hint(format!("`{model}` takes {}", taken(model)))
        }
        FormulaError::UnknownModel { .. }
        | FormulaError::UnknownQuantity(_)
        | FormulaError::Malformed { .. }
        | FormulaError::OutOfDomain(_) => failed(error),
    }
}

fn failed(error: FormulaError) -> Failed {
    let message = error.to_string();
    match error {
        FormulaError::UnknownModel { .. } => {
            let known: Vec<_> = models().map(|model| format!("`{model}`")).collect();
            Failed::new(message).hint(format!("known models: {}", known.join(", ")))
        }
        FormulaError::Missing(key) => {
            Failed::new(message).hint(format!("write parameters as `{key}=VALUE`"))
        }
        FormulaError::UnknownQuantity(_)
        | FormulaError::Malformed { .. }
        | FormulaError::OutOfDomain(_) => Failed::new(message),
    }
}

fn answer_table(path: &Path) -> Result<(), Failed> {
    let shown = path.display();
    let file = File::open(path);
    let file = file.map_err(|error| Failed::new(format!("cannot read `{shown}`: {error}")))?;
    let mut answer = Vec::new();
    let computed = compute(io::BufReader::new(file), &mut answer);
    computed.map_err(|error: TableError| {
        Failed::new(format!("`{shown}`: {error}"))
            .hint("the first line names the columns: case_id,model,params,quantity")
    })?;
    print(&String::from_utf8_lossy(&answer))
}
