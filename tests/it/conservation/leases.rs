//! Deliveries at random, laid over a drawn model: leases, failures, crashes, dead letters, keys.
//!
//! Not the rest of a model: that is in [`super::draw`].

use queuecast::model::{
    Ack, AckTimeout, Batch, BatchFailure, BatchWork, BudgetPer, CallLimits, ConfirmLoss, Counted,
    Crashes, DeadLetter, Delivery, Dispatch, Failures, Grouping, Guard, Handling, Id,
    IdempotencyKey, Intake, LateAck, LengthCheck, Limit, Model, Poison, Queue, QueueId, Redelivery,
    Redrive, RedriveIdentity, RetryOn, RetryPlace, ReturnKinds, ReturnLimit, Rework, Reworking,
    SendBatch, Stamp, Visibility,
};
use queuecast::policy::idempotency::Idempotency;
use queuecast::policy::keys::Keys;
use queuecast::policy::retry::budget::{AwsStandard, Budget, Finagle, Grpc};
use queuecast::policy::retry::{Backoff, Exponential, Jitter, RetryPolicy};
use queuecast::units::{Rate, Ratio, SimDuration, SimTime};

use super::tape::Tape;

mod feature {
    pub(super) const VISIBILITY: u32 = 0;
    pub(super) const LIMITS: u32 = 1;
    pub(super) const TIMEOUT: u32 = 2;
    pub(super) const GROUPS: u32 = 3;
    pub(super) const DEAD: u32 = 4;
    pub(super) const DEDUP: u32 = 5;
    pub(super) const CALLS: u32 = 6;
    pub(super) const EARLY: u32 = 7;
    pub(super) const LOSS: u32 = 8;
    pub(super) const PUSH: u32 = 9;
    pub(super) const TRAVEL: u32 = 10;
    pub(super) const BATCH: u32 = 11;
    pub(super) const FAIL: u32 = 12;
    pub(super) const RETRY: u32 = 13;
    pub(super) const CRASH: u32 = 14;
    pub(super) const EFFECT: u32 = 15;
    pub(super) const KEYS: u32 = 16;
    pub(super) const POISON: u32 = 17;
    pub(super) const CONFIRM: u32 = 18;
    pub(super) const BUDGET: u32 = 19;
    pub(super) const LIMIT: u32 = 20;
}

/// Lays deliveries over a model.
pub(crate) fn lay_over(model: &mut Model, words: &[u32]) {
    let tape = &mut Tape::new(words);
    model.plan.most_events = super::MOST_EVENTS;
    let count = model.queues.len();
    if tape.has(feature::DEAD) {
        let dead = model.queues.push(Queue::plain("queues.dead"));
        for id in (0..count).map(QueueId::at) {
            if tape.below(3) > 0 {
                model.queues[id].delivery.dead_letter = Some(DeadLetter {
                    queue: dead,
                    expired: tape.one_of(&[Counted::No, Counted::Yes]),
                    dropped: tape.one_of(&[Counted::No, Counted::Yes]),
                });
            }
        }
        if tape.below(2) == 1 {
            model.queues[dead].delivery.redrive = Some(Redrive {
                at: tape.instant(3_000),
                rate: Rate::per_second(tape.one_of(&[100, 1, 10_000])),
                to: Id::at(tape.below(count as u32) as usize),
                identity: tape.one_of(&[RedriveIdentity::New, RedriveIdentity::Same]),
            });
        }
    }
    for id in (0..count).map(QueueId::at) {
        let Delivery {
            dead_letter,
            redrive,
            ..
        } = model.queues[id].delivery;
        model.queues[id].delivery = Delivery {
            dead_letter,
            redrive,
            ..delivery(tape)
        };
    }
    for producer in &mut model.producers {
        producer.stamp = stamp(tape);
    }
    for queue in &mut model.queues {
        queue.length_check = tape.one_of(&[LengthCheck::Message, LengthCheck::Batch]);
    }
    let poisoned = model
        .producers
        .iter()
        .any(|producer| producer.stamp.poison != Poison::default());
    for fleet in &mut model.fleets {
        fleet.handling = handling(tape);
        let fails = fleet.handling.fails != Failures::default();
        let lost = fleet.handling.ack_loss > Ratio::ZERO;
        if fails || lost || poisoned {
            // Work that takes next to no time and fails is done again at once, for ever.
            fleet.service = tape.law(60, true);
        }
    }
}

