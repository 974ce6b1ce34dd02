//! How many calls a dependency takes: a token bucket, or so many in each window (rule E6).
//!
//! Not how many calls a broker takes in each second ([`super::calls`], which windows are made of).

use std::fmt;

use super::calls::Calls;
use crate::input::{Problem, Problems, Read, Value, Variant};
use crate::units::{Rate, SimDuration, SimTime};

/// The shortest window: nothing real counts in shorter ones.
const SHORTEST: SimDuration = SimDuration::from_millis(1);

/// A limit on the rate of calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RateLimit {
    /// Tokens come at a rate, and so many can be saved up; a call takes one.
    TokenBucket {
        /// How many tokens come.
        rate: Rate,
        /// How many can be there, and are at first: at least 1.
        burst: u32,
    },
    /// So many calls in each window of time, from its start on.
    Window {
        /// How many calls: at least 1.
        calls: u32,
        /// How long a window is.
        per: SimDuration,
    },
}

impl RateLimit {
    /// The calls a second that it takes in the long run.
    pub fn sustained(&self) -> f64 {
        match self {
            Self::TokenBucket { rate, .. } => rate.as_per_second(),
            Self::Window { calls, per } => f64::from(*calls) / per.as_secs_f64(),
        }
    }
}

/// A limit at run time.
#[derive(Clone, Debug)]
pub struct RateLimiter(State);

#[derive(Clone, Debug)]
enum State {
    TokenBucket(Bucket),
    Window(Calls),
}

impl RateLimiter {
    /// An untouched limit.
    pub fn new(limit: RateLimit) -> Self {
        Self(match limit {
            RateLimit::TokenBucket { rate, burst } => State::TokenBucket(Bucket::new(rate, burst)),
            RateLimit::Window { calls, per } => {
                State::Window(Calls::new(Rate::new(u64::from(calls), per), per))
            }
        })
    }

    /// Whether a call is taken now. Time never goes back from one call to the next.
    pub fn take(&mut self, now: SimTime) -> bool {
        match &mut self.0 {
            State::TokenBucket(bucket) => bucket.take(now),
            State::Window(calls) => calls.take(now).is_ok(),
        }
    }
}

/// A bucket of tokens, each of which has as many parts as the period of the rate has nanoseconds:
/// so `count` parts come in every nanosecond, and none is lost to rounding.
#[derive(Clone, Debug)]
struct Bucket {
    rate: Rate,
    /// In parts.
    most: u128,
    left: u128,
    seen: SimTime,
}

impl Bucket {
    fn new(rate: Rate, burst: u32) -> Self {
        let most = u128::from(burst) * token(rate);
        Self {
            rate,
            most,
            left: most,
            seen: SimTime::ZERO,
        }
    }

    fn take(&mut self, now: SimTime) -> bool {
        let passed = u128::from(now.as_nanos() - self.seen.as_nanos());
        let came = passed.saturating_mul(u128::from(self.rate.count()));
        self.left = self.left.saturating_add(came).min(self.most);
        self.seen = now;
        let enough = self.left >= token(self.rate);
        if enough {
            self.left -= token(self.rate);
        }
        enough
    }
}

fn token(rate: Rate) -> u128 {
    u128::from(rate.per().as_nanos())
}

impl Read for RateLimit {
    const EXPECTS: &'static str = "a limit of rate such as { token_bucket = { rate = \"100/s\", \
                                   burst = 20 } }, or { window = { calls = 10, per = \"1m\" } }";

    fn read(value: &Value, problems: &mut Problems) -> Option<Self> {
        let known = ["token_bucket", "window"];
        let variant = Variant::of(value, "a limit of rate", &known, problems)?;
        let mut fields = variant.fields(problems)?;
        let place = fields.place();
        let nothing = |what: &str, problems: &mut Problems| {
            let title = format!("a limit that takes no call: {what}");
            problems.file(Problem::error(title, place.clone(), "takes nothing"));
            None
        };
        if variant.name == "window" {
            let calls = fields.required::<u32>("calls", problems);
            let per = fields.required::<SimDuration>("per", problems);
            fields.close(problems);
            let (calls, per) = (calls?, per?);
            if calls == 0 || per.is_zero() {
                return nothing("`calls` and `per` are above 0", problems);
            }
            if per < SHORTEST {
                let title = format!("a window of {per} limits nothing that anybody could see");
                let label = format!("`per` must be at least {SHORTEST}");
                problems.file(Problem::error(title, place.clone(), label));
                return None;
            }
            return Some(Self::Window { calls, per });
        }
        let rate = fields.required::<Rate>("rate", problems);
        let burst = fields.required::<u32>("burst", problems);
        fields.close(problems);
        let (rate, burst) = (rate?, burst?);
        if rate.is_zero() || burst == 0 {
            return nothing("`rate` and `burst` are above 0", problems);
        }
        Some(Self::TokenBucket { rate, burst })
    }
}

