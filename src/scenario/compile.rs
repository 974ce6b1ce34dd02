//! From values to a [`Model`], or to every problem at once.
//!
//! Not the sections: each has its reader. Here they are put together, and checked against each
//! other.

use super::across;
use super::alerts;
use super::calls::Calls;
use super::chains;
use super::condition::Condition;
use super::consumers;
use super::dependencies;
use super::lint;
use super::metrics::Metrics;
use super::names::Names;
use super::outages::{self, Struck};
use super::producers;
use super::publish::{Claims, Publisher};
use super::queues;
use super::reading::items;
use super::run::Run;
use super::vary::{self, Sweep, Variants};
use super::watched;
use crate::input::{Data, Fields, Problem, Problems, Value};
use crate::model::{
    Alert, Caller, CallerId, Fleet, FleetId, Handling, Id, Model, Origin, Producer, ProducerId,
    Publishes, Queue, Table, Who,
};
use crate::units::SimDuration;

/// What a scenario says.
#[derive(Debug)]
pub(super) struct Compiled {
    pub model: Model,
    pub expectations: Vec<Condition>,
    pub objectives: Vec<Condition>,
    pub sweep: Sweep,
    pub compare: Variants,
}

/// Everything that was read, before it is put together; `None` stands for what is wrong.
struct Parts {
    queues: Option<Vec<Queue>>,
    producers: Option<Vec<producers::Reading>>,
    fleets: Option<Vec<consumers::Reading>>,
    dependencies: Option<Vec<dependencies::Reading>>,
    outages: Option<Vec<Struck>>,
    alerts: Option<Vec<Alert>>,
    expectations: Option<Vec<Condition>>,
    objectives: Option<Vec<Condition>>,
}

/// Compiles a scenario whose title is `title` unless it has one of its own.
pub(super) fn compile(root: &Value, title: &str, problems: &mut Problems) -> Option<Compiled> {
    let mut top = Fields::open(root, "scenario", problems)?;
    top.not_yet(&["logs"], problems);
    let title = top.or("title", title.to_owned(), problems);
    let run = Run::read(top.entry("run").map(|entry| &entry.value), problems);
    let names = Names::open(&mut top, problems);
    if names.producers.entries().is_empty() && !top.has("producers") {
        let problem = Problem::error("nothing happens: there is no producer", 0..0, "");
        problems.file(problem.help("add `[producers.NAME]`; `queuecast init` writes an example"));
    }
    let metrics = Metrics::of(&names);
    run.check_metrics(&metrics, problems);
    let swept = top.entry("sweep").map(|entry| &entry.value);
    let sweep = vary::read(swept, &metrics, problems);
    let compared = top.entry("compare").map(|entry| &entry.value);
    let compare = vary::read_compared(compared, &metrics, problems);
    let parts = read(&mut top, &names, problems);
    top.close(problems);
    let (mut model, expectations, objectives) = assemble(title, &run, parts)?;
    if let Err(round) = chains::in_order(&model) {
        problems.file(round_trip(&round, &names));
    }
    across::check(&model, &names, problems);
    model.plan.stop = run.stop(&model, &names, problems);
    watched::mark(&mut model, &expectations, &objectives);
    if problems.any_error() {
        return None;
    }
    lint::check(&model, &names, root, problems);
    Some(Compiled {
        model,
        expectations,
        objectives,
        sweep,
        compare,
    })
}

fn read(top: &mut Fields<'_>, names: &Names<'_>, problems: &mut Problems) -> Parts {
    let mut claims = Claims::new(names.queues.entries().len());
    let queues = names.queues.entries().iter();
    let queues: Vec<_> = queues
        .map(|entry| queues::read(entry, names, problems))
        .collect();
    let producers = names.producers.entries().iter();
    let producers: Vec<_> = producers
        .map(|entry| producers::read(entry, names, &mut claims, problems))
        .collect();
    let fleets = names.consumers.entries().iter();
    let fleets: Vec<_> = fleets
        .map(|entry| consumers::read(entry, names, &mut claims, problems))
        .collect();
    consumers::check_size(&fleets, names, problems);
    let dependencies = names.dependencies.entries().iter();
    let dependencies: Vec<_> = dependencies
        .map(|entry| dependencies::read(entry, names, problems))
        .collect();
    let outages = items(top.entry("outages"), problems).iter();
    let outages: Vec<_> = outages
        .map(|item| outages::read(item, names, problems))
        .collect();
    let metrics = Metrics::of(names);
    let alerts = items(top.entry("alerts"), problems).iter();
    let alerts: Vec<_> = alerts
        .map(|item| alerts::alert(item, &metrics, problems))
        .collect();
    let mut conditions = |section: &'static str| -> Option<Vec<_>> {
        let items = items(top.entry(section), problems).iter();
        let read = items.map(|item| alerts::that(item, section, &metrics, problems));
        read.collect::<Vec<_>>().into_iter().collect()
    };
    let (expectations, objectives) = (conditions("expect"), conditions("objectives"));
    let admitted = |(position, queue): (usize, Option<Queue>)| {
        queue.map(|queue| Queue {
            admission: claims.of(position),
            ..queue
        })
    };
    Parts {
        queues: queues.into_iter().enumerate().map(admitted).collect(),
        producers: producers.into_iter().collect(),
        fleets: fleets.into_iter().collect(),
        dependencies: dependencies.into_iter().collect(),
        outages: outages.into_iter().collect(),
        alerts: alerts.into_iter().collect(),
        expectations,
        objectives,
    }
}