fn ratio(tape: &mut Tape<'_>, all: &[f64]) -> Ratio {
    Ratio::new(tape.one_of(all)).expect("in range")
}

fn some_time(tape: &mut Tape<'_>, most_ms: u32) -> SimDuration {
    tape.span(most_ms) + SimDuration::from_millis(10)
}

fn delivery(tape: &mut Tape<'_>) -> Delivery {
    let redelivery = if tape.has(feature::VISIBILITY) {
        let timeout = some_time(tape, 200);
        Redelivery::Visibility(Visibility {
            timeout,
            heartbeat: (tape.below(3) == 1).then(|| SimDuration::from_millis(7)),
            at_most: tape.one_of(&[Visibility::AT_MOST, SimDuration::from_millis(500)]),
            sweep: (tape.below(3) == 1).then(|| SimDuration::from_millis(30)),
        })
    } else {
        Redelivery::OnDisconnect
    };
    let counted = |tape: &mut Tape<'_>| tape.one_of(&[Counted::Yes, Counted::No]);
    let rate = |tape: &mut Tape<'_>| {
        tape.has(feature::CALLS)
            .then(|| Rate::per_second(tape.one_of(&[100, 3, 20])))
    };
    Delivery {
        redelivery,
        late_ack: tape.one_of(&[LateAck::Honoured, LateAck::Refused]),
        max_receives: tape.has(feature::LIMITS).then(|| tape.one_of(&[5, 1, 2])),
        return_limit: tape.has(feature::LIMITS).then(|| ReturnLimit {
            returns: tape.below(4),
            counts: ReturnKinds {
                failure: counted(tape),
                crash: counted(tape),
                timeout: counted(tape),
                lapse: counted(tape),
            },
        }),
        ack_timeout: tape.has(feature::TIMEOUT).then(|| AckTimeout {
            limit: some_time(tape, 300),
            check: some_time(tape, 100),
        }),
        max_in_flight: tape
            .has(feature::LIMITS)
            .then(|| u64::from(1 + tape.below(6))),
        dispatch: tape.one_of(&[Dispatch::RoundRobin, Dispatch::Greedy]),
        grouping: if tape.has(feature::GROUPS) {
            Grouping::ByKey
        } else {
            Grouping::None
        },
        dedup_window: tape.has(feature::DEDUP).then(|| some_time(tape, 500)),
        calls: CallLimits {
            send: rate(tape),
            receive: rate(tape),
            delete: rate(tape),
        },
        ..Delivery::default()
    }
}

fn handling(tape: &mut Tape<'_>) -> Handling {
    let batch = tape.has(feature::BATCH).then(|| Batch {
        size: 1 + tape.below(5),
        window: tape.span(100),
        work: tape.one_of(&[BatchWork::Each, BatchWork::Once]),
        failure: tape.one_of(&[BatchFailure::Partial, BatchFailure::Whole]),
    });
    let expires = some_time(tape, 200);
    let keepers = [
        Idempotency::None,
        Idempotency::CheckThenInsert,
        Idempotency::UniqueKey,
        Idempotency::Claim { expires },
    ];
    let retry = tape.has(feature::RETRY).then(|| reworking(tape));
    Handling {
        ack: if tape.has(feature::EARLY) {
            Ack::Before
        } else {
            Ack::After
        },
        ack_loss: if tape.has(feature::LOSS) {
            ratio(tape, &[0.1, 0.5])
        } else {
            Ratio::ZERO
        },
        intake: if tape.has(feature::PUSH) {
            Intake::Push {
                prefetch: tape.one_of(&[1, 3, 20]),
            }
        } else {
            Intake::Pull
        },
        delivery_delay: if tape.has(feature::TRAVEL) {
            tape.span(40)
        } else {
            SimDuration::ZERO
        },
        batch,
        fails: fails(tape),
        calls: None,
        // Without a retry, what the limiter refuses would be tried again at once, for ever.
        limit: (retry.is_some() && tape.has(feature::LIMIT)).then(|| Limit {
            rate: Rate::per_second(tape.one_of(&[100, 1, 10])),
            window: some_time(tape, 1_500),
        }),
        retry,
        rework: tape.one_of(&[Rework::Restart, Rework::Resample]),
        crash: tape.has(feature::CRASH).then(|| crashes(tape)),
        idempotency: if tape.has(feature::EFFECT) {
            tape.one_of(&keepers)
        } else {
            Idempotency::None
        },
        idempotency_key: tape
            .one_of(&[IdempotencyKey::Natural, IdempotencyKey::GeneratedPerAttempt]),
        effect_at: ratio(tape, &[1.0, 0.0, 0.5]),
        guard: tape.one_of(&[Guard::None, Guard::Version]),
    }
}

