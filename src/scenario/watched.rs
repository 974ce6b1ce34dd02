//! Which queues are asked for the age of their unacknowledged deliveries: a plain queue keeps it
//! only then.
//!
//! Not whether a metric exists: [`super::metrics`] knows that.

use super::condition::Condition;
use crate::model::{Model, QueueId, Replications, Signal, Watch};

/// Marks the queues whose `unacked_age` an alert, an expectation, an objective, or a wish for
/// precision names.
pub(super) fn mark(model: &mut Model, expectations: &[Condition], objectives: &[Condition]) {
    let conditions = expectations.iter().chain(objectives);
    let asked = conditions.map(|condition| condition.metric.as_str());
    let precise: &[String] = match &model.plan.replications {
        Replications::Fixed(_) => &[],
        Replications::Until(precision) => &precision.of,
    };
    let asked: Vec<&str> = asked.chain(precise.iter().map(String::as_str)).collect();
    let is_asked = |id: QueueId| {
        let family = format!("{}.unacked_age.", model.queues[id].name);
        let watches = |signal| signal == Signal::UnackedAge(id);
        model.alerts.iter().any(|alert| watches(alert.signal))
            || asked.iter().any(|metric| metric.starts_with(&family))
    };
    let marked: Vec<_> = model.queues.ids().filter(|id| is_asked(*id)).collect();
    for id in marked {
        model.queues[id].delivery.watch_unacked = Watch::Yes;
    }
}
