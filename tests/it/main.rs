//! All integration tests, in one binary.

mod diagnostics;
mod robustness;
