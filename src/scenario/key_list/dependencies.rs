//! The keys of dependencies.
//!
//! Not the keys of those who call them.

use crate::scenario::keys::Key;

pub(super) const KEYS: &[Key] = keys! {
    "dependencies.NAME.servers",
        "a count, at least 1", "required", "10",
        "how many calls it works on at once";
    "dependencies.NAME.service",
        "a duration, or a law of durations", "required", "{ exponential = { mean = \"100ms\" } }",
        "how long it works on a call";
    "dependencies.NAME.queue",
        "a count, \"unbounded\", or { capacity, order }", "\"unbounded\"", "50",
        "how many calls wait for a server; one more is refused";
    "dependencies.NAME.queue.capacity",
        "a count, or \"unbounded\"", "\"unbounded\"", "50",
        "how many calls wait for a server; one more is refused";
    "dependencies.NAME.queue.order",
        "\"fifo\", \"lifo\", or { adaptive = … }", "\"fifo\"", "lifo",
        "which waiting call goes next: the oldest, or the youngest";
    "dependencies.NAME.queue.order.adaptive.above",
        "a duration", "required", "100ms",
        "the wait of the oldest above which the youngest goes first";
    "dependencies.NAME.timeout",
        "a duration above 0, or \"none\"", "\"none\"", "1s",
        "how long its callers wait for an answer, unless they say otherwise; the work on a call \
         goes on when its caller has left";
    "dependencies.NAME.expired",
        "\"served\", \"dropped\", or { dropped = … }", "\"served\"", "dropped",
        "what it does with a waiting call whose caller has left, when its turn comes";
    "dependencies.NAME.expired.dropped.margin",
        "a duration", "0s", "200ms",
        "how long before its caller leaves a call is given up as well";
    "dependencies.NAME.fails",
        "a ratio, or { share, takes }", "0", "1%",
        "which share of calls is answered with a failure";
    "dependencies.NAME.fails.share",
        "a ratio", "required", "1%",
        "which share of calls is answered with a failure";
    "dependencies.NAME.fails.takes",
        "a duration, or a law of durations", "as long as any other", "5ms",
        "how long a call takes that fails";
    "dependencies.NAME.overload",
        "{ above, slowdown, failures, most }", "none",
        "{ above = 20, slowdown = \"5%\", most = 4 }",
        "how it gets worse with each call in it, waiting or worked on";
    "dependencies.NAME.overload.above",
        "a count", "required", "20",
        "up to so many calls in it nothing changes";
    "dependencies.NAME.overload.slowdown",
        "a ratio", "0", "5%",
        "by which part of itself the service time grows for each call above";
    "dependencies.NAME.overload.failures",
        "a ratio", "0", "1%",
        "by how much the share of failures grows for each call above";
    "dependencies.NAME.overload.most",
        "a number, at least 1", "no bound", "4",
        "the most that the service time is multiplied by";
    "dependencies.NAME.limit",
        "{ token_bucket = … }, or { window = … }", "no limit",
        "{ token_bucket = { rate = \"100/s\", burst = 20 } }",
        "how many calls it takes; one more is refused as throttled";
    "dependencies.NAME.limit.token_bucket.rate",
        "a rate above 0", "required", "100/s",
        "how many tokens come; a call takes one";
    "dependencies.NAME.limit.token_bucket.burst",
        "a count, at least 1", "required", "20",
        "how many tokens can be saved up, and are there at first";
    "dependencies.NAME.limit.window.calls",
        "a count, at least 1", "required", "10",
        "how many calls it takes in each window of time";
    "dependencies.NAME.limit.window.per",
        "a duration above 0", "required", "1m",
        "how long a window is";
    "dependencies.NAME.shed",
        "a duration", "takes any wait", "500ms",
        "how long a call may be about to wait at the door, from those that wait, the mean service \
         time and the servers; one that would wait longer is refused";
};
