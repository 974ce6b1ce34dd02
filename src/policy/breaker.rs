//! A circuit breaker: it counts how calls end, and lets none through for a while when too many
//! fail or are slow (rule E7). The defaults are resilience4j's.
//!
//! Not what is done instead of a call: that is the caller's.

mod read;

use std::collections::VecDeque;
use std::fmt;

use crate::units::{Ratio, SimDuration, SimTime};

/// When it opens, for how long, and how it closes again.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Breaker {
    /// How many of the last calls it looks at: at least 1.
    pub window: u32,
    /// How many have to have ended before it opens: at least 1, at most the window.
    pub minimum: u32,
    /// The share of failures at which it opens.
    pub failures: Ratio,
    /// The share of slow calls at which it opens.
    pub slow: Ratio,
    /// How long a call takes that is not slow yet.
    pub slow_above: SimDuration,
    /// How long it stays open.
    pub open: SimDuration,
    /// How many calls it lets through when it is half open, before it decides: at least 1.
    pub trials: u32,
}

impl Default for Breaker {
    /// resilience4j's `CircuitBreakerConfig`: count window 100, minimum 100, failures 50 %, slow
    /// 100 % above 60 s, open 60 s, 10 calls when half open.
    fn default() -> Self {
        Self {
            window: 100,
            minimum: 100,
            failures: Ratio::new(0.5).expect("a ratio"),
            slow: Ratio::ONE,
            slow_above: SimDuration::from_secs(60),
            open: SimDuration::from_secs(60),
            trials: 10,
        }
    }
}

impl Breaker {
    /// How many trials have to have ended before a half-open one decides: its window is the
    /// trials, and the minimum holds there too as far as they reach.
    pub fn deciding_trials(&self) -> u32 {
        self.minimum.min(self.trials)
    }
}

impl fmt::Display for Breaker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "opens for {} when {} of the last {} calls fail",
            self.open, self.failures, self.window
        )?;
        write!(f, " or {} take more than {}", self.slow, self.slow_above)?;
        write!(
            f,
            ", once {} have ended; then tries {}",
            self.minimum, self.trials
        )
    }
}

/// How a breaker stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Position {
    /// Calls go through.
    Closed,
    /// None does.
    Open,
    /// A few do, to see.
    HalfOpen,
}

/// How a call ended, as far as a breaker looks.
#[derive(Clone, Copy, Debug)]
struct End {
    failed: bool,
    slow: bool,
}

/// A breaker at run time.
///
/// As resilience4j's: what it has seen is forgotten whenever it turns; calls that end while it is
/// open are not looked at; calls that were let through before it opened, and end while it is half
/// open, are counted with the trials.
#[derive(Clone, Debug)]
pub struct BreakerState {
    config: Breaker,
    position: Position,
    /// When an open one becomes half open.
    until: SimTime,
    /// Trials that may still begin, of a half-open one.
    trials: u32,
    /// The last calls that ended since it turned.
    ends: VecDeque<End>,
    failed: u32,
    slow: u32,
}

impl BreakerState {
    /// A closed breaker that has seen nothing.
    pub fn new(config: Breaker) -> Self {
        Self {
            config,
            position: Position::Closed,
            until: SimTime::ZERO,
            trials: 0,
            ends: VecDeque::new(),
            failed: 0,
            slow: 0,
        }
    }

    /// How it stands: an open one whose time is over is half open.
    pub fn position(&self, now: SimTime) -> Position {
        match self.position {
            Position::Open if now >= self.until => Position::HalfOpen,
            Position::Closed | Position::Open | Position::HalfOpen => self.position,
        }
    }

    /// When an open one becomes half open; `None` when it is not open.
    pub fn half_opens_at(&self) -> Option<SimTime> {
        match self.position {
            Position::Open => Some(self.until),
            Position::Closed | Position::HalfOpen => None,
        }
    }

