//! Retry budgets: how many retries a client allows itself, whatever the policy of each of its
//! calls would allow (rule E7).
//!
//! Not how often one call is tried, nor when: that is the policy. A budget sees all calls of a
//! client, and says no when too many of them fail.

mod aws_standard;
mod finagle;
mod grpc;

use std::fmt;

pub use aws_standard::AwsStandard;
pub use finagle::Finagle;
pub use grpc::Grpc;

use crate::input::{Fields, Problems, Read, Value, Variant};
use crate::units::SimTime;

/// What a client allows itself.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Budget {
    /// The retry quota of the standard mode of the AWS SDKs.
    AwsStandard(AwsStandard),
    /// The retry throttling of gRPC.
    Grpc(Grpc),
    /// The retry budget of Finagle.
    Finagle(Finagle),
}

/// Why a try failed, as far as it makes a difference to what a retry costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// It was refused, or went wrong.
    Failure,
    /// There was no answer.
    Timeout,
    /// There were too many calls.
    Throttled,
}

/// What is left of a budget.
#[derive(Clone, Debug)]
pub struct BudgetState(State);

#[derive(Clone, Debug)]
enum State {
    AwsStandard(aws_standard::Quota),
    Grpc(grpc::Tokens),
    Finagle(finagle::Bucket),
}

impl BudgetState {
    /// An untouched budget.
    pub fn new(budget: Budget) -> Self {
        Self(match budget {
            Budget::AwsStandard(it) => State::AwsStandard(aws_standard::Quota::new(it)),
            Budget::Grpc(it) => State::Grpc(grpc::Tokens::new(it)),
            Budget::Finagle(it) => State::Finagle(finagle::Bucket::new(it)),
        })
    }

    /// A call is made, for the first time.
    pub fn first_try(&mut self, now: SimTime) {
        match &mut self.0 {
            State::AwsStandard(_) | State::Grpc(_) => {}
            State::Finagle(bucket) => bucket.deposit(now),
        }
    }

    /// A try has failed in a way that another may get over, whether one is left or not.
    pub fn failed(&mut self) {
        match &mut self.0 {
            State::Grpc(tokens) => tokens.fail(),
            State::AwsStandard(_) | State::Finagle(_) => {}
        }
    }

    /// Whether the call may be tried again; what that costs is taken if so. Time never goes back
    /// from one call to the next.
    pub fn may_retry(&mut self, now: SimTime, cause: Cause) -> bool {
        match &mut self.0 {
            State::AwsStandard(quota) => quota.acquire(cause),
            State::Grpc(tokens) => tokens.suffice(),
            State::Finagle(bucket) => bucket.withdraw(now),
        }
    }

    /// A call has succeeded at its first try.
    pub fn first_success(&mut self) {
        match &mut self.0 {
            State::AwsStandard(quota) => quota.refill(),
            State::Grpc(tokens) => tokens.succeed(),
            State::Finagle(_) => {}
        }
    }

    /// A call has succeeded at a retry, the last of which was made because of `cause`.
    pub fn retry_success(&mut self, cause: Cause) {
        match &mut self.0 {
            State::AwsStandard(quota) => quota.give_back(cause),
            State::Grpc(tokens) => tokens.succeed(),
            State::Finagle(_) => {}
        }
    }
}

impl Read for Budget {
    const EXPECTS: &'static str =
        "a retry budget such as \"aws_standard\", or { grpc = { tokens = 10, ratio = 0.1 } }";

    fn read(value: &Value, problems: &mut Problems) -> Option<Self> {
        let known = ["aws_standard", "grpc", "finagle"];
        let variant = Variant::of(value, "a retry budget", &known, problems)?;
        let mut fields = match variant.body {
            Some(_) => Some(variant.fields(problems)?),
            None => None,
        };
        let budget = match variant.name {
            "grpc" => Grpc::read(fields.as_mut(), problems).map(Self::Grpc),
            "finagle" => Some(Self::Finagle(Finagle::read(fields.as_mut(), problems))),
            _ => Some(Self::AwsStandard(AwsStandard::read(
                fields.as_mut(),
                problems,
            ))),
        };
        if let Some(fields) = fields {
            fields.close(problems);
        }
        budget
    }
}

/// The value of a key, or the default where it or its whole table is left out.
fn or<T: Read>(
    fields: &mut Option<&mut Fields<'_>>,
    key: &'static str,
    default: T,
    problems: &mut Problems,
) -> T {
    match fields {
        Some(fields) => fields.or(key, default, problems),
        None => default,
    }
}

impl fmt::Display for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AwsStandard(it) => it.fmt(f),
            Self::Grpc(it) => it.fmt(f),
            Self::Finagle(it) => it.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::testing::{read, refused};
    use crate::units::{Ratio, SimDuration};

    #[test]
    fn reads_its_words_and_its_tables() {
        let new = AwsStandard {
            cost: 14,
            timeout_cost: 14,
            ..AwsStandard::default()
        };
        let slow = Finagle {
            share: Ratio::new(0.5).expect("a ratio"),
            per_second: 1,
            ttl: SimDuration::from_secs(5),
        };
        for (text, due) in [
            (
                "\"aws_standard\"",
                Budget::AwsStandard(AwsStandard::default()),
            ),
            ("{ aws_standard = { cost = 14, timeout_cost = 14 } }", {
                Budget::AwsStandard(new)
            }),
            ("\"grpc\"", Budget::Grpc(Grpc::default())),
            (
                "{ grpc = { tokens = 10, ratio = 0.1 } }",
                Budget::Grpc(Grpc::default()),
            ),
            ("\"finagle\"", Budget::Finagle(Finagle::default())),
            (
                "{ finagle = { share = \"50%\", per_second = 1, ttl = \"5s\" } }",
                Budget::Finagle(slow),
            ),
        ] {
            assert_eq!(read(text), Some(due), "{text}");
        }
    }

    #[test]
    fn refuses_what_is_no_budget() {
        for (text, reason) in [
            ("\"aws\"", "is not a retry budget"),
            ("{ aws_standard = { token = 5 } }", "no key `token`"),
            ("{ grpc = { tokens = 0 } }", "no token"),
            ("{ grpc = { ratio = 0.0001 } }", "next to nothing"),
            ("{ finagle = { ttl = \"0s\" } }", "is 0s"),
            ("0.1", "is not a retry budget"),
        ] {
            let told = refused::<Budget>(text);
            assert!(told.contains(reason), "{text}: {told}");
        }
    }
}
