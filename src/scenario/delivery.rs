//! What `[queues.NAME]` says of deliveries: `delivery`, `groups`, `dead_letter`, `redrive`,
//! `dedup_window`, and `calls`.
//!
//! Not what consumers do with a delivery ([`super::handling`]), and not checks against other
//! components, which come when all are read ([`super::across`]).

use super::names::Names;
use super::reading::{SHORTEST, above_zero, is_table, number, pace, stray, word, words};
use crate::input::{Entry, Fields, Problem, Problems, Read, Spanned, Value};
use crate::model::{
    AckTimeout, CallLimits, Counted, DeadLetter, Delivery, Dispatch, Grouping, LateAck, QueueId,
    Redelivery, Redrive, RedriveIdentity, ReturnKinds, ReturnLimit, Visibility,
};
use crate::units::{Rate, SimDuration, SimTime};

/// How often RabbitMQ looks for deliveries that are unacknowledged for too long.
const CHECK: SimDuration = SimDuration::from_secs(60);

/// Takes the keys of deliveries from the table of a queue. What is wrong is filed, and left out.
pub(super) fn read(
    fields: &mut Fields<'_>,
    names: &Names<'_>,
    problems: &mut Problems,
) -> Delivery {
    let mut delivery = fields
        .entry("delivery")
        .and_then(|entry| deliveries(&entry.value, fields.name(), problems))
        .unwrap_or_default();
    delivery.grouping = if fields.or("groups", false, problems) {
        Grouping::ByKey
    } else {
        Grouping::None
    };
    delivery.dead_letter = dead_letter(fields, names, problems);
    delivery.redrive = redrive(fields, names, problems);
    delivery.dedup_window = above_zero(fields, "dedup_window", problems);
    delivery.calls = fields.or("calls", CallLimits::default(), problems);
    delivery
}

/// Reads the table `delivery` of a queue.
fn deliveries(value: &Value, queue: &str, problems: &mut Problems) -> Option<Delivery> {
    let mut fields = Fields::open(value, format!("{queue}.delivery"), problems)?;
    let redelivery = redelivery(&mut fields, problems);
    let late_ack = match word(&mut fields, "late_ack", &["honoured", "refused"], problems) {
        Some(found) if found.it == "refused" => LateAck::Refused,
        _ => LateAck::Honoured,
    };
    let max_receives = number(&mut fields, "max_receives", &1, problems);
    let return_limit = return_limit(&mut fields, problems);
    let ack_timeout = fields.optional("ack_timeout", problems);
    let max_in_flight = number(&mut fields, "max_in_flight", &1, problems);
    let dispatch = ["round_robin", "greedy"];
    let dispatch = match word(&mut fields, "dispatch", &dispatch, problems) {
        Some(found) if found.it == "greedy" => Dispatch::Greedy,
        _ => Dispatch::RoundRobin,
    };
    fields.close(problems);
    Some(Delivery {
        redelivery,
        late_ack,
        max_receives,
        return_limit,
        ack_timeout,
        max_in_flight,
        dispatch,
        ..Delivery::default()
    })
}

fn redelivery(fields: &mut Fields<'_>, problems: &mut Problems) -> Redelivery {
    let timeout = fields.spanned::<SimDuration>("visibility_timeout", problems);
    let heartbeat = fields.spanned::<SimDuration>("heartbeat", problems);
    let at_most = above_zero(fields, "max_extension", problems).unwrap_or(Visibility::AT_MOST);
    let sweep = pace(fields, "sweep", problems);
    if !fields.has("visibility_timeout") {
        for key in ["heartbeat", "max_extension", "sweep", "late_ack"] {
            let entry = fields.entry(key);
            stray(fields, key, "visibility_timeout", entry, problems);
        }
    }
    let Some(timeout) = timeout else {
        return Redelivery::OnDisconnect;
    };
    if timeout.it.is_zero() {
        let title = "a message is visible to others as soon as it is delivered";
        let problem = Problem::error(title, timeout.span.clone(), "must be longer than zero");
        problems.file(problem.help("leave out `visibility_timeout` for none"));
    }
    if let Some(heartbeat) = &heartbeat {
        beats_in_time(heartbeat, &timeout, problems);
    }
    Redelivery::Visibility(Visibility {
        timeout: timeout.it,
        heartbeat: heartbeat.map(|heartbeat| heartbeat.it),
        at_most,
        sweep,
    })
}

fn beats_in_time(
    heartbeat: &Spanned<SimDuration>,
    timeout: &Spanned<SimDuration>,
    problems: &mut Problems,
) {
    let span = heartbeat.span.clone();
    if heartbeat.it < SHORTEST {
        let title = "a heartbeat without a pause";
        let label = format!("must be at least {SHORTEST}");
        problems.file(Problem::error(title, span, label));
    } else if heartbeat.it >= timeout.it {
        let title = format!("a heartbeat every {} comes too late", heartbeat.it);
        let problem = Problem::error(title, span, "must be shorter than the visibility timeout");
        let label = format!("lapses after {}", timeout.it);
        let problem = problem.also(timeout.span.clone(), label);
        let third = SimDuration::from_nanos(timeout.it.as_nanos() / 3);
        problems.file(problem.help(format!("a third of it, {third}, lets two be lost")));
    }
}

