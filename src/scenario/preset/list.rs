//! The presets: which broker has which defaults, and where that was read.
//!
//! Not how they are laid under a scenario. The sources are documents as they were read, not the
//! brokers as they are today: defaults drift, and each of them can be overridden.

/// The defaults of a broker, or of a library.
#[derive(Clone, Copy, Debug)]
pub struct Preset {
    /// What it is called in a scenario.
    pub name: &'static str,
    /// Which broker or library it is.
    pub doc: &'static str,
    /// The keys that it gives.
    pub keys: &'static [PresetKey],
}

/// A key that a preset gives.
#[derive(Clone, Copy, Debug)]
pub struct PresetKey {
    /// To whom.
    pub of: Of,
    /// The key below the component's name: `delivery.visibility_timeout`.
    pub key: &'static str,
    /// Its value.
    pub given: Given,
    /// Given only to a component that has this key.
    pub with: Option<&'static str>,
    /// Where the value was read.
    pub source: &'static str,
}

/// Whose key it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Of {
    /// The queue's that names the preset.
    Queue,
    /// That of all consumers which take from the queue.
    Consumers,
    /// That of the `calls` which name the preset.
    Calls,
}

/// A value that a preset gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Given {
    /// As it would be written.
    Toml(&'static str),
    /// So many times the handlers of a consumer.
    PerHandler(u32),
}

impl PresetKey {
    /// The whole key: `queues.NAME.delivery.visibility_timeout`.
    pub fn pattern(&self) -> String {
        let section = match self.of {
            Of::Queue => "queues",
            Of::Consumers => "consumers",
            Of::Calls => return format!("consumers.NAME.calls.{}", self.key),
        };
        format!("{section}.NAME.{}", self.key)
    }

    /// The value in words.
    pub fn shown(&self) -> String {
        let value = match self.given {
            Given::Toml(text) => text.to_owned(),
            Given::PerHandler(each) => format!("{each} x concurrency"),
        };
        match self.with {
            Some(with) => format!("{value} (with `{with}`)"),
            None => value,
        }
    }
}

const fn queue(key: &'static str, value: &'static str, source: &'static str) -> PresetKey {
    PresetKey {
        of: Of::Queue,
        key,
        given: Given::Toml(value),
        with: None,
        source,
    }
}

const fn consumers(key: &'static str, value: &'static str, source: &'static str) -> PresetKey {
    PresetKey {
        of: Of::Consumers,
        ..queue(key, value, source)
    }
}

const fn with(with: &'static str, key: PresetKey) -> PresetKey {
    PresetKey {
        with: Some(with),
        ..key
    }
}

pub(super) const PRESETS: &[Preset] = &[
    Preset {
        name: "sqs",
        doc: "Amazon SQS, a standard queue",
        keys: SQS,
    },
    Preset {
        name: "sqs_fifo",
        doc: "Amazon SQS, a FIFO queue without high throughput",
        keys: SQS_FIFO,
    },
    Preset {
        name: "rabbitmq_classic",
        doc: "RabbitMQ 4, a classic queue",
        keys: RABBITMQ_CLASSIC,
    },
    Preset {
        name: "rabbitmq_quorum",
        doc: "RabbitMQ 4.3, a quorum queue",
        keys: RABBITMQ_QUORUM,
    },
    Preset {
        name: "redis_celery",
        doc: "Celery workers on Redis",
        keys: REDIS_CELERY,
    },
    Preset {
        name: "sidekiq",
        doc: "Sidekiq workers on Redis",
        keys: SIDEKIQ,
    },
];

const VISIBILITY: PresetKey = queue(
    "delivery.visibility_timeout",
    "\"30s\"",
    "SQS developer guide of 2023, page on the visibility timeout: 30 s by default",
);

const EXTENSION: PresetKey = queue(
    "delivery.max_extension",
    "\"12h\"",
    "SQS developer guide of 2023, page on the visibility timeout: at most 12 h from the receive, \
     which extensions do not start again",
);

const RETENTION: PresetKey = queue(
    "retention",
    "\"4d\"",
    "SQS developer guide, message quotas: kept for 4 days by default",
);

const SQS: &[PresetKey] = &[
    VISIBILITY,
    EXTENSION,
    queue(
        "delivery.late_ack",
        "\"honoured\"",
        "a standard queue deletes a message also when its visibility timeout has passed (rule D4)",
    ),
    queue(
        "delivery.max_in_flight",
        "120_000",
        "SQS developer guide of 2023, quotas: about 120,000 messages in flight; a long poll \
         beyond comes back empty",
    ),
    RETENTION,
];

