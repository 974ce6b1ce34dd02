//! The world: all components of a model at run time. Its `handle` is the table of contents of
//! the simulation: one line for each event.
//!
//! Not the components: each has its file, which says in its head what it does.

use super::alert::AlertState;
use super::calendar::Calendar;
use super::consumer::{FleetState, Handler, handlers_of};
use super::delivery::{Custody, leased_queues};
use super::dependency::Exchange;
use super::digest::Digest;
use super::event::Event;
use super::fact::Fact;
use super::ledger::Ledger;
use super::message::Messages;
use super::outage::OutageState;
use super::producer::ProducerState;
use super::publish::Tickets;
use super::queue::QueueState;
use super::recorder::Recorder;
use super::run::Progress;
use crate::model::{FleetId, Id, Model, ProducerId, QueueId, Stop, Table, Warmup};
use crate::outcome::{Ended, Why};
use crate::random::{Purpose, StreamKey};
use crate::units::SimTime;

/// Everybody hears a fact. As a macro it borrows only those who hear, so that a component may
/// hold on to its own row meanwhile.
macro_rules! tell {
    ($world:ident, $fact:expr) => {{
        let (now, fact) = ($world.calendar.now(), $fact);
        $world.ledger.enter(&fact);
        $world.digest.fold(now, &fact);
        $world.recorder.observe(now, &fact);
    }};
}
pub(super) use tell;

/// Everything that changes while a run goes on.
#[derive(Debug)]
pub(super) struct World<'m, R> {
    pub(super) model: &'m Model,
    pub(super) calendar: Calendar,
    pub(super) messages: Messages,
    pub(super) tickets: Tickets,
    /// Who holds what of queues whose messages can come back.
    pub(super) custody: Custody,
    /// What goes on between callers and dependencies.
    pub(super) exchange: Exchange<'m>,
    pub(super) producers: Table<ProducerId, ProducerState<'m>>,
    pub(super) queues: Table<QueueId, QueueState<'m>>,
    pub(super) fleets: Table<FleetId, FleetState<'m>>,
    pub(super) handlers: Vec<Handler>,
    pub(super) outages: Vec<OutageState>,
    pub(super) alerts: Vec<AlertState>,
    pub(super) ledger: Ledger,
    /// The ledger at the end of the warm-up.
    pub(super) before: Ledger,
    pub(super) digest: Digest,
    pub(super) recorder: R,
    /// Messages waiting in all queues.
    pub(super) waiting: u64,
    /// Publishers blocked at all queues.
    pub(super) blocked: u64,
    /// Producers from which something more may come.
    pub(super) open_sources: usize,
    /// Whether anybody has clients that wait for what becomes of a publish.
    pub(super) has_clients: bool,
    /// Whether the last disturbance has ended.
    pub(super) calm: bool,
    /// Events handled.
    pub(super) events: u64,
    /// With so many it is looked whether they are too many, and told how far the run has come.
    look_at: u64,
    /// Whether the run may end because nothing more is to be seen, before its last instant.
    may_end: bool,
    /// With so many messages and waiting publishes alive the run ends.
    too_many: u64,
}

