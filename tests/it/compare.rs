//! `compare`: pairs under common random numbers, verdicts that hold a family, and what scenarios do
//! not share.
//!
//! Not the layout of its pages, but for the width of its lines.

use std::path::Path;

use queuecast::experiment::compare::{Comparison, Question, Verdict, compare};
use queuecast::model::Model;
use queuecast::scenario::Scenario;
use queuecast::sim::Detail;
use serde_json::json;

use crate::cli::Desk;

const RANDOM: &str = r#"
[run]
stop   = "20s"
warmup = "2s"

[producers.checkout]
queue    = "orders"
arrivals = { poisson = { rate = "1200/s" } }

[queues.orders]

[consumers.fleet]
queue   = "orders"
count   = 59
service = { exponential = { mean = "40ms" } }
"#;

fn model(text: &str, sets: &[&str]) -> Model {
    let sets: Vec<String> = sets.iter().map(|set| (*set).to_owned()).collect();
    let scenario = Scenario::from_text("fleet.toml", text, &sets, Path::new(""));
    scenario.unwrap_or_else(|failure| panic!("{failure}")).model
}

fn compared(models: &[Model], pairs: Option<u32>) -> Comparison {
    let question = Question {
        pairs,
        level: 0.95,
        metrics: &[],
    };
    compare(models, question, Detail::Measures, &|_| {})
}

fn variance(values: &[f64]) -> f64 {
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    let squares = values.iter().map(|value| (value - mean).powi(2));
    squares.sum::<f64>() / (values.len() as f64 - 1.0)
}

/// Each message has the same work and comes at the same instant in both fleets.
#[test]
fn a_pair_varies_at_most_a_tenth_of_what_independent_runs_would() {
    let models = ["59", "60"].map(|it| model(RANDOM, &[&format!("consumers.fleet.count={it}")]));
    let found = compared(&models, Some(10));
    for metric in ["queues.orders.sojourn.mean", "consumers.fleet.busy.mean"] {
        let of = |arm: usize| {
            let measures = &found.arms[arm].measures;
            let place = measures.catalogue().position(metric).expect(metric);
            measures.column(place).expect("it happened")
        };
        let (a, b) = (of(0), of(1));
        let gaps: Vec<f64> = a.iter().zip(&b).map(|(a, b)| b - a).collect();
        let independent = variance(&a) + variance(&b);
        let paired = variance(&gaps);
        assert!(
            paired <= independent / 10.0,
            "{metric}: {paired} of {independent}"
        );
    }
}

#[test]
fn a_consumer_more_moves_the_wait_and_not_what_is_offered() {
    let models = ["52", "60"].map(|it| model(RANDOM, &[&format!("consumers.fleet.count={it}")]));
    let found = compared(&models, Some(10));
    let of = |metric: &str| {
        let mut all = found.differences.iter();
        all.find(|it| it.metric == metric).expect(metric)
    };
    let wait = of("queues.orders.wait.mean");
    assert_eq!(wait.verdict, Verdict::Moves);
    let interval = wait.interval.expect("ten pairs");
    assert!(interval.high < 0.0 && interval.count == 10, "{interval:?}");
    // The arrivals are the same, to the message.
    assert_eq!(of("queues.orders.offered").verdict, Verdict::Same);
    // What is published is done: what is left in flight at the end is chance.
    assert_eq!(of("queues.orders.completed").verdict, Verdict::Noise);
}

/// A change that is none: what is compared differs in a name alone, and yet draws from streams of
/// its own, since they go by names.
#[test]
fn another_name_is_noise() {
    let base = model(RANDOM, &["run.stop=10s"]);
    let mut other = base.clone();
    let renamed = RANDOM.replace("checkout", "register");
    other.producers = model(&renamed, &[]).producers;
    let found = compared(&[base, other], Some(10));
    let moved: Vec<_> = found
        .differences
        .iter()
        .filter(|it| it.verdict == Verdict::Moves)
        .collect();
    assert!(moved.is_empty(), "{moved:?}");
    let offered = found
        .differences
        .iter()
        .find(|it| it.metric == "queues.orders.offered");
    assert_eq!(
        offered.expect("both have the queue").verdict,
        Verdict::Noise
    );
    let alone = [
        (0, vec!["producers.checkout".to_owned()]),
        (1, vec!["producers.register".to_owned()]),
    ];
    assert_eq!(found.alone, alone);
}

