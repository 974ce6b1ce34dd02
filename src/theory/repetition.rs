//! Work that is done again when it fails: how many attempts a message takes, and the moments of
//! the time that all of them take together.
//!
//! Not the queue in front of it: a handler that keeps a message until its last attempt is a server
//! whose service is the compound time, so M/G/1 and its kin hold with these moments.
//!
//! Wald 1944 for the mean; moments of a random sum by conditioning on the number of its terms
//! (elementary).

use super::domain::{DomainError, count, probability};

/// Terms of the sum over attempts; beyond, the probability of one more is too high to sum up.
const MOST_TERMS: u64 = 1_000_000;

/// What is left of probability when the sum is cut.
const LEFT: f64 = 1e-18;

/// How long a repeated attempt works.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Again {
    /// As long as the first.
    Same,
    /// So long as a new draw says.
    Anew,
}

/// Attempts at a message: each is repeated with the same probability, up to a bound; and some
/// messages are hopeless.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Repetition {
    /// P(an attempt has to be repeated).
    pub p: f64,
    /// The most attempts; `None` for no bound.
    pub most: Option<u64>,
    /// The share of messages on which every attempt fails.
    pub hopeless: f64,
    /// The attempts that those get.
    pub hopeless_most: u64,
}

/// What one attempt takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Attempt {
    /// E S, E S^2, E S^3 of an attempt that takes its whole service time.
    pub service: [f64; 3],
    /// Whether another draws another service time.
    pub again: Again,
    /// How long a failing attempt takes; `None` for its whole service time.
    pub failing: Option<f64>,
}

/// The attempts at a message taken together.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Total {
    /// Mean number of attempts.
    pub attempts: f64,
    /// E X, E X^2, E X^3 of the time that they take, pauses included.
    pub moments: [f64; 3],
    /// The share of messages of which no attempt succeeds.
    pub given_up: f64,
    /// E X of the messages on which one does; not a number where none does.
    pub mean_done: f64,
    /// The mean of the pauses alone.
    pub pauses: f64,
}

impl Repetition {
    /// The total of the attempts at a message, with a pause of `pause(n)` before attempt n + 2.
    ///
    /// # Errors
    /// A probability is none, a bound is zero, or attempts go on for ever or nearly so.
    pub fn total(
        &self,
        attempt: Attempt,
        pause: impl Fn(u64) -> f64,
    ) -> Result<Total, DomainError> {
        probability("p", self.p)?;
        probability("hopeless", self.hopeless)?;
        let most = self.most.map_or(Ok(u64::MAX), |most| {
            count("most", most, 1, u64::MAX).map(|most| most.min(u64::MAX - 1))
        })?;
        let mut total = Total::default();
        let mut done = 0.0;
        let (mut alive, mut paused) = (1.0 - self.hopeless, 0.0);
        let hopeless_most = if self.hopeless > 0.0 {
            count("hopeless_most", self.hopeless_most, 1, MOST_TERMS)?
        } else {
            0
        };
        for n in 1.. {
            let succeeds = alive * (1.0 - self.p);
            let time = attempt.given(n, Last::Succeeds, paused);
            total.add(succeeds, n, time, paused);
            done += succeeds * time[0];
            alive *= self.p;
            let ends = if n == most {
                std::mem::take(&mut alive)
            } else {
                0.0
            };
            let ends = ends
                + if n == hopeless_most {
                    self.hopeless
                } else {
                    0.0
                };
            total.add(ends, n, attempt.given(n, Last::Fails, paused), paused);
            total.given_up += ends;
            if alive <= LEFT && n >= hopeless_most {
                break;
            }
            if n == MOST_TERMS {
                return Err(DomainError::new("attempts go on for ever"));
            }
            paused += pause(n - 1);
        }
        total.mean_done = done / (1.0 - total.given_up);
        Ok(total)
    }
}

/// How the last attempt ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Last {
    Succeeds,
    Fails,
}

impl Attempt {
    /// The moments of the time of `n` attempts and `paused` beside them.
    fn given(&self, n: u64, last: Last, paused: f64) -> [f64; 3] {
        let n = n as f64;
        let (whole, fixed) = match (self.failing, last) {
            (None, Last::Succeeds | Last::Fails) => (n, paused),
            (Some(failing), Last::Succeeds) => (1.0, (n - 1.0) * failing + paused),
            (Some(failing), Last::Fails) => (0.0, n * failing + paused),
        };
        let [a, b, c] = if whole > 0.0 {
            self.sum(whole)
        } else {
            [0.0; 3]
        };
        let t = fixed;
        [
            a + t,
            b + 2.0 * a * t + t * t,
            c + 3.0 * b * t + 3.0 * a * t * t + t * t * t,
        ]
    }

