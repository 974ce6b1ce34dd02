//! A fleet of consumers: how many, how they work, what they publish.
//!
//! Not its run-time state: that is in the simulation.

use super::handling::Handling;
use super::table::{ProducerId, QueueId};
use crate::policy::scaling::Scaling;
use crate::random::law::DurationLaw;
use crate::units::SimTime;

/// Identical consumers of one queue.
#[derive(Clone, Debug)]
pub struct Fleet {
    /// Its dotted name: `consumers.fleet`.
    pub name: String,
    /// Which queue it takes from.
    pub queue: QueueId,
    /// How many consumers there are at first.
    pub count: u32,
    /// How many handlers a consumer has.
    pub concurrency: u32,
    /// How long a handler works on a message.
    pub service: DurationLaw,
    /// Changes of `count`, in the order of time.
    pub staffing: Vec<Staffing>,
    /// What a handler publishes when it has done its work.
    pub publishes: Option<Publishes>,
    /// What changes its size by what waits; `count` is the size at first.
    pub scaling: Option<Scaling>,
    /// What a consumer costs an hour, in whatever currency; `None` where nobody said.
    pub cost_per_hour: Option<f64>,
    /// How it takes, acknowledges, fails, and retries.
    pub handling: Handling,
}

/// A change of a fleet's size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Staffing {
    /// From when.
    pub from: SimTime,
    /// How many consumers.
    pub count: u32,
}

/// What a handler publishes when it has done its work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Publishes {
    /// As whom.
    pub producer: ProducerId,
    /// How many messages for each one completed, to each of the producer's queues.
    pub copies: u32,
}

impl Fleet {
    /// The most handlers that it ever has.
    pub fn most_handlers(&self) -> u32 {
        let most = self
            .staffing
            .iter()
            .map(|change| change.count)
            .chain(self.scaling.as_ref().map(|scaling| scaling.max))
            .fold(self.count, u32::max);
        most * self.concurrency
    }
}
