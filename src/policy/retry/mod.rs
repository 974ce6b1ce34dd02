//! When to try again, and how often: attempts, backoff, jitter, and a budget, wherever something is
//! retried.
//!
//! Not what is retried, and not who waits meanwhile: components do that. Each delay is drawn by
//! the caller from its own stream, and the caller remembers the one before.

mod backoff;
pub mod budget;
mod jitter;

use rand::Rng;

pub use backoff::{Backoff, Exponential, Linear};
use budget::Budget;
pub use jitter::Jitter;

use crate::input::{Fields, Problem, Problems, Read, Value};
use crate::units::SimDuration;

/// A retry policy: `{ attempts = 5, backoff = { exponential = { base = "500ms", cap = "30s" } },
/// jitter = "full" }`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RetryPolicy {
    /// Tries in all, the first included: at least 1.
    pub attempts: u32,
    /// How long to wait before each retry.
    pub backoff: Backoff,
    /// How that wait is spread.
    pub jitter: Jitter,
    /// What bounds the retries of all calls of a client together; `None` for nothing. What is left
    /// of it is kept by the client.
    pub budget: Option<Budget>,
}

impl RetryPolicy {
    /// Whether retry `n` (from 0) may still be made: it is attempt n + 2.
    #[inline]
    pub fn allows(&self, retry: u32) -> bool {
        retry < self.attempts - 1
    }

    /// The wait before retry `n` (from 0) after a wait of `previous` before the last one, which
    /// only decorrelated jitter looks at, from the second retry on.
    #[inline]
    pub fn delay<R: Rng>(&self, retry: u32, previous: SimDuration, rng: &mut R) -> SimDuration {
        let raw = self.backoff.raw(retry);
        match self.jitter {
            Jitter::None => self.backoff.own_spread(retry, raw, rng),
            Jitter::Full => jitter::full::spread(raw, rng),
            Jitter::Equal => jitter::equal::spread(raw, rng),
            Jitter::Decorrelated => {
                let base = self.backoff.raw(0);
                let previous = if retry == 0 { base } else { previous };
                jitter::decorrelated::spread(base, self.backoff.cap(), previous, rng)
            }
        }
    }

    /// Whether the waits are spread, so that those who failed together do not come back together.
    pub fn is_spread(&self) -> bool {
        self.jitter != Jitter::None || self.backoff.is_spread()
    }

    /// Reads the keys of a policy, and leaves those that the caller adds to it.
    pub fn take(fields: &mut Fields, problems: &mut Problems) -> Option<Self> {
        let budget = fields.optional("budget", problems);
        let backoff = fields.or("backoff", Backoff::default(), problems);
        let jitter = fields.spanned::<Jitter>("jitter", problems);
        let attempts = match backoff.own_attempts() {
            Some(attempts) if !fields.has("attempts") => {
                fields.entry("attempts");
                Some(attempts)
            }
            _ => read_attempts(fields, problems),
        };
        if let Some(jitter) = &jitter
            && let Some((title, help)) = misfit(backoff, jitter.it)
        {
            let span = jitter.span.clone();
            let problem = Problem::error(title, span, "does not go with this backoff");
            problems.file(problem.help(help));
            return None;
        }
        Some(Self {
            attempts: attempts?,
            backoff,
            jitter: jitter.map_or(Jitter::None, |jitter| jitter.it),
            budget,
        })
    }

    /// The mean wait before retry `n` (from 0), in seconds; with decorrelated jitter, once the cap
    /// is felt, to four digits or better.
    pub fn mean_delay(&self, retry: u32) -> f64 {
        let raw = self.backoff.raw(retry).as_secs_f64();
        match self.jitter {
            Jitter::None => self.backoff.mean(retry),
            Jitter::Full => jitter::full::mean(raw),
            Jitter::Equal => jitter::equal::mean(raw),
            Jitter::Decorrelated => {
                let base = self.backoff.raw(0).as_secs_f64();
                jitter::decorrelated::mean(base, self.backoff.cap().as_secs_f64(), retry)
            }
        }
    }
}

impl Read for RetryPolicy {
    const EXPECTS: &'static str =
        "a retry policy such as { attempts = 5, backoff = { fixed = \"5s\" }, jitter = \"full\" }";

    fn read(value: &Value, problems: &mut Problems) -> Option<Self> {
        let mut fields = Fields::open(value, "retry", problems)?;
        let policy = Self::take(&mut fields, problems);
        fields.close(problems);
        policy
    }
}

