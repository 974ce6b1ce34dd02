//! Which waiting message goes next.
//!
//! Not the messages: only their slots stand in line, with what the order needs to know.
//!
//! The lines whose messages come back to their places ([`Roster`], [`Groups`]) are joined with
//! [`Line::push_at`], all others with [`Line::push`]; to confuse the two is a bug, and panics.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use rand::RngExt;

use super::groups::Groups;
use super::ring::Ring;
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
pub struct Line {
    /// How many wait: asked several times a message, so kept beside the places.
    len: usize,
    places: Places,
}

/// With a tag of its own, which is read faster than one that hides in the capacity of a list.
#[derive(Clone, Debug)]
#[repr(u8)]
enum Places {
    /// First come, first served.
    Fifo(Ring),
    /// Last come, first served: the front is the oldest.
    Lifo(VecDeque<u32>),
    /// Any, with an index by age.
    Random(Shuffled),
    /// A lane for each priority.
    Priority(Lanes),
    /// In any order, of messages that may come back.
    Leased(Roster),
    /// One receive of a key at a time.
    Grouped(Groups),
}

/// Messages in no order, and by age.
#[derive(Clone, Debug, Default)]
struct Shuffled {
    any: Vec<Place>,
    position: BTreeMap<u32, usize>,
    by_age: BTreeSet<Place>,
}

/// A lane for each priority.
#[derive(Clone, Debug, Default)]
struct Lanes(BTreeMap<u64, VecDeque<Place>>);

impl Line {
    /// An empty line in this order.
    pub fn new(order: Order) -> Self {
        let places = match order {
            Order::Fifo => Places::Fifo(Ring::default()),
            Order::Lifo => Places::Lifo(VecDeque::new()),
            Order::Random => Places::Random(Shuffled::default()),
            Order::Priority => Places::Priority(Lanes::default()),
        };
        Self { len: 0, places }
    }

    /// An empty line in this order, for messages that may come back.
    pub fn leased(order: Order) -> Self {
        let places = Places::Leased(Roster::new(order));
        Self { len: 0, places }
    }

    /// An empty line in which one receive of a key is out at a time.
    pub fn grouped() -> Self {
        let places = Places::Grouped(Groups::new());
        Self { len: 0, places }
    }

    /// How many wait.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether nobody waits.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// A message joins the line.
    #[inline(always)]
    pub fn push(&mut self, slot: u32, accepted: SimTime, priority: u64) {
        self.len += 1;
        if let Places::Fifo(line) = &mut self.places {
            line.push_back(slot);
        } else {
            self.places.push(slot, accepted, priority);
        }
    }

    /// The first of a line that keeps its order leaves it; `None` for any other line.
    #[inline(always)]
    pub fn pop_in_order(&mut self) -> Option<u32> {
        let Places::Fifo(line) = &mut self.places else {
            return None;
        };
        let slot = line.pop_front()?;
        self.len -= 1;
        Some(slot)
    }

    /// A message comes back and is next of its kind.
    pub fn restore(&mut self, slot: u32, accepted: SimTime, priority: u64) {
        self.len += 1;
        match &mut self.places {
            Places::Fifo(line) => line.push_front(slot),
            Places::Lifo(line) => line.push_back(slot),
            Places::Random(shuffled) => shuffled.push(Place { accepted, slot }),
            Places::Priority(lanes) => lanes.lane(priority).push_front(Place { accepted, slot }),
            Places::Leased(_) | Places::Grouped(_) => needs_a_spot(),
        }
    }

    /// The message that goes next leaves the line.
    pub fn pop(&mut self, stream: &mut Stream) -> Option<u32> {
        let slot = match &mut self.places {
            Places::Fifo(line) => line.pop_front(),
            Places::Lifo(line) => line.pop_back(),
            Places::Random(shuffled) => shuffled.take_any(stream),
            Places::Priority(lanes) => lanes.take_highest(),
            Places::Leased(roster) => roster.pop(stream),
            Places::Grouped(groups) => groups.pop(),
        }?;
        self.len -= 1;
        Some(slot)
    }

    /// The message that has waited longest, or stood first where lines keep their order.
    #[inline(always)]
    pub fn oldest(&self) -> Option<u32> {
        match &self.places {
            Places::Fifo(line) => line.front(),
            Places::Lifo(line) => line.front().copied(),
            Places::Random(shuffled) => shuffled.by_age.first().map(|place| place.slot),
            Places::Priority(lanes) => lanes.oldest().map(|(_, place)| place.slot),
            Places::Leased(roster) => roster.oldest(),
            Places::Grouped(groups) => groups.oldest(),
        }
    }

    /// The message that has waited longest leaves the line.
    pub fn pop_oldest(&mut self) -> Option<u32> {
        let slot = match &mut self.places {
            Places::Fifo(line) => line.pop_front(),
            Places::Lifo(line) => line.pop_front(),
            Places::Random(shuffled) => shuffled.take_oldest(),
            Places::Priority(lanes) => {
                let (priority, _) = lanes.oldest()?;
                lanes.take(priority, VecDeque::pop_front)
            }
            Places::Leased(roster) => roster.pop_oldest(),
            Places::Grouped(groups) => groups.pop_oldest(),
        }?;
        self.len -= 1;
        Some(slot)
    }

