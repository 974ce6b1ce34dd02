//! All integration tests, in one binary.

mod fluid;
mod formula;
mod formula_fluid;
mod laws;
mod sample;
mod worked_example;
mod world;
