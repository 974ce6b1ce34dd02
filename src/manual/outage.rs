//! Surviving an outage: the consumers stop for 90 seconds; what is lost, who waits, and when is it
//! over?
//!
//! Not which policy is best when the queue is full ([`publish_policy`](super::publish_policy)), nor
//! storms of retries on a dependency ([`dependencies`](super::dependencies)).
//!
//! # Four instants
//!
//! Arrivals λ, capacity of the fleet μ, outage T, bound K. By rates alone, without chance:
//!
//! | what | formula | here |
//! |---|---|---|
//! | the queue is full | K/λ | 83.3 s |
//! | refused, if publishers fail at once | λT − K | 8,000 |
//! | backlog when the fleet is back | min(λT, K) | 100,000 |
//! | no message waits any more | T + backlog/(μ − λ) | 423.3 s |
//!
//! `check` computes them for your scenario without simulating:
//!
//! ```console
//! $ queuecast init
//! …
//! $ queuecast check scenario.toml
//! …
//! What is known before a run
//!   metric         closed form    fluid  simulated
//! …
//!   queues.orders            -    8,000          -
//!   .rejected                    reject
//! …
//!   queues.orders            -  423.3 s          -
//!   .drained_at                  reject
//! …
//! ```
//!
//! The last row of the table is the one people get wrong: the time to recover is the backlog over
//! the *headroom* μ − λ, not over μ. 60 consumers, a quarter more than needed, take 333 s for what
//! 90 s left; at break-even it is for ever:
//!
//! ```console
//! $ queuecast run scenarios/drain_48.toml --no-report --quiet
//! …
//!    t+60.0s  fleet is back: 48 handlers up, 72,000 messages waiting
//!   t+600.0s  the run ended: its time is over, 72,000 messages unfinished
//! …
//! ```
//!
//! Every dashboard is green in that run: all handlers busy, as many done as come. The age of the
//! oldest message stays at 60 s, and that is what an alert must watch.
//!
//! # How long an outage, how large a fleet
//!
//! A map of both, at a tenth of the size, where bound and rates keep their proportions:
//!
//! ```console
//! $ queuecast sweep scenario.toml --set producers.checkout.arrivals.constant.rate=120/s \
//!     --set queues.orders.capacity=10_000 \
//!     --vary outages.0.duration=60s,90s,3m --vary consumers.fleet.count=6,7,8 \
//!     --metric queues.orders.rejected --metric queues.orders.recovery_time
//! …
//!   duration  count  rejected  recovery_time
//!        60s      6         0        239.8 s
//!        60s      7         0        130.8 s
//!        60s      8         0        89.92 s
//!        90s      6       800        333.2 s
//!        90s      7       800        181.7 s
//!        90s      8       800        124.9 s
//!         3m      6    11,600        333.2 s
//!         3m      7    11,600        181.7 s
//!         3m      8    11,600        124.9 s
//! …
//! ```
//!
//! The two columns have nothing to do with each other. What is refused depends on the outage and
//! the bound, never on the fleet; recovery depends on the fleet, and past 83 s no longer on the
//! outage, since the bound has cut the backlog. A short recovery may be a sign of many losses.
//!
//! # Room for it
//!
//! ```console
//! $ queuecast compare scenario.toml --to queues.orders.capacity=120_000 --set run.stop=10m \
//!     --metric producers.checkout.rejected --metric queues.orders.drained_at --no-report
//! …
//! B against A
//!   metric                   A        B  difference  change
//!   checkout.rejected    8,000        0      -8,000  -100 %
//!   orders.drained_at  423.2 s  449.8 s    +26.64 s  +6.3 %
//! …
//! ```
//!
//! A bound of λT, the longest outage you mean to survive times the rate, loses nothing of even
//! arrivals, and costs 27 s more of recovery. Poisson arrivals vary by √(λT): three of these above
//! λT, 108,000 + 986 here, are passed about once in a thousand outages. It is memory that you buy:
//! messages times their size.
//!
//! # What was in their hands
//!
//! An outage that kills its consumers (`in_flight = "crash"`) also strikes what they held. Whether
//! that is lost depends on when they acknowledge:
//!
//! ```console
//! $ queuecast run scenario.toml --no-report --quiet --set outages.0.start=1m \
//!     --set outages.0.in_flight=crash --set consumers.fleet.ack=before
//! …
//!    t+60.0s  fleet stopped: all 60 handlers down
//!    t+60.0s  orders: first message ended with its work undone
//!    t+60.0s  orders: last message ended with its work undone, 47 in all
//! …
//! $ echo $?
//! 1
//! ```
//!
//! 47 orders that nobody refused and nobody did: acknowledged before the work, and gone. (Exit code
//! 1: the file expects 423 s, and this outage began a minute later.) With `ack = "after"` they come
//! back, and some may be done twice: [`delivery_settings`](super::delivery_settings).
//!
//! Next: [`publish_policy`](super::publish_policy), what a full queue should do to its publishers.
