//! What the solver found: levels and ages over time, totals, and the instants people ask for.
//!
//! It only reads; the stretches are complete when it is made.

use num_traits::{Signed, Zero};

use crate::exact::{Exact, from_f64, to_f64};

use super::Segment;

/// The rates of one stretch, per second.
#[derive(Clone, Debug)]
pub(super) struct Flows {
    pub(super) offered: Exact,
    pub(super) accepted: Exact,
    pub(super) served: Exact,
    pub(super) rejected: Exact,
    pub(super) expired: Exact,
    pub(super) dropped: Exact,
    pub(super) timed_out: Exact,
    pub(super) newly_blocked: Exact,
}

impl Flows {
    pub(super) fn none() -> Self {
        Self {
            offered: Exact::zero(),
            accepted: Exact::zero(),
            served: Exact::zero(),
            rejected: Exact::zero(),
            expired: Exact::zero(),
            dropped: Exact::zero(),
            timed_out: Exact::zero(),
            newly_blocked: Exact::zero(),
        }
    }
}

/// A time over which every rate is constant.
#[derive(Clone, Debug)]
pub(super) struct Stretch {
    pub(super) from: Exact,
    pub(super) level: Exact,
    pub(super) filling: Exact,
    pub(super) lag: Exact,
    pub(super) aging: Exact,
    pub(super) blocked: Exact,
    pub(super) blocking: Exact,
    pub(super) longest_block: Option<f64>,
    pub(super) full: bool,
    pub(super) flows: Flows,
}

impl Stretch {
    fn is_clear(&self) -> bool {
        self.level.is_zero() && self.blocked.is_zero()
    }
}

/// A straight line within one stretch, and where its stretches begin.
type Line = fn(&Stretch) -> (&Exact, &Exact);

const LEVEL: Line = |stretch| (&stretch.level, &stretch.filling);
const BLOCKED: Line = |stretch| (&stretch.blocked, &stretch.blocking);
const LAG: Line = |stretch| (&stretch.lag, &stretch.aging);

/// Backlog, age and blocked publishers over time. Between breakpoints all three are straight.
#[derive(Clone, Debug)]
pub struct Trajectory {
    stretches: Vec<Stretch>,
    end: Option<Exact>,
}

/// The state at an instant where a rate changes. An age may jump down there; this is after the
/// jump.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Breakpoint {
    /// The instant, in seconds.
    pub at_s: f64,
    /// Messages waiting.
    pub level: f64,
    /// Age of the oldest waiting message, in seconds.
    pub lag_s: f64,
    /// Publishers blocked.
    pub blocked: f64,
}

/// The largest value and the first instant at which it is reached.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Peak {
    /// The supremum; infinite when the value grows for ever.
    pub value: f64,
    /// In seconds; infinite along with the value.
    pub at_s: f64,
}

/// Everything counted from 0 to the end. Infinite for what goes on for ever at an unlimited
/// horizon.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Totals {
    /// Publishes meant to happen.
    pub offered: f64,
    /// Publishes that became messages.
    pub accepted: f64,
    /// Messages taken by a consumer.
    pub served: f64,
    /// Publishes refused by a full queue.
    pub rejected: f64,
    /// Messages that left by retention.
    pub expired: f64,
    /// Messages that made room for newer ones.
    pub dropped: f64,
    /// Blocked publishes that gave up.
    pub timed_out: f64,
    /// Publishers that were ever blocked, if only for a moment (in `fifo`, `lifo`, and `random`
    /// order everybody is who comes while somebody waits).
    pub blocked_ever: f64,
    /// Time spent blocked, over all publishers, in seconds.
    pub blocked_publisher_seconds: f64,
}

impl Trajectory {
    pub(super) fn new(stretches: Vec<Stretch>, end: Option<Exact>) -> Self {
        Self { stretches, end }
    }

    /// Messages waiting at `t` seconds.
    pub fn level_at(&self, t: f64) -> f64 {
        self.value_at(t, LEVEL)
    }

    /// Publishers blocked at `t` seconds.
    pub fn blocked_at(&self, t: f64) -> f64 {
        self.value_at(t, BLOCKED)
    }

    /// Age of the oldest waiting message at `t` seconds, counted from its acceptance, 0 when none
    /// waits. Where it jumps, the value after the jump.
    pub fn lag_at(&self, t: f64) -> f64 {
        self.value_at(t, LAG)
    }

    /// The most messages that wait.
    pub fn max_level(&self) -> Peak {
        self.peak(LEVEL)
    }

