//! Several servers with one law that is not exponential: M/D/c, M/E2/c, M/H2/c, D/M/c, E2/M/c and
//! H2/M/c by name, exactly, with every approximation and its error. The mathematics is in
//! `theory`.

use super::general::{Means, arrivals, exponential_quantity, servers, waits};
use super::law::Law;
use super::{Family, FormulaError, Params, Solved};
use crate::theory::ggc_approx as approx;
use crate::theory::gim::GiMc;
use crate::theory::mdc::MDc;
use crate::theory::mmc::Mmc;
use crate::theory::mphc::{MPhC, TwoPhases};

pub(super) const FAMILY: Family = Family {
    models: &["M/D/c", "M/E2/c", "M/H2/c", "D/M/c", "E2/M/c", "H2/M/c"],
    open,
};

const WAITS: [&str; 10] = [
    "rho", "p_wait", "Wq", "W", "Lq", "L", "var_Wq", "Wq_p50", "Wq_p90", "Wq_p99",
];
const ANY_ARRIVALS: [&str; 6] = [
    "ca2",
    "cs2",
    "approx_allen_cunneen",
    "relerr_allen_cunneen",
    "approx_whitt93",
    "relerr_whitt93",
];
const POISSON_ONLY: [&str; 8] = [
    "approx_lee_longton",
    "relerr_lee_longton",
    "approx_cosmetatos",
    "relerr_cosmetatos",
    "approx_kimura",
    "relerr_kimura",
    "approx_kimura_exactD",
    "relerr_kimura_exactD",
];

fn open(model: &str, params: &Params) -> Result<Solved, FormulaError> {
    match model {
        "M/D/c" | "M/E2/c" | "M/H2/c" => poisson_arrivals(params),
        _ => exponential_service(params),
    }
}

/// The exact part of a model with Poisson arrivals.
enum Exact {
    Constant(Box<MDc>),
    TwoPhases(MPhC),
}

impl Exact {
    fn mean_wait(&self) -> f64 {
        match self {
            Self::Constant(exact) => exact.mean_wait(),
            Self::TwoPhases(exact) => exact.mean_wait(),
        }
    }

    fn p_wait(&self) -> f64 {
        match self {
            Self::Constant(exact) => exact.p_wait(),
            Self::TwoPhases(exact) => exact.p_wait(),
        }
    }

    /// Variance, percentiles and tails, which only constant service has here.
    fn distribution(&self, name: &str) -> Option<f64> {
        match (self, name) {
            (Self::Constant(exact), "var_Wq") => Some(exact.var_wait()),
            (Self::Constant(exact), _) => waits(
                name,
                |p| exact.wait_exceeded_with(p),
                |t| exact.p_wait_exceeds(t),
            ),
            (Self::TwoPhases(_), _) => None,
        }
    }
}

fn poisson_arrivals(params: &Params) -> Result<Solved, FormulaError> {
    let (arrival_rate, law) = (params.number("lambda")?, params.law("service")?);
    let servers = servers(params)?;
    let means = Means {
        arrival_rate,
        service: law.mean(),
        servers,
    };
    let two_phases = |law| MPhC::new(arrival_rate, law, servers).map(Exact::TwoPhases);
    let exact = match law {
        Law::Deterministic { mean } => {
            Exact::Constant(Box::new(MDc::new(arrival_rate, mean, servers)?))
        }
        Law::Erlang { k: 2, mean } => two_phases(TwoPhases::erlang(mean))?,
        Law::Exponential { mean } => two_phases(TwoPhases::hyperexponential(1.0, [1.0 / mean; 2]))?,
        Law::Hyperexp2 { p, rate1, rate2 } => {
            two_phases(TwoPhases::hyperexponential(p, [rate1, rate2]))?
        }
        Law::Erlang { .. }
        | Law::Gamma { .. }
        | Law::Lognormal { .. }
        | Law::Uniform { .. }
        | Law::Pareto { .. }
        | Law::BoundedPareto { .. } => {
            return Err(FormulaError::OutOfDomain(
                "exact only for constant, Erlang-2 and hyperexponential service".to_owned(),
            ));
        }
    };
    let approximations = Approximations::new(means, 1.0, law.scv(), exact.mean_wait())?;
    let names: Vec<&str> = [&WAITS[..], &ANY_ARRIVALS, &POISSON_ONLY].concat();
    Ok(Solved::new(&names, move |name| {
        let value = match name {
            "p_wait" => Some(exact.p_wait()),
            "P(Wq=0)" => Some(1.0 - exact.p_wait()),
            _ => means.named(name, exact.mean_wait()),
        };
        let value = value.or_else(|| exact.distribution(name));
        let value = value.or_else(|| approximations.any_arrivals(name));
        let value = value.or_else(|| approximations.poisson_only(name));
        value.map(Into::into)
    }))
}

