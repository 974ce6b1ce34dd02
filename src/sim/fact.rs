//! Facts: what has happened, in the past tense. Components tell them; the ledger, the digest and
//! the recorders hear them.
//!
//! Not events, which command the future ([`super::event`]), and not moments, which are the few
//! facts that a person wants to read.

use super::dependency::CallFact;
use crate::model::{FleetId, ProducerId, QueueId};
use crate::policy::retry::budget::Cause;
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
    /// A retry was not made, since a budget did not allow it.
    RetryRefused { queue: QueueId },
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
    /// The last disturbance is over, no message waits in a queue, and nobody is blocked at it, when
    /// all of this instant has happened but its publishes. Told of each queue once.
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
    /// A message was done; `late` is 1 when one that was accepted later had been done before it,
    /// and 0 otherwise.
    Completed {
        queue: QueueId,
        fleet: FleetId,
        handler: u32,
        service: SimDuration,
        sojourn: SimDuration,
        late: u64,
    },
    /// A message left the line for a consumer's hands, under a lease; `wait` as in `Delivered`.
    Received {
        queue: QueueId,
        fleet: FleetId,
        wait: Option<SimDuration>,
    },
    /// Since when the delivery is unacknowledged that is so for the longest time.
    OldestUnacked {
        queue: QueueId,
        received: Option<SimTime>,
    },
    /// A handler began to work on what its consumer had received.
    Began { fleet: FleetId, handler: u32 },
    /// It has worked, well or not; `service` is how long the attempt took, less the time when it
    /// was frozen, and `paused` how long the handler was held before it: the pause of a retry in
    /// place.
    Worked {
        fleet: FleetId,
        handler: u32,
        service: SimDuration,
        paused: SimDuration,
    },
    /// A handler began to work on a message on which another works.
    Overlapped { queue: QueueId },
    /// Work on a message has succeeded. `worked` is its part of the handler's time: the parts of
    /// the messages of an execution are together no more than the `service` told before.
    Succeeded {
        queue: QueueId,
        fleet: FleetId,
        success: Success,
        worked: SimDuration,
    },
    /// Work on a message begins again, after it failed.
    Reworked { queue: QueueId },
    /// Work on a message has failed.
    Failed {
        queue: QueueId,
        fleet: FleetId,
        failure: Failure,
    },
    /// An acknowledgement deleted a message, which was in flight or waited again.
    Acknowledged {
        queue: QueueId,
        fleet: FleetId,
        from: Place,
        sojourn: SimDuration,
    },
    /// An acknowledgement was lost on its way.
    AckLost { queue: QueueId },
    /// An acknowledgement came too late, and was refused.
    AckRefused { queue: QueueId },
    /// A delivery's visibility lapsed: the message is in flight no more, and waits again next.
    Lapsed { queue: QueueId },
    /// A message that was in flight waits with the broker until its next attempt is due.
    Delayed { queue: QueueId },
    /// It is due: it waits in the line next.
    Due { queue: QueueId },
    /// It reached its end before it was due.
    Forestalled { queue: QueueId },
    /// A message that was not waiting, nor in flight, left for the dead-letter queue.
    DeadLettered { queue: QueueId, because: Death },
    /// Of the message that leaves next as a dead letter some attempt had succeeded.
    DeadThoughDone { queue: QueueId },
    /// A message that had waited left its dead-letter queue for where it came from.
    Redriven { queue: QueueId },
    /// A message came from another queue; it waits next.
    Moved { queue: QueueId, how: Transfer },
    /// An accepted publish was known already, and swallowed.
    Deduplicated { queue: QueueId },
    /// The confirm of an accepted publish was lost: it will be published again.
    ConfirmLost {
        producer: ProducerId,
        queue: QueueId,
    },
    /// A call was refused or put off, since those of its window were used up.
    Throttled { queue: QueueId, call: Call },
    /// A message was done out of publish order: among all, or among those of its key.
    OutOfOrder { queue: QueueId, among: Among },
    /// A message was older than the last one applied of its key, and was ignored.
    Ignored { queue: QueueId },
    /// Work acted on the world outside, for the `nth` time (from 1) for its message.
    Acted { queue: QueueId, nth: u32 },
    /// Work found that its message had been acted on, or was being acted on, and did nothing.
    Skipped { queue: QueueId },
    /// A message reached its end, and nothing had ever acted for it.
    Undone { queue: QueueId },
    /// A consumer crashed, with so many messages in its hands.
    ConsumerCrashed {
        fleet: FleetId,
        consumer: u32,
        held: u32,
    },
    /// It is back.
    ConsumerBack { fleet: FleetId, consumer: u32 },
    /// The broker closed a consumer's channel: a delivery was unacknowledged for too long.
    ChannelClosed {
        fleet: FleetId,
        consumer: u32,
        held: u32,
    },
    /// The messages of a dead-letter queue began to be moved back.
    RedriveStarted { queue: QueueId, waiting: u64 },
    /// All have been.
    RedriveEnded { queue: QueueId, moved: u64 },
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
    /// A fleet's rule wants another number of consumers, those that start up included.
    Wanted { fleet: FleetId, from: u32, to: u32 },
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
    /// Something happened between callers and dependencies.
    Call(CallFact),
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

/// What a success was worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Success {
    /// The first on its message.
    First,
    /// Another had succeeded before: a duplicate.
    Again,
}

/// How work failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    /// Another attempt may succeed.
    Transient,
    /// No attempt ever succeeds.
    Permanent,
    /// It was one attempt too many for the fleet's limiter; another may succeed.
    Throttled,
    /// What was called did not answer well; another attempt may succeed.
    Dependency(Cause),
}

impl Failure {
    /// What the digest folds of it.
    pub(super) fn number(self) -> u64 {
        match self {
            Self::Transient => 0,
            Self::Permanent => 1,
            Self::Throttled => 2,
            Self::Dependency(Cause::Failure) => 3,
            Self::Dependency(Cause::Timeout) => 4,
            Self::Dependency(Cause::Throttled) => 5,
        }
    }
}

/// Why a message is a dead letter: what came of its last delivery, or of its wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Death {
    /// It ran out of time while a consumer still had it.
    Slow,
    /// The attempt failed.
    Failed,
    /// Nobody had it any more: its consumer crashed, or its acknowledgement was lost.
    Crashed,
    /// It outlived its retention or time to live.
    Expired,
    /// A full queue had no room.
    Dropped,
}

/// How a message came from another queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transfer {
    /// As a dead letter.
    DeadLetter,
    /// Out of a dead-letter queue.
    Redrive,
}

/// A kind of call that is limited: to the broker, or of a handler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Call {
    /// A publish.
    Send,
    /// A receive.
    Receive,
    /// An acknowledgement.
    Delete,
    /// An attempt on a message.
    Attempt,
}

/// Among which messages an order is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Among {
    /// Those of a queue.
    All,
    /// Those of one key.
    Key,
}
