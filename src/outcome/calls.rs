//! What one run counted and measured of dependencies and of those who call them, as plain data.
//!
//! Not of messages ([`super::record`]).

use super::record::{Level, Times};
use crate::units::SimTime;

macro_rules! flows {
    ($(#[$doc:meta])* $name:ident { $($(#[$field_doc:meta])* $field:ident,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub struct $name {
            $($(#[$field_doc])* pub $field: u64,)*
        }

        impl $name {
            /// What has been counted since `before`.
            #[must_use]
            pub fn since(&self, before: &Self) -> Self {
                Self { $($field: self.$field - before.$field,)* }
            }
        }
    };
}

flows! {
    /// Counts of what became of the calls to a dependency.
    StationFlows {
        /// Requests of its callers.
        requests,
        /// Calls made to it.
        calls,
        /// Calls answered well, while their callers waited.
        answered,
        /// Calls answered with a failure, while their callers waited.
        failed,
        /// Calls answered though their callers had left.
        late,
        /// Calls refused at the door, for whatever reason.
        refused,
        /// Those of them refused by a limit on the rate of calls.
        throttled,
        /// Those of them refused since they would have waited too long.
        shed,
        /// Waiting calls dropped when their turn came, since their callers had left or were about
        /// to.
        dropped,
        /// Calls lost with a server.
        crashed,
        /// Calls whose callers left at their timeout, or at a deadline.
        timed_out,
    }
}

flows! {
    /// Counts of what became of the requests of a caller.
    CallerFlows {
        /// Requests.
        requests,
        /// Requests that ended with a good answer.
        succeeded,
        /// Requests that ended after a timeout of their last call, or at their deadline.
        timed_out,
        /// Requests that ended in another way.
        failed,
        /// Requests whose caller crashed.
        crashed,
        /// Calls made.
        made,
        /// Those of them that began a further attempt.
        retries,
        /// Those of them made beside another.
        hedges,
        /// Attempts that made no call, and attempts that a budget did not allow.
        not_called,
        /// Times that a breaker opened.
        opened,
    }
}

/// What came to a dependency, and what is still there, over the whole run (rule B1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StationLedger {
    /// Counts since the start of the run.
    pub flows: StationFlows,
    /// Calls waiting at the end.
    pub waiting: u64,
    /// Calls in service at the end.
    pub serving: u64,
}

/// What a caller wanted, and what it still waits for, over the whole run (rule B1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CallerLedger {
    /// Counts since the start of the run.
    pub flows: CallerFlows,
    /// Requests that have not ended.
    pub open: u64,
}

/// What was measured of a dependency.
#[derive(Clone, Copy, Debug, Default)]
pub struct DependencyRecord {
    /// Counts.
    pub flows: StationFlows,
    /// Calls waiting.
    pub depth: Level,
    /// Servers with a call.
    pub busy: Level,
    /// From the call to the answer, of those that somebody waited for.
    pub latency: Times,
    /// Time of servers with a call over all time of all servers.
    pub utilization: Option<f64>,
    /// The share of the servers' time on calls that are over that went into no good answer in
    /// time.
    pub wasted_work: Option<f64>,
    /// Good answers in time a second.
    pub goodput: f64,
    /// The most retries that came in one tenth of a second.
    pub peak_retries: u64,
    /// When goodput was back for good.
    pub recovered_at: Option<SimTime>,
}

/// What was measured of a caller.
#[derive(Clone, Copy, Debug, Default)]
pub struct CallerRecord {
    /// Counts.
    pub flows: CallerFlows,
    /// Requests that have not ended.
    pub open: Level,
    /// From the beginning of a request to its good end.
    pub latency: Times,
    /// The share of time that its breakers are open; `None` without.
    pub breaker_open: Option<f64>,
    /// The share of time that they are half open; `None` without.
    pub breaker_half_open: Option<f64>,
    /// The limit of calls out at once of a client; `None` without.
    pub limit: Option<Level>,
    /// Requests that ended well a second.
    pub goodput: f64,
    /// When goodput was back for good.
    pub recovered_at: Option<SimTime>,
}
