//! The timeline: the few moments of a run that a person wants to read.
//!
//! Not a trace. What comes in swarms (refusals, blocked publishers, a queue that touches its bound
//! again and again) is told as an episode: when it began, when it was over, how bad it was.

use super::episode::{Episode, Episodes, Swarm, Telling};
use crate::model::{CallerId, DependencyId, FleetId, Model, QueueId, Table};
use crate::outcome::{Kind, Moment, Repeated, Subject};
use crate::sim::fact::{Fact, Place, Success, Transfer};
use crate::sim::recorder::Recorder;
use crate::units::{SimDuration, SimTime};

mod calls;

/// No more moments are kept than this: a timeline is read by people.
const MOST_MOMENTS: usize = 2_000;
/// Changes of a fleet's size that are no further apart, in one direction, are one.
const LONGEST_PAUSE: SimDuration = SimDuration::from_secs(60);

/// Collects the moments of a run.
#[derive(Debug)]
pub(in crate::sim) struct Timeline {
    moments: Vec<Moment>,
    queues: Table<QueueId, Watch>,
    fleets: Table<FleetId, Episodes>,
    dependencies: Table<DependencyId, Episodes>,
    callers: Table<CallerId, Episodes>,
    /// Runs of changes of size in one direction.
    runs: Table<FleetId, Option<Run>>,
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
    held: Episode,
    swarms: Episodes,
}

/// Changes of a fleet's size in one direction.
#[derive(Clone, Copy, Debug)]
struct Run {
    from: u32,
    to: u32,
    since: SimTime,
    last: SimTime,
}

/// To whom something happens in swarms.
#[derive(Clone, Copy, Debug)]
enum Who {
    Queue(QueueId),
    Fleet(FleetId),
    Dependency(DependencyId),
    Caller(CallerId),
}

impl From<Who> for Subject {
    fn from(who: Who) -> Self {
        match who {
            Who::Queue(id) => Self::Queue(id),
            Who::Fleet(id) => Self::Fleet(id),
            Who::Dependency(id) => Self::Dependency(id),
            Who::Caller(id) => Self::Caller(id),
        }
    }
}

impl Timeline {
    pub(in crate::sim) fn new(model: &Model) -> Self {
        Self {
            moments: Vec::new(),
            queues: model.queues.iter().map(|_| Watch::default()).collect(),
            fleets: model.fleets.iter().map(|_| Episodes::default()).collect(),
            dependencies: model
                .dependencies
                .iter()
                .map(|_| Episodes::default())
                .collect(),
            callers: model.callers.iter().map(|_| Episodes::default()).collect(),
            runs: model.fleets.iter().map(|_| None).collect(),
            ended: SimTime::ZERO,
            calm: false,
        }
    }

