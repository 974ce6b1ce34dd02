//! First five minutes: what happens to a service when its consumers stop for 90 seconds?
//!
//! Not how many consumers to buy ([`sizing`](super::sizing)), nor what every word of a report means
//! ([`reading_a_report`](super::reading_a_report)).
//!
//! # Before anything is simulated
//!
//! Two numbers are enough to begin: how many messages come, and how long a consumer works on one.
//!
//! ```console
//! $ queuecast size --arrivals 1200/s --service 40ms --outage 90s
//!   offered load  48 in work at once: 1200/s times 40ms (Little's law)
//!   break-even    48 consumers
//!   backlog       108,000 waiting after an outage of 1m 30s
//!
//!   consumers  throughput  utilization  headroom    drain  mean wait  p99 wait
//!          48     1,200/s       1.0000       0/s    never      grows     grows
//!          49     1,225/s       0.9796      25/s  4,320 s   33.47 ms  177.1 ms
//!          54     1,350/s       0.8889     150/s    720 s   2.009 ms  22.70 ms
//!          60     1,500/s       0.8000     300/s    360 s   211.3 µs  6.156 ms
//!          69     1,725/s       0.6957     525/s  205.7 s   5.279 µs       0 s
//! …
//! ```
//!
//! 48 messages are in work at any time, so 48 consumers only keep up: a backlog never goes. 60 have
//! 300/s to spare and need 360 s for what 90 s left. On a calm day hardly anybody waits for them;
//! it is the outage that asks for more.
//!
//! # A scenario
//!
//! `init` writes that service as a file, with a comment on every line that you are likely to
//! change.
//!
//! ```console
//! $ queuecast init
//! wrote scenario.toml; next: queuecast run scenario.toml
//! ```
//!
//! Four parts: who publishes (`producers`), where messages wait (`queues`), who works
//! (`consumers`), and what goes wrong (`outages`). Its queue holds 100,000 messages and refuses
//! more.
//!
//! ```console
//! $ queuecast run scenario.toml
//! …
//! Timeline
//!     t+0.0s  fleet stopped: all 60 handlers down
//!    t+83.3s  orders reached its bound of 100,000
//!    t+83.3s  orders: first publish refused
//!    t+90.0s  orders: last publish refused, 8,000 in all
//!    t+90.0s  fleet is back: 60 handlers up, 100,000 messages waiting
//!   t+123.2s  orders: a tenth of its bound is free again, 90,000 messages waiting
//!   t+423.2s  orders drained: no message waits
//!   t+423.2s  the run ended: drained, 60 messages unfinished
//! …
//! wrote output/scenario/, see output/scenario/report.html
//! ```
//!
//! Read the timeline first: it is the incident. The queue fills 6.7 s before the consumers are
//! back, 8,000 orders are refused, and it takes until 423 s, more than five minutes after the
//! repair, until no order waits. `output/scenario/report.html` is the same with charts, in one file
//! that needs no network.
//!
//! # Change one thing
//!
//! Any key can be changed for a run, without touching the file:
//!
//! ```console
//! $ queuecast run scenario.toml --set consumers.fleet.count=75 --no-report --quiet
//! …
//!   t+238.0s  orders drained: no message waits
//! …
//!             expected                                   observed
//!   held      queues.orders.rejected == 8000             8,000
//!   NOT HELD  queues.orders.drained_at ~ 423.3s +- 0.2s  238.04 s
//! $ echo $?
//! 1
//! ```
//!
//! 15 consumers more save three minutes, and not one of the 8,000 orders: those are lost while
//! nobody works. More consumers shorten what follows an outage; room, or publishers that wait,
//! decide what is lost in it. The exit code is 1 since the file says what to expect, and this is
//! not it.
//!
//! # Your numbers
//!
//! Put your own rate, service time, fleet and bound into `scenario.toml`, delete its `[[expect]]`
//! lines, and look at what was understood before you run it. A slip is found here:
//!
//! ```console
//! $ queuecast check scenario.toml --set consumers.fleet.service=40
//! …
//! $ echo $?
//! 2
//! $ queuecast explain consumers.fleet.service
//! …
//! ```
//!
//! Next: [`sizing`](super::sizing), how many consumers are enough.
