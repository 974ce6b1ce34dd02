//! How many calls a caller has out at once: a fixed number (a bulkhead), or one that grows while
//! calls go well and shrinks when they do not (rule E7).
//!
//! Not how many handlers there are.

use std::fmt;

use crate::input::{Data, Fields, Problem, Problems, Read, Value, Variant};
use crate::units::{Ratio, SimDuration};

/// The most calls out at once.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ConcurrencyLimit {
    /// Always the same.
    Fixed {
        /// How many: at least 1.
        limit: u32,
        /// How long a request waits for one of them to end before it fails.
        wait: SimDuration,
    },
    /// Additive increase, multiplicative decrease.
    Aimd(Aimd),
}

impl ConcurrencyLimit {
    /// The defaults of resilience4j's `BulkheadConfig`: 25 calls, no wait.
    pub const RESILIENCE4J: Self = Self::Fixed {
        limit: 25,
        wait: SimDuration::ZERO,
    };
}

/// A limit that follows what calls come to, as `AIMDLimit` of Netflix's concurrency-limits: one
/// more after each call that goes well while at least half of the limit is used, and a part of
/// it, rounded down, after a call that does not.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aimd {
    /// At first.
    pub initial: u32,
    /// At least: 1 or more.
    pub min: u32,
    /// At most.
    pub max: u32,
    /// What it is multiplied by after a failure or a timeout.
    pub backoff: Ratio,
}

impl Default for Aimd {
    /// The defaults of `AIMDLimit.java` (the file of 2018): 20 at first and at least, 200 at most,
    /// 0.9. What is its own timeout there, of 5 s, is the caller's here.
    fn default() -> Self {
        Self {
            initial: 20,
            min: 20,
            max: 200,
            backoff: Ratio::new(0.9).expect("a ratio"),
        }
    }
}

/// A limit at run time.
#[derive(Clone, Debug)]
pub struct LimitState {
    config: ConcurrencyLimit,
    limit: u32,
}

impl LimitState {
    /// The limit at first.
    pub fn new(config: ConcurrencyLimit) -> Self {
        let limit = match config {
            ConcurrencyLimit::Fixed { limit, .. } => limit,
            ConcurrencyLimit::Aimd(aimd) => aimd.initial,
        };
        Self { config, limit }
    }

    /// The most calls out at once, as it stands.
    pub fn limit(&self) -> u32 {
        self.limit
    }

    /// Whether one more call may go out beside so many.
    pub fn has_room(&self, out: u32) -> bool {
        out < self.limit
    }

    /// How long a request waits for room; zero with a limit that moves.
    pub fn wait(&self) -> SimDuration {
        match self.config {
            ConcurrencyLimit::Fixed { wait, .. } => wait,
            ConcurrencyLimit::Aimd(_) => SimDuration::ZERO,
        }
    }

    /// A call has ended, well or not (a timeout is not); so many were out, itself included, until
    /// it did.
    pub fn record(&mut self, good: bool, out_before: u32) {
        let ConcurrencyLimit::Aimd(aimd) = self.config else {
            return;
        };
        if !good {
            self.limit = (f64::from(self.limit) * aimd.backoff.get()).floor() as u32;
        } else if u64::from(out_before) * 2 >= u64::from(self.limit) {
            self.limit += 1;
        }
        self.limit = self.limit.clamp(aimd.min, aimd.max);
    }
}

impl Read for ConcurrencyLimit {
    const EXPECTS: &'static str =
        "a limit of calls such as 25, or { fixed = { limit = 25, wait = \"100ms\" } }";

    fn read(value: &Value, problems: &mut Problems) -> Option<Self> {
        if let Data::Integer(_) = value.data {
            let limit = u32::read(value, problems)?;
            let wait = SimDuration::ZERO;
            return at_least_one(limit, value, problems).then_some(Self::Fixed { limit, wait });
        }
        let known = ["resilience4j", "fixed", "aimd"];
        let variant = Variant::of(value, "a limit of calls", &known, problems)?;
        match variant.name {
            "resilience4j" => {
                variant.bare(problems);
                Some(Self::RESILIENCE4J)
            }
            "fixed" => {
                let mut fields = variant.fields(problems)?;
                let limit = fields.required_spanned::<u32>("limit", problems);
                let wait = fields.or("wait", SimDuration::ZERO, problems);
                let place = fields.entry("limit").map(|entry| &entry.value);
                fields.close(problems);
                let limit = limit?.it;
                at_least_one(limit, place?, problems).then_some(Self::Fixed { limit, wait })
            }
            _ => Aimd::read(&variant, problems).map(Self::Aimd),
        }
    }
}

fn at_least_one(limit: u32, value: &Value, problems: &mut Problems) -> bool {
    if limit == 0 {
        let title = "a limit of no call at all";
        problems.file(Problem::error(
            title,
            value.span.clone(),
            "must be 1 or more",
        ));
    }
    limit > 0
}

