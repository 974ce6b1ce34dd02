//! Temporary.
#[path = "it/dependencies/mod.rs"]
mod dependencies;
