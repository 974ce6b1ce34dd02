//! Waits, levels and instants of every component, in constant memory; and the check of Little's
//! law (rule B3).
//!
//! Not counts: those are the ledger's.

use crate::model::{FleetId, Model, ProducerId, QueueId, Table};
use crate::outcome::{Level, Times};
use crate::sim::fact::{Fact, Place, Success};
use crate::sim::recorder::Recorder;
use crate::sim::recorder::executions::Executions;
use crate::sim::recorder::sizes::Sizes;
use crate::stats::{AgeGauge, Gauge, Histogram, Peak};
use crate::units::{SimDuration, SimTime};

/// The statistics of a run.
#[derive(Debug)]
pub(in crate::sim) struct Statistics {
    pub(in crate::sim) from: SimTime,
    calm: bool,
    /// When the last disturbance had ended, if there was one.
    pub(in crate::sim) calm_at: Option<SimTime>,
    pub(in crate::sim) queues: Table<QueueId, QueueStatistics>,
    pub(in crate::sim) publishers: Table<ProducerId, PublisherStatistics>,
    pub(in crate::sim) fleets: Table<FleetId, FleetStatistics>,
}

/// Of a queue.
#[derive(Debug, Default)]
pub(in crate::sim) struct QueueStatistics {
    pub(in crate::sim) depth: Gauge,
    pub(in crate::sim) in_flight: Gauge,
    pub(in crate::sim) delayed: Gauge,
    /// Of the oldest unacknowledged delivery, once that has been told.
    pub(in crate::sim) unacked_age: Option<(AgeGauge, Option<SimTime>)>,
    /// Publishes tried again and messages due for their next attempt, together (rule E4).
    pub(in crate::sim) retries: Peak,
    pub(in crate::sim) lag: AgeGauge,
    pub(in crate::sim) blocked: Gauge,
    pub(in crate::sim) memory: Gauge,
    /// Without the zeros.
    pub(in crate::sim) publish_latency: Histogram,
    pub(in crate::sim) wait: Histogram,
    pub(in crate::sim) sojourn: Histogram,
    pub(in crate::sim) block_time: Histogram,
    pub(in crate::sim) full_at: Option<SimTime>,
    pub(in crate::sim) drained_at: Option<SimTime>,
    pub(in crate::sim) unblocked_at: Option<SimTime>,
    /// Every episode of waiting that has ended, in nanoseconds since the restart.
    waited: u128,
}

/// Of someone who publishes.
#[derive(Debug, Default)]
pub(in crate::sim) struct PublisherStatistics {
    pub(in crate::sim) blocked: Gauge,
    /// Without the zeros.
    pub(in crate::sim) publish_latency: Histogram,
    pub(in crate::sim) block_time: Histogram,
    pub(in crate::sim) unblocked_at: Option<SimTime>,
}

/// Of a fleet.
#[derive(Debug, Default)]
pub(in crate::sim) struct FleetStatistics {
    pub(in crate::sim) busy: Gauge,
    pub(in crate::sim) up: Gauge,
    /// Able to work: up, or finishing though stopped.
    pub(in crate::sim) able: Gauge,
    /// The service time of a fleet whose work is always the same; zero for others.
    pub(in crate::sim) usual: SimDuration,
    /// Without the usual ones.
    pub(in crate::sim) service: Histogram,
    pub(in crate::sim) delivered: u64,
    pub(in crate::sim) completed: u64,
    pub(in crate::sim) crashed: u64,
    pub(in crate::sim) failed: u64,
    pub(in crate::sim) duplicates: u64,
    pub(in crate::sim) crashes: u64,
    pub(in crate::sim) channels_closed: u64,
    pub(in crate::sim) held: u64,
    pub(in crate::sim) executions: Executions,
    pub(in crate::sim) sizes: Sizes,
}

impl AsRef<Self> for Statistics {
    fn as_ref(&self) -> &Self {
        self
    }
}

