//! Builds a model in Rust, without a scenario, and watches it with a recorder of its own.
//!
//! Not how people usually write models: a scenario has defaults, and checks what it says.
//!
//! `cargo run --release --example model`

use queuecast::model::{
    Counts, Delivery, Fleet, Handling, Id, LengthCheck, Model, Origin, Overflow, Plan, Producer,
    Queue, Recovery, Replications, Returned, Stamp, Stop, Table, Warmup,
};
use queuecast::policy::admission::Admission;
use queuecast::policy::arrival::{Arrivals, Constant};
use queuecast::policy::order::Order;
use queuecast::policy::publish::PublishPolicy;
use queuecast::random::Seed;
use queuecast::random::law::{CountLaw, DurationLaw, SizeLaw};
use queuecast::sim::{Fact, Recorder, simulate};
use queuecast::units::{Rate, SimDuration, SimTime};

/// Counts the messages that found every handler busy.
#[derive(Default)]
struct Waited(u64);

impl Recorder for Waited {
    fn observe(&mut self, _now: SimTime, fact: &Fact) {
        if matches!(fact, Fact::Enqueued { .. }) {
            self.0 += 1;
        }
    }
}

fn main() {
    let every = |millis| SimDuration::from_millis(millis);
    let (orders, checkout, fleet) = (orders(), checkout(), fleet(every(40)));
    let model = Model {
        title: "One handler too few".into(),
        plan: Plan {
            stop: Stop::At(SimTime::ZERO + SimDuration::from_secs(60)),
            horizon: SimTime::MAX,
            most_alive: 1_000_000,
            most_events: 100_000_000,
            seed: Seed(1),
            replications: Replications::Fixed(1),
            warmup: Warmup::For(SimDuration::ZERO),
            recovery: Recovery::default(),
        },
        producers: Table::new(vec![checkout]),
        queues: Table::new(vec![orders]),
        fleets: Table::new(vec![fleet]),
        dependencies: Table::default(),
        callers: Table::default(),
        outages: Vec::new(),
        troubles: Vec::new(),
        alerts: Vec::new(),
    };
    let (Waited(waited), ended, digest) = simulate(&model, 0, Waited::default());
    println!(
        "{waited} messages waited until {} (digest {digest:016x})",
        ended.at
    );
}

fn orders() -> Queue {
    Queue {
        name: "queues.orders".into(),
        capacity: u64::MAX,
        counts: Counts::Waiting,
        length_check: LengthCheck::Message,
        overflow: Overflow::Refuse,
        returned: Returned::Keep,
        order: Order::Fifo,
        retention: None,
        ttl: None,
        memory: None,
        admission: Admission::Fifo,
        delivery: Delivery::default(),
    }
}

fn checkout() -> Producer {
    let arrivals = Arrivals::Constant(Constant {
        rate: Rate::per_second(1_200),
        offset: SimDuration::ZERO,
    });
    Producer {
        name: "producers.checkout".into(),
        origin: Origin::Arrivals {
            start: SimTime::ZERO,
            arrivals,
            count: None,
            until: None,
        },
        queues: vec![Id::at(0)],
        calls: None,
        size: SizeLaw::constant(Producer::USUAL_SIZE),
        priority: CountLaw::constant(0),
        on_full: PublishPolicy::Reject,
        stamp: Stamp::default(),
    }
}

fn fleet(service: SimDuration) -> Fleet {
    Fleet {
        name: "consumers.fleet".into(),
        queue: Id::at(0),
        count: 47,
        concurrency: 1,
        service: DurationLaw::constant(service),
        staffing: Vec::new(),
        publishes: None,
        scaling: None,
        cost_per_hour: None,
        handling: Handling::default(),
    }
}
