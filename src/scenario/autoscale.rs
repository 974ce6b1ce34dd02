//! `autoscale` of consumers: how a fleet's size follows its work.
//!
//! Not scheduled sizes: those are `schedule`.

use super::reading::{SHORTEST, at_least, pace};
use crate::input::{Entry, Fields, Problem, Problems, Read, Spanned, Value, Variant};
use crate::policy::scaling::{
    Behaviour, Direction, Hpa, Keda, Limit, Ramp, Rule, Scaling, TargetTracking, Watches,
};
use crate::units::{Rate, Ratio, SimDuration};

const RULES: [&str; 4] = ["hpa", "keda", "target_tracking", "ramp"];

/// Reads `autoscale` of a fleet of `count` consumers at first; none where it is wrong, which is
/// then a problem.
pub(super) fn read(
    entry: Option<&Entry>,
    count: u32,
    schedule: Option<&Entry>,
    problems: &mut Problems,
) -> Option<Scaling> {
    let entry = entry?;
    if let Some(schedule) = schedule {
        let title = "a fleet that follows both a schedule and its work";
        let problem = Problem::error(title, entry.key_span.clone(), "one of the two must go");
        problems.file(problem.also(schedule.key_span.clone(), "the schedule is here"));
    }
    let variant = Variant::of(&entry.value, "a way to scale", &RULES, problems)?;
    let mut fields = variant.fields(problems)?;
    let scaling = scaling(variant.name, &mut fields, problems);
    let place = fields.place();
    fields.close(problems);
    let scaling = scaling?;
    if scaling.min > scaling.max || !(scaling.min..=scaling.max).contains(&count) {
        let title = format!(
            "`count` is {count}, `min` {}, and `max` {}",
            scaling.min, scaling.max
        );
        let problem = Problem::error(title, place, "must be in the order min, count, max");
        problems.file(problem.help("`count` is the size at first"));
        return None;
    }
    Some(scaling)
}

fn scaling(rule: &str, fields: &mut Fields<'_>, problems: &mut Problems) -> Option<Scaling> {
    let watches = fields.or("watches", usual_watch(rule), problems);
    let min = fields.or("min", usual_fewest(rule), problems);
    let max = match fields.spanned::<u32>("max", problems) {
        Some(max) => at_least(&1, max, "max", problems),
        None => Some(usual_most(rule)),
    };
    let start_up = fields.or("start_up", SimDuration::ZERO, problems);
    let rule = match rule {
        "hpa" => hpa(fields, problems).map(Rule::Hpa),
        "keda" => keda(fields, problems).map(Rule::Keda),
        "target_tracking" => target_tracking(fields, problems).map(Rule::TargetTracking),
        _ => ramp(fields, problems).map(Rule::Ramp),
    };
    Some(Scaling {
        rule: rule?,
        watches,
        min,
        max: max?,
        start_up,
    })
}

/// KEDA's SQS trigger counts messages in flight too.
fn usual_watch(rule: &str) -> Watches {
    match rule {
        "keda" => Watches::DepthAndInFlight,
        _ => Watches::Depth,
    }
}

fn usual_fewest(rule: &str) -> u32 {
    match rule {
        "keda" => 0,
        "ramp" => 5,
        _ => 1,
    }
}

fn usual_most(rule: &str) -> u32 {
    match rule {
        "ramp" => 1_000,
        _ => 100,
    }
}

fn target(fields: &mut Fields<'_>, problems: &mut Problems) -> Option<f64> {
    let Spanned { it, span } = fields.required_spanned::<f64>("target", problems)?;
    if it.is_finite() && it > 0.0 {
        return Some(it);
    }
    let title = format!("`target` is {it}");
    problems.file(Problem::error(title, span, "must be above zero"));
    None
}

fn hpa(fields: &mut Fields<'_>, problems: &mut Problems) -> Option<Hpa> {
    let target = target(fields, problems);
    let sync = period(fields, "sync", 15, problems);
    let tolerance = Ratio::new(0.1).unwrap_or(Ratio::ZERO);
    let tolerance = fields.or("tolerance", tolerance, problems);
    let usual = Behaviour::default();
    let up = direction(fields.entry("up"), "up", usual.up, problems);
    let down = direction(fields.entry("down"), "down", usual.down, problems);
    Some(Hpa {
        target: target?,
        sync,
        tolerance,
        behaviour: Behaviour {
            up: up?,
            down: down?,
        },
    })
}

fn keda(fields: &mut Fields<'_>, problems: &mut Problems) -> Option<Keda> {
    let poll = period(fields, "poll", 30, problems);
    let cooldown = fields.or("cooldown", SimDuration::from_secs(300), problems);
    let activation = fields.or("activation", 0, problems);
    let keda = Keda {
        hpa: hpa(fields, problems)?,
        poll,
        cooldown,
        activation,
    };
    // It looks whenever one of both is due.
    if keda.look() < SHORTEST {
        let title = format!("`poll` every {poll} and `sync` every {}", keda.hpa.sync);
        let label = format!("are due less than {SHORTEST} apart");
        let problem = Problem::error(title, fields.place(), label);
        problems.file(problem.help("write both in whole milliseconds"));
        return None;
    }
    Some(keda)
}

