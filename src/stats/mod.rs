//! Statistics of what is observed. No randomness and no model here.

pub mod warmup;
