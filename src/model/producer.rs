//! A producer: who publishes, when, where, what, and what it does when it is refused.
//!
//! Not its run-time state: that is in the simulation.

use super::stamp::Stamp;
use super::table::{CallerId, FleetId, QueueId};
use crate::policy::arrival::Arrivals;
use crate::policy::publish::PublishPolicy;
use crate::random::law::{CountLaw, SizeLaw};
use crate::units::{Bytes, SimTime};

/// Who publishes.
#[derive(Clone, Debug)]
pub struct Producer {
    /// Its dotted name: `producers.checkout`, or `consumers.stage1` for a fleet that publishes.
    pub name: String,
    /// What makes it publish.
    pub origin: Origin,
    /// Where each message goes: a copy to each; nowhere when it calls inline.
    pub queues: Vec<QueueId>,
    /// As whom it calls a dependency for each arrival, instead of publishing anything.
    pub calls: Option<CallerId>,
    /// The size of each message.
    pub size: SizeLaw,
    /// The priority of each message; higher goes first.
    pub priority: CountLaw,
    /// What it does when a queue refuses.
    pub on_full: PublishPolicy,
    /// What it writes on each message, and how it sends.
    pub stamp: Stamp,
}

impl Producer {
    /// The size of a message when nobody says otherwise.
    pub const USUAL_SIZE: Bytes = Bytes(1_024);

    /// Whether its messages have another size than the usual one, so that bytes are worth counting.
    pub fn has_own_size(&self) -> bool {
        self.size != SizeLaw::constant(Self::USUAL_SIZE)
    }
}

/// What makes a producer publish.
#[derive(Clone, Debug)]
pub enum Origin {
    /// An arrival process of its own.
    Arrivals {
        /// When the process begins.
        start: SimTime,
        /// The process.
        arrivals: Arrivals,
        /// After how many messages it ends.
        count: Option<u64>,
        /// At which instant it ends; a message at that very instant is no longer published.
        until: Option<SimTime>,
    },
    /// The completions of a fleet: a chained stage.
    Fleet(FleetId),
}
