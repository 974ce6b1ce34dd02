//! The values that a key takes one after the other: `48..80:4`, `48,55,60`, `1ms..1s:x2`, words.
//!
//! Not whether the key can take them: each is laid over the scenario and read like the file.

use std::ops::Range;

use super::quantity::{Quantity, factor};
use crate::input::{Data, Entry, Problem, Problems, Span, Spanned, Value};
use crate::outcome::Unit;
use crate::scenario::condition::place;
use crate::scenario::overlay;

/// The most values of one key.
const MOST: u64 = 100_000;

const WAYS: &str = "values are written `48,55,60`, `48..80:4` (both ends count), `1..400` (steps \
                    of 1) or `1..1000:x10` (each so many times the last)";

/// One value of a key.
#[derive(Clone, Debug)]
pub struct Setting {
    /// As it is written behind `--set KEY=`.
    pub text: String,
    /// In base units (seconds, per second, bytes), when it is a quantity.
    pub number: Option<(f64, Unit)>,
    /// What is laid over the scenario.
    pub(super) value: Value,
}

impl Setting {
    /// The value as TOML has it, in JSON: a number where it is one, else a text.
    pub fn json(&self) -> serde_json::Value {
        match &self.value.data {
            Data::Integer(it) => (*it).into(),
            Data::Float(it) => (*it).into(),
            Data::Boolean(it) => (*it).into(),
            Data::String(it) => it.as_str().into(),
            Data::Datetime | Data::Array(_) | Data::Table(_) => self.text.as_str().into(),
        }
    }
}

/// A text of values that stands somewhere.
struct Written<'a> {
    text: &'a str,
    whole: &'a Spanned<String>,
}

impl Written<'_> {
    fn at(&self, part: Range<usize>) -> Span {
        place(self.whole, part)
    }

    /// A part of the text, with its place there, without the space around it.
    fn trimmed(&self, part: Range<usize>) -> Range<usize> {
        let text = &self.text[part.clone()];
        let start = part.start + (text.len() - text.trim_start().len());
        start..start + text.trim().len()
    }
}

/// Reads the values written in a text, in quotes or without.
pub(super) fn read(whole: &Spanned<String>, problems: &mut Problems) -> Option<Vec<Setting>> {
    let written = Written {
        text: &whole.it,
        whole,
    };
    let mut settings = Vec::new();
    let mut all_right = true;
    for part in split(&whole.it) {
        let part = written.trimmed(part);
        match part_of(&written, part, problems) {
            Some(more) => settings.extend(more),
            None => all_right = false,
        }
    }
    (all_right && no_twins(&settings, &whole.span, problems)).then_some(settings)
}

/// The values of one part of a list.
fn part_of(
    written: &Written<'_>,
    part: Range<usize>,
    problems: &mut Problems,
) -> Option<Vec<Setting>> {
    let text = &written.text[part.clone()];
    if text.is_empty() {
        let problem = Problem::error("a value is missing", written.at(part), "none stands here");
        problems.file(problem.help(WAYS));
        return None;
    }
    if let Some(dots) = text.find("..").filter(|_| is_bare(text)) {
        let values = range(written, part, dots);
        return values.map_err(|problem| problems.file(problem)).ok();
    }
    let value = overlay::value(text, written.at(part).start, problems)?;
    Some(vec![Setting {
        text: text.to_owned(),
        number: Quantity::parse(text).map(|it| it.measured()),
        value,
    }])
}

/// The values of a list: each is taken as it stands.
pub(super) fn listed(items: &[Value]) -> Vec<Setting> {
    let setting = |item: &Value| {
        let text = shown(item);
        Setting {
            number: Quantity::parse(&text).map(|it| it.measured()),
            text,
            value: item.clone(),
        }
    };
    items.iter().map(setting).collect()
}

