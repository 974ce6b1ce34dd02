//! When a model is disturbed: the first instant at which something scheduled goes wrong or changes,
//! and the last.
//!
//! Not what does: each disturbance has its own type.

use super::{Model, Origin, Windows};
use crate::policy::arrival::Arrivals;
use crate::units::SimTime;

impl Model {
    /// The instant at which the last scheduled disturbance has ended: the last outage (of a
    /// fleet, or of a dependency), the last burst or change of an arrival schedule, the last
    /// change of a fleet's size, the last restart from a crash at a stated instant, the start of a
    /// redrive, the repair of a handler. `None` when nothing disturbs; `SimTime::MAX` when outages
    /// come at random for ever. Crashes of single consumers at random are no disturbance: they
    /// belong to every day.
    pub fn calm_from(&self) -> Option<SimTime> {
        let outages = self.outages.iter().map(|outage| &outage.windows);
        let troubles = self.troubles.iter().map(|trouble| &trouble.windows);
        let windows = outages.chain(troubles).map(Windows::last_end);
        let arrivals = self.changes_of(Arrivals::last_change);
        let fleets = self
            .fleets
            .iter()
            .filter_map(|fleet| fleet.staffing.last().map(|s| s.from));
        let handlings = self
            .fleets
            .iter()
            .filter_map(|fleet| fleet.handling.calm_from());
        let redrives = self.redrives();
        let all = windows.chain(arrivals).chain(fleets).chain(handlings);
        all.chain(redrives).max()
    }

    /// The instant at which the first scheduled disturbance begins, of those that [`calm_from`]
    /// looks at. `None` when nothing disturbs; zero when outages come at random.
    ///
    /// [`calm_from`]: Self::calm_from
    pub fn disturbed_from(&self) -> Option<SimTime> {
        let outages = self.outages.iter().map(|outage| &outage.windows);
        let troubles = self.troubles.iter().map(|trouble| &trouble.windows);
        let windows = outages.chain(troubles).map(Windows::first_start);
        let arrivals = self.changes_of(Arrivals::first_change);
        let fleets = self
            .fleets
            .iter()
            .filter_map(|fleet| fleet.staffing.first().map(|s| s.from));
        let handlings = self
            .fleets
            .iter()
            .filter_map(|fleet| fleet.handling.disturbed_from());
        let redrives = self.redrives();
        let all = windows.chain(arrivals).chain(fleets).chain(handlings);
        all.chain(redrives).min()
    }

    /// What the arrivals of each producer that has some say of when they change.
    fn changes_of(
        &self,
        says: impl Fn(&Arrivals) -> Option<SimTime>,
    ) -> impl Iterator<Item = SimTime> {
        let origins = self.producers.iter().map(|producer| &producer.origin);
        origins.filter_map(move |origin| match origin {
            Origin::Arrivals {
                start, arrivals, ..
            } => says(arrivals).map(|at| start.saturating_add(at.since(SimTime::ZERO))),
            Origin::Fleet(_) => None,
        })
    }

    fn redrives(&self) -> impl Iterator<Item = SimTime> {
        let queues = self.queues.iter();
        queues.filter_map(|queue| queue.delivery.redrive.map(|redrive| redrive.at))
    }
}
