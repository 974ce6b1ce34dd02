//! The list of keys, as text.
//!
//! Not how keys are looked up: that is in [`super::keys`].

use super::keys::Key;

macro_rules! keys {
    ($($pattern:literal, $takes:literal, $default:literal, $example:literal, $doc:literal;)*) => {
        &[$(Key {
            pattern: $pattern,
            takes: $takes,
            default: $default,
            doc: $doc,
            example: $example,
        }),*]
    };
}

mod calls;
mod consumers;
mod dependencies;
mod producers;
mod queues;

/// Every key, in the order in which people write them.
pub(super) fn all() -> Vec<Key> {
    [
        RUN,
        producers::KEYS,
        queues::KEYS,
        consumers::KEYS,
        calls::KEYS,
        dependencies::KEYS,
        LISTS,
    ]
    .concat()
}

const RUN: &[Key] = keys! {
    "title",
        "text", "the file's name", "Checkout",
        "what the scenario is called in reports";

    "run.stop",
        "\"drained\", \"settled\", or a duration",
        "\"settled\" when all sources end, else \"drained\" when something disturbs",
        "10m",
        "what ends the run: no message waits after the last disturbance, every message has \
         reached its end, or a time";
    "run.horizon",
        "a duration", "24h, or `stop` when that is a duration", "1h",
        "the bound on simulated time; reaching it is reported, and the result is partial";
    "run.seed",
        "a whole number", "1", "7",
        "the root of all randomness: same seed, same answer";
    "run.replications",
        "a count, at least 1, or `{ until, of, at_most }`", "1", "20",
        "how many independent runs there are, or how precise metrics have to become";
    "run.replications.until",
        "a ratio", "required", "1%",
        "the half-width of the 95 % interval over its mean, at most; looked at after every round \
         of 10 replications, and never after the first alone";
    "run.replications.of",
        "a metric or a list of metrics", "required", "queues.orders.wait.mean",
        "which metrics have to be so precise";
    "run.replications.at_most",
        "a count, at least 20", "1000", "200",
        "the most replications; reaching it is reported";
    "run.warmup",
        "a duration, or \"auto\"", "0s", "30s",
        "what is left out of the statistics at the front; \"auto\" is found by MSER-5";
    "run.recovery",
        "{ share, window }", "90% in windows of 10s", "{ share = \"95%\", window = \"30s\" }",
        "when goodput is said to have come back after a disturbance: `recovered_at`";
    "run.recovery.share",
        "a ratio above 0", "90%", "95%",
        "the share of the level before that each window has to have, less three standard \
         deviations of its count";
    "run.recovery.window",
        "a duration above 0", "10s", "30s",
        "how long a window is, in which goodput is counted";
    "run.max_alive",
        "a count, at least 1", "20_000_000", "1M",
        "the bound on messages alive at once; reaching it ends the run and is reported";
    "run.max_events",
        "a count, at least 1", "2_000_000_000", "100M",
        "the bound on events handled; reaching it ends the run and is reported";
};

const LISTS: &[Key] = keys! {
    "outages.N.target",
        "\"consumers.NAME\", or \"dependencies.NAME\"", "required", "consumers.fleet",
        "which fleet or dependency stops, or is slow";
    "outages.N.start",
        "a duration", "required with `duration`", "5m",
        "when it stops";
    "outages.N.duration",
        "a duration", "this, `windows`, or `mtbf` is required", "90s",
        "how long it is down";
    "outages.N.windows",
        "a list of { start, duration }", "none", "[{ start = \"1m\", duration = \"10s\" }]",
        "several outages of the same kind, which may not overlap";
    "outages.N.windows.N.start",
        "a duration", "required", "2m",
        "when it stops";
    "outages.N.windows.N.duration",
        "a duration", "required", "20s",
        "how long it is down";
    "outages.N.mtbf",
        "a duration (the mean of an exponential law), or a law", "none", "6h",
        "time from the end of one outage to the start of the next: outages at random, for ever";
    "outages.N.mttr",
        "a duration (the mean of an exponential law), or a law",
        "required with `mtbf`",
        "{ constant = \"5m\" }",
        "how long each random outage lasts";
    "outages.N.share",
        "a ratio above 0", "1; none of a dependency with `slowdown`", "50%",
        "which part of the fleet stops, to the nearest whole number of consumers; or of the \
         servers of a dependency";
    "outages.N.in_flight",
        "\"finish\", \"freeze\", \"crash\", or { crash = … }", "\"finish\"", "freeze",
        "what becomes of the work in hand: it completes, goes on afterwards, or is lost and its \
         message comes back";
    "outages.N.in_flight.crash.returns",
        "\"at_once\", or \"at_restart\"", "\"at_once\"", "at_restart",
        "when the messages of lost work are back in their queue";
    "outages.N.restart",
        "\"in_phase\", or \"staggered\"", "\"in_phase\"", "staggered",
        "whether the consumers come back at the same instant, or one by one over a mean service \
         time";
    "outages.N.calls",
        "\"hang\", or \"fail_fast\"", "\"hang\"", "fail_fast",
        "what a dependency says to calls while all of its servers are down: nothing, so that they \
         wait, or no, at once";
    "outages.N.slowdown",
        "a number above 1", "1", "3",
        "what the service times of a dependency are multiplied by that begin meanwhile: a \
         brownout";

    "alerts.N.when",
        "a condition", "required", "queues.orders.lag > 30s",
        "what is watched while the run goes on";
    "alerts.N.name",
        "text", "the condition", "too old",
        "what the alert is called in the timeline";
    "alerts.N.for",
        "a duration", "0s", "1m",
        "how long the condition must hold before the alert fires";
    "alerts.N.every",
        "a duration", "1s", "10s",
        "how often the condition is evaluated";

    "expect.N.that",
        "a condition", "required", "queues.orders.rejected == 0",
        "a number that `test` pins";

    "objectives.N.that",
        "a condition", "required", "queues.orders.wait.p99 <= 200ms",
        "what `plan` has to meet";

    "sweep.vary",
        "a table of keys, each with its values: a range, a list, or a text of both",
        "none: `sweep` asks for `--vary`",
        "{ \"consumers.fleet.count\" = \"48..80:4\" }",
        "what `sweep` varies unless `--vary` says so: `48..80:4` with both ends, `1..400` in steps \
         of 1, `1ms..1s:x2` each twice the last, `48,55,60` as listed; the first key is the \
         slowest";
    "sweep.pair",
        "true or false", "false: every value meets every value of the other keys", "true",
        "whether the keys walk side by side, the first value of each with the first of the others";
    "sweep.show",
        "a list of metrics", "those that move", "[\"queues.orders.rejected\"]",
        "which metrics the table and the pictures of `sweep` show; its CSV and JSON have all";

    "compare.baseline",
        "a text", "the scenario's file", "\"nothing is done\"",
        "what the scenario as it stands is called where `compare` holds its variants against it";
    "compare.show",
        "a list of metrics", "all that move", "[\"queues.orders.rejected\"]",
        "which metrics `compare` is asked about: a row each, and the only ones that are judged";
    "compare.variants",
        "a table for each variant, of keys in quotes with their values",
        "none: `compare` asks for another scenario, or for `--to`",
        "{ more = { \"consumers.fleet.count\" = 75 } }",
        "what `compare` holds the scenario against when it is given this file alone";
};
