//! What a producer writes on each message, and how it sends: keys, poison, lost confirms.
//!
//! Not when it publishes, nor what it does when it is refused.

use crate::policy::keys::Keys;
use crate::units::{Ratio, SimDuration};

/// What a producer writes on each message, and how it sends.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stamp {
    /// Keys of messages; `None` when they have none.
    pub keys: Option<Keys>,
    /// Which messages can never be worked on.
    pub poison: Poison,
    /// Confirms that are lost: the producer publishes the message once more.
    pub confirm_loss: Option<ConfirmLoss>,
    /// How many messages of one instant go with one call.
    pub send_batch: SendBatch,
}

/// Which messages can never be worked on.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Poison {
    /// A share of all.
    pub share: Ratio,
    /// All of these keys.
    pub keys: Vec<u64>,
}

/// Confirms that are lost on their way to the producer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ConfirmLoss {
    /// Which share.
    pub share: Ratio,
    /// After how long the producer publishes again.
    pub timeout: SimDuration,
}

/// How many messages go with one call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SendBatch(pub u32);

impl Default for SendBatch {
    fn default() -> Self {
        Self(1)
    }
}
