//! Levels and rates over time, in buckets of one width, few enough to draw.
//!
//! Not every event: a series of a long run has wider buckets, never more of them.

use crate::model::{DependencyId, FleetId, ProducerId, QueueId, Table};
use crate::units::{SimDuration, SimTime};

/// All components over time. Bucket `i` covers `(i * width, (i + 1) * width]`; levels are read at
/// its end, counts are of what happened in it.
#[derive(Clone, Debug)]
pub struct Series {
    /// The width of a bucket.
    pub width: SimDuration,
    /// Queues.
    pub queues: Table<QueueId, Vec<Sample>>,
    /// Handlers at work and able to work, at the end of each bucket.
    pub fleets: Table<FleetId, Vec<(u32, u32)>>,
    /// Publishers blocked, at the end of each bucket.
    pub blocked: Table<ProducerId, Vec<u64>>,
    /// Dependencies.
    pub dependencies: Table<DependencyId, Vec<CallSample>>,
}

/// One bucket of a dependency.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CallSample {
    /// Calls waiting.
    pub depth: u64,
    /// Servers with a call.
    pub busy: u64,
    /// Calls made to it in the bucket.
    pub calls: u64,
    /// Calls answered well in it while their callers waited.
    pub answered: u64,
    /// Calls answered in it though their callers had left.
    pub late: u64,
}

/// One bucket of a queue.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sample {
    /// Messages waiting.
    pub depth: u64,
    /// Messages in flight.
    pub in_flight: u64,
    /// Messages that wait with the broker for their next attempt.
    pub delayed: u64,
    /// Age of the oldest waiting message.
    pub lag: SimDuration,
    /// Bytes held.
    pub memory: u64,
    /// Publishers blocked.
    pub blocked: u64,
    /// Publishes offered in the bucket.
    pub offered: u64,
    /// Publishes accepted in it.
    pub accepted: u64,
    /// Publishes refused, timed out or abandoned in it.
    pub refused: u64,
    /// Messages dropped, expired or lost in it.
    pub discarded: u64,
    /// Messages completed in it.
    pub completed: u64,
    /// Attempts that failed in it.
    pub failed: u64,
    /// Deliveries in it after the first of a message.
    pub redelivered: u64,
    /// Messages that came from other queues in it, as dead letters or back from there.
    pub moved_in: u64,
}

impl Series {
    /// How many buckets there are.
    pub fn len(&self) -> usize {
        let queues = self.queues.iter().map(Vec::len);
        let dependencies = self.dependencies.iter().map(Vec::len);
        queues.chain(dependencies).max().unwrap_or(0)
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The instant at which bucket `index` ends.
    pub fn end_of(&self, index: usize) -> SimTime {
        SimTime::from_nanos(self.width.as_nanos() * (index as u64 + 1))
    }
}
