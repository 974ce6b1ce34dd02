//! A run told by hand: facts in the order in which the engine tells them, for the tests of the
//! recorders and of what is written down.
//!
//! Not a simulation: nothing is scheduled, and no component holds a message.

use super::{Others, SeriesRecorder, Statistics, Timeline};
use crate::model::{
    Alert, Comparison, FleetId, Flow, Id, LateAck, Model, ProducerId, Queue, QueueId, Signal, Stop,
};
use crate::policy::arrival::{Arrivals, Constant};
use crate::random::DurationLaw;
use crate::sim::World;
use crate::sim::fact::{Among, Call, Death, Fact, Failure, Place, Success, Transfer};
use crate::sim::run::Usual;
use crate::units::{Rate, SimDuration, SimTime};

fn producer() -> ProducerId {
    ProducerId::at(0)
}

pub(in crate::sim) fn fleet() -> FleetId {
    FleetId::at(0)
}

pub(in crate::sim) fn orders() -> QueueId {
    QueueId::at(0)
}

/// The dead-letter queue.
pub(in crate::sim) fn dead() -> QueueId {
    QueueId::at(1)
}

pub(in crate::sim) fn waits() -> Fact {
    Fact::Enqueued { queue: orders() }
}

pub(in crate::sim) fn model() -> Model {
    let arrivals = Arrivals::Constant(Constant {
        rate: Rate::per_second(1),
        offset: SimDuration::ZERO,
    });
    let service = DurationLaw::constant(SimDuration::from_secs(1));
    let mut model = Model::plain(arrivals, 2, service, Stop::Drained);
    // Not the default: its messages are leased.
    model.queues[orders()].delivery.late_ack = LateAck::Refused;
    model.queues.push(Queue::plain("queues.dead"));
    model.alerts.push(Alert {
        name: "poison".to_owned(),
        text: "queues.dead.dead_letters > 0".to_owned(),
        signal: Signal::Count(Flow::DeadLetters, dead()),
        comparison: Comparison::Above,
        threshold: 0.0,
        hold: SimDuration::ZERO,
        every: SimDuration::from_secs(1),
    });
    model
}

pub(in crate::sim) type Told<'m> = World<'m, Usual<Statistics>>;

pub(in crate::sim) fn world(model: &Model) -> Told<'_> {
    let others = Others::new(model, Some(SeriesRecorder::new(model)));
    let usual = (Timeline::new(model), others);
    World::new(model, 0, (Statistics::new(model), usual))
}

pub(in crate::sim) fn tell<const N: usize>(world: &mut Told<'_>, millis: u64, facts: [Fact; N]) {
    world.calendar.close(at(millis));
    for fact in facts {
        world.tell(fact);
    }
}

pub(in crate::sim) fn at(millis: u64) -> SimTime {
    SimTime::ZERO + span(millis)
}

fn span(millis: u64) -> SimDuration {
    SimDuration::from_millis(millis)
}

pub(in crate::sim) fn accept(identity: u64) -> [Fact; 2] {
    let (producer, queue, latency) = (producer(), orders(), SimDuration::ZERO);
    let accepted = Fact::Accepted {
        producer,
        queue,
        identity,
        latency,
    };
    [Fact::Offered { producer, queue }, accepted]
}

pub(in crate::sim) fn leaves(queue: QueueId, waited: u64) -> Fact {
    let waited = span(waited);
    Fact::Dequeued { queue, waited }
}

pub(in crate::sim) fn received(wait: Option<u64>) -> Fact {
    let (queue, fleet, wait) = (orders(), fleet(), wait.map(span));
    Fact::Received { queue, fleet, wait }
}

pub(in crate::sim) fn oldest(millis: Option<u64>) -> Fact {
    let (queue, received) = (orders(), millis.map(at));
    Fact::OldestUnacked { queue, received }
}

pub(in crate::sim) fn began(handler: u32) -> Fact {
    Fact::Began {
        fleet: fleet(),
        handler,
    }
}

pub(in crate::sim) fn worked(handler: u32, service: u64) -> Fact {
    let (fleet, service) = (fleet(), span(service));
    Fact::Worked {
        fleet,
        handler,
        service,
        paused: SimDuration::ZERO,
    }
}

fn succeeded(success: Success, worked: u64) -> Fact {
    let (queue, fleet, worked) = (orders(), fleet(), span(worked));
    Fact::Succeeded {
        queue,
        fleet,
        success,
        worked,
    }
}

pub(in crate::sim) fn failed(failure: Failure) -> Fact {
    Fact::Failed {
        queue: orders(),
        fleet: fleet(),
        failure,
    }
}

/// From in flight to the dead-letter queue.
fn dies() -> [Fact; 4] {
    let how = Transfer::DeadLetter;
    [
        Fact::Returned { queue: orders() },
        Fact::DeadLettered {
            queue: orders(),
            because: Death::Failed,
        },
        Fact::Moved { queue: dead(), how },
        Fact::Enqueued { queue: dead() },
    ]
}

/// From the dead-letter queue back to where it came from.
fn comes_back(waited: u64) -> [Fact; 4] {
    let how = Transfer::Redrive;
    [
        leaves(dead(), waited),
        Fact::Redriven { queue: dead() },
        Fact::Moved {
            queue: orders(),
            how,
        },
        waits(),
    ]
}

