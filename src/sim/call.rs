//! Calls of those who publish: several messages of one instant go with one, and what the broker
//! says to it holds for all of them (rules C1 and F3).
//!
//! Not how many calls a second has: that is [`crate::policy::calls`]. Not the calls of consumers
//! either.

use super::World;
use super::fact::Call;
use super::publish::{Publish, Refusal};
use super::recorder::Recorder;
use crate::model::{LengthCheck, Model, Overflow, Producer, ProducerId, QueueId};
use crate::policy::retry::budget::Cause;
use crate::units::SimTime;

/// The last call of a producer to one of its queues.
#[derive(Clone, Copy, Debug)]
pub(super) struct SendCall {
    at: SimTime,
    /// How many more messages go with it, if they are published at that instant.
    left: u32,
    /// What the broker said to it.
    answer: Result<(), Refusal>,
}

impl SendCall {
    /// One for each queue, where several messages go with a call.
    pub(super) fn of(producer: &Producer) -> Vec<Self> {
        let none = Self {
            at: SimTime::ZERO,
            left: 0,
            answer: Ok(()),
        };
        match producer.stamp.send_batch.0 {
            1 => Vec::new(),
            _ => vec![none; producer.queues.len()],
        }
    }
}

/// Whether it makes a difference to a queue which messages come with one call.
pub(super) fn takes_by_call(model: &Model, id: QueueId) -> bool {
    let queue = &model.queues[id];
    let once = queue.length_check == LengthCheck::Batch && queue.overflow == Overflow::Refuse;
    let together = |it: &Producer| it.queues.contains(&id) && it.stamp.send_batch.0 > 1;
    (once || queue.delivery.calls.send.is_some()) && model.producers.iter().any(together)
}

impl<R: Recorder> World<'_, R> {
    /// What the broker says to a publish, and to the call that it goes with.
    #[inline(never)]
    pub(super) fn answer_to_call(&mut self, publish: Publish) -> Result<(), Refusal> {
        let Publish {
            producer, queue, ..
        } = publish;
        let now = self.calendar.now();
        let Some(call) = self.call_of(producer, queue) else {
            return self.answer_to_first(queue);
        };
        if call.left > 0 && call.at == now {
            call.left -= 1;
            return call.answer.and_then(|()| self.room_with(queue));
        }
        let answer = self.answer_to_first(queue);
        let holds = match (self.model.queues[queue].length_check, answer) {
            (LengthCheck::Batch, _)
            | (LengthCheck::Message, Ok(()) | Err(Refusal::Refused(Cause::Throttled))) => true,
            // No call was made: the next message is the first of one.
            (LengthCheck::Message, Err(_)) => false,
        };
        let others = self.model.producers[producer].stamp.send_batch.0 - 1;
        if let Some(call) = self.call_of(producer, queue) {
            *call = SendCall {
                at: now,
                left: if holds { others } else { 0 },
                answer,
            };
        }
        answer
    }

    /// The last call, where it makes a difference what else goes with it.
    fn call_of(&mut self, producer: ProducerId, queue: QueueId) -> Option<&mut SendCall> {
        if !self.queues[queue].by_call {
            return None;
        }
        let state = &mut self.producers[producer];
        let place = state.config.queues.iter().position(|it| *it == queue)?;
        state.calls.get_mut(place)
    }

    /// A publisher begins anew: nothing of it goes with a call that was made before.
    pub(super) fn end_calls(&mut self, producer: ProducerId) {
        for call in &mut self.producers[producer].calls {
            call.left = 0;
        }
    }

    /// What the broker says to the first message of a call.
    fn answer_to_first(&mut self, queue: QueueId) -> Result<(), Refusal> {
        self.room_beyond(queue)?;
        if self.may_call(queue, Call::Send) {
            return Ok(());
        }
        Err(Refusal::Refused(Cause::Throttled))
    }

    /// Whether the queue takes another message of a call of which it has taken the first.
    fn room_with(&self, queue: QueueId) -> Result<(), Refusal> {
        match self.model.queues[queue].length_check {
            LengthCheck::Message => self.room_beyond(queue),
            LengthCheck::Batch => self.memory_beyond(queue),
        }
    }

    /// Others of a producer that are blocked go with the call of one that has been let in.
    pub(super) fn let_in_with(&mut self, producer: ProducerId, queue: QueueId) {
        for _ in 1..self.model.producers[producer].stamp.send_batch.0 {
            let tickets = &self.tickets;
            let is_ours = |other| tickets.producer_of(other) == Some(producer);
            if self.room_with(queue).is_err() {
                return;
            }
            let Some(ticket) = self.queues[queue].gate.admit_with(is_ours) else {
                return;
            };
            self.let_in(ticket, queue);
        }
    }
}
