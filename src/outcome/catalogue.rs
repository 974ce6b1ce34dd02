//! The catalogue of metrics: each defined in one place, with its name, unit, meaning, and how it
//! is read from a record.
//!
//! Not the values: a [`Measures`](super::Measures) holds those, in the order of a catalogue.

use super::record::{FleetRecord, Flows, Level, PublisherRecord, QueueRecord, RunRecord, Times};
use crate::model::{Model, Origin};
use crate::units::SimTime;

/// What a metric is measured in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// A whole number of messages, publishes, or publishers.
    Count,
    /// A number that need not be whole: a level averaged over time.
    Number,
    /// Seconds.
    Seconds,
    /// An instant, in seconds since the start of the run.
    Instant,
    /// A share between 0 and 1.
    Ratio,
    /// Events a second.
    PerSecond,
    /// Bytes.
    Bytes,
}

impl Unit {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Count => "count",
            Self::Number => "number",
            Self::Seconds => "seconds",
            Self::Instant => "instant (seconds since the start)",
            Self::Ratio => "ratio",
            Self::PerSecond => "per second",
            Self::Bytes => "bytes",
        }
    }
}

/// One metric of a kind of component.
#[derive(Clone, Copy, Debug)]
pub struct Definition<R> {
    /// Its name behind the component's: `wait`, which stands for `wait.mean`, `wait.p50` …
    pub name: &'static str,
    /// What it means.
    pub doc: &'static str,
    /// How it is read.
    pub read: Reading<R>,
}

/// How a metric is read from a record of type `R`.
#[derive(Clone, Copy, Debug)]
pub enum Reading<R> {
    /// A count.
    Count(fn(&R) -> u64),
    /// A level, which has `.mean`, `.max` and `.end`, absent when it has no meaning.
    Level(Unit, fn(&R) -> Option<Level>),
    /// Times, which have `.mean`, `.p50` … `.max`.
    Times(fn(&R) -> Times),
    /// An instant, absent when it did not come.
    Instant(fn(&R) -> Option<SimTime>),
    /// One number of a unit, absent when it has no meaning.
    One(Unit, fn(&R) -> Option<f64>),
}

const LEVELS: [&str; 3] = ["mean", "max", "end"];
const TIMES: [&str; 7] = ["mean", "p50", "p90", "p95", "p99", "p999", "max"];

impl<R> Definition<R> {
    /// The full names behind the component's, with their units.
    pub fn names(&self) -> Vec<(String, Unit)> {
        let with = |parts: &[&str], unit| {
            parts
                .iter()
                .map(|part| (format!("{}.{part}", self.name), unit))
                .collect()
        };
        let one = |unit| vec![(self.name.to_owned(), unit)];
        match self.read {
            Reading::Count(_) => one(Unit::Count),
            Reading::Level(unit, _) => with(&LEVELS, unit),
            Reading::Times(_) => with(&TIMES, Unit::Seconds),
            Reading::Instant(_) => one(Unit::Instant),
            Reading::One(unit, _) => one(unit),
        }
    }

    fn values(&self, record: &R, into: &mut Vec<Option<f64>>) {
        match self.read {
            Reading::Count(read) => into.push(Some(read(record) as f64)),
            Reading::Level(_, read) => {
                let level = read(record);
                into.extend([
                    level.map(|level| level.mean),
                    level.map(|level| level.max),
                    level.map(|level| level.end),
                ]);
            }
            Reading::Times(read) => {
                let t = read(record);
                into.extend([t.mean, t.p50, t.p90, t.p95, t.p99, t.p999, t.max]);
            }
            Reading::Instant(read) => into.push(read(record).map(SimTime::as_secs_f64)),
            Reading::One(_, read) => into.push(read(record)),
        }
    }
}

macro_rules! define {
    ($($name:literal $read:expr, $doc:literal;)*) => {
        &[$(Definition { name: $name, doc: $doc, read: $read }),*]
    };
}

mod calls;

use calls::{CALLER, DEPENDENCY};

/// Deliveries over first deliveries.
fn deliveries_per_message(flows: &Flows) -> Option<f64> {
    let messages = flows.delivered - flows.redelivered.min(flows.delivered);
    (messages > 0).then(|| flows.delivered as f64 / messages as f64)
}

