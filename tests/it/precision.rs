//! Rounds of replications until metrics are precise, and `warmup = "auto"`.

use queuecast::experiment::{Experiment, conduct};
use queuecast::model::{
    Id, InFlight, Model, Outage, Precision, Replications, Restart, Stop, Warmup, Windows,
};
use queuecast::outcome::{Kind, RunRecord};
use queuecast::policy::arrival::{Arrivals, Constant, Poisson};
use queuecast::random::law::{DurationLaw, Exponential};
use queuecast::scenario::Scenario;
use queuecast::sim::Detail;
use queuecast::units::{Rate, Ratio, SimDuration, SimTime};

/// M/M/1 at 50 %, services of a millisecond, so many seconds of 500 messages.
fn model(seconds: u64) -> Model {
    let rate = Rate::per_second(500);
    let service = DurationLaw::new(Exponential::new(1e-3).unwrap().into());
    let stop = Stop::At(SimTime::ZERO + SimDuration::from_secs(seconds));
    Model::plain(Arrivals::Poisson(Poisson { rate }), 1, service, stop)
}

fn until(target: f64, at_most: u32) -> Replications {
    Replications::Until(Precision {
        target: Ratio::new(target).unwrap(),
        of: vec!["queues.q.wait.mean".into(), "queues.q.wait.p99".into()],
        at_most,
    })
}

fn go(model: &Model, threads: usize) -> Experiment {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .unwrap();
    pool.install(|| conduct(model, Detail::Measures, &|_| {}))
}

#[test]
fn rounds_stop_at_the_same_replication_whatever_the_threads() {
    let mut model = model(10);
    model.plan.replications = until(0.03, 1_000);
    let (one, four) = (go(&model, 1), go(&model, 4));
    assert_eq!((one.digest, one.runs.len()), (four.digest, four.runs.len()));
    assert_eq!(one.notes, four.notes);
    let count = one.runs.len();
    assert!(count > 20 && count < 1_000 && count % 10 == 0, "{count}");
    for name in ["queues.q.wait.mean", "queues.q.wait.p99"] {
        let position = one.measures.catalogue().position(name).unwrap();
        let interval = one.measures.interval(position, 0.95).unwrap();
        assert!(
            interval.half_width() / interval.mean <= 0.03,
            "{name}: {interval:?}"
        );
    }
    assert!(one.notes[0].contains("is known to ±3 %"), "{:?}", one.notes);
    // The runs are those of a fixed number of replications.
    model.plan.replications = Replications::Fixed(count as u32);
    assert_eq!(go(&model, 2).digest, one.digest);
}

#[test]
fn the_first_round_alone_never_ends_it() {
    let mut model = model(10);
    model.plan.replications = until(0.9, 1_000);
    assert_eq!(go(&model, 2).runs.len(), 20);
}

#[test]
fn reaching_the_limit_is_said_with_the_length_that_is_needed() {
    let mut model = model(2);
    model.plan.replications = until(0.01, 25);
    let found = go(&model, 2);
    assert_eq!(found.runs.len(), 25);
    let note = &found.notes[0];
    assert!(
        note.starts_with("queues.q.wait.mean is not yet precise after 25"),
        "{note}"
    );
    assert!(note.contains("not ±1 %; needs about"), "{note}");
}

/// A queue that starts empty is soon steady; a backlog that drains for a minute is left out, and
/// little more than that.
#[test]
fn the_warm_up_of_a_queue_that_starts_empty_is_short_and_that_of_a_backlog_is_long() {
    let mut model = model(600);
    model.plan.warmup = Warmup::Auto;
    let found = go(&model, 2);
    let run = &found.runs[0];
    assert!(
        run.measured_from.as_secs_f64() < 60.0,
        "{}",
        run.measured_from
    );
    assert!(
        found.notes.iter().any(|note| note.starts_with("warm-up: ")),
        "{:?}",
        found.notes
    );
    assert_eq!(go(&model, 1).digest, found.digest);

    // Arrivals of 30,000 at once besides: they drain at 500 a second, for a minute.
    let mut late = model.clone();
    let mut burst = model.producers[Id::at(0)].clone();
    burst.name = "producers.burst".into();
    let poisson = Arrivals::Poisson(Poisson {
        rate: Rate::per_second(1_000_000),
    });
    if let queuecast::model::Origin::Arrivals {
        arrivals, count, ..
    } = &mut burst.origin
    {
        (*arrivals, *count) = (poisson, Some(30_000));
    }
    late.producers.push(burst);
    let found = go(&late, 2);
    let from = |run: &RunRecord| run.measured_from.as_secs_f64();
    let start = from(&found.runs[0]);
    assert!((50.0..150.0).contains(&start), "{start}");
    assert!(
        found.runs[0]
            .timeline
            .iter()
            .any(|it| it.kind == Kind::WarmedUp)
    );
    // Then the wait is that of M/M/1 again, 1 ms, and not the 1.6 s of the whole run. MSER weighs
    // what is left of a bias against what is left of the run, so a second of the backlog may be.
    let wait = found.measures.value("queues.q.wait.mean").unwrap();
    assert!((0.9e-3..2.5e-3).contains(&wait), "{wait}");
}

