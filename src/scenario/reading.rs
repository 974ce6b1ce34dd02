//! Small readings that several sections share: a word or a quantity, a list of tables, a number
//! that may not be zero.
//!
//! Not single quantities: those are read by [`crate::input`].

use crate::input::{Data, Entry, Fields, Problem, Problems, Read, Spanned, Table, Value};
use crate::random::law::DurationLaw;
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

/// How often something may happen that the broker, a consumer, or an autoscaler does by the clock:
/// nothing real is faster, and each time costs the simulation an event.
pub(super) const SHORTEST: SimDuration = SimDuration::from_millis(1);

/// Reads a time between two looks, beats, or checks; `None` when the key is not there.
pub(super) fn pace(
    fields: &mut Fields<'_>,
    key: &'static str,
    problems: &mut Problems,
) -> Option<SimDuration> {
    let found = fields.spanned::<SimDuration>(key, problems)?;
    if found.it < SHORTEST {
        let title = format!("`{key}` is {}", found.it);
        let label = format!("must be at least {SHORTEST}");
        problems.file(Problem::error(title, found.span, label));
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

/// Files a key that has no meaning without another one.
pub(super) fn stray(
    fields: &Fields<'_>,
    key: &str,
    partner: &str,
    entry: Option<&Entry>,
    problems: &mut Problems,
) {
    let Some(entry) = entry else { return };
    let title = format!("`{}` has `{key}` without `{partner}`", fields.name());
    let problem = Problem::error(title, entry.key_span.clone(), "has no meaning here");
    problems.file(problem.help(format!("add `{partner}`, or remove `{key}`")));
}

/// Reads a list of some of `words`; `None` when the key is not there, or a word is wrong.
pub(super) fn words(
    fields: &mut Fields<'_>,
    key: &'static str,
    words: &[&'static str],
    problems: &mut Problems,
) -> Option<Spanned<Vec<&'static str>>> {
    let found = fields.spanned::<Vec<Spanned<String>>>(key, problems)?;
    let (asked, mut known) = (found.it.len(), Vec::new());
    for Spanned { it: text, span } in found.it {
        if let Some(word) = words.iter().find(|known| **known == text) {
            known.push(*word);
        } else {
            let title = format!("`{text}` is not one of `{key}`");
            let problem = Problem::error(title, span, "unknown");
            problems.file(problem.suggest(&text, words.iter().copied()));
        }
    }
    (known.len() == asked).then_some(Spanned {
        it: known,
        span: found.span,
    })
}

/// Reads a number that is at least `least`; `None` when the key is not there.
pub(super) fn number<T: Read + PartialOrd + std::fmt::Display>(
    fields: &mut Fields<'_>,
    key: &'static str,
    least: &T,
    problems: &mut Problems,
) -> Option<T> {
    let found = fields.spanned::<T>(key, problems)?;
    at_least(least, found, key, problems)
}

/// Reads a number that is at least 1 and at most `most`, beyond which it is a slip of the fingers;
/// `None` when the key is not there.
pub(super) fn up_to(
    fields: &mut Fields<'_>,
    key: &'static str,
    most: u32,
    problems: &mut Problems,
) -> Option<u32> {
    let found = fields.spanned::<u32>(key, problems)?;
    if found.it > most {
        let title = format!("`{key}` is {}", found.it);
        problems.file(Problem::error(
            title,
            found.span,
            format!("must be at most {most}"),
        ));
        return None;
    }
    at_least(&1, found, key, problems)
}

/// Whether a value is a table: the long form of what can be written short.
pub(super) fn is_table(value: &Value) -> bool {
    matches!(value.data, Data::Table(_))
}

/// A random time: a plain duration is the mean of an exponential law, and may not be none.
pub(super) fn mean_or_law(value: &Value, problems: &mut Problems) -> Option<DurationLaw> {
    let plain = match &value.data {
        Data::String(text) => text.starts_with(|c: char| c.is_ascii_digit()),
        Data::Integer(_)
        | Data::Float(_)
        | Data::Boolean(_)
        | Data::Datetime
        | Data::Array(_)
        | Data::Table(_) => false,
    };
    if !plain {
        return DurationLaw::read(value, problems);
    }
    if SimDuration::read(value, problems)?.is_zero() {
        let title = "a mean time of 0s";
        problems.file(Problem::error(
            title,
            value.span.clone(),
            "must be longer than zero",
        ));
        return None;
    }
    let table = |key: &str, inner: Value| Value {
        span: value.span.clone(),
        data: Data::Table(Table {
            entries: vec![Entry {
                key: key.to_owned(),
                key_span: value.span.clone(),
                value: inner,
            }],
        }),
    };
    DurationLaw::read(
        &table("exponential", table("mean", value.clone())),
        problems,
    )
}

/// The same, of a time between two failures, which may not always be none.
pub(super) fn mtbf(value: &Value, failures: &str, problems: &mut Problems) -> Option<DurationLaw> {
    let up = mean_or_law(value, problems)?;
    if up.mean() < SHORTEST.as_secs_f64() {
        let title = format!("no time between {failures}");
        let label = format!("a mean below {SHORTEST}");
        let problem = Problem::error(title, value.span.clone(), label);
        problems.file(problem.help(format!("give `mtbf` a mean of {SHORTEST} or more")));
        return None;
    }
    Some(up)
}
