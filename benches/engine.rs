//! Messages a second of the whole engine, as ratios to hand-written floors measured in the same
//! run. Not absolute figures: those do not carry over to another machine.
//!
//! `cargo bench --bench engine` runs all; an argument keeps the rows whose name contains it.

mod floor;
mod mechanisms;
mod models;

use std::time::Instant;

use queuecast::model::Model;
use queuecast::sim::{Detail, measure};

/// How often each side is measured; the best of them counts, since noise only adds.
const ROUNDS: usize = 9;

#[expect(clippy::disallowed_methods, reason = "a bench measures the wall clock")]
fn nanos_per_message(run: &mut dyn FnMut() -> u64) -> f64 {
    let start = Instant::now();
    let messages = run();
    start.elapsed().as_nanos() as f64 / messages as f64
}

/// The best of several rounds of each side, taken in turns so that both meet the same machine.
fn measured(sides: &mut [&mut dyn FnMut() -> u64]) -> Vec<f64> {
    let mut best = vec![f64::INFINITY; sides.len()];
    for _ in 0..ROUNDS {
        for (side, best) in sides.iter_mut().zip(&mut best) {
            *best = best.min(nanos_per_message(*side));
        }
    }
    best
}

fn engine(model: &Model, replication: u32) -> u64 {
    let record = measure(model, replication, Detail::Series, &|_| {});
    record.queues.iter().map(|queue| queue.flows.offered).sum()
}

fn events(model: &Model) -> u64 {
    measure(model, 0, Detail::Series, &|_| {}).events
}

/// Whether the arguments ask for this row.
fn wanted(name: &str) -> bool {
    std::env::args()
        .skip(1)
        .filter(|a| !a.starts_with('-'))
        .all(|part| name.contains(&part))
}

fn row(name: &str, floor_name: &str, floor: &mut dyn FnMut() -> u64, model: &Model, goal: f64) {
    if !wanted(name) {
        return;
    }
    let times = measured(&mut [floor, &mut || engine(model, 0)]);
    let (floor, engine) = (times[0], times[1]);
    println!(
        "{name:<34} {engine:>7.1} ns/message  {:>6.1} M/s  floor ({floor_name}) {floor:>5.1} ns  \
         ratio {:>5.2}  (at most {goal})",
        1e3 / engine,
        engine / floor
    );
}

fn main() {
    let messages = 2_000_000;
    row(
        "W1 M/M/60 at 0.8",
        "c-server recursion",
        &mut || floor::many_servers(60, messages),
        &models::mmc(60, 0.8, messages),
        5.0,
    );
    row(
        "W2 M/M/1 at 0.8",
        "Lindley recursion",
        &mut || floor::lindley(messages),
        &models::mmc(1, 0.8, messages),
        8.0,
    );
    row(
        "W3 90 s outage",
        "ring buffers",
        // As long as the engine takes, or the best of its rounds would meet a quieter machine.
        &mut || (0..15).map(|_| floor::outage()).sum(),
        &models::outage(),
        15.0,
    );
    mechanisms::all();
}
