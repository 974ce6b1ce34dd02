//! Sweeps as they are called: the same bytes whatever the threads, whatever was stopped, and
//! whatever was computed elsewhere; and points that share their chance.
//!
//! Not the grammar of values, nor the pictures: those have tests beside them.

mod files;
mod slurm;

use queuecast::experiment::points::evaluate_all;
use queuecast::model::Model;
use queuecast::outcome::Measures;
use queuecast::scenario::Scenario;

use crate::cli::{Answer, Desk};

/// The worked example, ten times as short and a hundred times as quiet, over 24 fleets and 20
/// outages.
const SMALL: &str = r#"
title = "A small checkout"
[producers.checkout]
queue = "orders"
arrivals = { constant = { rate = "12/s" } }
[queues.orders]
capacity = 100
[consumers.fleet]
queue = "orders"
count = 60
service = "4s"
[[outages]]
target = "consumers.fleet"
start = "0s"
duration = "9s"
[[objectives]]
that = "queues.orders.drained_at <= 40s"
[sweep]
vary = { "consumers.fleet.count" = "50..96:2", "outages.0.duration" = "1s..20s:1s" }
"#;

/// A folder with the small scenario in it.
fn desk() -> Desk {
    let desk = Desk::new();
    desk.put("small.toml", SMALL);
    desk
}

/// The results file of a sweep.
const CSV: &str = "output/small/sweep.csv";

/// A sweep that is done.
fn swept(desk: &Desk, more: &[&str]) -> Answer {
    let args: Vec<&str> = ["sweep", "small.toml"]
        .iter()
        .chain(more)
        .copied()
        .collect();
    let answer = desk.call(&args);
    assert_eq!(answer.code, 0, "{}", answer.stderr);
    answer
}

#[test]
fn a_sweep_is_the_same_for_any_number_of_threads() {
    let (one, two) = (desk(), desk());
    let first = swept(&one, &["--jobs", "1", "--format", "json"]);
    let second = swept(&two, &["--jobs", "2", "--format", "json"]);
    assert!(first.stdout == second.stdout, "JSON differs");
    assert!(one.read(CSV) == two.read(CSV), "results files differ");
    assert_eq!(one.names("output/small"), two.names("output/small"));
    for name in one.names("output/small") {
        let path = format!("output/small/{name}");
        assert!(one.read(&path) == two.read(&path), "{path}");
    }
    let json = first.json();
    let points = json["points"].as_array().expect("points");
    assert_eq!((points.len(), json["of"].as_u64()), (480, Some(480)));
    // Nothing is refused until the queue is full, after 100 / 12 s; from then on, 12 a second.
    for point in points {
        let seconds = point["set"]["outages.0.duration"].as_str().expect("a text");
        let seconds: u64 = seconds.trim_end_matches('s').parse().expect("seconds");
        let rejected = &point["metrics"]["queues.orders.rejected"];
        assert_eq!(rejected.as_u64(), Some((12 * seconds).saturating_sub(100)));
    }
}

#[test]
fn a_point_of_a_sweep_is_the_run_of_that_scenario() {
    let desk = desk();
    let more = ["--vary", "consumers.fleet.count=60,61", "--format", "json"];
    let json = swept(&desk, &more).json();
    let set = ["--set", "consumers.fleet.count=61", "--no-report"];
    let args: Vec<&str> = ["run", "small.toml", "--format", "json"]
        .iter()
        .chain(&set)
        .copied()
        .collect();
    let run = desk.call(&args).json();
    let point = &json["points"][1];
    assert_eq!(point["set"]["consumers.fleet.count"], 61);
    assert_eq!(point["metrics"], run["metrics"]);
    assert_eq!(point["digest"], run["digest"]);
}

