//! From a model to a record: runs one replication with the usual recorders and writes down what
//! they saw.
//!
//! Not several replications: that is an experiment.

use super::recorder::{
    BatchMean, Batched, CallStatistics, Others, Recorder, SeriesRecorder, Statistics, Timeline,
    level, times,
};
use super::written::tell_recoveries;
use super::{World, play};
use crate::model::{FleetId, Model, ProducerId, QueueId, Table};
use crate::outcome::{
    Ended, FleetRecord, Flows, Level, PublisherRecord, QueueRecord, RunRecord, Times,
};
use crate::stats::{AgeGauge, Gauge, Histogram};
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
    let recorder = (
        statistics,
        (Timeline::new(model), Others::new(model, series)),
    );
    let (world, ended) = play(model, replication, recorder, progress);
    write_down(world, ended, replication)
}

/// A recorder of statistics, of the timeline, and of all the rest.
pub(super) type Usual<S> = (S, (Timeline, Others));

fn write_down<S: Recorder + AsRef<Statistics>>(
    world: World<'_, Usual<S>>,
    ended: Ended,
    replication: u32,
) -> (RunRecord, S) {
    let model = world.model;
    let book = Book {
        world: &world,
        statistics: world.recorder.0.as_ref(),
        now: ended.at,
    };
    let others = &world.recorder.1.1;
    book.check_little();
    book.check_calls(&others.calls);
    let publishers = model
        .producers
        .ids()
        .map(|id| book.publisher(id, &others.calls))
        .collect();
    let queues = model
        .queues
        .ids()
        .map(|id| book.queue(id, others))
        .collect();
    let fleets = model.fleets.ids().map(|id| book.fleet(id)).collect();
    let dependencies = model.dependencies.ids();
    let dependencies: Table<_, _> = dependencies.map(|id| book.dependency(id, others)).collect();
    let callers = model.callers.ids();
    let callers: Table<_, _> = callers.map(|id| book.caller(id, others)).collect();
    let measured_from = book.statistics.from;
    let levels = world.levels();
    let (statistics, (mut timeline, others)) = world.recorder;
    tell_recoveries(&mut timeline, &dependencies, &callers);
    let record = RunRecord {
        replication,
        ended,
        measured_from,
        digest: world.digest.value(),
        queues,
        publishers,
        fleets,
        dependencies,
        callers,
        timeline: timeline.finish(),
        series: others.series.map(|series| series.finish(ended.at, &levels)),
        events: world.events,
        queue_ledgers: world.ledger.queues,
        publisher_ledgers: world.ledger.producers,
        dependency_ledgers: world.ledger.calls.stations,
        caller_ledgers: world.ledger.calls.callers,
    };
    (record, statistics)
}

/// What is written down at the end of a run, and from what.
pub(super) struct Book<'a, 'm, R> {
    pub(super) world: &'a World<'m, R>,
    statistics: &'a Statistics,
    pub(super) now: SimTime,
}

impl<R: Recorder> Book<'_, '_, R> {
    /// The measured time in nanoseconds.
    pub(super) fn span(&self) -> u64 {
        self.now.since(self.statistics.from).as_nanos()
    }

    pub(super) fn level(&self, gauge: &Gauge) -> Level {
        level(gauge, self.now, self.span())
    }

    /// The age of something, of which there is one since `born` now.
    fn age(&self, gauge: &AgeGauge, born: Option<SimTime>) -> Level {
        let (mean, max) = gauge.mean_and_most(self.now, self.span(), born);
        let end = born.map_or(SimDuration::ZERO, |born| self.now.since(born));
        Level {
            mean,
            max,
            end: end.as_secs_f64(),
        }
    }

