//! KEDA: an operator that polls its trigger and switches a fleet on from none, and off again after
//! a cooldown, while an [Hpa](super::Hpa) does the rest.
//!
//! Not a scaler of its own: between one and the most it is the autoscaler.

use super::behaviour::History;
use super::{Hpa, Sight};
use crate::units::{SimDuration, SimTime};

/// KEDA's settings.
#[derive(Clone, Debug, PartialEq)]
pub struct Keda {
    /// The autoscaler that it feeds.
    pub hpa: Hpa,
    /// How often it polls the trigger.
    pub poll: SimDuration,
    /// How long after the trigger was last active it goes down to none.
    pub cooldown: SimDuration,
    /// The trigger is active above so much.
    pub activation: u64,
}

/// What it remembers.
#[derive(Clone, Debug, Default)]
pub(super) struct State {
    history: History,
    last_active: SimTime,
}

impl Keda {
    /// How often it looks: whenever the poll or the autoscaler does.
    pub fn look(&self) -> SimDuration {
        let (poll, sync) = (self.poll.as_nanos(), self.hpa.sync.as_nanos());
        SimDuration::from_nanos(gcd(poll, sync).max(1))
    }

    pub(super) fn wanted(&self, sight: Sight, state: &mut State, min: u32, max: u32) -> u32 {
        let mut wanted = sight.wanted;
        if is_due(sight.now, self.poll) {
            let active = sight.backlog > self.activation;
            if active {
                state.last_active = sight.now;
            }
            let idle = sight.now.since(state.last_active);
            if active && wanted == 0 {
                return min.max(1);
            }
            if !active && min == 0 && wanted > 0 && idle >= self.cooldown {
                return 0;
            }
        }
        if is_due(sight.now, self.hpa.sync) && wanted > 0 {
            wanted = self.hpa.wanted(sight, &mut state.history, min.max(1), max);
        }
        wanted
    }
}

/// Whether something is due that is done every so often from the start of the run.
fn is_due(now: SimTime, every: SimDuration) -> bool {
    now.as_nanos().is_multiple_of(every.as_nanos().max(1))
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}