/// A value as it is written behind `--set KEY=`.
fn shown(value: &Value) -> String {
    let joined = |parts: Vec<String>| parts.join(", ");
    match &value.data {
        Data::String(it) => it.clone(),
        Data::Integer(it) => it.to_string(),
        Data::Float(it) => it.to_string(),
        Data::Boolean(it) => it.to_string(),
        Data::Datetime => "a date".to_owned(),
        Data::Array(items) => format!("[{}]", joined(items.iter().map(nested).collect())),
        Data::Table(table) => {
            let entry = |it: &Entry| format!("{} = {}", it.key, nested(&it.value));
            format!(
                "{{ {} }}",
                joined(table.entries.iter().map(entry).collect())
            )
        }
    }
}

/// A value within another, where a text has its quotes.
fn nested(value: &Value) -> String {
    match &value.data {
        Data::String(it) => format!("\"{it}\""),
        Data::Integer(_)
        | Data::Float(_)
        | Data::Boolean(_)
        | Data::Datetime
        | Data::Array(_)
        | Data::Table(_) => shown(value),
    }
}

/// Whether nothing is given twice: a point would be computed twice, and nothing would say which.
pub(super) fn no_twins(settings: &[Setting], span: &Span, problems: &mut Problems) -> bool {
    let mut texts: Vec<&str> = settings.iter().map(|it| it.text.as_str()).collect();
    texts.sort_unstable();
    let mut pairs = texts.iter().zip(texts.iter().skip(1));
    let twin = pairs.find(|(one, next)| one == next);
    if let Some((text, _)) = twin {
        let title = format!("`{text}` is given twice");
        problems.file(Problem::error(title, span.clone(), "once is enough"));
    }
    twin.is_none()
}

/// Whether neither quotes nor brackets start the text, so that dots in it are a range.
fn is_bare(text: &str) -> bool {
    !text.starts_with(['"', '\'', '[', '{'])
}

/// The parts between the commas that stand in no quotes and no brackets.
fn split(text: &str) -> Vec<Range<usize>> {
    let (mut parts, mut from, mut depth) = (Vec::new(), 0, 0_i32);
    let mut quote = None;
    for (at, letter) in text.char_indices() {
        match (quote, letter) {
            (Some(open), _) if open == letter => quote = None,
            (None, '"' | '\'') => quote = Some(letter),
            (None, '[' | '{') => depth += 1,
            (None, ']' | '}') => depth -= 1,
            (None, ',') if depth == 0 => {
                parts.push(from..at);
                from = at + 1;
            }
            (Some(_) | None, _) => {}
        }
    }
    parts.push(from..text.len());
    parts
}

/// A range; its dots stand at `dots` of the part.
fn range(written: &Written<'_>, part: Range<usize>, dots: usize) -> Result<Vec<Setting>, Problem> {
    let text = written.text;
    let dots = part.start + dots;
    let step = text[dots..part.end].find(':').map(|at| dots + at);
    let first = written.trimmed(part.start..dots);
    let last = written.trimmed(dots + 2..step.unwrap_or(part.end));
    let quantity = |part: Range<usize>| {
        Quantity::parse(&text[part.clone()]).ok_or_else(|| {
            let title = format!("`{}` is no end of a range", &text[part.clone()]);
            let problem = Problem::error(title, written.at(part), "expected a quantity");
            problem.help(WAYS)
        })
    };
    let (from, to) = (quantity(first.clone())?, quantity(last.clone())?);
    if !from.is_like(&to) {
        let title = format!("{} and {} are not of one kind", from.text(), to.text());
        let problem = Problem::error(title, written.at(last), "another kind of unit");
        return Err(problem.help("write both ends of a range with a unit of one kind"));
    }
    if from.is_above(&to) {
        let title = format!(
            "a range goes upwards, and {} is above {}",
            from.text(),
            to.text()
        );
        let problem = Problem::error(title, written.at(first), "the larger one");
        return Err(problem.help(format!("write `{}..{}`", to.text(), from.text())));
    }
    let steps = match step {
        Some(colon) => {
            let part = written.trimmed(colon + 1..part.end);
            let word = &text[part.clone()];
            match word.strip_prefix(['x', 'X', '*', '×']) {
                Some(factor) => by_factor(written, part, factor, (&from, &to))?,
                None => by_step(written, part.clone(), &quantity(part)?, (&from, &to))?,
            }
        }
        None if from.is_whole_number() && to.is_whole_number() => {
            by_step(written, part.clone(), &Quantity::one(), (&from, &to))?
        }
        None => {
            let title = "only a range of whole numbers goes without a step";
            let problem = Problem::error(title, written.at(part.clone()), "how far is a step?");
            let text = &text[part];
            return Err(problem.help(format!("write `{text}:{}`, or `{text}:x2`", to.text())));
        }
    };
    let span = written.at(part);
    Ok(steps.iter().map(|step| made(step, &span)).collect())
}

