//! `[producers.NAME]`: who publishes, when, and where to; or who calls a dependency inline.
//!
//! Not fleets that publish: those stand with the [consumers](super::consumers).

use super::calls::{self, Calls};
use super::names::Names;
use super::publish::{Claims, Publisher};
use super::reading::at_least;
use crate::input::{Entry, Fields, Problem, Problems, Spanned};
use crate::model::{Origin, Producer, Stamp};
use crate::policy::arrival::{Arrivals, WaitFor};
use crate::policy::publish::PublishPolicy;
use crate::random::law::{CountLaw, SizeLaw};
use crate::units::{SimDuration, SimTime};

/// What says where a message goes and what it is: nothing of it goes with calls.
const PUBLISHING: [&str; 9] = [
    "queue",
    "queues",
    "size",
    "priority",
    "on_full",
    "keys",
    "poison",
    "confirm_loss",
    "send_batch",
];

/// A producer without its calls, and those apart.
#[derive(Debug)]
pub(super) struct Reading {
    pub producer: Producer,
    pub calls: Option<Calls>,
}

/// Reads one producer.
pub(super) fn read(
    entry: &Entry,
    names: &Names<'_>,
    claims: &mut Claims,
    problems: &mut Problems,
) -> Option<Reading> {
    let name = names.producers.dotted(&entry.key);
    let mut fields = Fields::open(&entry.value, name.clone(), problems)?;
    fields.not_yet(&["retry"], problems);
    let inline = fields.entry("calls");
    let publisher = match inline {
        Some(_) => Some(inline_caller(&mut fields, problems)),
        None => Publisher::read(&mut fields, names, claims, problems),
    };
    let calls = inline.map(|entry| calls::read(entry, calls::Of::Producer, names, problems));
    let arrivals = fields.required_spanned::<Arrivals>("arrivals", problems);
    if let (Some(arrivals), Some(publisher)) = (&arrivals, &publisher) {
        waiting(arrivals, publisher, problems);
    }
    let start = fields.spanned::<SimDuration>("start", problems);
    let count = fields.spanned::<u64>("count", problems);
    let count = count.map(|found| at_least(&1, found, "count", problems));
    let until = fields.spanned::<SimDuration>("until", problems);
    ends_after_it_begins(start.as_ref(), until.as_ref(), problems);
    fields.close(problems);
    let instant = |span: SimDuration| SimTime::ZERO.saturating_add(span);
    let Publisher {
        queues,
        size,
        priority,
        on_full,
        stamp,
    } = publisher?;
    let origin = Origin::Arrivals {
        start: instant(start.map_or(SimDuration::ZERO, |start| start.it)),
        arrivals: arrivals?.it,
        count: count.flatten(),
        until: until.map(|until| instant(until.it)),
    };
    let producer = Producer {
        name,
        origin,
        queues,
        calls: None,
        size,
        priority,
        on_full,
        stamp,
    };
    let calls = calls.map_or(Some(None), |read| read.map(Some))?;
    Some(Reading { producer, calls })
}

/// One that publishes nothing: each key that says how is a problem.
fn inline_caller(fields: &mut Fields<'_>, problems: &mut Problems) -> Publisher {
    for key in PUBLISHING {
        let Some(entry) = fields.entry(key) else {
            continue;
        };
        let title = format!("`{}` calls inline, and publishes nothing", fields.name());
        let label = format!("`{key}` has no meaning beside `calls`");
        let problem = Problem::error(title, entry.key_span.clone(), label);
        let help = format!("remove `{key}`; or publish, and let the consumers of the queue call");
        problems.file(problem.help(help));
    }
    Publisher {
        queues: Vec::new(),
        size: SizeLaw::constant(Producer::USUAL_SIZE),
        priority: CountLaw::constant(0),
        on_full: PublishPolicy::Reject,
        stamp: Stamp::default(),
    }
}

/// What clients wait for has to be one answer.
fn waiting(arrivals: &Spanned<Arrivals>, publisher: &Publisher, problems: &mut Problems) {
    let Arrivals::Clients(clients) = &arrivals.it else {
        return;
    };
    let span = arrivals.span.clone();
    if publisher.queues.len() > 1 {
        let title = "clients that publish to several queues";
        let problem = Problem::error(title, span, "a client waits for one answer");
        let help = "name one queue, and let its consumers publish onwards: `publishes`";
        problems.file(problem.help(help));
    } else if publisher.queues.is_empty() && clients.wait_for == WaitFor::Completed {
        let title = "clients that call inline wait for the answer to their call";
        let problem = Problem::error(title, span, "no message to be completed");
        problems.file(problem.help("leave out `wait_for`"));
    }
}

fn ends_after_it_begins(
    start: Option<&Spanned<SimDuration>>,
    until: Option<&Spanned<SimDuration>>,
    problems: &mut Problems,
) {
    if let Some(until) = until
        && until.it <= start.map_or(SimDuration::ZERO, |start| start.it)
    {
        let title = "the producer ends before it begins";
        let problem = Problem::error(title, until.span.clone(), "ends here");
        let begins = start.map(|start| start.span.clone());
        problems.file(match begins {
            Some(begins) => problem.also(begins, "begins here"),
            None => problem,
        });
    }
}
