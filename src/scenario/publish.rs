//! What producers and publishing fleets have in common: where a message goes, what it is, and
//! what its publisher does when it is refused.
//!
//! Not when they publish.

use super::names::Names;
use super::reading::{above_zero, at_least, exactly_one};
use super::stamp;
use crate::input::{Fields, Problem, Problems, Read, Spanned, Value, Variant};
use crate::model::{Id, Producer, QueueId, Stamp};
use crate::policy::admission::Admission;
use crate::policy::publish::{Blocking, PublishPolicy};
use crate::policy::retry::RetryPolicy;
use crate::random::law::{CountLaw, SizeLaw};

/// The keys of one who publishes.
#[derive(Debug)]
pub(super) struct Publisher {
    pub queues: Vec<QueueId>,
    pub size: SizeLaw,
    pub priority: CountLaw,
    pub on_full: PublishPolicy,
    pub stamp: Stamp,
}

impl Publisher {
    /// Reads the keys; orders of admission that it names are claimed.
    pub(super) fn read(
        fields: &mut Fields<'_>,
        names: &Names<'_>,
        claims: &mut Claims,
        problems: &mut Problems,
    ) -> Option<Self> {
        let queues = targets(fields, names, problems);
        let size = fields.or("size", SizeLaw::constant(Producer::USUAL_SIZE), problems);
        let priority = fields.or("priority", CountLaw::constant(0), problems);
        let stamp = stamp::read(fields, problems);
        let on_full = fields
            .entry("on_full")
            .map(|entry| on_full(&entry.value, problems));
        let (on_full, admission) = on_full.unwrap_or(Some((PublishPolicy::Reject, None)))?;
        let queues = queues?;
        if let Some(admission) = admission {
            for queue in &queues {
                claims.add(*queue, &admission, problems);
            }
        }
        Some(Self {
            queues,
            size,
            priority,
            on_full,
            stamp,
        })
    }
}

/// Reads `queue` or `queues`.
fn targets(
    fields: &mut Fields<'_>,
    names: &Names<'_>,
    problems: &mut Problems,
) -> Option<Vec<QueueId>> {
    // Both are taken, so that neither is an unknown key.
    let (one, many) = (fields.entry("queue"), fields.entry("queues"));
    exactly_one(fields, &["queue", "queues"], problems)?;
    if one.is_some() {
        let queue = fields.required_spanned::<String>("queue", problems)?;
        return names.queues.find(&queue, problems).map(|queue| vec![queue]);
    }
    let list = fields.required::<Vec<Spanned<String>>>("queues", problems)?;
    if list.is_empty() {
        let place = many.map_or_else(|| fields.place(), |entry| entry.value.span.clone());
        problems.file(Problem::error(
            "`queues` is empty",
            place,
            "name one at least",
        ));
        return None;
    }
    for (position, name) in list.iter().enumerate() {
        if let Some(first) = list[..position].iter().find(|first| first.it == name.it) {
            let title = format!("`{}` is named twice", name.it);
            let problem = Problem::error(title, name.span.clone(), "each gets one copy");
            problems.file(problem.also(first.span.clone(), "first here"));
        }
    }
    let found: Vec<_> = list
        .iter()
        .map(|name| names.queues.find(name, problems))
        .collect();
    found.into_iter().collect()
}

type OnFull = (PublishPolicy, Option<Spanned<Admission>>);

fn on_full(value: &Value, problems: &mut Problems) -> Option<OnFull> {
    let words = ["reject", "block", "retry"];
    let variant = Variant::of(value, "a publish policy", &words, problems)?;
    if variant.name == "block" && variant.refuses_plain("timeout", problems) {
        return None;
    }
    match (variant.name, variant.body) {
        ("block", None) => Some((PublishPolicy::Block(PATIENT), None)),
        ("block", Some(_)) => blocking(variant.fields(problems)?, problems),
        ("retry", Some(body)) => {
            let policy = RetryPolicy::read(body, problems)?;
            Some((PublishPolicy::Retry(policy), None))
        }
        ("retry", None) => {
            variant.fields(problems);
            None
        }
        _ => {
            variant.bare(problems);
            Some((PublishPolicy::Reject, None))
        }
    }
}

/// A publisher that waits as long as it takes, with all the connections that it takes.
const PATIENT: Blocking = Blocking {
    timeout: None,
    connections: u64::MAX,
};

fn blocking(mut fields: Fields<'_>, problems: &mut Problems) -> Option<OnFull> {
    let timeout = above_zero(&mut fields, "timeout", problems);
    let connections = match fields.spanned::<u64>("connections", problems) {
        Some(found) => at_least(&1, found, "connections", problems)?,
        None => u64::MAX,
    };
    let mut admission = fields.spanned::<Admission>("admission", problems);
    let named = fields.has("admission");
    let wake_up_at = fields.entry("wake_up").map(|entry| entry.key_span.clone());
    let wake_up = above_zero(&mut fields, "wake_up", problems);
    fields.close(problems);
    match (wake_up, wake_up_at, &mut admission) {
        (Some(delay), _, Some(order)) if order.it == Admission::NewcomersFirst => {
            order.it = Admission::WakeUp(delay);
        }
        // A wrong order or delay has been filed already.
        (None, ..) | (_, None, _) => {}
        (Some(_), Some(_), None) if named => {}
        (Some(_), Some(place), order) => {
            let title = "`wake_up` belongs to the admission `newcomers_first`";
            let problem = Problem::error(title, place, "has no meaning here");
            let problem = match order {
                Some(order) => problem.also(order.span.clone(), "this order keeps no slot open"),
                None => problem,
            };
            problems.file(problem.help("add `admission = \"newcomers_first\"`"));
        }
    }
    Some((
        PublishPolicy::Block(Blocking {
            timeout,
            connections,
        }),
        admission,
    ))
}

/// The orders of admission that publishers name, for each queue: it can have one only.
#[derive(Debug)]
pub(super) struct Claims(Vec<Option<Spanned<Admission>>>);

impl Claims {
    /// No claim on any of `queues` queues.
    pub(super) fn new(queues: usize) -> Self {
        Self(vec![None; queues])
    }

    /// Who is admitted to a queue, if a publisher said so.
    pub(super) fn of(&self, queue: usize) -> Admission {
        self.0[queue]
            .as_ref()
            .map_or(Admission::Fifo, |claim| claim.it)
    }

    fn add(&mut self, queue: QueueId, claim: &Spanned<Admission>, problems: &mut Problems) {
        let standing = self.0[queue.index()].get_or_insert_with(|| claim.clone());
        if standing.it != claim.it {
            let title = "one queue cannot admit its blocked publishers in two orders";
            let problem = Problem::error(title, claim.span.clone(), "another order");
            let problem = problem.also(standing.span.clone(), "first named here");
            problems.file(problem.help("name the same `admission` for all that block on a queue"));
        }
    }
}
