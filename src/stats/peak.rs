//! How many events fall together: the most of them in one tenth of a second.
//!
//! Not a rate over time: only the fullest bin is kept, and not when it was.

use crate::units::{SimDuration, SimTime};

/// The width of a bin.
const WIDTH: SimDuration = SimDuration::from_millis(100);

/// The most events in any bin `[j w, (j + 1) w)` of the clock, with `w` a tenth of a second.
#[derive(Clone, Copy, Debug, Default)]
pub struct Peak {
    /// The bin of the last event, and how many it has.
    bin: u64,
    within: u64,
    most: u64,
}

impl Peak {
    /// One more event at `now`, which is no earlier than the last.
    #[inline]
    pub fn count(&mut self, now: SimTime) {
        let bin = now.as_nanos() / WIDTH.as_nanos();
        if bin != self.bin {
            (self.bin, self.within) = (bin, 0);
        }
        self.within += 1;
        self.most = self.most.max(self.within);
    }

    /// The most in one bin.
    pub fn most(&self) -> u64 {
        self.most
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bin_has_its_start_and_not_its_end() {
        let mut peak = Peak::default();
        let mut most = |millis: u64| {
            peak.count(SimTime::from_nanos(millis * 1_000_000));
            peak.most()
        };
        // 0 and 99 share a bin; 100, 150 and 199 the next; 200 is alone.
        assert_eq!(
            [0, 99, 100, 150, 199, 200].map(&mut most),
            [1, 2, 2, 2, 3, 3]
        );
    }
}
