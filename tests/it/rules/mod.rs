//! One small test for each rule of the semantics, named by it, with numbers worked out by hand.
//! Where a number is a trace that another simulator publishes, the test names it.
//!
//! Not the worked example, which has tables of its own, and not what holds of all models.

#![expect(
    clippy::float_cmp,
    reason = "numbers worked out by hand come out to the last digit"
)]

mod calls;
mod consumers;
mod delivery;
mod effects;
mod failure;
mod groups;
mod limits;
mod peers;
mod publish;
mod queue;
mod time;
