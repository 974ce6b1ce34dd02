//! The solver: what waits and who is blocked, from one change of rates to the next.
//!
//! Between two changes every rate is constant, so every level and every age is a straight line and
//! the next change is a fraction. A change is a new segment, a level that reaches 0 or the bound,
//! or an end of a line that moves into fluid which joined at another rate. It holds no results:
//! each stretch goes to the [`Trajectory`].

use num_traits::{Signed, Zero};

use crate::exact::{Exact, at_least_zero, from_f64};

use super::line::{Line, Turnover};
use super::rates::Schedule;
use super::trajectory::{Flows, Stretch, Trajectory};
use super::{Admission, Bound, Inputs, NoFlow, OnFull};

/// A history with more changes than this, and than several for each segment given, does not settle.
const MOST_STRETCHES: usize = 20_000;

/// Follows the backlog from an empty queue at 0 to the horizon.
///
/// # Errors
/// The numbers cannot be used, no fluid model is known (random order with a timeout), or without a
/// horizon the history repeats itself for ever.
pub fn run(inputs: &Inputs) -> Result<Trajectory, NoFlow> {
    let mut flow = Flow::new(inputs)?;
    let most = MOST_STRETCHES + 8 * (inputs.arrivals.len() + inputs.capacity.len());
    let mut stretches = Vec::new();
    loop {
        if stretches.len() == most {
            return Err(NoFlow::because(format!(
                "the rates have changed {most} times by {:.3} s without settling",
                crate::exact::to_f64(&flow.now)
            )));
        }
        let (stretch, lasts) = flow.stretch()?;
        stretches.push(stretch);
        match lasts {
            None => return Ok(Trajectory::new(stretches, None)),
            Some(seconds) if seconds.is_zero() => {
                return Ok(Trajectory::new(stretches, Some(flow.now)));
            }
            Some(seconds) => flow.advance(&seconds),
        }
    }
}

/// The state at one instant.
struct Flow {
    arrivals: Schedule,
    capacity: Schedule,
    bound: Option<Exact>,
    on_full: OnFull,
    horizon: Option<Exact>,
    now: Exact,
    queue: Line,
    pool: Line,
    queue_turnover: Turnover,
    pool_turnover: Turnover,
}

/// How a full queue shares what comes and what has come before.
struct Shares {
    accepted: Exact,
    pool: Turnover,
    timed_out: Exact,
    /// How fast publishers become blocked, if only for a moment.
    newly_blocked: Exact,
}

impl Flow {
    fn new(inputs: &Inputs) -> Result<Self, NoFlow> {
        let positive = |number: f64, what: &str| {
            if number.is_finite() && number > 0.0 {
                Ok(from_f64(number))
            } else {
                Err(NoFlow::because(format!(
                    "{what} must be finite and above 0, not {number}"
                )))
            }
        };
        let bound = match inputs.bound {
            Bound::Unlimited => None,
            Bound::Messages(bound) => Some(positive(bound, "the bound")?),
        };
        let timeout = match inputs.on_full {
            OnFull::Block { timeout, .. } => timeout,
            OnFull::Reject | OnFull::DropOldest => None,
        };
        let retention = inputs
            .retention
            .map(|age| positive(age, "the retention"))
            .transpose()?;
        let timeout = timeout
            .map(|age| positive(age, "the timeout"))
            .transpose()?;
        let horizon = if inputs.horizon_s.is_infinite() {
            None
        } else {
            Some(positive(inputs.horizon_s, "the horizon")?)
        };
        Ok(Self {
            arrivals: Schedule::new(&inputs.arrivals, "arrivals")?,
            capacity: Schedule::new(&inputs.capacity, "capacity")?,
            bound,
            on_full: inputs.on_full,
            horizon,
            now: Exact::zero(),
            queue: Line::new(retention),
            pool: Line::new(timeout),
            queue_turnover: Turnover::still(),
            pool_turnover: Turnover::still(),
        })
    }