#[test]
fn a_sweep_says_what_is_wrong_and_exits_with_2() {
    let desk = desk();
    let cases: [(&[&str], &str); 6] = [
        (
            &["--vary", "consumers.flet.count=1..3"],
            "did you mean `fleet`?",
        ),
        (
            &["--vary", "consumers.fleet.count=9..3"],
            "help: write `3..9`",
        ),
        (
            &["--metric", "queues.orders.rejectd"],
            "did you mean `rejected`?",
        ),
        (&["--shard", "5/4"], "`1/8` to `8/8`"),
        (&["--shard", "auto"], "finds no index in the environment"),
        (&["--pair"], "`consumers.fleet.count` has 24"),
    ];
    for (more, words) in cases {
        let args: Vec<&str> = ["sweep", "small.toml"]
            .iter()
            .chain(more)
            .copied()
            .collect();
        let answer = desk.call(&args);
        assert_eq!(answer.code, 2, "{}", answer.stderr);
        assert!(answer.stderr.contains(words), "{words}: {}", answer.stderr);
        assert!(!desk.path().join("output").exists(), "{more:?}");
    }
}

#[test]
fn points_that_a_limit_stopped_are_marked_and_told() {
    let desk = desk();
    let more = [
        "--vary",
        "consumers.fleet.count=48,60",
        "--set",
        "run.horizon=5m",
    ];
    let args: Vec<&str> = ["sweep", "small.toml"]
        .iter()
        .chain(&more)
        .copied()
        .collect();
    let answer = desk.call(&args);
    assert_eq!(answer.code, 3);
    let told = "PARTIAL: 1 point stopped by a limit, the first at 300 s by the horizon:\n  \
                consumers.fleet.count=48\n";
    assert!(answer.stdout.contains(told), "{}", answer.stdout);
    let csv = desk.read(CSV);
    let ends: Vec<_> = csv
        .lines()
        .skip(1)
        .map(|row| row.split(',').nth(5))
        .collect();
    assert_eq!(ends, [Some("horizon"), Some("drained")]);
}

/// Messages at random, 59 consumers and 60, twenty runs of each.
fn fleets(seed: u64) -> [Measures; 2] {
    const RANDOM: &str = r#"
        [run]
        stop = "30s"
        replications = 20
        [producers.p]
        queue = "q"
        arrivals = { poisson = { rate = "1200/s" } }
        [queues.q]
        [consumers.c]
        queue = "q"
        count = 60
        service = { exponential = { mean = "40ms" } }
        [[outages]]
        target = "consumers.c"
        start = "0s"
        duration = "2s"
    "#;
    let set = [format!("run.seed={seed}")];
    let scenario = Scenario::from_text("random.toml", RANDOM, &set, "".as_ref());
    let scenario = scenario.expect("a scenario");
    let vary = ["consumers.c.count=59,60".to_owned()];
    let grid = scenario.grid(&vary, None).expect("a grid");
    let points = [0, 1].map(|point| grid.compile(point).expect("a point").model);
    let models: Vec<&Model> = points.iter().collect();
    let [one, two] = &evaluate_all(&models, &|_| {})[..] else {
        panic!("two points have two outcomes");
    };
    [one.measures.clone(), two.measures.clone()]
}

fn variance(values: &[f64]) -> f64 {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    squares / (n - 1.0)
}

#[test]
fn two_fleets_that_share_their_chance_differ_ten_times_less_by_chance() {
    let ([small, large], [_, other]) = (fleets(1), fleets(2));
    for metric in [
        "queues.q.drained_at",
        "queues.q.wait.mean",
        "consumers.c.busy.mean",
    ] {
        let values = |measures: &Measures| {
            let place = measures.catalogue().position(metric).expect(metric);
            measures.column(place).expect(metric)
        };
        let difference = |one: &Measures, two: &Measures| {
            let pairs = values(one).into_iter().zip(values(two));
            variance(&pairs.map(|(one, two)| one - two).collect::<Vec<_>>())
        };
        let paired = difference(&small, &large);
        let independent = difference(&small, &other);
        assert!(
            paired <= 0.1 * independent,
            "{metric}: {paired} against {independent}"
        );
    }
}

#[test]
fn check_finds_what_is_wrong_with_the_sweep_of_a_file() {
    let desk = desk();
    let said = desk.call(&["check", "small.toml"]).stdout;
    assert!(said.contains("varies consumers.fleet.count 24"), "{said}");
    desk.put(
        "small.toml",
        &SMALL.replace("consumers.fleet.count\"", "consumers.fleet.cout\""),
    );
    let answer = desk.call(&["check", "small.toml"]);
    assert_eq!(answer.code, 2);
    assert!(
        answer.stderr.contains("did you mean `count`?"),
        "{}",
        answer.stderr
    );
}
