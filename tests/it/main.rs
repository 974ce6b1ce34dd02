//! All integration tests, in one binary.

mod diagnostics;
mod laws;
mod retry;
mod robustness;
mod sample;
