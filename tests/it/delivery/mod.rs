//! Deliveries that can come back: leases, acknowledgements, failures, dead letters, effects.
//!
//! Not plain queues: those have their rules in [`crate::rules`].

mod backoff;
mod metamorphic;
mod table;
mod visibility;

use queuecast::model::{Model, Stop};
use queuecast::outcome::RunRecord;
use queuecast::policy::arrival::{Again, Arrivals, Bursts};
use queuecast::random::law::DurationLaw;
use queuecast::sim::{Detail, measure};
use queuecast::units::SimDuration;

/// So many messages at once, at the start, for so many consumers.
pub(crate) fn burst(messages: u32, consumers: u32, service: SimDuration) -> Model {
    let arrivals = Arrivals::Bursts(Bursts {
        size: messages,
        at: SimDuration::ZERO,
        again: Again::Never,
    });
    Model::plain(
        arrivals,
        consumers,
        DurationLaw::constant(service),
        Stop::Settled,
    )
}

pub(crate) fn run(model: &Model) -> RunRecord {
    measure(model, 0, Detail::Measures, &|_| {})
}

pub(crate) fn secs(seconds: u64) -> SimDuration {
    SimDuration::from_secs(seconds)
}
