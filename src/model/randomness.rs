//! Whether chance has a part in a model, and whether the model has a steady state that one long
//! run can show.
//!
//! Not which streams are drawn from: components name those.

use super::{
    Caller, Dependency, Fleet, Handling, Model, Origin, Outage, Producer, Queue, Stamp, Stop,
    Trouble, Windows,
};
use crate::policy::admission::Admission;
use crate::policy::order::Order;
use crate::policy::publish::PublishPolicy;
use crate::units::{Ratio, SimTime};

impl Model {
    /// Whether another seed could give another answer.
    pub fn is_random(&self) -> bool {
        self.producers.iter().any(Producer::is_random)
            || self.queues.iter().any(Queue::is_random)
            || self.outages.iter().any(Outage::is_random)
            || self.fleets.iter().any(Fleet::is_random)
            || self.dependencies.iter().any(Dependency::is_random)
            || self.callers.iter().any(Caller::is_random)
            || self.troubles.iter().any(Trouble::is_random)
    }

    /// Whether the run is one long stretch of the same: no disturbance is scheduled, only such as
    /// come at random for ever, and the run does not stop when it has recovered from one.
    pub fn is_steady(&self) -> bool {
        let undisturbed = self.calm_from().is_none_or(|calm| calm == SimTime::MAX);
        undisturbed && self.plan.stop != Stop::Drained
    }
}

impl Producer {
    fn is_random(&self) -> bool {
        let arrives = match &self.origin {
            Origin::Arrivals { arrivals, .. } => arrivals.is_random(),
            Origin::Fleet(_) => false,
        };
        let retries = match &self.on_full {
            PublishPolicy::Retry(_) => true,
            PublishPolicy::Reject | PublishPolicy::Block(_) => false,
        };
        arrives || retries || self.priority.law().variance() > 0.0 || self.stamp.is_random()
    }
}

impl Stamp {
    fn is_random(&self) -> bool {
        self.keys.as_ref().is_some_and(|keys| keys.count() > 1)
            || is_chance(self.poison.share)
            || self.confirm_loss.is_some_and(|loss| is_chance(loss.share))
    }
}

impl Fleet {
    fn is_random(&self) -> bool {
        self.service.as_constant().is_none() || self.handling.is_random()
    }
}

impl Handling {
    /// A new draw (`rework = "resample"`) is one of the service time, whose own chance is known.
    fn is_random(&self) -> bool {
        let fails = [self.ack_loss, self.fails.transient, self.fails.permanent];
        let crashes = self.crash.as_ref().and_then(|crash| crash.mtbf.as_ref());
        let takes = self.fails.takes.as_ref();
        fails.into_iter().any(is_chance)
            || crashes.is_some_and(|mtbf| mtbf.as_constant().is_none())
            || takes.is_some_and(|takes| takes.as_constant().is_none())
            || self.retry.is_some_and(|retry| retry.policy.is_spread())
    }
}

/// Whether a share leaves something to chance: neither none nor all.
fn is_chance(share: Ratio) -> bool {
    share != Ratio::ZERO && share != Ratio::ONE
}

impl Queue {
    fn is_random(&self) -> bool {
        self.order == Order::Random || self.admission == Admission::Random
    }
}

impl Outage {
    fn is_random(&self) -> bool {
        self.windows.is_random()
    }
}

impl Trouble {
    fn is_random(&self) -> bool {
        self.windows.is_random()
    }
}

impl Windows {
    fn is_random(&self) -> bool {
        match self {
            Self::Fixed(_) => false,
            Self::Random { up, down } => up.as_constant().is_none() || down.as_constant().is_none(),
        }
    }
}

impl Dependency {
    /// Failures by overload are a chance as well.
    fn is_random(&self) -> bool {
        let overload = self.overload.is_some_and(|it| it.failures != Ratio::ZERO);
        let takes = self.fails_take.as_ref();
        self.service.as_constant().is_none()
            || is_chance(self.fails)
            || overload
            || takes.is_some_and(|takes| takes.as_constant().is_none())
    }
}

impl Caller {
    fn is_random(&self) -> bool {
        self.retry.is_some_and(|policy| policy.is_spread())
    }
}
