//! Two stable states of one load, and which defence lets go of the bad one; retry budgets through
//! the engine; the same arrivals and the same work with and without a defence (rules A3, E6, E7).
//!
//! Not the reference table ([`super::storm`]).

use std::collections::BTreeMap;

use super::*;
use queuecast::policy::arrival::{Constant, Pacing, Schedule, Step};
use queuecast::policy::breaker::Breaker;
use queuecast::policy::retry::budget::{AwsStandard, Budget, Finagle, Grpc};

/// 9.3/s for one server of 10/s, a line of 100, patience of 4 s; 30/s from 60 s to 65 s.
fn surge(retries: u32, budget: Option<Budget>) -> Model {
    let step = |from: f64, count: u64| Step {
        from: span(from),
        rate: Rate::new(count, span(10.0)),
        ramp: SimDuration::ZERO,
    };
    let steps = vec![step(0.0, 93), step(60.0, 300), step(65.0, 93)];
    let arrivals = Arrivals::Schedule(Schedule::new(steps, Pacing::Constant));
    let mut station = dependency(1, DurationLaw::constant(span(0.1)));
    station.capacity = 100;
    let mut model = inline(arrivals, station, 900.0);
    let caller = &mut model.callers[client()];
    caller.timeout = Some(span(4.0));
    caller.retry = at_once(retries);
    if let Some(policy) = &mut caller.retry {
        policy.budget = budget;
    }
    model
}

/// Good ends a second in the last five minutes.
fn goodput_at_the_end(model: &Model) -> f64 {
    let ends = pick(model, |fact| {
        if let CallFact::Ended {
            how: RequestEnd::Well,
            ..
        } = fact
        {
            Some(())
        } else {
            None
        }
    });
    ends.iter().filter(|(at, ())| *at >= 600.0).count() as f64 / 300.0
}

#[test]
fn one_load_has_two_stable_states() {
    // Without the surge all is well, for ever.
    let mut calm = surge(3, None);
    set_until(&mut calm, 59.0);
    assert_eq!(run(&calm, 0).dependencies[station()].flows.late, 0);
    // With it, nothing is answered in time ten minutes later: 37.2/s want what does 10/s.
    let stuck = surge(3, None);
    assert!(goodput_at_the_end(&stuck) < 0.1, "nobody is served in time");
    let record = run(&stuck, 0);
    assert_eq!(record.dependencies[station()].recovered_at, None);
    assert_eq!(record.callers[client()].recovered_at, None);
    assert!(record.dependencies[station()].wasted_work.expect("work") > 0.8);
}

#[test]
fn without_retries_it_recovers() {
    let model = surge(0, None);
    assert!((goodput_at_the_end(&model) - 9.3).abs() < 0.01);
    let record = run(&model, 0);
    let back = record.callers[client()].recovered_at.expect("it recovers");
    // The line is full, 100 calls, at 65 s; it shrinks by 0.7/s, and whoever finds 40 in it waits
    // for 4 s: after 60/0.7 = 86 s, which is in the window from 150 s on. A window counts 93, and
    // may hold 0.9 x 93 - 3 x sqrt(93) = 54.8.
    assert!(
        (130.0..=160.0).contains(&back.as_secs_f64()),
        "back at {back}"
    );
    let of_station = record.dependencies[station()].recovered_at;
    assert!(of_station.is_some_and(|at| at >= back), "{of_station:?}");
}

#[test]
fn with_a_retry_budget_it_recovers() {
    let small = Finagle {
        share: Ratio::new(0.05).expect("a ratio"),
        per_second: 0,
        ttl: span(10.0),
    };
    let budgets = [
        Budget::AwsStandard(AwsStandard::default()),
        Budget::Grpc(Grpc::default()),
        Budget::Finagle(small),
    ];
    for budget in budgets {
        let model = surge(3, Some(budget));
        let goodput = goodput_at_the_end(&model);
        assert!((goodput - 9.3).abs() < 0.05, "{budget}: {goodput}");
        let record = run(&model, 0);
        let back = record.callers[client()].recovered_at;
        assert!(back.is_some(), "{budget} recovers");
    }
    // 1.2 x 9.3/s is more than 10/s: Finagle's own budget does not let go.
    let model = surge(3, Some(Budget::Finagle(Finagle::default())));
    assert!(goodput_at_the_end(&model) < 0.1);
}

