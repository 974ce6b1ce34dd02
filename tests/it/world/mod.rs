//! Models built in Rust, as a library user would: the plain queue, to be changed by each test.

use queuecast::model::{
    Counts, Fleet, Id, Model, Origin, Overflow, Plan, Producer, Queue, Replications, Returned,
    Stop, Table, Warmup,
};
use queuecast::policy::admission::Admission;
use queuecast::policy::arrival::Arrivals;
use queuecast::policy::order::Order;
use queuecast::policy::publish::PublishPolicy;
use queuecast::random::Seed;
use queuecast::random::law::{CountLaw, DurationLaw, SizeLaw};
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
