//! Runs a scenario from a text, and reads metrics and expectations.
//!
//! Not a file on disk: [`Scenario::load`] does that.
//!
//! `cargo run --release --example run`

use std::error::Error;
use std::path::Path;

use queuecast::experiment::replicate::{digest, replicate};
use queuecast::outcome::{Catalogue, Measures};
use queuecast::scenario::Scenario;
use queuecast::sim::Detail;

const TEXT: &str = r#"
title = "A campaign behind a limit of 20 calls"

[producers.campaign]
queue    = "mails"
arrivals = { bursts = { size = 10_000 } }

[queues.mails]

[consumers.mailer]
queue       = "mails"
concurrency = 20
service     = "200ms"

[[expect]]
that = "queues.mails.sojourn.max == 100s"
"#;

fn main() -> Result<(), Box<dyn Error>> {
    // Any key can be set over the text, as on the command line.
    let sets = ["run.seed=7".to_owned()];
    let scenario = Scenario::from_text("campaign.toml", TEXT, &sets, Path::new(""))?;
    let runs = replicate(&scenario.model, 1, Detail::Measures, &|_| {});
    let measures = Measures::of(Catalogue::of(&scenario.model), &runs);

    println!("{} (digest {:016x})", scenario.model.title, digest(&runs));
    for metric in ["in_flight.max", "wait.mean", "wait.p99", "sojourn.max"] {
        let name = format!("queues.mails.{metric}");
        println!("{name}: {:?}", measures.value(&name));
    }
    for expected in &scenario.expectations {
        let observed = measures.value(&expected.metric);
        println!("{}: {}", expected.text, expected.holds(observed));
    }
    Ok(())
}
