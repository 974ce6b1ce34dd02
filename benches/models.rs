//! The models that are measured. Not scenarios: built in Rust, as a library user would.

use queuecast::model::{
    Failures, Handling, Id, InFlight, Intake, Model, Outage, Redelivery, Restart, Stop, Visibility,
    Windows,
};
use queuecast::policy::arrival::{Again, Arrivals, Bursts, Constant, Poisson};
use queuecast::policy::publish::{Blocking, PublishPolicy};
use queuecast::policy::retry::{Backoff, Jitter, RetryPolicy};
use queuecast::random::law::{DurationLaw, Exponential, Law};
use queuecast::units::{Rate, Ratio, SimDuration, SimTime};

/// M/M/c with a mean service time of 1 s, for about so many messages.
pub(crate) fn mmc(servers: u32, utilization: f64, messages: u64) -> Model {
    let per_second = utilization * f64::from(servers);
    let rate = Rate::new((per_second * 1e6) as u64, SimDuration::from_secs(1_000_000));
    let law = Law::Exponential(Exponential::new(1.0).expect("a mean of one second"));
    let end = SimTime::ZERO + SimDuration::from_secs_rounded(messages as f64 / per_second);
    let arrivals = Arrivals::Poisson(Poisson { rate });
    Model::plain(arrivals, servers, DurationLaw::new(law), Stop::At(end))
}

/// The 90 s outage of the worked example.
pub(crate) fn outage() -> Model {
    let mut model = backlog(1_200, SimDuration::from_millis(40));
    model.queues[Id::at(0)].capacity = 100_000;
    model
}

/// A 90 s outage of 60 consumers, and then until nobody waits any more.
pub(crate) fn backlog(per_second: u64, service: SimDuration) -> Model {
    let arrivals = Arrivals::Constant(Constant {
        rate: Rate::per_second(per_second),
        offset: SimDuration::from_nanos((1_000_000_000 / per_second).div_ceil(2)),
    });
    let service = DurationLaw::constant(service);
    let mut model = Model::plain(arrivals, 60, service, Stop::Drained);
    model.outages.push(Outage {
        fleet: Id::at(0),
        windows: Windows::Fixed(vec![(SimTime::ZERO, SimDuration::from_secs(90))]),
        share: Ratio::ONE,
        in_flight: InFlight::Finish,
        restart: Restart::InPhase,
    });
    model
}

/// The same outage with room for 100 only: the other publishers wait at the gate.
pub(crate) fn blocked_publishers() -> Model {
    let mut model = outage();
    model.queues[Id::at(0)].capacity = 100;
    model.producers[Id::at(0)].on_full = PublishPolicy::Block(Blocking::default());
    model
}

/// One handler, room for so many, and up to ten tries a second or less apart.
pub(crate) fn retries(capacity: u64, utilization: f64, messages: u64) -> Model {
    let mut model = mmc(1, utilization, messages);
    model.queues[Id::at(0)].capacity = capacity;
    model.producers[Id::at(0)].on_full = PublishPolicy::Retry(RetryPolicy {
        budget: None,
        attempts: 10,
        backoff: Backoff::Fixed(SimDuration::from_secs(10)),
        jitter: Jitter::Full,
    });
    model
}

/// So many messages at one instant to a queue with room for none, tried again all together every
/// second, ten times.
pub(crate) fn storm(messages: u32) -> Model {
    let arrivals = Arrivals::Bursts(Bursts {
        size: messages,
        at: SimDuration::ZERO,
        again: Again::Never,
    });
    let service = DurationLaw::constant(SimDuration::from_secs(60));
    let mut model = Model::plain(arrivals, 1, service, Stop::Settled);
    model.queues[Id::at(0)].capacity = 1;
    model.producers[Id::at(0)].on_full = PublishPolicy::Retry(RetryPolicy {
        budget: None,
        attempts: 10,
        backoff: Backoff::Fixed(SimDuration::from_secs(1)),
        jitter: Jitter::None,
    });
    model
}

/// M/M/60 at 0.8 under leases whose visibility never lapses: what the leases themselves cost.
pub(crate) fn leased(messages: u64) -> Model {
    let mut model = mmc(60, 0.8, messages);
    model.queues[Id::at(0)].delivery.redelivery = Redelivery::Visibility(Visibility {
        timeout: SimDuration::from_secs(3_600),
        heartbeat: None,
        at_most: Visibility::AT_MOST,
        sweep: None,
    });
    model
}

/// The same, pushed with a prefetch of 4, or failing now and then.
pub(crate) fn handled(messages: u64, handling: Handling) -> Model {
    let mut model = mmc(60, 0.8, messages);
    model.fleets[Id::at(0)].handling = handling;
    model
}

/// Messages are pushed, four to a consumer.
pub(crate) fn pushed() -> Handling {
    Handling {
        intake: Intake::Push { prefetch: 4 },
        ..Handling::default()
    }
}

/// Five in a hundred attempts fail, and their messages come back at once.
pub(crate) fn failing() -> Handling {
    Handling {
        fails: Failures {
            transient: Ratio::new(0.05).expect("a ratio"),
            ..Failures::default()
        },
        ..Handling::default()
    }
}
