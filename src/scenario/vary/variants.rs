//! `[compare]`: one incident and its answers, each a name and the keys that it changes.
//!
//! Not the values: they are read when a variant is compiled.

use super::{Axis, Grid, Walk, check, dotted, values};
use crate::input::{Data, Entry, Fields, Problem, Problems, Spanned, Value};
use crate::scenario::metrics::Metrics;
use crate::scenario::{Failure, Point, Scenario};

/// What `[compare]` says; nothing when it is not there.
#[derive(Clone, Debug, Default)]
pub struct Variants {
    /// What the scenario as it stands is called.
    pub baseline: Option<String>,
    /// The metrics that the question is about; empty for all.
    pub show: Vec<String>,
    /// What is compared with it, in the order of the file.
    pub list: Vec<Variant>,
}

/// The scenario with some keys changed.
#[derive(Clone, Debug)]
pub struct Variant {
    /// What it is called.
    pub name: String,
    /// What it changes: keys with one value each.
    changes: Vec<Axis>,
}

impl Variant {
    /// The keys that it changes, and their values as they are written behind `--set KEY=`.
    pub fn set(&self) -> impl Iterator<Item = (&str, &str)> {
        let changes = self.changes.iter();
        changes.map(|axis| (axis.key.as_str(), axis.settings[0].text.as_str()))
    }
}

impl Variants {
    /// What is compared with what; `None` when nothing is.
    pub(in crate::scenario) fn in_words(&self) -> Option<String> {
        let names: Vec<_> = self.list.iter().map(|it| it.name.as_str()).collect();
        let baseline = self.baseline.as_deref().unwrap_or("it as it stands");
        let with = names.join(", ");
        (!names.is_empty()).then(|| format!("`queuecast compare` holds {baseline} against {with}"))
    }
}

impl Scenario {
    /// Lays the changes of a variant over the scenario and reads it like the file.
    ///
    /// # Errors
    /// When a key or a value is wrong.
    pub fn variant(&self, variant: &Variant) -> Result<Point, Failure> {
        let grid = Grid {
            scenario: self,
            axes: variant.changes.clone(),
            walk: Walk::Paired,
            sources: self.sources.clone(),
        };
        grid.compile(0)
    }
}

/// Reads the section, which may be missing.
pub(in crate::scenario) fn read(
    value: Option<&Value>,
    metrics: &Metrics<'_>,
    problems: &mut Problems,
) -> Variants {
    let mut variants = Variants::default();
    let fields = value.and_then(|value| Fields::open(value, "compare", problems));
    let Some(mut fields) = fields else {
        return variants;
    };
    variants.baseline = fields.optional("baseline", problems);
    for name in fields.or("show", Vec::<Spanned<String>>::new(), problems) {
        metrics.check_name(&name, problems);
        variants.show.push(name.it);
    }
    if let Some(entry) = fields.entry("variants") {
        let read = |entry: &Entry| variant(entry, problems);
        let way = "write `[compare.variants.NAME]`, and below it `\"consumers.fleet.count\" = 75`";
        match table(&entry.value) {
            Some(entries) => variants.list = entries.iter().filter_map(read).collect(),
            None => problems.file(no_table("variants", &entry.value).help(way)),
        }
    }
    fields.close(problems);
    variants
}

fn table(value: &Value) -> Option<&[Entry]> {
    match &value.data {
        Data::Table(table) => Some(&table.entries),
        Data::String(_)
        | Data::Integer(_)
        | Data::Float(_)
        | Data::Boolean(_)
        | Data::Datetime
        | Data::Array(_) => None,
    }
}

fn no_table(key: &str, value: &Value) -> Problem {
    let title = format!("`{key}` takes a table, not {}", value.kind());
    Problem::error(title, value.span.clone(), "expected a table")
}

fn variant(entry: &Entry, problems: &mut Problems) -> Option<Variant> {
    let way = "write `\"consumers.fleet.count\" = 75` below its name";
    let Some(entries) = table(&entry.value) else {
        problems.file(no_table(&entry.key, &entry.value).help(way));
        return None;
    };
    if entries.is_empty() {
        let title = format!("the variant `{}` changes nothing", entry.key);
        problems.file(Problem::error(title, entry.key_span.clone(), "no keys").help(way));
        return None;
    }
    let changes: Option<Vec<Axis>> = entries.iter().map(|it| change(it, problems)).collect();
    let changes = changes?;
    check(&changes, Walk::Paired, problems);
    Some(Variant {
        name: entry.key.clone(),
        changes,
    })
}