fn share_rejected(flows: &Flows) -> Option<f64> {
    (flows.offered > 0).then(|| flows.rejected as f64 / flows.offered as f64)
}

/// The metrics of a queue.
const QUEUE: &[Definition<QueueRecord>] = define! {
    "offered" Reading::Count(|q| q.flows.offered), "publishes meant for the queue";
    "accepted" Reading::Count(|q| q.flows.accepted), "publishes that it took";
    "rejected" Reading::Count(|q| q.flows.rejected), "publishes refused for good: the queue was full, its memory, or the connections";
    "timed_out" Reading::Count(|q| q.flows.timed_out), "publishes that were blocked until their timeout";
    "abandoned" Reading::Count(|q| q.flows.abandoned), "publishes given up after their retries";
    "retries" Reading::Count(|q| q.flows.retries), "retries made: publishes tried again, and failed work begun again";
    "retries_refused" Reading::Count(|q| q.flows.retries_refused), "retries that were not made, since a budget did not allow them";
    "dropped" Reading::Count(|q| q.flows.dropped), "accepted messages that a full queue dropped";
    "expired" Reading::Count(|q| q.flows.expired), "messages that outlived `retention`, or `ttl` at delivery";
    "lost" Reading::Count(|q| q.flows.lost), "messages lost with the broker";
    "delivered" Reading::Count(|q| q.flows.delivered), "deliveries to a handler, redeliveries included";
    "redelivered" Reading::Count(|q| q.flows.redelivered), "deliveries after the first of a message";
    "completed" Reading::Count(|q| q.flows.completed), "messages done";
    "failed" Reading::Count(|q| q.flows.failed), "attempts that failed";
    "failed_for_good" Reading::Count(|q| q.flows.failed_for_good), "failed attempts, those on messages on which every attempt fails (`permanent`, poison): more tries only cost; the messages that are given up are `dead_lettered` or `dropped`";
    "duplicates" Reading::Count(|q| q.flows.duplicates), "attempts that succeeded on a message on which another had: work done twice";
    "lapsed" Reading::Count(|q| q.flows.lapsed), "deliveries whose visibility timeout lapsed";
    "overlaps" Reading::Count(|q| q.flows.overlaps), "attempts that began while another worked on the same message: two consumers on one message at once";
    "acks_lost" Reading::Count(|q| q.flows.acks_lost), "acknowledgements lost on their way";
    "acks_refused" Reading::Count(|q| q.flows.acks_refused), "acknowledgements refused, since the delivery had lapsed";
    "dead_letters" Reading::Count(|q| q.flows.dead_letters), "messages that came to the queue as dead letters of others";
    "dead_lettered" Reading::Count(|q| q.flows.dead_lettered), "messages that left the queue for its dead-letter queue";
    "dead_lettered_slow" Reading::Count(|q| q.flows.dead_lettered_slow), "those of them that ran out of deliveries the last time because it took longer than the broker waits (visibility or acknowledgement timeout), while a consumer still had the message: the work might have succeeded";
    "dead_lettered_failed" Reading::Count(|q| q.flows.dead_lettered_failed), "those that failed the last time, or were given up by a consumer: faults, poison, retries used up";
    "dead_lettered_crashed" Reading::Count(|q| q.flows.dead_lettered_crashed), "those that came back the last time with nobody at work on them: the consumer had crashed, or its acknowledgement was lost";
    "dead_lettered_expired" Reading::Count(|q| q.flows.dead_lettered_expired), "those that outlived their retention or time to live";
    "dead_lettered_dropped" Reading::Count(|q| q.flows.dead_lettered_dropped), "those for which there was no room in a full queue";
    "dead_lettered_done" Reading::Count(|q| q.flows.dead_lettered_done), "those of them on which some attempt had succeeded: work done, and the message a dead letter all the same";
    "redriven" Reading::Count(|q| q.flows.redriven), "messages that left the queue, a dead-letter queue, for where they came from";
    "redriven_in" Reading::Count(|q| q.flows.redriven_in), "messages that came back to the queue from a dead-letter queue";
    "deduplicated" Reading::Count(|q| q.flows.deduplicated), "accepted publishes that were known already, and swallowed";
    "throttled" Reading::Count(|q| q.flows.throttled), "publishes refused (each message of a refused call is one), receives and acknowledgements put off, and attempts that failed, since the calls of their window were used up; a receive counts at each look at the line (whenever a message comes or a handler is free) that finds a message, a free handler, and no call left, so several of them may be one handler that waits";
    "out_of_order" Reading::Count(|q| q.flows.out_of_order), "messages done after one that was accepted later";
    "out_of_order_by_key" Reading::Count(|q| q.flows.out_of_order_by_key), "messages done after one of the same key that was accepted later";
    "ignored" Reading::Count(|q| q.flows.ignored), "messages that a version guard ignored: older than the last one applied of their key";
    "effects" Reading::Count(|q| q.flows.effects), "effects on the world outside";
    "duplicate_effects" Reading::Count(|q| q.flows.duplicate_effects), "effects after the first of a message";
    "skipped" Reading::Count(|q| q.flows.skipped), "attempts that found their message acted on, or being acted on, and did nothing";
    "undone" Reading::Count(|q| q.flows.undone), "messages that reached their end, and nothing had acted for them";
    "peak_retries_per_100ms" Reading::Count(|q| q.peak_retries), "most retries within one tenth of a second of the clock: publishes tried again, and messages due for their next attempt";
    "depth" Reading::Level(Unit::Number, |q| Some(q.depth)), "messages waiting (ready, not in flight)";
    "in_flight" Reading::Level(Unit::Number, |q| Some(q.in_flight)), "messages that a consumer holds: delivered, not acknowledged yet, and not visible again either; one whose visibility timeout has lapsed waits again, though its consumer may still work on it";
    "delayed" Reading::Level(Unit::Number, |q| Some(q.delayed)), "messages that wait with the broker until their next attempt is due";
    "lag" Reading::Level(Unit::Seconds, |q| Some(q.lag)), "age of the oldest waiting message, since it was accepted";
    "unacked_age" Reading::Level(Unit::Seconds, |q| q.unacked_age), "age of the oldest delivery that is not acknowledged; absent where consumers hold no leases";
    "blocked" Reading::Level(Unit::Number, |q| Some(q.blocked)), "publishers blocked at the queue";
    "memory" Reading::Level(Unit::Bytes, |q| Some(q.memory)), "bytes of waiting and in-flight messages";
    "publish_latency" Reading::Times(|q| q.publish_latency), "from the instant the publish was meant to happen to its acceptance";
    "wait" Reading::Times(|q| q.wait), "from acceptance to first delivery";
    "sojourn" Reading::Times(|q| q.sojourn), "from the instant the publish was meant to happen to completion, time blocked included";
    "block_time" Reading::Times(|q| q.block_time), "how long blocked publishes were blocked, those that timed out included";
    "full_at" Reading::Instant(|q| q.full_at), "when the queue first reached its bound";
    "drained_at" Reading::Instant(|q| q.drained_at), "first instant, after the last scheduled disturbance has ended (an outage, a crash at an instant, a repair, the start of a redrive, a change of rate or size), at which no message waits and nobody is blocked, before the publishes of that instant";
    "recovery_time" Reading::One(Unit::Seconds, |q| q.recovery_time), "from the end of the last scheduled disturbance to `drained_at`; with a redrive after an outage it counts from the start of the redrive, and not from the outage";
    "recovered_at" Reading::Instant(|q| q.recovered_at), "start of the first window of `recovery`, after the last disturbance has ended, from which on goodput stayed at the level before; absent when it never came back, or nothing disturbed";
    "unblocked_at" Reading::Instant(|q| q.unblocked_at), "instant from which on nobody was blocked any more";
    "rejected_share" Reading::One(Unit::Ratio, |q| share_rejected(&q.flows)), "rejected over offered";
    "deliveries_per_message" Reading::One(Unit::Number, |q| deliveries_per_message(&q.flows)), "deliveries over first deliveries: 1 when none is delivered again";
    "goodput" Reading::One(Unit::PerSecond, |q| Some(q.goodput)), "completed messages a second";
};

