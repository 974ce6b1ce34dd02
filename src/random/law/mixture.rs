//! A mixture: one of several laws, each taken with its weight. A cache that hits or misses; fast
//! messages and slow ones.
//!
//! Not a sum: a draw is from one of the laws.

use rand::{Rng, RngExt};

use super::quantity::{Quantity, four_digits};
use super::reading::{self, Reading, Unfit, invert};
use super::{Constant, Law};
use crate::input::{Data, Fields, Problem, Problems, Value};

/// One of several laws, by weight.
#[derive(Clone, Debug, PartialEq)]
pub struct Mixture(Box<[Part]>);

#[derive(Clone, Debug, PartialEq)]
struct Part {
    /// The share of this part.
    share: f64,
    /// The share of this part and all before it.
    up_to: f64,
    law: Law,
}

impl Mixture {
    /// The mixture of these laws, each with its weight; weights need not sum to 1.
    ///
    /// # Errors
    /// When there is no law, or a weight is not a positive number.
    pub fn new(weighted: Vec<(f64, Law)>) -> Result<Self, Unfit> {
        for (weight, _) in &weighted {
            reading::positive("weight", *weight)?;
        }
        if weighted.is_empty() {
            return Err(Unfit::new(
                "weight",
                "a mixture of nothing",
                "give at least one law",
            ));
        }
        let total: f64 = weighted.iter().map(|(weight, _)| weight).sum();
        let mut up_to = 0.0;
        let parts = weighted.into_iter().map(|(weight, law)| {
            up_to += weight / total;
            Part {
                share: weight / total,
                up_to,
                law,
            }
        });
        Ok(Self(parts.collect()))
    }

    /// Reads `[{ weight = 9, law = "10ms" }, { weight = 1, law = { … } }]`.
    pub(super) fn read<Q: Quantity>(body: &Value, problems: &mut Problems) -> Option<Self> {
        let Data::Array(items) = &body.data else {
            let title = format!(
                "`mixture` takes a list of weighted laws, not {}",
                body.kind()
            );
            let problem = Problem::error(title, body.span.clone(), "expected a list");
            problems.file(problem.help("write `mixture = [{ weight = 9, law = … }, …]`"));
            return None;
        };
        let read: Vec<_> = items
            .iter()
            .map(|item| read_part::<Q>(item, problems))
            .collect();
        let weighted = read.into_iter().collect::<Option<Vec<_>>>()?;
        Self::new(weighted)
            .map_err(|unfit| {
                let problem = Problem::error(unfit.reason, body.span.clone(), "");
                problems.file(problem.help(unfit.help));
            })
            .ok()
    }

    pub(super) fn draw<R: Rng>(&self, rng: &mut R) -> f64 {
        let unit: f64 = rng.random();
        let last = &self.0[self.0.len() - 1];
        let part = self.0.iter().find(|part| unit < part.up_to);
        part.unwrap_or(last).law.draw(rng)
    }

    fn mixed(&self, of: impl Fn(&Law) -> f64) -> f64 {
        self.0.iter().map(|part| part.share * of(&part.law)).sum()
    }

    pub(super) fn mean(&self) -> f64 {
        self.mixed(Law::mean)
    }

    /// The mean of the variances plus the variance of the means.
    pub(super) fn variance(&self) -> f64 {
        let mean = self.mean();
        if mean.is_infinite() {
            return f64::INFINITY;
        }
        self.mixed(|law| law.variance() + (law.mean() - mean).powi(2))
    }

    pub(super) fn third_moment(&self) -> f64 {
        self.mixed(Law::third_moment)
    }

    pub(super) fn cdf(&self, x: f64) -> f64 {
        if x >= self.max() {
            return 1.0;
        }
        self.mixed(|law| law.cdf(x))
    }

