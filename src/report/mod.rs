//! Reports.

#[cfg(test)]
mod fixture;
mod names;
mod number;
mod timeline;

pub use timeline::timeline;
