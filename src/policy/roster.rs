//! The waiting messages of a queue whose messages come back: each keeps the place it had.
//!
//! Not the line of a queue that hands its messages out for good ([`super::order::Line`]), which
//! needs no way to take one out of the middle and is faster for it.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use rand::RngExt;

use super::order::Order;
use crate::random::Stream;

/// Where a message stands among those of its queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spot {
    /// The order in which messages first joined the queue: a message that comes back keeps its own,
    /// and no two have the same.
    pub sequence: u64,
    /// Its priority: the highest goes first where priorities count.
    pub priority: u64,
    /// Its key: its group where groups count.
    pub key: u64,
}

/// Waiting messages by sequence, and in the order in which they go.
#[derive(Clone, Debug)]
pub struct Roster {
    waiting: BTreeMap<u64, Waiting>,
    turns: Turns,
}

#[derive(Clone, Copy, Debug)]
struct Waiting {
    slot: u32,
    priority: u64,
    /// Where its sequence stands in [`Turns::Any`], unused in other orders.
    position: usize,
}

/// What the order needs beyond the sequences.
#[derive(Clone, Debug)]
enum Turns {
    First,
    Last,
    /// The sequences in no order, to choose one from.
    Any(Vec<u64>),
    /// Priorities and sequences, in the order in which they go.
    Highest(BTreeSet<(Reverse<u64>, u64)>),
}

impl Roster {
    /// An empty roster that serves in this order.
    pub fn new(order: Order) -> Self {
        let turns = match order {
            Order::Fifo => Turns::First,
            Order::Lifo => Turns::Last,
            Order::Random => Turns::Any(Vec::new()),
            Order::Priority => Turns::Highest(BTreeSet::new()),
        };
        Self {
            waiting: BTreeMap::new(),
            turns,
        }
    }

    /// A message joins, or comes back to its old place.
    ///
    /// # Panics
    /// When another of the same sequence waits: that is a bug of the caller.
    pub fn push(&mut self, slot: u32, spot: Spot) {
        let mut position = 0;
        match &mut self.turns {
            Turns::First | Turns::Last => {}
            Turns::Any(sequences) => {
                position = sequences.len();
                sequences.push(spot.sequence);
            }
            Turns::Highest(ranked) => {
                ranked.insert((Reverse(spot.priority), spot.sequence));
            }
        }
        let waiting = Waiting {
            slot,
            priority: spot.priority,
            position,
        };
        let before = self.waiting.insert(spot.sequence, waiting);
        assert!(before.is_none(), "a message waits twice: this is a bug");
    }

    /// The message that goes next leaves.
    #[inline(never)]
    pub fn pop(&mut self, stream: &mut Stream) -> Option<u32> {
        let sequence = match &self.turns {
            Turns::First => return self.waiting.pop_first().map(|(_, waiting)| waiting.slot),
            Turns::Last => return self.waiting.pop_last().map(|(_, waiting)| waiting.slot),
            Turns::Any(sequences) => {
                let last = sequences.len().checked_sub(1)?;
                sequences[stream.random_range(0..=last)]
            }
            Turns::Highest(ranked) => ranked.first()?.1,
        };
        self.leave(sequence)
    }

    /// A message leaves from wherever it stands; `None` when it does not wait.
    pub fn remove(&mut self, spot: Spot) -> Option<u32> {
        self.leave(spot.sequence)
    }

    /// The message that joined first of all that wait.
    pub fn oldest(&self) -> Option<u32> {
        Some(self.waiting.first_key_value()?.1.slot)
    }

    /// The message that joined first leaves.
    pub fn pop_oldest(&mut self) -> Option<u32> {
        let sequence = *self.waiting.first_key_value()?.0;
        self.leave(sequence)
    }

    /// The youngest message of the lowest priority leaves, if that is below `priority`; a roster
    /// that knows no priorities has none.
    pub fn pop_lower(&mut self, priority: u64) -> Option<u32> {
        match &self.turns {
            Turns::First | Turns::Last | Turns::Any(_) => None,
            Turns::Highest(ranked) => {
                let (Reverse(lowest), sequence) = *ranked.last()?;
                (lowest < priority).then(|| self.leave(sequence)).flatten()
            }
        }
    }

    /// All slots that wait, in order of sequence.
    pub fn slots(&self) -> Vec<u32> {
        self.waiting.values().map(|waiting| waiting.slot).collect()
    }

    /// How many wait.
    #[inline]
    pub fn len(&self) -> usize {
        self.waiting.len()
    }

    /// Whether nobody waits.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    fn leave(&mut self, sequence: u64) -> Option<u32> {
        let left = self.waiting.remove(&sequence)?;
        match &mut self.turns {
            Turns::First | Turns::Last => {}
            Turns::Any(sequences) => {
                sequences.swap_remove(left.position);
                // The last one has moved into the gap, unless it was the one that left.
                let moved = sequences.get(left.position);
                if let Some(moved) = moved.and_then(|moved| self.waiting.get_mut(moved)) {
                    moved.position = left.position;
                }
            }
            Turns::Highest(ranked) => {
                ranked.remove(&(Reverse(left.priority), sequence));
            }
        }
        Some(left.slot)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{Purpose, Seed, StreamKey};

    const ORDERS: [Order; 4] = [Order::Fifo, Order::Lifo, Order::Random, Order::Priority];

    fn stream(name: &str) -> Stream {
        StreamKey::named(Seed(1), 0, name, Purpose::Choice).stream()
    }

    fn spot(sequence: u64, priority: u64) -> Spot {
        Spot {
            sequence,
            priority,
            key: 0,
        }
    }

