//! Whether something happens to one thing among many: a draw that belongs to the thing.
//!
//! Not a sequence of draws: asking twice gives the same answer.

use rand::RngExt;

use crate::random::StreamKey;
use crate::units::Ratio;

/// Independent chances of a purpose of a component.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chances(StreamKey);

impl Chances {
    pub(super) fn new(key: StreamKey) -> Self {
        Self(key)
    }

    /// Whether it happens to this thing, of which a share is struck.
    pub(super) fn happens(self, share: Ratio, thing: u64) -> bool {
        share > Ratio::ZERO && self.0.at(thing).random::<f64>() < share.get()
    }
}
