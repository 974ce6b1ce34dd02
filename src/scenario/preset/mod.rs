//! Presets: `preset = "sqs"` on a queue stands for the defaults of a broker. Before a scenario is
//! read, the keys that a preset gives, and that nobody wrote, are put into the table of the queue
//! and into those of the consumers that take from it, at the place of the preset's name.
//!
//! Not a second reader: what a key means is said where it is read, whoever wrote it.

mod list;

use std::borrow::Cow;

pub use list::{Given, Of, Preset, PresetKey};

use super::parse;
use crate::input::{Data, Entry, Fields, Problem, Problems, Read, Span, Spanned, Table, Value};

/// Brokers that are known, and not simulated yet.
const LATER: [&str; 2] = ["postgres", "kafka"];

/// All presets.
pub fn presets() -> &'static [Preset] {
    list::PRESETS
}

/// The preset of that name.
pub fn preset(name: &str) -> Option<&'static Preset> {
    presets().iter().find(|preset| preset.name == name)
}

/// The name of a preset, as a queue gives it: a word that is known.
pub(super) fn read(fields: &mut Fields<'_>, problems: &mut Problems) {
    let Some(Spanned { it: name, span }) = fields.spanned::<String>("preset", problems) else {
        return;
    };
    if preset(&name).is_some() {
        return;
    }
    if LATER.contains(&name.as_str()) {
        let title = format!("this version does not know the defaults of `{name}` yet");
        let problem = Problem::error(title, span, "would be ignored");
        problems.file(problem.help("remove `preset`, and write the keys that matter"));
        return;
    }
    let title = format!("`{name}` is not a preset");
    let problem = Problem::error(title, span, "unknown");
    problems.file(problem.suggest(&name, presets().iter().map(|preset| preset.name)));
}

/// The scenario with the keys of its presets in it.
pub(super) fn apply(root: &Value) -> Cow<'_, Value> {
    let uses = uses(root);
    if uses.is_empty() {
        return Cow::Borrowed(root);
    }
    let mut root = root.clone();
    for (queue, preset, place) in uses {
        for component in components(&mut root, "queues") {
            if component.key == queue {
                lay(&mut component.value, preset, Of::Queue, &place);
            }
        }
        for component in components(&mut root, "consumers") {
            if takes_from(&component.value, &queue) {
                lay(&mut component.value, preset, Of::Consumers, &place);
            }
        }
    }
    Cow::Owned(root)
}

/// The preset that a queue names, as it is written.
pub(super) fn written<'a>(root: &'a Value, queue: &str) -> Option<&'a str> {
    match &field(field(field(root, "queues")?, queue)?, "preset")?.data {
        Data::String(name) => Some(name),
        Data::Integer(_)
        | Data::Float(_)
        | Data::Boolean(_)
        | Data::Datetime
        | Data::Array(_)
        | Data::Table(_) => None,
    }
}

/// A key of a table.
pub(super) fn field<'a>(value: &'a Value, key: &str) -> Option<&'a Value> {
    let Data::Table(table) = &value.data else {
        return None;
    };
    table.get(key).map(|entry| &entry.value)
}

/// Which queues have which preset, and where they say so.
fn uses(root: &Value) -> Vec<(String, &'static Preset, Span)> {
    let Some(Data::Table(queues)) = field(root, "queues").map(|queues| &queues.data) else {
        return Vec::new();
    };
    let named = queues.entries.iter().filter_map(|entry| {
        let place = field(&entry.value, "preset")?.span.clone();
        let preset = preset(written(root, &entry.key)?)?;
        Some((entry.key.clone(), preset, place))
    });
    named.collect()
}

/// The components of a section.
pub(super) fn components<'a>(root: &'a mut Value, section: &str) -> &'a mut [Entry] {
    let Data::Table(top) = &mut root.data else {
        return &mut [];
    };
    let section = top.entries.iter_mut().find(|entry| entry.key == section);
    match section.map(|section| &mut section.value.data) {
        Some(Data::Table(table)) => &mut table.entries,
        Some(_) | None => &mut [],
    }
}

