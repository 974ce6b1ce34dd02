//! `[sweep]`: which keys vary, how they go together, and what is shown.
//!
//! Not the keys' values one by one: each is read when its point is compiled.

use super::values;
use super::{Axis, Walk, dotted};
use crate::input::{Data, Entry, Fields, Problem, Problems, Spanned, Value};
use crate::scenario::metrics::Metrics;

/// What `[sweep]` says; nothing when it is not there.
#[derive(Clone, Debug, Default)]
pub struct Sweep {
    /// The metrics to show; empty for those that move.
    pub show: Vec<String>,
    pub(in crate::scenario) axes: Vec<Axis>,
    pub(in crate::scenario) walk: Walk,
}

impl Sweep {
    /// Which keys vary, and how; `None` when none does.
    pub(in crate::scenario) fn in_words(&self) -> Option<String> {
        let axis = |axis: &Axis| match axis.settings.len() {
            1 => format!("{} 1 value", axis.key),
            many => format!("{} {many} values", axis.key),
        };
        let axes: Vec<_> = self.axes.iter().map(axis).collect();
        let how = match self.walk {
            Walk::Grid => " by ",
            Walk::Paired => " beside ",
        };
        (!axes.is_empty()).then(|| format!("`queuecast sweep` varies {}", axes.join(how)))
    }
}

/// Reads the section, which may be missing.
pub(in crate::scenario) fn read(
    value: Option<&Value>,
    metrics: &Metrics<'_>,
    problems: &mut Problems,
) -> Sweep {
    let mut sweep = Sweep::default();
    let fields = value.and_then(|value| Fields::open(value, "sweep", problems));
    let Some(mut fields) = fields else {
        return sweep;
    };
    if let Some(entry) = fields.entry("vary") {
        match &entry.value.data {
            Data::Table(table) => below(&[], &table.entries, &mut sweep.axes, problems),
            Data::String(_)
            | Data::Integer(_)
            | Data::Float(_)
            | Data::Boolean(_)
            | Data::Datetime
            | Data::Array(_) => {
                let title = format!("`vary` takes a table of keys, not {}", entry.value.kind());
                let problem = Problem::error(title, entry.value.span.clone(), "expected a table");
                let way = "write `vary = { \"consumers.fleet.count\" = \"48..80:4\" }`";
                problems.file(problem.help(way));
            }
        }
    }
    if fields.or("pair", false, problems) {
        sweep.walk = Walk::Paired;
    }
    for name in fields.or("show", Vec::<Spanned<String>>::new(), problems) {
        metrics.check_name(&name, problems);
        sweep.show.push(name.it);
    }
    fields.close(problems);
    super::check(&sweep.axes, sweep.walk, problems);
    sweep
}

/// The keys of a table and of the tables in it: `consumers.fleet.count` in quotes is one key of
/// TOML, without quotes it is three.
fn below(
    path: &[Spanned<String>],
    entries: &[Entry],
    axes: &mut Vec<Axis>,
    problems: &mut Problems,
) {
    for entry in entries {
        let mut path = path.to_vec();
        path.extend(entry.key.split('.').map(|key| Spanned {
            it: key.trim().to_owned(),
            span: entry.key_span.clone(),
        }));
        if path.iter().any(|key| key.it.is_empty()) {
            let title = format!("`{}` is not the name of a key", entry.key);
            let label = "names have dots between their parts";
            problems.file(Problem::error(title, entry.key_span.clone(), label));
            continue;
        }
        let value = &entry.value;
        let settings = match &value.data {
            Data::Table(table) => {
                below(&path, &table.entries, axes, problems);
                continue;
            }
            Data::Array(items) if items.is_empty() => {
                let title = format!("`{}` takes no value at all", entry.key);
                problems.file(Problem::error(title, value.span.clone(), "empty"));
                continue;
            }
            Data::Array(items) => {
                let settings = values::listed(items);
                values::no_twins(&settings, &value.span, problems).then_some(settings)
            }
            Data::String(text) => {
                let whole = Spanned {
                    it: text.clone(),
                    span: value.span.clone(),
                };
                values::read(&whole, problems)
            }
            Data::Integer(_) | Data::Float(_) | Data::Boolean(_) | Data::Datetime => {
                Some(values::listed(std::slice::from_ref(value)))
            }
        };
        if let Some(settings) = settings {
            axes.push(Axis {
                key: dotted(&path),
                settings,
                path,
            });
        }
    }
}
