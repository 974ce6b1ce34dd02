//! The form that fits one station: arrivals, service and a number of servers in, the wait out, or
//! the reason why there is none. Chooses; computes nothing itself.

use super::domain::stable;
use super::ggc_approx::{cosmetatos, whitt};
use super::gim::GiMc;
use super::mdc::MDc;
use super::mg1::{Mg1, Mg1Wait};
use super::mmc::Mmc;
use super::mmck::Mmck;
use super::mphc::{MPhC, TwoPhases};
use super::transform::Transform;

/// What is known of the times between arrivals, or of the service times.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Law {
    /// The law itself. Poisson arrivals are [`Transform::exponential`].
    Known(Transform),
    /// Only moments: the mean, the squared coefficient of variation (which may be infinite) and
    /// E T^3 where it is known.
    Moments {
        /// Mean.
        mean: f64,
        /// Squared coefficient of variation.
        scv: f64,
        /// Third moment about zero.
        third: Option<f64>,
    },
}

/// The shapes on which the choice of a form depends.
enum Shape {
    Constant,
    Exponential,
    TwoPhases(TwoPhases),
    Other,
}

impl Law {
    /// The mean.
    pub fn mean(&self) -> f64 {
        match self {
            Self::Known(law) => law.mean(),
            Self::Moments { mean, .. } => *mean,
        }
    }

    /// The squared coefficient of variation.
    pub fn scv(&self) -> f64 {
        match self {
            Self::Known(law) => law.scv(),
            Self::Moments { scv, .. } => *scv,
        }
    }

    fn third(&self) -> Option<f64> {
        match self {
            Self::Known(law) => Some(law.third_moment()),
            Self::Moments { third, .. } => *third,
        }
    }

    fn shape(&self) -> Shape {
        match *self {
            Self::Known(Transform::Deterministic { .. }) => Shape::Constant,
            Self::Known(Transform::Gamma { mean, shape }) => {
                if shape.to_bits() == 1.0_f64.to_bits() {
                    Shape::Exponential
                } else if shape.to_bits() == 2.0_f64.to_bits() {
                    Shape::TwoPhases(TwoPhases::erlang(mean))
                } else {
                    Shape::Other
                }
            }
            Self::Known(Transform::Hyperexponential { weight, rates }) => {
                Shape::TwoPhases(TwoPhases::hyperexponential(weight, rates))
            }
            Self::Known(Transform::Uniform { .. } | Transform::Lognormal { .. })
            | Self::Moments { .. } => Shape::Other,
        }
    }
}

/// Places for waiting messages; those in service are not counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Places {
    /// Nobody is refused.
    Unlimited,
    /// An arrival that finds all servers busy and this many waiting is lost.
    Bounded(u64),
}

/// One station: renewal arrivals, `servers` equal servers, first come first served. Times in any
/// one unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Station {
    /// Times between arrivals.
    pub arrivals: Law,
    /// Service times.
    pub service: Law,
    /// Number of servers.
    pub servers: u32,
    /// Places to wait.
    pub places: Places,
}

/// How well a wait is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// A closed form of the model as given.
    Exact,
    /// A formula from two moments; its known errors are in [`super::ggc_approx`].
    Approximate,
}

/// The wait in the queue, before service starts, in steady state, of the messages that are not
/// refused. `None` where the form says nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Waits {
    /// Share of the arrivals that finds no place; zero without a bound.
    pub refused: f64,
    /// Probability of waiting at all.
    pub p_wait: Option<f64>,
    /// Mean over all messages; infinite where it diverges.
    pub mean: f64,
    /// Variance.
    pub variance: Option<f64>,
    /// Median.
    pub p50: Option<f64>,
    /// 90th percentile.
    pub p90: Option<f64>,
    /// 95th percentile.
    pub p95: Option<f64>,
    /// 99th percentile.
    pub p99: Option<f64>,
    /// 99.9th percentile.
    pub p999: Option<f64>,
    /// The name of the form.
    pub source: &'static str,
    /// Exact or approximate.
    pub how: How,
}

