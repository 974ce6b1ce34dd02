//! queuecast: a deterministic discrete-event simulator and capacity planner for message queues.
//!
//! Not a broker, not a load generator, and not a model of any one product: queues, publishers and
//! consumers with the rules that decide what happens on a bad day.
//!
//! # A tour
//!
//! The questions are those of somebody who is about to hand work to a queue. How many consumers?
//! What happens when they are away for 90 seconds? Fail fast, or let publishers block? How long
//! until we have caught up, and how much is lost? A scenario is a TOML text, and can be read in
//! three ways.
//!
//! *Simulated:* every message, to the nanosecond.
//!
//! ```
//! use queuecast::experiment::replicate::replicate;
//! use queuecast::outcome::{Catalogue, Measures};
//! use queuecast::scenario::Scenario;
//! use queuecast::sim::Detail;
//!
//! let text = r#"
//!     [producers.checkout]
//!     queue    = "orders"
//!     arrivals = { constant = { rate = "1200/s" } }
//!
//!     [queues.orders]
//!     capacity = 100_000
//!
//!     [consumers.fleet]
//!     queue   = "orders"
//!     count   = 60
//!     service = "40ms"
//!
//!     [[outages]]
//!     target   = "consumers.fleet"
//!     start    = "0s"
//!     duration = "90s"
//! "#;
//! let scenario = Scenario::from_text("outage.toml", text, &[], "".as_ref())?;
//! let runs = replicate(&scenario.model, 1, Detail::Measures, &|_| {});
//! let measures = Measures::of(Catalogue::of(&scenario.model), &runs);
//! assert_eq!(measures.value("queues.orders.rejected"), Some(8_000.0));
//! assert_eq!(measures.value("queues.orders.drained_at"), Some(423.16));
//! # Ok::<(), queuecast::scenario::Failure>(())
//! ```
//!
//! *As a fluid:* the arithmetic of rates, exact and without chance.
//!
//! ```
//! use queuecast::fluid::Bound;
//! use queuecast::fluid::outage::Outage;
//!
//! let outage = Outage::new(1_200.0, 0.04, 60, 90.0, Bound::Messages(100_000.0))?;
//! assert_eq!(outage.rejected(), 8_000.0);
//! // 90 s + 100,000 / (1,500/s - 1,200/s); the simulated fleet works in steps of 40 ms.
//! assert!((outage.empties_at().unwrap() - 423.333).abs() < 0.001);
//! # Ok::<(), queuecast::fluid::NoFlow>(())
//! ```
//!
//! *In closed form:* what theory knows of calm weather.
//!
//! ```
//! use queuecast::theory::mmc::Mmc;
//!
//! let calm = Mmc::new(1_200.0, 25.0, 60)?;
//! assert_eq!(calm.offered_load(), 48.0);
//! // One message in sixteen waits.
//! assert!((calm.p_wait() - 0.0634).abs() < 0.0001);
//! # Ok::<(), queuecast::theory::domain::DomainError>(())
//! ```
//!
//! Where they agree, believe them; where they differ, one of their assumptions fails, and that is
//! worth more than any of the numbers. The [`manual`] says what exactly is simulated, and why; the
//! folders `scenarios/` and `examples/` show it.
//!
//! # The floors
//!
//! A module uses the floors below it, and never one above.
//!
//! | floor | modules | what |
//! |---|---|---|
//! | 7 | [`cli`] | the door: commands, options, exit codes |
//! | 6 | [`report`] | pages: text, JSON, CSV, pictures, HTML |
//! | 5 | [`experiment`], [`scenario`], [`formula`] | questions, and how they are asked |
//! | 4 | [`outcome`], [`theory`], [`fluid`], [`sim`] | three readings, one shape of answer |
//! | 3 | [`model`] | the compiled world: ids, no names |
//! | 2 | [`policy`] | pure deciders: arrivals, admission, order, retry |
//! | 1 | [`input`], [`random`], [`stats`] | texts with places; draws; tallies and intervals |
//! | 0 | [`units`] | what a number means |
//!
//! Policy decides, component acts, calendar orders, recorder observes. `theory` never sees `sim`:
//! if they agree, they agree independently. `sim` never sees `scenario`: there are no names and no
//! text in the loop.

pub mod cli;
mod exact;
pub mod experiment;
pub mod fluid;
pub mod formula;
pub mod input;
pub mod manual;
pub mod model;
pub mod outcome;
pub mod policy;
pub mod random;
pub mod report;
pub mod scenario;
pub mod sim;
pub mod stats;
pub mod theory;
pub mod units;
