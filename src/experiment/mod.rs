//! Questions put to the models below: what a fleet must be, what changes when it does.

mod conduct;
pub mod replicate;
pub mod size;
mod sizing;
mod wait;

pub use conduct::{Experiment, conduct};
