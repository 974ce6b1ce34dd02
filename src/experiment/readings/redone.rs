//! The load that redeliveries make: what a message takes of its handlers in all, where work fails,
//! crashes, loses its acknowledgement, or is given to a second consumer while the first is at it.
//!
//! Not a closed form of a run: lapses and crashes are taken together, other causes one by one, as
//! if none changed the others, and crashes as if they were Poisson. It says whether consumers are
//! enough, and what is wasted.

use super::attempts::{Attempts, attempts};
use super::handled::{Case, skips};
use super::stamped::stamped;
use crate::model::{
    Ack, BatchWork, FleetId, Intake, LateAck, Model, Redelivery, Rework, Stop, Visibility,
};
use crate::policy::idempotency::Idempotency;
use crate::random::Law;
use crate::theory::comebacks::{Comebacks, Worked};
use crate::theory::visibility::LateDelete;
use crate::units::SimDuration;

/// So many points of a law stand for it.
const POINTS: u32 = 1_000;

/// And so many each decade of its tail.
const PER_DECADE: u32 = 100;

/// Lapses that make less of the work than this are not told as its cause.
const NOTED: f64 = 5e-4;

/// What a message takes of the handlers of a fleet.
#[derive(Clone, Debug, PartialEq)]
pub struct Redone {
    /// Work on it once, in seconds in the mean.
    pub once: f64,
    /// For how long it keeps handlers in all, in seconds, when there is always a free one;
    /// infinite when some messages are worked on for ever.
    pub free: f64,
    /// The same when all are busy: what comes back waits then, and may be done meanwhile.
    pub busy: f64,
    /// What of that ends well, in seconds, as far as lapses and crashes go.
    pub useful: f64,
    /// Deliveries of a message while another has it, in the mean.
    pub overlaps: f64,
    /// The share of messages whose deliveries are used up by lapses and crashes.
    pub given_up: f64,
    /// The share of time that a consumer is up.
    pub up: f64,
    /// What has work done again: `lapsed visibility`, `failures`.
    pub causes: Vec<&'static str>,
}

impl Redone {
    /// The share of the handlers' time that comes to nothing: done again, or paused.
    pub fn wasted(&self) -> f64 {
        1.0 - self.useful / self.free
    }
}

/// What is asked: of all handlers of a queue, with the wait of what comes back.
#[derive(Clone, Copy)]
struct Again {
    /// Seconds until what comes back is given to a handler.
    wait: f64,
}

/// What redeliveries make of a message for a fleet; `None` where each is worked on once.
pub fn redone(model: &Model, id: FleetId) -> Option<Redone> {
    let fleet = &model.fleets[id];
    let case = Case {
        model,
        delivery: &model.queues[fleet.queue].delivery,
        fleet,
        handling: &fleet.handling,
    };
    let once = case.law().mean();
    if !(once > 0.0 && once.is_finite()) {
        return None;
    }
    let mut causes = Vec::new();
    let repeated = repeated(&case, &mut causes);
    let mates = model.fleets.iter().filter(|it| it.queue == fleet.queue);
    let handlers: f64 = mates.map(|it| f64::from(it.most_handlers())).sum();
    let wait = match fleet.handling.intake {
        Intake::Pull => once / handlers.max(1.0),
        Intake::Push { .. } => 0.0,
    };
    let (how, up) = comebacks(&case, Again { wait: 0.0 });
    if causes.is_empty() && how.period.is_infinite() && how.up.is_infinite() {
        return None;
    }
    let law = points(case.law());
    let of_law: f64 = law.iter().map(|(service, weight)| service * weight).sum();
    let free = worked(&case, &how, &law);
    let busy = worked(&case, &comebacks(&case, Again { wait }).0, &law);
    let alone = Comebacks {
        up: f64::INFINITY,
        ..how
    };
    let alone = worked(&case, &alone, &law);
    if alone.useful < alone.work * (1.0 - NOTED) {
        causes.push("lapsed visibility");
    }
    if how.up.is_finite() {
        causes.push("crashes");
    }
    (!causes.is_empty()).then_some(Redone {
        once,
        free: once * repeated * free.work / of_law,
        busy: once * repeated * busy.work / of_law,
        useful: once * free.useful / of_law,
        overlaps: free.overlaps,
        given_up: free.given_up,
        up,
        causes,
    })
}

