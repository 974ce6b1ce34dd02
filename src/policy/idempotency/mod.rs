//! How duplicates are kept from acting twice (rule G2).
//!
//! Not whether a message is delivered twice: that is the broker's doing.

pub mod effects;

use crate::input::{Problem, Problems, Read, Value, Variant};
use crate::units::SimDuration;

/// How duplicates are kept from acting twice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Idempotency {
    /// Not at all.
    #[default]
    None,
    /// It looks at the start whether the key is there, and writes it when it has acted: two that
    /// overlap both act.
    CheckThenInsert,
    /// It reserves the key at the start, then acts: a crash in between leaves the key taken and
    /// the work undone.
    UniqueKey,
    /// It claims the key for a while, acts, and completes the claim; a stale claim is taken over.
    Claim {
        /// How long a claim holds.
        expires: SimDuration,
    },
}

impl Read for Idempotency {
    const EXPECTS: &'static str =
        "\"none\", \"check_then_insert\", \"unique_key\" or { claim = { expires = \"1m\" } }";

    fn read(value: &Value, problems: &mut Problems) -> Option<Self> {
        let words = ["none", "check_then_insert", "unique_key", "claim"];
        let variant = Variant::of(value, "a kind of idempotency", &words, problems)?;
        if variant.name == "claim" {
            if variant.refuses_plain("expires", problems) {
                return None;
            }
            let mut fields = variant.fields(problems)?;
            let expires = fields.required_spanned::<SimDuration>("expires", problems);
            fields.close(problems);
            let expires = expires?;
            if expires.it.is_zero() {
                let title = "the claim expires before anything is done";
                let label = "must be longer than zero";
                problems.file(Problem::error(title, expires.span, label));
                return None;
            }
            return Some(Self::Claim {
                expires: expires.it,
            });
        }
        variant.bare(problems);
        Some(match variant.name {
            "check_then_insert" => Self::CheckThenInsert,
            "unique_key" => Self::UniqueKey,
            _ => Self::None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::testing::{read, refused};

    #[test]
    fn reads_its_words_and_its_claim() {
        let minute = SimDuration::from_secs(60);
        for (text, due) in [
            ("\"none\"", Idempotency::None),
            ("\"check_then_insert\"", Idempotency::CheckThenInsert),
            ("\"unique_key\"", Idempotency::UniqueKey),
            (
                "{ claim = { expires = \"1m\" } }",
                Idempotency::Claim { expires: minute },
            ),
        ] {
            assert_eq!(read(text), Some(due), "{text}");
        }
    }

    #[test]
    fn refuses_a_claim_without_an_end() {
        for (text, reason) in [
            ("\"claim\"", "needs its parameters"),
            ("{ claim = \"1m\" }", "claim = { expires = \"1m\" }"),
            ("{ claim = {} }", "lacks `expires`"),
            ("{ claim = { expires = \"0s\" } }", "before anything"),
            ("\"unique\"", "is not a kind of idempotency"),
        ] {
            let told = refused::<Idempotency>(text);
            assert!(told.contains(reason), "{text}: {told}");
        }
    }
}
