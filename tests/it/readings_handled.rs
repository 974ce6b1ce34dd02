//! Closed form and fluid where deliveries come back: what they claim is what is simulated, and
//! where they claim nothing the mechanism is named.

use queuecast::experiment::readings::expect;
use queuecast::outcome::{How, Known, Readings};

use crate::readings::{OUTAGE, STEADY, differing, model, readings, row};

const SHORT: [&str; 2] = ["run.stop=2h", "producers.p.arrivals.poisson.rate=5/s"];

/// The readings under two seeds; one metric in a hundred differs by chance, but not under both.
fn agrees(text: &str, sets: &[&str]) -> Readings {
    let under = |seed: &'static str| {
        let sets: Vec<&str> = SHORT.into_iter().chain(sets.iter().copied()).collect();
        let sets: Vec<&str> = sets.into_iter().chain([seed]).collect();
        readings(text, &sets)
    };
    let (first, second) = (under("run.seed=1"), under("run.seed=2"));
    let again = differing(&second);
    let both: Vec<_> = differing(&first)
        .into_iter()
        .filter(|(metric, _)| row(&first, metric).theory.is_some())
        .filter(|(metric, _)| again.iter().any(|(other, _)| other == metric))
        .map(|(metric, _)| row(&first, &metric).clone())
        .collect();
    assert!(both.is_empty(), "{sets:?}: {both:#?}");
    first
}

fn theory(readings: &Readings, metric: &str) -> Known {
    let theory = row(readings, metric).theory.clone();
    theory.unwrap_or_else(|| panic!("no form for {metric}: {:#?}", readings.no_form))
}

#[test]
fn work_that_is_repeated_at_once_is_a_longer_service() {
    let fails = "consumers.c.fails=20%";
    let in_place = "consumers.c.retry={ attempts = 3, place = \"in_place\" }";
    for (sets, source) in [
        (&[fails, in_place][..], "M/G/1, 1.24 attempts each"),
        (&[fails], "M/G/1, 1.25 attempts each"),
        (
            &[fails, "consumers.c.rework=resample"],
            "M/M/1, 1.25 attempts each",
        ),
        (
            &[
                fails,
                "consumers.c.rework=resample",
                "consumers.c.count=2",
                "consumers.c.service.exponential.mean=200ms",
            ],
            "M/M/2, 1.25 attempts each",
        ),
        (
            &[
                fails,
                in_place,
                "consumers.c.fails={ transient = \"20%\", takes = \"10ms\" }",
            ],
            "M/G/1, 1.24 attempts each",
        ),
        (
            &[
                fails,
                "consumers.c.retry={ attempts = 4, place = \"in_place\", \
                 backoff = { fixed = \"50ms\" } }",
                "consumers.c.service=80ms",
            ],
            "M/G/1, 1.248 attempts each",
        ),
        (&["consumers.c.ack_loss=10%"], "M/G/1, 1.111 attempts each"),
        (
            &[
                "consumers.c.fails.permanent=10%",
                "queues.q.delivery.max_receives=3",
            ],
            "M/G/1, 1.2 attempts each",
        ),
        (
            &[
                "producers.p.poison=10%",
                "queues.q.delivery.return_limit=2",
                fails,
            ],
            "M/G/1, 1.416 attempts each",
        ),
        (&[fails, "consumers.c.ack=before"], "M/G/1, 1 attempts each"),
    ] {
        let readings = agrees(STEADY, sets);
        let wait = theory(&readings, "queues.q.wait.mean");
        assert_eq!(
            (wait.source.as_str(), wait.how),
            (source, How::Exact),
            "{sets:?}"
        );
        assert!(readings.no_form.is_empty(), "{:?}", readings.no_form);
    }
}

const FAILS: &str = "consumers.c.fails=20%";
const TEN: &str = "consumers.c.count=10";
const LAPSES: &str = "queues.q.delivery.visibility_timeout=200ms";

/// What takes the form of the waits away, the sentence, the attempts at a message, how well they
/// are known.
const ONLY_LOADS: [(&[&str], &str, f64, How); 8] = [
    (
        &[
            FAILS,
            "consumers.c.retry={ attempts = 3, backoff = { fixed = \"2s\" } }",
        ],
        "failures: 20 % of attempts fail, and come back later",
        1.24,
        How::Exact,
    ),
    (
        &[FAILS, "queues.q.delivery.visibility_timeout=3s"],
        "failures: 20 % of attempts fail, and come back later",
        1.25,
        How::Exact,
    ),
    (
        &[
            "consumers.c.ack_loss=10%",
            "queues.q.delivery.visibility_timeout=3s",
        ],
        "lost acknowledgements: 10 % of deliveries",
        1.0 / 0.9,
        How::Exact,
    ),
    (&["consumers.c.prefetch=5"], "prefetch: ", 1.0, How::Exact),
    (
        &["consumers.c.delivery_delay=20ms"],
        "delivery: messages",
        1.0,
        How::Exact,
    ),
    (
        &["consumers.c.batch=5"],
        "batches: a handler takes up to 5",
        1.0,
        How::Exact,
    ),
    (
        &["producers.p.confirm_loss={ share = \"10%\", timeout = \"1s\" }"],
        "lost confirms: 10 % of the publishes",
        1.0 / 0.9,
        How::Exact,
    ),
    (
        &[LAPSES, "consumers.c.rework=resample", TEN],
        "visibility: 13.53 % of the work takes longer than 200ms",
        // 1 + e^-2 + e^-6 + e^-12 + e^-20.
        1.137_820_181,
        How::Approximate,
    ),
];

