//! The simulation against exact values, row by row of the reference tables: light to heavy load, 1
//! to 1,000 servers, every model of theory that the simulator has.
//!
//! Each row is simulated with its own seed: ten replications, started warm, long enough that their
//! means are nearly normal (3,000 times the square of the relative asymptotic deviation, by
//! `theory::run_length`; rows that need more than a few million messages are left out). The
//! deviation is judged as Student's t and turned into a normal z. Seeds are fixed, so that the
//! outcome is too: what is stated as a probability is how likely a right simulator was to fail when
//! the seeds were chosen.

mod coverage;
mod priorities;
mod redeliveries;
mod saturation;
pub(crate) mod tables;

use queuecast::experiment::Needs;
use queuecast::experiment::replicate::replicate;
use queuecast::model::{Id, Model, Stop, Warmup};
use queuecast::outcome::{Catalogue, Measures};
use queuecast::random::Seed;
use queuecast::sim::Detail;
use queuecast::units::{SimDuration, SimTime};
use rayon::prelude::*;
use statrs::distribution::{ChiSquared, ContinuousCDF, Normal, StudentsT};

use tables::{Case, cases};

const REPLICATIONS: u32 = 10;
/// n w²/σ² of all replications of a row together: its standard error is 1.8 %.
const UNITS: f64 = 3_000.0;
/// n w²/σ² that make a 95 % interval of ±1 %.
const UNITS_FOR_1PCT: f64 = 38_415.0;
/// Rows that need more messages than this are left out …
const MOST: f64 = 6_000_000.0;
/// … and none has fewer.
const LEAST: f64 = 300_000.0;
/// Relaxation times to warm up.
const RELAXATIONS: f64 = 12.0;

/// A row to be simulated.
struct Row {
    label: String,
    model: Model,
    metric: &'static str,
    exact: f64,
}

impl Case {
    /// Messages a second that come.
    fn rate(&self) -> f64 {
        let rate = self.arrivals().and_then(|arrivals| arrivals.mean_rate());
        rate.unwrap_or_else(|| panic!("{} has no rate", self.id))
    }

    fn row(&self, mut model: Model, quantity: &str, length: Length) -> Option<Row> {
        let metric = match quantity {
            "Wq" | "Wq_accepted" => "queues.q.wait.mean",
            "Wq_p90" | "Wq_accepted_p90" => "queues.q.wait.p90",
            "Wq_p99" => "queues.q.wait.p99",
            "W" => "queues.q.sojourn.mean",
            "p_block" => "queues.q.rejected_share",
            "utilisation" => "consumers.c.utilization",
            other => panic!("no metric for {other}"),
        };
        let exact = *self.values.get(quantity)?;
        let rate = self.rate();
        let measured = length.messages / f64::from(REPLICATIONS) / rate;
        let span = SimDuration::from_secs_rounded(length.warmup + measured);
        model.plan.stop = Stop::At(SimTime::ZERO + span);
        model.plan.warmup = Warmup::For(SimDuration::from_secs_rounded(length.warmup));
        let label = format!("{} {quantity} {:?}", self.id, self.params);
        (exact > 0.0).then_some(Row {
            label,
            model,
            metric,
            exact,
        })
    }
}

/// How long a row runs: seconds of warm-up, and messages measured in all replications.
#[derive(Clone, Copy)]
struct Length {
    warmup: f64,
    messages: f64,
}

/// The relaxation time of a queue without bound, in seconds: of M/M/1 with the speed of all
/// servers, times the variability; and a few services.
fn relaxation(rho: f64, servers: f64, service: f64, variability: f64) -> f64 {
    let queue = service / servers / (1.0 - rho.sqrt()).powi(2);
    queue * variability.max(1.0) + service
}

/// Rows of a queue without bound: its mean wait and a percentile; where waits are so rare that
/// they would take too long, its mean sojourn.
fn open_rows(case: &Case) -> Vec<Row> {
    let Some(model) = case.model().filter(|_| case.servers() <= 1_000) else {
        return Vec::new();
    };
    let Some(needs) = Needs::of(&model, Id::at(0)).filter(|needs| needs.load < 1.0) else {
        return Vec::new();
    };
    let fleet = &model.fleets[Id::at(0)];
    let service = fleet.service.mean();
    let variability = 6.0_f64.min(1.0 + fleet.service.law().scv());
    let servers = f64::from(fleet.count);
    let warmup = RELAXATIONS * relaxation(needs.load, servers, service, variability);
    let messages = needs.for_1pct / UNITS_FOR_1PCT * UNITS;
    let quantities: &[&str] = if messages > MOST {
        &["W"]
    } else {
        &["Wq", "Wq_p90"]
    };
    if messages > MOST && needs.load > 0.85 {
        return Vec::new();
    }
    let messages = if messages > MOST {
        LEAST
    } else {
        messages.max(LEAST)
    };
    let length = Length { warmup, messages };
    let row = |quantity: &&str| case.row(model.clone(), quantity, length);
    quantities.iter().filter_map(row).collect()
}