    /// Sets the rates from now on; returns them, and how many seconds they last.
    fn stretch(&mut self) -> Result<(Stretch, Option<Exact>), NoFlow> {
        let flows = self.flows()?;
        self.queue.open(&self.now, &self.queue_turnover.joins);
        self.pool.open(&self.now, &self.pool_turnover.joins);
        let lasts = self.lasts();
        let stretch = Stretch {
            from: self.now.clone(),
            level: self.queue.amount().clone(),
            filling: self.queue_turnover.net(),
            lag: self.queue.age_at_head(&self.now),
            aging: self.queue.aging_at_head(&self.queue_turnover),
            blocked: self.pool.amount().clone(),
            blocking: self.pool_turnover.net(),
            longest_block: self.longest_block(&flows, lasts.as_ref()),
            full: self.is_full(),
            flows,
        };
        Ok((stretch, lasts))
    }

    /// The rates at this instant, which it keeps for both lines.
    fn flows(&mut self) -> Result<Flows, NoFlow> {
        let offered = self.arrivals.rate_at(&self.now);
        let capacity = self.capacity.rate_at(&self.now);
        let mut flows = Flows {
            offered: offered.clone(),
            ..Flows::none()
        };
        self.pool_turnover = Turnover::still();
        if self.queue.is_empty() && offered <= capacity {
            // It passes through. A queue that holds nothing has no head, so its line stays shut.
            self.queue_turnover = Turnover::still();
            flows.accepted = offered.clone();
            flows.served = offered;
            return Ok(flows);
        }
        flows.expired = at_least_zero(self.queue.overdue(&self.now) - &capacity);
        let room = &capacity + &flows.expired;
        flows.served = capacity;
        flows.accepted = offered.clone();
        if self.is_full() {
            match self.on_full {
                OnFull::Reject => {
                    flows.rejected = at_least_zero(&offered - &room);
                    flows.accepted -= &flows.rejected;
                }
                OnFull::DropOldest => flows.dropped = at_least_zero(&offered - &room),
                OnFull::Block { admission, .. } => {
                    let shares = self.shares(admission, &offered, &room)?;
                    flows.accepted = shares.accepted;
                    flows.timed_out = shares.timed_out;
                    flows.newly_blocked = shares.newly_blocked;
                    self.pool_turnover = shares.pool;
                }
            }
        }
        self.queue_turnover = Turnover {
            joins: flows.accepted.clone(),
            leaves_head: room + &flows.dropped,
            leaves_tail: Exact::zero(),
        };
        Ok(flows)
    }

    /// Who gets `room`, the rate at which slots come free in a full queue.
    fn shares(&self, order: Admission, offered: &Exact, room: &Exact) -> Result<Shares, NoFlow> {
        let zero = Exact::zero;
        if self.pool.is_empty() && offered <= room {
            let accepted = offered.clone();
            return Ok(Shares {
                accepted,
                pool: Turnover::still(),
                timed_out: zero(),
                newly_blocked: zero(),
            });
        }
        let overdue = self.pool.overdue(&self.now);
        let newcomers_left = at_least_zero(offered - room);
        let slots_left = at_least_zero(room - offered);
        let beyond = |slots: &Exact| at_least_zero(&overdue - slots);
        let (joins, admitted, popped, timed_out, newly_blocked) = match order {
            Admission::Random if self.pool.has_limit() => {
                return Err(NoFlow::because(
                    "with blocked publishers admitted in random order, who times out is a matter \
                     of chance; leave the timeout away to see the levels without it",
                ));
            }
            Admission::Fifo | Admission::Random => (
                offered.clone(),
                room.clone(),
                zero(),
                beyond(room),
                offered.clone(),
            ),
            Admission::NewcomersFirst => {
                let timed_out = beyond(&slots_left);
                (
                    newcomers_left.clone(),
                    slots_left,
                    zero(),
                    timed_out,
                    newcomers_left,
                )
            }
            Admission::Lifo => (newcomers_left, zero(), slots_left, overdue, offered.clone()),
        };
        let pool = Turnover {
            joins,
            leaves_head: admitted + &timed_out,
            leaves_tail: popped,
        };
        Ok(Shares {
            accepted: room.clone(),
            pool,
            timed_out,
            newly_blocked,
        })
    }

    fn is_full(&self) -> bool {
        self.bound.as_ref() == Some(self.queue.amount())
    }

