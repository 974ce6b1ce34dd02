//! M/G/1, exactly: mean and variance of the wait from three moments of the service, and the
//! distribution of the wait for the laws with a smooth enough transform. One server only.
//!
//! Pollaczek-Khinchine for the mean, Takacs for the variance (both as in Kleinrock 1975, cited
//! from memory). The wait is a geometric sum of equilibrium residual services (Beekman 1968).

use num_complex::Complex64;

use super::domain::{DomainError, positive, stable};
use super::matrix::Matrix;
use super::mdc::MDc;
use super::root::exceeded_with;
use super::transform::Transform;

/// Mean and variance of the wait in M/G/1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mg1 {
    arrival_rate: f64,
    moments: [f64; 3],
}

impl Mg1 {
    /// Poisson arrivals of rate `arrival_rate`; `moments` are E S, E S^2, E S^3, infinite where
    /// they diverge.
    ///
    /// # Errors
    /// The rate or the mean is not above zero, or there is no steady state.
    pub fn new(arrival_rate: f64, moments: [f64; 3]) -> Result<Self, DomainError> {
        stable(positive("lambda", arrival_rate)? * positive("service", moments[0])?)?;
        Ok(Self {
            arrival_rate,
            moments,
        })
    }

    /// Utilization, which is also the probability of waiting.
    pub fn rho(&self) -> f64 {
        self.arrival_rate * self.moments[0]
    }

    /// Mean wait: lambda E S^2 / (2 (1 - rho)); infinite with E S^2.
    pub fn mean_wait(&self) -> f64 {
        self.arrival_rate * self.moments[1] / (2.0 * (1.0 - self.rho()))
    }

    /// Variance of the wait: Wq^2 + lambda E S^3 / (3 (1 - rho)); infinite with E S^3, and not a
    /// number where the mean itself is infinite.
    pub fn var_wait(&self) -> f64 {
        let mean = self.mean_wait();
        if mean.is_infinite() {
            return f64::NAN;
        }
        mean * mean + self.arrival_rate * self.moments[2] / (3.0 * (1.0 - self.rho()))
    }
}

/// The smallest probability that the numerical inversion resolves, to about 1 %.
const RESOLVED: f64 = 1e-7;

/// The distribution of the wait in M/G/1.
#[derive(Clone, Debug)]
pub struct Mg1Wait {
    rho: f64,
    scale: f64,
    form: Form,
}

#[derive(Clone, Debug)]
enum Form {
    /// Constant service: Franx's positive sum.
    Deterministic(MDc),
    /// P(Wq > t) = v e^{Mt} 1 with v = rho times the equilibrium phase and M = T + t0 v.
    Phases { start: Vec<f64>, generator: Matrix },
    /// Numerical inversion of the transform.
    Inversion {
        arrival_rate: f64,
        service: Transform,
    },
}

impl Mg1Wait {
    /// Poisson arrivals of rate `arrival_rate`, one server.
    ///
    /// Precision: near machine precision, relative, for constant, Erlang (to 64 phases) and
    /// hyperexponential service; 1e-9 absolute in P(Wq > t) for lognormal and other gamma laws
    /// (measured down to a squared coefficient of variation of 1/64), which therefore have no
    /// number for probabilities below 1e-7.
    ///
    /// # Errors
    /// The rate or the mean is not above zero, or there is no steady state; or the service is
    /// uniform, whose transform does not invert to more than a few digits.
    pub fn new(arrival_rate: f64, service: &Transform) -> Result<Self, DomainError> {
        let mean = positive("service", service.mean())?;
        let rho = stable(positive("lambda", arrival_rate)? * mean)?;
        let form = match *service {
            Transform::Deterministic { mean } => {
                Form::Deterministic(MDc::new(arrival_rate, mean, 1)?)
            }
            Transform::Gamma { mean, shape } if shape.fract() <= 0.0 && shape <= 64.0 => {
                erlang(rho, mean, shape as usize)
            }
            Transform::Hyperexponential { weight, rates } => {
                hyperexponential(rho, mean, weight, rates)
            }
            Transform::Gamma { .. } | Transform::Lognormal { .. } => Form::Inversion {
                arrival_rate,
                service: *service,
            },
            Transform::Uniform { .. } => {
                return Err(DomainError::new("no distribution for uniform service"));
            }
        };
        Ok(Self {
            rho,
            scale: mean,
            form,
        })
    }

