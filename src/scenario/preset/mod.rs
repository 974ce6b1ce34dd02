//! Presets: `preset = "sqs"` on a queue stands for the defaults of a broker, and `preset =
//! "resilience4j"` in `calls` for those of a library that defends its callers. Before a scenario
//! is read, the keys that a preset gives, and that nobody wrote, are put into the table of the
//! queue and into those of the consumers that take from it, or into that of the calls, at the
//! place of the preset's name.
//!
//! Not a second reader: what a key means is said where it is read, whoever wrote it.

mod defences;
mod list;

use std::borrow::Cow;
use std::sync::LazyLock;

pub use list::{Given, Of, Preset, PresetKey};

use super::parse;
use crate::input::{Data, Entry, Fields, Problem, Problems, Read, Span, Spanned, Table, Value};

/// Brokers that are known, and not simulated yet.
const LATER: [&str; 2] = ["postgres", "kafka"];

/// All presets.
pub fn presets() -> &'static [Preset] {
    &PRESETS
}

static PRESETS: LazyLock<Vec<Preset>> =
    LazyLock::new(|| [list::PRESETS, defences::PRESETS].concat());

/// The preset of that name.
pub fn preset(name: &str) -> Option<&'static Preset> {
    presets().iter().find(|preset| preset.name == name)
}

/// The name of a preset, as a queue gives it: a word that is known.
pub(super) fn read(fields: &mut Fields<'_>, problems: &mut Problems) {
    read_of(fields, list::PRESETS, "a queue", problems);
}

/// The same, as `calls` give it.
pub(super) fn read_defences(fields: &mut Fields<'_>, problems: &mut Problems) {
    read_of(fields, defences::PRESETS, "`calls`", problems);
}

fn read_of(fields: &mut Fields<'_>, known: &[Preset], of: &str, problems: &mut Problems) {
    let Some(Spanned { it: name, span }) = fields.spanned::<String>("preset", problems) else {
        return;
    };
    if known.iter().any(|preset| preset.name == name) {
        return;
    }
    if LATER.contains(&name.as_str()) {
        let title = format!("this version does not know the defaults of `{name}` yet");
        let problem = Problem::error(title, span, "would be ignored");
        problems.file(problem.help("remove `preset`, and write the keys that matter"));
        return;
    }
    let (title, label) = match preset(&name) {
        Some(_) => (
            format!("`{name}` is not a preset of {of}"),
            "of another kind",
        ),
        None => (format!("`{name}` is not a preset"), "unknown"),
    };
    let problem = Problem::error(title, span, label);
    problems.file(problem.suggest(&name, known.iter().map(|preset| preset.name)));
}

/// The scenario with the keys of its presets in it.
pub(super) fn apply(root: &Value) -> Cow<'_, Value> {
    let uses = uses(root);
    if uses.is_empty() && !defended(root) {
        return Cow::Borrowed(root);
    }
    let mut root = root.clone();
    for section in CALLING {
        components(&mut root, section).iter_mut().for_each(defend);
    }
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

/// Who can call.
const CALLING: [&str; 2] = ["producers", "consumers"];

/// Whether any calls have a preset.
fn defended(root: &Value) -> bool {
    let of = |section: &str| match field(root, section).map(|section| &section.data) {
        Some(Data::Table(table)) => table.entries.iter().any(|it| defence(&it.value).is_some()),
        Some(_) | None => false,
    };
    CALLING.into_iter().any(of)
}

/// The preset of the calls of a component, and where it is named.
fn defence(component: &Value) -> Option<(&'static Preset, Span)> {
    let named = field(field(component, "calls")?, "preset")?;
    let Data::String(name) = &named.data else {
        return None;
    };
    let preset = defences::PRESETS.iter().find(|it| it.name == *name)?;
    Some((preset, named.span.clone()))
}

