//! All integration tests, in one binary.

mod diagnostics;
mod fluid;
mod formula;
mod formula_fluid;
mod laws;
mod readings;
mod readings_differ;
mod retry;
mod robustness;
mod sample;
mod worked_example;
mod world;
