//! The fluid history of each queue, from those that producers send to down the chain of stages.
//!
//! Not the solver, and not what its history says of the metrics ([`super::flow_told`]).

use super::found::Window;
use super::handled::{Handled, follows, handled};
use super::rates_of::{able_of, sent_by};
use crate::fluid::{Admission, Bound, Inputs, OnFull, Segment, Trajectory, run, sum};
use crate::model::{Counted, Dependency, Model, Origin, Overflow, Queue, QueueId, Stop, Table};
use crate::policy::admission;
use crate::policy::publish::{Blocking, PublishPolicy};
use crate::units::SimDuration;

/// How much longer than a run that stopped by itself the fluid is followed: it may be later.
const LONGER: f64 = 2.0;

/// The history of one queue.
#[derive(Clone, Debug)]
pub(super) struct Followed {
    pub(super) queue: QueueId,
    pub(super) inputs: Inputs,
    pub(super) history: Trajectory,
    /// What a full queue does, in words.
    pub(super) source: String,
    /// What becomes of a message besides.
    pub(super) handled: Vec<Handled>,
}

/// All histories, and why some queues have none.
#[derive(Clone, Debug, Default)]
pub(super) struct Flows {
    pub(super) followed: Vec<Followed>,
    pub(super) none: Vec<String>,
}

/// How far the fluid is followed, in seconds.
fn horizon(model: &Model, window: Window) -> f64 {
    let limit = model.plan.horizon.as_secs_f64();
    match (model.plan.stop, window.end) {
        (Stop::At(end), _) => end.as_secs_f64(),
        (Stop::Drained | Stop::Settled, Some(end)) => limit.min(LONGER * end + 10.0),
        (Stop::Drained | Stop::Settled, None) => limit,
    }
}

/// Follows every queue that can be.
pub(super) fn flows_of(model: &Model, window: Window) -> Flows {
    let horizon = horizon(model, window);
    let mut done: Table<QueueId, Option<Result<Followed, String>>> =
        model.queues.iter().map(|_| None).collect();
    loop {
        let ready = model
            .queues
            .ids()
            .find(|queue| done[*queue].is_none() && upstream_is_done(model, *queue, &done));
        let Some(queue) = ready else { break };
        let followed = arrivals_of(model, queue, horizon, &done)
            .and_then(|arrivals| follow(model, queue, arrivals, (horizon, window)));
        done[queue] = Some(followed);
    }
    let mut flows = Flows::default();
    for (queue, result) in model.queues.iter().zip(&done) {
        match result {
            Some(Ok(followed)) => flows.followed.push(followed.clone()),
            Some(Err(why)) => flows.none.push(format!("{}: {why}", queue.name)),
            None => flows.none.push(format!(
                "{}: its messages come back to it in a loop of stages",
                queue.name
            )),
        }
    }
    let of = |it: &Dependency| format!("{}: calls are simulated only", it.name);
    flows.none.extend(model.dependencies.iter().map(of));
    flows
}

/// The queues whose fleets publish here.
fn upstream(model: &Model, queue: QueueId) -> impl Iterator<Item = QueueId> {
    let ours = model
        .producers
        .iter()
        .filter(move |it| it.queues.contains(&queue));
    ours.filter_map(|producer| match producer.origin {
        Origin::Fleet(fleet) => Some(model.fleets[fleet].queue),
        Origin::Arrivals { .. } => None,
    })
}

type Done = Table<QueueId, Option<Result<Followed, String>>>;

fn upstream_is_done(model: &Model, queue: QueueId, done: &Done) -> bool {
    upstream(model, queue).all(|before| done[before].is_some())
}

fn arrivals_of(
    model: &Model,
    queue: QueueId,
    horizon: f64,
    done: &Done,
) -> Result<Vec<Segment>, String> {
    let mut parts = Vec::new();
    for producer in model
        .producers
        .iter()
        .filter(|it| it.queues.contains(&queue))
    {
        let Origin::Fleet(id) = producer.origin else {
            parts.push(sent_by(producer, horizon)?);
            continue;
        };
        let fleet = &model.fleets[id];
        let mates = model.fleets.iter().filter(|it| it.queue == fleet.queue);
        if mates.count() > 1 {
            return Err(format!(
                "{} shares its queue with another fleet, and the fluid does not know who works",
                fleet.name
            ));
        }
        let Some(Ok(before)) = &done[fleet.queue] else {
            let name = &model.queues[fleet.queue].name;
            return Err(format!("its messages come from {name}, which has none"));
        };
        if before.handled.iter().any(|it| !it.is_once()) {
            return Err(format!(
                "work of {} is repeated or given up, and how often it publishes is not followed",
                fleet.name
            ));
        }
        let copies = f64::from(fleet.publishes.map_or(0, |it| it.copies));
        let served = before.history.served().into_iter();
        let copied = served.map(|segment| Segment {
            rate: segment.rate * copies,
            ..segment
        });
        parts.push(copied.collect());
    }
    Ok(sum(&parts))
}

