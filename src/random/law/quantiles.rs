//! The law through a few known quantiles: between them ln X runs straight in the normal score.
//!
//! Not a step and not linear in the share: through two quantiles this is exactly the lognormal
//! law that has both, through more it bends at each; below the lowest and above the highest the
//! nearest piece goes on (a lognormal tail), until `p0` and `p100` cut it off where they are
//! given. So p50, p90 and p99 alone make a whole law, without a guess at the largest value.

use rand::{Rng, RngExt};
use rand_distr::StandardNormal;
use statrs::distribution::{ContinuousCDF, Normal};

use super::lognormal::score;
use super::quantity::Quantity;
use super::reading::{self, Unfit, positive};
use crate::input::{Fields, Problem, Problems};

/// X = e^(height + slope · (z - score)) of a standard normal z, piece by piece, kept between
/// `min` and `max`.
#[derive(Clone, Debug, PartialEq)]
pub struct Quantiles {
    knots: Box<[Knot]>,
    min: f64,
    max: f64,
}

/// One quantile, and the line from it to the next one (of the last: the line that led to it).
#[derive(Clone, Copy, Debug, PartialEq)]
struct Knot {
    share: f64,
    score: f64,
    height: f64,
    slope: f64,
}

impl Knot {
    fn at(&self, z: f64) -> f64 {
        (self.height + self.slope * (z - self.score)).exp()
    }
}

impl Quantiles {
    /// The law through `points`, each a share and a value, by rising share; no number is below
    /// `min` or above `max` (which can be infinite).
    ///
    /// # Errors
    /// When there are fewer than two points, one is not positive, or they do not rise.
    pub fn new(points: &[(f64, f64)], min: f64, max: f64) -> Result<Self, Unfit> {
        let [.., (_, last)] = points else {
            return Err(Unfit::new(
                "quantiles",
                "there are no quantiles",
                "give two or more",
            ));
        };
        if points.len() < 2 {
            let help = "give two or more, or a law of one parameter such as `exponential`";
            return Err(Unfit::new("quantiles", "one quantile makes no law", help));
        }
        for (_, at) in points {
            positive("quantiles", *at)?;
        }
        let rises = |pair: &[(f64, f64)]| pair[0].0 < pair[1].0 && pair[0].1 <= pair[1].1;
        if !points.windows(2).all(rises) || min > points[0].1 || max < *last {
            let help = "a higher quantile does not lie below a lower one";
            return Err(Unfit::new("quantiles", "the quantiles do not rise", help));
        }
        let knot = |(share, at): (f64, f64), slope| Knot {
            share,
            score: score(share),
            height: at.ln(),
            slope,
        };
        let slope = |low: (f64, f64), high: (f64, f64)| {
            (high.1 / low.1).ln() / (score(high.0) - score(low.0))
        };
        let mut knots: Vec<Knot> = points
            .windows(2)
            .map(|pair| knot(pair[0], slope(pair[0], pair[1])))
            .collect();
        let beyond = knots.last().map_or(0.0, |knot| knot.slope);
        knots.extend(points.last().map(|point| knot(*point, beyond)));
        Ok(Self {
            knots: knots.into(),
            min,
            max,
        })
    }

    /// Reads `{ p50 = "30ms", p99 = "400ms" }`, with `p0` and `p100` as the ends.
    pub(super) fn read<Q: Quantity>(fields: &mut Fields, problems: &mut Problems) -> Option<Self> {
        let min = fields.optional::<Q>("p0", problems);
        let max = fields.optional::<Q>("p100", problems);
        let given = reading::quantiles::<Q>(fields, problems)?;
        let points: Vec<_> = given.iter().map(|it| (it.share, it.at)).collect();
        let min = min.map_or(0.0, |it| it.number());
        let max = max.map_or(f64::INFINITY, |it| it.number());
        Self::new(&points, min, max)
            .map_err(|unfit| {
                let problem = Problem::error(unfit.reason, fields.place(), "");
                problems.file(problem.help(unfit.help));
            })
            .ok()
    }

