//! `run`: its text, its JSON, exit codes, and that neither threads nor files change the answer.

use std::process::Stdio;

use super::{Answer, Desk};

/// A run with chance in it, and short.
const RANDOM: [&str; 8] = [
    "run",
    "outage_reject.toml",
    "--set",
    "producers.checkout.arrivals={ poisson = { rate = \"1200/s\" } }",
    "--set",
    "outages.0.duration=2s",
    "--replications",
    "3",
];

fn random(more: &[&str]) -> Answer {
    Desk::new().call(&[&RANDOM[..], &["--format", "json"], more].concat())
}

#[test]
fn the_worked_example_as_text() {
    insta::assert_snapshot!(Desk::new().seen(&["run", "outage_reject.toml"]));
}

#[test]
fn json_has_the_keys_that_scripts_read() {
    let answer = Desk::new().call(&["run", "outage_reject.toml", "--format", "json"]);
    assert_eq!(answer.code, 0, "{}", answer.stderr);
    let json = answer.json();
    for key in [
        "queuecast",
        "scenario",
        "digest",
        "ended",
        "metrics",
        "intervals",
        "timeline",
        "theory",
        "fluid",
        "expect",
        "ledger",
    ] {
        assert!(json.get(key).is_some(), "no `{key}`");
    }
    for key in ["title", "path", "seed", "replications"] {
        assert!(json["scenario"].get(key).is_some(), "no `scenario.{key}`");
    }
    assert_eq!(json["ended"]["why"], "drained");
    assert_eq!(json["metrics"]["queues.orders.rejected"], 8000);
    assert_eq!(json["ledger"]["queues.orders"]["in_flight"], 60);
    assert_eq!(json["expect"][1]["that"], "queues.orders.rejected == 8000");
    assert_eq!(json["expect"][1]["held"], true);
    let full = json["timeline"].as_array().expect("a timeline").iter();
    let full = full
        .clone()
        .find(|moment| moment["kind"] == "queue_full")
        .expect("it fills");
    assert_eq!(full["subject"], "queues.orders");
    assert_eq!(full["t_s"], 83.3325);
}

#[test]
fn threads_and_files_do_not_change_the_answer() {
    let one = random(&["--jobs", "1"]);
    let four = random(&["--jobs", "4"]);
    let bare = random(&["--no-report"]);
    assert_eq!(one.stdout, four.stdout);
    assert_eq!(one.stdout, bare.stdout);
    let other = random(&["--seed", "2"]);
    assert_ne!(one.json()["digest"], other.json()["digest"]);
    assert_eq!(one.json()["scenario"]["replications"], 3);
    let interval = &one.json()["intervals"]["queues.orders.wait.mean"];
    assert_eq!(interval["n"], 3);
}

#[test]
fn an_expectation_that_does_not_hold_is_exit_code_1() {
    let args = [
        "run",
        "outage_reject.toml",
        "--set",
        "consumers.fleet.count=75",
    ];
    let answer = Desk::new().call(&args);
    assert_eq!(answer.code, 1);
    assert!(answer.stdout.contains("NOT HELD"), "{}", answer.stdout);
}

#[test]
fn a_limit_is_exit_code_3_and_the_result_is_marked_partial() {
    let desk = Desk::new();
    for limit in ["run.horizon=2m", "run.max_alive=1000"] {
        let answer = desk.call(&["run", "outage_reject.toml", "--set", limit]);
        assert_eq!(answer.code, 3, "{limit}: {}", answer.stderr);
        assert!(
            answer.stdout.contains("PARTIAL RESULT"),
            "{limit}: {}",
            answer.stdout
        );
        let summary = desk.read("output/outage_reject/summary.json");
        assert!(summary.contains("\"partial\": true"), "{limit}");
    }
}

#[test]
fn a_misspelt_assignment_has_its_caret_and_the_right_word() {
    let args = [
        "run",
        "outage_reject.toml",
        "--set",
        "consumers.fleet.cuont=3",
    ];
    insta::assert_snapshot!(Desk::new().seen(&args));
}

#[test]
fn a_scenario_that_is_not_there_is_said() {
    insta::assert_snapshot!(Desk::new().seen(&["run", "nowhere.toml"]));
}

#[test]
fn colours_come_when_asked_for() {
    let desk = Desk::new();
    let wrong = [
        "check",
        "outage_reject.toml",
        "--set",
        "consumers.fleet.cuont=3",
    ];
    let seen = |when: &str| desk.call(&[&wrong[..], &["--color", when]].concat()).stderr;
    assert!(seen("always").contains("\x1b["));
    // Standard error is no terminal here.
    for plain in [seen("never"), seen("auto")] {
        assert!(!plain.contains('\x1b'), "{plain}");
    }
    let init = desk.call(&["init", "outage_reject.toml", "--color", "always"]);
    assert!(
        init.stderr.starts_with("\x1b[1;31merror:"),
        "{}",
        init.stderr
    );
}

#[test]
fn quiet_says_nothing_but_errors() {
    let desk = Desk::new();
    let loud = desk.call(&["run", "outage_reject.toml"]);
    assert!(
        loud.stderr.contains("wrote output/outage_reject/"),
        "{}",
        loud.stderr
    );
    let quiet = desk.call(&["run", "outage_reject.toml", "--quiet"]);
    assert_eq!(quiet.stderr, "");
    assert_eq!(quiet.stdout, loud.stdout);
    assert!(
        !desk
            .call(&["run", "nowhere.toml", "--quiet"])
            .stderr
            .is_empty()
    );
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let desk = Desk::new();
    let mut child = desk
        .command(&["run", "outage_reject.toml", "--no-report"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

#[test]
fn csv_has_every_metric() {
    let args = [
        "run",
        "outage_reject.toml",
        "--no-report",
        "--format",
        "csv",
    ];
    let answer = Desk::new().call(&args);
    assert!(answer.stdout.starts_with("metric,value,low,high,unit\n"));
    assert!(
        answer
            .stdout
            .contains("\nqueues.orders.rejected,8000,,,count\n")
    );
}

#[test]
fn a_run_that_ends_inside_an_outage_says_what_it_leaves_out() {
    let args = [
        "run",
        "outage_reject.toml",
        "--set",
        "run.stop=86s",
        "--no-report",
    ];
    let answer = Desk::new().call(&args);
    let warning = "the run ends at 1m 26s, before the outage does at 1m 30s";
    assert!(answer.stderr.contains(warning), "{}", answer.stderr);
    let one_line = answer
        .stdout
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    // 1200/s from 83.33 s on.
    for said in [
        "publishes refused to the end, 3,200 in all",
        "still wait or are in flight",
    ] {
        assert!(one_line.contains(said), "{said}: {}", answer.stdout);
    }
    assert!(!answer.stdout.contains("last publish"), "{}", answer.stdout);
}