/// Without chance there is nothing to be unsure of; with chance and a scheduled outage one run is
/// one of many.
#[test]
fn one_run_says_what_it_cannot_know() {
    let constant = Arrivals::Constant(Constant {
        rate: Rate::per_second(500),
        offset: SimDuration::ZERO,
    });
    let service = DurationLaw::constant(SimDuration::from_millis(1));
    let stop = Stop::At(SimTime::ZERO + SimDuration::from_secs(10));
    let certain = Model::plain(constant, 1, service, stop);
    assert!(!certain.is_random());
    let found = go(&certain, 2);
    assert!(found.notes.is_empty() && found.batch_means.is_empty());

    let steady = model(1_000);
    assert!(steady.is_random() && steady.is_steady());
    let found = go(&steady, 2);
    let names: Vec<_> = found
        .batch_means
        .iter()
        .map(|(name, _)| name.as_str())
        .collect();
    for name in [
        "queues.q.wait.p99",
        "queues.q.depth.mean",
        "consumers.c.utilization",
    ] {
        assert!(names.contains(&name), "{names:?}");
    }
    let (_, used) = found.batch_means.last().unwrap();
    assert!((used.mean - 0.5).abs() < 2.0 * used.half_width() && used.half_width() < 0.02);

    let mut disturbed = steady;
    disturbed.outages.push(Outage {
        fleet: Id::at(0),
        windows: Windows::Fixed(vec![(SimTime::ZERO, SimDuration::from_secs(1))]),
        share: Ratio::ONE,
        in_flight: InFlight::Finish,
        restart: Restart::InPhase,
    });
    let found = go(&disturbed, 2);
    assert!(found.batch_means.is_empty());
    assert!(
        found.notes[0].contains("set `replications = 20`"),
        "{:?}",
        found.notes
    );
    disturbed.plan.warmup = Warmup::Auto;
    let found = go(&disturbed, 2);
    assert!(
        found.notes[0].contains("nothing was left out"),
        "{:?}",
        found.notes
    );
    assert_eq!(found.runs[0].measured_from, SimTime::ZERO);
}

const TEXT: &str = r#"
[run]
stop = "10s"
replications = { until = "2%", of = ["queues.q.wait.mean", "queues.q.depth.mean"], at_most = 50 }
[producers.p]
queue = "q"
arrivals = { poisson = { rate = "500/s" } }
[queues.q]
[consumers.c]
queue = "q"
service = { exponential = { mean = "1ms" } }
"#;

#[test]
fn a_scenario_asks_for_precision() {
    let load = |sets: &[&str]| {
        let sets: Vec<_> = sets.iter().map(|set| (*set).to_owned()).collect();
        Scenario::from_text("s.toml", TEXT, &sets, std::path::Path::new(""))
    };
    let scenario = load(&[]).unwrap();
    let asked = Replications::Until(Precision {
        target: Ratio::new(0.02).unwrap(),
        of: vec!["queues.q.wait.mean".into(), "queues.q.depth.mean".into()],
        at_most: 50,
    });
    assert_eq!(scenario.model.plan.replications, asked);
    assert!(
        scenario
            .render_understood()
            .contains("is known to +-2%, at most 50")
    );
    let said = |set: &str| load(&[set]).unwrap_err().to_string();
    assert!(said("run.replications.of=queues.q.wait.men").contains("did you mean"));
    assert!(said("run.replications.of=queues.r.wait.mean").contains("there is no `queues.r`"));
    assert!(said("run.replications.at_most=19").contains("at least 20"));
    assert!(said("run.replications.until=0%").contains("must lie between"));
    assert!(said("run.replications=0").contains("at least 1"));
}

#[test]
fn a_queue_that_grows_for_ever_is_never_precise() {
    // 500/s of 1 ms is half; of 2.1 ms it is 1.05 of what one handler can do.
    let mut model = model(20);
    let notes = |model: &Model| go(model, 2).notes.join("\n");
    assert!(!notes(&model).contains("no steady state"));
    model.fleets[Id::at(0)].service = DurationLaw::new(Exponential::new(2.1e-3).unwrap().into());
    let grows = notes(&model);
    let load = "queues.q has no steady state: with what is done again its consumers are asked for \
                1.05 times";
    assert!(grows.contains(load), "{grows}");
    assert!(
        !grows.contains("queues.q.wait.mean is not yet precise"),
        "{grows}"
    );
    // The same by redeliveries: 55 % of attempts fail, and 1/0.45 of 1 ms are 1.11.
    let mut model = self::model(20);
    model.fleets[Id::at(0)].handling.fails.transient = Ratio::new(0.55).unwrap();
    let grows = notes(&model);
    assert!(grows.contains("are asked for 1.11 times"), "{grows}");
}
