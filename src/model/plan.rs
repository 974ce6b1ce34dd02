//! The plan of a run: where it stops, what bounds it, how often it is repeated.
//!
//! Not which questions are asked of its results.

use crate::random::Seed;
use crate::units::{SimDuration, SimTime};

/// How long, how often, from which seed.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// What ends the run.
    pub stop: Stop,
    /// The bound on simulated time; reaching it is reported.
    pub horizon: SimTime,
    /// The bound on messages alive at once; reaching it ends the run and is reported.
    pub most_alive: u64,
    /// The root of all randomness.
    pub seed: Seed,
    /// How many independent runs.
    pub replications: u32,
    /// What is left out of the statistics at the front.
    pub warmup: Warmup,
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
