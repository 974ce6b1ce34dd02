//! The spells of a timeline: what happens again and again is told by its first and its last time,
//! and begins anew after a pause.
//!
//! Not where one ends: the run decided that.

use super::number::count;
use super::timeline::Clock;
use crate::outcome::{Kind, Often, RunRecord, Subject};
use crate::units::SimTime;

/// The spells in which something happened to one, with pauses between them.
pub(super) struct Spells {
    told: Vec<Spell>,
    /// How often it happened in those that are only counted.
    untold: u64,
    clock: Clock,
}

/// A spell that is told: by its beginning, and by its end if it happened more than once.
struct Spell {
    begun: SimTime,
    ended: SimTime,
    total: u64,
}

impl Spells {
    pub(super) fn of(record: &RunRecord, who: Subject, what: Often) -> Self {
        let mut spells = Self {
            told: Vec::new(),
            untold: 0,
            clock: Clock::reaching(record.ended.at),
        };
        for moment in record.timeline.iter().filter(|it| it.subject == who) {
            let at = moment.at;
            if begins(moment.kind) == Some(what) {
                spells.told.push(Spell {
                    begun: at,
                    ended: at,
                    total: 1,
                });
            }
            if let Some((of, total)) = ends(moment.kind)
                && of == what
                && let Some(spell) = spells.told.last_mut()
            {
                (spell.ended, spell.total) = (at, total);
            }
            if let Kind::MoreEpisodes { of, total, .. } = moment.kind
                && of == what
            {
                spells.untold += total;
            }
        }
        spells
    }

    /// For the moment that begins another spell than the first: what all come to, if that is the
    /// last spell and there is no more to it.
    pub(super) fn again(&self, at: SimTime) -> Option<String> {
        let first = self.told.first().is_none_or(|spell| spell.begun >= at);
        (!first).then(|| match self.told.last() {
            Some(last) if last.begun == at && last.total == 1 => self.told(at).1,
            Some(_) | None => String::new(),
        })
    }

    /// Of one of several spells, which ended at `at`, since when, ` since t+69.1s`; and of the last
    /// of them what all come to, `, 193 in all`.
    pub(super) fn told(&self, at: SimTime) -> (String, String) {
        if self.told.len() <= 1 && self.untold == 0 {
            return (String::new(), String::new());
        }
        let since = match self.told.iter().rev().find(|spell| spell.ended <= at) {
            Some(spell) => format!(" since {}", self.clock.show(spell.begun)),
            None => String::new(),
        };
        let last = self.told.iter().all(|spell| spell.ended <= at);
        let sum: u64 = self.told.iter().map(|spell| spell.total).sum();
        let all = if last {
            format!(", {} in all", count(sum + self.untold))
        } else {
            String::new()
        };
        (since, all)
    }
}

/// What a moment begins a spell of.
fn begins(kind: Kind) -> Option<Often> {
    if let Kind::First(it) = kind {
        return Some(Often::Of(it));
    }
    if matches!(kind, Kind::ConsumerCrashed { .. }) {
        return Some(Often::Crashed);
    }
    if matches!(kind, Kind::ConsumerBack { .. }) {
        return Some(Often::Back);
    }
    matches!(kind, Kind::ChannelClosed { .. }).then_some(Often::Closed)
}

/// What a moment ends a spell of, and how often it happened in it.
fn ends(kind: Kind) -> Option<(Often, u64)> {
    if let Kind::Last { of, total } = kind {
        return Some((Often::Of(of), total));
    }
    if let Kind::LastConsumerCrashed { total, .. } = kind {
        return Some((Often::Crashed, total));
    }
    if let Kind::LastConsumerBack { total } = kind {
        return Some((Often::Back, total));
    }
    if let Kind::LastChannelClosed { total, .. } = kind {
        return Some((Often::Closed, total));
    }
    None
}
