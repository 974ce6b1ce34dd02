//! Which waiting message goes next.
//!
//! Not the messages: only their slots stand in line, with what the order needs to know.
//!
//! The lines whose messages come back to their places ([`Roster`], [`Groups`]) are joined with
//! [`Line::push_at`], all others with [`Line::push`]; to confuse the two is a bug, and panics.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use rand::RngExt;

use super::groups::Groups;
use super::roster::{Roster, Spot};
use crate::input::{Problems, Read, Value, Variant};
use crate::random::Stream;
use crate::units::SimTime;

/// Which waiting message goes next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// The one that came first.
    #[default]
    Fifo,
    /// The one that came last.
    Lifo,
    /// Any, with equal chance.
    Random,
    /// The highest priority, and the first of those.
    Priority,
}

impl Read for Order {
    const EXPECTS: &'static str = "an order such as \"fifo\"";

    fn read(value: &Value, problems: &mut Problems) -> Option<Self> {
        let words = ["fifo", "lifo", "random", "priority"];
        let variant = Variant::of(value, "an order", &words, problems)?;
        variant.bare(problems);
        Some(match variant.name {
            "fifo" => Self::Fifo,
            "lifo" => Self::Lifo,
            "random" => Self::Random,
            _ => Self::Priority,
        })
    }
}

/// A waiting message: its slot, and when it was accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    accepted: SimTime,
    slot: u32,
}

/// The line of waiting messages.
#[derive(Clone, Debug)]
pub enum Line {
    /// First come, first served.
    Fifo(VecDeque<u32>),
    /// Last come, first served: the front is the oldest.
    Lifo(VecDeque<u32>),
    /// Any, with an index by age.
    Random(Shuffled),
    /// A lane for each priority, and how many wait in all.
    Priority(Lanes),
    /// Any order, of messages that come back to their places.
    Leased(Roster),
    /// One receive of a key at a time, of messages that come back to their places.
    Grouped(Groups),
}

/// Messages in no order, and by age.
#[derive(Clone, Debug, Default)]
pub struct Shuffled {
    any: Vec<Place>,
    position: BTreeMap<u32, usize>,
    by_age: BTreeSet<Place>,
}

/// A lane for each priority.
#[derive(Clone, Debug, Default)]
pub struct Lanes {
    lanes: BTreeMap<u64, VecDeque<Place>>,
    len: usize,
}

impl Line {
    /// An empty line in this order.
    pub fn new(order: Order) -> Self {
        match order {
            Order::Fifo => Self::Fifo(VecDeque::new()),
            Order::Lifo => Self::Lifo(VecDeque::new()),
            Order::Random => Self::Random(Shuffled::default()),
            Order::Priority => Self::Priority(Lanes::default()),
        }
    }

    /// An empty line in this order, of messages that come back to their places.
    pub fn leased(order: Order) -> Self {
        Self::Leased(Roster::new(order))
    }

    /// An empty line that serves one receive of a key at a time.
    pub fn grouped() -> Self {
        Self::Grouped(Groups::new())
    }

    /// How many wait.
    #[inline(always)]
    pub fn len(&self) -> usize {
        match self {
            Self::Fifo(line) | Self::Lifo(line) => line.len(),
            Self::Random(shuffled) => shuffled.any.len(),
            Self::Priority(lanes) => lanes.len,
            Self::Leased(roster) => roster.len(),
            Self::Grouped(groups) => groups.len(),
        }
    }

    /// Whether nobody waits.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A message joins the line.
    #[inline(always)]
    pub fn push(&mut self, slot: u32, accepted: SimTime, priority: u64) {
        match self {
            Self::Fifo(line) | Self::Lifo(line) => line.push_back(slot),
            Self::Random(shuffled) => shuffled.push(Place { accepted, slot }),
            Self::Priority(lanes) => {
                lanes
                    .lanes
                    .entry(priority)
                    .or_default()
                    .push_back(Place { accepted, slot });
                lanes.len += 1;
            }
            Self::Leased(_) | Self::Grouped(_) => needs_a_spot(),
        }
    }

