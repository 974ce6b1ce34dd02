//! Small readings that several sections share: a word or a quantity, a list of tables, a number
//! that may not be zero.
//!
//! Not single quantities: those are read by [`crate::input`].

use crate::input::{Data, Entry, Fields, Problem, Problems, Read, Spanned, Value};
use crate::units::SimDuration;

/// Either one of some words, or a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WordOr<T> {
    /// One of the words.
    Word(&'static str),
    /// A value.
    Value(T),
}

/// Reads one of `words`, or a `T`.
pub(super) fn word_or<T: Read>(
    value: &Value,
    words: &[&'static str],
    problems: &mut Problems,
) -> Option<WordOr<T>> {
    let word = match &value.data {
        Data::String(text) if text.starts_with(char::is_alphabetic) => text,
        Data::String(_)
        | Data::Integer(_)
        | Data::Float(_)
        | Data::Boolean(_)
        | Data::Datetime
        | Data::Array(_)
        | Data::Table(_) => return T::read(value, problems).map(WordOr::Value),
    };
    if let Some(known) = words.iter().find(|known| *known == word) {
        return Some(WordOr::Word(known));
    }
    let title = format!("`{word}` is not known here");
    let label = format!("expected {}, or {}", T::EXPECTS, quoted(words));
    let problem = Problem::error(title, value.span.clone(), label);
    problems.file(problem.suggest_near(word, words.iter().copied()));
    None
}

fn quoted(words: &[&str]) -> String {
    let quoted: Vec<_> = words.iter().map(|word| format!("\"{word}\"")).collect();
    quoted.join(" or ")
}

/// Reads one of `words`; `None` when the key is not there.
pub(super) fn word(
    fields: &mut Fields<'_>,
    key: &'static str,
    words: &[&'static str],
    problems: &mut Problems,
) -> Option<Spanned<&'static str>> {
    let entry = fields.entry(key)?;
    let text = String::read(&entry.value, problems)?;
    if let Some(it) = words.iter().find(|known| **known == text) {
        return Some(Spanned {
            it,
            span: entry.value.span.clone(),
        });
    }
    let title = format!("`{text}` is not a value of `{key}`");
    let problem = Problem::error(title, entry.value.span.clone(), "unknown");
    problems.file(problem.suggest(&text, words.iter().copied()));
    None
}

/// The items of a list of tables; a table instead of a list is a problem with a way out.
pub(super) fn items<'a>(entry: Option<&'a Entry>, problems: &mut Problems) -> &'a [Value] {
    let Some(Entry { key, value, .. }) = entry else {
        return &[];
    };
    let help = match &value.data {
        Data::Array(items) => return items,
        Data::Table(_) => format!("write `[[{key}]]`, with two brackets, or `{key} = [{{ … }}]`"),
        Data::String(_) | Data::Integer(_) | Data::Float(_) | Data::Boolean(_) | Data::Datetime => {
            format!("write `{key} = [{{ … }}]`")
        }
    };
    let title = format!("`{key}` takes a list, not {}", value.kind());
    problems.file(Problem::error(title, value.span.clone(), "expected a list").help(help));
    &[]
}

/// Files a problem when the number is below `least`, and returns it when it is not.
pub(super) fn at_least<T: PartialOrd + std::fmt::Display>(
    least: &T,
    found: Spanned<T>,
    key: &str,
    problems: &mut Problems,
) -> Option<T> {
    if found.it >= *least {
        return Some(found.it);
    }
    let title = format!("`{key}` is {}", found.it);
    problems.file(Problem::error(
        title,
        found.span,
        format!("must be at least {least}"),
    ));
    None
}

/// Reads a duration that may not be zero; `None` when the key is not there.
pub(super) fn above_zero(
    fields: &mut Fields<'_>,
    key: &'static str,
    problems: &mut Problems,
) -> Option<SimDuration> {
    let found = fields.spanned::<SimDuration>(key, problems)?;
    if found.it.is_zero() {
        let title = format!("`{key}` is {}", found.it);
        problems.file(Problem::error(
            title,
            found.span,
            "must be longer than zero",
        ));
        return None;
    }
    Some(found.it)
}

/// Which of the keys is there; files a problem unless it is exactly one.
pub(super) fn exactly_one(
    fields: &Fields<'_>,
    keys: &[&'static str],
    problems: &mut Problems,
) -> Option<&'static str> {
    let given: Vec<_> = keys.iter().copied().filter(|key| fields.has(key)).collect();
    let list = |keys: &[&str], joint: &str| {
        let quoted: Vec<_> = keys.iter().map(|key| format!("`{key}`")).collect();
        quoted.join(joint)
    };
    let title = match given[..] {
        [one] => return Some(one),
        [] => format!("`{}` lacks {}", fields.name(), list(keys, " or ")),
        [..] => format!("`{}` has {}", fields.name(), list(&given, " and ")),
    };
    let label = format!("give exactly one of {}", list(keys, ", "));
    problems.file(Problem::error(title, fields.place(), label));
    None
}
