//! How a fleet's size follows its work, in words.
//!
//! Not its reader.

use crate::policy::scaling::{Direction, Hpa, Limit, Rule, Scaling, Watches};

/// What was understood of `autoscale`.
pub(super) fn words(scaling: &Scaling) -> String {
    let Scaling {
        rule,
        watches,
        min,
        max,
        start_up,
    } = scaling;
    let watches = match watches {
        Watches::Depth => "messages that wait".to_owned(),
        Watches::DepthAndInFlight => "messages that wait or are in flight".to_owned(),
        Watches::CappedDepth(most) => format!("messages that wait, no more than {most}"),
    };
    let rule = match rule {
        Rule::Hpa(it) => hpa("HPA", it),
        Rule::Keda(it) => format!(
            "{}, polls every {}, from none above {}, to none after {}",
            hpa("KEDA", &it.hpa),
            it.poll,
            it.activation,
            it.cooldown
        ),
        Rule::TargetTracking(it) => format!(
            "target tracking: {} each, every {}, grows again after {}, shrinks after {}",
            it.target, it.every, it.cooldown_out, it.cooldown_in
        ),
        Rule::Ramp(it) => format!("one more every {} while any wait", it.rate.span_of(1)),
    };
    let start_up = if start_up.is_zero() {
        String::new()
    } else {
        format!(", start up in {start_up}")
    };
    format!("; {min} to {max} consumers by {watches}: {rule}{start_up}")
}

fn hpa(name: &str, hpa: &Hpa) -> String {
    let Hpa {
        target,
        sync,
        tolerance,
        behaviour,
    } = hpa;
    format!(
        "{name} with {target} each, every {sync}, tolerance {tolerance}, up {}, down {}",
        direction(&behaviour.up),
        direction(&behaviour.down)
    )
}

fn direction(direction: &Direction) -> String {
    let limit = |limit: &Limit| match limit {
        Limit::Consumers(count, per) => format!("{count} per {per}"),
        Limit::Percent(percent, per) => format!("{percent} % per {per}"),
    };
    let limits: Vec<_> = direction.limits.iter().map(limit).collect();
    let after = if direction.stabilization.is_zero() {
        "at once".to_owned()
    } else {
        format!("after {}", direction.stabilization)
    };
    if limits.is_empty() {
        return after;
    }
    format!("{after} by {}", limits.join(" or "))
}
