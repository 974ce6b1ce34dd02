//! The moments of a timeline: what happened, when, to whom.
//!
//! Not facts: thousands of those happen between two moments that a person wants to read.

use crate::model::{CallerId, DependencyId, FleetId, ProducerId, QueueId};
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
    /// A dependency.
    Dependency(DependencyId),
    /// A fleet, or a producer, as one who calls a dependency.
    Caller(CallerId),
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
    /// A rule changed a fleet's size, in one direction.
    Resized {
        /// Consumers before.
        from: u32,
        /// Consumers after.
        to: u32,
        /// How long that took.
        took: SimDuration,
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
    /// Something happened for the first time that happens again and again.
    First(Repeated),
    /// It did not happen any more after this.
    Last {
        /// What.
        of: Repeated,
        /// How often it did, in all.
        total: u64,
    },
    /// A consumer crashed.
    ConsumerCrashed {
        /// Which, from 0.
        consumer: u32,
        /// The messages in its hands.
        held: u32,
    },
    /// No consumer crashed after this one.
    LastConsumerCrashed {
        /// How many did, in all.
        total: u64,
        /// The messages in their hands.
        held: u64,
    },
    /// A crashed consumer is back.
    ConsumerBack {
        /// Which, from 0.
        consumer: u32,
    },
    /// The last of several is back.
    LastConsumerBack {
        /// How many came back, in all.
        total: u64,
    },
    /// The broker closed a consumer's channel: a delivery was unacknowledged for too long.
    ChannelClosed {
        /// Which consumer's, from 0.
        consumer: u32,
        /// The messages in its hands.
        held: u32,
    },
    /// No channel was closed after this one.
    LastChannelClosed {
        /// How many were, in all.
        total: u64,
        /// The messages in the hands of their consumers.
        held: u64,
    },
    /// It went on in more episodes, up to here.
    MoreEpisodes {
        /// What.
        of: Often,
        /// How many episodes that are not told each.
        episodes: u64,
        /// How often it happened in those.
        total: u64,
    },
    /// The messages of a dead-letter queue began to be moved back.
    RedriveStarted {
        /// Messages waiting in it.
        waiting: u64,
    },
    /// All have been.
    RedriveEnded {
        /// How many were moved.
        moved: u64,
    },
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
    /// Servers of a dependency stopped, or it became slow.
    TroubleStarted {
        /// How many servers stopped.
        servers: u32,
        /// Out of how many.
        of: u32,
        /// What service times are multiplied by.
        slowdown: f64,
    },
    /// They are back, or it is no longer slow.
    TroubleEnded {
        /// How many servers are back.
        servers: u32,
        /// Calls waiting at that instant.
        waiting: u64,
    },
    /// Goodput is back at its level before the disturbance, and stays there.
    Recovered,
    /// The statistics start here.
    WarmedUp,
    /// The run ended.
    Ended {
        /// Messages that still wait or are in flight.
        unfinished: u64,
    },
}

/// What can come in more episodes than anybody wants to read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Often {
    /// Something that happens to messages.
    Of(Repeated),
    /// Consumers crash.
    Crashed,
    /// Consumers come back.
    Back,
    /// Channels are closed.
    Closed,
}

/// What happens to a queue's messages again and again, and is told by its first and its last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repeated {
    /// A message came as a dead letter.
    DeadLetter,
    /// The visibility of a delivery lapsed.
    Lapse,
    /// Work succeeded on a message on which other work had.
    Duplicate,
    /// A message had another effect on the world outside.
    DuplicateEffect,
    /// An attempt found its message acted on, and did nothing.
    Skipped,
    /// A message reached its end, and nothing had acted for it.
    Undone,
    /// An attempt began while another worked on the same message.
    Overlap,
    /// An acknowledgement was lost on its way.
    AckLost,
    /// An acknowledgement came too late, and was refused.
    AckRefused,
    /// A call was refused or put off.
    Throttled,
    /// A retry was not made, since a budget did not allow it.
    RetryRefused,
    /// A caller left a call at its timeout, or at a deadline.
    CallTimedOut,
    /// A dependency refused a call.
    CallRefused,
    /// An attempt of a request made no call.
    NotCalled,
    /// A breaker opened.
    BreakerOpened,
    /// It let a few calls through, to see.
    BreakerHalfOpen,
    /// It closed.
    BreakerClosed,
}

