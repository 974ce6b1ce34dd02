//! The behaviour of the Kubernetes autoscaler: stabilization windows, and limits on how fast it
//! scales (autoscaling/v2 `behavior`).
//!
//! Not what it wants: that is the [rule's](super::Hpa).

use super::Sight;
use super::window::{Changes, Extreme, Sliding};
use crate::units::{SimDuration, SimTime};

/// How recommendations become changes.
#[derive(Clone, Debug, PartialEq)]
pub struct Behaviour {
    /// Upwards.
    pub up: Direction,
    /// Downwards.
    pub down: Direction,
}

/// How recommendations of one direction become changes.
#[derive(Clone, Debug, PartialEq)]
pub struct Direction {
    /// The least extreme recommendation within so much time is followed.
    pub stabilization: SimDuration,
    /// Limits on the change, of which the widest holds; none for no limit.
    pub limits: Vec<Limit>,
}

/// A limit on the change within some time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Limit {
    /// So many consumers within so much time.
    Consumers(u32, SimDuration),
    /// So large a part of those there were, within so much time.
    Percent(f64, SimDuration),
}

impl Default for Behaviour {
    /// The published defaults: up at once, by 100 % or 4 consumers every 15 s, whichever is more;
    /// down by 100 % every 15 s, after 300 s of lower recommendations.
    fn default() -> Self {
        let period = SimDuration::from_secs(15);
        Self {
            up: Direction {
                stabilization: SimDuration::ZERO,
                limits: vec![Limit::Percent(100.0, period), Limit::Consumers(4, period)],
            },
            down: Direction {
                stabilization: SimDuration::from_secs(300),
                limits: vec![Limit::Percent(100.0, period)],
            },
        }
    }
}

/// What has been recommended, and what has been done, as long as it matters.
#[derive(Clone, Debug)]
pub(super) struct History {
    up: Sliding,
    down: Sliding,
    changed: Changes,
    /// Whether anything has been recommended yet.
    begun: bool,
}

impl Default for History {
    fn default() -> Self {
        Self {
            up: Sliding::new(Extreme::Least),
            down: Sliding::new(Extreme::Most),
            changed: Changes::default(),
            begun: false,
        }
    }
}

impl Behaviour {
    /// What becomes of a recommendation.
    pub(super) fn follow(&self, sight: Sight, recommended: u32, history: &mut History) -> u32 {
        let Sight { now, wanted, .. } = sight;
        if !history.begun {
            // What it finds at first counts as recommended (the controller's initial record).
            history.begun = true;
            for (kept, direction) in [(&mut history.up, &self.up), (&mut history.down, &self.down)]
            {
                if !direction.stabilization.is_zero() {
                    kept.push(now, wanted, direction.stabilization);
                }
            }
        }
        let least_up = history.up.push(now, recommended, self.up.stabilization);
        let most_down = history.down.push(now, recommended, self.down.stabilization);
        history.changed.forget(now, self.longest_period());
        // The least that was recommended of late is at most the most: between them nothing changes.
        let stable = wanted.max(least_up).min(most_down);
        let next = self.limited(now, wanted, stable, history);
        if next != wanted {
            history.changed.push(now, wanted, next);
        }
        next
    }

    fn longest_period(&self) -> SimDuration {
        let limits = self.up.limits.iter().chain(&self.down.limits);
        limits.map(Limit::period).max().unwrap_or(SimDuration::ZERO)
    }

    /// The recommendation as far as the limits allow.
    fn limited(&self, now: SimTime, wanted: u32, stable: u32, history: &History) -> u32 {
        if stable > wanted {
            let allowed = |limit: &Limit| {
                let added = history.changed.within(now, limit.period()).added;
                limit.most(wanted.saturating_sub(bounded(added)))
            };
            let most = self.up.limits.iter().map(allowed).max();
            return most.map_or(stable, |most| stable.min(most.max(wanted)));
        }
        let allowed = |limit: &Limit| {
            let removed = history.changed.within(now, limit.period()).removed;
            limit.fewest(wanted.saturating_add(bounded(removed)))
        };
        let fewest = self.down.limits.iter().map(allowed).min();
        fewest.map_or(stable, |fewest| stable.max(fewest.min(wanted)))
    }
}

