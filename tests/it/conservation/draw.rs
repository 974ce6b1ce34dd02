//! Whole models at random, with random features (a swarm: each model has some features and not
//! others, so that each meets each other one alone and in crowds).
//!
//! Not sensible models: whatever a `Model` can say, these say.

use queuecast::model::{
    Alert, Comparison, Counts, Delivery, Fleet, Flow, Handling, Id, InFlight, LengthCheck,
    MemoryLimit, Model, OnLimit, Origin, Outage, Overflow, Plan, Producer, ProducerId, Publishes,
    Queue, Recovery, Restart, Returned, Returns, Signal, Staffing, Stamp, Stop, Table, Warmup,
    Windows,
};
use queuecast::policy::admission::Admission;
use queuecast::policy::arrival::{
    Again, Arrivals, Batch, Bursts, Clients, Constant, Daily, OnOff, Pacing, Phase, Poisson,
    Renewal, Schedule, Step, Trace, WaitFor,
};
use queuecast::policy::order::Order;
use queuecast::policy::publish::{Blocking, PublishPolicy};
use queuecast::policy::retry::{Backoff, Exponential, Jitter, Linear, RetryPolicy};
use queuecast::random::Seed;
use queuecast::random::law::{self, CountLaw, Law, SizeLaw};
use queuecast::units::{Bytes, Rate, Ratio, SimDuration, SimTime};

use super::tape::Tape;

/// Runs end here at the latest.
pub(super) const HORIZON_MS: u32 = 4_000;

mod feature {
    pub(super) const MANY: u32 = 0;
    pub(super) const BOUND: u32 = 1;
    pub(super) const OVERFLOW: u32 = 2;
    pub(super) const ORDER: u32 = 3;
    pub(super) const AGE: u32 = 4;
    pub(super) const MEMORY: u32 = 5;
    pub(super) const ADMISSION: u32 = 6;
    pub(super) const POLICY: u32 = 7;
    pub(super) const ARRIVALS: u32 = 8;
    pub(super) const CHAIN: u32 = 9;
    pub(super) const STAFFING: u32 = 10;
    pub(super) const OUTAGE: u32 = 11;
    pub(super) const ALERT: u32 = 12;
    pub(super) const PLAN: u32 = 13;
    pub(super) const SIZES: u32 = 14;
    pub(super) const FAN_OUT: u32 = 15;
    pub(super) const BUDGET: u32 = 16;
}

/// The model that this tape tells.
pub(super) fn model(words: &[u32]) -> Model {
    let tape = &mut Tape::new(words);
    let queues = 1 + if tape.has(feature::MANY) {
        tape.below(3)
    } else {
        0
    };
    let plan = plan(tape);
    let mut producers: Table<ProducerId, _> = Table::new(
        (0..=few(tape))
            .map(|at| producer(tape, at, queues))
            .collect(),
    );
    let fleets: Vec<_> = (0..=few(tape))
        .map(|at| fleet(tape, at, queues, &mut producers))
        .collect();
    let mut outages = Vec::new();
    while outages.len() < 2 && tape.has(feature::OUTAGE) {
        outages.push(outage(tape, fleets.len()));
    }
    Model {
        title: "drawn".into(),
        plan,
        producers,
        queues: Table::new((0..queues).map(|at| queue(tape, at)).collect()),
        fleets: Table::new(fleets),
        dependencies: Table::default(),
        callers: Table::default(),
        outages,
        troubles: Vec::new(),
        alerts: if tape.has(feature::ALERT) {
            vec![alert(tape)]
        } else {
            Vec::new()
        },
    }
}

fn few(tape: &mut Tape<'_>) -> u32 {
    if tape.has(feature::MANY) {
        tape.below(3)
    } else {
        0
    }
}

