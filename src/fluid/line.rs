//! A line of fluid in the order it joined: the waiting queue, and the pool of blocked publishers.
//!
//! It knows when each part joined, so that it can tell the age of either end. It decides no rate:
//! `flow` does, and asks the line when its rates will have to change.

use std::collections::VecDeque;

use num_traits::{One, Signed, Zero};

use crate::exact::Exact;

/// What joined between two instants, at a constant rate.
#[derive(Clone, Debug)]
struct Parcel {
    from: Exact,
    to: Exact,
    rate: Exact,
}

impl Parcel {
    fn amount(&self) -> Exact {
        (&self.to - &self.from) * &self.rate
    }
}

/// How fast a line is being filled at its tail and emptied at either end, per second.
#[derive(Clone, Debug)]
pub(super) struct Turnover {
    pub(super) joins: Exact,
    pub(super) leaves_head: Exact,
    pub(super) leaves_tail: Exact,
}

impl Turnover {
    pub(super) fn still() -> Self {
        Self {
            joins: Exact::zero(),
            leaves_head: Exact::zero(),
            leaves_tail: Exact::zero(),
        }
    }

    pub(super) fn net(&self) -> Exact {
        &self.joins - &self.leaves_head - &self.leaves_tail
    }
}

/// Fluid waiting in order, the oldest at the head. Nothing in it stays longer than `limit` seconds.
#[derive(Clone, Debug)]
pub(super) struct Line {
    parcels: VecDeque<Parcel>,
    amount: Exact,
    limit: Option<Exact>,
}

impl Line {
    pub(super) fn new(limit: Option<Exact>) -> Self {
        Self {
            parcels: VecDeque::new(),
            amount: Exact::zero(),
            limit,
        }
    }

    pub(super) fn amount(&self) -> &Exact {
        &self.amount
    }

    pub(super) fn is_empty(&self) -> bool {
        self.amount.is_zero()
    }

    pub(super) fn has_limit(&self) -> bool {
        self.limit.is_some()
    }

    /// The age of the oldest, 0 when nobody waits.
    pub(super) fn age_at_head(&self, now: &Exact) -> Exact {
        self.parcels
            .front()
            .map_or_else(Exact::zero, |head| now - &head.from)
    }

    /// The age of the youngest, 0 when nobody waits.
    pub(super) fn age_at_tail(&self, now: &Exact) -> Exact {
        self.parcels
            .back()
            .map_or_else(Exact::zero, |tail| now - &tail.to)
    }

    /// How fast the age of the oldest grows, in seconds per second.
    pub(super) fn aging_at_head(&self, turnover: &Turnover) -> Exact {
        self.parcels.front().map_or_else(Exact::zero, |head| {
            Exact::one() - &turnover.leaves_head / &head.rate
        })
    }

    /// How fast the age of the youngest grows while nobody joins, in seconds per second.
    pub(super) fn aging_at_tail(&self, turnover: &Turnover) -> Exact {
        self.parcels.back().map_or_else(Exact::zero, |tail| {
            Exact::one() + &turnover.leaves_tail / &tail.rate
        })
    }

    /// The rate at which the head must leave for nobody to stay beyond the limit.
    pub(super) fn overdue(&self, now: &Exact) -> Exact {
        match (&self.limit, self.parcels.front()) {
            (Some(limit), Some(head)) if now - &head.from >= *limit => head.rate.clone(),
            _ => Exact::zero(),
        }
    }

    /// Makes ready for fluid that joins from `now` on. Without it a line that begins to fill has no
    /// head whose age could be told.
    pub(super) fn open(&mut self, now: &Exact, joins: &Exact) {
        let continues = |tail: &Parcel| tail.to == *now && tail.rate == *joins;
        if joins.is_positive() && !self.parcels.back().is_some_and(continues) {
            self.parcels.push_back(Parcel {
                from: now.clone(),
                to: now.clone(),
                rate: joins.clone(),
            });
        }
    }

    /// Seconds until an end of the line is used up, or the head reaches the limit; `None` for
    /// never.
    pub(super) fn next_change(&self, now: &Exact, turnover: &Turnover) -> Option<Exact> {
        [
            self.head_used_up(turnover),
            self.tail_used_up(turnover),
            self.limit_reached(now, turnover),
        ]
        .into_iter()
        .flatten()
        .min()
    }

    fn head_used_up(&self, turnover: &Turnover) -> Option<Exact> {
        let head = self.parcels.front()?;
        let shrinks = if self.parcels.len() == 1 {
            -turnover.net()
        } else {
            turnover.leaves_head.clone()
        };
        shrinks.is_positive().then(|| head.amount() / shrinks)
    }

    fn tail_used_up(&self, turnover: &Turnover) -> Option<Exact> {
        let tail = self.parcels.back()?;
        let shrinks = &turnover.leaves_tail;
        (self.parcels.len() > 1 && shrinks.is_positive()).then(|| tail.amount() / shrinks)
    }

    fn limit_reached(&self, now: &Exact, turnover: &Turnover) -> Option<Exact> {
        let left = self.limit.as_ref()? - self.age_at_head(now);
        let aging = self.aging_at_head(turnover);
        (left.is_positive() && aging.is_positive()).then(|| left / aging)
    }

    /// Lets `seconds` pass, at most as many as [`Self::next_change`] said.
    pub(super) fn advance(&mut self, now: &Exact, turnover: &Turnover, seconds: &Exact) {
        if turnover.joins.is_positive() {
            let tail = self
                .parcels
                .back_mut()
                .expect("a line that is joined has been opened");
            tail.to = now + seconds;
        }
        if let Some(head) = self.parcels.front_mut() {
            head.from += &turnover.leaves_head * seconds / &head.rate;
        }
        if let Some(tail) = self.parcels.back_mut() {
            tail.to -= &turnover.leaves_tail * seconds / &tail.rate;
        }
        while self
            .parcels
            .front()
            .is_some_and(|head| head.from == head.to)
        {
            self.parcels.pop_front();
        }
        while self.parcels.back().is_some_and(|tail| tail.from == tail.to) {
            self.parcels.pop_back();
        }
        self.amount += turnover.net() * seconds;
        debug_assert_eq!(self.amount, self.parcels.iter().map(Parcel::amount).sum());
    }
}
