//! The laws of service and of the time between arrivals, as the reference tables write them:
//! parsing, moments and tails. Nothing is drawn here, and nothing is known of queues.

use statrs::function::gamma;

use super::params::{number, split_outside};
use crate::theory::normal;

/// A law of a non-negative random time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Law {
    /// Always the mean.
    Deterministic {
        /// Mean.
        mean: f64,
    },
    /// Exponential.
    Exponential {
        /// Mean.
        mean: f64,
    },
    /// A sum of `k` equal exponential phases.
    Erlang {
        /// Number of phases.
        k: u32,
        /// Mean of the sum.
        mean: f64,
    },
    /// Gamma.
    Gamma {
        /// Mean.
        mean: f64,
        /// Shape; the squared coefficient of variation is its inverse.
        shape: f64,
    },
    /// Exponential with `rate1` with probability `p`, else with `rate2`.
    Hyperexp2 {
        /// Probability of the first branch.
        p: f64,
        /// Rate of the first branch.
        rate1: f64,
        /// Rate of the second branch.
        rate2: f64,
    },
    /// Lognormal.
    Lognormal {
        /// Mean.
        mean: f64,
        /// Squared coefficient of variation.
        scv: f64,
    },
    /// Uniform between two bounds.
    Uniform {
        /// Lower bound.
        low: f64,
        /// Upper bound.
        high: f64,
    },
    /// Pareto: P(S > t) = (xm/t)^alpha from xm on.
    Pareto {
        /// Smallest value.
        xm: f64,
        /// Exponent of the tail.
        alpha: f64,
    },
    /// Pareto cut off above: density proportional to t^(-alpha-1) between the bounds.
    BoundedPareto {
        /// Smallest value.
        low: f64,
        /// Largest value.
        high: f64,
        /// Exponent of the tail.
        alpha: f64,
    },
}

/// The arguments of a law: named (`k=2`) and bare (`balanced means`).
struct Arguments<'a> {
    named: Vec<(&'a str, f64)>,
    bare: Vec<&'a str>,
    mean: Option<f64>,
}

impl<'a> Arguments<'a> {
    fn parse(text: &'a str, mean: Option<f64>) -> Option<Self> {
        let mut arguments = Self {
            named: Vec::new(),
            bare: Vec::new(),
            mean,
        };
        for part in split_outside(text, ',')
            .into_iter()
            .filter(|part| !part.is_empty())
        {
            match part.split_once('=') {
                Some((name, value)) => arguments.named.push((name.trim(), number(value)?)),
                None => arguments.bare.push(part),
            }
        }
        Some(arguments)
    }

    fn get(&self, name: &str) -> Option<f64> {
        self.named
            .iter()
            .find(|(known, _)| *known == name)
            .map(|&(_, value)| value)
    }

    /// A number above zero.
    fn positive(&self, name: &str) -> Option<f64> {
        self.get(name).filter(|&value| value > 0.0)
    }

    /// What the parentheses say of the spread of a lognormal law: its squared coefficient of
    /// variation, the coefficient, or the 99th percentile (the smaller of the two sigmas that have
    /// it; z = 2.326 from tables of the normal law).
    fn lognormal_scv(&self) -> Option<f64> {
        const Z99: f64 = 2.326_347_874_040_841;
        if let Some(scv) = self.positive("scv") {
            return Some(scv);
        }
        if let Some(cv) = self.positive("cv") {
            return Some(cv * cv);
        }
        // ln(p99/mean) = z sigma - sigma^2/2.
        let ratio = (self.positive("p99")? / self.mean()?).ln();
        let root = (Z99 * Z99 - 2.0 * ratio).sqrt();
        let sigma = Z99 - root;
        (sigma > 0.0).then(|| (sigma * sigma).exp_m1())
    }

    /// The mean inside the parentheses, or else the one given apart.
    fn mean(&self) -> Option<f64> {
        self.get("mean").or(self.mean).filter(|&mean| mean > 0.0)
    }
}

