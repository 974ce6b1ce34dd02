//! What one run measured, component by component, as plain data.
//!
//! Not names: those are given to these fields by the [catalogue](super::Catalogue).

use super::calls::{CallerLedger, CallerRecord, DependencyRecord, StationLedger};
use super::moment::Moment;
use super::series::Series;
use crate::model::{CallerId, DependencyId, FleetId, Flow, ProducerId, QueueId, Table};
use crate::units::SimTime;

/// Everything that one replication measured.
#[derive(Clone, Debug)]
pub struct RunRecord {
    /// Which replication, from 0.
    pub replication: u32,
    /// Why and when it ended.
    pub ended: Ended,
    /// From when the statistics were kept.
    pub measured_from: SimTime,
    /// The hash of the whole history: equal digest, equal history.
    pub digest: u64,
    /// Queues, in the order of the model.
    pub queues: Table<QueueId, QueueRecord>,
    /// Producers, in the order of the model.
    pub publishers: Table<ProducerId, PublisherRecord>,
    /// Fleets, in the order of the model.
    pub fleets: Table<FleetId, FleetRecord>,
    /// Dependencies, in the order of the model.
    pub dependencies: Table<DependencyId, DependencyRecord>,
    /// Those who call them, in the order of the model.
    pub callers: Table<CallerId, CallerRecord>,
    /// What happened, in the order of time.
    pub timeline: Vec<Moment>,
    /// Levels and rates over time, when they were asked for.
    pub series: Option<Series>,
    /// How many events were handled.
    pub events: u64,
    /// The ledger of each queue at the end, over the whole run.
    pub queue_ledgers: Table<QueueId, Ledger>,
    /// The ledger of each producer at the end, over the whole run.
    pub publisher_ledgers: Table<ProducerId, Ledger>,
    /// The ledger of each dependency at the end, over the whole run.
    pub dependency_ledgers: Table<DependencyId, StationLedger>,
    /// The ledger of each caller at the end, over the whole run.
    pub caller_ledgers: Table<CallerId, CallerLedger>,
}

/// What came in, what came out, and what is still held, over the whole run (rule B1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ledger {
    /// Counts since the start of the run.
    pub flows: Flows,
    /// Publishers blocked at the end.
    pub blocked: u64,
    /// Publishes that wait to be retried at the end.
    pub postponed: u64,
    /// Messages waiting at the end.
    pub waiting: u64,
    /// Messages that wait with the broker for their next attempt at the end.
    pub delayed: u64,
    /// Messages in flight at the end; of a producer that calls a dependency itself, requests.
    pub in_flight: u64,
}

/// Why and when a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ended {
    /// Why.
    pub why: Why,
    /// When.
    pub at: SimTime,
}

/// Why a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// No message waits and no publisher is blocked any more.
    Drained,
    /// The sources have ended and every message has reached its end.
    Settled,
    /// The stated duration is over.
    Duration,
    /// The horizon came first: the result is partial.
    Horizon,
    /// Too many messages were alive at once: the result is partial.
    MessageLimit,
    /// Too many events were handled: the result is partial.
    EventLimit,
}

impl Why {
    /// The word for it in machine output.
    pub fn word(self) -> &'static str {
        match self {
            Self::Drained => "drained",
            Self::Settled => "settled",
            Self::Duration => "duration",
            Self::Horizon => "horizon",
            Self::MessageLimit => "message_limit",
            Self::EventLimit => "event_limit",
        }
    }

    /// The reason of that word.
    pub fn named(word: &str) -> Option<Self> {
        let all = [
            Self::Drained,
            Self::Settled,
            Self::Duration,
            Self::Horizon,
            Self::MessageLimit,
            Self::EventLimit,
        ];
        all.into_iter().find(|why| why.word() == word)
    }

    /// What ends a run, as that which stops it.
    pub fn stopper(self) -> &'static str {
        match self {
            Self::Drained => "empty queues",
            Self::Settled => "the end of its messages",
            Self::Duration => "the end of its time",
            Self::Horizon => "the horizon",
            Self::MessageLimit => "the limit on messages alive at once",
            Self::EventLimit => "the limit on events",
        }
    }

    /// Whether a limit stopped the run before its own end.
    pub fn is_partial(self) -> bool {
        match self {
            Self::Drained | Self::Settled | Self::Duration => false,
            Self::Horizon | Self::MessageLimit | Self::EventLimit => true,
        }
    }
}

