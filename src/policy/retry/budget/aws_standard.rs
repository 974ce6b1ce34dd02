//! The retry quota of the AWS SDKs' standard mode: a bucket of tokens that retries are paid from,
//! and that only successes fill (`retries/standard.py` and `retries/quota.py` of
//! github.com/boto/botocore, commit 0719e79).
//!
//! Not the attempts and delays of that mode, which are 3, and U(0, 1) · min(2^n, 20) s.

use std::fmt;

use super::{Cause, or};
use crate::input::{Fields, Problem, Problems};

/// The quota of one client. The default is the one before 2026; the one that can be opted into
/// since has a cost of 14, timeouts included, and of 5 when throttled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AwsStandard {
    /// Tokens at first, and at most.
    pub tokens: u32,
    /// What a retry costs.
    pub cost: u32,
    /// What it costs after a try without an answer.
    pub timeout_cost: u32,
    /// What it costs after a try that was one call too many.
    pub throttled_cost: u32,
    /// What a success at the first try brings.
    pub per_success: u32,
}

impl Default for AwsStandard {
    fn default() -> Self {
        Self {
            tokens: 500,
            cost: 5,
            timeout_cost: 10,
            throttled_cost: 5,
            per_success: 1,
        }
    }
}

impl AwsStandard {
    /// Reads the quota of one client. Its tokens have to pay for one retry, and a retry has to cost
    /// something.
    pub(super) fn read(mut fields: Option<&mut Fields<'_>>, problems: &mut Problems) -> Self {
        let found = Self::taken(&mut fields, problems);
        let place = |fields: &mut Option<&mut Fields<'_>>, key| {
            let entry = fields.as_mut().and_then(|fields| fields.entry(key));
            entry.map(|entry| entry.value.span.clone())
        };
        for (key, cost) in [
            ("cost", found.cost),
            ("timeout_cost", found.timeout_cost),
            ("throttled_cost", found.throttled_cost),
        ] {
            let at = place(&mut fields, key);
            if let (0, Some(at)) = (cost, at) {
                let title = "a retry that costs nothing is bounded by no budget";
                problems.file(Problem::error(title, at, "must be 1 or more"));
            }
        }
        let at = place(&mut fields, "tokens").or_else(|| place(&mut fields, "cost"));
        if let (true, Some(at)) = (found.tokens < found.cost, at) {
            let title = format!(
                "{} tokens pay for no retry, which costs {}",
                found.tokens, found.cost
            );
            let problem = Problem::error(title, at, "no retry is ever made");
            problems.file(problem.help("`attempts = 1` is no retry"));
        }
        found
    }

    fn taken(fields: &mut Option<&mut Fields<'_>>, problems: &mut Problems) -> Self {
        let plain = Self::default();
        Self {
            tokens: or(fields, "tokens", plain.tokens, problems),
            cost: or(fields, "cost", plain.cost, problems),
            timeout_cost: or(fields, "timeout_cost", plain.timeout_cost, problems),
            throttled_cost: or(fields, "throttled_cost", plain.throttled_cost, problems),
            per_success: or(fields, "per_success", plain.per_success, problems),
        }
    }

    fn cost_after(self, cause: Cause) -> u32 {
        match cause {
            Cause::Failure => self.cost,
            Cause::Timeout => self.timeout_cost,
            Cause::Throttled => self.throttled_cost,
        }
    }
}

impl fmt::Display for AwsStandard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            tokens,
            cost,
            timeout_cost,
            throttled_cost,
            per_success,
        } = self;
        write!(
            f,
            "{tokens} tokens, {cost} a retry ({timeout_cost} after no answer, {throttled_cost} \
             when throttled), {per_success} from each success at the first try"
        )
    }
}

/// What is left of a quota.
#[derive(Clone, Debug)]
pub(super) struct Quota {
    of: AwsStandard,
    left: u32,
}

