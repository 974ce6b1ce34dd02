//! What rates alone say of a dependency and those who call it: whether a failure can outlast its
//! cause (rule E6).
//!
//! Not a proof for random arrivals: the simulation decides, and this stands beside it.
//!
//! A line in the order of arrival, whose server also works on calls that were given up, stays
//! collapsed when two things hold: the calls of the collapsed state, `lambda (1 + r)`, are more
//! than the capacity `C`, and a call can wait longer than the timeout `T`, so a bound of the line
//! is at least `C T` (Bronson, Aghayev, Charapko, and Zhu, "Metastable failures in distributed
//! systems", HotOS 2021; Brooker, 2015; cited from memory). Backoff changes when calls come, not
//! how many.

use crate::experiment::words::rate as per_second;
use crate::model::{
    Caller, CallerId, Dependency, DependencyId, Expired, Fleet, FleetId, Model, Origin, QueueId,
    StationOrder, Who,
};
use crate::policy::concurrency::ConcurrencyLimit;
use crate::policy::retry::budget::Budget;
use crate::policy::retry::{Backoff, Jitter};
use crate::theory::meanfield::MeanField;
use crate::theory::retry_load::FifoRetries;
use crate::units::{Ratio, SimDuration};

/// What is to be expected of a dependency after a disturbance. Rates are per second.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    /// Its dotted name.
    pub dependency: String,
    /// Requests a second of all callers, once everything is calm.
    pub fresh: f64,
    /// Calls a second when every call is given up: what the collapsed state feeds itself with.
    pub collapsed: f64,
    /// Calls a second that it can work on.
    pub capacity: f64,
    /// What follows.
    pub outlook: Outlook,
    /// Why, in a sentence.
    pub because: String,
    /// The fractions of calls that time out which reproduce themselves, in the mean field of an
    /// M/M/c station: one, or healthy, threshold, and collapsed. Empty where it does not apply.
    pub states: Vec<f64>,
    /// The full outage, in seconds, beyond which the fluid never comes back; where it applies.
    pub critical_outage: Option<f64>,
}

/// What is to be expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outlook {
    /// It cannot even keep up with fresh requests.
    Overloaded,
    /// It comes back when the cause has gone.
    LetsGo,
    /// It can stay collapsed when the cause has gone.
    CanStay,
}

impl Outlook {
    /// One word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Overloaded => "overloaded",
            Self::LetsGo => "lets go",
            Self::CanStay => "can stay collapsed",
        }
    }
}

/// The condition of each dependency whose callers have a rate.
pub fn conditions(model: &Model) -> Vec<Condition> {
    let all = model.dependencies.pairs();
    all.filter_map(|(id, dependency)| condition(model, id, dependency))
        .collect()
}

fn condition(model: &Model, id: DependencyId, dependency: &Dependency) -> Option<Condition> {
    let callers = model.callers.pairs().filter(|(_, it)| it.dependency == id);
    let callers: Vec<_> = callers
        .map(|(id, caller)| Some((caller, fresh_rate(model, id)?)))
        .collect::<Option<_>>()?;
    if callers.is_empty() {
        return None;
    }
    let fresh: f64 = callers.iter().map(|(_, rate)| rate).sum();
    let collapsed: f64 = callers
        .iter()
        .map(|(caller, rate)| collapsed_rate(model, caller, *rate))
        .sum();
    let capacity = f64::from(dependency.servers) / dependency.service.mean();
    let timeouts = callers.iter().map(|(caller, _)| caller.timeout);
    let timeout = timeouts.flatten().max().map(SimDuration::as_secs_f64);
    let (outlook, because) = judge(dependency, fresh, collapsed, capacity, timeout);
    let (states, critical_outage) = match callers.as_slice() {
        [(caller, rate)] => exact_forms(dependency, caller, *rate, capacity),
        _ => (Vec::new(), None),
    };
    Some(Condition {
        dependency: dependency.name.clone(),
        fresh,
        collapsed,
        capacity,
        outlook,
        because,
        states,
        critical_outage: critical_outage.filter(|_| outlook == Outlook::CanStay),
    })
}