/// A value that nobody wrote, at the place of the range that it is of.
pub(super) fn made(quantity: &Quantity, span: &Span) -> Setting {
    let text = quantity.text();
    let data = match text.parse::<i64>() {
        Ok(whole) => Data::Integer(whole),
        Err(_) => match text.parse::<f64>() {
            Ok(number) => Data::Float(number),
            Err(_) => Data::String(text.clone()),
        },
    };
    Setting {
        number: Some(quantity.measured()),
        text,
        value: Value {
            span: span.clone(),
            data,
        },
    }
}

fn by_step(
    written: &Written<'_>,
    part: Range<usize>,
    step: &Quantity,
    (from, to): (&Quantity, &Quantity),
) -> Result<Vec<Quantity>, Problem> {
    let at = written.at(part);
    if !step.is_like(from) {
        let title = format!(
            "a step of {} leads nowhere from {}",
            step.text(),
            from.text()
        );
        let problem = Problem::error(title, at, "another kind of unit");
        return Err(problem.help("write the step with a unit of the same kind as the ends"));
    }
    if step.is_zero() {
        return Err(Problem::error(
            "a step of nothing leads nowhere",
            at,
            "must be above zero",
        ));
    }
    match from.steps_to(to, step).filter(|steps| *steps < MOST) {
        Some(steps) => Ok((0..=steps).map(|n| from.after(n, step)).collect()),
        None => Err(too_many(at)),
    }
}

/// From one end on, each so many times the last.
fn by_factor(
    written: &Written<'_>,
    part: Range<usize>,
    word: &str,
    (from, to): (&Quantity, &Quantity),
) -> Result<Vec<Quantity>, Problem> {
    let at = written.at(part);
    let Some(factor) = factor(word) else {
        let title = format!("`x{word}` is no step");
        let problem = Problem::error(title, at, "expected a number above 1");
        return Err(problem.help("write `:x2` to double, `:x10` for powers of ten"));
    };
    if from.is_zero() {
        let title = format!("no factor leads from {} to {}", from.text(), to.text());
        return Err(Problem::error(title, at, "zero stays zero").help("begin above zero"));
    }
    let mut steps = Vec::new();
    loop {
        // From the start each time: what is rounded is not multiplied on.
        let exact = from.times(&factor.pow(steps.len() as i32));
        if exact.is_above(to) {
            return Ok(steps);
        }
        if steps.len() as u64 >= MOST {
            return Err(too_many(at));
        }
        steps.push(exact.rounded());
    }
}

