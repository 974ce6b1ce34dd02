//! How often a message is worked on, and how long that takes in all, where failures and lost
//! acknowledgements have it done again.
//!
//! Not deliveries that lapse: those overlap.

use super::handled::{Case, Memoryless, percent};
use crate::model::{
    Ack, Counted, Failures, Handling, Redelivery, RetryOn, RetryPlace, ReturnKinds, Rework,
    Reworking,
};
use crate::policy::order::Order;
use crate::random::{DurationLaw, Law};
use crate::theory::repetition::{Again, Attempt, Repetition, Total};
use crate::units::{Ratio, SimTime};

/// A failing attempt takes so long at least, in seconds (rule E1).
const LEAST_FAILURE: f64 = 1e-6;

/// How often messages are worked on.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Attempts {
    /// Once each.
    Once,
    /// Now and then again.
    Repeated {
        /// All attempts together.
        total: Total,
        /// The mechanism, and how often it strikes.
        because: String,
        /// Whether the time of all attempts is exponential.
        memoryless: Memoryless,
        /// The mean time with the broker between them.
        away: f64,
        /// Why the waits have no form.
        no_wait: Vec<String>,
        /// Whether work is repeated that had succeeded.
        duplicates: bool,
    },
}

/// What has a message worked on again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cause {
    Failure,
    LostAck,
}

/// Where a message is until its next attempt.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Until {
    /// With its handler, or at the head of the line: nobody comes between.
    AtOnce,
    /// With its handler, which pauses.
    Pausing(Reworking),
    /// With the broker, after a delay of the policy.
    Delayed(Reworking),
    /// With the broker, until its visibility lapses.
    Invisible(f64),
}

impl Case<'_> {
    /// The most deliveries of a message that comes back in one way only.
    pub(super) fn most_deliveries(&self, way: impl Fn(ReturnKinds) -> Counted) -> Option<u64> {
        let receives = self.delivery.max_receives.map(u64::from);
        let returns = self.delivery.return_limit;
        let returns = returns.filter(|limit| way(limit.counts) == Counted::Yes);
        let returns = returns.map(|limit| u64::from(limit.returns) + 1);
        receives.into_iter().chain(returns).min()
    }
}

impl Case<'_> {
    /// The share of messages on which every attempt fails, for as long as the handler is broken.
    fn hopeless(&self, poison: Ratio) -> f64 {
        1.0 - (1.0 - self.handling.fails.permanent.get()) * (1.0 - poison.get())
    }

    /// Whether messages on which every attempt fails are tried for ever.
    pub(super) fn goes_round(&self, poison: Ratio) -> bool {
        let only_transient = self.handling.retry.map(|it| it.on) == Some(RetryOn::Transient);
        let repaired = self.handling.fails.cured_at.is_some();
        let hopeless = self.hopeless(poison) > 0.0 && !repaired && !only_transient;
        let never = self.handling.fails.transient == Ratio::ONE;
        (hopeless || never) && place(self).1.is_none()
    }
}

impl Handling {
    /// The most attempts that a handler makes without giving a message out of hand.
    pub(super) fn tries_in_place(&self) -> u32 {
        let in_place = self.retry.filter(|it| it.place == RetryPlace::InPlace);
        in_place.map_or(1, |it| it.policy.attempts)
    }

    /// The longest pauses between those, in seconds.
    pub(super) fn pauses_in_place(&self) -> f64 {
        let in_place = self.retry.filter(|it| it.place == RetryPlace::InPlace);
        in_place.map_or(0.0, |it| {
            let pauses = 0..it.policy.attempts - 1;
            // A spread of the ladder's own is at most its mean once more.
            let longest = |n| {
                it.policy
                    .backoff
                    .raw(n)
                    .as_secs_f64()
                    .max(it.policy.mean_delay(n))
            };
            2.0 * pauses.map(longest).sum::<f64>()
        })
    }
}

/// How often messages are worked on; an error when that is not known.
pub(super) fn attempts(case: &Case<'_>, poison: Ratio) -> Result<Attempts, String> {
    let Failures {
        transient,
        permanent: _,
        takes,
        breaks_at,
        cured_at,
    } = &case.handling.fails;
    let hopeless = case.hopeless(poison);
    let lost = case.handling.ack_loss;
    let fails = *transient > Ratio::ZERO || hopeless > 0.0;
    if hopeless > 0.0 && cured_at.is_some() {
        return Err("failures: its handlers are repaired in the run".to_owned());
    }
    if hopeless > 0.0 && *breaks_at > SimTime::ZERO {
        return Err("failures: its handlers break in the run".to_owned());
    }
    match (fails, lost > Ratio::ZERO) {
        (false, false) => Ok(Attempts::Once),
        (true, true) => Err(
            "failures and lost acknowledgements together: how often a message is worked on is not \
             worked out for both"
                .to_owned(),
        ),
        (false, true) => by_lost_acks(case),
        (true, false) => {
            let because = because(*transient, hopeless);
            by_failures(
                case,
                *transient,
                hopeless,
                takes.as_ref().map(DurationLaw::law),
                because,
            )
        }
    }
}

fn because(transient: Ratio, hopeless: f64) -> String {
    let again = format!("{} of attempts fail", percent(transient.get()));
    let never = format!("{} of messages never succeed", percent(hopeless));
    match (transient > Ratio::ZERO, hopeless > 0.0) {
        (true, true) => format!("failures: {again}, and {never}"),
        (true, false) => format!("failures: {again}"),
        (false, _) => format!("failures: {never}"),
    }
}

