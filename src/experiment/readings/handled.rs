//! What the ways of delivering and handling make of a queue's work: each message once, as plain
//! stations have it; more work for each message; or something that no form and no flow follows.
//!
//! Not the form. Every field of [`Delivery`], [`Handling`], and the producers' stamps is looked at
//! here, by name, so that a new one cannot be forgotten: it changes the answer, or it is said why
//! not.
//!
//! What changes nothing, and why: `ack` alone and `late_ack`, `max_receives`, `return_limit`,
//! `rework`, and a fault that is cured, where nothing comes back; `dead_letter`, since where a
//! message goes makes nobody wait; `dispatch`, since a free handler that asks is served in turn;
//! `idempotency` without duplicates; `effect_at` and `guard`, since the work takes as long whether
//! it acts or not; `keys` and `send_batch` without groups and limits; a visibility timeout, an
//! acknowledgement timeout, or a limit on messages in flight that is never met.

use super::attempts::{Attempts, attempts};
use super::found::{Window, number, seconds};
use super::stamped::{Stamped, stamped};
use super::timeouts::timeouts;
use crate::model::{
    Batch, BatchWork, CallLimits, Crashes, Delivery, Fleet, FleetId, Grouping, Handling,
    IdempotencyKey, Intake, Model, QueueId, Returned,
};
use crate::policy::idempotency::Idempotency;
use crate::random::Law;
use crate::theory::repetition::Total;
use crate::units::SimTime;

/// A percentage for people.
pub(super) fn percent(share: f64) -> String {
    format!("{} %", number(100.0 * share))
}

/// How a fleet handles the messages of its queue, as far as rates and waits go.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Handled {
    /// What a message takes of its handlers, all attempts together, and how it ends.
    pub(super) total: Total,
    /// Whether each message is worked on once, for its service time.
    pub(super) repeats: Repeats,
    /// How long a message is with the broker between attempts, in the mean.
    pub(super) away: f64,
    /// Messages accepted for each publish that is meant.
    pub(super) copies: f64,
    /// Why the waits have no closed form.
    pub(super) no_wait: Vec<String>,
    /// Why the fluid does not follow it.
    pub(super) no_flow: Vec<String>,
}

/// Whether work is repeated.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Repeats {
    /// It is not.
    No,
    /// It is, and why.
    Yes {
        /// The mechanism, and how often it strikes.
        because: String,
        /// Whether all attempts together take exponential time.
        memoryless: Memoryless,
        /// Whether the load is exact, or true when consumers are enough.
        load: Load,
    },
}

/// Whether a time is exponential.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Memoryless {
    /// It is.
    Yes,
    /// It is not.
    No,
}

/// How well a load is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Load {
    /// Exactly.
    Exact,
    /// For a fleet that always has a free handler when a message comes back.
    WhenEnough,
}

/// What is looked at.
#[derive(Clone, Copy)]
pub(super) struct Case<'a> {
    pub(super) model: &'a Model,
    pub(super) delivery: &'a Delivery,
    pub(super) fleet: &'a Fleet,
    pub(super) handling: &'a Handling,
}

impl<'a> Case<'a> {
    pub(super) fn law(&self) -> &'a Law {
        self.fleet.service.law()
    }

    /// Whether it is the plain handler of a plain queue.
    fn is_plain(&self) -> bool {
        self.delivery.is_plain() && *self.handling == Handling::default()
    }
}

