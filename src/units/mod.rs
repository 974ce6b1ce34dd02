//! What a number means: time, rates, ratios, sizes, counts, and the one grammar that reads them.
//!
//! Not here: random laws (they are in [`crate::random`]) and where a number stood in a file
//! (that is [`crate::input`]).

mod decimal;
mod rate;
mod ratio;
mod size;
mod time;

pub use decimal::{Decimal, QuantityError};
pub use rate::Rate;
pub use ratio::{Ratio, read_count};
pub use size::Bytes;
pub use time::{NANOS_PER_SECOND, SimDuration, SimTime};
