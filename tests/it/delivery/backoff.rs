//! Clients that fail together at one instant, and how many of each attempt come back together,
//! against the reference table (rule E4; source: independent calculations handed to the project).
//!
//! Not the delays themselves, whose laws [`crate::retry`] compares.
//!
//! A thousand messages at once, a handler for each, every attempt fails after a microsecond (the
//! least that there is). With a retry in place a handler keeps its message, so that its n-th end
//! of work is that of attempt n.

use std::collections::BTreeMap;

use super::{burst, secs};
use crate::sample::Moments;
use crate::theory::tables::{Case, cases};
use queuecast::model::{BudgetPer, Failures, Id, Model, RetryOn, RetryPlace, Reworking};
use queuecast::policy::retry::{Backoff, Exponential, Jitter, RetryPolicy};
use queuecast::random::Seed;
use queuecast::random::law::DurationLaw;
use queuecast::sim::{Detail, Fact, Recorder, measure, simulate};
use queuecast::units::{Ratio, SimDuration, SimTime};
use rayon::prelude::*;

const CLIENTS: u32 = 1_000;
const SEEDS: u64 = 100;
const ATTEMPTS: usize = 7;
const BIN: u64 = 100_000_000;

fn policy(case: &Case, attempts: u32) -> RetryPolicy {
    let seconds = |key: &str| SimDuration::from_secs_rounded(case.get(key).unwrap());
    RetryPolicy {
        budget: None,
        attempts,
        backoff: Backoff::Exponential(Exponential {
            base: seconds("base"),
            cap: seconds("cap"),
            factor: 2.0,
        }),
        jitter: match case.params["jitter"].as_str() {
            "none" => Jitter::None,
            "full" => Jitter::Full,
            "equal" => Jitter::Equal,
            other => panic!("unknown jitter {other}"),
        },
    }
}

fn clients(case: &Case, attempts: u32, place: RetryPlace, seed: u64) -> Model {
    assert_eq!(
        (case.get("clients"), case.get("bin")),
        (Some(1_000.0), Some(0.1))
    );
    let mut model = burst(CLIENTS, CLIENTS, secs(1));
    model.plan.seed = Seed(seed);
    let handling = &mut model.fleets[Id::at(0)].handling;
    handling.fails = Failures {
        transient: Ratio::ONE,
        takes: Some(DurationLaw::constant(SimDuration::ZERO)),
        ..Failures::default()
    };
    handling.retry = Some(Reworking {
        budget_per: BudgetPer::Consumer,
        policy: policy(case, attempts),
        place,
        on: RetryOn::Any,
    });
    model
}

/// How many attempts of each number end in each bin.
struct Bins {
    attempts: Vec<usize>,
    counts: [BTreeMap<u64, u32>; ATTEMPTS],
}

impl Recorder for Bins {
    fn observe(&mut self, now: SimTime, fact: &Fact) {
        if let Fact::Worked { handler, .. } = fact {
            let attempt = &mut self.attempts[*handler as usize];
            *self.counts[*attempt]
                .entry(now.as_nanos() / BIN)
                .or_insert(0) += 1;
            *attempt += 1;
        }
    }
}

fn bins(case: &Case, seed: u64) -> [BTreeMap<u64, u32>; ATTEMPTS] {
    let model = clients(case, ATTEMPTS as u32, RetryPlace::InPlace, seed);
    let empty = Bins {
        attempts: vec![0; CLIENTS as usize],
        counts: Default::default(),
    };
    let (bins, _, _) = simulate(&model, 0, empty);
    assert!(bins.attempts.iter().all(|attempts| *attempts == ATTEMPTS));
    bins.counts
}

/// The 95 % half-width that a row states, by its quantity: `95% CI +-1.3`.
fn stated() -> BTreeMap<(String, String), f64> {
    let path = "tests/data/reference/backoff_sync.csv";
    let rows = csv::Reader::from_path(path).unwrap().into_records();
    rows.filter_map(|row| {
        let row = row.unwrap();
        let width = row[5].strip_prefix("95% CI +-")?.parse().unwrap();
        Some(((row[0].into(), row[3].into()), width))
    })
    .collect()
}

