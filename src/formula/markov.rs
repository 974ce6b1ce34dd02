//! Names of the plain Markovian queues: Erlang B and C, M/M/c, M/M/c/K and Erlang A. The
//! mathematics is in `theory`.

use super::names::{number_in, percentile_tail};
use super::{Family, FormulaError, Params, Solved, Value};
use crate::theory::domain::{DomainError, MOST};
use crate::theory::erlang_a::ErlangA;
use crate::theory::erlang_b;
use crate::theory::mmc::Mmc;
use crate::theory::mmck::Mmck;

pub(super) const FAMILY: Family = Family {
    models: &[
        "M/M/1",
        "M/M/c",
        "M/M/1/K",
        "M/M/c/K",
        "M/M/c+M (Erlang A)",
        "M/G/c/c (Erlang B)",
        "Erlang B, continuous servers",
    ],
    open,
};

fn open(model: &str, params: &Params) -> Result<Solved, FormulaError> {
    match model {
        "M/M/1" => mmc(params, 1),
        "M/M/c" => mmc(params, params.count("c")?),
        "M/M/1/K" => mmck(params, 1),
        "M/M/c/K" => mmck(params, params.count("c")?),
        "M/M/c+M (Erlang A)" => erlang_a(params),
        "M/G/c/c (Erlang B)" => loss(params),
        _ => loss_continuous(params),
    }
}

fn mmc(params: &Params, servers: u64) -> Result<Solved, FormulaError> {
    let queue = Mmc::new(params.number("lambda")?, params.number("mu")?, servers)?;
    let names = [
        "stable",
        "rho",
        "a",
        "p_wait",
        "ln_p_wait",
        "Lq",
        "Wq",
        "Wq_given_wait",
        "W",
        "L",
        "var_Wq",
        "Wq_p50",
        "Wq_p90",
        "Wq_p99",
        "Wq_p999",
        "W_p50",
        "W_p90",
        "W_p99",
        "W_p999",
    ];
    Ok(Solved::new(&names, move |name| {
        let number = match name {
            "stable" => return Some(queue.is_stable().into()),
            "rho" => queue.utilization(),
            "a" => queue.offered_load(),
            "p_wait" => queue.p_wait(),
            "ln_p_wait" => queue.ln_p_wait(),
            "Lq" => queue.mean_waiting(),
            "Wq" => queue.mean_wait(),
            "Wq_given_wait" => queue.mean_wait_given_wait(),
            "W" => queue.mean_sojourn(),
            "L" => queue.mean_present(),
            "var_Wq" => queue.var_wait(),
            "var_W" => queue.var_sojourn(),
            _ => {
                if let Some(tail) = percentile_tail(name, "Wq_p") {
                    queue.wait_exceeded_with(tail)
                } else if let Some(tail) = percentile_tail(name, "W_p") {
                    queue.sojourn_exceeded_with(tail)
                } else if let Some(t) = number_in(name, "P(Wq>", ")") {
                    queue.p_wait_exceeds(t)
                } else {
                    queue.p_sojourn_exceeds(number_in(name, "P(W>", ")")?)
                }
            }
        };
        Some(number.into())
    }))
}

fn mmck(params: &Params, servers: u64) -> Result<Solved, FormulaError> {
    let (lambda, mu) = (params.number("lambda")?, params.number("mu")?);
    let queue = Mmck::new(lambda, mu, servers, params.count("K")?)?;
    let names = [
        "p_block",
        "p0",
        "throughput",
        "utilisation",
        "L",
        "Lq",
        "Wq_accepted",
        "W_accepted",
        "p_wait_accepted",
        "Wq_accepted_p50",
        "Wq_accepted_p90",
        "Wq_accepted_p99",
        "Wq_accepted_p999",
    ];
    Ok(Solved::new(&names, move |name| {
        let number = match name {
            "p_block" => queue.p_block(),
            "p_wait_accepted" => queue.p_wait(),
            "throughput" => queue.throughput(),
            "utilisation" => queue.utilization(),
            "L" => queue.mean_present(),
            "Lq" => queue.mean_waiting(),
            "Wq_accepted" => queue.mean_wait(),
            "W_accepted" => queue.mean_sojourn(),
            _ => {
                if let Some(tail) = percentile_tail(name, "Wq_accepted_p") {
                    queue.wait_exceeded_with(tail)
                } else if let Some(t) = wait_argument(name, "accepted") {
                    queue.p_wait_exceeds(t)
                } else {
                    queue.p_present(super::names::count_in(name, "p")?)
                }
            }
        };
        Some(number.into())
    }))
}

