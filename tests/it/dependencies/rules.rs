//! The rules of calls by hand: constant times, so that every instant is known.
//!
//! Not statistics.

use super::by_hand::*;
use super::*;
use queuecast::model::{Hedge, Overload};
use queuecast::outcome::Why;
use queuecast::policy::arrival::{Clients, WaitFor};
use queuecast::policy::breaker::Breaker;
use queuecast::policy::concurrency::{Aimd, ConcurrencyLimit};
use queuecast::policy::rate_limit::RateLimit;
use queuecast::sim::{Leaving, NotCalled, Refusal, Reply};

#[test]
fn work_goes_on_after_its_caller_has_left() {
    // Four at once for two servers of 1 s, and nobody waits longer than 1.5 s: those of the second
    // round are left at 2.5 s, and worked on until 3 s.
    let mut model = inline(together(4, 1.0), dependency(2, constant(1.0)), 10.0);
    model.callers[client()].timeout = Some(span(1.5));
    let well = RequestEnd::Well;
    let late = RequestEnd::TimedOut;
    assert_eq!(
        ends(&model),
        [(2.0, well), (2.0, well), (2.5, late), (2.5, late)]
    );
    assert_eq!(answered(&model), [2.0, 2.0, 3.0, 3.0]);
    let record = run(&model, 0);
    let (station, caller) = (&record.dependencies[station()], &record.callers[client()]);
    let flows = &station.flows;
    assert_eq!((flows.answered, flows.late, flows.timed_out), (2, 2, 2));
    assert_eq!(station.wasted_work, Some(0.5));
    // Two waited for 1 s of the 10; two servers worked for 2 s.
    assert!((station.depth.mean - 0.2).abs() < 1e-12 && (station.busy.mean - 0.4).abs() < 1e-12);
    assert_eq!(station.utilization, Some(0.2));
    assert_eq!(caller.latency.max, Some(1.0));
    let publishes = &record.publishers[ProducerId::at(0)].flows;
    let ended = (publishes.offered, publishes.accepted, publishes.timed_out);
    assert_eq!(ended, (4, 2, 2));
}

#[test]
fn an_answer_at_the_very_timeout_is_in_time() {
    let mut model = inline(together(2, 1.0), dependency(1, constant(1.0)), 10.0);
    model.callers[client()].timeout = Some(span(2.0));
    let well = RequestEnd::Well;
    assert_eq!(ends(&model), [(2.0, well), (3.0, well)]);
}

#[test]
fn expired_calls_are_dropped_at_their_turn() {
    // One server of 1 s; three at once, patience 1.5 s. The second is begun at 2 s, with half a
    // second left; the third would be at 3 s, half a second after its caller left.
    let mut model = inline(together(3, 1.0), dependency(1, constant(1.0)), 10.0);
    model.callers[client()].timeout = Some(span(1.5));
    let expired = |margin: f64| Expired::Dropped {
        margin: span(margin),
    };
    let dropped = |model: &Model| {
        pick(model, |fact| {
            if let CallFact::Dropped { waited, .. } = fact {
                Some(waited.as_secs_f64())
            } else {
                None
            }
        })
    };
    model.dependencies[station()].expired = expired(0.0);
    assert_eq!(dropped(&model), [(3.0, 2.0)]);
    assert_eq!(answered(&model), [2.0, 3.0]);
    // With a margin of a service time the second is given up as well; its caller waits on.
    model.dependencies[station()].expired = expired(1.0);
    assert_eq!(dropped(&model), [(2.0, 1.0), (2.0, 1.0)]);
    assert_eq!(answered(&model), [2.0]);
    let late = RequestEnd::TimedOut;
    let expected = [(2.0, RequestEnd::Well), (2.5, late), (2.5, late)];
    assert_eq!(ends(&model), expected);
}

