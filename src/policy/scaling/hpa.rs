//! The Kubernetes horizontal pod autoscaler on an external metric with a target for each pod.
//!
//! Not how its recommendations become changes: that is its [behaviour](super::Behaviour).
//!
//! `ratio = metric / (target * current)`; within the tolerance of 1 nothing is recommended,
//! otherwise `ceil(metric / target)` (Kubernetes documentation, "Horizontal Pod Autoscaling",
//! algorithm details; `AverageValue` of an external metric).

use super::Sight;
use super::behaviour::{Behaviour, History};
use crate::units::{Ratio, SimDuration};

/// The autoscaler's settings.
#[derive(Clone, Debug, PartialEq)]
pub struct Hpa {
    /// How much of what it watches each consumer should have.
    pub target: f64,
    /// How often it looks.
    pub sync: SimDuration,
    /// How far off the target it does nothing.
    pub tolerance: Ratio,
    /// How fast it follows.
    pub behaviour: Behaviour,
}

impl Hpa {
    pub(super) fn wanted(&self, sight: Sight, history: &mut History, min: u32, max: u32) -> u32 {
        // At none it is switched off.
        if sight.wanted == 0 && min == 0 {
            return 0;
        }
        let recommended = self.recommended(sight).clamp(min.max(1), max);
        self.behaviour.follow(sight, recommended, history)
    }

    /// What it recommends before any bound.
    fn recommended(&self, sight: Sight) -> u32 {
        let current = sight.wanted.max(1);
        let metric = sight.backlog as f64;
        let ratio = metric / (self.target * f64::from(current));
        if (ratio - 1.0).abs() <= self.tolerance.get() {
            return current;
        }
        (metric / self.target).ceil().min(f64::from(u32::MAX)) as u32
    }
}
