//! What one who publishes writes on each message in words, as far as it is not plain.
//!
//! Not where messages go.

use crate::model::{ConfirmLoss, Poison, SendBatch, Stamp};
use crate::units::Ratio;

/// A phrase for each part that is not plain.
pub(super) fn phrases(stamp: &Stamp) -> Vec<String> {
    let mut phrases = Vec::new();
    phrases.extend(stamp.keys.as_ref().map(|keys| match keys.exponent() {
        None => format!("{} keys", keys.count()),
        Some(exponent) => format!("{} keys by Zipf's law of {exponent}", keys.count()),
    }));
    let Poison { share, keys } = &stamp.poison;
    if *share != Ratio::ZERO {
        phrases.push(format!("{share} poison"));
    }
    if !keys.is_empty() {
        let keys: Vec<_> = keys.iter().map(ToString::to_string).collect();
        phrases.push(format!("poison keys {}", keys.join(" ")));
    }
    let loss = stamp.confirm_loss;
    phrases.extend(loss.map(|ConfirmLoss { share, timeout }| {
        format!("{share} of confirms lost, published again after {timeout}")
    }));
    if stamp.send_batch != SendBatch::default() {
        phrases.push(format!("{} messages a call", stamp.send_batch.0));
    }
    phrases
}
