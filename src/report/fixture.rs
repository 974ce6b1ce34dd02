//! Worlds made by hand for the tests of the reports, worked out with the arithmetic of rates.
//!
//! Not results of the simulation, which this floor never sees.

use super::{Account, Expected, Report};
use crate::model::{
    Alert, Comparison, Counts, Fleet, FleetId, Id, InFlight, Model, Origin, Outage, Overflow, Plan,
    Producer, ProducerId, Queue, QueueId, Restart, Returned, Signal, Stop, Warmup, Windows,
};
use crate::outcome::{
    Catalogue, Ended, FleetRecord, Flows, How, Kind, Known, Level, Measures, Moment,
    PublisherRecord, QueueRecord, Reading, Readings, RunRecord, Sample, Series, Subject, Times,
    Unit, Verdict, Why,
};
use crate::policy::admission::Admission;
use crate::policy::arrival::{Arrivals, Constant};
use crate::policy::order::Order;
use crate::policy::publish::PublishPolicy;
use crate::random::{CountLaw, DurationLaw, Seed, SizeLaw};
use crate::units::{Bytes, Rate, Ratio, SimDuration, SimTime};

/// The worked example of a 90 s outage: 1,200/s, 60 handlers of 40 ms, a bound of 100,000, publishes
/// fail fast. By rates it is full at 83.33 s, rejects 8,000, and is empty at 423.33 s.
pub fn outage() -> (Model, Vec<RunRecord>) {
    let mut model = model(&["orders"]);
    model.title = "Checkout: 90 s consumer outage, publishes fail fast".to_owned();
    let series = Series {
        width: SimDuration::from_secs(1),
        queues: [(1..=424).map(|second| sample(f64::from(second))).collect()]
            .into_iter()
            .collect(),
        fleets: [(1..=424)
            .map(|second| if second < 90 { (0, 60) } else { (60, 60) })
            .collect()]
        .into_iter()
        .collect(),
        blocked: [vec![0; 424]].into_iter().collect(),
    };
    let flows = Flows {
        offered: 508_000,
        accepted: 500_000,
        rejected: 8_000,
        delivered: 500_000,
        completed: 499_940,
        ..Flows::default()
    };
    let wait = times(64.98, 83.3);
    let queue = QueueRecord {
        flows,
        depth: Level {
            mean: 56_692.9,
            max: 100_000.0,
            end: 0.0,
        },
        in_flight: Level {
            mean: 47.24,
            max: 60.0,
            end: 60.0,
        },
        lag: Level {
            mean: 47.2,
            max: 90.0,
            end: 0.0,
        },
        wait,
        sojourn: times(65.02, 83.34),
        full_at: Some(at(83.332_5)),
        drained_at: Some(at(423.333_333_333)),
        goodput: 1_180.96,
        ..QueueRecord::default()
    };
    let run = RunRecord {
        replication: 0,
        ended: Ended {
            why: Why::Drained,
            at: at(423.333_333_333),
        },
        measured_from: SimTime::ZERO,
        digest: 0x0123_4567_89ab_cdef,
        queues: [queue].into_iter().collect(),
        publishers: [PublisherRecord {
            flows,
            ..PublisherRecord::default()
        }]
        .into_iter()
        .collect(),
        fleets: [fleet_record()].into_iter().collect(),
        timeline: moments(),
        series: Some(series),
        events: 2_016_000,
    };
    (model, vec![run])
}

/// Two queues, one of which blocks its publishers, stopped by the horizon; three replications.
pub fn blocked() -> (Model, Vec<RunRecord>) {
    let mut model = model(&["orders", "mail"]);
    model.title = "Blocked <publishers> & \"two\" queues".to_owned();
    model.plan.replications = 3;
    let (_, runs) = outage();
    let mut run = runs.into_iter().next().expect("one run");
    run.ended = Ended {
        why: Why::Horizon,
        at: at(420.0),
    };
    let blocked = |second: i32| match second {
        84..90 => 1_200 * (second as u64 - 83),
        90..117 => 8_000 - 300 * (second as u64 - 90),
        _ => 0,
    };
    let series = run.series.as_mut().expect("a series");
    series.queues[first()].truncate(420);
    for (second, sample) in (1..).zip(&mut series.queues[first()]) {
        sample.blocked = blocked(second);
    }
    let calm = |second: i32| Sample {
        depth: 20_000 + 2_000 * (second as u64 / 40 % 3),
        lag: SimDuration::from_secs(17),
        offered: 1_200,
        accepted: 1_200,
        completed: 1_180,
        ..Sample::default()
    };
    series.queues.push((1..=420).map(calm).collect());
    series.blocked = [(1..=420).map(blocked).collect(), vec![0; 420]]
        .into_iter()
        .collect();
    let fleet = series.fleets[FleetId::at(0)].clone();
    series.fleets.push(fleet);
    run.queues[first()].flows = Flows {
        timed_out: 3,
        blocked_ever: 39_880,
        rejected: 0,
        ..run.queues[first()].flows
    };
    run.queues[first()].block_time = times(3.3, 6.666);
    run.queues.push(QueueRecord {
        depth: level(22_000.0),
        ..QueueRecord::default()
    });
    run.publishers.push(PublisherRecord::default());
    run.fleets.push(FleetRecord::default());
    let mut runs = vec![run.clone(), run.clone(), run];
    for (place, run) in runs.iter_mut().enumerate() {
        run.replication = place as u32;
        run.queues[first()].depth.mean += 100.0 * place as f64;
        run.queues[first()].wait.mean = Some(64.98 + 0.4 * place as f64);
    }
    runs[1].queues[first()].drained_at = None;
    (model, runs)
}

