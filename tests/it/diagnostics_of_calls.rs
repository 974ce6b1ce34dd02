//! What people read when a scenario is wrong in what it says of dependencies and calls, what is
//! understood when it is right, and what it is warned of.
//!
//! Not the other sections: those are in `diagnostics.rs`.

use insta::assert_snapshot;
use queuecast::scenario::{Color, Scenario};

use crate::diagnostics::{errors_of, load_as};

fn load(text: &str, sets: &[&str]) -> Result<Scenario, String> {
    load_as("bank.toml", text, sets)
}

fn errors(text: &str, sets: &[&str]) -> String {
    errors_of(load(text, sets))
}

/// Everything that a scenario can say of dependencies and calls.
const ALL: &str = r#"
[run]
stop     = "1h"
recovery = { share = "95%", window = "30s" }

[producers.shop]
queue    = "mails"
arrivals = { poisson = { rate = "60/s" } }

[producers.web]
arrivals = { poisson = { rate = "20/s" } }

[producers.web.calls]
dependency  = "mailer"
preset      = "aws_sdk_standard"
timeout     = "2s"
concurrency = { aimd = { min = 5 } }

[queues.mails]

[consumers.senders]
queue   = "mails"
count   = 30
service = "10ms"

[consumers.senders.calls]
dependency  = "mailer"
deadline    = "3s"
retry       = { attempts = 3, jitter = "full", budget = "grpc", backoff = { fixed = "100ms" } }
breaker     = { window = 50, failures = "40%", open = "10s" }
concurrency = { fixed = { limit = 25, wait = "100ms" } }
hedge       = { after = "400ms" }
per         = "fleet"

[dependencies.mailer]
servers  = 20
service  = { exponential = { mean = "100ms" } }
queue    = { capacity = 50, order = { adaptive = { above = "100ms" } } }
timeout  = "1s"
expired  = { dropped = { margin = "200ms" } }
fails    = { share = "1%", takes = "5ms" }
overload = { above = 20, slowdown = "5%", failures = "1%", most = 10 }
limit    = { token_bucket = { rate = "500/s", burst = 20 } }
shed     = "500ms"

[[outages]]
target   = "dependencies.mailer"
start    = "5m"
duration = "1m"
calls    = "fail_fast"
in_flight = "crash"

[[outages]]
target   = "dependencies.mailer"
start    = "20m"
duration = "1m"
slowdown = 3
"#;

#[test]
fn all_of_it_is_understood() {
    let scenario = load(ALL, &[]).unwrap_or_else(|failure| panic!("{failure}"));
    assert_snapshot!(scenario.render_understood());
    assert_eq!(scenario.render_warnings(Color::Never), "");
}

#[test]
fn a_name_is_enough() {
    let short = [
        "consumers.senders.calls=mailer",
        "producers.web.calls=mailer",
    ];
    let scenario = load(ALL, &short).unwrap_or_else(|failure| panic!("{failure}"));
    let understood = scenario.render_understood();
    let calls = understood.lines().filter(|line| line.contains(".calls"));
    assert_snapshot!(calls.collect::<Vec<_>>().join("\n"));
}

#[test]
fn all_mistakes_of_calls_at_once() {
    assert_snapshot!(errors(
        r#"
[run]
stop     = "1h"
recovery = { share = 0 }

[producers.shop]
queue    = "mails"
calls    = "mailer"
size     = "2KiB"
arrivals = { poisson = { rate = "60/s" } }

[producers.web]
calls    = { dependency = "mailer", per = "consumer", retries = 3 }
arrivals = { clients = { count = 5, think = "1s", wait_for = "completed" } }

[queues.mails]

[consumers.senders]
queue   = "mails"
service = "10ms"
calls   = { dependency = "maler", timeout = "5s", deadline = "3s", hedge = { after = "4s" } }

[consumers.others]
queue   = "mails"
service = "10ms"
calls   = { dependency = "mailer", preset = "resilience", timeout = "never", per = "fleet" }

[dependencies.mailer]
servers  = 0
service  = "100ms"
queue    = { order = "random" }
timeout  = "0s"
expired  = "drop"
fails    = { takes = "5ms" }
overload = { above = 20 }
limit    = { token_bucket = { rate = "0/s", burst = 20 } }
retry    = { attempts = 3 }
"#,
        &[]
    ));
}

#[test]
fn outages_of_dependencies_and_of_fleets_are_told_apart() {
    let more = r#"
[[outages]]
target   = "dependencies.maler"
start    = "1m"
duration = "1m"
[[outages]]
target   = "mailer"
start    = "1m"
duration = "1m"
[[outages]]
target   = "dependencies.mailer"
start    = "1m"
duration = "1m"
restart  = "staggered"
in_flight = { crash = { returns = "at_restart" } }
slowdown = 0.5
[[outages]]
target   = "dependencies.mailer"
start    = "3m"
duration = "1m"
slowdown = 2
calls    = "hang"
[[outages]]
target   = "consumers.senders"
start    = "1m"
duration = "1m"
slowdown = 3
calls    = "hang"
"#;
    assert_snapshot!(errors(&format!("{ALL}{more}"), &[]));
}

#[test]
fn metrics_of_calls_belong_to_callers() {
    let more = r#"
[[expect]]
that = "dependencies.mailer.goodput > 70/s"
[[expect]]
that = "consumers.senders.calls.amplification < 2"
[[expect]]
that = "producers.shop.calls.amplification < 2"
[[expect]]
that = "dependencies.mailer.wasted > 1%"
[[alerts]]
when = "dependencies.mailer.depth > 10"
"#;
    assert_snapshot!(errors(&format!("{ALL}{more}"), &[]));
}

#[test]
fn a_scenario_that_can_stay_down_is_warned_of() {
    let storm = r#"
[run]
stop = "10m"

[producers.web]
arrivals = { poisson = { rate = "60/s" } }
calls    = { dependency = "bank", retry = { attempts = 4 } }

[dependencies.bank]
servers = 10
service = { exponential = { mean = "100ms" } }
queue   = 300
timeout = "1s"

[[outages]]
target   = "dependencies.bank"
start    = "100s"
duration = "10s"
"#;
    let scenario = load(storm, &[]).unwrap_or_else(|failure| panic!("{failure}"));
    assert_snapshot!(scenario.render_warnings(Color::Never));
}
