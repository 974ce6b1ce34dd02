//! What a leased queue keeps beside its line: who is out, what it has seen, what it may do.
//!
//! Not the line itself.

use std::collections::BTreeSet;

use crate::model::{CallLimits, Model, Queue, QueueId};
use crate::policy::calls::Calls;
use crate::policy::dedup::Dedup;
use crate::policy::progress::Progress;
use crate::units::SimTime;

/// What is kept of a leased queue.
#[derive(Debug)]
pub(in crate::sim) struct Desk {
    /// Whether what waits here does so for ever: dead letters that nobody takes.
    pub(super) rests: bool,
    /// Whether messages are being handed out right now.
    pub(super) hands_out: bool,
    /// The place of the next message that comes.
    pub(super) next_sequence: u64,
    /// How many publishes it has accepted.
    pub(super) accepted_sends: u64,
    /// Messages that wait for their next attempt.
    pub(in crate::sim) delayed: u64,
    /// How many messages a redrive has moved back from here, and how many waited when it began.
    pub(super) redriven: u64,
    pub(super) to_redrive: u64,
    /// Deliveries that are not acknowledged: since when, and which lease.
    pub(super) unacked: BTreeSet<(SimTime, u32)>,
    /// Since when the oldest of them is, as was told last.
    pub(super) oldest_unacked: Option<SimTime>,
    pub(super) dedup: Option<Dedup>,
    pub(super) progress: Progress,
    pub(in crate::sim) calls: Budgets,
    /// When calls are made again that were put off.
    pub(super) calls_again: SimTime,
}

/// What is left of this second's calls.
#[derive(Debug)]
pub(in crate::sim) struct Budgets {
    pub(in crate::sim) send: Option<Calls>,
    pub(super) receive: Option<Calls>,
    pub(super) delete: Option<Calls>,
}

impl Desk {
    /// Since when the oldest delivery that is out has been unacknowledged.
    pub(in crate::sim) fn oldest_unacked(&self) -> Option<SimTime> {
        self.oldest_unacked
    }

    pub(in crate::sim) fn new(model: &Model, id: QueueId) -> Self {
        let delivery = &model.queues[id].delivery;
        let fed = |queue: &Queue| {
            queue
                .delivery
                .dead_letter
                .is_some_and(|dead| dead.queue == id)
        };
        let taken = model.fleets.iter().any(|fleet| fleet.queue == id);
        let CallLimits {
            send,
            receive,
            delete,
        } = delivery.calls;
        let second = |rate| Calls::new(rate, Calls::SECOND);
        Self {
            rests: model.queues.iter().any(fed) && !taken,
            hands_out: false,
            next_sequence: 0,
            accepted_sends: 0,
            delayed: 0,
            redriven: 0,
            to_redrive: 0,
            unacked: BTreeSet::new(),
            oldest_unacked: None,
            dedup: delivery.dedup_window.map(Dedup::new),
            progress: Progress::new(),
            calls: Budgets {
                send: send.map(second),
                receive: receive.map(second),
                delete: delete.map(second),
            },
            calls_again: SimTime::ZERO,
        }
    }
}
