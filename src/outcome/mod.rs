//! One shape of answer: what a run measured, by name, and how it is known.
//!
//! Not how it was measured: recorders in the simulation fill these records, and reports read them.

mod calls;
mod catalogue;
mod condition;
mod measures;
mod moment;
mod readings;
mod record;
mod series;

pub use calls::{
    CallerFlows, CallerLedger, CallerRecord, DependencyRecord, StationFlows, StationLedger,
};
pub use catalogue::{Catalogue, Definition, MetricInfo, Unit, definitions};
pub use condition::{Condition, Test};
pub use measures::Measures;
pub use moment::{Kind, Moment, Often, Repeated, Subject};
pub use readings::{How, Known, Reading, Readings, Verdict};
pub use record::{
    Ended, FleetRecord, Flows, Ledger, Level, PublisherRecord, QueueRecord, RunRecord, Times, Why,
};
pub use series::{CallSample, Sample, Series};
