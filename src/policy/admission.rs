//! Who gets a slot that becomes free in a full queue, among the publishers that wait for one
//! (rule C3).
//!
//! Not how long they wait, nor what they do then. The order decides who pays for an outage: the
//! total of blocked time is the same in each.

use std::collections::VecDeque;

use rand::RngExt;

use crate::input::{Problems, Read, Value, Variant};
use crate::random::Stream;
use crate::units::{SimDuration, SimTime};

/// In which order blocked publishers are admitted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Admission {
    /// As they came; a newcomer joins the end (a fair lock).
    #[default]
    Fifo,
    /// Those that came since slots were last handed out go first; the others get what is left, as
    /// they came (an unfair lock, barging).
    NewcomersFirst,
    /// As they came, but a freed slot stays open while the waiter wakes up, and a newcomer that
    /// finds it open takes it.
    WakeUp(SimDuration),
    /// Any of them, with equal chance.
    Random,
    /// The last to come goes first.
    Lifo,
}

impl Read for Admission {
    const EXPECTS: &'static str = "an order such as \"fifo\"";

    fn read(value: &Value, problems: &mut Problems) -> Option<Self> {
        let words = ["fifo", "newcomers_first", "random", "lifo"];
        let variant = Variant::of(value, "an order of admission", &words, problems)?;
        if variant.name == "newcomers_first" && variant.body.is_some() {
            let mut fields = variant.fields(problems)?;
            let wake_up = fields.optional("wake_up", problems);
            fields.close(problems);
            return Some(wake_up.map_or(Self::NewcomersFirst, Self::WakeUp));
        }
        variant.bare(problems);
        Some(match variant.name {
            "fifo" => Self::Fifo,
            "newcomers_first" => Self::NewcomersFirst,
            "random" => Self::Random,
            _ => Self::Lifo,
        })
    }
}

/// A publisher that waits: a slot in the table of tickets, and which use of that slot it is, so
/// that a ticket that has left is known to be stale.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ticket {
    /// The slot.
    pub slot: u32,
    /// Which use of the slot.
    pub generation: u32,
}

/// The publishers that wait at one queue. A ticket that gives up is not searched for: it is passed
/// over when its turn comes, and swept out when half of the line has gone.
#[derive(Clone, Debug)]
pub struct Gate {
    order: Admission,
    /// The line, oldest first.
    line: VecDeque<Ticket>,
    /// Newcomers first only: those that came before the instant at which slots are handed out now,
    /// and after the one before it.
    cohort: VecDeque<Ticket>,
    /// Newcomers first only: those that came since.
    newcomers: VecDeque<Ticket>,
    handed_out: SimTime,
    gone: usize,
}

impl Gate {
    /// An empty gate.
    pub fn new(order: Admission) -> Self {
        Self {
            order,
            line: VecDeque::new(),
            cohort: VecDeque::new(),
            newcomers: VecDeque::new(),
            handed_out: SimTime::ZERO,
            gone: 0,
        }
    }

    /// A publisher joins.
    pub fn join(&mut self, ticket: Ticket) {
        match self.order {
            Admission::Fifo | Admission::WakeUp(_) | Admission::Random | Admission::Lifo => {
                self.line.push_back(ticket);
            }
            Admission::NewcomersFirst => self.newcomers.push_back(ticket),
        }
    }

    /// A publisher has given up; `waits` says of a ticket whether its publisher still waits.
    pub fn forget(&mut self, waits: impl Fn(Ticket) -> bool) {
        self.gone += 1;
        let standing = self.line.len() + self.cohort.len() + self.newcomers.len();
        if self.gone > 64 && self.gone > standing / 2 {
            for line in [&mut self.line, &mut self.cohort, &mut self.newcomers] {
                line.retain(|ticket| waits(*ticket));
            }
            self.gone = 0;
        }
    }

    /// Who is admitted to a slot that is free at `now`; `waits` as in [`Gate::forget`].
    pub fn admit(
        &mut self,
        now: SimTime,
        stream: &mut Stream,
        waits: impl Fn(Ticket) -> bool,
    ) -> Option<Ticket> {
        loop {
            let ticket = match self.order {
                Admission::Fifo | Admission::WakeUp(_) => self.line.pop_front(),
                Admission::Lifo => self.line.pop_back(),
                Admission::Random => {
                    let last = self.line.len().checked_sub(1)?;
                    self.line.swap_remove_back(stream.random_range(0..=last))
                }
                Admission::NewcomersFirst => {
                    if now > self.handed_out {
                        self.line.append(&mut self.cohort);
                        std::mem::swap(&mut self.cohort, &mut self.newcomers);
                        self.handed_out = now;
                    }
                    let first = self.cohort.pop_front().or_else(|| self.line.pop_front());
                    first.or_else(|| self.newcomers.pop_front())
                }
            }?;
            if waits(ticket) {
                return Some(ticket);
            }
            self.gone = self.gone.saturating_sub(1);
        }
    }

