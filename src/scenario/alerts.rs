//! `[[alerts]]`, `[[expect]]` and `[[objectives]]`: what is asked while a run goes on, and what is
//! asked of its results.
//!
//! Not the conditions' language: that is in [`super::condition`].

use super::condition::{Condition, Test};
use super::metrics::Metrics;
use super::reading::pace;
use crate::input::{Fields, Problem, Problems, Span, Value};
use crate::model::{Alert, Comparison};
use crate::units::SimDuration;

const EVERY: SimDuration = SimDuration::from_secs(1);

/// Reads one alert.
pub(super) fn alert(
    value: &Value,
    metrics: &Metrics<'_>,
    problems: &mut Problems,
) -> Option<Alert> {
    let mut fields = Fields::open(value, "alerts", problems)?;
    let name = fields.optional::<String>("name", problems);
    let when = fields.required_spanned::<String>("when", problems);
    let hold = fields.or("for", SimDuration::ZERO, problems);
    let every = pace(&mut fields, "every", problems).unwrap_or(EVERY);
    fields.close(problems);
    let when = when?;
    let (signal, condition) = metrics.watch(&when, problems)?;
    let (comparison, threshold) = watched(&condition, &when.span, problems)?;
    let text = condition.text;
    let name = name.unwrap_or_else(|| text.clone());
    Some(Alert {
        name,
        text,
        signal,
        comparison,
        threshold,
        hold,
        every,
    })
}

fn watched(
    condition: &Condition,
    place: &Span,
    problems: &mut Problems,
) -> Option<(Comparison, f64)> {
    match condition.test {
        Test::Is(comparison, threshold) => Some((comparison, threshold)),
        Test::Near { .. } | Test::Never | Test::Happened => {
            let title = "an alert compares with a threshold";
            let problem = Problem::error(title, place.clone(), "no threshold");
            problems.file(problem.help("write `METRIC > QUANTITY`"));
            None
        }
    }
}

/// Reads one expectation or objective: `{ that = "…" }`.
pub(super) fn that(
    value: &Value,
    section: &str,
    metrics: &Metrics<'_>,
    problems: &mut Problems,
) -> Option<Condition> {
    let mut fields = Fields::open(value, section, problems)?;
    let that = fields.required_spanned::<String>("that", problems);
    fields.close(problems);
    metrics.condition(&that?, problems)
}
