//! What people read when a scenario is wrong in what it says of deliveries, of handling, and of
//! what is written on messages; and what is understood when it is right.
//!
//! Not the other sections: those are in `diagnostics.rs`.

use insta::assert_snapshot;
use queuecast::scenario::{Color, Scenario};

use crate::diagnostics::{errors_of, load_as};

const MAILS: &str = r#"
[run]
stop = "1h"
[producers.shop]
queue    = "mails"
arrivals = { poisson = { rate = "100/s" } }
[queues.mails]
[queues.dead]
[consumers.senders]
queue   = "mails"
count   = 10
service = "40ms"
[[alerts]]
when = "queues.dead.depth > 0"
"#;

fn load(text: &str, sets: &[&str]) -> Result<Scenario, String> {
    load_as("mails.toml", text, sets)
}

fn errors(text: &str, sets: &[&str]) -> String {
    errors_of(load(text, sets))
}

/// Everything that a scenario can say of deliveries, handling and stamps.
const ALL: &str = r#"
[run]
stop = "1h"

[producers.shop]
queue        = "mails"
arrivals     = { poisson = { rate = "100/s" } }
keys         = { count = 1000, zipf = 1.1 }
poison       = { share = "0.1%", keys = [7] }
confirm_loss = { share = "0.1%", timeout = "2s" }
send_batch   = 10

[queues.mails]
groups       = true
dead_letter  = { queue = "dead", takes = ["failed", "expired", "dropped"] }
dedup_window = "5m"
calls        = { send = "300/s", receive = "300/s", delete = "300/s" }

[queues.mails.delivery]
visibility_timeout = "30s"
heartbeat          = "10s"
max_extension      = "1h"
sweep              = "5s"
late_ack           = "refused"
max_receives       = 5
return_limit       = 20
limit_counts       = ["failure", "crash"]
ack_timeout        = { limit = "30m", check = "30s" }
max_in_flight      = 120_000
dispatch           = "greedy"

[queues.dead]
redrive = { at = "10m", rate = "50/s", to = "mails", identity = "same" }

[queues.receipts]
delivery    = { ack_timeout = "15m", max_receives = 3 }
dead_letter = "dead"

[consumers.senders]
queue           = "mails"
service         = { exponential = { mean = "40ms" } }
count           = 10
concurrency     = 2
ack             = "before"
ack_loss        = "0.5%"
prefetch        = 20
delivery_delay  = "2ms"
batch           = { size = 10, window = "1s", work = "once", failure = "partial" }
fails           = { transient = "1%", permanent = "0.1%", takes = "5ms", cured_at = "9m" }
rework          = "resample"
crash           = { mtbf = "6h", at = ["90s", "5s"], consumers = 3, restart = "30s" }
idempotency     = { claim = { expires = "1m" } }
idempotency_key = "generated_per_attempt"
effect_at       = "50%"
guard           = "version"

[consumers.senders.retry]
attempts = 5
backoff  = { exponential = { base = "500ms", cap = "30s" } }
jitter   = "full"
retry_on = ["transient"]
place    = "in_place"

[consumers.senders.publishes]
queue      = "receipts"
keys       = 50
poison     = "1%"
send_batch = 5

[consumers.printers]
queue       = "receipts"
service     = "40ms"
count       = 10
prefetch    = "unlimited"
batch       = 4
fails       = "2%"
retry       = { backoff = "celery" }
crash       = { at = "1m" }
idempotency = "unique_key"

[[alerts]]
when = "queues.dead.depth > 0"
"#;

#[test]
fn all_of_it_is_understood() {
    let scenario = load(ALL, &[]).expect("nothing is wrong");
    assert_snapshot!(scenario.render_understood());
}

#[test]
fn a_disturbance_ends_when_the_last_stated_one_does() {
    let calm = |sets: &[&str]| {
        let model = load(MAILS, sets).expect("right").model;
        model.calm_from().map(|at| at.to_string())
    };
    assert_eq!(calm(&[]), None);
    assert_eq!(calm(&["consumers.senders.crash={ mtbf = \"1h\" }"]), None);
    let crash = "consumers.senders.crash={ at = [\"2m\", \"1m\"], restart = \"5s\" }";
    assert_eq!(calm(&[crash]).as_deref(), Some("2m 5s"));
    let fails = "consumers.senders.fails={ permanent = \"1%\", cured_at = \"3m\" }";
    assert_eq!(calm(&[crash, fails]).as_deref(), Some("3m"));
    let redrive = "queues.dead.redrive={ at = \"4m\", rate = \"1/s\", to = \"mails\" }";
    assert_eq!(calm(&[crash, fails, redrive]).as_deref(), Some("4m"));
}

#[test]
fn chance_is_known_by_its_source() {
    let regular = MAILS.replace("poisson", "constant");
    let is_random = |set: &str| load(&regular, &[set]).expect(set).model.is_random();
    for set in [
        "run.seed=2",
        "producers.shop.keys=1",
        "consumers.senders.ack_loss=0",
        "consumers.senders.fails=100%",
        "consumers.senders.crash={ at = \"1m\" }",
        "consumers.senders.crash={ mtbf = { constant = \"1m\" } }",
        "consumers.senders.retry={ attempts = 3, backoff = { fixed = \"1s\" } }",
    ] {
        assert!(!is_random(set), "{set}");
    }
    for set in [
        "producers.shop.keys=2",
        "producers.shop.poison=1%",
        "producers.shop.confirm_loss=1%",
        "consumers.senders.ack_loss=1%",
        "consumers.senders.fails=1%",
        "consumers.senders.fails={ permanent = \"1%\" }",
        "consumers.senders.crash={ mtbf = \"1h\" }",
        "consumers.senders.retry={ attempts = 3, jitter = \"full\" }",
        "consumers.senders.retry={ backoff = \"celery\" }",
    ] {
        assert!(is_random(set), "{set}");
    }
}

