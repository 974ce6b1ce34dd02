//! Nothing that stands in a file or on the command line may make the program panic.
//!
//! Not whether the answer is right: only that there is one.

use std::path::Path;

use proptest::prelude::*;
use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};
use queuecast::scenario::{Color, Scenario};

/// A scenario with most of the keys.
const FULL: &str = r#"
title = "All — of it"
[run]
stop = "drained"
horizon = "1h"
warmup = "auto"
[producers.p]
queues = ["orders", "mails"]
arrivals = { poisson = { rate = "1_200/s" } }
priority = { exponential = { mean = 3 } }
on_full = { block = { timeout = "30s", admission = "newcomers_first", wake_up = "40ms" } }
[queues.orders]
capacity = 100_000
order = "priority"
overflow = "drop_lowest"
memory = { limit = "1GiB", on_limit = { crash = { restart = "30s" } } }
[queues.mails]
[consumers.fleet]
queue = "orders"
count = 60
service = { exponential = { mean = "40ms" } }
schedule = [{ from = "1m", count = 2 }]
publishes = { queue = "mails", copies = 2 }
[[outages]]
target = "consumers.fleet"
windows = [{ start = "1s", duration = "1s" }]
in_flight = { crash = { returns = "at_restart" } }
[[alerts]]
when = "queues.orders.lag > 30s"
[[expect]]
that = "queues.orders.drained_at ~ 423.3s ± 1%"
[[objectives]]
that = "consumers.fleet.blocked.max == 0"
"#;

/// What a scenario is made of, and what it is not.
const PIECES: [&str; 30] = [
    "\"",
    "'",
    "\"\"\"",
    "[",
    "]",
    "{",
    "}",
    "=",
    ".",
    ",",
    "\n",
    "\r\n",
    "#",
    "-",
    "~",
    "+-",
    "±",
    "0",
    "99999999999999999999",
    "1e400",
    "nan",
    "never",
    "é",
    "\u{feff}",
    "\\u0041",
    "\\",
    "µs",
    "1979-05-27",
    "true",
    " ",
];

/// Assignments that are right.
const SETS: [&str; 5] = [
    "consumers.fleet.count=3",
    "outages.0.windows.0.start=60s",
    "producers.p.on_full={ block = {} }",
    "expect.0.that=queues.orders.rejected == 8k",
    "producers.p.on_full.block.admission.newcomers_first.wake_up=1s",
];

/// One change of a text: at a place, so many characters go and a piece comes.
fn change() -> impl Strategy<Value = (prop::sample::Index, usize, &'static str)> {
    (
        any::<prop::sample::Index>(),
        0..12_usize,
        prop::sample::select(&PIECES[..]),
    )
}

fn apply(text: &mut String, at: prop::sample::Index, gone: usize, piece: &str) {
    let places: Vec<usize> = text
        .char_indices()
        .map(|(at, _)| at)
        .chain([text.len()])
        .collect();
    let start = at.index(places.len());
    let end = (start + gone).min(places.len() - 1);
    text.replace_range(places[start]..places[end], piece);
}

fn load(text: &str, sets: &[String]) -> bool {
    match Scenario::from_text("mutant.toml", text, sets, Path::new("")) {
        Ok(scenario) => {
            scenario.render_warnings(Color::Never);
            assert!(!scenario.render_understood().is_empty());
            true
        }
        Err(failure) => {
            assert!(failure.render(Color::Always).contains("error"));
            false
        }
    }
}

fn runner(cases: u32) -> TestRunner {
    let config = ProptestConfig {
        cases,
        failure_persistence: None,
        ..ProptestConfig::default()
    };
    TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &[7; 32]))
}

#[test]
fn no_text_makes_loading_panic() {
    assert!(load(FULL, &[]), "the text itself is right");
    let changes = prop::collection::vec(change(), 1..6);
    let result = runner(3_000).run(&changes, |changes| {
        let mut text = FULL.to_owned();
        for (at, gone, piece) in changes {
            apply(&mut text, at, gone, piece);
        }
        load(&text, &[]);
        Ok(())
    });
    result.expect("no panic");
}

#[test]
fn no_assignment_makes_loading_panic() {
    let changes = (
        prop::sample::select(&SETS[..]),
        prop::collection::vec(change(), 0..4),
    );
    let result = runner(3_000).run(&changes, |(set, changes)| {
        let mut set = set.to_owned();
        for (at, gone, piece) in changes {
            apply(&mut set, at, gone, piece);
        }
        load(FULL, &[set]);
        Ok(())
    });
    result.expect("no panic");
}

#[test]
fn deep_nesting_is_an_error() {
    let deep = format!("a = {}{}", "[".repeat(10_000), "]".repeat(10_000));
    assert!(!load(&deep, &[]));
    let dotted = format!("{}=1", vec!["a"; 10_000].join("."));
    assert!(!load(FULL, &[format!("run.{dotted}")]));
    assert!(!load(&dotted, &[]));
}

#[test]
fn the_end_of_time_is_no_overflow() {
    // 213,503 days are 584.5 years: the clock's last.
    let far = "\"213503d\"";
    let sets = [
        format!("producers.p.start={far}"),
        format!("producers.p.until={far}"),
        format!("outages.0.windows=[{{ start = {far}, duration = {far} }}]"),
        format!("consumers.fleet.schedule=[{{ from = {far}, count = 3 }}]"),
        format!("consumers.fleet.service={far}"),
        format!("run.warmup={far}"),
        format!("run.horizon={far}"),
        format!("run.stop={far}"),
        format!("producers.p.on_full.block.wake_up={far}"),
    ];
    let step = format!("{{ from = {far}, rate = \"1/s\", ramp = {far} }}");
    let processes = [
        format!("schedule = [{step}]"),
        format!("schedule = [{{ from = \"1s\", rate = \"1/s\", ramp = {far} }}, {step}]"),
        format!("bursts = {{ size = 4_000_000_000, at = {far}, every = {far}, times = 9 }}"),
        format!("bursts = {{ size = 9, at = \"1s\", every = {far}, times = 4_000_000_000 }}"),
        format!("constant = {{ rate = \"1/s\", offset = {far} }}"),
        "constant = { rate = \"1000G/s\" }".to_owned(),
        format!("on_off = {{ on = \"1000G/s\", mean_on = {far}, mean_off = {far} }}"),
        format!("daily = {{ mean = \"1/s\", amplitude = 1, peak = {far}, start = {far} }}"),
        format!("clients = {{ count = 4_000_000_000, think = {far} }}"),
    ];
    let processes = processes.map(|process| format!("producers.p.arrivals={{ {process} }}"));
    for set in sets.iter().chain(&processes) {
        load(FULL, std::slice::from_ref(set));
    }
    load(FULL, &sets);
}
