//! The keys of queues.
//!
//! Not the keys of other sections.

use crate::scenario::keys::Key;

pub(super) const KEYS: &[Key] = keys! {
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
    "queues.NAME.length_check",
        "\"message\", or \"batch\"", "\"message\"", "batch",
        "for which publishes a queue that refuses looks at its bound: for each, or once for the \
         messages of a call, which all get in when there is room for the first (`send_batch`)";
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

    "queues.NAME.preset",
        "\"sqs\", \"sqs_fifo\", \"rabbitmq_classic\", \"rabbitmq_quorum\", \"redis_celery\", \
         or \"sidekiq\"",
        "none", "sqs",
        "the defaults of a broker, for this queue and its consumers; each gives way to a key \
         that is written; `queuecast explain sqs` lists them";
    "queues.NAME.groups",
        "true or false", "false", "true",
        "whether at most one message of a key is in flight, in order; needs producers with \
         `keys`";
    "queues.NAME.delivery",
        "a table",
        "a closed connection brings messages back at once", "{ visibility_timeout = \"30s\" }",
        "how messages are handed out, and what brings those back that are not acknowledged";
    "queues.NAME.delivery.visibility_timeout",
        "a duration", "none", "30s",
        "how long a delivered message is invisible to others; then it is delivered again, \
         whether or not somebody still works on it";
    "queues.NAME.delivery.heartbeat",
        "a duration below `visibility_timeout`", "none", "10s",
        "how often a consumer at work starts the visibility timeout again";
    "queues.NAME.delivery.max_extension",
        "a duration", "12h", "1h",
        "how long after its receive a message can be kept invisible by heartbeats";
    "queues.NAME.delivery.sweep",
        "a duration", "lapsed messages are seen at once", "10s",
        "how often the broker looks for lapsed messages";
    "queues.NAME.delivery.late_ack",
        "\"honoured\", or \"refused\"", "\"honoured\"", "refused",
        "whether a consumer whose visibility timeout has lapsed can still delete the message";
    "queues.NAME.delivery.max_receives",
        "a count, at least 1", "no limit", "5",
        "how many deliveries a message may have, the first included; the next one makes it a \
         dead letter";
    "queues.NAME.delivery.return_limit",
        "a count", "no limit", "20",
        "how many times a message may come back; the next time makes it a dead letter";
    "queues.NAME.delivery.limit_counts",
        "a list of \"failure\", \"crash\", \"timeout\", \"lapse\"",
        "all of them", "[\"failure\", \"crash\"]",
        "which returns `return_limit` counts: a failed handler, a crashed consumer, an \
         acknowledgement timeout, a lapsed visibility";
    "queues.NAME.delivery.ack_timeout",
        "a duration, or { limit, check }", "none", "30m",
        "how long a delivery may stay unacknowledged before its consumer loses its connection";
    "queues.NAME.delivery.ack_timeout.limit",
        "a duration", "required", "30m",
        "how long that is";
    "queues.NAME.delivery.ack_timeout.check",
        "a duration", "1m", "30s",
        "how often the broker looks";
    "queues.NAME.delivery.max_in_flight",
        "a count, at least 1", "no limit", "120_000",
        "how many messages can be in flight at once; none is delivered beyond";
    "queues.NAME.delivery.dispatch",
        "\"round_robin\", or \"greedy\"", "\"round_robin\"", "greedy",
        "to which of several consumers with room in their `prefetch` the next message goes: \
         one after the other, or the first until it is full";
    "queues.NAME.dead_letter",
        "a queue's name, or { queue, takes }", "dead letters are dropped", "dead",
        "where messages go that nobody could work on";
    "queues.NAME.dead_letter.queue",
        "a queue's name", "required", "dead",
        "the dead-letter queue";
    "queues.NAME.dead_letter.takes",
        "a list of \"failed\", \"expired\", \"dropped\"",
        "[\"failed\"]", "[\"failed\", \"expired\"]",
        "which messages go there: those that failed for good, that outlived their time, that a \
         full queue dropped";
    "queues.NAME.redrive",
        "a table", "none", "{ at = \"10m\", rate = \"100/s\", to = \"mails\" }",
        "moves the messages of this queue to another one, until it is empty; `recovery_time` and \
         `drained_at` are counted from its start";
    "queues.NAME.redrive.at",
        "a duration", "required", "10m",
        "when it starts";
    "queues.NAME.redrive.rate",
        "a rate", "required", "100/s",
        "how fast it goes";
    "queues.NAME.redrive.to",
        "a queue's name", "required", "mails",
        "where the messages go";
    "queues.NAME.redrive.identity",
        "\"new\", or \"same\"", "\"new\"", "same",
        "whether a queue with a `dedup_window` takes a redriven message for a new one, or for \
         the one that it was";
    "queues.NAME.dedup_window",
        "a duration", "none", "5m",
        "for how long after an accepted publish another of the same message is taken and \
         dropped";
    "queues.NAME.calls",
        "a table", "no limit", "{ send = \"300/s\" }",
        "how many calls a second the broker takes";
    "queues.NAME.calls.send",
        "a rate", "no limit", "300/s",
        "publishes, by call; beyond, a publish is refused";
    "queues.NAME.calls.receive",
        "a rate", "no limit", "300/s",
        "receives, by call; beyond, they wait";
    "queues.NAME.calls.delete",
        "a rate", "no limit", "300/s",
        "acknowledgements, by call; beyond, they wait";
};
