//! Visibility timeouts: a message delivered again at V, 2V, ... until somebody deletes it. Only
//! the load of duplicates is here; waiting for a consumer is not.
//!
//! Dead-lettering is at the receive that would exceed the maximum (the wording of the AWS
//! documentation). Rules A and B differ by decades in the dead-letter rate.

use super::domain::{DomainError, count, positive};

/// What a delivery may do after its visibility lapsed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LateDelete {
    /// Rule A: it keeps running, and its delete is honoured.
    Honoured,
    /// Rule B: it is cut off at V, or its delete is refused.
    Refused,
}

/// What becomes of one message.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Deliveries {
    /// Mean number of deliveries.
    pub mean: f64,
    /// Probability of the dead-letter queue.
    pub p_dead_letter: f64,
    /// Probability of a second delivery, with at least two allowed.
    pub p_duplicate: f64,
}

/// Deliveries under `rule`, where `tail(t)` = P(service > t), each delivery draws its own service,
/// `visibility` is V, and `max_receives` = R counts the first delivery too.
///
/// A: P(N > j) = prod_{i<=j} P(S > iV), and the product up to R is dead-lettered. B: the same
/// with P(S > V) in every factor, so N is geometric, cut at R.
///
/// # Errors
/// `visibility` is not above zero, or `max_receives` not from 1 to a million.
pub fn deliveries(
    rule: LateDelete,
    tail: impl Fn(f64) -> f64,
    visibility: f64,
    max_receives: u64,
) -> Result<Deliveries, DomainError> {
    positive("visibility", visibility)?;
    count("max_receive_count", max_receives, 1, 1_000_000)?;
    let p_duplicate = tail(visibility);
    let (mut mean, mut product) = (0.0, 1.0);
    for i in 1..=max_receives {
        mean += product;
        product *= match rule {
            LateDelete::Honoured => tail(i as f64 * visibility),
            LateDelete::Refused => p_duplicate,
        };
    }
    Ok(Deliveries {
        mean,
        p_dead_letter: product,
        p_duplicate,
    })
}

/// Deliveries of one message each of which takes `held` seconds until its delete, where another
/// comes every `visibility` seconds; at most `most`.
///
/// A: as long as the first is not deleted, ceil(held/V). B: one, or for ever when V is shorter,
/// which is infinite without a bound.
pub fn deliveries_of_one(rule: LateDelete, held: f64, visibility: f64, most: Option<u64>) -> f64 {
    let most = most.map_or(f64::INFINITY, |most| most as f64);
    let deliveries = match rule {
        LateDelete::Honoured => (held / visibility).ceil().max(1.0),
        LateDelete::Refused if held <= visibility => 1.0,
        LateDelete::Refused => f64::INFINITY,
    };
    deliveries.min(most)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_message_comes_again_while_it_is_at_work() {
        let a = |held| deliveries_of_one(LateDelete::Honoured, held, 10.0, Some(4));
        let found = [0.0, 10.0, 10.5, 35.0, 90.0].map(|held| a(held) as u32);
        assert_eq!(found, [1, 1, 2, 4, 4]);
        let b = |most| deliveries_of_one(LateDelete::Refused, 10.5, 10.0, most);
        assert_eq!(b(Some(3)) as u32, 3);
        assert!(b(None).is_infinite());
    }

    #[test]
    fn the_rules_differ_by_decades_at_the_dead_letter_queue() {
        // exp(10), V = 30, R = 3: A is e^{-3-6-9}, B e^{-9}.
        let tail = |t: f64| (-t / 10.0).exp();
        let a = deliveries(LateDelete::Honoured, tail, 30.0, 3).unwrap();
        let b = deliveries(LateDelete::Refused, tail, 30.0, 3).unwrap();
        assert!((a.p_dead_letter / (-18.0_f64).exp() - 1.0).abs() < 1e-14);
        assert!((b.p_dead_letter / (-9.0_f64).exp() - 1.0).abs() < 1e-14);
        assert!((b.mean - (1.0 + (-3.0_f64).exp() + (-6.0_f64).exp())).abs() < 1e-15);
    }
}