fn exponential_service(params: &Params) -> Result<Solved, FormulaError> {
    let (law, mu, servers) = (arrivals(params)?, params.number("mu")?, servers(params)?);
    let means = Means {
        arrival_rate: 1.0 / law.mean(),
        service: 1.0 / mu,
        servers,
    };
    let exact = GiMc::new(&law, mu, servers)?;
    let approximations = Approximations::new(means, law.scv(), 1.0, exact.mean_wait())?;
    let names: Vec<&str> = [&WAITS[..], &ANY_ARRIVALS].concat();
    Ok(Solved::new(&names, move |name| {
        exponential_quantity(&exact, means, name)
            .or_else(|| approximations.any_arrivals(name))
            .map(Into::into)
    }))
}

/// The approximations of the mean wait, and what they are measured against.
struct Approximations {
    ca2: f64,
    cs2: f64,
    rho: f64,
    servers: u32,
    exact: f64,
    mmc: f64,
    mdc: f64,
}

impl Approximations {
    fn new(means: Means, ca2: f64, cs2: f64, exact: f64) -> Result<Self, FormulaError> {
        let Means {
            arrival_rate,
            service,
            servers,
        } = means;
        let mmc = Mmc::new(arrival_rate, 1.0 / service, servers.into())?;
        let mdc = MDc::new(arrival_rate, service, servers)?;
        Ok(Self {
            ca2,
            cs2,
            rho: arrival_rate * service / f64::from(servers),
            servers,
            exact,
            mmc: mmc.mean_wait(),
            mdc: mdc.mean_wait(),
        })
    }

    fn any_arrivals(&self, name: &str) -> Option<f64> {
        Some(match name {
            "ca2" => self.ca2,
            "cs2" => self.cs2,
            "approx_allen_cunneen" => approx::allen_cunneen(self.mmc, self.ca2, self.cs2),
            "approx_whitt93" => approx::whitt(self.mmc, self.rho, self.servers, self.ca2, self.cs2),
            _ => {
                let name = format!("approx_{}", name.strip_prefix("relerr_")?);
                self.any_arrivals(&name)? / self.exact - 1.0
            }
        })
    }

    fn poisson_only(&self, name: &str) -> Option<f64> {
        let (mmc, cs2) = (self.mmc, self.cs2);
        let constant = || approx::cosmetatos_constant(mmc, self.rho, self.servers);
        Some(match name {
            "approx_lee_longton" => approx::lee_longton(mmc, cs2),
            "approx_cosmetatos" => approx::cosmetatos(mmc, self.rho, self.servers, cs2),
            "approx_kimura" => approx::kimura(mmc, constant(), cs2),
            "approx_kimura_exactD" => approx::kimura(mmc, self.mdc, cs2),
            _ => {
                let name = format!("approx_{}", name.strip_prefix("relerr_")?);
                self.poisson_only(&name)? / self.exact - 1.0
            }
        })
    }
}