fn judge(
    dependency: &Dependency,
    fresh: f64,
    collapsed: f64,
    capacity: f64,
    timeout: Option<f64>,
) -> (Outlook, String) {
    if fresh >= capacity {
        let because = format!(
            "{}/s are asked for, and it can do {}/s",
            per_second(fresh),
            per_second(capacity)
        );
        return (Outlook::Overloaded, because);
    }
    let Some(timeout) = timeout else {
        let because = "nobody gives up a call, so no work is for nobody".to_owned();
        return (Outlook::LetsGo, because);
    };
    if let Some(because) = way_out(dependency, capacity, timeout) {
        return (Outlook::LetsGo, because);
    }
    if let Some(overload) = dependency.overload.filter(|it| it.slowdown > Ratio::ZERO) {
        let because = format!(
            "its work takes longer with each call above {}: a full line lowers the capacity of \
             {}/s that it is measured against",
            overload.above,
            per_second(capacity)
        );
        return (Outlook::CanStay, because);
    }
    if collapsed <= capacity {
        let because = format!(
            "even when every call is given up, {}/s come, no more than {}/s",
            per_second(collapsed),
            per_second(capacity)
        );
        return (Outlook::LetsGo, because);
    }
    let because = format!(
        "when every call is given up, {}/s come, more than {}/s, and a call can wait longer than \
         {timeout}s",
        per_second(collapsed),
        per_second(capacity)
    );
    (Outlook::CanStay, because)
}

/// What lets a dependency go whatever comes, if anything does.
fn way_out(dependency: &Dependency, capacity: f64, timeout: f64) -> Option<String> {
    match dependency.order {
        StationOrder::Lifo | StationOrder::Adaptive { .. } => {
            return Some("the youngest call goes first, so its caller still listens".to_owned());
        }
        StationOrder::Fifo => {}
    }
    match dependency.expired {
        Expired::Dropped { margin } if margin.as_secs_f64() >= dependency.service.mean() => {
            return Some(format!(
                "calls that would be answered too late are dropped, {margin} before their end"
            ));
        }
        Expired::Dropped { .. } | Expired::Served => {}
    }
    let room = dependency.capacity as f64 / capacity;
    if dependency.capacity < u64::MAX && room < timeout {
        return Some(format!(
            "its line of {} is {room:.3} s of work, less than the timeout of {timeout} s",
            dependency.capacity
        ));
    }
    if let Some(shed) = dependency.shed.filter(|it| it.as_secs_f64() < timeout) {
        return Some(format!(
            "it takes no call that would wait longer than {shed}"
        ));
    }
    let rate = dependency.limit?.sustained();
    (rate <= capacity).then(|| format!("it takes {}/s at most, which it can do", per_second(rate)))
}

/// Calls a second of a caller all of whose calls are given up.
fn collapsed_rate(model: &Model, caller: &Caller, fresh: f64) -> f64 {
    let attempts = f64::from(attempts_within(caller));
    let hedges = caller.hedge.map_or(0, |hedge| hedge.at_most);
    let wanted = fresh * attempts * (1.0 + f64::from(hedges));
    let wanted = match caller.retry.and_then(|retry| retry.budget) {
        None => wanted,
        // Tokens come back with successes only.
        Some(Budget::AwsStandard(_) | Budget::Grpc(_)) => fresh,
        Some(Budget::Finagle(it)) => {
            wanted.min(fresh * (1.0 + it.share.get()) + f64::from(it.per_second))
        }
    };
    let wanted = match &caller.breaker {
        None => wanted,
        // Open, but for its trials.
        Some(breaker) => wanted.min(f64::from(breaker.trials) / breaker.open.as_secs_f64()),
    };
    let Some(timeout) = caller.timeout.map(SimDuration::as_secs_f64) else {
        return wanted;
    };
    let most_out = match caller.concurrency {
        Some(ConcurrencyLimit::Fixed { limit, .. }) => f64::from(limit),
        Some(ConcurrencyLimit::Aimd(aimd)) => f64::from(aimd.min),
        None => f64::INFINITY,
    };
    let handlers = match caller.who {
        Who::Fleet(fleet) => f64::from(model.fleets[fleet].most_handlers()),
        Who::Producer(_) => f64::INFINITY,
    };
    wanted.min(most_out.min(handlers) / timeout)
}

/// How many attempts a request has, as far as its deadline allows, on average waits.
fn attempts_within(caller: &Caller) -> u32 {
    let Some(retry) = caller.retry else {
        return 1;
    };
    let (Some(deadline), Some(timeout)) = (caller.deadline, caller.timeout) else {
        return retry.attempts;
    };
    let (deadline, timeout) = (deadline.as_secs_f64(), timeout.as_secs_f64());
    let mut begun = 0.0;
    for retries in 0..retry.attempts - 1 {
        begun += timeout + retry.mean_delay(retries);
        if begun >= deadline {
            return retries + 1;
        }
    }
    retry.attempts
}

