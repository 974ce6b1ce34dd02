//! Assignments from the command line, `consumers.fleet.count=55`, laid over the file's values and
//! then checked like the file.
//!
//! Not a second schema: a misspelt key is found by the reader of its section, with the caret on
//! the command line. Only what no reader can see is refused here.

use super::parse;
use super::source::Sources;
use crate::input::{Data, Entry, Problem, Problems, Span, Spanned, Table, Value};

/// Sections whose tables are components: an assignment changes them, and adds none beside them.
const COMPONENTS: [&str; 3] = ["producers", "queues", "consumers"];

/// One key path with its new value.
#[derive(Clone, Debug)]
pub struct Assignment {
    path: Vec<Spanned<String>>,
    value: Value,
}

impl Assignment {
    /// Reads `KEY.KEY=VALUE`, which is shown as an option of the command line. A value that is
    /// TOML is that, any other is a string: `service=50ms` needs no quotes.
    pub fn parse(text: &str, sources: &mut Sources, problems: &mut Problems) -> Option<Self> {
        const OPTION: &str = "--set ";
        let start = sources.add("command line", format!("{OPTION}{text}")) + OPTION.len();
        let Some((keys, _)) = text.split_once('=') else {
            let span = start..start + text.len();
            let problem = Problem::error("an assignment needs a value", span, "no `=` here");
            problems.file(problem.help("write `--set consumers.fleet.count=55`"));
            return None;
        };
        let path = path(keys, start, problems)?;
        let value = value(&text[keys.len() + 1..], start + keys.len() + 1, problems)?;
        Some(Self { path, value })
    }

    /// The assignment of a value to the key of this path.
    pub(super) fn new(path: Vec<Spanned<String>>, value: Value) -> Self {
        Self { path, value }
    }
}

/// The keys of a dotted path that stands at `start`.
pub(super) fn path(
    keys: &str,
    start: usize,
    problems: &mut Problems,
) -> Option<Vec<Spanned<String>>> {
    let mut path = Vec::new();
    let mut at = start;
    for key in keys.split('.') {
        let front = key.len() - key.trim_start().len();
        let it = key.trim().to_owned();
        let span = at + front..at + front + it.len();
        if it.is_empty() {
            let title = "an assignment names its keys with dots between them";
            problems.file(Problem::error(title, at..at + key.len(), "no key here"));
            return None;
        }
        path.push(Spanned { it, span });
        at += key.len() + 1;
    }
    Some(path)
}

/// A value as it is written: TOML, or else a string.
pub(super) fn value(text: &str, base: usize, problems: &mut Problems) -> Option<Value> {
    let base = base + (text.len() - text.trim_start().len());
    let text = text.trim();
    match parse::value(text, base, problems) {
        Ok(value) if value.data != Data::Datetime => Some(value),
        Err(problem) if text.starts_with(['{', '[', '"', '\'']) => {
            problems.file(problem);
            None
        }
        Ok(_) | Err(_) => {
            let span = base..base + text.len();
            Some(Value {
                span,
                data: Data::String(parse::visible(text)),
            })
        }
    }
}

/// Lays the assignments over `root`, in order; one that has no place is filed and left out.
pub fn overlay(root: &mut Value, assignments: &[Assignment], problems: &mut Problems) {
    for Assignment { path, value } in assignments {
        assign(root, path, 0, value, problems);
    }
}

/// Adds objectives of the command line to those of the file.
pub(super) fn ask(root: &mut Value, objectives: &[String], sources: &mut Sources) {
    const OPTION: &str = "--objective ";
    let Data::Table(top) = &mut root.data else {
        return;
    };
    let asked = |text: &String| {
        let start = sources.add("command line", format!("{OPTION}{text}")) + OPTION.len();
        let span = start..start + text.len();
        let that = Value {
            span: span.clone(),
            data: Data::String(text.clone()),
        };
        table("that", &span, that)
    };
    let asked: Vec<Value> = objectives.iter().map(asked).collect();
    let Some(span) = asked.first().map(|first| first.span.clone()) else {
        return;
    };
    let known = top
        .entries
        .iter_mut()
        .find(|entry| entry.key == "objectives");
    match known.map(|entry| &mut entry.value.data) {
        Some(Data::Array(items)) => items.extend(asked),
        // What is no list of objectives is told by its reader.
        Some(_) => {}
        None => top.entries.push(Entry {
            key: "objectives".to_owned(),
            key_span: span.clone(),
            value: Value {
                span,
                data: Data::Array(asked),
            },
        }),
    }
}

