//! How single values are read: quantities, counts, words, lists.
//!
//! Not the policies: each implements [`Read`] in its own file.

use super::problem::{Problem, Problems};
use super::value::{Data, Spanned, Value};
use crate::units::{Bytes, QuantityError, Rate, Ratio, SimDuration, read_count};

/// Something that can be read from a value.
pub trait Read: Sized {
    /// What is due, for messages: `a duration such as "40ms"`.
    const EXPECTS: &'static str;

    /// Reads it, or files why not and returns `None`.
    fn read(value: &Value, problems: &mut Problems) -> Option<Self>;
}

/// Files "expected this, found that" at a value.
pub(super) fn refuse<T: Read>(value: &Value, problems: &mut Problems) -> Option<T> {
    let title = format!("expected {}, found {}", T::EXPECTS, value.kind());
    problems.file(Problem::error(
        title,
        value.span.clone(),
        format!("this is {}", value.kind()),
    ));
    None
}

fn parsed<T>(
    value: &Value,
    result: Result<T, QuantityError>,
    problems: &mut Problems,
) -> Option<T> {
    match result {
        Ok(it) => Some(it),
        Err(error) => {
            let text = match &value.data {
                Data::String(text) if text.trim().starts_with('-') => {
                    format!("`{}` is negative; it must be zero or more", text.trim())
                }
                Data::String(_)
                | Data::Integer(_)
                | Data::Float(_)
                | Data::Boolean(_)
                | Data::Datetime
                | Data::Array(_)
                | Data::Table(_) => error.to_string(),
            };
            let (title, help) = text.split_once("; ").unwrap_or((&text, ""));
            let problem = Problem::error(title, value.span.clone(), "");
            problems.file(if help.is_empty() {
                problem
            } else {
                problem.help(help)
            });
            None
        }
    }
}

/// A quantity with a unit is always text; a bare number would hide its unit.
macro_rules! read_quantity {
    ($type:ty, $expects:literal, $units:literal) => {
        impl Read for $type {
            const EXPECTS: &'static str = $expects;

            fn read(value: &Value, problems: &mut Problems) -> Option<Self> {
                match &value.data {
                    Data::String(text) => parsed(value, text.parse(), problems),
                    Data::Integer(_) | Data::Float(_) => {
                        let title = concat!("a number without a unit where ", $expects, " is due");
                        let problem = Problem::error(title, value.span.clone(), "no unit");
                        problems.file(problem.help(concat!("the units are ", $units)));
                        None
                    }
                    Data::Boolean(_) | Data::Datetime | Data::Array(_) | Data::Table(_) => {
                        refuse(value, problems)
                    }
                }
            }
        }
    };
}

read_quantity!(
    SimDuration,
    "a duration such as \"40ms\"",
    "ns us ms s m (or min) h d"
);
read_quantity!(
    Rate,
    "a rate such as \"1200/s\"",
    "/s /min /h /day, with k M G before them"
);
read_quantity!(Bytes, "a size such as \"2KiB\"", "B kB MB GB KiB MiB GiB");

impl Read for Ratio {
    const EXPECTS: &'static str = "a ratio such as 0.001 or \"0.1%\"";

    fn read(value: &Value, problems: &mut Problems) -> Option<Self> {
        let number = match &value.data {
            Data::String(text) => return parsed(value, text.parse(), problems),
            Data::Integer(number) => *number as f64,
            Data::Float(number) => *number,
            Data::Boolean(_) | Data::Datetime | Data::Array(_) | Data::Table(_) => {
                return refuse(value, problems);
            }
        };
        let ratio = Self::new(number);
        if ratio.is_none() {
            let title = format!("{number} is not a ratio");
            let problem = Problem::error(title, value.span.clone(), "must lie between 0 and 1");
            problems.file(problem.help("write 0.1 or \"10%\" for a tenth"));
        }
        ratio
    }
}

impl Read for u64 {
    const EXPECTS: &'static str = "a whole number such as 100_000";

    fn read(value: &Value, problems: &mut Problems) -> Option<Self> {
        match &value.data {
            Data::String(text) => parsed(value, read_count(text), problems),
            Data::Integer(number) => {
                let count = Self::try_from(*number).ok();
                if count.is_none() {
                    let title = format!("{number} is negative");
                    let label = "must be zero or more";
                    problems.file(Problem::error(title, value.span.clone(), label));
                }
                count
            }
            Data::Float(_)
            | Data::Boolean(_)
            | Data::Datetime
            | Data::Array(_)
            | Data::Table(_) => refuse(value, problems),
        }
    }
}

impl Read for u32 {
    const EXPECTS: &'static str = "a whole number such as 5";

    fn read(value: &Value, problems: &mut Problems) -> Option<Self> {
        let wide = u64::read(value, problems)?;
        let narrow = Self::try_from(wide).ok();
        if narrow.is_none() {
            let title = format!("{wide} is too large");
            let label = format!("must be at most {}", Self::MAX);
            problems.file(Problem::error(title, value.span.clone(), label));
        }
        narrow
    }
}

impl Read for f64 {
    const EXPECTS: &'static str = "a number such as 1.5";

    fn read(value: &Value, problems: &mut Problems) -> Option<Self> {
        let number = match value.data {
            Data::Integer(number) => Some(number as Self),
            Data::Float(number) => Some(number).filter(|number| number.is_finite()),
            Data::String(_)
            | Data::Boolean(_)
            | Data::Datetime
            | Data::Array(_)
            | Data::Table(_) => None,
        };
        if let (Data::Float(odd), None) = (&value.data, number) {
            let title = format!("expected {}, found {odd}", Self::EXPECTS);
            let label = "must be a finite number";
            problems.file(Problem::error(title, value.span.clone(), label));
            return None;
        }
        number.or_else(|| refuse(value, problems))
    }
}

impl Read for bool {
    const EXPECTS: &'static str = "true or false";

    fn read(value: &Value, problems: &mut Problems) -> Option<Self> {
        let Data::Boolean(it) = value.data else {
            return refuse(value, problems);
        };
        Some(it)
    }
}

impl Read for String {
    const EXPECTS: &'static str = "a text in quotes";

    fn read(value: &Value, problems: &mut Problems) -> Option<Self> {
        let Data::String(text) = &value.data else {
            return refuse(value, problems);
        };
        Some(text.clone())
    }
}

impl<T: Read> Read for Vec<T> {
    const EXPECTS: &'static str = "a list";

    fn read(value: &Value, problems: &mut Problems) -> Option<Self> {
        let Data::Array(items) = &value.data else {
            return refuse(value, problems);
        };
        let read: Vec<_> = items.iter().map(|item| T::read(item, problems)).collect();
        read.into_iter().collect()
    }
}

impl<T: Read> Read for Spanned<T> {
    const EXPECTS: &'static str = T::EXPECTS;

    fn read(value: &Value, problems: &mut Problems) -> Option<Self> {
        T::read(value, problems).map(|it| Self {
            it,
            span: value.span.clone(),
        })
    }
}
