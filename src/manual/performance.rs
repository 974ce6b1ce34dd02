//! Performance: how the loop is built, and how it is measured.
//!
//! Not figures: those depend on the machine. `cargo bench --bench engine` prints them for yours, as
//! ratios to hand-written loops that compute the same numbers and nothing else.
//!
//! # The loop
//!
//! Take the next event from the calendar, let its component act, tell everyone what happened. A run
//! is one thread; replications and points of a sweep run side by side.
//!
//! **The calendar** orders events by time, rank, and sequence: times alone decide, and only a tie
//! asks for the whole 128-bit key. Behind it are three stores, because there are three kinds of
//! events. The next arrival of each source stands in a short list: there is one a source, and it is
//! replaced each time it is taken. Completions stand in a tournament tree with a leaf for each
//! handler: replacing a leaf costs the least of four a level, without moving anything else, and its
//! keys fit in 64 bits. Everything else (timeouts, retries, retention, outages) is in a heap. Most
//! runs never put a message's event in the heap.
//!
//! **Messages** live in a slab and are named by a slot; a queue's line is a ring of slots. Nothing
//! is allocated for a message once the slab has grown. What can be drawn again (work, size,
//! priority) is not stored: a message is 40 bytes, whatever it carries, and 4 for its place in
//! line.
//!
//! **Recorders** are known at compile time and inlined; with none, they cost nothing. Statistics
//! are integers: a histogram record finds its bucket from the leading bits, a gauge adds the
//! instant of each change once, in 128 bits: its integral up to `t` is `t` times the level less
//! that sum.
//!
//! # What grows with what
//!
//! Time: with the number of events. With handlers, logarithmically; with sources beyond sixteen,
//! logarithmically; with the length of a queue, not at all (a priority line: logarithmically).
//! Memory: with messages alive, not with messages that have been.
//!
//! # The bench
//!
//! Three workloads: 60 handlers at random, one handler at random, and the worked example's outage.
//! Each is measured against its floor in the same run, alternating, so that a slow moment of the
//! machine meets both; the best of five rounds counts. The ratio has a limit which the bench prints
//! beside it.
//!
//! # Where it stands
//!
//! The limits are goals that the loop does not meet yet: at its last measurement W1 took 6.8 times
//! its floor (limit 5), W2 5.6 (8), W3 22 (15). The time is spread evenly over the loop: indexing
//! tables, counting for producer and queue apart, three histogram records a message.
