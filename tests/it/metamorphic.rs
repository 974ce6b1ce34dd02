//! What must change, and how, when a model is changed in a way whose effect is known exactly.
//!
//! Not what must hold of one model by itself.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "a test looks for the facts that it is about"
)]

use queuecast::model::{
    Fleet, Id, InFlight, Model, Origin, Outage, Producer, Queue, Restart, Returns, Stop, Windows,
};
use queuecast::policy::admission::Admission;
use queuecast::policy::arrival::{Again, Arrivals, Bursts, Constant, Poisson, Renewal};
use queuecast::policy::order::Order;
use queuecast::policy::publish::{Blocking, PublishPolicy};
use queuecast::random::Seed;
use queuecast::random::law::{DurationLaw, Exponential, Lognormal};
use queuecast::sim::{Detail, Fact, measure};
use queuecast::stats::Histogram;
use queuecast::units::{Rate, Ratio, SimDuration, SimTime};

use crate::world::Story;

/// A model of constants, with every kind of timer, whose unit of time is so many nanoseconds.
fn constants(unit: u64, admission: Admission) -> Model {
    let span = |units: u64| SimDuration::from_nanos(units * unit);
    let at = |units: u64| SimTime::ZERO + span(units);
    let arrivals = Arrivals::Constant(Constant {
        rate: Rate::new(1, span(700)),
        offset: span(3),
    });
    let service = DurationLaw::constant(span(1_900));
    let mut model = Model::plain(arrivals, 3, service, Stop::At(at(900_000)));
    let queue = &mut model.queues[Id::at(0)];
    queue.capacity = 40;
    queue.admission = admission;
    queue.retention = Some(span(40_000));
    queue.ttl = Some(span(30_000));
    model.producers[Id::at(0)].on_full = PublishPolicy::Block(Blocking {
        timeout: Some(span(9_000)),
        connections: 20,
    });
    let burst = Producer {
        name: "producers.burst".into(),
        origin: Origin::Arrivals {
            start: at(1_000),
            arrivals: Arrivals::Bursts(Bursts {
                size: 30,
                at: span(7),
                again: Again::Always(span(100_000)),
            }),
            count: None,
            until: Some(at(700_000)),
        },
        ..model.producers[Id::at(0)].clone()
    };
    model.producers.push(burst);
    let treatments = [
        InFlight::Freeze,
        InFlight::Crash(Returns::AtRestart),
        InFlight::Finish,
    ];
    for (nth, in_flight) in treatments.into_iter().enumerate() {
        model.outages.push(Outage {
            fleet: Id::at(0),
            windows: Windows::Fixed(vec![(at(200_000 * (nth as u64 + 1)), span(20_000))]),
            share: Ratio::ONE,
            in_flight,
            restart: Restart::InPhase,
        });
    }
    model
}

/// The durations that a fact tells.
fn spans(fact: &Fact) -> Option<SimDuration> {
    match fact {
        Fact::Accepted { latency, .. } => Some(*latency),
        Fact::Admitted { waited, .. }
        | Fact::TimedOut { waited, .. }
        | Fact::Dequeued { waited, .. } => Some(*waited),
        Fact::Delivered { wait, .. } => *wait,
        Fact::Completed { sojourn, .. } => Some(*sojourn),
        _ => None,
    }
}

#[test]
fn all_durations_times_a_thousand_are_all_results_times_a_thousand() {
    for admission in [
        Admission::Fifo,
        Admission::Lifo,
        Admission::NewcomersFirst,
        Admission::Random,
    ] {
        let (small, large) = (constants(1, admission), constants(1_000, admission));
        let (small, large) = (Story::of(&small).facts, Story::of(&large).facts);
        assert!(small.len() > 5_000, "{}", small.len());
        assert_eq!(small.len(), large.len(), "{admission:?}");
        for ((at, fact), (at_large, fact_large)) in small.iter().zip(&large) {
            assert_eq!(
                at.as_nanos() * 1_000,
                at_large.as_nanos(),
                "{fact:?}, {fact_large:?}"
            );
            assert_eq!(
                std::mem::discriminant(fact),
                std::mem::discriminant(fact_large)
            );
            let scaled = spans(fact).map(|span| span.as_nanos() * 1_000);
            assert_eq!(
                scaled,
                spans(fact_large).map(SimDuration::as_nanos),
                "{fact:?}"
            );
        }
    }
}

fn exponential(mean: f64) -> DurationLaw {
    DurationLaw::new(Exponential::new(mean).expect("in range").into())
}

#[test]
fn one_more_server_of_a_fifo_queue_lengthens_no_wait() {
    for seed in 0..20 {
        let waits = |servers: u32| {
            let arrivals = Arrivals::Renewal(Renewal {
                gaps: exponential(0.01),
            });
            let service = Lognormal::new(0.025_f64.ln(), 1.0).expect("in range");
            let stop = Stop::Settled;
            let mut model = Model::plain(arrivals, servers, DurationLaw::new(service.into()), stop);
            model.plan.seed = Seed(seed);
            if let Origin::Arrivals { count, .. } = &mut model.producers[Id::at(0)].origin {
                *count = Some(3_000);
            }
            let facts = Story::of(&model).facts.into_iter();
            let waits = facts.filter_map(|(_, fact)| match fact {
                Fact::Delivered { wait, .. } => wait,
                _ => None,
            });
            waits.collect::<Vec<_>>()
        };
        let (few, many) = (waits(4), waits(5));
        assert_eq!((few.len(), many.len()), (3_000, 3_000));
        assert!(
            few.iter().zip(&many).all(|(few, many)| few >= many),
            "seed {seed}"
        );
        assert!(
            few.iter().sum_nanos() > many.iter().sum_nanos(),
            "seed {seed}"
        );
    }
}

