//! Choosing a publish policy: the queue is full; refuse, let publishers wait, drop, shed, or buffer
//! without a bound?
//!
//! Not the rules of each policy (C1 to C6 of [`semantics`](super::semantics)), nor retries against
//! a dependency ([`dependencies`](super::dependencies)).
//!
//! # One outage, five answers
//!
//! The worked example at a tenth of its size; `[compare]` lists what else could be done, each with
//! a name:
//!
//! ```toml
//! # policies.toml
//! title = "A 90 s outage, and what a full queue does to its publishers"
//!
//! [run]
//! stop = "8m"
//!
//! [producers.checkout]
//! queue    = "orders"
//! arrivals = { constant = { rate = "120/s" } }
//! on_full  = "reject"
//!
//! [queues.orders]
//! capacity = 10_000
//!
//! [consumers.fleet]
//! queue   = "orders"
//! count   = 6
//! service = "40ms"
//!
//! [[outages]]
//! target   = "consumers.fleet"
//! start    = "0s"
//! duration = "90s"
//!
//! [compare]
//! baseline = "reject"
//! show = [
//!     "producers.checkout.rejected",
//!     "producers.checkout.timed_out",
//!     "queues.orders.dropped",
//!     "producers.checkout.blocked.max",
//!     "producers.checkout.publish_latency.max",
//!     "queues.orders.depth.max",
//!     "queues.orders.lag.max",
//!     "queues.orders.drained_at",
//! ]
//!
//! [compare.variants.block]
//! "producers.checkout.on_full" = "block"
//!
//! [compare.variants.timeout]
//! "producers.checkout.on_full" = { block = { timeout = "5s" } }
//!
//! [compare.variants.drop]
//! "queues.orders.overflow" = "drop_oldest"
//!
//! [compare.variants.buffer]
//! "queues.orders.capacity" = "unbounded"
//! ```
//!
//! ```console
//! $ queuecast compare policies.toml --no-report
//! …
//! Side by side
//!   metric                        A reject  B block  C timeout   D drop  E buffer
//!   checkout.rejected                  800        0          0        0         0
//!   checkout.timed_out                   0        0        200        0         0
//!   orders.dropped                       0        0          0      800         0
//!   checkout.blocked.max                 0      800        600        0         0
//!   checkout.publish_latency.max       0 s  6.667 s        5 s      0 s       0 s
//!   orders.depth.max                10,000   10,000     10,000   10,000    10,800
//!   orders.lag.max                    90 s     90 s       90 s  83.33 s      90 s
//!   orders.drained_at              423.2 s  449.8 s    443.2 s  423.2 s   449.8 s
//! …
//! ```
//!
//! 10,800 orders came while 10,000 had room. The 800 others are in every column:
//!
//! | policy | the 800 | who pays | when it fits |
//! |---|---|---|---|
//! | reject | refused, at once | the customer of now, who knows it | somebody can try again |
//! | block | accepted late | publishers: 800 connections, up to 6.7 s | few, patient publishers |
//! | block with a timeout | 600 late, 200 refused after 5 s | both | a request has a deadline |
//! | drop the oldest | lost after a yes | customers who were told yes | newer data replaces older |
//! | buffer | accepted | the broker's memory | outages are shorter than memory |
//!
//! Nothing is free: what is not refused has to be worked off, at the headroom of 30/s, so every
//! policy that keeps the 800 recovers 27 s later.
//!
//! Blocking looks best in the table, and is the one that spreads. 800 publishers that wait are 800
//! threads or connections of the service in front, where a pool of 200 would be exhausted after
//! 200/120 = 1.7 s: `connections = 200` in `block` models that, and the rest is then refused. And
//! which waiter gets a freed slot decides the worst wait: first come first served 6.7 s here, last
//! come first served as long as the backlog of publishers lasts
//! (`scenarios/block_fifo.toml` and its neighbours; the formulas are in [`theory`](super::theory)).
//!
//! # Try again later, and shed by age
//!
//! ```console
//! $ queuecast compare policies.toml --no-report --replications 6 \
//!     --to "producers.checkout.on_full={ retry = { attempts = 5, jitter = 'full', \
//!           backoff = { exponential = { base = '1s', cap = '10s' } } } }" \
//!     --to queues.orders.ttl=10s \
//!     --metric producers.checkout.rejected --metric producers.checkout.abandoned \
//!     --metric queues.orders.expired --metric queues.orders.drained_at
//! …
//!   checkout.abandoned        0    412.5           +412 ± 8  from zero
//! …
//!   orders.expired           0    9,600         +9,600 ± 0  from zero
//!   orders.drained_at  423.2 s  103.2 s         -320 ± 0 s    -75.6 %
//! …
//! ```
//!
//! Five attempts bridge half of the gap: the rest came too early in it, and gave up before the
//! fleet was back. Give `attempts` and `cap` so that the last attempt comes later than the longest
//! time for which the queue is full, 6.7 s here and more while those who come back meet those who
//! come. Keep the jitter, or those who were refused together come back together.
//!
//! A time to live of 10 s is the other end: the queue is empty 13 s after the repair, since 9,600
//! of the 10,000 that waited were thrown away unseen. That is right for prices and positions, whose
//! next one is on its way, and wrong for orders. It is looked at on delivery, so it frees no room
//! while nobody takes: 800 are still refused. `retention = "10s"` lets them go at that instant: the
//! queue is never full, nothing is refused, and as many expire.
//!
//! ```console
//! $ queuecast compare policies.toml --no-report --quiet --to queues.orders.retention=10s \
//!     --metric producers.checkout.rejected --metric queues.orders.expired \
//!     --metric queues.orders.drained_at
//! …
//!   checkout.rejected      800        0        -800     -100 %
//!   orders.expired           0    9,600      +9,600  from zero
//!   orders.drained_at  423.2 s  129.8 s    -293.4 s    -69.3 %
//! …
//! ```
//!
//! # When it is a crowd, and not an outage
//!
//! Customers who wait for an answer before they act again slow down by themselves when publishing
//! blocks: that is backpressure, and the offered load itself falls. The gallery has such a crowd:
//!
//! ```console
//! $ queuecast compare scenarios/backpressure_five_answers.toml --no-report
//! …
//! Side by side
//!   metric                 A nothing   B more  C cheaper   D shed   E slow
//!   orders.offered            41,963   41,963     41,963   41,963   38,361
//!   orders.drained_at        862.2 s  360.0 s      360 s  383.6 s  389.1 s
//! …
//!   orders.wait.p99          101.6 s  14.25 s    14.34 s  4.239 s  5.069 s
//!   orders.dropped                 0        0          0    3,679        0
//! …
//! ```
//!
//! To shed and to slow both keep the wait at five seconds, and both do without some 3,600 orders:
//! shed loses those it had accepted, slow has them never placed. Intervals and verdicts stand under
//! "Differences from A".
//!
//! Next: [`reading_a_report`](super::reading_a_report), what each word in these answers means.