fn too_many(at: Span) -> Problem {
    let title = format!("a range of more than {MOST} values");
    Problem::error(title, at, "too small a step").help("take larger steps")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spanned(text: &str) -> Spanned<String> {
        Spanned {
            it: text.to_owned(),
            span: 100..100 + text.len(),
        }
    }

    fn texts(text: &str) -> Vec<String> {
        let mut problems = Problems::default();
        let settings = read(&spanned(text), &mut problems);
        let settings = settings.unwrap_or_else(|| panic!("{text}: {problems:?}"));
        settings.into_iter().map(|it| it.text).collect()
    }

    /// The place of the first problem, and what is said.
    fn wrong(text: &str) -> (Span, String) {
        let mut problems = Problems::default();
        assert!(read(&spanned(text), &mut problems).is_none(), "{text}");
        let first = problems.sorted()[0].clone();
        let place = first.at.span.start - 100..first.at.span.end - 100;
        (place, format!("{}: {}", first.title, first.at.text))
    }

    #[test]
    fn a_range_has_both_its_ends() {
        assert_eq!(texts("48..60:4"), ["48", "52", "56", "60"]);
        assert_eq!(texts("1..400").len(), 400);
        assert_eq!(texts("30s..120s:30s"), ["30s", "60s", "90s", "120s"]);
        assert_eq!(
            texts("1000/s..1200/s:100/s"),
            ["1000/s", "1100/s", "1200/s"]
        );
        assert_eq!(texts("1m..2m:30s"), ["60s", "90s", "120s"]);
        assert_eq!(texts("5%..15%:5%"), ["5%", "10%", "15%"]);
        assert_eq!(texts("7..7"), ["7"]);
        // A step that passes the end leads to no value.
        assert_eq!(texts("48..61:4"), ["48", "52", "56", "60"]);
    }

    #[test]
    fn tenths_do_not_drift() {
        assert_eq!(
            texts("0.1..0.9:0.1"),
            [
                "0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7", "0.8", "0.9"
            ]
        );
    }

    #[test]
    fn steps_by_a_factor_multiply() {
        assert_eq!(texts("1..1000:x10"), ["1", "10", "100", "1000"]);
        assert_eq!(texts("1ms..9ms:x2"), ["1ms", "2ms", "4ms", "8ms"]);
        assert_eq!(texts("100..400:*1.5"), ["100", "150", "225", "337.5"]);
        assert_eq!(texts("1ms..1s:x2").last().unwrap(), "512ms");
    }

    #[test]
    fn lists_ranges_and_words_stand_side_by_side() {
        assert_eq!(texts("48,55, 60..62"), ["48", "55", "60", "61", "62"]);
        assert_eq!(texts("reject,block"), ["reject", "block"]);
        assert_eq!(
            texts("\"a,b\",{ block = { timeout = \"30s\", a = 1 } }"),
            ["\"a,b\"", "{ block = { timeout = \"30s\", a = 1 } }"]
        );
    }

    #[test]
    fn numbers_are_numbers_and_the_rest_are_texts() {
        let mut problems = Problems::default();
        let settings = read(&spanned("1..2,0.5,90s,8k"), &mut problems).unwrap();
        let data: Vec<_> = settings.into_iter().map(|it| it.value.data).collect();
        let text = |it: &str| Data::String(it.to_owned());
        let whole = Data::Integer;
        assert_eq!(
            data,
            [
                whole(1),
                whole(2),
                Data::Float(0.5),
                text("90s"),
                text("8k")
            ]
        );
    }

    #[test]
    fn what_is_wrong_is_said_where_it_stands() {
        let table: [(&str, Range<usize>, &str); 10] = [
            ("48,,60", 3..3, "a value is missing"),
            ("48..x:4", 4..5, "`x` is no end"),
            ("48..30s", 4..7, "not of one kind"),
            ("80..48:4", 0..2, "80 is above 48"),
            ("48..80:0", 7..8, "a step of nothing"),
            ("48..80:4s", 7..9, "a step of 4s leads nowhere"),
            ("30s..120s", 0..9, "goes without a step"),
            ("1..100:x1", 7..9, "`x1` is no step"),
            ("0..100:x2", 7..9, "no factor leads from 0"),
            ("0..1000000", 0..10, "more than 100000 values"),
        ];
        for (text, place, words) in table {
            let (at, said) = wrong(text);
            assert_eq!(at, place, "{text}: {said}");
            assert!(said.contains(words), "{text}: {said}");
        }
        assert!(wrong("48,52,48").1.contains("`48` is given twice"));
    }
}