    /// A message comes back and is next of its kind.
    pub fn restore(&mut self, slot: u32, accepted: SimTime, priority: u64) {
        match self {
            Self::Fifo(line) => line.push_front(slot),
            Self::Lifo(line) => line.push_back(slot),
            Self::Random(shuffled) => shuffled.push(Place { accepted, slot }),
            Self::Priority(lanes) => {
                lanes
                    .lanes
                    .entry(priority)
                    .or_default()
                    .push_front(Place { accepted, slot });
                lanes.len += 1;
            }
            Self::Leased(_) | Self::Grouped(_) => needs_a_spot(),
        }
    }

    /// The message that goes next leaves the line.
    #[inline(always)]
    pub fn pop(&mut self, stream: &mut Stream) -> Option<u32> {
        match self {
            Self::Fifo(line) => line.pop_front(),
            Self::Lifo(line) => line.pop_back(),
            Self::Random(shuffled) => {
                let chosen = shuffled.any.len().checked_sub(1)?;
                let chosen = stream.random_range(0..=chosen);
                Some(shuffled.remove(chosen).slot)
            }
            Self::Priority(lanes) => {
                let highest = *lanes.lanes.last_key_value()?.0;
                lanes.take(highest, VecDeque::pop_front)
            }
            Self::Leased(roster) => roster.pop(stream),
            Self::Grouped(groups) => groups.pop(),
        }
    }

    /// The message that has waited longest, or stood first where lines keep their order.
    #[inline(always)]
    pub fn oldest(&self) -> Option<u32> {
        match self {
            Self::Fifo(line) | Self::Lifo(line) => line.front().copied(),
            Self::Random(shuffled) => shuffled.by_age.first().map(|place| place.slot),
            Self::Priority(lanes) => lanes.oldest().map(|(_, place)| place.slot),
            Self::Leased(roster) => roster.oldest(),
            Self::Grouped(groups) => groups.oldest(),
        }
    }

    /// The message that has waited longest leaves the line.
    pub fn pop_oldest(&mut self) -> Option<u32> {
        match self {
            Self::Fifo(line) | Self::Lifo(line) => line.pop_front(),
            Self::Random(shuffled) => {
                let slot = shuffled.by_age.first()?.slot;
                let at = shuffled.position[&slot];
                Some(shuffled.remove(at).slot)
            }
            Self::Priority(lanes) => {
                let (priority, _) = lanes.oldest()?;
                lanes.take(priority, VecDeque::pop_front)
            }
            Self::Leased(roster) => roster.pop_oldest(),
            Self::Grouped(groups) => groups.pop_oldest(),
        }
    }

    /// The youngest message of the lowest priority leaves the line, if that is below `priority`;
    /// a line that knows no priorities has none.
    pub fn pop_lower(&mut self, priority: u64) -> Option<u32> {
        match self {
            Self::Fifo(_) | Self::Lifo(_) | Self::Random(_) | Self::Grouped(_) => None,
            Self::Leased(roster) => roster.pop_lower(priority),
            Self::Priority(lanes) => {
                let lowest = *lanes.lanes.first_key_value()?.0;
                (lowest < priority)
                    .then(|| lanes.take(lowest, VecDeque::pop_back))
                    .flatten()
            }
        }
    }

    /// All slots that wait, in no stated order.
    pub fn slots(&self) -> Vec<u32> {
        match self {
            Self::Fifo(line) | Self::Lifo(line) => line.iter().copied().collect(),
            Self::Random(shuffled) => shuffled.any.iter().map(|place| place.slot).collect(),
            Self::Priority(lanes) => lanes
                .lanes
                .values()
                .flatten()
                .map(|place| place.slot)
                .collect(),
            Self::Leased(roster) => roster.slots(),
            Self::Grouped(groups) => groups.slots(),
        }
    }
}

