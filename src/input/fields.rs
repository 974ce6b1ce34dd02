//! Reads a table key by key, files a problem for each key that is wrong, missing, or unknown, and
//! goes on: so all errors of a file are reported at once.
//!
//! Not a schema: which keys a table has is said by the code that takes them.

use super::problem::{Problem, Problems};
use super::read::Read;
use super::value::{Data, Entry, Span, Spanned, Table, Value};

/// A table being read. Take its keys, then [`Fields::close`] it.
#[derive(Debug)]
pub struct Fields<'a> {
    table: &'a Table,
    /// Where the table stands, for what is missing from it.
    place: Span,
    /// Its dotted name, for messages: `producers.checkout`.
    name: String,
    known: Vec<&'static str>,
    refused: Vec<&'static str>,
}

impl<'a> Fields<'a> {
    /// Opens `value` as a table called `name`; files a problem when it is none.
    pub fn open(
        value: &'a Value,
        name: impl Into<String>,
        problems: &mut Problems,
    ) -> Option<Self> {
        let name = name.into();
        if let Data::Table(table) = &value.data {
            return Some(Self {
                table,
                place: value.span.clone(),
                name,
                known: Vec::new(),
                refused: Vec::new(),
            });
        }
        let title = format!("`{name}` takes a table of keys, not {}", value.kind());
        problems.file(Problem::error(
            title,
            value.span.clone(),
            "expected a table",
        ));
        None
    }

    /// Where the table stands.
    pub fn place(&self) -> Span {
        self.place.clone()
    }

