//! A section of components, such as `[queues.orders]` and `[queues.mails]`: their names, checked,
//! and references to them.
//!
//! Not what a component is: each kind has its own reader.

use std::collections::BTreeMap;

use crate::input::{Data, Entry, Fields, Problem, Problems, Span, Spanned, Value};
use crate::model::Id;

/// The most components of a kind; ids have 16 bits.
const MOST: usize = 65_535;

/// A section: names and bodies in the order of the file.
#[derive(Debug)]
pub(super) struct Section<'a> {
    /// Its key: `queues`.
    pub key: &'static str,
    entries: &'a [Entry],
    positions: BTreeMap<&'a str, usize>,
}

impl<'a> Section<'a> {
    /// Opens the section of `key`, which may be missing, and checks the names in it.
    pub(super) fn open(top: &mut Fields<'a>, key: &'static str, problems: &mut Problems) -> Self {
        let mut section = Self {
            key,
            entries: &[],
            positions: BTreeMap::new(),
        };
        let Some(entry) = top.entry(key) else {
            return section;
        };
        let Data::Table(table) = &entry.value.data else {
            let title = format!(
                "`{key}` takes a table for each name, not {}",
                entry.value.kind()
            );
            let problem = Problem::error(title, entry.value.span.clone(), "expected tables");
            problems.file(problem.help(format!("write `[{key}.NAME]`")));
            return section;
        };
        if table.entries.len() > MOST {
            let title = format!("{} {key} are more than {MOST}", table.entries.len());
            problems.file(Problem::error(title, entry.key_span.clone(), "too many"));
        }
        section.entries = &table.entries[..table.entries.len().min(MOST)];
        for (position, entry) in section.entries.iter().enumerate() {
            section.positions.insert(&entry.key, position);
            check_name(key, entry, problems);
        }
        section
    }

    /// Its components in order.
    pub(super) fn entries(&self) -> &'a [Entry] {
        self.entries
    }

    /// The dotted name of a component.
    pub(super) fn dotted(&self, name: &str) -> String {
        format!("{}.{name}", self.key)
    }

    /// The body of a component.
    pub(super) fn get(&self, name: &str) -> Option<&'a Value> {
        self.positions
            .get(name)
            .map(|position| &self.entries[*position].value)
    }

    /// Where the value behind these keys of a component stands, or the last of them that is
    /// there; the component's name when none is.
    pub(super) fn place(&self, position: usize, keys: &[&str]) -> Span {
        let Some(entry) = self.entries.get(position) else {
            return 0..0;
        };
        let mut place = entry.key_span.clone();
        let mut at = &entry.value;
        for key in keys {
            let Data::Table(table) = &at.data else { break };
            let Some(entry) = table.get(key) else { break };
            place = entry.value.span.clone();
            at = &entry.value;
        }
        place
    }

    /// The position of a component.
    pub(super) fn position(&self, name: &str) -> Option<usize> {
        self.positions.get(name).copied()
    }

    /// The component of that name; files a problem with a suggestion when there is none.
    pub(super) fn find<I: Id>(
        &self,
        reference: &Spanned<String>,
        problems: &mut Problems,
    ) -> Option<I> {
        let position = self.positions.get(reference.it.as_str());
        if position.is_none() {
            problems.file(self.unknown(reference));
        }
        position.map(|position| I::at(*position))
    }

    /// The problem that nothing has the name.
    pub(super) fn unknown(&self, reference: &Spanned<String>) -> Problem {
        let name = &reference.it;
        let title = format!("there is no `{}`", self.dotted(name));
        let problem = Problem::error(title, reference.span.clone(), "unknown name");
        let bare = name
            .strip_prefix(self.key)
            .and_then(|rest| rest.strip_prefix('.'));
        match bare {
            Some(bare) if self.positions.contains_key(bare) => {
                problem.help(format!("write the name alone: `\"{bare}\"`"))
            }
            _ if self.entries.is_empty() => problem.help(format!("add `[{}.{name}]`", self.key)),
            _ => problem.suggest(name, self.entries.iter().map(|entry| entry.key.as_str())),
        }
    }
}

/// Names stand in dotted metric names and in conditions, so they are words.
fn check_name(section: &str, entry: &Entry, problems: &mut Problems) {
    let fits = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    if !entry.key.is_empty() && entry.key.chars().all(fits) {
        return;
    }
    let title = format!("{:?} cannot be a name in `{section}`", entry.key);
    let label = "use letters, digits, `_` and `-`";
    let problem = Problem::error(title, entry.key_span.clone(), label);
    problems.file(problem.help(format!(
        "names stand in metrics such as `{section}.NAME.offered`, where a dot or a space would \
         split them"
    )));
}
