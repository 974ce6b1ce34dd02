//! Waits, levels and instants of every component, in constant memory; and the check of Little's
//! law (rule B3).
//!
//! Not counts: those are the ledger's.

use crate::model::{FleetId, Model, ProducerId, QueueId, Table};
use crate::outcome::{Level, Times};
use crate::sim::fact::{Fact, Place};
use crate::sim::recorder::Recorder;
use crate::stats::{AgeGauge, Gauge, Histogram};
use crate::units::{SimDuration, SimTime};

/// The statistics of a run.
#[derive(Debug)]
pub(in crate::sim) struct Statistics {
    pub(in crate::sim) from: SimTime,
    calm: bool,
    pub(in crate::sim) queues: Table<QueueId, QueueStatistics>,
    pub(in crate::sim) publishers: Table<ProducerId, PublisherStatistics>,
    pub(in crate::sim) fleets: Table<FleetId, FleetStatistics>,
}

/// Of a queue.
#[derive(Debug, Default)]
pub(in crate::sim) struct QueueStatistics {
    pub(in crate::sim) depth: Gauge,
    pub(in crate::sim) in_flight: Gauge,
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
                &mut queue.blocked,
                &mut queue.memory,
            ] {
                gauge.restart(now);
            }
            queue.lag.restart(now);
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
            Fact::Crashed { fleet, .. } => {
                self.fleets[fleet].busy.fall(now, 1);
                self.fleets[fleet].crashed += 1;
            }
            Fact::Frozen { fleet, .. } => self.fleets[fleet].busy.fall(now, 1),
            Fact::Thawed { fleet, .. } => self.fleets[fleet].busy.rise(now, 1),
            Fact::Returned { queue }
            | Fact::Lost {
                queue,
                from: Place::InFlight,
            } => self.queues[queue].in_flight.fall(now, 1),
            Fact::Staffed {
                fleet,
                up,
                overtime,
            } => {
                let fleet = &mut self.fleets[fleet];
                fleet.up.set(now, u64::from(up));
                fleet.able.set(now, u64::from(up + overtime));
            }
            Fact::BecameCalm => self.calm = true,
            Fact::WarmedUp => self.restart(now),
            Fact::Cleared { .. }
            | Fact::Emptied { .. }
            | Fact::Offered { .. }
            | Fact::Rejected { .. }
            | Fact::Postponed { .. }
            | Fact::Retried { .. }
            | Fact::Abandoned { .. }
            | Fact::Dropped { .. }
            | Fact::Expired { .. }
            | Fact::Lost {
                from: Place::Waiting,
                ..
            }
            | Fact::OutageStarted { .. }
            | Fact::OutageEnded { .. }
            | Fact::Scaled { .. }
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
