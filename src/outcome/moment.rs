//! The moments of a timeline: what happened, when, to whom.
//!
//! Not facts: thousands of those happen between two moments that a person wants to read.

use crate::model::{FleetId, ProducerId, QueueId};
use crate::units::{SimDuration, SimTime};

/// One line of the timeline.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moment {
    /// When.
    pub at: SimTime,
    /// To whom.
    pub subject: Subject,
    /// What.
    pub kind: Kind,
}

/// Whom a moment is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// The run itself.
    Run,
    /// A producer.
    Producer(ProducerId),
    /// A queue.
    Queue(QueueId),
    /// A fleet.
    Fleet(FleetId),
    /// An alert, by its place in the model.
    Alert(usize),
}

/// What happened.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// Handlers of a fleet stopped.
    OutageStarted {
        /// How many.
        handlers: u32,
        /// Out of how many.
        of: u32,
    },
    /// They are back.
    OutageEnded {
        /// How many.
        handlers: u32,
        /// Messages waiting in the fleet's queue at that instant.
        waiting: u64,
    },
    /// A fleet changed its size.
    Scaled {
        /// Consumers before.
        from: u32,
        /// Consumers after.
        to: u32,
    },
    /// A queue reached its bound.
    QueueFull {
        /// Messages waiting.
        depth: u64,
    },
    /// A queue that was full has room again, for good (until its bound is next reached).
    RoomAgain {
        /// Messages waiting.
        depth: u64,
    },
    /// The first publish was refused for good.
    FirstRejected,
    /// No publish was refused for good after this one.
    LastRejected {
        /// How many were, in all.
        total: u64,
    },
    /// The first publisher was blocked.
    FirstBlocked,
    /// Nobody is blocked any more.
    Unblocked {
        /// The most that were blocked at once.
        most: u64,
        /// The longest that one was blocked.
        longest: SimDuration,
    },
    /// The first blocked publisher gave up.
    FirstTimedOut,
    /// No blocked publisher gave up after this one.
    LastTimedOut {
        /// How many did, in all.
        total: u64,
    },
    /// The first message was dropped.
    FirstDropped,
    /// No message was dropped after this one.
    LastDropped {
        /// How many were, in all.
        total: u64,
    },
    /// The first message expired.
    FirstExpired,
    /// The broker went down with what it held.
    BrokerCrashed {
        /// Messages lost.
        lost: u64,
    },
    /// The broker is back.
    BrokerBack,
    /// Memory reached its limit, and publishers are blocked.
    MemoryFull {
        /// Bytes held.
        bytes: u64,
    },
    /// No message waits, after the last disturbance.
    Drained,
    /// Many messages came in one instant.
    Burst {
        /// How many.
        messages: u64,
    },
    /// An alert fired.
    AlertFired {
        /// What was read.
        value: f64,
    },
    /// It cleared.
    AlertCleared {
        /// What was read.
        value: f64,
    },
    /// The statistics start here.
    WarmedUp,
    /// The run ended.
    Ended {
        /// Messages that still wait or are in flight.
        unfinished: u64,
    },
}

impl Kind {
    /// The word for it in machine output.
    pub fn word(&self) -> &'static str {
        match self {
            Self::OutageStarted { .. } => "outage_started",
            Self::OutageEnded { .. } => "outage_ended",
            Self::Scaled { .. } => "scaled",
            Self::QueueFull { .. } => "queue_full",
            Self::RoomAgain { .. } => "room_again",
            Self::FirstRejected => "first_rejected",
            Self::LastRejected { .. } => "last_rejected",
            Self::FirstBlocked => "first_blocked",
            Self::Unblocked { .. } => "unblocked",
            Self::FirstTimedOut => "first_timed_out",
            Self::LastTimedOut { .. } => "last_timed_out",
            Self::LastDropped { .. } => "last_dropped",
            Self::FirstDropped => "first_dropped",
            Self::FirstExpired => "first_expired",
            Self::BrokerCrashed { .. } => "broker_crashed",
            Self::BrokerBack => "broker_back",
            Self::MemoryFull { .. } => "memory_full",
            Self::Drained => "drained",
            Self::Burst { .. } => "burst",
            Self::AlertFired { .. } => "alert_fired",
            Self::AlertCleared { .. } => "alert_cleared",
            Self::WarmedUp => "warmed_up",
            Self::Ended { .. } => "ended",
        }
    }
}
