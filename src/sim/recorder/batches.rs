//! The usual statistics, and batches of them: of waits and sojourns by count, of levels by time;
//! for the intervals of one long run.
//!
//! Not the intervals: those are made in [`crate::stats::batch_means`].

use super::{Levels, Recorder, Statistics};
use crate::model::{FleetId, Model, QueueId, Table};
use crate::sim::fact::Fact;
use crate::stats::batch_means::{Batches, Neighbours, TimeBatches, about, interval};
use crate::stats::confidence::Interval;
use crate::stats::{Gauge, Histogram};
use crate::units::SimTime;

/// The first batches of levels are so long, in nanoseconds; they double as the run goes on.
const FIRST: u64 = 1_000;
const PERCENTILES: [(&str, f64); 5] = [
    ("p50", 0.5),
    ("p90", 0.9),
    ("p95", 0.95),
    ("p99", 0.99),
    ("p999", 0.999),
];

/// What batches say of one metric.
#[derive(Clone, Debug, PartialEq)]
pub struct BatchMean {
    /// Its full name.
    pub metric: String,
    /// The interval, and whether batches depend on each other; `None` for too short a run.
    pub interval: Option<(Interval, Neighbours)>,
}

/// Statistics with batches.
#[derive(Debug)]
pub(in crate::sim) struct Batched {
    statistics: Statistics,
    waits: Table<QueueId, TimeBatches>,
    sojourns: Table<QueueId, TimeBatches>,
    levels: Batches<Areas>,
    /// The areas at the start of the open batch of levels; `None` until the first sample after a
    /// restart.
    open: Option<Areas>,
    /// When it ends.
    next: SimTime,
}

/// Levels integrated over time since the start or restart, in nanoseconds; or over a batch.
#[derive(Clone, Debug)]
struct Areas {
    /// Depth and in flight.
    queues: Table<QueueId, [f64; 2]>,
    /// Busy and able to work.
    fleets: Table<FleetId, [f64; 2]>,
}

impl Areas {
    fn until(now: SimTime, statistics: &Statistics) -> Self {
        let areas = |gauges: [&Gauge; 2]| gauges.map(|gauge| gauge.area(now) as f64);
        let queues = statistics.queues.iter();
        let fleets = statistics.fleets.iter();
        Self {
            queues: queues.map(|it| areas([&it.depth, &it.in_flight])).collect(),
            fleets: fleets.map(|it| areas([&it.busy, &it.able])).collect(),
        }
    }

    /// Adds `by` times another.
    fn add(&mut self, other: &Self, by: f64) {
        fn all<'a, I: crate::model::Id>(
            mine: &'a mut Table<I, [f64; 2]>,
            theirs: &'a Table<I, [f64; 2]>,
        ) -> impl Iterator<Item = (&'a mut f64, &'a f64)> {
            mine.iter_mut().flatten().zip(theirs.iter().flatten())
        }
        for (mine, theirs) in
            all(&mut self.queues, &other.queues).chain(all(&mut self.fleets, &other.fleets))
        {
            *mine += by * theirs;
        }
    }
}

impl AsRef<Statistics> for Batched {
    fn as_ref(&self) -> &Statistics {
        &self.statistics
    }
}

impl Batched {
    pub(in crate::sim) fn new(model: &Model) -> Self {
        let statistics = Statistics::new(model);
        Self {
            waits: model
                .queues
                .iter()
                .map(|_| TimeBatches::default())
                .collect(),
            sojourns: model
                .queues
                .iter()
                .map(|_| TimeBatches::default())
                .collect(),
            levels: Batches::default(),
            open: Some(Areas::until(SimTime::ZERO, &statistics)),
            next: SimTime::from_nanos(FIRST),
            statistics,
        }
    }

    /// Levels stay, as the statistics see it; batches begin anew.
    fn restart(&mut self) {
        for batches in self.waits.iter_mut().chain(self.sojourns.iter_mut()) {
            *batches = TimeBatches::default();
        }
        self.levels = Batches::default();
        self.open = None;
    }

