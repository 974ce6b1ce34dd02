//! Random laws: what a service time, a gap, a batch size, or a message size is drawn from.
//!
//! Not arrival processes, which have a memory ([`crate::policy::arrival`]), and not the random
//! bits ([`crate::random::Stream`]). A law is one number's distribution: how it is drawn (by
//! rand_distr), its moments, its distribution function and quantiles (by statrs where they need
//! special functions), and how it is fitted to what people know of it.
//!
//! A [`Law`] is of plain numbers: seconds, counts, or bytes. [`DurationLaw`], [`CountLaw`] and
//! [`SizeLaw`] know which.

mod constant;
mod empirical;
mod erlang;
mod exponential;
mod gamma;
mod hyperexponential;
mod kinds;
mod lognormal;
mod mixture;
mod pareto;
mod quantiles;
mod quantity;
mod reading;
#[cfg(test)]
mod testing;
mod uniform;
mod weibull;

use std::fmt;

use rand::Rng;

pub use constant::Constant;
pub use empirical::{Empirical, Sample};
pub use erlang::Erlang;
pub use exponential::Exponential;
pub use gamma::Gamma;
pub use hyperexponential::Hyperexponential;
pub use kinds::{CountLaw, DurationLaw, SizeLaw};
pub use lognormal::Lognormal;
pub use mixture::Mixture;
pub use pareto::Pareto;
pub use quantiles::Quantiles;
pub use quantity::{Amount, Quantity};
pub use reading::Unfit;
pub use uniform::Uniform;
pub use weibull::Weibull;

/// The distribution of a non-negative number.
#[derive(Clone, Debug, PartialEq)]
pub enum Law {
    /// Always the same.
    Constant(Constant),
    /// No memory: the time of a Poisson event.
    Exponential(Exponential),
    /// Every number between two alike.
    Uniform(Uniform),
    /// A sum of equal exponential stages: steadier than exponential.
    Erlang(Box<Erlang>),
    /// Erlang with a shape that need not be whole.
    Gamma(Box<Gamma>),
    /// One of two exponentials: more variable than exponential.
    Hyperexponential(Box<Hyperexponential>),
    /// The exponential of a normal: a common shape of latencies.
    Lognormal(Box<Lognormal>),
    /// A stretched (or compressed) exponential.
    Weibull(Box<Weibull>),
    /// A power-law tail.
    Pareto(Box<Pareto>),
    /// One of several laws, by weight.
    Mixture(Mixture),
    /// What was measured: a file of values, or a few quantiles.
    Empirical(Box<Empirical>),
}

// The large ones are boxed: a law travels with every fleet and producer.
const _: () = assert!(size_of::<Law>() <= 24);

/// Does the same with whichever law it is: one arm a law, however many methods there are.
macro_rules! each {
    ($law:expr, $it:ident => $body:expr) => {
        match $law {
            Law::Constant($it) => $body,
            Law::Exponential($it) => $body,
            Law::Uniform($it) => $body,
            Law::Erlang($it) => $body,
            Law::Gamma($it) => $body,
            Law::Hyperexponential($it) => $body,
            Law::Lognormal($it) => $body,
            Law::Weibull($it) => $body,
            Law::Pareto($it) => $body,
            Law::Mixture($it) => $body,
            Law::Empirical($it) => $body,
        }
    };
}

/// Names of the laws, as they are written.
pub const NAMES: [&str; 11] = [
    "constant",
    "exponential",
    "uniform",
    "erlang",
    "gamma",
    "hyperexponential",
    "lognormal",
    "weibull",
    "pareto",
    "mixture",
    "empirical",
];

impl Law {
    /// A number from this law.
    #[inline(always)]
    pub fn draw<R: Rng>(&self, rng: &mut R) -> f64 {
        // The most common one is told apart first, where the draw is made.
        if let Self::Exponential(law) = self {
            return law.draw(rng);
        }
        self.draw_any(rng)
    }

    fn draw_any<R: Rng>(&self, rng: &mut R) -> f64 {
        each!(self, law => law.draw(rng))
    }

    /// Its mean, infinite for a Pareto law of shape 1 or below.
    pub fn mean(&self) -> f64 {
        each!(self, law => law.mean())
    }

    /// Its variance, which can be infinite.
    pub fn variance(&self) -> f64 {
        each!(self, law => law.variance())
    }

    /// The squared coefficient of variation: variance over squared mean, 0 for a constant, 1 for
    /// an exponential law; can be infinite.
    pub fn scv(&self) -> f64 {
        let mean = self.mean();
        if mean > 0.0 && mean.is_finite() {
            self.variance() / (mean * mean)
        } else {
            self.variance()
        }
    }

    /// E X³, which can be infinite.
    pub fn third_moment(&self) -> f64 {
        each!(self, law => law.third_moment())
    }

    /// P(X <= x).
    pub fn cdf(&self, x: f64) -> f64 {
        each!(self, law => law.cdf(x))
    }

    /// The least x with P(X <= x) >= `p`, for p from 0 to 1; for a law without a largest value
    /// infinite at 1.
    pub fn quantile(&self, p: f64) -> f64 {
        each!(self, law => law.quantile(p))
    }

    /// The largest value, infinite where there is none.
    pub fn max(&self) -> f64 {
        each!(self, law => law.max())
    }

    /// The law of `factor` times the number. Draws scale with it: the same random bits give
    /// `factor` times the number they gave.
    #[must_use]
    pub fn scaled(&self, factor: f64) -> Self {
        each!(self, law => law.scaled(factor).into())
    }

    /// The law's name, as it is written in a scenario.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Constant(_) => "constant",
            Self::Exponential(_) => "exponential",
            Self::Uniform(_) => "uniform",
            Self::Erlang(_) => "erlang",
            Self::Gamma(_) => "gamma",
            Self::Hyperexponential(_) => "hyperexponential",
            Self::Lognormal(_) => "lognormal",
            Self::Weibull(_) => "weibull",
            Self::Pareto(_) => "pareto",
            Self::Mixture(_) => "mixture",
            Self::Empirical(_) => "empirical",
        }
    }

    /// The law in words, its numbers written by `show`: `exponential, mean 40ms`.
    pub fn words(&self, show: fn(f64) -> String) -> String {
        each!(self, law => law.words(show))
    }
}

/// Each law's own type becomes the [`Law`].
macro_rules! from_each {
    ($($law:ident),*; boxed $($large:ident),*) => {
        $(impl From<$law> for Law {
            fn from(law: $law) -> Self {
                Self::$law(law)
            }
        })*
        $(impl From<$large> for Law {
            fn from(law: $large) -> Self {
                Self::$large(Box::new(law))
            }
        })*
    };
}

from_each!(Constant, Exponential, Uniform, Mixture;
    boxed Erlang, Gamma, Hyperexponential, Lognormal, Weibull, Pareto, Empirical);

impl fmt::Display for Law {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.words(|number| quantity::four_digits(number).to_string()))
    }
}
