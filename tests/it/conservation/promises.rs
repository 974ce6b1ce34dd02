//! What the mechanisms of delivery promise, model by model, and whether the swarm reached each of
//! them.
//!
//! Not what holds of all models, leased or not ([`super`]).

use std::collections::BTreeMap;

use queuecast::model::{
    Ack, BatchFailure, Counts, Failures, Grouping, Guard, Handling, IdempotencyKey, InFlight,
    Intake, LateAck, LengthCheck, Model, OnLimit, Overflow, Poison, Producer, Queue, QueueId,
    Redelivery, RedriveIdentity, RetryPlace, Returned, Returns, SendBatch,
};
use queuecast::outcome::{Flows, RunRecord};
use queuecast::policy::idempotency::Idempotency;
use queuecast::sim::{Fact, Levels, Recorder};
use queuecast::units::{Ratio, SimDuration, SimTime};

/// Looks at levels now and then, and counts, over the whole run, what no record has.
pub(super) struct Tally<'m> {
    pub(super) model: &'m Model,
    pub(super) every: SimDuration,
    /// By queue.
    pub(super) crashed: BTreeMap<QueueId, u64>,
    /// Messages put off with the broker.
    pub(super) delayed: u64,
    /// Messages that wait, by queue.
    pub(super) waiting: BTreeMap<QueueId, u64>,
    /// Publishes that a full queue took with the first of their call.
    pub(super) overshot: u64,
}

impl Tally<'_> {
    /// A bound holds for each message, or for each call.
    fn look_at_bound(&mut self, id: QueueId) {
        let queue = &self.model.queues[id];
        let waiting = self.waiting.get(&id).copied().unwrap_or(0);
        let refuses = queue.overflow == Overflow::Refuse && queue.counts == Counts::Waiting;
        if !refuses || queue.capacity == 0 || waiting < queue.capacity {
            return;
        }
        let together = |it: &Producer| it.stamp.send_batch != SendBatch::default();
        assert_eq!(queue.length_check, LengthCheck::Batch, "{waiting} wait");
        assert!(self.model.producers.iter().any(together));
        self.overshot += 1;
    }
}

impl Recorder for Tally<'_> {
    fn observe(&mut self, _now: SimTime, fact: &Fact) {
        if let Fact::Crashed { fleet, .. } = fact {
            let queue = self.model.fleets[*fleet].queue;
            *self.crashed.entry(queue).or_insert(0) += 1;
        }
        self.delayed += u64::from(matches!(fact, Fact::Delayed { .. }));
        if let Fact::Accepted { queue, .. } = fact {
            self.look_at_bound(*queue);
        } else if let Fact::Enqueued { queue } = fact {
            *self.waiting.entry(*queue).or_insert(0) += 1;
        } else if let Fact::Dequeued { queue, .. } = fact {
            *self.waiting.entry(*queue).or_insert(0) -= 1;
        }
    }

    fn next_sample(&self, now: SimTime) -> Option<SimTime> {
        Some(now + self.every)
    }

    fn sample(&mut self, now: SimTime, levels: &Levels) {
        for (id, queue) in self.model.queues.pairs() {
            let seen = &levels.queues[id];
            assert!(
                seen.depth > 0 || seen.lag.is_zero(),
                "{now}: nobody waits, for {:?}",
                seen.lag
            );
            let most = queue.delivery.max_in_flight.unwrap_or(u64::MAX);
            let model = self.model;
            let takers = Takers { model, id };
            // What was acknowledged before the work is not counted.
            let counted = takers.all(|handling| handling.ack == Ack::After);
            assert!(
                seen.in_flight <= most || !counted,
                "{now}: {} in flight",
                seen.in_flight
            );
            let idle = self.model.fleets.pairs().any(|(fleet, config)| {
                let (busy, up) = levels.fleets[fleet];
                let asks = config.handling.intake == Intake::Pull
                    && config.handling.delivery_delay.is_zero();
                // One that waits for its publishes is not at work, and not free.
                let waits = gathers(&config.handling) || config.publishes.is_some();
                config.queue == id && busy < up && asks && !waits
            });
            let held_back = queue.delivery.max_in_flight.is_some()
                || queue.delivery.calls.receive.is_some()
                || queue.delivery.grouping == Grouping::ByKey;
            assert!(
                seen.depth == 0 || !idle || held_back,
                "{now}: {} wait, and a handler is idle",
                seen.depth
            );
        }
    }
}

/// A handler that waits for a batch to fill is not at work.
fn gathers(handling: &Handling) -> bool {
    handling
        .batch
        .is_some_and(|batch| batch.size > 1 && !batch.window.is_zero())
}

