//! Jitters: how the wait before a retry is spread, so that those who failed together do not come
//! back together.
//!
//! Not the wait itself: that is the backoff. After Brooker, "Exponential Backoff And Jitter"
//! (2015), cited from memory.

pub(super) mod decorrelated;
pub(super) mod equal;
pub(super) mod full;

use crate::input::{Problems, Read, Value, Variant};

/// How a wait is spread.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Jitter {
    /// Not at all.
    #[default]
    None,
    /// Anywhere from nothing to the whole wait.
    Full,
    /// Anywhere in its second half.
    Equal,
    /// Anywhere from the base to three times the wait before, up to the cap.
    Decorrelated,
}

impl Read for Jitter {
    const EXPECTS: &'static str = "\"none\", \"full\", \"equal\" or \"decorrelated\"";

    fn read(value: &Value, problems: &mut Problems) -> Option<Self> {
        let known = ["none", "full", "equal", "decorrelated"];
        let variant = Variant::of(value, "a jitter", &known, problems)?;
        variant.bare(problems);
        Some(match variant.name {
            "full" => Self::Full,
            "equal" => Self::Equal,
            "decorrelated" => Self::Decorrelated,
            _ => Self::None,
        })
    }
}
