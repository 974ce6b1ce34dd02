//! The ledger: what came in must be somewhere (rule B1). It counts facts, and is checked against
//! what the components really hold: after every event in debug builds, at the end always (B2).
//!
//! Not the statistics, though they read these counts: a metric is the ledger at the end less the
//! ledger at the end of the warm-up.

use super::dependency::CallLedger;
use super::fact::{Among, Death, Fact, Failure, Place, Success, Transfer};
use crate::model::{Model, ProducerId, QueueId, Table};
use crate::outcome::Ledger as Account;

/// What is held by whom, as the facts have it.
#[derive(Clone, Debug)]
pub(super) struct Ledger {
    pub(super) producers: Table<ProducerId, Account>,
    pub(super) queues: Table<QueueId, Account>,
    /// Of dependencies and their callers.
    pub(super) calls: CallLedger,
}

impl Ledger {
    pub(super) fn new(model: &Model) -> Self {
        Self {
            producers: model.producers.iter().map(|_| Account::default()).collect(),
            queues: model.queues.iter().map(|_| Account::default()).collect(),
            calls: CallLedger::new(model),
        }
    }

    /// Enters a fact.
    #[expect(clippy::too_many_lines, reason = "a table: an arm a fact")]
    #[inline(always)]
    pub(super) fn enter(&mut self, fact: &Fact) {
        let mut publish = |producer: ProducerId, queue: QueueId, change: fn(&mut Account)| {
            change(&mut self.producers[producer]);
            change(&mut self.queues[queue]);
        };
        match *fact {
            Fact::Offered { producer, queue } => publish(producer, queue, |a| a.flows.offered += 1),
            Fact::Accepted {
                producer, queue, ..
            } => {
                publish(producer, queue, |a| a.flows.accepted += 1);
            }
            Fact::Rejected { producer, queue } => {
                publish(producer, queue, |a| a.flows.rejected += 1);
            }
            Fact::Blocked { producer, queue } => publish(producer, queue, |a| {
                a.flows.blocked_ever += 1;
                a.blocked += 1;
            }),
            Fact::Admitted {
                producer, queue, ..
            } => publish(producer, queue, |a| a.blocked -= 1),
            Fact::TimedOut {
                producer, queue, ..
            } => publish(producer, queue, |a| {
                a.flows.timed_out += 1;
                a.blocked -= 1;
            }),
            Fact::Postponed { producer, queue } => publish(producer, queue, |a| a.postponed += 1),
            Fact::Retried { producer, queue } => publish(producer, queue, |a| {
                a.flows.retries += 1;
                a.postponed -= 1;
            }),
            Fact::Reworked { queue } => self.queues[queue].flows.retries += 1,
            Fact::RetryRefused { queue } => self.queues[queue].flows.retries_refused += 1,
            Fact::Abandoned { producer, queue } => {
                publish(producer, queue, |a| a.flows.abandoned += 1);
            }
            Fact::Enqueued { queue } => self.queues[queue].waiting += 1,
            Fact::Dequeued { queue, .. } => self.queues[queue].waiting -= 1,
            Fact::Delivered { queue, wait, .. } => {
                let account = &mut self.queues[queue];
                account.flows.delivered += 1;
                if wait.is_none() {
                    account.flows.redelivered += 1;
                }
                account.in_flight += 1;
            }
            Fact::Completed { queue, late, .. } => {
                let account = &mut self.queues[queue];
                account.flows.completed += 1;
                account.flows.out_of_order += late;
                account.in_flight -= 1;
            }
            Fact::Received { queue, wait, .. } => {
                let account = &mut self.queues[queue];
                account.flows.delivered += 1;
                account.flows.redelivered += u64::from(wait.is_none());
                account.in_flight += 1;
            }
            Fact::Acknowledged { queue, from, .. } => {
                let account = &mut self.queues[queue];
                account.flows.completed += 1;
                account.in_flight -= u64::from(from == Place::InFlight);
            }
            Fact::Lapsed { queue } => {
                let account = &mut self.queues[queue];
                account.flows.lapsed += 1;
                account.in_flight -= 1;
            }
            Fact::Delayed { queue } => {
                let account = &mut self.queues[queue];
                account.in_flight -= 1;
                account.delayed += 1;
            }
            Fact::Due { queue } | Fact::Forestalled { queue } => self.queues[queue].delayed -= 1,
            Fact::Succeeded { queue, success, .. } => {
                self.queues[queue].flows.duplicates += u64::from(success == Success::Again);
            }
            Fact::Failed { queue, failure, .. } => {
                let flows = &mut self.queues[queue].flows;
                flows.failed += 1;
                flows.failed_for_good += u64::from(failure == Failure::Permanent);
            }
            Fact::Overlapped { queue } => self.queues[queue].flows.overlaps += 1,
            Fact::AckLost { queue } => self.queues[queue].flows.acks_lost += 1,
            Fact::AckRefused { queue } => self.queues[queue].flows.acks_refused += 1,
            Fact::DeadLettered { queue, because } => {
                let flows = &mut self.queues[queue].flows;
                flows.dead_lettered += 1;
                *match because {
                    Death::Slow => &mut flows.dead_lettered_slow,
                    Death::Failed => &mut flows.dead_lettered_failed,
                    Death::Crashed => &mut flows.dead_lettered_crashed,
                    Death::Expired => &mut flows.dead_lettered_expired,
                    Death::Dropped => &mut flows.dead_lettered_dropped,
                } += 1;
            }
            Fact::DeadThoughDone { queue } => self.queues[queue].flows.dead_lettered_done += 1,
            Fact::Redriven { queue } => self.queues[queue].flows.redriven += 1,
            Fact::Moved { queue, how } => match how {
                Transfer::DeadLetter => self.queues[queue].flows.dead_letters += 1,
                Transfer::Redrive => self.queues[queue].flows.redriven_in += 1,
            },
            Fact::Deduplicated { queue } => self.queues[queue].flows.deduplicated += 1,
            Fact::ConfirmLost { producer, queue } => {
                publish(producer, queue, |a| a.flows.confirms_lost += 1);
            }
            Fact::Throttled { queue, .. } => self.queues[queue].flows.throttled += 1,
            Fact::OutOfOrder { queue, among } => match among {
                Among::All => self.queues[queue].flows.out_of_order += 1,
                Among::Key => self.queues[queue].flows.out_of_order_by_key += 1,
            },
            Fact::Ignored { queue } => self.queues[queue].flows.ignored += 1,
            Fact::Acted { queue, nth } => {
                let flows = &mut self.queues[queue].flows;
                flows.effects += 1;
                flows.duplicate_effects += u64::from(nth > 1);
            }
            Fact::Skipped { queue } => self.queues[queue].flows.skipped += 1,
            Fact::Undone { queue } => self.queues[queue].flows.undone += 1,
            Fact::Returned { queue } => self.queues[queue].in_flight -= 1,
            Fact::Dropped { queue } => self.queues[queue].flows.dropped += 1,
            Fact::Expired { queue } => self.queues[queue].flows.expired += 1,
            Fact::Lost { queue, from } => {
                let account = &mut self.queues[queue];
                account.flows.lost += 1;
                account.in_flight -= u64::from(from == Place::InFlight);
            }
            Fact::Call(ref fact) => self.calls.enter(fact, &mut self.producers),
            Fact::OldestUnacked { .. }
            | Fact::ConsumerCrashed { .. }
            | Fact::ConsumerBack { .. }
            | Fact::ChannelClosed { .. }
            | Fact::RedriveStarted { .. }
            | Fact::RedriveEnded { .. }
            | Fact::Began { .. }
            | Fact::Worked { .. }
            | Fact::Crashed { .. }
            | Fact::Frozen { .. }
            | Fact::Thawed { .. }
            | Fact::Replaced { .. }
            | Fact::Oldest { .. }
            | Fact::Filled { .. }
            | Fact::Weighed { .. }
            | Fact::Cleared { .. }
            | Fact::Emptied { .. }
            | Fact::Staffed { .. }
            | Fact::OutageStarted { .. }
            | Fact::OutageEnded { .. }
            | Fact::Scaled { .. }
            | Fact::Wanted { .. }
            | Fact::Burst { .. }
            | Fact::MemoryFull { .. }
            | Fact::BrokerCrashed { .. }
            | Fact::BrokerBack { .. }
            | Fact::AlertFired { .. }
            | Fact::AlertCleared { .. }
            | Fact::BecameCalm
            | Fact::WarmedUp
            | Fact::Ended { .. } => {}
        }
    }

    /// What does not add up, if anything.
    pub(super) fn imbalance(&self) -> Option<String> {
        for (index, account) in self.queues.iter().enumerate() {
            let f = &account.flows;
            let came = f.accepted + f.dead_letters + f.redriven_in;
            let left = f.dead_lettered + f.redriven + f.deduplicated;
            let ended = f.completed + f.dropped + f.expired + f.lost;
            if came != account.waiting + account.delayed + account.in_flight + left + ended {
                return Some(format!("queue {index}: {account:?}"));
            }
        }
        for (index, account) in self.producers.iter().enumerate() {
            let f = &account.flows;
            let ended = f.accepted + f.rejected + f.timed_out + f.abandoned;
            // In flight is what it calls for itself.
            let held = account.blocked + account.postponed + account.in_flight;
            if f.offered != ended + held {
                return Some(format!("producer {index}: {account:?}"));
            }
        }
        self.calls.imbalance()
    }
}
