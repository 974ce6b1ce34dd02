//! The little language of expectations, objectives and alerts: `METRIC OP QUANTITY`, such as
//! `queues.orders.rejected == 8000`, and `METRIC ~ QUANTITY +- TOLERANCE`.
//!
//! Not where the observed number comes from.

use std::ops::Range;

use crate::input::{Problem, Problems, Span, Spanned};
use crate::model::Comparison;
use crate::outcome::Unit;
use crate::units::{Bytes, Decimal, QuantityError, Rate, Ratio, SimDuration, read_count};

/// Half a nanosecond: two instants that are nearer than this are the same.
const SAME_INSTANT: f64 = 0.5e-9;

/// What is asked of one metric.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    /// As it was written.
    pub text: String,
    /// The metric's name.
    pub metric: String,
    /// What the metric is measured in.
    pub unit: Unit,
    /// What is asked of it.
    pub test: Test,
}

/// What is asked of a metric. Quantities are in the metric's unit: seconds, bytes, per second.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Test {
    /// It stands so to the quantity.
    Is(Comparison, f64),
    /// It is as near to the quantity as the tolerance, or nearer.
    Near {
        /// The quantity.
        value: f64,
        /// The tolerance, zero or more.
        tolerance: f64,
    },
    /// It did not happen: `== never`.
    Never,
    /// It did: `!= never`.
    Happened,
}

impl Condition {
    /// Whether the condition holds of what was observed; `None` is a metric that did not happen,
    /// of which only `== never` holds. Times are compared to the nanosecond.
    pub fn holds(&self, observed: Option<f64>) -> bool {
        match self.test {
            Test::Never => observed.is_none(),
            Test::Happened => observed.is_some(),
            Test::Is(comparison, value) => observed.is_some_and(|observed| {
                let same = self.is_time() && (observed - value).abs() < SAME_INSTANT;
                comparison.holds(if same { value } else { observed }, value)
            }),
            Test::Near { value, tolerance } => observed.is_some_and(|observed| {
                let slack = if self.is_time() { SAME_INSTANT } else { 0.0 };
                (observed - value).abs() <= tolerance + slack
            }),
        }
    }

    fn is_time(&self) -> bool {
        match self.unit {
            Unit::Seconds | Unit::Instant => true,
            Unit::Count | Unit::Number | Unit::Ratio | Unit::PerSecond | Unit::Bytes => false,
        }
    }
}

/// A condition whose metric has not been looked up yet.
#[derive(Debug)]
pub(super) struct Sentence<'a> {
    written: &'a Spanned<String>,
    metric: Range<usize>,
    word: Word,
    quantity: Range<usize>,
}

/// How the metric is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Word {
    Compare(Comparison),
    Near,
}

const WORDS: [(&str, Word); 7] = [
    ("==", Word::Compare(Comparison::Equal)),
    ("!=", Word::Compare(Comparison::NotEqual)),
    ("<=", Word::Compare(Comparison::AtMost)),
    (">=", Word::Compare(Comparison::AtLeast)),
    ("<", Word::Compare(Comparison::Below)),
    (">", Word::Compare(Comparison::Above)),
    ("~", Word::Near),
];

impl<'a> Sentence<'a> {
    /// Takes a text apart, or files why it is not a condition.
    pub(super) fn parse(written: &'a Spanned<String>, problems: &mut Problems) -> Option<Self> {
        let text = written.it.as_str();
        let start = text.len() - text.trim_start().len();
        let ends = |c: char| c.is_whitespace() || "=!<>~".contains(c);
        let end = text[start..].find(ends).map_or(text.len(), |at| start + at);
        let after = text.len() - text[end..].trim_start().len();
        let rest = &text[after..];
        let found = WORDS.iter().find(|(symbol, _)| rest.starts_with(symbol));
        let Some((symbol, word)) = found.filter(|_| start < end) else {
            let near = if rest.is_empty() {
                start..text.len()
            } else {
                after..text.len()
            };
            let title = "a condition is a metric, a comparison and a quantity";
            let problem = Problem::error(title, place(written, near), "no comparison here");
            let example = "such as `queues.orders.rejected == 8000`";
            problems.file(problem.help(format!("write `METRIC == QUANTITY`, {example}")).help(
                "the comparisons are `==` `!=` `<=` `>=` `<` `>`, and `~ QUANTITY +- TOLERANCE`",
            ));
            return None;
        };
        let quantity = after + symbol.len()..text.len();
        Some(Self {
            written,
            metric: start..end,
            word: *word,
            quantity,
        })
    }

