//! A tree of values, each with the place where it was written.
//!
//! Not a TOML document: that is parsed by the `toml` crate and copied into this shape, so that
//! values given on the command line can stand in the same tree.

use std::ops::Range;

/// A range of bytes in the joined sources (see the scenario's `Sources`).
pub type Span = Range<usize>;

/// One value and its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Value {
    /// Where it stands.
    pub span: Span,
    /// What it is.
    pub data: Data,
}

/// What a value can be.
#[derive(Clone, Debug, PartialEq)]
pub enum Data {
    /// Text.
    String(String),
    /// A whole number.
    Integer(i64),
    /// A number with a point.
    Float(f64),
    /// True or false.
    Boolean(bool),
    /// A date or time; no key of a scenario takes one.
    Datetime,
    /// A list.
    Array(Vec<Value>),
    /// A map from keys to values, in the order of the file.
    Table(Table),
}

/// The entries of a table, in the order of the file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// Its entries; keys are unique.
    pub entries: Vec<Entry>,
}

/// One key with its value.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The key.
    pub key: String,
    /// Where the key stands.
    pub key_span: Span,
    /// Its value.
    pub value: Value,
}

/// Something read, with the place where it stood.
#[derive(Clone, Debug, PartialEq)]
pub struct Spanned<T> {
    /// What was read.
    pub it: T,
    /// Where it stood.
    pub span: Span,
}

impl Value {
    /// What this is, in the words of an error: `a string`, `a table`.
    pub fn kind(&self) -> &'static str {
        match self.data {
            Data::String(_) => "a string",
            Data::Integer(_) => "a whole number",
            Data::Float(_) => "a number",
            Data::Boolean(_) => "true or false",
            Data::Datetime => "a date",
            Data::Array(_) => "a list",
            Data::Table(_) => "a table",
        }
    }
}

impl Table {
    /// The entry of `key`.
    pub fn get(&self, key: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.key == key)
    }
}
