//! So much backlog for each consumer: as many consumers as keep it, with a cooldown after each
//! change (EC2 Auto Scaling on a custom metric "backlog per instance").
//!
//! Not a controller of utilization: what arrives while it waits it does not see.

use super::Sight;
use crate::units::{SimDuration, SimTime};

/// The settings of a target on the backlog of each consumer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TargetTracking {
    /// How much of what it watches each consumer should have: acceptable latency over time per
    /// message.
    pub target: f64,
    /// How often the metric is looked at.
    pub every: SimDuration,
    /// How long after growing it does not grow again.
    pub cooldown_out: SimDuration,
    /// How long after any change it does not shrink.
    pub cooldown_in: SimDuration,
}

/// When it grew and shrank last.
#[derive(Clone, Debug, Default)]
pub(super) struct State {
    grew: Option<SimTime>,
    changed: Option<SimTime>,
}

impl TargetTracking {
    pub(super) fn wanted(&self, sight: Sight, state: &mut State) -> u32 {
        let wanted = (sight.backlog as f64 / self.target)
            .ceil()
            .min(f64::from(u32::MAX)) as u32;
        let rests = |since: Option<SimTime>, cooldown| {
            since.is_some_and(|since| sight.now.since(since) < cooldown)
        };
        if wanted > sight.wanted && !rests(state.grew, self.cooldown_out) {
            state.grew = Some(sight.now);
            state.changed = Some(sight.now);
            return wanted;
        }
        if wanted < sight.wanted && !rests(state.changed, self.cooldown_in) {
            state.changed = Some(sight.now);
            return wanted;
        }
        sight.wanted
    }
}
