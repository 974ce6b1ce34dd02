//! Deliveries that can come back: a message leaves its queue under a lease, and ends when it is
//! acknowledged (rules D3, D4, E1 to E5, F3, G1, G2).
//!
//! Not the plain queue, whose handlers take a message, work, and are done ([`super::consumer`]):
//! that one has no leases, and pays for none.
//!
//! ```text
//! waiting --receive--> in flight --acknowledged--> completed
//!    ^                  |  |  |
//!    |   lapsed, given  |  |  +-- given up -----> dead letter | dropped
//!    +-- back ----------+  +-- to be retried --> delayed --due--> waiting
//!
//! consumer:  (travels) -> buffer -> attempt -> (calls) -> succeeded -> answer (travels) -> broker
//!                                     ^  |        |
//!                                     +--+--------+ retried in place
//! ```

mod attempt;
mod calling;
mod crash;
mod dead_letter;
mod desk;
mod failure;
mod hands;
mod intake;
mod job;
mod lease;
mod line;
mod outcome;
mod settle;

pub(super) use desk::Desk;
pub(super) use job::JobRef;
pub(super) use lease::LeaseRef;
pub(super) use line::{MessageRef, empty_line};
pub(super) use settle::Return;

use hands::ConsumerState;
use job::Jobs;
use lease::Leases;
use line::Care;

use crate::model::{Delivery, FleetId, Handling, Model, Queue, QueueId, Stamp, Table};
use crate::policy::idempotency::effects::Effects;
use crate::policy::retry::budget::BudgetState;
use crate::sim::dependency::RequestRef;

/// Who holds what of the leased queues.
#[derive(Debug)]
pub(super) struct Custody {
    leases: Leases,
    jobs: Jobs,
    /// What is known of each message beside the message, by slot.
    care: Vec<Care>,
    /// The consumers of leased fleets, fleet by fleet.
    consumers: Vec<ConsumerState>,
    effects: Effects,
    /// Messages that rest where nobody takes them: dead letters.
    pub(super) resting: u64,
    /// Redrives that have not ended.
    pub(super) redrives: u32,
}

/// Whether the messages of each queue are delivered under leases: something can come back, or has
/// to be counted, that a plain queue does not know.
pub(super) fn leased_queues(model: &Model) -> Table<QueueId, bool> {
    let asks = |queue: &Queue| queue.delivery != Delivery::default();
    let mut leased: Table<_, _> = model.queues.iter().map(asks).collect();
    for Queue { delivery, .. } in &model.queues {
        let fed = delivery.dead_letter.map(|dead| dead.queue);
        let fed = fed.into_iter().chain(delivery.redrive.map(|it| it.to));
        fed.for_each(|queue| leased[queue] = true);
    }
    for fleet in &model.fleets {
        leased[fleet.queue] |= fleet.handling != Handling::default();
    }
    for producer in &model.producers {
        if producer.stamp != Stamp::default() {
            producer.queues.iter().for_each(|id| leased[*id] = true);
        }
    }
    leased
}

impl Custody {
    pub(super) fn new(model: &Model, leased: &Table<QueueId, bool>) -> Self {
        let fleets = model.fleets.pairs();
        let leased = fleets.filter(|(_, fleet)| leased[fleet.queue]);
        Self {
            leases: Leases::default(),
            jobs: Jobs::default(),
            care: Vec::new(),
            consumers: leased
                .flat_map(|(id, fleet)| ConsumerState::of(id, fleet))
                .collect(),
            effects: Effects::new(),
            resting: 0,
            redrives: 0,
        }
    }

    /// Where the consumers of a fleet begin, or would if it were leased.
    pub(super) fn first_of(&self, fleet: FleetId) -> u32 {
        self.consumers.partition_point(|it| it.fleet < fleet) as u32
    }

    /// The consumer that has a lease in hand, and the queue that it is of.
    pub(super) fn holder_of(&self, lease: LeaseRef) -> Option<(u32, QueueId)> {
        let lease = self.leases.in_hand(lease)?;
        Some((lease.consumer, lease.queue))
    }

    /// The retry budget of a consumer, if it has one of its own, and its fleet.
    pub(super) fn budget_of(&mut self, consumer: u32) -> (Option<&mut BudgetState>, FleetId) {
        let consumer = &mut self.consumers[consumer as usize];
        (consumer.budget.as_mut(), consumer.fleet)
    }

    /// The request that a job waits for, if it waits for one.
    pub(super) fn request_of(&self, job: u32) -> Option<RequestRef> {
        self.jobs[job].request
    }

    /// Whether nothing goes on that could still have an effect.
    pub(super) fn is_settled(&self) -> bool {
        self.jobs.under_way() == 0 && self.redrives == 0
    }
}