/// The mean field of an M/M/c station, and the critical outage of the fluid, where the caller is
/// what these are for.
fn exact_forms(
    dependency: &Dependency,
    caller: &Caller,
    fresh: f64,
    capacity: f64,
) -> (Vec<f64>, Option<f64>) {
    let Some(timeout) = caller.timeout.map(SimDuration::as_secs_f64) else {
        return (Vec::new(), None);
    };
    let retries = caller.retry.map_or(0, |retry| retry.attempts - 1);
    let plain = caller.breaker.is_none()
        && caller.concurrency.is_none()
        && caller.hedge.is_none()
        && caller.deadline.is_none()
        && caller.retry.is_none_or(|retry| retry.budget.is_none())
        && dependency.order == StationOrder::Fifo
        && dependency.expired == Expired::Served
        && dependency.capacity == u64::MAX
        && dependency.overload.is_none()
        && dependency.limit.is_none()
        && dependency.shed.is_none();
    if !plain || matches!(caller.who, Who::Fleet(_)) {
        return (Vec::new(), None);
    }
    let mu = 1.0 / dependency.service.mean();
    let exponential = (dependency.service.law().scv() - 1.0).abs() < 1e-12;
    let states = MeanField::new(mu, u64::from(dependency.servers), timeout, retries.into())
        .ok()
        .filter(|_| exponential)
        .map_or(Vec::new(), |field| field.fixed_points(fresh));
    let at_once = caller
        .retry
        .is_none_or(|retry| retry.backoff == Backoff::Immediate && retry.jitter == Jitter::None);
    let fluid = FifoRetries::new(fresh, capacity, timeout, retries.into()).ok();
    let critical = fluid
        .filter(|_| at_once)
        .and_then(|it| it.critical_outage());
    (states, critical)
}

/// Requests a second of a caller once everything is calm; `None` where there is no such number.
pub(super) fn fresh_rate(model: &Model, caller: CallerId) -> Option<f64> {
    match model.callers[caller].who {
        Who::Producer(producer) => match &model.producers[producer].origin {
            Origin::Arrivals { arrivals, .. } => arrivals.mean_rate(),
            Origin::Fleet(_) => None,
        },
        Who::Fleet(fleet) => fleet_rate(model, fleet, model.fleets.len()),
    }
}

/// Messages a second that a fleet works on, if it is the only one of its queue; through so many
/// stages at most.
fn fleet_rate(model: &Model, fleet: FleetId, stages: usize) -> Option<f64> {
    let Fleet {
        queue, handling, ..
    } = &model.fleets[fleet];
    let alone = model.fleets.iter().filter(|it| it.queue == *queue).count() == 1;
    if !alone || stages == 0 {
        return None;
    }
    let batch = handling.batch.map_or(1, |batch| batch.size);
    Some(queue_rate(model, *queue, stages)? / f64::from(batch))
}