/// A table of one entry.
fn table(key: &str, span: &Span, value: Value) -> Value {
    let entry = Entry {
        key: key.to_owned(),
        key_span: span.clone(),
        value,
    };
    Value {
        span: span.clone(),
        data: Data::Table(Table {
            entries: vec![entry],
        }),
    }
}

/// Assigns behind the first `depth` keys of `path`, which lead to `at`.
fn assign(
    at: &mut Value,
    path: &[Spanned<String>],
    depth: usize,
    new: &Value,
    problems: &mut Problems,
) {
    let Some(key) = path.get(depth) else {
        *at = new.clone();
        return;
    };
    open_word(at, key);
    match &mut at.data {
        Data::Table(table) => match table.entries.iter_mut().find(|entry| entry.key == key.it) {
            Some(entry) => {
                if depth + 1 == path.len() {
                    entry.key_span = key.span.clone();
                }
                assign(&mut entry.value, path, depth + 1, new, problems);
            }
            None => match stranger(table, path, depth) {
                Some(problem) => problems.file(problem),
                None => table.entries.push(fresh(path, depth, new)),
            },
        },
        Data::Array(items) => {
            let index = key.it.parse().ok();
            match index.and_then(|index: usize| items.get_mut(index)) {
                Some(item) => assign(item, path, depth + 1, new, problems),
                None => problems.file(no_item(items.len(), path, depth)),
            }
        }
        Data::String(_) | Data::Integer(_) | Data::Float(_) | Data::Boolean(_) | Data::Datetime => {
            let whole = dotted(&path[..depth]);
            let title = format!("`{whole}` is {}, which has no `{}`", at.kind(), key.it);
            let problem = Problem::error(title, key.span.clone(), "no such key");
            let problem = problem.also(at.span.clone(), "the value as it is");
            problems.file(problem.help(format!("set all of it: `--set '{whole}={{ … }}'`")));
        }
    }
}

/// `on_full = "block"` is short for `on_full = { block = {} }`: there `block.timeout` has a place.
fn open_word(at: &mut Value, key: &Spanned<String>) {
    if at.data == Data::String(key.it.clone()) {
        let value = Value {
            span: at.span.clone(),
            data: Data::Table(Table::default()),
        };
        let entry = Entry {
            key: key.it.clone(),
            key_span: key.span.clone(),
            value,
        };
        at.data = Data::Table(Table {
            entries: vec![entry],
        });
    }
}

/// The problem that an assignment would add a component to a section that has others.
fn stranger(table: &Table, path: &[Spanned<String>], depth: usize) -> Option<Problem> {
    let (section, name) = (path.first()?, &path[depth]);
    if depth != 1 || table.entries.is_empty() || !COMPONENTS.contains(&section.it.as_str()) {
        return None;
    }
    let title = format!("there is no `{}.{}` to change", section.it, name.it);
    let label = "`--set` changes components, and adds none";
    let problem = Problem::error(title, name.span.clone(), label);
    Some(problem.suggest(
        &name.it,
        table.entries.iter().map(|entry| entry.key.as_str()),
    ))
}

fn no_item(len: usize, path: &[Spanned<String>], depth: usize) -> Problem {
    let list = dotted(&path[..depth]);
    let title = format!("`{list}` has no item `{}`", path[depth].it);
    let problem = Problem::error(title, path[depth].span.clone(), "items are counted from 0");
    problem.help(match len {
        0 => format!("`{list}` is empty"),
        1 => format!("write `{list}.0`, its only item"),
        _ => format!("write `{list}.0` to `{list}.{}`", len - 1),
    })
}

/// A new entry at `depth`, with the tables that lead to the value.
fn fresh(path: &[Spanned<String>], depth: usize, new: &Value) -> Entry {
    let behind: Span = path[depth].span.start..path[path.len() - 1].span.end;
    let mut value = new.clone();
    for key in path[depth + 1..].iter().rev() {
        let entry = Entry {
            key: key.it.clone(),
            key_span: key.span.clone(),
            value,
        };
        value = Value {
            span: behind.clone(),
            data: Data::Table(Table {
                entries: vec![entry],
            }),
        };
    }
    Entry {
        key: path[depth].it.clone(),
        key_span: path[depth].span.clone(),
        value,
    }
}

