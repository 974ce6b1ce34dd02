//! The three readings of one model, side by side: closed form, fluid, simulation, and whether they
//! agree (rule H3).
//!
//! Not how each is computed.

use super::catalogue::Unit;
use crate::stats::confidence::Interval;

/// How a number is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// A closed form, exact within its assumptions.
    Exact,
    /// A closed form that approximates.
    Approximate,
    /// The arithmetic of rates, without chance and without whole messages.
    Fluid,
    /// A simulation, with an interval where there is one.
    Simulated,
}

impl How {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Approximate => "approximate",
            Self::Fluid => "fluid",
            Self::Simulated => "simulated",
        }
    }
}

/// A number, and how it is known.
#[derive(Clone, Debug, PartialEq)]
pub struct Known {
    /// The number; `None` stands for "never".
    pub value: Option<f64>,
    /// How it is known.
    pub how: How,
    /// Which form, approximation, or run: "M/M/60", "fluid, reject".
    pub source: String,
    /// Its interval, where there is one.
    pub interval: Option<Interval>,
}

/// Whether the readings of one quantity agree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Every reading lies where the simulation says.
    Agree,
    /// They do not, and this is the assumption that fails.
    Differ {
        /// The assumption, in a sentence.
        because: String,
    },
    /// There is only one reading.
    Alone,
}

/// One quantity, read up to three times.
#[derive(Clone, Debug, PartialEq)]
pub struct Reading {
    /// The metric's full name: `queues.orders.wait.mean`.
    pub metric: String,
    /// Its unit.
    pub unit: Unit,
    /// The closed form.
    pub theory: Option<Known>,
    /// The fluid arithmetic.
    pub fluid: Option<Known>,
    /// The simulation; absent where none was run.
    pub simulation: Option<Known>,
    /// Whether they agree.
    pub verdict: Verdict,
}

/// All quantities that are read more than once, and why others are not.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Readings {
    /// The quantities.
    pub rows: Vec<Reading>,
    /// Why there is no closed form, component by component: "queues.orders: an outage …".
    pub no_form: Vec<String>,
    /// Why there is no fluid reading.
    pub no_flow: Vec<String>,
    /// What else a reader must know: "too short to say anything about p99.9".
    pub notes: Vec<String>,
}
