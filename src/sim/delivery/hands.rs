//! A consumer of a leased fleet: what it holds, and how much more it may.
//!
//! Not its handlers, which work.

use std::collections::VecDeque;

use super::lease::LeaseRef;
use crate::model::{BudgetPer, Fleet, FleetId, Intake};
use crate::policy::retry::budget::BudgetState;
use crate::sim::World;
use crate::sim::budget;
use crate::sim::recorder::Recorder;

/// A consumer at run time.
#[derive(Clone, Debug)]
pub(in crate::sim) struct ConsumerState {
    pub(super) fleet: FleetId,
    /// Its place in its fleet.
    pub(super) number: u32,
    /// Which incarnation it is: what an earlier one was given it does not know.
    pub(super) epoch: u32,
    /// How many crashes at random have been due.
    pub(super) crashes: u32,
    /// Received, and not yet in a handler's hands.
    pub(super) buffer: VecDeque<LeaseRef>,
    /// Deliveries that count against its prefetch.
    pub(super) unacked: u32,
    /// What is left of the budget of its retries, where it has one of its own.
    pub(super) budget: Option<BudgetState>,
}

impl ConsumerState {
    /// The consumers of a fleet, as many as it ever has.
    pub(in crate::sim) fn of(id: FleetId, fleet: &Fleet) -> impl Iterator<Item = Self> {
        let most = fleet.most_handlers() / fleet.concurrency;
        (0..most).map(move |number| Self {
            fleet: id,
            number,
            epoch: 0,
            crashes: 0,
            buffer: VecDeque::new(),
            unacked: 0,
            budget: budget::of_fleet(fleet, BudgetPer::Consumer),
        })
    }
}

impl<R: Recorder> World<'_, R> {
    /// The consumer that a handler belongs to, of all consumers of leased fleets.
    pub(in crate::sim) fn consumer_of(&self, handler: u32) -> u32 {
        let id = self.handlers[handler as usize].fleet;
        let fleet = &self.fleets[id];
        fleet.first_consumer + (handler - fleet.base) / self.model.fleets[id].concurrency
    }

    /// The handlers of a consumer.
    pub(super) fn handlers_of_consumer(&self, consumer: u32) -> std::ops::Range<u32> {
        let ConsumerState { fleet, number, .. } = self.custody.consumers[consumer as usize];
        let concurrency = self.model.fleets[fleet].concurrency;
        let first = self.fleets[fleet].base + number * concurrency;
        first..first + concurrency
    }

    /// Whether a consumer is there, and not stopped. All its handlers stop and start together.
    pub(super) fn is_up(&self, consumer: u32) -> bool {
        let first = self.handlers_of_consumer(consumer).start;
        self.handlers[first as usize].stops == 0
    }

    /// A consumer that crashes comes back as another process: its budget of retries is untouched.
    pub(super) fn forget_budget(&mut self, consumer: u32) {
        let ConsumerState { fleet, number, .. } = self.custody.consumers[consumer as usize];
        if let Some(caller) = self.model.fleets[fleet].handling.calls {
            self.forget_client(caller, number);
        }
        let untouched = budget::of_fleet(&self.model.fleets[fleet], BudgetPer::Consumer);
        self.custody.consumers[consumer as usize].budget = untouched;
    }

    /// Notes whether a consumer may be pushed another message.
    pub(in crate::sim) fn look_at_credit(&mut self, consumer: u32) {
        let state = &self.custody.consumers[consumer as usize];
        let (fleet, number) = (state.fleet, state.number);
        let Intake::Push { prefetch } = self.model.fleets[fleet].handling.intake else {
            return;
        };
        let has_credit = state.unacked < prefetch && self.is_up(consumer);
        let creditors = &mut self.fleets[fleet].creditors;
        if has_credit {
            creditors.insert(number);
        } else {
            creditors.remove(number);
        }
    }

    /// A lease no longer counts against its consumer's prefetch, if it does.
    pub(super) fn uncount(&mut self, id: LeaseRef) {
        if let Some(lease) = self.custody.leases.get_mut(id)
            && std::mem::take(&mut lease.counts)
        {
            let (consumer, epoch) = (lease.consumer, lease.epoch);
            self.free_credit(consumer, epoch);
        }
    }

    /// A delivery no longer counts against its consumer's prefetch.
    pub(super) fn free_credit(&mut self, consumer: u32, epoch: u32) {
        let state = &mut self.custody.consumers[consumer as usize];
        if state.epoch == epoch {
            state.unacked -= 1;
            self.look_at_credit(consumer);
        }
    }
}
