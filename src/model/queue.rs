//! A queue: its bound, its order, and what it does with what it cannot keep.
//!
//! Not a log with partitions.

use super::delivery::Delivery;
use crate::policy::admission::Admission;
use crate::policy::order::Order;
use crate::units::{Bytes, SimDuration};

/// Where messages wait.
#[derive(Clone, Debug)]
pub struct Queue {
    /// Its dotted name: `queues.orders`.
    pub name: String,
    /// The most messages that it holds; `u64::MAX` for no bound.
    pub capacity: u64,
    /// Which messages the bound counts.
    pub counts: Counts,
    /// For which publishes it looks at its bound.
    pub length_check: LengthCheck,
    /// What a full queue does with a publish.
    pub overflow: Overflow,
    /// What happens to deliveries that come back to a full queue.
    pub returned: Returned,
    /// Which waiting message goes next.
    pub order: Order,
    /// How long a message may wait before it is expired at the instant.
    pub retention: Option<SimDuration>,
    /// How old a message may be when it is delivered; an older one is expired then.
    pub ttl: Option<SimDuration>,
    /// The bound on bytes.
    pub memory: Option<MemoryLimit>,
    /// In which order its blocked publishers are admitted.
    pub admission: Admission,
    /// How it hands messages out, and takes them back.
    pub delivery: Delivery,
}

impl Queue {
    /// Whether a publish that finds room finds nothing else: no priority to be drawn, no age to be
    /// watched, no gate that counts, and nobody who makes room.
    pub(crate) fn adds_nothing(&self) -> bool {
        let in_order = match self.order {
            Order::Fifo | Order::Lifo | Order::Random => true,
            Order::Priority => false,
        };
        let lets_in = match self.admission {
            Admission::Fifo | Admission::NewcomersFirst | Admission::Random | Admission::Lifo => {
                true
            }
            Admission::WakeUp(_) => false,
        };
        in_order && lets_in && self.overflow == Overflow::Refuse && self.retention.is_none()
    }
}

/// Which messages a bound counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counts {
    /// Those that wait (RabbitMQ's convention).
    Waiting,
    /// Those that wait and those that are in flight.
    WaitingAndInFlight,
}

/// For which publishes a queue that refuses looks at its bound.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LengthCheck {
    /// For each message.
    #[default]
    Message,
    /// Once for the messages of a call: all of them get in when there is room for the first
    /// (RabbitMQ's quorum queues, for the messages of a transaction).
    Batch,
}

/// What a full queue does with a publish.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overflow {
    /// It refuses.
    Refuse,
    /// It drops the message that has waited longest and accepts the new one.
    DropOldest,
    /// It accepts the new message and drops it at once.
    DropNewest,
    /// It drops the youngest message of the lowest priority, the new one included.
    DropLowest,
}

/// What happens to deliveries that come back to a full queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Returned {
    /// They are kept: the bound holds publishers back, never redeliveries.
    Keep,
    /// They are dropped, and counted as dropped.
    Drop,
}

/// A bound on the bytes of waiting and in-flight messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryLimit {
    /// The bound.
    pub limit: Bytes,
    /// What happens on reaching it.
    pub on_limit: OnLimit,
}

/// What happens when a broker's memory is full.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnLimit {
    /// Publishers are blocked until there is room, whatever their policy (RabbitMQ's alarm).
    Block,
    /// Publishes are refused.
    Refuse,
    /// The broker goes down with all that it held, and is back after a while.
    Crash {
        /// How long it is down.
        restart: SimDuration,
    },
}