/// One moment of every kind.
pub fn every_moment() -> Vec<Moment> {
    let (queue, fleet) = (Subject::Queue(first()), Subject::Fleet(FleetId::at(0)));
    let producer = Subject::Producer(ProducerId::at(0));
    let longest = SimDuration::from_millis(6_666);
    [
        (
            fleet,
            Kind::OutageStarted {
                handlers: 60,
                of: 60,
            },
        ),
        (
            fleet,
            Kind::OutageStarted {
                handlers: 30,
                of: 60,
            },
        ),
        (
            fleet,
            Kind::OutageEnded {
                handlers: 1,
                waiting: 100_000,
            },
        ),
        (fleet, Kind::Scaled { from: 48, to: 60 }),
        (fleet, Kind::Scaled { from: 2, to: 1 }),
        (queue, Kind::QueueFull { depth: 100_000 }),
        (queue, Kind::QueueFull { depth: 99_952 }),
        (queue, Kind::RoomAgain { depth: 99_999 }),
        (queue, Kind::FirstRejected),
        (producer, Kind::LastRejected { total: 8_000 }),
        (queue, Kind::FirstBlocked),
        (
            queue,
            Kind::Unblocked {
                most: 8_000,
                longest,
            },
        ),
        (producer, Kind::FirstTimedOut),
        (queue, Kind::FirstDropped),
        (queue, Kind::FirstExpired),
        (queue, Kind::BrokerCrashed { lost: 12_345 }),
        (queue, Kind::BrokerBack),
        (queue, Kind::MemoryFull { bytes: 2 << 30 }),
        (queue, Kind::Drained),
        (producer, Kind::Burst { messages: 5_000 }),
        (Subject::Alert(0), Kind::AlertFired { value: 61.0 }),
        (Subject::Alert(0), Kind::AlertCleared { value: 59.9 }),
        (Subject::Run, Kind::WarmedUp),
        (Subject::Run, Kind::Ended { unfinished: 0 }),
        (Subject::Run, Kind::Ended { unfinished: 1_234 }),
    ]
    .into_iter()
    .zip(0..)
    .map(|((subject, kind), place)| Moment {
        at: at(f64::from(place)),
        subject,
        kind,
    })
    .collect()
}

fn moments() -> Vec<Moment> {
    let (queue, fleet) = (Subject::Queue(first()), Subject::Fleet(FleetId::at(0)));
    [
        (
            0.0,
            fleet,
            Kind::OutageStarted {
                handlers: 60,
                of: 60,
            },
        ),
        (60.0, Subject::Alert(0), Kind::AlertFired { value: 60.0 }),
        (83.332_5, queue, Kind::QueueFull { depth: 100_000 }),
        (83.333_75, queue, Kind::FirstRejected),
        (89.999_583, queue, Kind::LastRejected { total: 8_000 }),
        (
            90.0,
            fleet,
            Kind::OutageEnded {
                handlers: 60,
                waiting: 100_000,
            },
        ),
        (90.04, queue, Kind::RoomAgain { depth: 99_940 }),
        (423.333_333_333, queue, Kind::Drained),
        (
            423.333_333_333,
            Subject::Run,
            Kind::Ended { unfinished: 60 },
        ),
    ]
    .map(|(seconds, subject, kind)| Moment {
        at: at(seconds),
        subject,
        kind,
    })
    .to_vec()
}

