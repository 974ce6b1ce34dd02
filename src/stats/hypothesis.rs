//! Tests of hypotheses: whether the mean of observations is zero, whether of two kinds of events
//! one is more frequent, and how many such questions are asked at once.
//!
//! Not intervals: those are in [`super::confidence`].

use statrs::distribution::{Binomial, ContinuousCDF, DiscreteCDF, StudentsT};

use super::confidence::mean_and_error;

/// The two-sided p-value of "the mean is zero" by Student's t (W. S. Gosset 1908); 0 where all
/// observations are alike and not zero, 1 where all are zero. `None` for fewer than two.
pub fn p_of_zero_mean(values: &[f64]) -> Option<f64> {
    let (mean, error) = mean_and_error(values)?;
    // The rounding of a sum is no chance.
    if error <= 1e-12 * mean.abs() {
        return Some(if mean == 0.0 { 1.0 } else { 0.0 });
    }
    let law = StudentsT::new(0.0, 1.0, values.len() as f64 - 1.0).ok()?;
    Some((2.0 * law.sf((mean / error).abs())).min(1.0))
}

/// The two-sided p-value of "both kinds are as likely" when `fewer` of `all` events are of the
/// one kind: the exact sign test, which on discordant pairs is McNemar's (Q. McNemar 1947, cited
/// from memory).
pub fn p_of_even_chances(fewer: u64, all: u64) -> f64 {
    let fewer = fewer.min(all - fewer.min(all));
    let cdf = Binomial::new(0.5, all).map(|law| law.cdf(fewer));
    // A half is a probability, so there always is a law.
    cdf.map_or(1.0, |below| (2.0 * below).min(1.0))
}

/// Which hypotheses are refuted when they are tested together, so that the probability that any
/// true one is among them is at most `alpha`: the step-down rule of S. Holm (1979, cited from
/// memory). It holds however the tests depend on each other, and refutes all that Bonferroni's
/// rule does.
pub fn holm(p: &[f64], alpha: f64) -> Vec<bool> {
    let mut order: Vec<usize> = (0..p.len()).collect();
    order.sort_by(|a, b| p[*a].total_cmp(&p[*b]));
    let mut refuted = vec![false; p.len()];
    for (place, index) in order.into_iter().enumerate() {
        if p[index] * (p.len() - place) as f64 > alpha {
            break;
        }
        refuted[index] = true;
    }
    refuted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_t_test_agrees_with_a_printed_table() {
        // t(0.975, 9) = 2.262: a mean that many errors from zero has p = 5 %.
        let spread: Vec<f64> = (1..=10).map(|i| f64::from(i) - 5.5).collect();
        let error = (82.5_f64 / 9.0 / 10.0).sqrt();
        let shifted: Vec<f64> = spread.iter().map(|x| x + 2.262 * error).collect();
        let p = p_of_zero_mean(&shifted).expect("ten values");
        assert!((p - 0.05).abs() < 1e-4, "{p}");
        assert_eq!(p_of_zero_mean(&[3.0, 3.0]), Some(0.0));
        assert_eq!(p_of_zero_mean(&[0.0, 0.0]), Some(1.0));
        assert_eq!(p_of_zero_mean(&[3.0]), None);
    }

    #[test]
    fn even_chances_by_counting() {
        // One head in five: 2 (1 + 5)/32; none in five: 2/32.
        assert!((p_of_even_chances(1, 5) - 12.0 / 32.0).abs() < 1e-12);
        assert!((p_of_even_chances(5, 5) - 2.0 / 32.0).abs() < 1e-12);
        assert!((p_of_even_chances(0, 0) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn holm_steps_down_and_stops() {
        // With four at 5 %: 0.0125, 0.0167, 0.025, 0.05. The third fails, so the fourth does too.
        assert_eq!(
            holm(&[0.04, 0.01, 0.03, 0.015], 0.05),
            [false, true, false, true]
        );
        // Bonferroni's rule would leave the second.
        assert_eq!(holm(&[0.02, 0.03], 0.05), [true, true]);
        assert!(holm(&[], 0.05).is_empty());
    }
}
