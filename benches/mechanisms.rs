//! What each mechanism costs beside the plain workloads: full queues, long queues, many handlers,
//! storms of timers, and the second core. Not ratios to floors, except of one row to another.

use std::cell::Cell;

use queuecast::model::Model;
use queuecast::sim::{BYTES_A_WAITING_MESSAGE, Fact, Recorder, simulate};
use queuecast::units::{SimDuration, SimTime};

use crate::{engine, events, measured, models, wanted};

fn row(name: &str, model: &Model) {
    if wanted(name) {
        let nanos = measured(&mut [&mut || engine(model, 0)])[0];
        println!("{name:<34} {nanos:>7.1} ns/message");
    }
}

/// Counts one kind of fact.
struct Counter(u64, fn(&Fact) -> bool);

impl Recorder for Counter {
    fn observe(&mut self, _now: SimTime, fact: &Fact) {
        self.0 += u64::from((self.1)(fact));
    }
}

/// How many of the facts of a run are of a kind.
fn count(model: &Model, which: fn(&Fact) -> bool) -> u64 {
    simulate(model, 0, Counter(0, which)).0.0
}

fn full_queues() {
    let blocked = models::blocked_publishers();
    row("10^5 publishers blocked at once", &blocked);
    for (capacity, utilization) in [(12, 0.7), (7, 0.7), (5, 0.75)] {
        let name = format!("retries, M/M/1/{capacity} at {utilization}");
        let model = models::retries(capacity, utilization, 500_000);
        row(&name, &model);
        if wanted(&name) {
            let postponed = count(&model, |fact| matches!(fact, Fact::Postponed { .. }));
            let offered = count(&model, |fact| matches!(fact, Fact::Offered { .. }));
            let share = 100.0 * postponed as f64 / offered as f64;
            println!("{:<34} {share:>7.1} retries for 100 messages", "");
        }
    }
}

/// The cost of a message must not grow with those that wait: a hundred short runs against a long
/// one of ten times as many messages, in turns.
fn long_queues() {
    let name = format!("10^4 waiting, {BYTES_A_WAITING_MESSAGE} bytes each");
    if !wanted(&name) {
        return;
    }
    let waiting = |service: u64| {
        let per_second = 48_000_000_000 / service;
        models::backlog(per_second, SimDuration::from_nanos(service))
    };
    let (few, many) = (waiting(432_000_000), waiting(432_000));
    let short = &mut || (0..100).map(|_| engine(&few, 0)).sum();
    let long = &mut || engine(&many, 0);
    let times = measured(&mut [short, long]);
    println!("{name:<34} {:>7.1} ns/message", times[0]);
    println!(
        "{:<34} {:>7.1} ns/message  ratio {:>5.2}  (goal: 1)",
        "10^7 waiting",
        times[1],
        times[1] / times[0]
    );
}

fn leases() {
    let messages = 1_000_000;
    row("leases, M/M/60 at 0.8", &models::leased(messages));
    row("prefetch 4", &models::handled(messages, models::pushed()));
    row(
        "5 % of attempts fail",
        &models::handled(messages, models::failing()),
    );
}

fn timers() {
    let name = "10^5 timers in one instant";
    if wanted(name) {
        let model = models::storm(100_000);
        let nanos = measured(&mut [&mut || events(&model)])[0];
        println!("{name:<34} {nanos:>7.1} ns/event");
    }
}

fn cores() {
    let name = "two replications, two threads";
    if !wanted(name) {
        return;
    }
    let model = models::mmc(60, 0.8, 1_000_000);
    let messages = Cell::new(0);
    let one = &mut || engine(&model, 0) + engine(&model, 1);
    let two = &mut || {
        std::thread::scope(|scope| {
            let other = scope.spawn(|| engine(&model, 1));
            let mine = engine(&model, 0);
            messages.set(mine + other.join().expect("a replication does not panic"));
        });
        messages.get()
    };
    let times = measured(&mut [one, two]);
    println!(
        "{name:<34} {:>7.2} times as fast as one",
        times[0] / times[1]
    );
}

pub(crate) fn all() {
    full_queues();
    long_queues();
    for servers in [10, 1_000, 10_000] {
        let name = format!("{servers} handlers, M/M/{servers} at 0.8");
        row(&name, &models::mmc(servers, 0.8, 1_000_000));
    }
    leases();
    timers();
    cores();
}
