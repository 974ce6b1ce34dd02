//! The metrics of dependencies, and of those who call them.
//!
//! Not those of messages, which are the rest of the catalogue.

use super::{Definition, Reading, Unit};
use crate::outcome::calls::{CallerFlows, CallerRecord, DependencyRecord};

fn share(part: u64, of: u64) -> Option<f64> {
    (of > 0).then(|| part as f64 / of as f64)
}

fn ended(flows: &CallerFlows) -> u64 {
    flows.succeeded + flows.timed_out + flows.failed
}

/// The metrics of a dependency.
pub(super) const DEPENDENCY: &[Definition<DependencyRecord>] = define! {
    "calls" Reading::Count(|d| d.flows.calls), "calls made to it: first ones, retries, and hedges";
    "answered" Reading::Count(|d| d.flows.answered), "calls answered well while their callers waited";
    "failed" Reading::Count(|d| d.flows.failed), "calls answered with a failure while their callers waited";
    "refused" Reading::Count(|d| d.flows.refused), "calls refused at its door: down, over its rate limit, shed, or its line was full";
    "throttled" Reading::Count(|d| d.flows.throttled), "those of them refused by its rate limit";
    "shed" Reading::Count(|d| d.flows.shed), "those of them refused since they would have waited longer than `shed`";
    "late" Reading::Count(|d| d.flows.late), "calls answered after their callers had left: work for nobody";
    "dropped" Reading::Count(|d| d.flows.dropped), "waiting calls given up at their turn, since their callers had left or were about to";
    "crashed" Reading::Count(|d| d.flows.crashed), "calls lost with the server that worked on them";
    "timed_out" Reading::Count(|d| d.flows.timed_out), "calls whose callers left at their timeout, or at a deadline";
    "depth" Reading::Level(Unit::Number, |d| Some(d.depth)), "calls waiting for a server, those whose callers have left included";
    "busy" Reading::Level(Unit::Number, |d| Some(d.busy)), "servers with a call";
    "latency" Reading::Times(|d| d.latency), "from a call to its answer, of calls whose callers still waited";
    "utilization" Reading::One(Unit::Ratio, |d| d.utilization), "time of servers with a call over all time of all servers";
    "wasted_work" Reading::One(Unit::Ratio, |d| d.wasted_work), "share of the servers' time, on calls that are over, that went into no good answer in time";
    "goodput" Reading::One(Unit::PerSecond, |d| Some(d.goodput)), "good answers in time a second";
    "amplification" Reading::One(Unit::Number, |d| share(d.flows.calls, d.flows.requests)), "calls over requests of all its callers: 1 when none is tried again";
    "peak_retries_per_100ms" Reading::Count(|d| d.peak_retries), "most retries that came within one tenth of a second of the clock";
    "recovered_at" Reading::Instant(|d| d.recovered_at), "start of the first window of `recovery`, after the last disturbance has ended, from which on goodput stayed at the level before; absent when it never came back, or nothing disturbed";
};

/// The metrics of a fleet, or of a producer, as one who calls.
pub(super) const CALLER: &[Definition<CallerRecord>] = define! {
    "requests" Reading::Count(|c| c.flows.requests), "requests: one for each message (or batch) of a handler, or for each arrival of a producer";
    "succeeded" Reading::Count(|c| c.flows.succeeded), "requests that ended with a good answer";
    "timed_out" Reading::Count(|c| c.flows.timed_out), "requests whose last call timed out, or whose deadline was over";
    "failed" Reading::Count(|c| c.flows.failed), "requests whose last call failed or was refused, or was not made";
    "crashed" Reading::Count(|c| c.flows.crashed), "requests whose consumer crashed meanwhile";
    "made" Reading::Count(|c| c.flows.made), "calls made: first ones, retries, and hedges";
    "retries" Reading::Count(|c| c.flows.retries), "calls made by further attempts";
    "hedges" Reading::Count(|c| c.flows.hedges), "calls made beside one that had not been answered for a while";
    "not_called" Reading::Count(|c| c.flows.not_called), "attempts that made no call: the breaker was open, too many calls were out, the deadline was over, or the retry budget did not allow them";
    "open" Reading::Level(Unit::Number, |c| Some(c.open)), "requests under way";
    "latency" Reading::Times(|c| c.latency), "from the beginning of a request to its good end, retries and waits included";
    "amplification" Reading::One(Unit::Number, |c| share(c.flows.made, c.flows.requests)), "calls made over requests: 1 when none is tried again";
    "success_share" Reading::One(Unit::Ratio, |c| share(c.flows.succeeded, ended(&c.flows))), "requests that ended well over those that ended";
    "goodput" Reading::One(Unit::PerSecond, |c| Some(c.goodput)), "requests that ended well a second";
    "breaker_open" Reading::One(Unit::Ratio, |c| c.breaker_open), "share of time that breakers are open; absent without a breaker";
    "breaker_half_open" Reading::One(Unit::Ratio, |c| c.breaker_half_open), "share of time that they are half open; absent without a breaker";
    "breaker_opened" Reading::Count(|c| c.flows.opened), "times that a breaker opened";
    "limit" Reading::Level(Unit::Number, |c| c.limit), "calls that a client may have out at once, on average over clients; absent without a limit";
    "recovered_at" Reading::Instant(|c| c.recovered_at), "start of the first window of `recovery`, after the last disturbance has ended, from which on goodput stayed at the level before; absent when it never came back, or nothing disturbed";
};