fn follow(
    model: &Model,
    queue: QueueId,
    arrivals: Vec<Segment>,
    (horizon, window): (f64, Window),
) -> Result<Followed, String> {
    let it = &model.queues[queue];
    follows(model, queue)?;
    if let Some(dead) = it.delivery.dead_letter {
        let drops = it.overflow != Overflow::Refuse && dead.dropped == Counted::Yes;
        let ages = it.retention.is_some() || it.ttl.is_some();
        if drops || (ages && dead.expired == Counted::Yes) {
            return Err("what it drops, or has expire, are dead letters as well".to_owned());
        }
    }
    let takers = model.fleets.pairs().filter(|(_, it)| it.queue == queue);
    let handled: Result<Vec<Handled>, String> =
        takers.map(|(id, _)| handled(model, id, window)).collect();
    let handled = handled?;
    if it.memory.is_some() {
        return Err("its bytes are bounded, and the fluid counts messages".to_owned());
    }
    let (bound, policy) = if it.capacity == u64::MAX {
        (
            Bound::Unlimited,
            Ok((OnFull::Reject, "no bound".to_owned())),
        )
    } else {
        (Bound::Messages(it.capacity as f64), when_full(model, queue))
    };
    let on_full = policy
        .as_ref()
        .map_or(OnFull::Reject, |(on_full, _)| *on_full);
    let inputs = Inputs {
        arrivals,
        capacity: able_of(model, queue, window)?,
        bound,
        on_full,
        retention: it.retention.map(SimDuration::as_secs_f64),
        horizon_s: horizon,
    };
    let history = run(&inputs).map_err(|why| why.because)?;
    let source = match policy {
        Ok((_, source)) => source,
        // Whatever would happen does not.
        Err(_) if history.first_full().is_none() => "never full".to_owned(),
        Err(why) => return Err(why),
    };
    if it
        .ttl
        .is_some_and(|ttl| history.max_lag().value > ttl.as_secs_f64())
    {
        return Err("messages outlive their `ttl`, and the fluid has only `retention`".to_owned());
    }
    if history.max_blocked().value > connections(model, queue) {
        return Err("more publishers would be blocked than have connections".to_owned());
    }
    Ok(Followed {
        queue,
        inputs,
        history,
        source,
        handled,
    })
}

/// How many publishers can be blocked at once.
fn connections(model: &Model, queue: QueueId) -> f64 {
    let ours = model
        .producers
        .iter()
        .filter(|it| it.queues.contains(&queue));
    let most = ours.filter_map(|producer| match &producer.on_full {
        PublishPolicy::Block(Blocking { connections, .. }) => Some(*connections as f64),
        PublishPolicy::Reject | PublishPolicy::Retry(_) => None,
    });
    most.fold(f64::INFINITY, f64::min)
}

/// What the queue does when it is full, and the words for it.
fn when_full(model: &Model, queue: QueueId) -> Result<(OnFull, String), String> {
    let it = &model.queues[queue];
    match it.overflow {
        Overflow::DropOldest => return Ok((OnFull::DropOldest, "drop oldest".to_owned())),
        Overflow::DropNewest => return Ok((OnFull::Reject, "drop newest".to_owned())),
        Overflow::DropLowest => {
            return Err("which priority is dropped is not a matter of rates".to_owned());
        }
        Overflow::Refuse => {}
    }
    let mut agreed: Option<(OnFull, String)> = None;
    for producer in model
        .producers
        .iter()
        .filter(|it| it.queues.contains(&queue))
    {
        let one = match &producer.on_full {
            PublishPolicy::Reject => (OnFull::Reject, "reject".to_owned()),
            PublishPolicy::Block(_) if matches!(producer.origin, Origin::Fleet(_)) => {
                return Err(format!(
                    "a full queue would hold the handlers of {} back",
                    producer.name
                ));
            }
            PublishPolicy::Block(blocking) => blocked(it, *blocking),
            PublishPolicy::Retry(_) => {
                return Err(format!(
                    "publishes of {} come back after a refusal, by chance and by attempts",
                    producer.name
                ));
            }
        };
        if agreed.as_ref().is_some_and(|other| other.0 != one.0) {
            return Err("its producers do different things when it is full".to_owned());
        }
        agreed = Some(one);
    }
    Ok(agreed.unwrap_or((OnFull::Reject, "reject".to_owned())))
}

fn blocked(queue: &Queue, blocking: Blocking) -> (OnFull, String) {
    let (admission, name) = match queue.admission {
        admission::Admission::Fifo => (Admission::Fifo, "fifo"),
        admission::Admission::NewcomersFirst | admission::Admission::WakeUp(_) => {
            (Admission::NewcomersFirst, "newcomers first")
        }
        admission::Admission::Random => (Admission::Random, "random"),
        admission::Admission::Lifo => (Admission::Lifo, "lifo"),
    };
    let timeout = blocking.timeout.map(SimDuration::as_secs_f64);
    (
        OnFull::Block { admission, timeout },
        format!("block, {name}"),
    )
}