fn breaks(queue: &Queue) -> bool {
    queue
        .memory
        .is_some_and(|memory| matches!(memory.on_limit, OnLimit::Crash { .. }))
}

/// What the fleets of a queue have in common.
struct Takers<'m> {
    model: &'m Model,
    id: QueueId,
}

impl Takers<'_> {
    fn all(&self, holds: impl Fn(&Handling) -> bool) -> bool {
        let mut fleets = self
            .model
            .fleets
            .iter()
            .filter(|fleet| fleet.queue == self.id);
        fleets.all(|fleet| holds(&fleet.handling))
    }

    fn publish(&self) -> bool {
        let mut fleets = self
            .model
            .fleets
            .iter()
            .filter(|fleet| fleet.queue == self.id);
        fleets.any(|fleet| fleet.publishes.is_some())
    }

    /// Whether nothing ever fails.
    fn succeed(&self) -> bool {
        let poison =
            |producer: &queuecast::model::Producer| producer.stamp.poison != Poison::default();
        self.all(|handling| handling.fails == Failures::default() && handling.limit.is_none())
            && !self.model.producers.iter().any(poison)
    }

    fn outage(&self, is: impl Fn(InFlight) -> bool) -> bool {
        let mut outages = self.model.outages.iter();
        outages
            .any(|outage| self.model.fleets[outage.fleet].queue == self.id && is(outage.in_flight))
    }
}

/// How many models a promise was tried on, where something was at stake.
#[derive(Debug, Default)]
pub(super) struct Tried {
    /// At most once: messages lost with the work on them.
    at_most_once: u64,
    /// At least once: messages that came back and were not lost.
    at_least_once: u64,
    /// Groups: messages of keys that came back and stayed in order.
    in_order: u64,
}

impl Tried {
    fn least(&self) -> u64 {
        self.at_most_once.min(self.at_least_once).min(self.in_order)
    }
}

/// Checks what each queue promises.
pub(super) fn check(tally: &Tally<'_>, record: &RunRecord, tried: &mut Tried) {
    let model = tally.model;
    for (id, queue) in model.queues.pairs() {
        let flows = &record.queue_ledgers[id].flows;
        let takers = Takers { model, id };
        nothing_without_cause(queue, &takers, flows);
        let crashed = tally.crashed.get(&id).copied().unwrap_or(0);
        at_most_once(queue, &takers, flows, crashed, tried);
        at_least_once(queue, &takers, flows, tried);
        in_order(queue, &takers, flows, tried);
    }
}

/// No mechanism strikes that a queue and its fleets do not have.
fn nothing_without_cause(queue: &Queue, takers: &Takers<'_>, f: &Flows) {
    let delivery = &queue.delivery;
    let visible = matches!(delivery.redelivery, Redelivery::Visibility(_));
    let same = |queue: &Queue| {
        let redrive = queue.delivery.redrive;
        redrive.is_some_and(|redrive| redrive.identity == RedriveIdentity::Same)
    };
    let natural = |handling: &Handling| {
        handling.idempotency != Idempotency::None
            && handling.idempotency_key == IdempotencyKey::Natural
    };
    let calls = delivery.calls;
    let limited = calls.send.or(calls.receive).or(calls.delete).is_some();
    for (count, may) in [
        (f.lapsed, visible),
        (
            f.acks_refused,
            visible && delivery.late_ack == LateAck::Refused,
        ),
        (
            f.acks_lost,
            !takers.all(|handling| handling.ack_loss == Ratio::ZERO),
        ),
        (f.failed, !takers.succeed()),
        (
            f.deduplicated,
            delivery.dedup_window.is_some() || takers.model.queues.iter().any(same),
        ),
        (
            f.ignored,
            !takers.all(|handling| handling.guard == Guard::None),
        ),
        (f.skipped, !takers.all(|handling| !natural(handling))),
        (
            f.throttled,
            limited || !takers.all(|handling| handling.limit.is_none()),
        ),
        (
            f.lost,
            breaks(queue) || !takers.all(|handling| handling.ack == Ack::After),
        ),
    ] {
        assert!(count == 0 || may, "{}: {f:?}", queue.name);
    }
}

/// Acknowledged before, and no acknowledgement lost: what crashes is lost, and nothing else is.
fn at_most_once(
    queue: &Queue,
    takers: &Takers<'_>,
    flows: &Flows,
    crashed: u64,
    tried: &mut Tried,
) {
    let promises = takers.all(|handling| {
        handling.ack == Ack::Before && handling.ack_loss == Ratio::ZERO && handling.batch.is_none()
    });
    let connected = queue.delivery.redelivery == Redelivery::OnDisconnect;
    if !promises || !connected || breaks(queue) || takers.publish() {
        return;
    }
    // What the broker misses at a restart only, it may not have missed yet.
    let later = |in_flight| in_flight == InFlight::Crash(Returns::AtRestart);
    let all = flows.lost == crashed || takers.outage(later) && flows.lost < crashed;
    assert!(all, "{}: {crashed} crashed: {flows:?}", queue.name);
    tried.at_most_once += flows.lost;
}

