//! From a model to a record: runs one replication with the usual recorders and writes down what
//! they saw.
//!
//! Not several replications: that is an experiment.

use super::recorder::{
    BatchMean, Batched, Recorder, SeriesRecorder, Statistics, Timeline, level, times,
};
use super::{World, play};
use crate::model::{FleetId, Model, ProducerId, QueueId};
use crate::outcome::{
    Ended, FleetRecord, Flows, Level, PublisherRecord, QueueRecord, RunRecord, Times,
};
use crate::stats::{Gauge, Histogram};
use crate::units::{SimDuration, SimTime};

/// Called now and then with the instant that has been reached.
pub type Progress<'a> = &'a (dyn Fn(SimTime) + Sync);

/// How much of a run is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// Measures and the timeline.
    Measures,
    /// Levels over time as well.
    Series,
}

/// Runs one replication with a recorder of your own, and returns it with the end and the digest.
/// The digest is the same whatever the recorder.
pub fn simulate<R: Recorder>(model: &Model, replication: u32, recorder: R) -> (R, Ended, u64) {
    let (world, ended) = play(model, replication, recorder, &|_| {});
    let digest = world.digest.value();
    (world.recorder, ended, digest)
}

/// Runs one replication and measures it.
///
/// # Panics
/// When the ledger does not balance or Little's law does not hold: a bug of this program, never
/// the user's fault. The message has the seed.
pub fn measure(
    model: &Model,
    replication: u32,
    detail: Detail,
    progress: Progress<'_>,
) -> RunRecord {
    record(model, replication, detail, progress, Statistics::new(model)).0
}

/// Runs one replication, measures it, and says by batch means how sure the measures of a steady
/// state are: intervals of this level. The same history, to the digest.
///
/// # Panics
/// As [`measure`].
pub fn measure_in_batches(
    model: &Model,
    replication: u32,
    detail: Detail,
    progress: Progress<'_>,
    level: f64,
) -> (RunRecord, Vec<BatchMean>) {
    let (record, batched) = record(model, replication, detail, progress, Batched::new(model));
    (record, batched.finish(model, level))
}

fn record<S: Recorder + AsRef<Statistics>>(
    model: &Model,
    replication: u32,
    detail: Detail,
    progress: Progress<'_>,
    statistics: S,
) -> (RunRecord, S) {
    let series = (detail == Detail::Series).then(|| SeriesRecorder::new(model));
    let recorder = (statistics, (Timeline::new(model), series));
    let (world, ended) = play(model, replication, recorder, progress);
    let book = Book {
        world: &world,
        statistics: world.recorder.0.as_ref(),
        now: ended.at,
    };
    book.check_little();
    let publishers = model.producers.ids().map(|id| book.publisher(id)).collect();
    let queues = model.queues.ids().map(|id| book.queue(id)).collect();
    let fleets = model.fleets.ids().map(|id| book.fleet(id)).collect();
    let measured_from = book.statistics.from;
    let levels = world.levels();
    let (statistics, (timeline, series)) = world.recorder;
    let record = RunRecord {
        replication,
        ended,
        measured_from,
        digest: world.digest.value(),
        queues,
        publishers,
        fleets,
        timeline: timeline.finish(),
        series: series.map(|series| series.finish(ended.at, &levels)),
        events: world.events,
        queue_ledgers: world.ledger.queues,
        publisher_ledgers: world.ledger.producers,
    };
    (record, statistics)
}

/// What is written down at the end of a run, and from what.
struct Book<'a, 'm, R> {
    world: &'a World<'m, R>,
    statistics: &'a Statistics,
    now: SimTime,
}

impl<R: Recorder> Book<'_, '_, R> {
    /// The measured time in nanoseconds.
    fn span(&self) -> u64 {
        self.now.since(self.statistics.from).as_nanos()
    }

    fn level(&self, gauge: &Gauge) -> Level {
        level(gauge, self.now, self.span())
    }

    fn per_second(&self, count: u64) -> f64 {
        let seconds = self.span() as f64 / 1e9;
        if seconds > 0.0 {
            count as f64 / seconds
        } else {
            0.0
        }
    }

    fn check_little(&self) {
        for id in self.statistics.queues.ids() {
            let unfinished = self.world.waited_so_far(id);
            if let Some(breach) = self.statistics.breach_of_little(id, self.now, unfinished) {
                let seed = self.world.model.plan.seed.0;
                panic!("Little's law does not hold; this is a bug (seed {seed}): {breach}");
            }
        }
    }

    fn publisher(&self, id: ProducerId) -> PublisherRecord {
        let seen = &self.statistics.publishers[id];
        let flows = self.world.flows_of_producer(id);
        PublisherRecord {
            flows,
            blocked: self.level(&seen.blocked),
            blocked_seconds: seen.blocked.area(self.now) as f64 / 1e9,
            publish_latency: latencies(&seen.publish_latency, &flows),
            block_time: times(&seen.block_time),
            unblocked_at: seen.unblocked_at,
        }
    }

    fn queue(&self, id: QueueId) -> QueueRecord {
        let seen = &self.statistics.queues[id];
        let flows = self.world.flows_of_queue(id);
        let oldest = self.world.oldest_accepted(id);
        let (mean, max) = seen.lag.mean_and_most(self.now, self.span(), oldest);
        let end = self.world.lag(id).as_secs_f64();
        QueueRecord {
            flows,
            depth: self.level(&seen.depth),
            in_flight: self.level(&seen.in_flight),
            lag: Level { mean, max, end },
            blocked: self.level(&seen.blocked),
            memory: self.level(&seen.memory),
            publish_latency: latencies(&seen.publish_latency, &flows),
            wait: times(&seen.wait),
            sojourn: times(&seen.sojourn),
            block_time: times(&seen.block_time),
            full_at: seen.full_at,
            drained_at: seen.drained_at,
            unblocked_at: seen.unblocked_at,
            goodput: self.per_second(flows.completed),
        }
    }

    fn fleet(&self, id: FleetId) -> FleetRecord {
        let seen = &self.statistics.fleets[id];
        let able = seen.able.area(self.now);
        FleetRecord {
            delivered: seen.delivered,
            completed: seen.completed,
            crashed: seen.crashed,
            busy: self.level(&seen.busy),
            up: self.level(&seen.up),
            utilization: (able > 0).then(|| seen.busy.area(self.now) as f64 / able as f64),
            goodput: self.per_second(seen.completed),
            service: times(&seen.service.filled_to(seen.completed, seen.usual)),
        }
    }
}

/// Publish latencies from those that are not zero.
fn latencies(seen: &Histogram, flows: &Flows) -> Times {
    times(&seen.filled_to(flows.accepted, SimDuration::ZERO))
}
