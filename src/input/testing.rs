//! How tests read: a TOML value into this tree, and what is wrong with it as text.
//!
//! Not how scenarios are read: these values have no places.

use super::{Data, Entry, Problem, Problems, Read, Table, Value};

/// Reads a TOML value.
pub(crate) fn read<T: Read>(text: &str) -> Option<T> {
    read_in(Problems::default(), text)
}

/// The same, of a value that names files in the folder of `problems`.
pub(crate) fn read_in<T: Read>(mut problems: Problems, text: &str) -> Option<T> {
    T::read(&value(text), &mut problems)
}

/// The titles and helps of the problems of a TOML value that must be refused.
pub(crate) fn refused<T: Read + std::fmt::Debug>(text: &str) -> String {
    refused_in::<T>(Problems::default(), text)
}

/// The same, of a value that names files in the folder of `problems`.
pub(crate) fn refused_in<T: Read + std::fmt::Debug>(mut problems: Problems, text: &str) -> String {
    let read = T::read(&value(text), &mut problems);
    assert!(problems.any_error(), "{read:?}");
    let told = |problem: &&Problem| format!("{}: {}", problem.title, problem.help.join(", "));
    problems
        .sorted()
        .iter()
        .map(told)
        .collect::<Vec<_>>()
        .join("\n")
}

/// A TOML value in our tree, without places.
fn value(text: &str) -> Value {
    let table: toml::Table = format!("it = {text}").parse().expect(text);
    convert(&table["it"])
}

fn convert(value: &toml::Value) -> Value {
    let data = match value {
        toml::Value::String(it) => Data::String(it.clone()),
        toml::Value::Integer(it) => Data::Integer(*it),
        toml::Value::Float(it) => Data::Float(*it),
        toml::Value::Boolean(it) => Data::Boolean(*it),
        toml::Value::Datetime(_) => Data::Datetime,
        toml::Value::Array(items) => Data::Array(items.iter().map(convert).collect()),
        toml::Value::Table(table) => Data::Table(Table {
            entries: table
                .iter()
                .map(|(key, value)| Entry {
                    key: key.clone(),
                    key_span: 0..0,
                    value: convert(value),
                })
                .collect(),
        }),
    };
    Value { span: 0..0, data }
}
