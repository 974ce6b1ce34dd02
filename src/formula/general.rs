//! One server with a general service law, and any number of exponential servers with general
//! arrivals: M/G/1, M/D/1, GI/M/1, GI/M/c by name. The mathematics is in `theory`.

use super::law::Law;
use super::names::{number_in, percentile_tail};
use super::{Family, FormulaError, Params, Solved};
use crate::theory::gim::GiMc;
use crate::theory::mg1::{Mg1, Mg1Wait};
use crate::theory::transform::Transform;

pub(super) const FAMILY: Family = Family {
    models: &["M/G/1", "M/D/1", "GI/M/1", "GI/M/c"],
    open,
};

fn open(model: &str, params: &Params) -> Result<Solved, FormulaError> {
    match model {
        "GI/M/1" => exponential_servers(params, 1),
        "GI/M/c" => exponential_servers(params, servers(params)?),
        _ => one_server(params),
    }
}

/// The means that follow from the wait by Little's law.
#[derive(Clone, Copy)]
pub(super) struct Means {
    pub(super) arrival_rate: f64,
    pub(super) service: f64,
    pub(super) servers: u32,
}

impl Means {
    pub(super) fn named(self, name: &str, wait: f64) -> Option<f64> {
        Some(match name {
            "rho" => self.arrival_rate * self.service / f64::from(self.servers),
            "Wq" => wait,
            "W" => wait + self.service,
            "Lq" => self.arrival_rate * wait,
            "L" => self.arrival_rate * (wait + self.service),
            _ => return None,
        })
    }
}

/// The number of servers: a whole number from one on.
pub(super) fn servers(params: &Params) -> Result<u32, FormulaError> {
    u32::try_from(params.count("c")?)
        .ok()
        .filter(|c| (1..=1_000_000).contains(c))
        .ok_or_else(|| FormulaError::OutOfDomain("c must be from 1 to 1,000,000".to_owned()))
}

/// The law of the times between arrivals; a mean given apart is optional.
pub(super) fn arrivals(params: &Params) -> Result<Transform, FormulaError> {
    let law = match params.get("mean_interarrival") {
        Some(_) => params.law_of_mean("arrivals", params.number("mean_interarrival")?)?,
        None => params.law("arrivals")?,
    };
    transform(law).ok_or_else(|| {
        FormulaError::OutOfDomain("arrivals of a Pareto law have no transform here".to_owned())
    })
}

/// The law by its transform; none for the Pareto laws.
pub(super) fn transform(law: Law) -> Option<Transform> {
    Some(match law {
        Law::Deterministic { mean } => Transform::Deterministic { mean },
        Law::Exponential { mean } => Transform::exponential(mean),
        Law::Erlang { k, mean } => Transform::Gamma {
            mean,
            shape: f64::from(k),
        },
        Law::Gamma { mean, shape } => Transform::Gamma { mean, shape },
        Law::Hyperexp2 { p, rate1, rate2 } => Transform::Hyperexponential {
            weight: p,
            rates: [rate1, rate2],
        },
        Law::Lognormal { mean, scv } => Transform::Lognormal { mean, scv },
        Law::Uniform { low, high } => Transform::Uniform { low, high },
        Law::Pareto { .. } | Law::BoundedPareto { .. } => return None,
    })
}

/// M/G/1.
fn one_server(params: &Params) -> Result<Solved, FormulaError> {
    let arrival_rate = params.number("lambda")?;
    let law = params.law("service")?;
    let means = Means {
        arrival_rate,
        service: law.mean(),
        servers: 1,
    };
    let moments = [law.moment(1), law.moment(2), law.moment(3)];
    let exact = Mg1::new(arrival_rate, moments)?;
    let wait = transform(law).and_then(|law| Mg1Wait::new(arrival_rate, &law).ok());
    let names = [
        "rho", "Wq", "W", "Lq", "L", "p_wait", "var_Wq", "scv", "P(Wq=0)", "Wq_p50", "Wq_p90",
        "Wq_p99", "Wq_p999",
    ];
    Ok(Solved::new(&names, move |name| {
        let value = match name {
            "p_wait" => exact.rho(),
            "P(Wq=0)" => 1.0 - exact.rho(),
            "var_Wq" => exact.var_wait(),
            "scv" => law.scv(),
            _ => means.named(name, exact.mean_wait()).or_else(|| {
                let wait = wait.as_ref()?;
                waits(
                    name,
                    |above| wait.wait_exceeded_with(above),
                    |t| wait.p_wait_exceeds(t),
                )
            })?,
        };
        Some(value.into())
    }))
}

/// `Wq_p99` and `P(Wq>0.1)`.
pub(super) fn waits(
    name: &str,
    exceeded_by: impl Fn(f64) -> f64,
    tail: impl Fn(f64) -> f64,
) -> Option<f64> {
    let percentile = || percentile_tail(name, "Wq_p").map(exceeded_by);
    number_in(name, "P(Wq>", ")").map(tail).or_else(percentile)
}

/// GI/M/c.
fn exponential_servers(params: &Params, servers: u32) -> Result<Solved, FormulaError> {
    let (law, mu) = (arrivals(params)?, params.number("mu")?);
    let means = Means {
        arrival_rate: 1.0 / law.mean(),
        service: 1.0 / mu,
        servers,
    };
    let exact = GiMc::new(&law, mu, servers)?;
    let ratio = if servers == 1 { "sigma" } else { "omega" };
    let names = [
        "rho", ratio, "p_wait", "Wq", "W", "Lq", "L", "var_Wq", "Wq_p50", "Wq_p90", "Wq_p99",
        "Wq_p999", "W_p50", "W_p90", "W_p99", "W_p999",
    ];
    Ok(Solved::new(&names, move |name| {
        exponential_quantity(&exact, means, name).map(Into::into)
    }))
}

/// One quantity of GI/M/c.
pub(super) fn exponential_quantity(exact: &GiMc, means: Means, name: &str) -> Option<f64> {
    Some(match name {
        "sigma" | "omega" => exact.omega(),
        "p_wait" => exact.p_wait(),
        "P(Wq=0)" => 1.0 - exact.p_wait(),
        "var_Wq" => exact.var_wait(),
        _ => means
            .named(name, exact.mean_wait())
            .or_else(|| {
                waits(
                    name,
                    |p| exact.wait_exceeded_with(p),
                    |t| exact.p_wait_exceeds(t),
                )
            })
            .or_else(|| percentile_tail(name, "W_p").map(|p| exact.sojourn_exceeded_with(p)))
            .or_else(|| number_in(name, "P(W>", ")").map(|t| exact.p_sojourn_exceeds(t)))?,
    })
}
