//! Arrival processes: when messages come, and how many at once.
//!
//! Not who sends them and what happens when a queue refuses (that is the publish policy), and not
//! the law of one number ([`crate::random::law`]).
//!
//! [`Arrivals`] is the configuration; [`Source`] is one run through it, with the little state that
//! takes.

mod clients;
mod constant;
mod poisson;

pub use clients::{Clients, WaitFor};
pub use constant::Constant;
pub use poisson::Poisson;

use crate::input::{Problems, Read, Value, Variant};
use crate::random::{Law, Stream};
use crate::units::SimTime;

/// The next arrival: `count` messages at one instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Next {
    /// When.
    pub at: SimTime,
    /// How many come at once.
    pub count: u32,
}

/// A process of arrivals, as it is configured.
#[derive(Clone, Debug, PartialEq)]
pub enum Arrivals {
    /// Evenly spaced.
    Constant(Constant),
    /// Independent of each other.
    Poisson(Poisson),
    /// Clients that wait for an answer before they send again; the simulator drives them.
    Clients(Clients),
}

/// The gaps between arrivals in the words of queueing theory. Rates are per second.
#[derive(Clone, Debug, PartialEq)]
pub enum Interarrival {
    /// Evenly spaced (D).
    Constant {
        /// Arrivals a second.
        rate: f64,
    },
    /// Exponential gaps (M).
    Poisson {
        /// Arrivals a second.
        rate: f64,
    },
    /// Independent gaps of one law, in seconds (GI).
    Renewal(Law),
}

/// Names of the processes, as they are written.
const NAMES: [&str; 3] = ["constant", "poisson", "clients"];

impl Arrivals {
    /// A run through the process from its start. Of clients it is empty: they send when they have
    /// been answered, which only the simulator knows.
    pub fn source(&self) -> Source {
        Source(match self {
            Self::Constant(it) => State::Constant(it.source()),
            Self::Poisson(it) => State::Poisson(it.source()),
            Self::Clients(_) => State::Ended,
        })
    }

    /// The instant after which the process stays as it is: the last of finitely many bursts, the
    /// end of the last change of a schedule. `None` when it never changes, or has a steady
    /// pattern (endless bursts, days).
    pub fn last_change(&self) -> Option<SimTime> {
        match self {
            Self::Constant(_) | Self::Poisson(_) | Self::Clients(_) => None,
        }
    }

    /// Whether it ends by itself.
    pub fn ends(&self) -> bool {
        match self {
            Self::Constant(_) | Self::Poisson(_) | Self::Clients(_) => false,
        }
    }

    /// Messages a second in the long run; `None` where there is no such number.
    pub fn mean_rate(&self) -> Option<f64> {
        match self {
            Self::Constant(it) => Some(it.rate.as_per_second()),
            Self::Poisson(it) => Some(it.rate.as_per_second()),
            Self::Clients(_) => None,
        }
    }

    /// The flow of messages up to `horizon`: rates per second, each from its instant in seconds
    /// to the next one's. `None` where there is no flow (clients).
    pub fn rate_segments(&self, _horizon: SimTime) -> Option<Vec<(f64, f64)>> {
        match self {
            Self::Constant(it) => {
                let from = it.offset.as_secs_f64();
                let mut segments = vec![(from, it.rate.as_per_second())];
                if from > 0.0 {
                    segments.insert(0, (0.0, 0.0));
                }
                Some(segments)
            }
            Self::Poisson(it) => Some(vec![(0.0, it.rate.as_per_second())]),
            Self::Clients(_) => None,
        }
    }

    /// The process in the words of queueing theory, where they have one for it.
    pub fn interarrival(&self) -> Option<Interarrival> {
        match self {
            Self::Constant(it) => Some(Interarrival::Constant {
                rate: it.rate.as_per_second(),
            }),
            Self::Poisson(it) => Some(Interarrival::Poisson {
                rate: it.rate.as_per_second(),
            }),
            Self::Clients(_) => None,
        }
    }
}

impl Read for Arrivals {
    const EXPECTS: &'static str = "a process such as { poisson = { rate = \"1200/s\" } }";

    fn read(value: &Value, problems: &mut Problems) -> Option<Self> {
        let variant = Variant::of(value, "a process of arrivals", &NAMES, problems)?;
        let mut fields = variant.fields(problems)?;
        let arrivals = match variant.name {
            "constant" => Constant::read(&mut fields, problems).map(Self::Constant),
            "poisson" => Poisson::read(&mut fields, problems).map(Self::Poisson),
            "clients" => Clients::read(&mut fields, problems).map(Self::Clients),
            _ => None,
        };
        fields.close(problems);
        arrivals
    }
}

/// One run through a process.
#[derive(Clone, Debug)]
pub struct Source(State);

#[derive(Clone, Debug)]
enum State {
    Constant(constant::Source),
    Poisson(poisson::Source),
    Ended,
}

impl Source {
    /// The next arrival, never earlier than the one before; `None` when there is none, or none
    /// that the clock can hold.
    #[inline]
    pub fn next(&mut self, stream: &mut Stream) -> Option<Next> {
        match &mut self.0 {
            State::Constant(source) => source.next(),
            State::Poisson(source) => source.next(stream),
            State::Ended => None,
        }
    }
}
