//! Randomness with names: streams that no other component can disturb, and the laws drawn from
//! them.
//!
//! Not here: arrival processes, which decide when something happens ([`crate::policy::arrival`]).

pub mod law;
mod stream;

pub use law::{CountLaw, DurationLaw, Law, SizeLaw};
pub use stream::{Purpose, Seed, Stream, StreamKey};
