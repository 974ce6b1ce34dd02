//! Backoffs: how long to wait before retry n (from 0), before any spread.
//!
//! Not the spread itself: that is the jitter, except of the published ladders, whose spread is part
//! of them, and of a linear backoff that has one of its own.

mod celery;
mod exponential;
mod linear;
mod sidekiq;

use rand::Rng;

pub use exponential::Exponential;
pub use linear::Linear;

use crate::input::{Problems, Read, Value, Variant};
use crate::units::SimDuration;

/// How the wait grows from retry to retry.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Backoff {
    /// No wait.
    #[default]
    Immediate,
    /// Always the same.
    Fixed(SimDuration),
    /// By the same step each time.
    Linear(Linear),
    /// By the same factor each time, up to a cap.
    Exponential(Exponential),
    /// The ladder of Sidekiq's default settings.
    Sidekiq,
    /// The ladder of Celery's automatic retries.
    Celery,
}

impl Backoff {
    /// The wait before retry `n`, without spread.
    #[inline]
    pub fn raw(&self, retry: u32) -> SimDuration {
        match self {
            Self::Immediate => SimDuration::ZERO,
            Self::Fixed(wait) => *wait,
            Self::Linear(it) => it.raw(retry),
            Self::Exponential(it) => it.raw(retry),
            Self::Sidekiq => sidekiq::raw(retry),
            Self::Celery => celery::raw(retry),
        }
    }

    /// The longest wait.
    pub fn cap(&self) -> SimDuration {
        match self {
            Self::Immediate => SimDuration::ZERO,
            Self::Fixed(wait) => *wait,
            Self::Linear(it) => it.cap,
            Self::Exponential(it) => it.cap,
            Self::Sidekiq => SimDuration::MAX,
            Self::Celery => celery::CAP,
        }
    }

    /// `raw` with the spread that is part of the backoff itself.
    pub(super) fn own_spread<R: Rng>(
        &self,
        retry: u32,
        raw: SimDuration,
        rng: &mut R,
    ) -> SimDuration {
        match self {
            Self::Sidekiq => raw + sidekiq::spread(retry, rng),
            Self::Celery => celery::spread(raw, rng),
            Self::Linear(it) => it.spread(raw, rng),
            Self::Immediate | Self::Fixed(_) | Self::Exponential(_) => raw,
        }
    }

    /// The mean wait before retry `n`, its own spread included, in seconds.
    pub(super) fn mean(&self, retry: u32) -> f64 {
        let raw = self.raw(retry).as_secs_f64();
        match self {
            Self::Sidekiq => raw + sidekiq::mean_spread(retry),
            Self::Celery => raw / 2.0,
            Self::Linear(it) => it.mean(raw),
            Self::Immediate | Self::Fixed(_) | Self::Exponential(_) => raw,
        }
    }

    /// Whether it has a spread of its own.
    pub fn is_spread(&self) -> bool {
        match self {
            Self::Sidekiq | Self::Celery => true,
            Self::Linear(it) => !it.spread.is_zero(),
            Self::Immediate | Self::Fixed(_) | Self::Exponential(_) => false,
        }
    }

    /// How many attempts the backoff has when nothing is said.
    pub(super) fn own_attempts(&self) -> Option<u32> {
        match self {
            Self::Sidekiq => Some(sidekiq::ATTEMPTS),
            Self::Celery => Some(celery::ATTEMPTS),
            Self::Immediate | Self::Fixed(_) | Self::Linear(_) | Self::Exponential(_) => None,
        }
    }
}

impl Read for Backoff {
    const EXPECTS: &'static str =
        "a backoff such as { exponential = { base = \"500ms\", cap = \"30s\" } }";

    fn read(value: &Value, problems: &mut Problems) -> Option<Self> {
        let known = [
            "immediate",
            "fixed",
            "linear",
            "exponential",
            "sidekiq",
            "celery",
        ];
        let variant = Variant::of(value, "a backoff", &known, problems)?;
        match (variant.name, variant.body) {
            ("fixed", Some(body)) => SimDuration::read(body, problems).map(Self::Fixed),
            ("linear" | "exponential" | "fixed", _) => {
                let mut fields = variant.fields(problems)?;
                let backoff = if variant.name == "linear" {
                    Linear::read(&mut fields, problems).map(Self::Linear)
                } else {
                    Exponential::read(&mut fields, problems).map(Self::Exponential)
                };
                fields.close(problems);
                backoff
            }
            (name, _) => {
                variant.bare(problems);
                Some(match name {
                    "sidekiq" => Self::Sidekiq,
                    "celery" => Self::Celery,
                    _ => Self::Immediate,
                })
            }
        }
    }
}
