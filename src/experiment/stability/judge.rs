//! One judgement of a dependency and those who call it, from rates alone: whether a failure can
//! outlast its cause (rule E6). The map of [`super::map()`] stands beside it, and the warnings of a
//! scenario are made from it.
//!
//! Not the words in which either tells it.
//!
//! A line in the order of arrival, whose server also works on calls that were given up, stays
//! collapsed when two things hold: the calls of the collapsed state are more than the capacity
//! `C`, and a call can wait longer than the timeout `T`, so a bound of the line is at least `C T`
//! (Bronson, Aghayev, Charapko, and Zhu, "Metastable failures in distributed systems", HotOS 2021;
//! Brooker, 2015; cited from memory). Backoff changes when calls come, not how many.

use crate::model::{Caller, CallerId, Dependency, DependencyId, Expired, Model, StationOrder, Who};
use crate::policy::concurrency::ConcurrencyLimit;
use crate::policy::retry::budget::Budget;
use crate::units::{Ratio, SimDuration};

/// What is to be expected of a dependency, in calls a second.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgement {
    /// Requests of all callers whose rate is known, once everything is calm.
    pub fresh: f64,
    /// Calls when every call that can wait too long is given up.
    pub collapsed: f64,
    /// Calls that its servers can work on.
    pub capacity: f64,
    /// What follows.
    pub finding: Finding,
    /// The callers whose rate is known, with what each makes of its requests.
    pub callers: Vec<(CallerId, Collapsed)>,
}

/// What follows from the rates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Finding {
    /// Even requests are more than so many a second, which it can answer.
    Overloaded(f64),
    /// It lets go whatever comes.
    WayOut(WayOut),
    /// Even the collapsed state makes no more calls than the capacity.
    Enough,
    /// It can stay collapsed, since each call above so many lengthens the work.
    Slows(u64),
    /// It can stay collapsed, since it feeds itself.
    FeedsItself,
}

/// What lets a dependency go.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum WayOut {
    /// Nobody gives up a call.
    Patient,
    /// The youngest call goes first.
    YoungestFirst,
    /// Calls are dropped that would be answered too late: so long before their end.
    Drops(SimDuration),
    /// The line holds so many seconds of work, less than the timeout.
    ShortLine(f64),
    /// No call is taken that would wait longer.
    Sheds(SimDuration),
    /// No more than so many calls a second are taken.
    Limited(f64),
}

/// The calls that a caller makes while none of them goes well.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Collapsed {
    /// Its requests a second.
    pub fresh: f64,
    /// Its calls a second.
    pub calls: f64,
    /// What makes them so many, or so few.
    pub by: By,
    /// Whether its calls can wait for so long that it has left when their turn comes.
    pub stale: bool,
}

/// What decides how many calls a caller makes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum By {
    /// So many calls a request.
    Attempts(f64),
    /// A budget, which leaves so many retries a second.
    Budget(f64),
    /// A breaker, but for its trials.
    Breaker,
    /// A limit of so many calls out at once.
    Concurrency(f64),
    /// So many handlers, which wait for their answers.
    Handlers(f64),
}

/// What rates say of a dependency, with the requests a second of each caller. `None` where none of
/// its callers has a rate; or where one has none and the others leave it a way out.
pub fn judge(
    model: &Model,
    id: DependencyId,
    requests: &dyn Fn(CallerId) -> Option<f64>,
) -> Option<Judgement> {
    let dependency = &model.dependencies[id];
    let callers = model.callers.pairs().filter(|(_, it)| it.dependency == id);
    let ids: Vec<CallerId> = callers.map(|(id, _)| id).collect();
    let known = |id: &CallerId| Some((*id, collapsed(model, *id, requests(*id)?)));
    let callers: Vec<(CallerId, Collapsed)> = ids.iter().filter_map(known).collect();
    if callers.is_empty() {
        return None;
    }
    let fresh: f64 = callers.iter().map(|(_, it)| it.fresh).sum();
    let collapsed = callers
        .iter()
        .map(|(_, it)| if it.stale { it.calls } else { it.fresh });
    let judgement = Judgement {
        fresh,
        collapsed: collapsed.sum(),
        capacity: capacity(dependency),
        finding: Finding::Enough,
        callers,
    };
    let finding = found(model, dependency, &judgement);
    let certain = matches!(
        finding,
        Finding::Overloaded(_) | Finding::Slows(_) | Finding::FeedsItself
    );
    (certain || judgement.callers.len() == ids.len()).then_some(Judgement {
        finding,
        ..judgement
    })
}

