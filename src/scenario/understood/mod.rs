//! What was understood of a scenario, part by part, defaults and units included: the output of
//! `check`, and the head of `run`.
//!
//! Not the results.

mod calls;
mod delivery;
mod handling;
mod scaling;
mod stamp;

use super::Scenario;
use super::load::{Load, short};
use super::preset;
use super::redelivered::Redelivered;
use crate::input::{Data, Entry, Table, Value};
use crate::model::{
    Counts, Fleet, FleetId, InFlight, LengthCheck, Model, OnLimit, Origin, Outage, Overflow,
    Producer, Queue, QueueId, Replications, Restart, Returned, Returns, Staffing, Stop, Warmup,
    Windows,
};
use crate::policy::admission::Admission;
use crate::policy::order::Order;
use crate::policy::publish::PublishPolicy;
use crate::units::{Ratio, SimTime};

/// A part of a scenario in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Which: `producers.checkout`.
    pub name: String,
    /// What was understood of it, in one line.
    pub text: String,
}

/// The parts in the order of the sections: run, producers, queues, consumers, calls, dependencies,
/// outages, alerts, expectations, objectives, sweep.
pub(super) fn parts(scenario: &Scenario) -> Vec<Part> {
    let model = &scenario.model;
    let part = |name: &str, text: String| Part {
        name: name.to_owned(),
        text,
    };
    let mut parts = vec![part("run", run(model))];
    for producer in &model.producers {
        if let Origin::Arrivals { .. } = producer.origin {
            parts.push(part(
                &producer.name,
                source(producer, model, &scenario.root),
            ));
        }
    }
    for (id, queue) in model.queues.pairs() {
        let text = self::queue(id, queue, model);
        let preset = queue.name.strip_prefix("queues.");
        let preset = preset.and_then(|name| preset::written(&scenario.root, name));
        let preset = preset.map_or_else(String::new, |name| format!("preset {name}; "));
        parts.push(part(&queue.name, preset + &text));
    }
    let load = Load::of(model);
    for (id, fleet) in model.fleets.pairs() {
        parts.push(part(&fleet.name, self::fleet(id, model, &load)));
    }
    for (id, caller) in model.callers.pairs() {
        let text = calls::caller(caller, load.requests(id), model);
        parts.push(part(&format!("{}.calls", caller.name), text));
    }
    for (id, dependency) in model.dependencies.pairs() {
        parts.push(part(
            &dependency.name,
            calls::dependency(id, dependency, model, &load),
        ));
    }
    for outage in &model.outages {
        parts.push(part("outage", self::outage(outage, model)));
    }
    for trouble in &model.troubles {
        parts.push(part("outage", calls::trouble(trouble, model)));
    }
    for alert in &model.alerts {
        let name = if alert.name == alert.text {
            ""
        } else {
            &format!("{}: ", alert.name)
        };
        let held = match alert.hold {
            hold if hold.is_zero() => String::new(),
            hold => format!(" for {hold}"),
        };
        let text = format!(
            "{name}{}{held}, evaluated every {}",
            alert.text, alert.every
        );
        parts.push(part("alert", text));
    }
    let conditions = |name, list: &[_]| {
        let text = |it: &super::Condition| part(name, it.text.clone());
        list.iter().map(text).collect::<Vec<_>>()
    };
    parts.extend(conditions("expect", &scenario.expectations));
    parts.extend(conditions("objective", &scenario.objectives));
    parts.extend(scenario.sweep.in_words().map(|text| part("sweep", text)));
    let compare = scenario.compare.in_words();
    parts.extend(compare.map(|text| part("compare", text)));
    parts
}

/// The parts as a text with the names in a column.
pub(super) fn render(parts: &[Part]) -> String {
    let width = parts
        .iter()
        .map(|part| part.name.chars().count())
        .max()
        .unwrap_or(0);
    let line = |part: &Part| format!("{:width$}  {}\n", part.name, part.text);
    parts.iter().map(line).collect::<Vec<_>>().concat()
}

