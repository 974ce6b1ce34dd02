//! Facts of calls: what has happened between callers and dependencies.
//!
//! Not facts of messages ([`crate::sim::Fact`]), of which these are one kind.

use crate::model::{CallerId, DependencyId, Id};
use crate::policy::breaker::Position;
use crate::policy::retry::budget::Cause;
use crate::units::SimDuration;

/// Something that has happened to a request, to a call, or to a dependency.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(
    missing_docs,
    reason = "the fields say what they are in the words of the model"
)]
pub enum CallFact {
    /// A caller wants something of its dependency.
    Requested { caller: CallerId, identity: u64 },
    /// It called. `call` is what the call's own draws belong to.
    Called {
        caller: CallerId,
        dependency: DependencyId,
        nth: Nth,
        call: u64,
    },
    /// The call was refused at the door.
    Refused {
        caller: CallerId,
        dependency: DependencyId,
        why: Refusal,
    },
    /// The call waits in line.
    Queued { dependency: DependencyId },
    /// A server began to work on a call, which had waited in line, or came to a free server.
    Started {
        dependency: DependencyId,
        waited: Option<SimDuration>,
    },
    /// It is done with it, `sojourn` after it came, having worked for `service`.
    Answered {
        dependency: DependencyId,
        answer: Reply,
        audience: Audience,
        sojourn: SimDuration,
        service: SimDuration,
        call: u64,
    },
    /// A caller waits no longer for the answer to a call.
    Left {
        caller: CallerId,
        dependency: DependencyId,
        why: Leaving,
    },
    /// A call was dropped when its turn came, since its caller had gone, or will have so soon.
    Dropped {
        dependency: DependencyId,
        waited: SimDuration,
    },
    /// Work on a call was lost with its server.
    Crashed {
        dependency: DependencyId,
        audience: Audience,
        sojourn: SimDuration,
        service: SimDuration,
    },
    /// An attempt of a request made no call, or no further attempt was made.
    NotCalled { caller: CallerId, why: NotCalled },
    /// A breaker turned.
    BreakerTurned {
        caller: CallerId,
        from: Position,
        to: Position,
    },
    /// A limit of calls out at once moved.
    LimitMoved {
        caller: CallerId,
        from: u32,
        to: u32,
    },
    /// A request has ended.
    Ended {
        caller: CallerId,
        how: RequestEnd,
        took: SimDuration,
    },
    /// So many servers stopped, or the dependency became so much slower.
    TroubleStarted {
        dependency: DependencyId,
        servers: u32,
        of: u32,
        slowdown: f64,
    },
    /// They are back; so many calls wait.
    TroubleEnded {
        dependency: DependencyId,
        servers: u32,
        waiting: u64,
    },
}

/// Which call of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nth {
    /// The first.
    First,
    /// The first of a further attempt.
    Retry,
    /// One beside another that has not been answered.
    Hedge,
}

/// Why a dependency refused a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// It is down, and says so.
    Down,
    /// It takes no more calls in this time.
    Limited,
    /// The call would have waited too long.
    Shed,
    /// Its line is full.
    Full,
}

/// What a dependency says in the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reply {
    /// What was wanted.
    Good,
    /// That it could not.
    Failed,
}

/// Whether anybody hears an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Audience {
    /// The caller still waits.
    Listening,
    /// It has gone.
    Gone,
}

/// Why a caller leaves a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaving {
    /// The call's timeout is over.
    Timeout,
    /// The request's deadline is.
    Deadline,
    /// Another call of the request was answered.
    Hedged,
    /// The caller crashed.
    Crash,
}

/// Why no call was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotCalled {
    /// The breaker is open.
    Open,
    /// Too many calls are out.
    Limit,
    /// The deadline of the request is over.
    Deadline,
    /// The budget of retries does not allow another attempt.
    Budget,
}

/// How a request ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequestEnd {
    /// With a good answer.
    Well,
    /// Its last call timed out, or its deadline was over.
    TimedOut,
    /// Its last call was refused.
    Refused(Refusal),
    /// Its last call was answered with a failure, or lost with a server.
    Failed,
    /// Its last attempt made no call.
    NotCalled(NotCalled),
    /// Its caller crashed.
    Crashed,
}

impl RequestEnd {
    /// What kind of failure it is to a budget of retries.
    pub(in crate::sim) fn cause(self) -> Cause {
        match self {
            Self::TimedOut => Cause::Timeout,
            Self::Refused(Refusal::Limited) => Cause::Throttled,
            Self::Well
            | Self::Refused(Refusal::Down | Refusal::Shed | Refusal::Full)
            | Self::Failed
            | Self::NotCalled(_)
            | Self::Crashed => Cause::Failure,
        }
    }

    fn number(self) -> u64 {
        match self {
            Self::Well => 0,
            Self::TimedOut => 1,
            Self::Failed => 2,
            Self::Crashed => 3,
            Self::Refused(why) => 4 + why as u64,
            Self::NotCalled(why) => 8 + why as u64,
        }
    }
}

/// What a position of a breaker is to the digest.
fn number(position: Position) -> u64 {
    match position {
        Position::Closed => 0,
        Position::Open => 1,
        Position::HalfOpen => 2,
    }
}

impl CallFact {
    /// What the digest folds of it. A place in line follows from other facts, and adds nothing.
    pub(in crate::sim) fn word(&self) -> Option<u64> {
        let word = |kind: u64, who: usize, what: u64| {
            Some(kind << 50 ^ (who as u64) << 32 ^ (what ^ what >> 32) & 0xFFFF_FFFF)
        };
        match *self {
            Self::Requested { caller, identity } => word(1, caller.index(), identity),
            Self::Called { caller, nth, .. } => word(2, caller.index(), nth as u64),
            Self::Refused {
                dependency, why, ..
            } => word(3, dependency.index(), why as u64),
            Self::Queued { .. } => None,
            Self::Started { dependency, waited } => {
                let waited = waited.map_or(u64::MAX, SimDuration::as_nanos);
                word(4, dependency.index(), waited)
            }
            Self::Answered {
                dependency,
                answer,
                audience,
                sojourn,
                ..
            } => {
                let kind = 5 + 2 * answer as u64 + audience as u64;
                word(kind, dependency.index(), sojourn.as_nanos())
            }
            Self::Left { caller, why, .. } => word(9, caller.index(), why as u64),
            Self::Dropped { dependency, waited } => word(10, dependency.index(), waited.as_nanos()),
            Self::Crashed {
                dependency,
                sojourn,
                ..
            } => word(11, dependency.index(), sojourn.as_nanos()),
            Self::NotCalled { caller, why } => word(12, caller.index(), why as u64),
            Self::BreakerTurned { caller, to, .. } => word(13, caller.index(), number(to)),
            Self::LimitMoved { caller, to, .. } => word(14, caller.index(), u64::from(to)),
            Self::Ended { caller, how, .. } => word(15, caller.index(), how.number()),
            Self::TroubleStarted {
                dependency,
                servers,
                slowdown,
                ..
            } => word(
                16,
                dependency.index(),
                u64::from(servers) ^ slowdown.to_bits(),
            ),
            Self::TroubleEnded {
                dependency,
                servers,
                ..
            } => word(17, dependency.index(), u64::from(servers)),
        }
    }
}
