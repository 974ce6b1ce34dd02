//! The compiled world: immutable, validated, ids instead of names.
//!
//! Not the scenario file: that is a language for people, and [`crate::scenario`] turns it into
//! this. A model can as well be put together in Rust; see the examples.

mod caller;
mod calm;
mod consumer;
mod delivery;
mod dependency;
mod handling;
mod outage;
mod plain;
mod plan;
mod producer;
mod queue;
mod randomness;
mod signal;
mod stamp;
mod table;

pub use caller::{Caller, Hedge, Who};
pub use consumer::{Fleet, Publishes, Staffing};
pub use delivery::{
    AckTimeout, CallLimits, Counted, DeadLetter, Delivery, Dispatch, Grouping, LateAck, Redelivery,
    Redrive, RedriveIdentity, ReturnKinds, ReturnLimit, Visibility, Watch,
};
pub use dependency::{Answers, Dependency, Expired, Overload, StationOrder, Trouble};
pub use handling::{
    Ack, Batch, BatchFailure, BatchWork, BudgetPer, Crashes, Failures, Guard, Handling,
    IdempotencyKey, Intake, Limit, RetryOn, RetryPlace, Rework, Reworking,
};
pub use outage::{InFlight, Outage, Restart, Returns, Windows};
pub use plan::{Plan, Precision, Recovery, Replications, Stop, Warmup};
pub use producer::{Origin, Producer};
pub use queue::{Counts, LengthCheck, MemoryLimit, OnLimit, Overflow, Queue, Returned};
pub use signal::{Alert, Comparison, Flow, Signal};
pub use stamp::{ConfirmLoss, Poison, SendBatch, Stamp};
pub use table::{CallerId, DependencyId, FleetId, Id, ProducerId, QueueId, Table};

use std::collections::BTreeSet;

/// Everything that a run needs to know.
#[derive(Clone, Debug)]
pub struct Model {
    /// What the scenario is called.
    pub title: String,
    /// How long, how often, from which seed.
    pub plan: Plan,
    /// Who publishes: the producers of the scenario, then one for each fleet that publishes.
    pub producers: Table<ProducerId, Producer>,
    /// Where messages wait.
    pub queues: Table<QueueId, Queue>,
    /// Who works.
    pub fleets: Table<FleetId, Fleet>,
    /// Who is called by handlers, or by producers themselves.
    pub dependencies: Table<DependencyId, Dependency>,
    /// Who calls them.
    pub callers: Table<CallerId, Caller>,
    /// What goes wrong.
    pub outages: Vec<Outage>,
    /// What goes wrong with dependencies.
    pub troubles: Vec<Trouble>,
    /// Who is told about it.
    pub alerts: Vec<Alert>,
}

impl Model {
    /// How many clients a caller has: each has a budget, a breaker, and a limit of calls of its
    /// own.
    pub fn clients_of(&self, id: CallerId) -> u32 {
        let caller = &self.callers[id];
        match (caller.who, caller.per) {
            (Who::Fleet(fleet), BudgetPer::Consumer) => {
                let fleet = &self.fleets[fleet];
                (fleet.most_handlers() / fleet.concurrency).max(1)
            }
            (Who::Fleet(_), BudgetPer::Fleet) | (Who::Producer(_), _) => 1,
        }
    }

    /// The full names of all components, each once: a fleet that publishes is one component.
    pub fn components(&self) -> Vec<&str> {
        let producers = self.producers.iter().map(|producer| producer.name.as_str());
        let queues = self.queues.iter().map(|queue| queue.name.as_str());
        let fleets = self.fleets.iter().map(|fleet| fleet.name.as_str());
        let mut seen = BTreeSet::new();
        let dependencies = self.dependencies.iter().map(|it| it.name.as_str());
        let all = producers.chain(queues).chain(fleets).chain(dependencies);
        all.filter(|name| seen.insert(*name)).collect()
    }
}
