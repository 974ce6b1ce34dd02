//! Handlers that call, by hand: constant times, so that every instant is known.
//!
//! Not what a dependency does with a call ([`super::rules`]).

use super::by_hand::*;
use super::*;
use queuecast::model::{Fleet, FleetId, Handling, Queue, RetryOn, RetryPlace, Reworking};
use queuecast::policy::rate_limit::RateLimit;
use queuecast::sim::Leaving;

/// A fleet of one consumer whose handlers work for a second and then call.
fn calling(handlers: u32, dependency: Dependency) -> Model {
    let queue = QueueId::at(0);
    let mut model = inline(together(2, 1.0), dependency, 20.0);
    model.producers[ProducerId::at(0)] = Producer::plain("producers.web", queue, together(2, 1.0));
    model.queues.push(Queue::plain("queues.q"));
    let mut fleet = Fleet::plain("consumers.c", queue, 1, constant(1.0));
    fleet.concurrency = handlers;
    fleet.handling.calls = Some(client());
    model.fleets.push(fleet);
    let caller = &mut model.callers[client()];
    caller.name = "consumers.c".into();
    caller.who = Who::Fleet(FleetId::at(0));
    caller.per = BudgetPer::Consumer;
    model
}

fn handling(model: &mut Model) -> &mut Handling {
    &mut model.fleets[FleetId::at(0)].handling
}

#[test]
fn a_handler_is_held_until_its_answer() {
    let model = calling(1, dependency(1, constant(2.0)));
    // Each message: 1 s of work, 2 s of waiting.
    assert_eq!(called(&model), [2.0, 5.0]);
    let record = run(&model, 0);
    let fleet = &record.fleets[FleetId::at(0)];
    assert_eq!((fleet.completed, fleet.service.max), (2, Some(3.0)));
    assert_eq!(fleet.wasted_work, Some(0.0), "waiting is part of the work");
    assert!((fleet.busy.mean - 6.0 / 20.0).abs() < 1e-12);
    assert_eq!(record.queues[QueueId::at(0)].sojourn.max, Some(6.0));
}

#[test]
fn a_failed_request_fails_the_attempt_on_the_message() {
    let mut station = dependency(1, constant(2.0));
    station.fails = Ratio::ONE;
    let mut model = calling(2, station);
    handling(&mut model).retry = Some(Reworking {
        policy: RetryPolicy {
            attempts: 2,
            backoff: Backoff::Fixed(span(1.0)),
            jitter: Jitter::None,
            budget: None,
        },
        place: RetryPlace::InPlace,
        on: RetryOn::Transient,
        budget_per: BudgetPer::Consumer,
    });
    // Two handlers, one server: fails at 4 and 6 s; both pause, work, and call again at 6 and 8 s.
    assert_eq!(called(&model), [2.0, 2.0, 6.0, 8.0]);
    let record = run(&model, 0);
    let flows = &record.queues[QueueId::at(0)].flows;
    assert_eq!((flows.failed, flows.dropped, flows.completed), (4, 2, 0));
    assert_eq!(flows.failed_for_good, 0);
}

#[test]
fn a_refusal_of_no_time_does_not_hold_the_clock() {
    let mut station = dependency(1, constant(1.0));
    station.limit = Some(RateLimit::TokenBucket {
        rate: Rate::per_second(1_000),
        burst: 1,
    });
    let mut model = calling(2, station);
    model.fleets[FleetId::at(0)].service = constant(0.0);
    model.plan.most_events = 10_000_000;
    let record = run(&model, 0);
    assert!(!record.ended.why.is_partial(), "{:?}", record.ended);
    assert_eq!(record.queues[QueueId::at(0)].flows.completed, 2);
    assert!(record.events > 1_000, "it asks every microsecond");
}

#[test]
fn a_consumer_that_crashes_leaves_its_calls() {
    let mut model = calling(2, dependency(2, constant(2.0)));
    handling(&mut model).crash = Some(queuecast::model::Crashes {
        mtbf: None,
        at: vec![at(3.0)],
        consumers: 1,
        restart: span(1.0),
    });
    assert_eq!(left(&model), [(3.0, Leaving::Crash); 2]);
    assert_eq!(ends(&model)[..2], [(3.0, RequestEnd::Crashed); 2]);
    // Both come back at once, are taken at 4 s, call at 5 s, and are done at 7 s.
    assert_eq!(called(&model), [2.0, 2.0, 5.0, 5.0]);
    assert_eq!(answered(&model), [4.0, 4.0, 7.0, 7.0]);
    let record = run(&model, 0);
    assert_eq!(record.dependencies[station()].flows.late, 2);
    assert_eq!(record.fleets[FleetId::at(0)].crashed, 2);
}

#[test]
fn a_frozen_handler_hears_its_answer_when_it_goes_on() {
    let mut model = calling(1, dependency(1, constant(1.0)));
    model.outages.push(queuecast::model::Outage {
        fleet: FleetId::at(0),
        windows: Windows::Fixed(vec![(at(2.5), span(4.0))]),
        share: Ratio::ONE,
        in_flight: InFlight::Freeze,
        restart: queuecast::model::Restart::InPhase,
    });
    // Called at 2 s, answered at 3 s, heard at 6.5 s; then the next message.
    assert_eq!(answered(&model), [3.0, 8.5]);
    assert_eq!(ends(&model)[0], (6.5, RequestEnd::Well));
    let record = run(&model, 0);
    let fleet = &record.fleets[FleetId::at(0)];
    // 1.5 s of the first before it froze, and 2 s of the second.
    assert!((fleet.busy.mean - 3.5 / 20.0).abs() < 1e-12);
    assert_eq!(fleet.service.mean, Some(1.75));
    // A timeout while it stands still is a timeout; it tries again when it goes on.
    model.callers[client()].timeout = Some(span(0.75));
    model.callers[client()].retry = at_once(1);
    assert_eq!(left(&model)[0], (2.75, Leaving::Timeout));
    assert_eq!(called(&model)[..2], [2.0, 6.5]);
}