/// Acknowledged after, and nothing that lets go of messages: each is completed, or still there.
fn at_least_once(queue: &Queue, takers: &Takers<'_>, flows: &Flows, tried: &mut Tried) {
    let delivery = &queue.delivery;
    let keeps = queue.ttl.is_none()
        && queue.retention.is_none()
        && delivery.max_receives.is_none()
        && delivery.return_limit.is_none()
        && (queue.capacity == u64::MAX
            || queue.overflow == Overflow::Refuse && queue.returned == Returned::Keep)
        && !breaks(queue);
    let tries = takers.succeed() || takers.all(|handling| handling.retry.is_none());
    if !keeps || !tries || !takers.all(|handling| handling.ack == Ack::After) {
        return;
    }
    let gone = flows.lost + flows.dropped + flows.expired + flows.dead_lettered;
    assert_eq!(gone, 0, "{}: {flows:?}", queue.name);
    tried.at_least_once += flows.redelivered;
}

/// One of a key at a time, and no message that waits elsewhere meanwhile: each key in order.
fn in_order(queue: &Queue, takers: &Takers<'_>, flows: &Flows, tried: &mut Tried) {
    let stays = takers.all(|handling| {
        let delayed = handling
            .retry
            .is_some_and(|retry| retry.place == RetryPlace::Delayed);
        let claims = matches!(handling.idempotency, Idempotency::Claim { .. });
        let apart = handling
            .batch
            .is_some_and(|batch| batch.size > 1 || batch.failure == BatchFailure::Partial);
        !delayed && !claims && !apart
    });
    let id = takers.id;
    let moved = takers.model.queues.iter().any(|queue| {
        let into = queue
            .delivery
            .redrive
            .is_some_and(|redrive| redrive.to == id);
        into || queue
            .delivery
            .dead_letter
            .is_some_and(|dead| dead.queue == id)
    });
    // What is acknowledged when the work on it begins lets the next of its key go then.
    let late = takers.all(|handling| handling.ack == Ack::After);
    if queue.delivery.grouping == Grouping::ByKey && stays && late && !moved {
        assert_eq!(flows.out_of_order_by_key, 0, "{}: {flows:?}", queue.name);
        tried.in_order += flows.redelivered;
    }
}

/// What the leased swarm did: a swarm that never reaches a mechanism says nothing about it.
#[derive(Debug, Default)]
pub(super) struct Reach {
    mechanisms: BTreeMap<&'static str, u64>,
    pub(super) tried: Tried,
}

impl Reach {
    pub(super) fn add(&mut self, record: &RunRecord, tally: &Tally<'_>) {
        for ledger in &record.queue_ledgers {
            let f = &ledger.flows;
            for (name, count) in [
                ("dead_lettered", f.dead_lettered),
                ("redriven_in", f.redriven_in),
                ("deduplicated", f.deduplicated),
                ("failed", f.failed),
                ("failed_for_good", f.failed_for_good),
                ("duplicates", f.duplicates),
                ("lapsed", f.lapsed),
                ("acks_lost", f.acks_lost),
                ("acks_refused", f.acks_refused),
                ("confirms_lost", f.confirms_lost),
                ("throttled", f.throttled),
                ("out_of_order", f.out_of_order),
                ("out_of_order_by_key", f.out_of_order_by_key),
                ("ignored", f.ignored),
                ("duplicate_effects", f.duplicate_effects),
                ("skipped", f.skipped),
                ("undone", f.undone),
                ("lost", f.lost),
                ("dropped", f.dropped),
                ("expired", f.expired),
            ] {
                *self.mechanisms.entry(name).or_insert(0) += count;
            }
        }
        *self.mechanisms.entry("delayed").or_insert(0) += tally.delayed;
        *self.mechanisms.entry("overshot").or_insert(0) += tally.overshot;
        for fleet in &record.fleets {
            for (name, count) in [
                ("crashed", fleet.crashed),
                ("crashes", fleet.crashes),
                ("channels_closed", fleet.channels_closed),
                ("held", fleet.held),
            ] {
                *self.mechanisms.entry(name).or_insert(0) += count;
            }
        }
    }

    pub(super) fn least(&self) -> u64 {
        let least = self.mechanisms.values().copied().min().unwrap_or(0);
        least.min(self.tried.least())
    }
}