impl<'m, R: Recorder> World<'m, R> {
    pub(super) fn new(model: &'m Model, replication: u32, recorder: R) -> Self {
        let named =
            |name: &str, purpose| StreamKey::named(model.plan.seed, replication, name, purpose);
        let (handlers, bases) = handlers_of(model);
        let producers: Table<_, _> = model
            .producers
            .iter()
            .map(|producer| ProducerState::new(producer, named))
            .collect();
        let fleets = model.fleets.pairs().zip(bases);
        let outage = |index: usize| named(&format!("outages.{index}"), Purpose::Outage);
        let leased = leased_queues(model);
        let custody = Custody::new(model, &leased);
        Self {
            model,
            calendar: Calendar::new(model.producers.len(), handlers.len()),
            messages: Messages::default(),
            tickets: Tickets::default(),
            open_sources: producers.iter().filter(|producer| producer.open).count(),
            has_clients: producers.iter().any(|it| it.waits_for.is_some()),
            producers,
            queues: model
                .queues
                .pairs()
                .map(|(id, q)| QueueState::new(model, id, q, leased[id], named))
                .collect(),
            fleets: fleets
                .map(|((id, fleet), base)| {
                    let first = custody.first_of(id);
                    FleetState::new(fleet, leased[fleet.queue], base, first, named)
                })
                .collect(),
            custody,
            exchange: Exchange::new(model, named),
            handlers,
            outages: (0..model.outages.len())
                .map(|i| OutageState::new(outage(i)))
                .collect(),
            alerts: vec![AlertState::Quiet; model.alerts.len()],
            ledger: Ledger::new(model),
            before: Ledger::new(model),
            digest: Digest::new(),
            recorder,
            waiting: 0,
            blocked: 0,
            calm: false,
            events: 0,
            look_at: 0,
            may_end: match model.plan.stop {
                Stop::At(_) => false,
                Stop::Drained | Stop::Settled => true,
            },
            too_many: model.plan.most_alive.saturating_add(1),
        }
    }

    /// Everybody hears a fact.
    #[inline(always)]
    pub(super) fn tell(&mut self, fact: Fact) {
        tell!(self, fact);
    }

    /// Puts on the calendar what is known from the start.
    pub(super) fn open(&mut self) {
        let model = self.model;
        model
            .fleets
            .ids()
            .for_each(|fleet| self.tell_staffing(fleet));
        model
            .producers
            .ids()
            .for_each(|producer| self.open_producer(producer));
        (0..model.outages.len()).for_each(|index| self.schedule_outage(index as u16));
        for (fleet, config) in model.fleets.pairs() {
            let mut count = config.count;
            for (change, staffing) in config.staffing.iter().enumerate() {
                let change = change as u16;
                let event = if staffing.count >= count {
                    Event::Grow { fleet, change }
                } else {
                    Event::Shrink { fleet, change }
                };
                count = staffing.count;
                self.calendar.schedule(staffing.from, event);
            }
        }
        if let Some(calm) = model.calm_from().filter(|calm| *calm < SimTime::MAX) {
            self.calendar.schedule(calm, Event::BecomeCalm);
        }
        if let Warmup::For(span) = model.plan.warmup
            && !span.is_zero()
        {
            self.calendar.schedule(SimTime::ZERO + span, Event::WarmUp);
        }
        for (index, alert) in model.alerts.iter().enumerate() {
            self.calendar
                .schedule(SimTime::ZERO + alert.every, Event::Evaluate(index as u16));
        }
        self.schedule_crashes();
        self.schedule_redrives();
        self.open_dependencies();
        self.schedule_reviews();
        self.schedule_sample();
    }

    /// Whatever happens next before `until` happens; `false` when nothing does.
    #[inline(always)]
    pub(super) fn step(&mut self, until: u128) -> bool {
        self.events += 1;
        if let Some(handler) = self.calendar.next_completion(until) {
            self.finish(handler);
        } else if let Some(producer) = self.calendar.next_arrival(until) {
            self.arrive(producer);
        } else if let Some(event) = self.calendar.next_by_key(until) {
            self.handle(event);
        } else {
            self.events -= 1;
            return false;
        }
        debug_assert_eq!(
            self.imbalance(),
            None,
            "the ledger does not balance; this is a bug"
        );
        true
    }

