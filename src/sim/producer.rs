//! A producer at run time: when it publishes next, and the loop of a client that waits.
//!
//! Not what becomes of a publish ([`super::publish`]).

use super::World;
use super::budget;
use super::call::SendCall;
use super::chances::Chances;
use super::event::Event;
use super::fact::Fact;
use super::publish::Publish;
use super::recorder::Recorder;
use crate::model::{Model, Origin, Producer, ProducerId, QueueId};
use crate::policy::arrival::{Arrivals, Source, WaitFor};
use crate::policy::retry::budget::BudgetState;
use crate::random::{Purpose, Stream, StreamKey};
use crate::units::{SimDuration, SimTime};

/// A producer at run time.
#[derive(Debug)]
pub(super) struct ProducerState<'m> {
    pub(super) config: &'m Producer,
    /// Its queue, when it has one only.
    only: Option<QueueId>,
    source: Option<Source>,
    gaps: Stream,
    think: Stream,
    /// How many messages the arrival that is on the calendar brings.
    due: u32,
    /// How many messages have been born.
    born: u64,
    /// When its process begins, how many messages it brings at most, and when it ends.
    start: SimDuration,
    count: u64,
    until: SimTime,
    /// Keys of the draws that belong to a message.
    pub(super) message: StreamKey,
    pub(super) jitter: StreamKey,
    pub(super) size: StreamKey,
    pub(super) priority: StreamKey,
    pub(super) key: StreamKey,
    pub(super) poison: Chances,
    pub(super) loss: Chances,
    /// What is left of the budget of its retries.
    pub(super) budget: Option<BudgetState>,
    /// The last call to each of its queues, where several messages go with one.
    pub(super) calls: Vec<SendCall>,
    /// What its clients wait for, when it has clients.
    pub(super) waits_for: Option<WaitFor>,
    /// Whether something more may come.
    pub(super) open: bool,
}

impl<'m> ProducerState<'m> {
    pub(super) fn new(producer: &'m Producer, named: impl Fn(&str, Purpose) -> StreamKey) -> Self {
        let key = |purpose| named(&producer.name, purpose);
        let (start, count, until) = match &producer.origin {
            Origin::Arrivals {
                start,
                count,
                until,
                ..
            } => (
                start.since(SimTime::ZERO),
                count.unwrap_or(u64::MAX),
                until.unwrap_or(SimTime::MAX),
            ),
            Origin::Fleet(_) => (SimDuration::ZERO, u64::MAX, SimTime::MAX),
        };
        let (source, waits_for, open) = match &producer.origin {
            Origin::Arrivals {
                arrivals: Arrivals::Clients(clients),
                ..
            } => (None, Some(clients.wait_for), true),
            Origin::Arrivals { arrivals, .. } => (Some(arrivals.source()), None, true),
            Origin::Fleet(_) => (None, None, false),
        };
        Self {
            config: producer,
            only: <[QueueId; 1]>::try_from(producer.queues.as_slice())
                .ok()
                .map(|[only]| only),
            source,
            gaps: key(Purpose::Arrival).stream(),
            think: key(Purpose::Think).stream(),
            due: 0,
            born: 0,
            start,
            count,
            until,
            message: key(Purpose::Message),
            jitter: key(Purpose::Jitter),
            size: key(Purpose::Size),
            priority: key(Purpose::Priority),
            key: key(Purpose::Key),
            poison: Chances::new(key(Purpose::Failure)),
            loss: Chances::new(key(Purpose::Loss)),
            budget: budget::of_producer(producer),
            calls: SendCall::of(producer),
            waits_for,
            open,
        }
    }
}

