//! The completions of handlers in the order of time: a tournament tree with a leaf for each.
//!
//! Not the other events, which the calendar keeps in its own stores.

use crate::units::SimTime;

/// A tournament of completions: a leaf for each handler, each node the smaller of its children
/// `2n` and `2n + 1`. Keys are 64 bits, `time << bits | handler`; in 128 the tree loses its
/// advantage.
#[derive(Debug)]
pub(super) struct Tournament {
    /// The nodes of up to `FEW` handlers: the compiler knows how many there are, and that none
    /// is out of bounds.
    few: [u64; 2 * FEW],
    /// The nodes of more.
    many: Vec<u64>,
    /// The winner's time, `EMPTY` for none, and who it is.
    pub(super) first: (u64, u32),
    /// How high the tree is, and how many bits of a key are its handler.
    bits: u32,
    /// Times from here on do not fit beside a handler.
    limit: u64,
}

/// No time, and the key of no completion.
pub(super) const EMPTY: u64 = u64::MAX;
const FEW: usize = 64;

impl Tournament {
    pub(super) fn new(handlers: usize) -> Self {
        let leaves = match handlers {
            0..=2 => 2,
            3..=8 => 8,
            9..=FEW => FEW,
            many => many.next_power_of_two(),
        };
        let bits = leaves.ilog2();
        let many = if leaves <= FEW { 0 } else { 2 * leaves };
        Self {
            few: [EMPTY; 2 * FEW],
            many: vec![EMPTY; many],
            first: (EMPTY, 0),
            bits,
            limit: EMPTY >> 1 >> bits,
        }
    }

    /// Fills the leaf of a handler; `false` when the time does not fit beside the handler.
    #[inline(always)]
    pub(super) fn set(&mut self, handler: u32, at: SimTime) -> bool {
        let time = at.as_nanos();
        if time >= self.limit {
            return false;
        }
        self.replace(handler, time << self.bits | u64::from(handler));
        true
    }

    #[inline(always)]
    pub(super) fn clear(&mut self, handler: u32) {
        self.replace(handler, EMPTY);
    }

    #[inline(always)]
    pub(super) fn replace(&mut self, handler: u32, key: u64) {
        self.first = match self.bits {
            1 => play_few::<1>(&mut self.few, handler, key),
            3 => play_few::<3>(&mut self.few, handler, key),
            6 => play_few::<6>(&mut self.few, handler, key),
            bits => play_many(&mut self.many, bits, handler, key),
        };
    }
}

/// Puts a key into a leaf of a tree of so many levels and plays its games up to the root; returns
/// the winner.
#[inline(always)]
fn play_few<const LEVELS: u32>(nodes: &mut [u64; 2 * FEW], handler: u32, key: u64) -> (u64, u32) {
    let mut node = (1 << LEVELS | handler as usize) % (2 << LEVELS);
    let mut winner = key;
    for _ in 0..LEVELS {
        winner = play(nodes, node, winner);
        node /= 2;
    }
    winner_of(winner, LEVELS)
}

/// The same in a tree of any height.
fn play_many(nodes: &mut [u64], levels: u32, handler: u32, key: u64) -> (u64, u32) {
    let mut node = 1 << levels | handler as usize;
    let mut winner = key;
    while node > 1 {
        winner = play(nodes, node, winner);
        node /= 2;
    }
    winner_of(winner, levels)
}

/// A node has a new key, which meets its sibling. That has long been known: what waits on the way
/// to the top is one comparison a level, and no load of what was just stored.
#[inline(always)]
fn play(nodes: &mut [u64], node: usize, key: u64) -> u64 {
    nodes[node] = key;
    key.min(nodes[node ^ 1])
}

/// A key taken apart. Its time is below `2^63 >> bits`, so that copies of the sign, shifted in, are
/// zeros in a time and ones in `EMPTY`, which stays what it is.
#[inline(always)]
fn winner_of(key: u64, bits: u32) -> (u64, u32) {
    let handler = key & ((1 << bits) - 1);
    ((key as i64 >> bits) as u64, handler as u32)
}
