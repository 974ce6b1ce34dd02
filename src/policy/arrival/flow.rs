//! A rate that changes in time, piece by piece, and arrivals paced by it: what a schedule and a
//! day have in common.
//!
//! Not a process by itself. With Λ(t) the number of arrivals due up to t, constant pacing puts
//! arrival k at the first instant at which Λ passes k, and Poisson pacing where Λ passes a sum of
//! unit exponentials (inversion of the cumulative rate; Çinlar 1975, cited from memory). On a
//! level piece the time is exact to the nanosecond, as of a constant source (rule A1).

use std::sync::Arc;

use rand::RngExt;
use rand_distr::Exp1;

use super::Next;
use crate::input::{Problems, Read, Value, Variant};
use crate::random::Stream;
use crate::units::{Rate, SimDuration, SimTime};

/// How arrivals follow a changing rate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pacing {
    /// Evenly: one whenever the cumulative rate passes a whole number.
    #[default]
    Constant,
    /// As a Poisson process of that rate.
    Poisson,
}

impl Read for Pacing {
    const EXPECTS: &'static str = "\"constant\" or \"poisson\"";

    fn read(value: &Value, problems: &mut Problems) -> Option<Self> {
        let variant = Variant::of(value, "a pacing", &["constant", "poisson"], problems)?;
        variant.bare(problems);
        Some(match variant.name {
            "poisson" => Self::Poisson,
            _ => Self::Constant,
        })
    }
}

/// The rate on one stretch of time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Course {
    /// It stays the same.
    Level(Rate),
    /// It goes straight from one number of arrivals a second to another.
    Ramp(f64, f64),
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Piece {
    from: SimTime,
    length: SimDuration,
    course: Course,
    /// Arrivals due on it.
    amount: f64,
}

impl Piece {
    /// The time from the start of the piece at which `due` arrivals are due.
    fn when(&self, due: f64) -> SimDuration {
        let span = match self.course {
            Course::Level(rate) => rate.span_of_parts(due as u64, due.fract()),
            Course::Ramp(start, end) => {
                // The smaller root of start · t + slope · t² / 2 = due, without cancellation.
                let slope = (end - start) / self.length.as_secs_f64();
                let root = (start * start + 2.0 * slope * due).max(0.0).sqrt();
                SimDuration::from_secs_rounded(2.0 * due / (start + root))
            }
        };
        span.min(self.length)
    }
}

/// Steps into which a ramp is cut where a flow is asked for.
const RAMP_STEPS: u32 = 32;
/// A flow of more pieces goes on at its mean rate.
const MOST_SEGMENTS: usize = 100_000;

/// A rate in time.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Flow {
    pieces: Arc<[Piece]>,
    /// The time after which it begins again; without one its last piece goes on for ever.
    period: Option<SimDuration>,
}

impl Flow {
    /// The flow of these courses, each from its instant to the next one's, the first from zero.
    pub(super) fn new(courses: &[(SimTime, Course)], period: Option<SimDuration>) -> Self {
        let end = period.map_or(SimTime::MAX, |period| SimTime::ZERO + period);
        let ends = courses.iter().skip(1).map(|(from, _)| *from).chain([end]);
        let pieces = courses.iter().zip(ends).map(|(&(from, course), end)| {
            let length = end.since(from);
            let amount = match course {
                Course::Level(rate) => rate.events_in(length),
                Course::Ramp(start, end) => f64::midpoint(start, end) * length.as_secs_f64(),
            };
            Piece {
                from,
                length,
                course,
                amount,
            }
        });
        let pieces = pieces.filter(|piece| !piece.length.is_zero()).collect();
        Self { pieces, period }
    }

    /// Arrivals due in all (of one period, where it has one).
    pub(super) fn amount(&self) -> f64 {
        self.pieces.iter().map(|piece| piece.amount).sum()
    }

    pub(super) fn source(&self, pacing: Pacing) -> Source {
        Source {
            flow: self.clone(),
            pacing,
            piece: if self.amount() > 0.0 {
                0
            } else {
                self.pieces.len()
            },
            base: SimTime::ZERO,
            due: 0.0,
            step: 0.0,
        }
    }

    /// Rates per second from their instants on, up to `horizon`; a ramp in steps that keep its
    /// amount.
    pub(super) fn segments(&self, horizon: SimTime) -> Vec<(f64, f64)> {
        let mut all = Vec::new();
        let mut base = SimTime::ZERO;
        while base < horizon && all.len() < MOST_SEGMENTS {
            for piece in &*self.pieces {
                let from = base
                    .saturating_add(piece.from.since(SimTime::ZERO))
                    .as_secs_f64();
                match piece.course {
                    Course::Level(rate) => all.push((from, rate.as_per_second())),
                    Course::Ramp(start, end) => all.extend((0..RAMP_STEPS).map(|i| {
                        let part = |offset: f64| (f64::from(i) + offset) / f64::from(RAMP_STEPS);
                        let at = from + piece.length.as_secs_f64() * part(0.0);
                        (at, start + (end - start) * part(0.5))
                    })),
                }
            }
            match self.period {
                Some(period) => base = base.saturating_add(period),
                None => break,
            }
        }
        if let Some(period) = self.period
            && base < horizon
        {
            all.push((base.as_secs_f64(), self.amount() / period.as_secs_f64()));
        }
        all.retain(|(from, _)| *from <= horizon.as_secs_f64());
        all
    }
}

/// One run along a flow.
#[derive(Clone, Debug)]
pub(super) struct Source {
    flow: Flow,
    pacing: Pacing,
    /// The piece of the last arrival, the number of pieces when there are no more.
    piece: usize,
    /// When the current period began.
    base: SimTime,
    /// How much was due on the piece when the last arrival came.
    due: f64,
    /// What constant pacing waits for: nothing at first, then one each.
    step: f64,
}

impl Source {
    pub(super) fn next(&mut self, stream: &mut Stream) -> Option<Next> {
        self.due += match self.pacing {
            Pacing::Constant => std::mem::replace(&mut self.step, 1.0),
            Pacing::Poisson => stream.sample::<f64, _>(Exp1),
        };
        loop {
            let piece = self.flow.pieces.get(self.piece)?;
            if self.due < piece.amount {
                let from = self.base.saturating_add(piece.from.since(SimTime::ZERO));
                let at = from.saturating_add(piece.when(self.due));
                return (at < SimTime::MAX).then_some(Next { at, count: 1 });
            }
            self.due -= piece.amount;
            self.piece += 1;
            if let Some(period) = self.flow.period
                && self.piece == self.flow.pieces.len()
                && self.base < SimTime::MAX
            {
                self.piece = 0;
                self.base = self.base.saturating_add(period);
            }
        }
    }
}
