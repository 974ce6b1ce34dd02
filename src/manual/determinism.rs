//! Determinism: what is promised, and what was tested.
//!
//! Not a promise across versions: a digest may change when the engine does, and the list of what
//! changed is the difference of `tests/golden/digests.txt`.
//!
//! # The promise
//!
//! The same build, scenario, and seed give the same history, event for event, and so the same
//! numbers to the last digit:
//!
//! - on any number of threads: replications are independent, and their results are folded in order;
//! - with any recorder, or none: recorders watch and never touch;
//! - in debug and release builds.
//!
//! The **digest** is a hash of the history: each acceptance with the message's identity, each
//! delivery and completion with its handler, each refusal, block, time-out, loss, and alert, each
//! with its nanosecond. Equal digest, equal history. A change of two messages' places changes it,
//! though no average moves.
//!
//! # How it is kept
//!
//! - Time is a whole number of nanoseconds; there is no float to round differently in the calendar.
//! - Events of one instant have a fixed order (rule A2).
//! - Random numbers come from generators fixed by their definition (xoshiro256++ and SplitMix64),
//!   in streams named by seed, replication, component, and purpose. Adding a producer shifts no
//!   draw of another. What belongs to a message (its work, size, and priority) is drawn from a
//!   place that follows from the message, not from the order of service: the n-th message is the
//!   same message under any fleet. Whether an attempt fails (`Purpose::Failure`) follows from the
//!   message, its delivery, and the attempt; whether an acknowledgement or a confirm is lost
//!   (`Purpose::Loss`), from the message and the delivery or publish; its key (`Purpose::Key`) and
//!   whether it is poison, from the message alone; when a consumer crashes (`Purpose::Outage`),
//!   from the consumer and which crash it is. A retry policy, or one handler more, changes none of
//!   them.
//! - No container with an unspecified order is iterated. No sum of floats depends on threads.
//! - The wall clock is read for progress only.
//!
//! # What was tested
//!
//! Every scenario of the gallery, on one thread and on four, with all recorders and with none,
//! against stored digests, on x86-64 Linux: `gallery.rs: threads_change_no_digest`, `gallery.rs:
//! recorders_change_no_digest`, `gallery.rs: every_digest_is_golden`. The stored digests are
//! checked by test builds.
//!
//! # What was not
//!
//! Other platforms. Integers and the generators are the same everywhere; draws of random laws use
//! `ln`, `exp` and powers, which rounding may let differ in the last bit between mathematics
//! libraries. Scenarios with constant times draw nothing, and have nothing to differ in.