/// 100 requests a second for a minute, of which none is answered well.
fn failing(attempts: u32, budget: Budget) -> Model {
    let arrivals = Arrivals::Constant(Constant {
        rate: Rate::per_second(100),
        offset: SimDuration::ZERO,
    });
    let mut station = dependency(1_000, DurationLaw::constant(span(0.001)));
    station.fails = Ratio::ONE;
    let mut model = inline(arrivals, station, 60.0);
    let caller = &mut model.callers[client()];
    caller.retry = at_once(attempts - 1);
    if let Some(policy) = &mut caller.retry {
        policy.budget = Some(budget);
    }
    model
}

#[test]
fn budgets_cut_retries_off_where_their_sources_say() {
    let retries = |model: &Model| run(model, 0).callers[client()].flows.retries;
    // 500 tokens, 5 a retry: 100 retries, those of the first 50 requests; then one call each.
    let aws = Budget::AwsStandard(AwsStandard::default());
    let model = failing(3, aws);
    assert_eq!(retries(&model), 100);
    let calls = pick(&model, |fact| {
        if let CallFact::Called { .. } = fact {
            Some(())
        } else {
            None
        }
    });
    let between = |from: f64, to: f64| {
        let inside = |at: &f64| (from..to).contains(at);
        calls.iter().filter(|(at, ())| inside(at)).count()
    };
    assert_eq!((between(0.0, 0.495), between(1.0, 2.0)), (150, 100));
    // After a timeout a retry costs 10: 50 of them.
    let mut hung = failing(3, aws);
    hung.dependencies[station()].fails = Ratio::ZERO;
    hung.dependencies[station()].service = DurationLaw::constant(span(1.0));
    hung.callers[client()].timeout = Some(span(0.1));
    assert_eq!(retries(&hung), 50);
    // From 10 tokens four failures leave more than half, and the fifth does not.
    let grpc = Budget::Grpc(Grpc {
        tokens: 10,
        ..Grpc::default()
    });
    assert_eq!(retries(&failing(10, grpc)), 4);
    // At most 1.2 calls a request and 10/s; the reserve of ten seconds comes on top, once.
    let record = run(&failing(10, Budget::Finagle(Finagle::default())), 0);
    let flows = &record.callers[client()].flows;
    let most = flows.requests / 5 + 10 * 60 + 10 * 10;
    assert!(flows.retries <= most, "{flows:?}");
    assert!(
        flows.retries >= flows.requests / 5 + 10 * 60 - 100,
        "{flows:?}"
    );
}

/// What is done to a model, and what it is called.
type Defence = (&'static str, fn(&mut Model));

/// Arrivals with what each wants, and what each call takes of a server.
fn history(model: &Model) -> (Vec<(SimTime, u64)>, BTreeMap<u64, SimDuration>) {
    let (heard, _, _) = simulate(model, 3, Heard::default());
    let mut arrivals = Vec::new();
    let mut work = BTreeMap::new();
    for (now, fact) in heard.0 {
        if let CallFact::Requested { identity, .. } = fact {
            arrivals.push((now, identity));
        } else if let CallFact::Answered { call, service, .. } = fact {
            assert_eq!(work.insert(call, service), None, "each call is its own");
        }
    }
    (arrivals, work)
}

#[test]
fn the_same_seed_meets_the_same_load_with_and_without_a_defence() {
    let plain = || {
        let mut model = inline(poisson(60), dependency(10, exponential(0.1)), 120.0);
        model.callers[client()].timeout = Some(span(1.0));
        model.callers[client()].retry = at_once(3);
        model.troubles.push(down(30.0, 10.0));
        model
    };
    let (arrivals, work) = history(&plain());
    assert!(arrivals.len() > 6_000 && work.len() > 8_000);
    let defences: [Defence; 5] = [
        ("breaker", |m| {
            m.callers[client()].breaker = Some(Breaker {
                open: span(5.0),
                ..Breaker::default()
            });
        }),
        ("no retries", |m| m.callers[client()].retry = None),
        ("a bound", |m| m.dependencies[station()].capacity = 50),
        ("lifo", |m| {
            m.dependencies[station()].order = StationOrder::Lifo;
        }),
        ("more servers", |m| m.dependencies[station()].servers = 20),
    ];
    for (name, defend) in defences {
        let mut model = plain();
        defend(&mut model);
        let (theirs, done) = history(&model);
        assert!(arrivals == theirs, "{name}: the same arrivals");
        let common: Vec<_> = done.keys().filter(|call| work.contains_key(call)).collect();
        assert!(common.len() > 3_000, "{name}: {} in common", common.len());
        let same = |call: &&&u64| done[*call] == work[*call];
        assert_eq!(common.iter().filter(same).count(), common.len(), "{name}");
    }
}
