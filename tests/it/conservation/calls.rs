//! Dependencies at random, laid over a drawn model: stations, callers with all their defences,
//! troubles. What must hold of all of them.
//!
//! Not the rest of a model: that is in [`super::draw`] and [`super::leases`].

use queuecast::model::{
    Answers, BudgetPer, Caller, Dependency, DependencyId, Expired, FleetId, Hedge, Id, InFlight,
    Model, Overload, ProducerId, Returns, StationOrder, Stop, Trouble, Who, Windows,
};
use queuecast::outcome::{RunRecord, Why};
use queuecast::policy::breaker::Breaker;
use queuecast::policy::concurrency::{Aimd, ConcurrencyLimit};
use queuecast::policy::rate_limit::RateLimit;
use queuecast::policy::retry::{Backoff, Jitter, RetryPolicy};
use queuecast::units::{Rate, Ratio, SimDuration, SimTime};

use super::tape::Tape;

mod feature {
    pub(super) const BOUND: u32 = 0;
    pub(super) const ORDER: u32 = 1;
    pub(super) const EXPIRED: u32 = 2;
    pub(super) const FAILS: u32 = 3;
    pub(super) const OVERLOAD: u32 = 4;
    pub(super) const LIMIT: u32 = 5;
    pub(super) const SHED: u32 = 6;
    pub(super) const TIMEOUT: u32 = 7;
    pub(super) const DEADLINE: u32 = 8;
    pub(super) const RETRY: u32 = 9;
    pub(super) const BUDGET: u32 = 10;
    pub(super) const BREAKER: u32 = 11;
    pub(super) const CONCURRENCY: u32 = 12;
    pub(super) const HEDGE: u32 = 13;
    pub(super) const INLINE: u32 = 14;
    pub(super) const TROUBLE: u32 = 15;
    pub(super) const MANY: u32 = 16;
}

/// Lays calls over a model: of each fleet, or of some, and of some producers.
pub(super) fn lay_over(model: &mut Model, words: &[u32]) {
    let tape = &mut Tape::new(words);
    model.plan.most_events = super::MOST_EVENTS;
    let count = if tape.has(feature::MANY) { 2 } else { 1 };
    for at in 0..count {
        model.dependencies.push(dependency(tape, at));
    }
    for id in model.fleets.ids().collect::<Vec<FleetId>>() {
        if tape.below(4) > 0 {
            let name = model.fleets[id].name.clone();
            let caller = model
                .callers
                .push(caller(tape, name, Who::Fleet(id), count));
            model.fleets[id].handling.calls = Some(caller);
            // What fails in no time is given back at once, for ever.
            model.fleets[id].service = tape.law(60, true);
        }
    }
    for id in model.producers.ids().collect::<Vec<ProducerId>>() {
        let is_fleet = model.fleets.iter().any(|fleet| {
            let onwards = fleet.publishes;
            onwards.is_some_and(|it| it.producer == id)
        });
        if !is_fleet && tape.has(feature::INLINE) {
            let name = model.producers[id].name.clone();
            let caller = model
                .callers
                .push(caller(tape, name, Who::Producer(id), count));
            model.producers[id].calls = Some(caller);
            model.producers[id].queues.clear();
        }
    }
    while model.troubles.len() < 3 && tape.has(feature::TROUBLE) {
        model.troubles.push(trouble(tape, count));
    }
}

fn ratio(tape: &mut Tape<'_>, all: &[f64]) -> Ratio {
    Ratio::new(tape.one_of(all)).expect("in range")
}

fn some_time(tape: &mut Tape<'_>, most_ms: u32) -> SimDuration {
    tape.span(most_ms) + SimDuration::from_millis(10)
}