    /// The most publishers that are blocked at once.
    pub fn max_blocked(&self) -> Peak {
        self.peak(BLOCKED)
    }

    /// The most messages waiting and publishers blocked, taken together.
    pub fn max_demand(&self) -> f64 {
        // Publishers are blocked only while the queue is full, so the two peaks coincide.
        self.max_level().value + self.max_blocked().value
    }

    /// The greatest age of the oldest waiting message.
    pub fn max_lag(&self) -> Peak {
        self.peak(LAG)
    }

    /// When the queue is first full; `None` for never.
    pub fn first_full(&self) -> Option<f64> {
        let full = self.stretches.iter().find(|stretch| stretch.full)?;
        Some(to_f64(&full.from))
    }

    /// When the queue becomes empty for good, as far as it was followed; `None` when it ends with
    /// messages waiting, 0 when none ever waited.
    pub fn empties_at(&self) -> Option<f64> {
        self.clear_for_good(|stretch| stretch.level.is_zero() && !stretch.filling.is_positive())
    }

    /// When the last blocked publisher gets through or gives up; as [`Self::empties_at`].
    pub fn unblocked_at(&self) -> Option<f64> {
        self.clear_for_good(|stretch| stretch.blocked.is_zero() && !stretch.blocking.is_positive())
    }

    /// The first instant from `after` seconds on at which no message waits and nobody is blocked.
    pub fn drained_at(&self, after: f64) -> Option<f64> {
        let after = from_f64(after.max(0.0));
        if self.end.as_ref().is_some_and(|end| after > *end) {
            return None;
        }
        let place = self.place(&after);
        let now = &self.stretches[place];
        let seconds = &after - &now.from;
        let clear = |value: &Exact, slope: &Exact| (value + slope * &seconds).is_zero();
        if clear(&now.level, &now.filling) && clear(&now.blocked, &now.blocking) {
            return Some(to_f64(&after));
        }
        let drained = self.stretches[place + 1..]
            .iter()
            .find(|stretch| stretch.is_clear())?;
        Some(to_f64(&drained.from))
    }

    /// The counts over the whole time.
    pub fn totals(&self) -> Totals {
        Totals {
            offered: self.total(|flows| &flows.offered),
            accepted: self.total(|flows| &flows.accepted),
            served: self.total(|flows| &flows.served),
            rejected: self.total(|flows| &flows.rejected),
            expired: self.total(|flows| &flows.expired),
            dropped: self.total(|flows| &flows.dropped),
            timed_out: self.total(|flows| &flows.timed_out),
            blocked_ever: self.total(|flows| &flows.newly_blocked),
            blocked_publisher_seconds: self.blocked_seconds(),
        }
    }

    /// The rate of rejection at the end, per second.
    pub fn final_reject_rate(&self) -> f64 {
        self.stretches
            .last()
            .map_or(0.0, |last| to_f64(&last.flows.rejected))
    }

    /// The longest time blocked among the publishers whose wait has ended: `None` when there is
    /// none or the order is random.
    pub fn longest_block(&self) -> Option<f64> {
        self.stretches
            .iter()
            .filter_map(|stretch| stretch.longest_block)
            .max_by(f64::total_cmp)
    }