/// How a fleet handles the messages of its queue; an error when not even the load is known.
pub(super) fn handled(model: &Model, id: FleetId, window: Window) -> Result<Handled, String> {
    let fleet = &model.fleets[id];
    let case = Case {
        model,
        delivery: &model.queues[fleet.queue].delivery,
        fleet,
        handling: &fleet.handling,
    };
    follows(model, fleet.queue)?;
    if fleet.scaling.is_some() {
        return Err(format!("the size of {} follows its work", fleet.name));
    }
    if let Some(caller) = fleet.handling.calls {
        let whom = &model.dependencies[model.callers[caller].dependency].name;
        let name = &fleet.name;
        return Err(format!(
            "handlers of {name} wait for the answers of {whom}, which depend on who else calls"
        ));
    }
    if let Some(limit) = fleet.handling.limit {
        let rate = limit.rate;
        return Err(format!("a limiter: attempts beyond {rate} fail at once"));
    }
    if let Some(retry) = fleet.handling.retry
        && retry.policy.budget.is_some()
    {
        return Err("a retry budget: whether work is repeated depends on what failed".to_owned());
    }
    let stamped = stamped(model, fleet.queue)?;
    if case.is_plain() && stamped == Stamped::default() {
        return Ok(once(case.law()));
    }
    let mates = model.fleets.iter().filter(|it| it.queue == fleet.queue);
    if mates.into_iter().any(|it| it.handling != fleet.handling) {
        return Err("its fleets handle messages in different ways".to_owned());
    }
    if let Some(crash) = &case.handling.crash {
        crashes(fleet, crash, window)?;
    }
    let attempts = attempts(&case, stamped.poison)?;
    let mut found = from_attempts(&case, attempts)?;
    found.copies = stamped.copies;
    found.no_wait.extend(stamped.again);
    intake(&case, &mut found)?;
    timeouts(&case, &mut found)?;
    if case
        .handling
        .crash
        .as_ref()
        .is_some_and(|it| !it.at.is_empty())
        && !found.is_once()
    {
        return Err("consumers crash while work is repeated".to_owned());
    }
    Ok(found)
}

impl Handled {
    pub(super) fn is_once(&self) -> bool {
        self.repeats == Repeats::No
    }
}

fn once(law: &Law) -> Handled {
    let mean = law.mean();
    Handled {
        total: Total {
            attempts: 1.0,
            moments: [mean, law.variance() + mean * mean, law.third_moment()],
            mean_done: mean,
            ..Total::default()
        },
        repeats: Repeats::No,
        away: 0.0,
        copies: 1.0,
        no_wait: Vec::new(),
        no_flow: Vec::new(),
    }
}

/// What a queue does that neither a form nor the fluid follows, whoever takes from it.
pub(super) fn follows(model: &Model, id: QueueId) -> Result<(), String> {
    let Delivery {
        // With the fleet that takes: see `attempts`, `intake`, `timeouts`.
        redelivery: _,
        late_ack: _,
        max_receives: _,
        return_limit: _,
        ack_timeout: _,
        max_in_flight: _,
        dispatch: _,
        grouping,
        // Where a message goes makes nobody wait here; whom it is fed to is told below.
        dead_letter: _,
        redrive,
        // With the confirms that are lost: see `stamped`.
        dedup_window: _,
        calls,
        // What is kept, and nothing that happens.
        watch_unacked: _,
    } = &model.queues[id].delivery;
    if *grouping == Grouping::ByKey {
        return Err(
            "groups: one message of a key is out at a time, and the others of it wait behind, \
             though handlers are free"
                .to_owned(),
        );
    }
    if *calls != CallLimits::default() {
        return Err("its calls are limited, second by second".to_owned());
    }
    if redrive.is_some() {
        return Err("a redrive moves its messages away".to_owned());
    }
    for other in &model.queues {
        if other.delivery.dead_letter.is_some_and(|it| it.queue == id) {
            return Err(format!("dead letters of {} come to it", other.name));
        }
        if other.delivery.redrive.is_some_and(|it| it.to == id) {
            return Err(format!(
                "a redrive moves the messages of {} to it",
                other.name
            ));
        }
    }
    Ok(())
}

/// Consumers that crash in the run: an outage, or chance that theory has no word for.
fn crashes(fleet: &Fleet, crash: &Crashes, window: Window) -> Result<(), String> {
    if let Some(up) = &crash.mtbf {
        let (up, down) = (up.mean(), crash.restart.as_secs_f64());
        return Err(format!(
            "crashes: each consumer of {} is up {} of the time, {} on end, and what it held is \
             done again; the form with breakdowns is for one handler whose work goes on afterwards",
            fleet.name,
            percent(up / (up + down)),
            seconds(up),
        ));
    }
    let from = |at: &SimTime| window.end.is_none_or(|end| at.as_secs_f64() < end);
    let to = |at: &SimTime| at.saturating_add(crash.restart).as_secs_f64() > window.from;
    if crash.at.iter().any(|at| from(at) && to(at)) && fleet.handling.intake != Intake::Pull {
        return Err("crashes: what consumers held ahead comes back".to_owned());
    }
    Ok(())
}

