//! Questions put to the models below: what a fleet must be, what changes when it does, how sure
//! the answers are.

pub mod compare;
mod conduct;
mod growth;
mod needs;
pub mod plan;
pub mod points;
mod precision;
pub mod readings;
pub mod replicate;
pub mod size;
mod sizing;
pub mod stability;
mod verdict;
mod wait;
mod warmup;
mod words;

pub use conduct::{Experiment, conduct};
pub use needs::Needs;
pub use precision::LEVEL;
pub use verdict::{ENOUGH, judge};
