//! What `queuecast explain` says of words that are no key, metric or law by themselves: parts of a
//! metric, sections of a scenario, ways of knowing, and what others call our things.
//!
//! Not the catalogues of keys, metrics and laws.

/// A word and what it means.
pub(super) struct Term {
    pub(super) name: &'static str,
    pub(super) doc: &'static str,
}

const fn term(name: &'static str, doc: &'static str) -> Term {
    Term { name, doc }
}

/// What stands behind the last dot of a metric.
pub(super) const PARTS: [Term; 8] = [
    term(
        "mean",
        "of a time: over all messages; of a level: over the measured time",
    ),
    term("p50", "the median: half of the messages had at most this"),
    term("p90", "9 in 10 messages had at most this"),
    term("p95", "19 in 20 messages had at most this"),
    term("p99", "99 in 100 messages had at most this"),
    term("p999", "999 in 1,000 messages had at most this"),
    term("max", "the highest"),
    term("end", "of a level: at the end of the run"),
];

/// The sections of a scenario, by the first part of their keys.
pub(super) const SECTIONS: [Term; 10] = [
    term("run", "how long, how often, and from which seed"),
    term(
        "producers",
        "who publishes, when, and what happens when a queue is full",
    ),
    term("queues", "where messages wait"),
    term(
        "consumers",
        "who works messages off: a fleet of equal consumers",
    ),
    term(
        "dependencies",
        "who is called by handlers, or by producers inline, and may be down, slow or overloaded",
    ),
    term(
        "outages",
        "when a fleet or a dependency stops, or a part of it, or is slow",
    ),
    term("alerts", "what is told when a level passes a limit"),
    term(
        "expect",
        "what has to hold; `queuecast test` fails when it does not",
    ),
    term("objectives", "what should hold; asked for as `expect` is"),
    term(
        "sweep",
        "which keys `queuecast sweep` varies, and what it shows",
    ),
];

/// Words of reports and of the theory.
pub(super) const TERMS: [Term; 6] = [
    term(
        "fluid",
        "the arithmetic of rates: messages as a liquid, without chance and without whole messages",
    ),
    term(
        "M/M/c",
        "Poisson arrivals, exponential service, c servers (Erlang C)",
    ),
    term("M/D/c", "Poisson arrivals, constant service, c servers"),
    term(
        "M/G/c",
        "Poisson arrivals, any service, c servers; only approximations of its wait",
    ),
    term(
        "GI/M/c",
        "independent gaps of any law, exponential service, c servers",
    ),
    term(
        "M/M/c/K",
        "M/M/c with at most K messages present; others are refused",
    ),
];

/// What brokers and their users call things, in small letters and without what joins words, and
/// the name that it has here.
pub(super) const SYNONYMS: [(&str, &str); 37] = [
    ("dlq", "queues.NAME.dead_letter"),
    ("deadletterqueue", "queues.NAME.dead_letter"),
    ("deadletterexchange", "queues.NAME.dead_letter"),
    ("dlx", "queues.NAME.dead_letter"),
    ("redrivepolicy", "queues.NAME.delivery.max_receives"),
    ("maxreceivecount", "queues.NAME.delivery.max_receives"),
    ("maxdeliver", "queues.NAME.delivery.max_receives"),
    ("deliverylimit", "queues.NAME.delivery.return_limit"),
    ("visibility", "queues.NAME.delivery.visibility_timeout"),
    ("ackdeadline", "queues.NAME.delivery.visibility_timeout"),
    ("ackwait", "queues.NAME.delivery.visibility_timeout"),
    ("lease", "queues.NAME.delivery.visibility_timeout"),
    ("lockduration", "queues.NAME.delivery.visibility_timeout"),
    ("consumertimeout", "queues.NAME.delivery.ack_timeout"),
    ("maxackpending", "queues.NAME.delivery.max_in_flight"),
    ("inflightlimit", "queues.NAME.delivery.max_in_flight"),
    ("maxattempts", "consumers.NAME.retry.attempts"),
    ("maxretries", "consumers.NAME.retry.attempts"),
    ("retries", "consumers.NAME.retry"),
    ("qos", "consumers.NAME.prefetch"),
    ("prefetchcount", "consumers.NAME.prefetch"),
    ("maxconcurrency", "consumers.NAME.concurrency"),
    ("workers", "consumers.NAME.count"),
    ("replicas", "consumers.NAME.count"),
    ("ratelimit", "consumers.NAME.limit"),
    ("consumerlag", "queues.NAME.lag"),
    ("queuedepth", "queues.NAME.depth"),
    ("queuelength", "queues.NAME.depth"),
    ("backlog", "queues.NAME.depth"),
    ("unacked", "queues.NAME.in_flight"),
    ("latency", "queues.NAME.sojourn"),
    ("responsetime", "queues.NAME.sojourn"),
    ("waitingtime", "queues.NAME.wait"),
    ("throughput", "queues.NAME.goodput"),
    ("maxlength", "queues.NAME.capacity"),
    ("messagettl", "queues.NAME.ttl"),
    ("messagegroup", "queues.NAME.groups"),
];