fn target_tracking(fields: &mut Fields<'_>, problems: &mut Problems) -> Option<TargetTracking> {
    Some(TargetTracking {
        target: target(fields, problems)?,
        every: period(fields, "every", 60, problems),
        cooldown_out: fields.or("cooldown_out", SimDuration::ZERO, problems),
        cooldown_in: fields.or("cooldown_in", SimDuration::from_secs(300), problems),
    })
}

fn ramp(fields: &mut Fields<'_>, problems: &mut Problems) -> Option<Ramp> {
    let rate = fields.required_spanned::<Rate>("rate", problems)?;
    if rate.it.is_zero() {
        let problem = Problem::error("a ramp that does not rise", rate.span, "above zero");
        problems.file(problem);
        return None;
    }
    if rate.it.span_of(1) < SHORTEST {
        let title = format!("a ramp of {}", rate.it);
        let label = format!("must be at most one more every {SHORTEST}");
        problems.file(Problem::error(title, rate.span, label));
        return None;
    }
    Some(Ramp { rate: rate.it })
}

/// A time between looks.
fn period(
    fields: &mut Fields<'_>,
    key: &'static str,
    usual: u64,
    problems: &mut Problems,
) -> SimDuration {
    pace(fields, key, problems).unwrap_or(SimDuration::from_secs(usual))
}

fn direction(
    entry: Option<&Entry>,
    name: &str,
    usual: Direction,
    problems: &mut Problems,
) -> Option<Direction> {
    let Some(entry) = entry else {
        return Some(usual);
    };
    let mut fields = Fields::open(&entry.value, name, problems)?;
    let stabilization = fields.or("stabilization", usual.stabilization, problems);
    let per = period(&mut fields, "per", 15, problems);
    let percent = fields.spanned::<f64>("percent", problems);
    let consumers = fields.optional::<u32>("consumers", problems);
    fields.close(problems);
    if let Some(percent) = &percent
        && !(percent.it.is_finite() && percent.it >= 0.0)
    {
        let title = format!("`percent` is {}", percent.it);
        let problem = Problem::error(title, percent.span.clone(), "must be 0 or more");
        problems.file(problem);
        return None;
    }
    let percent = percent.map(|percent| Limit::Percent(percent.it, per));
    let consumers = consumers.map(|consumers| Limit::Consumers(consumers, per));
    let limits: Vec<_> = percent.into_iter().chain(consumers).collect();
    let limits = if limits.is_empty() {
        usual.limits
    } else {
        limits
    };
    Some(Direction {
        stabilization,
        limits,
    })
}

impl Read for Watches {
    const EXPECTS: &'static str =
        "\"depth\", \"depth_and_in_flight\" or { capped_depth = 192_000 }";

    fn read(value: &Value, problems: &mut Problems) -> Option<Self> {
        let words = ["depth", "depth_and_in_flight", "capped_depth"];
        let variant = Variant::of(value, "something to watch", &words, problems)?;
        if variant.name == "capped_depth" {
            if variant.refuses_plain("the most that is told", problems) {
                return None;
            }
            return u64::read(variant.body?, problems).map(Self::CappedDepth);
        }
        variant.bare(problems);
        Some(if variant.name == "depth" {
            Self::Depth
        } else {
            Self::DepthAndInFlight
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::scenario::Scenario;
    use std::path::Path;

    fn load(autoscale: &str) -> Result<Scenario, String> {
        let text = format!(
            "[run]\nstop = \"1h\"\n[producers.p]\nqueue = \"q\"\n\
             arrivals = {{ poisson = {{ rate = \"1/s\" }} }}\n[queues.q]\n[consumers.c]\n\
             queue = \"q\"\ncount = 5\nservice = \"1ms\"\nautoscale = {autoscale}\n"
        );
        let scenario = Scenario::from_text("a.toml", &text, &[], Path::new(""));
        scenario.map_err(|failure| failure.to_string())
    }

    #[test]
    fn every_rule_is_read_with_its_usual_settings() {
        for rule in [
            "{ hpa = { target = 100 } }",
            "{ keda = { target = 5, poll = \"10s\", activation = 3 } }",
            "{ target_tracking = { target = 100, max = 20 } }",
            "{ ramp = { rate = \"300/min\" } }",
            "{ hpa = { target = 9, watches = { capped_depth = 100 }, down = { percent = 10, \
             consumers = 4, per = \"1m\", stabilization = \"0s\" } } }",
        ] {
            let scenario = load(rule).expect(rule);
            let scaling = scenario.model.fleets.iter().next().expect("a fleet");
            assert!(scaling.scaling.is_some(), "{rule}");
        }
    }

    #[test]
    fn what_cannot_be_is_refused() {
        for (rule, reason) in [
            ("{ hpa = {} }", "lacks `target`"),
            ("{ hpa = { target = 0 } }", "must be above zero"),
            (
                "{ hpa = { target = 1, max = 3 } }",
                "in the order min, count, max",
            ),
            (
                "{ hpa = { target = 1, min = 6 } }",
                "in the order min, count, max",
            ),
            ("{ hpb = { target = 1 } }", "did you mean"),
            ("{ ramp = { rate = \"0/min\" } }", "does not rise"),
            (
                "{ hpa = { target = 1, up = { percent = -1 } } }",
                "must be 0 or more",
            ),
            (
                "{ hpa = { target = 1, watches = \"dept\" } }",
                "did you mean",
            ),
        ] {
            let told = load(rule).expect_err(rule);
            assert!(told.contains(reason), "{rule}: {told}");
        }
    }
}
