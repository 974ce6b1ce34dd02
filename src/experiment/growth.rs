//! Whether a queue grows for ever, so that its waits have no long run that a longer run could show:
//! by its load, with what is done again, or by what runs of it show.
//!
//! Not how long a run must be: that is asked only where there is a steady state.

use super::readings::redone;
use crate::model::{Model, Origin, Queue, QueueId};
use crate::outcome::Measures;

/// So many messages wait at the end, at least, of a queue that is seen to grow.
const MANY: f64 = 100.0;
/// What grows evenly has twice its mean at the end; what only swings has not, as a rule.
const GROWN: f64 = 1.8;

/// Why the queue has no steady state, if it has none.
pub(super) fn grows(model: &Model, id: QueueId, measures: &Measures) -> Option<String> {
    let queue = &model.queues[id];
    if !model.is_steady() || !is_unbounded(queue) {
        return None;
    }
    let name = &queue.name;
    if let Some(load) = load(model, id).filter(|load| *load >= 1.0) {
        return Some(format!(
            "{name} has no steady state: with what is done again its consumers are asked for \
             {load:.2} times what they can do, so it grows for as long as the run lasts, and no \
             length of run makes its waits precise"
        ));
    }
    let value = |part: &str| measures.value(&format!("{name}.depth.{part}"));
    let (mean, max, end) = (value("mean")?, value("max")?, value("end")?);
    let accepted = measures.value(&format!("{name}.accepted"))?;
    let grown = end >= MANY && end >= GROWN * mean && end >= 0.9 * max && end >= 0.05 * accepted;
    grown.then(|| {
        format!(
            "{name} grew to the end of the run and has shown no steady state: {end:.0} messages \
             waited then, {:.0} % of all that it took; a longer run shows whether it ever levels \
             off",
            100.0 * end / accepted
        )
    })
}

/// Whether what comes stays.
fn is_unbounded(queue: &Queue) -> bool {
    let leaves = queue.retention.is_some() || queue.ttl.is_some();
    queue.capacity == u64::MAX && queue.memory.is_none() && !leaves
}

/// What is asked of the consumers over what they can do, what is done again included; `None` where
/// that is not known, or changes.
fn load(model: &Model, id: QueueId) -> Option<f64> {
    let mut feeders = model.producers.iter().filter(|it| it.queues.contains(&id));
    let rate = feeders.try_fold(0.0, |sum, producer| match &producer.origin {
        Origin::Arrivals {
            arrivals,
            count: None,
            until: None,
            ..
        } => Some(sum + arrivals.mean_rate()?),
        Origin::Arrivals { .. } | Origin::Fleet(_) => None,
    })?;
    let mut fleets = model.fleets.pairs().filter(|(_, fleet)| fleet.queue == id);
    let able = fleets.try_fold(0.0, |sum, (id, fleet)| {
        let handling = &fleet.handling;
        let plain = fleet.scaling.is_none() && handling.limit.is_none() && handling.batch.is_none();
        let again = redone(model, id);
        let (work, up) = again.map_or((fleet.service.mean(), 1.0), |it| (it.busy, it.up));
        let handlers = f64::from(fleet.most_handlers());
        plain.then_some(sum + handlers * up / work)
    })?;
    // Nobody who takes: a store, and not a queue that cannot keep up.
    (able > 0.0 || rate == 0.0).then_some(rate / able)
}
