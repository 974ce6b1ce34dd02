//! A budget of calls in windows of time, as brokers limit the calls that they take, and limiters
//! the jobs that they let through.
//!
//! Not a token bucket: what a window does not use is lost, and a new window starts with all of its
//! own.

use crate::units::{Rate, SimDuration, SimTime};

/// Calls that are still taken in this window.
///
/// Window `w` of length `L` lasts from `w L` to `(w + 1) L`. At rate `r` it has
/// `floor((w + 1) L r) - floor(w L r)` calls, in exact arithmetic: in windows of a second, 300/s
/// are 300 in each, and 0.5/s is one in every other.
#[derive(Clone, Debug)]
pub struct Calls {
    rate: Rate,
    length: SimDuration,
    window: u64,
    used: u128,
}

impl Calls {
    /// The window of limits that say nothing of it.
    pub const SECOND: SimDuration = SimDuration::from_secs(1);

    /// The budget of this rate in windows of this length, untouched.
    ///
    /// # Panics
    /// When the windows have no length.
    pub fn new(rate: Rate, length: SimDuration) -> Self {
        assert!(!length.is_zero(), "a window lasts for some time");
        Self {
            rate,
            length,
            window: 0,
            used: 0,
        }
    }

    /// One call now, if the window has one left. Time never goes back from one call to the next.
    ///
    /// # Errors
    /// The start of the next window that has a call; `SimTime::MAX` when none ever has.
    pub fn take(&mut self, now: SimTime) -> Result<(), SimTime> {
        let window = now.as_nanos() / self.length.as_nanos();
        if window != self.window {
            self.window = window;
            self.used = 0;
        }
        let window = u128::from(window);
        if self.used < self.calls_before(window + 1) - self.calls_before(window) {
            self.used += 1;
            return Ok(());
        }
        Err(self.next_after(window))
    }

    /// One call as soon as there is one, which nobody else then gets: now, or at the start of a
    /// later window; `SimTime::MAX` when none ever has one. Time never goes back from one call to
    /// the next.
    pub fn book(&mut self, now: SimTime) -> SimTime {
        let start = self.window.saturating_mul(self.length.as_nanos());
        let mut at = now.max(SimTime::from_nanos(start));
        while at < SimTime::MAX {
            match self.take(at) {
                Ok(()) => return at,
                Err(next) => at = next,
            }
        }
        at
    }

    /// Whether the window has a call left.
    pub fn has_one(&self, now: SimTime) -> bool {
        self.clone().take(now).is_ok()
    }

    /// Calls of all windows before this one: `floor(w L r)`.
    fn calls_before(&self, window: u128) -> u128 {
        let product = window.saturating_mul(self.calls_per_period());
        product / u128::from(self.rate.per().as_nanos())
    }

    /// The start of the first window after this one in which another call comes.
    fn next_after(&self, window: u128) -> SimTime {
        if self.rate.is_zero() {
            return SimTime::MAX;
        }
        // Window v has call n when (v + 1) L r reaches n, and v L r does not.
        let wanted = self.calls_before(window + 1) + 1;
        let per = u128::from(self.rate.per().as_nanos());
        let next = wanted.saturating_mul(per).div_ceil(self.calls_per_period()) - 1;
        let start = u64::try_from(next.saturating_mul(u128::from(self.length.as_nanos())));
        start.map_or(SimTime::MAX, SimTime::from_nanos)
    }