    /// Searched between the least and the greatest quantile of the parts.
    pub(super) fn quantile(&self, p: f64) -> f64 {
        if p >= 1.0 {
            return self.max();
        }
        let each = || self.0.iter().map(|part| part.law.quantile(p));
        let low = each().fold(f64::INFINITY, f64::min);
        let high = each().fold(0.0, f64::max);
        invert(|x| self.cdf(x), p, low, high)
    }

    pub(super) fn max(&self) -> f64 {
        self.0.iter().map(|part| part.law.max()).fold(0.0, f64::max)
    }

    pub(super) fn scaled(&self, factor: f64) -> Self {
        let mut parts = self.0.clone();
        for part in &mut parts {
            part.law = part.law.scaled(factor);
        }
        Self(parts)
    }

    pub(super) fn words(&self, show: fn(f64) -> String) -> String {
        let part = |part: &Part| {
            format!(
                "{}% {}",
                four_digits(part.share * 100.0),
                part.law.words(show)
            )
        };
        let parts: Vec<_> = self.0.iter().map(part).collect();
        format!("mixture, mean {} ({})", show(self.mean()), parts.join("; "))
    }
}

fn read_part<Q: Quantity>(item: &Value, problems: &mut Problems) -> Option<(f64, Law)> {
    let mut fields = Fields::open(item, "mixture", problems)?;
    let weight = fields.required::<f64>("weight", problems);
    let law = if fields.has("law") {
        fields
            .entry("law")
            .and_then(|entry| reading::read::<Q>(&entry.value, problems))
    } else {
        let problem = Problem::error("`mixture` lacks a `law`", fields.place(), "in this entry");
        problems.file(problem.help("write `{ weight = 9, law = \"10ms\" }`"));
        None
    };
    if let Some(weight) = weight
        && let Err(unfit) = reading::positive("weight", weight)
    {
        unfit.file(&mut fields, problems);
        return None;
    }
    fields.close(problems);
    let law = match law? {
        Reading::Constant(it) => Constant::new(it.number()).ok()?.into(),
        Reading::Random(law) => law,
    };
    Some((weight?, law))
}

#[cfg(test)]
mod tests {
    use super::super::testing;
    use super::super::{Exponential, Uniform};
    use super::*;
    use crate::random::DurationLaw;

    fn sample() -> Law {
        let exponential = Exponential::new(4.0).expect("fits").into();
        let uniform = Uniform::new(0.0, 2.0).expect("fits").into();
        Mixture::new(vec![(1.0, exponential), (3.0, uniform)])
            .expect("fits")
            .into()
    }

    #[test]
    fn draws_moments_and_inverse() {
        // E X = 1 + 3/4, E X^2 = 32/4 + 3/4 * 4/3, E X^3 = 6 * 64 / 4 + 3/4 * 2.
        let law = sample();
        testing::moments(&law, 1.75, 9.0 - 1.75 * 1.75, 97.5);
        testing::inverse(&law);
        testing::draws(
            &law,
            [
                0.9614431340407097,
                2.0446613092587786,
                0.45015218563907666,
                1.9933823663326513,
                10.405756328768957,
            ],
        );
    }

    #[test]
    fn reads_constants_and_steps_at_them() {
        let text = "{ mixture = [{ weight = 9, law = \"10ms\" }, { weight = 1, law = \"2s\" }] }";
        let law: DurationLaw = testing::read(text).expect("a law");
        let law = law.law();
        assert!((law.mean() - 0.209).abs() < 1e-12);
        assert!((law.quantile(0.9) - 0.01).abs() < 1e-12);
        assert!((law.quantile(0.91) - 2.0).abs() < 1e-12);
        assert!((law.cdf(1.0) - 0.9).abs() < 1e-12);
        let text = "{ mixture = [{ weight = 0, law = \"10ms\" }, { weight = 1 }] }";
        let problems = testing::refused::<DurationLaw>(text);
        assert!(problems.contains("`weight` is 0") && problems.contains("lacks a `law`"));
    }
}
