//! Questions put to the models below: what a fleet must be, what changes when it does.

pub mod readings;
pub mod replicate;
pub mod size;
mod sizing;
mod wait;