impl Statistics {
    pub(in crate::sim) fn new(model: &Model) -> Self {
        Self {
            from: SimTime::ZERO,
            calm: false,
            calm_at: None,
            queues: model
                .queues
                .iter()
                .map(|_| QueueStatistics::default())
                .collect(),
            publishers: model
                .producers
                .iter()
                .map(|_| PublisherStatistics::default())
                .collect(),
            fleets: model
                .fleets
                .iter()
                .map(|fleet| FleetStatistics {
                    sizes: Sizes::from(fleet.count),
                    usual: fleet.service.as_constant().unwrap_or(SimDuration::ZERO),
                    ..FleetStatistics::default()
                })
                .collect(),
        }
    }

    /// Levels stay, all that was observed is forgotten; instants of disturbances stay.
    fn restart(&mut self, now: SimTime) {
        self.from = now;
        for queue in &mut self.queues {
            for gauge in [
                &mut queue.depth,
                &mut queue.in_flight,
                &mut queue.delayed,
                &mut queue.blocked,
                &mut queue.memory,
            ] {
                gauge.restart(now);
            }
            queue.lag.restart(now);
            if let Some((age, _)) = &mut queue.unacked_age {
                age.restart(now);
            }
            queue.retries = Peak::default();
            for times in [
                &mut queue.publish_latency,
                &mut queue.wait,
                &mut queue.sojourn,
                &mut queue.block_time,
            ] {
                *times = Histogram::default();
            }
        }
        for publisher in &mut self.publishers {
            publisher.blocked.restart(now);
            publisher.publish_latency = Histogram::default();
            publisher.block_time = Histogram::default();
        }
        for fleet in &mut self.fleets {
            for gauge in [&mut fleet.busy, &mut fleet.up, &mut fleet.able] {
                gauge.restart(now);
            }
            fleet.service = Histogram::default();
            (fleet.delivered, fleet.completed, fleet.crashed) = (0, 0, 0);
            (fleet.failed, fleet.duplicates) = (0, 0);
            (fleet.crashes, fleet.channels_closed, fleet.held) = (0, 0, 0);
            fleet.executions.restart();
            fleet.sizes.restart(now);
        }
    }

    fn unblock(&mut self, now: SimTime, producer: ProducerId, queue: QueueId, for_: SimDuration) {
        let publisher = &mut self.publishers[producer];
        publisher.blocked.fall(now, 1);
        publisher.block_time.record(for_);
        if publisher.blocked.level() == 0 {
            publisher.unblocked_at = Some(now);
        }
        let queue = &mut self.queues[queue];
        queue.blocked.fall(now, 1);
        queue.block_time.record(for_);
        if queue.blocked.level() == 0 {
            queue.unblocked_at = Some(now);
        }
    }

    /// Little's law, to the nanosecond: the level integrated over time is the sum of what each
    /// message waited. `unfinished` is what those in line have waited so far. Says what differs.
    /// Only for runs whose statistics were kept from the start.
    pub(in crate::sim) fn breach_of_little(
        &self,
        id: QueueId,
        now: SimTime,
        unfinished: u128,
    ) -> Option<String> {
        let queue = &self.queues[id];
        let (area, waits) = (queue.depth.area(now), queue.waited + unfinished);
        (self.from == SimTime::ZERO && area != waits)
            .then(|| format!("messages waited {waits} ns in all, but L times T is {area} ns"))
    }
}

