//! Numbers from observations: tallies, levels over time, histograms, intervals.
//!
//! Not what is observed: recorders decide that.

pub mod confidence;
pub mod warmup;
mod gauge;
mod histogram;

pub use gauge::{AgeGauge, Gauge};
pub use histogram::Histogram;
