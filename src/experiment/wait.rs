//! How long a message waits in a fleet that is never interrupted, and goals for it, for
//! [`super::size`].
//!
//! Poisson arrivals: M/M/c when the service time is exponential, M/D/c when it is constant; else an
//! approximation, which says so. Transient waits, after an outage, are not here: they are drains.

use serde::Serialize;

use crate::theory::ggc_approx::{cosmetatos, whitt};
use crate::theory::mdc::MDc;
use crate::theory::mmc::Mmc;

/// Up to this fleet M/D/c is solved; it takes milliseconds there, and grows as c sqrt c.
const MOST_SOLVED: u32 = 10_000;

/// A wait that must not be longer than so much.
#[derive(Clone, Debug, PartialEq)]
pub struct WaitGoal {
    /// As the user wrote it, for the answer.
    pub text: String,
    /// Which wait.
    pub measure: WaitMeasure,
    /// The longest it may be.
    pub at_most_s: f64,
    /// Whether it may be just that long.
    pub limit: Limit,
}

/// Whether a limit itself is still allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// `<=`.
    AtMost,
    /// `<`.
    Below,
}

/// One number for how long messages wait.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum WaitMeasure {
    /// The mean over all messages, those that do not wait included.
    Mean,
    /// The wait that a share of the messages exceeds: 0.01 for the 99th percentile.
    ExceededBy(f64),
}

impl WaitGoal {
    /// Whether this wait meets the goal.
    pub(super) fn allows(&self, wait: f64) -> bool {
        match self.limit {
            Limit::AtMost => wait <= self.at_most_s,
            Limit::Below => wait < self.at_most_s,
        }
    }
}

impl WaitMeasure {
    /// What it is of `wait`, in seconds.
    pub(super) fn of(self, wait: &Wait) -> f64 {
        match self {
            Self::Mean => wait.mean(),
            Self::ExceededBy(tail) => wait.exceeded_by(tail),
        }
    }
}

/// How a wait is known.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Known {
    /// Within the assumptions of the model.
    Exact,
    /// By a formula that is not exact under any assumptions.
    Approximate,
}

/// The model of the wait: its name, how it knows, and what it takes for granted.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WaitModel {
    /// As the literature writes it.
    pub model: &'static str,
    /// Exact or not.
    pub known: Known,
    /// The assumptions, in a sentence.
    pub note: &'static str,
}

impl WaitModel {
    /// The model for a service time of this coefficient of variation.
    pub(super) fn of(service_cv: f64) -> Self {
        if is_exponential(service_cv) {
            Self {
                model: "M/M/c",
                known: Known::Exact,
                note: "Poisson arrivals, exponential service, first come first served (Erlang C)",
            }
        } else if is_constant(service_cv) {
            Self {
                model: "M/D/c",
                known: Known::Exact,
                note: "Poisson arrivals, constant service, first come first served (beyond 10,000 \
                       consumers by Cosmetatos, approximate)",
            }
        } else if service_cv < 1.0 {
            Self {
                model: "M/G/c (Cosmetatos)",
                known: Known::Approximate,
                note: "Poisson arrivals; means were within 1.4 % of exact ones above 80 % \
                       utilization and 5.8 % below (constant and Erlang service, up to 48 \
                       consumers); percentiles are those of M/M/c made shorter alike, and rougher",
            }
        } else {
            Self {
                model: "M/G/c (Whitt)",
                known: Known::Approximate,
                note: "Poisson arrivals; means were off by up to 15 % above 80 % utilization and \
                       83 % below (hyperexponential service, up to 48 consumers); percentiles are \
                       those of M/M/c made longer alike, and rougher",
            }
        }
    }
}

/// The steady wait from acceptance to delivery. Cannot be made for a fleet without headroom.
#[derive(Clone, Debug)]
pub(super) enum Wait {
    /// Constant service, solved.
    Constant(MDc),
    /// Any other.
    Stretched {
        exponential: Mmc,
        /// How many times longer than with exponential service; 1 for that.
        stretch: f64,
    },
}

impl Wait {
    /// `None` when the arrivals are not less than what the fleet can do.
    pub(super) fn new(arrivals: f64, service_s: f64, cv: f64, consumers: u64) -> Option<Self> {
        let exponential = Mmc::new(arrivals, 1.0 / service_s, consumers).ok()?;
        if !exponential.is_stable() {
            return None;
        }
        let servers = u32::try_from(consumers).unwrap_or(u32::MAX);
        if is_constant(cv) && servers <= MOST_SOLVED {
            let solved = MDc::new(arrivals, service_s, servers).ok()?;
            return Some(Self::Constant(solved));
        }
        let rho = arrivals * service_s / consumers as f64;
        // Both are proportional to the wait of M/M/c.
        let stretch = if is_exponential(cv) {
            1.0
        } else if servers == 1 {
            // Pollaczek and Khinchine: exact.
            f64::midpoint(1.0, cv * cv)
        } else if cv < 1.0 {
            cosmetatos(1.0, rho, servers, cv * cv)
        } else {
            whitt(1.0, rho, servers, 1.0, cv * cv)
        };
        Some(Self::Stretched {
            exponential,
            stretch,
        })
    }

    /// The mean over all messages, in seconds.
    pub(super) fn mean(&self) -> f64 {
        match self {
            Self::Constant(solved) => solved.mean_wait(),
            Self::Stretched {
                exponential,
                stretch,
            } => exponential.mean_wait() * stretch,
        }
    }

    /// The wait that a share `tail` of the messages exceeds, in seconds; 0 when fewer wait at all.
    pub(super) fn exceeded_by(&self, tail: f64) -> f64 {
        match self {
            Self::Constant(solved) => solved.wait_exceeded_with(tail),
            Self::Stretched {
                exponential,
                stretch,
            } => exponential.wait_exceeded_with(tail) * stretch,
        }
    }
}

fn is_exponential(cv: f64) -> bool {
    (cv - 1.0).abs() < 1e-9
}

fn is_constant(cv: f64) -> bool {
    cv < 1e-9
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_server_waits_as_textbooks_say() {
        // M/M/1: mean rho/(mu - lambda), and P(W > t) = rho e^-(mu - lambda)t.
        let wait = Wait::new(0.5, 1.0, 1.0, 1).unwrap();
        assert!((wait.mean() - 1.0).abs() < 1e-15);
        assert!((wait.exceeded_by(0.01) - 2.0 * 50_f64.ln()).abs() < 1e-13);
        assert!(wait.exceeded_by(0.5).abs() < 1e-15);
        // M/D/1 waits half as long, and M/G/1 (1 + cv^2)/2 times.
        for (cv, mean) in [(0.0, 0.5), (0.5, 0.625), (2.0, 2.5)] {
            let wait = Wait::new(0.5, 1.0, cv, 1).unwrap();
            assert!((wait.mean() - mean).abs() < 1e-13, "{cv}");
        }
    }

    #[test]
    fn without_headroom_there_is_no_steady_wait() {
        assert!(Wait::new(1.0, 1.0, 1.0, 1).is_none());
        assert!(Wait::new(2.0, 1.0, 1.0, 1).is_none());
    }
}