fn dotted(path: &[Spanned<String>]) -> String {
    let keys: Vec<_> = path.iter().map(|key| key.it.as_str()).collect();
    keys.join(".")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn laid(text: &str, sets: &[&str]) -> Result<Value, Vec<String>> {
        let mut sources = Sources::default();
        let mut problems = Problems::default();
        let base = sources.add("file", text);
        let mut root = parse::document(text, base, &mut problems).expect("TOML");
        let parsed = |set: &&str| Assignment::parse(set, &mut sources, &mut problems);
        let assignments: Vec<_> = sets.iter().filter_map(parsed).collect();
        overlay(&mut root, &assignments, &mut problems);
        let titles = problems
            .sorted()
            .iter()
            .map(|problem| problem.title.clone())
            .collect();
        if problems.is_empty() {
            Ok(root)
        } else {
            Err(titles)
        }
    }

    fn data<'a>(root: &'a Value, path: &str) -> &'a Data {
        path.split('.').fold(&root.data, |at, key| match at {
            Data::Table(table) => &table.get(key).expect(path).value.data,
            Data::Array(items) => &items[key.parse::<usize>().expect(path)].data,
            Data::String(_)
            | Data::Integer(_)
            | Data::Float(_)
            | Data::Boolean(_)
            | Data::Datetime => panic!("{path}"),
        })
    }

    #[test]
    fn a_value_is_toml_or_else_text() {
        let of = |text: &str| {
            let root = laid("", &[&format!("run.x={text}")]).expect(text);
            data(&root, "run.x").clone()
        };
        assert_eq!(of("3"), Data::Integer(3));
        assert_eq!(of("1_000"), Data::Integer(1_000));
        assert_eq!(of("0.5"), Data::Float(0.5));
        assert_eq!(of("true"), Data::Boolean(true));
        assert_eq!(of("\"3\""), Data::String("3".to_owned()));
        assert_eq!(of(" 50ms "), Data::String("50ms".to_owned()));
        assert_eq!(of("a == b"), Data::String("a == b".to_owned()));
        assert_eq!(of("07:30:00"), Data::String("07:30:00".to_owned()));
        assert_eq!(of(""), Data::String(String::new()));
        assert!(matches!(of("[1, 2]"), Data::Array(items) if items.len() == 2));
        assert!(matches!(of("{ a = 1 }"), Data::Table(table) if table.entries.len() == 1));
    }

    #[test]
    fn the_last_assignment_counts() {
        let root = laid("[run]\nseed = 1", &["run.seed=2", "run.seed=3"]).expect("right");
        assert_eq!(data(&root, "run.seed"), &Data::Integer(3));
    }

    #[test]
    fn items_of_lists_have_numbers() {
        let text = "[[outages]]\nx = 1\n[[outages]]\nx = 2";
        let root = laid(text, &["outages.1.x=5", "outages.0.y.z=6"]).expect("right");
        assert_eq!(data(&root, "outages.0.x"), &Data::Integer(1));
        assert_eq!(data(&root, "outages.1.x"), &Data::Integer(5));
        assert_eq!(data(&root, "outages.0.y.z"), &Data::Integer(6));
        assert!(laid(text, &["outages.2.x=5"]).is_err());
    }

    #[test]
    fn a_word_opens_for_its_own_parameters_only() {
        let text = "[producers.p]\non_full = \"block\"";
        let root = laid(text, &["producers.p.on_full.block.timeout=5s"]).expect("right");
        let timeout = data(&root, "producers.p.on_full.block.timeout");
        assert_eq!(timeout, &Data::String("5s".to_owned()));
        assert!(laid(text, &["producers.p.on_full.retry.attempts=5"]).is_err());
    }

    #[test]
    fn components_are_changed_and_not_added() {
        assert!(laid("[consumers.a]", &["consumers.b.count=3"]).is_err());
        assert!(laid("[consumers.a]", &["consumers.a.count=3"]).is_ok());
        assert!(laid("", &["consumers.b.count=3"]).is_ok());
    }
}