type Assembled = (Model, Vec<Condition>, Vec<Condition>);

fn assemble(title: String, run: &Run, parts: Parts) -> Option<Assembled> {
    let (mut dependencies, mut usual) = (Vec::new(), Vec::new());
    for dependencies::Reading {
        dependency,
        timeout,
    } in parts.dependencies?
    {
        dependencies.push(dependency);
        usual.push(timeout);
    }
    let mut callers = Callers {
        usual,
        table: Table::default(),
    };
    let mut producers: Table<ProducerId, _> = Table::default();
    for (position, producers::Reading { producer, calls }) in
        parts.producers?.into_iter().enumerate()
    {
        let who = Who::Producer(Id::at(position));
        let calls = calls.map(|calls| callers.add(calls, &producer.name, who));
        producers.push(Producer { calls, ..producer });
    }
    let mut fleets: Table<FleetId, _> = Table::default();
    for (position, reading) in parts.fleets?.into_iter().enumerate() {
        let consumers::Reading {
            fleet,
            publishes,
            calls,
        } = reading;
        let id = Id::at(position);
        let publishes =
            publishes.map(|(publisher, copies)| publishes_as(&fleet, id, publisher, copies));
        let publishes = publishes.map(|(publisher, copies)| Publishes {
            producer: producers.push(publisher),
            copies,
        });
        let calls = calls.map(|calls| callers.add(calls, &fleet.name, Who::Fleet(id)));
        fleets.push(Fleet {
            publishes,
            handling: Handling {
                calls,
                ..fleet.handling
            },
            ..fleet
        });
    }
    let (mut outages, mut troubles) = (Vec::new(), Vec::new());
    for struck in parts.outages? {
        match struck {
            Struck::Fleet(outage) => outages.push(outage),
            Struck::Dependency(trouble) => troubles.push(trouble),
        }
    }
    let model = Model {
        title,
        plan: run.plan(),
        producers,
        queues: Table::new(parts.queues?),
        fleets,
        dependencies: Table::new(dependencies),
        callers: callers.table,
        outages,
        troubles,
        alerts: parts.alerts?,
    };
    Some((model, parts.expectations?, parts.objectives?))
}

/// Who calls, put together one by one.
struct Callers {
    /// How long callers of each dependency wait unless they say otherwise.
    usual: Vec<Option<SimDuration>>,
    table: Table<CallerId, Caller>,
}

impl Callers {
    fn add(&mut self, calls: Calls, name: &str, who: Who) -> CallerId {
        let usual = self.usual[calls.dependency().index()];
        self.table.push(calls.of(name.to_owned(), who, usual))
    }
}

/// A fleet as one who publishes.
fn publishes_as(fleet: &Fleet, id: FleetId, publisher: Publisher, copies: u32) -> (Producer, u32) {
    let Publisher {
        queues,
        size,
        priority,
        on_full,
        stamp,
    } = publisher;
    let publisher = Producer {
        name: fleet.name.clone(),
        origin: Origin::Fleet(id),
        queues,
        calls: None,
        size,
        priority,
        on_full,
        stamp,
    };
    (publisher, copies)
}

fn round_trip(round: &[String], names: &Names<'_>) -> Problem {
    let fleet = round
        .iter()
        .find_map(|name| name.strip_prefix("consumers."));
    let publishes = fleet.and_then(|fleet| {
        let entry = names
            .consumers
            .entries()
            .get(names.consumers.position(fleet)?)?;
        let Data::Table(table) = &entry.value.data else {
            return None;
        };
        Some(table.get("publishes")?.key_span.clone())
    });
    let title = "messages go round in a loop, so the run never settles";
    let problem = Problem::error(
        title,
        publishes.unwrap_or(0..0),
        "leads back to its own queue",
    );
    problem.help(format!("the loop is {}", round.join(" -> ")))
}
