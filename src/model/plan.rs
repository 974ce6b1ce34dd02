//! The plan of a run: where it stops, what bounds it, how often it is repeated.
//!
//! Not which questions are asked of its results.

use crate::random::Seed;
use crate::units::{Ratio, SimDuration, SimTime};

/// How long, how often, from which seed.
#[derive(Clone, Debug)]
pub struct Plan {
    /// What ends the run.
    pub stop: Stop,
    /// The bound on simulated time; reaching it is reported.
    pub horizon: SimTime,
    /// The bound on messages alive at once; reaching it ends the run and is reported.
    pub most_alive: u64,
    /// The bound on events handled; reaching it ends the run and is reported.
    pub most_events: u64,
    /// The root of all randomness.
    pub seed: Seed,
    /// How many independent runs.
    pub replications: Replications,
    /// What is left out of the statistics at the front.
    pub warmup: Warmup,
    /// When goodput is said to have come back.
    pub recovery: Recovery,
}

/// When goodput is said to have come back after a disturbance: from which on each window has at
/// least a share of what was done before in a window, less three standard deviations of that
/// count, so that chance alone is no relapse.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Recovery {
    /// The share of the level before.
    pub share: Ratio,
    /// How long a window is, in which goodput is counted.
    pub window: SimDuration,
}

impl Default for Recovery {
    fn default() -> Self {
        Self {
            share: Ratio::new(0.9).expect("a ratio"),
            window: SimDuration::from_secs(10),
        }
    }
}

/// How many independent runs there are.
#[derive(Clone, Debug, PartialEq)]
pub enum Replications {
    /// So many.
    Fixed(u32),
    /// As many as make some metrics precise.
    Until(Precision),
}

/// How precise an experiment has to become.
#[derive(Clone, Debug, PartialEq)]
pub struct Precision {
    /// The half-width of the 95 % interval over its mean, at most.
    pub target: Ratio,
    /// Which metrics have to be so precise, by their full names.
    pub of: Vec<String>,
    /// The most replications.
    pub at_most: u32,
}

impl Precision {
    /// Replications come in rounds of so many, whatever the number of threads, and precision is
    /// looked at between rounds only.
    pub const ROUND: u32 = 10;
    /// The most replications unless something else is said.
    pub const AT_MOST: u32 = 1_000;
}

/// What ends a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The first instant after the last scheduled disturbance at which no queue holds a waiting
    /// message and no publisher is blocked.
    Drained,
    /// When the sources have ended and every message has reached its end.
    Settled,
    /// An instant.
    At(SimTime),
}

/// What is left out of the statistics at the front.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Warmup {
    /// A stated time; zero for none.
    For(SimDuration),
    /// As much as MSER-5 finds in a pilot run.
    Auto,
}
