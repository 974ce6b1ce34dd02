//! A dependency at run time: its servers, its line, and its door (rule E6).
//!
//! Not its callers: to the station a call is a call, whether or not anybody still waits for it.
//!
//! ```text
//! at the door -> refused: down, over the limit, would wait too long, line full
//!     |
//!     +-> waits in line -> dropped: the caller has gone
//!     |        |
//!     +--------+-> is worked on -> answered, well or with a failure
//!                       |
//!                       +-> lost with its server
//! ```

use std::collections::VecDeque;

use super::call::{Call, CallRef, Standing};
use super::fact::{Audience, CallFact, Refusal, Reply};
use crate::model::{Dependency, DependencyId, Expired, Overload, StationOrder};
use crate::policy::rate_limit::RateLimiter;
use crate::random::{Purpose, StreamKey};
use crate::sim::World;
use crate::sim::chances::Chances;
use crate::sim::event::Event;
use crate::sim::idle::IdleSet;
use crate::sim::recorder::Recorder;
use crate::units::{Ratio, SimDuration, SimTime};

/// A dependency at run time.
#[derive(Debug)]
pub(in crate::sim) struct Station<'m> {
    config: &'m Dependency,
    service: StreamKey,
    failure: Chances,
    limiter: Option<RateLimiter>,
    pub(super) servers: Vec<Server>,
    /// Servers that are free, and not stopped.
    pub(super) free: IdleSet,
    pub(super) line: VecDeque<CallRef>,
    /// Servers that work on a call, or hold one that stands still.
    pub(super) serving: u64,
    /// Servers that nothing stops.
    pub(super) up: u32,
    /// Troubles under way in which it refuses while it is down.
    pub(super) refusing: u32,
    /// What service times that begin now are multiplied by.
    pub(super) slowdown: f64,
}

/// A server at run time.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Server {
    pub(super) call: Option<CallRef>,
    /// How many troubles stop it.
    pub(super) stops: u16,
    /// How many of them let no work go on either.
    pub(super) freezes: u16,
}

impl<'m> Station<'m> {
    pub(super) fn new(config: &'m Dependency, named: impl Fn(&str, Purpose) -> StreamKey) -> Self {
        let mut free = IdleSet::new(config.servers);
        (0..config.servers).for_each(|server| free.insert(server));
        Self {
            config,
            service: named(&config.name, Purpose::Service),
            failure: Chances::new(named(&config.name, Purpose::Failure)),
            limiter: config.limit.map(RateLimiter::new),
            servers: vec![Server::default(); config.servers as usize],
            free,
            line: VecDeque::new(),
            serving: 0,
            up: config.servers,
            refusing: 0,
            slowdown: 1.0,
        }
    }

    /// Whether it takes another call, which then begins or waits.
    fn door(&mut self, now: SimTime) -> Result<Option<u32>, Refusal> {
        if self.up == 0 && self.refusing > 0 {
            return Err(Refusal::Down);
        }
        if self.limiter.as_mut().is_some_and(|it| !it.take(now)) {
            return Err(Refusal::Limited);
        }
        let server = self.free.first();
        if server.is_some() {
            return Ok(server);
        }
        let waiting = self.line.len() as u64;
        if self.config.shed.is_some_and(|most| self.wait() > most) {
            return Err(Refusal::Shed);
        }
        if waiting >= self.config.capacity {
            return Err(Refusal::Full);
        }
        Ok(None)
    }

    /// How long one more call in line is about to wait: for those before it, and for the first
    /// server to be free.
    fn wait(&self) -> SimDuration {
        let ahead = (self.line.len() + 1) as f64;
        let each = self.config.service.mean() / f64::from(self.config.servers.max(1));
        SimDuration::from_secs_rounded(ahead * each)
    }

    /// The waiting call that goes next.
    fn next(&mut self, oldest: impl Fn(CallRef) -> SimDuration) -> Option<CallRef> {
        match self.config.order {
            StationOrder::Fifo => self.line.pop_front(),
            StationOrder::Lifo => self.line.pop_back(),
            StationOrder::Adaptive { above } => {
                let first = *self.line.front()?;
                if oldest(first) > above {
                    self.line.pop_back()
                } else {
                    self.line.pop_front()
                }
            }
        }
    }

    /// Whether a waiting call is given up at its turn.
    fn gives_up(&self, call: &Call, now: SimTime) -> bool {
        match self.config.expired {
            Expired::Served => false,
            Expired::Dropped { margin } => {
                let soon = call.leaves < SimTime::MAX && call.leaves.since(now) < margin;
                call.request.is_none() || soon
            }
        }
    }

    /// How long a server works on a call, and what it answers.
    fn work(&self, call: &Call) -> (SimDuration, Reply) {
        let inside = self.line.len() as u64 + self.serving;
        let overload = self.config.overload.as_ref();
        let (factor, more) = overload.map_or((1.0, 0.0), |it| it.at(inside));
        let chance = Ratio::new((self.config.fails.get() + more).min(1.0)).unwrap_or(Ratio::ONE);
        let fails = self.failure.happens(chance, call.thing);
        let law = match &self.config.fails_take {
            Some(takes) if fails => takes,
            Some(_) | None => &self.config.service,
        };
        let work = law.draw(&mut self.service.at(call.thing));
        let factor = factor * self.slowdown;
        let exact = factor.total_cmp(&1.0).is_eq();
        let work = if exact { work } else { times(work, factor) };
        let reply = if fails { Reply::Failed } else { Reply::Good };
        (work, reply)
    }
}