    /// The moments of `n` services.
    fn sum(&self, n: f64) -> [f64; 3] {
        let [a, b, c] = self.service;
        match self.again {
            Again::Same => [n * a, n * n * b, n * n * n * c],
            Again::Anew => [
                n * a,
                n * b + n * (n - 1.0) * a * a,
                n * c + 3.0 * n * (n - 1.0) * a * b + n * (n - 1.0) * (n - 2.0) * a * a * a,
            ],
        }
    }
}

impl Total {
    fn add(&mut self, share: f64, n: u64, time: [f64; 3], paused: f64) {
        if share <= 0.0 {
            return;
        }
        self.attempts += share * n as f64;
        self.pauses += share * paused;
        for (all, one) in self.moments.iter_mut().zip(time) {
            *all += share * one;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::theory::retry_load::IndependentFailures;

    fn attempts(p: f64, most: Option<u64>) -> Repetition {
        Repetition {
            p,
            most,
            hopeless: 0.0,
            hopeless_most: 0,
        }
    }

    /// Exponential service of mean 1.
    fn exponential(again: Again) -> Attempt {
        Attempt {
            service: [1.0, 2.0, 6.0],
            again,
            failing: None,
        }
    }

    #[test]
    fn a_geometric_sum_of_exponentials_is_exponential() {
        let total = attempts(0.25, None).total(exponential(Again::Anew), |_| 0.0);
        let total = total.unwrap();
        let mean: f64 = 4.0 / 3.0;
        let expected = [mean, 2.0 * mean.powi(2), 6.0 * mean.powi(3)];
        for (found, expected) in total.moments.iter().zip(expected) {
            assert!((found / expected - 1.0).abs() < 1e-12, "{found} {expected}");
        }
        assert!(total.given_up.abs() < 1e-14);
    }

    #[test]
    fn attempts_and_dead_letters_are_those_of_independent_failures() {
        for most in [1, 2, 5] {
            let total = attempts(0.3, Some(most)).total(exponential(Again::Same), |_| 0.0);
            let total = total.unwrap();
            let other = IndependentFailures::new(1.0, 0.3, most).unwrap();
            assert!((total.attempts - other.mean_attempts()).abs() < 1e-14);
            assert!((total.given_up - other.p_dead_letter()).abs() < 1e-15);
        }
    }

    #[test]
    fn two_attempts_are_counted_on_the_fingers() {
        // Half of all need a second attempt of the same length 1, after a pause of 3: 1 or 5.
        let attempt = Attempt {
            service: [1.0; 3],
            again: Again::Same,
            failing: None,
        };
        let repetition = attempts(0.5, Some(2));
        let total = repetition.total(attempt, |_| 3.0).unwrap();
        let near = |found: f64, expected: f64| assert!((found - expected).abs() < 1e-14);
        near(total.moments[0], 3.0);
        near(total.moments[1], 13.0);
        near(total.moments[2], 63.0);
        near(total.attempts, 1.5);
        near(total.given_up, 0.25);
        assert!((total.mean_done - (0.5 + 0.25 * 5.0) / 0.75).abs() < 1e-15);
        // A failing attempt takes nothing: 1 at once, 4 after the pause, or the pause alone.
        let quick = Attempt {
            failing: Some(0.0),
            ..attempt
        };
        let total = repetition.total(quick, |_| 3.0).unwrap();
        near(total.moments[0], 0.5 + 0.25 * 4.0 + 0.25 * 3.0);
        near(total.pauses, 1.5);
    }

    #[test]
    fn hopeless_messages_get_their_attempts_and_no_more() {
        let repetition = Repetition {
            hopeless: 0.1,
            hopeless_most: 4,
            ..attempts(0.0, Some(9))
        };
        let total = repetition.total(exponential(Again::Same), |_| 0.0).unwrap();
        assert!((total.attempts - 1.3).abs() < 1e-15);
        assert!((total.given_up - 0.1).abs() < 1e-15);
        assert!((total.mean_done - 1.0).abs() < 1e-15);
    }

    #[test]
    fn what_never_ends_has_no_total() {
        let never = attempts(1.0, None).total(exponential(Again::Same), |_| 0.0);
        assert!(never.is_err());
    }
}