/// Messages A, B, and C. A fails, is delayed, and dies with its consumer; B lapses and is done
/// twice; C is poison. Both dead letters come back.
pub(in crate::sim) fn story(world: &mut Told<'_>) {
    come(world);
    lapse(world);
    die(world);
    world.calendar.close(at(12_000));
    world.evaluate(0);
    return_from_the_dead(world);
    // What waits at the end must leave, or the check of Little's law asks for it.
    let gone = [leaves(orders(), 6_000), leaves(orders(), 5_000)];
    tell(world, 20_000, gone);
    tell(world, 20_000, [Fact::Ended { unfinished: 2 }]);
}

/// A, B, and C come, and three publishes that are tried again in vain.
fn come(world: &mut Told<'_>) {
    let (producer, queue) = (producer(), orders());
    for identity in 0..3 {
        tell(world, 0, accept(identity));
        tell(world, 0, [waits()]);
        let offered = Fact::Offered { producer, queue };
        tell(world, 0, [offered, Fact::Postponed { producer, queue }]);
    }
    tell(world, 0, [Fact::ConfirmLost { producer, queue }]);
}

/// A is delayed and due; B lapses while it is worked on, and is done twice.
fn lapse(world: &mut Told<'_>) {
    let (producer, queue, fleet) = (producer(), orders(), fleet());
    for handler in 0..2 {
        let first = [received(Some(1_000)), oldest(Some(1_000)), began(handler)];
        tell(world, 1_000, [leaves(queue, 1_000)]);
        tell(world, 1_000, first);
    }
    let failure = [worked(0, 1_000), failed(Failure::Transient)];
    tell(world, 2_000, failure);
    tell(world, 2_000, [Fact::Delayed { queue }]);
    let lapsed = Fact::Lapsed { queue };
    tell(world, 3_000, [lapsed, waits(), oldest(None)]);
    tell(world, 4_050, [Fact::Due { queue }, waits()]);
    for millis in [4_090, 4_100, 4_200] {
        let refused = Fact::Rejected { producer, queue };
        tell(world, millis, [Fact::Retried { producer, queue }, refused]);
    }
    let again = [received(None), oldest(Some(5_000)), began(0)];
    tell(world, 5_000, [leaves(queue, 2_000)]);
    tell(world, 5_000, again);
    tell(world, 5_000, [Fact::BecameCalm]);
    let done = Fact::Acknowledged {
        queue,
        fleet,
        from: Place::InFlight,
        sojourn: span(6_000),
    };
    let acted = |nth| Fact::Acted { queue, nth };
    tell(world, 6_000, [acted(1), worked(1, 5_000)]);
    let success = succeeded(Success::First, 5_000);
    tell(world, 6_000, [success, done, oldest(None)]);
    tell(world, 7_000, [acted(2), worked(0, 2_000)]);
    let success = succeeded(Success::Again, 2_000);
    tell(world, 7_000, [success, Fact::AckRefused { queue }]);
}

/// A dies with its consumer, and C of itself.
fn die(world: &mut Told<'_>) {
    let (queue, fleet, consumer, handler) = (orders(), fleet(), 0, 0);
    let again = [received(None), oldest(Some(8_000)), began(handler)];
    tell(world, 8_000, [leaves(queue, 3_950)]);
    tell(world, 8_000, again);
    tell(world, 9_000, [Fact::Frozen { fleet, handler }]);
    tell(world, 10_000, [Fact::Thawed { fleet, handler }]);
    let crash = Fact::ConsumerCrashed {
        fleet,
        consumer,
        held: 1,
    };
    let crashed = Fact::Crashed { fleet, handler };
    tell(world, 11_000, [crashed, crash, oldest(None)]);
    tell(world, 11_000, dies());
    tell(world, 11_500, [Fact::ConsumerBack { fleet, consumer }]);
    let first = [received(Some(11_500)), oldest(Some(11_500)), began(0)];
    let emptied = Fact::Emptied { queue };
    tell(world, 11_500, [leaves(queue, 11_500), emptied]);
    tell(world, 11_500, first);
    let poison = [worked(0, 250), failed(Failure::Permanent), oldest(None)];
    tell(world, 11_750, poison);
    tell(world, 11_750, dies());
}

/// Both dead letters come back, a channel is closed, and all the rest that can be told.
fn return_from_the_dead(world: &mut Told<'_>) {
    let (queue, fleet, consumer) = (orders(), fleet(), 0);
    let (waiting, moved) = (2, 2);
    let started = Fact::RedriveStarted {
        queue: dead(),
        waiting,
    };
    let ended = Fact::RedriveEnded {
        queue: dead(),
        moved,
    };
    tell(world, 13_000, [started]);
    tell(world, 13_000, comes_back(2_000));
    tell(world, 14_000, comes_back(2_250));
    tell(world, 14_000, [ended]);
    let closed = Fact::ChannelClosed {
        fleet,
        consumer,
        held: 1,
    };
    tell(world, 15_000, [leaves(queue, 2_000), received(None)]);
    let returned = Fact::Returned { queue };
    tell(world, 15_000, [closed, returned, waits()]);
    tell(world, 16_000, accept(0));
    let call = Call::Receive;
    let rest = [
        Fact::Deduplicated { queue },
        Fact::AckLost { queue },
        Fact::Throttled { queue, call },
        Fact::RetryRefused { queue },
        Fact::Reworked { queue },
        Fact::Ignored { queue },
        Fact::Skipped { queue },
        Fact::Undone { queue },
    ];
    tell(world, 16_000, rest);
    for among in [Among::All, Among::All, Among::Key] {
        tell(world, 16_000, [Fact::OutOfOrder { queue, among }]);
    }
}