/// Per row and attempt: the mean peak within 4.5 standard errors of the table's and ours together;
/// the 95th percentile within the stated 3 and 4.5 of ours, by the normal density at it; the
/// expected count of the busiest bin within the stated 1 % and 4.5 of ours. 30 of each that are not
/// certain: all hold together with a probability above 99.9 %.
#[test]
fn clients_that_fail_together_come_back_as_calculated() {
    let stated = stated();
    let mut compared = 0;
    for case in cases("backoff_sync") {
        let runs: Vec<_> = (0..SEEDS)
            .into_par_iter()
            .map(|seed| bins(&case, seed))
            .collect();
        for attempt in 2..=ATTEMPTS {
            let counts: Vec<_> = runs.iter().map(|run| &run[attempt - 1]).collect();
            let peaks = counts.iter().map(|bins| *bins.values().max().unwrap());
            let mut peaks: Vec<f64> = peaks.map(f64::from).collect();
            peaks.sort_by(f64::total_cmp);
            let seen = Moments::of(&peaks);
            let told = format!("{} {:?} attempt {attempt}", case.id, case.params);
            let known = |quantity: &str| {
                let quantity = format!("{quantity}_attempt_{attempt}");
                let width = stated.get(&(case.id.clone(), quantity.clone()));
                (case.values[&quantity], width.copied().unwrap_or(0.0))
            };
            let (mean, width) = known("mean_peak_per_100ms");
            let error = (seen.mean_error.powi(2) + (width / 1.96).powi(2)).sqrt();
            assert!(
                (seen.mean - mean).abs() <= 4.5 * error,
                "{told}: {} not {mean}",
                seen.mean
            );
            let (p95, _) = known("p95_peak_per_100ms");
            // √(0.95 · 0.05 / n) over the density σ⁻¹ φ(1.645) = 0.103 / σ.
            let error = 0.218 / (SEEDS as f64).sqrt() / 0.103 * seen.variance.sqrt();
            let ours = peaks[(0.95 * SEEDS as f64) as usize - 1];
            assert!(
                (ours - p95).abs() <= 3.0 + 4.5 * error,
                "{told}: p95 {ours} not {p95}"
            );
            let (busiest, _) = known("expected_count_in_busiest_bin");
            let ours = most_on_average(&counts);
            let error = (busiest * (1.0 - busiest / 1_000.0) / SEEDS as f64).sqrt();
            let slack = 0.01 * busiest + 4.5 * error;
            assert!(
                (ours - busiest).abs() <= slack,
                "{told}: busiest {ours} not {busiest}"
            );
            compared += 3;
        }
    }
    assert_eq!(compared, 144, "every row");
}

/// The mean count of the bin that is the busiest on average.
fn most_on_average(counts: &[&BTreeMap<u64, u32>]) -> f64 {
    let mut sums = BTreeMap::new();
    for (bin, count) in counts.iter().copied().flatten() {
        *sums.entry(bin).or_insert(0) += count;
    }
    f64::from(sums.into_values().max().unwrap()) / counts.len() as f64
}

/// With the broker, and no third attempt, the peak that is reported is that of the second: the
/// mean within 4.5 standard errors of both.
#[test]
fn the_reported_peak_of_retries_is_that_of_the_table() {
    let stated = stated();
    for case in cases("backoff_sync") {
        let peak = |seed| {
            let model = clients(&case, 2, RetryPlace::Delayed, 1_000 + seed);
            let record = measure(&model, 0, Detail::Measures, &|_| {});
            record.queues[Id::at(0)].peak_retries as f64
        };
        let peaks: Vec<f64> = (0..SEEDS).into_par_iter().map(peak).collect();
        let seen = Moments::of(&peaks);
        let quantity = "mean_peak_per_100ms_attempt_2".to_owned();
        let known = case.values[&quantity];
        let width = stated[&(case.id.clone(), quantity)];
        let error = (seen.mean_error.powi(2) + (width / 1.96).powi(2)).sqrt();
        assert!(
            (seen.mean - known).abs() <= 4.5 * error,
            "{} {:?}: {} not {known}",
            case.id,
            case.params,
            seen.mean
        );
    }
}
