//! queuecast: a deterministic discrete-event simulator and capacity planner for message queues.

pub mod input;
pub mod policy;
pub mod random;
pub mod theory;
pub mod units;
