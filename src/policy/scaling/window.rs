//! What was recommended and changed within some time that ends now, at the same cost however long
//! that time is and however often somebody looks.
//!
//! Not what is made of it: that is the [behaviour](super::behaviour).

use std::collections::VecDeque;

use crate::units::{SimDuration, SimTime};

/// Which of the numbers in a window is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extreme {
    /// The least of them.
    Least,
    /// The most of them.
    Most,
}

/// The extreme of the numbers of a window: a queue of those that nothing younger beats, of which
/// the oldest is the extreme (the monotone queue of sliding-window minima).
#[derive(Clone, Debug)]
pub(super) struct Sliding {
    extreme: Extreme,
    kept: VecDeque<(SimTime, u32)>,
}

impl Sliding {
    pub(super) fn new(extreme: Extreme) -> Self {
        Self {
            extreme,
            kept: VecDeque::new(),
        }
    }

    /// Adds a number, and returns the extreme of those that are no older than `window`. Time never
    /// goes back, nor does a window grow.
    pub(super) fn push(&mut self, now: SimTime, number: u32, window: SimDuration) -> u32 {
        let beaten = |kept: u32| match self.extreme {
            Extreme::Least => kept >= number,
            Extreme::Most => kept <= number,
        };
        while self.kept.back().is_some_and(|(_, kept)| beaten(*kept)) {
            self.kept.pop_back();
        }
        self.kept.push_back((now, number));
        let is_old = |at: SimTime| now.since(at) > window;
        while self.kept.front().is_some_and(|(at, _)| is_old(*at)) {
            self.kept.pop_front();
        }
        self.kept.front().map_or(number, |(_, kept)| *kept)
    }
}

/// Changes of a number, up and down apart, summed from the first on.
#[derive(Clone, Debug, Default)]
pub(super) struct Changes {
    /// When, and the sums up to then, that change included.
    sums: VecDeque<(SimTime, Sums)>,
    /// The sums of what has been forgotten.
    forgotten: Sums,
}

/// How many were added, and how many were removed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Sums {
    pub(super) added: u64,
    pub(super) removed: u64,
}

impl Changes {
    /// Notes a change.
    pub(super) fn push(&mut self, now: SimTime, from: u32, to: u32) {
        let Sums { added, removed } = self.last();
        let sums = Sums {
            added: added + u64::from(to.saturating_sub(from)),
            removed: removed + u64::from(from.saturating_sub(to)),
        };
        self.sums.push_back((now, sums));
    }

    fn last(&self) -> Sums {
        self.sums.back().map_or(self.forgotten, |(_, sums)| *sums)
    }

    /// Forgets what is as old as this, or older.
    pub(super) fn forget(&mut self, now: SimTime, age: SimDuration) {
        while let Some((at, sums)) = self.sums.front()
            && now.since(*at) >= age
        {
            self.forgotten = *sums;
            self.sums.pop_front();
        }
    }

    /// What was added and removed within a period that ends now.
    pub(super) fn within(&self, now: SimTime, period: SimDuration) -> Sums {
        let old = self
            .sums
            .partition_point(|(at, _)| now.since(*at) >= period);
        let before = match old.checked_sub(1) {
            None => self.forgotten,
            Some(last) => self.sums[last].1,
        };
        let last = self.last();
        Sums {
            added: last.added - before.added,
            removed: last.removed - before.removed,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(millis: u64) -> SimTime {
        SimTime::ZERO + SimDuration::from_millis(millis)
    }

    /// Numbers below 8 with no order in them, now and then at one instant.
    fn numbers() -> impl Iterator<Item = (SimTime, u32)> {
        (0..3_000_u64).map(|k| {
            (
                at(k * k % 7 + 7 * (k / 2)),
                ((k * k * 2_654_435_761) >> 7) as u32 % 8,
            )
        })
    }

    #[test]
    fn the_extreme_is_that_of_all_numbers_in_the_window() {
        for (extreme, window) in [
            (Extreme::Least, 0),
            (Extreme::Least, 50),
            (Extreme::Most, 50),
            (Extreme::Most, 5_000),
        ] {
            let window = SimDuration::from_millis(window);
            let mut sliding = Sliding::new(extreme);
            let mut all: Vec<(SimTime, u32)> = Vec::new();
            let mut now = SimTime::ZERO;
            for (next, number) in numbers() {
                now = now.max(next);
                all.push((now, number));
                let within = all.iter().filter(|(at, _)| now.since(*at) <= window);
                let within = within.map(|(_, number)| *number);
                let expected = match extreme {
                    Extreme::Least => within.min(),
                    Extreme::Most => within.max(),
                };
                assert_eq!(Some(sliding.push(now, number, window)), expected);
            }
        }
    }

    #[test]
    fn changes_are_summed_over_the_period() {
        let longest = SimDuration::from_millis(400);
        let mut changes = Changes::default();
        let mut all: Vec<(SimTime, i64)> = Vec::new();
        let (mut now, mut size) = (SimTime::ZERO, 4);
        for (next, to) in numbers() {
            now = now.max(next);
            changes.forget(now, longest);
            for period in [1, 40, 400].map(SimDuration::from_millis) {
                let recent = all.iter().filter(|(at, _)| now.since(*at) < period);
                let sum = |sign: i64| {
                    recent
                        .clone()
                        .map(|(_, by)| (sign * by).max(0))
                        .sum::<i64>()
                };
                let Sums { added, removed } = changes.within(now, period);
                assert_eq!((added as i64, removed as i64), (sum(1), sum(-1)));
            }
            changes.push(now, size, to);
            all.push((now, i64::from(to) - i64::from(size)));
            size = to;
        }
    }

    #[test]
    fn a_long_window_costs_no_more_than_a_short_one() {
        // A number for each microsecond of 300 s would take hours if each look went over all.
        let mut sliding = Sliding::new(Extreme::Most);
        let window = SimDuration::from_secs(300);
        for micros in 0..1_000_000_u64 {
            let now = SimTime::from_nanos(micros * 1_000);
            let number = 1_000_000 - micros as u32;
            assert_eq!(sliding.push(now, number, window), 1_000_000);
        }
    }
}
