//! Plain components, to be changed where they should not be plain: what a scenario says when it
//! says no more than it must.
//!
//! Not defaults of the scenario file, which are said there; these are for models put together in
//! Rust.

use super::{
    BudgetPer, Caller, CallerId, Counts, Delivery, Dependency, DependencyId, Expired, Fleet,
    Handling, Id, LengthCheck, Model, Origin, Overflow, Plan, Producer, ProducerId, Queue, QueueId,
    Recovery, Replications, Returned, Stamp, StationOrder, Stop, Table, Warmup, Who,
};
use crate::policy::admission::Admission;
use crate::policy::arrival::Arrivals;
use crate::policy::order::Order;
use crate::policy::publish::PublishPolicy;
use crate::random::Seed;
use crate::random::law::{CountLaw, DurationLaw, SizeLaw};
use crate::units::{Ratio, SimDuration, SimTime};

impl Queue {
    /// A queue without any bound, first in, first out. `name` is dotted: `queues.orders`.
    pub fn plain(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
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
}

impl Producer {
    /// A producer that publishes to one queue from the start, without end, and fails at once when
    /// it is refused. `name` is dotted: `producers.checkout`.
    pub fn plain(name: impl Into<String>, queue: QueueId, arrivals: Arrivals) -> Self {
        Self {
            name: name.into(),
            origin: Origin::Arrivals {
                start: SimTime::ZERO,
                arrivals,
                count: None,
                until: None,
            },
            queues: vec![queue],
            calls: None,
            size: SizeLaw::constant(Self::USUAL_SIZE),
            priority: CountLaw::constant(0),
            on_full: PublishPolicy::Reject,
            stamp: Stamp::default(),
        }
    }
}

impl Fleet {
    /// So many consumers of one handler each. `name` is dotted: `consumers.fleet`.
    pub fn plain(
        name: impl Into<String>,
        queue: QueueId,
        count: u32,
        service: DurationLaw,
    ) -> Self {
        Self {
            name: name.into(),
            queue,
            count,
            concurrency: 1,
            service,
            staffing: Vec::new(),
            publishes: None,
            scaling: None,
            cost_per_hour: None,
            handling: Handling::default(),
        }
    }
}

impl Dependency {
    /// So many servers with a line in the order of arrival, without a bound, that never fail.
    /// `name` is dotted: `dependencies.mailer`.
    pub fn plain(name: impl Into<String>, servers: u32, service: DurationLaw) -> Self {
        Self {
            name: name.into(),
            servers,
            service,
            capacity: u64::MAX,
            order: StationOrder::Fifo,
            expired: Expired::Served,
            fails: Ratio::ZERO,
            fails_take: None,
            overload: None,
            limit: None,
            shed: None,
        }
    }
}

impl Caller {
    /// Who calls once, and waits for as long as it takes. `name` is dotted, that of `who`.
    pub fn plain(name: impl Into<String>, who: Who, dependency: DependencyId) -> Self {
        Self {
            name: name.into(),
            who,
            dependency,
            timeout: None,
            deadline: None,
            retry: None,
            breaker: None,
            concurrency: None,
            hedge: None,
            per: BudgetPer::Fleet,
        }
    }
}

impl Plan {
    /// One run from seed 1 until `stop`, with no bound that a run would meet and no warm-up.
    pub fn plain(stop: Stop) -> Self {
        Self {
            stop,
            horizon: SimTime::from_nanos(u64::MAX / 4),
            most_alive: 1 << 30,
            most_events: u64::MAX,
            seed: Seed(1),
            replications: Replications::Fixed(1),
            warmup: Warmup::For(SimDuration::ZERO),
            recovery: Recovery::default(),
        }
    }
}

impl Model {
    /// One producer, one queue, one fleet, all of them plain: `producers.p`, `queues.q`,
    /// `consumers.c`.
    pub fn plain(arrivals: Arrivals, servers: u32, service: DurationLaw, stop: Stop) -> Self {
        let queue = QueueId::at(0);
        Self {
            title: "plain".into(),
            plan: Plan::plain(stop),
            producers: Table::new(vec![Producer::plain("producers.p", queue, arrivals)]),
            queues: Table::new(vec![Queue::plain("queues.q")]),
            fleets: Table::new(vec![Fleet::plain("consumers.c", queue, servers, service)]),
            dependencies: Table::default(),
            callers: Table::default(),
            outages: Vec::new(),
            troubles: Vec::new(),
            alerts: Vec::new(),
        }
    }

    /// One producer that calls one dependency inline, once for each arrival, and nothing else:
    /// `producers.web`.
    pub fn inline(arrivals: Arrivals, dependency: Dependency, stop: Stop) -> Self {
        let (web, name) = (ProducerId::at(0), "producers.web");
        let mut producer = Producer::plain(name, QueueId::at(0), arrivals);
        producer.queues.clear();
        producer.calls = Some(CallerId::at(0));
        let caller = Caller::plain(name, Who::Producer(web), DependencyId::at(0));
        Self {
            title: "inline".into(),
            plan: Plan::plain(stop),
            producers: Table::new(vec![producer]),
            queues: Table::default(),
            fleets: Table::default(),
            dependencies: Table::new(vec![dependency]),
            callers: Table::new(vec![caller]),
            outages: Vec::new(),
            troubles: Vec::new(),
            alerts: Vec::new(),
        }
    }
}
