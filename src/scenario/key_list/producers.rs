//! The keys of producers.
//!
//! Not the keys of other sections.

use crate::scenario::keys::Key;

pub(super) const KEYS: &[Key] = keys! {
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
        "\"immediate\", { fixed = … }, { linear = … }, { exponential = … }, \"sidekiq\", or \
         \"celery\"",
        "\"immediate\"",
        "{ exponential = { base = \"500ms\", cap = \"30s\" } }",
        "how long to wait before each retry";
    "producers.NAME.on_full.retry.jitter",
        "\"none\", \"full\", \"equal\", or \"decorrelated\"", "\"none\"", "full",
        "how that wait is spread";
    "producers.NAME.on_full.retry.budget",
        "\"aws_standard\", \"grpc\", \"finagle\", or a table of one of them",
        "none", "aws_standard",
        "what bounds the retries of the producer, whatever `attempts` allows: as the `budget` of \
         a consumer's `retry`";

    "producers.NAME.keys",
        "a count, or { count, zipf }", "none", "1000",
        "how many keys messages have, each as likely; or of Zipf's law";
    "producers.NAME.keys.count",
        "a count, at least 1", "required", "1000",
        "how many keys there are, from 0 up";
    "producers.NAME.keys.zipf",
        "a number, 0 or more", "each key as likely", "1.1",
        "the exponent of Zipf's law: the k-th key, from 1, comes in proportion to 1 / k^zipf";
    "producers.NAME.poison",
        "a ratio, or { share, keys }", "none", "0.1%",
        "which messages can never be worked on: every attempt fails";
    "producers.NAME.poison.share",
        "a ratio", "0", "0.1%",
        "the share of messages that are poison";
    "producers.NAME.poison.keys",
        "a list of keys", "none", "[7]",
        "all messages of these keys are poison";
    "producers.NAME.confirm_loss",
        "a ratio, or { share, timeout }", "none", "0.1%",
        "which confirms are lost on their way, so that the message is published again: a \
         duplicate";
    "producers.NAME.confirm_loss.share",
        "a ratio below 1", "required", "0.1%",
        "the share of confirms that are lost";
    "producers.NAME.confirm_loss.timeout",
        "a duration", "5s", "2s",
        "how long the publisher waits for a confirm before it publishes again";
    "producers.NAME.send_batch",
        "a count, at least 1", "1", "10",
        "how many messages of one instant go with one call, where the broker limits calls or \
         checks its length call by call";
};
