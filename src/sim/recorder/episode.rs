//! Episodes: what comes in swarms, told by its first, and its last with their number.
//!
//! Not the order in which moments are told: that is the [timeline](super::Timeline)'s.

use crate::outcome::{Kind, Often, Repeated};
use crate::units::{SimDuration, SimTime};

/// An episode is over when nothing of it has happened for this part of the run so far …
const QUIET_SHARE: u64 = 50;
/// … and for at least so long …
const LEAST_QUIET: SimDuration = SimDuration::from_secs(1);
/// … and, of what may trickle, for so many gaps at its own pace.
const QUIET_GAPS: u64 = 20;
/// The pace is the mean gap, in which the last so many weigh most.
const PACE: u64 = 8;
/// So many episodes are told each; of more, only their number.
const MOST_TOLD: u64 = 6;

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
    pace: Pace,
}

/// How fast something comes, over all of its episodes, and what was not told of them.
#[derive(Clone, Copy, Debug, Default)]
struct Pace {
    last: Option<SimTime>,
    gaps: u64,
    mean: SimDuration,
    episodes: u64,
    untold: u64,
}

/// What is told of an episode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Telling {
    /// Its first and its last.
    Each,
    /// That there were more.
    Number,
}

impl Pace {
    fn happens(&mut self, now: SimTime) {
        if let Some(last) = self.last {
            self.gaps += 1;
            let (gap, mean) = (now.since(last).as_nanos(), self.mean.as_nanos());
            let weight = self.gaps.min(PACE);
            let moved = gap.abs_diff(mean) / weight;
            let mean = if gap > mean {
                mean + moved
            } else {
                mean - moved
            };
            self.mean = SimDuration::from_nanos(mean);
        }
        self.last = Some(now);
    }
}

impl Episode {
    /// Whether so much time has passed that what happens at `now` begins another one.
    pub(super) fn is_over(&self, now: SimTime) -> bool {
        let quiet = SimDuration::from_nanos(now.as_nanos() / QUIET_SHARE).max(LEAST_QUIET);
        self.last.is_some_and(|last| now.since(last) > quiet)
    }

    /// The same of what may trickle: a slow pace is no end.
    pub(super) fn has_run_dry(&self, now: SimTime) -> bool {
        let quiet = self.pace.mean.as_nanos().saturating_mul(QUIET_GAPS);
        let lasts = |last: SimTime| now.since(last).as_nanos() > quiet;
        self.is_over(now) && self.last.is_some_and(lasts)
    }

    /// It happens at `now`; whether that is its beginning.
    pub(super) fn happens(&mut self, now: SimTime) -> bool {
        let begins = self.last.is_none();
        self.last = Some(now);
        self.count += 1;
        begins
    }

    /// The same of what may trickle.
    pub(super) fn trickles(&mut self, now: SimTime) -> bool {
        let begins = self.happens(now);
        self.pace.happens(now);
        self.pace.episodes += u64::from(begins);
        begins
    }

    /// Whether this episode is told, or only counted.
    pub(super) fn telling(&self) -> Telling {
        if self.pace.episodes <= MOST_TOLD {
            Telling::Each
        } else {
            Telling::Number
        }
    }

    /// Ends it, and begins to wait for another. Returns what it was.
    pub(super) fn end(&mut self) -> Self {
        if self.telling() == Telling::Number {
            self.pace.untold += self.count;
        }
        let pace = self.pace;
        std::mem::replace(
            self,
            Self {
                pace,
                ..Self::default()
            },
        )
    }

    /// The episodes that were not told, how often it happened in them, and when last.
    pub(super) fn untold(&self) -> Option<(u64, u64, SimTime)> {
        let episodes = self.pace.episodes.saturating_sub(MOST_TOLD);
        let last = self.pace.last.filter(|_| episodes > 0)?;
        Some((episodes, self.pace.untold, last))
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

    /// What may trickle through a whole run: an episode goes on at its own pace, and only some are
    /// told. `None` for what comes with a bound that is reached.
    pub(super) fn often(self) -> Option<Often> {
        match self {
            Self::Refused | Self::TimedOut | Self::Dropped | Self::Expired | Self::MemoryFull => {
                None
            }
            Self::Crashed => Some(Often::Crashed),
            Self::Back => Some(Often::Back),
            Self::Closed => Some(Often::Closed),
            Self::Of(it) => Some(Often::Of(it)),
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    /// How often an episode begins among these instants, in seconds.
    fn beginnings(instants: impl IntoIterator<Item = f64>) -> (u64, Episode) {
        let mut episode = Episode::default();
        let mut begun = 0;
        for at in instants {
            let now = SimTime::ZERO + SimDuration::from_secs_rounded(at);
            if episode.has_run_dry(now) {
                episode.end();
            }
            begun += u64::from(episode.trickles(now));
        }
        (begun, episode)
    }

    #[test]
    fn a_trickle_is_one_episode_once_its_pace_is_known() {
        let trickle = (0..900).map(|k| 10.0 + 2.0 * f64::from(k));
        assert_eq!(beginnings(trickle).0, 2);
        // A swarm first, and a trickle after it.
        let swarm = (0..1_000).map(|k| 10.0 + 0.001 * f64::from(k));
        let later = (0..300).map(|k| 100.0 + 4.0 * f64::from(k));
        assert_eq!(beginnings(swarm.chain(later)).0, 2);
    }

    #[test]
    fn swarms_far_apart_are_episodes_of_their_own() {
        let swarms =
            (1..=4).flat_map(|n| (0..100).map(move |k| 300.0 * f64::from(n) + 0.01 * f64::from(k)));
        assert_eq!(beginnings(swarms).0, 4);
    }

    #[test]
    fn only_some_episodes_are_told_and_the_others_counted() {
        let swarms = (1..=9)
            .flat_map(|n| (0..100).map(move |k| 1_000.0 * f64::from(n) + 0.01 * f64::from(k)));
        let (begun, mut episode) = beginnings(swarms);
        episode.end();
        assert_eq!(begun, 9);
        let (episodes, total, last) = episode.untold().expect("three more");
        assert_eq!((episodes, total), (3, 300));
        assert!((last.as_secs_f64() - 9_000.99).abs() < 1e-9);
    }
}
