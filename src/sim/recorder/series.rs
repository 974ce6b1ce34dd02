//! Levels over time for pictures and `series.csv`: buckets that double in width when there are too
//! many of them, so that the size is bounded and the end need not be known.
//!
//! Not statistics: nothing is computed from these samples but pictures.

use crate::model::{Model, QueueId, Table};
use crate::outcome::{CallSample, Flows, Sample, Series, StationFlows, StationLedger};
use crate::sim::fact::Fact;
use crate::sim::recorder::{Levels, QueueLevels, Recorder};
use crate::units::{SimDuration, SimTime};

/// When there are this many buckets they are joined, by two and by five in turn, so that widths
/// are 1, 2, 10, 20, 100 … ms.
const MOST_BUCKETS: usize = 2_000;

/// Collects a [`Series`].
#[derive(Debug)]
pub(in crate::sim) struct SeriesRecorder {
    series: Series,
    /// How many buckets are joined next time.
    join: usize,
    /// Counts at the last sample.
    before: Vec<Flows>,
    calls_before: Vec<StationFlows>,
    /// Messages that wait with the broker for their next attempt.
    delayed: Table<QueueId, u64>,
}

impl SeriesRecorder {
    /// An empty series of the components of a model.
    pub(in crate::sim) fn new(model: &Model) -> Self {
        let series = Series {
            width: SimDuration::from_millis(1),
            queues: model.queues.iter().map(|_| Vec::new()).collect(),
            fleets: model.fleets.iter().map(|_| Vec::new()).collect(),
            blocked: model.producers.iter().map(|_| Vec::new()).collect(),
            dependencies: model.dependencies.iter().map(|_| Vec::new()).collect(),
        };
        Self {
            series,
            join: 2,
            before: vec![Flows::default(); model.queues.len()],
            calls_before: vec![StationFlows::default(); model.dependencies.len()],
            delayed: model.queues.iter().map(|_| 0).collect(),
        }
    }

    /// The series, closed with the levels at the end of the run when that is no bucket's end.
    pub(in crate::sim) fn finish(mut self, now: SimTime, levels: &Levels) -> Series {
        if self.series.is_empty() || self.series.end_of(self.series.len() - 1) < now {
            self.add(levels);
        }
        self.series
    }

    fn add(&mut self, levels: &Levels) {
        let before = self.before.iter_mut().zip(&self.delayed);
        for ((samples, now), (before, delayed)) in self
            .series
            .queues
            .iter_mut()
            .zip(&levels.queues)
            .zip(before)
        {
            samples.push(bucket(now, before, *delayed));
            *before = now.flows;
        }
        for (samples, now) in self.series.fleets.iter_mut().zip(&levels.fleets) {
            samples.push(*now);
        }
        for (samples, now) in self.series.blocked.iter_mut().zip(&levels.blocked) {
            samples.push(*now);
        }
        let dependencies = self.series.dependencies.iter_mut();
        let dependencies = dependencies.zip(&levels.dependencies);
        for ((samples, now), before) in dependencies.zip(&mut self.calls_before) {
            samples.push(calls(now, before));
            *before = now.flows;
        }
        if self.series.len() >= MOST_BUCKETS {
            self.join_buckets();
        }
    }

    fn join_buckets(&mut self) {
        let by = self.join;
        self.join = if by == 2 { 5 } else { 2 };
        self.series.width = SimDuration::from_nanos(self.series.width.as_nanos() * by as u64);
        for samples in &mut self.series.queues {
            *samples = samples.chunks(by).map(joined).collect();
        }
        for samples in &mut self.series.dependencies {
            *samples = samples.chunks(by).map(joined_calls).collect();
        }
        last_of_each(&mut self.series.fleets, by);
        last_of_each(&mut self.series.blocked, by);
    }
}

fn last_of_each<I: crate::model::Id, T: Copy>(table: &mut Table<I, Vec<T>>, by: usize) {
    for samples in table.iter_mut() {
        *samples = samples
            .chunks(by)
            .filter_map(|chunk| chunk.last().copied())
            .collect();
    }
}

/// Levels at the end, counts of all.
fn joined(chunk: &[Sample]) -> Sample {
    let mut all = chunk.last().copied().unwrap_or_default();
    let sum = |read: fn(&Sample) -> u64| chunk.iter().map(read).sum();
    all.offered = sum(|s| s.offered);
    all.accepted = sum(|s| s.accepted);
    all.refused = sum(|s| s.refused);
    all.discarded = sum(|s| s.discarded);
    all.completed = sum(|s| s.completed);
    all.failed = sum(|s| s.failed);
    all.redelivered = sum(|s| s.redelivered);
    all.moved_in = sum(|s| s.moved_in);
    all
}

fn joined_calls(chunk: &[CallSample]) -> CallSample {
    let all = chunk.last().copied().unwrap_or_default();
    let sum = |read: fn(&CallSample) -> u64| chunk.iter().map(read).sum();
    CallSample {
        calls: sum(|s| s.calls),
        answered: sum(|s| s.answered),
        late: sum(|s| s.late),
        ..all
    }
}

fn calls(now: &StationLedger, before: &StationFlows) -> CallSample {
    let flows = now.flows.since(before);
    CallSample {
        depth: now.waiting,
        busy: now.serving,
        calls: flows.calls,
        answered: flows.answered,
        late: flows.late,
    }
}

fn bucket(now: &QueueLevels, before: &Flows, delayed: u64) -> Sample {
    let refused = |f: &Flows| f.rejected + f.timed_out + f.abandoned;
    let discarded = |f: &Flows| f.dropped + f.expired + f.lost;
    let moved_in = |f: &Flows| f.dead_letters + f.redriven_in;
    let flows = &now.flows;
    Sample {
        depth: now.depth,
        in_flight: now.in_flight,
        delayed,
        lag: now.lag,
        memory: now.memory,
        blocked: now.blocked,
        offered: flows.offered - before.offered,
        accepted: flows.accepted - before.accepted,
        refused: refused(flows) - refused(before),
        discarded: discarded(flows) - discarded(before),
        completed: flows.completed - before.completed,
        failed: flows.failed - before.failed,
        redelivered: flows.redelivered - before.redelivered,
        moved_in: moved_in(flows) - moved_in(before),
    }
}

impl Recorder for SeriesRecorder {
    #[inline(always)]
    fn observe(&mut self, _now: SimTime, fact: &Fact) {
        if let Fact::Delayed { queue } = *fact {
            self.delayed[queue] += 1;
        } else if let Fact::Due { queue } | Fact::Forestalled { queue } = *fact {
            self.delayed[queue] -= 1;
        }
    }

    fn next_sample(&self, _now: SimTime) -> Option<SimTime> {
        Some(self.series.end_of(self.series.len()))
    }

    fn sample(&mut self, now: SimTime, levels: &Levels) {
        if now == self.series.end_of(self.series.len()) {
            self.add(levels);
        }
    }
}
