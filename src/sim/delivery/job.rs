//! Jobs: the messages that a handler works on at once, one or a batch, and how far it is.
//!
//! Not what becomes of them ([`super::attempt`]).

use super::lease::LeaseRef;
use crate::model::BatchWork;
use crate::policy::retry::budget::Cause;
use crate::sim::dependency::RequestRef;
use crate::sim::fact::Failure;
use crate::units::{SimDuration, SimTime};

/// A job, and which use of its slot it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::sim) struct JobRef {
    pub(super) slot: u32,
    generation: u32,
}

/// What a handler has in hand.
#[derive(Clone, Debug, Default)]
pub(super) struct Job {
    generation: u32,
    pub(super) pieces: Vec<Piece>,
    /// Which attempt it is since the messages came into this hand, from 0.
    pub(super) attempt: u32,
    pub(super) phase: Phase,
    /// The wait before the attempt.
    pub(super) delay: SimDuration,
    /// What it waits for in its phase of calling.
    pub(super) request: Option<RequestRef>,
    /// How long its handler had worked before that.
    pub(super) own: SimDuration,
}

/// How far a job is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Phase {
    /// Its messages come together.
    #[default]
    Gathering,
    /// Some have come, and it waits for others until its window closes.
    Filling,
    /// The handler works.
    Working,
    /// The handler waits for the end of a request to a dependency.
    Calling,
    /// That has failed so fast that the handler holds on for a moment before it says so.
    Stumbling,
    /// The handler waits before it tries again.
    Pausing,
}

/// One message of a job.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    pub(super) lease: LeaseRef,
    pub(super) plan: Plan,
    /// How long the attempt takes on this message, alone.
    pub(super) work: SimDuration,
    /// Its part of the handler's time.
    pub(super) part: SimDuration,
    /// How much of that passes before it acts on the world outside.
    pub(super) acts_after: SimDuration,
    /// Why it is an attempt after a failed one, if it is.
    pub(super) again: Option<Cause>,
}

/// What an attempt on a message will come to, unless it is cut short.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Plan {
    /// It acts.
    Act,
    /// It fails.
    Fail(Failure),
    /// It failed, and would be tried again if the budget allowed it.
    Refused,
    /// Somebody has acted: there is nothing to do.
    Skip,
    /// Somebody else is at it until then.
    Busy { until: SimTime },
    /// It succeeded, and waits for the others of its batch.
    Done,
    /// It is older than what has been applied of its key, and was ignored.
    Ignored,
}

impl Plan {
    /// Whether the broker is told that it did not go well.
    pub(super) fn is_bad(self) -> bool {
        match self {
            Self::Fail(_) | Self::Refused | Self::Busy { .. } => true,
            Self::Act | Self::Skip | Self::Done | Self::Ignored => false,
        }
    }
}

impl Piece {
    pub(super) fn of(lease: LeaseRef) -> Self {
        Self {
            lease,
            plan: Plan::Act,
            work: SimDuration::ZERO,
            part: SimDuration::ZERO,
            acts_after: SimDuration::ZERO,
            again: None,
        }
    }
}

/// How long a handler works on these messages, each of which gets its part of that: what it takes
/// alone, where they are worked on one after the other. As one piece of work they take as long as
/// the longest of them, of which each has the share that its own time has in all of theirs.
pub(super) fn share_out(pieces: &mut [Piece], work: BatchWork) -> SimDuration {
    let nanos = |piece: &Piece| u128::from(piece.work.as_nanos());
    let sum: u128 = pieces.iter().map(nanos).sum();
    let longest = pieces.iter().map(nanos).max().unwrap_or(0);
    let all = match work {
        BatchWork::Each => sum.min(u128::from(u64::MAX)),
        BatchWork::Once => longest,
    };
    for piece in pieces {
        // No more than the longest of them, which is a number of 64 bits.
        let part = (nanos(piece) * all).checked_div(sum).unwrap_or(0);
        piece.part = SimDuration::from_nanos(part as u64);
    }
    SimDuration::from_nanos(all as u64)
}

/// All jobs. Slots are used again with the memory of their pieces.
#[derive(Debug, Default)]
pub(super) struct Jobs {
    slots: Vec<Job>,
    free: Vec<u32>,
}

impl Jobs {
    /// A new job without messages.
    pub(super) fn open(&mut self) -> u32 {
        if let Some(slot) = self.free.pop() {
            return slot;
        }
        self.slots.push(Job::default());
        (self.slots.len() - 1) as u32
    }

    pub(super) fn close(&mut self, slot: u32) {
        let job = &mut self.slots[slot as usize];
        job.generation = job.generation.wrapping_add(1);
        job.pieces.clear();
        (job.attempt, job.phase, job.delay) = (0, Phase::Gathering, SimDuration::ZERO);
        (job.request, job.own) = (None, SimDuration::ZERO);
        self.free.push(slot);
    }

    pub(super) fn ref_of(&self, slot: u32) -> JobRef {
        let generation = self.slots[slot as usize].generation;
        JobRef { slot, generation }
    }

    /// Whether the job is still the one that was meant.
    pub(super) fn is_open(&self, id: JobRef) -> bool {
        self.slots[id.slot as usize].generation == id.generation
    }

    /// How many are under way.
    pub(in crate::sim) fn under_way(&self) -> usize {
        self.slots.len() - self.free.len()
    }
}

impl std::ops::Index<u32> for Jobs {
    type Output = Job;

    fn index(&self, slot: u32) -> &Job {
        &self.slots[slot as usize]
    }
}

impl std::ops::IndexMut<u32> for Jobs {
    fn index_mut(&mut self, slot: u32) -> &mut Job {
        &mut self.slots[slot as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(work: BatchWork, own: &[u64]) -> (u64, Vec<u64>) {
        let lease = LeaseRef::of_none();
        let mut pieces: Vec<_> = own
            .iter()
            .map(|nanos| Piece {
                work: SimDuration::from_nanos(*nanos),
                ..Piece::of(lease)
            })
            .collect();
        let all = share_out(&mut pieces, work).as_nanos();
        (all, pieces.iter().map(|it| it.part.as_nanos()).collect())
    }

    #[test]
    fn parts_of_a_batch_are_together_no_more_than_its_time() {
        let own = [10, 30, 20];
        assert_eq!(parts(BatchWork::Each, &own), (60, vec![10, 30, 20]));
        assert_eq!(parts(BatchWork::Once, &own), (30, vec![5, 15, 10]));
        // 7 for three of 7: a third of that each, rounded down.
        assert_eq!(parts(BatchWork::Once, &[7; 3]), (7, vec![2; 3]));
        assert_eq!(parts(BatchWork::Once, &[0; 3]), (0, vec![0; 3]));
        let (all, parts) = parts(BatchWork::Each, &[u64::MAX; 2]);
        assert_eq!((all, parts[0]), (u64::MAX, u64::MAX / 2));
    }
}
