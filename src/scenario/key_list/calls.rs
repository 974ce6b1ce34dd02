//! The keys of those who call a dependency.
//!
//! Not the keys of the dependency itself.

use crate::scenario::keys::Key;

pub(super) const KEYS: &[Key] = keys! {
    "producers.NAME.calls",
        "a dependency's name, or a table as of consumers, without `per`",
        "publishes to a queue", "mailer",
        "which dependency it calls inline, once for each arrival, instead of publishing anything; \
         its parts are those of `consumers.NAME.calls` but `per`: \
         `producers.NAME.calls.timeout` and so on";
    "consumers.NAME.calls",
        "a dependency's name, or { dependency, preset, timeout, deadline, retry, breaker, \
         concurrency, hedge, per }",
        "nothing", "mailer",
        "which dependency a handler calls after its own service time, and waits for; what becomes \
         of work whose call fails is said by `retry` of the consumers";
    "consumers.NAME.calls.dependency",
        "a dependency's name", "required", "mailer",
        "which dependency it calls";
    "consumers.NAME.calls.preset",
        "\"aws_sdk_standard\", \"grpc\", \"finagle\", or \"resilience4j\"", "none", "resilience4j",
        "the defaults of a library for the keys that are not written; `explain PRESET` shows them";
    "consumers.NAME.calls.timeout",
        "a duration above 0, or \"none\"", "`timeout` of the dependency", "1s",
        "how long it waits for the answer to a call, from the moment the call reaches the \
         dependency";
    "consumers.NAME.calls.deadline",
        "a duration above 0", "none", "3s",
        "how long a request may take, all its calls and the waits between them together";
    "consumers.NAME.calls.retry",
        "a retry policy, with `budget`", "one call",
        "{ attempts = 3, jitter = \"full\", budget = \"aws_standard\", backoff = { exponential = \
         { base = \"100ms\", cap = \"2s\" } } }",
        "whether and when it calls again when a call has failed; the handler waits meanwhile";
    "consumers.NAME.calls.retry.attempts",
        "a count, at least 1", "required, but of a ladder", "3",
        "how often it calls in all, the first time included; hedges are not counted";
    "consumers.NAME.calls.retry.backoff",
        "as of `retry` of consumers", "\"immediate\"",
        "{ exponential = { base = \"100ms\", cap = \"2s\" } }",
        "how long to wait before each further call";
    "consumers.NAME.calls.retry.jitter",
        "\"none\", \"full\", \"equal\", or \"decorrelated\"", "\"none\"", "full",
        "how that wait is spread";
    "consumers.NAME.calls.retry.budget",
        "as of `retry` of consumers", "none", "aws_standard",
        "what bounds the retries of a client, whatever `attempts` allows";
    "consumers.NAME.calls.breaker",
        "\"resilience4j\", or { window, minimum, failures, slow, slow_above, open, trials }",
        "none", "resilience4j",
        "a circuit breaker: makes no call for a while when too many fail or are slow";
    "consumers.NAME.calls.breaker.window",
        "a count, at least 1", "100, as resilience4j", "50",
        "how many of the last calls it looks at";
    "consumers.NAME.calls.breaker.minimum",
        "a count, at least 1", "100 or `window`, as resilience4j", "10",
        "how many calls have to have ended before it opens";
    "consumers.NAME.calls.breaker.failures",
        "a ratio above 0", "50%, as resilience4j", "25%",
        "the share of failures at which it opens; a timeout is a failure";
    "consumers.NAME.calls.breaker.slow",
        "a ratio above 0", "100%, as resilience4j", "80%",
        "the share of slow calls at which it opens";
    "consumers.NAME.calls.breaker.slow_above",
        "a duration", "1m, as resilience4j", "2s",
        "how long a call takes that is not slow yet";
    "consumers.NAME.calls.breaker.open",
        "a duration above 0", "1m, as resilience4j", "10s",
        "how long it stays open before it lets trials through";
    "consumers.NAME.calls.breaker.trials",
        "a count, at least 1", "10, as resilience4j", "5",
        "how many calls it lets through when it is half open, before it closes or opens again";
    "consumers.NAME.calls.concurrency",
        "a count, \"resilience4j\", { fixed = … }, or \"aimd\" or { aimd = … }", "no limit", "25",
        "how many calls it has out at once; \"resilience4j\" is 25 without a wait";
    "consumers.NAME.calls.concurrency.fixed.limit",
        "a count, at least 1", "required", "25",
        "how many calls it has out at once";
    "consumers.NAME.calls.concurrency.fixed.wait",
        "a duration", "0s", "100ms",
        "how long a request waits for another call to end before it fails";
    "consumers.NAME.calls.concurrency.aimd.initial",
        "a count between `min` and `max`", "20, as Netflix's AIMDLimit", "20",
        "how many calls it has out at once at first: one more after each call that goes well \
         while half of them are out";
    "consumers.NAME.calls.concurrency.aimd.min",
        "a count, at least 1", "20, as Netflix's AIMDLimit", "5",
        "how many calls it has out at once at least";
    "consumers.NAME.calls.concurrency.aimd.max",
        "a count, at least `min`", "200, as Netflix's AIMDLimit", "100",
        "how many calls it has out at once at most";
    "consumers.NAME.calls.concurrency.aimd.backoff",
        "a ratio between 0 and 1", "90%, as Netflix's AIMDLimit", "50%",
        "what the limit is multiplied by after a call that fails or times out";
    "consumers.NAME.calls.hedge",
        "{ after, at_most }", "none", "{ after = \"200ms\" }",
        "a further call beside one that has not been answered for a while; the first good answer \
         counts";
    "consumers.NAME.calls.hedge.after",
        "a duration above 0", "required", "200ms",
        "how long after the call before";
    "consumers.NAME.calls.hedge.at_most",
        "a count, at least 1", "1", "2",
        "how many further calls at most, for each attempt";
    "consumers.NAME.calls.per",
        "\"consumer\", or \"fleet\"", "\"consumer\"", "fleet",
        "who shares the retry budget, the breaker, and the limit of calls out at once: the \
         handlers of a consumer, or the whole fleet";
};