fn run(model: &Model) -> String {
    let plan = &model.plan;
    let stop = match plan.stop {
        Stop::Drained => format!("until drained, at most {}", plan.horizon),
        Stop::Settled => format!("until settled, at most {}", plan.horizon),
        Stop::At(end) => format!("for {end}"),
    };
    let times = match &plan.replications {
        Replications::Fixed(1) => "once".to_owned(),
        Replications::Fixed(times) => format!("{times} replications"),
        Replications::Until(goal) => format!(
            "replications until {} is known to +-{}, at most {}",
            goal.of.join(" and "),
            goal.target,
            goal.at_most
        ),
    };
    let warmup = match plan.warmup {
        Warmup::For(span) if span.is_zero() => "no warm-up".to_owned(),
        Warmup::For(span) => format!("a warm-up of {span}"),
        Warmup::Auto => "a warm-up found by MSER-5".to_owned(),
    };
    let alive = plan.most_alive;
    format!(
        "{stop}; {times}, seed {}, {warmup}; at most {alive} messages alive",
        plan.seed.0
    )
}

/// A producer with arrivals of its own.
fn source(producer: &Producer, model: &Model, root: &Value) -> String {
    let Origin::Arrivals {
        start,
        arrivals,
        count,
        until,
    } = &producer.origin
    else {
        return String::new();
    };
    let mut words = vec![written(root, &producer.name).map_or_else(String::new, process)];
    // A constant or a Poisson process shows its rate already.
    if arrivals.interarrival().is_none()
        && let Some(rate) = arrivals.mean_rate()
    {
        words.push(format!(" ({}/s in the long run)", short(rate)));
    }
    if start.as_nanos() > 0 {
        words.push(format!(", from {start}"));
    }
    words.extend(until.map(|until| format!(", until {until}")));
    words.extend(count.map(|count| format!(", {count} in all")));
    words.push(match producer.calls {
        Some(_) => ", calls inline".to_owned(),
        None => publishing(producer, model),
    });
    words.concat()
}

/// Where a publisher's messages go, what they are, what it does when refused.
fn publishing(producer: &Producer, model: &Model) -> String {
    let queues = producer
        .queues
        .iter()
        .map(|queue| model.queues[*queue].name.as_str());
    let queues = queues.collect::<Vec<_>>().join(" + ");
    let refused = match &producer.on_full {
        PublishPolicy::Reject => "fails at once when refused".to_owned(),
        PublishPolicy::Block(blocking) => {
            let long = blocking.timeout.map(|span| format!("up to {span}"));
            let long = long.unwrap_or_else(|| "as long as it takes".to_owned());
            let many = match blocking.connections {
                u64::MAX => String::new(),
                many => format!(" on at most {many} connections"),
            };
            format!("blocks {long}{many} when refused")
        }
        PublishPolicy::Retry(policy) => handling::tries(policy),
    };
    let priority = match producer.priority.law() {
        law if law.mean() == 0.0 => String::new(),
        _ => format!(", priority {}", law(&producer.priority)),
    };
    let stamp = stamp::phrases(&producer.stamp);
    let stamp = stamp.iter().map(|phrase| format!(", {phrase}"));
    format!(
        " -> {queues}; size {}{priority}{}; {refused}",
        law(&producer.size),
        stamp.collect::<String>()
    )
}

