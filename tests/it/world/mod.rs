//! The story of a run, fact by fact.
//!
//! Not tests.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "a test looks for the facts that it is about"
)]

use std::path::Path;

use queuecast::model::{Id, Model};
use queuecast::outcome::{Flows, QueueRecord, RunRecord};
use queuecast::scenario::{Color, Scenario};
use queuecast::sim::{Detail, Fact, Recorder, measure, simulate};
use queuecast::units::SimTime;

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

    /// When messages left a leased queue for a consumer's hands.
    pub(crate) fn received(&self) -> Vec<u64> {
        self.when(|fact| matches!(fact, Fact::Received { .. }))
    }

    /// When handlers of leased fleets began to work.
    pub(crate) fn begins(&self) -> Vec<u64> {
        self.when(|fact| matches!(fact, Fact::Began { .. }))
    }

    /// When acknowledgements deleted messages.
    pub(crate) fn acks(&self) -> Vec<u64> {
        self.when(|fact| matches!(fact, Fact::Acknowledged { .. }))
    }

    /// From meant to be published to acknowledged by its consumer, in the order of
    /// acknowledgements.
    pub(crate) fn sojourns_of_acks(&self) -> Vec<u64> {
        self.millis(|_, fact| match fact {
            Fact::Acknowledged { sojourn, .. } => Some(sojourn.as_nanos()),
            _ => None,
        })
    }

    /// In nanoseconds, each first wait, however messages are delivered.
    pub(crate) fn nanos_waited(&self) -> Vec<u64> {
        let facts = self.facts.iter().filter_map(|(_, fact)| match fact {
            Fact::Delivered { wait, .. } | Fact::Received { wait, .. } => *wait,
            _ => None,
        });
        facts.map(queuecast::units::SimDuration::as_nanos).collect()
    }

    /// In nanoseconds, from meant to be published to done, however messages are delivered.
    pub(crate) fn nanos_stayed(&self) -> Vec<u64> {
        let facts = self.facts.iter().filter_map(|(_, fact)| match fact {
            Fact::Completed { sojourn, .. } | Fact::Acknowledged { sojourn, .. } => Some(*sojourn),
            _ => None,
        });
        facts.map(queuecast::units::SimDuration::as_nanos).collect()
    }

    /// When attempts failed.
    pub(crate) fn failures(&self) -> Vec<u64> {
        self.when(|fact| matches!(fact, Fact::Failed { .. }))
    }

    /// When dead letters left the queues that gave them up.
    pub(crate) fn deaths(&self) -> Vec<u64> {
        self.when(|fact| matches!(fact, Fact::DeadLettered { .. }))
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
