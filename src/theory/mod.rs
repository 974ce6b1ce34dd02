//! Closed forms: what queueing theory says exactly, approximately, or not at all.

pub mod gim;
pub mod mdc;
mod numeric;
pub mod transform;