fn fails(tape: &mut Tape<'_>) -> Failures {
    if !tape.has(feature::FAIL) {
        return Failures::default();
    }
    Failures {
        transient: ratio(tape, &[0.0, 0.2, 0.7]),
        permanent: ratio(tape, &[0.0, 0.2]),
        takes: (tape.below(2) == 1).then(|| tape.law(30, true)),
        breaks_at: tape.instant(1_000),
        cured_at: (tape.below(2) == 1).then(|| tape.instant(2_000)),
    }
}

fn reworking(tape: &mut Tape<'_>) -> Reworking {
    let exponential = Exponential {
        base: tape.span(50),
        cap: SimDuration::from_millis(300),
        factor: 2.0,
    };
    Reworking {
        policy: RetryPolicy {
            attempts: 1 + tape.below(4),
            backoff: tape.one_of(&[
                Backoff::Immediate,
                Backoff::Fixed(exponential.base),
                Backoff::Exponential(exponential),
            ]),
            jitter: tape.one_of(&[Jitter::None, Jitter::Full, Jitter::Equal]),
            budget: tape.has(feature::BUDGET).then(|| budget(tape)),
        },
        place: tape.one_of(&[RetryPlace::InPlace, RetryPlace::Delayed]),
        on: tape.one_of(&[RetryOn::Any, RetryOn::Transient]),
        budget_per: tape.one_of(&[BudgetPer::Consumer, BudgetPer::Fleet]),
    }
}

pub(super) fn budget(tape: &mut Tape<'_>) -> Budget {
    let quota = AwsStandard {
        tokens: tape.below(60),
        ..AwsStandard::default()
    };
    let throttling = Grpc {
        tokens: 1 + tape.below(20),
        ..Grpc::default()
    };
    let share = Finagle {
        share: ratio(tape, &[0.2, 0.0, 1.0]),
        per_second: tape.below(4),
        ttl: some_time(tape, 2_000),
    };
    tape.one_of(&[
        Budget::AwsStandard(quota),
        Budget::Grpc(throttling),
        Budget::Finagle(share),
    ])
}

fn crashes(tape: &mut Tape<'_>) -> Crashes {
    let mut at: Vec<SimTime> = (0..tape.below(3)).map(|_| tape.instant(2_000)).collect();
    at.sort_unstable();
    Crashes {
        mtbf: (tape.below(2) == 1).then(|| {
            let mean = some_time(tape, 400).as_secs_f64();
            let law = queuecast::random::law::Exponential::new(mean).expect("in range");
            queuecast::random::law::DurationLaw::new(law.into())
        }),
        at,
        consumers: 1 + tape.below(3),
        restart: tape.span(100),
    }
}

fn stamp(tape: &mut Tape<'_>) -> Stamp {
    let keys = tape.has(feature::KEYS).then(|| {
        let count = u64::from(1 + tape.below(5));
        if tape.below(2) == 1 {
            Keys::zipf(count, 1.1).expect("some keys")
        } else {
            Keys::uniform(count).expect("some keys")
        }
    });
    Stamp {
        keys,
        poison: if tape.has(feature::POISON) {
            Poison {
                share: ratio(tape, &[0.0, 0.1]),
                keys: vec![0],
            }
        } else {
            Poison::default()
        },
        confirm_loss: tape.has(feature::CONFIRM).then(|| ConfirmLoss {
            share: ratio(tape, &[0.1, 0.5]),
            timeout: some_time(tape, 300),
        }),
        send_batch: SendBatch(1 + tape.below(3)),
    }
}