/// Why there is no wait to state.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum Refusal {
    /// No steady state.
    #[error("unstable: offered load {load} on {servers} servers")]
    Unstable {
        /// Arrival rate times mean service.
        load: f64,
        /// Number of servers.
        servers: u32,
    },
    /// A number that makes no sense: a mean or a variation not above zero, no servers.
    #[error("no station: means must be above zero and finite, and there must be a server")]
    NoStation,
    /// Two-moment formulas err by whole factors here.
    #[error("no form: approximations are not trusted below 80 % load, and this is {:.0} %",
        .rho * 100.0)]
    TooLight {
        /// Utilization.
        rho: f64,
    },
    /// A bound on the queue, and a law that is not exponential.
    #[error("no form: with bounded places both laws must be exponential")]
    BoundedPlaces,
    /// A law without a variance, and more than one server.
    #[error("no form: the variance is infinite")]
    InfiniteVariance,
}

/// The wait at a station, by the best form there is.
///
/// # Errors
/// There is no steady state, or no form that can be trusted.
pub fn waits(station: &Station) -> Result<Waits, Refusal> {
    let Station {
        arrivals,
        service,
        servers,
        places,
    } = *station;
    let (interval, work) = (arrivals.mean(), service.mean());
    let positive = |time: f64| time > 0.0 && time.is_finite();
    if !(positive(interval) && positive(work) && servers > 0) {
        return Err(Refusal::NoStation);
    }
    if arrivals.scv().is_nan() || service.scv().is_nan() {
        return Err(Refusal::NoStation);
    }
    if let Places::Bounded(room) = places {
        return match (arrivals.shape(), service.shape()) {
            (Shape::Exponential, Shape::Exponential) => bounded(interval, work, servers, room),
            _ => Err(Refusal::BoundedPlaces),
        };
    }
    let load = work / interval;
    if stable(load / f64::from(servers)).is_err() {
        return Err(Refusal::Unstable { load, servers });
    }
    exact(station).map_or_else(|| approximate(station, load / f64::from(servers)), Ok)
}

/// The exact form, if there is one.
fn exact(station: &Station) -> Option<Waits> {
    let Station {
        arrivals,
        service,
        servers,
        ..
    } = *station;
    let (rate, work) = (1.0 / arrivals.mean(), service.mean());
    match (arrivals.shape(), service.shape()) {
        (Shape::Exponential, Shape::Exponential) => {
            let form = Mmc::new(rate, 1.0 / work, servers.into()).ok()?;
            let waits = Waits::exact("M/M/c", form.mean_wait(), form.p_wait(), form.var_wait());
            Some(waits.with_percentiles(|above| form.wait_exceeded_with(above)))
        }
        (Shape::Exponential, Shape::Constant) => {
            let form = MDc::new(rate, work, servers).ok()?;
            let waits = Waits::exact("M/D/c", form.mean_wait(), form.p_wait(), form.var_wait());
            Some(waits.with_percentiles(|above| form.wait_exceeded_with(above)))
        }
        (Shape::Exponential, Shape::TwoPhases(_) | Shape::Other) if servers == 1 => {
            one_server(rate, &service)
        }
        (Shape::Exponential, Shape::TwoPhases(law)) => {
            let form = MPhC::new(rate, law, servers).ok()?;
            Some(Waits {
                p_wait: Some(form.p_wait()),
                ..Waits::only_mean(form.mean_wait(), "M/PH/c", How::Exact)
            })
        }
        (Shape::Constant | Shape::TwoPhases(_) | Shape::Other, Shape::Exponential) => {
            let Law::Known(law) = arrivals else {
                return None;
            };
            let form = GiMc::new(&law, 1.0 / work, servers).ok()?;
            let waits = Waits::exact("GI/M/c", form.mean_wait(), form.p_wait(), form.var_wait());
            Some(waits.with_percentiles(|above| form.wait_exceeded_with(above)))
        }
        // Evenly spaced arrivals below capacity: in steady state nobody waits.
        (Shape::Constant, Shape::Constant) => {
            Some(Waits::exact("D/D/c", 0.0, 0.0, 0.0).with_percentiles(|_| 0.0))
        }
        (
            Shape::Constant | Shape::Exponential | Shape::TwoPhases(_) | Shape::Other,
            Shape::Constant | Shape::TwoPhases(_) | Shape::Other,
        ) => None,
    }
}

