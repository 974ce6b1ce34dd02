//! What a run of calls comes to, fact by fact: when calls were made, left, answered.
//!
//! Not the rules that this is held against.

use super::*;
use queuecast::policy::arrival::{Again, Bursts, Constant};
use queuecast::sim::{Leaving, NotCalled, Refusal};

/// So many at one instant.
pub(crate) fn together(size: u32, seconds: f64) -> Arrivals {
    Arrivals::Bursts(Bursts {
        size,
        at: span(seconds),
        again: Again::Never,
    })
}

pub(crate) fn one_each_second() -> Arrivals {
    Arrivals::Constant(Constant {
        rate: Rate::per_second(1),
        offset: SimDuration::ZERO,
    })
}

pub(crate) fn constant(seconds: f64) -> DurationLaw {
    DurationLaw::constant(span(seconds))
}

/// When requests ended, and how.
pub(crate) fn ends(model: &Model) -> Vec<(f64, RequestEnd)> {
    pick(model, |fact| {
        if let CallFact::Ended { how, .. } = fact {
            Some(*how)
        } else {
            None
        }
    })
}

pub(crate) fn left(model: &Model) -> Vec<(f64, Leaving)> {
    pick(model, |fact| {
        if let CallFact::Left { why, .. } = fact {
            Some(*why)
        } else {
            None
        }
    })
}

pub(crate) fn called(model: &Model) -> Vec<f64> {
    let called = pick(model, |fact| {
        if let CallFact::Called { .. } = fact {
            Some(())
        } else {
            None
        }
    });
    called.into_iter().map(|(at, ())| at).collect()
}

pub(crate) fn refused(model: &Model) -> Vec<(f64, Refusal)> {
    pick(model, |fact| {
        if let CallFact::Refused { why, .. } = fact {
            Some(*why)
        } else {
            None
        }
    })
}

pub(crate) fn not_called(model: &Model) -> Vec<(f64, NotCalled)> {
    pick(model, |fact| {
        if let CallFact::NotCalled { why, .. } = fact {
            Some(*why)
        } else {
            None
        }
    })
}

pub(crate) fn answered(model: &Model) -> Vec<f64> {
    let answered = pick(model, |fact| {
        if let CallFact::Answered { .. } = fact {
            Some(())
        } else {
            None
        }
    });
    answered.into_iter().map(|(at, ())| at).collect()
}
