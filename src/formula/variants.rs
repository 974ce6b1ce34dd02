//! Names of the single-server variants: batches, priorities (also on many servers) and
//! breakdowns. The mathematics is in `theory`.

use super::{Family, FormulaError, Params, Solved};
use crate::theory::batch::{BatchArrivals, geometric_size};
use crate::theory::breakdown::{Breakdowns, FailureClock};
use crate::theory::mmc::Mmc;
use crate::theory::priority::{self, Class};

const BATCHES: &str = "M[X]/M/1";
const BREAKDOWNS_ALWAYS: &str = "M/M/1 breakdowns, clock runs always (idle too), preemptive-resume";
const BREAKDOWNS_SERVING: &str = "M/M/1 breakdowns only while serving, preemptive-resume";
const COBHAM_MARKOV: &str = "M/M/1 non-preemptive, 2 classes";
const COBHAM_FIXED: &str = "M/D/1 non-preemptive, 2 classes";
const COBHAM_GENERAL: &str = "M/G/1 non-preemptive, 2 classes";
const PREEMPTIVE_MARKOV: &str = "M/M/1 preemptive-resume, 2 classes";
const PREEMPTIVE_GENERAL: &str = "M/G/1 preemptive-resume, 2 classes";
const MANY_SERVERS: &str = "M/M/c non-preemptive, 2 classes, equal mu";

pub(super) const FAMILY: Family = Family {
    models: &[
        BATCHES,
        BREAKDOWNS_ALWAYS,
        BREAKDOWNS_SERVING,
        COBHAM_MARKOV,
        COBHAM_FIXED,
        COBHAM_GENERAL,
        PREEMPTIVE_MARKOV,
        PREEMPTIVE_GENERAL,
        MANY_SERVERS,
    ],
    open,
};

fn open(model: &str, params: &Params) -> Result<Solved, FormulaError> {
    match model {
        BATCHES => batches(params),
        BREAKDOWNS_ALWAYS => breakdowns(params, FailureClock::Always),
        BREAKDOWNS_SERVING => breakdowns(params, FailureClock::WhileServing),
        COBHAM_MARKOV => non_preemptive(markov_classes(params)?),
        COBHAM_FIXED | COBHAM_GENERAL => non_preemptive(general_classes(params)?),
        PREEMPTIVE_MARKOV => preemptive(markov_classes(params)?),
        PREEMPTIVE_GENERAL => preemptive(general_classes(params)?),
        _ => many_servers(params),
    }
}

fn batches(params: &Params) -> Result<Solved, FormulaError> {
    let text = params.text("batch")?;
    // A batch has a law of its own: `geometric(mean=5)` counts from one.
    let inside = text
        .strip_prefix("geometric(mean=")
        .and_then(|rest| rest.strip_suffix(')'));
    let (size, squared) = if let Some(mean) = inside.and_then(super::params::number) {
        geometric_size(mean)
    } else {
        let law = params.law("batch")?;
        (law.mean(), law.moment(2))
    };
    let (rate, mu) = (params.number("lambda_batches")?, params.number("mu")?);
    let queue = BatchArrivals::new(rate, size, squared, mu)?;
    let names = [
        "rho",
        "L",
        "W",
        "Wq",
        "Lq",
        "Wq_first_of_batch",
        "Wq_within_batch",
    ];
    Ok(Solved::new(&names, move |name| {
        let number = match name {
            "rho" => queue.utilization(),
            "L" => queue.mean_present(),
            "W" => queue.mean_sojourn(),
            "Wq" => queue.mean_wait(),
            "Lq" => queue.mean_waiting(),
            "Wq_first_of_batch" => queue.mean_wait_of_first(),
            "Wq_within_batch" => queue.mean_wait_within_batch(),
            _ => return None,
        };
        Some(number.into())
    }))
}

