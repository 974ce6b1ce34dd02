//! What people read when a scenario is wrong: the whole text, place by place.

use std::path::Path;

use queuecast::scenario::{Color, Scenario};

fn wrong(text: &str, sets: &[&str]) -> String {
    let sets: Vec<String> = sets.iter().map(|set| (*set).to_owned()).collect();
    match Scenario::from_text("checkout.toml", text, &sets, Path::new("")) {
        Ok(scenario) => format!("accepted\n{}", scenario.render_warnings(Color::Never)),
        Err(failure) => failure.render(Color::Never),
    }
}

const CHECKOUT: &str = r#"title = "Checkout"

[run]
horizon = "1h"

[producers.checkout]
queue    = "orders"
arrivals = { constant = { rate = "1200/s" } }

[queues.orders]
capacity = 100_000

[consumers.fleet]
queue   = "orders"
count   = 60
service = "40ms"

[[outages]]
target   = "consumers.fleet"
start    = "0s"
duration = "90s"

[[expect]]
that = "queues.orders.rejected == 8000"
"#;

#[test]
fn look() {
    println!("{}", wrong(CHECKOUT, &[]));
    println!(
        "{}",
        wrong(
            CHECKOUT,
            &[
                "consumers.fleet.cuont=3",
                "consumers.flete.count=3",
                "outages.3.duration=1s"
            ]
        )
    );
    let t = CHECKOUT
        .replace(
            "service = \"40ms\"",
            "service = 40\nprefetch = 3\nblurb = 3",
        )
        .replace("queues.orders.rejected", "queues.orders.rejectd")
        .replace("consumers.fleet\"", "consumers.flee\"");
    println!("{}", wrong(&t, &[]));
    println!("{}", wrong("[run]\nstop = \"10m\n\n[[x]\na=3", &[]));
    println!("{}", wrong("", &[]));
}