/// Calls a second that all servers together work on.
fn capacity(dependency: &Dependency) -> f64 {
    f64::from(dependency.servers) / dependency.service.mean()
}

fn found(model: &Model, dependency: &Dependency, judgement: &Judgement) -> Finding {
    let limit = dependency.limit.map(|limit| limit.sustained());
    let answered = judgement.capacity.min(limit.unwrap_or(f64::INFINITY));
    if judgement.fresh >= answered {
        return Finding::Overloaded(answered);
    }
    let timeouts = judgement.callers.iter();
    let timeouts = timeouts.filter_map(|(id, _)| model.callers[*id].timeout);
    let Some(shortest) = timeouts.min() else {
        return Finding::WayOut(WayOut::Patient);
    };
    if let Some(way_out) = way_out(dependency, shortest) {
        return Finding::WayOut(way_out);
    }
    let slows = dependency
        .overload
        .filter(|it| it.slowdown > Ratio::ZERO)
        .map(|it| it.above);
    match slows {
        _ if judgement.collapsed > judgement.capacity => Finding::FeedsItself,
        Some(above) => Finding::Slows(above),
        None => Finding::Enough,
    }
}

/// What lets a dependency go whatever comes, for callers of this timeout, if anything does.
fn way_out(dependency: &Dependency, timeout: SimDuration) -> Option<WayOut> {
    let young = match dependency.order {
        StationOrder::Lifo => true,
        // Above the timeout it turns too late.
        StationOrder::Adaptive { above } => above < timeout,
        StationOrder::Fifo => false,
    };
    if young {
        return Some(WayOut::YoungestFirst);
    }
    match dependency.expired {
        Expired::Dropped { margin } if margin.as_secs_f64() >= dependency.service.mean() => {
            return Some(WayOut::Drops(margin));
        }
        // What is begun with no time left to end it is wasted all the same.
        Expired::Dropped { .. } | Expired::Served => {}
    }
    let room = dependency.capacity as f64 / capacity(dependency);
    if dependency.capacity < u64::MAX && room < timeout.as_secs_f64() {
        return Some(WayOut::ShortLine(room));
    }
    if let Some(shed) = dependency.shed.filter(|shed| *shed < timeout) {
        return Some(WayOut::Sheds(shed));
    }
    let limit = dependency.limit?.sustained();
    (limit <= capacity(dependency)).then_some(WayOut::Limited(limit))
}

/// The calls of a caller none of whose calls goes well.
fn collapsed(model: &Model, id: CallerId, fresh: f64) -> Collapsed {
    let caller = &model.callers[id];
    let clients = f64::from(model.clients_of(id));
    let hedges = caller.hedge.map_or(0, |hedge| hedge.at_most);
    let times = f64::from(attempts_within(caller)) * (1.0 + f64::from(hedges));
    let retries = fresh * (times - 1.0);
    let within = |left: f64| (fresh + left, By::Budget(left));
    let wanted = match caller.retry.and_then(|retry| retry.budget) {
        None => (fresh * times, By::Attempts(times)),
        // Tokens come back with successes only.
        Some(Budget::AwsStandard(_) | Budget::Grpc(_)) => within(0.0),
        Some(Budget::Finagle(it)) => {
            let reserve = f64::from(it.per_second) * clients;
            within(fresh.mul_add(it.share.get(), reserve).min(retries))
        }
    };
    let breaker = caller.breaker.as_ref().map(|it| {
        let trials = f64::from(it.trials) / it.open.as_secs_f64();
        (trials * clients, By::Breaker)
    });
    let waiting = caller.timeout.map(SimDuration::as_secs_f64);
    let out = waiting.and_then(|timeout| {
        let most = match caller.concurrency? {
            ConcurrencyLimit::Fixed { limit, .. } => f64::from(limit),
            ConcurrencyLimit::Aimd(aimd) => f64::from(aimd.min),
        } * clients;
        Some((most / timeout, By::Concurrency(most)))
    });
    let handlers = waiting.and_then(|timeout| match caller.who {
        Who::Fleet(fleet) => {
            let handlers = f64::from(model.fleets[fleet].most_handlers());
            Some((handlers / timeout, By::Handlers(handlers)))
        }
        Who::Producer(_) => None,
    });
    let bounds = [breaker, out, handlers].into_iter().flatten();
    let (calls, by) = bounds.fold(wanted, |least, it| if it.0 < least.0 { it } else { least });
    let dependency = &model.dependencies[caller.dependency];
    let stale = caller
        .timeout
        .is_some_and(|it| way_out(dependency, it).is_none());
    Collapsed {
        fresh,
        calls,
        by,
        stale,
    }
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
