//! Named random streams: `(seed, replication, component, purpose)` names one, and adding a
//! component leaves every other component's draws as they were (rule A3).
//!
//! Not one generator handed around: that would let a new consumer reshuffle the arrivals.
//!
//! Two shapes of draw, both of generators whose output is fixed by their definition:
//! - a [`Stream`] is a sequence (xoshiro256++) for what happens in order, such as arrival gaps;
//! - [`StreamKey::at`] is the draw that belongs to one message, whatever the order in which
//!   messages are served (`SplitMix64` started at a place mixed from the key and the message).

use rand_xoshiro::rand_core::{Rng, SeedableRng, TryRng};
use rand_xoshiro::{SplitMix64, Xoshiro256PlusPlus};
use std::convert::Infallible;

/// The root of all randomness of a scenario.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seed(pub u64);

/// What a stream is for. Each purpose of a component has a stream of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Purpose {
    /// Gaps between arrivals, and how many come in a batch.
    Arrival = 1,
    /// The identity of each message, from which its own draws follow.
    Message = 2,
    /// Service times.
    Service = 3,
    /// Think times of closed-loop clients.
    Think = 4,
    /// The spread of retry delays.
    Jitter = 5,
    /// Keys of messages.
    Key = 6,
    /// Sizes of messages.
    Size = 7,
    /// Priorities of messages.
    Priority = 8,
    /// Which of several waiting things goes next.
    Choice = 9,
    /// Times between failures and to repair.
    Outage = 10,
    /// Whether something fails.
    Failure = 11,
    /// Whether something is lost on its way.
    Loss = 12,
}

/// A sequence of random bits, used in the order of its draws.
#[derive(Clone, Debug)]
pub struct Stream(Xoshiro256PlusPlus);

impl TryRng for Stream {
    type Error = Infallible;

    #[inline]
    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(self.0.next_u32())
    }

    #[inline]
    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(self.0.next_u64())
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        self.0.fill_bytes(bytes);
        Ok(())
    }
}

/// The name of a stream, mixed into 64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StreamKey(u64);

impl StreamKey {
    /// The key of `purpose` of the component called `component` (its dotted name) in one
    /// replication. Names, not positions: a component added before another changes nothing.
    pub fn named(seed: Seed, replication: u32, component: &str, purpose: Purpose) -> Self {
        let mut mixed = mix(seed.0 ^ 0x7175_6575_6563_6173);
        mixed = mix(mixed ^ u64::from(replication));
        for chunk in component.as_bytes().chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            mixed = mix(mixed ^ u64::from_le_bytes(word));
        }
        Self(mix(mixed ^ (purpose as u64) << 56 ^ component.len() as u64))
    }

    /// The stream itself, from its first draw.
    pub fn stream(self) -> Stream {
        Stream(Xoshiro256PlusPlus::seed_from_u64(self.0))
    }

    /// The generator that belongs to one thing, such as a message's identity or an attempt of it.
    #[inline]
    pub fn at(self, thing: u64) -> SplitMix64 {
        SplitMix64::seed_from_u64(mix(self.0 ^ thing))
    }

    /// The identity of the `n`-th thing born under this key.
    #[inline]
    pub fn identity(self, n: u64) -> u64 {
        mix(self.0.wrapping_add(n.wrapping_mul(0x9E37_79B9_7F4A_7C15)))
    }
}

/// A bijective mix of 64 bits (Stafford's variant 13 of the `MurmurHash3` finalizer).
#[inline]
const fn mix(mut bits: u64) -> u64 {
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    bits ^ (bits >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first(component: &str, replication: u32, purpose: Purpose) -> u64 {
        StreamKey::named(Seed(1), replication, component, purpose)
            .stream()
            .next_u64()
    }

    #[test]
    fn every_part_of_the_name_matters() {
        let base = first("producers.a", 0, Purpose::Arrival);
        assert_eq!(base, first("producers.a", 0, Purpose::Arrival));
        assert_ne!(base, first("producers.b", 0, Purpose::Arrival));
        assert_ne!(base, first("producers.a", 1, Purpose::Arrival));
        assert_ne!(base, first("producers.a", 0, Purpose::Service));
        assert_ne!(first("ab", 0, Purpose::Key), first("ab\0", 0, Purpose::Key));
    }

    #[test]
    fn a_message_keeps_its_draw_whatever_came_before() {
        let key = StreamKey::named(Seed(7), 0, "consumers.fleet", Purpose::Service);
        let messages = StreamKey::named(Seed(7), 0, "producers.web", Purpose::Message);
        let third = key.at(messages.identity(3)).next_u64();
        let _ = key.at(messages.identity(2)).next_u64();
        assert_eq!(third, key.at(messages.identity(3)).next_u64());
        assert_ne!(third, key.at(messages.identity(4)).next_u64());
    }
}
