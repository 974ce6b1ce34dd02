//! Every field of deliveries, handling, and stamps, one by one and several at random: the closed
//! form of the plain station is called exact only where the history is the plain one.
//!
//! Not what is claimed elsewhere: that is in [`crate::readings_handled`].

use queuecast::experiment::readings::expect;
use queuecast::experiment::{Experiment, conduct};
use queuecast::model::{
    Ack, AckTimeout, Batch, BatchFailure, BatchWork, BudgetPer, CallLimits, ConfirmLoss, Counted,
    Crashes, DeadLetter, Delivery, Dispatch, Failures, Grouping, Guard, Handling, Id,
    IdempotencyKey, Intake, LateAck, Limit, Model, Poison, Queue, QueueId, Redelivery, Redrive,
    RedriveIdentity, ReturnKinds, ReturnLimit, Rework, Reworking, SendBatch, Stamp, Visibility,
    Watch,
};
use queuecast::model::{RetryOn, RetryPlace};
use queuecast::outcome::How;
use queuecast::policy::idempotency::Idempotency;
use queuecast::policy::keys::Keys;
use queuecast::policy::retry::{Backoff, Jitter, RetryPolicy};
use queuecast::sim::Detail;
use queuecast::units::{Rate, Ratio, SimDuration, SimTime};

use proptest::prelude::*;
use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};

use crate::conservation::leases;
use crate::readings::{STEADY, model};

/// One field of a model that is not plain, and whether the plain form still holds.
type Change = (&'static str, fn(&mut Model), Claim);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Claim {
    /// The waits are those of the plain model, message for message.
    Plain,
    /// They are not, and nothing says so.
    Other,
}

fn handling(model: &mut Model) -> &mut Handling {
    &mut model.fleets[Id::at(0)].handling
}

fn delivery(model: &mut Model) -> &mut Delivery {
    &mut model.queues[QueueId::at(0)].delivery
}

fn stamp(model: &mut Model) -> &mut Stamp {
    &mut model.producers[Id::at(0)].stamp
}

fn share(share: f64) -> Ratio {
    Ratio::new(share).expect("a ratio")
}

fn another_queue(model: &mut Model) -> QueueId {
    model.queues.push(Queue::plain("queues.dead"))
}

const SECOND: SimDuration = SimDuration::from_secs(1);
const HALF_A_MINUTE: SimDuration = SimDuration::from_secs(30);

const OF_HANDLING: [Change; 16] = [
    ("calls", crate::dependencies::let_call, Claim::Other),
    (
        "limit",
        |m| {
            handling(m).limit = Some(Limit {
                rate: Rate::per_second(1_000),
                window: SECOND,
            });
        },
        Claim::Other,
    ),
    ("ack", |m| handling(m).ack = Ack::Before, Claim::Plain),
    (
        "ack_loss",
        |m| handling(m).ack_loss = share(0.1),
        Claim::Other,
    ),
    (
        "intake",
        |m| handling(m).intake = Intake::Push { prefetch: 3 },
        Claim::Other,
    ),
    (
        "delivery_delay",
        |m| handling(m).delivery_delay = SimDuration::from_millis(5),
        Claim::Other,
    ),
    (
        "batch",
        |m| {
            handling(m).batch = Some(Batch {
                size: 3,
                window: SECOND,
                work: BatchWork::Each,
                failure: BatchFailure::Partial,
            });
        },
        Claim::Other,
    ),
    (
        "fails",
        |m| {
            handling(m).fails = Failures {
                transient: share(0.1),
                ..Failures::default()
            };
        },
        Claim::Other,
    ),
    (
        "retry",
        |m| {
            handling(m).retry = Some(Reworking {
                policy: RetryPolicy {
                    attempts: 3,
                    backoff: Backoff::Fixed(SECOND),
                    jitter: Jitter::None,
                    budget: None,
                },
                budget_per: BudgetPer::Consumer,
                place: RetryPlace::Delayed,
                on: RetryOn::Any,
            });
        },
        Claim::Plain,
    ),
    (
        "rework",
        |m| handling(m).rework = Rework::Resample,
        Claim::Plain,
    ),
    (
        "crash",
        |m| {
            handling(m).crash = Some(Crashes {
                mtbf: None,
                at: vec![SimTime::ZERO + SECOND],
                consumers: 1,
                restart: SECOND,
            });
        },
        Claim::Other,
    ),
    (
        "idempotency",
        |m| handling(m).idempotency = Idempotency::UniqueKey,
        Claim::Plain,
    ),
    (
        "idempotency_key",
        |m| handling(m).idempotency_key = IdempotencyKey::GeneratedPerAttempt,
        Claim::Plain,
    ),
    (
        "effect_at",
        |m| handling(m).effect_at = share(0.5),
        Claim::Plain,
    ),
    (
        "guard",
        |m| {
            handling(m).guard = Guard::Version;
            stamp(m).keys = Keys::uniform(3);
        },
        Claim::Plain,
    ),
    (
        "fails",
        |m| handling(m).fails.breaks_at = SimTime::ZERO + SECOND,
        Claim::Plain,
    ),
];