fn read_attempts(fields: &mut Fields, problems: &mut Problems) -> Option<u32> {
    let attempts = fields.required_spanned::<u32>("attempts", problems)?;
    if attempts.it == 0 {
        let title = "no attempt at all";
        let problem = Problem::error(title, attempts.span, "must be 1 or more");
        problems.file(problem.help("`attempts` counts every try; 1 is no retry"));
        return None;
    }
    Some(attempts.it)
}

/// Why a jitter does not go with a backoff, and what to do.
fn misfit(backoff: Backoff, jitter: Jitter) -> Option<(&'static str, &'static str)> {
    match (backoff, jitter) {
        (Backoff::Sidekiq, Jitter::Full | Jitter::Equal | Jitter::Decorrelated) => Some((
            "the sidekiq ladder has a jitter of its own",
            "leave out `jitter`",
        )),
        (Backoff::Linear(linear), Jitter::Full | Jitter::Equal) if !linear.spread.is_zero() => {
            Some((
                "this backoff has a spread of its own",
                "leave out `jitter`, or `spread`",
            ))
        }
        (Backoff::Celery, Jitter::Full | Jitter::Equal | Jitter::Decorrelated) => Some((
            "the celery ladder has a jitter of its own",
            "leave out `jitter`",
        )),
        (Backoff::Immediate | Backoff::Fixed(_) | Backoff::Linear(_), Jitter::Decorrelated) => {
            Some((
                "decorrelated jitter grows by itself, from a base to a cap",
                "give it `backoff = { exponential = { base, cap } }`, whose factor it ignores",
            ))
        }
        (_, Jitter::None | Jitter::Full | Jitter::Equal)
        | (Backoff::Exponential(_), Jitter::Decorrelated) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::testing::{read, refused};

    #[test]
    fn reads_the_documented_form() {
        let text = "{ attempts = 5, backoff = { exponential = { base = \"500ms\", cap = \"30s\", \
                    factor = 2 } }, jitter = \"equal\" }";
        let policy: RetryPolicy = read(text).expect("a policy");
        assert!(policy.allows(3) && !policy.allows(4));
        assert_eq!(policy.jitter, Jitter::Equal);
        let plain: RetryPolicy = read("{ attempts = 1 }").expect("a policy");
        assert!(!plain.allows(0));
        assert_eq!(
            (plain.backoff, plain.jitter),
            (Backoff::Immediate, Jitter::None)
        );
        assert!(policy.is_spread() && !plain.is_spread());
        assert_eq!(plain.budget, None);
        let poor: RetryPolicy = read("{ attempts = 3, budget = \"grpc\" }").expect("a policy");
        assert_eq!(poor.budget, Some(Budget::Grpc(budget::Grpc::default())));
        let ladder: RetryPolicy = read("{ backoff = \"sidekiq\" }").expect("a policy");
        assert!(ladder.allows(24) && !ladder.allows(25));
    }

    #[test]
    fn refuses_what_does_not_go_together() {
        for (text, reason) in [
            ("{}", "lacks `attempts`"),
            ("{ attempts = 0 }", "no attempt at all"),
            (
                "{ backoff = \"sidekiq\", jitter = \"full\" }",
                "a jitter of its own",
            ),
            (
                "{ attempts = 3, backoff = { fixed = \"1s\" }, jitter = \"decorrelated\" }",
                "grows by itself",
            ),
            (
                "{ attempts = 3, jitter = \"full\", \
                 backoff = { linear = { base = \"2s\", spread = \"1s\" } } }",
                "a spread of its own",
            ),
            ("{ attempts = 3, jitter = \"ful\" }", "did you mean `full`?"),
            ("{ attempts = 3, budget = 1 }", "is not a retry budget"),
            ("{ attempts = 3, budgt = 1 }", "no key `budgt`"),
            (
                "{ backoff = \"celery\", jitter = \"equal\" }",
                "a jitter of its own",
            ),
            (
                "{ attempts = 3, backoff = { exponential = { base = \"1s\", factor = 0.5 } } }",
                "factor",
            ),
            (
                "{ attempts = 3, backoff = { exponential = { base = \"9s\", cap = \"1s\" } } }",
                "cap",
            ),
        ] {
            let told = refused::<RetryPolicy>(text);
            assert!(told.contains(reason), "{text}: {told}");
        }
    }
}