#[test]
fn all_mistakes_of_deliveries_at_once() {
    let text = MAILS.replace(
        "[queues.mails]\n",
        r#"[queues.mails]
groups       = true
dead_letter  = { queue = "dad", takes = ["expired", "lost"] }
redrive      = { at = "1m", rate = "0/s", to = "mails", identity = "other" }
dedup_window = "0s"
calls        = { send = "300/s", recieve = "300/s" }
[queues.mails.delivery]
visibility_timeout = "30s"
heartbeat          = "40s"
late_ack           = "forgiven"
max_receives       = 0
return_limit       = 3
limit_counts       = ["failures"]
ack_timeout        = { check = "1m" }
max_in_flight      = 0
dispatch           = "fair"
[queues.spare]
delivery = { heartbeat = "5s", sweep = "10s", late_ack = "refused", limit_counts = [] }
dead_letter = "spare"
"#,
    );
    assert_snapshot!(errors(&text, &[]));
}

#[test]
fn all_mistakes_of_handling_at_once() {
    let sets = [
        "consumers.senders.ack=during",
        "consumers.senders.ack_loss=2",
        "consumers.senders.prefetch=0",
        "consumers.senders.batch={ window = \"1s\", work = \"twice\" }",
        "consumers.senders.fails={ transcient = \"1%\" }",
        "consumers.senders.retry={ attempts = 0, place = \"here\", budget = 3 }",
        "consumers.senders.retry.retry_on=[\"permanent\"]",
        "consumers.senders.crash={ consumers = 2 }",
        "consumers.senders.idempotency=claim",
        "consumers.senders.idempotency_key=uuid",
        "consumers.senders.effect_at=half",
        "consumers.senders.guard=versions",
    ];
    assert_snapshot!(errors(MAILS, &sets));
}

#[test]
fn all_mistakes_of_stamps_at_once() {
    let sets = [
        "producers.shop.keys=0",
        "producers.shop.poison={ keys = [7] }",
        "producers.shop.confirm_loss=100%",
        "producers.shop.send_batch=0",
    ];
    let beyond = [
        "producers.shop.keys={ count = 7 }",
        "producers.shop.poison={ keys = [3, 7] }",
    ];
    let keyless = ["producers.shop.poison={ keys = [7] }"];
    let all = [&sets[..], &beyond[..], &keyless[..]];
    assert_snapshot!(all.map(|sets| errors(MAILS, sets)).concat());
}

#[test]
fn keys_that_nobody_writes() {
    let more = r#"
[producers.import]
queue    = "mails"
arrivals = { poisson = { rate = "1/s" } }
keys     = 10
[queues.raw]
[producers.raw]
queue    = "raw"
arrivals = { poisson = { rate = "1/s" } }
[consumers.raw]
queue     = "raw"
service   = "1ms"
publishes = { queue = "mails" }
"#;
    let sets = [
        "queues.mails.groups=true",
        "consumers.senders.guard=version",
    ];
    assert_snapshot!(errors(&format!("{MAILS}{more}"), &sets));
}

#[test]
fn dead_letters_that_go_round() {
    let sets = [
        "queues.mails.dead_letter=dead",
        "queues.dead.dead_letter=mails",
    ];
    assert_snapshot!(errors(MAILS, &sets));
    // A redrive back is no loop: it ends.
    let sets = [
        "queues.mails.dead_letter=dead",
        "queues.dead.redrive={ at = \"1m\", rate = \"1/s\", to = \"mails\" }",
    ];
    assert!(load(MAILS, &sets).is_ok());
}

#[test]
fn warnings_of_numbers_that_do_not_go_together() {
    let text = r#"
[run]
stop = "1h"

[producers.shop]
queue    = "mails"
arrivals = { poisson = { rate = "100/s" } }
keys     = 30
on_full  = { retry = { attempts = 3, backoff = { fixed = "1s" } } }

[queues.mails]
preset      = "sqs_fifo"
dead_letter = "dead"
delivery    = { max_receives = 1 }

[queues.dead]
preset = "sqs"

[queues.receipts]
preset = "rabbitmq_quorum"

[consumers.senders]
queue       = "mails"
count       = 40
service     = { lognormal = { mean = "200ms", cv = 2 } }
ack         = "before"
crash       = { mtbf = "1d" }
idempotency = "unique_key"
publishes   = { queue = "receipts" }

[consumers.senders.retry]
attempts = 8
backoff  = { exponential = { base = "1s" } }

[consumers.clerks]
queue   = "dead"
service = { uniform = { min = "10s", max = "40s" } }

[consumers.printers]
queue   = "receipts"
count   = 120
batch   = 3000
service = "1s"
fails   = "1%"

[consumers.archive]
queue    = "receipts"
service  = "1ms"
prefetch = 500

[[outages]]
target   = "consumers.senders"
start    = "1m"
duration = "5m"
"#;
    let retention = "queues.mails.retention=2m";
    let scenario = load(text, &[retention]).expect("only warnings");
    assert_snapshot!(scenario.render_warnings(Color::Never));
    assert_snapshot!("presets_are_understood", scenario.render_understood());
}