/// The metrics of a producer, and of a fleet as one who publishes.
const PUBLISHER: &[Definition<PublisherRecord>] = define! {
    "offered" Reading::Count(|p| p.flows.offered), "publishes meant to be made (a copy to each queue is one)";
    "accepted" Reading::Count(|p| p.flows.accepted), "publishes that a queue took";
    "rejected" Reading::Count(|p| p.flows.rejected), "publishes refused for good";
    "timed_out" Reading::Count(|p| p.flows.timed_out), "publishes that were blocked until their timeout";
    "abandoned" Reading::Count(|p| p.flows.abandoned), "publishes given up after their retries";
    "retries" Reading::Count(|p| p.flows.retries), "publishes tried again";
    "blocked_ever" Reading::Count(|p| p.flows.blocked_ever), "publishes that were blocked at some time";
    "confirms_lost" Reading::Count(|p| p.flows.confirms_lost), "confirms of accepted publishes lost on their way: published again";
    "blocked" Reading::Level(Unit::Number, |p| Some(p.blocked)), "publishers (connections) blocked";
    "blocked_seconds" Reading::One(Unit::Seconds, |p| Some(p.blocked_seconds)), "blocked publishers summed over time: connection-seconds held";
    "publish_latency" Reading::Times(|p| p.publish_latency), "from the instant the publish was meant to happen to its acceptance";
    "block_time" Reading::Times(|p| p.block_time), "how long blocked publishes were blocked, those that timed out included";
    "unblocked_at" Reading::Instant(|p| p.unblocked_at), "instant from which on none was blocked any more";
    "rejected_share" Reading::One(Unit::Ratio, |p| share_rejected(&p.flows)), "rejected over offered";
};