fn dependency(tape: &mut Tape<'_>, at: u32) -> Dependency {
    let orders = [
        StationOrder::Fifo,
        StationOrder::Lifo,
        StationOrder::Adaptive {
            above: tape.span(100),
        },
    ];
    let limits = [
        RateLimit::TokenBucket {
            rate: Rate::per_second(50),
            burst: 1 + tape.below(20),
        },
        RateLimit::Window {
            calls: 1 + tape.below(20),
            per: some_time(tape, 1_000),
        },
    ];
    let overload = Overload {
        above: u64::from(tape.below(5)),
        slowdown: ratio(tape, &[0.0, 0.1, 0.5]),
        failures: ratio(tape, &[0.0, 0.05, 1.0]),
        most: tape.one_of(&[None, Some(3.0), Some(10.0)]),
    };
    Dependency {
        name: format!("dependencies.d{at}"),
        servers: tape.one_of(&[1, 2, 10, 70]),
        service: tape.law(100, false),
        capacity: if tape.has(feature::BOUND) {
            tape.one_of(&[0, 1, 5, 50])
        } else {
            u64::MAX
        },
        order: if tape.has(feature::ORDER) {
            tape.one_of(&orders)
        } else {
            StationOrder::Fifo
        },
        expired: if tape.has(feature::EXPIRED) {
            Expired::Dropped {
                margin: tape.span(100),
            }
        } else {
            Expired::Served
        },
        fails: if tape.has(feature::FAILS) {
            ratio(tape, &[0.1, 0.5, 1.0])
        } else {
            Ratio::ZERO
        },
        fails_take: tape.has(feature::FAILS).then(|| tape.law(50, false)),
        overload: tape.has(feature::OVERLOAD).then_some(overload),
        limit: tape.has(feature::LIMIT).then(|| tape.one_of(&limits)),
        shed: tape.has(feature::SHED).then(|| tape.span(200)),
    }
}

fn caller(tape: &mut Tape<'_>, name: String, who: Who, count: u32) -> Caller {
    let backoff = [Backoff::Immediate, Backoff::Fixed(tape.span(200))];
    let retry = RetryPolicy {
        attempts: 1 + tape.below(5),
        backoff: tape.one_of(&backoff),
        jitter: tape.one_of(&[Jitter::None, Jitter::Full, Jitter::Equal]),
        budget: tape
            .has(feature::BUDGET)
            .then(|| super::leases::budget(tape)),
    };
    let breaker = Breaker {
        window: 1 + tape.below(20),
        minimum: 1 + tape.below(10),
        failures: ratio(tape, &[0.5, 0.1, 1.0]),
        slow_above: some_time(tape, 300),
        open: some_time(tape, 500),
        trials: 1 + tape.below(4),
        ..Breaker::default()
    };
    let limits = [
        ConcurrencyLimit::Fixed {
            limit: 1 + tape.below(5),
            wait: tape.span(200),
        },
        ConcurrencyLimit::Aimd(Aimd {
            initial: 1 + tape.below(10),
            min: 1,
            max: 20,
            backoff: ratio(tape, &[0.9, 0.5]),
        }),
    ];
    Caller {
        name,
        who,
        dependency: DependencyId::at(tape.below(count) as usize),
        timeout: tape.has(feature::TIMEOUT).then(|| some_time(tape, 300)),
        deadline: tape.has(feature::DEADLINE).then(|| some_time(tape, 500)),
        retry: tape.has(feature::RETRY).then_some(retry),
        breaker: tape.has(feature::BREAKER).then_some(breaker),
        concurrency: tape.has(feature::CONCURRENCY).then(|| tape.one_of(&limits)),
        hedge: tape.has(feature::HEDGE).then(|| Hedge {
            after: tape.span(100),
            at_most: 1 + tape.below(3),
        }),
        per: tape.one_of(&[BudgetPer::Consumer, BudgetPer::Fleet]),
    }
}

fn trouble(tape: &mut Tape<'_>, count: u32) -> Trouble {
    let first = tape.instant(2_000);
    let long = some_time(tape, 800);
    let windows = [
        Windows::Fixed(vec![(first, long)]),
        Windows::Fixed(vec![(first, long), (first + long + long, long)]),
        Windows::Random {
            up: tape.law(600, true),
            down: tape.law(300, true),
        },
    ];
    let work = [
        InFlight::Finish,
        InFlight::Freeze,
        InFlight::Crash(Returns::AtOnce),
    ];
    Trouble {
        dependency: DependencyId::at(tape.below(count) as usize),
        windows: tape.one_of(&windows),
        share: ratio(tape, &[1.0, 0.5, 0.0]),
        in_flight: tape.one_of(&work),
        answers: tape.one_of(&[Answers::Hang, Answers::FailFast]),
        slowdown: tape.one_of(&[1.0, 3.0, 1.5]),
    }
}

