//! The simulation: one model, one replication, one history. The main loop is on this screen.
//!
//! Not how a scenario is written, nor what is asked of the results.

mod alert;
mod budget;
mod calendar;
mod call;
mod chances;
mod confirm;
mod consumer;
mod delivery;
mod dependency;
mod digest;
mod event;
mod fact;
mod idle;
mod ledger;
mod memory;
mod message;
mod outage;
mod producer;
mod publish;
mod queue;
mod reading;
mod recorder;
mod retention;
mod run;
mod scaler;
mod tournament;
mod windows;
mod world;
mod written;

pub use dependency::{Audience, CallFact, Leaving, NotCalled, Nth, Refusal, Reply, RequestEnd};
pub use fact::{Fact, Place};
pub use message::BYTES_A_WAITING_MESSAGE;
pub use recorder::{BatchMean, Levels, QueueLevels, Recorder};
pub use run::{Detail, Progress, measure, measure_in_batches, simulate};
use world::World;

use calendar::key;
use event::rank;

use crate::model::Model;
use crate::outcome::Ended;

/// Runs one replication of `model` to its end, telling `recorder` what happens; returns why and
/// when it ended, the digest of its history, and how many events were handled.
fn play<'m, R: Recorder>(
    model: &'m Model,
    replication: u32,
    recorder: R,
    progress: Progress<'_>,
) -> (World<'m, R>, Ended) {
    let mut world = World::new(model, replication, recorder);
    let until = key(world.last_instant(), rank::PUBLISH, 0);
    world.open();
    while !world.is_over() && world.goes_on(progress) && world.step(until) {}
    let ended = world.close();
    (world, ended)
}