/// Counts of what became of publishes and messages, in the measured time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flows {
    /// Publishes meant to be made.
    pub offered: u64,
    /// Publishes taken.
    pub accepted: u64,
    /// Publishes refused for good.
    pub rejected: u64,
    /// Publishes that waited for room in vain.
    pub timed_out: u64,
    /// Publishes given up after their retries.
    pub abandoned: u64,
    /// Retries made: publishes tried again, and failed work begun again.
    pub retries: u64,
    /// Retries not made, since a budget did not allow them.
    pub retries_refused: u64,
    /// Publishes that were blocked at some time.
    pub blocked_ever: u64,
    /// Messages dropped by a full queue.
    pub dropped: u64,
    /// Messages that outlived their retention or time to live.
    pub expired: u64,
    /// Messages lost with the broker.
    pub lost: u64,
    /// Deliveries, the first of a message and later ones.
    pub delivered: u64,
    /// Deliveries after the first of a message.
    pub redelivered: u64,
    /// Messages done.
    pub completed: u64,
    /// Messages that came from other queues as dead letters.
    pub dead_letters: u64,
    /// Messages that left for the dead-letter queue.
    pub dead_lettered: u64,
    /// Those of them whose last delivery ran out of time while a consumer still had it.
    pub dead_lettered_slow: u64,
    /// Those whose last attempt failed.
    pub dead_lettered_failed: u64,
    /// Those whose last consumer crashed, or whose last acknowledgement was lost.
    pub dead_lettered_crashed: u64,
    /// Those that expired.
    pub dead_lettered_expired: u64,
    /// Those for which a full queue had no room.
    pub dead_lettered_dropped: u64,
    /// Those of them on which some attempt had succeeded.
    pub dead_lettered_done: u64,
    /// Messages that left a dead-letter queue for where they came from.
    pub redriven: u64,
    /// Messages that came back from a dead-letter queue.
    pub redriven_in: u64,
    /// Accepted publishes that were known already, and swallowed.
    pub deduplicated: u64,
    /// Attempts that failed.
    pub failed: u64,
    /// Those of them that no further attempt gets over.
    pub failed_for_good: u64,
    /// Attempts that succeeded on a message on which another had.
    pub duplicates: u64,
    /// Deliveries whose visibility lapsed.
    pub lapsed: u64,
    /// Attempts that began while another worked on the same message.
    pub overlaps: u64,
    /// Acknowledgements lost on their way.
    pub acks_lost: u64,
    /// Acknowledgements refused since they came too late.
    pub acks_refused: u64,
    /// Confirms lost on their way to the producer.
    pub confirms_lost: u64,
    /// Calls refused or put off, since those of their window were used up.
    pub throttled: u64,
    /// Messages done after one that was accepted later.
    pub out_of_order: u64,
    /// Messages done after one of the same key that was accepted later.
    pub out_of_order_by_key: u64,
    /// Messages that a version guard ignored.
    pub ignored: u64,
    /// Effects on the world outside.
    pub effects: u64,
    /// Effects after the first of a message.
    pub duplicate_effects: u64,
    /// Attempts that found their message acted on, and did nothing.
    pub skipped: u64,
    /// Messages that reached their end without an effect.
    pub undone: u64,
}

