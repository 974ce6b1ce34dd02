//! The keys of consumers.
//!
//! Not the keys of other sections.

use crate::scenario::keys::Key;

pub(super) const KEYS: &[Key] = keys! {
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
    "consumers.NAME.ack",
        "\"before\", or \"after\"", "\"after\"", "before",
        "when a message is acknowledged: when work on it begins (at most once), or when it is \
         done (at least once)";
    "consumers.NAME.ack_loss",
        "a ratio", "0", "0.1%",
        "which share of acknowledgements is lost on the way";
    "consumers.NAME.prefetch",
        "a count, at least 1, or \"unlimited\"",
        "each free handler asks for one message", "10",
        "how many unacknowledged messages a consumer may hold; the broker pushes them";
    "consumers.NAME.delivery_delay",
        "a duration", "0s", "5ms",
        "how long a message travels to the consumer, and an acknowledgement or a request back";
    "consumers.NAME.batch",
        "a count, or { size, window, work, failure }", "one message at a time", "10",
        "how many messages a handler works on at once";
    "consumers.NAME.batch.size",
        "a count, at least 1", "required", "10",
        "the most messages of a batch";
    "consumers.NAME.batch.window",
        "a duration", "0s", "1s",
        "how long a handler waits for more messages after the first";
    "consumers.NAME.batch.work",
        "\"each\", or \"once\"", "\"each\"", "once",
        "how long a batch takes: its service times one after the other, or the longest of \
         them";
    "consumers.NAME.batch.failure",
        "\"whole\", or \"partial\"", "\"whole\"", "partial",
        "what comes back when some messages of a batch fail: all, or those";
    "consumers.NAME.fails",
        "a ratio, or { transient, permanent, takes, breaks_at, cured_at }", "0", "1%",
        "which share of attempts fails, drawn anew each time";
    "consumers.NAME.fails.transient",
        "a ratio", "0", "1%",
        "which share of attempts fails, drawn anew each time";
    "consumers.NAME.fails.permanent",
        "a ratio", "0", "0.1%",
        "on which share of messages every attempt fails";
    "consumers.NAME.fails.takes",
        "a duration, or a law of durations", "as long as any other", "5ms",
        "how long a failing attempt takes";
    "consumers.NAME.fails.breaks_at",
        "a duration", "0s", "5m",
        "when messages begin to fail for good (`permanent`, and poison): the handler breaks, as \
         by a bad deploy";
    "consumers.NAME.fails.cured_at",
        "a duration", "never", "10m",
        "when messages stop to fail for good: the handler has been repaired";
    "consumers.NAME.limit",
        "a rate, or { rate, window }", "no limit", "10/min",
        "how many attempts the fleet makes: one too many fails at once, and is retried as \
         `retry` says";
    "consumers.NAME.limit.rate",
        "a rate above 0", "required", "10/min",
        "how many attempts the fleet makes";
    "consumers.NAME.limit.window",
        "a duration in which the rate has at least one", "1s, or 6s for \"10/min\"", "1m",
        "how long a window is: its share of the rate is there from its start on, and what is \
         left at its end is lost";
    "consumers.NAME.retry",
        "a retry policy, with `place` and `retry_on`",
        "a failed message is given back at once", "{ attempts = 5, backoff = { fixed = \"1s\" } }",
        "how often and when failed work is done again";
    "consumers.NAME.retry.attempts",
        "a count, at least 1", "required, but of a ladder", "5",
        "how often a message is worked on in all, the first time included";
    "consumers.NAME.retry.backoff",
        "\"immediate\", { fixed = … }, { linear = … }, { exponential = … }, \"sidekiq\", or \
         \"celery\"",
        "\"immediate\"", "{ exponential = { base = \"500ms\", cap = \"30s\" } }",
        "how long to wait before each retry";
    "consumers.NAME.retry.jitter",
        "\"none\", \"full\", \"equal\", or \"decorrelated\"", "\"none\"", "full",
        "how that wait is spread";
    "consumers.NAME.retry.budget",
        "\"aws_standard\", \"grpc\", \"finagle\", or a table of one of them",
        "none", "aws_standard",
        "what bounds the retries of a client, whatever `attempts` allows: { aws_standard = \
         { tokens = 500, cost = 5, timeout_cost = 10, throttled_cost = 5, per_success = 1 } }, \
         { grpc = { tokens = 10, ratio = 0.1 } }, or { finagle = { share = \"20%\", per_second = \
         10, ttl = \"10s\" } }";
    "consumers.NAME.retry.budget_per",
        "\"consumer\", or \"fleet\"", "\"consumer\"", "fleet",
        "who shares that budget: the handlers of a consumer, or the whole fleet";
    "consumers.NAME.retry.place",
        "\"delayed\", or \"in_place\"", "\"delayed\"", "in_place",
        "where a message waits for its next attempt: with the broker, which frees the handler, \
         or with the handler, which does nothing else";
    "consumers.NAME.retry.retry_on",
        "\"any\", \"transient\", or a list of \"transient\", \"permanent\"", "\"any\"", "transient",
        "which failures are tried again; others are dead letters at once";
    "consumers.NAME.rework",
        "\"restart\", or \"resample\"", "\"restart\"", "resample",
        "how long a message is worked on when it is delivered again: its own service time, or \
         a new draw; this decides how often a visibility timeout lapses, since what took too \
         long once does so each time with \"restart\"";
    "consumers.NAME.crash",
        "a table", "never", "{ mtbf = \"6h\", restart = \"10s\" }",
        "when consumers crash, one at a time, with all that they hold; `mtbf` is exponential \
         unless it is given as another law";
    "consumers.NAME.crash.mtbf",
        "a duration (the mean of an exponential law), or a law", "none at random", "6h",
        "time from a consumer's start to its crash, idle or not";
    "consumers.NAME.crash.at",
        "a duration, or a list of durations", "none", "[\"5s\", \"90s\"]",
        "instants of crashes";
    "consumers.NAME.crash.consumers",
        "a count, at least 1", "1", "2",
        "how many consumers, the first ones, crash at each instant of `at`";
    "consumers.NAME.crash.restart",
        "a duration", "10s", "30s",
        "how long a crashed consumer is down";
    "consumers.NAME.idempotency",
        "\"none\", \"check_then_insert\", \"unique_key\", or { claim = … }",
        "\"none\"", "unique_key",
        "how duplicates are kept from acting twice";
    "consumers.NAME.idempotency.claim.expires",
        "a duration", "required", "1m",
        "how long a claim holds; a stale one is taken over";
    "consumers.NAME.idempotency_key",
        "\"natural\", or \"generated_per_attempt\"", "\"natural\"", "generated_per_attempt",
        "what a duplicate is recognized by: something of the message, or something that each \
         attempt makes anew";
    "consumers.NAME.effect_at",
        "a ratio", "1", "50%",
        "at which part of the work it acts on the world outside: a crash after that point \
         repeats the effect. At 1, the very end, no crash comes after it, and only a lapsed \
         visibility timeout or a lost acknowledgement makes duplicates; \"50%\" has crashes \
         make some";
    "consumers.NAME.guard",
        "\"none\", or \"version\"", "\"none\"", "version",
        "whether a message that is older than the last one applied of its key is ignored; \
         needs `keys`";

    "consumers.NAME.schedule",
        "a list of { from, count }", "none", "[{ from = \"10m\", count = 75 }]",
        "changes of `count` at given instants";
    "consumers.NAME.autoscale",
        "{ hpa = … }, { keda = … }, { target_tracking = … }, or { ramp = … }", "none",
        "{ hpa = { target = 100, max = 60 } }",
        "how the fleet's size follows its work; `count` is the size at first";
    "consumers.NAME.autoscale.hpa",
        "{ target, watches, min, max, start_up, sync, tolerance, up, down }",
        "watches \"depth\", min 1, max 100, start_up 0s, sync 15s, tolerance 0.1; up and down as \
         published",
        "{ target = 100, start_up = \"30s\" }",
        "the Kubernetes autoscaler: so many messages for each consumer; `up` and `down` take \
         { stabilization, percent, consumers, per }";
    "consumers.NAME.autoscale.keda",
        "{ target, poll, cooldown, activation, … as hpa }",
        "watches \"depth_and_in_flight\", min 0, poll 30s, cooldown 5m, activation 0",
        "{ target = 5, max = 100 }",
        "KEDA: the same, and on from none at a poll, off again after the cooldown";
    "consumers.NAME.autoscale.target_tracking",
        "{ target, every, cooldown_out, cooldown_in, watches, min, max, start_up }",
        "every 1m, cooldown_out 0s, cooldown_in 5m",
        "{ target = 100 }",
        "backlog for each consumer: acceptable latency over time per message";
    "consumers.NAME.autoscale.ramp",
        "{ rate, watches, min, max, start_up }", "min 5, max 1000",
        "{ rate = \"300/min\", min = 1 }",
        "so many more consumers each minute while anything waits (Lambda's pollers)";
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
    "consumers.NAME.publishes.keys",
        "as of a producer", "none", "1000",
        "how many keys messages have, each as likely; or of Zipf's law";
    "consumers.NAME.publishes.poison",
        "as of a producer", "none", "0.1%",
        "which messages can never be worked on: every attempt fails";
    "consumers.NAME.publishes.confirm_loss",
        "as of a producer", "none", "0.1%",
        "which confirms are lost on their way, so that the message is published again: a \
         duplicate";
    "consumers.NAME.publishes.send_batch",
        "as of a producer", "1", "10",
        "how many messages of one instant go with one call, where the broker limits calls or \
         checks its length call by call";
};