    /// The piece that holds z: the last knot at or below it, or the first.
    fn piece(&self, z: f64) -> &Knot {
        let after = self.knots.iter().skip(1).take_while(|knot| knot.score <= z);
        after.last().unwrap_or(&self.knots[0])
    }

    fn at(&self, z: f64) -> f64 {
        self.piece(z).at(z).clamp(self.min, self.max)
    }

    pub(super) fn draw<R: Rng>(&self, rng: &mut R) -> f64 {
        self.at(rng.sample(StandardNormal))
    }

    /// E X^n, piece by piece: the integral of e^(n (a + b z)) φ(z) from low to high is
    /// e^(n a + n² b² / 2) (Φ(high - n b) - Φ(low - n b)).
    pub(super) fn moment(&self, n: i32) -> f64 {
        let order = f64::from(n);
        let first = &self.knots[0];
        let last = &self.knots[self.knots.len() - 1];
        let low_end = crossing(first, self.min).unwrap_or(f64::NEG_INFINITY);
        let high_end = crossing(last, self.max).unwrap_or(f64::INFINITY);
        let mut total = self.min.powi(n) * between(f64::NEG_INFINITY, low_end);
        if self.max.is_finite() {
            total += self.max.powi(n) * between(high_end, f64::INFINITY);
        }
        for (i, knot) in self.knots.iter().enumerate() {
            let low = if i == 0 { low_end } else { knot.score };
            let high = self.knots.get(i + 1).map_or(high_end, |next| next.score);
            let shift = order * knot.slope;
            let height = knot.height - knot.slope * knot.score;
            let scale = (order * height + shift * shift / 2.0).exp();
            total += scale * between(low - shift, high - shift);
        }
        total
    }

    pub(super) fn cdf(&self, x: f64) -> f64 {
        if x >= self.max {
            return 1.0;
        }
        if x < self.min || x <= 0.0 {
            return 0.0;
        }
        let height = x.ln();
        let below = self.knots.iter().rev().find(|knot| knot.height <= height);
        let flat = if below.is_some() { 1.0 } else { 0.0 };
        let knot = below.unwrap_or(&self.knots[0]);
        if knot.slope <= 0.0 {
            return flat;
        }
        Normal::standard().cdf(knot.score + (height - knot.height) / knot.slope)
    }

    pub(super) fn quantile(&self, p: f64) -> f64 {
        if p >= 1.0 {
            return self.max();
        }
        let exact = self
            .knots
            .iter()
            .find(|knot| (knot.share - p).abs() < f64::EPSILON);
        exact.map_or_else(|| self.at(score(p)), |knot| knot.height.exp())
    }

    pub(super) fn max(&self) -> f64 {
        let last = &self.knots[self.knots.len() - 1];
        if last.slope <= 0.0 {
            last.at(0.0)
        } else {
            self.max
        }
    }

    pub(super) fn scaled(&self, factor: f64) -> Self {
        let mut it = self.clone();
        for knot in &mut it.knots {
            knot.height += factor.ln();
        }
        it.min *= factor;
        it.max *= factor;
        it
    }

    pub(super) fn words(&self, show: fn(f64) -> String) -> String {
        let part = |knot: &Knot| {
            format!(
                "p{} {}",
                super::quantity::four_digits(knot.share * 100.0),
                show(knot.height.exp())
            )
        };
        self.knots.iter().map(part).collect::<Vec<_>>().join(", ")
    }
}

/// The score at which the line of `knot` reaches `x`; `None` when it never does.
fn crossing(knot: &Knot, x: f64) -> Option<f64> {
    let reaches = knot.slope > 0.0 && x > 0.0 && x.is_finite();
    reaches.then(|| knot.score + (x.ln() - knot.height) / knot.slope)
}