    /// All moments in the order of time, open episodes closed.
    pub(in crate::sim) fn finish(mut self) -> Vec<Moment> {
        for queue in self.queues.ids() {
            self.close_to_the_end(queue, Swarm::Refused);
            self.close_to_the_end(queue, Swarm::Dropped);
            self.close(Who::Queue(queue), Swarm::TimedOut);
            self.close_held(queue);
            for it in Repeated::ALL {
                self.close_for_good(Who::Queue(queue), Swarm::Of(it));
            }
        }
        for fleet in self.fleets.ids() {
            self.close_run(fleet);
            for swarm in [Swarm::Crashed, Swarm::Back, Swarm::Closed] {
                self.close_for_good(Who::Fleet(fleet), swarm);
            }
        }
        self.close_calls();
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

    fn episode(&mut self, who: Who, swarm: Swarm) -> &mut Episode {
        match who {
            Who::Queue(id) => &mut self.queues[id].swarms[swarm],
            Who::Fleet(id) => &mut self.fleets[id][swarm],
            Who::Dependency(id) => &mut self.dependencies[id][swarm],
            Who::Caller(id) => &mut self.callers[id][swarm],
        }
    }

    /// A rule changes the size of a fleet: a run of changes in one direction is told as one.
    fn wanted(&mut self, now: SimTime, id: FleetId, from: u32, to: u32) {
        if let Some(run) = &mut self.runs[id]
            && (to > from) == (run.to > run.from)
            && now.since(run.last) <= LONGEST_PAUSE
        {
            (run.to, run.last) = (to, now);
            return;
        }
        self.close_run(id);
        self.runs[id] = Some(Run {
            from,
            to,
            since: now,
            last: now,
        });
    }

    fn close_run(&mut self, id: FleetId) {
        if let Some(run) = self.runs[id].take() {
            let Run {
                from,
                to,
                since,
                last,
            } = run;
            let took = last.since(since);
            self.add(since, Subject::Fleet(id), Kind::Resized { from, to, took });
        }
    }

    fn close(&mut self, who: Who, swarm: Swarm) {
        let telling = self.telling(who, swarm);
        let episode = self.episode(who, swarm).end();
        if let Some(last) = episode.last
            && telling == Telling::Each
            && episode.count > 1
            && let Some(kind) = swarm.last(&episode)
        {
            self.add(last, who.into(), kind);
        }
    }

    /// Closes the last episode of a swarm, and says how many were not told.
    fn close_for_good(&mut self, who: Who, swarm: Swarm) {
        self.close(who, swarm);
        let untold = self.episode(who, swarm).untold();
        if let (Some(of), Some((episodes, total, last))) = (swarm.often(), untold) {
            let kind = Kind::MoreEpisodes {
                of,
                episodes,
                total,
            };
            self.add(last, who.into(), kind);
        }
    }

    fn telling(&mut self, who: Who, swarm: Swarm) -> Telling {
        match swarm.often() {
            Some(_) => self.episode(who, swarm).telling(),
            None => Telling::Each,
        }
    }

    /// Closes an episode; what still goes on at a full queue when the run ends has no last instant
    /// but that.
    fn close_to_the_end(&mut self, id: QueueId, swarm: Swarm) {
        let (full, end) = (self.queues[id].full, self.ended);
        let episode = self.episode(Who::Queue(id), swarm);
        if full && !episode.is_over(end) && episode.last.is_some() {
            episode.last = Some(end);
        }
        self.close(Who::Queue(id), swarm);
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

    /// One more of a swarm, of which `first` is told if it begins one.
    fn one_of(&mut self, now: SimTime, who: Who, swarm: Swarm, first: Kind) {
        let Some(_) = swarm.often() else {
            if self.episode(who, swarm).is_over(now) {
                self.close(who, swarm);
            }
            if self.episode(who, swarm).happens(now) {
                self.add(now, who.into(), first);
            }
            return;
        };
        if self.episode(who, swarm).has_run_dry(now) {
            self.close(who, swarm);
        }
        let episode = self.episode(who, swarm);
        if episode.trickles(now) && episode.telling() == Telling::Each {
            self.add(now, who.into(), first);
        }
    }

    fn again(&mut self, now: SimTime, queue: QueueId, what: Repeated) {
        self.once_more(now, Who::Queue(queue), what);
    }

    fn once_more(&mut self, now: SimTime, who: Who, what: Repeated) {
        self.one_of(now, who, Swarm::Of(what), Kind::First(what));
    }

    /// One more consumer of a swarm of those that lose what they hold.
    fn dropped_all(&mut self, now: SimTime, fleet: FleetId, swarm: Swarm, first: Kind, held: u32) {
        self.one_of(now, Who::Fleet(fleet), swarm, first);
        self.fleets[fleet][swarm].held += u64::from(held);
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
            Fact::Rejected { queue, .. } => {
                self.one_of(now, Who::Queue(queue), Swarm::Refused, Kind::FirstRejected);
            }
            Fact::Blocked { queue, .. } => self.blocked(now, queue),
            Fact::Admitted { queue, waited, .. } => self.unblocked(now, queue, waited),
            Fact::TimedOut { queue, waited, .. } => {
                self.unblocked(now, queue, waited);
                self.one_of(now, Who::Queue(queue), Swarm::TimedOut, Kind::FirstTimedOut);
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
            Fact::Dropped { queue } => {
                self.one_of(now, Who::Queue(queue), Swarm::Dropped, Kind::FirstDropped);
            }
            Fact::Expired { queue } => {
                self.one_of(now, Who::Queue(queue), Swarm::Expired, Kind::FirstExpired);
            }
            Fact::MemoryFull { queue, bytes } => {
                let kind = Kind::MemoryFull { bytes };
                self.one_of(now, Who::Queue(queue), Swarm::MemoryFull, kind);
            }
            Fact::Moved {
                queue,
                how: Transfer::DeadLetter,
            } => self.again(now, queue, Repeated::DeadLetter),
            Fact::Lapsed { queue } => self.again(now, queue, Repeated::Lapse),
            Fact::Succeeded {
                queue,
                success: Success::Again,
                ..
            } => self.again(now, queue, Repeated::Duplicate),
            Fact::Acted { queue, nth: 2.. } => self.again(now, queue, Repeated::DuplicateEffect),
            Fact::Skipped { queue } => self.again(now, queue, Repeated::Skipped),
            Fact::Undone { queue } => self.again(now, queue, Repeated::Undone),
            Fact::Overlapped { queue } => self.again(now, queue, Repeated::Overlap),
            Fact::AckLost { queue } => self.again(now, queue, Repeated::AckLost),
            Fact::AckRefused { queue } => self.again(now, queue, Repeated::AckRefused),
            Fact::Throttled { queue, .. } => self.again(now, queue, Repeated::Throttled),
            Fact::RetryRefused { queue } => self.again(now, queue, Repeated::RetryRefused),
            Fact::ConsumerCrashed {
                fleet,
                consumer,
                held,
            } => {
                let kind = Kind::ConsumerCrashed { consumer, held };
                self.dropped_all(now, fleet, Swarm::Crashed, kind, held);
            }
            Fact::ConsumerBack { fleet, consumer } => {
                let kind = Kind::ConsumerBack { consumer };
                self.one_of(now, Who::Fleet(fleet), Swarm::Back, kind);
            }
            Fact::ChannelClosed {
                fleet,
                consumer,
                held,
            } => {
                let kind = Kind::ChannelClosed { consumer, held };
                self.dropped_all(now, fleet, Swarm::Closed, kind, held);
            }
            Fact::RedriveStarted { queue, waiting } => {
                self.add(now, Subject::Queue(queue), Kind::RedriveStarted { waiting });
            }
            Fact::RedriveEnded { queue, moved } => {
                self.add(now, Subject::Queue(queue), Kind::RedriveEnded { moved });
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
            Fact::Wanted { fleet, from, to } => self.wanted(now, fleet, from, to),
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
            Fact::Call(ref fact) => self.hear_call(now, fact),
            Fact::Emptied { .. }
            | Fact::Received { .. }
            | Fact::OldestUnacked { .. }
            | Fact::Began { .. }
            | Fact::Worked { .. }
            | Fact::Succeeded {
                success: Success::First,
                ..
            }
            | Fact::Failed { .. }
            | Fact::Acknowledged { .. }
            | Fact::Delayed { .. }
            | Fact::Due { .. }
            | Fact::Forestalled { .. }
            | Fact::DeadLettered { .. }
            | Fact::DeadThoughDone { .. }
            | Fact::Redriven { .. }
            | Fact::Moved {
                how: Transfer::Redrive,
                ..
            }
            | Fact::Deduplicated { .. }
            | Fact::ConfirmLost { .. }
            | Fact::OutOfOrder { .. }
            | Fact::Ignored { .. }
            | Fact::Acted { nth: ..2, .. }
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
            | Fact::Reworked { .. }
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