fn plan(tape: &mut Tape<'_>) -> Plan {
    let plain = !tape.has(feature::PLAN);
    let end = SimTime::ZERO + SimDuration::from_millis(u64::from(HORIZON_MS));
    let stop = match tape.below(4) {
        0 => Stop::At(end),
        1 => Stop::Drained,
        2 => Stop::Settled,
        _ => Stop::At(tape.instant(HORIZON_MS)),
    };
    Plan {
        stop,
        horizon: if plain { end } else { tape.instant(HORIZON_MS) },
        most_events: u64::MAX,
        most_alive: if plain {
            1 << 20
        } else {
            tape.one_of(&[1 << 20, 5, 200])
        },
        seed: Seed(u64::from(tape.below(1 << 16))),
        replications: queuecast::model::Replications::Fixed(1),
        recovery: Recovery::default(),
        warmup: Warmup::For(if plain {
            SimDuration::ZERO
        } else {
            tape.span(2_000)
        }),
    }
}

fn queue(tape: &mut Tape<'_>, at: u32) -> Queue {
    let aged = |tape: &mut Tape<'_>| {
        tape.has(feature::AGE)
            .then(|| tape.span(500) + SimDuration::from_millis(1))
    };
    let bounded = tape.has(feature::BOUND);
    let admission = [
        Admission::Fifo,
        Admission::NewcomersFirst,
        Admission::Random,
        Admission::Lifo,
        Admission::WakeUp(tape.span(60)),
    ];
    let orders = [Order::Fifo, Order::Lifo, Order::Random, Order::Priority];
    let overflows = [
        Overflow::Refuse,
        Overflow::DropOldest,
        Overflow::DropNewest,
        Overflow::DropLowest,
    ];
    let restart = tape.span(500) + SimDuration::from_nanos(1);
    let on_limit = [OnLimit::Block, OnLimit::Refuse, OnLimit::Crash { restart }];
    Queue {
        name: format!("queues.q{at}"),
        capacity: if bounded {
            tape.one_of(&[0, 1, 2, 5, 40])
        } else {
            u64::MAX
        },
        counts: tape.one_of(&[Counts::Waiting, Counts::WaitingAndInFlight]),
        // With deliveries: only there several messages go with one call.
        length_check: LengthCheck::Message,
        overflow: if tape.has(feature::OVERFLOW) {
            tape.one_of(&overflows)
        } else {
            Overflow::Refuse
        },
        returned: tape.one_of(&[Returned::Keep, Returned::Drop]),
        order: if tape.has(feature::ORDER) {
            tape.one_of(&orders)
        } else {
            Order::Fifo
        },
        retention: aged(tape),
        ttl: aged(tape),
        memory: tape.has(feature::MEMORY).then(|| MemoryLimit {
            limit: Bytes(tape.one_of(&[1_024, 1, 10_000, 100_000])),
            on_limit: tape.one_of(&on_limit),
        }),
        admission: if tape.has(feature::ADMISSION) {
            tape.one_of(&admission)
        } else {
            Admission::Fifo
        },
        delivery: Delivery::default(),
    }
}

fn producer(tape: &mut Tape<'_>, at: u32, queues: u32) -> Producer {
    let arrivals = arrivals(tape);
    let closed = matches!(arrivals, Arrivals::Clients(_));
    let origin = Origin::Arrivals {
        start: tape.instant(300),
        arrivals,
        count: (tape.below(3) == 1).then(|| 1 + u64::from(tape.below(200))),
        until: (tape.below(3) == 1).then(|| tape.instant(2_000)),
    };
    let to = targets(tape, 0, queues, closed);
    publisher(tape, format!("producers.p{at}"), origin, to)
}

/// One queue or several, from the number `least` on.
fn targets(tape: &mut Tape<'_>, least: u32, queues: u32, only_one: bool) -> Vec<u32> {
    if !only_one && tape.has(feature::FAN_OUT) {
        return (least..queues).collect();
    }
    vec![least + tape.below(queues - least)]
}

fn publisher(tape: &mut Tape<'_>, name: String, origin: Origin, queues: Vec<u32>) -> Producer {
    let exponential = |mean| Law::from(law::Exponential::new(mean).expect("in range"));
    let sized = tape.has(feature::SIZES);
    Producer {
        name,
        origin,
        queues: queues.into_iter().map(|at| Id::at(at as usize)).collect(),
        calls: None,
        size: if sized {
            SizeLaw::new(exponential(2_000.0))
        } else {
            SizeLaw::constant(Bytes(1_024))
        },
        priority: if sized {
            CountLaw::new(exponential(2.0))
        } else {
            CountLaw::constant(0)
        },
        on_full: if tape.has(feature::POLICY) {
            policy(tape)
        } else {
            PublishPolicy::Reject
        },
        stamp: Stamp::default(),
    }
}

