//! Closed forms: what queueing theory says exactly, approximately, or not at all.

pub mod ggc_approx;
pub mod gim;
mod matrix;
pub mod mdc;
pub mod mg1;
pub mod mphc;
mod numeric;
pub mod run_length;
pub mod station;
pub mod transform;
