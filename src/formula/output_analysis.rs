//! Run lengths and the end of the warm-up by name. The mathematics is in `theory::run_length` and
//! `stats::warmup`; here are the names and the test series of the reference tables.

use super::general::servers;
use super::{Family, FormulaError, Params, Solved};
use crate::stats::warmup::{Verdict, mser5};
use crate::theory::run_length::{Mm1, MmcWaiting, for_1pct_95};

pub(super) const FAMILY: Family = Family {
    models: &["M/M/1 run length", "M/M/c run length", "MSER-5"],
    open,
};

fn open(model: &str, params: &Params) -> Result<Solved, FormulaError> {
    match model {
        "MSER-5" => warmup(params),
        "M/M/c run length" => many_servers(params),
        _ => one_server(params),
    }
}

fn one_server(params: &Params) -> Result<Solved, FormulaError> {
    let (arrival_rate, mu) = (params.number("lambda")?, params.number("mu")?);
    let system = Mm1::new(arrival_rate, mu)?;
    let queue = MmcWaiting::new(arrival_rate, mu, 1)?;
    let names = [
        "asymptotic_variance_wait_customers",
        "mean_wait",
        "customers_for_1pct_95",
        "asymptotic_variance_L_time",
        "time_for_1pct_95_L",
        "asymptotic_variance_Lq_time",
    ];
    Ok(Solved::new(&names, move |name| {
        let value = match name {
            "asymptotic_variance_wait_customers" => system.variance_of_wait(),
            "mean_wait" => system.mean_wait(),
            "customers_for_1pct_95" => for_1pct_95(system.variance_of_wait(), system.mean_wait()),
            "asymptotic_variance_L_time" => system.variance_of_in_system(),
            "time_for_1pct_95_L" => for_1pct_95(system.variance_of_in_system(), system.in_system()),
            "asymptotic_variance_Lq_time" => queue.asymptotic_variance(),
            _ => return None,
        };
        Some(value.into())
    }))
}

fn many_servers(params: &Params) -> Result<Solved, FormulaError> {
    let (arrival_rate, mu) = (params.number("lambda")?, params.number("mu")?);
    let servers = servers(params)?;
    let queue = MmcWaiting::new(arrival_rate, mu, servers)?;
    let names = [
        "asymptotic_variance_Lq_time",
        "Lq",
        "time_for_1pct_95",
        "arrivals_for_1pct_95",
    ];
    Ok(Solved::new(&names, move |name| {
        let value = match name {
            "asymptotic_variance_Lq_time" => queue.asymptotic_variance(),
            "Lq" => queue.waiting(),
            "time_for_1pct_95" => queue.time_for_1pct_95(),
            "arrivals_for_1pct_95" => arrival_rate * queue.time_for_1pct_95(),
            _ => return None,
        };
        Some(value.into())
    }))
}

fn warmup(params: &Params) -> Result<Solved, FormulaError> {
    let length = params.count("n")?;
    if length > 100_000_000 {
        let text = "a test series has at most 100,000,000 observations";
        return Err(FormulaError::OutOfDomain(text.to_owned()));
    }
    let series = series(params.text("series")?, length, params.count("seed")?)?;
    let cut = mser5(&series)
        .ok_or_else(|| FormulaError::OutOfDomain("fewer than 5 observations".to_owned()))?;
    let names = ["truncation_observations", "truncated_mean", "valid"];
    Ok(Solved::new(&names, move |name| {
        Some(match name {
            "truncation_observations" => (cut.removed as u64).into(),
            "truncated_mean" => cut.mean.into(),
            "valid" => (cut.verdict == Verdict::Settled).into(),
            _ => return None,
        })
    }))
}

/// The test series: a trend and noise 0..999 of the linear congruential generator
/// z <- (1103515245 z + 12345) mod 2^31, of which bits 16 and up are taken modulo 1000.
fn series(name: &str, length: u64, seed: u64) -> Result<Vec<f64>, FormulaError> {
    let trend: fn(u64) -> u64 = match name {
        "lcg:flat" => |_| 0,
        "lcg:hyperbola" => |i| 20_000 / (i + 1),
        "lcg:ramp" => |i| 3 * 500_u64.saturating_sub(i),
        "lcg:upramp" => |i| i.min(700),
        "lcg:never" => |i| 2 * i,
        _ => {
            let text = "the series is one of lcg:flat, lcg:hyperbola, lcg:ramp, lcg:upramp, \
                        lcg:never";
            return Err(FormulaError::OutOfDomain(text.to_owned()));
        }
    };
    let modulus = 1_u64 << 31;
    let mut z = seed % modulus;
    let observation = |i| {
        z = (1_103_515_245 * z + 12_345) % modulus;
        (trend(i) + (z >> 16) % 1000) as f64
    };
    Ok((0..length).map(observation).collect())
}
