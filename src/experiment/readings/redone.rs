//! The load that redeliveries make: what a message takes of its handlers in all, where work fails,
//! crashes, loses its acknowledgement, or is given to a second consumer while the first is at it.
//!
//! Not a closed form of a run: causes are taken one by one, as if none changed the others, and
//! crashes as if they were Poisson. It says whether consumers are enough, and what is wasted.

use super::attempts::{Attempts, attempts};
use super::handled::{Case, skips};
use super::stamped::stamped;
use crate::model::{
    Ack, BatchWork, FleetId, Intake, LateAck, Model, Redelivery, Rework, Visibility,
};
use crate::policy::idempotency::Idempotency;
use crate::theory::breakdown::{repeat_anew, repeat_identical};
use crate::theory::visibility::{LateDelete, deliveries, deliveries_of_one};

/// So many points of a law stand for it.
const POINTS: u32 = 1_000;

/// No more deliveries of one message than this are summed up.
const MOST_DELIVERIES: u64 = 10_000;

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
    /// The share of time that a consumer is up.
    pub up: f64,
    /// What has work done again: `lapsed visibility`, `failures`.
    pub causes: Vec<&'static str>,
}

impl Redone {
    /// The share of the handlers' time that comes to nothing: done again, or paused.
    pub fn wasted(&self) -> f64 {
        1.0 - self.once / self.free
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
    let (lapse, lapse_busy) = (
        lapses(&case, Again { wait: 0.0 }),
        lapses(&case, Again { wait }),
    );
    if lapse > 1.0 {
        causes.push("lapsed visibility");
    }
    let (crash, up) = crashes(&case);
    if crash > 1.0 {
        causes.push("crashes");
    }
    (!causes.is_empty()).then_some(Redone {
        once,
        free: once * repeated * lapse * crash,
        busy: once * repeated * lapse_busy * crash,
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

/// How many times a message is worked on because its visibility lapses, weighted with the work.
fn lapses(case: &Case<'_>, again: Again) -> f64 {
    let Redelivery::Visibility(visibility) = case.delivery.redelivery else {
        return 1.0;
    };
    let reserved = match case.handling.idempotency {
        Idempotency::UniqueKey | Idempotency::Claim { .. } => skips(case.handling),
        Idempotency::None | Idempotency::CheckThenInsert => false,
    };
    if case.handling.ack == Ack::Before || reserved {
        return 1.0;
    }
    let rule = match case.delivery.late_ack {
        LateAck::Honoured => LateDelete::Honoured,
        LateAck::Refused => LateDelete::Refused,
    };
    let law = case.law();
    let most = case.most_deliveries(|kinds| kinds.lapse);
    let (ahead, limit) = (ahead(case), limit(case, visibility));
    let period = limit + again.wait;
    match case.handling.rework {
        Rework::Resample => {
            let most = most.unwrap_or(MOST_DELIVERIES).min(MOST_DELIVERIES);
            // A refused one is late as soon as its visibility is over; an honoured one in time
            // while nobody has been given it again.
            let tail = |t: f64| 1.0 - law.cdf(t - ahead);
            let period = match rule {
                LateDelete::Honoured => period,
                LateDelete::Refused => limit,
            };
            deliveries(rule, tail, period, most).map_or(1.0, |it| it.mean)
        }
        Rework::Restart => {
            let period = match rule {
                LateDelete::Honoured => period,
                LateDelete::Refused => limit,
            };
            let times = |s: f64| s * deliveries_of_one(rule, s + ahead, period, most);
            case.mean_of(times) / case.mean_of(|s| s)
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

/// How many times work is done because consumers crash, and the share of time they are up.
fn crashes(case: &Case<'_>) -> (f64, f64) {
    let Some(crash) = &case.handling.crash else {
        return (1.0, 1.0);
    };
    let Some(mtbf) = &crash.mtbf else {
        return (1.0, 1.0);
    };
    let mtbf = mtbf.mean();
    let up = mtbf / (mtbf + crash.restart.as_secs_f64());
    if case.handling.ack == Ack::Before {
        return (1.0, up);
    }
    let once = case.mean_of(|s| s);
    let factor = match case.handling.rework {
        Rework::Restart => case.mean_of(|s| repeat_identical(s, mtbf)) / once,
        Rework::Resample => repeat_anew(case.mean_of(|s| (-s / mtbf).exp()), mtbf) / once,
    };
    let most = case.most_deliveries(|kinds| kinds.crash);
    (
        factor.min(most.map_or(f64::INFINITY, |most| most as f64)),
        up,
    )
}

impl Case<'_> {
    /// The mean of something that depends on the service time, over the points of its law.
    fn mean_of(&self, of: impl Fn(f64) -> f64) -> f64 {
        let law = self.law();
        let points = (0..POINTS).map(|i| (f64::from(i) + 0.5) / f64::from(POINTS));
        points.map(|p| of(law.quantile(p))).sum::<f64>() / f64::from(POINTS)
    }
}
