//! What is read of the world: levels at an instant, for samples and alerts, and the counts of the
//! measured time.
//!
//! Not statistics: recorders make those.

use super::World;
use super::event::Event;
use super::recorder::{Levels, QueueLevels, Recorder};
use crate::model::{CallerId, DependencyId, ProducerId, QueueId};
use crate::outcome::{CallerFlows, Flows, StationFlows};
use crate::units::{SimDuration, SimTime};

impl<R: Recorder> World<'_, R> {
    /// When the oldest waiting message was accepted.
    #[inline(always)]
    pub(super) fn oldest_accepted(&self, id: QueueId) -> Option<SimTime> {
        self.queues[id]
            .line
            .oldest()
            .map(|slot| self.messages[slot].accepted)
    }

    /// Age of the oldest waiting message.
    pub(super) fn lag(&self, queue: QueueId) -> SimDuration {
        let oldest = self.oldest_accepted(queue);
        oldest.map_or(SimDuration::ZERO, |accepted| {
            self.calendar.now().since(accepted)
        })
    }

    /// For how long the oldest delivery of a queue has been unacknowledged; zero when none is out.
    pub(super) fn unacked_age(&self, queue: QueueId) -> SimDuration {
        let since = self.queues[queue].desk.oldest_unacked();
        since.map_or(SimDuration::ZERO, |since| self.calendar.now().since(since))
    }

    pub(super) fn schedule_sample(&mut self) {
        if let Some(at) = self.recorder.next_sample(self.calendar.now()) {
            self.calendar.schedule(at, Event::Sample);
        }
    }

    /// The levels of all components now.
    pub(super) fn levels(&self) -> Levels {
        let queues = self.queues.pairs().map(|(id, state)| {
            let account = &self.ledger.queues[id];
            QueueLevels {
                depth: state.line.len() as u64,
                in_flight: state.in_flight,
                lag: self.lag(id),
                memory: state.bytes,
                blocked: account.blocked,
                flows: account.flows,
            }
        });
        Levels {
            queues: queues.collect(),
            fleets: self
                .fleets
                .ids()
                .map(|id| (self.busy(id), self.fleets[id].up))
                .collect(),
            blocked: self
                .ledger
                .producers
                .iter()
                .map(|account| account.blocked)
                .collect(),
            dependencies: self.ledger.calls.stations.clone(),
        }
    }

    /// Reads levels. No event of the history: with or without, the same bound is met.
    pub(super) fn sample(&mut self) {
        self.events -= 1;
        let levels = self.levels();
        self.recorder.sample(self.calendar.now(), &levels);
        self.schedule_sample();
    }

    /// What the messages in a queue's line have waited so far, in nanoseconds.
    pub(super) fn waited_so_far(&self, queue: QueueId) -> u128 {
        let now = self.calendar.now();
        let slots = self.queues[queue].line.slots();
        let waited = |slot: u32| u128::from(now.since(self.messages[slot].queued).as_nanos());
        slots.into_iter().map(waited).sum()
    }

    /// The counts of a queue in the measured time.
    pub(super) fn flows_of_queue(&self, id: QueueId) -> Flows {
        self.ledger.queues[id]
            .flows
            .since(&self.before.queues[id].flows)
    }

    /// The counts of a dependency in the measured time.
    pub(super) fn flows_of_dependency(&self, id: DependencyId) -> StationFlows {
        let before = &self.before.calls.stations[id].flows;
        self.ledger.calls.stations[id].flows.since(before)
    }

    /// The counts of a caller in the measured time.
    pub(super) fn flows_of_caller(&self, id: CallerId) -> CallerFlows {
        let before = &self.before.calls.callers[id].flows;
        self.ledger.calls.callers[id].flows.since(before)
    }

    /// The counts of a producer in the measured time.
    pub(super) fn flows_of_producer(&self, id: ProducerId) -> Flows {
        self.ledger.producers[id]
            .flows
            .since(&self.before.producers[id].flows)
    }
}
