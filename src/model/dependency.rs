//! A dependency: a station of its own that handlers, or producers themselves, call and wait for
//! (rule E6). A database, a mail provider, another service.
//!
//! Not how a caller calls it: timeouts, retries, and breakers are the caller's ([`super::caller`]).

use super::outage::{InFlight, Windows};
use super::table::DependencyId;
use crate::policy::rate_limit::RateLimit;
use crate::random::law::DurationLaw;
use crate::units::{Ratio, SimDuration};

/// Who is called, and answers after a while.
#[derive(Clone, Debug)]
pub struct Dependency {
    /// Its dotted name: `dependencies.mailer`.
    pub name: String,
    /// How many calls it works on at once.
    pub servers: u32,
    /// How long it works on a call.
    pub service: DurationLaw,
    /// The most calls that wait for a server; `u64::MAX` for no bound. One more is refused.
    pub capacity: u64,
    /// Which waiting call goes next.
    pub order: StationOrder,
    /// What it does with a waiting call whose caller has gone, when its turn comes.
    pub expired: Expired,
    /// The probability that it answers with a failure, after having worked.
    pub fails: Ratio,
    /// How long a call takes that fails by `fails`; `None` for as long as any other.
    pub fails_take: Option<DurationLaw>,
    /// How it gets worse under load.
    pub overload: Option<Overload>,
    /// How many calls it takes; one more is refused.
    pub limit: Option<RateLimit>,
    /// How long a call may be about to wait at the door, from the calls that wait, the mean
    /// service time, and the servers; one that would wait longer is refused. `None` for any wait.
    pub shed: Option<SimDuration>,
}

/// Which waiting call goes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StationOrder {
    /// The oldest.
    Fifo,
    /// The youngest.
    Lifo,
    /// The oldest in calm; the youngest while the oldest has waited longer than this.
    Adaptive {
        /// The wait of the oldest above which the youngest goes first.
        above: SimDuration,
    },
}

/// What is done with a waiting call whose caller has gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expired {
    /// It is worked on like any other: the server does not know.
    Served,
    /// It is dropped when its turn comes, and so is one whose caller will have gone so soon: a
    /// deadline that travels with the call.
    Dropped {
        /// How long before the caller leaves a call is given up as well.
        margin: SimDuration,
    },
}

/// How a dependency gets worse under load: each call in it (waiting or worked on) above a number
/// adds to the service time, and to the probability of failure, of a call whose work begins.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Overload {
    /// Up to so many calls in it, itself included, nothing changes.
    pub above: u64,
    /// By which part of itself the service time grows for each call above.
    pub slowdown: Ratio,
    /// By how much the probability of failure grows for each call above, up to 1.
    pub failures: Ratio,
    /// The most that the service time is multiplied by; `None` for no bound.
    pub most: Option<f64>,
}

/// A dependency, or part of it, is down, or slow, for a while.
#[derive(Clone, Debug)]
pub struct Trouble {
    /// Which dependency.
    pub dependency: DependencyId,
    /// When.
    pub windows: Windows,
    /// Which part of its servers stops, to the nearest whole number; none when it is slow.
    pub share: Ratio,
    /// What becomes of the calls that the stopped servers work on.
    pub in_flight: InFlight,
    /// What it says to calls while all of its servers are stopped.
    pub answers: Answers,
    /// What service times that begin meanwhile are multiplied by; 1 for an outage.
    pub slowdown: f64,
}

/// What a dependency says to calls while it is down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answers {
    /// Nothing: calls wait in its line until it is back, or their callers leave.
    Hang,
    /// It refuses at once.
    FailFast,
}
