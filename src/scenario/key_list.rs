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

/// Every key, in the order in which people write them.
pub(super) const KEYS: &[Key] = keys! {
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
    "run.max_alive",
        "a count, at least 1", "20_000_000", "1M",
        "the bound on messages alive at once; reaching it ends the run and is reported";
    "run.max_events",
        "a count, at least 1", "2_000_000_000", "100M",
        "the bound on events handled; reaching it ends the run and is reported";

    "producers.NAME.queue",
        "a queue's name", "this or `queues` is required", "orders",
        "where its messages go";
    "producers.NAME.queues",
        "a list of queues' names", "this or `queue` is required", "[\"orders\", \"mails\"]",
        "where its messages go, a copy to each";
    "producers.NAME.arrivals",
        "a process of arrivals", "required", "{ poisson = { rate = \"1200/s\" } }",
        "when messages come";
    "producers.NAME.arrivals.constant",
        "{ rate, offset }", "offset 0s", "{ rate = \"1200/s\" }",
        "evenly spaced arrivals, the first at `offset`";
    "producers.NAME.arrivals.poisson",
        "{ rate }", "", "{ rate = \"1200/s\" }",
        "independent arrivals: exponential gaps";
    "producers.NAME.arrivals.renewal",
        "a law of durations", "", "{ erlang = { mean = \"1ms\", k = 4 } }",
        "independent gaps of any law";
    "producers.NAME.arrivals.bursts",
        "{ size, at, every, times }", "once, at 0s", "{ size = 10_000, at = \"30s\" }",
        "so many at once, at a time, so many times, or again and again";
    "producers.NAME.arrivals.on_off",
        "{ on, off, mean_on, mean_off, start }",
        "off 0/s, start \"stationary\"",
        "{ on = \"500/s\", mean_on = \"2s\", mean_off = \"8s\" }",
        "a Poisson process whose rate switches between two levels at random (MMPP-2)";
    "producers.NAME.arrivals.batch",
        "{ arrivals, size }", "", "{ arrivals = { poisson = { rate = \"10/s\" } }, size = 20 }",
        "a number of messages, fixed or of a law, at each arrival of another process";
    "producers.NAME.arrivals.schedule",
        "a list of { from, rate, ramp }, or { steps, pacing }",
        "ramp 0s",
        "[{ from = \"0s\", rate = \"100/s\" }, { from = \"5m\", rate = \"900/s\", ramp = \"1m\" \
         }]",
        "a rate that changes at given instants, at once or along a ramp";
    "producers.NAME.arrivals.daily",
        "{ profile, start, pacing }, or { mean, amplitude, peak, start, pacing }",
        "start 0s",
        "{ mean = \"50/s\", amplitude = 0.8, peak = \"14h\" }",
        "a rate that repeats every day: 24 hourly rates, or a sine";
    "producers.NAME.arrivals.trace",
        "{ file, column }, or { file, column, per }",
        "",
        "{ file = \"arrivals.csv\", column = \"seconds\" }",
        "arrivals as recorded in a CSV file: instants, or counts per interval";
    "producers.NAME.arrivals.clients",
        "{ count, think, wait_for }",
        "wait_for \"accepted\"",
        "{ count = 50, think = { exponential = { mean = \"1s\" } } }",
        "a closed loop: clients that think, send, and wait for their answer";
    "producers.NAME.start",
        "a duration", "0s", "10s",
        "when the arrivals begin";
    "producers.NAME.count",
        "a count, at least 1", "no end", "100_000",
        "after how many messages the producer ends";
    "producers.NAME.until",
        "a duration", "no end", "30s",
        "at which instant the producer ends; a message at that very instant is no longer \
         published";
    "producers.NAME.size",
        "a size, or a law of sizes", "1KiB", "2KiB",
        "the size of a message, for memory limits";
    "producers.NAME.priority",
        "a count, or a law of counts", "0", "{ uniform = { min = 1, max = 9 } }",
        "the priority of a message; higher goes first in a queue whose order is \"priority\"";
    "producers.NAME.on_full",
        "\"reject\", \"block\", { block = … }, or { retry = … }", "\"reject\"", "block",
        "what the publisher does when a queue refuses: fail at once, wait for room, or try again \
         later";
    "producers.NAME.on_full.block.timeout",
        "a duration", "waits for ever", "30s",
        "how long a blocked publisher waits before it gives up";
    "producers.NAME.on_full.block.connections",
        "a count, at least 1", "no bound", "2000",
        "how many publishers can be blocked at once; past it a publish is rejected";
    "producers.NAME.on_full.block.admission",
        "\"fifo\", \"newcomers_first\", \"random\", or \"lifo\"", "\"fifo\"", "newcomers_first",
        "which blocked publisher gets a slot that becomes free; one order for all that block on a \
         queue";
    "producers.NAME.on_full.block.wake_up",
        "a duration", "none", "40ms",
        "how long a freed slot stays open to newcomers while a blocked publisher wakes up; with \
         \"newcomers_first\"";
    "producers.NAME.on_full.block.admission.newcomers_first.wake_up",
        "a duration", "none", "40ms",
        "the same as `wake_up`, written within the order that it belongs to";
    "producers.NAME.on_full.retry",
        "a retry policy", "none", "{ attempts = 5 }",
        "how often and when a refused publish is tried again";
    "producers.NAME.on_full.retry.attempts",
        "a count, at least 1", "required", "5",
        "how often a publish is tried in all, the first included";
    "producers.NAME.on_full.retry.backoff",
        "\"immediate\", { fixed = … }, { linear = … }, { exponential = … }, or \"sidekiq\"",
        "\"immediate\"",
        "{ exponential = { base = \"500ms\", cap = \"30s\" } }",
        "how long to wait before each retry";
    "producers.NAME.on_full.retry.jitter",
        "\"none\", \"full\", \"equal\", or \"decorrelated\"", "\"none\"", "full",
        "how that wait is spread";

    "queues.NAME.capacity",
        "a count, at least 1, or \"unbounded\"", "\"unbounded\"", "100_000",
        "the most messages that the queue holds";
    "queues.NAME.capacity_counts",
        "\"waiting\", or \"waiting_and_in_flight\"", "\"waiting\"", "waiting_and_in_flight",
        "which messages the capacity counts";
    "queues.NAME.overflow",
        "\"refuse\", \"drop_oldest\", \"drop_newest\", or \"drop_lowest\"",
        "\"refuse\"",
        "drop_oldest",
        "what a full queue does with a publish; \"drop_lowest\" needs `order = \"priority\"`";
    "queues.NAME.returned",
        "\"keep\", or \"drop\"", "\"keep\"", "drop",
        "what happens to deliveries that come back to a full queue";
    "queues.NAME.order",
        "\"fifo\", \"lifo\", \"random\", or \"priority\"", "\"fifo\"", "lifo",
        "which waiting message goes next";
    "queues.NAME.retention",
        "a duration", "kept for ever", "4d",
        "how long a message may wait before it is expired at that instant";
    "queues.NAME.ttl",
        "a duration", "no limit", "30s",
        "how old a message may be when it is delivered; an older one is expired then";
    "queues.NAME.memory",
        "a table", "no limit", "{ limit = \"2GiB\" }",
        "the bound on the bytes of waiting and in-flight messages";
    "queues.NAME.memory.limit",
        "a size", "required", "2GiB",
        "how many bytes the queue may hold";
    "queues.NAME.memory.on_limit",
        "\"block\", \"refuse\", \"crash\", or { crash = … }", "\"block\"", "refuse",
        "what happens at the limit: publishers are blocked, refused, or the broker goes down with \
         what it held";
    "queues.NAME.memory.on_limit.crash.restart",
        "a duration", "30s", "1m",
        "how long a crashed broker is down";

    "consumers.NAME.queue",
        "a queue's name", "required", "orders",
        "which queue it takes from";
    "consumers.NAME.count",
        "a count", "1", "60",
        "how many consumers there are";
    "consumers.NAME.concurrency",
        "a count, at least 1", "1", "8",
        "how many handlers each consumer has";
    "consumers.NAME.service",
        "a duration, or a law of durations",
        "required",
        "{ lognormal = { mean = \"40ms\", cv = 1.5 } }",
        "how long a handler works on a message";
    "consumers.NAME.schedule",
        "a list of { from, count }", "none", "[{ from = \"10m\", count = 75 }]",
        "changes of `count` at given instants";
    "consumers.NAME.schedule.N.from",
        "a duration", "required", "12m",
        "when the fleet changes its size";
    "consumers.NAME.schedule.N.count",
        "a count", "required", "80",
        "how many consumers there are from then on";
    "consumers.NAME.publishes",
        "a table", "nothing", "{ queue = \"mails\" }",
        "what a handler publishes when it has done its work: the next stage of a chain";
    "consumers.NAME.publishes.queue",
        "a queue's name", "this or `queues` is required", "mails",
        "where the messages of the next stage go";
    "consumers.NAME.publishes.queues",
        "a list of queues' names", "this or `queue` is required", "[\"mails\"]",
        "where the messages of the next stage go, a copy to each";
    "consumers.NAME.publishes.copies",
        "a count, at least 1", "1", "3",
        "how many messages it publishes to each queue for each one completed";
    "consumers.NAME.publishes.size",
        "a size, or a law of sizes", "1KiB", "4KiB",
        "the size of a message of the next stage";
    "consumers.NAME.publishes.priority",
        "a count, or a law of counts", "0", "5",
        "the priority of a message of the next stage";
    "consumers.NAME.publishes.on_full",
        "as of a producer", "\"reject\"", "block",
        "what a handler does when the next queue refuses";

    "outages.N.target",
        "\"consumers.NAME\"", "required", "consumers.fleet",
        "which fleet stops";
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
        "a ratio above 0", "1", "50%",
        "which part of the fleet stops, to the nearest whole number of consumers";
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
};