fn visible(timeout: SimDuration) -> Redelivery {
    Redelivery::Visibility(Visibility {
        timeout,
        heartbeat: None,
        at_most: Visibility::AT_MOST,
        sweep: None,
    })
}

const OF_DELIVERY: [Change; 17] = [
    (
        "watch_unacked",
        |m| delivery(m).watch_unacked = Watch::Yes,
        Claim::Plain,
    ),
    (
        "redelivery",
        |m| delivery(m).redelivery = visible(HALF_A_MINUTE),
        Claim::Plain,
    ),
    (
        "redelivery",
        |m| delivery(m).redelivery = visible(SimDuration::from_millis(100)),
        Claim::Other,
    ),
    (
        "late_ack",
        |m| delivery(m).late_ack = LateAck::Refused,
        Claim::Plain,
    ),
    (
        "max_receives",
        |m| delivery(m).max_receives = Some(1),
        Claim::Plain,
    ),
    (
        "return_limit",
        |m| {
            delivery(m).return_limit = Some(ReturnLimit {
                returns: 0,
                counts: ReturnKinds::ALL,
            });
        },
        Claim::Plain,
    ),
    (
        "ack_timeout",
        |m| {
            delivery(m).ack_timeout = Some(AckTimeout {
                limit: HALF_A_MINUTE,
                check: SECOND,
            });
        },
        Claim::Plain,
    ),
    (
        "ack_timeout",
        |m| {
            delivery(m).ack_timeout = Some(AckTimeout {
                limit: SimDuration::from_millis(100),
                check: SimDuration::from_millis(10),
            });
        },
        Claim::Other,
    ),
    (
        "max_in_flight",
        |m| delivery(m).max_in_flight = Some(1),
        Claim::Plain,
    ),
    (
        "dispatch",
        |m| delivery(m).dispatch = Dispatch::Greedy,
        Claim::Plain,
    ),
    (
        "grouping",
        |m| delivery(m).grouping = Grouping::ByKey,
        Claim::Other,
    ),
    (
        "dead_letter",
        |m| {
            let queue = another_queue(m);
            delivery(m).dead_letter = Some(DeadLetter {
                queue,
                expired: Counted::Yes,
                dropped: Counted::Yes,
            });
        },
        Claim::Plain,
    ),
    (
        "redrive",
        |m| {
            let to = another_queue(m);
            delivery(m).redrive = Some(Redrive {
                at: SimTime::ZERO + HALF_A_MINUTE,
                rate: Rate::per_second(10),
                to,
                identity: RedriveIdentity::New,
            });
        },
        Claim::Other,
    ),
    (
        "dedup_window",
        |m| delivery(m).dedup_window = Some(SECOND),
        Claim::Plain,
    ),
    (
        "calls",
        |m| {
            delivery(m).calls = CallLimits {
                receive: Some(Rate::per_second(6)),
                ..CallLimits::default()
            };
        },
        Claim::Other,
    ),
    (
        "calls",
        |m| {
            delivery(m).calls = CallLimits {
                send: Some(Rate::per_second(6)),
                ..CallLimits::default()
            };
        },
        Claim::Other,
    ),
    (
        "calls",
        |m| {
            delivery(m).calls = CallLimits {
                delete: Some(Rate::per_second(6)),
                ..CallLimits::default()
            };
        },
        Claim::Other,
    ),
];

const OF_STAMP: [Change; 5] = [
    ("keys", |m| stamp(m).keys = Keys::uniform(3), Claim::Plain),
    (
        "send_batch",
        |m| stamp(m).send_batch = SendBatch(10),
        Claim::Plain,
    ),
    (
        "poison",
        |m| {
            stamp(m).poison = Poison {
                share: share(0.1),
                keys: Vec::new(),
            };
        },
        Claim::Other,
    ),
    (
        "poison",
        |m| {
            stamp(m).keys = Keys::uniform(3);
            stamp(m).poison.keys = vec![1];
            delivery(m).max_receives = Some(3);
        },
        Claim::Other,
    ),
    (
        "confirm_loss",
        |m| {
            stamp(m).confirm_loss = Some(ConfirmLoss {
                share: share(0.1),
                timeout: SECOND,
            });
        },
        Claim::Other,
    ),
];