/// Whether some messages of a fleet fail each time, and are tried again for ever.
pub fn endless(model: &Model, id: FleetId) -> bool {
    let fleet = &model.fleets[id];
    let stamped = stamped(model, fleet.queue).unwrap_or_default();
    Case {
        model,
        delivery: &model.queues[fleet.queue].delivery,
        fleet,
        handling: &fleet.handling,
    }
    .goes_round(stamped.poison)
}

/// How many times the work on a message is done for failures, and for acknowledgements and
/// confirms that are lost.
fn repeated(case: &Case<'_>, causes: &mut Vec<&'static str>) -> f64 {
    let stamped = stamped(case.model, case.fleet.queue).unwrap_or_default();
    let mut factor = stamped.copies;
    if factor > 1.0 {
        causes.push("lost confirms");
    }
    let once = case.law().mean();
    let mut alone = case.handling.clone();
    alone.ack_loss = crate::units::Ratio::ZERO;
    // What a budget lets through depends on what failed.
    let budget = case
        .handling
        .retry
        .is_some_and(|it| it.policy.budget.is_some());
    let by_failures = attempts(
        &Case {
            handling: &alone,
            ..*case
        },
        stamped.poison,
    );
    let failures = match by_failures {
        Ok(Attempts::Repeated { total, .. }) if !budget => total.moments[0] / once,
        Err(_) if case.goes_round(stamped.poison) => f64::INFINITY,
        Ok(Attempts::Repeated { .. } | Attempts::Once) | Err(_) => 1.0,
    };
    if failures > 1.0 {
        causes.push("failures");
        factor *= failures;
    }
    alone.clone_from(case.handling);
    alone.fails = crate::model::Failures::default();
    let lost = attempts(
        &Case {
            handling: &alone,
            ..*case
        },
        crate::units::Ratio::ZERO,
    );
    if let Ok(Attempts::Repeated { total, .. }) = lost
        && !skips(case.handling)
        && case.handling.ack == Ack::After
    {
        causes.push("lost acknowledgements");
        factor *= total.moments[0] / once;
    }
    factor
}

/// The ways in which messages of a fleet come back after lapses and crashes, and the share of time
/// that its consumers are up.
fn comebacks(case: &Case<'_>, again: Again) -> (Comebacks, f64) {
    let handling = case.handling;
    let reserved = match handling.idempotency {
        Idempotency::UniqueKey | Idempotency::Claim { .. } => skips(handling),
        Idempotency::None | Idempotency::CheckThenInsert => false,
    };
    let after = handling.ack == Ack::After;
    let rule = match case.delivery.late_ack {
        LateAck::Honoured => LateDelete::Honoured,
        LateAck::Refused => LateDelete::Refused,
    };
    let period = match case.delivery.redelivery {
        Redelivery::Visibility(visibility) if after && !reserved => {
            let limit = limit(case, visibility);
            match rule {
                LateDelete::Honoured => limit + again.wait,
                // Late as soon as its visibility is over, whoever has it.
                LateDelete::Refused => limit,
            }
        }
        Redelivery::Visibility(_) | Redelivery::OnDisconnect => f64::INFINITY,
    };
    let most = if period.is_finite() {
        case.most_deliveries(|kinds| kinds.lapse)
    } else {
        case.most_deliveries(|kinds| kinds.crash)
    };
    let crash = handling.crash.as_ref();
    let crash = crash.and_then(|it| it.mtbf.as_ref().map(|mtbf| (mtbf.mean(), it.restart)));
    let up = crash.map_or(1.0, |(mtbf, restart)| mtbf / (mtbf + restart.as_secs_f64()));
    let it = Comebacks {
        rule,
        period,
        ahead: ahead(case),
        up: crash.filter(|_| after).map_or(f64::INFINITY, |it| it.0),
        most: most.map_or(f64::INFINITY, |most| most as f64),
        life: life(case),
    };
    (it, up)
}

