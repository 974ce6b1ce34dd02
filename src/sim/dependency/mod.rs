//! Dependencies, and who calls them (rules E6 and E7): stations of their own, requests that make
//! calls to them, and the defences of those who do.
//!
//! Not messages, nor handlers: a handler that calls is held until its request has ended.
//!
//! ```text
//! handler, or producer -> request -> attempt -> call -> station
//!                           ^          |          |        |
//!                           |          +- retry <-+- answer, timeout, refusal
//!                           +---------- end
//! ```

mod call;
mod client;
mod fact;
mod handler;
mod ledger;
mod request;
mod slab;
mod station;
mod trouble;

pub(super) use call::CallRef;
pub use fact::{Audience, CallFact, Leaving, NotCalled, Nth, Refusal, Reply, RequestEnd};
pub(super) use ledger::CallLedger;
pub(super) use request::{By, RequestRef};

use call::{Call, OfCall};
use client::Client;
use request::{OfRequest, Request};
use slab::Slab;
use station::Station;
use trouble::TroubleState;

use super::World;
use super::fact::Fact;
use super::recorder::Recorder;
use crate::model::{CallerId, DependencyId, Model, ProducerId, Table};
use crate::random::{Purpose, StreamKey};

/// Everything between callers and dependencies.
#[derive(Debug)]
pub(super) struct Exchange<'m> {
    pub(super) stations: Table<DependencyId, Station<'m>>,
    clients: Table<CallerId, Vec<Client>>,
    /// Of the waits between attempts.
    jitter: Table<CallerId, StreamKey>,
    requests: Slab<OfRequest, Request>,
    calls: Slab<OfCall, Call>,
    troubles: Vec<TroubleState>,
}

impl<'m> Exchange<'m> {
    pub(super) fn new(model: &'m Model, named: impl Fn(&str, Purpose) -> StreamKey) -> Self {
        let trouble = |index: usize| named(&format!("troubles.{index}"), Purpose::Outage);
        let stations = model.dependencies.iter();
        Self {
            stations: stations.map(|it| Station::new(it, &named)).collect(),
            clients: model
                .callers
                .ids()
                .map(|caller| Client::all(model, caller))
                .collect(),
            jitter: model
                .callers
                .iter()
                .map(|caller| named(&format!("{}.calls", caller.name), Purpose::Jitter))
                .collect(),
            requests: Slab::default(),
            calls: Slab::default(),
            troubles: (0..model.troubles.len())
                .map(|index| TroubleState::new(trouble(index)))
                .collect(),
        }
    }

    /// Those of them that no message waits for.
    pub(super) fn open_inline(&self) -> u64 {
        let inline = |request: &&Request| matches!(request.by, By::Producer(_));
        self.requests.iter().filter(inline).count() as u64
    }

    /// Requests that have not ended.
    pub(super) fn open_requests(&self) -> u64 {
        self.requests.len()
    }

    /// Calls that wait for a server, of all dependencies.
    pub(super) fn waiting(&self) -> u64 {
        self.stations.iter().map(|it| it.line.len() as u64).sum()
    }

    /// Calls that wait for a server, and that one works on.
    pub(super) fn inside(&self, dependency: DependencyId) -> (u64, u64) {
        let station = &self.stations[dependency];
        (station.line.len() as u64, station.serving)
    }
}

impl<R: Recorder> World<'_, R> {
    /// Everybody hears a fact of calls.
    #[inline(never)]
    fn tell_call(&mut self, fact: CallFact) {
        self.tell(Fact::Call(fact));
    }

    /// Puts what is known from the start on the calendar.
    pub(super) fn open_dependencies(&mut self) {
        let troubles = self.model.troubles.len();
        (0..troubles).for_each(|index| self.schedule_trouble(index as u16));
    }

    /// Ends the run when there is more than the plan allows (rule A4): requests, and calls that a
    /// dependency still has, are as good as messages.
    fn check_size(&mut self) {
        let exchange = self.exchange.requests.len() + self.exchange.calls.len();
        if self.alive() + exchange > self.model.plan.most_alive {
            self.end_as_too_large();
        }
    }

    /// An arrival of a producer that calls a dependency itself.
    #[inline(never)]
    pub(super) fn call_inline(&mut self, producer: ProducerId, identity: u64) {
        if let Some(caller) = self.model.producers[producer].calls {
            let id = self.open_request(caller, 0, By::Producer(producer), identity);
            self.attempt(id);
        }
    }

    /// What a producer wanted has come to its end; a client of a closed loop thinks again.
    fn inline_ended(&mut self, producer: ProducerId) {
        if self.producers[producer].waits_for.is_some() {
            self.think(producer);
        }
    }
}