#[test]
fn the_baseline_has_the_seed_and_one_pair_says_nothing() {
    let (base, other) = (
        model(RANDOM, &["run.stop=5s"]),
        model(RANDOM, &["run.stop=5s", "run.seed=7"]),
    );
    let found = compared(&[base.clone(), other.clone()], Some(1));
    assert!(
        found
            .differences
            .iter()
            .all(|it| it.verdict == Verdict::Same),
        "the seed is one"
    );
    assert!(
        found.notes.iter().any(|note| note.contains("seed 7")),
        "{:?}",
        found.notes
    );
    let faster = model(RANDOM, &["run.stop=5s", "consumers.fleet.count=70"]);
    let found = compared(&[base, faster], Some(1));
    let wait = found
        .differences
        .iter()
        .find(|it| it.metric == "queues.orders.wait.mean");
    assert_eq!(wait.expect("both wait").verdict, Verdict::Unknown);
    assert!(
        found.notes[0].contains("no telling what is noise"),
        "{:?}",
        found.notes
    );
}

/// 60 against 75 consumers after 90 s: the discrete drains of the worked example, 90 s + 40 ms
/// times ⌈(100,000 - c)/(c - 48)⌉.
#[test]
fn without_chance_the_difference_is_exact() {
    let desk = Desk::new();
    let args = [
        "compare",
        "outage_reject.toml",
        "--to",
        "consumers.fleet.count=75",
    ];
    let answer = desk.call(&[&args[..], &["--format", "json"]].concat());
    assert_eq!(answer.code, 0, "{}", answer.stderr);
    let json = answer.json();
    assert_eq!(
        (&json["by_chance"], &json["pairs"]),
        (&json!(false), &json!(1))
    );
    let drain = |c: f64| 90.0 + 0.04 * ((100_000.0 - c) / (c - 48.0)).ceil();
    let all = json["differences"].as_array().expect("a list");
    let of = |metric: &str| {
        all.iter()
            .find(|it| it["metric"] == metric)
            .expect("compared")
    };
    let drained = of("queues.orders.drained_at");
    let expected = drain(75.0) - drain(60.0);
    assert!((drained["difference"].as_f64().expect("a number") - expected).abs() < 1e-6);
    assert_eq!(drained["verdict"], "exact");
    assert_eq!(drained["low"], json!(null));
    assert_eq!(of("queues.orders.rejected")["verdict"], "same");
    assert_eq!(
        json["points"][1]["set"],
        json!({"consumers.fleet.count": "75"})
    );
    assert_eq!(
        json["points"][0]["metrics"]["queues.orders.rejected"],
        8_000
    );
    let full = json["timeline"].as_array().expect("a list").iter();
    let full = full
        .filter(|it| it["kind"] == "queue_full")
        .collect::<Vec<_>>();
    assert_eq!(full.len(), 1, "one instant, told once");
    assert_eq!(full[0]["arms"], json!(["A", "B"]));
    let folder = "output/compare/outage_reject-consumers.fleet.count=75";
    let files = [
        "depth.svg",
        "differences.csv",
        "lag.svg",
        "rates.svg",
        "report.html",
        "summary.json",
        "timeline.txt",
    ];
    assert_eq!(desk.names(folder), files);
    assert_eq!(desk.read(&format!("{folder}/summary.json")), answer.stdout);
}

#[test]
fn text_fits_a_terminal_and_folds_what_does_not_move() {
    let desk = Desk::new();
    desk.put("fleet.toml", RANDOM);
    let args = [
        "compare",
        "fleet.toml",
        "--to",
        "consumers.fleet.count=64",
        "--set",
        "run.stop=4s",
    ];
    let answer = desk.call(&[&args[..], &["--no-report", "--replications", "5"]].concat());
    assert_eq!(answer.code, 0, "{}", answer.stderr);
    for line in answer.stdout.lines() {
        assert!(line.chars().count() <= 80, "{line}");
    }
    assert!(answer.stdout.contains("\n  noise "), "{}", answer.stdout);
    insta::assert_snapshot!(desk.seen(&[
        "compare",
        "outage_reject.toml",
        "--to",
        "consumers.fleet.count=75",
        "--no-report"
    ]));
}

