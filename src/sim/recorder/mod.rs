//! Recorders: they watch, and never touch. Adding one changes no history.
//!
//! Not the ledger and the digest: those are the simulation's own conscience, and always there.

mod batches;
#[cfg(test)]
pub(super) mod by_hand;
mod calls;
mod comebacks;
mod episode;
mod executions;
mod others;
mod series;
mod sizes;
mod statistics;
mod timeline;

pub use batches::BatchMean;
pub(super) use batches::Batched;
pub(super) use calls::CallStatistics;
pub(super) use others::Others;
pub(super) use series::SeriesRecorder;
pub(super) use statistics::{Statistics, level, times};
pub(super) use timeline::Timeline;

use super::fact::Fact;
use crate::model::{DependencyId, FleetId, ProducerId, QueueId, Table};
use crate::outcome::{Flows, StationLedger};
use crate::units::{SimDuration, SimTime};

/// Something that watches a run.
pub trait Recorder {
    /// A fact was told at `now`.
    fn observe(&mut self, now: SimTime, fact: &Fact);

    /// When this recorder next wants to read levels, after `now`; `None` for never.
    fn next_sample(&self, _now: SimTime) -> Option<SimTime> {
        None
    }

    /// Reads levels at `now`, which is when it or another recorder asked for them.
    fn sample(&mut self, _now: SimTime, _levels: &Levels) {}
}

/// The levels of all components at an instant, and their counts so far.
#[derive(Clone, Debug)]
pub struct Levels {
    /// Queues.
    pub queues: Table<QueueId, QueueLevels>,
    /// Handlers at work, and able to work.
    pub fleets: Table<FleetId, (u32, u32)>,
    /// Publishers blocked.
    pub blocked: Table<ProducerId, u64>,
    /// Dependencies, with their counts since the start of the run.
    pub dependencies: Table<DependencyId, StationLedger>,
}

/// The levels of a queue at an instant, and its counts so far.
#[derive(Clone, Copy, Debug)]
pub struct QueueLevels {
    /// Messages waiting.
    pub depth: u64,
    /// Messages in flight.
    pub in_flight: u64,
    /// Age of the oldest waiting message.
    pub lag: SimDuration,
    /// Bytes held.
    pub memory: u64,
    /// Publishers blocked.
    pub blocked: u64,
    /// Counts since the start of the run.
    pub flows: Flows,
}

impl Recorder for () {
    #[inline(always)]
    fn observe(&mut self, _now: SimTime, _fact: &Fact) {}
}

impl<A: Recorder, B: Recorder> Recorder for (A, B) {
    #[inline(always)]
    fn observe(&mut self, now: SimTime, fact: &Fact) {
        self.0.observe(now, fact);
        self.1.observe(now, fact);
    }

    fn next_sample(&self, now: SimTime) -> Option<SimTime> {
        let (a, b) = (self.0.next_sample(now), self.1.next_sample(now));
        a.into_iter().chain(b).min()
    }

    fn sample(&mut self, now: SimTime, levels: &Levels) {
        self.0.sample(now, levels);
        self.1.sample(now, levels);
    }
}

impl<R: Recorder> Recorder for Option<R> {
    #[inline(always)]
    fn observe(&mut self, now: SimTime, fact: &Fact) {
        if let Some(recorder) = self {
            recorder.observe(now, fact);
        }
    }

    fn next_sample(&self, now: SimTime) -> Option<SimTime> {
        self.as_ref().and_then(|recorder| recorder.next_sample(now))
    }

    fn sample(&mut self, now: SimTime, levels: &Levels) {
        if let Some(recorder) = self {
            recorder.sample(now, levels);
        }
    }
}