#[test]
fn where_waits_have_no_form_the_load_is_known_and_the_assumption_named() {
    for (sets, why, attempts, how) in ONLY_LOADS {
        let readings = agrees(STEADY, sets);
        assert!(readings.no_form[0].contains(why), "{:?}", readings.no_form);
        let utilization = theory(&readings, "consumers.c.utilization");
        let handlers = if sets.contains(&TEN) { 10.0 } else { 1.0 };
        let expected = 5.0 * 0.1 * attempts / handlers;
        let found = utilization.value.expect("a number");
        assert!(
            (found / expected - 1.0).abs() < 1e-6,
            "{sets:?}: {found} {expected}"
        );
        assert_eq!(utilization.how, how, "{sets:?}");
        assert!(
            readings
                .rows
                .iter()
                .all(|row| !row.metric.contains("wait") || row.theory.is_none())
        );
    }
}

#[test]
fn what_no_reading_follows_is_named() {
    let dead = "[queues.dead]\n";
    for (more, sets, expected) in [
        (
            "",
            &["consumers.c.crash.mtbf=1h"][..],
            "crashes: each consumer of consumers.c is up 99.72 %",
        ),
        (
            "",
            &["consumers.c.crash.at=20m"],
            "a crash makes the load change over time",
        ),
        (
            "",
            &["queues.q.groups=true", "producers.p.keys=9"],
            "groups: one message of a key",
        ),
        ("", &["queues.q.calls.receive=3/s"], "its calls are limited"),
        (
            "",
            &["consumers.c.batch={ size = 3, work = \"once\" }"],
            "batches: one piece of work",
        ),
        (
            "",
            &["consumers.c.fails=5%", "consumers.c.ack_loss=5%"],
            "together",
        ),
        ("", &["producers.p.poison=5%"], "come back for ever"),
        (
            "",
            &["queues.q.delivery.ack_timeout=300ms"],
            "unacknowledged for more than 300ms",
        ),
        (
            "",
            &[
                "consumers.c.ack_loss=5%",
                "consumers.c.idempotency=unique_key",
            ],
            "skipped in no time",
        ),
        (
            dead,
            &[
                "queues.q.dead_letter=dead",
                "queues.q.delivery.max_receives=3",
            ],
            "",
        ),
    ] {
        let readings = expect(&model(&(STEADY.to_owned() + more), sets));
        let why = &readings.no_form[0];
        if more.is_empty() {
            assert!(why.contains(expected), "{sets:?}: {why}");
            assert!(
                readings.rows.iter().all(|row| row.theory.is_none()),
                "{sets:?}"
            );
        } else {
            assert!(why.starts_with("queues.dead: no consumer"), "{why}");
            let flow = &readings.no_flow[0];
            assert!(
                flow.contains("dead letters of queues.q come to it"),
                "{flow}"
            );
        }
    }
}

const TENTH: &str = "consumers.fleet.fails=10%";

/// What slows the consumers of a tenth of the worked example, and to which rate.
const SLOWED: [(&[&str], f64); 8] = [
    (
        &[
            TENTH,
            "consumers.fleet.retry={ attempts = 3, place = \"in_place\" }",
            "queues.orders.dead_letter=dead",
        ],
        150.0 / 1.11,
    ),
    (
        &[
            TENTH,
            "consumers.fleet.retry={ attempts = 3, backoff = { fixed = \"1s\" } }",
            "queues.orders.dead_letter=dead",
        ],
        150.0 / 1.11,
    ),
    (&[TENTH], 150.0 * 0.9),
    // Five messages are out for two ways and the work: 6 x 5/120 ms, more than 6/40 ms.
    (
        &[
            "consumers.fleet.prefetch=5",
            "consumers.fleet.delivery_delay=40ms",
        ],
        150.0,
    ),
    // Two of them are not enough: 6 x 2/(40 + 2 x 25) ms.
    (
        &[
            "consumers.fleet.prefetch=2",
            "consumers.fleet.delivery_delay=25ms",
        ],
        6.0 * 2.0 / 0.09,
    ),
    // A handler that asks is away for 48 ms.
    (&["consumers.fleet.delivery_delay=4ms"], 6.0 / 0.048),
    (
        &[
            "consumers.fleet.batch=4",
            "consumers.fleet.delivery_delay=10ms",
        ],
        6.0 / 0.045,
    ),
    (
        &[
            "consumers.fleet.crash={ at = \"30s\", consumers = 3, restart = \"90s\" }",
            "outages.0.duration=10s",
        ],
        f64::NAN,
    ),
];

#[test]
fn the_fluid_works_at_the_rate_that_repeated_work_leaves() {
    let dead = OUTAGE.to_owned() + "[queues.dead]\n";
    let dead = dead
        .replace("1200/s", "120/s")
        .replace("= 60", "= 6")
        .replace("100_000", "10_000");
    for (sets, able) in SLOWED {
        let readings = readings(&dead, sets);
        assert_eq!(differing(&readings), [], "{sets:?}");
        let fluid = |metric: &str| {
            let known = row(&readings, metric).fluid.as_ref();
            known.and_then(|known| known.value).expect("a number")
        };
        if able.is_finite() {
            let drained = 90.0 + 10_000.0 / (able - 120.0);
            let found = fluid("queues.orders.drained_at");
            assert!(
                (found / drained - 1.0).abs() < 1e-6,
                "{sets:?}: {found} {drained}"
            );
        }
        if sets.len() > 2 {
            let letters = fluid("queues.orders.dead_lettered");
            let share = letters / (letters + fluid("queues.orders.completed"));
            assert!((share - 0.001).abs() < 1e-9, "{share}");
        }
    }
}