fn breakdowns(params: &Params, clock: FailureClock) -> Result<Solved, FormulaError> {
    let queue = Breakdowns::new(
        params.number("lambda")?,
        params.number("mu")?,
        params.number("failure_rate")?,
        params.number("repair_rate")?,
        clock,
    )?;
    let names: &[&str] = match clock {
        FailureClock::Always => &["availability", "rho_eff", "L", "W"],
        FailureClock::WhileServing => &["rho_eff", "E_completion", "Wq", "W", "L"],
    };
    Ok(Solved::new(names, move |name| {
        let number = match name {
            "availability" if clock == FailureClock::Always => queue.availability(),
            "rho_eff" => queue.utilization(),
            "L" => queue.mean_present(),
            "W" => queue.mean_sojourn(),
            "E_completion" => queue.mean_completion(),
            "Wq" => queue.mean_wait(),
            _ => return None,
        };
        Some(number.into())
    }))
}

fn markov_classes(params: &Params) -> Result<[Class; 2], FormulaError> {
    let class = |level: &str| {
        let lambda = params.number(&format!("lambda_{level}"))?;
        Ok::<_, FormulaError>(Class::exponential(
            lambda,
            params.number(&format!("mu_{level}"))?,
        ))
    };
    Ok([class("high")?, class("low")?])
}

fn general_classes(params: &Params) -> Result<[Class; 2], FormulaError> {
    let class = |level: &str| {
        let lambda = params.number(&format!("lambda_{level}"))?;
        let law = params.law(&format!("service_{level}"))?;
        Ok::<_, FormulaError>(Class {
            lambda,
            mean: law.mean(),
            second_moment: law.moment(2),
        })
    };
    Ok([class("high")?, class("low")?])
}

/// Means of the two classes by their names, from what is known of each.
fn two_classes(
    names: &'static [&'static str],
    classes: [Class; 2],
    waits: Vec<f64>,
    sojourns: Vec<f64>,
) -> Solved {
    Solved::new(names, move |name| {
        let (quantity, level) = match name.rsplit_once('_') {
            Some((quantity, "high")) => (quantity, 0),
            Some((quantity, "low")) => (quantity, 1),
            _ if name == "rho" => return Some(priority::utilization(&classes).into()),
            _ => return None,
        };
        let number = match quantity {
            "Wq" => waits[level],
            "W" => sojourns[level],
            "Lq" => classes[level].lambda * waits[level],
            "L" => classes[level].lambda * sojourns[level],
            _ => return None,
        };
        Some(number.into())
    })
}

fn non_preemptive(classes: [Class; 2]) -> Result<Solved, FormulaError> {
    let waits = priority::waits_non_preemptive(&classes)?;
    let sojourns = waits
        .iter()
        .zip(&classes)
        .map(|(wait, class)| wait + class.mean)
        .collect();
    let names = &[
        "rho", "Wq_high", "Wq_low", "W_high", "W_low", "Lq_high", "Lq_low",
    ];
    Ok(two_classes(names, classes, waits, sojourns))
}

fn preemptive(classes: [Class; 2]) -> Result<Solved, FormulaError> {
    let sojourns = priority::sojourns_preemptive_resume(&classes)?;
    // Time not in service, interruptions included.
    let waits = sojourns
        .iter()
        .zip(&classes)
        .map(|(time, class)| time - class.mean)
        .collect();
    let names = &["rho", "W_high", "W_low", "L_high", "L_low"];
    Ok(two_classes(names, classes, waits, sojourns))
}

fn many_servers(params: &Params) -> Result<Solved, FormulaError> {
    let lambdas = [params.number("lambda_high")?, params.number("lambda_low")?];
    let (mu, servers) = (params.number("mu")?, params.count("c")?);
    let waits = priority::waits_many_servers(&lambdas, mu, servers)?;
    let whole = Mmc::new(lambdas.iter().sum(), mu, servers)?;
    Ok(Solved::new(
        &["rho", "p_wait", "Wq_high", "Wq_low"],
        move |name| {
            let number = match name {
                "rho" => whole.utilization(),
                "p_wait" => whole.p_wait(),
                "Wq_high" => waits[0],
                "Wq_low" => waits[1],
                "W_high" => waits[0] + 1.0 / mu,
                "W_low" => waits[1] + 1.0 / mu,
                "Lq_high" => lambdas[0] * waits[0],
                "Lq_low" => lambdas[1] * waits[1],
                _ => return None,
            };
            Some(number.into())
        },
    ))
}
