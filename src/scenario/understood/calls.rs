//! Dependencies, their callers, and their troubles in words.
//!
//! Not what a fleet does with work whose call has failed.

use super::handling::tries;
use super::{law, windows};
use crate::model::{
    Answers, BudgetPer, Caller, Dependency, DependencyId, Expired, InFlight, Model, StationOrder,
    Trouble, Who,
};
use crate::scenario::load::{Load, short};
use crate::units::Ratio;

/// A caller with its defences.
pub(super) fn caller(caller: &Caller, requests: Option<f64>, model: &Model) -> String {
    let once = match caller.who {
        Who::Fleet(id) if model.fleets[id].handling.batch.is_some() => "for each batch",
        Who::Fleet(_) => "for each message",
        Who::Producer(_) => "for each arrival",
    };
    let rate = requests.map_or_else(String::new, |rate| format!(", {}/s", short(rate)));
    let name = &model.dependencies[caller.dependency].name;
    let mut phrases = vec![format!("{name} {once}{rate}")];
    phrases.push(match caller.timeout {
        Some(timeout) => format!("leaves a call after {timeout}"),
        None => "waits for an answer as long as it takes".to_owned(),
    });
    phrases.extend(
        caller
            .deadline
            .map(|it| format!("{it} for all calls of a request")),
    );
    phrases.push(match &caller.retry {
        Some(policy) => tries(policy),
        None => "calls once".to_owned(),
    });
    phrases.extend(caller.breaker.map(|it| format!("a breaker {it}")));
    phrases.extend(caller.concurrency.map(|it| it.to_string()));
    phrases.extend(caller.hedge.map(|hedge| {
        let (after, most) = (hedge.after, hedge.at_most);
        format!("calls again beside it after {after} without an answer, {most} times at most")
    }));
    let shares = caller.breaker.is_some()
        || caller.concurrency.is_some()
        || caller.retry.is_some_and(|retry| retry.budget.is_some());
    if let (true, Who::Fleet(_)) = (shares, caller.who) {
        phrases.push(match caller.per {
            BudgetPer::Consumer => "each consumer for itself".to_owned(),
            BudgetPer::Fleet => "all consumers together".to_owned(),
        });
    }
    phrases.join("; ")
}

/// A dependency, and how much it is called.
pub(super) fn dependency(
    id: DependencyId,
    dependency: &Dependency,
    model: &Model,
    load: &Load,
) -> String {
    let capacity = Load::of_dependency(dependency);
    let mut words = vec![format!(
        "{} servers, {}: {}/s",
        dependency.servers,
        law(&dependency.service),
        short(capacity)
    )];
    if let Some((once, most)) = load.calls(id, model).filter(|(once, _)| *once > 0.0) {
        words.push(format!(
            ", called {}/s, utilization {:.2}",
            short(once),
            once / capacity
        ));
        if most > once {
            let times = most / capacity;
            words.push(format!(
                ", {}/s and {times:.2} with all retries",
                short(most)
            ));
        }
    }
    words.extend(
        phrases(dependency)
            .iter()
            .map(|phrase| format!("; {phrase}")),
    );
    words.concat()
}

fn phrases(dependency: &Dependency) -> Vec<String> {
    let bound = match dependency.capacity {
        u64::MAX => "any number of calls wait".to_owned(),
        0 => "no call waits".to_owned(),
        capacity => format!("at most {capacity} calls wait"),
    };
    let order = match dependency.order {
        StationOrder::Fifo => "the oldest first".to_owned(),
        StationOrder::Lifo => "the youngest first".to_owned(),
        StationOrder::Adaptive { above } => {
            format!("the youngest first while the oldest has waited longer than {above}")
        }
    };
    let mut phrases = vec![match dependency.capacity {
        0 => bound,
        _ => format!("{bound}, {order}"),
    }];
    phrases.push(match dependency.expired {
        Expired::Served => "works on calls whose caller has left".to_owned(),
        Expired::Dropped { margin } if margin.is_zero() => {
            "drops calls whose caller has left".to_owned()
        }
        Expired::Dropped { margin } => {
            format!("drops calls whose caller has left, or will within {margin}")
        }
    });
    if dependency.fails != Ratio::ZERO {
        let takes = dependency.fails_take.as_ref();
        let takes = takes.map_or_else(String::new, |it| format!(", after {}", law(it)));
        phrases.push(format!("{} of calls fail{takes}", dependency.fails));
    }
    phrases.extend(dependency.overload.map(|overload| {
        let most = overload
            .most
            .map_or_else(String::new, |it| format!(", {it} times at most"));
        format!(
            "each call in it above {} adds {} to the time{most} and {} to the failures",
            overload.above, overload.slowdown, overload.failures
        )
    }));
    phrases.extend(
        dependency
            .limit
            .map(|limit| format!("takes {limit}; refuses more")),
    );
    let shed = dependency.shed;
    phrases.extend(shed.map(|shed| format!("refuses what would wait longer than {shed}")));
    phrases
}

/// What goes wrong with a dependency, and when.
pub(super) fn trouble(trouble: &Trouble, model: &Model) -> String {
    let name = &model.dependencies[trouble.dependency].name;
    let slow = format!("{} times as slow", trouble.slowdown);
    let state = match (trouble.share == Ratio::ZERO, trouble.slowdown > 1.0) {
        (true, _) => return format!("{name} {}", windows(&slow, &trouble.windows)),
        (false, true) => format!("down, and {slow},"),
        (false, false) => "down".to_owned(),
    };
    let when = windows(&state, &trouble.windows);
    let share = match trouble.share {
        Ratio::ONE => String::new(),
        share => format!("{share} of "),
    };
    let fate = match trouble.in_flight {
        InFlight::Finish => "finishes",
        InFlight::Freeze => "freezes and goes on afterwards",
        InFlight::Crash(_) => "fails at once",
    };
    let answers = match trouble.answers {
        Answers::Hang => "hang",
        Answers::FailFast => "are refused at once",
    };
    format!("{share}{name} {when}; work in hand {fate}; calls {answers}")
}