fn takes_from(consumers: &Value, queue: &str) -> bool {
    field(consumers, "queue").is_some_and(|found| found.data == Data::String(queue.to_owned()))
}

/// Lays the keys of a preset under those that a component has.
fn lay(component: &mut Value, preset: &Preset, of: Of, place: &Span) {
    for key in preset.keys.iter().filter(|key| key.of == of) {
        let wanted = key.with.is_none_or(|with| field(component, with).is_some());
        if let Some(mut value) = value(key.given, component).filter(|_| wanted) {
            put(&mut value, place);
            let path: Vec<_> = key.key.split('.').collect();
            insert(component, &path, value, place);
        }
    }
}

fn value(given: Given, component: &Value) -> Option<Value> {
    match given {
        Given::Toml(text) => parse::value(text, 0, &mut Problems::default()).ok(),
        Given::PerHandler(each) => {
            let written = field(component, "concurrency");
            let handlers = written.map_or(Some(1), |it| u32::read(it, &mut Problems::default()))?;
            Some(Value {
                span: 0..0,
                data: Data::Integer(i64::from(each) * i64::from(handlers)),
            })
        }
    }
}

/// Places a value, and all in it.
fn put(value: &mut Value, place: &Span) {
    value.span = place.clone();
    if let Data::Array(items) = &mut value.data {
        for item in items {
            put(item, place);
        }
    }
}