fn queue(id: QueueId, queue: &Queue, model: &Model) -> String {
    let mut phrases = vec![bound(queue)];
    let order = match queue.order {
        Order::Fifo => "first in, first out",
        Order::Lifo => "last in, first out",
        Order::Random => "in random order",
        Order::Priority => "highest priority first",
    };
    phrases.push(order.to_owned());
    phrases.extend(
        queue
            .retention
            .map(|span| format!("keeps messages for {span}")),
    );
    phrases.extend(
        queue
            .ttl
            .map(|span| format!("delivers none older than {span}")),
    );
    phrases.extend(queue.memory.map(|memory| match memory.on_limit {
        OnLimit::Block => format!("blocks publishers at {}", memory.limit),
        OnLimit::Refuse => format!("refuses at {}", memory.limit),
        OnLimit::Crash { restart } => {
            format!("crashes at {}, back after {restart}", memory.limit)
        }
    }));
    phrases.extend(delivery::phrases(&queue.delivery, model));
    if blocks(id, model) {
        phrases.push(match queue.admission {
            Admission::Fifo => "admits blocked publishers as they came".to_owned(),
            Admission::NewcomersFirst => "admits newcomers before the blocked".to_owned(),
            Admission::WakeUp(span) => {
                format!("a blocked publisher wakes up in {span}, newcomers go ahead meanwhile")
            }
            Admission::Random => "admits blocked publishers at random".to_owned(),
            Admission::Lifo => "admits the last blocked publisher first".to_owned(),
        });
    }
    phrases.join("; ")
}

fn bound(queue: &Queue) -> String {
    let bound = match (queue.capacity, queue.counts) {
        (u64::MAX, _) => return "unbounded".to_owned(),
        (capacity, Counts::Waiting) => format!("at most {capacity} waiting"),
        (capacity, Counts::WaitingAndInFlight) => format!("at most {capacity} in all"),
    };
    let overflow = match queue.overflow {
        Overflow::Refuse => ", refuses when full",
        Overflow::DropOldest => ", drops its oldest when full",
        Overflow::DropNewest => ", drops the newest when full",
        Overflow::DropLowest => ", drops the lowest priority when full",
    };
    let returned = match queue.returned {
        Returned::Keep => "",
        Returned::Drop => ", drops what comes back when full",
    };
    let check = match queue.length_check {
        LengthCheck::Message => "",
        LengthCheck::Batch => ", looks at that once a call",
    };
    bound + overflow + check + returned
}

fn blocks(id: QueueId, model: &Model) -> bool {
    model.producers.iter().any(|producer| {
        producer.queues.contains(&id) && matches!(producer.on_full, PublishPolicy::Block(_))
    })
}

fn fleet(id: FleetId, model: &Model, load: &Load) -> String {
    let fleet = &model.fleets[id];
    let Fleet {
        count,
        concurrency,
        service,
        ..
    } = fleet;
    let queue = &model.queues[fleet.queue].name;
    let mut words = vec![format!(
        "{count} x {concurrency} handlers of {queue}, {}",
        law(service)
    )];
    let change = |change: &Staffing| format!("; {} consumers from {}", change.count, change.from);
    words.extend(fleet.staffing.iter().map(change));
    words.extend(fleet.scaling.as_ref().map(scaling::words));
    let alone = load.readers(fleet.queue) == 1;
    let capacity = if alone {
        load.capacity(fleet.queue)
    } else {
        Load::of_fleet(fleet, model)
    };
    words.push(format!(": {}/s", short(capacity)));
    let rate = load.offered(fleet.queue).filter(|rate| *rate > 0.0);
    if let Some(rate) = rate.filter(|_| alone) {
        words.push(format!(
            ", offered load {}",
            short(rate * Load::held(fleet, model))
        ));
        if capacity > 0.0 {
            words.push(format!(", utilization {:.2}", rate / capacity));
        }
        words.extend(Redelivered::of(model, id, load).map(|again| again.words()));
    }
    let handling = handling::phrases(&fleet.handling).into_iter();
    let handling = handling.chain(handling::unsaid(id, model));
    words.extend(handling.map(|phrase| format!("; {phrase}")));
    if let Some(publishes) = fleet.publishes {
        let publisher = publishing(&model.producers[publishes.producer], model);
        words.push(format!("; publishes {}{publisher}", publishes.copies));
    }
    words.concat()
}

