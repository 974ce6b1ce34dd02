//! How many messages a queue in steady state needs before its mean wait is known: by theory, which
//! sees a short run near saturation for what it is, where the run itself does not.
//!
//! Exact (to the leading order) for M/M/1 and M/M/c. For other laws the same times
//! (ca² + cs²)/2, as in heavy traffic (Whitt 1989, cited from memory): an approximation, and
//! called one. Not for several fleets of one queue, bounds, outages, or changes.

use crate::model::{Fleet, Model, Origin, Producer, QueueId};
use crate::policy::arrival::Interarrival;
use crate::random::law::Law;
use crate::theory::run_length::{Mm1, MmcWaiting, for_1pct_95};

/// What theory says that a queue needs.
#[derive(Clone, Debug, PartialEq)]
pub struct Needs {
    /// Messages after which the 95 % interval of the mean wait has a half-width of 1 %.
    pub for_1pct: f64,
    /// Offered load over the number of handlers.
    pub load: f64,
    /// The form and the load, and that it is approximate where it is.
    pub source: String,
}

impl Needs {
    /// Messages after which the half-width is this share of the mean wait.
    pub fn messages(&self, share: f64) -> f64 {
        self.for_1pct * (0.01 / share).powi(2)
    }

    /// What theory says of a queue; `None` where it says nothing.
    pub fn of(model: &Model, queue: QueueId) -> Option<Self> {
        let fleet = only_reader(model, queue)?;
        let (rate, ca2, poisson) = arrivals(model, queue)?;
        let law = fleet.service.law();
        let (mean, cs2) = (law.mean(), law.scv());
        let servers = fleet.count.checked_mul(fleet.concurrency)?;
        let exact = poisson && matches!(law, Law::Exponential(_));
        let variability = f64::midpoint(ca2, cs2);
        if !(variability > 0.0 && variability.is_finite()) {
            return None;
        }
        let for_1pct = if servers == 1 {
            let form = Mm1::new(rate, 1.0 / mean).ok()?;
            for_1pct_95(form.variance_of_wait(), form.mean_wait())
        } else {
            MmcWaiting::new(rate, 1.0 / mean, servers)
                .ok()?
                .time_for_1pct_95()
                * rate
        };
        let load = rate * mean / f64::from(servers);
        // Near saturation the distance from it matters.
        let station = format!("M/M/{servers} at {} % load", (load * 1e4).round() / 1e2);
        let source = if exact {
            station
        } else {
            format!("{station}, times (ca² + cs²)/2 = {variability:.2}, an approximation")
        };
        let for_1pct = for_1pct * if exact { 1.0 } else { variability };
        Some(Self {
            for_1pct,
            load,
            source,
        })
        .filter(|needs| needs.for_1pct.is_finite())
    }
}

/// The only fleet of an unbounded queue, when it never changes.
fn only_reader(model: &Model, id: QueueId) -> Option<&Fleet> {
    let queue = &model.queues[id];
    let plain = queue.capacity == u64::MAX
        && queue.memory.is_none()
        && queue.retention.is_none()
        && queue.ttl.is_none();
    let mut readers = model.fleets.pairs().filter(|(_, fleet)| fleet.queue == id);
    let (reader, fleet) = readers.next().filter(|_| plain)?;
    let out = model.outages.iter().any(|outage| outage.fleet == reader);
    (readers.next().is_none() && !out && fleet.staffing.is_empty()).then_some(fleet)
}

/// The rate of the arrivals at a queue, the squared coefficient of variation of their gaps, and
/// whether they are Poisson.
fn arrivals(model: &Model, queue: QueueId) -> Option<(f64, f64, bool)> {
    let mut feeders = model
        .producers
        .iter()
        .filter(|it| it.queues.contains(&queue));
    let first = stream(feeders.next()?)?;
    feeders.try_fold(first, |(rate, scv, poisson), next| {
        let (more, _, too) = stream(next)?;
        // Only Poisson processes add up to one.
        (poisson && too).then_some((rate + more, scv, true))
    })
}

fn stream(producer: &Producer) -> Option<(f64, f64, bool)> {
    let Origin::Arrivals { arrivals, .. } = &producer.origin else {
        return None;
    };
    Some(match arrivals.interarrival()? {
        Interarrival::Poisson { rate } => (rate, 1.0, true),
        Interarrival::Constant { rate } => (rate, 0.0, false),
        Interarrival::Renewal(law) => (1.0 / law.mean(), law.scv(), false),
        // E X²/E X is the variance of the counts over their mean in the long run.
        Interarrival::PoissonBatches {
            rate,
            mean_size,
            mean_square,
        } => (rate * mean_size, mean_square / mean_size, false),
    })
}
