//! What is written down at the end of a run of dependencies, and of those who call them.
//!
//! Not of messages ([`super::run`]).

use super::recorder::{CallStatistics, Others, Recorder, Timeline, times};
use super::run::Book;
use crate::model::{CallerId, DependencyId, Table};
use crate::outcome::{CallerRecord, DependencyRecord, Level, Subject};
use crate::stats::Gauge;

/// Tells of what was back for good.
pub(super) fn tell_recoveries(
    timeline: &mut Timeline,
    dependencies: &Table<DependencyId, DependencyRecord>,
    callers: &Table<CallerId, CallerRecord>,
) {
    for (id, record) in dependencies.pairs() {
        if let Some(at) = record.recovered_at {
            timeline.recovered(at, Subject::Dependency(id));
        }
    }
    for (id, record) in callers.pairs() {
        if let Some(at) = record.recovered_at {
            timeline.recovered(at, Subject::Caller(id));
        }
    }
}

impl<R: Recorder> Book<'_, '_, R> {
    /// Little's law, of all dependencies.
    pub(super) fn check_calls(&self, calls: &CallStatistics) {
        for id in calls.stations.ids() {
            let unfinished = self.world.spent_so_far(id);
            if let Some(breach) = calls.breach_of_little(id, self.now, unfinished) {
                let seed = self.world.model.plan.seed.0;
                panic!("Little's law does not hold; this is a bug (seed {seed}): {breach}");
            }
        }
    }

    pub(super) fn dependency(&self, id: DependencyId, others: &Others) -> DependencyRecord {
        let seen = &others.calls.stations[id];
        let flows = self.world.flows_of_dependency(id);
        let servers = u64::from(self.world.model.dependencies[id].servers);
        let able = self.span() as f64 * servers as f64;
        DependencyRecord {
            flows,
            depth: self.level(&seen.depth),
            busy: self.level(&seen.busy),
            latency: times(&seen.latency),
            utilization: (able > 0.0).then(|| seen.busy.area(self.now) as f64 / able),
            wasted_work: seen.wasted(),
            goodput: self.per_second(flows.answered),
            peak_retries: seen.retries.most(),
            recovered_at: others.since(self.now, |it| &it.dependencies[id]),
        }
    }

    pub(super) fn caller(&self, id: CallerId, others: &Others) -> CallerRecord {
        let seen = &others.calls.callers[id];
        let caller = &self.world.model.callers[id];
        let flows = self.world.flows_of_caller(id);
        let clients = f64::from(self.world.model.clients_of(id));
        let of_each = |gauge: &Gauge| {
            let all = self.level(gauge);
            Level {
                mean: all.mean / clients,
                max: all.max / clients,
                end: all.end / clients,
            }
        };
        let breaker = caller.breaker;
        CallerRecord {
            flows,
            open: self.level(&seen.open),
            latency: times(&seen.latency),
            breaker_open: breaker.map(|_| of_each(&seen.breakers_open).mean),
            breaker_half_open: breaker.map(|_| of_each(&seen.breakers_half_open).mean),
            limit: caller.concurrency.map(|_| of_each(&seen.limit)),
            goodput: self.per_second(flows.succeeded),
            recovered_at: others.since(self.now, |it| &it.callers[id]),
        }
    }
}
