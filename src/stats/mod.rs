//! Numbers from observations: tallies, levels over time, histograms, intervals.
//!
//! Not what is observed: recorders decide that.

pub mod batch_means;
mod comeback;
pub mod confidence;
mod gauge;
mod histogram;
pub mod hypothesis;
mod peak;
pub mod warmup;

pub use comeback::Comeback;
pub use gauge::{AgeGauge, Gauge};
pub use histogram::Histogram;
pub use peak::Peak;