    /// What happens now.
    fn handle(&mut self, event: Event) {
        match event {
            Event::Arrive(producer) => self.arrive(producer),
            Event::ClientPublish(producer) => self.client_publish(producer),
            Event::Finish(handler) => self.finish(handler),
            Event::RetryPublish(ticket) => self.retry_publish(ticket),
            Event::GiveUp(ticket) => self.give_up(ticket),
            Event::WakeUp(queue) => self.wake_up(queue),
            Event::Expire(queue) => self.expire(queue),
            Event::StartOutage(outage) => self.start_outage(outage),
            Event::EndOutage(outage) => self.end_outage(outage),
            Event::Restart { handler, outage } => self.restart(handler, outage),
            Event::Grow { fleet, change } | Event::Shrink { fleet, change } => {
                self.scale(fleet, change);
            }
            Event::RestoreBroker(queue) => self.restore_broker(queue),
            Event::Lapse(lease) => self.lapse(lease),
            Event::Deliver(lease) => self.deliver_to(lease),
            Event::Answer(lease) => self.answered(lease),
            Event::Credit { consumer, epoch } => self.credit(consumer, epoch),
            Event::Ask(handler) => self.asked(handler),
            Event::Unpack { handler, job } => self.unpack(handler, job),
            Event::CloseBatch { handler, job } => self.close_batch(handler, job),
            Event::RetryDue(message) => self.retry_due(message),
            Event::PublishAgain(ticket) => self.republish(ticket),
            Event::CallAgain(queue) => self.dispatch(queue),
            Event::Redrive(queue) => self.redrive(queue),
            Event::CheckAcks(queue) => self.check_acks(queue),
            Event::CrashConsumer { consumer, nth } => self.crash_consumer(consumer, nth),
            Event::CrashAt(fleet) => self.crash_at(fleet),
            Event::Review(fleet) => self.review(fleet),
            Event::ComeUp(fleet) => self.come_up(fleet),
            Event::RestartConsumer(consumer) => self.restart_consumer(consumer),
            Event::AnswerCall(call) => self.answer_call(call),
            Event::LeaveCall(call) => self.leave_call(call),
            Event::HedgeCall(request) => self.hedge_call(request),
            Event::TryCall(request) => self.attempt(request),
            Event::StopWaiting(request) => self.stop_waiting(request),
            Event::LetOut { caller, client } => self.let_out(caller, client),
            Event::StartTrouble(trouble) => self.start_trouble(trouble),
            Event::EndTrouble(trouble) => self.end_trouble(trouble),
            Event::BecomeCalm => self.become_calm(),
            Event::LookWhetherDrained(queue) => {
                // No event of the history: with or without, the same bound is met.
                self.events -= 1;
                self.look_whether_drained(queue);
            }
            Event::WarmUp => {
                self.before = self.ledger.clone();
                self.tell(Fact::WarmedUp);
            }
            Event::Evaluate(alert) => self.evaluate(alert),
            Event::Sample => self.sample(),
        }
    }

    /// The last disturbance has ended; queues that are empty now have been drained.
    fn become_calm(&mut self) {
        self.calm = true;
        self.tell(Fact::BecameCalm);
        for queue in self.queues.ids() {
            self.look_later_whether_drained(queue);
        }
    }

    /// The instant at which the run ends at the latest. Publishes at that instant are not made.
    pub(super) fn last_instant(&self) -> SimTime {
        match self.model.plan.stop {
            Stop::At(at) => at.min(self.model.plan.horizon),
            Stop::Drained | Stop::Settled => self.model.plan.horizon,
        }
    }

    /// Whether the run is over before its last instant.
    #[inline(always)]
    pub(super) fn is_over(&self) -> bool {
        // Whatever the plan, a run in which a message waits has not come to its end.
        (self.waiting == 0 && self.may_end && self.has_ended()) || self.is_too_large()
    }

    /// Whether the run may handle another event.
    #[inline(always)]
    pub(super) fn goes_on(&mut self, progress: Progress<'_>) -> bool {
        self.events < self.look_at || self.look(progress)
    }

    #[inline(never)]
    fn look(&mut self, progress: Progress<'_>) -> bool {
        progress(self.calendar.now());
        let next = self.events + (1 << 17);
        self.look_at = next.min(self.model.plan.most_events);
        !self.is_too_long()
    }