/// A second of the worked example, from rates.
fn sample(end: f64) -> Sample {
    let until = |seconds: f64| (end - seconds).clamp(0.0, 1.0);
    let depth = match end {
        _ if end < 90.0 => (1_200.0 * end).min(100_000.0),
        _ => (100_000.0 - 300.0 * (end - 90.0)).max(0.0),
    };
    let accepted_first = match 1.25 * (end - 90.0) {
        worked if worked < 0.0 => 0.0,
        worked if worked < 83.333 => worked,
        worked => worked + 90.0 - 83.333,
    };
    // The run ends a third of a second into its last bucket.
    let part = if end > 423.0 { 1.0 / 3.0 } else { 1.0 };
    let refused = 1_200.0 * (until(83.333) - until(90.0));
    let completed = if depth > 0.0 {
        1_500.0 * until(90.0)
    } else {
        1_300.0
    };
    Sample {
        depth: depth as u64,
        in_flight: if end < 90.0 { 0 } else { 60 },
        lag: SimDuration::from_secs_rounded(if depth > 0.0 {
            end - accepted_first
        } else {
            0.0
        }),
        memory: 0,
        blocked: 0,
        offered: (part * 1_200.0) as u64,
        accepted: (part * 1_200.0 - refused) as u64,
        refused: refused as u64,
        discarded: 0,
        completed: completed as u64,
    }
}

fn fleet_record() -> FleetRecord {
    FleetRecord {
        delivered: 500_000,
        completed: 499_940,
        crashed: 0,
        busy: Level {
            mean: 47.24,
            max: 60.0,
            end: 60.0,
        },
        up: Level {
            mean: 47.24,
            max: 60.0,
            end: 60.0,
        },
        utilization: Some(1.0),
        goodput: 1_180.96,
        service: times(0.04, 0.04),
    }
}

fn times(mean: f64, max: f64) -> Times {
    let between = |share: f64| Some(mean + share * (max - mean));
    Times {
        count: 500_000,
        mean: Some(mean),
        p50: between(0.1),
        p90: between(0.8),
        p95: between(0.9),
        p99: between(0.97),
        p999: between(0.999),
        max: Some(max),
    }
}

fn level(constant: f64) -> Level {
    Level {
        mean: constant,
        max: constant,
        end: constant,
    }
}

fn at(seconds: f64) -> SimTime {
    SimTime::ZERO + SimDuration::from_secs_rounded(seconds)
}

fn first() -> QueueId {
    QueueId::at(0)
}

/// A model with a producer and a fleet for each queue, and the outage at the first fleet.
fn model(queues: &[&str]) -> Model {
    let ids = || queues.iter().enumerate();
    Model {
        title: String::new(),
        plan: Plan {
            stop: Stop::Drained,
            horizon: at(3_600.0),
            most_alive: 100_000_000,
            seed: Seed(1),
            replications: 1,
            warmup: Warmup::For(SimDuration::ZERO),
        },
        producers: ids()
            .map(|(place, name)| producer(name, QueueId::at(place)))
            .collect(),
        queues: ids().map(|(_, name)| queue(name)).collect(),
        fleets: ids()
            .map(|(place, name)| fleet(name, QueueId::at(place)))
            .collect(),
        outages: vec![Outage {
            fleet: FleetId::at(0),
            windows: Windows::Fixed(vec![(SimTime::ZERO, SimDuration::from_secs(90))]),
            share: Ratio::ONE,
            in_flight: InFlight::Finish,
            restart: Restart::Staggered,
        }],
        alerts: vec![Alert {
            name: "old_messages".to_owned(),
            text: "queues.orders.lag > 60s".to_owned(),
            signal: Signal::Lag(QueueId::at(0)),
            comparison: Comparison::Above,
            threshold: 60.0,
            hold: SimDuration::ZERO,
            every: SimDuration::from_secs(1),
        }],
    }
}

fn producer(queue: &str, id: QueueId) -> Producer {
    let arrivals = Constant {
        rate: Rate::per_second(1_200),
        offset: SimDuration::ZERO,
    };
    Producer {
        name: format!(
            "producers.{}",
            if queue == "orders" { "checkout" } else { queue }
        ),
        origin: Origin::Arrivals {
            start: SimTime::ZERO,
            arrivals: Arrivals::Constant(arrivals),
            count: None,
            until: None,
        },
        queues: vec![id],
        size: SizeLaw::constant(Bytes(1_024)),
        priority: CountLaw::constant(0),
        on_full: PublishPolicy::Reject,
    }
}

