//! Discrete laws known by the ratio of neighbours, summed from the mode outwards so that nothing
//! overflows; and positive sums that start too small for a float. No factorials anywhere.

/// Probabilities of the states that matter, from `first` on.
#[derive(Clone, Debug)]
pub(crate) struct Masses {
    first: u64,
    values: Vec<f64>,
}

/// Relative to the mode; what is smaller is left out.
const NEGLIGIBLE: f64 = 1e-300;

impl Masses {
    /// The law on 0..=`last` (or without end) with p(n+1) = p(n) `up(n)` whose largest value is
    /// at or next to `mode`.
    pub(crate) fn outward(mode: u64, last: Option<u64>, up: impl Fn(u64) -> f64) -> Self {
        let mut below = Vec::new();
        let (mut n, mut mass) = (mode, 1.0);
        while n > 0 {
            mass /= up(n - 1);
            if mass < NEGLIGIBLE {
                break;
            }
            below.push(mass);
            n -= 1;
        }
        let first = n;
        below.reverse();
        let mut values = below;
        (n, mass) = (mode, 1.0);
        while mass >= NEGLIGIBLE {
            values.push(mass);
            if Some(n) == last {
                break;
            }
            mass *= up(n);
            n += 1;
        }
        let total: f64 = values.iter().sum();
        for value in &mut values {
            *value /= total;
        }
        Self { first, values }
    }

    /// State and probability, in order.
    pub(crate) fn iter(&self) -> impl DoubleEndedIterator<Item = (u64, f64)> {
        self.values
            .iter()
            .enumerate()
            .map(|(i, &mass)| (self.first + i as u64, mass))
    }

    /// The probability of one state.
    pub(crate) fn at(&self, n: u64) -> f64 {
        let place = n
            .checked_sub(self.first)
            .and_then(|i| usize::try_from(i).ok());
        place
            .and_then(|i| self.values.get(i).copied())
            .unwrap_or(0.0)
    }

    /// Sums of the probabilities of `from + j` and above, for j = 0, 1, ... to the last state.
    pub(crate) fn tails(&self, from: u64) -> Vec<f64> {
        let mut sum = 0.0;
        let mut tails: Vec<f64> = Vec::new();
        for (n, mass) in self.iter().rev().take_while(|&(n, _)| n >= from) {
            sum += mass;
            tails.push(sum);
            debug_assert!(n >= from, "states below are not summed");
        }
        // States below the first that matters weigh nothing: their tail is the whole sum.
        tails.extend((from..self.first).map(|_| sum));
        tails.reverse();
        tails
    }
}

/// sum of `weights[j]` t(j), with t(0) = exp(`ln_first`) and t(j+1) = t(j) `up(j)`, all positive;
/// t(0) may be far below the smallest float.
pub(crate) fn scaled_sum(ln_first: f64, weights: &[f64], up: impl Fn(f64) -> f64) -> f64 {
    const LARGE: f64 = 1e250;
    let (mut ln_scale, mut term, mut sum) = (ln_first, 1.0, 0.0);
    for (j, weight) in weights.iter().enumerate() {
        sum += weight * term;
        term *= up(j as f64);
        if term > LARGE {
            term /= LARGE;
            sum /= LARGE;
            ln_scale += LARGE.ln();
        }
    }
    if sum > 0.0 {
        (sum.ln() + ln_scale).exp()
    } else {
        0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_binomial_law_has_its_moments() {
        let up = |n: u64| (40 - n) as f64 / (n + 1) as f64 * 0.25 / 0.75;
        let masses = Masses::outward(10, Some(40), up);
        let mean: f64 = masses.iter().map(|(n, p)| n as f64 * p).sum();
        assert!((mean - 10.0).abs() < 1e-13);
        assert!((masses.at(0) / 0.75_f64.powi(40) - 1.0).abs() < 1e-13);
        assert!((masses.tails(39)[1] / 0.25_f64.powi(40) - 1.0).abs() < 1e-13);
        assert!((masses.tails(0)[0] - 1.0).abs() < 1e-14);
    }

    #[test]
    fn a_poisson_sum_survives_a_start_below_the_smallest_float() {
        let all = vec![1.0; 4000];
        assert!((scaled_sum(-2000.0, &all, |j| 2000.0 / (j + 1.0)) - 1.0).abs() < 1e-12);
    }
}
