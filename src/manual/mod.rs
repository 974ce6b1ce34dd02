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
//! 5. [`dependencies`]: who is called, how callers defend themselves, and when a failure outlasts
//!    its cause.
//! 6. [`reports`]: how a report is read, in a browser and in a terminal.
//! 7. [`statistics`]: how sure a number is.
//! 8. [`planning`]: from one run to a decision: what a comparison and a plan are worth.
//! 9. [`sweeps`]: many points of a scenario, on one machine or on many.
//! 10. [`determinism`]: what is promised, and what was tested.
//! 11. [`theory`]: which closed forms there are, where they hold, and who found them.
//! 12. [`performance`]: how the loop is built, and how it is measured.
//! 13. [`decisions`]: why this and not that.

pub mod brokers;
pub mod decisions;
pub mod dependencies;
pub mod determinism;
pub mod performance;
pub mod planning;
pub mod reports;
pub mod scenario_format;
pub mod semantics;
pub mod statistics;
pub mod sweeps;
pub mod theory;
pub mod vocabulary;