/// The metrics of a fleet as one that works.
const FLEET: &[Definition<FleetRecord>] = define! {
    "delivered" Reading::Count(|f| f.delivered), "deliveries to the fleet";
    "completed" Reading::Count(|f| f.completed), "messages that it completed";
    "failed" Reading::Count(|f| f.failed), "attempts that failed";
    "duplicates" Reading::Count(|f| f.duplicates), "attempts that succeeded on a message on which another had";
    "crashed" Reading::Count(|f| f.crashed), "executions that a crash ended";
    "crashes" Reading::Count(|f| f.crashes), "consumers that crashed";
    "channels_closed" Reading::Count(|f| f.channels_closed), "consumers whose channel the broker closed: a delivery was unacknowledged for too long";
    "held" Reading::Count(|f| f.held), "messages in the hands of consumers that crashed, or whose channel was closed";
    "busy" Reading::Level(Unit::Number, |f| Some(f.busy)), "handlers at work";
    "up" Reading::Level(Unit::Number, |f| Some(f.up)), "handlers able to work: neither stopped by an outage nor scaled away";
    "consumers" Reading::Level(Unit::Number, |f| f.consumers), "consumers wanted, those that start up included; absent for a fleet of one size";
    "consumer_hours" Reading::One(Unit::Number, |f| f.consumer_hours), "consumers wanted, summed over the measured time, in hours; absent for a fleet of one size";
    "size_changes" Reading::Count(|f| f.size_changes), "changes of the number of consumers wanted";
    "reversals" Reading::Count(|f| f.reversals), "changes of it in the other direction than the one before: oscillation";
    "utilization" Reading::One(Unit::Ratio, |f| f.utilization), "time at work over time able to work";
    "wasted_work" Reading::One(Unit::Ratio, |f| f.wasted_work), "share of handlers' time, in executions that have ended, that went into no first success on a message: failures, duplicates, crashes, pauses of retries in place";
    "goodput" Reading::One(Unit::PerSecond, |f| Some(f.goodput)), "completed messages a second";
    "service" Reading::Times(|f| f.service), "service times of completed executions";
};

/// A metric as it is listed for people.
#[derive(Clone, Debug)]
pub struct MetricInfo {
    /// Its name with a placeholder: `queues.NAME.wait.p99`.
    pub name: String,
    /// Its unit.
    pub unit: Unit,
    /// What it means.
    pub doc: &'static str,
}