fn policy(tape: &mut Tape<'_>) -> PublishPolicy {
    if tape.below(2) == 0 {
        return PublishPolicy::Block(Blocking {
            timeout: (tape.below(2) == 1).then(|| tape.span(500)),
            connections: tape.one_of(&[u64::MAX, 0, 3, 50]),
        });
    }
    let exponential = Exponential {
        base: tape.span(100),
        cap: SimDuration::from_millis(500),
        factor: 2.0,
    };
    let linear = Linear {
        base: tape.span(100),
        step: tape.span(100),
        cap: SimDuration::from_millis(300),
        spread: tape.one_of(&[SimDuration::ZERO, SimDuration::from_millis(30)]),
    };
    let backoff = [
        Backoff::Immediate,
        Backoff::Fixed(tape.span(100)),
        Backoff::Linear(linear),
        Backoff::Exponential(exponential),
        Backoff::Sidekiq,
    ];
    let jitter = [
        Jitter::None,
        Jitter::Full,
        Jitter::Equal,
        Jitter::Decorrelated,
    ];
    let backoff = tape.one_of(&backoff);
    let spreads = match backoff {
        _ if backoff.is_spread() => 1,
        Backoff::Exponential(_) => 4,
        Backoff::Immediate
        | Backoff::Fixed(_)
        | Backoff::Linear(_)
        | Backoff::Sidekiq
        | Backoff::Celery => 3,
    };
    PublishPolicy::Retry(RetryPolicy {
        attempts: 1 + tape.below(6),
        jitter: tape.one_of(&jitter[..spreads]),
        backoff,
        budget: tape
            .has(feature::BUDGET)
            .then(|| super::leases::budget(tape)),
    })
}

fn rate(tape: &mut Tape<'_>) -> Rate {
    Rate::per_second(tape.one_of(&[50, 1, 10, 100, 300, 0]))
}

fn arrivals(tape: &mut Tape<'_>) -> Arrivals {
    if !tape.has(feature::ARRIVALS) {
        let offset = tape.span(20);
        return Arrivals::Constant(Constant {
            rate: rate(tape),
            offset,
        });
    }
    match tape.below(4) {
        0 => clients(tape),
        1 => Arrivals::Batch(Box::new(Batch {
            arrivals: open(tape),
            size: CountLaw::new(law::Exponential::new(4.0).expect("in range").into()),
        })),
        _ => open(tape),
    }
}

fn clients(tape: &mut Tape<'_>) -> Arrivals {
    Arrivals::Clients(Clients {
        clients: 1 + tape.below(30),
        // A client that thinks for no time and is refused at once publishes every nanosecond.
        think: tape.law(100, true),
        wait_for: tape.one_of(&[WaitFor::Accepted, WaitFor::Completed]),
    })
}

fn open(tape: &mut Tape<'_>) -> Arrivals {
    let every = tape.span(300) + SimDuration::from_millis(5);
    match tape.below(8) {
        0 => Arrivals::Poisson(Poisson { rate: rate(tape) }),
        1 => Arrivals::Renewal(Renewal {
            gaps: tape.law(50, true),
        }),
        2 => Arrivals::Bursts(Bursts {
            size: 1 + tape.below(60),
            at: tape.span(1_000),
            again: tape.one_of(&[Again::Never, Again::Times(3, every), Again::Always(every)]),
        }),
        3 => Arrivals::OnOff(OnOff {
            on: Rate::per_second(200),
            off: rate(tape),
            mean_on: every,
            mean_off: every,
            start: tape.one_of(&[Phase::Stationary, Phase::On, Phase::Off]),
        }),
        4 => {
            let step = |from, rate, ramp| Step {
                from: SimDuration::from_millis(from),
                rate,
                ramp: SimDuration::from_millis(ramp),
            };
            let steps = vec![
                step(0, rate(tape), 0),
                step(500, rate(tape), 500),
                step(1_500, rate(tape), 0),
            ];
            Arrivals::Schedule(Schedule::new(steps, pacing(tape)))
        }
        5 => Arrivals::Daily(Daily::profile(
            &[rate(tape); 24],
            SimDuration::ZERO,
            pacing(tape),
        )),
        6 => {
            let instants: Vec<_> = (0..40_u64)
                .map(|k| SimTime::from_nanos(k * k * 1_000_000))
                .collect();
            Arrivals::Trace(Trace::Instants(instants.into()))
        }
        _ => Arrivals::Trace(Trace::Counts {
            per: every,
            counts: vec![3, 0, 7, 1].into(),
        }),
    }
}