/// Inserts a value where there is none. What is not a table is left to its reader.
fn insert(into: &mut Value, path: &[&str], value: Value, place: &Span) {
    let (Data::Table(table), [key, rest @ ..]) = (&mut into.data, path) else {
        return;
    };
    let found = table.entries.iter_mut().find(|entry| entry.key == *key);
    if let Some(entry) = found {
        insert(&mut entry.value, rest, value, place);
        return;
    }
    let mut entry = Entry {
        key: (*key).to_owned(),
        key_span: place.clone(),
        value,
    };
    if !rest.is_empty() {
        let mut inner = Value {
            span: place.clone(),
            data: Data::Table(Table::default()),
        };
        insert(&mut inner, rest, entry.value, place);
        entry.value = inner;
    }
    table.entries.push(entry);
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::model::{Ack, Counted, Grouping, Intake, LateAck, Overflow, Redelivery, RetryPlace};
    use crate::policy::retry::Backoff;
    use crate::scenario::{Color, Scenario, explain};
    use crate::units::SimDuration;

    const JOBS: &str = r#"
        [run]
        stop = "1h"
        [producers.p]
        queue = "jobs"
        keys = 100
        arrivals = { poisson = { rate = "1/s" } }
        [queues.jobs]
        [queues.other]
        [consumers.fleet]
        queue = "jobs"
        service = "1ms"
        [consumers.others]
        queue = "other"
        service = "1ms"
    "#;

    fn load(sets: &[&str]) -> Result<Scenario, String> {
        let sets: Vec<String> = sets.iter().map(|set| (*set).to_owned()).collect();
        Scenario::from_text("a.toml", JOBS, &sets, Path::new(""))
            .map_err(|failure| failure.render(Color::Never))
    }

    fn with(preset: &str, sets: &[&str]) -> Scenario {
        let preset = format!("queues.jobs.preset={preset}");
        let mut all = vec![preset.as_str()];
        all.extend(sets);
        load(&all).expect(&preset)
    }

    #[test]
    fn each_preset_is_read_and_each_of_its_keys_is_known() {
        for preset in presets() {
            with(preset.name, &["queues.jobs.capacity=10"]);
            for key in preset.keys {
                assert_eq!(explain(&key.pattern()).len(), 1, "{}", key.pattern());
                assert!(!key.source.is_empty(), "{}", key.pattern());
            }
        }
    }

    #[test]
    fn a_preset_reaches_the_queue_and_its_consumers_only() {
        let model = with("sidekiq", &[]).model;
        let [fleet, others] = [0, 1].map(|at| model.fleets.iter().nth(at).expect("two fleets"));
        assert_eq!((fleet.concurrency, fleet.handling.ack), (5, Ack::Before));
        let retry = fleet.handling.retry.expect("a retry");
        assert_eq!(retry.policy.backoff, Backoff::Sidekiq);
        assert_eq!(
            (retry.policy.attempts, retry.place),
            (26, RetryPlace::Delayed)
        );
        assert_eq!((others.concurrency, others.handling.ack), (1, Ack::After));
        assert_eq!(others.handling.retry, None);
    }

    #[test]
    fn what_is_written_goes_before_the_preset() {
        let delivery = |sets: &[&str]| {
            let model = with("sqs_fifo", sets).model;
            let queue = model.queues.iter().next().expect("a queue").clone();
            queue.delivery
        };
        let plain = delivery(&[]);
        assert_eq!(plain.grouping, Grouping::ByKey);
        assert_eq!(plain.late_ack, LateAck::Refused);
        let timeout = |redelivery| match redelivery {
            Redelivery::Visibility(visibility) => Some(visibility.timeout),
            Redelivery::OnDisconnect => None,
        };
        assert_eq!(timeout(plain.redelivery), Some(SimDuration::from_secs(30)));
        let own = delivery(&[
            "queues.jobs.delivery.visibility_timeout=2m",
            "queues.jobs.groups=false",
        ]);
        assert_eq!(timeout(own.redelivery), Some(SimDuration::from_secs(120)));
        assert_eq!(own.grouping, Grouping::None);
        assert_eq!(
            own.late_ack,
            LateAck::Refused,
            "the rest of the table stays"
        );
    }

    #[test]
    fn a_prefetch_follows_the_handlers() {
        let prefetch = |sets: &[&str]| {
            let model = with("redis_celery", sets).model;
            model
                .fleets
                .iter()
                .next()
                .map(|fleet| fleet.handling.intake)
        };
        assert_eq!(prefetch(&[]), Some(Intake::Push { prefetch: 4 }));
        let eight = prefetch(&["consumers.fleet.concurrency=8"]);
        assert_eq!(eight, Some(Intake::Push { prefetch: 32 }));
        let one = prefetch(&[
            "consumers.fleet.concurrency=8",
            "consumers.fleet.prefetch=1",
        ]);
        assert_eq!(one, Some(Intake::Push { prefetch: 1 }));
    }

    #[test]
    fn a_classic_queue_drops_its_head_when_it_has_a_bound() {
        let overflow = |sets: &[&str]| {
            let model = with("rabbitmq_classic", sets).model;
            model.queues.iter().next().map(|queue| queue.overflow)
        };
        assert_eq!(overflow(&[]), Some(Overflow::Refuse));
        let bounded = overflow(&["queues.jobs.capacity=10"]);
        assert_eq!(bounded, Some(Overflow::DropOldest));
        let quorum = with("rabbitmq_quorum", &[]).model;
        let limit = quorum
            .queues
            .iter()
            .next()
            .and_then(|queue| queue.delivery.return_limit);
        let counts = limit.expect("a limit").counts;
        assert_eq!((counts.crash, counts.timeout), (Counted::Yes, Counted::No));
    }

    #[test]
    fn unknown_presets_and_wrong_keys_are_shown_at_the_preset() {
        let told = |set: &str| load(&[set]).expect_err(set);
        assert!(told("queues.jobs.preset=sqss").contains("did you mean `sqs`?"));
        assert!(told("queues.jobs.preset=postgres").contains("yet"));
        let keyless = load(&["queues.other.preset=sqs_fifo", "producers.p.queue=other"]);
        assert!(keyless.is_ok());
        let text = JOBS.replace("keys = 100\n", "\n");
        let set = "queues.jobs.preset=sqs_fifo".to_owned();
        let failure = Scenario::from_text("a.toml", &text, &[set], Path::new("")).unwrap_err();
        let told = failure.render(Color::Never);
        assert!(told.contains("--set queues.jobs.preset=sqs_fifo"), "{told}");
    }
}
