//! What work on a message came to: its effect on the world outside, whether it was a duplicate,
//! whether it came in order (rules F4, G1, G2).
//!
//! Not what the broker is told of it.

use super::job::{Piece, Plan};
use super::lease::{Hand, LeaseRef, Said};
use super::line::MessageRef;
use crate::model::{FleetId, Guard, Id, QueueId};
use crate::policy::idempotency::effects::Nth;
use crate::policy::progress::{Turn, Version};
use crate::sim::World;
use crate::sim::fact::{Among, Fact, Failure, Success};
use crate::sim::recorder::Recorder;

impl<R: Recorder> World<'_, R> {
    /// One more handler works on a message.
    pub(super) fn join_work(&mut self, queue: QueueId, message: MessageRef) {
        if !self.is_alive(message) {
            return;
        }
        let others = self.care(message.slot).at_work;
        self.care(message.slot).at_work += 1;
        if others > 0 {
            self.tell(Fact::Overlapped { queue });
        }
    }

    /// The handler that has a lease works on its message no more, if it did.
    pub(super) fn leave_work(&mut self, id: LeaseRef) {
        let lease = self.custody.leases.get(id).copied();
        let works = lease.filter(|lease| matches!(lease.hand, Hand::Working(_)));
        if let Some(lease) = works
            && self.is_alive(lease.message)
        {
            self.care(lease.message.slot).at_work -= 1;
        }
    }

    /// An attempt has succeeded: it acts, unless what it knows is out of date.
    pub(super) fn succeed(&mut self, fleet: FleetId, piece: &Piece) -> Plan {
        let id = piece.lease;
        let Some(lease) = self.custody.leases.get(id).copied() else {
            return Plan::Done;
        };
        let queue = lease.queue;
        if self.is_stale(fleet, queue, lease.said) {
            self.tell(Fact::Ignored { queue });
            self.mark_done(id);
            return Plan::Ignored;
        }
        self.act(id);
        self.mark_done(id);
        let nth = self
            .custody
            .effects
            .succeed(lease.said.identity, queue.index() as u32);
        let success = match nth {
            Nth::First => Success::First,
            Nth::Again => Success::Again,
        };
        self.tell(Fact::Succeeded {
            queue,
            fleet,
            success,
            worked: piece.part,
        });
        Plan::Done
    }

    fn is_stale(&mut self, fleet: FleetId, queue: QueueId, said: Said) -> bool {
        let Some(key) = said.key else {
            return false;
        };
        match self.model.fleets[fleet].handling.guard {
            Guard::None => false,
            Guard::Version => {
                let version = said.accepted.as_nanos();
                self.queues[queue].desk.progress.applied(key, version) == Version::Stale
            }
        }
    }

    /// Work acts on the world outside.
    pub(super) fn act(&mut self, id: LeaseRef) {
        if let Some(lease) = self.custody.leases.get(id).copied() {
            let queue = lease.queue;
            let nth = self
                .custody
                .effects
                .act(lease.said.identity, queue.index() as u32);
            self.tell(Fact::Acted { queue, nth });
        }
    }

    /// What keeps duplicates from acting hears that the work is done.
    pub(super) fn mark_done(&mut self, id: LeaseRef) {
        if let Some(lease) = self.custody.leases.get(id) {
            let queue = lease.queue.index() as u32;
            self.custody.effects.done(lease.said.identity, queue);
        }
    }

    /// An attempt has failed, in an orderly way.
    pub(super) fn fail(&mut self, fleet: FleetId, id: LeaseRef, failure: Failure) {
        if let Some(lease) = self.custody.leases.get(id).copied() {
            let queue = lease.queue;
            self.custody
                .effects
                .give_up(lease.said.identity, queue.index() as u32);
            self.tell(Fact::Failed {
                queue,
                fleet,
                failure,
            });
        }
    }

    /// An attempt found nothing to do.
    pub(super) fn skip(&mut self, id: LeaseRef) {
        if let Some(lease) = self.custody.leases.get(id) {
            let queue = lease.queue;
            self.tell(Fact::Skipped { queue });
        }
    }

    /// A message is done: whether it comes after one that was accepted later.
    pub(super) fn look_at_order(&mut self, queue: QueueId, said: Said) {
        let accepted = said.accepted.as_nanos();
        let order = self.queues[queue].desk.progress.observe(accepted, said.key);
        if order.overall == Turn::Overtaken {
            self.tell(Fact::OutOfOrder {
                queue,
                among: Among::All,
            });
        }
        if order.of_key == Turn::Overtaken {
            self.tell(Fact::OutOfOrder {
                queue,
                among: Among::Key,
            });
        }
    }

    /// Somebody who could still act for a message cannot any more. When nobody can, and nobody
    /// has, it is undone.
    pub(in crate::sim) fn let_go(&mut self, identity: u64) {
        for (queue, trace) in self.custody.effects.release(identity) {
            if trace.effects == 0 {
                let queue = QueueId::at(queue as usize);
                self.tell(Fact::Undone { queue });
            }
        }
    }
}