/// The names of all fields, from the types themselves: one more does not compile here.
fn fields() -> [Vec<&'static str>; 3] {
    macro_rules! names {
        ($type:ident { $($field:ident),* }) => {{
            let $type { $($field: _),* } = $type::default();
            vec![$(stringify!($field)),*]
        }};
    }
    [
        names!(Handling {
            ack,
            ack_loss,
            intake,
            delivery_delay,
            batch,
            fails,
            calls,
            retry,
            rework,
            crash,
            idempotency,
            idempotency_key,
            effect_at,
            guard,
            limit
        }),
        names!(Delivery {
            redelivery,
            late_ack,
            max_receives,
            return_limit,
            ack_timeout,
            max_in_flight,
            dispatch,
            grouping,
            dead_letter,
            redrive,
            dedup_window,
            calls,
            watch_unacked
        }),
        names!(Stamp {
            keys,
            poison,
            confirm_loss,
            send_batch
        }),
    ]
}

fn plain() -> Model {
    model(
        STEADY,
        &[
            "run.stop=60s",
            "run.warmup=0s",
            "run.replications=1",
            "producers.p.arrivals.poisson.rate=5/s",
        ],
    )
}

/// Whether the waits of a model are called exact, by the form of the plain one.
fn is_called_plain(model: &Model) -> bool {
    let readings = expect(model);
    let waits = readings.rows.iter();
    let mut waits = waits.filter(|row| row.metric == "queues.q.wait.mean");
    waits.any(|row| {
        let known = row.theory.as_ref();
        known.is_some_and(|it| it.how == How::Exact && !it.source.contains("attempts"))
    })
}

/// What is waited for, worked and stayed, to the last digit.
fn history(model: &Model) -> Vec<Option<u64>> {
    let Experiment { measures, .. } = conduct(model, Detail::Measures, &|_| {});
    let metrics = [
        "queues.q.wait.mean",
        "queues.q.wait.max",
        "queues.q.sojourn.mean",
        "queues.q.depth.max",
        "queues.q.completed",
        "consumers.c.utilization",
    ];
    let of = |metric: &&str| measures.value(metric).map(f64::to_bits);
    metrics.iter().map(of).collect()
}

#[test]
fn every_field_leaves_the_form_exact_or_takes_the_claim_away() {
    let expected = history(&plain());
    assert!(is_called_plain(&plain()));
    for (changes, fields) in [&OF_HANDLING[..], &OF_DELIVERY, &OF_STAMP]
        .into_iter()
        .zip(fields())
    {
        for field in fields {
            assert!(
                changes.iter().any(|(name, ..)| *name == field),
                "{field} is not tried"
            );
        }
        for (name, change, claim) in changes {
            let mut model = plain();
            change(&mut model);
            assert_eq!(is_called_plain(&model), *claim == Claim::Plain, "{name}");
            if *claim == Claim::Plain {
                assert_eq!(history(&model), expected, "{name}");
            }
        }
    }
}

#[test]
fn what_is_called_exact_by_the_plain_form_has_the_plain_history() {
    let config = ProptestConfig {
        cases: 3_000,
        failure_persistence: None,
        ..ProptestConfig::default()
    };
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[23; 32]);
    let mut runner = TestRunner::new_with_rng(config, rng);
    let words = proptest::collection::vec(any::<u32>(), 200);
    let called = std::cell::Cell::new(0);
    let result = runner.run(&(words, any::<u32>(), any::<u32>()), |(mut words, a, b)| {
        // Few features at once, or next to none is plain.
        words[0] &= a & b;
        let mut model = plain();
        leases::lay_over(&mut model, &words);
        if is_called_plain(&model) {
            called.set(called.get() + 1);
            let mut twin = model.clone();
            *handling(&mut twin) = Handling::default();
            *delivery(&mut twin) = Delivery::default();
            *stamp(&mut twin) = Stamp::default();
            prop_assert_eq!(history(&model), history(&twin));
        }
        Ok(())
    });
    if let Err(why) = result {
        panic!("{why}");
    }
    assert!(called.get() > 100, "only {} are called exact", called.get());
}