impl Repeated {
    /// All of them.
    pub const ALL: [Self; 17] = [
        Self::DeadLetter,
        Self::Lapse,
        Self::Duplicate,
        Self::DuplicateEffect,
        Self::Skipped,
        Self::Undone,
        Self::Overlap,
        Self::AckLost,
        Self::AckRefused,
        Self::Throttled,
        Self::RetryRefused,
        Self::CallTimedOut,
        Self::CallRefused,
        Self::NotCalled,
        Self::BreakerOpened,
        Self::BreakerHalfOpen,
        Self::BreakerClosed,
    ];

    /// The words for the first and the last in machine output, and for more of them.
    fn words(self) -> [&'static str; 3] {
        match self {
            Self::DeadLetter => ["first_dead_letter", "last_dead_letter", "more_dead_letters"],
            Self::Lapse => ["first_lapse", "last_lapse", "more_lapses"],
            Self::Duplicate => ["first_duplicate", "last_duplicate", "more_duplicates"],
            Self::DuplicateEffect => [
                "first_duplicate_effect",
                "last_duplicate_effect",
                "more_duplicate_effects",
            ],
            Self::Skipped => ["first_skipped", "last_skipped", "more_skipped"],
            Self::Undone => ["first_undone", "last_undone", "more_undone"],
            Self::AckLost => ["first_ack_lost", "last_ack_lost", "more_acks_lost"],
            Self::AckRefused => ["first_ack_refused", "last_ack_refused", "more_acks_refused"],
            Self::Throttled => ["first_throttled", "last_throttled", "more_throttled"],
            Self::Overlap => ["first_overlap", "last_overlap", "more_overlaps"],
            Self::RetryRefused => [
                "first_retry_refused",
                "last_retry_refused",
                "more_retries_refused",
            ],
            Self::CallTimedOut => [
                "first_call_timed_out",
                "last_call_timed_out",
                "more_calls_timed_out",
            ],
            Self::CallRefused => [
                "first_call_refused",
                "last_call_refused",
                "more_calls_refused",
            ],
            Self::NotCalled => ["first_not_called", "last_not_called", "more_not_called"],
            Self::BreakerOpened => [
                "first_breaker_opened",
                "last_breaker_opened",
                "more_breakers_opened",
            ],
            Self::BreakerHalfOpen => [
                "first_breaker_half_open",
                "last_breaker_half_open",
                "more_breakers_half_open",
            ],
            Self::BreakerClosed => [
                "first_breaker_closed",
                "last_breaker_closed",
                "more_breakers_closed",
            ],
        }
    }
}

impl Kind {
    /// The word for it in machine output.
    pub fn word(&self) -> &'static str {
        match self {
            Self::OutageStarted { .. } => "outage_started",
            Self::OutageEnded { .. } => "outage_ended",
            Self::Scaled { .. } => "scaled",
            Self::Resized { .. } => "resized",
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
            Self::First(it) => it.words()[0],
            Self::Last { of, .. } => of.words()[1],
            Self::ConsumerCrashed { .. } => "consumer_crashed",
            Self::LastConsumerCrashed { .. } => "last_consumer_crashed",
            Self::ConsumerBack { .. } => "consumer_back",
            Self::LastConsumerBack { .. } => "last_consumer_back",
            Self::ChannelClosed { .. } => "channel_closed",
            Self::LastChannelClosed { .. } => "last_channel_closed",
            Self::MoreEpisodes { of, .. } => match of {
                Often::Of(it) => it.words()[2],
                Often::Crashed => "more_consumers_crashed",
                Often::Back => "more_consumers_back",
                Often::Closed => "more_channels_closed",
            },
            Self::RedriveStarted { .. } => "redrive_started",
            Self::RedriveEnded { .. } => "redrive_ended",
            Self::BrokerCrashed { .. } => "broker_crashed",
            Self::BrokerBack => "broker_back",
            Self::MemoryFull { .. } => "memory_full",
            Self::Drained => "drained",
            Self::Burst { .. } => "burst",
            Self::AlertFired { .. } => "alert_fired",
            Self::AlertCleared { .. } => "alert_cleared",
            Self::TroubleStarted { .. } => "trouble_started",
            Self::TroubleEnded { .. } => "trouble_ended",
            Self::Recovered => "recovered",
            Self::WarmedUp => "warmed_up",
            Self::Ended { .. } => "ended",
        }
    }
}
