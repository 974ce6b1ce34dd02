//! Keys that are switched off: `dedup_window = "none"`. What is written goes before a preset, so
//! this is how a preset's default is taken away; afterwards it is as if nobody had written the key.
//!
//! Not keys whose words mean something of their own, such as `prefetch = "unlimited"`.

use std::borrow::Cow;

use super::preset;
use crate::input::{Data, Value};

/// The keys of a section that can be none, as paths below a component.
const KEYS: [(&str, &[&str]); 2] = [
    (
        "queues",
        &[
            "retention",
            "ttl",
            "memory",
            "dead_letter",
            "redrive",
            "dedup_window",
            "calls",
            "calls.send",
            "calls.receive",
            "calls.delete",
            "delivery",
            "delivery.visibility_timeout",
            "delivery.heartbeat",
            "delivery.sweep",
            "delivery.max_receives",
            "delivery.return_limit",
            "delivery.ack_timeout",
            "delivery.max_in_flight",
        ],
    ),
    (
        "consumers",
        &["prefetch", "batch", "limit", "retry", "crash", "autoscale"],
    ),
];

/// Keys that have no meaning without a visibility timeout, as far as a preset gives them.
const WITH_VISIBILITY: [&str; 4] = ["heartbeat", "max_extension", "sweep", "late_ack"];

/// Whether a value switches its key off.
fn is_off(path: &str, value: &Value) -> bool {
    let Data::String(word) = &value.data else {
        return false;
    };
    match word.as_str() {
        "none" => true,
        "unlimited" => {
            path.starts_with("calls.") || path.contains(".max_") || path.ends_with("_limit")
        }
        "0s" => path == "dedup_window",
        _ => false,
    }
}

/// The scenario without the keys that are switched off.
pub(super) fn strip(root: Cow<'_, Value>) -> Cow<'_, Value> {
    let any = KEYS.iter().any(|(section, paths)| {
        let components = preset::field(&root, section).map(|it| &it.data);
        let Some(Data::Table(components)) = components else {
            return false;
        };
        let off = |value: &Value| paths.iter().any(|path| find(value, path));
        components.entries.iter().any(|entry| off(&entry.value))
    });
    if !any {
        return root;
    }
    let mut root = root.into_owned();
    for (section, paths) in KEYS {
        for component in preset::components(&mut root, section) {
            let place = preset::field(&component.value, "preset").map(|it| it.span.clone());
            for path in paths {
                if !find(&component.value, path) {
                    continue;
                }
                remove(&mut component.value, path, |_| true);
                if *path == "delivery.visibility_timeout" {
                    for key in WITH_VISIBILITY {
                        let given = |span: &_| Some(span) == place.as_ref();
                        remove(&mut component.value, &format!("delivery.{key}"), given);
                    }
                }
            }
        }
    }
    Cow::Owned(root)
}

/// Whether a component switches a key off.
fn find(component: &Value, path: &str) -> bool {
    let found = path
        .split('.')
        .try_fold(component, |value, key| preset::field(value, key));
    found.is_some_and(|value| is_off(path, value))
}

/// Removes a key whose place is one that is meant.
fn remove(value: &mut Value, path: &str, meant: impl Fn(&crate::input::Span) -> bool) {
    let Data::Table(table) = &mut value.data else {
        return;
    };
    match path.split_once('.') {
        None => table
            .entries
            .retain(|entry| entry.key != path || !meant(&entry.key_span)),
        Some((key, rest)) => {
            let inner = table.entries.iter_mut().find(|entry| entry.key == key);
            if let Some(inner) = inner {
                remove(&mut inner.value, rest, meant);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::model::{Delivery, Grouping, Intake, Queue, Redelivery};
    use crate::scenario::Scenario;

    fn load(preset: &str, sets: &[&str]) -> Scenario {
        let text = format!(
            "[run]\nstop = \"1h\"\n[producers.p]\nqueue = \"q\"\nkeys = 9\narrivals = {{ poisson = \
             {{ rate = \"1/s\" }} }}\n[queues.q]\npreset = \"{preset}\"\n[consumers.c]\nqueue = \
             \"q\"\nservice = \"1ms\"\n"
        );
        let sets: Vec<String> = sets.iter().map(|set| (*set).to_owned()).collect();
        let scenario = Scenario::from_text("a.toml", &text, &sets, std::path::Path::new(""));
        scenario.unwrap_or_else(|failure| panic!("{sets:?}\n{failure}"))
    }

    fn queue(scenario: &Scenario) -> &Queue {
        scenario.model.queues.iter().next().expect("one")
    }

    #[test]
    fn every_default_of_a_preset_can_be_taken_away() {
        let plain = load("sqs_fifo", &[]);
        let given = &queue(&plain).delivery;
        assert!(given.dedup_window.is_some() && given.max_in_flight.is_some());
        let off = load(
            "sqs_fifo",
            &[
                "queues.q.dedup_window=0s",
                "queues.q.retention=none",
                "queues.q.delivery.visibility_timeout=none",
                "queues.q.delivery.max_in_flight=unlimited",
                "queues.q.calls.send=none",
                "queues.q.calls.receive=unlimited",
                "queues.q.calls.delete=none",
            ],
        );
        assert_eq!(queue(&off).retention, None);
        let plain = Delivery {
            grouping: Grouping::ByKey,
            ..Delivery::default()
        };
        assert_eq!(queue(&off).delivery, plain);
        let calls = load("sqs_fifo", &["queues.q.calls=none"]);
        assert_eq!(queue(&calls).delivery.calls, plain.calls);
        let visible = queue(&calls).delivery.redelivery;
        assert!(matches!(visible, Redelivery::Visibility(_)));
    }

    #[test]
    fn a_prefetch_can_be_none() {
        let intake = |sets: &[&str]| {
            let scenario = load("rabbitmq_quorum", sets);
            let fleet = scenario.model.fleets.iter().next().expect("one");
            fleet.handling.intake
        };
        assert!(matches!(intake(&[]), Intake::Push { .. }));
        assert_eq!(intake(&["consumers.c.prefetch=none"]), Intake::Pull);
    }
}
