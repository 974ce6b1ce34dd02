//! The little language of expectations, objectives and alerts: `METRIC OP QUANTITY`, such as
//! `queues.orders.rejected == 8000`, and `METRIC ~ QUANTITY +- TOLERANCE`.
//!
//! Not where the observed number comes from.

use std::ops::Range;

use crate::input::{Problem, Problems, Span, Spanned};
use crate::model::Comparison;
use crate::outcome::Unit;
pub use crate::outcome::{Condition, Test};
use crate::units::{Bytes, Decimal, QuantityError, Rate, Ratio, SimDuration, read_count};

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

    /// A metric's name, of which nothing is asked.
    pub(super) fn name(written: &'a Spanned<String>) -> Self {
        let end = written.it.len();
        Self {
            written,
            metric: 0..end,
            word: Word::Near,
            quantity: end..end,
        }
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
            let label = format!("the metric is {}", sort(unit));
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

/// What a metric of a unit is, in a sentence.
fn sort(unit: Unit) -> &'static str {
    match unit {
        Unit::Count => "a count",
        Unit::Number => "a number",
        Unit::Seconds => "a time",
        Unit::Instant => "an instant",
        Unit::Ratio => "a ratio",
        Unit::PerSecond => "a rate",
        Unit::Bytes => "a size",
    }
}

/// A number in a unit: seconds, bytes, per second, or as it is.
fn quantity(unit: Unit, text: &str) -> Result<f64, QuantityError> {
    Ok(match unit {
        Unit::Count => read_count(text)? as f64,
        Unit::Seconds | Unit::Instant => text.parse::<SimDuration>()?.as_secs_f64(),
        Unit::Ratio => text.parse::<Ratio>()?.get(),
        Unit::Bytes => text.parse::<Bytes>()?.0 as f64,
        Unit::PerSecond if text.contains('/') => text.parse::<Rate>()?.as_per_second(),
        Unit::PerSecond | Unit::Number => number(text)?,
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
pub(super) fn place(written: &Spanned<String>, part: Range<usize>) -> Span {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, unit: Unit) -> Option<Condition> {
        let span = 10..10 + text.len() + 2;
        let written = Spanned {
            it: text.to_owned(),
            span,
        };
        let mut problems = Problems::default();
        let condition = Sentence::parse(&written, &mut problems)?.finish(unit, &mut problems);
        assert_eq!(condition.is_none(), problems.any_error());
        condition
    }

    fn holds(text: &str, unit: Unit, observed: impl Into<Option<f64>>) -> bool {
        read(text, unit).expect(text).holds(observed.into())
    }

    #[test]
    fn quantities_are_of_the_metrics_unit() {
        for (text, unit, value) in [
            ("a.b.c == 8000", Unit::Count, 8_000.0),
            ("a.b.c == 8k", Unit::Count, 8_000.0),
            ("a.b.c==2.5", Unit::Number, 2.5),
            (" a.b.c == 423.3s ", Unit::Instant, 423.3),
            ("a.b.c == 1m 30s", Unit::Seconds, 90.0),
            ("a.b.c == 7.4%", Unit::Ratio, 0.074),
            ("a.b.c == 0.074", Unit::Ratio, 0.074),
            ("a.b.c == 2KiB", Unit::Bytes, 2_048.0),
            ("a.b.c == 90/min", Unit::PerSecond, 1.5),
            ("a.b.c == 1.5", Unit::PerSecond, 1.5),
        ] {
            let condition = read(text, unit).expect(text);
            assert_eq!(condition.metric, "a.b.c");
            let Test::Is(Comparison::Equal, found) = condition.test else {
                panic!("{text}")
            };
            assert!((found - value).abs() < 1e-12, "{text}: {found}");
        }
        for (text, unit) in [
            ("a.b.c == 1.5", Unit::Count),
            ("a.b.c == -1", Unit::Count),
            ("a.b.c == 423.3", Unit::Seconds),
            ("a.b.c == 5s", Unit::Count),
            ("a.b.c == 7.4", Unit::Ratio),
            ("a.b.c == 2", Unit::Bytes),
            ("a.b.c == nan", Unit::Number),
            ("a.b.c ==", Unit::Number),
            ("a.b.c < never", Unit::Instant),
            ("a.b.c ~ 5s", Unit::Instant),
            ("a.b.c ~ never +- 1s", Unit::Instant),
            ("== 5", Unit::Count),
            ("", Unit::Count),
        ] {
            assert_eq!(read(text, unit), None, "{text}");
        }
    }

    #[test]
    fn compares_as_it_says() {
        let of = |text: &str| [4.0, 5.0, 6.0].map(|observed| holds(text, Unit::Count, observed));
        assert_eq!(of("x == 5"), [false, true, false]);
        assert_eq!(of("x != 5"), [true, false, true]);
        assert_eq!(of("x <= 5"), [true, true, false]);
        assert_eq!(of("x >= 5"), [false, true, true]);
        assert_eq!(of("x < 5"), [true, false, false]);
        assert_eq!(of("x > 5"), [false, false, true]);
        assert_eq!(of("x ~ 5 +- 1"), [true, true, true]);
        assert_eq!(of("x ~ 5 +- 10%"), [false, true, false]);
        assert_eq!(of("x ~ 5 ± 0"), [false, true, false]);
    }

    #[test]
    fn a_tolerance_on_a_ratio_is_a_ratio() {
        assert!(holds("x ~ 50% +- 10%", Unit::Ratio, 0.59));
        assert!(!holds("x ~ 50% +- 10%", Unit::Ratio, 0.61));
    }

    #[test]
    fn times_are_compared_to_the_nanosecond() {
        // 423.3 s has no exact float; one nanosecond off is off.
        let value = SimDuration::from_millis(423_300).as_secs_f64();
        assert!(holds("x == 423.3s", Unit::Instant, value + 0.4e-9));
        assert!(holds("x <= 423.3s", Unit::Instant, value + 0.4e-9));
        assert!(!holds("x < 423.3s", Unit::Instant, value - 0.4e-9));
        assert!(!holds("x == 423.3s", Unit::Instant, value + 1e-9));
        assert!(!holds("x == 423.3", Unit::Number, value + 0.4e-9));
    }

    #[test]
    fn what_did_not_happen_is_never() {
        assert!(holds("x == never", Unit::Instant, None));
        assert!(!holds("x == never", Unit::Instant, 1.0));
        assert!(holds("x != never", Unit::Instant, 1.0));
        for text in [
            "x == 1s",
            "x != 1s",
            "x < 1s",
            "x > 1s",
            "x ~ 1s +- 1s",
            "x != never",
        ] {
            assert!(!holds(text, Unit::Instant, None), "{text}");
        }
    }

    #[test]
    fn a_place_within_a_text_with_escapes_is_all_of_it() {
        let written = |around: usize| Spanned {
            it: "abc".to_owned(),
            span: 10..13 + around,
        };
        assert_eq!(place(&written(0), 1..2), 11..12);
        assert_eq!(place(&written(2), 1..2), 12..13);
        assert_eq!(place(&written(6), 1..2), 14..15);
        assert_eq!(place(&written(5), 1..2), 10..18);
    }
}
