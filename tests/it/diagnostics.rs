//! What people read when a scenario is wrong: the whole text, place by place.
//!
//! Not exit codes and streams: those belong to the command line.

use std::path::Path;

use insta::assert_snapshot;
use queuecast::scenario::{Color, Scenario};

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

/// A scenario of a text with assignments, or its errors as they are shown.
pub(crate) fn load_as(file: &str, text: &str, sets: &[&str]) -> Result<Scenario, String> {
    let sets: Vec<String> = sets.iter().map(|set| (*set).to_owned()).collect();
    let scenario = Scenario::from_text(file, text, &sets, Path::new(""));
    scenario.map_err(|failure| failure.render(Color::Never))
}

/// The errors of a text that is not accepted.
pub(crate) fn errors_of(loaded: Result<Scenario, String>) -> String {
    loaded.map(|_| "accepted").expect_err("something is wrong")
}

fn load(text: &str, sets: &[&str]) -> Result<Scenario, String> {
    load_as("checkout.toml", text, sets)
}

fn errors(text: &str, sets: &[&str]) -> String {
    errors_of(load(text, sets))
}

/// The errors of the worked example after a change of its text.
fn changed(from: &str, to: &str) -> String {
    assert!(CHECKOUT.contains(from), "{from}");
    errors(&CHECKOUT.replace(from, to), &[])
}

/// The errors of the worked example with more text behind it.
fn with(more: &str) -> String {
    errors(&format!("{CHECKOUT}{more}"), &[])
}

/// The warnings of a text that is accepted.
fn warnings(text: &str, sets: &[&str]) -> String {
    load(text, sets)
        .expect("only warnings")
        .render_warnings(Color::Never)
}

#[test]
fn the_worked_example_is_right() {
    let scenario = load(CHECKOUT, &[]).expect("nothing is wrong");
    assert_eq!(scenario.warnings(), 0);
    assert_snapshot!(scenario.render_understood());
}

#[test]
fn all_errors_of_a_file_at_once() {
    let text = CHECKOUT
        .replace("service = \"40ms\"", "service = 40\nblurb = 3")
        .replace("orders.rejected", "orders.rejectd")
        .replace("consumers.fleet\"", "consumers.flee\"")
        .replace("queue    = \"orders\"", "queue = \"order\"")
        .replace("capacity = 100_000", "capacity = \"lots\"")
        .replace("1200/s", "1200");
    assert_snapshot!(errors(&text, &["run.seed=-1"]));
}

#[test]
fn colour_only_when_asked() {
    let failure = Scenario::from_text("a.toml", "titel = 1", &[], Path::new("")).unwrap_err();
    assert!(!failure.render(Color::Never).contains('\u{1b}'));
    assert!(failure.render(Color::Always).contains('\u{1b}'));
}

#[test]
fn an_empty_file() {
    assert_snapshot!(errors("", &[]));
}

#[test]
fn slips_of_syntax() {
    assert_snapshot!(errors("[run]\nstop = \"10m\n\n[[x]\na = 3\n", &[]));
}

#[test]
fn a_key_twice() {
    assert_snapshot!(changed("count   = 60", "count   = 60\ncount   = 61"));
}

#[test]
fn misspelt_sections_and_keys() {
    assert_snapshot!(with("[consumer.other]\nqueue = \"orders\"\n[alert]\n"));
}

#[test]
fn assignments() {
    let sets = [
        "consumers.fleet.cuont=3",
        "consumers.flete.count=3",
        "outages.3.duration=60s",
        "outages.first.duration=60s",
        "consumers.fleet.count.most=3",
        "consumers.fleet.service={ lognormal = { mean = \"40ms\" }",
        "run.seed",
        "run..seed=1",
        "producers.checkout.on_full.block.timeout=30",
    ];
    assert_snapshot!(errors(CHECKOUT, &sets));
}

#[test]
fn assignments_that_are_right() {
    let sets = [
        "consumers.fleet.service=50ms",
        "producers.checkout.on_full=block",
        "producers.checkout.on_full.block.timeout=30s",
        "producers.checkout.on_full.block.admission = lifo",
        "outages.0.duration=60s",
        "run.warmup=auto",
        "queues.orders.memory.limit=1GiB",
    ];
    let scenario = load(CHECKOUT, &sets).expect("all of it is right");
    assert_snapshot!(scenario.render_understood());
}

