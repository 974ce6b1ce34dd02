//! queuecast: a deterministic discrete-event simulator and capacity planner for message queues.

pub mod formula;
pub mod stats;
pub mod theory;
