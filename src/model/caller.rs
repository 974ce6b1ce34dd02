//! A caller: who calls a dependency, and how it defends itself (rules E6 and E7).
//!
//! Not the dependency, which knows nothing of its callers' intentions.

use super::handling::BudgetPer;
use super::table::{DependencyId, FleetId, ProducerId};
use crate::policy::breaker::Breaker;
use crate::policy::concurrency::ConcurrencyLimit;
use crate::policy::retry::RetryPolicy;
use crate::units::SimDuration;

/// Who calls a dependency for each message (or batch) that it works on, or for each arrival.
#[derive(Clone, Debug)]
pub struct Caller {
    /// Its dotted name: `consumers.fleet`, or `producers.web` for calls made inline.
    pub name: String,
    /// Who it is.
    pub who: Who,
    /// Whom it calls.
    pub dependency: DependencyId,
    /// How long it waits for the answer to a call; `None` for as long as it takes.
    pub timeout: Option<SimDuration>,
    /// How long a request may take, all its calls and the waits between them together; the timeout
    /// of a call is cut to what is left, and no call is made when nothing is. `None` for no bound.
    pub deadline: Option<SimDuration>,
    /// Whether and when it calls again; `None` for one call.
    pub retry: Option<RetryPolicy>,
    /// What keeps it from calling while calls fail.
    pub breaker: Option<Breaker>,
    /// How many calls it has out at once.
    pub concurrency: Option<ConcurrencyLimit>,
    /// When it makes a second call beside the first.
    pub hedge: Option<Hedge>,
    /// Who shares the retry budget, the breaker, and the limit of calls out at once.
    pub per: BudgetPer,
}

/// Who calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Who {
    /// The handlers of a fleet, after their own service time; they are held meanwhile. What
    /// becomes of a request that fails is the fleet's way with failed work.
    Fleet(FleetId),
    /// A producer itself: each arrival is a request, and nothing is published.
    Producer(ProducerId),
}

/// A further call beside one that has not been answered for a while; the first good answer counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hedge {
    /// How long after the call before.
    pub after: SimDuration,
    /// How many further calls at most, for each attempt.
    pub at_most: u32,
}
