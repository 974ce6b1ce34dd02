//! How a consumer handles what it is given: when it acknowledges, how many messages it holds, how
//! it fails, retries, crashes, and what its work does to the world outside (rules D1, D3, D4, E1
//! to E3, F4, G1, G2).
//!
//! Not how long it works: that is the fleet's service time.

use super::table::CallerId;
use crate::policy::idempotency::Idempotency;
use crate::policy::retry::RetryPolicy;
use crate::random::law::DurationLaw;
use crate::units::{Rate, Ratio, SimDuration, SimTime};

/// How the consumers of a fleet handle messages. The default is the plain handler: it takes a
/// message when it is free, never fails, and acknowledges when it is done, at once.
#[derive(Clone, Debug, PartialEq)]
pub struct Handling {
    /// When a message is acknowledged.
    pub ack: Ack,
    /// Which share of acknowledgements is lost on the way.
    pub ack_loss: Ratio,
    /// How messages come to the consumer.
    pub intake: Intake,
    /// How long a message travels to the consumer, and an acknowledgement or request back.
    pub delivery_delay: SimDuration,
    /// How many messages a handler works on at once.
    pub batch: Option<Batch>,
    /// How work fails.
    pub fails: Failures,
    /// What it calls once its own service time is over, and waits for; `None` for nothing.
    pub calls: Option<CallerId>,
    /// How many attempts the fleet makes; `None` for as many as it can.
    pub limit: Option<Limit>,
    /// When failed work is done again; `None` when the message is given back at once.
    pub retry: Option<Reworking>,
    /// How long a message is worked on when it is delivered again.
    pub rework: Rework,
    /// When consumers crash.
    pub crash: Option<Crashes>,
    /// How duplicates are kept from acting twice.
    pub idempotency: Idempotency,
    /// What a duplicate is recognized by.
    pub idempotency_key: IdempotencyKey,
    /// At which part of the work it acts on the world outside.
    pub effect_at: Ratio,
    /// What becomes of a message older than the last one applied of its key.
    pub guard: Guard,
}

impl Default for Handling {
    fn default() -> Self {
        Self {
            ack: Ack::After,
            ack_loss: Ratio::ZERO,
            intake: Intake::Pull,
            delivery_delay: SimDuration::ZERO,
            batch: None,
            fails: Failures::default(),
            calls: None,
            limit: None,
            retry: None,
            rework: Rework::Restart,
            crash: None,
            idempotency: Idempotency::None,
            idempotency_key: IdempotencyKey::Natural,
            effect_at: Ratio::ONE,
            guard: Guard::None,
        }
    }
}

impl Handling {
    /// The instant of its first crash at a stated instant; zero when it fails for good until it is
    /// repaired. `None` for neither.
    pub fn disturbed_from(&self) -> Option<SimTime> {
        let crash = self.crash.as_ref().and_then(|crash| crash.at.first());
        let broken = self.fails.cured_at.map(|_| SimTime::ZERO);
        broken.or(crash.copied())
    }

    /// The instant from which on nothing scheduled changes it: the last restart from a crash at a
    /// stated instant, and the instants at which the handler breaks and is repaired. `None` when
    /// nothing does.
    pub fn calm_from(&self) -> Option<SimTime> {
        let back = self.crash.as_ref().and_then(|crash| {
            let last = crash.at.last()?;
            Some(last.saturating_add(crash.restart))
        });
        let breaks = Some(self.fails.breaks_at).filter(|at| *at > SimTime::ZERO);
        back.max(self.fails.cured_at).max(breaks)
    }
}

/// When a message is acknowledged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ack {
    /// When work on it begins: at most once.
    Before,
    /// When work on it is done: at least once.
    After,
}

/// How messages come to a consumer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Intake {
    /// A free handler asks for one (or a batch).
    Pull,
    /// The broker pushes as long as the consumer holds fewer unacknowledged ones than this.
    Push {
        /// The prefetch: the most unacknowledged messages that a consumer holds.
        prefetch: u32,
    },
}

/// Several messages worked on at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Batch {
    /// The most messages of a batch.
    pub size: u32,
    /// How long a handler waits for more after the first.
    pub window: SimDuration,
    /// How long it works on them.
    pub work: BatchWork,
    /// What comes back when some of them fail.
    pub failure: BatchFailure,
}

/// How long a handler works on a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BatchWork {
    /// The service times of its messages, one after the other.
    Each,
    /// The longest of their service times: one piece of work.
    Once,
}

/// What comes back when some messages of a batch fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BatchFailure {
    /// All of them.
    Whole,
    /// Those that failed (partial responses).
    Partial,
}

/// How work fails.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Failures {
    /// The probability that an attempt fails, drawn anew each time.
    pub transient: Ratio,
    /// The share of messages on which every attempt fails, besides those published as poison.
    pub permanent: Ratio,
    /// How long a failing attempt takes; `None` for as long as any other.
    pub takes: Option<DurationLaw>,
    /// From when on messages fail for good: before, the handler is not broken yet.
    pub breaks_at: SimTime,
    /// From when on messages no longer fail for good: the handler has been repaired.
    pub cured_at: Option<SimTime>,
}

/// When failed work is done again.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reworking {
    /// How often and after which wait.
    pub policy: RetryPolicy,
    /// Where the message is meanwhile.
    pub place: RetryPlace,
    /// Which failures are tried again; others are dead letters at once.
    pub on: RetryOn,
    /// Who shares the policy's budget, if it has one.
    pub budget_per: BudgetPer,
}

/// Who shares a retry budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BudgetPer {
    /// The handlers of a consumer: each process has a client of its own, whose budget is full
    /// again when it restarts.
    Consumer,
    /// All consumers of the fleet.
    Fleet,
}

/// A limiter that the attempts of a fleet share. What finds no call left fails at once, and goes
/// the way of failures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit {
    /// How many attempts.
    pub rate: Rate,
    /// How long a window is, each of which has its calls from its start on.
    pub window: SimDuration,
}

/// Where a message waits for its next attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RetryPlace {
    /// With its handler, which does nothing else.
    InPlace,
    /// With the broker, which delivers it again when it is due.
    Delayed,
}

/// Which failures are tried again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RetryOn {
    /// All.
    Any,
    /// Those that another attempt can get over.
    Transient,
}

/// How long a message is worked on when it is delivered again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rework {
    /// From the start, with its own service time.
    Restart,
    /// From the start, with a new draw.
    Resample,
}

/// When consumers crash, one at a time, with all that they hold.
#[derive(Clone, Debug, PartialEq)]
pub struct Crashes {
    /// Time from a consumer's start to its crash; `None` for none at random.
    pub mtbf: Option<DurationLaw>,
    /// Stated instants of crashes, in order.
    pub at: Vec<SimTime>,
    /// How many consumers, the first ones, crash at each stated instant.
    pub consumers: u32,
    /// How long a crashed consumer is down.
    pub restart: SimDuration,
}

/// What a duplicate is recognized by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IdempotencyKey {
    /// Something of the message itself: every delivery of it has the same.
    Natural,
    /// Something made anew for each attempt: every attempt looks new.
    GeneratedPerAttempt,
}

/// What becomes of a message older than the last one applied of its key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guard {
    /// It is applied all the same.
    None,
    /// It is ignored, and counted.
    Version,
}
