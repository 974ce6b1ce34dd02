//! The load that redeliveries make by theory, against runs: what `check` tells before a run.
//!
//! Not waits, which have no form then. Ten replications each, of fixed seeds; what theory says lies
//! in the 99.9 % interval of their mean (Student's t, 9 degrees of freedom, 4.781), so that a right
//! theory had a chance of a few percent to fail any of these rows when the seeds were chosen; and
//! within five percent of it, so that no wide interval hides a wrong one.

use std::path::Path;

use queuecast::experiment::readings::redone;
use queuecast::experiment::replicate::replicate;
use queuecast::model::Id;
use queuecast::outcome::{Catalogue, Measures};
use queuecast::scenario::Scenario;
use queuecast::sim::Detail;
use rayon::prelude::*;

const QUANTILE: f64 = 4.781;

const BASE: &str = r#"
    [run]
    stop = "4000s"
    warmup = "200s"
    replications = 10
    [producers.p]
    queue = "q"
    arrivals = { poisson = { rate = "10/s" } }
    [queues.q]
    [consumers.c]
    queue = "q"
    count = 30
    service = { exponential = { mean = "1s" } }
"#;

const ROWS: [&[&str]; 8] = [
    // Just above p99.9 (6.9 s) of what works at it.
    &["queues.q.delivery.visibility_timeout=7s"],
    &["queues.q.delivery.visibility_timeout=2s"],
    &[
        "queues.q.delivery.visibility_timeout=4s",
        "consumers.c.rework=resample",
    ],
    // Crashes alone, of work whose length is kept.
    &[
        "consumers.c.service={ lognormal = { mean = \"1s\", cv = 1 } }",
        "consumers.c.crash={ mtbf = \"30s\", restart = \"2s\" }",
    ],
    // Both, with the same work each time, a new one, and an end to it.
    &[
        "queues.q.delivery.visibility_timeout=5s",
        "consumers.c.service={ lognormal = { mean = \"1s\", p99 = \"5s\" } }",
        "consumers.c.crash={ mtbf = \"60s\", restart = \"5s\" }",
    ],
    &[
        "queues.q.delivery.visibility_timeout=4s",
        "consumers.c.crash={ mtbf = \"20s\", restart = \"1s\" }",
        "consumers.c.rework=resample",
    ],
    &[
        "queues.q.delivery={ visibility_timeout = \"2s\", max_receives = 2 }",
        "consumers.c.crash={ mtbf = \"20s\", restart = \"1s\" }",
    ],
    &[
        "queues.q.delivery={ visibility_timeout = \"3s\", max_receives = 3 }",
        "queues.q.delivery.late_ack=refused",
    ],
];

/// What theory and the replications say of a row: utilization, then the wasted share.
fn both(sets: &[&str]) -> [(f64, Vec<f64>); 2] {
    let owned: Vec<String> = sets.iter().map(|set| (*set).to_owned()).collect();
    let scenario = Scenario::from_text("a.toml", BASE, &owned, Path::new(""));
    let model = scenario
        .unwrap_or_else(|failure| panic!("{sets:?}\n{failure}"))
        .model;
    let again = redone(&model, Id::at(0)).expect("is done again");
    let utilization = 10.0 * again.free / (30.0 * again.up);
    let runs = replicate(&model, 10, Detail::Measures, &|_| {});
    let measured = |metric: &str| {
        let value =
            |run| Measures::of(Catalogue::of(&model), std::slice::from_ref(run)).value(metric);
        runs.iter().map(|run| value(run).expect(metric)).collect()
    };
    [
        (utilization, measured("consumers.c.utilization")),
        (again.wasted(), measured("consumers.c.wasted_work")),
    ]
}

#[test]
fn load_and_waste_are_what_runs_have() {
    let rows: Vec<_> = ROWS.par_iter().map(|sets| (sets, both(sets))).collect();
    let mut wrong = Vec::new();
    for (sets, found) in rows {
        for (theory, runs) in found {
            let n = runs.len() as f64;
            let mean = runs.iter().sum::<f64>() / n;
            let variance = runs.iter().map(|it| (it - mean).powi(2)).sum::<f64>() / (n - 1.0);
            let half = QUANTILE * (variance / n).sqrt();
            let told = format!("{sets:?}: theory {theory:.5}, runs {mean:.5} ± {half:.5}");
            println!("{told}");
            if (theory - mean).abs() > half || (theory / mean - 1.0).abs() > 0.05 {
                wrong.push(told);
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
