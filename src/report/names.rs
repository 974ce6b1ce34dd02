//! What components are called in sentences: `orders`, or `queues.orders` where two share a name.
//!
//! Not dotted names for machines: those stand in the model as they are.

use std::collections::BTreeMap;

use crate::model::Model;
use crate::outcome::Subject;

/// Short names of the components of one model.
#[derive(Debug)]
pub(super) struct Names<'a> {
    model: &'a Model,
    /// How many components have a short name.
    shared: BTreeMap<&'a str, usize>,
}

impl<'a> Names<'a> {
    /// The names of `model`.
    pub(super) fn of(model: &'a Model) -> Self {
        let mut shared = BTreeMap::new();
        for name in model.components() {
            *shared.entry(last_part(name)).or_insert(0) += 1;
        }
        Self { model, shared }
    }

    /// The short name of a component, if it is the only one of that name.
    pub(super) fn short<'s>(&self, full: &'s str) -> &'s str {
        let short = last_part(full);
        if self.shared.get(short).is_some_and(|how_many| *how_many > 1) {
            full
        } else {
            short
        }
    }

    /// The full name of a subject: `queues.orders`.
    pub(super) fn full(&self, subject: Subject) -> &'a str {
        match subject {
            Subject::Run => "run",
            Subject::Producer(id) => &self.model.producers[id].name,
            Subject::Queue(id) => &self.model.queues[id].name,
            Subject::Fleet(id) => &self.model.fleets[id].name,
            Subject::Dependency(id) => &self.model.dependencies[id].name,
            Subject::Caller(id) => &self.model.callers[id].name,
            Subject::Alert(place) => &self.model.alerts[place].name,
        }
    }

    /// The name of a subject in a sentence.
    pub(super) fn subject(&self, subject: Subject) -> &'a str {
        match subject {
            Subject::Run => "the run",
            Subject::Alert(_) => self.full(subject),
            Subject::Producer(_)
            | Subject::Queue(_)
            | Subject::Fleet(_)
            | Subject::Dependency(_)
            | Subject::Caller(_) => self.short(self.full(subject)),
        }
    }
}

/// The name without its section: `orders`.
pub(super) fn last_part(full: &str) -> &str {
    full.rsplit('.').next().unwrap_or(full)
}
