//! All integration tests, in one binary.

mod formula;
mod worked_example;
mod world;
