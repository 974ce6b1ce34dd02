//! Closed forms for one outage: no consumer works from 0 to its end, then all do.
//!
//! With arrivals at rate l, a fleet of capacity m, an outage of T seconds, a bound of K waiting
//! messages and headroom h = m - l, the backlog at the end is B = min(l T, K) and drains in B/h.
//! Who waits how long when publishers block depends on who gets a freed slot; the levels do not.
//! Elementary derivations; the solver of [`super::run`] knows none of them, and a test holds the
//! two together. Not a history of rates, nor a share of the fleet: that is the solver's.

use num_traits::{One, Signed, Zero};

use crate::exact::{Exact, at_least_zero, from_f64, to_f64, whole};

use super::{Admission, Bound, NoFlow};

/// One outage of a whole fleet, with an empty queue before it and steady arrivals throughout.
#[derive(Clone, Debug)]
pub struct Outage {
    arrivals: Exact,
    service: Exact,
    capacity: Exact,
    lasts: Exact,
    bound: Option<Exact>,
}

/// What becomes of the publishers of one outage when they wait for a slot. An instant or a time is
/// `None` when it never comes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Blocking {
    /// The most publishers blocked at once.
    pub at_once: f64,
    /// Publishers ever blocked, if only for a moment.
    pub ever: f64,
    /// Publishers that gave up; an expectation, to first order, in random order. `None` where no
    /// closed form is known: random order with a timeout shorter than the time the queue is full
    /// within the outage.
    pub timed_out: Option<f64>,
    /// The longest time blocked, in seconds; `None` in random order.
    pub longest: Option<f64>,
    /// Time spent blocked, over all publishers, in seconds; `None` when a timeout cuts some short.
    pub publisher_seconds: Option<f64>,
    /// When nobody is blocked any more.
    pub unblocked_at: Option<f64>,
    /// When no message waits any more.
    pub empties_at: Option<f64>,
}

impl Blocking {
    /// The mean time blocked of those who were blocked, in seconds.
    pub fn mean(&self) -> Option<f64> {
        self.publisher_seconds
            .filter(|_| self.ever > 0.0)
            .map(|seconds| seconds / self.ever)
    }
}

impl Outage {
    /// `arrivals` per second to `consumers` that need `service_s` seconds a message, and an outage
    /// of `outage_s` seconds.
    ///
    /// # Errors
    /// A number is not finite, or not above 0 (the outage may be 0).
    pub fn new(
        arrivals: f64,
        service_s: f64,
        consumers: u64,
        outage_s: f64,
        bound: Bound,
    ) -> Result<Self, NoFlow> {
        let positive = |number: f64, what: &str| {
            let usable = number.is_finite() && number > 0.0;
            let reason = || NoFlow::because(format!("{what} must be above 0, not {number}"));
            usable.then(|| from_f64(number)).ok_or_else(reason)
        };
        let service = positive(service_s, "the service time")?;
        Ok(Self {
            arrivals: positive(arrivals, "the arrival rate")?,
            capacity: whole(consumers) / &service,
            service,
            lasts: if outage_s == 0.0 {
                Exact::zero()
            } else {
                positive(outage_s, "the outage")?
            },
            bound: match bound {
                Bound::Unlimited => None,
                Bound::Messages(bound) => Some(positive(bound, "the bound")?),
            },
        })
    }

    /// The same outage with another number of consumers.
    #[must_use]
    pub fn with_consumers(&self, consumers: u64) -> Self {
        Self {
            capacity: whole(consumers) / &self.service,
            ..self.clone()
        }
    }

    /// Publishes meant to happen during the outage: l T.
    pub fn offered(&self) -> f64 {
        to_f64(&self.offered_exactly())
    }

    /// Messages waiting at its end: min(l T, K).
    pub fn backlog(&self) -> f64 {
        to_f64(&self.backlog_exactly())
    }

    /// When the queue is full: K/l; `None` when the outage ends first.
    pub fn full_at(&self) -> Option<f64> {
        self.bound
            .as_ref()
            .map(|bound| bound / &self.arrivals)
            .filter(|at| *at <= self.lasts)
            .as_ref()
            .map(to_f64)
    }

    /// Publishes refused, when publishers do not wait: l T - K.
    pub fn rejected(&self) -> f64 {
        to_f64(&self.beyond_bound())
    }

    /// The share of the publishes during the outage that is refused.
    pub fn rejected_share(&self) -> f64 {
        match self.offered_exactly() {
            none if none.is_zero() => 0.0,
            offered => to_f64(&(self.beyond_bound() / offered)),
        }
    }

    /// The greatest age of the oldest message, at the end of the outage: T.
    pub fn max_lag(&self) -> f64 {
        to_f64(&self.lasts)
    }

