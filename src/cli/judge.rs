//! Expectations held against what was measured.
//!
//! Not the language in which they are written.

use crate::outcome::{Measures, Unit};
use crate::report::Expected;
use crate::report::number;
use crate::scenario::{Condition, Test};

/// Every condition, and whether it holds of the mean over the replications.
pub(super) fn judge(conditions: &[Condition], measures: &Measures) -> Vec<Expected> {
    conditions.iter().map(|it| one(it, measures)).collect()
}

fn one(condition: &Condition, measures: &Measures) -> Expected {
    let position = measures.catalogue().position(&condition.metric);
    let value = position.and_then(|position| measures.at(position));
    let present = position.map_or(0, |position| measures.present(position));
    let all = measures.replications();
    // What happened in some runs only neither happened nor never did.
    let in_some = 0 < present && present < all;
    let held = match condition.test {
        Test::Never | Test::Happened if in_some => false,
        Test::Is(..) | Test::Near { .. } | Test::Never | Test::Happened => condition.holds(value),
    };
    let observed = if in_some {
        format!("in {present} of {all} runs")
    } else {
        observed(value, condition.unit)
    };
    Expected {
        that: condition.text.clone(),
        held,
        observed,
    }
}

/// What was observed, with as many digits as can matter to a condition.
fn observed(value: Option<f64>, unit: Unit) -> String {
    let Some(value) = value else {
        return match unit {
            Unit::Instant => "never",
            Unit::Count
            | Unit::Number
            | Unit::Seconds
            | Unit::Ratio
            | Unit::PerSecond
            | Unit::Bytes => "nothing to measure",
        }
        .to_owned();
    };
    let digits = trimmed(value);
    match unit {
        Unit::Count | Unit::Number | Unit::Ratio => digits,
        Unit::Seconds | Unit::Instant => format!("{digits} s"),
        Unit::PerSecond => format!("{digits}/s"),
        Unit::Bytes => format!("{digits} B"),
    }
}

/// Up to nine decimals, which is a nanosecond.
fn trimmed(value: f64) -> String {
    let text = number::fixed(value, 9);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn observed_numbers_have_the_digits_that_decide() {
        let seen = |value, unit| observed(Some(value), unit);
        assert_eq!(seen(8000.0, Unit::Count), "8,000");
        assert_eq!(seen(0.0, Unit::Count), "0");
        assert_eq!(seen(423.166_666_666_4, Unit::Instant), "423.166666666 s");
        assert_eq!(seen(0.1875, Unit::Ratio), "0.1875");
        assert_eq!(observed(None, Unit::Instant), "never");
    }
}