#[test]
fn units() {
    assert_snapshot!(
        CHECKOUT
            .replace("\"40ms\"", "\"40\"")
            .replace("\"90s\"", "\"90 parsecs\"")
            .replace("\"1200/s\"", "\"1200/fortnight\"")
            .replace("\"1h\"", "\"99999999d\"")
            .replace("100_000", "-5")
            .pipe(|text| errors(&text, &[]))
    );
}

trait Pipe: Sized {
    fn pipe<T>(self, next: impl FnOnce(Self) -> T) -> T {
        next(self)
    }
}

impl<T> Pipe for T {}

#[test]
fn huge_numbers() {
    let text = CHECKOUT
        .replace("100_000", "99999999999999999999999999")
        .replace("count   = 60", "count   = 5_000_000_000");
    assert_snapshot!(errors(&text, &[]));
}

#[test]
fn too_many_handlers() {
    assert_snapshot!(changed(
        "count   = 60",
        "count   = 4_000_000_000\nconcurrency = 4_000_000_000"
    ));
}

#[test]
fn names_that_split_a_metric() {
    assert_snapshot!(with(
        "[queues.\"my orders\"]\n[queues.\"v1.orders\"]\n[queues.\"\"]\n[queues.\"straße\"]\n"
    ));
}

#[test]
fn references() {
    let text = CHECKOUT
        .replace(
            "queue    = \"orders\"",
            "queues = [\"orders\", \"mails\", \"orders\"]",
        )
        .replace("queue   = \"orders\"", "queue = \"queues.orders\"");
    assert_snapshot!(errors(&text, &[]));
}

#[test]
fn one_of_two_keys() {
    let text = CHECKOUT.replace(
        "queue    = \"orders\"",
        "queue = \"orders\"\nqueues = [\"orders\"]",
    );
    assert_snapshot!(errors(&text, &["outages.0.mtbf=1h"]));
}

#[test]
fn missing_keys() {
    let tables = [
        "[producers.p]",
        "[queues.q]",
        "memory = {}",
        "[consumers.c]",
    ];
    let lists = ["[[outages]]", "[[alerts]]", "[[expect]]", ""];
    let text = [tables, lists].concat().join("\n");
    assert_snapshot!(errors(&text, &[]));
}

#[test]
fn wrong_shapes() {
    assert_snapshot!(errors(
        "producers = 3\nqueues = [1]\n[outages]\nstart = \"0s\"\n[consumers]\nfleet = \"big\"\n",
        &["run=7", "expect=[1]"]
    ));
}

#[test]
fn numbers_below_their_least() {
    let sets = [
        "consumers.fleet.concurrency=0",
        "queues.orders.capacity=0",
        "run.replications=0",
        "producers.checkout.count=0",
        "outages.0.duration=0s",
        "outages.0.share=0",
    ];
    assert_snapshot!(errors(CHECKOUT, &sets));
}

#[test]
fn a_fleet_of_nobody_is_a_fleet() {
    assert_snapshot!(warnings(CHECKOUT, &["consumers.fleet.count=0"]));
}

#[test]
fn one_queue_two_orders_of_admission() {
    assert_snapshot!(with(
        r#"
[producers.other]
queue    = "orders"
arrivals = { poisson = { rate = "1/s" } }
on_full  = { block = { admission = "lifo", wake_up = "40ms" } }

[producers.third]
queue    = "orders"
arrivals = { poisson = { rate = "1/s" } }
on_full  = { block = { timeout = "30s", admission = "fifo" } }
"#
    ));
}

#[test]
fn overflow_needs_an_order() {
    assert_snapshot!(changed(
        "capacity = 100_000",
        "capacity = 9\noverflow = \"drop_lowest\""
    ));
}

#[test]
fn outages_that_cannot_be() {
    assert_snapshot!(with(
        r#"
[[outages]]
target  = "queues.orders"
windows = [{ start = "60s", duration = "20s" }, { start = "50s", duration = "11s" }]

[[outages]]
target = "fleet"
mtbf   = "1h"

[[outages]]
target    = "consumers.fleet"
windows   = []
in_flight = "evaporate"
restart   = "sometime"
"#
    ));
}