impl Flows {
    /// What has been counted since `before`.
    #[must_use]
    pub fn since(&self, before: &Self) -> Self {
        Self {
            offered: self.offered - before.offered,
            accepted: self.accepted - before.accepted,
            rejected: self.rejected - before.rejected,
            timed_out: self.timed_out - before.timed_out,
            abandoned: self.abandoned - before.abandoned,
            retries: self.retries - before.retries,
            retries_refused: self.retries_refused - before.retries_refused,
            blocked_ever: self.blocked_ever - before.blocked_ever,
            dropped: self.dropped - before.dropped,
            expired: self.expired - before.expired,
            lost: self.lost - before.lost,
            delivered: self.delivered - before.delivered,
            redelivered: self.redelivered - before.redelivered,
            completed: self.completed - before.completed,
            dead_letters: self.dead_letters - before.dead_letters,
            dead_lettered: self.dead_lettered - before.dead_lettered,
            dead_lettered_slow: self.dead_lettered_slow - before.dead_lettered_slow,
            dead_lettered_failed: self.dead_lettered_failed - before.dead_lettered_failed,
            dead_lettered_crashed: self.dead_lettered_crashed - before.dead_lettered_crashed,
            dead_lettered_expired: self.dead_lettered_expired - before.dead_lettered_expired,
            dead_lettered_dropped: self.dead_lettered_dropped - before.dead_lettered_dropped,
            dead_lettered_done: self.dead_lettered_done - before.dead_lettered_done,
            redriven: self.redriven - before.redriven,
            redriven_in: self.redriven_in - before.redriven_in,
            deduplicated: self.deduplicated - before.deduplicated,
            failed: self.failed - before.failed,
            failed_for_good: self.failed_for_good - before.failed_for_good,
            duplicates: self.duplicates - before.duplicates,
            lapsed: self.lapsed - before.lapsed,
            overlaps: self.overlaps - before.overlaps,
            acks_lost: self.acks_lost - before.acks_lost,
            acks_refused: self.acks_refused - before.acks_refused,
            confirms_lost: self.confirms_lost - before.confirms_lost,
            throttled: self.throttled - before.throttled,
            out_of_order: self.out_of_order - before.out_of_order,
            out_of_order_by_key: self.out_of_order_by_key - before.out_of_order_by_key,
            ignored: self.ignored - before.ignored,
            effects: self.effects - before.effects,
            duplicate_effects: self.duplicate_effects - before.duplicate_effects,
            skipped: self.skipped - before.skipped,
            undone: self.undone - before.undone,
        }
    }

    /// The count that an alert watches.
    pub fn of(&self, flow: Flow) -> u64 {
        match flow {
            Flow::Offered => self.offered,
            Flow::Accepted => self.accepted,
            Flow::Rejected => self.rejected,
            Flow::TimedOut => self.timed_out,
            Flow::Abandoned => self.abandoned,
            Flow::Retries => self.retries,
            Flow::RetriesRefused => self.retries_refused,
            Flow::Dropped => self.dropped,
            Flow::Expired => self.expired,
            Flow::Lost => self.lost,
            Flow::Delivered => self.delivered,
            Flow::Redelivered => self.redelivered,
            Flow::Completed => self.completed,
            Flow::DeadLetters => self.dead_letters,
            Flow::DeadLettered => self.dead_lettered,
            Flow::DeadLetteredDone => self.dead_lettered_done,
            Flow::Redriven => self.redriven,
            Flow::RedrivenIn => self.redriven_in,
            Flow::Deduplicated => self.deduplicated,
            Flow::Failed => self.failed,
            Flow::FailedForGood => self.failed_for_good,
            Flow::Duplicates => self.duplicates,
            Flow::Lapsed => self.lapsed,
            Flow::Overlaps => self.overlaps,
            Flow::AcksLost => self.acks_lost,
            Flow::AcksRefused => self.acks_refused,
            Flow::Throttled => self.throttled,
            Flow::OutOfOrder => self.out_of_order,
            Flow::OutOfOrderByKey => self.out_of_order_by_key,
            Flow::Ignored => self.ignored,
            Flow::Effects => self.effects,
            Flow::DuplicateEffects => self.duplicate_effects,
            Flow::Skipped => self.skipped,
            Flow::Undone => self.undone,
        }
    }
}

/// A level over the measured time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Level {
    /// Its average over time.
    pub mean: f64,
    /// Its highest value.
    pub max: f64,
    /// Its value at the end.
    pub end: f64,
}