/// What only lines do whose messages come back to their places.
impl Line {
    /// A message joins the line, or comes back to its old place.
    ///
    /// # Panics
    /// When the line keeps no places: that is a bug of the caller.
    pub fn push_at(&mut self, slot: u32, spot: Spot) {
        match self {
            Self::Leased(roster) => roster.push(slot, spot),
            Self::Grouped(groups) => groups.push(slot, spot),
            Self::Fifo(_) | Self::Lifo(_) | Self::Random(_) | Self::Priority(_) => keeps_no_spots(),
        }
    }

    /// A message leaves from wherever it stands; `None` when it does not wait.
    ///
    /// # Panics
    /// When the line keeps no places: that is a bug of the caller.
    pub fn remove(&mut self, spot: Spot) -> Option<u32> {
        match self {
            Self::Leased(roster) => roster.remove(spot),
            Self::Grouped(groups) => groups.remove(spot),
            Self::Fifo(_) | Self::Lifo(_) | Self::Random(_) | Self::Priority(_) => keeps_no_spots(),
        }
    }

    /// The next message of a key that this very receive has locked; `None` where keys lock nothing.
    pub fn pop_same(&mut self, key: u64) -> Option<u32> {
        match self {
            Self::Grouped(groups) => groups.pop_same(key),
            Self::Fifo(_)
            | Self::Lifo(_)
            | Self::Random(_)
            | Self::Priority(_)
            | Self::Leased(_) => None,
        }
    }

    /// One message of a key is no longer out; nothing where keys lock nothing.
    pub fn release(&mut self, key: u64) {
        match self {
            Self::Grouped(groups) => groups.release(key),
            Self::Fifo(_)
            | Self::Lifo(_)
            | Self::Random(_)
            | Self::Priority(_)
            | Self::Leased(_) => {}
        }
    }

    /// Whether [`Line::pop`] would give a message.
    #[inline(always)]
    pub fn is_ready(&self) -> bool {
        match self {
            Self::Grouped(groups) => groups.is_ready(),
            Self::Fifo(_)
            | Self::Lifo(_)
            | Self::Random(_)
            | Self::Priority(_)
            | Self::Leased(_) => !self.is_empty(),
        }
    }
}

#[cold]
fn needs_a_spot() -> ! {
    unreachable!("messages that come back join by their spot: this is a bug")
}

#[cold]
fn keeps_no_spots() -> ! {
    unreachable!("no message has a spot in a line that hands out for good: this is a bug")
}

impl Shuffled {
    fn push(&mut self, place: Place) {
        self.position.insert(place.slot, self.any.len());
        self.by_age.insert(place);
        self.any.push(place);
    }

    fn remove(&mut self, at: usize) -> Place {
        let place = self.any.swap_remove(at);
        self.position.remove(&place.slot);
        self.by_age.remove(&place);
        if let Some(moved) = self.any.get(at) {
            self.position.insert(moved.slot, at);
        }
        place
    }
}

impl Lanes {
    fn oldest(&self) -> Option<(u64, Place)> {
        let fronts = self
            .lanes
            .iter()
            .filter_map(|(priority, lane)| Some((*priority, *lane.front()?)));
        fronts.min_by_key(|(_, place)| *place)
    }

