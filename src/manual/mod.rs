//! The manual: what the words mean, what a scenario can say, what exactly happens, how sure the
//! numbers are, and why things are as they are.
//!
//! Not the reference of the library, which is the documentation of the other modules; and no code:
//! these pages are text, held to the program by tests.
//!
//! Read in this order, or where it itches:
//!
//! 1. [`vocabulary`]: the words.
//! 2. [`scenario_format`]: how a scenario is written, key by key, metric by metric.
//! 3. [`semantics`]: what exactly happens, as numbered rules, each with the test that holds it.
//! 4. [`brokers`]: what brokers do to a message, each mechanism with a scenario.
//! 5. [`statistics`]: how sure a number is.
//! 6. [`sweeps`]: many points of a scenario, on one machine or on many.
//! 7. [`determinism`]: what is promised, and what was tested.
//! 8. [`theory`]: which closed forms there are, where they hold, and who found them.
//! 9. [`performance`]: how the loop is built, and how it is measured.
//! 10. [`decisions`]: why this and not that.

pub mod brokers;
pub mod decisions;
pub mod determinism;
pub mod performance;
pub mod scenario_format;
pub mod semantics;
pub mod statistics;
pub mod sweeps;
pub mod theory;
pub mod vocabulary;
