//! Facts: what has happened, in the past tense. Components tell them; the ledger, the digest and
//! the recorders hear them.
//!
//! Not events, which command the future ([`super::event`]), and not moments, which are the few
//! facts that a person wants to read.

use crate::model::{FleetId, ProducerId, QueueId};
use crate::units::{SimDuration, SimTime};

/// Something that has happened.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(
    missing_docs,
    reason = "the fields say what they are in the words of the model"
)]
pub enum Fact {
    /// A publish was meant to be made.
    Offered {
        producer: ProducerId,
        queue: QueueId,
    },
    /// A queue took it, `latency` after it was meant to be made.
    Accepted {
        producer: ProducerId,
        queue: QueueId,
        identity: u64,
        latency: SimDuration,
    },
    /// It was refused for good.
    Rejected {
        producer: ProducerId,
        queue: QueueId,
    },
    /// Its publisher waits for room.
    Blocked {
        producer: ProducerId,
        queue: QueueId,
    },
    /// A blocked publisher was let in; the publish is accepted next.
    Admitted {
        producer: ProducerId,
        queue: QueueId,
        waited: SimDuration,
    },
    /// A blocked publisher gave up.
    TimedOut {
        producer: ProducerId,
        queue: QueueId,
        waited: SimDuration,
    },
    /// A refused publish will be tried again.
    Postponed {
        producer: ProducerId,
        queue: QueueId,
    },
    /// A postponed publish is tried again now.
    Retried {
        producer: ProducerId,
        queue: QueueId,
    },
    /// A publish was given up after its retries.
    Abandoned {
        producer: ProducerId,
        queue: QueueId,
    },
    /// A message began to wait.
    Enqueued { queue: QueueId },
    /// A message no longer waits; it had waited this long since it began to.
    Dequeued { queue: QueueId, waited: SimDuration },
    /// A message took the place of one that had waited this long and is dropped next.
    Replaced { queue: QueueId, waited: SimDuration },
    /// Another message is about to be the oldest that waits, or none. Up to now it was one that
    /// was accepted then.
    Oldest { queue: QueueId, accepted: SimTime },
    /// A queue reached its bound.
    Filled { queue: QueueId, depth: u64 },
    /// A queue that had reached its bound has room again.
    Cleared { queue: QueueId, depth: u64 },
    /// A queue has no message waiting any more.
    Emptied { queue: QueueId },
    /// A queue holds so many bytes now.
    Weighed { queue: QueueId, bytes: u64 },
    /// A handler took a message; `wait` is the time since acceptance on its first delivery.
    Delivered {
        queue: QueueId,
        fleet: FleetId,
        handler: u32,
        wait: Option<SimDuration>,
    },
    /// A message was done.
    Completed {
        queue: QueueId,
        fleet: FleetId,
        handler: u32,
        service: SimDuration,
        sojourn: SimDuration,
    },
    /// Work was lost.
    Crashed { fleet: FleetId, handler: u32 },
    /// A message in flight is back in its queue's hands.
    Returned { queue: QueueId },
    /// Work stopped, to go on later.
    Frozen { fleet: FleetId, handler: u32 },
    /// It goes on.
    Thawed { fleet: FleetId, handler: u32 },
    /// A message was dropped by a full queue.
    Dropped { queue: QueueId },
    /// A message outlived its retention or time to live.
    Expired { queue: QueueId },
    /// A message was lost with its broker, waiting or in flight.
    Lost { queue: QueueId, from: Place },
    /// So many handlers can work, and so many work though they are stopped.
    Staffed {
        fleet: FleetId,
        up: u32,
        overtime: u32,
    },
    /// Handlers stopped.
    OutageStarted {
        fleet: FleetId,
        handlers: u32,
        of: u32,
    },
    /// They are back, or begin to come back.
    OutageEnded {
        fleet: FleetId,
        handlers: u32,
        waiting: u64,
    },
    /// A fleet changed its number of consumers.
    Scaled { fleet: FleetId, from: u32, to: u32 },
    /// A burst came.
    Burst { producer: ProducerId, messages: u32 },
    /// Memory reached its limit.
    MemoryFull { queue: QueueId, bytes: u64 },
    /// A broker went down with so many messages.
    BrokerCrashed { queue: QueueId, lost: u64 },
    /// It is back.
    BrokerBack { queue: QueueId },
    /// An alert fired.
    AlertFired { alert: u16, value: f64 },
    /// It cleared.
    AlertCleared { alert: u16, value: f64 },
    /// The last disturbance has ended.
    BecameCalm,
    /// The statistics start here.
    WarmedUp,
    /// The run is over.
    Ended { unfinished: u64 },
}

/// Where a message was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// In the line.
    Waiting,
    /// With a handler.
    InFlight,
}
