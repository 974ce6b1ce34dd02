//! Questions put to the models below: what a fleet must be, what changes when it does, how sure
//! the answers are.

mod conduct;
mod growth;
mod needs;
mod precision;
pub mod readings;
pub mod replicate;
pub mod size;
mod sizing;
mod verdict;
mod wait;
mod warmup;
mod words;

pub use conduct::{Experiment, conduct};
pub use needs::Needs;
pub use precision::LEVEL;
pub use verdict::{ENOUGH, judge};