    /// Who of those that `is_ours` says goes with one that has been admitted: the next by the
    /// order, where that is random the one that has waited longest.
    pub fn admit_with(&mut self, is_ours: impl Fn(Ticket) -> bool) -> Option<Ticket> {
        let ours = |ticket: &Ticket| is_ours(*ticket);
        let lines = [&mut self.cohort, &mut self.line, &mut self.newcomers];
        lines.into_iter().find_map(|line| {
            let at = match self.order {
                Admission::Lifo => line.iter().rposition(ours),
                Admission::Fifo
                | Admission::WakeUp(_)
                | Admission::Random
                | Admission::NewcomersFirst => line.iter().position(ours),
            };
            line.remove(at?)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{Purpose, Seed, StreamKey};

    fn ticket(slot: u32) -> Ticket {
        Ticket {
            slot,
            generation: 0,
        }
    }

    fn admitted(order: Admission, gone: &[u32]) -> Vec<u32> {
        let mut stream = StreamKey::named(Seed(1), 0, "q", Purpose::Choice).stream();
        let mut gate = Gate::new(order);
        (0..6).for_each(|slot| gate.join(ticket(slot)));
        let waits = |ticket: Ticket| !gone.contains(&ticket.slot);
        for _ in gone {
            gate.forget(waits);
        }
        let now = SimTime::from_nanos(1);
        std::iter::from_fn(|| gate.admit(now, &mut stream, waits))
            .map(|t| t.slot)
            .collect()
    }

    #[test]
    fn each_order_admits_as_it_says_and_passes_over_the_gone() {
        assert_eq!(admitted(Admission::Fifo, &[0, 3]), [1, 2, 4, 5]);
        assert_eq!(admitted(Admission::Lifo, &[0, 3]), [5, 4, 2, 1]);
        let mut random = admitted(Admission::Random, &[0, 3]);
        random.sort_unstable();
        assert_eq!(random, [1, 2, 4, 5]);
    }

    #[test]
    fn those_of_a_call_go_together_in_the_order_of_admission() {
        let even = |ticket: Ticket| ticket.slot.is_multiple_of(2);
        for (order, together) in [
            (Admission::Fifo, [0, 2, 4]),
            (Admission::Random, [0, 2, 4]),
            (Admission::Lifo, [4, 2, 0]),
            (Admission::NewcomersFirst, [0, 2, 4]),
        ] {
            let mut gate = Gate::new(order);
            (0..6).for_each(|slot| gate.join(ticket(slot)));
            let with = std::iter::from_fn(|| gate.admit_with(even));
            assert_eq!(with.map(|it| it.slot).collect::<Vec<_>>(), together);
            let mut stream = StreamKey::named(Seed(1), 0, "q", Purpose::Choice).stream();
            let now = SimTime::from_nanos(1);
            let others = std::iter::from_fn(|| gate.admit(now, &mut stream, |_| true));
            assert!(others.map(|it| it.slot).all(|slot| slot % 2 == 1));
        }
    }

    #[test]
    fn newcomers_go_before_those_left_over() {
        let mut stream = StreamKey::named(Seed(1), 0, "q", Purpose::Choice).stream();
        let mut gate = Gate::new(Admission::NewcomersFirst);
        let mut admit = |gate: &mut Gate, at| {
            gate.admit(SimTime::from_nanos(at), &mut stream, |_| true)
                .map(|t| t.slot)
        };
        (0..3).for_each(|slot| gate.join(ticket(slot)));
        assert_eq!(admit(&mut gate, 10), Some(0));
        gate.join(ticket(3));
        assert_eq!(admit(&mut gate, 20), Some(3));
        assert_eq!(admit(&mut gate, 20), Some(1));
        assert_eq!(admit(&mut gate, 30), Some(2));
    }

    #[test]
    fn a_gate_does_not_keep_the_gone_for_ever() {
        let mut gate = Gate::new(Admission::Lifo);
        for slot in 0..100_000 {
            gate.join(ticket(slot));
            gate.forget(|_| false);
        }
        assert!(gate.line.len() < 200, "{}", gate.line.len());
    }
}