impl fmt::Display for RateLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TokenBucket { rate, burst } => {
                write!(f, "{rate}, with up to {burst} saved up")
            }
            Self::Window { calls, per } => write!(f, "{calls} in each {per}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::testing::{read, refused};

    fn taken(limiter: &mut RateLimiter, nanos: u64) -> usize {
        let now = SimTime::from_nanos(nanos);
        std::iter::repeat_with(|| limiter.take(now))
            .take_while(|taken| *taken)
            .count()
    }

    #[test]
    fn a_bucket_is_full_at_first_and_fills_at_its_rate() {
        let rate = Rate::per_second(10);
        let mut limiter = RateLimiter::new(RateLimit::TokenBucket { rate, burst: 5 });
        assert_eq!(taken(&mut limiter, 0), 5);
        assert_eq!(taken(&mut limiter, 99_999_999), 0);
        assert_eq!(taken(&mut limiter, 100_000_000), 1);
        assert_eq!(taken(&mut limiter, 450_000_000), 3, "and half a token");
        assert_eq!(taken(&mut limiter, 500_000_000), 1);
        assert_eq!(taken(&mut limiter, 60_000_000_000), 5, "no more than these");
    }

    /// Three a second is one in 333,333,333.3 ns: after 1,000 s, asked every 7 ms, none is lost.
    #[test]
    fn parts_of_a_token_are_kept_exactly() {
        let rate = Rate::per_second(3);
        let (end, step): (u64, u64) = (1_000_000_000_000, 7_000_000);
        let mut deep = RateLimiter::new(RateLimit::TokenBucket { rate, burst: 2 });
        assert_eq!(taken(&mut deep, 0), 2);
        let all: usize = (1..=end / step).map(|n| taken(&mut deep, n * step)).sum();
        assert_eq!(all, 2_999, "999.999 s at 3/s");
    }

    #[test]
    fn a_window_takes_its_calls_and_no_more() {
        let per = SimDuration::from_secs(60);
        let mut limiter = RateLimiter::new(RateLimit::Window { calls: 10, per });
        let second = 1_000_000_000;
        assert_eq!(taken(&mut limiter, 59 * second), 10);
        assert_eq!(taken(&mut limiter, 60 * second), 10);
        assert_eq!(taken(&mut limiter, 119 * second), 0);
    }

    #[test]
    fn reads_both_and_refuses_what_takes_nothing() {
        let bucket = RateLimit::TokenBucket {
            rate: Rate::per_second(100),
            burst: 20,
        };
        let text = "{ token_bucket = { rate = \"100/s\", burst = 20 } }";
        assert_eq!(read(text), Some(bucket));
        let window = RateLimit::Window {
            calls: 10,
            per: SimDuration::from_secs(60),
        };
        assert_eq!(
            read("{ window = { calls = 10, per = \"1m\" } }"),
            Some(window)
        );
        assert!((window.sustained() * 6.0 - 1.0).abs() < 1e-12);
        assert_eq!(bucket.to_string(), "100/s, with up to 20 saved up");
        assert_eq!(window.to_string(), "10 in each 1m");
        for (text, reason) in [
            ("{ window = { calls = 0, per = \"1m\" } }", "takes no call"),
            (
                "{ token_bucket = { rate = \"0/s\", burst = 1 } }",
                "takes no call",
            ),
            ("{ token_bucket = { rate = \"1/s\" } }", "lacks `burst`"),
            ("\"window\"", "needs its parameters"),
            ("{ leaky = 1 }", "`leaky` is not a limit of rate"),
        ] {
            let told = refused::<RateLimit>(text);
            assert!(told.contains(reason), "{text}: {told}");
        }
    }
}
