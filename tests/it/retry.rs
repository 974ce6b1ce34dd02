//! Retry delays against the reference table of backoffs: means, variances, and bounds of the
//! total of so many delays (source: independent calculations handed to the project).
//!
//! Not the peaks that many clients make together: that takes a simulation.

use std::collections::{BTreeMap, BTreeSet};

use queuecast::policy::retry::{Backoff, Exponential, Jitter, RetryPolicy};
use queuecast::random::{Purpose, Seed, StreamKey};
use queuecast::units::SimDuration;

use crate::sample::Moments;

const TABLE: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/tests/data/reference/backoff.csv"
);
const DRAWS: usize = 20_000;

struct Case {
    id: String,
    policy: RetryPolicy,
    retries: u32,
    cap: f64,
    /// Quantity and value.
    known: BTreeMap<String, f64>,
}

fn cases() -> Vec<Case> {
    let mut all: Vec<Case> = Vec::new();
    let mut reader = csv::Reader::from_path(TABLE).expect("the reference table");
    for row in reader.records() {
        let row = row.expect("a row");
        if all.last().is_none_or(|case| case.id != row[0]) {
            let parameter = |name: &str| {
                let found = row[2].split(';').find_map(|pair| pair.strip_prefix(name));
                found
                    .expect("a parameter")
                    .parse::<f64>()
                    .expect("a number")
            };
            let jitter = match &row[1] {
                "back-off none" => Jitter::None,
                "back-off full jitter" => Jitter::Full,
                "back-off equal jitter" => Jitter::Equal,
                "back-off decorrelated jitter" => Jitter::Decorrelated,
                other => panic!("unknown model {other}"),
            };
            let retries = parameter("retries=") as u32;
            let backoff = Backoff::Exponential(Exponential {
                base: SimDuration::from_secs_rounded(parameter("base=")),
                cap: SimDuration::from_secs_rounded(parameter("cap=")),
                factor: 2.0,
            });
            all.push(Case {
                id: row[0].to_owned(),
                policy: RetryPolicy {
                    attempts: retries + 1,
                    backoff,
                    jitter,
                    budget: None,
                },
                retries,
                cap: parameter("cap="),
                known: BTreeMap::new(),
            });
        }
        let value = row[4].parse().expect("a number");
        all.last_mut()
            .expect("a case")
            .known
            .insert(row[3].to_owned(), value);
    }
    assert!(all.len() > 30, "the whole table");
    all
}

/// Totals and last delays of many runs of all retries.
fn draw(case: &Case) -> (Vec<f64>, Vec<f64>) {
    let mut stream = StreamKey::named(Seed(1), 0, &case.id, Purpose::Jitter).stream();
    (0..DRAWS)
        .map(|_| {
            let mut total = SimDuration::ZERO;
            let mut last = SimDuration::ZERO;
            for retry in 0..case.retries {
                last = case.policy.delay(retry, last, &mut stream);
                total = total + last;
            }
            (total.as_secs_f64(), last.as_secs_f64())
        })
        .unzip()
}

#[test]
fn mean_delays_are_the_reference() {
    for case in cases() {
        let means: Vec<_> = (0..case.retries)
            .map(|n| case.policy.mean_delay(n))
            .collect();
        let tolerance = if case.policy.jitter == Jitter::Decorrelated {
            2e-5
        } else {
            1e-12
        };
        let last = means[means.len() - 1];
        for (quantity, found) in [("mean_total", means.iter().sum()), ("mean_last", last)] {
            if let Some(known) = case.known.get(quantity) {
                let error = found / known - 1.0;
                assert!(
                    error.abs() < tolerance,
                    "{} {quantity}: {found}, not {known}",
                    case.id
                );
            }
        }
    }
}

