//! What is written on the messages of a queue, and how often they are sent, as far as it changes
//! the work.
//!
//! Not how they are handled.

use super::handled::percent;
use crate::model::{ConfirmLoss, Model, Poison, Producer, QueueId, SendBatch, Stamp};
use crate::units::Ratio;

/// What is written on the messages of a queue.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Stamped {
    /// The share of messages that can never be worked on.
    pub(super) poison: Ratio,
    /// Messages accepted for each publish that is meant.
    pub(super) copies: f64,
    /// Why publishes are made again.
    pub(super) again: Option<String>,
}

impl Default for Stamped {
    fn default() -> Self {
        Self {
            poison: Ratio::ZERO,
            copies: 1.0,
            again: None,
        }
    }
}

pub(super) fn stamped(model: &Model, id: QueueId) -> Result<Stamped, String> {
    let ours = model.producers.iter();
    let mut all = ours.filter(|it| it.queues.contains(&id)).map(|producer| {
        let one = of_producer(model, id, producer)?;
        Ok::<_, String>((producer, one))
    });
    let Some(first) = all.next() else {
        return Ok(Stamped::default());
    };
    let (_, first) = first?;
    for other in all {
        let (producer, other) = other?;
        if (other.poison, other.copies.to_bits()) != (first.poison, first.copies.to_bits()) {
            return Err(format!(
                "{} poisons or repeats its messages unlike the others that publish to it",
                producer.name
            ));
        }
    }
    Ok(first)
}

fn of_producer(model: &Model, id: QueueId, producer: &Producer) -> Result<Stamped, String> {
    let Stamp {
        // Without groups and poison keys a key decides nothing.
        keys: _,
        poison: Poison { share, keys },
        confirm_loss,
        // Only calls are fewer, and those are not limited here.
        send_batch: SendBatch(_),
    } = &producer.stamp;
    if !keys.is_empty() {
        return Err(format!(
            "{} has poisoned keys, and how many messages those are is not worked out here",
            producer.name
        ));
    }
    let mut found = Stamped {
        poison: *share,
        ..Stamped::default()
    };
    if let Some(ConfirmLoss { share, timeout }) = confirm_loss
        && *share > Ratio::ZERO
    {
        let again = format!(
            "lost confirms: {} of the publishes of {} are made again after {timeout}, so arrivals \
             are not independent",
            percent(share.get()),
            producer.name
        );
        if *share == Ratio::ONE || model.queues[id].delivery.dedup_window.is_some() {
            return Err(again);
        }
        found.copies = 1.0 / (1.0 - share.get());
        found.again = Some(again);
    }
    Ok(found)
}
