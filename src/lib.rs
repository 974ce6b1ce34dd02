//! queuecast: a deterministic discrete-event simulator and capacity planner for message queues.

pub mod cli;
mod exact;
pub mod experiment;
pub mod fluid;
pub mod formula;
pub mod input;
pub mod model;
pub mod outcome;
pub mod policy;
pub mod random;
pub mod report;
pub mod scenario;
pub mod sim;
pub mod stats;
pub mod theory;
pub mod units;