impl Aimd {
    fn read(variant: &Variant, problems: &mut Problems) -> Option<Self> {
        let plain = Self::default();
        let Some(body) = variant.body else {
            return Some(plain);
        };
        let mut fields = Fields::open(body, "aimd", problems)?;
        let max = fields.or("max", plain.max, problems);
        let min = fields.or("min", plain.min.min(max), problems);
        let initial = fields.or("initial", plain.initial.clamp(min, max.max(min)), problems);
        let backoff = fields.spanned::<Ratio>("backoff", problems);
        let place = fields.place();
        fields.close(problems);
        if min == 0 || min > initial || initial > max {
            let title = format!("a limit of {initial} at first, at least {min}, at most {max}");
            let problem = Problem::error(title, place, "out of order");
            problems.file(problem.help("1 <= `min` <= `initial` <= `max`"));
            return None;
        }
        if let Some(backoff) = &backoff
            && (backoff.it == Ratio::ZERO || backoff.it == Ratio::ONE)
        {
            let title = format!("a limit cut to {} of itself", backoff.it);
            let problem = Problem::error(title, backoff.span.clone(), "between 0 and 1");
            problems.file(problem.help("0.9 takes a tenth off after each failure"));
            return None;
        }
        Some(Self {
            initial,
            min,
            max,
            backoff: backoff.map_or(plain.backoff, |backoff| backoff.it),
        })
    }
}

impl fmt::Display for ConcurrencyLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fixed { limit, wait } if wait.is_zero() => {
                write!(f, "at most {limit} calls at once")
            }
            Self::Fixed { limit, wait } => {
                write!(
                    f,
                    "at most {limit} calls at once, with up to {wait} to wait"
                )
            }
            Self::Aimd(aimd) => write!(
                f,
                "at most {} calls at once at first, one more after each that goes well, cut to {} \
                 after each that does not, from {} to {}",
                aimd.initial, aimd.backoff, aimd.min, aimd.max
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::testing::{read, refused};

    #[test]
    fn a_fixed_limit_stays() {
        let mut state = LimitState::new(ConcurrencyLimit::RESILIENCE4J);
        assert!(state.has_room(24) && !state.has_room(25));
        state.record(false, 25);
        assert_eq!((state.limit(), state.wait()), (25, SimDuration::ZERO));
    }

    #[test]
    fn one_more_when_well_used_and_a_tenth_less_when_not_well() {
        let mut state = LimitState::new(ConcurrencyLimit::Aimd(Aimd {
            min: 5,
            ..Aimd::default()
        }));
        state.record(true, 9);
        assert_eq!(state.limit(), 20, "less than half is used");
        state.record(true, 10);
        assert_eq!(state.limit(), 21, "half is used");
        state.record(false, 1);
        assert_eq!(state.limit(), 18, "floor(18.9)");
        for _ in 0..50 {
            state.record(false, 1);
        }
        assert_eq!(state.limit(), 5);
        for _ in 0..1_000 {
            state.record(true, 200);
        }
        assert_eq!(state.limit(), 200);
        assert!(state.has_room(199) && !state.has_room(200));
    }

    #[test]
    fn reads_its_forms() {
        let fixed = |limit, wait| ConcurrencyLimit::Fixed { limit, wait };
        for (text, due) in [
            ("25", fixed(25, SimDuration::ZERO)),
            ("\"resilience4j\"", ConcurrencyLimit::RESILIENCE4J),
            (
                "{ fixed = { limit = 5, wait = \"100ms\" } }",
                fixed(5, SimDuration::from_millis(100)),
            ),
            ("\"aimd\"", ConcurrencyLimit::Aimd(Aimd::default())),
            ("{ aimd = { min = 1, max = 10 } }", {
                ConcurrencyLimit::Aimd(Aimd {
                    initial: 10,
                    min: 1,
                    max: 10,
                    ..Aimd::default()
                })
            }),
        ] {
            assert_eq!(read(text), Some(due), "{text}");
        }
        let told = fixed(5, SimDuration::from_millis(100)).to_string();
        assert_eq!(told, "at most 5 calls at once, with up to 100ms to wait");
    }

    #[test]
    fn refuses_what_limits_nothing() {
        for (text, reason) in [
            ("0", "no call at all"),
            ("{ fixed = { limit = 0 } }", "no call at all"),
            ("{ fixed = { wait = \"1s\" } }", "lacks `limit`"),
            ("{ aimd = { min = 0 } }", "at least 0"),
            (
                "{ aimd = { min = 5, initial = 4 } }",
                "4 at first, at least 5",
            ),
            ("{ aimd = { backoff = 1 } }", "cut to 100%"),
            ("{ aimd = { intial = 5 } }", "did you mean `initial`?"),
            ("\"vegas\"", "`vegas` is not a limit of calls"),
        ] {
            let told = refused::<ConcurrencyLimit>(text);
            assert!(
                told.contains(reason) || reason == "out of order",
                "{text}: {told}"
            );
        }
    }
}