fn pacing(tape: &mut Tape<'_>) -> Pacing {
    tape.one_of(&[Pacing::Constant, Pacing::Poisson])
}

fn fleet(
    tape: &mut Tape<'_>,
    at: u32,
    queues: u32,
    producers: &mut Table<ProducerId, Producer>,
) -> Fleet {
    let name = format!("consumers.c{at}");
    let queue = tape.below(queues);
    let publishes = (queue + 1 < queues && tape.has(feature::CHAIN)).then(|| {
        let to = targets(tape, queue + 1, queues, false);
        let origin = Origin::Fleet(Id::at(at as usize));
        Publishes {
            producer: producers.push(publisher(tape, name.clone(), origin, to)),
            copies: 1 + tape.below(2),
        }
    });
    let mut staffing = Vec::new();
    let mut from = SimTime::ZERO;
    while staffing.len() < 3 && tape.has(feature::STAFFING) {
        from += tape.span(800);
        let count = tape.below(6);
        staffing.push(Staffing { from, count });
    }
    Fleet {
        name,
        queue: Id::at(queue as usize),
        count: tape.one_of(&[1, 0, 2, 7]),
        concurrency: 1 + tape.below(3),
        service: tape.law(60, false),
        staffing,
        publishes,
        scaling: None,
        cost_per_hour: None,
        handling: Handling::default(),
    }
}

fn outage(tape: &mut Tape<'_>, fleets: usize) -> Outage {
    let windows = if tape.below(2) == 0 {
        let mut windows = Vec::new();
        let mut start = SimTime::ZERO;
        for _ in 0..=tape.below(3) {
            start += tape.span(700);
            let span = tape.span(400);
            windows.push((start, span));
            start += span;
        }
        Windows::Fixed(windows)
    } else {
        Windows::Random {
            up: tape.law(400, true),
            down: tape.law(300, true),
        }
    };
    let treatments = [
        InFlight::Finish,
        InFlight::Freeze,
        InFlight::Crash(Returns::AtOnce),
        InFlight::Crash(Returns::AtRestart),
    ];
    Outage {
        fleet: Id::at(tape.below(fleets as u32) as usize),
        windows,
        share: Ratio::new(tape.one_of(&[1.0, 0.5, 0.1])).expect("in range"),
        in_flight: tape.one_of(&treatments),
        restart: tape.one_of(&[Restart::InPhase, Restart::Staggered]),
    }
}

fn alert(tape: &mut Tape<'_>) -> Alert {
    let queue = Id::at(0);
    let signals = [
        Signal::Depth(queue),
        Signal::Lag(queue),
        Signal::InFlight(queue),
        Signal::Memory(queue),
        Signal::BlockedAt(queue),
        Signal::Blocked(Id::at(0)),
        Signal::Busy(Id::at(0)),
        Signal::Count(Flow::Offered, queue),
    ];
    Alert {
        name: "drawn".into(),
        text: String::new(),
        signal: tape.one_of(&signals),
        comparison: tape.one_of(&[Comparison::Above, Comparison::AtMost, Comparison::NotEqual]),
        threshold: f64::from(tape.below(5)),
        hold: tape.span(100),
        every: tape.span(100) + SimDuration::from_millis(1),
    }
}