impl<R: Recorder> World<'_, R> {
    /// Puts the first publish of a producer on the calendar, or the first of each of its clients.
    pub(super) fn open_producer(&mut self, id: ProducerId) {
        let model: &Model = self.model;
        match &model.producers[id].origin {
            Origin::Arrivals {
                start,
                arrivals: Arrivals::Clients(clients),
                ..
            } => {
                let producer = &model.producers[id];
                debug_assert!(
                    producer.queues.len() == 1 || producer.calls.is_some(),
                    "a client that waits for several queues would multiply"
                );
                for _ in 0..clients.clients {
                    let think = clients.think.draw(&mut self.producers[id].think);
                    self.calendar
                        .schedule(start.saturating_add(think), Event::ClientPublish(id));
                }
            }
            Origin::Arrivals { .. } => self.schedule_arrival(id),
            Origin::Fleet(_) => {}
        }
    }

    /// The next arrivals are due: each becomes a publish to each of the producer's queues.
    #[inline(always)]
    pub(super) fn arrive(&mut self, id: ProducerId) {
        let due = self.producers[id].due;
        self.schedule_arrival(id);
        if due == 1 {
            self.publish_next(id);
        } else {
            self.arrive_together(id, due);
        }
    }

    fn arrive_together(&mut self, id: ProducerId, due: u32) {
        if due > 1 && self.is_burst(id) {
            self.tell(Fact::Burst {
                producer: id,
                messages: due,
            });
        }
        for _ in 0..due {
            if self.is_too_large() {
                break;
            }
            self.publish_next(id);
        }
    }

    fn is_burst(&self, id: ProducerId) -> bool {
        match &self.model.producers[id].origin {
            Origin::Arrivals { arrivals, .. } => matches!(arrivals, Arrivals::Bursts(_)),
            Origin::Fleet(_) => false,
        }
    }

    #[inline(always)]
    fn publish_next(&mut self, id: ProducerId) {
        let state = &mut self.producers[id];
        let identity = state.message.identity(state.born);
        state.born += 1;
        let (config, only, intended) = (state.config, state.only, self.calendar.now());
        let publish = |queue: QueueId| Publish {
            producer: id,
            queue,
            intended,
            identity,
            handler: None,
        };
        if let Some(only) = only {
            return self.offer(publish(only));
        }
        if config.queues.is_empty() {
            return self.call_inline(id, identity);
        }
        for &queue in &config.queues {
            self.offer_also(publish(queue));
        }
    }

    #[inline(never)]
    fn offer_also(&mut self, publish: Publish) {
        self.offer(publish);
    }

    /// Puts the next arrival on the calendar, as far as `count` and `until` allow.
    #[inline(always)]
    fn schedule_arrival(&mut self, id: ProducerId) {
        let state = &mut self.producers[id];
        let left = state.count - state.born - u64::from(state.due);
        if left > 0
            && let Some(source) = &mut state.source
            && let Some(next) = source.next(&mut state.gaps)
        {
            let at = next.at.saturating_add(state.start);
            if at < state.until {
                state.due = u64::from(next.count).min(left) as u32;
                self.calendar.schedule(at, Event::Arrive(id));
                return;
            }
        }
        state.due = 0;
        self.calendar.end_source(id);
        self.close_producer(id);
    }

    fn close_producer(&mut self, id: ProducerId) {
        if std::mem::take(&mut self.producers[id].open) {
            self.open_sources -= 1;
        }
    }

    /// A client has thought, and publishes.
    pub(super) fn client_publish(&mut self, id: ProducerId) {
        let state = &self.producers[id];
        if state.born >= state.count || self.calendar.now() >= state.until {
            return self.close_producer(id);
        }
        if state.born + 1 == state.count {
            self.close_producer(id);
        }
        self.publish_next(id);
    }

    /// A client starts to think again.
    pub(super) fn think(&mut self, id: ProducerId) {
        let Origin::Arrivals {
            arrivals: Arrivals::Clients(clients),
            ..
        } = &self.model.producers[id].origin
        else {
            return;
        };
        let think = clients.think.draw(&mut self.producers[id].think);
        // A client that neither thinks nor waits would hold the clock still.
        let think = think.max(SimDuration::from_nanos(1));
        let at = self.calendar.now().saturating_add(think);
        self.calendar.schedule(at, Event::ClientPublish(id));
    }

    /// A message of this producer has reached its end.
    #[inline(always)]
    pub(super) fn message_ended(&mut self, id: ProducerId) {
        if self.producers[id].waits_for == Some(WaitFor::Completed) {
            self.think(id);
        }
    }
}
