//! The timeline: the few moments of a run that a person wants to read.
//!
//! Not a trace. What comes in swarms (refusals, blocked publishers, a queue that touches its bound
//! again and again) is told as an episode: when it began, when it was over, how bad it was.

use crate::model::{Model, QueueId, Table};
use crate::outcome::{Kind, Moment, Subject};
use crate::sim::fact::{Fact, Place};
use crate::sim::recorder::Recorder;
use crate::units::{SimDuration, SimTime};

/// An episode is over when nothing of it has happened for this part of the run so far …
const QUIET_SHARE: u64 = 50;
/// … and for at least so long.
const LEAST_QUIET: SimDuration = SimDuration::from_secs(1);
/// No more moments are kept than this: a timeline is read by people.
const MOST_MOMENTS: usize = 2_000;

/// Collects the moments of a run.
#[derive(Debug)]
pub(in crate::sim) struct Timeline {
    moments: Vec<Moment>,
    queues: Table<QueueId, Watch>,
    /// When the run ended.
    ended: SimTime,
    /// No queue holds a message, and the last disturbance is over: told once.
    calm: bool,
}

/// What is going on at a queue.
#[derive(Debug, Default)]
struct Watch {
    blocked: u64,
    drained: bool,
    full: bool,
    refused: Episode,
    held: Episode,
    timed_out: Episode,
    dropped: Episode,
    expired: Episode,
    memory: Episode,
}

/// Something that happens again and again, told as one.
#[derive(Clone, Copy, Debug, Default)]
struct Episode {
    /// When it last happened, while it goes on.
    last: Option<SimTime>,
    count: u64,
    most: u64,
    longest: SimDuration,
}

impl Episode {
    /// Whether so much time has passed that what happens at `now` begins another one.
    fn is_over(&self, now: SimTime) -> bool {
        let quiet = SimDuration::from_nanos(now.as_nanos() / QUIET_SHARE).max(LEAST_QUIET);
        self.last.is_some_and(|last| now.since(last) > quiet)
    }

    /// It happens at `now`; whether that is its beginning.
    fn happens(&mut self, now: SimTime) -> bool {
        let begins = self.last.is_none();
        self.last = Some(now);
        self.count += 1;
        begins
    }
}

/// A swarm of events told by its first, and its last with their number.
#[derive(Clone, Copy)]
struct Swarm {
    pick: fn(&mut Watch) -> &mut Episode,
    first: Kind,
    last: fn(u64) -> Kind,
}

const REFUSED: Swarm = Swarm {
    pick: |watch| &mut watch.refused,
    first: Kind::FirstRejected,
    last: |total| Kind::LastRejected { total },
};

const TIMED_OUT: Swarm = Swarm {
    pick: |watch| &mut watch.timed_out,
    first: Kind::FirstTimedOut,
    last: |total| Kind::LastTimedOut { total },
};

const DROPPED: Swarm = Swarm {
    pick: |watch| &mut watch.dropped,
    first: Kind::FirstDropped,
    last: |total| Kind::LastDropped { total },
};

impl Timeline {
    pub(in crate::sim) fn new(model: &Model) -> Self {
        Self {
            moments: Vec::new(),
            queues: model.queues.iter().map(|_| Watch::default()).collect(),
            ended: SimTime::ZERO,
            calm: false,
        }
    }

    /// All moments in the order of time, open episodes closed.
    pub(in crate::sim) fn finish(mut self) -> Vec<Moment> {
        for queue in self.queues.ids() {
            self.close_to_the_end(queue, REFUSED);
            self.close_to_the_end(queue, DROPPED);
            self.close(queue, TIMED_OUT);
            self.close_held(queue);
        }
        // The end is last, also of what goes on until then.
        let is_end = |moment: &Moment| matches!(moment.kind, Kind::Ended { .. });
        self.moments
            .sort_by_key(|moment| (moment.at, is_end(moment)));
        self.moments
    }

    fn add(&mut self, at: SimTime, subject: Subject, kind: Kind) {
        if self.moments.len() < MOST_MOMENTS {
            self.moments.push(Moment { at, subject, kind });
        }
    }