/// Rows of M/M/c/K: as long as 300 relaxation times.
fn bounded_rows(case: &Case) -> Vec<Row> {
    let (rate, mu) = (case.rate(), case.get("mu").unwrap());
    let (servers, places) = (f64::from(case.servers()), case.get("K").unwrap());
    let capacity = servers * mu;
    let rho = rate / capacity;
    let free = 1.0 / capacity / (1.0 - rho.sqrt()).powi(2);
    let relaxation = free.min(places * places / capacity / 5.0) + 1.0 / mu;
    let fill = places / (rate - capacity).abs().max(capacity / places);
    let length = Length {
        warmup: RELAXATIONS * relaxation + 2.0 * fill,
        messages: (1_000.0 * relaxation * rate).max(LEAST),
    };
    if length.messages > MOST || length.warmup * rate > 0.1 * length.messages {
        return Vec::new();
    }
    let enough = |quantity: &str| match quantity {
        // Losses and waits that are rarer have too few events.
        "p_block" => case.values["p_block"] > 0.01,
        "Wq_accepted" => case.values["p_wait_accepted"] > 0.05,
        _ => true,
    };
    ["Wq_accepted", "Wq_accepted_p90", "p_block", "utilisation"]
        .into_iter()
        .filter(|quantity| enough(quantity))
        .filter_map(|quantity| case.row(case.model()?, quantity, length))
        .collect()
}

/// Rows of a single server that breaks down and goes on afterwards, its clock running also while
/// it is idle: as long as 1,500 breakdowns.
fn breakdown_rows(case: &Case) -> Vec<Row> {
    if !case.model.contains("always") {
        return Vec::new();
    }
    let cycle = 1.0 / case.get("failure_rate").unwrap() + 1.0 / case.get("repair_rate").unwrap();
    let messages = (1_500.0 * cycle * case.rate()).max(LEAST);
    let warmup = 10.0 * cycle + 1_000.0 / case.rate();
    let length = Length { warmup, messages };
    let row = (messages < MOST).then(|| case.row(case.model()?, "W", length));
    row.flatten().into_iter().collect()
}

/// Rows of batches: the waits of M/M/1 in units of batches, with the squares of their sizes.
fn batch_rows(case: &Case) -> Vec<Row> {
    let Some(model) = case.model() else {
        return Vec::new();
    };
    let rho = case.values["rho"];
    if rho > 0.91 {
        return Vec::new();
    }
    let needs = Needs::of(&model, Id::at(0)).unwrap();
    let (service, size) = (1.0 / case.get("mu").unwrap(), case.rate());
    let variability = size / case.get("lambda_batches").unwrap();
    let length = Length {
        warmup: RELAXATIONS * relaxation(rho, 1.0, service, variability),
        messages: (needs.for_1pct / UNITS_FOR_1PCT * UNITS).clamp(LEAST, MOST),
    };
    case.row(model, "Wq", length).into_iter().collect()
}

fn rows() -> Vec<Row> {
    let mut rows = Vec::new();
    for table in [
        "mmc",
        "mdc",
        "mg1",
        "mg1_percentiles",
        "gim",
        "ggc_exact_and_approx",
    ] {
        let all: Vec<_> = cases(table).iter().flat_map(open_rows).collect();
        // Every second row of a long table, so that the test stays short.
        let step = if all.len() > 40 { 2 } else { 1 };
        rows.extend(all.into_iter().step_by(step));
    }
    rows.extend(cases("mmck").iter().flat_map(bounded_rows).step_by(2));
    rows.extend(cases("batch_mxm1").iter().flat_map(batch_rows));
    rows.extend(cases("breakdown").iter().flat_map(breakdown_rows));
    for (place, row) in rows.iter_mut().enumerate() {
        row.model.plan.seed = Seed(1_000 + place as u64);
    }
    rows
}

impl Row {
    /// The deviation of the simulation from the exact value, as a standard normal z.
    fn deviation(&self) -> f64 {
        let runs = replicate(&self.model, REPLICATIONS, Detail::Measures, &|_| {});
        let measures = Measures::of(Catalogue::of(&self.model), &runs);
        let position = measures.catalogue().position(self.metric).unwrap();
        let values = measures.column(position);
        let values = values.unwrap_or_else(|| panic!("{} {} absent", self.label, self.metric));
        normal_deviation(&values, self.exact)
    }
}