    /// Seconds from the end of the outage until no message waits, when publishers do not: B/h.
    /// `None` for never.
    pub fn drain(&self) -> Option<f64> {
        self.drain_exactly().as_ref().map(to_f64)
    }

    /// When no message waits, if publishers do not: T + B/h.
    pub fn empties_at(&self) -> Option<f64> {
        self.drain_exactly()
            .map(|drain| to_f64(&(&self.lasts + drain)))
    }

    /// The age of the oldest message when `share` of the drain time has passed, when publishers do
    /// not wait. After u seconds it is T - h u/l; once the K messages of before the queue was full
    /// are gone it is shorter by T - K/l, since nothing was accepted in that time.
    pub fn lag_after_share(&self, share: f64) -> Option<f64> {
        if !(0.0..=1.0).contains(&share) {
            return None;
        }
        let passed = self.drain_exactly()? * from_f64(share);
        let lag = &self.lasts - self.headroom() * &passed / &self.arrivals;
        let past_gap = &self.capacity * &passed >= self.backlog_exactly();
        Some(to_f64(&if past_gap { lag - self.full_for() } else { lag }))
    }

    /// Publishers that wait for a slot, at most `timeout` seconds.
    ///
    /// `None` where the fleet has no headroom: then [`super::run`] says what happens.
    pub fn blocking(&self, admission: Admission, timeout: Option<f64>) -> Option<Blocking> {
        let headroom = self.headroom();
        if !headroom.is_positive() {
            return None;
        }
        let timeout = timeout.map(from_f64);
        let (gap, beyond) = (self.full_for(), self.beyond_bound());
        let cut = |wait: Exact| {
            timeout
                .clone()
                .map_or(wait.clone(), |timeout| wait.min(timeout))
        };
        let pool = cut(gap.clone()) * &self.arrivals;
        let drain = &pool / &headroom;
        let clears = self.clears(admission, &pool, timeout.as_ref());
        let longest = match admission {
            Admission::Fifo => Some(gap.clone()),
            Admission::NewcomersFirst => Some(gap.clone().max(&beyond / &headroom)),
            Admission::Lifo => Some(&gap + &beyond / &headroom),
            Admission::Random => None,
        };
        let unblocked_at = &self.lasts + &clears;
        let kept_waiting = match admission {
            Admission::NewcomersFirst => beyond.clone(),
            Admission::Fifo | Admission::Lifo | Admission::Random => {
                (&gap + &clears) * &self.arrivals
            }
        };
        let timed_out = self.timed_out(admission, timeout.as_ref(), &clears, &pool);
        let chance = admission == Admission::Random && timeout.is_some();
        let nobody_gave_up = !chance && beyond == &headroom * &clears;
        let seconds = || to_f64(&(&pool * (&gap + &drain) / whole(2)));
        let full_until = if beyond.is_zero() {
            &self.lasts
        } else {
            &unblocked_at
        };
        Some(Blocking {
            at_once: to_f64(&pool),
            ever: if beyond.is_zero() {
                0.0
            } else {
                to_f64(&kept_waiting)
            },
            timed_out,
            longest: longest.map(|longest| to_f64(&cut(longest))),
            publisher_seconds: nobody_gave_up.then(seconds),
            unblocked_at: beyond.is_positive().then(|| to_f64(&unblocked_at)),
            empties_at: Some(to_f64(&(full_until + self.backlog_exactly() / headroom))),
        })
    }

    /// How long after the outage the last of `pool` blocked publishers is gone.
    ///
    /// The pool falls by h. In order of arrival nobody times out any more, for the head gets
    /// younger. With newcomers first the head, served at h, gets older while h < l, and the last to
    /// block before T gives up at T + timeout. In reversed order the oldest leave at the rate l at
    /// which they came, and the two ends meet after timeout l/(l + h).
    fn clears(&self, admission: Admission, pool: &Exact, timeout: Option<&Exact>) -> Exact {
        let headroom = self.headroom();
        let drain = pool / &headroom;
        match (admission, timeout) {
            (Admission::Fifo | Admission::Random, _) | (_, None) => drain,
            (Admission::NewcomersFirst, Some(timeout)) => drain.min(timeout.clone()),
            (Admission::Lifo, Some(timeout)) => {
                drain.min(timeout * &self.arrivals / (&self.arrivals + headroom))
            }
        }
    }

    /// All that blocked beyond the slots which came free for them until the pool was empty.
    fn timed_out(
        &self,
        admission: Admission,
        timeout: Option<&Exact>,
        clears: &Exact,
        pool: &Exact,
    ) -> Option<f64> {
        let Some(timeout) = timeout else {
            return Some(0.0);
        };
        match admission {
            Admission::Fifo => Some(to_f64(&(self.beyond_bound() - pool))),
            Admission::NewcomersFirst | Admission::Lifo => {
                Some(to_f64(&(self.beyond_bound() - self.headroom() * clears)))
            }
            Admission::Random => self.timed_out_at_random(timeout),
        }
    }

