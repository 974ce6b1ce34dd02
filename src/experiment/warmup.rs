//! `warmup = "auto"`: where the statistics begin, from a pilot run by MSER-5.
//!
//! The pilot is a replication of its own that is never measured. Its series is the wait of each
//! message, in the order of delivery, queue by queue, averaged over groups of equally many so that
//! memory stays constant (10,000 to 20,000 groups). MSER-5 says how many groups to leave out; the
//! instant at which the last of them was full, the latest of all queues, is the warm-up of every
//! replication: the same for all, and the same for any number of threads.
//!
//! Not a proof of steadiness: a queue that never settles is cut in half, and that is said.

use super::replicate::PILOT;
use crate::model::{Model, QueueId, Table, Warmup};
use crate::sim::{Fact, Recorder, simulate};
use crate::stats::warmup::{Verdict, mser5};
use crate::units::{SimDuration, SimTime};

/// When there are so many groups, neighbours are joined.
const MOST: usize = 20_000;
/// Fewer groups than this are no series.
const LEAST: usize = 100;

/// The model with a warm-up in place of `auto`, and what is to be said of it.
pub(super) fn settle(model: &Model) -> (Model, Vec<String>) {
    let mut settled = model.clone();
    settled.plan.warmup = Warmup::For(SimDuration::ZERO);
    if !model.is_steady() {
        let note = "warm-up: nothing was left out, since `auto` is for a steady state and this \
                    run is disturbed on schedule; give `warmup` a time";
        return (settled, vec![note.to_owned()]);
    }
    let (seen, ..) = simulate(&settled, PILOT, Waits::of(model));
    let (mut end, mut whose, mut notes) = (SimTime::ZERO, None, Vec::new());
    for (id, queue) in model.queues.pairs() {
        let Some((cut, verdict)) = seen.queues[id].cut() else {
            notes.push(format!(
                "warm-up: {} delivered too few messages in the pilot run to find one",
                queue.name
            ));
            continue;
        };
        if cut > end {
            (end, whose) = (cut, Some(&queue.name));
        }
        if verdict == Verdict::NotSettled {
            notes.push(format!(
                "warm-up: {} had not settled in half of the pilot run, so what is measured may \
                 still be on its way; run longer, or give `warmup` a time",
                queue.name
            ));
        }
    }
    let warmup = round_up(end.since(SimTime::ZERO));
    settled.plan.warmup = Warmup::For(warmup);
    notes.insert(
        0,
        match whose {
            Some(name) => format!(
                "warm-up: the first {warmup} are left out, found by MSER-5 in the waits of {name} \
                 in a pilot run"
            ),
            None => "warm-up: nothing had to be left out, by MSER-5 in a pilot run".to_owned(),
        },
    );
    (settled, notes)
}

/// To three digits, upwards.
fn round_up(span: SimDuration) -> SimDuration {
    let mut unit = 1;
    while span.as_nanos() / unit >= 1_000 {
        unit *= 10;
    }
    SimDuration::from_nanos(span.as_nanos().div_ceil(unit) * unit)
}

/// Watches the waits of a run.
#[derive(Debug)]
struct Waits {
    queues: Table<QueueId, Groups>,
}

impl Waits {
    fn of(model: &Model) -> Self {
        Self {
            queues: model.queues.iter().map(|_| Groups::default()).collect(),
        }
    }
}

impl Recorder for Waits {
    #[inline(always)]
    fn observe(&mut self, now: SimTime, fact: &Fact) {
        if let Fact::Delivered {
            queue,
            wait: Some(wait),
            ..
        } = *fact
        {
            self.queues[queue].add(now, wait);
        }
    }
}

/// Waits in groups of equally many: the sum of each in nanoseconds, and when it was full.
#[derive(Debug)]
struct Groups {
    full: Vec<(f64, SimTime)>,
    size: u64,
    held: u64,
    sum: f64,
}

impl Default for Groups {
    fn default() -> Self {
        Self {
            full: Vec::new(),
            size: 1,
            held: 0,
            sum: 0.0,
        }
    }
}

impl Groups {
    fn add(&mut self, now: SimTime, wait: SimDuration) {
        self.sum += wait.as_nanos() as f64;
        self.held += 1;
        if self.held < self.size {
            return;
        }
        self.full.push((self.sum, now));
        (self.sum, self.held) = (0.0, 0);
        if self.full.len() == MOST {
            let joined = |pair: &[(f64, SimTime)]| (pair[0].0 + pair[1].0, pair[1].1);
            self.full = self.full.chunks_exact(2).map(joined).collect();
            self.size *= 2;
        }
    }

    /// When the warm-up is over.
    fn cut(&self) -> Option<(SimTime, Verdict)> {
        if self.full.len() < LEAST {
            return None;
        }
        let series: Vec<f64> = self.full.iter().map(|(sum, _)| *sum).collect();
        let found = mser5(&series)?;
        let last = found.removed.checked_sub(1);
        let end = last.map_or(SimTime::ZERO, |last| self.full[last].1);
        Some((end, found.verdict))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_rounded_up_to_three_digits() {
        let rounded = |nanos| round_up(SimDuration::from_nanos(nanos)).as_nanos();
        assert_eq!([0, 999, 1_000, 1_001].map(rounded), [0, 999, 1_000, 1_010]);
        assert_eq!(rounded(123_456_789), 124_000_000);
    }

    #[test]
    fn a_long_climb_is_cut_where_it_ends_whatever_the_groups() {
        // Waits grow for 30,000 messages, then stay; one message a second.
        for count in [100_000_u64, 600_000] {
            let mut groups = Groups::default();
            for n in 0..count {
                let noise = n * 7_919 % 1_000;
                let wait = SimDuration::from_nanos(n.min(30_000) * 10 + noise);
                groups.add(SimTime::ZERO + SimDuration::from_secs(n), wait);
            }
            assert!(groups.full.len() < MOST);
            let (cut, verdict) = groups.cut().unwrap();
            let cut = cut.as_secs_f64();
            assert!((29_000.0..31_000.0).contains(&cut), "{count}: {cut}");
            assert_eq!(verdict, Verdict::Settled);
        }
    }
}