    /// The instants at which a rate changes, for a plot.
    pub fn breakpoints(&self) -> impl Iterator<Item = Breakpoint> + '_ {
        self.stretches.iter().map(|stretch| Breakpoint {
            at_s: to_f64(&stretch.from),
            level: to_f64(&stretch.level),
            lag_s: to_f64(&stretch.lag),
            blocked: to_f64(&stretch.blocked),
        })
    }

    /// The rate at which consumers take messages, from each change on.
    pub fn served(&self) -> Vec<Segment> {
        let mut segments: Vec<Segment> = Vec::new();
        for stretch in &self.stretches {
            let rate = to_f64(&stretch.flows.served);
            let last = segments.last().map(|last| last.rate.to_bits());
            if last != Some(rate.to_bits()) {
                let from_s = to_f64(&stretch.from);
                segments.push(Segment { from_s, rate });
            }
        }
        segments
    }

    /// The same history, followed to `t` seconds only. The longest block of a stretch that is cut
    /// short stays that of the whole stretch.
    #[must_use]
    pub fn until(&self, t: f64) -> Self {
        let t = from_f64(t.max(0.0));
        if self.end.as_ref().is_some_and(|end| *end <= t) {
            return self.clone();
        }
        let kept = self.stretches.partition_point(|stretch| stretch.from < t);
        Self {
            stretches: self.stretches[..kept.max(1)].to_vec(),
            end: Some(t),
        }
    }

    /// The stretch in which an instant lies.
    fn place(&self, t: &Exact) -> usize {
        self.stretches
            .partition_point(|stretch| stretch.from <= *t)
            .max(1)
            - 1
    }

    fn value_at(&self, t: f64, line: Line) -> f64 {
        let t = from_f64(t.max(0.0));
        let t = self
            .end
            .as_ref()
            .map_or(t.clone(), |end| t.clone().min(end.clone()));
        let stretch = &self.stretches[self.place(&t)];
        let (value, slope) = line(stretch);
        to_f64(&(value + slope * (t - &stretch.from)))
    }

    /// Each stretch with its length; `None` for the one that lasts for ever.
    fn lengths(&self) -> impl Iterator<Item = (&Stretch, Option<Exact>)> {
        self.stretches.iter().enumerate().map(|(place, stretch)| {
            let next = self
                .stretches
                .get(place + 1)
                .map(|next| &next.from)
                .or(self.end.as_ref());
            (stretch, next.map(|next| next - &stretch.from))
        })
    }

    fn peak(&self, line: Line) -> Peak {
        let mut peak = (Exact::zero(), Exact::zero());
        for (stretch, length) in self.lengths() {
            let (value, slope) = line(stretch);
            if *value > peak.0 {
                peak = (value.clone(), stretch.from.clone());
            }
            let Some(length) = length else {
                if slope.is_positive() {
                    return Peak {
                        value: f64::INFINITY,
                        at_s: f64::INFINITY,
                    };
                }
                break;
            };
            // An age may jump down at the end of a stretch, so both ends count.
            let last = value + slope * &length;
            if last > peak.0 {
                peak = (last, &stretch.from + length);
            }
        }
        Peak {
            value: to_f64(&peak.0),
            at_s: to_f64(&peak.1),
        }
    }

    fn total(&self, rate: fn(&Flows) -> &Exact) -> f64 {
        let mut total = Exact::zero();
        for (stretch, length) in self.lengths() {
            let rate = rate(&stretch.flows);
            match length {
                Some(length) => total += rate * length,
                None if rate.is_positive() => return f64::INFINITY,
                None => {}
            }
        }
        to_f64(&total)
    }

    fn blocked_seconds(&self) -> f64 {
        let mut total = Exact::zero();
        for (stretch, length) in self.lengths() {
            let (value, slope) = BLOCKED(stretch);
            match length {
                Some(length) => {
                    total += (value * Exact::from_integer(2.into()) + slope * &length) * length;
                }
                None if value.is_positive() || slope.is_positive() => return f64::INFINITY,
                None => {}
            }
        }
        to_f64(&(total / Exact::from_integer(2.into())))
    }

    /// The beginning of the run of stretches at the end for all of which `idle` holds.
    fn clear_for_good(&self, idle: fn(&Stretch) -> bool) -> Option<f64> {
        let busy = self.stretches.iter().rposition(|stretch| !idle(stretch));
        let first_idle = busy.map_or(0, |place| place + 1);
        self.stretches
            .get(first_idle)
            .map(|stretch| to_f64(&stretch.from))
    }
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "equal fractions round to equal numbers")]
mod tests {
    use super::super::{Bound, Inputs, OnFull, Segment, run};

    #[test]
    fn a_history_can_be_cut_and_passed_on() {
        let at = |from_s, rate| Segment { from_s, rate };
        let history = run(&Inputs {
            arrivals: vec![at(0.0, 10.0)],
            capacity: vec![at(10.0, 30.0)],
            bound: Bound::Unlimited,
            on_full: OnFull::Reject,
            retention: None,
            horizon_s: f64::INFINITY,
        })
        .unwrap();
        // 100 wait at 10 s and drain at 20/s until 15 s.
        let served = [at(0.0, 0.0), at(10.0, 30.0), at(15.0, 10.0)];
        assert_eq!(history.served(), served);
        let cut = history.until(12.0);
        assert_eq!(cut.totals().offered, 120.0);
        assert_eq!(cut.totals().served, 60.0);
        assert_eq!(cut.max_level().value, 100.0);
        assert_eq!(history.until(5.0).max_level().value, 50.0);
        assert_eq!(history.until(0.0).totals().offered, 0.0);
        assert_eq!(cut.until(100.0).totals().offered, 120.0);
    }
}