/// One incident and five answers in one file (and under one chance): nothing done is worst in what
/// waits, and each other has its price elsewhere.
#[test]
fn a_file_holds_an_incident_and_its_answers() {
    let desk = Desk::new();
    let name = "backpressure_five_answers.toml";
    desk.put(
        name,
        include_str!("../../scenarios/backpressure_five_answers.toml"),
    );
    let answer = desk.call(&["compare", name, "--format", "json"]);
    assert_eq!(answer.code, 0, "{}", answer.stderr);
    let json = answer.json();
    let points = json["points"].as_array().expect("a list");
    let names: Vec<_> = points.iter().map(|it| it["name"].as_str()).collect();
    let answers = ["nothing", "more", "cheaper", "shed", "slow"].map(Some);
    assert_eq!(names, answers);
    assert_eq!(points[0]["set"], json!({}));
    assert_eq!(points[4]["set"], json!({"queues.orders.capacity": "187"}));
    let all = json["differences"].as_array().expect("a list");
    let of = |arm: &str, metric: &str| {
        let found = all
            .iter()
            .find(|it| it["arm"] == arm && it["metric"] == metric);
        found.unwrap_or_else(|| panic!("{arm}: {metric}"))
    };
    let number = |it: &serde_json::Value| it.as_f64().expect("a number");
    // The same people think for the same times, as long as nobody makes them wait.
    for arm in ["B", "C", "D"] {
        assert_eq!(of(arm, "queues.orders.offered")["verdict"], "same");
    }
    assert!(number(&of("E", "queues.orders.offered")["high"]) < 0.0);
    // Nothing done is worst, in every pair by more than chance.
    for metric in ["drained_at", "depth.max", "wait.p99"] {
        for arm in ["B", "C", "D", "E"] {
            let it = of(arm, &format!("queues.orders.{metric}"));
            assert_eq!(it["verdict"], "moves", "{arm} {metric}");
            assert!(number(&it["high"]) < 0.0, "{arm} {metric}");
        }
    }
    // What does not fit is dropped, pair by pair: the most that waits without a bound, less it.
    let dropped = number(&of("D", "queues.orders.dropped")["b"]);
    let most = number(&of("D", "queues.orders.depth.max")["a"]);
    assert!((dropped - (most - 187.0)).abs() < 20.0, "{dropped} {most}");
    assert_eq!(of("E", "queues.orders.dropped")["verdict"], "same");
    // Little's law over the loop: 100 people at 37.5/s, 2 s of it their own, block 25 of them for
    // the 300 s, less the 15 s in which the queue fills; 40 of 100 are the crowd.
    let blocked = number(&of("E", "producers.crowd.blocked_seconds")["b"]);
    let expected = 0.4 * 25.0 * 285.0;
    assert!((blocked / expected - 1.0).abs() < 0.1, "{blocked}");
    // Nothing else is judged.
    let tested = all.iter().filter(|it| !it["p"].is_null());
    assert_eq!(json["tested"], tested.count());
}

/// What is named takes the place of a scenario's own variants, whose mistakes have a caret.
#[test]
fn variants_of_a_file_are_shown_side_by_side_unless_others_are_named() {
    let desk = Desk::new();
    let name = "backpressure_five_answers.toml";
    let text = include_str!("../../scenarios/backpressure_five_answers.toml");
    desk.put(name, text);
    let to = ["compare", name, "--to", "queues.orders.ttl=5s"];
    let rest = ["--format", "json", "--no-report", "--replications", "2"];
    let two = desk.call(&[&to[..], &rest].concat()).json();
    assert_eq!(two["points"].as_array().expect("a list").len(), 2);
    let side = desk.call(&["compare", name, "--no-report", "--replications", "2"]);
    assert!(side.stdout.contains("Side by side"), "{}", side.stdout);
    for line in side.stdout.lines() {
        assert!(line.chars().count() <= 80, "{line}");
    }
    desk.put(
        "bad.toml",
        &text.replace("orders.overflow", "orders.overflw"),
    );
    let bad = desk.call(&["compare", "bad.toml"]);
    assert_eq!(bad.code, 2);
    assert!(
        bad.stderr.contains("did you mean `overflow`?"),
        "{}",
        bad.stderr
    );
}

#[test]
fn what_cannot_be_compared_is_said() {
    let desk = Desk::new();
    let alone = desk.call(&["compare", "outage_reject.toml"]);
    assert_eq!(alone.code, 2);
    assert!(
        alone.stderr.contains("nothing to compare with"),
        "{}",
        alone.stderr
    );
    let to = [
        "compare",
        "outage_reject.toml",
        "--to",
        "consumers.fleet.cuont=75",
    ];
    let wrong = desk.call(&to);
    assert_eq!(wrong.code, 2);
    assert!(
        wrong.stderr.contains("did you mean `count`?"),
        "{}",
        wrong.stderr
    );
    let metric = ["--to", "run.seed=2", "--metric", "queues.orders.weight"];
    let metric = desk.call(&[&["compare", "outage_reject.toml"][..], &metric].concat());
    assert_eq!(metric.code, 2);
    assert!(
        metric.stderr.contains("no metric `queues.orders.weight`"),
        "{}",
        metric.stderr
    );
}
