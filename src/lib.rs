//! queuecast: a deterministic discrete-event simulator and capacity planner for message queues.

mod exact;
pub mod experiment;
pub mod fluid;
pub mod formula;
pub mod theory;