    /// What the batches say of each metric that they are kept of.
    pub(in crate::sim) fn finish(&self, model: &Model, level: f64) -> Vec<BatchMean> {
        let mut all = Vec::new();
        for (id, queue) in model.queues.pairs() {
            let name = &queue.name;
            let seen = &self.statistics.queues[id];
            times(
                &mut all,
                &format!("{name}.wait"),
                &self.waits[id],
                &seen.wait,
                level,
            );
            let sojourns = &self.sojourns[id];
            times(
                &mut all,
                &format!("{name}.sojourn"),
                sojourns,
                &seen.sojourn,
                level,
            );
            for (place, what) in ["depth.mean", "in_flight.mean"].into_iter().enumerate() {
                let areas = |areas: &Areas| [areas.queues[id][place], self.nanos()];
                all.push(self.level(format!("{name}.{what}"), areas, level));
            }
        }
        for (id, fleet) in model.fleets.pairs() {
            let busy = |areas: &Areas| [areas.fleets[id][0], self.nanos()];
            all.push(self.level(format!("{}.busy.mean", fleet.name), busy, level));
            let used = |areas: &Areas| areas.fleets[id];
            all.push(self.level(format!("{}.utilization", fleet.name), used, level));
        }
        all
    }

    /// The length of a batch of levels.
    fn nanos(&self) -> f64 {
        (FIRST * self.levels.length()) as f64
    }

    /// The interval of a ratio of sums, by its linear part: a batch counts by how far its numerator
    /// is from the ratio of all.
    fn level(&self, metric: String, parts: impl Fn(&Areas) -> [f64; 2], level: f64) -> BatchMean {
        let parts: Vec<[f64; 2]> = self.levels.done().iter().map(parts).collect();
        let sum = |place: usize| parts.iter().map(|part| part[place]).sum::<f64>();
        let (ratio, mean_below) = (sum(0) / sum(1), sum(1) / parts.len() as f64);
        let values: Vec<f64> = parts
            .iter()
            .map(|[above, below]| ratio + (above - ratio * below) / mean_below)
            .collect();
        let interval = interval(&values, level).filter(|_| mean_below > 0.0);
        let interval = interval.map(|(found, neighbours)| (about(ratio, &found), neighbours));
        BatchMean { metric, interval }
    }
}

fn times(
    all: &mut Vec<BatchMean>,
    name: &str,
    batches: &TimeBatches,
    whole: &Histogram,
    level: f64,
) {
    all.push(BatchMean {
        metric: format!("{name}.mean"),
        interval: batches.mean(whole, level),
    });
    all.extend(PERCENTILES.map(|(percentile, p)| BatchMean {
        metric: format!("{name}.{percentile}"),
        interval: batches.quantile(whole, p, level),
    }));
}

impl Recorder for Batched {
    #[inline(always)]
    fn observe(&mut self, now: SimTime, fact: &Fact) {
        self.statistics.observe(now, fact);
        if let Fact::Delivered {
            queue,
            wait: Some(wait),
            ..
        }
        | Fact::Received {
            queue,
            wait: Some(wait),
            ..
        } = *fact
        {
            self.waits[queue].record(wait);
        } else if let Fact::Completed { queue, sojourn, .. }
        | Fact::Acknowledged { queue, sojourn, .. } = *fact
        {
            self.sojourns[queue].record(sojourn);
        } else if matches!(*fact, Fact::WarmedUp) {
            self.restart();
        }
    }

    fn next_sample(&self, _now: SimTime) -> Option<SimTime> {
        Some(self.next)
    }

    fn sample(&mut self, now: SimTime, _levels: &Levels) {
        if now != self.next {
            return;
        }
        let until = Areas::until(now, &self.statistics);
        if let Some(before) = self.open.take() {
            let mut batch = until.clone();
            batch.add(&before, -1.0);
            self.levels.push(batch, |mine, later| mine.add(later, 1.0));
        }
        self.open = Some(until);
        let length = FIRST.saturating_mul(self.levels.length());
        self.next = SimTime::from_nanos(now.as_nanos().saturating_add(length));
    }
}
