//! How a breaker is written: a library's name, or a table that changes some of its defaults.
//!
//! Not whether its callers ever make as many calls as it waits for: that is a warning of the
//! scenario's.

use super::Breaker;
use crate::input::{Data, Fields, Problem, Problems, Read, Spanned, Value, Variant};
use crate::units::{Ratio, SimDuration};

impl Read for Breaker {
    const EXPECTS: &'static str =
        "\"resilience4j\", or a table such as { failures = \"50%\", open = \"30s\" }";

    fn read(value: &Value, problems: &mut Problems) -> Option<Self> {
        let plain = Self::default();
        let Data::Table(_) = value.data else {
            let variant = Variant::of(value, "a breaker", &["resilience4j"], problems)?;
            variant.bare(problems);
            return Some(plain);
        };
        let mut fields = Fields::open(value, "breaker", problems)?;
        let window = some(&mut fields, "window", "call to look at", problems);
        let minimum = some(&mut fields, "minimum", "call to judge by", problems);
        let failures = share(&mut fields, "failures", problems);
        let slow = share(&mut fields, "slow", problems);
        let slow_above = fields.or("slow_above", plain.slow_above, problems);
        let open = time(&mut fields, "open", problems);
        let trials = some(&mut fields, "trials", "call to try", problems);
        fields.close(problems);
        let width = window.as_ref().map_or(plain.window, |window| window.it);
        if let Some(minimum) = &minimum
            && minimum.it > width
        {
            let title = format!("{} calls never stand in a window of {width}", minimum.it);
            let problem = Problem::error(title, minimum.span.clone(), "more than the window holds");
            problems.file(problem.help(format!("set `minimum` to {width} or less, or widen it")));
            return None;
        }
        Some(Self {
            window: width,
            minimum: minimum.map_or(plain.minimum.min(width), |minimum| minimum.it),
            failures: failures.unwrap_or(plain.failures),
            slow: slow.unwrap_or(plain.slow),
            slow_above,
            open: open.unwrap_or(plain.open),
            trials: trials.map_or(plain.trials, |trials| trials.it),
        })
    }
}

/// A count of at least one.
fn some(
    fields: &mut Fields,
    key: &'static str,
    what: &str,
    problems: &mut Problems,
) -> Option<Spanned<u32>> {
    let count = fields.spanned::<u32>(key, problems)?;
    if count.it > 0 {
        return Some(count);
    }
    let title = format!("a breaker without a {what}");
    problems.file(Problem::error(title, count.span, "must be 1 or more"));
    None
}

/// A share at which it opens: not zero, at which it would open without any cause.
fn share(fields: &mut Fields, key: &'static str, problems: &mut Problems) -> Option<Ratio> {
    let share = fields.spanned::<Ratio>(key, problems)?;
    if share.it > Ratio::ZERO {
        return Some(share.it);
    }
    let title = "a breaker that opens without a cause";
    let problem = Problem::error(title, share.span, "must be above 0");
    problems.file(problem.help("for a breaker that never opens leave out `breaker`"));
    None
}

fn time(fields: &mut Fields, key: &'static str, problems: &mut Problems) -> Option<SimDuration> {
    let time = fields.spanned::<SimDuration>(key, problems)?;
    if !time.it.is_zero() {
        return Some(time.it);
    }
    let title = "a breaker that opens for no time";
    problems.file(Problem::error(title, time.span, "must be longer than 0"));
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::testing::{read, refused};

    #[test]
    fn reads_a_name_or_what_differs() {
        assert_eq!(read("\"resilience4j\""), Some(Breaker::default()));
        let due = Breaker {
            window: 20,
            minimum: 20,
            failures: Ratio::new(0.25).expect("a ratio"),
            open: SimDuration::from_secs(5),
            ..Breaker::default()
        };
        let text = "{ window = 20, failures = \"25%\", open = \"5s\" }";
        assert_eq!(read(text), Some(due), "the minimum is cut to the window");
        assert_eq!(read("{}"), Some(Breaker::default()));
        assert_eq!(
            due.to_string(),
            "opens for 5s when 25% of the last 20 calls fail or 100% take more than 1m, once 20 \
             have ended; then tries 10"
        );
    }

    #[test]
    fn refuses_what_makes_no_breaker() {
        for (text, reason) in [
            ("\"hystrix\"", "`hystrix` is not a breaker"),
            (
                "{ window = 10, minimum = 20 }",
                "never stand in a window of 10",
            ),
            ("{ window = 0 }", "without a call to look at"),
            ("{ failures = 0 }", "opens without a cause"),
            ("{ open = \"0s\" }", "for no time"),
            ("{ trials = 0 }", "without a call to try"),
            ("{ failure = 0.5 }", "did you mean `failures`?"),
            ("5", "not a breaker"),
        ] {
            let told = refused::<Breaker>(text);
            assert!(told.contains(reason), "{text}: {told}");
        }
    }
}