    #[inline]
    fn has_ended(&self) -> bool {
        match self.model.plan.stop {
            Stop::At(_) => false,
            Stop::Drained => {
                self.calm && self.waiting == 0 && self.blocked == 0 && self.exchange.waiting() == 0
            }
            Stop::Settled => {
                self.open_sources == 0
                    && self.messages.alive() == self.custody.resting
                    && self.tickets.open() == 0
                    && self.custody.is_settled()
                    && self.exchange.open_requests() == 0
            }
        }
    }

    /// Whether more messages and waiting publishes are alive than the plan allows (rule A4).
    #[inline(always)]
    pub(super) fn is_too_large(&self) -> bool {
        self.alive() >= self.too_many
    }

    /// Messages and waiting publishes that are alive.
    #[inline(always)]
    pub(super) fn alive(&self) -> u64 {
        self.messages.alive() + self.tickets.open()
    }

    /// What messages call for is more than the plan allows, together with them.
    pub(super) fn end_as_too_large(&mut self) {
        self.too_many = 0;
    }

    /// Whether more events were handled than the plan allows (rule A4).
    pub(super) fn is_too_long(&self) -> bool {
        self.events >= self.model.plan.most_events
    }

    /// Ends the run: says why, moves the clock there, and checks the ledger.
    pub(super) fn close(&mut self) -> Ended {
        let plan = &self.model.plan;
        let ended = if self.is_over() || self.is_too_long() {
            let why = match plan.stop {
                _ if self.is_too_large() => Why::MessageLimit,
                _ if self.is_too_long() => Why::EventLimit,
                Stop::Drained => Why::Drained,
                Stop::Settled | Stop::At(_) => Why::Settled,
            };
            let at = self.calendar.now();
            Ended { why, at }
        } else {
            let why = match plan.stop {
                Stop::At(stop) if stop <= plan.horizon => Why::Duration,
                Stop::At(_) | Stop::Drained | Stop::Settled => Why::Horizon,
            };
            let at = self.last_instant();
            Ended { why, at }
        };
        for queue in self.queues.ids() {
            self.look_whether_drained(queue);
        }
        self.calendar.close(ended.at);
        self.tell(Fact::Ended {
            unfinished: self.messages.alive() + self.exchange.open_inline(),
        });
        if let Some(imbalance) = self.imbalance() {
            let seed = self.model.plan.seed.0;
            panic!("the ledger does not balance; this is a bug (seed {seed}): {imbalance}");
        }
        ended
    }

    /// What does not add up between the ledger and what the components hold, if anything.
    fn imbalance(&self) -> Option<String> {
        for (id, state) in self.queues.pairs() {
            let account = &self.ledger.queues[id];
            let waiting = state.line.len() as u64;
            let delayed = state.desk.delayed;
            let held = (waiting, state.in_flight, delayed);
            if held != (account.waiting, account.in_flight, account.delayed) {
                let in_flight = state.in_flight;
                let held = format!("{waiting} wait, {in_flight} in flight, {delayed} delayed");
                return Some(format!("queue {}: {held}, but {account:?}", id.index()));
            }
        }
        for (id, account) in self.ledger.calls.stations.pairs() {
            let (waiting, serving) = self.exchange.inside(id);
            if (waiting, serving) != (account.waiting, account.serving) {
                let held = format!("{waiting} wait, {serving} in service");
                return Some(format!(
                    "dependency {}: {held}, but {account:?}",
                    id.index()
                ));
            }
        }
        let open: u64 = self.ledger.calls.callers.iter().map(|it| it.open).sum();
        if self.exchange.open_requests() != open {
            let held = self.exchange.open_requests();
            return Some(format!("{held} requests are open, but by the facts {open}"));
        }
        self.ledger.imbalance()
    }
}
