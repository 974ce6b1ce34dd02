//! All integration tests, in one binary.

mod cli;
mod diagnostics;
mod fluid;
mod formula;
mod formula_fluid;
mod gallery;
mod laws;
mod manual;
mod readings;
mod readings_differ;
mod readme;
mod retry;
mod robustness;
mod sample;
mod worked_example;
mod world;
