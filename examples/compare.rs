//! Compares two fleets under the same seed: both meet the same messages, so the difference is that
//! of the fleets, and far surer than either number.
//!
//! Not two independent experiments: their intervals would have to be added.
//!
//! `cargo run --release --example compare`

use std::error::Error;
use std::path::Path;

use queuecast::experiment::replicate::replicate;
use queuecast::outcome::{Catalogue, Measures};
use queuecast::scenario::Scenario;
use queuecast::sim::Detail;
use queuecast::stats::confidence::student;

const TEXT: &str = r#"
[run]
stop   = "2m"
warmup = "5s"

[producers.checkout]
queue    = "orders"
arrivals = { poisson = { rate = "120/s" } }

[queues.orders]

[consumers.fleet]
queue   = "orders"
count   = 6
service = { lognormal = { mean = "40ms", cv = 1.5 } }
"#;

/// The mean wait in milliseconds, one a replication.
fn waits(consumers: u32) -> Result<Vec<f64>, Box<dyn Error>> {
    let sets = [format!("consumers.fleet.count={consumers}")];
    let scenario = Scenario::from_text("fleet.toml", TEXT, &sets, Path::new(""))?;
    let runs = replicate(&scenario.model, 20, Detail::Measures, &|_| {});
    let measures = Measures::of(Catalogue::of(&scenario.model), &runs);
    let position = measures.catalogue().position("queues.orders.wait.mean");
    let waits = position.and_then(|at| measures.column(at));
    let waits = waits.ok_or("every replication has waits")?;
    Ok(waits.into_iter().map(|seconds| seconds * 1e3).collect())
}

fn main() -> Result<(), Box<dyn Error>> {
    let (six, seven) = (waits(6)?, waits(7)?);
    let pairs = six.iter().zip(&seven).map(|(six, seven)| six - seven);
    let saved: Vec<f64> = pairs.collect();
    for (name, values) in [
        ("6 consumers", six),
        ("7 consumers", seven),
        ("saved", saved),
    ] {
        if let Some(wait) = student(&values, 0.95) {
            println!(
                "{name:<12} {:>6.2} ms, give or take {:.2}",
                wait.mean,
                wait.half_width()
            );
        }
    }
    Ok(())
}
