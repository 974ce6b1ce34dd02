//! `[queues.NAME]`: bounds, order, and what a queue does with what it cannot keep.
//!
//! Not who is admitted to a full queue: its publishers say that, see [`super::publish`].

use super::delivery;
use super::names::Names;
use super::preset;
use super::reading::{WordOr, above_zero, word, word_or};
use crate::input::{Entry, Fields, Problem, Problems, Read, Value, Variant};
use crate::model::{Counts, LengthCheck, MemoryLimit, OnLimit, Overflow, Queue, Returned};
use crate::policy::admission::Admission;
use crate::policy::order::Order;
use crate::units::{Bytes, SimDuration};

const RESTART: SimDuration = SimDuration::from_secs(30);

/// Reads one queue.
pub(super) fn read(entry: &Entry, names: &Names<'_>, problems: &mut Problems) -> Option<Queue> {
    let name = names.queues.dotted(&entry.key);
    let mut fields = Fields::open(&entry.value, name.clone(), problems)?;
    preset::read(&mut fields, problems);
    let capacity = capacity(&mut fields, problems);
    let counts = ["waiting", "waiting_and_in_flight"];
    let counts = match word(&mut fields, "capacity_counts", &counts, problems).map(|it| it.it) {
        Some("waiting_and_in_flight") => Counts::WaitingAndInFlight,
        _ => Counts::Waiting,
    };
    let order = fields.or("order", Order::Fifo, problems);
    let overflow = overflow(&mut fields, capacity, order, problems);
    let length_check = length_check(&mut fields, capacity, overflow, problems);
    let returned = match word(&mut fields, "returned", &["keep", "drop"], problems) {
        Some(found) if found.it == "drop" => Returned::Drop,
        _ => Returned::Keep,
    };
    let retention = above_zero(&mut fields, "retention", problems);
    let ttl = above_zero(&mut fields, "ttl", problems);
    let memory = fields.optional("memory", problems);
    let delivery = delivery::read(&mut fields, names, problems);
    fields.close(problems);
    let capacity = capacity?;
    let admission = Admission::Fifo;
    Some(Queue {
        name,
        capacity,
        counts,
        length_check,
        overflow,
        returned,
        order,
        retention,
        ttl,
        memory,
        admission,
        delivery,
    })
}

fn capacity(fields: &mut Fields<'_>, problems: &mut Problems) -> Option<u64> {
    let Some(entry) = fields.entry("capacity") else {
        return Some(u64::MAX);
    };
    match word_or(&entry.value, &["unbounded"], problems)? {
        WordOr::Word(_) => Some(u64::MAX),
        WordOr::Value(0) => {
            let span = entry.value.span.clone();
            let problem = Problem::error("a queue needs room for one", span, "must be at least 1");
            problems.file(problem.help(
                "for a queue where nobody waits, count the messages in flight too: \
                 `capacity_counts = \"waiting_and_in_flight\"`",
            ));
            None
        }
        WordOr::Value(capacity) => Some(capacity),
    }
}

fn overflow(
    fields: &mut Fields<'_>,
    capacity: Option<u64>,
    order: Order,
    problems: &mut Problems,
) -> Overflow {
    let words = ["refuse", "drop_oldest", "drop_newest", "drop_lowest"];
    let Some(found) = word(fields, "overflow", &words, problems) else {
        return Overflow::Refuse;
    };
    if capacity == Some(u64::MAX) {
        let title = "an unbounded queue never overflows";
        let problem = Problem::warning(title, found.span.clone(), "has no effect");
        problems.file(problem.help("add a `capacity`"));
    }
    match found.it {
        "drop_oldest" => Overflow::DropOldest,
        "drop_newest" => Overflow::DropNewest,
        "drop_lowest" => {
            if order != Order::Priority {
                let title = "only a queue in order of priority knows its lowest message";
                let problem = Problem::error(title, found.span, "needs priorities");
                problems.file(problem.help("add `order = \"priority\"`"));
            }
            Overflow::DropLowest
        }
        _ => Overflow::Refuse,
    }
}

fn length_check(
    fields: &mut Fields<'_>,
    capacity: Option<u64>,
    overflow: Overflow,
    problems: &mut Problems,
) -> LengthCheck {
    match word(fields, "length_check", &["message", "batch"], problems) {
        Some(found) if found.it == "batch" => {
            let unused = if capacity == Some(u64::MAX) {
                Some((
                    "an unbounded queue has no length to check",
                    "add a `capacity`",
                ))
            } else if overflow != Overflow::Refuse {
                let help = "leave it out, or let the queue refuse: `overflow = \"refuse\"`";
                Some(("a queue that drops looks at each message", help))
            } else {
                None
            };
            if let Some((title, help)) = unused {
                let problem = Problem::warning(title, found.span, "has no effect");
                problems.file(problem.help(help));
            }
            LengthCheck::Batch
        }
        Some(_) | None => LengthCheck::Message,
    }
}

impl Read for MemoryLimit {
    const EXPECTS: &'static str = "a table such as { limit = \"2GiB\", on_limit = \"block\" }";

    fn read(value: &Value, problems: &mut Problems) -> Option<Self> {
        let mut fields = Fields::open(value, "memory", problems)?;
        let limit = fields.required_spanned::<Bytes>("limit", problems);
        let on_limit = fields.or("on_limit", OnLimit::Block, problems);
        fields.close(problems);
        let limit = limit?;
        if limit.it.0 == 0 {
            let problem = Problem::error("`limit` is 0B", limit.span, "must be larger than zero");
            problems.file(problem);
            return None;
        }
        Some(Self {
            limit: limit.it,
            on_limit,
        })
    }
}

impl Read for OnLimit {
    const EXPECTS: &'static str = "\"block\", \"refuse\" or \"crash\"";

    fn read(value: &Value, problems: &mut Problems) -> Option<Self> {
        let words = ["block", "refuse", "crash"];
        let variant = Variant::of(value, "an answer to full memory", &words, problems)?;
        if variant.name == "crash" {
            let mut restart = None;
            if variant.body.is_some() {
                let mut fields = variant.fields(problems)?;
                restart = above_zero(&mut fields, "restart", problems);
                fields.close(problems);
            }
            return Some(Self::Crash {
                restart: restart.unwrap_or(RESTART),
            });
        }
        variant.bare(problems);
        Some(if variant.name == "refuse" {
            Self::Refuse
        } else {
            Self::Block
        })
    }
}