const CALLS: &str = "SQS developer guide, page on FIFO throttling: 300 calls a second of each kind";

const SQS_FIFO: &[PresetKey] = &[
    queue(
        "groups",
        "true",
        "SQS developer guide of 2023, FIFO delivery logic: a group with a message in flight is \
         locked",
    ),
    VISIBILITY,
    EXTENSION,
    queue(
        "delivery.late_ack",
        "\"refused\"",
        "a FIFO queue does not delete a message when its visibility timeout has passed (rule D4)",
    ),
    queue(
        "delivery.max_in_flight",
        "120_000",
        "SQS developer guide, FIFO quotas: 120,000 messages in flight (20,000 in 2023)",
    ),
    queue(
        "dedup_window",
        "\"5m\"",
        "SQS developer guide of 2023, exactly-once processing: 5 minutes, deleted or not",
    ),
    queue("calls.send", "\"300/s\"", CALLS),
    queue("calls.receive", "\"300/s\"", CALLS),
    queue("calls.delete", "\"300/s\"", CALLS),
    RETENTION,
];

const COUNTS: PresetKey = with(
    "capacity",
    queue(
        "capacity_counts",
        "\"waiting\"",
        "RabbitMQ documentation of 2026, queue length limit: only ready messages count",
    ),
);

const OVERFLOW: PresetKey = with(
    "capacity",
    queue(
        "overflow",
        "\"drop_oldest\"",
        "RabbitMQ documentation of 2026, queue length limit: `drop-head` by default",
    ),
);

const RABBITMQ_CLASSIC: &[PresetKey] = &[
    COUNTS,
    OVERFLOW,
    consumers(
        "prefetch",
        "\"unlimited\"",
        "RabbitMQ documentation of 2026, consumer prefetch: client libraries set none",
    ),
];

const LIMIT: &str = "RabbitMQ documentation of 2026, quorum queues, 4.3: rejects, failures, and \
                     lost connections count; the acknowledgement timeout does not";

const RABBITMQ_QUORUM: &[PresetKey] = &[
    COUNTS,
    OVERFLOW,
    queue(
        "delivery.return_limit",
        "20",
        "RabbitMQ documentation of 2026, quorum queues: a delivery limit of 20 since 4.0; beyond, \
         a message is dropped or dead-lettered",
    ),
    queue("delivery.limit_counts", "[\"failure\", \"crash\"]", LIMIT),
    queue(
        "delivery.ack_timeout.limit",
        "\"30m\"",
        "RabbitMQ documentation of 2026, consumers: an acknowledgement timeout of 30 minutes",
    ),
    queue(
        "delivery.ack_timeout.check",
        "\"1m\"",
        "RabbitMQ documentation of 2026, consumers: checked every minute",
    ),
    consumers(
        "prefetch",
        "2000",
        "RabbitMQ documentation of 2026, consumer prefetch: client libraries set none, and a \
         quorum queue caps it at 2,000",
    ),
];

const REDIS_CELERY: &[PresetKey] = &[
    queue(
        "delivery.visibility_timeout",
        "\"1h\"",
        "kombu of 2026, Redis transport: a visibility timeout of 3,600 s",
    ),
    queue(
        "delivery.dispatch",
        "\"greedy\"",
        "kombu, Redis transport: a worker takes messages from the list until its prefetch is full \
         (from memory)",
    ),
    PresetKey {
        of: Of::Consumers,
        key: "prefetch",
        given: Given::PerHandler(4),
        with: None,
        source: "Celery of 2026, `worker_prefetch_multiplier`: 4 for each process",
    },
    consumers(
        "ack",
        "\"before\"",
        "Celery of 2026, `task_acks_late`: false, so a task is acknowledged when it starts",
    ),
];

const SIDEKIQ: &[PresetKey] = &[
    consumers("concurrency", "5", "Sidekiq of 2026: 5 threads a process"),
    consumers(
        "ack",
        "\"before\"",
        "Sidekiq of 2026, basic fetch: BRPOP takes a job off the list before it is worked on",
    ),
    consumers(
        "retry.backoff",
        "\"sidekiq\"",
        "Sidekiq of 2026, job_retry.rb: 25 retries after n^4 + 15 + rand(10 (n + 1)) s",
    ),
    consumers(
        "retry.place",
        "\"delayed\"",
        "Sidekiq of 2026, job_retry.rb: a failed job goes to the retry set, and its thread goes on",
    ),
];