#[test]
fn a_line_has_an_order() {
    let mut model = inline(one_each_second(), dependency(1, constant(1.5)), 10.5);
    let first = |model: &Model| {
        pick(model, |fact| {
            if let CallFact::Started { waited, .. } = fact {
                Some(waited.map_or(0.0, SimDuration::as_secs_f64))
            } else {
                None
            }
        })
    };
    let started = |model: &Model| first(model).into_iter().take(5).collect::<Vec<_>>();
    // Arrivals at 0, 1, 2 …; servers free at 1.5, 3, 4.5, 6 s.
    assert_eq!(
        started(&model),
        [(0.0, 0.0), (1.5, 0.5), (3.0, 1.0), (4.5, 1.5), (6.0, 2.0)]
    );
    model.dependencies[station()].order = StationOrder::Lifo;
    // At 3 s the call of 2 s goes before nobody; that of 3 s comes after the server took it.
    assert_eq!(
        started(&model),
        [(0.0, 0.0), (1.5, 0.5), (3.0, 1.0), (4.5, 0.5), (6.0, 1.0)]
    );
    // Above a second the youngest goes first: at 4.5 s the oldest has waited 1.5 s.
    model.dependencies[station()].order = StationOrder::Adaptive { above: span(1.0) };
    assert_eq!(
        started(&model),
        [(0.0, 0.0), (1.5, 0.5), (3.0, 1.0), (4.5, 0.5), (6.0, 1.0)]
    );
    model.dependencies[station()].order = StationOrder::Adaptive { above: span(1.5) };
    assert_eq!(
        started(&model),
        [(0.0, 0.0), (1.5, 0.5), (3.0, 1.0), (4.5, 1.5), (6.0, 1.0)]
    );
}

#[test]
fn a_door_refuses_in_its_order() {
    let busy = |change: fn(&mut Dependency)| {
        let mut station = dependency(1, constant(1.0));
        change(&mut station);
        inline(together(4, 1.0), station, 10.0)
    };
    let full = busy(|it| it.capacity = 2);
    assert_eq!(refused(&full), [(1.0, Refusal::Full)]);
    // The first in line waits a service time, the second two.
    let shed = busy(|it| it.shed = Some(span(1.5)));
    assert_eq!(refused(&shed), [(1.0, Refusal::Shed); 2]);
    let limited = busy(|it| {
        it.limit = Some(RateLimit::TokenBucket {
            rate: Rate::per_second(1),
            burst: 3,
        });
        it.capacity = 1;
    });
    // The third has a token, and no place; the fourth has no token.
    let expected = [(1.0, Refusal::Full), (1.0, Refusal::Limited)];
    assert_eq!(refused(&limited), expected);
    let mut down = busy(|it| it.capacity = 0);
    down.troubles.push(Trouble {
        answers: Answers::FailFast,
        ..super::down(0.5, 2.0)
    });
    assert_eq!(refused(&down), [(1.0, Refusal::Down); 4]);
    let ended = ends(&down);
    assert_eq!(ended, [(1.0, RequestEnd::Refused(Refusal::Down)); 4]);
    // Without retries that is a rejection.
    let record = run(&down, 0);
    assert_eq!(record.publishers[ProducerId::at(0)].flows.rejected, 4);
}

#[test]
fn a_hung_dependency_keeps_calls_waiting() {
    // Down from 0.5 s to 4 s: calls of 1, 2, and 3 s are begun at 4, 5, 6 s.
    let mut model = inline(one_each_second(), dependency(1, constant(1.0)), 3.5);
    model.plan.stop = Stop::At(at(8.0));
    set_until(&mut model, 3.5);
    model.troubles.push(down(0.5, 3.5));
    // The call of 0 s stands still with half of its work done.
    assert_eq!(answered(&model), [4.5, 5.5, 6.5, 7.5]);
    model.troubles[0].in_flight = InFlight::Finish;
    assert_eq!(answered(&model), [1.0, 5.0, 6.0, 7.0]);
    model.troubles[0].in_flight = InFlight::Crash(queuecast::model::Returns::AtOnce);
    assert_eq!(answered(&model), [5.0, 6.0, 7.0]);
    assert_eq!(ends(&model)[0], (0.5, RequestEnd::Failed));
}

#[test]
fn part_of_it_stops_and_slowness_multiplies() {
    let mut model = inline(together(4, 1.0), dependency(4, constant(1.0)), 9.0);
    model.troubles.push(Trouble {
        share: Ratio::new(0.5).expect("a ratio"),
        ..down(0.5, 5.0)
    });
    assert_eq!(answered(&model), [2.0, 2.0, 3.0, 3.0]);
    model.troubles[0].share = Ratio::ZERO;
    model.troubles[0].slowdown = 3.0;
    assert_eq!(answered(&model), [4.0; 4]);
    // What begins afterwards is as fast as ever.
    model.troubles[0].windows = Windows::Fixed(vec![(at(0.1), span(0.5))]);
    assert_eq!(answered(&model), [2.0; 4]);
}

#[test]
fn overload_makes_each_call_slower() {
    // Calls in it when work begins: 1, 2, 3 with 1 unloaded; each above adds a half.
    let mut station = dependency(3, constant(1.0));
    station.overload = Some(Overload {
        above: 1,
        slowdown: Ratio::new(0.5).expect("a ratio"),
        failures: Ratio::ZERO,
        most: Some(1.75),
    });
    let model = inline(together(3, 1.0), station, 9.0);
    assert_eq!(answered(&model), [2.0, 2.5, 2.75]);
}

