//! Closed forms: what queueing theory says exactly, approximately, or not at all.
//!
//! Plain numbers in, plain numbers out: rates per second, times in seconds, all `f64`. Nothing is
//! known here of scenarios, of messages or of the simulator; that the two agree is a test.

pub mod backoff;
pub mod batch;
pub mod breakdown;
pub mod comebacks;
pub mod ddc;
pub mod decorrelated;
pub mod domain;
pub mod erlang_a;
pub mod erlang_b;
pub mod ggc_approx;
pub mod gim;
pub mod little;
pub mod mdc;
pub mod meanfield;
pub mod mg1;
pub mod mmc;
pub mod mmck;
pub mod mphc;
pub mod normal;
pub mod priority;
pub mod repetition;
pub mod retry_load;
pub mod run_length;
pub mod staffing;
pub mod station;
pub mod transform;
pub mod visibility;

mod laplace;
mod masses;
mod matrix;
mod numeric;
mod quadrature;
mod root;
mod uniform_sum;
