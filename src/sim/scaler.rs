//! A fleet whose size follows its work: a rule looks now and then, and consumers come after their
//! start-up, or go when they have finished what they do (rule D5).
//!
//! Not the rule: that is a policy. Not scheduled sizes either ([`super::outage`]).

use std::collections::VecDeque;

use super::World;
use super::event::Event;
use super::fact::Fact;
use super::recorder::Recorder;
use crate::model::{Fleet, FleetId};
use crate::policy::scaling::{Scaler, Sight};
use crate::units::SimTime;

/// What a fleet's rule knows, and what it has set going.
#[derive(Debug)]
pub(super) struct ScalerState {
    scaler: Scaler,
    /// Consumers that are wanted, those that start up included.
    wanted: u32,
    /// How many start up together, the first to come first.
    coming: VecDeque<u32>,
}

impl ScalerState {
    pub(super) fn of(fleet: &Fleet) -> Option<Self> {
        let scaling = fleet.scaling.as_ref()?;
        Some(Self {
            scaler: scaling.scaler(),
            wanted: fleet.count,
            coming: VecDeque::new(),
        })
    }
}

impl<R: Recorder> World<'_, R> {
    /// Puts the first look of each rule on the calendar.
    pub(super) fn schedule_reviews(&mut self) {
        for (id, fleet) in self.model.fleets.pairs() {
            if let Some(scaling) = &fleet.scaling {
                let at = SimTime::ZERO.saturating_add(scaling.every());
                self.calendar.schedule(at, Event::Review(id));
            }
        }
    }

    /// A rule looks at its fleet's queue, and decides how many consumers there should be.
    #[inline(never)]
    pub(super) fn review(&mut self, id: FleetId) {
        let fleet = &self.model.fleets[id];
        let Some(scaling) = &fleet.scaling else {
            return;
        };
        let now = self.calendar.now();
        self.calendar
            .schedule(now.saturating_add(scaling.every()), Event::Review(id));
        let queue = &self.queues[fleet.queue];
        let backlog = scaling.reads(queue.line.len() as u64, queue.in_flight);
        let Some(state) = &mut self.fleets[id].scaler else {
            return;
        };
        let from = state.wanted;
        let to = state.scaler.wanted(Sight {
            now,
            wanted: from,
            backlog,
        });
        if to == from {
            return;
        }
        state.wanted = to;
        self.tell(Fact::Wanted {
            fleet: id,
            from,
            to,
        });
        if to < from {
            return self.go(id, from - to);
        }
        if let Some(state) = &mut self.fleets[id].scaler {
            state.coming.push_back(to - from);
        }
        let at = now.saturating_add(scaling.start_up);
        self.calendar.schedule(at, Event::ComeUp(id));
    }

    /// Consumers have started up.
    #[inline(never)]
    pub(super) fn come_up(&mut self, id: FleetId) {
        let come = self.fleets[id]
            .scaler
            .as_mut()
            .and_then(|state| state.coming.pop_front());
        let count = self.fleets[id].count;
        self.resize(id, count + come.unwrap_or(0));
    }

    /// So many consumers are no longer wanted: those that start up last are called off first.
    fn go(&mut self, id: FleetId, mut fewer: u32) {
        if let Some(state) = &mut self.fleets[id].scaler {
            for coming in state.coming.iter_mut().rev() {
                let called_off = fewer.min(*coming);
                *coming -= called_off;
                fewer -= called_off;
            }
        }
        let count = self.fleets[id].count;
        self.resize(id, count - fewer);
    }
}
