//! A circuit breaker: it counts how calls end, and lets none through for a while when too many
//! fail or are slow (rule E7). The defaults are resilience4j's.
//!
//! Not what is done instead of a call: that is the caller's.

use crate::units::{Ratio, SimDuration, SimTime};

/// When it opens, for how long, and how it closes again.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Breaker {
    /// How many of the last calls it looks at.
    pub window: u32,
    /// How many have to have ended before it opens.
    pub minimum: u32,
    /// The share of failures at which it opens.
    pub failures: Ratio,
    /// The share of slow calls at which it opens.
    pub slow: Ratio,
    /// How long a call takes that is slow.
    pub slow_above: SimDuration,
    /// How long it stays open.
    pub open: SimDuration,
    /// How many calls it lets through when it is half open, before it decides.
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

/// A breaker at run time.
#[derive(Clone, Debug)]
pub struct BreakerState {
    config: Breaker,
    position: Position,
    /// When an open one becomes half open.
    until: SimTime,
}

impl BreakerState {
    /// A closed breaker that has seen nothing.
    pub fn new(config: Breaker) -> Self {
        Self {
            config,
            position: Position::Closed,
            until: SimTime::ZERO,
        }
    }

    /// How it stands now: an open one whose time is over is half open.
    pub fn position(&self) -> Position {
        self.position
    }
}