    /// The expected number of time-outs in random order, to first order (those who time out are
    /// taken not to lighten the pool): l N/(m + h) (1 - h (timeout - g)/N)^(m/h + 1).
    fn timed_out_at_random(&self, timeout: &Exact) -> Option<f64> {
        let (gap, beyond, headroom) = (self.full_for(), self.beyond_bound(), self.headroom());
        if beyond.is_zero() {
            return Some(0.0);
        }
        if *timeout < gap {
            return None;
        }
        let left = at_least_zero(Exact::one() - &headroom * (timeout - gap) / &beyond);
        let scale = &self.arrivals * beyond / (&self.capacity + &headroom);
        let power = &self.capacity / headroom + Exact::one();
        Some(to_f64(&scale) * to_f64(&left).powf(to_f64(&power)))
    }

    /// The fewest consumers, not rounded, that drain the backlog within `target_s` seconds:
    /// (l + B/D) S.
    pub fn consumers_to_drain_within(&self, target_s: f64) -> f64 {
        to_f64(&self.consumers_exactly(target_s))
    }

    /// The same, as a whole number. The ceiling is taken of a fraction: of a product in floating
    /// point it would be one too many in one case of twelve.
    pub fn fleet_to_drain_within(&self, target_s: f64) -> u64 {
        u64::try_from(self.consumers_exactly(target_s).ceil().to_integer()).unwrap_or(u64::MAX)
    }

    fn consumers_exactly(&self, target_s: f64) -> Exact {
        (&self.arrivals + self.backlog_exactly() / from_f64(target_s)) * &self.service
    }

    fn headroom(&self) -> Exact {
        &self.capacity - &self.arrivals
    }

    fn offered_exactly(&self) -> Exact {
        &self.arrivals * &self.lasts
    }

    fn backlog_exactly(&self) -> Exact {
        self.offered_exactly() - self.beyond_bound()
    }

    fn beyond_bound(&self) -> Exact {
        match &self.bound {
            Some(bound) => at_least_zero(self.offered_exactly() - bound),
            None => Exact::zero(),
        }
    }

    /// How long the queue is full before the outage ends: g = T - K/l.
    fn full_for(&self) -> Exact {
        self.beyond_bound() / &self.arrivals
    }

    fn drain_exactly(&self) -> Option<Exact> {
        let headroom = self.headroom();
        headroom
            .is_positive()
            .then(|| self.backlog_exactly() / headroom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn worked_example(consumers: u64) -> Outage {
        Outage::new(1200.0, 0.04, consumers, 90.0, Bound::Messages(100_000.0)).unwrap()
    }

    #[test]
    fn a_fleet_at_break_even_never_drains() {
        assert_eq!(worked_example(48).drain(), None);
        assert_eq!(worked_example(48).blocking(Admission::Fifo, None), None);
        assert_eq!(worked_example(60).drain(), Some(1000.0 / 3.0));
    }

    #[test]
    fn random_order_times_out_in_expectation_only() {
        let outage = worked_example(60);
        let timed_out = |timeout| {
            outage
                .blocking(Admission::Random, Some(timeout))
                .unwrap()
                .timed_out
        };
        // 1200 x 8000/1800 x (1 - 300 x 70/3/8000)^6 = 5333.3 x (1/8)^6.
        let expected = 16_000.0 / 3.0 / 262_144.0;
        assert!((timed_out(30.0).unwrap() - expected).abs() < 1e-12);
        // The queue is full for 6.7 s within the outage.
        assert_eq!(timed_out(5.0), None);
        // After 33.4 s everybody has got in.
        assert_eq!(timed_out(40.0), Some(0.0));
    }

    #[test]
    fn newcomers_first_with_more_headroom_than_arrivals_lets_the_head_get_younger() {
        // 3000/s of headroom serve the 2400 that have waited up to 2 s faster than they age.
        let outage = Outage::new(1200.0, 0.01, 42, 90.0, Bound::Messages(100_000.0)).unwrap();
        let blocking = outage
            .blocking(Admission::NewcomersFirst, Some(2.0))
            .unwrap();
        assert_eq!(blocking.timed_out, Some(5600.0));
        assert_eq!(blocking.unblocked_at, Some(90.8));
    }

    #[test]
    fn the_ceiling_is_of_a_fraction() {
        // Exactly 7; the product in floating point is 7.000000000000001.
        let outage = Outage::new(10.0, 0.07, 0, 540.0, Bound::Messages(5400.0)).unwrap();
        assert_eq!(outage.fleet_to_drain_within(60.0), 7);
    }
}
