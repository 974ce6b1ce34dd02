//! Retention: the oldest messages of a queue leave it when they are too old (rule C5).
//!
//! Not the time to live, which is looked at when a message is delivered.

use super::World;
use super::event::Event;
use super::recorder::Recorder;
use crate::model::QueueId;
use crate::units::SimTime;

impl<R: Recorder> World<'_, R> {
    /// Puts the next instant on the calendar at which the oldest message is too old.
    pub(super) fn watch_retention(&mut self, id: QueueId) {
        let Some(retention) = self.model.queues[id].retention else {
            return;
        };
        let state = &mut self.queues[id];
        let Some(slot) = state.line.oldest() else {
            return;
        };
        let due = self.messages[slot].accepted.saturating_add(retention);
        let due = due.max(self.calendar.now());
        if due < state.expires_at {
            state.expires_at = due;
            self.calendar.schedule(due, Event::Expire(id));
        }
    }

    /// The oldest messages reach their retention (rule C5).
    pub(super) fn expire(&mut self, id: QueueId) {
        let state = &mut self.queues[id];
        if state.expires_at <= self.calendar.now() {
            state.expires_at = SimTime::MAX;
        }
        let Some(retention) = self.model.queues[id].retention else {
            return;
        };
        while let Some(slot) = self.queues[id].line.oldest() {
            if self.messages[slot].accepted.saturating_add(retention) > self.calendar.now() {
                break;
            }
            self.tell_oldest(id);
            let expired = self.queues[id].line.pop_oldest();
            debug_assert_eq!(expired, Some(slot), "the oldest is the one that leaves");
            self.left_line(id, slot);
            self.expire_one(id, slot);
        }
        self.watch_retention(id);
        self.admit(id);
    }
}
