//! What brokers do to a message: each mechanism with a scenario that shows it, the presets with
//! their sources, and what the model leaves out.
//!
//! Not the rules, which are in [`semantics`](super::semantics) (D, E, F, G), and not every key:
//! `queuecast explain KEY` has those. Each piece below is laid under this head, and a test runs
//! them all and holds them to their expectations.
//!
//! ```toml
//! [run]
//! stop = "settled"
//!
//! [producers.shop]
//! queue    = "orders"
//! count    = 1000
//! arrivals = { constant = { rate = "20/s" } }
//! ```
//!
//! # At most once, at least once
//!
//! Acknowledged before the work, a message dies with the consumer that crashes. Acknowledged
//! afterwards, it comes back, and is done twice when the crash came after the effect.
//!
//! ```toml
//! [queues.orders]
//!
//! [consumers.mail]
//! queue   = "orders"
//! count   = 4
//! service = "150ms"
//! ack     = "before"
//! crash   = { at = "10.02s", consumers = 4, restart = "5s" }
//!
//! [[expect]]
//! that = "queues.orders.lost == 3"
//! ```
//!
//! # A visibility timeout shorter than the work
//!
//! The timer of SQS, and of Celery on Redis, runs whether or not somebody still works. When it
//! lapses, a second consumer begins on the same message, and both finish.
//!
//! ```toml
//! [queues.orders]
//! delivery = { visibility_timeout = "200ms" }
//!
//! [consumers.mail]
//! queue   = "orders"
//! count   = 40
//! service = { exponential = { mean = "100ms" } }
//!
//! [[expect]]
//! that = "queues.orders.duplicates > 100"
//! ```
//!
//! With a `heartbeat` the consumer starts the timer again while it works:
//!
//! ```toml
//! [queues.orders]
//! delivery = { visibility_timeout = "200ms", heartbeat = "100ms" }
//!
//! [consumers.mail]
//! queue   = "orders"
//! count   = 40
//! service = { exponential = { mean = "100ms" } }
//!
//! [[expect]]
//! that = "queues.orders.duplicates == 0"
//! ```
//!
//! # Failures, retries, dead letters
//!
//! A retry in place holds its handler, and what stands behind it; a delayed one lets it go on. What
//! fails for good goes to a queue of its own, where nobody looks unless an alert says so.
//!
//! ```toml
//! [queues.orders]
//! dead_letter = "dead"
//!
//! [queues.dead]
//!
//! [consumers.mail]
//! queue   = "orders"
//! count   = 5
//! service = "100ms"
//! fails   = { transient = "10%", permanent = "1%" }
//! retry   = { attempts = 4, backoff = { exponential = { base = "1s", cap = "10s" } } }
//!
//! [[alerts]]
//! when = "queues.dead.depth > 0"
//!
//! [[expect]]
//! that = "queues.dead.dead_letters > 0"
//! ```
//!
//! # A redrive after the repair
//!
//! ```toml
//! [queues.orders]
//! dead_letter = "dead"
//! delivery    = { max_receives = 3 }
//!
//! [queues.dead]
//! redrive = { at = "2m", rate = "50/s", to = "orders" }
//!
//! [consumers.mail]
//! queue   = "orders"
//! count   = 8
//! service = "100ms"
//! fails   = { permanent = "5%", cured_at = "1m" }
//!
//! [[alerts]]
//! when = "queues.dead.depth > 0"
//!
//! [[expect]]
//! that = "queues.orders.completed == 1000"
//! ```
//!
//! # Prefetch
//!
//! A consumer of RabbitMQ is pushed messages up to its prefetch. Too low, it is idle while its
//! acknowledgement and the next message travel; too high, it holds what others could do.
//!
//! ```toml
//! [queues.orders]
//!
//! [consumers.mail]
//! queue          = "orders"
//! count          = 4
//! service        = "100ms"
//! delivery_delay = "50ms"
//! prefetch       = 2
//!
//! [[expect]]
//! that = "queues.orders.lag.max < 200ms"
//! ```
//!
//! # Batches
//!
//! ```toml
//! [queues.orders]
//!
//! [consumers.mail]
//! queue   = "orders"
//! service = "300ms"
//! batch   = { size = 10, window = "500ms", work = "once", failure = "partial" }
//!
//! [[expect]]
//! that = "queues.orders.lag.max < 1s"
//! ```
//!
//! # One of a kind at a time
//!
//! SQS FIFO delivers the messages of a group one after the other; the most popular key decides how
//! long the line is, and not the number of consumers.
//!
//! ```toml
//! [producers.shop]
//! keys = { count = 50, zipf = 1.5 }
//!
//! [queues.orders]
//! groups = true
//!
//! [consumers.mail]
//! queue   = "orders"
//! count   = 40
//! service = "200ms"
//!
//! [[expect]]
//! that = "queues.orders.out_of_order_by_key == 0"
//! ```
//!
//! # Idempotency
//!
//! Looking first and writing last lets two that overlap both act; a key that is reserved first
//! does not.
//!
//! ```toml
//! [queues.orders]
//! delivery = { visibility_timeout = "100ms" }
//!
//! [consumers.mail]
//! queue       = "orders"
//! count       = 40
//! service     = { exponential = { mean = "100ms" } }
//! idempotency = "unique_key"
//!
//! [[expect]]
//! that = "queues.orders.duplicate_effects == 0"
//! ```
//!
//! # Lost confirms, and a queue that remembers
//!
//! A publisher that does not hear of its success publishes once more.
//!
//! ```toml
//! [producers.shop]
//! confirm_loss = { share = "5%", timeout = "2s" }
//!
//! [queues.orders]
//! dedup_window = "5m"
//!
//! [consumers.mail]
//! queue   = "orders"
//! count   = 4
//! service = "100ms"
//!
//! [[expect]]
//! that = "queues.orders.completed == 1000"
//! ```
//!
//! # Deliveries that nobody acknowledges
//!
//! RabbitMQ closes the channel of a consumer that holds a message for too long, and takes back all
//! that it holds.
//!
//! ```toml
//! [queues.orders]
//! delivery = { ack_timeout = { limit = "30s", check = "10s" } }
//!
//! [consumers.mail]
//! queue    = "orders"
//! count    = 3
//! service  = "1s"
//! prefetch = 100
//!
//! [[expect]]
//! that = "consumers.mail.channels_closed > 0"
//! ```
//!
//! # Order-insensitive consumers
//!
//! A retry that comes back later is older than what has been applied of its key meanwhile.
//!
//! ```toml
//! [producers.shop]
//! keys = 20
//!
//! [queues.orders]
//!
//! [consumers.mail]
//! queue   = "orders"
//! count   = 4
//! service = "100ms"
//! fails   = "10%"
//! retry   = { attempts = 5, backoff = { fixed = "5s" } }
//! guard   = "version"
//!
//! [[expect]]
//! that = "queues.orders.ignored > 0"
//! ```
//!
//! # A broker's defaults
//!
//! ```toml
//! [queues.orders]
//! preset      = "sqs"
//! dead_letter = "dead"
//! delivery    = { max_receives = 5 }
//!
//! [queues.dead]
//! preset    = "sqs"
//! retention = "14d"
//!
//! [consumers.mail]
//! queue   = "orders"
//! count   = 4
//! service = "100ms"
//! fails   = "20%"
//!
//! [[alerts]]
//! when = "queues.dead.depth > 0"
//!
//! [[expect]]
//! that = "queues.orders.lapsed > 0"
//! ```
//!
//! # Presets
//!
#![doc = include_str!("presets.md")]
//!
//! # What the model leaves out
//!
//! - **A broker is one thing.** It does not lose acknowledged publishes, elect a leader, or lag
//!   behind itself. An SQS receive finds any visible message; the sampling of a short poll, which
//!   misses some, is not simulated.
//! - **Calls take no time** but what `delivery_delay` says, one figure for each way.
//! - **Polls are free.** A handler that finds nothing hears of the next message at once; the wait
//!   of an empty poll, and what it costs, are not counted.
//! - **Call limits are windows of a whole second**, and not a bucket that fills evenly.
//! - **A crash takes a consumer with all of its handlers**, never one thread of it. Consumers crash
//!   independently of each other and of what they work on.
//! - **A key decides a group**, and nothing of a message but its key, its size, and its priority
//!   matters to the broker.
//! - **Poison does not spread**: a message that fails does not slow down others, but by holding
//!   their handler.
//! - **Effects are counted, not what they are**: an effect that happens twice is a duplicate even
//!   where the world outside would not mind.