    /// Whether a call may go through now. What is permitted has to be recorded when it has ended,
    /// or given back.
    pub fn permits(&mut self, now: SimTime) -> bool {
        self.see_the_time(now);
        match self.position {
            Position::Closed => true,
            Position::Open => false,
            Position::HalfOpen => {
                let left = self.trials > 0;
                self.trials -= u32::from(left);
                left
            }
        }
    }

    /// A permitted call has not been made, or its caller has left it for a reason of its own: it
    /// is not counted, and another may be tried.
    pub fn give_back(&mut self) {
        if self.position == Position::HalfOpen {
            let ended = self.ends.len() as u32;
            let most = self.config.trials.saturating_sub(ended);
            self.trials = (self.trials + 1).min(most);
        }
    }

    /// A call has ended, well or not (a timeout is not), after so long; the new position, when
    /// the breaker turns.
    pub fn record(&mut self, now: SimTime, good: bool, took: SimDuration) -> Option<Position> {
        self.see_the_time(now);
        let (window, due) = match self.position {
            Position::Open => return None,
            Position::Closed => (self.config.window, self.config.minimum),
            Position::HalfOpen => (self.config.trials, self.config.deciding_trials()),
        };
        self.count(
            window,
            End {
                failed: !good,
                slow: took > self.config.slow_above,
            },
        );
        if (self.ends.len() as u32) < due {
            return None;
        }
        let next = match (self.position, self.too_bad()) {
            (_, true) => Position::Open,
            (_, false) => Position::Closed,
        };
        (next != self.position).then(|| self.turn(next, now))
    }

    fn see_the_time(&mut self, now: SimTime) {
        if self.position == Position::Open && now >= self.until {
            self.turn(Position::HalfOpen, now);
        }
    }

    fn turn(&mut self, to: Position, now: SimTime) -> Position {
        self.position = to;
        self.ends.clear();
        (self.failed, self.slow) = (0, 0);
        match to {
            Position::Closed => {}
            Position::Open => self.until = now + self.config.open,
            Position::HalfOpen => self.trials = self.config.trials,
        }
        to
    }

    fn count(&mut self, window: u32, end: End) {
        self.failed += u32::from(end.failed);
        self.slow += u32::from(end.slow);
        self.ends.push_back(end);
        if self.ends.len() as u32 > window
            && let Some(oldest) = self.ends.pop_front()
        {
            self.failed -= u32::from(oldest.failed);
            self.slow -= u32::from(oldest.slow);
        }
    }