/// Rule B1, from the outside, of calls and requests; and that the run ended for its reason.
pub(super) fn check(model: &Model, record: &RunRecord) {
    let mut inside = 0;
    for ((id, ledger), config) in record.dependency_ledgers.pairs().zip(&model.dependencies) {
        let f = &ledger.flows;
        let answered = f.answered + f.failed + f.late;
        let ended = answered + f.refused + f.dropped + f.crashed;
        assert_eq!(
            f.calls,
            ended + ledger.waiting + ledger.serving,
            "{ledger:?}"
        );
        assert!(f.throttled + f.shed <= f.refused, "{ledger:?}");
        assert!(ledger.serving <= u64::from(config.servers), "{ledger:?}");
        let dependency = &record.dependencies[id];
        let most = config.capacity.min(1 << 50) as f64;
        assert!(dependency.depth.max <= most, "{dependency:?}");
        let share = |share: Option<f64>| (0.0..=1.0 + 1e-12).contains(&share.unwrap_or(0.0));
        assert!(share(dependency.utilization) && share(dependency.wasted_work));
        inside += ledger.waiting;
    }
    let of = |id: usize| {
        model
            .callers
            .iter()
            .filter(move |it| it.dependency.index() == id)
    };
    let callers = || record.caller_ledgers.iter().zip(&model.callers);
    for (id, ledger) in record.dependency_ledgers.iter().enumerate() {
        let mine = callers().filter(|(_, it)| it.dependency.index() == id);
        let (mut made, mut requests) = (0, 0);
        for (it, _) in mine {
            made += it.flows.made;
            requests += it.flows.requests;
        }
        assert_eq!(
            (made, requests),
            (ledger.flows.calls, ledger.flows.requests)
        );
        assert!(of(id).count() > 0 || ledger.flows.calls == 0);
    }
    let mut open = 0;
    for (ledger, config) in callers() {
        let f = &ledger.flows;
        let ended = f.succeeded + f.timed_out + f.failed + f.crashed;
        assert_eq!(f.requests, ended + ledger.open, "{ledger:?}");
        let attempts = u64::from(config.retry.map_or(1, |retry| retry.attempts));
        let hedges = u64::from(config.hedge.map_or(0, |hedge| hedge.at_most));
        assert!(f.made <= f.requests * attempts * (1 + hedges), "{ledger:?}");
        assert!(f.hedges == 0 || config.hedge.is_some(), "{ledger:?}");
        open += ledger.open;
    }
    match record.ended.why {
        Why::Settled => assert_eq!((model.plan.stop, open), (Stop::Settled, 0)),
        Why::Drained => assert_eq!((model.plan.stop, inside), (Stop::Drained, 0)),
        Why::Duration | Why::Horizon | Why::MessageLimit => {}
        Why::EventLimit => panic!("no such limit is met"),
    }
    assert!(record.ended.at <= model.plan.horizon.max(SimTime::ZERO));
}

/// What a swarm did of calls.
#[derive(Debug, Default)]
pub(super) struct Reach {
    /// Answered, failed, late, refused, throttled, shed, dropped, crashed, timed out.
    stations: [u64; 9],
    /// Succeeded, timed out, failed, crashed, retries, hedges, not called, opened.
    callers: [u64; 8],
}

impl Reach {
    pub(super) fn add(&mut self, record: &RunRecord) {
        for ledger in &record.dependency_ledgers {
            let f = &ledger.flows;
            let seen = [
                f.answered,
                f.failed,
                f.late,
                f.refused,
                f.throttled,
                f.shed,
                f.dropped,
                f.crashed,
                f.timed_out,
            ];
            let all = self.stations.iter_mut().zip(seen);
            all.for_each(|(sum, more)| *sum += more);
        }
        for ledger in &record.caller_ledgers {
            let f = &ledger.flows;
            let seen = [
                f.succeeded,
                f.timed_out,
                f.failed,
                f.crashed,
                f.retries,
                f.hedges,
                f.not_called,
                f.opened,
            ];
            let all = self.callers.iter_mut().zip(seen);
            all.for_each(|(sum, more)| *sum += more);
        }
    }

    pub(super) fn least(&self) -> u64 {
        let all = self.stations.iter().chain(&self.callers);
        all.copied().min().unwrap_or(0)
    }
}
