//! The scenario format: how a scenario is written.
//!
//! Not what then happens ([`semantics`](super::semantics)). The lists of keys and metrics below are
//! generated from the program, and a test holds them to it; `queuecast explain KEY` and `queuecast
//! list` say the same at the prompt.
//!
//! A scenario is a TOML file: maps of named components (`producers`, `queues`, `consumers`,
//! `dependencies`), lists (`outages`, `alerts`, `expect`, `objectives`), one table `run`, and a
//! `title`. Components refer to each other by name. A name has no dots.
//!
//! ```toml
//! title = "Checkout: 90 s consumer outage, publishes fail fast"
//!
//! [run]
//! stop = "drained"
//!
//! [producers.checkout]
//! queue    = "orders"
//! arrivals = { constant = { rate = "1200/s" } }
//! on_full  = "reject"
//!
//! [queues.orders]
//! capacity = 100_000
//!
//! [consumers.fleet]
//! queue   = "orders"
//! count   = 60
//! service = "40ms"
//!
//! [[outages]]
//! target   = "consumers.fleet"
//! start    = "0s"
//! duration = "90s"
//!
//! [[expect]]
//! that = "queues.orders.rejected == 8000"
//! ```
//!
//! # Quantities
//!
//! A quantity is a number and its unit in a string: `"40ms"`, `"1m 30s"`, `"1200/s"`, `"90/min"`,
//! `"4.3M/day"`, `"0.1%"`, `"2KiB"`. Durations take `ns us ms s m h d` (`min` is `m`), rates `/s
//! /min /h /day`, sizes `kB MB GB KiB MiB GiB`; `k M G` multiply counts and rates. A bare number is
//! accepted only where there is no unit: counts and ratios.
//!
//! # Laws
//!
//! Wherever a duration, a size, or a count may vary, a plain quantity is a constant, and a table is
//! a law: `constant exponential uniform erlang gamma hyperexponential lognormal weibull pareto
//! mixture empirical`. Each takes what people know of it: `{ lognormal = { mean = "40ms", cv = 1.5
//! } }`, or `{ p50 = "30ms", p99 = "400ms" }`; `{ empirical = { file = "service.csv", column =
//! "seconds" } }`. `queuecast list laws` has the parameters of each.
//!
//! # What ends a run
//!
//! `stop = "drained"`: the first instant after the last disturbance at which no message waits and
//! nobody is blocked. A disturbance is an outage, a burst, a change of an arrival schedule or of a
//! fleet's size, a crash at a stated instant, a redrive, or the repair of a handler. `"settled"`:
//! the sources have ended (`count`, `until`, a single burst) and every message has met its end. A
//! duration: then. `horizon` bounds the first two, and meeting it is reported. Without `stop` it is
//! `"settled"` if all sources end, else `"drained"` if something disturbs.
//!
//! # Publish policies
//!
//! `on_full` says what a publisher does when its queue refuses: `"reject"` fails at once; `{ block
//! = { timeout, connections, admission } }` waits for room, in the queue's one order of admission;
//! `{ retry = { attempts, backoff, jitter, budget } }` comes back later. `"block"` alone waits for
//! as long as it takes.
//!
//! # Deliveries
//!
//! A queue says in `delivery` how it hands messages out, and what brings back those that are not
//! acknowledged: a closed connection (the default), or a `visibility_timeout`, which `heartbeat`
//! starts again. `max_receives` counts deliveries, `return_limit` counts returns; what is beyond
//! goes to the `dead_letter` queue, or is dropped. `redrive` moves a dead-letter queue's messages
//! back. `groups = true` delivers one message of a key at a time, and needs producers with `keys`.
//!
//! # Handling
//!
//! Consumers acknowledge `"after"` the work or `"before"` it, take one message when a handler is
//! free or are pushed up to `prefetch`, work in a `batch`, fail (`fails`), `retry`, and `crash`. A
//! retry waits with the broker (`place = "delayed"`, the default: the handler goes on) or with its
//! handler (`"in_place"`). A `budget` bounds the retries of a client whatever its policy allows:
//! one for each producer, and for each consumer or for the fleet (`budget_per`). A retry that it
//! refuses is not made: the publish is abandoned, and the message is a dead letter (or dropped),
//! unless its visibility brings it back by itself. `limit = "10/min"` lets so many attempts of the
//! fleet through; the others fail at once, and are retried like any failure. `fails = "1%"` is
//! short for `fails = { transient = "1%" }`, and so it is with `batch`, `limit`, `keys`, `poison`,
//! `confirm_loss`, `dead_letter`, and `ack_timeout`: the usual number alone, or a table.
//!
//! # Dependencies and calls
//!
//! `[dependencies.NAME]` is a station of its own: `servers`, a `service` time, a `queue` of calls
//! that wait. `calls = "mailer"` of consumers has each handler call it when its own service time is
//! over, and wait; of a producer it stands in the place of `queue`: each arrival is a call, and
//! nothing is published. `calls = { dependency, timeout, deadline, retry, breaker, concurrency,
//! hedge, per }` says how a caller defends itself. An outage whose target is a dependency stops its
//! servers, or makes them slow (`slowdown = 3`). What exactly happens:
//! [`dependencies`](super::dependencies).
//!
//! # Presets
//!
//! `preset = "sqs"` on a queue gives it the defaults of a broker, and gives some to the consumers
//! that take from it. Each is a key like any other, and one that is written goes before it;
//! `queuecast explain sqs` lists them, each with its source, and `queuecast list presets` names
//! all.
//! A default is taken away with `"none"`: `dedup_window = "none"`, `delivery.max_in_flight =
//! "unlimited"`. So is every limit and timeout of a queue, and the `prefetch` of consumers.
//!
//! # Conditions
//!
//! One small language for `expect`, `objectives`, and alerts: `METRIC OP QUANTITY` with `== != <=
//! >= < >`, or `METRIC ~ QUANTITY +- TOLERANCE`; a tolerance in percent is one of the quantity,
//! except on ratios. `never` is the value of what did not happen. Times are compared to the
//! nanosecond.
//!
//! ```toml
//! [[expect]]
//! that = "queues.orders.drained_at ~ 423.3s +- 0.2s"
//!
//! [[expect]]
//! that = "queues.orders.full_at == never"
//! ```
//!
//! Alerts watch a level or a count while the run goes on: `when = "queues.orders.lag > 30s"`, `for
//! = "1m"`. What is watched is written without `.mean` or `.max`.
//!
//! # Assignments
//!
//! `--set KEY=VALUE` lays a value over the file, with the dotted name of the key; the N-th entry of
//! a list is `outages.0`, from zero. It is checked as the file is, and its errors point into it. A
//! table is written as in TOML: `--set "consumers.fleet.service={ exponential = { mean = '40ms' }
//! }"`.
//!
//! # Not yet
//!
//! `logs` is refused with a word that it is to come, as are `log` of consumers, and the presets of
//! Kafka and PostgreSQL. Nothing is accepted and then ignored.
//!
//! # Every key
//!
#![doc = include_str!("keys.md")]
//!
//! # Every metric
//!
#![doc = include_str!("metrics.md")]