trait SumNanos {
    fn sum_nanos(self) -> u64;
}

impl<'a, I: Iterator<Item = &'a SimDuration>> SumNanos for I {
    fn sum_nanos(self) -> u64 {
        self.map(|span| span.as_nanos()).sum()
    }
}

#[test]
fn an_unrelated_component_changes_nobody_elses_results() {
    let rate = Rate::per_second(90);
    let stop = Stop::At(SimTime::ZERO + SimDuration::from_secs(60));
    let mut alone = Model::plain(
        Arrivals::Poisson(Poisson { rate }),
        4,
        exponential(0.04),
        stop,
    );
    alone.queues[Id::at(0)].order = Order::Random;
    alone.queues[Id::at(0)].capacity = 30;
    let mut crowded = alone.clone();
    let queue = Queue {
        name: "queues.other".into(),
        ..alone.queues[Id::at(0)].clone()
    };
    let queue = crowded.queues.push(queue);
    let producer = &alone.producers[Id::at(0)];
    crowded.producers.push(Producer {
        name: "producers.other".into(),
        queues: vec![queue],
        ..producer.clone()
    });
    let fleet = &alone.fleets[Id::at(0)];
    crowded.fleets.push(Fleet {
        name: "consumers.other".into(),
        queue,
        ..fleet.clone()
    });
    let [alone, crowded] =
        [alone, crowded].map(|model| measure(&model, 0, Detail::Measures, &|_| {}));
    let told = |record: &queuecast::outcome::RunRecord| {
        let id = Id::at(0);
        let (queue, fleet) = (&record.queues[Id::at(0)], &record.fleets[Id::at(0)]);
        format!("{queue:?} {:?} {fleet:?}", record.publishers[id])
    };
    assert_eq!(told(&alone), told(&crowded));
    let (first, other) = (&crowded.queues[Id::at(0)], &crowded.queues[Id::at(1)]);
    assert_ne!(
        format!("{first:?}"),
        format!("{other:?}"),
        "the other one has draws of its own"
    );
}

#[test]
fn a_later_start_of_everything_is_the_same_history_later() {
    let later = SimDuration::from_secs(1_234);
    let model = |shift: SimDuration| {
        let rate = Rate::per_second(90);
        let stop = Stop::At(SimTime::ZERO + SimDuration::from_secs(60) + shift);
        let mut model = Model::plain(
            Arrivals::Poisson(Poisson { rate }),
            4,
            exponential(0.04),
            stop,
        );
        model.outages.push(Outage {
            fleet: Id::at(0),
            windows: Windows::Fixed(vec![(
                SimTime::ZERO + SimDuration::from_secs(20) + shift,
                SimDuration::from_secs(3),
            )]),
            share: Ratio::ONE,
            in_flight: InFlight::Crash(Returns::AtOnce),
            restart: Restart::Staggered,
        });
        if let Origin::Arrivals { start, .. } = &mut model.producers[Id::at(0)].origin {
            *start += shift;
        }
        Story::of(&model).facts
    };
    let (now, then) = (model(SimDuration::ZERO), model(later));
    let told = |at: SimTime, fact: &Fact, shift: SimDuration| match fact {
        // These tell an instant.
        Fact::Oldest { accepted, .. } => {
            let accepted = accepted.as_nanos() - shift.as_nanos();
            (
                at.as_nanos() - shift.as_nanos(),
                format!("oldest {accepted:?}"),
            )
        }
        _ => (at.as_nanos() - shift.as_nanos(), format!("{fact:?}")),
    };
    // The first fact is how many handlers there are, told at the start of the run.
    assert!(matches!(now[0].1, Fact::Staffed { .. }) && now.len() == then.len());
    for ((at, fact), (at_then, fact_then)) in now.iter().zip(&then).skip(1) {
        assert_eq!(
            told(*at, fact, SimDuration::ZERO),
            told(*at_then, fact_then, later)
        );
    }
}

#[test]
fn two_halves_of_a_histogram_merge_to_the_whole() {
    let mut whole = Histogram::default();
    let mut halves = [Histogram::default(), Histogram::default()];
    for k in 0..10_000_u64 {
        let span = SimDuration::from_nanos(k * k * k % 1_000_003);
        whole.record(span);
        halves[usize::from(k % 3 == 0)].record(span);
    }
    let [mut first, second] = halves;
    first.merge(&second);
    let told = |it: &Histogram| {
        let quantiles: Vec<_> = (0..=1_000)
            .map(|k| it.quantile(f64::from(k) / 1e3))
            .collect();
        (it.count(), it.sum(), it.mean(), it.max(), quantiles)
    };
    assert_eq!(told(&first), told(&whole));
}