    /// Whether one of the shares has come to its threshold.
    fn too_bad(&self) -> bool {
        let share = |count: u32| f64::from(count) / self.ends.len() as f64;
        share(self.failed) >= self.config.failures.get()
            || share(self.slow) >= self.config.slow.get()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const QUICK: SimDuration = SimDuration::from_millis(10);

    fn at(seconds: u64) -> SimTime {
        SimTime::ZERO + SimDuration::from_secs(seconds)
    }

    /// Four calls, half of which may not fail; open for 5 s, two trials.
    fn small() -> Breaker {
        Breaker {
            window: 4,
            minimum: 4,
            slow_above: SimDuration::from_secs(1),
            open: SimDuration::from_secs(5),
            trials: 2,
            ..Breaker::default()
        }
    }

    fn ends(state: &mut BreakerState, now: SimTime, good: &[bool]) -> Vec<Option<Position>> {
        good.iter()
            .map(|good| state.record(now, *good, QUICK))
            .collect()
    }

    #[test]
    fn opens_when_half_of_the_window_fails_and_not_before_the_minimum() {
        let mut state = BreakerState::new(small());
        let turned = ends(&mut state, at(1), &[false, false, false, true]);
        assert_eq!(turned, [None, None, None, Some(Position::Open)]);
        assert!(!state.permits(at(1)));
        assert_eq!(state.half_opens_at(), Some(at(6)));
        assert_eq!(state.position(at(5)), Position::Open);
        assert_eq!(state.position(at(6)), Position::HalfOpen);
    }

    #[test]
    fn the_window_forgets_the_oldest() {
        let mut state = BreakerState::new(small());
        let calm = [false, true, true, true, false, true, true, true, false];
        assert_eq!(ends(&mut state, at(1), &calm), [None; 9], "one of any four");
        let turned = ends(&mut state, at(1), &[false]);
        assert_eq!(turned, [Some(Position::Open)], "t t f f");
    }

    #[test]
    fn resilience4j_opens_at_call_100_with_50_failures() {
        let mut state = BreakerState::new(Breaker::default());
        for call in 0..99 {
            assert_eq!(state.record(at(1), call % 2 == 0, QUICK), None, "{call}");
        }
        assert_eq!(state.failed, 49);
        assert_eq!(state.record(at(1), false, QUICK), Some(Position::Open));
        assert_eq!(state.half_opens_at(), Some(at(61)));
        let mut well = BreakerState::new(Breaker::default());
        for call in 0..99 {
            assert_eq!(well.record(at(1), call % 2 == 0, QUICK), None);
        }
        assert_eq!(well.record(at(1), true, QUICK), None, "49 of 100");
    }

    #[test]
    fn a_half_open_one_lets_its_trials_through_and_decides_by_them() {
        let mut state = BreakerState::new(small());
        ends(&mut state, at(0), &[false; 4]);
        assert!(state.permits(at(5)) && state.permits(at(5)) && !state.permits(at(5)));
        assert_eq!(ends(&mut state, at(5), &[true]), [None]);
        assert!(!state.permits(at(5)), "both trials are used");
        let closed = ends(&mut state, at(6), &[true]);
        assert_eq!(closed, [Some(Position::Closed)]);
        // A new window: three failures are too few to say anything.
        assert_eq!(ends(&mut state, at(6), &[false; 3]), [None; 3]);
        assert!(state.permits(at(6)));
    }

    #[test]
    fn trials_that_fail_open_it_again_for_as_long() {
        let mut state = BreakerState::new(small());
        ends(&mut state, at(0), &[false; 4]);
        assert!(state.permits(at(7)));
        let turned = ends(&mut state, at(8), &[true, false]);
        assert_eq!(turned, [None, Some(Position::Open)], "one of two is half");
        assert_eq!(state.half_opens_at(), Some(at(13)));
    }

    #[test]
    fn a_permit_that_is_given_back_can_be_used_again() {
        let mut state = BreakerState::new(small());
        ends(&mut state, at(0), &[false; 4]);
        assert!(state.permits(at(5)) && state.permits(at(5)));
        state.give_back();
        assert!(state.permits(at(5)) && !state.permits(at(5)));
        ends(&mut state, at(5), &[true]);
        state.give_back();
        state.give_back();
        assert!(state.permits(at(5)) && !state.permits(at(5)), "one ended");
    }

    #[test]
    fn slow_calls_open_it_though_they_go_well() {
        let mut state = BreakerState::new(small());
        let second = SimDuration::from_secs(1);
        let slow = second + SimDuration::from_nanos(1);
        let mut of = |took: [SimDuration; 4]| took.map(|took| state.record(at(1), true, took));
        assert_eq!(of([second; 4]), [None; 4], "a second is not above a second");
        assert_eq!(of([slow; 4]), [None, None, None, Some(Position::Open)]);
    }

    #[test]
    fn what_ends_while_it_is_open_is_not_looked_at() {
        let mut state = BreakerState::new(small());
        ends(&mut state, at(0), &[false; 4]);
        assert_eq!(ends(&mut state, at(4), &[true, false]), [None; 2]);
        assert_eq!(state.half_opens_at(), Some(at(5)));
        // At the end of its time it is half open, whoever comes first.
        assert_eq!(
            ends(&mut state, at(5), &[true, true]),
            [None, Some(Position::Closed)]
        );
    }

    #[test]
    fn a_minimum_below_the_trials_decides_among_them() {
        let mut state = BreakerState::new(Breaker {
            minimum: 1,
            ..small()
        });
        assert_eq!(ends(&mut state, at(0), &[false]), [Some(Position::Open)]);
        assert!(state.permits(at(5)));
        assert_eq!(ends(&mut state, at(5), &[true]), [Some(Position::Closed)]);
    }
}