    /// P(Wq > t); not a number where it is below what the form can resolve.
    pub fn p_wait_exceeds(&self, t: f64) -> f64 {
        if t < 0.0 {
            return 1.0;
        }
        if t <= 0.0 {
            return self.rho;
        }
        match &self.form {
            Form::Deterministic(exact) => exact.p_wait_exceeds(t),
            Form::Phases { start, generator } => {
                exponential(generator, t).applied_to(start).iter().sum()
            }
            Form::Inversion {
                arrival_rate,
                service,
            } => {
                let tail = invert(*arrival_rate, service, t);
                if tail < RESOLVED { f64::NAN } else { tail }
            }
        }
    }

    /// The wait that a fraction `above` exceeds; zero when fewer than that wait, and not a number
    /// where the form cannot resolve so small a fraction.
    pub fn wait_exceeded_with(&self, above: f64) -> f64 {
        if matches!(self.form, Form::Inversion { .. }) && above < RESOLVED {
            return f64::NAN;
        }
        if self.rho <= above || 1.0 - self.rho >= 1.0 - above {
            return 0.0;
        }
        exceeded_with(above, self.scale, |t| self.p_wait_exceeds(t))
    }
}

/// Erlang service: the residual starts in each phase equally often.
fn erlang(rho: f64, mean: f64, phases: usize) -> Form {
    let rate = phases as f64 / mean;
    let start = vec![rho / phases as f64; phases];
    let mut generator = Matrix::identity(phases).scaled(-rate);
    for i in 1..phases {
        generator[(i - 1, i)] += rate;
    }
    for (i, p) in start.iter().enumerate() {
        generator[(phases - 1, i)] += rate * p;
    }
    Form::Phases { start, generator }
}

fn hyperexponential(rho: f64, mean: f64, weight: f64, rates: [f64; 2]) -> Form {
    let share = weight / rates[0] / mean;
    let start = vec![rho * share, rho * (1.0 - share)];
    let mut generator = Matrix::zero(2);
    for (i, rate) in rates.iter().enumerate() {
        generator[(i, i)] = -rate;
        for (j, p) in start.iter().enumerate() {
            generator[(i, j)] += rate * p;
        }
    }
    Form::Phases { start, generator }
}

/// e^{Mt} for a generator that loses mass: uniformization over a short time, then squaring. Only
/// non-negative numbers are added, so far tails keep their relative precision.
fn exponential(generator: &Matrix, t: f64) -> Matrix {
    let size = generator.row_sums().len();
    let rate = (0..size).map(|i| -generator[(i, i)]).fold(0.0, f64::max);
    let doublings = (rate * t).max(1.0).log2().ceil() as i32;
    let step = rate * t / 2.0_f64.powi(doublings);
    let jump = Matrix::identity(size).plus(generator, 1.0 / rate);
    let mut term = Matrix::identity(size).scaled((-step).exp());
    let mut sum = term.clone();
    for n in 1..25_u32 {
        term = term.times(&jump).scaled(step / f64::from(n));
        sum = sum.plus(&term, 1.0);
    }
    for _ in 0..doublings {
        sum = sum.times(&sum);
    }
    sum
}