/// Lays the preset of the calls of a component under them.
fn defend(component: &mut Entry) {
    let Some((preset, place)) = defence(&component.value) else {
        return;
    };
    let Data::Table(table) = &mut component.value.data else {
        return;
    };
    let calls = table
        .entries
        .iter_mut()
        .filter(|entry| entry.key == "calls");
    calls.for_each(|calls| lay(&mut calls.value, preset, Of::Calls, &place));
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

/// The value of a key, when there is a table that has it.
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
        if rest.is_empty() {
            complete(&mut entry.value, value, place);
        } else {
            insert(&mut entry.value, rest, value, place);
        }
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

/// Fills in the parameters that a written policy lacks, where the preset's is of the same kind: an
/// `exponential` with a base of its own gets the preset's cap, and a `fixed` gets nothing.
fn complete(written: &mut Value, of_preset: Value, place: &Span) {
    let (Data::Table(written), Data::Table(of_preset)) = (&mut written.data, of_preset.data) else {
        return;
    };
    for kind in of_preset.entries {
        let same = written.entries.iter_mut().find(|it| it.key == kind.key);
        let (Some(same), Data::Table(parameters)) = (same, kind.value.data) else {
            continue;
        };
        for Entry { key, mut value, .. } in parameters.entries {
            put(&mut value, place);
            insert(&mut same.value, &[&key], value, place);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::model::{
        Ack, Caller, Counted, Grouping, Intake, LateAck, Overflow, Redelivery, RetryPlace,
    };
    use crate::policy::breaker::Breaker;
    use crate::policy::concurrency::ConcurrencyLimit;
    use crate::policy::retry::Backoff;
    use crate::policy::retry::budget::{AwsStandard, Budget};
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
            match preset.keys[0].of {
                Of::Queue | Of::Consumers => {
                    with(preset.name, &["queues.jobs.capacity=10"]);
                }
                Of::Calls => {
                    defended_by(preset.name, "");
                }
            }
            for key in preset.keys {
                assert_eq!(explain(&key.pattern()).len(), 1, "{}", key.pattern());
                assert!(!key.source.is_empty(), "{}", key.pattern());
            }
        }
    }

    /// The caller that the fleet is with a preset, and more of its calls.
    fn defended_by(preset: &str, more: &str) -> Caller {
        let calls = format!("{{ dependency = \"bank\", preset = \"{preset}\"{more} }}");
        let sets = [
            "dependencies.bank={ servers = 1, service = \"1ms\" }".to_owned(),
            format!("consumers.fleet.calls={calls}"),
        ];
        let scenario = load(&[&sets[0], &sets[1]]).expect(preset);
        let caller = scenario.model.callers.iter().next();
        caller.expect("a caller").clone()
    }

    #[test]
    fn a_library_defends_as_it_does_by_default_unless_something_else_is_said() {
        let plain = defended_by("resilience4j", "");
        assert_eq!(plain.breaker, Some(Breaker::default()));
        assert_eq!(plain.concurrency, Some(ConcurrencyLimit::RESILIENCE4J));
        let half = SimDuration::from_millis(500);
        let retry = |caller: &Caller| caller.retry.expect("a retry");
        assert_eq!(
            (retry(&plain).attempts, retry(&plain).backoff),
            (3, Backoff::Fixed(half))
        );
        let own = defended_by("resilience4j", ", retry = { attempts = 5 }");
        assert_eq!(
            (retry(&own).attempts, retry(&own).backoff),
            (5, Backoff::Fixed(half)),
            "what is not said stays"
        );
        let aws = retry(&defended_by("aws_sdk_standard", ""));
        assert_eq!(
            aws.budget,
            Some(Budget::AwsStandard(AwsStandard::default()))
        );
        // The cap of 20 s stays under a base of its own; another kind of backoff has none.
        let own = ", retry = { backoff = { exponential = { base = \"3s\" } } }";
        let own = retry(&defended_by("aws_sdk_standard", own));
        assert_eq!((own.mean_delay(0), own.mean_delay(9)), (1.5, 10.0));
        let fixed = ", retry = { backoff = { fixed = \"3s\" } }";
        let fixed = retry(&defended_by("aws_sdk_standard", fixed)).backoff;
        assert_eq!(fixed, Backoff::Fixed(SimDuration::from_secs(3)));
        // U(0, 1 s), then U(0, 2 s).
        assert_eq!((aws.mean_delay(0), aws.mean_delay(1)), (0.5, 1.0));
    }

    #[test]
    fn presets_of_brokers_and_of_calls_are_not_confused() {
        let told = load(&["queues.jobs.preset=resilience4j"]).expect_err("no broker");
        assert!(
            told.contains("`resilience4j` is not a preset of a queue"),
            "{told}"
        );
        let told = load(&[
            "dependencies.bank={ servers = 1, service = \"1ms\" }",
            "consumers.fleet.calls={ dependency = \"bank\", preset = \"resiliense4j\" }",
        ]);
        let told = told.expect_err("a slip");
        assert!(told.contains("did you mean `resilience4j`?"), "{told}");
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