    /// The metric's name.
    pub(super) fn metric(&self) -> &'a str {
        &self.written.it[self.metric.clone()]
    }

    /// The place of a part of the metric's name.
    pub(super) fn place(&self, part: Range<usize>) -> Span {
        place(
            self.written,
            self.metric.start + part.start..self.metric.start + part.end,
        )
    }

    /// The condition, now that the metric's unit is known.
    pub(super) fn finish(self, unit: Unit, problems: &mut Problems) -> Option<Condition> {
        let test = self
            .test(unit)
            .map_err(|problem| problems.file(problem))
            .ok()?;
        let metric = self.metric().to_owned();
        Some(Condition {
            text: self.written.it.trim().to_owned(),
            metric,
            unit,
            test,
        })
    }

    fn test(&self, unit: Unit) -> Result<Test, Problem> {
        let quantity = self.trimmed(self.quantity.clone());
        let never = &self.written.it[quantity.clone()] == "never";
        match self.word {
            Word::Near => self.near(unit, quantity),
            Word::Compare(comparison) if !never => {
                Ok(Test::Is(comparison, self.number(unit, quantity)?))
            }
            Word::Compare(Comparison::Equal) => Ok(Test::Never),
            Word::Compare(Comparison::NotEqual) => Ok(Test::Happened),
            Word::Compare(
                Comparison::AtMost | Comparison::AtLeast | Comparison::Below | Comparison::Above,
            ) => {
                let title = "`never` is neither more nor less than an instant";
                let problem = Problem::error(title, self.at(quantity), "cannot be compared so");
                Err(problem.help("write `== never` or `!= never`"))
            }
        }
    }

    fn near(&self, unit: Unit, part: Range<usize>) -> Result<Test, Problem> {
        let text = &self.written.it[part.clone()];
        let sign = ["+-", "±"]
            .iter()
            .find_map(|sign| Some((text.find(sign)?, sign.len())));
        let Some((sign, width)) = sign else {
            let title = "`~` needs a tolerance";
            let problem = Problem::error(title, self.at(part), "how near?");
            return Err(problem.help(format!("write `~ {text} +- 1%`")));
        };
        let value = self.number(unit, self.trimmed(part.start..part.start + sign))?;
        let part = self.trimmed(part.start + sign + width..part.end);
        let percent = self.written.it[part.clone()].ends_with('%') && unit != Unit::Ratio;
        let tolerance = if percent {
            let share = self.number(Unit::Number, self.trimmed(part.start..part.end - 1))?;
            share / 100.0 * value
        } else {
            self.number(unit, part)?
        };
        Ok(Test::Near { value, tolerance })
    }

    /// Reads a part of the sentence as a number in the unit.
    fn number(&self, unit: Unit, part: Range<usize>) -> Result<f64, Problem> {
        quantity(unit, &self.written.it[part.clone()]).map_err(|error| {
            let text = error.to_string();
            let (title, help) = text.split_once("; ").unwrap_or((&text, ""));
            let label = format!("the metric is in {}", unit.word());
            let problem = Problem::error(title, self.at(part), label);
            if help.is_empty() {
                problem
            } else {
                problem.help(help)
            }
        })
    }

    /// A part of the sentence without the space around it.
    fn trimmed(&self, part: Range<usize>) -> Range<usize> {
        let text = &self.written.it[part.clone()];
        let start = part.start + (text.len() - text.trim_start().len());
        start..start + text.trim().len()
    }

    fn at(&self, part: Range<usize>) -> Span {
        place(self.written, part)
    }
}

/// A number in a unit: seconds, bytes, per second, or as it is.
fn quantity(unit: Unit, text: &str) -> Result<f64, QuantityError> {
    Ok(match unit {
        Unit::Count => read_count(text)? as f64,
        Unit::Number => number(text)?,
        Unit::Seconds | Unit::Instant => text.parse::<SimDuration>()?.as_secs_f64(),
        Unit::Ratio => text.parse::<Ratio>()?.get(),
        Unit::Bytes => text.parse::<Bytes>()?.0 as f64,
        Unit::PerSecond if text.contains('/') => text.parse::<Rate>()?.as_per_second(),
        Unit::PerSecond => number(text)?,
    })
}

fn number(text: &str) -> Result<f64, QuantityError> {
    let expected = "a number is written like 48, 1_500, 2.5 or 8k";
    let owned = || text.to_owned();
    let split = Decimal::split(text);
    let (number, rest) = split.ok_or_else(|| QuantityError::NoNumber {
        text: owned(),
        expected,
    })?;
    let factor = match rest {
        "" => 1.0,
        "k" | "K" => 1e3,
        "M" => 1e6,
        "G" => 1e9,
        _ => {
            return Err(QuantityError::UnknownUnit {
                unit: rest.to_owned(),
                expected,
            });
        }
    };
    Ok(number.to_f64() * factor)
}

/// The place of a part of a text. A text with escapes has no such places: then it is all of it.
fn place(written: &Spanned<String>, part: Range<usize>) -> Span {
    let around = written.span.len().checked_sub(written.it.len());
    let quotes = match around {
        Some(0) => 0,
        Some(2) => 1,
        Some(6) => 3,
        Some(_) | None => return written.span.clone(),
    };
    let start = written.span.start + quotes;
    start + part.start..start + part.end
}
