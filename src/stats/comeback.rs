//! When something that is counted came back for good after a disturbance: the first window from
//! which on each window has enough of it.
//!
//! Not how much is enough, which may not be known before the end: what is kept answers for any
//! threshold.

use crate::units::{SimDuration, SimTime};

/// Counts in windows of time, from zero on, as far as a comeback can be seen in them.
#[derive(Clone, Debug)]
pub struct Comeback {
    window: SimDuration,
    /// Windows that begin before this one are not looked at.
    first: u64,
    /// The window under way, and what has been counted in it.
    current: u64,
    count: u64,
    /// Each window that had less than all windows since, in order: of any threshold, the last
    /// window below it is among these.
    lows: Vec<(u64, u64)>,
}

impl Comeback {
    /// Counts nothing yet. Windows of this length matter that do not begin before `calm`.
    ///
    /// # Panics
    /// When the windows have no length.
    pub fn new(window: SimDuration, calm: SimTime) -> Self {
        assert!(!window.is_zero(), "a window lasts for some time");
        Self {
            window,
            first: calm.as_nanos().div_ceil(window.as_nanos()),
            current: 0,
            count: 0,
            lows: Vec::new(),
        }
    }

    /// Counts one.
    pub fn count(&mut self, now: SimTime) {
        self.pass(now);
        self.count += 1;
    }

    /// Closes the windows that have ended.
    fn pass(&mut self, now: SimTime) {
        let index = now.as_nanos() / self.window.as_nanos();
        if index == self.current {
            return;
        }
        self.close(self.current, self.count);
        if index > self.current + 1 {
            // All windows in between had nothing; the last of them stands for them.
            self.close(index - 1, 0);
        }
        (self.current, self.count) = (index, 0);
    }

    fn close(&mut self, index: u64, count: u64) {
        if index < self.first {
            return;
        }
        while self.lows.last().is_some_and(|(_, low)| *low >= count) {
            self.lows.pop();
        }
        self.lows.push((index, count));
    }

    /// The start of the first window from which on every whole window up to `end` has at least
    /// `least`; `None` when the last one has not, or there is none.
    pub fn since(mut self, end: SimTime, least: f64) -> Option<SimTime> {
        self.pass(end);
        let windows = end.as_nanos() / self.window.as_nanos();
        let low = self
            .lows
            .iter()
            .rev()
            .find(|(_, low)| (*low as f64) < least);
        let from = low.map_or(self.first, |(index, _)| index + 1);
        let at = from.saturating_mul(self.window.as_nanos());
        (from < windows).then(|| SimTime::from_nanos(at))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: f64) -> SimTime {
        SimTime::ZERO + SimDuration::from_secs_rounded(seconds)
    }

    /// When windows of ten seconds with these counts have been back, after 15 s.
    fn since(counts: &[u64], end: f64, least: f64) -> Option<SimTime> {
        let mut comeback = Comeback::new(SimDuration::from_secs(10), at(15.0));
        for (window, count) in counts.iter().enumerate() {
            for k in 0..*count {
                comeback.count(at(10.0 * window as f64 + 9.0 * k as f64 / *count as f64));
            }
        }
        comeback.since(at(end), least)
    }

    #[test]
    fn it_is_back_after_the_last_window_that_had_too_little() {
        let counts = [9, 0, 2, 7, 3, 8, 5, 9, 6];
        // The window from 10 s on begins before 15 s, and does not count.
        assert_eq!(since(&counts, 90.0, 2.0), Some(at(20.0)));
        assert_eq!(since(&counts, 90.0, 3.0), Some(at(30.0)));
        assert_eq!(since(&counts, 90.0, 4.0), Some(at(50.0)));
        assert_eq!(since(&counts, 90.0, 5.5), Some(at(70.0)));
        assert_eq!(since(&counts, 90.0, 6.5), None);
        // A window that has not ended is not looked at.
        assert_eq!(since(&counts, 89.0, 6.5), Some(at(70.0)));
    }

    #[test]
    fn silence_is_too_little() {
        assert_eq!(since(&[9, 9, 9], 60.0, 1.0), None);
        assert_eq!(since(&[9, 9, 9, 0, 0, 9, 9], 70.0, 1.0), Some(at(50.0)));
        assert_eq!(since(&[], 70.0, 1.0), None);
        assert_eq!(since(&[9], 12.0, 1.0), None, "no window to look at");
    }
}
