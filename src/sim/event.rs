//! Events: imperatives about the future. Small, copied by value, and ranked within an instant.
//!
//! Not facts, which are in the past tense ([`super::fact`]).

use super::delivery::{JobRef, LeaseRef, MessageRef};
use super::dependency::{CallRef, RequestRef};
use crate::model::{CallerId, FleetId, ProducerId, QueueId};
use crate::policy::admission::Ticket;

/// What is to be done at an instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Event {
    /// A producer's next arrivals are due.
    Arrive(ProducerId),
    /// A client of a closed loop has thought, and publishes.
    ClientPublish(ProducerId),
    /// A handler completes its work.
    Finish(u32),
    /// A refused publish is tried again.
    RetryPublish(Ticket),
    /// A blocked publisher reaches its timeout.
    GiveUp(Ticket),
    /// A blocked publisher wakes up to a slot that was freed a while ago.
    WakeUp(QueueId),
    /// The oldest messages of a queue reach their retention.
    Expire(QueueId),
    /// An outage starts, by its place in the model.
    StartOutage(u16),
    /// An outage ends.
    EndOutage(u16),
    /// One handler comes back from an outage with a staggered restart.
    Restart {
        /// Which handler.
        handler: u32,
        /// From which outage.
        outage: u16,
    },
    /// A fleet's rule looks at its size.
    Review(FleetId),
    /// Consumers that were wanted have started up.
    ComeUp(FleetId),
    /// A fleet grows to a scheduled size.
    Grow {
        /// Which fleet.
        fleet: FleetId,
        /// Which change of its schedule.
        change: u16,
    },
    /// A fleet shrinks to a scheduled size.
    Shrink {
        /// Which fleet.
        fleet: FleetId,
        /// Which change of its schedule.
        change: u16,
    },
    /// A crashed broker is back.
    RestoreBroker(QueueId),
    /// A delivery's visibility lapses, unless it has been extended.
    Lapse(LeaseRef),
    /// A pushed message arrives at its consumer.
    Deliver(LeaseRef),
    /// A consumer's answer arrives at the broker.
    Answer(LeaseRef),
    /// An early acknowledgement arrives at the broker.
    Credit {
        /// Whose.
        consumer: u32,
        /// Of which incarnation of it.
        epoch: u32,
    },
    /// A handler's request for a message arrives at the broker.
    Ask(u32),
    /// What a handler has received arrives.
    Unpack {
        /// Which handler.
        handler: u32,
        /// What it has received.
        job: JobRef,
    },
    /// A handler has waited long enough for its batch to fill.
    CloseBatch {
        /// Which handler.
        handler: u32,
        /// Which batch.
        job: JobRef,
    },
    /// A message's next attempt is due.
    RetryDue(MessageRef),
    /// A producer that has heard of no confirm publishes again.
    PublishAgain(Ticket),
    /// A new second of calls begins.
    CallAgain(QueueId),
    /// The next message of a dead-letter queue is moved back.
    Redrive(QueueId),
    /// The broker looks for deliveries that are unacknowledged for too long.
    CheckAcks(QueueId),
    /// A consumer crashes, at random.
    CrashConsumer {
        /// Which, of all consumers of leased fleets.
        consumer: u32,
        /// Its how manieth such crash; another in between makes this one stale.
        nth: u32,
    },
    /// Consumers of a fleet crash, at a stated instant.
    CrashAt(FleetId),
    /// A crashed consumer is back.
    RestartConsumer(u32),
    /// A dependency's server is done with a call.
    AnswerCall(CallRef),
    /// A caller reaches its timeout for a call.
    LeaveCall(CallRef),
    /// A call has been out for so long that another is made beside it.
    HedgeCall(RequestRef),
    /// A request's next attempt is due.
    TryCall(RequestRef),
    /// A request has waited long enough for room among the calls out at once.
    StopWaiting(RequestRef),
    /// There may be room for requests that wait for it.
    LetOut {
        /// Whose.
        caller: CallerId,
        /// Which client of it.
        client: u32,
    },
    /// A dependency's trouble starts, by its place in the model.
    StartTrouble(u16),
    /// It ends.
    EndTrouble(u16),
    /// The last disturbance has ended.
    BecomeCalm,
    /// It is looked whether a queue that was empty at this instant still is, before those publish
    /// who do at it.
    LookWhetherDrained(QueueId),
    /// The warm-up is over.
    WarmUp,
    /// An alert is evaluated, by its place in the model.
    Evaluate(u16),
    /// Levels are read for the series.
    Sample,
}

/// The order within one instant: a lower rank acts first (rule A2). A waiter that wakes up acts
/// before anything of its instant frees a slot: such a slot is for newcomers first. Dependencies
/// answer after the handlers of that instant are done.
pub(super) mod rank {
    pub(in crate::sim) const WAKE_UP: u8 = 0;
    pub(in crate::sim) const CAPACITY_GROWS: u8 = 1;
    pub(in crate::sim) const COMPLETION: u8 = 2;
    pub(in crate::sim) const ANSWER: u8 = 3;
    pub(in crate::sim) const ACKNOWLEDGEMENT: u8 = 4;
    pub(in crate::sim) const TIMER: u8 = 5;
    pub(in crate::sim) const SCALING: u8 = 6;
    pub(in crate::sim) const CAPACITY_SHRINKS: u8 = 7;
    pub(in crate::sim) const DRAINED: u8 = 8;
    pub(in crate::sim) const PUBLISH: u8 = 9;
    pub(in crate::sim) const OBSERVATION: u8 = 10;
}

impl Event {
    /// The rank of this event within its instant.
    #[inline]
    pub(super) fn rank(self) -> u8 {
        match self {
            Self::WakeUp(_) => rank::WAKE_UP,
            Self::EndOutage(_)
            | Self::Restart { .. }
            | Self::Grow { .. }
            | Self::RestoreBroker(_)
            | Self::ComeUp(_)
            | Self::RestartConsumer(_)
            | Self::EndTrouble(_) => rank::CAPACITY_GROWS,
            Self::Finish(_) => rank::COMPLETION,
            Self::AnswerCall(_) => rank::ANSWER,
            Self::Deliver(_)
            | Self::Answer(_)
            | Self::Credit { .. }
            | Self::Ask(_)
            | Self::Unpack { .. } => rank::ACKNOWLEDGEMENT,
            Self::RetryPublish(_)
            | Self::GiveUp(_)
            | Self::Expire(_)
            | Self::Lapse(_)
            | Self::CloseBatch { .. }
            | Self::RetryDue(_)
            | Self::PublishAgain(_)
            | Self::CallAgain(_)
            | Self::Redrive(_)
            | Self::CheckAcks(_)
            | Self::LeaveCall(_)
            | Self::HedgeCall(_)
            | Self::TryCall(_)
            | Self::StopWaiting(_)
            | Self::LetOut { .. } => rank::TIMER,
            Self::Review(_) => rank::SCALING,
            Self::StartOutage(_)
            | Self::Shrink { .. }
            | Self::CrashConsumer { .. }
            | Self::CrashAt(_)
            | Self::StartTrouble(_) => rank::CAPACITY_SHRINKS,
            Self::Arrive(_) | Self::ClientPublish(_) => rank::PUBLISH,
            Self::LookWhetherDrained(_) => rank::DRAINED,
            Self::BecomeCalm | Self::WarmUp | Self::Evaluate(_) | Self::Sample => rank::OBSERVATION,
        }
    }
}

const _: () = assert!(
    size_of::<Event>() <= 16,
    "events are held by value in the heap"
);
