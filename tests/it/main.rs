//! All integration tests, in one binary.

mod diagnostics;
mod fluid;
mod formula;
mod formula_fluid;
mod gallery;
mod laws;
mod manual;
mod retry;
mod robustness;
mod sample;
mod worked_example;
mod world;
