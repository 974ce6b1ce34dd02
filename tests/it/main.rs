//! All integration tests, in one binary.

mod diagnostics;
mod fluid;
mod formula;
mod formula_fluid;
mod laws;
mod precision;
mod retry;
mod robustness;
mod sample;
mod theory;
mod worked_example;
mod world;
