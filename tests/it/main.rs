//! All integration tests, in one binary.

mod fluid;
mod formula;
mod formula_fluid;
