//! A publish whose confirm is lost: its producer makes it once more (rule D3).
//!
//! Not the publish itself ([`super::publish`]).

use super::World;
use super::event::Event;
use super::publish::{Pending, Publish};
use super::recorder::Recorder;
use crate::policy::admission::Ticket;
use crate::units::SimDuration;

impl<R: Recorder> World<'_, R> {
    /// A publish whose confirm is lost is made again after a while.
    pub(super) fn publish_again(&mut self, publish: Publish, after: SimDuration) {
        let now = self.calendar.now();
        let ticket = self.tickets.insert(Pending {
            publish,
            since: now,
            tries: 1,
            delay: SimDuration::ZERO,
            cause: None,
        });
        self.calendar
            .schedule(now.saturating_add(after), Event::PublishAgain(ticket));
    }

    /// No confirm has come: the publish is made once more.
    #[inline(never)]
    pub(super) fn republish(&mut self, ticket: Ticket) {
        if let Some(pending) = self.tickets.take(ticket) {
            self.offer(pending.publish);
            self.let_go(pending.publish.identity);
        }
    }
}