    /// The table's dotted name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The entry of `key`, which is known from now on.
    pub fn entry(&mut self, key: &'static str) -> Option<&'a Entry> {
        if !self.known.contains(&key) {
            self.known.push(key);
        }
        self.table.get(key)
    }

    /// Whether `key` was written. Does not make it known.
    pub fn has(&self, key: &str) -> bool {
        self.table.get(key).is_some()
    }

    /// The value of `key`, with its place; `None` when it is absent, or wrong (a problem is filed).
    pub fn spanned<T: Read>(
        &mut self,
        key: &'static str,
        problems: &mut Problems,
    ) -> Option<Spanned<T>> {
        let entry = self.entry(key)?;
        let it = T::read(&entry.value, problems)?;
        Some(Spanned {
            it,
            span: entry.value.span.clone(),
        })
    }

    /// The value of `key`; `None` when it is absent, or wrong (a problem is filed).
    pub fn optional<T: Read>(&mut self, key: &'static str, problems: &mut Problems) -> Option<T> {
        self.spanned(key, problems).map(|spanned| spanned.it)
    }

    /// The value of `key`, or `default` when it is absent or wrong (a problem is filed).
    pub fn or<T: Read>(&mut self, key: &'static str, default: T, problems: &mut Problems) -> T {
        self.optional(key, problems).unwrap_or(default)
    }

    /// The value of `key`; files a problem when it is absent.
    pub fn required<T: Read>(&mut self, key: &'static str, problems: &mut Problems) -> Option<T> {
        self.required_spanned(key, problems)
            .map(|spanned| spanned.it)
    }

    /// The value of `key` with its place; files a problem when it is absent.
    pub fn required_spanned<T: Read>(
        &mut self,
        key: &'static str,
        problems: &mut Problems,
    ) -> Option<Spanned<T>> {
        if !self.has(key) {
            let title = format!("`{}` lacks `{key}`", self.name);
            let problem = Problem::error(title, self.place.clone(), format!("`{key}` is missing"));
            problems.file(problem.help(format!("add `{key} = …`: {}", T::EXPECTS)));
        }
        self.spanned(key, problems)
    }

    /// Files an error for each of `keys` that is there: they have a meaning, but not in this
    /// version. Nothing is ignored in silence.
    pub fn not_yet(&mut self, keys: &[&'static str], problems: &mut Problems) {
        for key in keys {
            let Some(entry) = self.table.get(key) else {
                continue;
            };
            self.refused.push(key);
            let title = format!("this version does not simulate `{key}` yet");
            let label = format!("would be ignored in `{}`", self.name);
            let problem = Problem::error(title, entry.key_span.clone(), label);
            problems.file(problem.help(format!("remove `{key}`, and what depends on it")));
        }
    }

    /// Ends the reading: every key that nobody took is a problem.
    pub fn close(self, problems: &mut Problems) {
        for entry in &self.table.entries {
            let key = entry.key.as_str();
            if !self.known.contains(&key) && !self.refused.contains(&key) {
                let title = format!("`{}` has no key `{}`", self.name, entry.key);
                let problem = Problem::error(title, entry.key_span.clone(), "unknown key");
                problems.file(problem.suggest(&entry.key, self.known.iter().copied()));
            }
        }
    }
}

/// An enum as it is written: a plain word, or a table of one key that holds its parameters.
#[derive(Debug)]
pub struct Variant<'a> {
    /// The word.
    pub name: &'a str,
    /// Where the word stands.
    pub span: Span,
    /// Its parameters, when it was written as a table.
    pub body: Option<&'a Value>,
}

impl<'a> Variant<'a> {
    /// Reads `value` as one of the words `known` of what is called `what` ("an admission order");
    /// files a problem when it is none of them.
    pub fn of(
        value: &'a Value,
        what: &str,
        known: &[&'static str],
        problems: &mut Problems,
    ) -> Option<Self> {
        let found = match &value.data {
            Data::String(name) => Some(Self {
                name,
                span: value.span.clone(),
                body: None,
            }),
            Data::Table(table) if table.entries.len() == 1 => {
                let entry = &table.entries[0];
                let span = entry.key_span.clone();
                Some(Self {
                    name: &entry.key,
                    span,
                    body: Some(&entry.value),
                })
            }
            Data::Table(table) => {
                let names: Vec<_> = table.entries.iter().map(|e| e.key.as_str()).collect();
                let title = match names.len() {
                    0 => format!("an empty table is not {what}"),
                    _ => format!(
                        "{what} is one of several, but `{}` are given",
                        names.join("`, `")
                    ),
                };
                let problem = Problem::error(title, value.span.clone(), "expected one key");
                problems.file(problem.suggest("", known.iter().copied()));
                None
            }
            Data::Integer(_)
            | Data::Float(_)
            | Data::Boolean(_)
            | Data::Datetime
            | Data::Array(_) => {
                let title = format!("{} is not {what}", value.kind());
                let problem = Problem::error(title, value.span.clone(), format!("expected {what}"));
                problems.file(problem.suggest("", known.iter().copied()));
                None
            }
        }?;
        if known.contains(&found.name) {
            return Some(found);
        }
        let title = format!("`{}` is not {what}", found.name);
        let problem = Problem::error(title, found.span.clone(), "unknown");
        problems.file(problem.suggest(found.name, known.iter().copied()));
        None
    }

    /// Opens the parameters; files a problem when the word came without any.
    pub fn fields(&self, problems: &mut Problems) -> Option<Fields<'a>> {
        if let Some(body) = self.body {
            return Fields::open(body, self.name, problems);
        }
        let title = format!("`{}` needs its parameters", self.name);
        let problem = Problem::error(title, self.span.clone(), "parameters are missing");
        problems.file(problem.help(format!(
            "write it as a table: `{{ {} = {{ … }} }}`",
            self.name
        )));
        None
    }

    /// Files a problem when the parameters are a plain text, which is probably the value of `key`;
    /// whether they are.
    pub fn refuses_plain(&self, key: &str, problems: &mut Problems) -> bool {
        let Some(Value {
            data: Data::String(text),
            span,
        }) = self.body
        else {
            return false;
        };
        let name = self.name;
        let title = format!("`{name}` takes a table, not a text");
        let problem = Problem::error(title, span.clone(), "expected a table");
        problems.file(problem.help(format!("write `{name} = {{ {key} = \"{text}\" }}`")));
        true
    }

    /// Files a problem when parameters were given to a word that takes none (an empty table is
    /// let pass).
    pub fn bare(&self, problems: &mut Problems) {
        let Some(body) = self.body else { return };
        if body.data == Data::Table(Table::default()) {
            return;
        }
        let title = format!("`{}` takes no parameters", self.name);
        let problem = Problem::error(title, body.span.clone(), "not expected");
        problems.file(problem.help(format!("write it as a word: `\"{}\"`", self.name)));
    }
}
