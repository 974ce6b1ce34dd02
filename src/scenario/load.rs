//! The load of each queue and each dependency in the long run: what is offered to it, and what its
//! fleets or servers can do.
//!
//! Not a theory of waiting: only rates, as far as they are certain. Outages, refusals and retries
//! are left out, but where the most calls are asked for.

use super::chains;
use crate::model::{
    BatchWork, Caller, CallerId, Dependency, DependencyId, Fleet, Id, Model, Origin, QueueId, Who,
};
use crate::units::SimDuration;

/// Messages a second, by queue.
#[derive(Debug)]
pub(super) struct Load {
    offered: Vec<Option<f64>>,
    capacity: Vec<f64>,
    readers: Vec<u32>,
    requests: Vec<Option<f64>>,
}

impl Load {
    /// The load of a model with the fleets' last sizes. What leads into a loop is not known.
    pub(super) fn of(model: &Model) -> Self {
        let queues = model.queues.len();
        let mut load = Self {
            offered: vec![Some(0.0); queues],
            capacity: vec![0.0; queues],
            readers: vec![0; queues],
            requests: Vec::new(),
        };
        for producer in &model.producers {
            if let Origin::Arrivals { arrivals, .. } = &producer.origin {
                load.offer(&producer.queues, arrivals.mean_rate());
            }
        }
        for fleet in &model.fleets {
            load.capacity[fleet.queue.index()] += Self::of_fleet(fleet, model);
            load.readers[fleet.queue.index()] += 1;
        }
        for (id, queue) in model.queues.pairs() {
            let calls = &queue.delivery.calls;
            let mut fleets = model.fleets.iter().filter(|fleet| fleet.queue == id);
            if calls.receive.is_none() && calls.delete.is_none() {
                continue;
            }
            // Those that take most with a call may make all of them.
            let most = fleets.by_ref().filter_map(|fleet| fleet.handling.batch);
            let most = f64::from(most.map(|batch| batch.size).max().unwrap_or(1));
            let calls = [calls.receive, calls.delete].into_iter().flatten();
            let calls = calls.map(|rate| rate.as_per_second() * most);
            let capacity = &mut load.capacity[id.index()];
            *capacity = calls.fold(*capacity, f64::min);
        }
        for id in chains::in_order(model).unwrap_or_default() {
            let fleet = &model.fleets[id];
            let Some(publishes) = fleet.publishes else {
                continue;
            };
            let queue = fleet.queue.index();
            // How several fleets share a queue is not known beforehand.
            let rate = load.offered[queue].filter(|_| load.readers[queue] == 1);
            let rate = rate.map(|rate| rate.min(load.capacity[queue]));
            let rate = rate.map(|rate| rate * f64::from(publishes.copies));
            load.offer(&model.producers[publishes.producer].queues, rate);
        }
        load.requests = model
            .callers
            .iter()
            .map(|it| load.asks(it, model))
            .collect();
        load
    }

    /// How many consumers a fleet has in the end: its last size, or the largest of its autoscaler.
    pub(super) fn consumers(fleet: &Fleet) -> u32 {
        if let Some(scaling) = &fleet.scaling {
            return scaling.max;
        }
        let last = fleet.staffing.last();
        last.map_or(fleet.count, |change| change.count)
    }

    /// How many messages a consumer works on at once.
    pub(super) fn at_once(fleet: &Fleet) -> u32 {
        let together = match fleet.handling.batch {
            Some(batch) if batch.work == BatchWork::Once => batch.size,
            Some(_) | None => 1,
        };
        fleet.concurrency.saturating_mul(together)
    }