/// The argument of `P(Wq>t)`, `P(Wq_<whom>>t)` or `P(Wq>t|<whom>)`.
fn wait_argument(name: &str, whom: &str) -> Option<f64> {
    number_in(name, "P(Wq>", ")")
        .or_else(|| number_in(name, &format!("P(Wq_{whom}>"), ")"))
        .or_else(|| number_in(name, "P(Wq>", &format!("|{whom})")))
}

fn erlang_a(params: &Params) -> Result<Solved, FormulaError> {
    let (lambda, mu) = (params.number("lambda")?, params.number("mu")?);
    let queue = ErlangA::new(lambda, mu, params.number("theta")?, params.count("c")?)?;
    let names = [
        "p_wait",
        "p_abandon",
        "p_abandon_given_wait",
        "Lq",
        "Wq_all",
        "Wq_served",
        "Wq_abandoned",
        "throughput",
        "utilisation",
        "Wq_all_p50",
        "Wq_all_p90",
        "Wq_all_p99",
        "Wq_all_p999",
        "Voffered_p50",
        "Voffered_p90",
        "Voffered_p99",
        "Voffered_p999",
    ];
    Ok(Solved::new(&names, move |name| {
        let number = match name {
            "p_wait" => queue.p_wait(),
            "p_abandon" => queue.p_abandon(),
            "p_abandon_given_wait" => queue.p_abandon_given_wait(),
            "Lq" => queue.mean_waiting(),
            "Wq_all" => queue.mean_wait(),
            "Wq_served" => queue.mean_wait_served(),
            "Wq_abandoned" => queue.mean_wait_abandoned(),
            "throughput" => queue.throughput(),
            "utilisation" => queue.utilization(),
            _ => {
                if let Some(tail) = percentile_tail(name, "Wq_all_p") {
                    queue.wait_exceeded_with(tail)
                } else if let Some(tail) = percentile_tail(name, "Voffered_p") {
                    queue.offered_exceeded_with(tail)
                } else if let Some(t) = number_in(name, "P(Voffered>", ")") {
                    queue.p_offered_exceeds(t)
                } else {
                    queue.p_wait_exceeds(wait_argument(name, "all")?)
                }
            }
        };
        Some(number.into())
    }))
}

/// An offered load above zero.
fn offered(params: &Params) -> Result<f64, FormulaError> {
    let a = params.number("a")?;
    if a > 0.0 {
        Ok(a)
    } else {
        Err(DomainError::new(format!("`a` must be above zero, not {a}")).into())
    }
}

fn loss(params: &Params) -> Result<Solved, FormulaError> {
    let (a, servers) = (offered(params)?, params.count("c")?);
    if servers > MOST {
        return Err(DomainError::new(format!("`c` must be at most {MOST}")).into());
    }
    let waits = a < servers as f64;
    Ok(Solved::new(
        &["B", "ln_B", "carried", "C", "ln_C"],
        move |name| {
            let number = match name {
                "B" => erlang_b::blocking(a, servers),
                "ln_B" => erlang_b::ln_blocking(a, servers),
                "carried" => erlang_b::carried(a, servers),
                "C" if waits => erlang_b::delay(a, servers),
                "ln_C" if waits => erlang_b::ln_delay(a, servers),
                _ => return None,
            };
            Some(number.into())
        },
    ))
}

fn loss_continuous(params: &Params) -> Result<Solved, FormulaError> {
    let (a, servers) = (offered(params)?, params.number("x")?);
    if !(0.0..=MOST as f64).contains(&servers) {
        return Err(DomainError::new(format!("`x` must be from 0 to {MOST}")).into());
    }
    let waits = a < servers;
    Ok(Solved::new(&["B", "ln_B", "C"], move |name| {
        let blocking = || erlang_b::blocking_continuous(a, servers);
        let number = match name {
            "B" => blocking(),
            "ln_B" => blocking().ln(),
            "carried" => a * (1.0 - blocking()),
            "C" if waits => erlang_b::delay_continuous(a, servers),
            "ln_C" if waits => erlang_b::delay_continuous(a, servers).ln(),
            _ => return None,
        };
        Some(Value::Number(number))
    }))
}
