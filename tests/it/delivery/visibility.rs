//! Visibility timeouts against work that is longer (rule D4), with numbers worked out by hand.

use super::{burst, run, secs};
use queuecast::model::{
    Counted, DeadLetter, Id, LateAck, Model, Queue, QueueId, Redelivery, Stop, Visibility,
};
use queuecast::units::SimDuration;

fn queue() -> QueueId {
    QueueId::at(0)
}

pub(super) fn visible_after(timeout: SimDuration) -> Redelivery {
    Redelivery::Visibility(Visibility {
        timeout,
        heartbeat: None,
        at_most: Visibility::AT_MOST,
        sweep: None,
    })
}

/// Work of 900 s on a visibility of 30 s, with consumers enough.
fn long_work() -> Model {
    let mut model = burst(1, 40, secs(900));
    model.queues[queue()].delivery.redelivery = visible_after(secs(30));
    model
}

#[test]
fn work_of_900_s_on_a_visibility_of_30_s_is_delivered_30_times() {
    let record = run(&long_work());
    let seen = &record.queues[queue()];
    assert_eq!(seen.flows.delivered, 30, "at 0, 30, … 870");
    assert_eq!(
        seen.flows.lapsed, 29,
        "the 30th would lapse when the first is done"
    );
    assert_eq!(seen.flows.completed, 1);
    assert_eq!(seen.flows.duplicates, 29, "all 30 work to the end");
    assert_eq!(seen.flows.effects, 30);
    assert_eq!(seen.sojourn.max, Some(900.0));
    assert_eq!(
        record.ended.at.as_nanos(),
        1_770_000_000_000,
        "when the last copy is done"
    );
    assert_eq!(record.fleets[Id::at(0)].busy.max as u64, 30);
}

#[test]
fn five_receives_make_a_dead_letter_at_150_s_of_work_that_succeeds() {
    let mut model = long_work();
    model.queues.push(Queue::plain("queues.dlq"));
    let dead = QueueId::at(1);
    model.queues[queue()].delivery.max_receives = Some(5);
    model.queues[queue()].delivery.dead_letter = Some(DeadLetter {
        queue: dead,
        expired: Counted::No,
        dropped: Counted::No,
    });
    model.plan.stop = Stop::At(queuecast::units::SimTime::from_nanos(150_000_000_000 - 1));
    assert_eq!(
        run(&model).queues[dead].flows.dead_letters,
        0,
        "a nanosecond before"
    );
    model.plan.stop = Stop::At(queuecast::units::SimTime::from_nanos(150_000_000_001));
    assert_eq!(run(&model).queues[dead].flows.dead_letters, 1, "at 150 s");
    model.plan.stop = Stop::Settled;
    let record = run(&model);
    let flows = &record.queues[queue()].flows;
    assert_eq!(
        (flows.delivered, flows.dead_lettered, flows.completed),
        (5, 1, 0)
    );
    assert_eq!(
        (flows.effects, flows.duplicates),
        (5, 4),
        "and yet the work was done"
    );
    assert_eq!(record.queues[dead].depth.end as u64, 1);
}

#[test]
fn a_late_acknowledgement_that_is_refused_deletes_nothing() {
    let mut model = long_work();
    model.queues[queue()].delivery.late_ack = LateAck::Refused;
    model.plan.stop = Stop::At(queuecast::units::SimTime::from_nanos(3_599_000_000_000));
    let flows = run(&model).queues[queue()].flows;
    assert_eq!(
        (flows.delivered, flows.completed),
        (120, 0),
        "one every 30 s, for ever"
    );
    assert_eq!(
        flows.acks_refused, 90,
        "each comes 900 s after its delivery"
    );
}

#[test]
fn a_heartbeat_keeps_the_message() {
    let mut model = long_work();
    model.queues[queue()].delivery.redelivery = Redelivery::Visibility(Visibility {
        timeout: secs(30),
        heartbeat: Some(secs(20)),
        at_most: Visibility::AT_MOST,
        sweep: None,
    });
    let flows = run(&model).queues[queue()].flows;
    assert_eq!((flows.delivered, flows.completed, flows.lapsed), (1, 1, 0));
}

#[test]
fn a_completion_at_the_very_deadline_wins() {
    let mut model = burst(1, 2, secs(30));
    model.queues[queue()].delivery.redelivery = visible_after(secs(30));
    assert_eq!(run(&model).queues[queue()].flows.delivered, 1);
}
