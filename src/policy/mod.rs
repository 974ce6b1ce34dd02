//! Policies: pure deciders. They see little, decide, and remember nothing but their own state.
//!
//! Not components: a policy never schedules an event, and draws only from the stream handed to it.

pub mod admission;
pub mod arrival;
pub mod breaker;
pub mod calls;
pub mod concurrency;
pub mod dedup;
pub mod groups;
pub mod idempotency;
pub mod keys;
pub mod order;
pub mod progress;
pub mod publish;
pub mod rate_limit;
pub mod retry;
mod ring;
pub mod roster;
pub mod scaling;