fn by_lost_acks(case: &Case<'_>) -> Result<Attempts, String> {
    let lost = case.handling.ack_loss.get();
    let because = format!(
        "lost acknowledgements: {} of deliveries are repeated",
        percent(lost)
    );
    let (until, most) = match case.delivery.redelivery {
        Redelivery::OnDisconnect => (Until::AtOnce, case.most_deliveries(|kinds| kinds.crash)),
        Redelivery::Visibility(visibility) => (
            Until::Invisible(visibility.timeout.as_secs_f64()),
            case.most_deliveries(|kinds| kinds.lapse),
        ),
    };
    let repetition = Repetition {
        p: lost,
        most,
        hopeless: 0.0,
        hopeless_most: 0,
    };
    repeated(case, repetition, None, until, (because, Cause::LostAck))
}

fn by_failures(
    case: &Case<'_>,
    transient: Ratio,
    hopeless: f64,
    takes: Option<&Law>,
    because: String,
) -> Result<Attempts, String> {
    let (until, most) = place(case);
    let only_transient = case.handling.retry.map(|it| it.on) == Some(RetryOn::Transient);
    let hopeless_most = if only_transient { Some(1) } else { most };
    if hopeless > 0.0 && hopeless_most.is_none() {
        return Err(format!("{because}, and come back for ever"));
    }
    let repetition = Repetition {
        p: transient.get(),
        most,
        hopeless,
        hopeless_most: hopeless_most.unwrap_or(1),
    };
    repeated(case, repetition, takes, until, (because, Cause::Failure))
}

/// Where failed messages are until they are tried again, and how often they are tried.
fn place(case: &Case<'_>) -> (Until, Option<u64>) {
    let Some(retry) = case.handling.retry else {
        if case.handling.ack == Ack::Before {
            return (Until::AtOnce, Some(1));
        }
        return match case.delivery.redelivery {
            Redelivery::OnDisconnect => {
                (Until::AtOnce, case.most_deliveries(|kinds| kinds.failure))
            }
            Redelivery::Visibility(visibility) => (
                Until::Invisible(visibility.timeout.as_secs_f64()),
                case.most_deliveries(|kinds| kinds.lapse),
            ),
        };
    };
    let tries = u64::from(retry.policy.attempts);
    match retry.place {
        RetryPlace::InPlace => (Until::Pausing(retry), Some(tries)),
        RetryPlace::Delayed => {
            let returns = match case.delivery.redelivery {
                Redelivery::OnDisconnect => case.delivery.max_receives.map(u64::from),
                Redelivery::Visibility(_) => case.most_deliveries(|kinds| kinds.failure),
            };
            let most = returns.map_or(tries, |most| most.min(tries));
            (Until::Delayed(retry), Some(most))
        }
    }
}

fn repeated(
    case: &Case<'_>,
    repetition: Repetition,
    takes: Option<&Law>,
    until: Until,
    (because, cause): (String, Cause),
) -> Result<Attempts, String> {
    let law = case.law();
    let mean = law.mean();
    let again = match case.handling.rework {
        Rework::Restart => Again::Same,
        Rework::Resample => Again::Anew,
    };
    let attempt = Attempt {
        service: [mean, law.variance() + mean * mean, law.third_moment()],
        again,
        failing: takes.map(|law| law.mean().max(LEAST_FAILURE)),
    };
    let pause = |n: u64| {
        let n = u32::try_from(n).unwrap_or(u32::MAX);
        match until {
            Until::Pausing(retry) => retry.policy.mean_delay(n),
            Until::AtOnce | Until::Delayed(_) | Until::Invisible(_) => 0.0,
        }
    };
    let total = repetition.total(attempt, pause);
    let total = total.map_err(|why| format!("{because}: {why}"))?;
    let away = repetition.total(attempt, |n| {
        let n = u32::try_from(n).unwrap_or(u32::MAX);
        match until {
            Until::Delayed(retry) => retry.policy.mean_delay(n),
            Until::Invisible(timeout) => timeout,
            Until::AtOnce | Until::Pausing(_) => 0.0,
        }
    });
    let away = away.map_or(0.0, |total| total.pauses);
    // A geometric number of exponential times is exponential.
    let memoryless = matches!(law, Law::Exponential(_))
        && again == Again::Anew
        && (repetition.most, repetition.hopeless.to_bits()) == (None, 0.0_f64.to_bits())
        && takes.is_none();
    let no_wait = why_no_wait(case, &because, (takes, until), &total);
    Ok(Attempts::Repeated {
        total,
        because,
        memoryless: if memoryless {
            Memoryless::Yes
        } else {
            Memoryless::No
        },
        away,
        no_wait,
        duplicates: cause == Cause::LostAck,
    })
}

/// Why the waits of messages that are worked on again have no form, when they have none.
fn why_no_wait(
    case: &Case<'_>,
    because: &str,
    (takes, until): (Option<&Law>, Until),
    total: &Total,
) -> Vec<String> {
    let mut no_wait = Vec::new();
    if case.model.queues[case.fleet.queue].order != Order::Fifo {
        no_wait.push(format!(
            "{because}, and its order is not first in, first out"
        ));
    }
    if takes.is_some_and(|law| law.variance() > 0.0) {
        no_wait.push(format!(
            "{because}, and how long those take is a law of its own"
        ));
    }
    match until {
        Until::Pausing(retry) if retry.policy.is_spread() => no_wait.push(format!(
            "{because}, by a handler that pauses in between for a random time"
        )),
        Until::Delayed(_) | Until::Invisible(_) if total.attempts > 1.0 => no_wait.push(format!(
            "{because}, and come back later, so arrivals at the handlers are not independent"
        )),
        Until::AtOnce | Until::Pausing(_) | Until::Delayed(_) | Until::Invisible(_) => {}
    }
    no_wait
}
