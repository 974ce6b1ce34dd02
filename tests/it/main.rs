//! All integration tests, in one binary.

mod cases_retry;
mod cli;
mod conservation;
mod delivery;
mod diagnostics;
mod diagnostics_of_delivery;
mod fluid;
mod formula;
mod formula_fluid;
mod gallery;
mod laws;
mod manual;
mod metamorphic;
mod precision;
mod readings;
mod readings_differ;
mod readme;
mod regression;
mod retry;
mod robustness;
mod rules;
mod sample;
mod theory;
mod tidy;
mod worked_example;
mod world;
