//! The retry throttling of gRPC: failures take a token, successes bring a part of one, and retries
//! are made only while more than half of the tokens are there (proposal A6 of
//! github.com/grpc/proposal, `A6-client-retries.md`, commit 0070717).
//!
//! Not a price of retries: a retry that fails takes a token as every other failure does.

use std::fmt;

use crate::input::{Fields, Problem, Problems};

/// Tokens are counted in thousandths: the proposal's implementations look at three digits after
/// the point.
const PARTS: u32 = 1_000;

/// The throttling of one client. The default is the proposal's example; gRPC itself throttles
/// nothing unless it is told to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grpc {
    /// Tokens at first, and at most.
    pub tokens: u32,
    /// Thousandths of a token that a success brings.
    pub ratio_thousandths: u32,
}

impl Default for Grpc {
    fn default() -> Self {
        Self {
            tokens: 10,
            ratio_thousandths: 100,
        }
    }
}

impl Grpc {
    pub(super) fn read(
        mut fields: Option<&mut Fields<'_>>,
        problems: &mut Problems,
    ) -> Option<Self> {
        let plain = Self::default();
        let Some(fields) = &mut fields else {
            return Some(plain);
        };
        let tokens = fields.spanned::<u32>("tokens", problems);
        if let Some(tokens) = &tokens
            && tokens.it == 0
        {
            let title = "a budget of no token allows no retry";
            let problem = Problem::error(title, tokens.span.clone(), "must be 1 or more");
            problems.file(problem.help("`attempts = 1` is no retry"));
            return None;
        }
        let ratio = fields.spanned::<f64>("ratio", problems);
        let parts = ratio.as_ref().map(|ratio| thousandths(ratio.it));
        if let (Some(0), Some(ratio)) = (parts, &ratio) {
            let title = if ratio.it < 0.0 {
                "a success that takes tokens away"
            } else {
                "a success that brings next to nothing"
            };
            let problem = Problem::error(title, ratio.span.clone(), "must be 0.001 or more");
            problems.file(problem);
            return None;
        }
        Some(Self {
            tokens: tokens.map_or(plain.tokens, |tokens| tokens.it),
            ratio_thousandths: parts.unwrap_or(plain.ratio_thousandths),
        })
    }
}

/// Digits after the third are not looked at; what is meant by the third is not lost to binary
/// fractions.
fn thousandths(ratio: f64) -> u32 {
    (ratio * f64::from(PARTS) + 1e-6).floor() as u32
}

impl fmt::Display for Grpc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ratio = f64::from(self.ratio_thousandths) / f64::from(PARTS);
        write!(
            f,
            "{} tokens, 1 for each failure, {ratio} from each success, retries while more than \
             half are left",
            self.tokens
        )
    }
}

/// What is left.
#[derive(Clone, Debug)]
pub(super) struct Tokens {
    of: Grpc,
    /// In thousandths.
    left: u64,
}

impl Tokens {
    pub(super) fn new(of: Grpc) -> Self {
        Self { of, left: most(of) }
    }

    /// A try has failed.
    pub(super) fn fail(&mut self) {
        self.left = self.left.saturating_sub(u64::from(PARTS));
    }

    /// A try has succeeded.
    pub(super) fn succeed(&mut self) {
        self.left = (self.left + u64::from(self.of.ratio_thousandths)).min(most(self.of));
    }

    /// Whether more than half are left.
    pub(super) fn suffice(&self) -> bool {
        self.left > most(self.of) / 2
    }
}

fn most(of: Grpc) -> u64 {
    u64::from(of.tokens) * u64::from(PARTS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_failures_from_full_may_be_retried_and_the_fifth_may_not() {
        let mut tokens = Tokens::new(Grpc::default());
        let may = [(); 6].map(|()| {
            tokens.fail();
            tokens.suffice()
        });
        assert_eq!(may, [true, true, true, true, false, false]);
        // Back from 4 to more than 5 takes eleven successes.
        let needed = (1..100).find(|_| {
            tokens.succeed();
            tokens.suffice()
        });
        assert_eq!(needed, Some(11));
    }

    #[test]
    fn tokens_stay_between_none_and_all() {
        let mut tokens = Tokens::new(Grpc::default());
        tokens.succeed();
        assert_eq!(tokens.left, 10_000);
        (0..20).for_each(|_| tokens.fail());
        assert_eq!(tokens.left, 0);
        assert_eq!(
            [0.1, 0.29, 1.5, 0.0009].map(thousandths),
            [100, 290, 1_500, 0]
        );
    }

    /// A try fails with share f: it is sustained while f <= ratio (1 - f), so f <= 0.1 / 1.1 =
    /// 9.1 % of the tries. Failures come evenly spread, or chance alone could take five of ten.
    #[test]
    fn the_share_of_failing_tries_that_it_sustains() {
        let sustains = |per_mille: u64| {
            let mut tokens = Tokens::new(Grpc::default());
            let fails = |n: u64| (n + 1) * per_mille / 1_000 > n * per_mille / 1_000;
            (0..1_000_000).all(|n| {
                if fails(n) {
                    tokens.fail();
                    return tokens.suffice();
                }
                tokens.succeed();
                true
            })
        };
        assert!(sustains(90) && !sustains(92));
    }
}
