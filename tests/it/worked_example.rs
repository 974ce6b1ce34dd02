//! Every row of `discrete_outage.csv`: the worked example under each convention, counts exactly
//! and times to two nanoseconds. The table was computed independently in exact integer time.

use std::collections::BTreeMap;

use queuecast::model::{
    Counts, Id, InFlight, Model, Outage, Restart, Returns, Stop, Windows,
};
use queuecast::outcome::RunRecord;
use queuecast::policy::admission::Admission;
use queuecast::policy::arrival::{Arrivals, Constant};
use queuecast::policy::publish::{Blocking, PublishPolicy};
use queuecast::random::law::DurationLaw;
use queuecast::sim::{Detail, measure};
use queuecast::units::{Rate, Ratio, SimDuration, SimTime};

use crate::world::plain;

/// The fleet runs for a while before the outage of the table begins at its instant 0.
const BEFORE: SimDuration = SimDuration::from_secs(10);

type Row = BTreeMap<String, String>;

/// The table by parameters: quantity to value.
fn table() -> BTreeMap<String, Row> {
    let mut cases: BTreeMap<String, Row> = BTreeMap::new();
    let mut reader = csv::Reader::from_path("tests/data/reference/discrete_outage.csv").unwrap();
    for row in reader.records() {
        let row = row.unwrap();
        cases.entry(row[2].into()).or_default().insert(row[3].into(), row[4].into());
    }
    cases
}

fn model(params: &BTreeMap<&str, &str>) -> Model {
    let servers: u32 = params["c"].parse().unwrap();
    // The first message of the table comes at its offset after the start of the outage: the
    // source runs from 12,000 periods before it.
    let offset = match params["arrival_offset"] {
        "half period" => SimDuration::from_nanos(416_667),
        "0 (arrival at t=0 too)" => SimDuration::ZERO,
        "one period" => SimDuration::from_nanos(833_333),
        other => panic!("unknown offset {other}"),
    };
    let rate = Rate::per_second(params["lambda"].parse().unwrap());
    let service = SimDuration::from_secs_rounded(params["service"].parse().unwrap());
    let arrivals = Arrivals::Constant(Constant { rate, offset });
    let mut model = plain(arrivals, servers, DurationLaw::constant(service), Stop::Drained);
    let queue = &mut model.queues[Id::at(0)];
    queue.capacity = params["bound"].parse().unwrap();
    queue.counts = match params["bound_counts"] {
        "waiting" => Counts::Waiting,
        "waiting+in service" => Counts::WaitingAndInFlight,
        other => panic!("unknown bound {other}"),
    };
    queue.admission = match params["admission"] {
        "-" | "fifo" => Admission::Fifo,
        "newfirst" => Admission::NewcomersFirst,
        "lifo" => Admission::Lifo,
        open => {
            let wake: f64 =
                open.split_whitespace().rev().nth(1).and_then(|word| word.parse().ok()).unwrap();
            Admission::WakeUp(SimDuration::from_secs_rounded(wake))
        }
    };
    if params["policy"] == "block" {
        let timeout = params["timeout"].parse().ok().map(SimDuration::from_secs_rounded);
        model.producers[Id::at(0)].on_full =
            PublishPolicy::Block(Blocking { timeout, connections: u64::MAX });
    }
    let start = SimTime::ZERO + before(params);
    let length = SimDuration::from_secs_rounded(params["outage"].parse().unwrap());
    model.outages.push(Outage {
        fleet: Id::at(0),
        windows: Windows::Fixed(vec![(start, length)]),
        share: Ratio::ONE,
        in_flight: match params["inflight"] {
            "pause" => InFlight::Finish,
            "freeze" => InFlight::Freeze,
            "crash" => InFlight::Crash(Returns::AtOnce),
            "crash_late" => InFlight::Crash(Returns::AtRestart),
            other => panic!("unknown treatment {other}"),
        },
        restart: match params["restart"] {
            "in phase" => Restart::InPhase,
            "staggered" => Restart::Staggered,
            other => panic!("unknown restart {other}"),
        },
    });
    model
}

/// In the table a `pause` has nothing in flight, whatever came before.
fn before(params: &BTreeMap<&str, &str>) -> SimDuration {
    match params["inflight"] {
        "pause" => SimDuration::ZERO,
        _ => BEFORE,
    }
}

fn quantity(name: &str, record: &RunRecord, before: SimDuration) -> Option<String> {
    let queue = &record.queues[Id::at(0)];
    let publisher = &record.publishers[Id::at(0)];
    let at = |instant: Option<SimTime>| match instant {
        Some(at) => format!("{:.9}", (at.as_nanos() - before.as_nanos()) as f64 / 1e9),
        None => "none".to_owned(),
    };
    Some(match name {
        "t_full" => at(queue.full_at),
        "t_empty" => at(queue.drained_at),
        "rejected" => queue.flows.rejected.to_string(),
        "number_blocked" => publisher.flows.blocked_ever.to_string(),
        "max_simultaneously_blocked" => publisher.blocked.max.to_string(),
        "longest_wait" => format!("{:.9}", publisher.block_time.max.unwrap()),
        "timed_out" => publisher.flows.timed_out.to_string(),
        "t_unblocked" => at(publisher.unblocked_at),
        _ => return None,
    })
}

fn close(ours: &str, theirs: &str) -> bool {
    match (ours.parse::<f64>(), theirs.parse::<f64>()) {
        (Ok(ours), Ok(theirs)) => (ours - theirs).abs() <= 2.5e-9,
        _ => ours == theirs,
    }
}

#[test]
fn the_worked_example_is_exact_under_every_convention() {
    let mut wrong = Vec::new();
    let mut compared = 0;
    for (text, row) in table() {
        let params: BTreeMap<_, _> =
            text.split(';').map(|pair| pair.split_once('=').unwrap()).collect();
        // Rule A2: a completion acts before an arrival of the same instant.
        if params["tie"] == "arrival first" {
            continue;
        }
        let record = measure(&model(&params), 0, Detail::Measures, &|_| {});
        for (name, theirs) in &row {
            let Some(ours) = quantity(name, &record, before(&params)) else { continue };
            compared += 1;
            if !close(&ours, theirs) {
                wrong.push(format!("{name}: {ours}, not {theirs}\n    in {text}"));
            }
        }
    }
    assert!(compared > 200, "only {compared} values compared");
    assert!(wrong.is_empty(), "{} of {compared} differ:\n{}", wrong.len(), wrong.join("\n"));
}
