//! What rates alone say of a dependency and those who call it, with the closed forms where they
//! apply, in words.
//!
//! Not the judgement itself ([`super::judge`]), nor a proof for random arrivals: the simulation
//! decides, and this stands beside it.

use super::judge::{Finding, Judgement, WayOut, judge};
use crate::experiment::words::rate as per_second;
use crate::model::{
    Caller, CallerId, Dependency, DependencyId, Expired, Id, Model, StationOrder, Who,
};
use crate::policy::retry::{Backoff, Jitter};
use crate::theory::meanfield::MeanField;
use crate::theory::retry_load::FifoRetries;
use crate::units::SimDuration;

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

/// The condition of each dependency whose callers have a rate: `requests` a second of each caller,
/// in their order.
pub fn conditions(model: &Model, requests: &[Option<f64>]) -> Vec<Condition> {
    let rate = |id: CallerId| requests.get(id.index()).copied().flatten();
    let ids = model.dependencies.pairs().map(|(id, _)| id);
    let judged = ids.filter_map(|id| Some((id, judge(model, id, &rate)?)));
    judged
        .map(|(id, found)| condition(model, id, &found))
        .collect()
}

fn condition(model: &Model, id: DependencyId, found: &Judgement) -> Condition {
    let dependency = &model.dependencies[id];
    let outlook = match found.finding {
        Finding::Overloaded(_) => Outlook::Overloaded,
        Finding::WayOut(_) | Finding::Enough => Outlook::LetsGo,
        Finding::Slows(_) | Finding::FeedsItself => Outlook::CanStay,
    };
    let (states, critical_outage) = match found.callers.as_slice() {
        [(id, it)] => exact_forms(dependency, &model.callers[*id], it.fresh, found.capacity),
        _ => (Vec::new(), None),
    };
    Condition {
        dependency: dependency.name.clone(),
        fresh: found.fresh,
        collapsed: found.collapsed,
        capacity: found.capacity,
        outlook,
        because: because(model, dependency, found),
        states,
        critical_outage: critical_outage.filter(|_| outlook == Outlook::CanStay),
    }
}

/// Why, in a sentence.
fn because(model: &Model, dependency: &Dependency, found: &Judgement) -> String {
    let (collapsed, capacity) = (per_second(found.collapsed), per_second(found.capacity));
    let timeouts = found.callers.iter();
    let timeouts = timeouts.filter_map(|(id, _)| model.callers[*id].timeout);
    let timeout = timeouts.min().map_or(0.0, SimDuration::as_secs_f64);
    match found.finding {
        Finding::Overloaded(answered) => format!(
            "{}/s are asked for, and it can do {}/s",
            per_second(found.fresh),
            per_second(answered)
        ),
        Finding::WayOut(way_out) => way_out_in_words(way_out, dependency, timeout),
        Finding::Enough => format!(
            "even when every call is given up, {collapsed}/s come, no more than {capacity}/s"
        ),
        Finding::Slows(above) => format!(
            "its work takes longer with each call above {above}: a full line lowers the capacity \
             of {capacity}/s that it is measured against"
        ),
        Finding::FeedsItself => format!(
            "when every call is given up, {collapsed}/s come, more than {capacity}/s, and a call \
             can wait longer than {timeout}s"
        ),
    }
}

fn way_out_in_words(way_out: WayOut, dependency: &Dependency, timeout: f64) -> String {
    match way_out {
        WayOut::Patient => "nobody gives up a call, so no work is for nobody".to_owned(),
        WayOut::YoungestFirst => {
            "the youngest call goes first, so its caller still listens".to_owned()
        }
        WayOut::Drops(margin) => {
            format!("calls that would be answered too late are dropped, {margin} before their end")
        }
        WayOut::ShortLine(room) => format!(
            "its line of {} is {room:.3} s of work, less than the timeout of {timeout} s",
            dependency.capacity
        ),
        WayOut::Sheds(shed) => format!("it takes no call that would wait longer than {shed}"),
        WayOut::Limited(limit) => {
            format!("it takes {}/s at most, which it can do", per_second(limit))
        }
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Origin, Stop};
    use crate::policy::arrival::{Arrivals, Poisson};
    use crate::policy::rate_limit::RateLimit;
    use crate::policy::retry::RetryPolicy;
    use crate::policy::retry::budget::{Budget, Finagle};
    use crate::random::law::{DurationLaw, Exponential, Law};
    use crate::units::{Rate, Ratio};

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

    /// Of a model whose only producer is its only caller.
    fn said(model: &Model) -> Condition {
        let rate = model.producers.iter().next().map(|it| match &it.origin {
            Origin::Arrivals { arrivals, .. } => arrivals.mean_rate(),
            Origin::Fleet(_) => None,
        });
        conditions(model, &[rate.flatten()]).remove(0)
    }

    fn outlook(model: &Model) -> Outlook {
        said(model).outlook
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
        let found = said(&storm(60, 3));
        let [healthy, threshold, collapsed] = found.states[..] else {
            panic!("three states: {:?}", found.states);
        };
        assert!((healthy - 4.7e-5).abs() < 1e-6 && (threshold - 0.4116).abs() < 1e-4);
        assert!((collapsed - 1.0).abs() < 1e-12);
        let critical = found.critical_outage.expect("an outage");
        assert!((critical - 1.31).abs() < 0.005, "{critical}");
        assert_eq!(said(&storm(24, 3)).critical_outage, None);
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
        // What turns to the youngest only after the caller has left turns too late.
        let adaptive = |millis| StationOrder::Adaptive {
            above: SimDuration::from_millis(millis),
        };
        assert_eq!(station(&|it| it.order = adaptive(500)), Outlook::LetsGo);
        assert_eq!(station(&|it| it.order = adaptive(1_000)), Outlook::CanStay);
        // 60/s x 4 against a limit that the servers can do, that they cannot, and that refuses
        // even requests.
        let limited = |rate| RateLimit::TokenBucket {
            rate: Rate::per_second(rate),
            burst: 1,
        };
        assert_eq!(station(&|it| it.limit = Some(limited(90))), Outlook::LetsGo);
        assert_eq!(
            station(&|it| it.limit = Some(limited(150))),
            Outlook::CanStay
        );
        let few = station(&|it| it.limit = Some(limited(50)));
        assert_eq!(few, Outlook::Overloaded);
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
        assert!((said(&model).collapsed - 90.0).abs() < 1e-9);
        assert_eq!(outlook(&model), Outlook::LetsGo);
    }
}