    /// The youngest message of the lowest priority leaves the line, if that is below `priority`;
    /// a line that knows no priorities has none.
    pub fn pop_lower(&mut self, priority: u64) -> Option<u32> {
        let slot = match &mut self.places {
            Places::Fifo(_) | Places::Lifo(_) | Places::Random(_) | Places::Grouped(_) => None,
            Places::Leased(roster) => roster.pop_lower(priority),
            Places::Priority(lanes) => {
                let lowest = *lanes.0.first_key_value()?.0;
                (lowest < priority)
                    .then(|| lanes.take(lowest, VecDeque::pop_back))
                    .flatten()
            }
        }?;
        self.len -= 1;
        Some(slot)
    }

    /// All slots that wait, in no stated order.
    pub fn slots(&self) -> Vec<u32> {
        match &self.places {
            Places::Fifo(line) => line.iter().collect(),
            Places::Lifo(line) => line.iter().copied().collect(),
            Places::Random(shuffled) => shuffled.any.iter().map(|place| place.slot).collect(),
            Places::Priority(lanes) => lanes.0.values().flatten().map(|place| place.slot).collect(),
            Places::Leased(roster) => roster.slots(),
            Places::Grouped(groups) => groups.slots(),
        }
    }
}

impl Places {
    /// In a function of its own: the plain order is told apart before.
    fn push(&mut self, slot: u32, accepted: SimTime, priority: u64) {
        match self {
            Self::Fifo(line) => line.push_back(slot),
            Self::Lifo(line) => line.push_back(slot),
            Self::Random(shuffled) => shuffled.push(Place { accepted, slot }),
            Self::Priority(lanes) => lanes.lane(priority).push_back(Place { accepted, slot }),
            Self::Leased(_) | Self::Grouped(_) => needs_a_spot(),
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
        self.len += 1;
        match &mut self.places {
            Places::Leased(roster) => roster.push(slot, spot),
            Places::Grouped(groups) => groups.push(slot, spot),
            Places::Fifo(_) | Places::Lifo(_) | Places::Random(_) | Places::Priority(_) => {
                keeps_no_spots()
            }
        }
    }

    /// A message leaves from wherever it stands; `None` when it does not wait.
    ///
    /// # Panics
    /// When the line keeps no places: that is a bug of the caller.
    pub fn remove(&mut self, spot: Spot) -> Option<u32> {
        let slot = match &mut self.places {
            Places::Leased(roster) => roster.remove(spot),
            Places::Grouped(groups) => groups.remove(spot),
            Places::Fifo(_) | Places::Lifo(_) | Places::Random(_) | Places::Priority(_) => {
                keeps_no_spots()
            }
        }?;
        self.len -= 1;
        Some(slot)
    }

    /// The next message of a key that this very receive has locked; `None` where keys lock nothing.
    pub fn pop_same(&mut self, key: u64) -> Option<u32> {
        let slot = match &mut self.places {
            Places::Grouped(groups) => groups.pop_same(key),
            Places::Fifo(_)
            | Places::Lifo(_)
            | Places::Random(_)
            | Places::Priority(_)
            | Places::Leased(_) => None,
        }?;
        self.len -= 1;
        Some(slot)
    }

    /// One message of a key is no longer out; nothing where keys lock nothing.
    pub fn release(&mut self, key: u64) {
        match &mut self.places {
            Places::Grouped(groups) => groups.release(key),
            Places::Fifo(_)
            | Places::Lifo(_)
            | Places::Random(_)
            | Places::Priority(_)
            | Places::Leased(_) => {}
        }
    }

    /// Whether [`Line::pop`] would give a message.
    #[inline(always)]
    pub fn is_ready(&self) -> bool {
        match &self.places {
            Places::Grouped(groups) => groups.is_ready(),
            Places::Fifo(_)
            | Places::Lifo(_)
            | Places::Random(_)
            | Places::Priority(_)
            | Places::Leased(_) => !self.is_empty(),
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

    fn take_any(&mut self, stream: &mut Stream) -> Option<u32> {
        let last = self.any.len().checked_sub(1)?;
        let chosen = stream.random_range(0..=last);
        Some(self.remove(chosen).slot)
    }

    fn take_oldest(&mut self) -> Option<u32> {
        let slot = self.by_age.first()?.slot;
        let at = self.position[&slot];
        Some(self.remove(at).slot)
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
    fn lane(&mut self, priority: u64) -> &mut VecDeque<Place> {
        self.0.entry(priority).or_default()
    }

    fn oldest(&self) -> Option<(u64, Place)> {
        let fronts = self
            .0
            .iter()
            .filter_map(|(priority, lane)| Some((*priority, *lane.front()?)));
        fronts.min_by_key(|(_, place)| *place)
    }

    fn take_highest(&mut self) -> Option<u32> {
        let highest = *self.0.last_key_value()?.0;
        self.take(highest, VecDeque::pop_front)
    }

    fn take(
        &mut self,
        priority: u64,
        end: impl FnOnce(&mut VecDeque<Place>) -> Option<Place>,
    ) -> Option<u32> {
        let lane = self.0.get_mut(&priority)?;
        let place = end(lane)?;
        if lane.is_empty() {
            self.0.remove(&priority);
        }
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
}
