//! What one who publishes writes on each message, and how: `keys`, `poison`, `confirm_loss`, and
//! `send_batch`.
//!
//! Not where a message goes, nor when ([`super::publish`]).

use super::reading::{above_zero, is_table, number};
use crate::input::{Fields, Problem, Problems, Read, Spanned, Value};
use crate::model::{ConfirmLoss, Poison, SendBatch, Stamp};
use crate::policy::keys::Keys;
use crate::units::{Ratio, SimDuration};

/// How long a producer waits for a confirm unless something else is said.
const TIMEOUT: SimDuration = SimDuration::from_secs(5);

/// Takes the keys from the table of one who publishes. What is wrong is filed, and left out.
pub(super) fn read(fields: &mut Fields<'_>, problems: &mut Problems) -> Stamp {
    let keys = fields.optional::<Keys>("keys", problems);
    let poison = fields.or("poison", Poison::default(), problems);
    if !poison.keys.is_empty() {
        poisonous(fields, &poison, keys.as_ref(), problems);
    }
    let batch = number(fields, "send_batch", &1, problems);
    Stamp {
        keys,
        poison,
        confirm_loss: fields.optional("confirm_loss", problems),
        send_batch: batch.map_or(SendBatch::default(), SendBatch),
    }
}

/// Keys that are poison have to be among the keys.
fn poisonous(
    fields: &mut Fields<'_>,
    poison: &Poison,
    keys: Option<&Keys>,
    problems: &mut Problems,
) {
    let Some(entry) = fields.entry("poison") else {
        return;
    };
    let span = entry.value.span.clone();
    let Some(keys) = keys else {
        if !fields.has("keys") {
            let title = format!("`{}` has poisonous keys, and no keys", fields.name());
            let problem = Problem::error(title, span, "messages have no keys");
            problems.file(problem.help("add `keys = 1000`"));
        }
        return;
    };
    if let Some(beyond) = poison.keys.iter().find(|key| **key >= keys.count()) {
        let title = format!("there is no key {beyond} to be poisonous");
        let label = format!("keys go from 0 to {}", keys.count() - 1);
        problems.file(Problem::error(title, span, label));
    }
}

impl Read for Poison {
    const EXPECTS: &'static str = "a ratio such as \"0.1%\", or { share = \"0.1%\", keys = [7] }";

    fn read(value: &Value, problems: &mut Problems) -> Option<Self> {
        if !is_table(value) {
            let share = Ratio::read(value, problems)?;
            return Some(Self {
                share,
                ..Self::default()
            });
        }
        let mut fields = Fields::open(value, "poison", problems)?;
        let share = fields.or("share", Ratio::ZERO, problems);
        let keys = fields.or("keys", Vec::new(), problems);
        fields.close(problems);
        Some(Self { share, keys })
    }
}

impl Read for ConfirmLoss {
    const EXPECTS: &'static str = "a ratio such as \"0.1%\", or { share = \"0.1%\" }";

    fn read(value: &Value, problems: &mut Problems) -> Option<Self> {
        let (share, timeout) = if is_table(value) {
            let mut fields = Fields::open(value, "confirm_loss", problems)?;
            let share = fields.required_spanned("share", problems);
            let timeout = above_zero(&mut fields, "timeout", problems);
            fields.close(problems);
            (share?, timeout.unwrap_or(TIMEOUT))
        } else {
            (Spanned::read(value, problems)?, TIMEOUT)
        };
        if share.it == Ratio::ONE {
            let title = "every confirm is lost, so the producer publishes for ever";
            problems.file(Problem::error(title, share.span, "must be below 1"));
            return None;
        }
        Some(Self {
            share: share.it,
            timeout,
        })
    }
}
