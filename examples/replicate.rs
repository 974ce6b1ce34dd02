//! Replicates a random scenario, and holds its intervals against Erlang's formula.
//!
//! Not one long run: independent replications need no thought about what depends on what.
//!
//! `cargo run --release --example replicate`

use std::error::Error;
use std::path::Path;

use queuecast::experiment::replicate::replicate;
use queuecast::outcome::{Catalogue, Measures};
use queuecast::scenario::Scenario;
use queuecast::sim::Detail;
use queuecast::theory::mmc::Mmc;

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
service = { exponential = { mean = "40ms" } }
"#;

fn main() -> Result<(), Box<dyn Error>> {
    let scenario = Scenario::from_text("calm.toml", TEXT, &[], Path::new(""))?;
    let runs = replicate(&scenario.model, 20, Detail::Measures, &|_| {});
    let measures = Measures::of(Catalogue::of(&scenario.model), &runs);
    let theory = Mmc::new(120.0, 25.0, 6)?;
    let exact = [
        ("queues.orders.wait.mean", theory.mean_wait()),
        ("queues.orders.wait.p99", theory.wait_exceeded_with(0.01)),
        ("queues.orders.depth.mean", theory.mean_waiting()),
        ("consumers.fleet.utilization", theory.utilization()),
    ];
    for (metric, exact) in exact {
        let position = measures.catalogue().position(metric);
        let Some(interval) = position.and_then(|at| measures.interval(at, 0.95)) else {
            continue;
        };
        let (low, high) = (interval.low, interval.high);
        println!("{metric:<28} {low:.5} to {high:.5}, exactly {exact:.5}");
    }
    Ok(())
}