impl Law {
    /// Reads a law; `mean` is the mean where the text leaves it out, as in `erlang(k=2)`.
    pub fn parse(text: &str, mean: Option<f64>) -> Option<Self> {
        let (name, inside) = match text.split_once('(') {
            Some((name, rest)) => (name, rest.trim_end().strip_suffix(')')?),
            None => (text, ""),
        };
        let args = Arguments::parse(inside, mean)?;
        Some(match name.trim() {
            "deterministic" | "det" | "fixed" => Self::Deterministic { mean: args.mean()? },
            "exponential" | "exp" => Self::Exponential { mean: args.mean()? },
            "erlang" => {
                let k = args
                    .positive("k")
                    .filter(|k| k.fract() == 0.0 && *k <= 1e6)?;
                Self::Erlang {
                    k: k as u32,
                    mean: args.mean()?,
                }
            }
            "gamma" => Self::Gamma {
                mean: args.mean()?,
                shape: args.positive("shape")?,
            },
            "hyperexp2" => Self::hyperexp2(&args)?,
            "lognormal" => Self::Lognormal {
                mean: args.mean()?,
                scv: args.lognormal_scv()?,
            },
            "uniform" => Self::uniform(&args)?,
            "pareto" => {
                let alpha = args.positive("alpha")?;
                let xm = match args.positive("xm") {
                    Some(xm) => xm,
                    None => args.mean().filter(|_| alpha > 1.0)? * (alpha - 1.0) / alpha,
                };
                Self::Pareto { xm, alpha }
            }
            "bounded_pareto" => {
                let (low, high) = (args.positive("low")?, args.positive("high")?);
                let alpha = args.positive("alpha")?;
                (low < high).then_some(Self::BoundedPareto { low, high, alpha })?
            }
            _ => return None,
        })
    }

    /// `hyperexp2(p=,rate1=,rate2=)`, or by mean and scv with balanced means (p/rate1 = q/rate2),
    /// or one given apart whose own mean is rescaled to the one asked for.
    fn hyperexp2(args: &Arguments<'_>) -> Option<Self> {
        if args.bare.contains(&"balanced means") {
            let scv = args.get("scv").filter(|&scv| scv >= 1.0)?;
            let mean = args.mean()?;
            let p = f64::midpoint(1.0, ((scv - 1.0) / (scv + 1.0)).sqrt());
            return Some(Self::Hyperexp2 {
                p,
                rate1: 2.0 * p / mean,
                rate2: 2.0 * (1.0 - p) / mean,
            });
        }
        let p = args.get("p").filter(|p| (0.0..=1.0).contains(p))?;
        Some(Self::Hyperexp2 {
            p,
            rate1: args.positive("rate1")?,
            rate2: args.positive("rate2")?,
        })
    }

    /// `uniform(low=,high=)`, or `uniform(0,2*mean)` with the mean given apart.
    fn uniform(args: &Arguments<'_>) -> Option<Self> {
        let bound = |name: &str, place: usize| {
            args.get(name).or_else(|| {
                let text = args.bare.get(place)?;
                match text.strip_suffix("*mean") {
                    Some(factor) => Some(number(factor)? * args.mean()?),
                    None => number(text),
                }
            })
        };
        let (low, high) = (bound("low", 0)?, bound("high", 1)?);
        (0.0 <= low && low < high).then_some(Self::Uniform { low, high })
    }

    /// The mean; infinite for a Pareto law with alpha <= 1.
    pub fn mean(self) -> f64 {
        self.moment(1)
    }

    /// Squared coefficient of variation.
    pub fn scv(self) -> f64 {
        match self {
            Self::Deterministic { .. } => 0.0,
            Self::Exponential { .. } => 1.0,
            Self::Erlang { k, .. } => 1.0 / f64::from(k),
            Self::Gamma { shape, .. } => 1.0 / shape,
            Self::Lognormal { scv, .. } => scv,
            Self::Uniform { low, high } => ((high - low) / (high + low)).powi(2) / 3.0,
            Self::Hyperexp2 { .. } | Self::Pareto { .. } | Self::BoundedPareto { .. } => {
                self.moment(2) / self.mean().powi(2) - 1.0
            }
        }
    }

