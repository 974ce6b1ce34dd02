//! The models that are measured. Not scenarios: built in Rust, as a library user would.

use queuecast::model::{
    Counts, Fleet, Id, InFlight, Model, Origin, Outage, Overflow, Plan, Producer, Queue,
    Replications, Restart, Returned, Stop, Table, Warmup, Windows,
};
use queuecast::policy::admission::Admission;
use queuecast::policy::arrival::{Arrivals, Constant, Poisson};
use queuecast::policy::order::Order;
use queuecast::policy::publish::PublishPolicy;
use queuecast::random::Seed;
use queuecast::random::law::{CountLaw, DurationLaw, Exponential, Law, SizeLaw};
use queuecast::units::{Bytes, Rate, Ratio, SimDuration, SimTime};

fn plain(arrivals: Arrivals, servers: u32, service: DurationLaw, stop: Stop) -> Model {
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

/// M/M/c with a mean service time of 1 s, for about so many messages.
pub(crate) fn mmc(servers: u32, utilization: f64, messages: u64) -> Model {
    let per_second = utilization * f64::from(servers);
    let rate = Rate::new((per_second * 1e6) as u64, SimDuration::from_secs(1_000_000));
    let law = Law::Exponential(Exponential::new(1.0).expect("a mean of one second"));
    let end = SimTime::ZERO + SimDuration::from_secs_rounded(messages as f64 / per_second);
    let arrivals = Arrivals::Poisson(Poisson { rate });
    plain(arrivals, servers, DurationLaw::new(law), Stop::At(end))
}

/// The 90 s outage of the worked example.
pub(crate) fn outage() -> Model {
    let offset = SimDuration::from_nanos(416_667);
    let arrivals = Arrivals::Constant(Constant {
        rate: Rate::per_second(1_200),
        offset,
    });
    let service = DurationLaw::constant(SimDuration::from_millis(40));
    let mut model = plain(arrivals, 60, service, Stop::Drained);
    model.queues[Id::at(0)].capacity = 100_000;
    model.outages.push(Outage {
        fleet: Id::at(0),
        windows: Windows::Fixed(vec![(SimTime::ZERO, SimDuration::from_secs(90))]),
        share: Ratio::ONE,
        in_flight: InFlight::Finish,
        restart: Restart::InPhase,
    });
    model
}
