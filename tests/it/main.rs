//! All integration tests, in one binary.
mod formula_general;

mod formula;
