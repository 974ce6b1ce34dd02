//! How a queue hands messages out, and what brings them back: visibility timeouts, disconnects,
//! acknowledgement timeouts, limits, dead letters, redrive (rules D3, D4, E5, F3).
//!
//! Not what a consumer does with a message ([`super::handling`]).

use super::table::QueueId;
use crate::units::{Rate, SimDuration, SimTime};

/// How a queue hands messages out, and what becomes of those that are not acknowledged.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Delivery {
    /// What brings an unacknowledged message back.
    pub redelivery: Redelivery,
    /// Whether a consumer whose delivery has lapsed can still delete the message.
    pub late_ack: LateAck,
    /// Deliveries that a message may have; the next one dead-letters it. The first is counted.
    pub max_receives: Option<u32>,
    /// Returns that a message may have; the next one dead-letters it.
    pub return_limit: Option<ReturnLimit>,
    /// How long a delivery may stay unacknowledged before its consumer's channel is closed.
    pub ack_timeout: Option<AckTimeout>,
    /// The most messages in flight; none is delivered beyond.
    pub max_in_flight: Option<u64>,
    /// To which of several consumers with credit the next message is pushed.
    pub dispatch: Dispatch,
    /// Whether messages of one key are delivered one at a time, in order (SQS FIFO groups).
    pub grouping: Grouping,
    /// Where messages go that nobody could work on.
    pub dead_letter: Option<DeadLetter>,
    /// When the messages of this queue are moved back to where they came from.
    pub redrive: Option<Redrive>,
    /// For how long after an accepted publish another of the same message is taken and dropped.
    pub dedup_window: Option<SimDuration>,
    /// How many calls a second the broker takes.
    pub calls: CallLimits,
    /// Whether somebody asks for how long deliveries are unacknowledged. A queue whose messages
    /// cannot come back keeps no such record, unless it is asked to: this changes what is kept,
    /// and nothing that happens.
    pub watch_unacked: Watch,
}

impl Delivery {
    /// Whether messages are handed out once each, as if there were no leases.
    pub fn is_plain(&self) -> bool {
        let unwatched = Self {
            watch_unacked: Watch::No,
            ..self.clone()
        };
        unwatched == Self::default()
    }
}

/// Whether something is watched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Watch {
    /// It is not.
    #[default]
    No,
    /// It is.
    Yes,
}

/// What brings an unacknowledged message back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Redelivery {
    /// The broker sees the connection close, and puts the message back at once where it stood.
    #[default]
    OnDisconnect,
    /// A timer that starts at each delivery, whether or not a consumer still works on the message.
    Visibility(Visibility),
}

/// A visibility timeout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Visibility {
    /// How long a delivered message is invisible to others.
    pub timeout: SimDuration,
    /// How often a consumer at work starts the timer again.
    pub heartbeat: Option<SimDuration>,
    /// How long after its receive a heartbeat can keep a message invisible.
    pub at_most: SimDuration,
    /// How often the broker looks for lapsed messages; `None` when it sees them at once.
    pub sweep: Option<SimDuration>,
}

impl Visibility {
    /// How long SQS lets heartbeats go on: 12 hours from the receive.
    pub const AT_MOST: SimDuration = SimDuration::from_secs(12 * 3_600);
}

/// What the broker does with an acknowledgement that comes after the delivery has lapsed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LateAck {
    /// It deletes the message, wherever it is by then (SQS standard).
    #[default]
    Honoured,
    /// It refuses (SQS FIFO).
    Refused,
}

/// A limit on returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReturnLimit {
    /// How many returns a message may have.
    pub returns: u32,
    /// Which returns are counted.
    pub counts: ReturnKinds,
}

/// A set of kinds of return.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReturnKinds {
    /// The handler failed and gave the message back.
    pub failure: Counted,
    /// The consumer crashed or lost its connection.
    pub crash: Counted,
    /// The acknowledgement timeout struck.
    pub timeout: Counted,
    /// The visibility lapsed.
    pub lapse: Counted,
}

/// Whether something counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counted {
    /// It does.
    Yes,
    /// It does not.
    No,
}

impl ReturnKinds {
    /// Every return counts.
    pub const ALL: Self = Self {
        failure: Counted::Yes,
        crash: Counted::Yes,
        timeout: Counted::Yes,
        lapse: Counted::Yes,
    };
}

/// The longest time that a delivery may be unacknowledged (RabbitMQ's consumer timeout).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AckTimeout {
    /// How long.
    pub limit: SimDuration,
    /// How often the broker looks.
    pub check: SimDuration,
}

/// To which of several consumers with credit the next message is pushed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dispatch {
    /// To one after the other (RabbitMQ).
    #[default]
    RoundRobin,
    /// To the first until its credit is used up (a consumer that fetches all it may).
    Greedy,
}

/// Whether messages of one key are delivered one at a time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Grouping {
    /// Keys mean nothing to the queue.
    #[default]
    None,
    /// At most one receive of a key's messages is in flight.
    ByKey,
}

/// Where messages go that nobody could work on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeadLetter {
    /// The dead-letter queue.
    pub queue: QueueId,
    /// Whether messages that expire go there too.
    pub expired: Counted,
    /// Whether messages that a full queue drops go there too.
    pub dropped: Counted,
}

/// Moves the messages of a dead-letter queue back, one by one, until it is empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Redrive {
    /// When it starts.
    pub at: SimTime,
    /// How fast.
    pub rate: Rate,
    /// Where to.
    pub to: QueueId,
    /// Whether a deduplicating queue takes them for the messages that they were.
    pub identity: RedriveIdentity,
}

/// What a redriven message is to a queue that drops duplicates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RedriveIdentity {
    /// A new message.
    #[default]
    New,
    /// The message that it was: within the deduplication window it is swallowed.
    Same,
}

/// How many calls a second the broker takes, of each kind, in windows of a second.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CallLimits {
    /// Publishes; a producer may send several messages with one call. Beyond, a publish is refused.
    pub send: Option<Rate>,
    /// Receives; a handler may take several messages with one call. Beyond, it waits.
    pub receive: Option<Rate>,
    /// Acknowledgements; those of a batch are one call. Beyond, they wait.
    pub delete: Option<Rate>,
}