    /// Calls in as many windows as the period of the rate has nanoseconds.
    fn calls_per_period(&self) -> u128 {
        u128::from(self.rate.count()) * u128::from(self.length.as_nanos())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(seconds: u64) -> SimTime {
        SimTime::ZERO + SimDuration::from_secs(seconds)
    }

    /// How many calls each of the first windows takes, and what the refusal at its end says.
    fn taken(rate: Rate, windows: u64) -> Vec<(u32, SimTime)> {
        let mut calls = Calls::new(rate, Calls::SECOND);
        let window = |window| {
            let mut count = 0;
            loop {
                match calls.take(seconds(window) + SimDuration::from_millis(999)) {
                    Ok(()) => count += 1,
                    Err(next) => return (count, next),
                }
            }
        };
        (0..windows).map(window).collect()
    }

    #[test]
    fn a_window_has_the_calls_of_its_second() {
        let each: Vec<_> = (1..=5).map(|next| (300, seconds(next))).collect();
        assert_eq!(taken(Rate::per_second(300), 5), each);
    }

    #[test]
    fn a_slow_rate_has_a_call_in_some_windows_only() {
        let half = Rate::new(1, SimDuration::from_secs(2));
        let every_other = [(0, 1), (1, 3), (0, 3), (1, 5)];
        assert_eq!(
            taken(half, 4),
            every_other.map(|(count, next)| (count, seconds(next)))
        );
        // floor(0.4 w) for w = 0 to 6: 0, 0, 0, 1, 1, 2, 2.
        let two_in_five = Rate::new(2, SimDuration::from_secs(5));
        let some = [(0, 2), (0, 2), (1, 4), (0, 4), (1, 7), (0, 7)];
        assert_eq!(
            taken(two_in_five, 6),
            some.map(|(count, next)| (count, seconds(next)))
        );
    }

    #[test]
    fn fractions_of_a_call_add_up() {
        // 10 calls in 3 s: floor(10 w / 3) for w = 0 to 3 is 0, 3, 6, 10.
        let counts: Vec<u32> = taken(Rate::new(10, SimDuration::from_secs(3)), 6)
            .iter()
            .map(|(count, _)| *count)
            .collect();
        assert_eq!(counts, [3, 3, 4, 3, 3, 4]);
    }

    #[test]
    fn a_window_may_be_longer_than_a_second() {
        let minute = SimDuration::from_secs(60);
        let mut calls = Calls::new(Rate::new(10, minute), minute);
        let taken = |calls: &mut Calls, at| (0..20).filter(|_| calls.take(at).is_ok()).count();
        assert_eq!(taken(&mut calls, seconds(59)), 10);
        assert_eq!(calls.take(seconds(59)), Err(seconds(60)));
        assert_eq!(taken(&mut calls, seconds(60)), 10);
        // In windows of a second it is one in every sixth.
        let mut even = Calls::new(Rate::new(10, minute), Calls::SECOND);
        let each: usize = (0..60).map(|at| taken(&mut even, seconds(at))).sum();
        assert_eq!((each, even.take(seconds(60))), (10, Err(seconds(65))));
        // Eight a minute in windows of 15 s: two each.
        let quarter = SimDuration::from_secs(15);
        let mut calls = Calls::new(Rate::new(8, minute), quarter);
        let each = [0, 15, 30, 45, 60].map(|at| taken(&mut calls, seconds(at)));
        assert_eq!(each, [2; 5]);
    }

    #[test]
    fn what_a_window_does_not_use_is_lost() {
        let mut calls = Calls::new(Rate::per_second(2), Calls::SECOND);
        assert_eq!(calls.take(seconds(5)), Ok(()));
        assert_eq!(calls.take(seconds(6)), Ok(()));
        assert_eq!(calls.take(seconds(6)), Ok(()));
        assert_eq!(calls.take(seconds(6)), Err(seconds(7)));
    }

    #[test]
    fn booked_calls_fill_one_window_after_the_other() {
        let mut calls = Calls::new(Rate::per_second(2), Calls::SECOND);
        let half = seconds(0) + SimDuration::from_millis(500);
        let booked: Vec<_> = (0..5).map(|_| calls.book(half)).collect();
        assert_eq!(booked, [half, half, seconds(1), seconds(1), seconds(2)]);
        assert_eq!(calls.book(seconds(1)), seconds(2), "what is booked is gone");
        assert_eq!(calls.book(seconds(9)), seconds(9));
        assert_eq!(
            Calls::new(Rate::ZERO, Calls::SECOND).book(half),
            SimTime::MAX
        );
    }

    #[test]
    fn a_rate_of_nothing_never_takes_a_call() {
        let mut calls = Calls::new(Rate::ZERO, Calls::SECOND);
        assert_eq!(calls.take(seconds(3)), Err(SimTime::MAX));
        // Its first call is due after 2^64 - 1 ns, in the last second that there is; no second one
        // fits.
        let mut calls = Calls::new(Rate::new(1, SimDuration::MAX), Calls::SECOND);
        let last = seconds(18_446_744_073);
        assert_eq!(calls.take(SimTime::ZERO), Err(last));
        assert_eq!(calls.take(last), Ok(()));
        assert_eq!(calls.take(last), Err(SimTime::MAX));
    }
}