/// P(Wq > t) from its transform (1 - E e^{-s Wq})/s, where E e^{-s Wq} is
/// (1 - rho)/(1 - rho E e^{-sR}) with R the residual service.
///
/// The EULER algorithm of Abate & Whitt (1995), cited from memory: the trapezoid rule along a
/// line, with Euler's summation of the alternating series. Discretization error e^-A = 4e-11; two
/// digits more than `laplace::tail`, which serves transforms that are dear or rough.
fn invert(arrival_rate: f64, service: &Transform, t: f64) -> f64 {
    const A: f64 = 24.0;
    const TERMS: u32 = 40;
    const BINOMIAL: [f64; 13] = [
        1.0, 12.0, 66.0, 220.0, 495.0, 792.0, 924.0, 792.0, 495.0, 220.0, 66.0, 12.0, 1.0,
    ];
    let rho = arrival_rate * service.mean();
    let term = |k: u32| {
        let s = Complex64::new(A, std::f64::consts::TAU * f64::from(k)) / (2.0 * t);
        let residual = (1.0 - service.at_complex(s)) / (s * service.mean());
        let tail = rho * (1.0 - residual) / (1.0 - rho * residual) / s;
        tail.re * if k.is_multiple_of(2) { 1.0 } else { -1.0 }
    };
    let mut sum = term(0) / 2.0;
    for k in 1..TERMS {
        sum += term(k);
    }
    let mut mean = 0.0;
    for (k, binomial) in (TERMS..).zip(BINOMIAL) {
        sum += term(k);
        mean += sum * binomial / 4096.0;
    }
    (A / 2.0).exp() / t * mean
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: f64, b: f64, tolerance: f64) {
        assert!((a / b - 1.0).abs() < tolerance, "{a:e} is not {b:e}");
    }

    #[test]
    fn exponential_service_is_mm1() {
        let wait = Mg1Wait::new(0.8, &Transform::exponential(1.0)).unwrap();
        for t in [0.0, 0.3, 5.0, 400.0] {
            close(wait.p_wait_exceeds(t), 0.8 * (-0.2 * t).exp(), 1e-13);
        }
        close(wait.wait_exceeded_with(0.01), 80.0_f64.ln() / 0.2, 1e-13);
        let moments = Mg1::new(0.8, [1.0, 2.0, 6.0]).unwrap();
        close(moments.mean_wait(), 4.0, 1e-15);
        close(moments.var_wait(), 24.0, 1e-14);
    }

    #[test]
    fn inversion_agrees_with_phases_and_with_the_moments() {
        for (arrival_rate, shape) in [(0.5, 2.0), (0.95, 4.0), (0.9, 64.0)] {
            let law = Transform::Gamma { mean: 1.0, shape };
            let exact = Mg1Wait::new(arrival_rate, &law).unwrap();
            for t in [0.01, 0.5, 1.0, 7.0, 60.0] {
                let inverted = invert(arrival_rate, &law, t);
                let error = (inverted - exact.p_wait_exceeds(t)).abs();
                assert!(error < 1e-9, "{shape} {t} {error:e}");
            }
        }
        let law = Transform::Lognormal {
            mean: 1.0,
            scv: 0.25,
        };
        let wait = Mg1Wait::new(0.8, &law).unwrap();
        assert!(wait.wait_exceeded_with(1e-9).is_nan() && wait.p_wait_exceeds(1e3).is_nan());
        // E S^2 of the lognormal is 1 + scv; the mean of its wait is the integral of the tail.
        let integral: f64 = (0..800)
            .map(|i| wait.p_wait_exceeds(f64::from(i) / 20.0 + 0.025))
            .sum();
        close(integral / 20.0, 0.8 * 1.25 / 0.4, 1e-4);
    }

    #[test]
    fn infinite_moments_pass_through() {
        let heavy = Mg1::new(0.5, [1.0, f64::INFINITY, f64::INFINITY]).unwrap();
        assert!(heavy.mean_wait().is_infinite() && heavy.var_wait().is_nan());
        assert!(Mg1::new(1.0, [1.0, 2.0, 6.0]).is_err());
    }
}
