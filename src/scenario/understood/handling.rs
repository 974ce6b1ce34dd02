//! How a fleet handles messages in words, as far as it is not plain.
//!
//! Not how many they are, nor how long they work.

use super::law;
use crate::model::{
    Ack, Batch, BatchFailure, BatchWork, BudgetPer, Crashes, Failures, FleetId, Guard, Handling,
    IdempotencyKey, InFlight, Intake, Limit, Model, Redelivery, RetryOn, RetryPlace, Rework,
    Reworking,
};
use crate::policy::idempotency::Idempotency;
use crate::policy::retry::RetryPolicy;
use crate::units::{Ratio, SimDuration, SimTime};

/// A phrase for each part that is not plain.
pub(super) fn phrases(handling: &Handling) -> Vec<String> {
    let mut phrases = Vec::new();
    match handling.ack {
        Ack::Before => phrases.push("acknowledges before the work".to_owned()),
        Ack::After => {}
    }
    if handling.ack_loss != Ratio::ZERO {
        phrases.push(format!("{} of acknowledgements lost", handling.ack_loss));
    }
    phrases.extend(match handling.intake {
        Intake::Pull => None,
        Intake::Push { prefetch: u32::MAX } => Some("unlimited prefetch".to_owned()),
        Intake::Push { prefetch } => Some(format!("prefetch {prefetch}")),
    });
    if !handling.delivery_delay.is_zero() {
        phrases.push(format!(
            "{} each way to the broker",
            handling.delivery_delay
        ));
    }
    phrases.extend(handling.batch.map(batch));
    phrases.extend(fails(&handling.fails));
    phrases.extend(handling.limit.map(limit));
    phrases.extend(handling.retry.map(retry));
    match handling.rework {
        Rework::Restart => {}
        Rework::Resample => phrases.push("a new service time each delivery".to_owned()),
    }
    phrases.extend(handling.crash.as_ref().map(crash));
    phrases.extend(effects(handling));
    phrases
}

/// What is meant by keys that nobody wrote, where it decides what comes out.
pub(super) fn unsaid(id: FleetId, model: &Model) -> Vec<String> {
    let fleet = &model.fleets[id];
    let handling = &fleet.handling;
    let delivery = &model.queues[fleet.queue].delivery;
    let mut phrases = Vec::new();
    let lapses = matches!(delivery.redelivery, Redelivery::Visibility(_));
    let varies = fleet.service.law().variance() > 0.0;
    if lapses && varies && handling.rework == Rework::Restart && handling.ack == Ack::After {
        phrases.push("the same service time each delivery (`rework`)".to_owned());
    }
    let crashes = handling.crash.is_some()
        || model
            .outages
            .iter()
            .any(|outage| outage.fleet == id && matches!(outage.in_flight, InFlight::Crash(_)));
    if crashes && handling.effect_at == Ratio::ONE && handling.ack == Ack::After {
        let lapses = if lapses && handling.idempotency == Idempotency::None {
            "; a lapsed visibility repeats it all the same"
        } else {
            ""
        };
        phrases.push(format!(
            "acts at the very end of the work, so that what a crash cuts off has had no effect yet \
             (`effect_at = \"50%\"` has some repeated){lapses}"
        ));
    }
    phrases
}

fn batch(batch: Batch) -> String {
    let Batch {
        size,
        window,
        work,
        failure,
    } = batch;
    let wait = match window {
        window if window.is_zero() => String::new(),
        window => format!(", waits {window} for more"),
    };
    let work = match work {
        BatchWork::Each => "one after the other",
        BatchWork::Once => "as long as the longest",
    };
    let failure = match failure {
        BatchFailure::Whole => "a failure returns all",
        BatchFailure::Partial => "failures return alone",
    };
    format!("batches of {size}{wait}, {work}, {failure}")
}

fn fails(fails: &Failures) -> Option<String> {
    let kinds = [
        (fails.transient, "of attempts fail"),
        (fails.permanent, "of messages always fail"),
    ];
    let kinds = kinds.into_iter().filter(|(share, _)| *share != Ratio::ZERO);
    let mut words: Vec<_> = kinds
        .map(|(share, what)| format!("{share} {what}"))
        .collect();
    words.extend(
        fails
            .takes
            .as_ref()
            .map(|takes| format!("a failure takes {}", law(takes))),
    );
    if fails.breaks_at > SimTime::ZERO {
        words.push(format!("breaks at {}", fails.breaks_at));
    }
    words.extend(fails.cured_at.map(|at| format!("cured at {at}")));
    (!words.is_empty()).then(|| words.join(", "))
}

/// How often in all, and the first wait.
pub(super) fn tries(policy: &RetryPolicy) -> String {
    let first = SimDuration::from_secs_rounded(policy.mean_delay(0));
    let budget = policy.budget.map_or_else(String::new, |budget| {
        format!(", a budget of retries ({budget})")
    });
    format!(
        "tries {} times in all, the second time after {first} on average{budget}",
        policy.attempts
    )
}

fn limit(limit: Limit) -> String {
    let Limit { rate, window } = limit;
    format!("{rate} attempts of the fleet, in windows of {window}; more fail")
}

fn retry(retry: Reworking) -> String {
    let place = match retry.place {
        RetryPlace::InPlace => "in place",
        RetryPlace::Delayed => "back with the broker meanwhile",
    };
    let on = match retry.on {
        RetryOn::Any => "",
        RetryOn::Transient => ", transient failures only",
    };
    let shared = match (retry.policy.budget, retry.budget_per) {
        (None, _) => "",
        (Some(_), BudgetPer::Consumer) => " of each consumer",
        (Some(_), BudgetPer::Fleet) => " of the fleet",
    };
    format!("{}{shared}, {place}{on}", tries(&retry.policy))
}

fn crash(crash: &Crashes) -> String {
    let mut words = Vec::new();
    words.extend(
        crash
            .mtbf
            .as_ref()
            .map(|mtbf| format!("each crashes after ({mtbf})")),
    );
    if !crash.at.is_empty() {
        let at: Vec<_> = crash.at.iter().map(ToString::to_string).collect();
        words.push(format!("{} crash at {}", crash.consumers, at.join(", ")));
    }
    format!("{}, back after {}", words.join(" and "), crash.restart)
}

fn effects(handling: &Handling) -> Vec<String> {
    let mut phrases = Vec::new();
    phrases.extend(match handling.idempotency {
        Idempotency::None => None,
        Idempotency::CheckThenInsert => Some("checks a key, acts, then writes it".to_owned()),
        Idempotency::UniqueKey => Some("reserves a unique key, then acts".to_owned()),
        Idempotency::Claim { expires } => {
            Some(format!("claims a key for {expires}, acts, completes it"))
        }
    });
    match handling.idempotency_key {
        IdempotencyKey::Natural => {}
        IdempotencyKey::GeneratedPerAttempt => {
            phrases.push("a new key each attempt".to_owned());
        }
    }
    if handling.effect_at != Ratio::ONE {
        phrases.push(format!("acts at {} of the work", handling.effect_at));
    }
    match handling.guard {
        Guard::None => {}
        Guard::Version => phrases.push("ignores older versions".to_owned()),
    }
    phrases
}