    fn close(&mut self, id: QueueId, swarm: Swarm) {
        let episode = std::mem::take((swarm.pick)(&mut self.queues[id]));
        if let Some(last) = episode.last
            && episode.count > 1
        {
            self.add(last, Subject::Queue(id), (swarm.last)(episode.count));
        }
    }

    /// Closes an episode; what still goes on at a full queue when the run ends has no last instant
    /// but that.
    fn close_to_the_end(&mut self, id: QueueId, swarm: Swarm) {
        let (full, end) = (self.queues[id].full, self.ended);
        let episode = (swarm.pick)(&mut self.queues[id]);
        if full && !episode.is_over(end) && episode.last.is_some() {
            episode.last = Some(end);
        }
        self.close(id, swarm);
    }

    fn close_held(&mut self, id: QueueId) {
        if self.queues[id].blocked > 0 {
            return;
        }
        let episode = std::mem::take(&mut self.queues[id].held);
        if let Some(last) = episode.last {
            let kind = Kind::Unblocked {
                most: episode.most,
                longest: episode.longest,
            };
            self.add(last, Subject::Queue(id), kind);
        }
    }

    fn blocked(&mut self, now: SimTime, id: QueueId) {
        if self.queues[id].held.is_over(now) {
            self.close_held(id);
        }
        let watch = &mut self.queues[id];
        watch.blocked += 1;
        let begins = watch.held.happens(now);
        watch.held.most = watch.held.most.max(watch.blocked);
        if begins {
            self.add(now, Subject::Queue(id), Kind::FirstBlocked);
        }
    }

    fn unblocked(&mut self, now: SimTime, id: QueueId, waited: SimDuration) {
        let watch = &mut self.queues[id];
        watch.blocked -= 1;
        watch.held.last = Some(now);
        watch.held.longest = watch.held.longest.max(waited);
    }

    /// One more of a swarm, which has a first and a last.
    fn one_of(&mut self, now: SimTime, id: QueueId, swarm: Swarm) {
        if (swarm.pick)(&mut self.queues[id]).is_over(now) {
            self.close(id, swarm);
        }
        if (swarm.pick)(&mut self.queues[id]).happens(now) {
            self.add(now, Subject::Queue(id), swarm.first);
        }
    }

    fn first_of(
        &mut self,
        now: SimTime,
        id: QueueId,
        pick: fn(&mut Watch) -> &mut Episode,
        kind: Kind,
    ) {
        let episode = pick(&mut self.queues[id]);
        if episode.is_over(now) {
            *episode = Episode::default();
        }
        if episode.happens(now) {
            self.add(now, Subject::Queue(id), kind);
        }
    }

    fn drained(&mut self, now: SimTime, id: QueueId) {
        if !std::mem::replace(&mut self.queues[id].drained, true) {
            self.add(now, Subject::Queue(id), Kind::Drained);
        }
    }
}

