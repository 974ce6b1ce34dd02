//! Rates that are constant over stretches of time: written down, summed, and read back.
//!
//! A ramp becomes a staircase here, because with rates that grow evenly the instants of interest
//! are roots, not fractions.

use crate::exact::{Exact, from_f64, whole};

use super::NoFlow;

/// From `from_s` on the rate is `rate`, until the next segment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Segment {
    /// When the rate begins, in seconds; not negative.
    pub from_s: f64,
    /// Messages per second; not negative.
    pub rate: f64,
}

/// The sum of several rates: several producers into one queue, several fleets on it.
#[must_use]
pub fn sum(parts: &[Vec<Segment>]) -> Vec<Segment> {
    let mut instants: Vec<f64> = parts
        .iter()
        .flatten()
        .map(|segment| segment.from_s)
        .collect();
    instants.sort_by(f64::total_cmp);
    instants.dedup();
    let rate_at = |part: &[Segment], at: f64| {
        let segment = part.iter().rev().find(|segment| segment.from_s <= at);
        from_f64(segment.map_or(0.0, |segment| segment.rate))
    };
    let total = |at: f64| parts.iter().map(|part| rate_at(part, at)).sum::<Exact>();
    let segment = |at: f64| Segment {
        from_s: at,
        rate: crate::exact::to_f64(&total(at)),
    };
    instants.into_iter().map(segment).collect()
}

/// A rate that grows or falls evenly between two instants, as a staircase of `steps` steps.
///
/// Each step is at the rate of its middle, so the total is right at every edge between two steps,
/// and too high or too low in between by at most an eighth of (rise x width) of one step, where the
/// rise and the width are those of the step.
#[must_use]
pub fn ramp(from: Segment, to: Segment, steps: u32) -> Vec<Segment> {
    let between = |low: f64, high: f64, numer: u64| {
        let share = whole(numer) / whole(2 * u64::from(steps));
        crate::exact::to_f64(&(from_f64(low) + (from_f64(high) - from_f64(low)) * share))
    };
    (0..u64::from(steps))
        .map(|step| Segment {
            from_s: between(from.from_s, to.from_s, 2 * step),
            rate: between(from.rate, to.rate, 2 * step + 1),
        })
        .chain([to])
        .collect()
}

/// What a fleet can do: `handlers` at work at a time, each busy for `service_s` seconds a message.
#[must_use]
pub fn capacity_of(handlers: u64, service_s: f64) -> f64 {
    crate::exact::to_f64(&(whole(handlers) / from_f64(service_s)))
}

/// A list of segments that has been checked, with a place in it.
#[derive(Clone, Debug)]
pub(super) struct Schedule {
    segments: Vec<(Exact, Exact)>,
}

impl Schedule {
    /// Checks that `segments` are in order and their numbers usable; `what` names them.
    pub(super) fn new(segments: &[Segment], what: &str) -> Result<Self, NoFlow> {
        let usable = |x: f64| x.is_finite() && x >= 0.0;
        if !segments
            .iter()
            .all(|segment| usable(segment.from_s) && usable(segment.rate))
        {
            return Err(NoFlow::because(format!(
                "{what} must be finite and not negative, in time and in rate"
            )));
        }
        if !segments.is_sorted_by(|a, b| a.from_s < b.from_s) {
            return Err(NoFlow::because(format!(
                "the segments of {what} must be in order of time"
            )));
        }
        let exact = |segment: &Segment| (from_f64(segment.from_s), from_f64(segment.rate));
        Ok(Self {
            segments: segments.iter().map(exact).collect(),
        })
    }

    /// The rate from `now` on.
    pub(super) fn rate_at(&self, now: &Exact) -> Exact {
        match self.segments.partition_point(|(from, _)| from <= now) {
            0 => whole(0),
            after => self.segments[after - 1].1.clone(),
        }
    }

    /// When the rate next changes, after `now`.
    pub(super) fn next_after(&self, now: &Exact) -> Option<&Exact> {
        let after = self.segments.partition_point(|(from, _)| from <= now);
        self.segments.get(after).map(|(from, _)| from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(from_s: f64, rate: f64) -> Segment {
        Segment { from_s, rate }
    }

    #[test]
    fn producers_add_up_where_either_changes() {
        let steady = vec![at(0.0, 0.1)];
        let burst = vec![at(10.0, 0.2), at(20.0, 0.0)];
        let total = sum(&[steady, burst]);
        // 0.1 + 0.2 is 0.3 here, which it is not in binary.
        assert_eq!(total, vec![at(0.0, 0.1), at(10.0, 0.3), at(20.0, 0.1)]);
    }

    #[test]
    fn a_ramp_has_the_rates_of_the_middles() {
        let stairs = ramp(at(10.0, 100.0), at(30.0, 200.0), 2);
        assert_eq!(
            stairs,
            vec![at(10.0, 125.0), at(20.0, 175.0), at(30.0, 200.0)]
        );
    }

    #[test]
    fn a_list_out_of_order_is_refused() {
        let refusal = Schedule::new(&[at(1.0, 1.0), at(1.0, 2.0)], "arrivals").unwrap_err();
        assert_eq!(
            refusal.because,
            "the segments of arrivals must be in order of time"
        );
        assert!(Schedule::new(&[at(0.0, -1.0)], "arrivals").is_err());
        assert!(Schedule::new(&[at(0.0, f64::NAN)], "arrivals").is_err());
    }
}