#[test]
fn conditions() {
    assert_snapshot!(with(
        r#"
[[expect]]
that = "queues.orders.drained_at ~ 423.3s"
[[expect]]
that = "queues.orders.drained_at == 423.3"
[[expect]]
that = "queues.orders.depth <= 8k"
[[expect]]
that = "queue.orders.rejected == 1"
[[expect]]
that = "queues.order.rejected == 1"
[[expect]]
that = "queues.orders.rejected = 1"
[[expect]]
that = "queues.orders.rejected == 1.5"
[[expect]]
that = "queues.orders.full_at <= never"
[[expect]]
that = "queues.orders.rejected_share ~ 7.4 +- 1%"
[[expect]]
that = "rejected"
[[expect]]
that = "consumers.fleet.offered > 1"
[[expect]]
that = "queues.orders.memory.max < 2"
"#
    ));
}

#[test]
fn alerts() {
    assert_snapshot!(with(
        r#"
[[alerts]]
when = "queues.orders.wait.p99 > 1s"
[[alerts]]
when = "queues.orders.depth.max > 8k"
[[alerts]]
when = "queues.orders.lag ~ 1m +- 1s"
[[alerts]]
when  = "consumers.fleet.busy > 1"
every = "0s"
"#
    ));
}

#[test]
fn what_this_version_does_not_simulate() {
    assert_snapshot!(with(
        r#"
[queues.more]
preset = "postgres"
[consumers.more]
log       = "events"
service   = "1ms"
autoscale = {}
[logs.events]
partitions = 3
"#
    ));
}

#[test]
fn ends_that_never_come() {
    let calm = CHECKOUT
        .split("[[outages]]")
        .next()
        .expect("a first part")
        .to_owned();
    let random =
        calm.clone() + "[[outages]]\ntarget = \"consumers.fleet\"\nmtbf = \"1h\"\nmttr = \"1m\"\n";
    assert_snapshot!(
        [
            errors(&calm, &[]),
            errors(&calm, &["run.stop=drained"]),
            errors(&random, &["run.stop=drained"]),
            errors(&random, &["run.stop=settled"]),
            errors(&calm, &["run.stop=draind"]),
            errors(&calm, &["run.stop=10m", "run.warmup=10m"]),
            errors(&calm, &["run.stop=0s"]),
        ]
        .concat()
    );
}

#[test]
fn a_loop_of_stages() {
    assert_snapshot!(with(
        r#"
[queues.mails]
[consumers.senders]
queue     = "mails"
service   = "1ms"
publishes = { queue = "bounces" }
[queues.bounces]
[consumers.bouncers]
queue     = "bounces"
service   = "1ms"
publishes = { queues = ["mails", "orders"] }
"#
    ));
}

#[test]
fn schedules_go_forward() {
    let change =
        "count = 60\nschedule = [{ from = \"2m\", count = 70 }, { from = \"1m\", count = 3 }]";
    assert_snapshot!(changed("count   = 60", change));
}

#[test]
fn lines_may_end_as_they_do_on_windows() {
    let text = CHECKOUT.replace("count ", "cuont ").replace('\n', "\r\n");
    let shown = errors(&format!("\u{feff}{text}"), &[]);
    assert_eq!(shown.replace('\r', ""), changed("count ", "cuont "));
}

#[test]
fn warnings_of_what_will_surprise() {
    let more = r#"
[queues.idle]
[queues.full]
[producers.second]
queue    = "full"
arrivals = { poisson = { rate = "1/s" } }
[[outages]]
target   = "consumers.fleet"
start    = "2h"
duration = "1m"
"#;
    let text = format!("{CHECKOUT}{more}");
    assert_snapshot!(warnings(
        &text,
        &[
            "consumers.fleet.count=48",
            "queues.full.overflow=drop_oldest"
        ]
    ));
}

#[test]
fn a_length_that_nobody_checks() {
    let check = "queues.orders.length_check=batch";
    let unbounded = warnings(CHECKOUT, &["queues.orders.capacity=unbounded", check]);
    let drops = warnings(CHECKOUT, &["queues.orders.overflow=drop_oldest", check]);
    assert_snapshot!(unbounded + &drops);
}

#[test]
fn a_horizon_before_the_end() {
    assert_snapshot!(warnings(CHECKOUT, &["run.stop=2h"]));
}

