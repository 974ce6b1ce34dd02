//! Whether chance has a part in a model, and whether the model has a steady state that one long
//! run can show.
//!
//! Not which streams are drawn from: components name those.

use super::{Model, Origin, Outage, Producer, Queue, Stop, Windows};
use crate::policy::admission::Admission;
use crate::policy::order::Order;
use crate::policy::publish::PublishPolicy;
use crate::units::SimTime;

impl Model {
    /// Whether another seed could give another answer.
    pub fn is_random(&self) -> bool {
        self.producers.iter().any(Producer::is_random)
            || self.queues.iter().any(Queue::is_random)
            || self.outages.iter().any(Outage::is_random)
            || self
                .fleets
                .iter()
                .any(|fleet| fleet.service.as_constant().is_none())
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
        arrives || retries || self.priority.law().variance() > 0.0
    }
}

impl Queue {
    fn is_random(&self) -> bool {
        self.order == Order::Random || self.admission == Admission::Random
    }
}

impl Outage {
    fn is_random(&self) -> bool {
        match &self.windows {
            Windows::Fixed(_) => false,
            Windows::Random { up, down } => {
                up.as_constant().is_none() || down.as_constant().is_none()
            }
        }
    }
}