    /// Requests a second of a caller, where that is known; of batches, if they are full.
    fn asks(&self, caller: &Caller, model: &Model) -> Option<f64> {
        match caller.who {
            Who::Producer(id) => match &model.producers[id].origin {
                Origin::Arrivals { arrivals, .. } => arrivals.mean_rate(),
                Origin::Fleet(_) => None,
            },
            Who::Fleet(id) => {
                let fleet = &model.fleets[id];
                let queue = fleet.queue.index();
                let rate = self.offered[queue].filter(|_| self.readers[queue] == 1)?;
                let batch = fleet.handling.batch.map_or(1, |batch| batch.size);
                Some(rate.min(self.capacity[queue]) / f64::from(batch))
            }
        }
    }

    /// Requests a second of a caller, where that is known.
    pub(super) fn requests(&self, caller: CallerId) -> Option<f64> {
        self.requests[caller.index()]
    }

    /// Calls a second that a dependency gets when each request makes one, and when each makes as
    /// many as it may.
    pub(super) fn calls(&self, dependency: DependencyId, model: &Model) -> Option<(f64, f64)> {
        let callers = model.callers.pairs();
        let mut callers = callers.filter(|(_, caller)| caller.dependency == dependency);
        callers.try_fold((0.0, 0.0), |(once, most), (id, caller)| {
            let rate = self.requests(id)?;
            Some((
                once + rate,
                rate.mul_add(f64::from(most_calls(caller)), most),
            ))
        })
    }

    /// Calls a second that a dependency can answer.
    pub(super) fn of_dependency(dependency: &Dependency) -> f64 {
        let limit = dependency
            .limit
            .map_or(f64::INFINITY, |limit| limit.sustained());
        (f64::from(dependency.servers) / dependency.service.mean()).min(limit)
    }

    /// How long a handler is held by a message (or by one that comes alone, of batches) in which
    /// its dependency, if it has one, does not let it wait; in seconds.
    pub(super) fn held(fleet: &Fleet, model: &Model) -> f64 {
        let call = fleet.handling.calls.map_or(0.0, |caller| {
            let caller = &model.callers[caller];
            let timeout = caller
                .timeout
                .map_or(f64::INFINITY, SimDuration::as_secs_f64);
            model.dependencies[caller.dependency]
                .service
                .mean()
                .min(timeout)
        });
        fleet.service.mean() + call
    }

    /// Messages a second that a fleet of its last size can complete; infinite for no work at all.
    pub(super) fn of_fleet(fleet: &Fleet, model: &Model) -> f64 {
        let handlers = f64::from(Self::consumers(fleet)) * f64::from(Self::at_once(fleet));
        if handlers <= 0.0 {
            return 0.0;
        }
        let limit = fleet
            .handling
            .limit
            .map_or(f64::INFINITY, |limit| limit.rate.as_per_second());
        (handlers / Self::held(fleet, model)).min(limit)
    }

    /// Messages a second offered to a queue, where that is known.
    pub(super) fn offered(&self, queue: QueueId) -> Option<f64> {
        self.offered[queue.index()]
    }

    /// Messages a second that the fleets of a queue can complete together.
    pub(super) fn capacity(&self, queue: QueueId) -> f64 {
        self.capacity[queue.index()]
    }

    /// How many fleets take from a queue.
    pub(super) fn readers(&self, queue: QueueId) -> u32 {
        self.readers[queue.index()]
    }

    fn offer(&mut self, queues: &[QueueId], rate: Option<f64>) {
        for queue in queues {
            let sum = &mut self.offered[queue.index()];
            *sum = sum.zip(rate).map(|(sum, rate)| sum + rate);
        }
    }
}

/// How many calls a request makes at most.
pub(super) fn most_calls(caller: &Caller) -> u32 {
    let attempts = caller.retry.map_or(1, |retry| retry.attempts);
    let hedges = caller.hedge.map_or(0, |hedge| hedge.at_most);
    attempts.saturating_mul(hedges.saturating_add(1))
}

