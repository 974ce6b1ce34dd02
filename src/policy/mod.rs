//! Policies: pure deciders. They see their arguments, keep their own small state, draw from the
//! stream handed to them, and decide.
//!
//! Not components: a policy changes nothing but itself, and knows neither clock nor queue.

pub mod arrival;
pub mod retry;
