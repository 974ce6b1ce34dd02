//! The retry budget of Finagle: each first try puts something in, each retry takes more out, both
//! are forgotten after a while, and a reserve for so many retries a second is always there
//! (`RetryBudget.scala` of github.com/twitter/finagle, commit 0e26b57, over the leaky bucket of
//! `TokenBucket.scala` of github.com/twitter/util).
//!
//! Not a measure of failures: what becomes of the tries makes no difference.

use std::fmt;

use super::or;
use crate::input::{Fields, Problem, Problems};
use crate::units::{NANOS_PER_SECOND, Ratio, SimDuration, SimTime};

/// The time to live is cut into so many slices, and what happened is forgotten slice by slice.
const SLICES: usize = 10;

/// What a first try puts in.
const DEPOSIT: i64 = 1_000;

/// The budget of one client: retries for a share of the first tries, and so many a second on top.
/// The default is Finagle's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Finagle {
    /// Retries for each first try.
    pub share: Ratio,
    /// Retries a second that are always allowed, on average over `ttl`.
    pub per_second: u32,
    /// How long a try is remembered.
    pub ttl: SimDuration,
}

impl Default for Finagle {
    fn default() -> Self {
        Self {
            share: Ratio::new(0.2).unwrap_or(Ratio::ZERO),
            per_second: 10,
            ttl: SimDuration::from_secs(10),
        }
    }
}

impl Finagle {
    pub(super) fn read(mut fields: Option<&mut Fields<'_>>, problems: &mut Problems) -> Self {
        let plain = Self::default();
        let ttl = fields
            .as_mut()
            .and_then(|fields| fields.spanned::<SimDuration>("ttl", problems));
        if let Some(ttl) = &ttl
            && ttl.it.is_zero()
        {
            let title = format!("`ttl` is {}", ttl.it);
            let problem = Problem::error(title, ttl.span.clone(), "must be longer than zero");
            problems.file(problem);
        }
        Self {
            share: or(&mut fields, "share", plain.share, problems),
            per_second: or(&mut fields, "per_second", plain.per_second, problems),
            ttl: ttl.map_or(plain.ttl, |ttl| ttl.it),
        }
    }

    fn deposit(self) -> i64 {
        if self.share == Ratio::ZERO {
            0
        } else {
            DEPOSIT
        }
    }

    fn withdrawal(self) -> i64 {
        if self.share == Ratio::ZERO {
            return 1;
        }
        (DEPOSIT as f64 / self.share.get()) as i64
    }

    fn reserve(self) -> i64 {
        let retries = u128::from(self.per_second) * u128::from(self.ttl.as_nanos())
            / u128::from(NANOS_PER_SECOND);
        let retries = i64::try_from(retries).unwrap_or(i64::MAX);
        retries.saturating_mul(self.withdrawal())
    }
}

impl fmt::Display for Finagle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "retries for {} of the calls and {}/s, counted over {}",
            self.share, self.per_second, self.ttl
        )
    }
}

/// What is remembered.
#[derive(Clone, Debug)]
pub(super) struct Bucket {
    of: Finagle,
    /// What was put in less what was taken out, by slice: slice n is kept at n modulo their
    /// number.
    slices: [i64; SLICES],
    /// The slice that goes on.
    current: u64,
}

impl Bucket {
    pub(super) fn new(of: Finagle) -> Self {
        Self {
            of,
            slices: [0; SLICES],
            current: 0,
        }
    }

    /// A first try.
    pub(super) fn deposit(&mut self, now: SimTime) {
        let deposit = self.of.deposit();
        *self.slice(now) += deposit;
    }

    /// Takes out what a retry costs, if that is there.
    pub(super) fn withdraw(&mut self, now: SimTime) -> bool {
        let withdrawal = self.of.withdrawal();
        self.slice(now);
        let sum: i64 = self.slices.iter().sum();
        let pays = self.of.reserve().saturating_add(sum) >= withdrawal;
        if pays {
            *self.slice(now) -= withdrawal;
        }
        pays
    }

    /// The slice of an instant; those that are too old are forgotten.
    fn slice(&mut self, now: SimTime) -> &mut i64 {
        let length = (self.of.ttl.as_nanos() / SLICES as u64).max(1);
        let slice = now.as_nanos() / length;
        let place = |slice: u64| (slice % SLICES as u64) as usize;
        for passed in 0..(slice - self.current).min(SLICES as u64) {
            self.slices[place(slice - passed)] = 0;
        }
        self.current = slice;
        &mut self.slices[place(slice)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn millis(millis: u64) -> SimTime {
        SimTime::ZERO + SimDuration::from_millis(millis)
    }

    fn retries_at(bucket: &mut Bucket, at: SimTime) -> usize {
        std::iter::repeat_with(|| bucket.withdraw(at))
            .take_while(|paid| *paid)
            .count()
    }

    #[test]
    fn a_reserve_is_there_from_the_start_and_comes_back_when_its_use_is_forgotten() {
        let mut bucket = Bucket::new(Finagle::default());
        assert_eq!(retries_at(&mut bucket, millis(500)), 100, "10/s for 10 s");
        assert_eq!(retries_at(&mut bucket, millis(9_999)), 0);
        assert_eq!(retries_at(&mut bucket, millis(10_000)), 100);
        assert_eq!(retries_at(&mut bucket, millis(1_000_000)), 100);
    }

    #[test]
    fn five_calls_bring_a_retry_for_ten_seconds() {
        let mut bucket = Bucket::new(Finagle {
            per_second: 0,
            ..Finagle::default()
        });
        (0..4).for_each(|_| bucket.deposit(millis(0)));
        assert!(!bucket.withdraw(millis(0)));
        bucket.deposit(millis(1_000));
        assert!(bucket.withdraw(millis(9_999)));
        (0..5).for_each(|_| bucket.deposit(millis(20_000)));
        assert!(!bucket.withdraw(millis(30_000)), "they are forgotten");
        let mut none = Bucket::new(Finagle {
            share: Ratio::ZERO,
            per_second: 0,
            ..Finagle::default()
        });
        none.deposit(millis(0));
        assert!(!none.withdraw(millis(0)));
        let mut few = Bucket::new(Finagle {
            share: Ratio::ZERO,
            ..Finagle::default()
        });
        few.deposit(millis(0));
        assert_eq!(retries_at(&mut few, millis(0)), 100, "the reserve alone");
    }

    /// Every try fails, and each first try asks for two retries. The load is at most 1.2 times
    /// the calls and 10/s: in each window of 10 s, and so, within one more of them, in all.
    #[test]
    fn load_is_at_most_a_fifth_more_and_ten_a_second() {
        for per_second in [1, 100, 1_000] {
            let mut bucket = Bucket::new(Finagle::default());
            let (seconds, mut retries) = (600, 0);
            for call in 0..per_second * seconds {
                let now = millis(call * 1_000 / per_second);
                bucket.deposit(now);
                retries += u64::from(bucket.withdraw(now)) + u64::from(bucket.withdraw(now));
            }
            let allowed = |seconds| (per_second / 5 + 10) * seconds;
            assert!(retries <= allowed(seconds + 10), "{per_second}: {retries}");
            let wanted = 2 * per_second * seconds;
            let due = allowed(seconds).min(wanted);
            assert!(retries >= due, "{per_second}: {retries} < {due}");
        }
    }
}