#[expect(
    clippy::too_many_lines,
    reason = "a table: one arm a fact, and the compiler asks each recorder about each"
)]
impl Recorder for Statistics {
    #[inline(always)]
    fn observe(&mut self, now: SimTime, fact: &Fact) {
        match *fact {
            Fact::Accepted {
                producer,
                queue,
                latency,
                ..
            } => {
                // Those without latency are what the ledger has beside these.
                if !latency.is_zero() {
                    self.publishers[producer].publish_latency.record(latency);
                    self.queues[queue].publish_latency.record(latency);
                }
            }
            Fact::Blocked { producer, queue } => {
                self.publishers[producer].blocked.rise(now, 1);
                self.publishers[producer].unblocked_at = None;
                self.queues[queue].blocked.rise(now, 1);
                self.queues[queue].unblocked_at = None;
            }
            Fact::Admitted {
                producer,
                queue,
                waited,
            }
            | Fact::TimedOut {
                producer,
                queue,
                waited,
            } => {
                self.unblock(now, producer, queue, waited);
            }
            Fact::Enqueued { queue } => {
                let queue = &mut self.queues[queue];
                if queue.depth.level() == 0 {
                    queue.lag.start(now);
                }
                queue.depth.rise(now, 1);
            }
            Fact::Dequeued { queue, waited } => {
                let queue = &mut self.queues[queue];
                queue.depth.fall(now, 1);
                queue.waited += u128::from(waited.as_nanos());
            }
            Fact::Replaced { queue, waited } => {
                self.queues[queue].waited += u128::from(waited.as_nanos());
            }
            Fact::Oldest { queue, accepted } => self.queues[queue].lag.settle(now, accepted),
            Fact::Filled { queue, .. } => {
                self.queues[queue].full_at.get_or_insert(now);
            }
            Fact::Emptied { queue } if self.calm => {
                self.queues[queue].drained_at.get_or_insert(now);
            }
            Fact::Weighed { queue, bytes } => self.queues[queue].memory.set(now, bytes),
            Fact::Delivered {
                queue, fleet, wait, ..
            } => {
                let queue = &mut self.queues[queue];
                queue.in_flight.rise(now, 1);
                if let Some(wait) = wait {
                    queue.wait.record(wait);
                }
                let fleet = &mut self.fleets[fleet];
                fleet.busy.rise(now, 1);
                fleet.delivered += 1;
            }
            Fact::Completed {
                queue,
                fleet,
                service,
                sojourn,
                ..
            } => {
                let queue = &mut self.queues[queue];
                queue.in_flight.fall(now, 1);
                queue.sojourn.record(sojourn);
                let fleet = &mut self.fleets[fleet];
                fleet.busy.fall(now, 1);
                fleet.completed += 1;
                if service != fleet.usual {
                    fleet.service.record(service);
                }
            }
            Fact::Received { queue, fleet, wait } => {
                let queue = &mut self.queues[queue];
                queue.in_flight.rise(now, 1);
                if let Some(wait) = wait {
                    queue.wait.record(wait);
                }
                self.fleets[fleet].delivered += 1;
            }
            Fact::OldestUnacked { queue, received } => {
                let (age, since) = self.queues[queue].unacked_age.get_or_insert_default();
                match std::mem::replace(since, received) {
                    Some(born) => age.settle(now, born),
                    None => age.start(now),
                }
            }
            Fact::Began { fleet, handler } => {
                let fleet = &mut self.fleets[fleet];
                fleet.busy.rise(now, 1);
                fleet.executions.began(now, handler);
            }
            Fact::Worked {
                fleet,
                service,
                paused,
                ..
            } => {
                let fleet = &mut self.fleets[fleet];
                fleet.busy.fall(now, 1);
                fleet.service.record(service);
                fleet.executions.worked(service, paused);
            }
            Fact::Succeeded {
                fleet,
                success,
                worked,
                ..
            } => match success {
                Success::First => self.fleets[fleet].executions.succeeded_first(worked),
                Success::Again => self.fleets[fleet].duplicates += 1,
            },
            Fact::Failed { fleet, .. } => self.fleets[fleet].failed += 1,
            Fact::Acknowledged {
                queue,
                fleet,
                from,
                sojourn,
            } => {
                let queue = &mut self.queues[queue];
                queue.sojourn.record(sojourn);
                if from == Place::InFlight {
                    queue.in_flight.fall(now, 1);
                }
                self.fleets[fleet].completed += 1;
            }
            Fact::Delayed { queue } => {
                let queue = &mut self.queues[queue];
                queue.in_flight.fall(now, 1);
                queue.delayed.rise(now, 1);
            }
            Fact::Due { queue } => {
                let queue = &mut self.queues[queue];
                queue.delayed.fall(now, 1);
                queue.retries.count(now);
            }
            Fact::Forestalled { queue } => self.queues[queue].delayed.fall(now, 1),
            Fact::Retried { queue, .. } => self.queues[queue].retries.count(now),
            Fact::ConsumerCrashed { fleet, held, .. } => {
                self.fleets[fleet].crashes += 1;
                self.fleets[fleet].held += u64::from(held);
            }
            Fact::ChannelClosed { fleet, held, .. } => {
                self.fleets[fleet].channels_closed += 1;
                self.fleets[fleet].held += u64::from(held);
            }
            Fact::Crashed { fleet, handler } => {
                let fleet = &mut self.fleets[fleet];
                fleet.busy.fall(now, 1);
                fleet.crashed += 1;
                fleet.executions.crashed(now, handler);
            }
            Fact::Frozen { fleet, handler } => {
                let fleet = &mut self.fleets[fleet];
                fleet.busy.fall(now, 1);
                fleet.executions.froze(now, handler);
            }
            Fact::Thawed { fleet, handler } => {
                let fleet = &mut self.fleets[fleet];
                fleet.busy.rise(now, 1);
                fleet.executions.thawed(now, handler);
            }
            Fact::Returned { queue }
            | Fact::Lapsed { queue }
            | Fact::Lost {
                queue,
                from: Place::InFlight,
            } => self.queues[queue].in_flight.fall(now, 1),
            Fact::Wanted { fleet, from, to } | Fact::Scaled { fleet, from, to } => {
                self.fleets[fleet].sizes.change(now, from, to);
            }
            Fact::Staffed {
                fleet,
                up,
                overtime,
            } => {
                let fleet = &mut self.fleets[fleet];
                fleet.up.set(now, u64::from(up));
                fleet.able.set(now, u64::from(up + overtime));
            }
            Fact::BecameCalm => {
                self.calm = true;
                self.calm_at = Some(now);
            }
            Fact::WarmedUp => self.restart(now),
            // Recorders of their own hear these.
            Fact::Call(_)
            | Fact::Cleared { .. }
            | Fact::Overlapped { .. }
            | Fact::AckLost { .. }
            | Fact::AckRefused { .. }
            | Fact::DeadLettered { .. }
            | Fact::DeadThoughDone { .. }
            | Fact::Redriven { .. }
            | Fact::Moved { .. }
            | Fact::Deduplicated { .. }
            | Fact::ConfirmLost { .. }
            | Fact::Throttled { .. }
            | Fact::RetryRefused { .. }
            | Fact::Reworked { .. }
            | Fact::OutOfOrder { .. }
            | Fact::Ignored { .. }
            | Fact::Acted { .. }
            | Fact::Skipped { .. }
            | Fact::Undone { .. }
            | Fact::ConsumerBack { .. }
            | Fact::RedriveStarted { .. }
            | Fact::RedriveEnded { .. }
            | Fact::Emptied { .. }
            | Fact::Offered { .. }
            | Fact::Rejected { .. }
            | Fact::Postponed { .. }
            | Fact::Abandoned { .. }
            | Fact::Dropped { .. }
            | Fact::Expired { .. }
            | Fact::Lost {
                from: Place::Waiting,
                ..
            }
            | Fact::OutageStarted { .. }
            | Fact::OutageEnded { .. }
            | Fact::Burst { .. }
            | Fact::MemoryFull { .. }
            | Fact::BrokerCrashed { .. }
            | Fact::BrokerBack { .. }
            | Fact::AlertFired { .. }
            | Fact::AlertCleared { .. }
            | Fact::Ended { .. } => {}
        }
    }
}

/// A level from its gauge, over the `span` nanoseconds up to `now`.
pub(in crate::sim) fn level(gauge: &Gauge, now: SimTime, span: u64) -> Level {
    let end = gauge.level() as f64;
    let mean = if span == 0 {
        end
    } else {
        gauge.area(now) as f64 / span as f64
    };
    Level {
        mean,
        max: gauge.most() as f64,
        end,
    }
}

/// Times from their histogram.
pub(in crate::sim) fn times(histogram: &Histogram) -> Times {
    Times {
        count: histogram.count(),
        mean: histogram.mean(),
        p50: histogram.quantile(0.5),
        p90: histogram.quantile(0.9),
        p95: histogram.quantile(0.95),
        p99: histogram.quantile(0.99),
        p999: histogram.quantile(0.999),
        max: histogram.max(),
    }
}
