//! `[dependencies.NAME]`: how many calls it works on at once, for how long, how many wait, how it
//! fails, and what it does under load (rule E6).
//!
//! Not who calls it, and how: those are the [calls](super::calls) of producers and consumers.

use super::names::Names;
use super::reading::{WordOr, above_zero, is_table, number, stray, up_to, word_or};
use crate::input::{Entry, Fields, Problem, Problems, Read, Value, Variant};
use crate::model::{Dependency, Expired, Overload, StationOrder};
use crate::policy::rate_limit::RateLimit;
use crate::random::law::DurationLaw;
use crate::units::{Ratio, SimDuration};

/// The most servers of a dependency: each has a place in memory, and so many calls at once are as
/// good as any number.
const MOST_SERVERS: u32 = 1_000_000;

/// A dependency, and how long its callers wait unless they say otherwise.
#[derive(Debug)]
pub(super) struct Reading {
    pub dependency: Dependency,
    /// `None` for as long as it takes.
    pub timeout: Option<SimDuration>,
}

/// Reads one dependency.
pub(super) fn read(entry: &Entry, names: &Names<'_>, problems: &mut Problems) -> Option<Reading> {
    let name = names.dependencies.dotted(&entry.key);
    let mut fields = Fields::open(&entry.value, name.clone(), problems)?;
    if !fields.has("servers") {
        fields.required::<u32>("servers", problems);
    }
    let servers = up_to(&mut fields, "servers", MOST_SERVERS, problems);
    let service = fields.required::<DurationLaw>("service", problems);
    let line = fields.or("queue", Line::default(), problems);
    let timeout = timeout(&mut fields, problems);
    let expired = fields.or("expired", Expired::Served, problems);
    let fails = fields.or("fails", Fails::default(), problems);
    let overload = fields.optional::<Overload>("overload", problems);
    let limit = fields.optional::<RateLimit>("limit", problems);
    let shed = fields.optional::<SimDuration>("shed", problems);
    fields.close(problems);
    Some(Reading {
        dependency: Dependency {
            name,
            servers: servers?,
            service: service?,
            capacity: line.capacity,
            order: line.order,
            expired,
            fails: fails.share,
            fails_take: fails.takes,
            overload,
            limit,
            shed,
        },
        timeout: timeout.flatten(),
    })
}

/// A time to wait for an answer, or `"none"` for as long as it takes; the outer `None` when the
/// key is not there.
#[expect(
    clippy::option_option,
    reason = "not there, or there and without a bound: the next line tells them apart"
)]
pub(super) fn timeout(
    fields: &mut Fields<'_>,
    problems: &mut Problems,
) -> Option<Option<SimDuration>> {
    let entry = fields.entry("timeout")?;
    match word_or::<SimDuration>(&entry.value, &["none"], problems)? {
        WordOr::Word(_) => Some(None),
        WordOr::Value(_) => above_zero(fields, "timeout", problems).map(Some),
    }
}

/// Who waits for a server.
#[derive(Debug)]
struct Line {
    capacity: u64,
    order: StationOrder,
}

impl Default for Line {
    fn default() -> Self {
        Self {
            capacity: u64::MAX,
            order: StationOrder::Fifo,
        }
    }
}

impl Read for Line {
    const EXPECTS: &'static str = "a count of waiting calls such as 50, \"unbounded\", or a table \
                                   such as { capacity = 50, order = \"lifo\" }";

    fn read(value: &Value, problems: &mut Problems) -> Option<Self> {
        if !is_table(value) {
            let capacity = capacity(value, problems)?;
            return Some(Self {
                capacity,
                ..Self::default()
            });
        }
        let mut fields = Fields::open(value, "queue", problems)?;
        let capacity = match fields.entry("capacity") {
            Some(entry) => capacity(&entry.value, problems),
            None => Some(u64::MAX),
        };
        let order = fields.or("order", StationOrder::Fifo, problems);
        fields.close(problems);
        Some(Self {
            capacity: capacity?,
            order,
        })
    }
}

fn capacity(value: &Value, problems: &mut Problems) -> Option<u64> {
    Some(match word_or::<u64>(value, &["unbounded"], problems)? {
        WordOr::Word(_) => u64::MAX,
        WordOr::Value(capacity) => capacity,
    })
}

impl Read for StationOrder {
    const EXPECTS: &'static str =
        "an order such as \"fifo\", or { adaptive = { above = \"100ms\" } }";

    fn read(value: &Value, problems: &mut Problems) -> Option<Self> {
        let known = ["fifo", "lifo", "adaptive"];
        let variant = Variant::of(value, "an order of calls", &known, problems)?;
        if variant.name == "adaptive" {
            let mut fields = variant.fields(problems)?;
            let above = fields.required::<SimDuration>("above", problems);
            fields.close(problems);
            return Some(Self::Adaptive { above: above? });
        }
        variant.bare(problems);
        Some(match variant.name {
            "lifo" => Self::Lifo,
            _ => Self::Fifo,
        })
    }
}

impl Read for Expired {
    const EXPECTS: &'static str =
        "\"served\", \"dropped\", or { dropped = { margin = \"200ms\" } }";