/// For how long a message can come back, in seconds: until it expires, or the run ends.
fn life(case: &Case<'_>) -> f64 {
    let queue = &case.model.queues[case.fleet.queue];
    let plan = &case.model.plan;
    let run = match plan.stop {
        Stop::At(end) => end.min(plan.horizon),
        Stop::Drained | Stop::Settled => plan.horizon,
    };
    let kept = [queue.retention, queue.ttl].into_iter().flatten();
    kept.map(SimDuration::as_secs_f64)
        .fold(run.as_secs_f64(), f64::min)
}

/// What the attempts at a message come to, in the mean over its law.
fn worked(case: &Case<'_>, how: &Comebacks, law: &[(f64, f64)]) -> Worked {
    match case.handling.rework {
        Rework::Resample => how.anew(law),
        Rework::Restart => {
            let mut sum = Worked::default();
            for (service, weight) in law {
                let one = how.same(*service);
                sum.attempts += weight * one.attempts;
                sum.work += weight * one.work;
                sum.useful += weight * one.useful;
                sum.overlaps += weight * one.overlaps;
                sum.given_up += weight * one.given_up;
            }
            sum
        }
    }
}

/// What a delivery is unacknowledged for beside the work on it, in seconds.
fn ahead(case: &Case<'_>) -> f64 {
    let handling = case.handling;
    let mean = case.law().mean();
    let buffered = match handling.intake {
        // How many "all that is there" are depends on the line.
        Intake::Pull | Intake::Push { prefetch: u32::MAX } => 0.0,
        Intake::Push { prefetch } => {
            f64::from(prefetch.saturating_sub(case.fleet.concurrency))
                / f64::from(case.fleet.concurrency)
        }
    };
    let together = handling.batch.map_or(0.0, |batch| match batch.work {
        BatchWork::Each => f64::from(batch.size - 1),
        BatchWork::Once => 0.0,
    });
    let window = handling
        .batch
        .map_or(0.0, |batch| batch.window.as_secs_f64());
    (buffered + together).mul_add(mean, window) + 2.0 * handling.delivery_delay.as_secs_f64()
}

/// After how long a delivery that is worked on is visible again, in seconds.
fn limit(case: &Case<'_>, visibility: Visibility) -> f64 {
    let beats = visibility.heartbeat.is_some() && case.handling.intake == Intake::Pull;
    if beats {
        visibility.at_most.as_secs_f64()
    } else {
        visibility.timeout.as_secs_f64()
    }
}

/// Points of a law, rising, and their weights, which are 1 in all: its body in even shares, and its
/// tail by decades, since few long messages can be most of the work.
fn points(law: &Law) -> Vec<(f64, f64)> {
    const DECADES: i32 = 12;
    let cells = f64::from(POINTS);
    let body = (0..POINTS).map(|i| 0.9 * (f64::from(i) + 0.5) / cells);
    let mut points: Vec<_> = body.map(|p| (law.quantile(p), 0.9 / cells)).collect();
    for decade in 1..=DECADES {
        let tail = |part: f64| 10.0_f64.powf(-f64::from(decade) - part);
        for i in 0..PER_DECADE {
            let part = |i: u32| f64::from(i) / f64::from(PER_DECADE);
            let (high, low) = (tail(part(i)), tail(part(i + 1)));
            points.push((law.quantile(1.0 - f64::midpoint(high, low)), high - low));
        }
    }
    points
}