impl Quota {
    pub(super) fn new(of: AwsStandard) -> Self {
        Self {
            of,
            left: of.tokens,
        }
    }

    /// Pays for a retry, if there is enough.
    pub(super) fn acquire(&mut self, cause: Cause) -> bool {
        let left = self.left.checked_sub(self.of.cost_after(cause));
        self.left = left.unwrap_or(self.left);
        left.is_some()
    }

    /// A success at the first try.
    pub(super) fn refill(&mut self) {
        self.release(self.of.per_success);
    }

    /// A success at a retry gives back what its last retry has cost.
    pub(super) fn give_back(&mut self, cause: Cause) {
        self.release(self.of.cost_after(cause));
    }

    fn release(&mut self, tokens: u32) {
        self.left = self.left.saturating_add(tokens).min(self.of.tokens);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn costing(cost: u32) -> AwsStandard {
        AwsStandard {
            cost,
            ..AwsStandard::default()
        }
    }

    /// How many retries a full quota pays for while nothing succeeds.
    fn retries_from_full(of: AwsStandard, cause: Cause) -> usize {
        let mut quota = Quota::new(of);
        std::iter::repeat_with(|| quota.acquire(cause))
            .take_while(|paid| *paid)
            .count()
    }

    #[test]
    fn a_full_quota_pays_for_100_retries_50_after_timeouts_35_at_a_cost_of_14() {
        let usual = AwsStandard::default();
        assert_eq!(retries_from_full(usual, Cause::Failure), 100);
        assert_eq!(retries_from_full(usual, Cause::Timeout), 50);
        assert_eq!(retries_from_full(usual, Cause::Throttled), 100);
        assert_eq!(retries_from_full(costing(14), Cause::Failure), 35);
    }

    #[test]
    fn successes_fill_it_up_to_its_bound() {
        let mut quota = Quota::new(AwsStandard::default());
        quota.refill();
        assert_eq!(quota.left, 500, "it is full");
        assert!(quota.acquire(Cause::Timeout) && quota.acquire(Cause::Failure));
        quota.refill();
        assert_eq!(quota.left, 500 - 10 - 5 + 1);
        quota.give_back(Cause::Timeout);
        assert_eq!(quota.left, 496, "what the last retry has cost");
        quota.give_back(Cause::Failure);
        assert_eq!(quota.left, 500);
        let mut poor = Quota::new(AwsStandard {
            tokens: 4,
            ..AwsStandard::default()
        });
        assert!(!poor.acquire(Cause::Failure));
        assert_eq!(poor.left, 4, "what is refused costs nothing");
    }

    /// Of 1,000 calls, `failing` fail at every try, evenly spread; each is tried again `retries`
    /// times if the quota pays. Whether it still pays for all after a million calls.
    fn sustains(cost: u32, failing: u64, retries: u32) -> bool {
        let mut quota = Quota::new(costing(cost));
        let fails = |call: u64| (call + 1) * failing / 1_000 > call * failing / 1_000;
        (0..1_000_000).all(|call| {
            if fails(call) {
                return (0..retries).all(|_| quota.acquire(Cause::Failure));
            }
            quota.refill();
            true
        })
    }

    /// A failing call costs `retries · cost`, a good one brings 1: a share f of failing calls is
    /// sustained while `retries · cost · f <= 1 - f`, so f <= 1 / (1 + retries · cost): 16.7 %,
    /// 6.7 %, 9.1 %, and 3.4 %.
    #[test]
    fn the_share_of_failing_calls_that_it_sustains() {
        for (cost, retries, per_mille) in [(5, 1, 166), (14, 1, 66), (5, 2, 90), (14, 2, 34)] {
            let limit = 1_000 / u64::from(1 + retries * cost);
            assert_eq!(limit, per_mille, "f = 1 / (1 + {retries} * {cost})");
            assert!(sustains(cost, limit, retries), "{cost}, {retries}");
            assert!(!sustains(cost, limit + 1, retries), "{cost}, {retries}");
        }
    }
}