/// P(low < z < high) of a standard normal z, from the nearer tail.
fn between(low: f64, high: f64) -> f64 {
    let normal = Normal::standard();
    if low > 0.0 {
        normal.sf(low) - normal.sf(high)
    } else {
        normal.cdf(high) - normal.cdf(low)
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing;
    use super::super::{Empirical, Lognormal};
    use super::*;
    use crate::random::{DurationLaw, Law};

    fn law(points: &[(f64, f64)], min: f64, max: f64) -> Law {
        Empirical::from(Quantiles::new(points, min, max).expect("fits")).into()
    }

    #[test]
    fn two_quantiles_are_the_lognormal_law() {
        let (low, high) = ((0.5, 1.5), (0.99, 9.0));
        let same = Law::from(Lognormal::from_quantiles(low, high).expect("fits"));
        let law = law(&[low, high], 0.0, f64::INFINITY);
        testing::moments(&law, same.mean(), same.variance(), same.third_moment());
        testing::inverse(&law);
        assert!((law.cdf(3.0) - same.cdf(3.0)).abs() < 1e-14);
    }

    /// The moments are those of the quantile function, integrated over the share.
    #[test]
    fn bent_and_cut_it_keeps_its_quantiles_and_its_moments() {
        let points = [(0.5, 0.03), (0.9, 0.08), (0.99, 0.4)];
        let law = law(&points, 0.01, 1.0);
        for (share, at) in points {
            assert!((law.quantile(share) - at).abs() < 1e-15);
            assert!(
                (law.cdf(at) - share).abs() < 1e-10,
                "{}",
                law.cdf(at) - share
            );
        }
        assert!((law.quantile(1e-9) - 0.01).abs() < 1e-15 && (law.max() - 1.0).abs() < 1e-15);
        let parts = 1_000_000;
        let moment = |n: i32| {
            let shares = (0..parts).map(|i| (f64::from(i) + 0.5) / f64::from(parts));
            shares.map(|share| law.quantile(share).powi(n)).sum::<f64>() / f64::from(parts)
        };
        assert!((law.mean() / moment(1) - 1.0).abs() < 1e-5);
        let variance = moment(2) - moment(1).powi(2);
        assert!((law.variance() / variance - 1.0).abs() < 1e-4);
        assert!((law.third_moment() / moment(3) - 1.0).abs() < 1e-4);
        testing::draws(
            &law,
            [
                0.028026773813084823,
                0.02852382543542161,
                0.01,
                0.01,
                0.06402930813844243,
            ],
        );
    }

    #[test]
    fn equal_quantiles_are_a_step() {
        let law = law(&[(0.5, 1.0), (0.9, 1.0), (0.99, 2.0)], 0.0, f64::INFINITY);
        assert!((law.quantile(0.7) - 1.0).abs() < 1e-15);
        assert!((law.cdf(1.0) - 0.9).abs() < 1e-10, "{}", law.cdf(1.0));
        assert!(law.cdf(0.999).abs() < 1e-15);
    }

    #[test]
    fn reads_and_refuses() {
        let quantiles = |text: &str| format!("{{ empirical = {{ quantiles = {{ {text} }} }} }}");
        let text = quantiles("p50 = \"30ms\", p90 = \"80ms\", p99 = \"400ms\", p100 = \"2s\"");
        let law: DurationLaw = testing::read(&text).expect("a law");
        assert!((law.law().max() - 2.0).abs() < 1e-12);
        for (text, reason) in [
            ("p50 = \"30ms\"", "one quantile makes no law"),
            ("p50 = \"30ms\", p90 = \"20ms\"", "do not rise"),
            (
                "p50 = \"30ms\", p90 = \"40ms\", p100 = \"35ms\"",
                "do not rise",
            ),
            ("p50 = \"30ms\", p98 = \"40ms\"", "no key `p98`"),
        ] {
            let problems = testing::refused::<DurationLaw>(&quantiles(text));
            assert!(problems.contains(reason), "{text}: {problems}");
        }
    }
}