    /// Seconds until some rate may change: 0 at the horizon, and only there.
    fn lasts(&self) -> Option<Exact> {
        let filling = self.queue_turnover.net();
        let full = self.bound.as_ref().filter(|_| filling.is_positive());
        let instants = [
            self.arrivals.next_after(&self.now),
            self.capacity.next_after(&self.now),
        ];
        [
            full.map(|bound| (bound - self.queue.amount()) / &filling),
            self.queue.next_change(&self.now, &self.queue_turnover),
            self.pool.next_change(&self.now, &self.pool_turnover),
            self.horizon.as_ref().map(|horizon| horizon - &self.now),
        ]
        .into_iter()
        .chain(instants.map(|instant| instant.map(|instant| instant - &self.now)))
        .flatten()
        .min()
    }

    /// The longest wait among the publishers whose wait ends in this stretch; infinite when that
    /// goes on growing, and unknown in random order.
    fn longest_block(&self, flows: &Flows, lasts: Option<&Exact>) -> Option<f64> {
        let OnFull::Block { admission, .. } = self.on_full else {
            return None;
        };
        let (age, aging, leaves) = match admission {
            Admission::Random => return None,
            Admission::Fifo | Admission::NewcomersFirst => {
                let turnover = &self.pool_turnover;
                let aging = self.pool.aging_at_head(turnover);
                (
                    self.pool.age_at_head(&self.now),
                    aging,
                    &turnover.leaves_head,
                )
            }
            Admission::Lifo if flows.timed_out.is_positive() => {
                let aging = self.pool.aging_at_head(&self.pool_turnover);
                (self.pool.age_at_head(&self.now), aging, &flows.timed_out)
            }
            Admission::Lifo => {
                let turnover = &self.pool_turnover;
                let aging = self.pool.aging_at_tail(turnover);
                (
                    self.pool.age_at_tail(&self.now),
                    aging,
                    &turnover.leaves_tail,
                )
            }
        };
        let grown = match lasts {
            Some(seconds) => crate::exact::to_f64(&(&age + aging * seconds)),
            None if aging.is_positive() => f64::INFINITY,
            None => 0.0,
        };
        leaves
            .is_positive()
            .then(|| grown.max(crate::exact::to_f64(&age)))
    }

    fn advance(&mut self, seconds: &Exact) {
        self.queue.advance(&self.now, &self.queue_turnover, seconds);
        self.pool.advance(&self.now, &self.pool_turnover, seconds);
        self.now += seconds;
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Segment, ramp};
    use super::*;

    fn at(from_s: f64, rate: f64) -> Segment {
        Segment { from_s, rate }
    }

    fn inputs(arrivals: f64, capacity: Vec<Segment>) -> Inputs {
        Inputs {
            arrivals: vec![at(0.0, arrivals)],
            capacity,
            bound: Bound::Unlimited,
            on_full: OnFull::Reject,
            retention: None,
            horizon_s: f64::INFINITY,
        }
    }

    fn block(admission: Admission, timeout: Option<f64>) -> OnFull {
        OnFull::Block { admission, timeout }
    }

    #[track_caller]
    fn same(found: f64, expected: f64) {
        let close = (found - expected).abs() <= 1e-12 * expected.abs();
        assert!(close, "expected {expected}, found {found}");
    }

    /// Two rates of 100/s that meet an outage of 60 s; nothing may wait longer than 40 s.
    #[test]
    fn retention_lets_the_head_go() {
        let history = run(&Inputs {
            retention: Some(40.0),
            ..inputs(100.0, vec![at(60.0, 200.0)])
        })
        .unwrap();
        // 4000 after 40 s, and as many leave by age as come until 60 s: 2000. The rest drains at
        // 100/s.
        same(history.max_level().value, 4000.0);
        same(history.max_lag().value, 40.0);
        same(history.max_lag().at_s, 40.0);
        same(history.totals().expired, 2000.0);
        same(history.level_at(50.0), 4000.0);
        same(history.lag_at(80.0), 20.0);
        same(history.empties_at().unwrap(), 100.0);
    }