    pub(super) fn per_second(&self, count: u64) -> f64 {
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

    fn publisher(&self, id: ProducerId, calls: &CallStatistics) -> PublisherRecord {
        let seen = &self.statistics.publishers[id];
        let flows = self.world.flows_of_producer(id);
        // What it calls for itself is accepted when it is answered.
        let inline = self.world.model.producers[id].calls;
        let inline = inline.map(|caller| times(&calls.callers[caller].latency));
        PublisherRecord {
            flows,
            blocked: self.level(&seen.blocked),
            blocked_seconds: seen.blocked.area(self.now) as f64 / 1e9,
            publish_latency: inline.unwrap_or_else(|| latencies(&seen.publish_latency, &flows)),
            block_time: times(&seen.block_time),
            unblocked_at: seen.unblocked_at,
        }
    }

    fn queue(&self, id: QueueId, others: &Others) -> QueueRecord {
        let seen = &self.statistics.queues[id];
        let flows = self.world.flows_of_queue(id);
        let recovery = seen.drained_at.zip(self.statistics.calm_at);
        let oldest = self.world.oldest_accepted(id);
        let unacked = seen.unacked_age.as_ref();
        QueueRecord {
            flows,
            depth: self.level(&seen.depth),
            in_flight: self.level(&seen.in_flight),
            lag: self.age(&seen.lag, oldest),
            delayed: self.level(&seen.delayed),
            unacked_age: unacked.map(|(gauge, since)| self.age(gauge, *since)),
            blocked: self.level(&seen.blocked),
            memory: self.level(&seen.memory),
            publish_latency: latencies(&seen.publish_latency, &flows),
            wait: times(&seen.wait),
            sojourn: times(&seen.sojourn),
            block_time: times(&seen.block_time),
            full_at: seen.full_at,
            drained_at: seen.drained_at,
            unblocked_at: seen.unblocked_at,
            recovered_at: others.since(self.now, |it| &it.queues[id]),
            recovery_time: recovery.map(|(drained, calm)| drained.since(calm).as_secs_f64()),
            peak_retries: seen.retries.most(),
            goodput: self.per_second(flows.completed),
        }
    }

    fn fleet(&self, id: FleetId) -> FleetRecord {
        let seen = &self.statistics.fleets[id];
        let able = seen.able.area(self.now);
        let fleet = &self.world.model.fleets[id];
        let resized = fleet.scaling.is_some() || !fleet.staffing.is_empty();
        FleetRecord {
            delivered: seen.delivered,
            completed: seen.completed,
            failed: seen.failed,
            duplicates: seen.duplicates,
            crashed: seen.crashed,
            crashes: seen.crashes,
            channels_closed: seen.channels_closed,
            held: seen.held,
            busy: self.level(&seen.busy),
            up: self.level(&seen.up),
            consumers: resized.then(|| self.level(&seen.sizes.consumers)),
            consumer_hours: resized.then(|| seen.sizes.consumer_hours(self.now)),
            size_changes: seen.sizes.changes,
            reversals: seen.sizes.reversals,
            settled_at: seen.sizes.settled_at(self.now),
            overshoot: seen.sizes.overshoot(self.now),
            cost: fleet
                .cost_per_hour
                .map(|price| price * seen.sizes.consumer_hours(self.now)),
            utilization: (able > 0).then(|| seen.busy.area(self.now) as f64 / able as f64),
            wasted_work: seen.executions.wasted(),
            goodput: self.per_second(seen.completed),
            service: if self.world.fleets[id].leased {
                times(&seen.service)
            } else {
                times(&seen.service.filled_to(seen.completed, seen.usual))
            },
        }
    }
}

/// Publish latencies from those that are not zero.
fn latencies(seen: &Histogram, flows: &Flows) -> Times {
    times(&seen.filled_to(flows.accepted, SimDuration::ZERO))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::{Catalogue, Kind, Measures, Repeated, Subject, Why};
    use crate::sim::fact::{Fact, Failure};
    use crate::sim::recorder::by_hand::{
        Told, accept, at, began, dead, failed, fleet, leaves, model, oldest, orders, received,
        story, tell, waits, worked, world,
    };

    fn end(world: Told<'_>) -> RunRecord {
        let at = world.calendar.now();
        let why = Why::Duration;
        write_down(world, Ended { why, at }, 0).0
    }

    fn check(record: &RunRecord, model: &Model, expected: &[(&str, f64)]) {
        for (name, expected) in expected {
            let found = value(record, model, name).expect(name);
            assert!(
                (found - expected).abs() < 1e-9,
                "{name} is {found}, not {expected}"
            );
        }
    }

    fn value(record: &RunRecord, model: &Model, name: &str) -> Option<f64> {
        let measures = Measures::of(Catalogue::of(model), std::slice::from_ref(record));
        measures.at(measures.catalogue().position(name).expect(name))
    }

    #[test]
    fn what_the_facts_of_leases_say_is_counted() {
        let model = model();
        let mut world = world(&model);
        story(&mut world);
        let record = end(world);
        let expected = [
            ("producers.p.confirms_lost", 1.0),
            ("producers.p.retries", 3.0),
            ("queues.q.retries", 4.0),
            ("queues.q.retries_refused", 1.0),
            ("queues.q.delivered", 6.0),
            ("queues.q.redelivered", 3.0),
            ("queues.q.deliveries_per_message", 2.0),
            ("queues.q.completed", 1.0),
            ("queues.q.failed", 2.0),
            ("queues.q.failed_for_good", 1.0),
            ("queues.q.duplicates", 1.0),
            ("queues.q.lapsed", 1.0),
            ("queues.q.acks_lost", 1.0),
            ("queues.q.acks_refused", 1.0),
            ("queues.q.dead_letters", 0.0),
            ("queues.q.dead_lettered", 2.0),
            ("queues.q.redriven_in", 2.0),
            ("queues.q.deduplicated", 1.0),
            ("queues.q.throttled", 1.0),
            ("queues.q.out_of_order", 2.0),
            ("queues.q.out_of_order_by_key", 1.0),
            ("queues.q.ignored", 1.0),
            ("queues.q.effects", 2.0),
            ("queues.q.duplicate_effects", 1.0),
            ("queues.q.skipped", 1.0),
            ("queues.q.undone", 1.0),
            ("queues.dead.dead_letters", 2.0),
            ("queues.dead.redriven", 2.0),
            // The message due at 4.05 s and the publish of 4.09 s; that of 4.1 s is in the next.
            ("queues.q.peak_retries_per_100ms", 2.0),
            ("consumers.c.delivered", 6.0),
            ("consumers.c.completed", 1.0),
            ("consumers.c.failed", 2.0),
            ("consumers.c.duplicates", 1.0),
            ("consumers.c.crashed", 1.0),
            ("consumers.c.crashes", 1.0),
            ("consumers.c.channels_closed", 1.0),
            ("consumers.c.held", 2.0),
        ];
        check(&record, &model, &expected);
        let series = record.series.expect("a series");
        let bucket = series.queues[orders()].last().expect("a bucket");
        let counted = (bucket.failed, bucket.redelivered, bucket.moved_in);
        assert_eq!(counted, (2, 3, 2));
    }

    #[test]
    fn what_the_facts_of_leases_say_is_measured() {
        let model = model();
        let mut world = world(&model);
        story(&mut world);
        let record = end(world);
        let in_flight = 1.0 + 2.0 + 1.0 + 3.0 + 0.25;
        // Triangles of 2, 1, 3, and a quarter of a second.
        let ages = (4.0 + 1.0 + 9.0 + 0.0625) / 2.0;
        let expected = [
            ("queues.q.in_flight.mean", in_flight / 20.0),
            ("queues.q.in_flight.max", 2.0),
            ("queues.q.in_flight.end", 0.0),
            ("queues.q.delayed.mean", 2.05 / 20.0),
            ("queues.q.delayed.max", 1.0),
            ("queues.q.delayed.end", 0.0),
            ("queues.q.unacked_age.mean", ages / 20.0),
            ("queues.q.unacked_age.max", 3.0),
            ("queues.q.unacked_age.end", 0.0),
            ("queues.dead.depth.mean", (2.0 + 2.25) / 20.0),
            ("queues.q.wait.mean", (1.0 + 1.0 + 11.5) / 3.0),
            ("queues.q.sojourn.max", 6.0),
            ("queues.q.drained_at", 11.5),
            ("queues.q.recovery_time", 6.5),
            ("consumers.c.busy.mean", 10.25 / 20.0),
            // Of 1, 5, 2, and a quarter of a second, and 2 of a crash, 5 were worth something.
            ("consumers.c.wasted_work", 5.25 / 10.25),
            ("consumers.c.service.mean", 8.25 / 4.0),
        ];
        check(&record, &model, &expected);
        for name in ["queues.dead.unacked_age.max", "queues.dead.recovery_time"] {
            assert_eq!(value(&record, &model, name), None, "{name}");
        }
    }

    #[test]
    fn what_the_facts_of_leases_say_is_told() {
        let model = model();
        let mut world = world(&model);
        story(&mut world);
        let record = end(world);
        let told = record.timeline.iter();
        let found: Vec<_> = told.map(|it| (it.at, it.subject, it.kind)).collect();
        let (queue, dead) = (Subject::Queue(orders()), Subject::Queue(dead()));
        let (fleet, consumer, held) = (Subject::Fleet(fleet()), 0, 1);
        let (of, total) = (Repeated::DeadLetter, 2);
        let first = Kind::First;
        let expected = [
            (3_000, queue, first(Repeated::Lapse)),
            (4_090, queue, Kind::FirstRejected),
            (4_200, queue, Kind::LastRejected { total: 3 }),
            (7_000, queue, first(Repeated::DuplicateEffect)),
            (7_000, queue, first(Repeated::Duplicate)),
            (7_000, queue, first(Repeated::AckRefused)),
            (11_000, fleet, Kind::ConsumerCrashed { consumer, held }),
            (11_000, dead, first(of)),
            (11_500, fleet, Kind::ConsumerBack { consumer }),
            (11_500, queue, Kind::Drained),
            (11_750, dead, Kind::Last { of, total }),
            (12_000, Subject::Alert(0), Kind::AlertFired { value: 2.0 }),
            (13_000, dead, Kind::RedriveStarted { waiting: 2 }),
            (14_000, dead, Kind::RedriveEnded { moved: 2 }),
            (15_000, fleet, Kind::ChannelClosed { consumer, held }),
            (16_000, queue, first(Repeated::AckLost)),
            (16_000, queue, first(Repeated::Throttled)),
            (16_000, queue, first(Repeated::RetryRefused)),
            (16_000, queue, first(Repeated::Skipped)),
            (16_000, queue, first(Repeated::Undone)),
            (20_000, Subject::Run, Kind::Ended { unfinished: 2 }),
        ];
        let expected = expected.map(|(millis, who, kind)| (at(millis), who, kind));
        assert_eq!(found, expected);
    }

    #[test]
    fn consumers_that_crash_together_are_told_as_one() {
        let model = model();
        let mut world = world(&model);
        let fleet = fleet();
        for consumer in 0..3 {
            let crash = Fact::ConsumerCrashed {
                fleet,
                consumer,
                held: 20,
            };
            tell(&mut world, 1_000 + u64::from(consumer), [crash]);
            tell(&mut world, 5_000, [Fact::ConsumerBack { fleet, consumer }]);
        }
        let record = end(world);
        let found: Vec<_> = record.timeline.iter().map(|it| it.kind).collect();
        let (consumer, total) = (0, 3);
        let expected = [
            Kind::ConsumerCrashed { consumer, held: 20 },
            Kind::LastConsumerCrashed { total, held: 60 },
            Kind::ConsumerBack { consumer },
            Kind::LastConsumerBack { total },
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn a_warm_up_forgets_what_was_counted_and_keeps_what_goes_on() {
        let model = model();
        let mut world = world(&model);
        let (queue, fleet) = (orders(), fleet());
        let (delayed, due) = (Fact::Delayed { queue }, Fact::Due { queue });
        tell(&mut world, 0, accept(0));
        let first = [leaves(queue, 0), received(Some(0)), oldest(Some(0))];
        tell(&mut world, 0, [waits()]);
        tell(&mut world, 0, first);
        tell(&mut world, 0, [began(0)]);
        let failure = [worked(0, 1_000), failed(Failure::Transient), oldest(None)];
        tell(&mut world, 1_000, failure);
        tell(&mut world, 1_000, [delayed]);
        let again = [leaves(queue, 0), received(None), oldest(Some(2_000))];
        tell(&mut world, 2_000, [due, waits()]);
        tell(&mut world, 2_000, again);
        tell(&mut world, 2_000, [delayed, began(1)]);
        tell(&mut world, 4_000, [Fact::WarmedUp]);
        tell(&mut world, 8_000, [Fact::Crashed { fleet, handler: 1 }]);
        let record = end(world);
        let expected = [
            ("queues.q.peak_retries_per_100ms", 0.0),
            ("queues.q.delayed.mean", 1.0),
            ("queues.q.delayed.end", 1.0),
            ("queues.q.unacked_age.mean", 4.0),
            ("queues.q.unacked_age.max", 6.0),
            ("consumers.c.failed", 0.0),
            ("consumers.c.crashed", 1.0),
            ("consumers.c.busy.mean", 1.0),
            ("consumers.c.wasted_work", 1.0),
        ];
        check(&record, &model, &expected);
        let samples = &record.series.expect("a series").queues[queue];
        assert_eq!(samples.last().map(|sample| sample.delayed), Some(1));
    }
}
