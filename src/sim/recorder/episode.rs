//! Episodes: what comes in swarms, told by its first, and its last with their number.
//!
//! Not the order in which moments are told: that is the [timeline](super::Timeline)'s.

use crate::outcome::{Kind, Repeated};
use crate::units::{SimDuration, SimTime};

/// An episode is over when nothing of it has happened for this part of the run so far …
const QUIET_SHARE: u64 = 50;
/// … and for at least so long.
const LEAST_QUIET: SimDuration = SimDuration::from_secs(1);

/// Something that happens again and again, told as one.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Episode {
    /// When it last happened, while it goes on.
    pub(super) last: Option<SimTime>,
    pub(super) count: u64,
    /// The most at once.
    pub(super) most: u64,
    pub(super) longest: SimDuration,
    /// The messages in the hands of those to whom it happened.
    pub(super) held: u64,
}

impl Episode {
    /// Whether so much time has passed that what happens at `now` begins another one.
    pub(super) fn is_over(&self, now: SimTime) -> bool {
        let quiet = SimDuration::from_nanos(now.as_nanos() / QUIET_SHARE).max(LEAST_QUIET);
        self.last.is_some_and(|last| now.since(last) > quiet)
    }

    /// It happens at `now`; whether that is its beginning.
    pub(super) fn happens(&mut self, now: SimTime) -> bool {
        let begins = self.last.is_none();
        self.last = Some(now);
        self.count += 1;
        begins
    }
}

/// What comes in swarms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Swarm {
    /// Publishes refused for good.
    Refused,
    /// Blocked publishes that time out.
    TimedOut,
    /// Messages that a full queue drops.
    Dropped,
    /// Messages that expire.
    Expired,
    /// Memory at its limit.
    MemoryFull,
    /// Consumers that crash.
    Crashed,
    /// Consumers that come back.
    Back,
    /// Channels that the broker closes.
    Closed,
    /// What is told of messages by first and last alone.
    Of(Repeated),
}

impl Swarm {
    /// What a swarm's end says of all of it, when it says something.
    pub(super) fn last(self, episode: &Episode) -> Option<Kind> {
        let (total, held) = (episode.count, episode.held);
        Some(match self {
            Self::Refused => Kind::LastRejected { total },
            Self::TimedOut => Kind::LastTimedOut { total },
            Self::Dropped => Kind::LastDropped { total },
            Self::Expired | Self::MemoryFull => return None,
            Self::Crashed => Kind::LastConsumerCrashed { total, held },
            Self::Back => Kind::LastConsumerBack { total },
            Self::Closed => Kind::LastChannelClosed { total, held },
            Self::Of(of) => Kind::Last { of, total },
        })
    }

    fn place(self) -> usize {
        match self {
            Self::Refused => 0,
            Self::TimedOut => 1,
            Self::Dropped => 2,
            Self::Expired => 3,
            Self::MemoryFull => 4,
            Self::Crashed => 5,
            Self::Back => 6,
            Self::Closed => 7,
            Self::Of(it) => 8 + it as usize,
        }
    }
}

/// The open episodes of one component.
#[derive(Debug, Default)]
pub(super) struct Episodes([Episode; 8 + Repeated::ALL.len()]);

impl std::ops::Index<Swarm> for Episodes {
    type Output = Episode;

    fn index(&self, swarm: Swarm) -> &Episode {
        &self.0[swarm.place()]
    }
}

impl std::ops::IndexMut<Swarm> for Episodes {
    fn index_mut(&mut self, swarm: Swarm) -> &mut Episode {
        &mut self.0[swarm.place()]
    }
}