    #[test]
    fn retention_holds_an_overload_at_its_age() {
        let history = run(&Inputs {
            retention: Some(50.0),
            horizon_s: 200.0,
            ..inputs(100.0, vec![at(0.0, 60.0)])
        })
        .unwrap();
        // The head ages by 0.4 s a second, so it is 50 s old at 125 s; then 40/s expire.
        same(history.lag_at(100.0), 40.0);
        same(history.level_at(200.0), 5000.0);
        same(history.totals().expired, 3000.0);
        same(history.totals().served, 12_000.0);
        assert_eq!(history.empties_at(), None);
    }

    #[test]
    fn what_a_full_queue_refused_is_missing_when_its_age_comes() {
        let bounded = Inputs {
            bound: Bound::Messages(500.0),
            retention: Some(100.0),
            horizon_s: 200.0,
            ..inputs(10.0, vec![])
        };
        let history = run(&bounded).unwrap();
        // Full from 50 s on; from 100 to 150 s each that expires makes room for one; then nothing
        // expires, for nothing was accepted from 50 to 100 s.
        let totals = history.totals();
        same(totals.expired, 500.0);
        same(totals.accepted, 1000.0);
        same(totals.rejected, 1000.0);
        same(history.lag_at(149.0), 100.0);
        same(history.lag_at(150.0), 50.0);
        // And so on for ever.
        let refusal = run(&Inputs {
            horizon_s: f64::INFINITY,
            ..bounded
        })
        .unwrap_err();
        assert!(refusal.because.contains("without settling"), "{refusal}");
    }

    #[test]
    fn random_order_has_levels_but_no_timeouts() {
        let blocked = |timeout| Inputs {
            bound: Bound::Messages(100_000.0),
            on_full: block(Admission::Random, timeout),
            ..inputs(1200.0, vec![at(90.0, 1500.0)])
        };
        let history = run(&blocked(None)).unwrap();
        same(history.max_blocked().value, 8000.0);
        same(history.unblocked_at().unwrap(), 350.0 / 3.0);
        assert_eq!(history.longest_block(), None);
        assert!(run(&blocked(Some(30.0))).is_err());
    }

    #[test]
    fn the_oldest_make_room() {
        let history = run(&Inputs {
            bound: Bound::Messages(500.0),
            on_full: OnFull::DropOldest,
            horizon_s: 60.0,
            ..inputs(100.0, vec![at(0.0, 20.0)])
        })
        .unwrap();
        // Full at 500/80 = 6.25 s, then 80/s are dropped and everything left is 5 s old at most.
        same(history.first_full().unwrap(), 6.25);
        same(history.totals().dropped, 80.0 * 53.75);
        same(history.lag_at(60.0), 5.0);
    }

    #[test]
    fn a_ramp_is_right_at_its_edges() {
        let history = run(&Inputs {
            arrivals: ramp(at(0.0, 0.0), at(100.0, 200.0), 10),
            ..inputs(0.0, vec![])
        });
        let history = history.unwrap();
        // The rate is 2 t, so t^2 have come.
        for edge in [10.0, 50.0, 100.0] {
            same(history.level_at(edge), edge * edge);
        }
        // In the middle of a step of rise 20/s and width 10 s: at most 20 x 10/8 off.
        same(history.level_at(55.0), 3025.0 + 25.0);
    }

    #[test]
    fn drained_is_asked_from_an_instant_on() {
        let history = run(&inputs(1200.0, vec![at(60.0, 1500.0)])).unwrap();
        assert_eq!(history.drained_at(0.0), Some(0.0));
        assert_eq!(history.drained_at(60.0), Some(300.0));
        assert_eq!(history.drained_at(1000.0), Some(1000.0));
    }

    #[test]
    fn unusable_numbers_are_refused() {
        let nothing = inputs(1.0, vec![]);
        for bad in [
            Inputs {
                bound: Bound::Messages(0.0),
                ..nothing.clone()
            },
            Inputs {
                retention: Some(-1.0),
                ..nothing.clone()
            },
            Inputs {
                horizon_s: 0.0,
                ..nothing.clone()
            },
            Inputs {
                horizon_s: f64::NAN,
                ..nothing.clone()
            },
            Inputs {
                on_full: block(Admission::Fifo, Some(0.0)),
                ..nothing.clone()
            },
            Inputs {
                arrivals: vec![at(0.0, f64::INFINITY)],
                ..nothing.clone()
            },
        ] {
            assert!(run(&bad).is_err(), "{bad:?}");
        }
    }
}