    fn filled(order: Order) -> Roster {
        let mut roster = Roster::new(order);
        for (slot, priority) in [(0, 5), (1, 9), (2, 5), (3, 1)] {
            roster.push(slot, spot(u64::from(slot), priority));
        }
        roster
    }

    #[test]
    fn what_comes_back_takes_its_old_place() {
        let mut stream = stream("back");
        for (order, expected) in [
            (Order::Fifo, [0, 1, 2, 3]),
            (Order::Lifo, [3, 2, 1, 0]),
            (Order::Priority, [1, 0, 2, 3]),
        ] {
            let mut roster = filled(order);
            for (slot, priority) in [(2, 5), (0, 5)] {
                let spot = spot(u64::from(slot), priority);
                assert_eq!(roster.remove(spot), Some(slot), "{order:?}");
                assert_eq!(roster.remove(spot), None, "{order:?}");
            }
            roster.push(2, spot(2, 5));
            roster.push(0, spot(0, 5));
            let served: Vec<u32> = std::iter::from_fn(|| roster.pop(&mut stream)).collect();
            assert_eq!(served, expected, "{order:?}");
        }
    }

    #[test]
    fn the_lowest_priority_gives_way_to_a_higher_one_only() {
        let mut roster = filled(Order::Priority);
        assert_eq!(roster.pop_lower(1), None);
        assert_eq!(roster.pop_lower(2), Some(3));
        assert_eq!(roster.pop_lower(6), Some(2), "the younger of two");
        assert_eq!(filled(Order::Fifo).pop_lower(9), None);
    }

    #[test]
    fn a_random_roster_takes_each_with_equal_chance() {
        let mut stream = stream("uniform");
        let mut firsts = [0_u32; 4];
        for _ in 0..4_000 {
            let first = filled(Order::Random).pop(&mut stream).expect("four wait");
            firsts[first as usize] += 1;
        }
        // Each is binomial (4000, 1/4), sd 27: five sd away has a chance below 1e-6, and the seed
        // is fixed.
        let even = firsts.iter().all(|count| count.abs_diff(1_000) < 137);
        assert!(even, "{firsts:?}");
    }

    /// Where the naive list finds the next one; `None` where any will do.
    fn next_of(list: &[(u32, Spot)], order: Order) -> Option<u32> {
        let sequence = |(_, spot): &&(u32, Spot)| spot.sequence;
        let next = match order {
            Order::Fifo => list.iter().min_by_key(sequence),
            Order::Lifo => list.iter().max_by_key(sequence),
            Order::Random => None,
            Order::Priority => {
                let rank = |(_, spot): &&(u32, Spot)| (Reverse(spot.priority), spot.sequence);
                list.iter().min_by_key(rank)
            }
        };
        next.map(|(slot, _)| *slot)
    }

    fn lower_of(list: &[(u32, Spot)], order: Order, than: u64) -> Option<u32> {
        let rank = |(_, spot): &&(u32, Spot)| (spot.priority, Reverse(spot.sequence));
        let (slot, spot) = list.iter().min_by_key(rank)?;
        (order == Order::Priority && spot.priority < than).then_some(*slot)
    }

    #[test]
    fn any_mix_of_calls_agrees_with_a_plain_list() {
        for order in ORDERS {
            let (mut dice, mut stream) = (stream("dice"), stream("choice"));
            let (mut roster, mut list) = (Roster::new(order), Vec::<(u32, Spot)>::new());
            let mut out = Vec::<(u32, Spot)>::new();
            for step in 0..20_000_u32 {
                let sequence = |(_, spot): &&(u32, Spot)| spot.sequence;
                let oldest = list.iter().min_by_key(sequence).map(|(slot, _)| *slot);
                assert_eq!(roster.oldest(), oldest, "{order:?}");
                let left = match dice.random_range(0..8) {
                    0..2 => {
                        let spot = spot(u64::from(step), dice.random_range(0..4));
                        roster.push(step, spot);
                        list.push((step, spot));
                        continue;
                    }
                    2..4 if !out.is_empty() => {
                        let back = out.swap_remove(dice.random_range(0..out.len()));
                        roster.push(back.0, back.1);
                        list.push(back);
                        continue;
                    }
                    4 if !list.is_empty() => {
                        let (slot, spot) = list[dice.random_range(0..list.len())];
                        assert_eq!(roster.remove(spot), Some(slot), "{order:?}");
                        Some(slot)
                    }
                    5 => {
                        assert_eq!(roster.pop_oldest(), oldest, "{order:?}");
                        oldest
                    }
                    6 => {
                        let left = roster.pop_lower(2);
                        assert_eq!(left, lower_of(&list, order, 2), "{order:?}");
                        left
                    }
                    _ => {
                        let (left, next) = (roster.pop(&mut stream), next_of(&list, order));
                        assert!(next.is_none() || left == next, "{order:?}");
                        assert_eq!(left.is_none(), list.is_empty(), "{order:?}");
                        left
                    }
                };
                if let Some(left) = left {
                    let at = list.iter().position(|(slot, _)| *slot == left);
                    out.push(list.swap_remove(at.expect("it waited")));
                }
                let mut sorted = list.clone();
                sorted.sort_by_key(|(_, spot)| spot.sequence);
                let slots: Vec<u32> = sorted.iter().map(|(slot, _)| *slot).collect();
                assert_eq!(roster.slots(), slots, "{order:?}");
                assert_eq!(roster.len(), list.len(), "{order:?}");
                assert_eq!(roster.is_empty(), list.is_empty(), "{order:?}");
            }
        }
    }
}