fn queue(name: &str) -> Queue {
    Queue {
        name: format!("queues.{name}"),
        capacity: 100_000,
        counts: Counts::Waiting,
        overflow: Overflow::Refuse,
        returned: Returned::Keep,
        order: Order::Fifo,
        retention: None,
        ttl: None,
        memory: None,
        admission: Admission::Fifo,
    }
}

fn fleet(queue: &str, id: QueueId) -> Fleet {
    Fleet {
        name: format!(
            "consumers.{}",
            if queue == "orders" {
                "fleet"
            } else {
                "mailers"
            }
        ),
        queue: id,
        count: 60,
        concurrency: 1,
        service: DurationLaw::constant(SimDuration::from_millis(40)),
        staffing: Vec::new(),
        publishes: None,
    }
}

/// All that a report is made of.
pub struct Told {
    model: Model,
    runs: Vec<RunRecord>,
    measures: Measures,
    readings: Readings,
    expectations: Vec<Expected>,
    ledger: Vec<Account>,
    warnings: Vec<String>,
    understood: Vec<String>,
}

impl Told {
    /// One run of the worked example, with readings of which one differs.
    pub fn outage() -> Self {
        Self::of(outage())
    }

    /// Three partial runs with names that are not safe in markup.
    pub fn blocked() -> Self {
        Self::of(blocked())
    }

    fn of((model, runs): (Model, Vec<RunRecord>)) -> Self {
        let measures = Measures::of(Catalogue::of(&model), &runs);
        let expected = |that: &str, held, observed: &str| Expected {
            that: that.to_owned(),
            held,
            observed: observed.to_owned(),
        };
        Self {
            measures,
            readings: readings(),
            expectations: vec![
                expected("queues.orders.rejected == 8000", true, "8,000"),
                expected("queues.orders.drained_at < 400s", false, "423.3 s"),
            ],
            ledger: vec![Account {
                component: "queues.orders".to_owned(),
                entries: vec![("accepted", 500_000), ("waiting", 0), ("in_flight", 60)],
            }],
            warnings: vec!["consumers.fleet is down from the first instant".to_owned()],
            understood: vec!["queues.orders.capacity = 100,000 waiting messages".to_owned()],
            model,
            runs,
        }
    }

    /// The report.
    pub fn report(&self) -> Report<'_> {
        Report {
            model: &self.model,
            path: "scenarios/outage.toml",
            scenario_text: "title = \"a < b & c\"\n</pre><script>alert('no')</script>\n",
            command: "queuecast run scenarios/outage.toml --seed 1",
            understood: &self.understood,
            warnings: &self.warnings,
            runs: &self.runs,
            measures: &self.measures,
            batch_means: &[],
            readings: &self.readings,
            expectations: &self.expectations,
            digest: 0x0123_4567_89ab_cdef,
            ledger: &self.ledger,
        }
    }
}

fn readings() -> Readings {
    let known = |value, how, source: &str| Known {
        value,
        how,
        source: source.to_owned(),
        interval: None,
    };
    let row = |metric: &str, unit, theory, fluid, simulated, verdict| Reading {
        metric: metric.to_owned(),
        unit,
        theory,
        fluid,
        simulation: known(simulated, How::Simulated, "one run"),
        verdict,
    };
    let fluid = |value| Some(known(Some(value), How::Fluid, "reject"));
    let agree = || Verdict::Agree;
    let differ = Verdict::Differ {
        because: "the closed form assumes that the queue has no bound and that no outage \
                  happens; 1.6 % of publishes were refused"
            .to_owned(),
    };
    let utilization = Some(known(Some(0.8), How::Exact, "D/D/60"));
    let mut uneven = row(
        "queues.orders.wait.mean",
        Unit::Seconds,
        Some(known(Some(0.0), How::Exact, "D/D/60")),
        fluid(65.0),
        Some(64.98),
        differ,
    );
    uneven.simulation.interval = Some((64.1, 65.86));
    Readings {
        rows: vec![
            row(
                "queues.orders.rejected",
                Unit::Count,
                None,
                fluid(8_000.0),
                Some(8e3),
                agree(),
            ),
            uneven,
            row(
                "queues.orders.drained_at",
                Unit::Instant,
                None,
                fluid(423.333),
                Some(423.16),
                agree(),
            ),
            row(
                "consumers.fleet.utilization",
                Unit::Ratio,
                utilization,
                None,
                Some(0.8),
                Verdict::Alone,
            ),
        ],
        no_form: vec!["queues.orders.drained_at: an outage has no closed form".to_owned()],
        no_flow: Vec::new(),
        notes: vec!["too short to say anything about p99.9 of the wait".to_owned()],
    }
}
