//! The manual: what the words mean, what a scenario can say, what exactly happens, how sure the
//! numbers are, and why things are as they are.
//!
//! Not the reference of the library, which is the documentation of the other modules; and no code:
//! these pages are text, held to the program by tests.
//!
//! # The guided path
//!
//! Each page begins with a question, and its commands can be typed in an empty folder beside a copy
//! of `scenarios/`: they are run by tests, and answer as is shown.
//!
//! 1. [`first_minutes`]: five minutes, from nothing to an answer.
//! 2. [`sizing`]: how many consumers are enough, on a calm day and after an outage.
//! 3. [`outage`]: what is lost, who waits, and when it is over.
//! 4. [`publish_policy`]: refuse, block, drop, shed, or buffer.
//! 5. [`reading_a_report`]: which number to believe, and what each word means.
//! 6. [`delivery_settings`]: visibility, receives, dead letters, idempotency, broker by broker.
//! 7. [`pipeline`]: capacity tests that fail a build.
//! 8. [`tracing`]: from a number in a report to its formula and source.
//!
//! # The pages
//!
//! What to look things up in, in this order or where it itches:
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
pub mod delivery_settings;
pub mod dependencies;
pub mod determinism;
pub mod first_minutes;
pub mod outage;
pub mod performance;
pub mod pipeline;
pub mod planning;
pub mod publish_policy;
pub mod reading_a_report;
pub mod reports;
pub mod scenario_format;
pub mod semantics;
pub mod sizing;
pub mod statistics;
pub mod sweeps;
pub mod theory;
pub mod tracing;
pub mod vocabulary;