/// The deviation of the mean of independent values from `exact`: Student's t, turned into the z
/// that is as unlikely.
pub(crate) fn normal_deviation(values: &[f64], exact: f64) -> f64 {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    let error = (squares / (n - 1.0) / n).sqrt();
    if error <= 1e-9 * exact {
        // What never varies must be right: a server that is never idle.
        return if (mean / exact - 1.0).abs() < 1e-6 {
            0.0
        } else {
            f64::INFINITY
        };
    }
    let t = (mean - exact) / error;
    let beyond = StudentsT::new(0.0, 1.0, n - 1.0).unwrap().sf(t.abs());
    let z = -Normal::new(0.0, 1.0).unwrap().inverse_cdf(beyond);
    z.copysign(t)
}

/// The most misses of `n` that are still as likely as `level`, each with probability `p`.
pub(crate) fn most_misses(n: usize, p: f64, level: f64) -> usize {
    let mut below = 0.0;
    let mut term = (1.0 - p).powi(n as i32);
    for k in 0..n {
        below += term;
        if 1.0 - below < level {
            return k;
        }
        term *= (n - k) as f64 / (k + 1) as f64 * p / (1.0 - p);
    }
    n
}

/// At least 150 rows. The 99 % intervals miss as often as 99 % says (binomial, at 1e-4), the
/// deviations are as large as they should be (chi-square of the sum of z², two-sided at 1e-4), and
/// none is beyond 4.5 (probability 1e-5 a row).
#[test]
fn simulation_agrees_with_every_table() {
    let rows = rows();
    assert!(rows.len() >= 150, "{} rows", rows.len());
    let deviations: Vec<f64> = rows.par_iter().map(Row::deviation).collect();
    let unusual = rows.iter().zip(&deviations).filter(|(_, z)| z.abs() > 2.0);
    let told: Vec<_> = unusual
        .map(|(row, z)| format!("{z:.2}  {}", row.label))
        .collect();
    let told = told.join(
        "
",
    );
    let sum: f64 = deviations.iter().map(|z| z * z).sum();
    println!("{} rows, sum of z² {sum}; beyond 2:\n{told}", rows.len());
    let wrong = deviations.iter().filter(|z| z.abs() > 4.5).count();
    assert_eq!(wrong, 0, "beyond 4.5:\n{told}");
    let n = deviations.len();
    let missed = deviations.iter().filter(|z| z.abs() > 2.575_829).count();
    let most = most_misses(n, 0.01, 1e-4);
    assert!(
        missed <= most,
        "{missed} of {n} missed, at most {most}:\n{told}"
    );
    let law = ChiSquared::new(n as f64).unwrap();
    let (low, high) = (law.inverse_cdf(0.5e-4), law.inverse_cdf(1.0 - 0.5e-4));
    assert!(
        low < sum && sum < high,
        "sum of z²: {sum} not in {low}..{high}:\n{told}"
    );
}

/// D/D/c from empty has no chance in it: the wait of arrival n is n/c, rounded down, times what a
/// round is short of. Mean of the first thousand and the last of ten thousand, exactly.
#[test]
fn constant_arrivals_and_services_wait_exactly() {
    for case in cases("ddc") {
        for (count, quantity, metric) in [
            (1_000, "mean_wait_first_1000", "queues.q.wait.mean"),
            (10_000, "wait_of_arrival_9999", "queues.q.wait.max"),
        ] {
            let mut model = constant(&case, count);
            model.plan.stop = Stop::Settled;
            let runs = replicate(&model, 1, Detail::Measures, &|_| {});
            let measures = Measures::of(Catalogue::of(&model), &runs);
            let (seen, exact) = (measures.value(metric).unwrap(), case.values[quantity]);
            // A nanosecond a round of c arrivals, for a period that is no whole number of them.
            let slack = 1e-9 * count as f64;
            assert!(
                (seen - exact).abs() <= slack,
                "{} {quantity}: {seen} {exact}",
                case.id
            );
        }
    }
}

fn constant(case: &Case, count: u64) -> Model {
    use queuecast::model::Origin;
    use queuecast::policy::arrival::{Arrivals, Constant};
    let mut model = case.model().unwrap();
    let rate = tables::per_second(&case.params["lambda"]);
    let offset = SimDuration::ZERO;
    if let Origin::Arrivals {
        arrivals,
        count: most,
        ..
    } = &mut model.producers[Id::at(0)].origin
    {
        *arrivals = Arrivals::Constant(Constant { rate, offset });
        *most = Some(count);
    }
    model
}
