//! Two or more classes of messages, the first class served first. Not for ageing priorities, and
//! within a class always first come, first served.
//!
//! Cobham 1954; for many servers with equal service Kella and Yechiali 1985 (cited from memory).

use super::domain::{DomainError, non_negative, positive, stable};
use super::mmc::Mmc;

/// One class: its arrivals and the first two moments of its service.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Class {
    /// Arrivals per second.
    pub lambda: f64,
    /// Mean service.
    pub mean: f64,
    /// E S^2 of the service.
    pub second_moment: f64,
}

impl Class {
    /// Exponential service with rate `mu`.
    pub fn exponential(lambda: f64, mu: f64) -> Self {
        Self {
            lambda,
            mean: 1.0 / mu,
            second_moment: 2.0 / (mu * mu),
        }
    }

    fn load(&self) -> f64 {
        self.lambda * self.mean
    }

    /// The mean residual work this class puts before an arrival.
    fn residual(&self) -> f64 {
        self.lambda * self.second_moment / 2.0
    }
}

fn check(classes: &[Class]) -> Result<f64, DomainError> {
    for class in classes {
        non_negative("lambda", class.lambda)?;
        positive("mean service", class.mean)?;
        positive("second moment of service", class.second_moment)?;
    }
    Ok(utilization(classes))
}

/// The load of all classes together.
pub fn utilization(classes: &[Class]) -> f64 {
    classes.iter().map(Class::load).sum()
}

/// Mean waits in M/G/1 when service is never interrupted, class by class:
/// R/((1 - s_{k-1})(1 - s_k)), with R = sum of lambda_i E S_i^2/2 over all classes and s_k the
/// load of the first k.
///
/// # Errors
/// A parameter is not a number above zero, or there is no steady state.
pub fn waits_non_preemptive(classes: &[Class]) -> Result<Vec<f64>, DomainError> {
    stable(check(classes)?)?;
    let residual: f64 = classes.iter().map(Class::residual).sum();
    let mut above = 0.0;
    let wait = |class: &Class| {
        let with = above + class.load();
        let wait = residual / ((1.0 - above) * (1.0 - with));
        above = with;
        wait
    };
    Ok(classes.iter().map(wait).collect())
}

/// Mean sojourns in M/G/1 when a higher class interrupts and the work resumes, class by class:
/// E S_k/(1 - s_{k-1}) + R_k/((1 - s_{k-1})(1 - s_k)). Infinite for a class without a steady state.
///
/// # Errors
/// A parameter is not a number above zero.
pub fn sojourns_preemptive_resume(classes: &[Class]) -> Result<Vec<f64>, DomainError> {
    check(classes)?;
    let (mut above, mut residual) = (0.0, 0.0);
    let sojourn = |class: &Class| {
        let with = above + class.load();
        residual += class.residual();
        let free = 1.0 - above;
        above = with;
        if stable(with).is_err() {
            return f64::INFINITY;
        }
        class.mean / free + residual / (free * (1.0 - with))
    };
    Ok(classes.iter().map(sojourn).collect())
}

/// Mean waits in M/M/c when service is never interrupted and is the same for all classes:
/// (C/(c mu))/((1 - s_{k-1})(1 - s_k)), with C of the whole load.
///
/// # Errors
/// A parameter is outside the domain of [`Mmc`], or there is no steady state.
pub fn waits_many_servers(lambdas: &[f64], mu: f64, c: u64) -> Result<Vec<f64>, DomainError> {
    for &lambda in lambdas {
        non_negative("lambda", lambda)?;
    }
    let whole = Mmc::new(lambdas.iter().sum(), mu, c)?;
    stable(whole.utilization())?;
    let capacity = c as f64 * mu;
    let mut above = 0.0;
    let wait = |&lambda: &f64| {
        let with = above + lambda;
        let wait = whole.p_wait() * capacity / ((capacity - above) * (capacity - with));
        above = with;
        wait
    };
    Ok(lambdas.iter().map(wait).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_class_is_the_queue_without_priorities() {
        let class = [Class::exponential(0.8, 1.0)];
        assert!((waits_non_preemptive(&class).unwrap()[0] - 4.0).abs() < 1e-13);
        assert!((sojourns_preemptive_resume(&class).unwrap()[0] - 5.0).abs() < 1e-13);
        assert!((waits_many_servers(&[0.8], 1.0, 1).unwrap()[0] - 4.0).abs() < 1e-13);
    }

    #[test]
    fn work_is_conserved() {
        // Kleinrock's conservation law: sum rho_k W_k is the same as under FIFO.
        let classes = [
            Class::exponential(100.0, 1000.0),
            Class::exponential(300.0, 500.0),
        ];
        let waits = waits_non_preemptive(&classes).unwrap();
        let weighted: f64 = classes
            .iter()
            .zip(&waits)
            .map(|(class, w)| class.load() * w)
            .sum();
        let residual: f64 = classes.iter().map(Class::residual).sum();
        assert!((weighted - 0.7 * residual / 0.3).abs() < 1e-15);
    }

    #[test]
    fn a_stable_high_class_survives_an_unstable_low_one() {
        let classes = [Class::exponential(0.5, 1.0), Class::exponential(0.9, 1.0)];
        let sojourns = sojourns_preemptive_resume(&classes).unwrap();
        assert!((sojourns[0] - 2.0).abs() < 1e-13);
        assert!(sojourns[1].is_infinite());
        assert!(waits_non_preemptive(&classes).is_err());
    }
}