/// Observed times in seconds; `None` everywhere when there was none.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Times {
    /// How many were observed.
    pub count: u64,
    /// Their mean.
    pub mean: Option<f64>,
    /// Their median.
    pub p50: Option<f64>,
    /// Nine in ten are no longer.
    pub p90: Option<f64>,
    /// 95 in 100 are no longer.
    pub p95: Option<f64>,
    /// 99 in 100 are no longer.
    pub p99: Option<f64>,
    /// 999 in 1,000 are no longer.
    pub p999: Option<f64>,
    /// The longest.
    pub max: Option<f64>,
}

/// What was measured of a queue.
#[derive(Clone, Copy, Debug, Default)]
pub struct QueueRecord {
    /// Counts.
    pub flows: Flows,
    /// Messages waiting.
    pub depth: Level,
    /// Messages delivered and not yet acknowledged.
    pub in_flight: Level,
    /// Age of the oldest waiting message, in seconds.
    pub lag: Level,
    /// Publishers blocked at this queue.
    pub blocked: Level,
    /// Messages that wait with the broker for their next attempt.
    pub delayed: Level,
    /// Age of the oldest unacknowledged delivery, in seconds; `None` where none is told.
    pub unacked_age: Option<Level>,
    /// Bytes of waiting and in-flight messages.
    pub memory: Level,
    /// From meant to be published to accepted.
    pub publish_latency: Times,
    /// From accepted to first delivered.
    pub wait: Times,
    /// From meant to be published to completed.
    pub sojourn: Times,
    /// How long blocked publishes were blocked.
    pub block_time: Times,
    /// When it first reached its bound.
    pub full_at: Option<SimTime>,
    /// The first instant, after the last disturbance has ended, at which no message waits.
    pub drained_at: Option<SimTime>,
    /// The instant from which on nobody was blocked any more.
    pub unblocked_at: Option<SimTime>,
    /// When goodput was back for good after the last disturbance.
    pub recovered_at: Option<SimTime>,
    /// From the end of the last disturbance to `drained_at`, in seconds.
    pub recovery_time: Option<f64>,
    /// The most retries that came in one tenth of a second: publishes tried again, and messages
    /// that were due for their next attempt.
    pub peak_retries: u64,
    /// Completed messages a second.
    pub goodput: f64,
}

/// What was measured of someone who publishes.
#[derive(Clone, Copy, Debug, Default)]
pub struct PublisherRecord {
    /// Counts (of publishes; a copy to each queue is one).
    pub flows: Flows,
    /// Publishers blocked.
    pub blocked: Level,
    /// Blocked publishers summed over time, in seconds.
    pub blocked_seconds: f64,
    /// From meant to be published to accepted.
    pub publish_latency: Times,
    /// How long blocked publishes were blocked.
    pub block_time: Times,
    /// The instant from which on none was blocked any more.
    pub unblocked_at: Option<SimTime>,
}

/// What was measured of a fleet.
#[derive(Clone, Copy, Debug, Default)]
pub struct FleetRecord {
    /// Deliveries to it.
    pub delivered: u64,
    /// Messages that it completed.
    pub completed: u64,
    /// Attempts that failed.
    pub failed: u64,
    /// Attempts that succeeded on a message on which another had.
    pub duplicates: u64,
    /// Executions that a crash ended.
    pub crashed: u64,
    /// Consumers that crashed.
    pub crashes: u64,
    /// Channels of consumers that the broker closed.
    pub channels_closed: u64,
    /// Messages in the hands of consumers that crashed or whose channel was closed.
    pub held: u64,
    /// Handlers at work.
    pub busy: Level,
    /// Handlers that could work.
    pub up: Level,
    /// Consumers wanted, those that start up included; `None` when the size is fixed.
    pub consumers: Option<Level>,
    /// Consumers wanted, summed over time, in hours; `None` when the size is fixed.
    pub consumer_hours: Option<f64>,
    /// Changes of the number of consumers.
    pub size_changes: u64,
    /// Changes of it in the other direction than the one before.
    pub reversals: u64,
    /// Time at work over time able to work; `None` when it was never able to.
    pub utilization: Option<f64>,
    /// The share of the time of ended executions that went into no first success; `None` where
    /// executions are not told apart from messages.
    pub wasted_work: Option<f64>,
    /// Completed messages a second.
    pub goodput: f64,
    /// Service times of completed executions.
    pub service: Times,
}