impl Waits {
    fn only_mean(mean: f64, source: &'static str, how: How) -> Self {
        Self {
            refused: 0.0,
            p_wait: None,
            mean,
            variance: None,
            p50: None,
            p90: None,
            p95: None,
            p99: None,
            p999: None,
            source,
            how,
        }
    }

    fn exact(source: &'static str, mean: f64, p_wait: f64, variance: f64) -> Self {
        Self {
            p_wait: Some(p_wait),
            variance: Some(variance),
            ..Self::only_mean(mean, source, How::Exact)
        }
    }

    fn with_percentiles(self, exceeded_by: impl Fn(f64) -> f64) -> Self {
        Self {
            p50: Some(exceeded_by(0.5)),
            p90: Some(exceeded_by(0.1)),
            p95: Some(exceeded_by(0.05)),
            p99: Some(exceeded_by(0.01)),
            p999: Some(exceeded_by(0.001)),
            ..self
        }
    }
}

/// M/M/c/K, at any load.
fn bounded(interval: f64, work: f64, servers: u32, room: u64) -> Result<Waits, Refusal> {
    let places = room.saturating_add(servers.into());
    let form = Mmck::new(1.0 / interval, 1.0 / work, servers.into(), places)
        .map_err(|_| Refusal::NoStation)?;
    Ok(Waits {
        refused: form.p_block(),
        p_wait: Some(form.p_wait()),
        ..Waits::only_mean(form.mean_wait(), "M/M/c/K", How::Exact)
    }
    .with_percentiles(|above| form.wait_exceeded_with(above)))
}

fn one_server(arrival_rate: f64, service: &Law) -> Option<Waits> {
    let mean = service.mean();
    let second = mean * mean * (1.0 + service.scv());
    let third = service.third();
    let form = Mg1::new(arrival_rate, [mean, second, third.unwrap_or(f64::NAN)]).ok()?;
    let variance = form.var_wait();
    let waits = Waits {
        p_wait: Some(form.rho()),
        variance: (!variance.is_nan()).then_some(variance),
        ..Waits::only_mean(form.mean_wait(), "M/G/1", How::Exact)
    };
    let law = match service {
        Law::Known(law) => Mg1Wait::new(arrival_rate, law).ok(),
        Law::Moments { .. } => None,
    };
    Some(match law {
        Some(law) => waits.with_percentiles(|above| law.wait_exceeded_with(above)),
        None => waits,
    })
}

/// Cosmetatos for Poisson arrivals and a service no more variable than exponential, else Whitt,
/// and the latter only under heavy load.
fn approximate(station: &Station, rho: f64) -> Result<Waits, Refusal> {
    let Station {
        arrivals,
        service,
        servers,
        ..
    } = *station;
    let (ca2, cs2) = (arrivals.scv(), service.scv());
    if ca2.is_infinite() || cs2.is_infinite() {
        return Err(Refusal::InfiniteVariance);
    }
    let mmc = Mmc::new(1.0 / arrivals.mean(), 1.0 / service.mean(), servers.into())
        .map_err(|_| Refusal::NoStation)?
        .mean_wait();
    if matches!(arrivals.shape(), Shape::Exponential) && cs2 <= 1.0 {
        let mean = cosmetatos(mmc, rho, servers, cs2);
        return Ok(Waits::only_mean(mean, "Cosmetatos 1976", How::Approximate));
    }
    if rho < 0.8 {
        return Err(Refusal::TooLight { rho });
    }
    let mean = whitt(mmc, rho, servers, ca2, cs2);
    Ok(Waits::only_mean(mean, "Whitt 1993", How::Approximate))
}

#[cfg(test)]
mod tests {
    use super::*;

    const POISSON: Law = Law::Known(Transform::Gamma {
        mean: 1.0,
        shape: 1.0,
    });

    fn station(arrivals: Law, service: Transform, servers: u32) -> Result<Waits, Refusal> {
        waits(&Station {
            arrivals,
            service: Law::Known(service),
            servers,
            places: Places::Unlimited,
        })
    }

