//! Executions, as far as facts tell them apart from messages: how long those took that have ended,
//! and how much of that was worth something.
//!
//! Not the work of plain handlers, whose deliveries are their executions.

use crate::units::{SimDuration, SimTime};

/// The executions of a fleet.
#[derive(Debug, Default)]
pub(in crate::sim) struct Executions {
    /// For each handler, instants at which it stopped less instants at which it started since its
    /// execution began, in nanoseconds: while it works, what it has worked less the time now.
    stopped: Vec<i128>,
    /// The time of all that have ended, in nanoseconds, with that of the pauses before them.
    ended: u128,
    /// What of it went into the first success on a message.
    useful: u128,
}

impl Executions {
    pub(super) fn began(&mut self, now: SimTime, handler: u32) {
        let place = handler as usize;
        if self.stopped.len() <= place {
            self.stopped.resize(place + 1, 0);
        }
        self.stopped[place] = -i128::from(now.as_nanos());
    }

    pub(super) fn worked(&mut self, service: SimDuration, paused: SimDuration) {
        self.ended += u128::from(service.as_nanos()) + u128::from(paused.as_nanos());
    }

    pub(super) fn succeeded_first(&mut self, worked: SimDuration) {
        self.useful += u128::from(worked.as_nanos());
    }

    pub(super) fn froze(&mut self, now: SimTime, handler: u32) {
        if let Some(stopped) = self.stopped.get_mut(handler as usize) {
            *stopped += i128::from(now.as_nanos());
        }
    }

    pub(super) fn thawed(&mut self, now: SimTime, handler: u32) {
        if let Some(stopped) = self.stopped.get_mut(handler as usize) {
            *stopped -= i128::from(now.as_nanos());
        }
    }

    pub(super) fn crashed(&mut self, now: SimTime, handler: u32) {
        if let Some(stopped) = self.stopped.get(handler as usize) {
            let worked = i128::from(now.as_nanos()) + stopped;
            self.ended += worked.unsigned_abs();
        }
    }

    /// Forgets what has ended.
    pub(super) fn restart(&mut self) {
        (self.ended, self.useful) = (0, 0);
    }

    /// The share of the time of ended executions that went into no first success; `None` when none
    /// has been told.
    pub(in crate::sim) fn wasted(&self) -> Option<f64> {
        // Statistics may start between a success and the end of its batch.
        let wasted = self.ended.saturating_sub(self.useful);
        (self.ended > 0).then(|| wasted as f64 / self.ended as f64)
    }
}