fn bounded(count: u64) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

impl Limit {
    fn period(&self) -> SimDuration {
        match self {
            Self::Consumers(_, period) | Self::Percent(_, period) => *period,
        }
    }

    /// The most from so many at the start of the period; parts are rounded up.
    fn most(self, start: u32) -> u32 {
        match self {
            Self::Consumers(more, _) => start.saturating_add(more),
            Self::Percent(percent, _) => (f64::from(start) * (1.0 + percent / 100.0)).ceil() as u32,
        }
    }

    /// The fewest from so many at the start of the period; what is left is rounded down.
    fn fewest(self, start: u32) -> u32 {
        match self {
            Self::Consumers(fewer, _) => start.saturating_sub(fewer),
            Self::Percent(percent, _) => (f64::from(start) * (1.0 - percent / 100.0))
                .max(0.0)
                .floor() as u32,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(behaviour: &Behaviour, from: u32, to: u32, every: u64) -> Vec<u32> {
        let steps = steps_at(behaviour, from, to, every).into_iter();
        std::iter::once(from)
            .chain(steps.map(|(_, size)| size))
            .collect()
    }

    /// When the size changes, in seconds, and to which.
    fn steps_at(behaviour: &Behaviour, from: u32, to: u32, every: u64) -> Vec<(u64, u32)> {
        let mut history = History::default();
        let mut seen = Vec::new();
        for look in 0..1_000 {
            let wanted = seen.last().map_or(from, |(_, size)| *size);
            if wanted == to {
                break;
            }
            let now = SimTime::ZERO + SimDuration::from_secs(look * every);
            let sight = Sight {
                now,
                wanted,
                backlog: 0,
            };
            let next = behaviour.follow(sight, to, &mut history);
            if next != wanted {
                seen.push((look * every, next));
            }
        }
        seen
    }

    /// The staircase of the documentation: 4 pods or 10 % a minute, whichever is more.
    #[test]
    fn from_80_to_10_in_fourteen_steps() {
        let minute = SimDuration::from_secs(60);
        let behaviour = Behaviour {
            down: Direction {
                stabilization: SimDuration::ZERO,
                limits: vec![Limit::Percent(10.0, minute), Limit::Consumers(4, minute)],
            },
            ..Behaviour::default()
        };
        let stairs = [80, 72, 64, 57, 51, 45, 40, 36, 32, 28, 24, 20, 16, 12, 10];
        assert_eq!(steps(&behaviour, 80, 10, 15), stairs);
    }

    /// The size that it finds holds for as long as a recommendation would.
    #[test]
    fn what_it_finds_at_first_is_stabilized_too() {
        let down = steps_at(&Behaviour::default(), 80, 10, 15);
        assert_eq!(down, [(315, 10)]);
    }

    #[test]
    fn from_1_to_64_in_five_syncs() {
        assert_eq!(
            steps(&Behaviour::default(), 1, 64, 15),
            [1, 5, 10, 20, 40, 64]
        );
    }

    #[test]
    fn down_only_after_300_s_of_lower_recommendations() {
        let behaviour = Behaviour::default();
        let mut history = History::default();
        let mut wanted = 50;
        let mut fell_at = None;
        for look in 0..100_u64 {
            let recommended = if look < 10 { 50 } else { 5 };
            let now = SimTime::ZERO + SimDuration::from_secs(look * 15);
            let sight = Sight {
                now,
                wanted,
                backlog: 0,
            };
            wanted = behaviour.follow(sight, recommended, &mut history);
            if wanted == 5 {
                fell_at = fell_at.or(Some(look * 15));
            }
        }
        // 50 was last recommended at 135 s, and is forgotten after 435 s.
        assert_eq!(fell_at, Some(450));
    }
}
