//! Dependencies and who calls them: the reference table of retry storms, the rules by hand, two
//! stable states of one load, and defences.
//!
//! Not scenarios: models are put together in Rust.

mod by_hand;
mod handlers;
mod rules;
mod storm;
mod storms_and_ways_out;
mod table;
mod theory;

use queuecast::model::{
    Answers, BudgetPer, CallerId, Dependency, DependencyId, Expired, FleetId, Id, InFlight, Model,
    Origin, Producer, ProducerId, QueueId, StationOrder, Stop, Trouble, Who, Windows,
};
use queuecast::outcome::RunRecord;
use queuecast::policy::arrival::{Arrivals, Poisson};
use queuecast::policy::retry::{Backoff, Jitter, RetryPolicy};
use queuecast::random::law::{DurationLaw, Exponential, Law};
use queuecast::sim::{CallFact, Detail, Fact, Recorder, RequestEnd, measure, simulate};
use queuecast::units::{Rate, Ratio, SimDuration, SimTime};

pub(crate) fn span(seconds: f64) -> SimDuration {
    SimDuration::from_secs_rounded(seconds)
}

pub(crate) fn at(seconds: f64) -> SimTime {
    SimTime::ZERO + span(seconds)
}

pub(crate) fn station() -> DependencyId {
    DependencyId::at(0)
}

pub(crate) fn client() -> CallerId {
    CallerId::at(0)
}

/// A producer that calls a dependency for each arrival, until an instant: nothing else.
pub(crate) fn inline(arrivals: Arrivals, dependency: Dependency, until: f64) -> Model {
    Model::inline(arrivals, dependency, Stop::At(at(until)))
}

pub(crate) fn dependency(servers: u32, service: DurationLaw) -> Dependency {
    Dependency::plain("dependencies.mailer", servers, service)
}

pub(crate) fn poisson(rate: u64) -> Arrivals {
    Arrivals::Poisson(Poisson {
        rate: Rate::per_second(rate),
    })
}

pub(crate) fn exponential(mean: f64) -> DurationLaw {
    let law = Exponential::new(mean).expect("a mean");
    DurationLaw::new(Law::from(law))
}

/// So many retries at once.
pub(crate) fn at_once(retries: u32) -> Option<RetryPolicy> {
    (retries > 0).then_some(RetryPolicy {
        attempts: retries + 1,
        backoff: Backoff::Immediate,
        jitter: Jitter::None,
        budget: None,
    })
}

/// All servers stop for a while.
pub(crate) fn down(from: f64, seconds: f64) -> Trouble {
    Trouble {
        dependency: station(),
        windows: Windows::Fixed(vec![(at(from), span(seconds))]),
        share: Ratio::ONE,
        in_flight: InFlight::Freeze,
        answers: Answers::Hang,
        slowdown: 1.0,
    }
}

pub(crate) fn run(model: &Model, replication: u32) -> RunRecord {
    measure(model, replication, Detail::Measures, &|_| {})
}

/// No arrival at this instant or later.
pub(crate) fn set_until(model: &mut Model, seconds: f64) {
    if let Origin::Arrivals { until, .. } = &mut model.producers[ProducerId::at(0)].origin {
        *until = Some(at(seconds));
    }
}

/// Keeps all facts of calls.
#[derive(Debug, Default)]
pub(crate) struct Heard(pub(crate) Vec<(SimTime, CallFact)>);

impl Recorder for Heard {
    fn observe(&mut self, now: SimTime, fact: &Fact) {
        if let Fact::Call(fact) = fact {
            self.0.push((now, *fact));
        }
    }
}

/// What is picked of the facts of a run, with its instants in seconds.
pub(crate) fn pick<T>(model: &Model, of: impl Fn(&CallFact) -> Option<T>) -> Vec<(f64, T)> {
    let (heard, _, _) = simulate(model, 0, Heard::default());
    let facts = heard.0.iter();
    facts
        .filter_map(|(now, fact)| Some((now.as_secs_f64(), of(fact)?)))
        .collect()
}

/// Lets the first fleet of a model call a dependency of its own.
pub(crate) fn let_call(model: &mut Model) {
    let other = inline(poisson(1), dependency(1, exponential(0.01)), 1.0);
    (model.dependencies, model.callers) = (other.dependencies, other.callers);
    model.callers[client()].who = Who::Fleet(FleetId::at(0));
    model.fleets[FleetId::at(0)].handling.calls = Some(client());
}