#[expect(
    clippy::too_many_lines,
    reason = "a table: one arm a fact, and the compiler asks each recorder about each"
)]
impl Recorder for Timeline {
    #[inline(always)]
    fn observe(&mut self, now: SimTime, fact: &Fact) {
        match *fact {
            Fact::Rejected { queue, .. } => self.one_of(now, queue, REFUSED),
            Fact::Blocked { queue, .. } => self.blocked(now, queue),
            Fact::Admitted { queue, waited, .. } => self.unblocked(now, queue, waited),
            Fact::TimedOut { queue, waited, .. } => {
                self.unblocked(now, queue, waited);
                self.one_of(now, queue, TIMED_OUT);
            }
            Fact::Filled { queue, depth } => {
                if !std::mem::replace(&mut self.queues[queue].full, true) {
                    self.add(now, Subject::Queue(queue), Kind::QueueFull { depth });
                }
            }
            Fact::Cleared { queue, depth } => {
                self.queues[queue].full = false;
                self.add(now, Subject::Queue(queue), Kind::RoomAgain { depth });
            }
            Fact::Emptied { queue } if self.calm => self.drained(now, queue),
            Fact::Dropped { queue } => self.one_of(now, queue, DROPPED),
            Fact::Expired { queue } => {
                self.first_of(now, queue, |watch| &mut watch.expired, Kind::FirstExpired);
            }
            Fact::MemoryFull { queue, bytes } => {
                self.first_of(now, queue, |w| &mut w.memory, Kind::MemoryFull { bytes });
            }
            Fact::OutageStarted {
                fleet,
                handlers,
                of,
            } => {
                self.add(
                    now,
                    Subject::Fleet(fleet),
                    Kind::OutageStarted { handlers, of },
                );
            }
            Fact::OutageEnded {
                fleet,
                handlers,
                waiting,
            } => {
                self.add(
                    now,
                    Subject::Fleet(fleet),
                    Kind::OutageEnded { handlers, waiting },
                );
            }
            Fact::Scaled { fleet, from, to } => {
                self.add(now, Subject::Fleet(fleet), Kind::Scaled { from, to });
            }
            Fact::Burst { producer, messages } => {
                let messages = u64::from(messages);
                self.add(now, Subject::Producer(producer), Kind::Burst { messages });
            }
            Fact::BrokerCrashed { queue, lost } => {
                self.add(now, Subject::Queue(queue), Kind::BrokerCrashed { lost });
            }
            Fact::BrokerBack { queue } => self.add(now, Subject::Queue(queue), Kind::BrokerBack),
            Fact::AlertFired { alert, value } => {
                self.add(
                    now,
                    Subject::Alert(alert.into()),
                    Kind::AlertFired { value },
                );
            }
            Fact::AlertCleared { alert, value } => {
                self.add(
                    now,
                    Subject::Alert(alert.into()),
                    Kind::AlertCleared { value },
                );
            }
            Fact::BecameCalm => self.calm = true,
            Fact::WarmedUp => self.add(now, Subject::Run, Kind::WarmedUp),
            Fact::Ended { unfinished } => {
                self.ended = now;
                self.add(now, Subject::Run, Kind::Ended { unfinished });
            }
            Fact::Emptied { .. }
            | Fact::Received { .. }
            | Fact::OldestUnacked { .. }
            | Fact::Began { .. }
            | Fact::Worked { .. }
            | Fact::Succeeded { .. }
            | Fact::Failed { .. }
            | Fact::Acknowledged { .. }
            | Fact::AckLost { .. }
            | Fact::AckRefused { .. }
            | Fact::Lapsed { .. }
            | Fact::Delayed { .. }
            | Fact::Due { .. }
            | Fact::DeadLettered { .. }
            | Fact::Redriven { .. }
            | Fact::Moved { .. }
            | Fact::Deduplicated { .. }
            | Fact::ConfirmLost { .. }
            | Fact::Throttled { .. }
            | Fact::OutOfOrder { .. }
            | Fact::Ignored { .. }
            | Fact::Acted { .. }
            | Fact::Skipped { .. }
            | Fact::Undone { .. }
            | Fact::ConsumerCrashed { .. }
            | Fact::ConsumerBack { .. }
            | Fact::ChannelClosed { .. }
            | Fact::RedriveStarted { .. }
            | Fact::RedriveEnded { .. }
            | Fact::Enqueued { .. }
            | Fact::Dequeued { .. }
            | Fact::Lost {
                from: Place::Waiting | Place::InFlight,
                ..
            }
            | Fact::Offered { .. }
            | Fact::Accepted { .. }
            | Fact::Postponed { .. }
            | Fact::Retried { .. }
            | Fact::Abandoned { .. }
            | Fact::Replaced { .. }
            | Fact::Oldest { .. }
            | Fact::Weighed { .. }
            | Fact::Delivered { .. }
            | Fact::Completed { .. }
            | Fact::Crashed { .. }
            | Fact::Returned { .. }
            | Fact::Frozen { .. }
            | Fact::Thawed { .. }
            | Fact::Staffed { .. } => {}
        }
    }
}
