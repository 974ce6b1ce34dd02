//! An outage: when part of a fleet stops, and what becomes of the work in hand.
//!
//! Not a crash of a single consumer by chance.

use super::table::FleetId;
use crate::random::law::DurationLaw;
use crate::units::{Ratio, SimDuration, SimTime};

/// A fleet, or part of it, stops and comes back.
#[derive(Clone, Debug)]
pub struct Outage {
    /// Which fleet.
    pub fleet: FleetId,
    /// When.
    pub windows: Windows,
    /// Which part of the fleet: the first consumers, to the nearest whole number.
    pub share: Ratio,
    /// What becomes of the work in hand.
    pub in_flight: InFlight,
    /// How the consumers come back.
    pub restart: Restart,
}

/// When an outage happens.
#[derive(Clone, Debug)]
pub enum Windows {
    /// At stated times: start and duration, in order, not overlapping.
    Fixed(Vec<(SimTime, SimDuration)>),
    /// At random, for ever: up for a while, then down for a while, from the start of the run.
    Random {
        /// Time from the end of one outage to the start of the next.
        up: DurationLaw,
        /// Time from the start of an outage to its end.
        down: DurationLaw,
    },
}

impl Windows {
    /// The instant at which the first window begins; zero for outages that come at random.
    pub fn first_start(&self) -> SimTime {
        match self {
            Self::Fixed(windows) => windows
                .iter()
                .map(|(start, _)| *start)
                .min()
                .unwrap_or(SimTime::MAX),
            Self::Random { .. } => SimTime::ZERO,
        }
    }

    /// The instant at which the last window has ended; `MAX` for outages without end.
    pub fn last_end(&self) -> SimTime {
        match self {
            Self::Fixed(windows) => windows
                .iter()
                .map(|(start, span)| start.saturating_add(*span))
                .max()
                .unwrap_or(SimTime::ZERO),
            Self::Random { .. } => SimTime::MAX,
        }
    }
}

/// What becomes of the work in hand when its consumer stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InFlight {
    /// It completes.
    Finish,
    /// It stops and goes on afterwards with what is left of it.
    Freeze,
    /// It is lost, and its message comes back.
    Crash(Returns),
}

/// When the message of lost work is back in its queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Returns {
    /// At once: the broker sees the connection close.
    AtOnce,
    /// When the consumers restart: the broker notices only then.
    AtRestart,
}

/// How the consumers come back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Restart {
    /// All at the same instant.
    InPhase,
    /// One after the other, evenly over one mean service time.
    Staggered,
}