    fn read(value: &Value, problems: &mut Problems) -> Option<Self> {
        let known = ["served", "dropped"];
        let variant = Variant::of(value, "a fate of calls without a caller", &known, problems)?;
        if variant.name == "served" {
            variant.bare(problems);
            return Some(Self::Served);
        }
        let mut margin = SimDuration::ZERO;
        if variant.body.is_some() {
            let mut fields = variant.fields(problems)?;
            margin = fields.or("margin", margin, problems);
            fields.close(problems);
        }
        Some(Self::Dropped { margin })
    }
}

/// How calls fail that were worked on.
#[derive(Debug, Default)]
struct Fails {
    share: Ratio,
    takes: Option<DurationLaw>,
}

impl Read for Fails {
    const EXPECTS: &'static str = "a ratio such as \"1%\", or { share = \"1%\", takes = \"5ms\" }";

    fn read(value: &Value, problems: &mut Problems) -> Option<Self> {
        if !is_table(value) {
            let share = Ratio::read(value, problems)?;
            return Some(Self { share, takes: None });
        }
        let mut fields = Fields::open(value, "fails", problems)?;
        let share = fields.required::<Ratio>("share", problems);
        let takes = fields.optional::<DurationLaw>("takes", problems);
        fields.close(problems);
        Some(Self {
            share: share?,
            takes,
        })
    }
}

impl Read for Overload {
    const EXPECTS: &'static str = "a table such as { above = 20, slowdown = \"5%\" }";

    fn read(value: &Value, problems: &mut Problems) -> Option<Self> {
        let mut fields = Fields::open(value, "overload", problems)?;
        let above = fields.required::<u64>("above", problems);
        let slowdown = fields.or("slowdown", Ratio::ZERO, problems);
        let failures = fields.or("failures", Ratio::ZERO, problems);
        let most = number(&mut fields, "most", &1.0, problems);
        if slowdown == Ratio::ZERO {
            let entry = fields.entry("most");
            stray(&fields, "most", "slowdown", entry, problems);
        }
        fields.close(problems);
        if slowdown == Ratio::ZERO && failures == Ratio::ZERO {
            let title = "an overload that changes nothing";
            let label = "lacks `slowdown` and `failures`";
            let problem = Problem::error(title, value.span.clone(), label);
            problems.file(problem.help("add `slowdown = \"5%\"`: so much for each call above"));
        }
        Some(Self {
            above: above?,
            slowdown,
            failures,
            most,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::testing::{read, refused};

    #[test]
    fn a_line_is_a_bound_or_a_table() {
        let read = |text| {
            let line: Line = read(text).expect(text);
            (line.capacity, line.order)
        };
        assert_eq!(read("50"), (50, StationOrder::Fifo));
        assert_eq!(read("\"unbounded\""), (u64::MAX, StationOrder::Fifo));
        assert_eq!(read("{ order = \"lifo\" }"), (u64::MAX, StationOrder::Lifo));
        let above = SimDuration::from_millis(100);
        let adaptive = "{ capacity = 9, order = { adaptive = { above = \"100ms\" } } }";
        assert_eq!(read(adaptive), (9, StationOrder::Adaptive { above }));
        assert!(refused::<Line>("\"lots\"").contains("`lots` is not known here"));
        assert!(refused::<Line>("{ order = \"random\" }").contains("not an order of calls"));
        assert!(refused::<Line>("{ capcity = 1 }").contains("did you mean `capacity`?"));
        assert!(refused::<StationOrder>("\"adaptive\"").contains("needs its parameters"));
    }

    #[test]
    fn what_becomes_of_expired_calls() {
        let margin = SimDuration::from_millis(200);
        assert_eq!(read("\"served\""), Some(Expired::Served));
        let zero = SimDuration::ZERO;
        assert_eq!(read("\"dropped\""), Some(Expired::Dropped { margin: zero }));
        let text = "{ dropped = { margin = \"200ms\" } }";
        assert_eq!(read(text), Some(Expired::Dropped { margin }));
        assert!(refused::<Expired>("\"droped\"").contains("did you mean `dropped`?"));
    }

    #[test]
    fn an_overload_changes_something() {
        let read: Overload = read("{ above = 20, slowdown = \"5%\", most = 4 }").expect("right");
        assert_eq!((read.above, read.most), (20, Some(4.0)));
        for (text, reason) in [
            ("{ above = 20 }", "changes nothing"),
            ("{ slowdown = 0.1 }", "lacks `above`"),
            (
                "{ above = 1, failures = 0.1, most = 2 }",
                "has `most` without `slowdown`",
            ),
            ("{ above = 1, slowdown = 0.1, most = 0.5 }", "`most` is 0.5"),
        ] {
            let told = refused::<Overload>(text);
            assert!(told.contains(reason), "{text}: {told}");
        }
    }

    #[test]
    fn failures_are_a_share_and_a_time() {
        let plain: Fails = read("\"1%\"").expect("right");
        assert!(plain.takes.is_none() && plain.share > Ratio::ZERO);
        let quick: Fails = read("{ share = 0.5, takes = \"5ms\" }").expect("right");
        assert!(quick.takes.is_some());
        assert!(refused::<Fails>("{ takes = \"5ms\" }").contains("lacks `share`"));
    }
}