#[test]
fn a_failed_call_is_tried_again_after_its_wait() {
    // All fail after 0.25 s: attempts at 1, 1.75, 2.5 s.
    let mut station = dependency(1, constant(1.0));
    station.fails = Ratio::ONE;
    station.fails_take = Some(constant(0.25));
    let mut model = inline(together(1, 1.0), station, 9.0);
    model.callers[client()].retry = Some(RetryPolicy {
        attempts: 3,
        backoff: Backoff::Fixed(span(0.5)),
        jitter: Jitter::None,
        budget: None,
    });
    assert_eq!(called(&model), [1.0, 1.75, 2.5]);
    assert_eq!(ends(&model), [(2.75, RequestEnd::Failed)]);
    let record = run(&model, 0);
    let flows = &record.publishers[ProducerId::at(0)].flows;
    assert_eq!((flows.abandoned, flows.retries), (1, 2));
    // A deadline cuts the wait short, and no call is made at its end.
    model.callers[client()].deadline = Some(span(1.1));
    assert_eq!(called(&model), [1.0, 1.75]);
    assert_eq!(not_called(&model), [(2.1, NotCalled::Deadline)]);
    assert_eq!(ends(&model), [(2.1, RequestEnd::TimedOut)]);
    // Or a call.
    model.callers[client()].deadline = Some(span(0.9));
    assert_eq!(left(&model), [(1.9, Leaving::Deadline)]);
    assert_eq!(ends(&model), [(1.9, RequestEnd::TimedOut)]);
}

#[test]
fn a_hedge_is_made_beside_a_slow_call() {
    let mut model = inline(together(2, 1.0), dependency(2, constant(1.0)), 9.0);
    model.callers[client()].hedge = Some(Hedge {
        after: span(0.3),
        at_most: 1,
    });
    model.troubles.push(Trouble {
        share: Ratio::new(0.5).expect("a ratio"),
        ..down(1.1, 6.0)
    });
    // Calls on both servers at 1 s; the second's stands still from 1.1 s on. Both hedge at 1.3 s.
    // The first is answered at 2 s, and leaves its hedge, which the server works on until 3 s;
    // then the hedge of the second, until 4 s, which ends it.
    assert_eq!(called(&model), [1.0, 1.0, 1.3, 1.3]);
    let well = RequestEnd::Well;
    assert_eq!(ends(&model), [(2.0, well), (4.0, well)]);
    assert_eq!(
        left(&model),
        [(2.0, Leaving::Hedged), (4.0, Leaving::Hedged)]
    );
    assert_eq!(answered(&model), [2.0, 3.0, 4.0, 8.0]);
}

#[test]
fn a_limit_of_calls_out_makes_requests_wait_or_fail() {
    let mut model = inline(together(4, 1.0), dependency(4, constant(1.0)), 9.0);
    let fixed = |wait: f64| ConcurrencyLimit::Fixed {
        limit: 2,
        wait: span(wait),
    };
    model.callers[client()].concurrency = Some(fixed(0.0));
    assert_eq!(not_called(&model), [(1.0, NotCalled::Limit); 2]);
    model.callers[client()].concurrency = Some(fixed(0.5));
    assert_eq!(not_called(&model), [(1.5, NotCalled::Limit); 2]);
    model.callers[client()].concurrency = Some(fixed(1.5));
    assert_eq!(called(&model), [1.0, 1.0, 2.0, 2.0]);
    assert_eq!(ends(&model)[3], (3.0, RequestEnd::Well));
    // A moving limit of 2, halved by a failure, not below 1.
    model.dependencies[station()].fails = Ratio::ONE;
    model.callers[client()].concurrency = Some(ConcurrencyLimit::Aimd(Aimd {
        initial: 2,
        min: 1,
        max: 10,
        backoff: Ratio::new(0.5).expect("a ratio"),
    }));
    let moved = pick(&model, |fact| {
        if let CallFact::LimitMoved { from, to, .. } = fact {
            Some((*from, *to))
        } else {
            None
        }
    });
    assert_eq!(moved, [(2.0, (2, 1))]);
}

