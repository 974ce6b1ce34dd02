//! All integration tests, in one binary.

mod laws;
mod retry;
mod sample;