fn from_attempts(case: &Case<'_>, attempts: Attempts) -> Result<Handled, String> {
    let law = case.law();
    let plain = once(law);
    let Attempts::Repeated {
        total,
        because,
        memoryless,
        away,
        no_wait,
        duplicates,
    } = attempts
    else {
        return Ok(plain);
    };
    if duplicates && skips(case.handling) {
        return Err(format!(
            "{because}; those that have been acted on are skipped in no time"
        ));
    }
    let queue = &case.model.queues[case.fleet.queue];
    let mut no_flow = Vec::new();
    if queue.returned == Returned::Drop {
        no_flow.push(format!(
            "{because}; what comes back to a full queue is dropped"
        ));
    }
    Ok(Handled {
        no_flow,
        total,
        repeats: Repeats::Yes {
            because,
            memoryless,
            load: Load::Exact,
        },
        away,
        no_wait,
        ..plain
    })
}

/// Whether duplicates are recognized: they take no time then.
pub(super) fn skips(handling: &Handling) -> bool {
    match (handling.idempotency, handling.idempotency_key) {
        (Idempotency::None, _) | (_, IdempotencyKey::GeneratedPerAttempt) => false,
        (
            Idempotency::CheckThenInsert | Idempotency::UniqueKey | Idempotency::Claim { .. },
            IdempotencyKey::Natural,
        ) => true,
    }
}

/// How messages come to their handlers.
fn intake(case: &Case<'_>, found: &mut Handled) -> Result<(), String> {
    let Handling {
        // In `attempts`.
        ack: _,
        ack_loss: _,
        fails: _,
        retry: _,
        rework: _,
        intake,
        delivery_delay,
        batch,
        // In `handled`.
        crash: _,
        limit: _,
        calls: _,
        // In `skips`.
        idempotency: _,
        idempotency_key: _,
        // The work takes as long whether it acts, early or late, or not.
        effect_at: _,
        guard: _,
    } = case.handling;
    match intake {
        Intake::Pull => {}
        Intake::Push { prefetch } => {
            found.no_wait.push(format!(
                "prefetch: messages go to a consumer that holds fewer than {prefetch}, and wait \
                 there though another consumer is free; what it holds is in flight, and waits no \
                 more"
            ));
            if *prefetch == u32::MAX {
                found.no_flow.push(
                    "prefetch: its consumers hold whatever waits, and the fluid knows only the line"
                        .to_owned(),
                );
            }
        }
    }
    if !delivery_delay.is_zero() {
        found.no_wait.push(format!(
            "delivery: messages and answers travel {delivery_delay} each, and a handler that asks \
             is neither free nor at work"
        ));
    }
    if let Some(batch) = batch.filter(|batch| batch.size > 1) {
        batched(case, &batch, found)?;
    }
    if let Some(most) = case.delivery.max_in_flight {
        let handlers = case.model.fleets.iter();
        let handlers = handlers.filter(|it| it.queue == case.fleet.queue);
        let handlers: u64 = handlers.map(|it| u64::from(it.most_handlers())).sum();
        let plain = *intake == Intake::Pull && delivery_delay.is_zero() && batch.is_none();
        if !plain || found.away > 0.0 || most < handlers {
            return Err(format!("no more than {most} messages may be in flight"));
        }
    }
    Ok(())
}

fn batched(case: &Case<'_>, batch: &Batch, found: &mut Handled) -> Result<(), String> {
    if !found.is_once() {
        return Err(
            "batches: what comes back of a batch depends on all of its messages".to_owned(),
        );
    }
    if batch.work == BatchWork::Once {
        return Err(
            "batches: one piece of work for all that came together, so its rate depends on how \
             many did"
                .to_owned(),
        );
    }
    found.no_wait.push(format!(
        "batches: a handler takes up to {} messages, and the last of them waits for the work on \
         the first",
        batch.size
    ));
    match case.handling.intake {
        Intake::Pull => {}
        Intake::Push { .. } => found
            .no_flow
            .push("batches: a handler gets as many as its consumer holds".to_owned()),
    }
    Ok(())
}