fn queue_rate(model: &Model, queue: QueueId, stages: usize) -> Option<f64> {
    let sources = model
        .producers
        .iter()
        .filter(|it| it.queues.contains(&queue));
    sources
        .map(|producer| match &producer.origin {
            Origin::Arrivals { arrivals, .. } => arrivals.mean_rate(),
            Origin::Fleet(fleet) => {
                let copies = model.fleets[*fleet].publishes?.copies;
                Some(fleet_rate(model, *fleet, stages - 1)? * f64::from(copies))
            }
        })
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Id, Stop};
    use crate::policy::arrival::{Arrivals, Poisson};
    use crate::policy::retry::RetryPolicy;
    use crate::policy::retry::budget::Finagle;
    use crate::random::law::{DurationLaw, Exponential, Law};
    use crate::units::Rate;

    /// The reference's case: 10 servers of 10/s, a timeout of a second, a Poisson source.
    fn storm(rate: u64, retries: u32) -> Model {
        let arrivals = Arrivals::Poisson(Poisson {
            rate: Rate::per_second(rate),
        });
        let service = DurationLaw::new(Law::from(Exponential::new(0.1).expect("a mean")));
        let dependency = Dependency::plain("dependencies.api", 10, service);
        let mut model = Model::inline(arrivals, dependency, Stop::Drained);
        let caller = &mut model.callers[CallerId::at(0)];
        caller.timeout = Some(SimDuration::from_secs(1));
        caller.retry = (retries > 0).then_some(RetryPolicy {
            attempts: retries + 1,
            backoff: Backoff::Immediate,
            jitter: Jitter::None,
            budget: None,
        });
        model
    }

    fn outlook(model: &Model) -> Outlook {
        conditions(model)[0].outlook
    }

    #[test]
    fn a_collapse_feeds_itself_when_its_calls_exceed_the_capacity() {
        // 3.3 of the reference: 24 x 4 = 96 lets go, 26 x 4 = 104 stays.
        for (rate, retries, due) in [
            (60, 0, Outlook::LetsGo),
            (60, 1, Outlook::CanStay),
            (30, 2, Outlook::LetsGo),
            (24, 3, Outlook::LetsGo),
            (26, 3, Outlook::CanStay),
            (100, 0, Outlook::Overloaded),
        ] {
            assert_eq!(outlook(&storm(rate, retries)), due, "{rate} {retries}");
        }
    }

    #[test]
    fn the_mean_field_and_the_fluid_stand_beside_it() {
        // 3.2 of the reference: p = 4.7e-5, 0.4116, and 1; the fluid threshold at 60/s is 1.31 s.
        let found = conditions(&storm(60, 3)).remove(0);
        let [healthy, threshold, collapsed] = found.states[..] else {
            panic!("three states: {:?}", found.states);
        };
        assert!((healthy - 4.7e-5).abs() < 1e-6 && (threshold - 0.4116).abs() < 1e-4);
        assert!((collapsed - 1.0).abs() < 1e-12);
        let critical = found.critical_outage.expect("an outage");
        assert!((critical - 1.31).abs() < 0.005, "{critical}");
        assert_eq!(conditions(&storm(24, 3))[0].critical_outage, None);
    }

    #[test]
    fn each_way_out_lets_go() {
        let changed = |change: &dyn Fn(&mut Model)| {
            let mut model = storm(60, 3);
            change(&mut model);
            outlook(&model)
        };
        let station = |change: &dyn Fn(&mut Dependency)| {
            changed(&|model| change(&mut model.dependencies[DependencyId::at(0)]))
        };
        assert_eq!(
            station(&|it| it.order = StationOrder::Lifo),
            Outlook::LetsGo
        );
        assert_eq!(station(&|it| it.capacity = 50), Outlook::LetsGo);
        assert_eq!(station(&|it| it.capacity = 300), Outlook::CanStay);
        let dropped = |millis| Expired::Dropped {
            margin: SimDuration::from_millis(millis),
        };
        assert_eq!(station(&|it| it.expired = dropped(0)), Outlook::CanStay);
        assert_eq!(station(&|it| it.expired = dropped(300)), Outlook::LetsGo);
        let half = SimDuration::from_millis(500);
        assert_eq!(station(&|it| it.shed = Some(half)), Outlook::LetsGo);
        let finagle = |share: f64| Finagle {
            share: Ratio::new(share).expect("a ratio"),
            per_second: 0,
            ..Finagle::default()
        };
        let budgeted = |rate: u64, share: f64| {
            let mut model = storm(rate, 3);
            let caller = &mut model.callers[CallerId::at(0)];
            if let Some(retry) = &mut caller.retry {
                retry.budget = Some(Budget::Finagle(finagle(share)));
            }
            outlook(&model)
        };
        // 3.3 of the reference: 10 % at 60/s and 20 % at 80/s recover, 20 % at 90/s does not.
        assert_eq!(budgeted(60, 0.1), Outlook::LetsGo);
        assert_eq!(budgeted(80, 0.2), Outlook::LetsGo);
        assert_eq!(budgeted(90, 0.2), Outlook::CanStay);
        let patient = |model: &mut Model| model.callers[CallerId::at(0)].timeout = None;
        assert_eq!(changed(&patient), Outlook::LetsGo);
    }

    #[test]
    fn a_deadline_cuts_attempts() {
        let mut model = storm(30, 9);
        assert_eq!(outlook(&model), Outlook::CanStay);
        model.callers[CallerId::at(0)].deadline = Some(SimDuration::from_millis(2_500));
        assert!((conditions(&model)[0].collapsed - 90.0).abs() < 1e-9);
        assert_eq!(outlook(&model), Outlook::LetsGo);
    }
}