fn return_limit(fields: &mut Fields<'_>, problems: &mut Problems) -> Option<ReturnLimit> {
    let kinds = ["failure", "crash", "timeout", "lapse"];
    let counted = words(fields, "limit_counts", &kinds, problems);
    if !fields.has("return_limit") {
        let entry = fields.entry("limit_counts");
        stray(fields, "limit_counts", "return_limit", entry, problems);
    }
    let returns = fields.optional::<u32>("return_limit", problems)?;
    let counts = counted.map_or(ReturnKinds::ALL, |counted| {
        if counted.it.is_empty() {
            let title = "the limit on returns counts none";
            let problem = Problem::error(title, counted.span.clone(), "names no kind of return");
            problems.file(problem.help("leave out `return_limit` for no limit"));
        }
        let on = |kind| among(kind, &counted.it);
        ReturnKinds {
            failure: on("failure"),
            crash: on("crash"),
            timeout: on("timeout"),
            lapse: on("lapse"),
        }
    });
    Some(ReturnLimit { returns, counts })
}

fn among(word: &str, words: &[&str]) -> Counted {
    if words.contains(&word) {
        Counted::Yes
    } else {
        Counted::No
    }
}

impl Read for AckTimeout {
    const EXPECTS: &'static str = "a duration such as \"30m\", or { limit = \"30m\" }";

    fn read(value: &Value, problems: &mut Problems) -> Option<Self> {
        let (limit, check) = if is_table(value) {
            let mut fields = Fields::open(value, "ack_timeout", problems)?;
            let limit = fields.required_spanned::<SimDuration>("limit", problems);
            let check = pace(&mut fields, "check", problems);
            fields.close(problems);
            (limit?, check.unwrap_or(CHECK))
        } else {
            (Spanned::read(value, problems)?, CHECK)
        };
        if limit.it.is_zero() {
            let title = "no time at all to acknowledge";
            let label = "must be longer than zero";
            problems.file(Problem::error(title, limit.span, label));
            return None;
        }
        Some(Self {
            limit: limit.it,
            check,
        })
    }
}

impl Read for CallLimits {
    const EXPECTS: &'static str = "a table such as { send = \"300/s\", receive = \"300/s\" }";

    fn read(value: &Value, problems: &mut Problems) -> Option<Self> {
        let mut fields = Fields::open(value, "calls", problems)?;
        let mut limit = |key| moving(&mut fields, key, problems);
        let calls = Self {
            send: limit("send"),
            receive: limit("receive"),
            delete: limit("delete"),
        };
        fields.close(problems);
        Some(calls)
    }
}

/// A rate that is not zero.
fn moving(fields: &mut Fields<'_>, key: &'static str, problems: &mut Problems) -> Option<Rate> {
    let rate = fields.spanned::<Rate>(key, problems)?;
    if rate.it.is_zero() {
        let title = format!("`{key}` is {}: nothing ever moves", rate.it);
        problems.file(Problem::error(title, rate.span, "must be above zero"));
        return None;
    }
    Some(rate.it)
}

/// The queue that a queue names, which may not be itself.
fn other(
    fields: &Fields<'_>,
    name: &Spanned<String>,
    names: &Names<'_>,
    problems: &mut Problems,
) -> Option<QueueId> {
    let found = names.queues.find(name, problems)?;
    if names.queues.dotted(&name.it) == fields.name() {
        let title = format!("`{}` leads back to itself", fields.name());
        let problem = Problem::error(title, name.span.clone(), "the same queue");
        problems.file(problem.help("name another queue"));
        return None;
    }
    Some(found)
}

fn dead_letter(
    fields: &mut Fields<'_>,
    names: &Names<'_>,
    problems: &mut Problems,
) -> Option<DeadLetter> {
    let Entry { value, .. } = fields.entry("dead_letter")?;
    let (name, takes) = if is_table(value) {
        let title = format!("{}.dead_letter", fields.name());
        let mut inner = Fields::open(value, title, problems)?;
        let name = inner.required_spanned::<String>("queue", problems);
        let takes = words(
            &mut inner,
            "takes",
            &["failed", "expired", "dropped"],
            problems,
        );
        inner.close(problems);
        (name?, takes)
    } else {
        (Spanned::read(value, problems)?, None)
    };
    if let Some(takes) = &takes
        && !takes.it.contains(&"failed")
    {
        let title = "dead letters are failed messages first of all";
        let problem = Problem::error(title, takes.span.clone(), "lacks `failed`");
        problems.file(problem.help("add `\"failed\"` to `takes`"));
    }
    let takes = takes.map_or(vec!["failed"], |takes| takes.it);
    Some(DeadLetter {
        queue: other(fields, &name, names, problems)?,
        expired: among("expired", &takes),
        dropped: among("dropped", &takes),
    })
}

fn redrive(fields: &mut Fields<'_>, names: &Names<'_>, problems: &mut Problems) -> Option<Redrive> {
    let Entry { value, .. } = fields.entry("redrive")?;
    let title = format!("{}.redrive", fields.name());
    let mut inner = Fields::open(value, title, problems)?;
    let at = inner.required::<SimDuration>("at", problems);
    if !inner.has("rate") {
        inner.required::<Rate>("rate", problems);
    }
    let rate = moving(&mut inner, "rate", problems);
    let to = inner.required_spanned::<String>("to", problems);
    let identity = match word(&mut inner, "identity", &["new", "same"], problems) {
        Some(found) if found.it == "same" => RedriveIdentity::Same,
        _ => RedriveIdentity::New,
    };
    inner.close(problems);
    let to = to.and_then(|to| other(fields, &to, names, problems));
    Some(Redrive {
        at: SimTime::ZERO.saturating_add(at?),
        rate: rate?,
        to: to?,
        identity,
    })
}