/// Each drawn mean and variance lies within 4.5 standard errors of the reference: about 110
/// comparisons, so all of them hold together with a probability above 99.9 %; the seeds are
/// fixed. Quantiles lie within 4.5 deviations of their ranks.
#[test]
fn drawn_delays_are_the_reference() {
    let mut compared = 0;
    for case in cases() {
        let (mut totals, lasts) = draw(&case);
        let (total, last) = (Moments::of(&totals), Moments::of(&lasts));
        for (quantity, found, error) in [
            ("mean_total", total.mean, total.mean_error),
            ("var_total", total.variance, total.variance_error),
            ("mean_last", last.mean, last.mean_error),
            ("var_last", last.variance, last.variance_error),
        ] {
            if let Some(known) = case.known.get(quantity) {
                // Nanoseconds are the grain of a delay.
                let allowed = 4.5 * error + 1e-8;
                let told = format!("{} {quantity}: {found}, not {known}", case.id);
                assert!((found - known).abs() <= allowed, "{told} +- {allowed}");
                compared += 1;
            }
        }
        compared += compare_others(&case, &total, &lasts);
        totals.sort_by(f64::total_cmp);
        for (quantity, share) in [("p50_total", 0.5), ("p99_total", 0.99)] {
            if let (Some(known), true) = (case.known.get(quantity), total.variance > 0.0) {
                // The decorrelated rows are themselves known to half a percent only.
                let slack = if case.policy.jitter == Jitter::Decorrelated {
                    0.01
                } else {
                    0.0
                };
                let at = |x: f64| totals.partition_point(|total| *total <= x) as f64;
                let spread = 4.5 * (DRAWS as f64 * share * (1.0 - share)).sqrt();
                let due = DRAWS as f64 * share;
                let fits = at(known * (1.0 - slack)) <= due + spread
                    && at(known * (1.0 + slack)) >= due - spread;
                assert!(
                    fits,
                    "{} {quantity}: rank {} not {due}",
                    case.id,
                    at(*known)
                );
                compared += 1;
            }
        }
        let (least, most) = (totals[0], totals[DRAWS - 1]);
        let bound = |quantity: &str| case.known.get(quantity);
        assert!(
            bound("min_total").is_none_or(|known| least >= known - 1e-8),
            "{}",
            case.id
        );
        assert!(
            bound("max_total").is_none_or(|known| most <= known + 1e-8),
            "{}",
            case.id
        );
    }
    assert!(compared > 130, "{compared}");
}

/// Compares the spread of the total where it is itself simulated, to half a percent; how often the
/// last delay is the cap; and the last delay where it is certain. Returns how many there were.
fn compare_others(case: &Case, total: &Moments, lasts: &[f64]) -> usize {
    let draws = lasts.len() as f64;
    let cap = case.cap;
    let at_cap = lasts.iter().filter(|last| **last >= cap - 1e-9).count() as f64;
    let deviation = total.variance.sqrt();
    let spread = 4.5 * total.variance_error / (2.0 * deviation).max(1e-12);
    let mut compared = 0;
    for (quantity, found, allowed) in [
        ("sd_total", deviation, spread + 0.01 * deviation),
        ("last_delay", lasts[0].max(lasts[lasts.len() - 1]), 1e-8),
        ("p_last_at_cap", at_cap / draws, f64::NAN),
    ] {
        let Some(known) = case.known.get(quantity) else {
            continue;
        };
        let allowed = if allowed.is_nan() {
            4.5 * (known * (1.0 - known) / draws).sqrt() + 1e-9
        } else {
            allowed
        };
        let told = format!("{} {quantity}: {found}, not {known}", case.id);
        assert!((found - known).abs() <= allowed, "{told} +- {allowed}");
        compared += 1;
    }
    compared
}

/// What is compared above is all that the table has.
#[test]
fn every_quantity_of_the_table_is_compared() {
    let all: BTreeSet<String> = cases()
        .into_iter()
        .flat_map(|case| case.known.into_keys())
        .collect();
    let known = [
        "last_delay",
        "max_total",
        "mean_last",
        "mean_total",
        "min_total",
        "p50_total",
        "p99_total",
        "p_last_at_cap",
        "sd_total",
        "var_last",
        "var_total",
    ];
    assert_eq!(all.iter().map(String::as_str).collect::<Vec<_>>(), known);
}

/// Rule E2: base 0.5 s, cap 30 s, equal jitter. Both ends of each window are come near to by
/// 20,000 draws: each is missed by more than a thousandth of it with a probability of 2e-9.
#[test]
fn e2_equal_jitter_has_the_stated_windows() {
    let policy = RetryPolicy {
        budget: None,
        attempts: 9,
        backoff: Backoff::Exponential(Exponential {
            base: SimDuration::from_millis(500),
            cap: SimDuration::from_secs(30),
            factor: 2.0,
        }),
        jitter: Jitter::Equal,
    };
    let mut stream = StreamKey::named(Seed(1), 0, "windows", Purpose::Jitter).stream();
    for (retry, low, high) in [
        (0, 0.25, 0.5),
        (3, 2.0, 4.0),
        (6, 15.0, 30.0),
        (7, 15.0, 30.0),
    ] {
        let draw = |_| {
            policy
                .delay(retry, SimDuration::ZERO, &mut stream)
                .as_secs_f64()
        };
        let draws: Vec<f64> = (0..DRAWS).map(draw).collect();
        let least = draws.iter().copied().fold(f64::INFINITY, f64::min);
        let most = draws.iter().copied().fold(0.0, f64::max);
        let slack = 1e-3 * (high - low);
        assert!((low..=low + slack).contains(&least), "{retry}: {least}");
        assert!((high - slack..=high).contains(&most), "{retry}: {most}");
    }
}