    #[test]
    fn each_form_is_found() {
        let constant = Transform::Deterministic { mean: 1.8 };
        let exponential = Transform::exponential(1.8);
        let erlang = Transform::Gamma {
            mean: 1.8,
            shape: 2.0,
        };
        let erlang_3 = Transform::Gamma {
            mean: 1.8,
            shape: 3.0,
        };
        let lognormal = Transform::Lognormal {
            mean: 1.8,
            scv: 4.0,
        };
        let even = Law::Known(Transform::Deterministic { mean: 1.0 });
        let vague = Law::Moments {
            mean: 1.0,
            scv: 2.0,
            third: None,
        };
        for (arrivals, service, servers, source, how) in [
            (POISSON, constant, 2, "M/D/c", How::Exact),
            (POISSON, exponential, 2, "M/M/c", How::Exact),
            (POISSON, erlang, 2, "M/PH/c", How::Exact),
            (
                POISSON,
                Transform::balanced(1.8, 4.0),
                2,
                "M/PH/c",
                How::Exact,
            ),
            (POISSON, erlang_3, 2, "Cosmetatos 1976", How::Approximate),
            (POISSON, lognormal, 2, "Whitt 1993", How::Approximate),
            (even, exponential, 2, "GI/M/c", How::Exact),
            (even, constant, 2, "D/D/c", How::Exact),
            (even, erlang, 2, "Whitt 1993", How::Approximate),
            (vague, exponential, 2, "Whitt 1993", How::Approximate),
        ] {
            let waits = station(arrivals, service, servers).unwrap();
            assert_eq!((waits.source, waits.how), (source, how));
        }
    }

    #[test]
    fn one_server_has_percentiles_and_infinite_means() {
        let waits = station(
            POISSON,
            Transform::Lognormal {
                mean: 0.9,
                scv: 4.0,
            },
            1,
        )
        .unwrap();
        assert_eq!((waits.source, waits.how), ("M/G/1", How::Exact));
        // E Wq = lambda E S^2/(2(1 - rho)), and three orders of percentiles.
        assert!((waits.mean / (0.81 * 5.0 / 0.2) - 1.0).abs() < 1e-12);
        assert!(waits.p50 < waits.p90 && waits.p90 < waits.p99 && waits.p99 < waits.p999);
        let heavy = Law::Moments {
            mean: 0.5,
            scv: f64::INFINITY,
            third: None,
        };
        let waits = super::waits(&Station {
            arrivals: POISSON,
            service: heavy,
            servers: 1,
            places: Places::Unlimited,
        });
        assert!(waits.unwrap().mean.is_infinite());
        let waits = super::waits(&Station {
            arrivals: POISSON,
            service: heavy,
            servers: 2,
            places: Places::Unlimited,
        });
        assert_eq!(waits, Err(Refusal::InfiniteVariance));
    }

    #[test]
    fn bounded_places_lose_arrivals_at_any_load() {
        // M/M/1/2 at load 2: p_n doubles, so 4/7 of the arrivals find no place, and of those let
        // in 2/3 find the server busy and wait one service.
        let full = Station {
            arrivals: POISSON,
            service: Law::Known(Transform::exponential(2.0)),
            servers: 1,
            places: Places::Bounded(1),
        };
        let waits = super::waits(&full).unwrap();
        assert!((waits.refused - 4.0 / 7.0).abs() < 1e-14);
        assert!((waits.mean - 4.0 / 3.0).abs() < 1e-14);
        let constant = Law::Known(Transform::Deterministic { mean: 0.5 });
        let refused = super::waits(&Station {
            service: constant,
            ..full
        });
        assert_eq!(refused, Err(Refusal::BoundedPlaces));
    }

    #[test]
    fn refusals_say_why() {
        let refused =
            |service, servers| station(POISSON, service, servers).unwrap_err().to_string();
        assert_eq!(
            refused(Transform::exponential(48.0), 48),
            "unstable: offered load 48 on 48 servers"
        );
        assert_eq!(
            refused(
                Transform::Lognormal {
                    mean: 24.0,
                    scv: 4.0
                },
                48
            ),
            "no form: approximations are not trusted below 80 % load, and this is 50 %"
        );
        assert!(refused(Transform::exponential(0.0), 48).starts_with("no station"));
        assert!(refused(Transform::exponential(1.0), 0).starts_with("no station"));
    }
}
