//! Statistics: how sure a number is, and what was done to know.
//!
//! Not a promise that a model is right; only of what the simulation of it says.
//!
//! # Two kinds of numbers
//!
//! *Observations* are made of each message: waits, sojourns, block times. They go into a histogram
//! with buckets less than 0.4 % wide; count, mean, and the longest are exact, percentiles are
//! interpolated in their bucket. *Levels* hold for a while: depth, lag, blocked, busy. Their means
//! are weighted by time, in integers, so that they are exact; their maximum is the true one and not
//! that of a sample. Lag is a saw-tooth between two changes of the oldest message, and is
//! integrated as one. Memory does not grow with the length of a run.
//!
//! How many retries fall together is the most of them in one tenth of a second of the clock,
//! `[0.1 j, 0.1 (j + 1))` seconds: publishes tried again, and messages whose next attempt is due
//! (`peak_retries_per_100ms`). Work is wasted when it is not that of the first success on a
//! message: `wasted_work` is one less the time of those over the time of all executions that have
//! ended, crashed ones and the pauses of retries in place included. Of a batch that is worked on as
//! one piece each message has the share of its time that its own time has in all of theirs.
//!
//! # One run is one draw
//!
//! A scenario without randomness has one history, and its numbers are exact to the nanosecond. With
//! randomness, a run is a draw. `replications = n` makes n independent ones. A metric of them is
//! the mean over the runs, and its interval is Student's t at 95 % with n − 1 degrees of freedom.
//! This holds for percentiles and maxima, too, as means over runs: "the p99 of a run like this".
//! A closed form or a fluid reading is judged by the interval at 99 %, since many are judged at
//! once. Each table of intervals has its level in its head.
//!
//! A metric that did not happen in one of the replications (a queue that was full in nine of ten)
//! is absent; a mean over those in which it did would flatter.
//!
//! # The beginning
//!
//! A run begins empty. That is right for an incident, and wrong for a steady state: `warmup` leaves
//! out the front. Counts are then counts after the warm-up; instants of disturbances are kept.
//! MSER-5 (White, Cobb and Spratt 2000) cuts a series where the rest has the smallest standard
//! error, and says so when there is no such place.
//!
//! # How long is long enough?
//!
//! Waits come in clusters: one message that waits has neighbours that wait. At a utilization ρ the
//! cluster of a single server lasts as 1/(1 − ρ)², so precision is expensive just where it matters:
//! one percent of the mean wait of M/M/1, at 95 %, needs 17 million messages at ρ = 0.9 and 1.55
//! billion at 0.99. `chain.toml` in the gallery has an interval that is wide for that reason. If a
//! closed form exists, use it; [`theory`](super::theory) lists them.
//!
//! # Comparing
//!
//! Two fleets under one seed meet the same messages: same instants, same work (rule A3). The
//! difference of two runs is then far surer than either; `examples/compare.rs` shows it. An
//! interval for a difference comes from the differences of pairs, never from two intervals side by
//! side. `queuecast compare` does that, and [`planning`](super::planning) says what its verdicts
//! are worth.
//!
//! # What is checked on every run
//!
//! The ledger (B1, B2) and Little's law (B3). A run that fails either is a bug of this program, and
//! panics with its seed.