fn outage(outage: &Outage, model: &Model) -> String {
    let name = &model.fleets[outage.fleet].name;
    let windows = self::windows("down", &outage.windows);
    let fate = match outage.in_flight {
        InFlight::Finish => "finishes",
        InFlight::Freeze => "freezes and goes on afterwards",
        InFlight::Crash(Returns::AtOnce) => "is lost and comes back at once",
        InFlight::Crash(Returns::AtRestart) => "is lost and comes back at the restart",
    };
    let restart = match outage.restart {
        Restart::InPhase => "restarts in phase",
        Restart::Staggered => "restarts one by one over a mean service time",
    };
    let share = match outage.share {
        Ratio::ONE => String::new(),
        share => format!("{share} of "),
    };
    format!("{share}{name} {windows}; work in hand {fate}; {restart}")
}

/// When a component is `down`, or whatever else it is: `down from 1m to 2m`, or the laws of the
/// times.
fn windows(state: &str, windows: &Windows) -> String {
    match windows {
        Windows::Fixed(windows) => {
            let window = |(start, span): &(SimTime, _)| {
                format!("from {start} to {}", start.saturating_add(*span))
            };
            let windows: Vec<_> = windows.iter().map(window).collect();
            format!("{state} {}", windows.join(", "))
        }
        Windows::Random { up, down } => {
            format!("up ({up}), then {state} ({down}), at random for ever")
        }
    }
}

/// The arrivals of a producer as they were written.
fn written<'a>(root: &'a Value, name: &str) -> Option<&'a Value> {
    let mut at = root;
    for key in name.split('.').chain(["arrivals"]) {
        let Data::Table(table) = &at.data else {
            return None;
        };
        at = &table.get(key)?.value;
    }
    Some(at)
}

/// An arrival process in words: `1200/s constant, offset 1s`.
fn process(value: &Value) -> String {
    let Data::Table(table) = &value.data else {
        return words(value);
    };
    let [entry] = &table.entries[..] else {
        return words(value);
    };
    let Data::Table(parameters) = &entry.value.data else {
        return words(value);
    };
    let Some(rate) = parameters.get("rate") else {
        return words(value);
    };
    let others = parameters
        .entries
        .iter()
        .filter(|other| other.key != "rate");
    let others = others.map(|other| format!(", {} {}", other.key, words(&other.value)));
    format!(
        "{} {}{}",
        words(&rate.value),
        entry.key,
        others.collect::<String>()
    )
}

/// A law in words, a constant with its value first: `40ms constant`.
fn law(law: &impl std::fmt::Display) -> String {
    let text = law.to_string();
    let constant = text
        .strip_prefix("constant, ")
        .map(|value| format!("{value} constant"));
    constant.unwrap_or(text)
}

/// A value in words: `constant, rate 1200/s`.
fn words(value: &Value) -> String {
    match &value.data {
        Data::String(text) => text.clone(),
        Data::Integer(number) => number.to_string(),
        Data::Float(number) => number.to_string(),
        Data::Boolean(it) => it.to_string(),
        Data::Datetime => "a date".to_owned(),
        Data::Array(items) if items.len() > 4 => format!("{} items", items.len()),
        Data::Array(items) => {
            let items: Vec<_> = items
                .iter()
                .map(|item| format!("({})", words(item)))
                .collect();
            items.join(" ")
        }
        Data::Table(Table { entries }) => {
            let word = |entry: &Entry| match &entry.value.data {
                Data::Table(inner) if inner.entries.is_empty() => entry.key.clone(),
                Data::Table(_) if entries.len() == 1 => {
                    format!("{}, {}", entry.key, words(&entry.value))
                }
                Data::Table(_) => format!("{} ({})", entry.key, words(&entry.value)),
                Data::String(_)
                | Data::Integer(_)
                | Data::Float(_)
                | Data::Boolean(_)
                | Data::Datetime
                | Data::Array(_) => format!("{} {}", entry.key, words(&entry.value)),
            };
            entries.iter().map(word).collect::<Vec<_>>().join(", ")
        }
    }
}