/// A number with four digits at most, whole when it is large.
pub(super) fn short(number: f64) -> String {
    if !number.is_finite() || number == 0.0 {
        return if number == 0.0 {
            "0".to_owned()
        } else {
            "unlimited".to_owned()
        };
    }
    let digits = 3 - number.abs().log10().floor() as i32;
    let scale = 10_f64.powi(digits.clamp(0, 12));
    ((number * scale).round() / scale).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::Scenario;

    const STAGES: &str = r#"
        [run]
        stop = "1h"
        [producers.p]
        queues = ["first", "aside"]
        arrivals = { poisson = { rate = "10/s" } }
        [queues.first]
        [queues.aside]
        [queues.second]
        [queues.third]
        [consumers.three]
        queue = "third"
        service = "1ms"
        [consumers.two]
        queue = "second"
        service = "1ms"
        count = 10
        publishes = { queue = "third" }
        [consumers.one]
        queue = "first"
        service = "50ms"
        concurrency = 2
        publishes = { queue = "second", copies = 3 }
    "#;

    fn load(sets: &[&str]) -> Load {
        let sets: Vec<String> = sets.iter().map(|set| (*set).to_owned()).collect();
        let scenario = Scenario::from_text("a.toml", STAGES, &sets, std::path::Path::new(""));
        Load::of(&scenario.expect("right").model)
    }

    #[test]
    fn load_follows_the_stages() {
        // 10/s to two queues; the first can do 40/s and publishes three for each.
        let offered = load(&[]).offered;
        assert_eq!(offered, [Some(10.0), Some(10.0), Some(30.0), Some(30.0)]);
        // At 5/s it passes on no more than it can do.
        let slow = load(&["consumers.one.concurrency=1", "consumers.one.service=200ms"]);
        assert_eq!(
            slow.offered,
            [Some(10.0), Some(10.0), Some(15.0), Some(15.0)]
        );
        assert_eq!(slow.capacity, [5.0, 0.0, 10_000.0, 1_000.0]);
    }

    #[test]
    fn what_two_fleets_share_is_not_guessed() {
        let shared = load(&["consumers.three.queue=second"]);
        assert_eq!(shared.offered, [Some(10.0), Some(10.0), Some(30.0), None]);
        let capacity = shared.capacity(QueueId::at(2));
        assert!((capacity - 11_000.0).abs() < 1e-9, "{capacity}");
    }

    #[test]
    fn a_dependency_gets_the_requests_of_its_callers() {
        let calls = "{ dependency = \"bank\", retry = { attempts = 3 } }";
        let sets = [
            "dependencies.bank={ servers = 2, service = \"50ms\" }".to_owned(),
            format!("consumers.one.calls={calls}"),
            "consumers.two.calls=bank".to_owned(),
        ];
        let scenario = Scenario::from_text("a.toml", STAGES, &sets, std::path::Path::new(""));
        let model = scenario.expect("right").model;
        let load = Load::of(&model);
        // 10/s of the first stage, three times as many of the second.
        let (once, most) = load.calls(DependencyId::at(0), &model).expect("known");
        assert_eq!((once, most), (40.0, 60.0));
        // Two handlers, held for 50 ms of their own and 50 ms of the call.
        let bank = Load::of_dependency(&model.dependencies[DependencyId::at(0)]);
        assert_eq!([load.capacity[0], bank].map(short), ["20", "40"]);
    }

    #[test]
    fn calls_bound_what_is_completed() {
        let sets = ["queues.first.calls.receive=3/s", "consumers.one.batch=2"];
        let first = load(&sets).capacity(QueueId::at(0));
        assert!((first - 6.0).abs() < 1e-12, "{first}");
        let deletes = load(&["queues.first.calls.delete=3/s"]).capacity(QueueId::at(0));
        assert!((deletes - 3.0).abs() < 1e-12, "{deletes}");
    }

    #[test]
    fn numbers_are_short() {
        let shown = [0.0, 48.0, 0.123_456, 1_234.56, 123_456.7, f64::INFINITY].map(short);
        assert_eq!(shown, ["0", "48", "0.1235", "1235", "123457", "unlimited"]);
    }
}
