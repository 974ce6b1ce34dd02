//! The bytes that a queue holds, and what happens when they reach their limit: publishers are held
//! back, or the broker goes down with all that it held (rule C5).
//!
//! Not who is refused meanwhile ([`super::publish`]).

use super::World;
use super::delivery;
use super::event::Event;
use super::fact::{Fact, Place};
use super::recorder::Recorder;
use crate::model::{OnLimit, QueueId};

impl<R: Recorder> World<'_, R> {
    /// A message comes to a queue or leaves it: its bytes with it.
    pub(super) fn weigh(&mut self, id: QueueId, slot: u32, change: fn(u64, u64) -> u64) {
        let message = self.messages[slot];
        let size = &self.model.producers[message.producer].size;
        let size = size.draw(&mut self.producers[message.producer].size.at(message.identity));
        let bytes = change(self.queues[id].bytes, size);
        self.queues[id].bytes = bytes;
        self.tell(Fact::Weighed { queue: id, bytes });
    }

    /// Looks whether the bytes of a queue have reached their limit.
    pub(super) fn watch_memory(&mut self, id: QueueId) {
        let Some(memory) = self.model.queues[id].memory else {
            return;
        };
        let bytes = self.queues[id].bytes;
        if bytes < memory.limit.0 {
            return;
        }
        match memory.on_limit {
            OnLimit::Block | OnLimit::Refuse => self.tell(Fact::MemoryFull { queue: id, bytes }),
            OnLimit::Crash { restart } => {
                self.crash_broker(id);
                let back = self.calendar.now().saturating_add(restart);
                self.calendar.schedule(back, Event::RestoreBroker(id));
            }
        }
    }

    /// The broker goes down with all that it held, waiting and in flight.
    fn crash_broker(&mut self, id: QueueId) {
        self.tell_oldest(id);
        let waiting = self.queues[id].line.slots();
        let leased = self.queues[id].leased;
        let in_hand = if leased {
            Vec::new()
        } else {
            let mut in_hand = self.drop_work_of(id);
            in_hand.extend(self.take_missing(id));
            in_hand
        };
        let out = if leased { self.lose_all_out(id) } else { 0 };
        let lost = (waiting.len() + in_hand.len()) as u64 + out;
        self.queues[id].line = delivery::empty_line(leased, &self.model.queues[id]);
        for slot in waiting {
            self.left_line(id, slot);
            self.tell(Fact::Lost {
                queue: id,
                from: Place::Waiting,
            });
            self.bury(id, slot);
        }
        for slot in in_hand {
            self.queues[id].in_flight -= 1;
            self.tell(Fact::Lost {
                queue: id,
                from: Place::InFlight,
            });
            self.bury(id, slot);
        }
        self.queues[id].down = true;
        self.tell(Fact::BrokerCrashed { queue: id, lost });
    }

    /// A crashed broker is back.
    pub(super) fn restore_broker(&mut self, id: QueueId) {
        self.queues[id].down = false;
        self.tell(Fact::BrokerBack { queue: id });
        self.admit(id);
    }
}