/// Every metric there is, for `list metrics` and `explain`.
pub fn definitions() -> Vec<MetricInfo> {
    fn all<R>(section: &str, list: &[Definition<R>]) -> Vec<MetricInfo> {
        let named = |definition: &Definition<R>| {
            let info = |(name, unit)| MetricInfo {
                name: format!("{section}.NAME.{name}"),
                unit,
                doc: definition.doc,
            };
            definition.names().into_iter().map(info).collect::<Vec<_>>()
        };
        list.iter().flat_map(named).collect()
    }
    let mut list = all("producers", PUBLISHER);
    list.extend(all("queues", QUEUE));
    list.extend(all("consumers", FLEET));
    list.extend(all("dependencies", DEPENDENCY));
    let calls = CALLER;
    for section in ["producers", "consumers"] {
        let named = all(section, calls).into_iter();
        list.extend(named.map(|info| MetricInfo {
            name: info.name.replacen("NAME.", "NAME.calls.", 1),
            ..info
        }));
    }
    list
}

/// The metrics of one model, in a fixed order.
#[derive(Clone, Debug)]
pub struct Catalogue {
    entries: Vec<(String, Unit)>,
    /// The places of the entries, by name: a model of thousands of components is asked for each.
    by_name: Vec<usize>,
}

impl Catalogue {
    /// The metrics of `model`: producers, queues, fleets, each in the order of the model. A fleet
    /// that publishes has the publisher's metrics under its own name. Then dependencies, and those
    /// who call them, under `calls` of their own names.
    pub fn of(model: &Model) -> Self {
        fn add<R>(to: &mut Vec<(String, Unit)>, component: &str, list: &[Definition<R>]) {
            for (name, unit) in list.iter().flat_map(Definition::names) {
                to.push((format!("{component}.{name}"), unit));
            }
        }
        let mut entries = Vec::new();
        for producer in &model.producers {
            debug_assert!(
                producer.name.starts_with("consumers.")
                    == matches!(producer.origin, Origin::Fleet(_))
            );
            add(&mut entries, &producer.name, PUBLISHER);
        }
        model
            .queues
            .iter()
            .for_each(|queue| add(&mut entries, &queue.name, QUEUE));
        model
            .fleets
            .iter()
            .for_each(|fleet| add(&mut entries, &fleet.name, FLEET));
        model
            .dependencies
            .iter()
            .for_each(|it| add(&mut entries, &it.name, DEPENDENCY));
        model
            .callers
            .iter()
            .for_each(|it| add(&mut entries, &format!("{}.calls", it.name), CALLER));
        let mut by_name: Vec<usize> = (0..entries.len()).collect();
        by_name.sort_unstable_by_key(|place| &entries[*place].0);
        Self { entries, by_name }
    }

    /// Names and units, in order.
    pub fn entries(&self) -> &[(String, Unit)] {
        &self.entries
    }

    /// The place of a metric.
    pub fn position(&self, name: &str) -> Option<usize> {
        let name_at = |place: &usize| self.entries[*place].0.as_str();
        let found = self
            .by_name
            .binary_search_by(|place| name_at(place).cmp(name));
        found.ok().map(|at| self.by_name[at])
    }

    /// The values of a record, in order.
    pub fn read(record: &RunRecord) -> Vec<Option<f64>> {
        fn all<R>(to: &mut Vec<Option<f64>>, record: &R, list: &[Definition<R>]) {
            for definition in list {
                definition.values(record, to);
            }
        }
        let mut values = Vec::new();
        record
            .publishers
            .iter()
            .for_each(|one| all(&mut values, one, PUBLISHER));
        record
            .queues
            .iter()
            .for_each(|one| all(&mut values, one, QUEUE));
        record
            .fleets
            .iter()
            .for_each(|one| all(&mut values, one, FLEET));
        record
            .dependencies
            .iter()
            .for_each(|one| all(&mut values, one, DEPENDENCY));
        record
            .callers
            .iter()
            .for_each(|one| all(&mut values, one, CALLER));
        values
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Flow;

    #[test]
    fn what_an_alert_counts_is_a_metric_of_a_queue() {
        let known = definitions();
        for (name, flow) in Flow::ALL {
            let full = format!("queues.NAME.{name}");
            let info = known.iter().find(|info| info.name == full).expect(&full);
            assert_eq!((info.unit, flow.name()), (Unit::Count, name));
        }
    }

    #[test]
    fn a_metric_has_one_definition() {
        let mut names: Vec<_> = definitions().into_iter().map(|info| info.name).collect();
        let all = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), all);
    }
}