#[test]
fn a_breaker_opens_and_lets_a_trial_through() {
    // All fail at once: after two failures it is open for 3 s, then tries one a time.
    let mut station = dependency(1, constant(0.1));
    station.fails = Ratio::ONE;
    let mut model = inline(one_each_second(), station, 7.5);
    model.callers[client()].breaker = Some(Breaker {
        window: 2,
        minimum: 2,
        open: span(3.0),
        trials: 1,
        ..Breaker::default()
    });
    // Calls of 0 and 1 s fail at 1.1 s: open until 4.1 s. Not called at 2, 3, 4 s; a trial at 5 s
    // fails at 5.1 s: open until 8.1 s.
    assert_eq!(called(&model), [0.0, 1.0, 5.0]);
    let open = NotCalled::Open;
    let times = [2.0, 3.0, 4.0, 6.0, 7.0];
    assert_eq!(not_called(&model), times.map(|at| (at, open)));
    let record = run(&model, 0);
    let caller = &record.callers[client()];
    assert_eq!(caller.flows.opened, 2);
    // Open from 1.1 s to 5 s, where somebody asks, and from 5.1 s on; half open in between.
    let near = |share: Option<f64>, known: f64| (share.expect("a share") - known / 7.5).abs();
    assert!(near(caller.breaker_open, 3.9 + 2.4) < 1e-9);
    assert!(near(caller.breaker_half_open, 0.1) < 1e-9);
}

#[test]
fn failures_name_their_kind() {
    let mut model = inline(together(1, 1.0), dependency(1, constant(1.0)), 9.0);
    let replies = |model: &Model| {
        pick(model, |fact| {
            if let CallFact::Answered { answer, .. } = fact {
                Some(*answer)
            } else {
                None
            }
        })
    };
    assert_eq!(replies(&model), [(2.0, Reply::Good)]);
    model.dependencies[station()].fails = Ratio::ONE;
    assert_eq!(replies(&model), [(2.0, Reply::Failed)]);
}

#[test]
fn clients_of_a_closed_loop_think_after_the_end() {
    // Two clients think for 1 s each time, one server takes 1 s: from 1 s on it is never idle, and
    // each comes back a second after its answer, when the other's begins.
    let arrivals = Arrivals::Clients(Clients {
        clients: 2,
        think: constant(1.0),
        wait_for: WaitFor::Accepted,
    });
    let model = inline(arrivals, dependency(1, constant(1.0)), 6.5);
    assert_eq!(called(&model), [1.0, 1.0, 3.0, 4.0, 5.0, 6.0]);
    assert_eq!(answered(&model), [2.0, 3.0, 4.0, 5.0, 6.0]);
}

#[test]
fn a_run_ends_when_requests_and_lines_have() {
    // The first call works from 0 s to 0.2 s, the one of 1 s hangs from 0.5 s to 4.5 s behind
    // nobody, and is left at 3 s.
    let mut model = inline(one_each_second(), dependency(1, constant(0.2)), 1.5);
    set_until(&mut model, 1.5);
    model.callers[client()].timeout = Some(span(2.0));
    model.troubles.push(down(0.5, 4.0));
    let end = |model: &Model| run(model, 0).ended;
    model.plan.stop = Stop::Settled;
    let settled = end(&model);
    assert_eq!((settled.why, settled.at), (Why::Settled, at(3.0)));
    model.plan.stop = Stop::Drained;
    let drained = end(&model);
    assert_eq!((drained.why, drained.at), (Why::Drained, at(4.5)));
}

#[test]
fn a_storm_without_bound_is_bounded() {
    // One call a second is done of the 12 or more that come: the line grows for ever.
    let mut model = inline(poisson(3), dependency(1, constant(1.0)), 1e6);
    model.callers[client()].timeout = Some(span(2.0));
    model.callers[client()].retry = at_once(3);
    model.plan.most_alive = 1_000;
    let record = run(&model, 0);
    assert_eq!(record.ended.why, Why::MessageLimit);
    let ledger = &record.dependency_ledgers[station()];
    let alive = ledger.waiting + ledger.serving + record.caller_ledgers[client()].open;
    assert_eq!(alive, 1_001, "one more than may be");
}

/// A run that ends while an answer is due says so, though no message is left.
#[test]
fn requests_that_are_open_at_the_end_are_told() {
    let slow = dependency(1, DurationLaw::constant(span(10.0)));
    let model = inline(poisson(1), slow, 5.0);
    let told = queuecast::report::timeline(&model, &run(&model, 0));
    let last = told.lines().last().expect("its end");
    let open = run(&model, 0).caller_ledgers[client()].open;
    assert!(open > 1, "some come in five seconds: {open}");
    assert!(
        last.ends_with(&format!("its time is over, {open} requests unfinished")),
        "{last}"
    );
}