/// `"consumers.fleet.count" = 75`. In quotes: `on_full = { block = {} }` is one value, and without
/// quotes nobody could tell where its key ends.
fn change(entry: &Entry, problems: &mut Problems) -> Option<Axis> {
    let path: Vec<_> = entry.key.split('.').map(str::trim).collect();
    let is_section = path.len() == 1 && table(&entry.value).is_some();
    if is_section || path.iter().any(|key| key.is_empty()) {
        let title = format!("`{}` is not the whole name of a key", entry.key);
        let label = "names have dots between their parts, and stand in quotes";
        let problem = Problem::error(title, entry.key_span.clone(), label);
        problems.file(problem.help("write `\"consumers.fleet.count\" = 75`"));
        return None;
    }
    let spanned = |key: &str| Spanned {
        it: key.to_owned(),
        span: entry.key_span.clone(),
    };
    let path: Vec<_> = path.into_iter().map(spanned).collect();
    Some(Axis {
        key: dotted(&path),
        settings: values::listed(std::slice::from_ref(&entry.value)),
        path,
    })
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    const BASE: &str = r#"
[run]
stop = "1s"
[producers.p]
queue = "orders"
arrivals = { constant = { rate = "10/s" } }
[queues.orders]
capacity = 5
[consumers.fleet]
queue = "orders"
count = 3
service = "40ms"
"#;

    fn scenario(more: &str) -> Result<Scenario, String> {
        let text = format!("{BASE}{more}");
        let read = Scenario::from_text("base.toml", &text, &[], Path::new(""));
        read.map_err(|failure| failure.to_string())
    }

    #[test]
    fn variants_come_in_the_order_of_the_file_and_change_whole_values() {
        let more = r#"
[compare]
baseline = "nothing"
show = ["queues.orders.wait.p99", "queues.orders.rejected"]
[compare.variants.wait]
"producers.p.on_full" = { block = { timeout = "2s" } }
[compare.variants."more of them"]
"consumers.fleet.count" = 7
"#;
        let base = scenario(more).expect("right");
        let told = &base.compare;
        assert_eq!(told.baseline.as_deref(), Some("nothing"));
        assert_eq!(told.show.len(), 2);
        let names: Vec<_> = told.list.iter().map(|it| it.name.as_str()).collect();
        assert_eq!(names, ["wait", "more of them"]);
        let set: Vec<_> = told.list[0].set().collect();
        assert_eq!(
            set,
            [("producers.p.on_full", "{ block = { timeout = \"2s\" } }")]
        );
        let counts = told.list.iter().map(|it| {
            let point = base.variant(it).expect("a model");
            point.model.fleets.iter().next().expect("a fleet").count
        });
        assert_eq!(counts.collect::<Vec<_>>(), [3, 7]);
    }

    #[test]
    fn mistakes_have_their_place_and_the_way_out() {
        let of = |more: &str| scenario(more).expect_err(more);
        let bare = of("[compare.variants.more]\nconsumers.fleet.count = 7\n");
        assert!(bare.contains("stand in quotes"), "{bare}");
        let none = of("[compare.variants.more]\n");
        assert!(none.contains("changes nothing"), "{none}");
        let flat = of("[compare]\nvariants = 3\n");
        assert!(flat.contains("takes a table, not"), "{flat}");
        let metric = of("[compare]\nshow = [\"queues.orders.rejectd\"]\n");
        assert!(metric.contains("did you mean"), "{metric}");
        let misspelt = "[compare.variants.more]\n\"consumers.fleet.cuont\" = 7\n";
        let base = scenario(misspelt).expect("read when it is compiled");
        let wrong = base.variant(&base.compare.list[0]).expect_err("misspelt");
        let wrong = wrong.to_string();
        assert!(wrong.contains("did you mean `count`?"), "{wrong}");
        assert!(wrong.contains("base.toml:14"), "{wrong}");
    }
}
