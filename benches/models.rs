//! The models that are measured. Not scenarios: built in Rust, as a library user would.

use queuecast::model::{Id, InFlight, Model, Outage, Restart, Stop, Windows};
use queuecast::policy::arrival::{Arrivals, Constant, Poisson};
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
    let offset = SimDuration::from_nanos(416_667);
    let arrivals = Arrivals::Constant(Constant {
        rate: Rate::per_second(1_200),
        offset,
    });
    let service = DurationLaw::constant(SimDuration::from_millis(40));
    let mut model = Model::plain(arrivals, 60, service, Stop::Drained);
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
