//! queuecast: a deterministic discrete-event simulator and capacity planner for message queues.

pub mod input;
pub mod model;
pub mod outcome;
pub mod policy;
pub mod random;
pub mod report;
pub mod stats;
pub mod theory;
pub mod units;