#[test]
fn an_outage_that_outlasts_the_run() {
    assert_snapshot!(warnings(CHECKOUT, &["run.stop=1m"]));
}

#[test]
fn plain_texts_where_tables_are_due() {
    let sets = [
        "producers.checkout.arrivals=900/s",
        "producers.checkout.arrivals={ poisson = \"900/s\" }",
        "producers.checkout.on_full={ block = \"20s\" }",
    ];
    let all: Vec<_> = sets.iter().map(|set| errors(CHECKOUT, &[set])).collect();
    assert_snapshot!(all.join("\n"));
}

#[test]
fn a_file_that_is_not_there() {
    let failure = Scenario::load(Path::new("no/such/file.toml"), &[])
        .unwrap_err()
        .to_string();
    assert!(
        failure.starts_with("error: cannot read `no/such/file.toml`: "),
        "{failure}"
    );
}

#[test]
fn too_many_components() {
    let queues: Vec<_> = (0..65_536)
        .map(|at| {
            format!(
                "[queues.q{at}]
"
            )
        })
        .collect();
    assert_snapshot!(with(&queues.concat()));
}

#[test]
fn nobody_reads_a_thousand_errors() {
    let keys: Vec<_> = (0..1_000).map(|at| format!("unknown{at} = 1\n")).collect();
    let shown = errors(&format!("{}{CHECKOUT}", keys.concat()), &[]);
    assert_eq!(shown.matches("unknown key").count(), 40);
    let last = "error: 1000 errors in the scenario, 960 problems not shown\n";
    assert!(shown.ends_with(last), "{shown}");
}

#[test]
fn everything_that_can_be_said() {
    let scenario = load(
        r#"
[run]
stop         = "2h"
replications = 20
warmup       = "1m"

[producers.web]
queues   = ["orders", "audit"]
arrivals = { batch = { arrivals = { poisson = { rate = "10/s" } }, size = 3 } }
start    = "10s"
until    = "1h"
priority = { uniform = { min = 1, max = 9 } }
size     = "2KiB"
on_full.block = { timeout = "30s", connections = 2000, admission = "random" }

[producers.nightly]
queue    = "orders"
arrivals = { bursts = { size = 10_000, at = "1m" } }
count    = 5000
on_full.retry = { attempts = 5, backoff = { fixed = "5s" } }

[queues.orders]
capacity        = "10k"
capacity_counts = "waiting_and_in_flight"
order           = "priority"
overflow        = "drop_lowest"
returned        = "drop"
retention       = "4d"
ttl             = "1h"
memory          = { limit = "1GiB", on_limit = "crash" }

[queues.audit]
order = "lifo"

[queues.mails]
memory.limit = "10MB"

[consumers.fleet]
queue       = "orders"
count       = 6
concurrency = 8
service     = { lognormal = { mean = "40ms", cv = 1.5 } }
schedule    = [{ from = "30m", count = 12 }]

[consumers.fleet.publishes]
queue   = "mails"
copies  = 2
on_full = { block = { admission = { newcomers_first = { wake_up = "40ms" } } } }

[consumers.auditors]
queue   = "audit"
service = "1ms"

[consumers.senders]
queue   = "mails"
service = "5ms"
count   = 4

[[outages]]
target    = "consumers.fleet"
windows   = [{ start = "5m", duration = "1m" }, { start = "20m", duration = "2m" }]
share     = "50%"
in_flight = { crash = { returns = "at_restart" } }
restart   = "staggered"

[[outages]]
target    = "consumers.senders"
mtbf      = "6h"
mttr      = { constant = "5m" }
in_flight = "freeze"

[[alerts]]
name = "too old"
when = "queues.orders.lag > 30s"
for  = "1m"

[[objectives]]
that = "queues.orders.wait.p99 <= 200ms"
"#,
        &[],
    );
    assert_snapshot!(scenario.expect("all of it is right").render_understood());
}

#[test]
fn policies_tell_their_own_errors() {
    let sets = [
        "producers.checkout.on_full=retry",
        "producers.checkout.arrivals={ poisson = { rate = \"1/s\", burst = 3 } }",
        "consumers.fleet.service={ lognormal = { mean = \"40ms\" } }",
        "queues.orders.order=filo",
        "queues.orders.memory.on_limit=explode",
    ];
    assert_snapshot!(errors(CHECKOUT, &sets));
}
