//! Dead letters: messages that nobody shall try again go to a queue of their own, and are moved
//! back from there when the fault is repaired (rule E5).
//!
//! Not who decides that a message is dead.

use crate::model::{Id, QueueId, RedriveIdentity};
use crate::sim::World;
use crate::sim::event::Event;
use crate::sim::fact::{Death, Fact, Transfer};
use crate::sim::recorder::Recorder;
use crate::units::SimTime;

impl<R: Recorder> World<'_, R> {
    /// A message that neither waits nor is in flight goes to the dead-letter queue of its queue,
    /// or is dropped where there is none.
    pub(super) fn dead_letter(&mut self, id: QueueId, slot: u32, because: Death) {
        let Some(dead) = self.model.queues[id].delivery.dead_letter else {
            self.tell(Fact::Dropped { queue: id });
            return self.bury(id, slot);
        };
        let identity = self.messages[slot].identity;
        if self
            .custody
            .effects
            .has_succeeded(identity, id.index() as u32)
        {
            self.tell(Fact::DeadThoughDone { queue: id });
        }
        self.tell(Fact::DeadLettered { queue: id, because });
        self.weigh_out(id, slot);
        self.move_to(dead.queue, slot, Transfer::DeadLetter);
        self.join(dead.queue, slot);
    }

    fn weigh_out(&mut self, id: QueueId, slot: u32) {
        if self.queues[id].weighs {
            self.weigh(id, slot, u64::wrapping_sub);
        }
    }

    /// Puts the redrives of a model on the calendar.
    pub(in crate::sim) fn schedule_redrives(&mut self) {
        for (id, queue) in self.model.queues.pairs() {
            if let Some(redrive) = queue.delivery.redrive {
                self.custody.redrives += 1;
                self.calendar.schedule(redrive.at, Event::Redrive(id));
            }
        }
    }

    /// Moves the next message of a dead-letter queue back, until as many have been moved as waited
    /// when the redrive began: what comes again meanwhile is not moved twice.
    #[inline(never)]
    pub(in crate::sim) fn redrive(&mut self, id: QueueId) {
        let Some(redrive) = self.model.queues[id].delivery.redrive else {
            return;
        };
        let moved = self.queues[id].desk.redriven;
        if moved == 0 {
            let waiting = self.queues[id].line.len() as u64;
            self.queues[id].desk.to_redrive = waiting;
            self.tell(Fact::RedriveStarted { queue: id, waiting });
        }
        self.tell_oldest(id);
        let state = &mut self.queues[id];
        let next = (moved < state.desk.to_redrive).then(|| state.line.pop_oldest());
        let Some(slot) = next.flatten() else {
            self.custody.redrives -= 1;
            return self.tell(Fact::RedriveEnded { queue: id, moved });
        };
        self.left_line(id, slot);
        self.tell(Fact::Redriven { queue: id });
        self.weigh_out(id, slot);
        self.move_to(redrive.to, slot, Transfer::Redrive);
        let identity = self.messages[slot].identity;
        let now = self.calendar.now();
        let known = redrive.identity == RedriveIdentity::Same
            && self.queues[redrive.to]
                .desk
                .dedup
                .as_mut()
                .is_some_and(|dedup| !dedup.is_new(now, identity));
        if known {
            self.tell(Fact::Deduplicated { queue: redrive.to });
            self.bury(redrive.to, slot);
        } else {
            self.join(redrive.to, slot);
        }
        self.queues[id].desk.redriven = moved + 1;
        let after = redrive.rate.span_of(moved + 1);
        let next: SimTime = redrive.at.saturating_add(after);
        self.calendar.schedule(next.max(now), Event::Redrive(id));
    }
}
