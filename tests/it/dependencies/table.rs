//! The reference table of retries, row by row through the engine: calls that fail by themselves,
//! and requests that are given up.
//!
//! Not the formulas, which are held to the same rows elsewhere; nor the rows of a mean field or a
//! fluid, which no single system is.

use std::collections::BTreeMap;

use super::*;
use statrs::distribution::{DiscreteCDF, Poisson as Count};

/// What is simulated of each case, in seconds.
const LASTS: f64 = 2.0;
/// How often a right engine would fail a row: 1 in 10,000, on two sides together. Of the 140 rows
/// that is one failure in 70 choices of seeds; the seed is one, and fixed.
const RISK: f64 = 1e-4;
/// The normal's quantile at that risk.
const DEVIATIONS: f64 = 3.891;

/// The rows of a case: a rate, a probability, a number of attempts, and what each quantity is.
struct Case {
    rate: f64,
    fails: f64,
    attempts: u32,
    values: BTreeMap<String, f64>,
}

fn cases() -> Vec<Case> {
    let table = include_bytes!("../../data/reference/retry_theory.csv");
    let mut rows = csv::Reader::from_reader(&table[..]);
    let mut cases: BTreeMap<String, BTreeMap<String, f64>> = BTreeMap::new();
    for row in rows.records().map(|row| row.expect("a row")) {
        if &row[1] == "retries with independent failures" {
            let value = row[4].parse().expect("a number");
            let case = cases.entry(row[2].to_owned()).or_default();
            case.insert(row[3].to_owned(), value);
        }
    }
    let number = |params: &str, name: &str| -> f64 {
        let mut pairs = params.split(';').filter_map(|it| it.split_once('='));
        let (_, value) = pairs.find(|(key, _)| *key == name).expect("given");
        value.parse().expect("a number")
    };
    let case = |(params, values): (String, _)| Case {
        rate: number(&params, "lambda"),
        fails: number(&params, "p_fail"),
        attempts: number(&params, "max_attempts") as u32,
        values,
    };
    cases.into_iter().map(case).collect()
}

/// Calls and requests that ended well and badly, of requests that come for a while.
fn counted(case: &Case) -> (u64, u64, u64) {
    let mut station = dependency(64, DurationLaw::constant(SimDuration::from_nanos(1_000)));
    station.fails = Ratio::new(case.fails).expect("a ratio");
    let mut model = inline(poisson(case.rate as u64), station, LASTS + 1.0);
    set_until(&mut model, LASTS);
    model.callers[client()].retry = at_once(case.attempts - 1);
    let record = run(&model, 0);
    let flows = &record.callers[client()].flows;
    assert_eq!(
        flows.succeeded + flows.failed,
        flows.requests,
        "none is open"
    );
    (
        record.dependencies[super::station()].flows.calls,
        flows.succeeded,
        flows.failed,
    )
}

/// Whether a count is one of a Poisson law of this mean, at the risk taken.
fn is_poisson(count: u64, mean: f64) -> bool {
    if mean <= 0.0 {
        return count == 0;
    }
    let law = Count::new(mean).expect("a mean");
    let below = law.cdf(count);
    let above = if count == 0 { 1.0 } else { law.sf(count - 1) };
    below.min(above) >= RISK / 2.0
}

#[test]
fn calls_that_fail_by_themselves_are_those_of_the_table() {
    let cases = cases();
    assert_eq!(cases.len(), 28);
    let mut wrong = Vec::new();
    for case in &cases {
        let (calls, succeeded, failed) = counted(case);
        let requests = (succeeded + failed) as f64;
        let told = |name: &str| case.values[name];
        // The k-th attempt is made with probability p^(k-1): the second moment of attempts is
        // the sum of (2k - 1) p^(k-1).
        let chances = (0..case.attempts).map(|k| case.fails.powi(k as i32));
        let second: f64 = chances
            .enumerate()
            .map(|(k, chance)| (2 * k + 1) as f64 * chance)
            .sum();
        let variance = (second - told("mean_attempts").powi(2)).max(0.0);
        // Thinned arrivals are Poisson; attempts are a compound of them.
        let attempts = calls as f64 / requests - told("mean_attempts");
        let rate = calls as f64 - told("attempt_rate") * LASTS;
        let held = [
            attempts.abs() <= DEVIATIONS * (variance / requests).sqrt() + 1e-12,
            rate.abs() <= DEVIATIONS * (case.rate * LASTS * second).sqrt(),
            is_poisson(failed, told("p_dlq") * requests),
            is_poisson(failed, told("dlq_rate") * LASTS),
            is_poisson(succeeded, told("success_rate") * LASTS),
        ];
        // Of many failures the share is nearly normal, and narrower than a Poisson law.
        let p = told("p_dlq");
        let share = failed as f64 / requests - p;
        let normal = share.abs() <= DEVIATIONS * (p * (1.0 - p) / requests).sqrt() + 1e-12;
        if held.contains(&false) || (p * requests > 30.0 && !normal) {
            let Case {
                rate,
                fails,
                attempts,
                ..
            } = case;
            wrong.push(format!(
                "{rate}/s {fails} {attempts}: {calls} {succeeded} {failed} {held:?}"
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
