//! Deliveries that lapse, or stay unacknowledged for too long, and the load of the duplicates that
//! come of it.
//!
//! Not other ways of coming back: those are in [`super::attempts`].

use super::handled::{Case, Handled, Load, Memoryless, Repeats, percent, skips};
use crate::model::{Handling, Intake, LateAck, Redelivery, Rework, Visibility};
use crate::random::Law;
use crate::theory::visibility::{LateDelete, deliveries};
use crate::units::SimDuration;

/// What happens less often than this is left out.
const SELDOM: f64 = 1e-9;

/// No more deliveries of one message than this are summed up.
const MOST_DELIVERIES: u64 = 10_000;

/// Deliveries that lapse, or stay unacknowledged for too long.
pub(super) fn timeouts(case: &Case<'_>, found: &mut Handled) -> Result<(), String> {
    if let Some(timeout) = case.delivery.ack_timeout
        && held_longer(case, timeout.limit) > SELDOM
    {
        return Err(format!(
            "acknowledgements: a delivery can be unacknowledged for more than {}, and its \
             consumer's channel is closed then",
            timeout.limit
        ));
    }
    let Redelivery::Visibility(visibility) = case.delivery.redelivery else {
        return Ok(());
    };
    let beats = visibility
        .heartbeat
        .is_some_and(|every| every < visibility.timeout && case.handling.intake == Intake::Pull);
    let limit = if beats {
        visibility.at_most
    } else {
        visibility.timeout
    };
    if held_longer(case, limit) <= SELDOM {
        return Ok(());
    }
    lapses(case, visibility, found)
}

/// The probability that a delivery is unacknowledged for longer, at most: some of its attempts
/// takes its part of the time at least.
fn held_longer(case: &Case<'_>, limit: SimDuration) -> f64 {
    let Handling {
        intake,
        delivery_delay,
        batch,
        ..
    } = case.handling;
    let tries = case.handling.tries_in_place();
    let ahead = match intake {
        Intake::Pull => 1,
        Intake::Push { prefetch } => prefetch.div_ceil(case.fleet.concurrency).saturating_add(1),
    };
    let together = batch.map_or(1, |batch| batch.size);
    let window = batch.map_or(0.0, |batch| batch.window.as_secs_f64());
    let pauses: f64 = case.handling.pauses_in_place();
    let works = f64::from(tries) * f64::from(ahead) * f64::from(together);
    let travel = 2.0 * delivery_delay.as_secs_f64();
    let room = limit.as_secs_f64() - travel - window - pauses * f64::from(ahead);
    let longest = |law: &Law| {
        if room <= 0.0 {
            return 1.0;
        }
        works * (1.0 - law.cdf(room / works))
    };
    let failing = case.handling.fails.takes.as_ref();
    longest(case.law()) + failing.map_or(0.0, |law| longest(law.law()))
}

/// The load of deliveries that lapse while somebody works on them.
fn lapses(case: &Case<'_>, visibility: Visibility, found: &mut Handled) -> Result<(), String> {
    let law = case.law();
    let timeout = visibility.timeout.as_secs_f64();
    let tail = |t: f64| 1.0 - law.cdf(t);
    let because = format!(
        "visibility: {} of the work takes longer than {}, and two work on one message then",
        percent(tail(timeout)),
        visibility.timeout
    );
    let handling = case.handling;
    let simple = found.is_once()
        && handling.intake == Intake::Pull
        && handling.batch.is_none()
        && handling.delivery_delay.is_zero()
        && visibility.heartbeat.is_none()
        && visibility.sweep.is_none()
        && !skips(handling)
        && handling.rework == Rework::Resample
        && case.delivery.max_in_flight.is_none();
    if !simple {
        return Err(because);
    }
    let rule = match case.delivery.late_ack {
        LateAck::Honoured => LateDelete::Honoured,
        LateAck::Refused => LateDelete::Refused,
    };
    let most = case.most_deliveries(|kinds| kinds.lapse);
    let most = most.map_or(MOST_DELIVERIES, |most| most.min(MOST_DELIVERIES));
    let several = deliveries(rule, tail, timeout, most).map_err(|why| why.to_string())?;
    let mean = law.mean();
    // Wald: whether there is another delivery does not depend on how long it will take.
    found.total.attempts = several.mean;
    found.total.moments[0] = several.mean * mean;
    found.total.given_up = several.p_dead_letter;
    found.no_wait.push(because.clone());
    found.no_flow.push(because.clone());
    found.repeats = Repeats::Yes {
        because,
        memoryless: Memoryless::No,
        load: Load::WhenEnough,
    };
    Ok(())
}
