//! From TOML text to values with places.
//!
//! Not what the values mean: the section readers know that.

use toml::Spanned;
use toml::de::{DeTable, DeValue, Error};

use crate::input::{Data, Entry, Problem, Problems, Span, Table, Value};

/// Parses a document that stands at `base` in the joined sources. Every slip of syntax is filed,
/// the first of each line; `None` when there is one.
pub(super) fn document(text: &str, base: usize, problems: &mut Problems) -> Option<Value> {
    let (document, errors) = DeTable::parse_recoverable(text);
    if errors.is_empty() {
        let span = base..base + text.len();
        let table = table(document.get_ref(), base, problems);
        return Some(Value {
            span,
            data: Data::Table(table),
        });
    }
    let mut line = None;
    for error in &errors {
        let at = error.span().unwrap_or(0..0);
        let on = text
            .bytes()
            .take(at.start)
            .filter(|byte| *byte == b'\n')
            .count();
        if line != Some(on) {
            problems.file(slip(error, base));
            line = Some(on);
        }
    }
    None
}

/// Parses a single value that stands at `base` in the joined sources.
pub(super) fn value(text: &str, base: usize, problems: &mut Problems) -> Result<Value, Problem> {
    match DeValue::parse(text) {
        Ok(value) => Ok(copy(&value, base, problems)),
        Err(error) => Err(slip(&error, base)),
    }
}

fn slip(error: &Error, base: usize) -> Problem {
    let span = shifted(&error.span().unwrap_or(0..0), base);
    let (title, label) = error
        .message()
        .split_once(", ")
        .unwrap_or((error.message(), ""));
    Problem::error(format!("not valid TOML: {title}"), span, label)
}

fn shifted(span: &Span, base: usize) -> Span {
    base + span.start..base + span.end
}

fn copy(value: &Spanned<DeValue<'_>>, base: usize, problems: &mut Problems) -> Value {
    let span = shifted(&value.span(), base);
    let data = match value.get_ref() {
        DeValue::String(text) => Data::String(visible(text)),
        DeValue::Integer(number) => match i64::from_str_radix(number.as_str(), number.radix()) {
            Ok(number) => Data::Integer(number),
            Err(_) => beyond(&span, problems),
        },
        DeValue::Float(number) => match number.as_str().parse() {
            Ok(number) => Data::Float(number),
            Err(_) => beyond(&span, problems),
        },
        DeValue::Boolean(it) => Data::Boolean(*it),
        DeValue::Datetime(_) => Data::Datetime,
        DeValue::Array(items) => Data::Array(
            items
                .iter()
                .map(|item| copy(item, base, problems))
                .collect(),
        ),
        DeValue::Table(entries) => Data::Table(table(entries, base, problems)),
    };
    Value { span, data }
}

/// A text that does nothing to the terminal on which it is shown.
pub(super) fn visible(text: &str) -> String {
    let shown = |letter: char| match letter {
        '\n' | '\t' => letter,
        _ if letter.is_control() => char::REPLACEMENT_CHARACTER,
        _ => letter,
    };
    text.chars().map(shown).collect()
}

fn beyond(span: &Span, problems: &mut Problems) -> Data {
    let title = "the number is beyond 2^63 - 1, the largest of TOML";
    let problem = Problem::error(title, span.clone(), "too large");
    problems.file(problem.help("leave the key out, or write `\"unlimited\"` where it takes that"));
    Data::Integer(1)
}

fn table(entries: &DeTable<'_>, base: usize, problems: &mut Problems) -> Table {
    let entry = |(key, value): (&Spanned<_>, &Spanned<DeValue<'_>>)| Entry {
        key: visible(AsRef::<str>::as_ref(key.get_ref())),
        key_span: shifted(&key.span(), base),
        value: copy(value, base, problems),
    };
    Table {
        entries: entries.iter().map(entry).collect(),
    }
}
