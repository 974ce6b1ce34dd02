//! Alerts at run time: a condition is evaluated now and then, fires when it has held long enough,
//! and clears when it no longer holds (rule H1).
//!
//! Not an observer of facts: a real alert samples, and so does this one.

use super::World;
use super::event::Event;
use super::fact::Fact;
use super::recorder::Recorder;
use crate::model::Signal;
use crate::units::SimTime;

/// An alert at run time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AlertState {
    /// The condition does not hold.
    Quiet,
    /// It has held since this instant.
    Pending(SimTime),
    /// It has held long enough.
    Firing,
}

impl<R: Recorder> World<'_, R> {
    /// Evaluates an alert and puts its next evaluation on the calendar.
    pub(super) fn evaluate(&mut self, alert: u16) {
        let rule = &self.model.alerts[usize::from(alert)];
        let now = self.calendar.now();
        let value = self.read(rule.signal);
        let holds = rule.comparison.holds(value, rule.threshold);
        let state = match (self.alerts[usize::from(alert)], holds) {
            (AlertState::Quiet, true) => AlertState::Pending(now),
            (state, true) => state,
            (AlertState::Firing, false) => {
                self.tell(Fact::AlertCleared { alert, value });
                AlertState::Quiet
            }
            (AlertState::Quiet | AlertState::Pending(_), false) => AlertState::Quiet,
        };
        let rule = &self.model.alerts[usize::from(alert)];
        self.alerts[usize::from(alert)] = match state {
            AlertState::Pending(since) if now.since(since) >= rule.hold => {
                self.tell(Fact::AlertFired { alert, value });
                AlertState::Firing
            }
            AlertState::Quiet | AlertState::Pending(_) | AlertState::Firing => state,
        };
        let rule = &self.model.alerts[usize::from(alert)];
        self.calendar
            .schedule(now.saturating_add(rule.every), Event::Evaluate(alert));
    }

    fn read(&self, signal: Signal) -> f64 {
        match signal {
            Signal::Depth(queue) => self.queues[queue].line.len() as f64,
            Signal::Lag(queue) => self.lag(queue).as_secs_f64(),
            Signal::InFlight(queue) => self.queues[queue].in_flight as f64,
            Signal::UnackedAge(queue) => self.unacked_age(queue).as_secs_f64(),
            Signal::Delayed(queue) => self.ledger.queues[queue].delayed as f64,
            Signal::Memory(queue) => self.queues[queue].bytes as f64,
            Signal::BlockedAt(queue) => self.ledger.queues[queue].blocked as f64,
            Signal::Blocked(producer) => self.ledger.producers[producer].blocked as f64,
            Signal::Busy(fleet) => f64::from(self.busy(fleet)),
            Signal::Count(flow, queue) => self.ledger.queues[queue].flows.of(flow) as f64,
        }
    }
}
