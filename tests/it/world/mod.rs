//! Models built in Rust, as a library user would: the plain queue, to be changed by each test; and
//! the story of a run, fact by fact.
//!
//! Not tests.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "a test looks for the facts that it is about"
)]

use std::path::Path;

use queuecast::model::{
    Counts, Fleet, Id, Model, Origin, Overflow, Plan, Producer, Queue, Replications, Returned,
    Stop, Table, Warmup,
};
use queuecast::outcome::{Flows, QueueRecord, RunRecord};
use queuecast::policy::admission::Admission;
use queuecast::policy::arrival::Arrivals;
use queuecast::policy::order::Order;
use queuecast::policy::publish::PublishPolicy;
use queuecast::random::Seed;
use queuecast::random::law::{CountLaw, DurationLaw, SizeLaw};
use queuecast::scenario::{Color, Scenario};
use queuecast::sim::{Detail, Fact, Recorder, measure, simulate};
use queuecast::units::{Bytes, SimDuration, SimTime};

pub(crate) fn plain(arrivals: Arrivals, servers: u32, service: DurationLaw, stop: Stop) -> Model {
    let queue = Queue {
        name: "queues.q".into(),
        capacity: u64::MAX,
        counts: Counts::Waiting,
        overflow: Overflow::Refuse,
        returned: Returned::Keep,
        order: Order::Fifo,
        retention: None,
        ttl: None,
        memory: None,
        admission: Admission::Fifo,
    };
    let producer = Producer {
        name: "producers.p".into(),
        origin: Origin::Arrivals {
            start: SimTime::ZERO,
            arrivals,
            count: None,
            until: None,
        },
        queues: vec![Id::at(0)],
        size: SizeLaw::constant(Bytes(1_024)),
        priority: CountLaw::constant(0),
        on_full: PublishPolicy::Reject,
    };
    let fleet = Fleet {
        name: "consumers.c".into(),
        queue: Id::at(0),
        count: servers,
        concurrency: 1,
        service,
        staffing: Vec::new(),
        publishes: None,
    };
    Model {
        title: "bench".into(),
        plan: Plan {
            stop,
            horizon: SimTime::from_nanos(u64::MAX / 2),
            most_alive: 1 << 30,
            most_events: u64::MAX,
            seed: Seed(1),
            replications: Replications::Fixed(1),
            warmup: Warmup::For(SimDuration::ZERO),
        },
        producers: Table::new(vec![producer]),
        queues: Table::new(vec![queue]),
        fleets: Table::new(vec![fleet]),
        outages: Vec::new(),
        alerts: Vec::new(),
    }
}

/// The model of a scenario that is right.
pub(crate) fn scenario(text: &str) -> Model {
    match Scenario::from_text("test.toml", text, &[], Path::new("")) {
        Ok(scenario) => scenario.model,
        Err(failure) => panic!("{}\n{text}", failure.render(Color::Never)),
    }
}

/// A scenario of one producer `p`, one queue `q` and one fleet `c`, each with these keys, and what
/// else there is.
pub(crate) fn one(run: &str, p: &str, q: &str, c: &str, rest: &str) -> Story {
    Story::of(&scenario(&format!(
        "[run]\n{run}\n[producers.p]\nqueue = \"q\"\n{p}\n[queues.q]\n{q}\n\
         [consumers.c]\nqueue = \"q\"\n{c}\n{rest}"
    )))
}

/// All that happened in a run, and what was measured of it.
pub(crate) struct Story {
    pub(crate) facts: Vec<(SimTime, Fact)>,
    pub(crate) record: RunRecord,
}

#[derive(Default)]
struct Facts(Vec<(SimTime, Fact)>);

impl Recorder for Facts {
    fn observe(&mut self, now: SimTime, fact: &Fact) {
        self.0.push((now, *fact));
    }
}

impl Story {
    pub(crate) fn of(model: &Model) -> Self {
        let record = measure(model, 0, Detail::Measures, &|_| {});
        let (facts, ended, digest) = simulate(model, 0, Facts::default());
        assert_eq!((record.ended, record.digest), (ended, digest));
        let facts = facts.0;
        Self { facts, record }
    }

    /// In milliseconds, what `pick` finds in the facts, in the order of time.
    fn millis(&self, pick: impl Fn(SimTime, &Fact) -> Option<u64>) -> Vec<u64> {
        let nanos = self.facts.iter().filter_map(|(at, fact)| pick(*at, fact));
        nanos
            .map(|nanos| {
                assert!(
                    nanos.is_multiple_of(1_000_000),
                    "{nanos} ns is no whole millisecond"
                );
                nanos / 1_000_000
            })
            .collect()
    }

    /// When such a fact was told, in milliseconds.
    pub(crate) fn when(&self, is: impl Fn(&Fact) -> bool) -> Vec<u64> {
        self.millis(|at, fact| is(fact).then_some(at.as_nanos()))
    }

    /// When work began.
    pub(crate) fn starts(&self) -> Vec<u64> {
        self.when(|fact| matches!(fact, Fact::Delivered { .. }))
    }

    /// When messages were done.
    pub(crate) fn ends(&self) -> Vec<u64> {
        self.when(|fact| matches!(fact, Fact::Completed { .. }))
    }

    /// How long messages waited for their first delivery, in the order of delivery.
    pub(crate) fn waits(&self) -> Vec<u64> {
        self.millis(|_, fact| match fact {
            Fact::Delivered {
                wait: Some(wait), ..
            } => Some(wait.as_nanos()),
            _ => None,
        })
    }

    /// From meant to be published to done, in the order of completion.
    pub(crate) fn sojourns(&self) -> Vec<u64> {
        self.millis(|_, fact| match fact {
            Fact::Completed { sojourn, .. } => Some(sojourn.as_nanos()),
            _ => None,
        })
    }

    /// How long blocked publishers waited, in the order of admission.
    pub(crate) fn admissions(&self) -> Vec<u64> {
        self.millis(|_, fact| match fact {
            Fact::Admitted { waited, .. } => Some(waited.as_nanos()),
            _ => None,
        })
    }

    /// Of the first queue.
    pub(crate) fn queue(&self) -> &QueueRecord {
        &self.record.queues[Id::at(0)]
    }

    /// Of the first queue.
    pub(crate) fn flows(&self) -> &Flows {
        &self.queue().flows
    }
}
