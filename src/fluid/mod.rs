//! The fluid reading: backlog as an integral of rates, without randomness and without messages.
//!
//! Arrivals and capacity are rates that are constant over stretches of time. What waits is the
//! integral of their difference, held at 0 and at the bound. Everything is worked out in rational
//! numbers, so a level that is reached is reached exactly, and "never" means never. Not a
//! simulation: there is no message, no service time, and no chance; two handlers of 20 ms and one
//! of 10 ms are the same capacity. Not an approximation of chance either: a fleet at 95 % has no
//! wait here, and a queue of its own in `theory`.
//!
//! [`run`] follows any such history; [`outage`] holds the closed forms for the commonest one.

mod flow;
mod line;
pub mod outage;
mod rates;
mod trajectory;

pub use flow::run;
pub use rates::{Segment, capacity_of, ramp, sum};
pub use trajectory::{Breakpoint, Peak, Totals, Trajectory};

/// What [`run`] needs to know. Times in seconds, rates in messages per second.
#[derive(Clone, Debug, PartialEq)]
pub struct Inputs {
    /// The rate at which publishes are meant to happen, from each instant on; 0 before the first.
    pub arrivals: Vec<Segment>,
    /// The rate at which the consumers could work, from each instant on; 0 before the first.
    pub capacity: Vec<Segment>,
    /// How many messages may wait.
    pub bound: Bound,
    /// What happens to a publish that finds the queue full.
    pub on_full: OnFull,
    /// Messages that have waited this long leave from the head, and count as expired.
    pub retention: Option<f64>,
    /// Where to stop; `f64::INFINITY` goes on until nothing changes any more.
    pub horizon_s: f64,
}

/// The bound on waiting messages; work in hand does not count.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Bound {
    /// The queue takes whatever comes.
    Unlimited,
    /// At most so many messages wait.
    Messages(f64),
}

/// What happens when the queue is full.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum OnFull {
    /// The publish fails at once.
    Reject,
    /// The publisher waits for a slot, for ever or up to `timeout` seconds. Publishers are
    /// independent and unlimited in number: one that is blocked keeps no other from publishing.
    Block {
        /// Who gets a slot that comes free.
        admission: Admission,
        /// How long a publisher waits, in seconds; `None` is for ever.
        timeout: Option<f64>,
    },
    /// The oldest waiting message makes room.
    DropOldest,
}

/// Who gets a slot that comes free while publishers are blocked.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Admission {
    /// In the order they came; a newcomer joins the end.
    Fifo,
    /// A newcomer takes a slot ahead of those who wait (barging); they share what is left, in
    /// order.
    NewcomersFirst,
    /// The last to come.
    Lifo,
    /// Any of them, a newcomer among them, with the same chance.
    Random,
}

/// Why there is no fluid reading.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[error("the fluid model does not apply: {because}")]
pub struct NoFlow {
    /// The reason, as a clause.
    pub because: String,
}

impl NoFlow {
    fn because(reason: impl Into<String>) -> Self {
        Self {
            because: reason.into(),
        }
    }
}