    /// E S^n; infinite where the integral diverges.
    pub fn moment(self, n: u32) -> f64 {
        let power = f64::from(n);
        let factorial = || (1..=n).map(f64::from).product::<f64>();
        let rising = |shape: f64| (0..n).map(|i| 1.0 + f64::from(i) / shape).product::<f64>();
        match self {
            Self::Deterministic { mean } => mean.powf(power),
            Self::Exponential { mean } => factorial() * mean.powf(power),
            Self::Erlang { k, mean } => rising(f64::from(k)) * mean.powf(power),
            Self::Gamma { mean, shape } => rising(shape) * mean.powf(power),
            Self::Hyperexp2 { p, rate1, rate2 } => {
                factorial() * (p / rate1.powf(power) + (1.0 - p) / rate2.powf(power))
            }
            Self::Lognormal { mean, scv } => {
                mean.powf(power) * (1.0 + scv).powf(power * (power - 1.0) / 2.0)
            }
            Self::Uniform { low, high } => {
                // (high^(n+1) - low^(n+1))/((n+1)(high - low)), without the cancellation.
                let terms = (0..=n).map(|i| high.powf(f64::from(i)) * low.powf(f64::from(n - i)));
                terms.sum::<f64>() / (power + 1.0)
            }
            Self::Pareto { xm, alpha } if alpha > power => alpha / (alpha - power) * xm.powf(power),
            Self::Pareto { .. } => f64::INFINITY,
            Self::BoundedPareto { low, high, alpha } => {
                let ratio = low / high;
                let inside = 1.0 - ratio.powf(alpha);
                let gap = alpha - power;
                if gap.abs() < 1e-12 {
                    alpha * low.powf(power) * -ratio.ln() / inside
                } else {
                    alpha * low.powf(power) * -(gap * ratio.ln()).exp_m1() / (gap * inside)
                }
            }
        }
    }

    /// E min(S, v): the mean of what is cut off at `v` >= 0.
    pub fn limited_mean(self, v: f64) -> f64 {
        let gamma_limited = |shape: f64, mean: f64| {
            let x = shape * v / mean;
            let below = if x > 0.0 {
                gamma::gamma_lr(shape + 1.0, x)
            } else {
                0.0
            };
            mean * below + v * self.tail(v)
        };
        // The integral of (xm/t)^alpha from xm to t.
        let pareto = |xm: f64, alpha: f64, t: f64| {
            let (ratio, gap) = ((xm / t).ln(), alpha - 1.0);
            if gap.abs() < 1e-12 {
                -xm * ratio
            } else {
                -xm * (gap * ratio).exp_m1() / gap
            }
        };
        match self {
            Self::Deterministic { mean } => mean.min(v),
            Self::Exponential { mean } => -mean * (-v / mean).exp_m1(),
            Self::Erlang { k, mean } => gamma_limited(f64::from(k), mean),
            Self::Gamma { mean, shape } => gamma_limited(shape, mean),
            Self::Hyperexp2 { p, rate1, rate2 } => {
                let branch = |rate: f64| -(-rate * v).exp_m1() / rate;
                p * branch(rate1) + (1.0 - p) * branch(rate2)
            }
            Self::Lognormal { mean, scv } => {
                let variance = scv.ln_1p();
                let deviation = ((v / mean).ln() - variance / 2.0) / variance.sqrt();
                mean * normal::tail(-deviation) + v * self.tail(v)
            }
            Self::Uniform { low, high } => {
                let inside = v.clamp(low, high);
                v.min(low) + (inside - low) * (1.0 - (inside - low) / (2.0 * (high - low)))
            }
            Self::Pareto { xm, .. } if v <= xm => v,
            Self::Pareto { xm, alpha } => xm + pareto(xm, alpha, v),
            Self::BoundedPareto { low, .. } if v <= low => v,
            Self::BoundedPareto { low, high, alpha } => {
                let (v, last) = (v.min(high), (low / high).powf(alpha));
                low + (pareto(low, alpha, v) - last * (v - low)) / (1.0 - last)
            }
        }
    }