    fn take(
        &mut self,
        priority: u64,
        end: impl FnOnce(&mut VecDeque<Place>) -> Option<Place>,
    ) -> Option<u32> {
        let lane = self.lanes.get_mut(&priority)?;
        let place = end(lane)?;
        if lane.is_empty() {
            self.lanes.remove(&priority);
        }
        self.len -= 1;
        Some(place.slot)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{Purpose, Seed, StreamKey};

    fn stream() -> Stream {
        StreamKey::named(Seed(1), 0, "queues.test", Purpose::Choice).stream()
    }

    fn filled(order: Order) -> Line {
        let mut line = Line::new(order);
        for (slot, priority) in [(0, 5), (1, 9), (2, 5), (3, 1)] {
            line.push(slot, SimTime::from_nanos(u64::from(slot)), priority);
        }
        line
    }

    fn emptied(mut line: Line) -> Vec<u32> {
        let mut stream = stream();
        std::iter::from_fn(|| line.pop(&mut stream)).collect()
    }

    #[test]
    fn each_order_serves_as_it_says() {
        assert_eq!(emptied(filled(Order::Fifo)), [0, 1, 2, 3]);
        assert_eq!(emptied(filled(Order::Lifo)), [3, 2, 1, 0]);
        assert_eq!(emptied(filled(Order::Priority)), [1, 0, 2, 3]);
        let mut random = emptied(filled(Order::Random));
        random.sort_unstable();
        assert_eq!(random, [0, 1, 2, 3]);
    }

    #[test]
    fn every_order_knows_its_oldest() {
        for order in [Order::Fifo, Order::Lifo, Order::Random, Order::Priority] {
            let mut line = filled(order);
            assert_eq!((line.oldest(), line.len()), (Some(0), 4), "{order:?}");
            assert_eq!(line.pop_oldest(), Some(0));
            assert_eq!((line.oldest(), line.len()), (Some(1), 3), "{order:?}");
        }
        assert_eq!(filled(Order::Priority).pop_lower(2), Some(3));
        assert_eq!(filled(Order::Priority).pop_lower(1), None);
    }

    #[test]
    fn what_comes_back_is_next() {
        for order in [Order::Fifo, Order::Lifo] {
            let mut line = filled(order);
            line.restore(9, SimTime::ZERO, 0);
            assert_eq!(line.pop(&mut stream()), Some(9), "{order:?}");
        }
    }

    #[test]
    fn a_random_line_takes_each_with_equal_chance() {
        let mut stream = stream();
        let mut firsts = [0_u32; 4];
        for _ in 0..4_000 {
            firsts[filled(Order::Random).pop(&mut stream).expect("four wait") as usize] += 1;
        }
        // Each is binomial (4000, 1/4), sd 27: five sd away has a chance below 1e-6, and the seed
        // is fixed.
        assert!(
            firsts.iter().all(|count| count.abs_diff(1_000) < 137),
            "{firsts:?}"
        );
    }

    #[test]
    fn lines_that_keep_places_answer_as_the_others_do() {
        let spot = |sequence| Spot {
            sequence,
            priority: sequence,
            key: 7,
        };
        let mut stream = stream();
        for mut line in [Line::leased(Order::Priority), Line::grouped()] {
            for slot in 0..4 {
                line.push_at(slot, spot(u64::from(slot)));
            }
            assert_eq!((line.len(), line.oldest()), (4, Some(0)));
            assert_eq!(line.slots(), [0, 1, 2, 3]);
            assert_eq!(line.remove(spot(1)), Some(1));
            assert_eq!(line.pop_oldest(), Some(0));
            assert!(line.is_ready());
            match line {
                Line::Leased(_) => {
                    assert_eq!(line.pop_lower(3), Some(2));
                    assert_eq!(line.pop_same(7), None);
                    assert_eq!(line.pop(&mut stream), Some(3));
                    line.release(7);
                }
                Line::Grouped(_) => {
                    assert_eq!(line.pop_lower(9), None);
                    assert_eq!(line.pop(&mut stream), Some(2));
                    assert!(!line.is_ready() && !line.is_empty(), "7 is locked");
                    assert_eq!(line.pop_same(7), Some(3));
                    line.push_at(2, spot(2));
                    line.release(7);
                    assert!(!line.is_ready(), "3 is still out");
                    line.release(7);
                    assert_eq!(line.pop(&mut stream), Some(2));
                }
                Line::Fifo(_) | Line::Lifo(_) | Line::Random(_) | Line::Priority(_) => {
                    panic!("neither of the two")
                }
            }
            assert!(line.is_empty() && !line.is_ready());
        }
    }

    #[test]
    #[should_panic(expected = "join by their spot")]
    fn a_line_that_keeps_places_takes_nobody_without_one() {
        Line::leased(Order::Fifo).push(0, SimTime::ZERO, 0);
    }

    #[test]
    #[should_panic(expected = "no message has a spot")]
    fn a_line_that_keeps_no_places_gives_none() {
        Line::new(Order::Fifo).push_at(
            0,
            Spot {
                sequence: 0,
                priority: 0,
                key: 0,
            },
        );
    }
}
