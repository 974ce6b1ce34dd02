//! Choosing delivery settings: how long may a message stay with a consumer, how often may it come
//! back, and what if it is done twice?
//!
//! Not each mechanism by itself, nor the sources of the presets: [`brokers`](super::brokers) has
//! both.
//!
//! # Begin with your broker's defaults
//!
//! ```console
//! $ queuecast explain sqs
//! sqs (preset): Amazon SQS, a standard queue
//!   queues.NAME.delivery.visibility_timeout
//!      "30s"  SQS developer guide of 2023, page on the visibility timeout: 30 s
//!             by default
//! …
//! ```
//!
//! A preset is a set of ordinary keys, each with its source, and each gives way to one that you
//! write. This file is such a queue with work that usually takes 2 s, and 35 s once in a hundred:
//!
//! ```toml
//! # orders.toml
//! title = "Orders on SQS, whose work has a long tail"
//!
//! [run]
//! stop = "settled"
//!
//! [producers.shop]
//! queue    = "orders"
//! arrivals = { poisson = { rate = "10/s" } }
//! until    = "10m"
//!
//! [queues.orders]
//! preset      = "sqs"
//! delivery    = { max_receives = 3 }
//! dead_letter = "dead"
//!
//! [queues.dead]
//! preset    = "sqs"
//! retention = "14d"
//!
//! [consumers.mail]
//! queue       = "orders"
//! count       = 8
//! concurrency = 10
//! service     = { lognormal = { p50 = "2s", p99 = "35s" } }
//! fails       = { transient = "10%" }
//! crash       = { at = "5m", consumers = 1, restart = "5s" }
//!
//! [[alerts]]
//! when = "queues.dead.depth > 0"
//! ```
//!
//! ```console
//! $ queuecast check orders.toml
//! warning: messages of `queues.orders` are delivered again while `consumers.mail` still has them
//! …
//! help: raise the timeout well above the work, or add a `heartbeat`
//! help: with what is done again (failures and lapsed visibility) …, 27 % of it wasted
//! help: about 35 messages an hour …, and become dead letters, though …
//! …
//! ```
//!
//! The default of 30 s is below the tail of the work. `check` says what that costs before anything
//! runs: a quarter of the work done is wasted, failures included, and good messages land among the
//! dead letters.
//!
//! # Visibility: longer, or kept alive
//!
//! ```console
//! $ queuecast compare orders.toml --replications 6 --no-report --quiet \
//!     --to queues.orders.delivery.visibility_timeout=5m \
//!     --to queues.orders.delivery.heartbeat=10s \
//!     --metric queues.orders.duplicate_effects --metric queues.dead.dead_letters \
//!     --metric consumers.mail.wasted_work --metric queues.orders.sojourn.max
//! …
//! B against A
//!   metric                          A        B   difference (95 %)   change
//!   orders.duplicate_effects       88        0            -88 ± 10   -100 %
//!   orders.sojourn.max        87.13 s  672.4 s         +585 ± 51 s   +672 %
//!   mail.wasted_work          25.77 %  10.70 %  -15.1 ± 1.9 points  -58.5 %
//!   dead.dead_letters           16.17    7.167              -9 ± 4  -55.7 %
//! …
//! C against A
//!   metric                          A        C   difference (95 %)   change
//!   orders.duplicate_effects       88        0            -88 ± 10   -100 %
//!   orders.sojourn.max        87.13 s  360.9 s        +274 ± 168 s   +314 %
//! …
//! ```
//!
//! Both end the duplicates. Five minutes of visibility make each failure and each crash wait for
//! five minutes; a heartbeat of 10 s keeps the timeout at 30 s for those, and lets the long ones
//! work. A visibility V without heartbeat has duplicates with probability P(S > V), the tail of
//! your service times, and costs V at each crash: take V at its p99.9 or beyond, or a heartbeat at
//! a third of V. (The longest sojourn also holds the longest work itself, which is no longer cut
//! off.)
//!
//! # Receives and dead letters
//!
//! Seven dead letters remain, from failures that come back with probability p each time. Of n
//! deliveries all fail with probability pⁿ:
//!
//! ```console
//! $ queuecast formula "retries with independent failures" lambda=10 p_fail=0.1 max_attempts=3
//! …
//!   p_dlq          0.0010000000000000002
//! ```
//!
//! One in a thousand, 6 of 6,000. That holds while failures are independent; in an outage of what
//! the work calls p is 1, and three receives are used up in 3 V. Let `max_receives` times the
//! timeout be longer than the outages you mean to survive, alert on the first dead letter, and keep
//! the dead-letter queue longer than the source: on SQS an age counts from the first publish.
//!
//! ```console
//! $ queuecast run scenarios/dead_letters_unread.toml --no-report
//! warning: nobody is told of dead letters in `queues.dead`
//! …
//! warning: dead letters of `queues.orders` may vanish before they are read
//! …
//! ```
//!
//! # Done twice
//!
//! At least once means twice, some day. What a duplicate does is decided by the consumer:
//!
//! ```console
//! $ queuecast compare scenarios/check_then_insert.toml --no-report --quiet \
//!     --to consumers.payments.idempotency=unique_key --metric queues.orders.duplicate_effects
//! …
//!   orders.duplicate_effects  1  0          -1  -100 %
//! …
//! ```
//!
//! Looking first and writing afterwards lets two that overlap both charge the card; a unique key
//! that is written first does not. It has a price: a consumer that crashes between key and effect
//! leaves work undone (`scenarios/unique_key_crash.toml`), which a claim that expires mends
//! (`scenarios/claim.toml`).
//!
//! # What a crash does, broker by broker
//!
//! One crash of both workers, 8 jobs in hand, with the defaults of each preset
//! (`scenarios/preset_*.toml`):
//!
//! | preset | lost | redelivered | longest sojourn | why |
//! |---|---|---|---|---|
//! | `sqs`, `sqs_fifo` | 0 | 8 | 33.9 s | back when the visibility lapses |
//! | `rabbitmq_classic`, `_quorum` | 0 | 8 | 13.9 s | back when the connection closes |
//! | `redis_celery` | 8 | 20 | 1 h | acknowledged first; what was prefetched waits for an hour |
//! | `sidekiq` | 8 | 0 | 11.9 s | acknowledged first |
//!
//! ```console
//! $ queuecast test scenarios/preset_sqs.toml scenarios/preset_sqs_fifo.toml \
//!     scenarios/preset_rabbitmq_classic.toml scenarios/preset_rabbitmq_quorum.toml \
//!     scenarios/preset_redis_celery.toml scenarios/preset_sidekiq.toml
//! …
//! 6 passed, 0 failed
//! ```
//!
//! With RabbitMQ without a prefetch all that waits is in somebody's hands: depth reads 0 while the
//! backlog is there. Watch `in_flight` and `unacked_age` as well, and set a prefetch.
//!
//! Next: [`pipeline`](super::pipeline), so that nobody undoes all this.