    /// P(S > t), with its relative precision kept far out.
    pub fn tail(self, t: f64) -> f64 {
        if t < 0.0 {
            return 1.0;
        }
        match self {
            Self::Deterministic { mean } => f64::from(u8::from(mean > t)),
            Self::Exponential { mean } => (-t / mean).exp(),
            Self::Erlang { k, mean } => gamma_tail(f64::from(k), t / mean),
            Self::Gamma { mean, shape } => gamma_tail(shape, t / mean),
            Self::Hyperexp2 { p, rate1, rate2 } => {
                p * (-rate1 * t).exp() + (1.0 - p) * (-rate2 * t).exp()
            }
            Self::Lognormal { mean, scv } => {
                let variance = scv.ln_1p();
                let deviation = (t / mean).ln() + variance / 2.0;
                normal::tail(deviation / variance.sqrt())
            }
            Self::Uniform { low, high } => ((high - t) / (high - low)).clamp(0.0, 1.0),
            Self::Pareto { xm, alpha } => (xm / t).min(1.0).powf(alpha),
            Self::BoundedPareto { low, high, alpha } => {
                let t = t.clamp(low, high);
                let above = -(alpha * (t / high).ln()).exp_m1();
                (low / t).powf(alpha) * above / (1.0 - (low / high).powf(alpha))
            }
        }
    }
}

/// P(S > t) of a gamma law, t in units of its mean.
fn gamma_tail(shape: f64, t: f64) -> f64 {
    if t > 0.0 {
        gamma::gamma_ur(shape, shape * t)
    } else {
        1.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn law(text: &str) -> Law {
        Law::parse(text, Some(2.0)).unwrap()
    }

    #[test]
    fn every_form_of_the_tables_parses_to_the_right_mean() {
        for (text, mean) in [
            ("deterministic", 2.0),
            ("deterministic(mean=1/4)", 0.25),
            ("det(mean=10)", 10.0),
            ("exp(mean=25)", 25.0),
            ("erlang(k=2)", 2.0),
            ("erlang(k=2,mean=1)", 1.0),
            ("gamma(shape=0.5)", 2.0),
            ("hyperexp2(p=0.5,rate1=1,rate2=0.25)", 2.5),
            ("hyperexp2(balanced means,scv=4)", 2.0),
            ("lognormal(scv=4)", 2.0),
            ("uniform(0,2*mean)", 2.0),
            ("uniform(low=0.5,high=1.5)", 1.0),
            ("pareto(mean=10,alpha=2.5)", 10.0),
            ("pareto(xm=1,alpha=1.5)", 3.0),
        ] {
            assert!((law(text).mean() / mean - 1.0).abs() < 1e-15, "{text}");
        }
        assert!((law("hyperexp2(balanced means,scv=4)").scv() - 4.0).abs() < 1e-14);
    }

    #[test]
    fn moments_are_integrals_of_the_tail() {
        // E S^n = n int t^(n-1) P(S>t) dt, by the trapezoid rule in ln t.
        for text in [
            "exp(mean=1)",
            "erlang(k=3,mean=1)",
            "gamma(mean=1,shape=0.5)",
            "hyperexp2(p=0.9,rate1=2,rate2=0.18)",
            "lognormal(mean=1,scv=0.5)",
            "uniform(low=0.5,high=1.5)",
            "bounded_pareto(low=0.5,high=20,alpha=2)",
            "bounded_pareto(low=0.5,high=20,alpha=1.5)",
        ] {
            for n in 1..=3_i32 {
                let step = 2e-4;
                let integral: f64 = (-100_000..50_000)
                    .map(|i| {
                        let t = (f64::from(i) * step).exp();
                        f64::from(n) * t.powi(n) * law(text).tail(t) * step
                    })
                    .sum();
                let moment = law(text).moment(n as u32);
                if n == 1 {
                    let limited = law(text).limited_mean(1.25);
                    let above: f64 = (0..50_000)
                        .map(|i| {
                            let t = 1.25 * ((f64::from(i) + 0.5) * step).exp();
                            t * law(text).tail(t) * step
                        })
                        .sum();
                    assert!(
                        (moment - limited - above).abs() < 1e-6 * moment,
                        "{text} limited"
                    );
                }
                assert!(
                    (integral / moment - 1.0).abs() < 1e-6,
                    "{text} {n}: {integral} {moment}"
                );
            }
        }
    }

    #[test]
    fn odd_laws_are_refused() {
        for odd in [
            "",
            "erlang(k=0)",
            "erlang(k=1.5)",
            "exp(mean=-1)",
            "exp(mean=1",
            "normal(1)",
        ] {
            assert_eq!(Law::parse(odd, Some(1.0)), None, "{odd}");
        }
        assert_eq!(Law::parse("exp", None), None);
    }
}
