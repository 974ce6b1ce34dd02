//! How long a message waits in a fleet that is never interrupted, for [`super::size`].
//!
//! Poisson arrivals and M/M/c when the service time is exponential; else an approximation, which
//! says so. Transient waits, after an outage, are not here: they are drains.

use serde::Serialize;

use crate::theory::mmc::Mmc;

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
        } else {
            Self {
                model: "M/G/c (Allen-Cunneen)",
                known: Known::Approximate,
                note: "Poisson arrivals; the waits of M/M/c times (1 + cv^2)/2, percentiles too; \
                       rough with many consumers below 80 % utilization",
            }
        }
    }
}

/// The steady wait from acceptance to delivery. Cannot be made for a fleet without headroom.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wait {
    exponential: Mmc,
    /// How many times longer than with exponential service.
    stretch: f64,
}

impl Wait {
    /// `None` when the arrivals are not less than what the fleet can do.
    pub(super) fn new(arrivals: f64, service_s: f64, cv: f64, consumers: u64) -> Option<Self> {
        let exponential = Mmc::new(arrivals, 1.0 / service_s, consumers).ok()?;
        // Allen and Cunneen, cited from memory.
        let stretch = if is_exponential(cv) {
            1.0
        } else {
            f64::midpoint(1.0, cv * cv)
        };
        exponential.is_stable().then_some(Self {
            exponential,
            stretch,
        })
    }

    /// The mean over all messages, in seconds.
    pub(super) fn mean(self) -> f64 {
        self.exponential.mean_wait() * self.stretch
    }

    /// The wait that a share `tail` of the messages exceeds, in seconds; 0 when fewer wait at all.
    pub(super) fn exceeded_by(self, tail: f64) -> f64 {
        self.exponential.wait_exceeded_with(tail) * self.stretch
    }
}

fn is_exponential(cv: f64) -> bool {
    (cv - 1.0).abs() < 1e-9
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
        // M/D/1 waits half as long, and Allen-Cunneen is exact there.
        let steady = Wait::new(0.5, 1.0, 0.0, 1).unwrap();
        assert!((steady.mean() - 0.5).abs() < 1e-15);
    }

    #[test]
    fn without_headroom_there_is_no_steady_wait() {
        assert!(Wait::new(1.0, 1.0, 1.0, 1).is_none());
        assert!(Wait::new(2.0, 1.0, 1.0, 1).is_none());
    }
}
