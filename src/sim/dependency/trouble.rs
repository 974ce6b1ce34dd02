//! Troubles of dependencies: servers that stop, and are back; service times that are longer for a
//! while (rule E6).
//!
//! Not what callers make of it.

use std::ops::Range;

use super::call::{CallRef, Standing};
use super::fact::{Audience, CallFact, Reply};
use crate::model::{Answers, DependencyId, InFlight, Trouble};
use crate::random::StreamKey;
use crate::sim::World;
use crate::sim::event::Event;
use crate::sim::recorder::Recorder;
use crate::sim::windows::WindowsState;
use crate::units::SimDuration;

/// A trouble at run time.
#[derive(Debug)]
pub(super) struct TroubleState {
    windows: WindowsState,
    under_way: bool,
}

impl TroubleState {
    pub(super) fn new(key: StreamKey) -> Self {
        Self {
            windows: WindowsState::new(key),
            under_way: false,
        }
    }
}

/// The servers that a trouble stops: its share of them, the last ones.
fn stopped(trouble: &Trouble, servers: u32) -> Range<u32> {
    let stopped = (f64::from(servers) * trouble.share.get()).round() as u32;
    servers - stopped..servers
}

impl<R: Recorder> World<'_, R> {
    /// Puts the next start of a trouble on the calendar.
    pub(in crate::sim) fn schedule_trouble(&mut self, index: u16) {
        let now = self.calendar.now();
        let windows = &self.model.troubles[usize::from(index)].windows;
        let state = &mut self.exchange.troubles[usize::from(index)];
        if let Some(start) = state.windows.start(windows, now) {
            self.calendar.schedule(start, Event::StartTrouble(index));
        }
    }

    /// A trouble starts.
    #[inline(never)]
    pub(in crate::sim) fn start_trouble(&mut self, index: u16) {
        let now = self.calendar.now();
        let trouble = &self.model.troubles[usize::from(index)];
        let state = &mut self.exchange.troubles[usize::from(index)];
        let span = state.windows.span(&trouble.windows);
        state.under_way = true;
        let end = now.saturating_add(span);
        self.calendar.schedule(end, Event::EndTrouble(index));
        let dependency = trouble.dependency;
        self.weigh_troubles(dependency);
        let of = self.model.dependencies[dependency].servers;
        let servers = stopped(trouble, of);
        self.tell_call(CallFact::TroubleStarted {
            dependency,
            servers: servers.len() as u32,
            of,
            slowdown: trouble.slowdown,
        });
        // All are down before a caller hears of it: none is given what another had.
        servers
            .clone()
            .for_each(|server| self.stop_server(dependency, server));
        for server in servers {
            match trouble.in_flight {
                InFlight::Finish => {}
                InFlight::Freeze => self.freeze_server(dependency, server),
                InFlight::Crash(_) => self.crash_server(dependency, server),
            }
        }
    }

    /// A trouble ends.
    #[inline(never)]
    pub(in crate::sim) fn end_trouble(&mut self, index: u16) {
        let trouble = &self.model.troubles[usize::from(index)];
        self.exchange.troubles[usize::from(index)].under_way = false;
        let dependency = trouble.dependency;
        self.weigh_troubles(dependency);
        let servers = stopped(trouble, self.model.dependencies[dependency].servers);
        let waiting = self.exchange.stations[dependency].line.len() as u64;
        self.tell_call(CallFact::TroubleEnded {
            dependency,
            servers: servers.len() as u32,
            waiting,
        });
        for server in servers {
            self.start_server(dependency, server, trouble.in_flight);
        }
        self.schedule_trouble(index);
    }

    /// Finds out what the troubles under way together come to.
    fn weigh_troubles(&mut self, dependency: DependencyId) {
        let all = self.model.troubles.iter().zip(&self.exchange.troubles);
        let now = all.filter(|(it, state)| it.dependency == dependency && state.under_way);
        let (mut slowdown, mut refusing) = (1.0, 0);
        for (trouble, _) in now {
            slowdown *= trouble.slowdown;
            refusing += u32::from(trouble.answers == Answers::FailFast);
        }
        let station = &mut self.exchange.stations[dependency];
        (station.slowdown, station.refusing) = (slowdown, refusing);
    }

    /// A server gets one more reason to stand still. It finishes what it does.
    fn stop_server(&mut self, dependency: DependencyId, number: u32) {
        let station = &mut self.exchange.stations[dependency];
        let server = &mut station.servers[number as usize];
        server.stops += 1;
        if server.stops > 1 {
            return;
        }
        station.up -= 1;
        if server.call.is_none() {
            station.free.remove(number);
        }
    }

    /// What a stopped server works on stands still.
    fn freeze_server(&mut self, dependency: DependencyId, number: u32) {
        let now = self.calendar.now();
        let server = &mut self.exchange.stations[dependency].servers[number as usize];
        server.freezes += 1;
        let call = server.call.and_then(|id| self.exchange.calls.get_mut(id));
        if let Some(call) = call
            && let Standing::Served {
                server,
                until,
                work,
                reply,
            } = call.standing
        {
            let left = until.since(now);
            call.standing = Standing::Frozen {
                server,
                left,
                work,
                reply,
            };
        }
    }

    /// What a stopped server works on is lost; its caller sees the connection close.
    fn crash_server(&mut self, dependency: DependencyId, number: u32) {
        let server = &self.exchange.stations[dependency].servers[number as usize];
        if let Some(id) = server.call {
            self.lose_call(dependency, number, id);
        }
    }

    fn lose_call(&mut self, dependency: DependencyId, number: u32, id: CallRef) {
        let now = self.calendar.now();
        let Some(call) = self.exchange.calls.remove(id) else {
            return;
        };
        let service = match call.standing {
            Standing::Served { until, work, .. } => work.saturating_sub(until.since(now)),
            Standing::Frozen { left, work, .. } => work.saturating_sub(left),
            Standing::Waits | Standing::Dropped => SimDuration::ZERO,
        };
        self.tell_call(CallFact::Crashed {
            dependency,
            audience: Audience::of(call.request),
            sojourn: now.since(call.came),
            service,
        });
        self.vacate(dependency, number);
        if let Some(request) = call.request {
            self.hear(request, id, Reply::Failed);
        }
    }

    /// A server loses one reason to stand still, which treated its work as `in_flight` says.
    fn start_server(&mut self, dependency: DependencyId, number: u32, in_flight: InFlight) {
        let now = self.calendar.now();
        let station = &mut self.exchange.stations[dependency];
        let server = &mut station.servers[number as usize];
        server.stops -= 1;
        server.freezes -= u16::from(in_flight == InFlight::Freeze);
        let (up, thaws, call) = (server.stops == 0, server.freezes == 0, server.call);
        station.up += u32::from(up);
        match call {
            None if up => self.take_next(dependency, number),
            Some(id) if thaws => {
                if let Some(call) = self.exchange.calls.get_mut(id)
                    && let Standing::Frozen {
                        server,
                        left,
                        work,
                        reply,
                    } = call.standing
                {
                    let until = now.saturating_add(left);
                    call.standing = Standing::Served {
                        server,
                        until,
                        work,
                        reply,
                    };
                    self.calendar.schedule(until, Event::AnswerCall(id));
                }
            }
            None | Some(_) => {}
        }
    }
}