impl Overload {
    /// What the service time is multiplied by, and what is added to the probability of failure,
    /// with so many calls inside.
    fn at(&self, inside: u64) -> (f64, f64) {
        let above = inside.saturating_sub(self.above) as f64;
        let factor = 1.0 + self.slowdown.get() * above;
        (
            self.most.map_or(factor, |most| factor.min(most)),
            self.failures.get() * above,
        )
    }
}

fn times(span: SimDuration, factor: f64) -> SimDuration {
    SimDuration::from_nanos((span.as_nanos() as f64 * factor).round() as u64)
}

impl<R: Recorder> World<'_, R> {
    /// A call comes to its dependency, which lets it in or not.
    pub(super) fn come_in(&mut self, id: CallRef, dependency: DependencyId) -> Result<(), Refusal> {
        let now = self.calendar.now();
        let station = &mut self.exchange.stations[dependency];
        if let Some(server) = station.door(now)? {
            station.free.remove(server);
            self.serve(dependency, server, id, None);
        } else {
            station.line.push_back(id);
            self.tell_call(CallFact::Queued { dependency });
        }
        Ok(())
    }

    /// A server begins to work on a call.
    fn serve(
        &mut self,
        dependency: DependencyId,
        server: u32,
        id: CallRef,
        waited: Option<SimDuration>,
    ) {
        let now = self.calendar.now();
        let station = &mut self.exchange.stations[dependency];
        station.serving += 1;
        station.servers[server as usize].call = Some(id);
        let Some(call) = self.exchange.calls.get_mut(id) else {
            return;
        };
        let (work, reply) = station.work(call);
        let until = now.saturating_add(work);
        call.standing = Standing::Served {
            server,
            until,
            work,
            reply,
        };
        self.calendar.schedule(until, Event::AnswerCall(id));
        self.tell_call(CallFact::Started { dependency, waited });
    }

    /// A server is done with a call; an event that has been overtaken is passed over.
    #[inline(never)]
    pub(in crate::sim) fn answer_call(&mut self, id: CallRef) {
        let now = self.calendar.now();
        let Some(call) = self.exchange.calls.get(id) else {
            return;
        };
        let Standing::Served {
            server,
            until,
            work,
            reply,
        } = call.standing
        else {
            return;
        };
        if until != now {
            return;
        }
        let (dependency, request) = (call.dependency, call.request);
        let (sojourn, thing) = (now.since(call.came), call.thing);
        self.exchange.calls.remove(id);
        self.tell_call(CallFact::Answered {
            dependency,
            answer: reply,
            audience: Audience::of(request),
            sojourn,
            service: work,
            call: thing,
        });
        self.vacate(dependency, server);
        if let Some(request) = request {
            self.hear(request, id, reply);
        }
    }

    /// A server has no call any more: it takes the next one, if nothing stops it.
    pub(super) fn vacate(&mut self, dependency: DependencyId, server: u32) {
        let station = &mut self.exchange.stations[dependency];
        station.serving -= 1;
        station.servers[server as usize].call = None;
        if station.servers[server as usize].stops == 0 {
            self.take_next(dependency, server);
        }
    }

    /// A free server takes the next call in line that is worth it.
    pub(super) fn take_next(&mut self, dependency: DependencyId, server: u32) {
        let now = self.calendar.now();
        loop {
            let exchange = &mut self.exchange;
            let waited = |id: CallRef| {
                let call = exchange.calls.get(id);
                call.map_or(SimDuration::ZERO, |call| now.since(call.came))
            };
            let station = &mut exchange.stations[dependency];
            let Some(id) = station.next(waited) else {
                station.free.insert(server);
                return;
            };
            let waited = waited(id);
            let Some(call) = exchange.calls.get_mut(id) else {
                continue;
            };
            if !station.gives_up(call, now) {
                return self.serve(dependency, server, id, Some(waited));
            }
            if call.request.is_some() {
                // Its caller does not know, and waits until its timeout.
                call.standing = Standing::Dropped;
            } else {
                exchange.calls.remove(id);
            }
            self.tell_call(CallFact::Dropped { dependency, waited });
        }
    }

    /// What the calls in a dependency have spent there so far, in nanoseconds.
    pub(in crate::sim) fn spent_so_far(&self, dependency: DependencyId) -> u128 {
        let now = self.calendar.now();
        let station = &self.exchange.stations[dependency];
        let served = station.servers.iter().filter_map(|server| server.call);
        let calls = station.line.iter().copied().chain(served);
        let spent = |id| self.exchange.calls.get(id).map(|call| now.since(call.came));
        let spent = calls.filter_map(spent);
        spent.map(|spent| u128::from(spent.as_nanos())).sum()
    }
}
