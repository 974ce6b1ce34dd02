//! What a fluid history says of the metrics, and how far whole messages may be from it.
//!
//! Grains, for `c` handlers, service `S`, arrivals `l` and headroom `h` at the instant in question:
//! at any time a fleet's worth of messages, and the one that comes next, are in hand instead of
//! waiting, so a count is off by up to `n = c + 1`. A line that reaches a level is then off by
//! `n/h` and the rounding of a service, `S`; a flow that such an instant begins or ends is off by
//! its rate times that. What is done is what was taken, off by `n`, but for `c` in hand: `n + c`. A
//! stage inherits that, times its copies, from the stages before it. A consumer with a prefetch or
//! a batch has so many in hand, and what comes back after a delay is with the broker meanwhile: in
//! the mean the rate of work times that delay.

use super::flow_of::{Flows, Followed};
use super::found::{Found, Told, Window, known, seconds};
use super::rates_of::rate_at;
use crate::fluid::{Admission, Inputs, OnFull, Totals, Trajectory, run};
use crate::model::{Counts, Intake, Model, Origin, Overflow, Producer, QueueId, Stop};
use crate::outcome::How;
use crate::policy::order::Order;
use crate::units::SimTime;

/// What all histories say.
pub(super) fn told(model: &Model, flows: &Flows, window: Window, by_chance: bool) -> Told {
    let mut told = Told {
        none: flows.none.clone(),
        ..Told::default()
    };
    let calm = model.calm_from().filter(|calm| *calm < SimTime::MAX);
    let calm = calm.map(SimTime::as_secs_f64);
    let end = window.end.or_else(|| ends_at(model, flows, calm));
    for followed in &flows.followed {
        let flow = Flow::new(model, followed, window.from, end, calm);
        if by_chance && flow.cut.max_level().value <= 0.0 {
            told.none.push(format!(
                "{}: its depth and lag; nothing waits in the fluid, and what does wait is chance, \
                 which is the closed form's",
                flow.name()
            ));
        } else {
            flow.levels(&mut told.found);
        }
        flow.counts(&mut told.found);
        flow.instants(&mut told.found);
        flow.blocking(&mut told.found);
        told.notes.extend(by_order(flow.name(), followed));
    }
    told
}

/// When a run that was not made would end; `None` for at its horizon.
fn ends_at(model: &Model, flows: &Flows, calm: Option<f64>) -> Option<f64> {
    let last = |at: &dyn Fn(&Followed) -> Option<f64>| {
        let all: Option<Vec<f64>> = flows.followed.iter().map(at).collect();
        all?.into_iter().reduce(f64::max)
    };
    match model.plan.stop {
        Stop::At(end) => Some(end.as_secs_f64()),
        Stop::Drained => last(&|it| it.history.drained_at(calm?)),
        Stop::Settled => last(&|it| {
            let ended = it.inputs.arrivals.last().filter(|last| last.rate <= 0.0)?;
            it.history.drained_at(ended.from_s)
        }),
    }
}

/// A history with what is needed to read it.
struct Flow<'a> {
    model: &'a Model,
    followed: &'a Followed,
    from: f64,
    calm: Option<f64>,
    /// Up to the end of the run.
    cut: Trajectory,
    totals: Totals,
    /// A fleet's worth of messages.
    worth: f64,
    /// The share of messages that are given up after their last attempt.
    given_up: f64,
    service: f64,
}

impl<'a> Flow<'a> {
    fn new(
        model: &'a Model,
        followed: &'a Followed,
        from: f64,
        end: Option<f64>,
        calm: Option<f64>,
    ) -> Self {
        let history = &followed.history;
        let cut = end.map_or_else(|| history.clone(), |end| history.until(end));
        let totals = since(cut.totals(), history.until(from).totals());
        let fleets = model.fleets.iter().filter(|it| it.queue == followed.queue);
        let handled = followed.handled.iter();
        let service = fleets.zip(handled.clone()).map(|(fleet, handled)| {
            let ways = 2.0 * fleet.handling.delivery_delay.as_secs_f64();
            handled.total.moments[0].max(fleet.service.mean()) + ways
        });
        let able = followed.inputs.capacity.iter().map(|it| it.rate);
        let able = able.fold(0.0, f64::max);
        let away = able * handled.map(|it| it.away).fold(0.0, f64::max);
        Self {
            model,
            followed,
            from,
            calm,
            cut,
            totals,
            worth: worth(model, followed.queue) + away,
            given_up: followed.handled.first().map_or(0.0, |it| it.total.given_up),
            service: service.fold(0.0, f64::max),
        }
    }

    fn name(&self) -> &'a str {
        &self.model.queues[self.followed.queue].name
    }

    /// How fast the level moves just before an instant.
    fn slope(&self, at: f64) -> f64 {
        let Inputs {
            arrivals, capacity, ..
        } = &self.followed.inputs;
        let before = at * (1.0 - 1e-9);
        let net = (rate_at(arrivals, before) - rate_at(capacity, before)).abs();
        if net > 0.0 {
            net
        } else {
            rate_at(capacity, before).max(1.0)
        }
    }

    fn arrivals_at(&self, at: f64) -> f64 {
        rate_at(&self.followed.inputs.arrivals, at * (1.0 - 1e-9))
    }

    /// How far an instant may be off at which a line reaches a level.
    fn grain_at(&self, at: f64) -> f64 {
        self.worth / self.slope(at) + self.service
    }

    fn add(&self, to: &mut Vec<Found>, metric: String, value: Option<f64>, grain: f64) {
        to.push(Found {
            metric,
            queue: self.followed.queue,
            known: known(value, How::Fluid, &self.followed.source),
            grain,
            scatter: None,
            assumes: None,
        });
    }

    fn metric(&self, name: &str) -> String {
        format!("{}.{name}", self.name())
    }

    /// The sole producer of this queue, if it is that, and sends nowhere else: what is said of the
    /// queue's publishers is then said of it.
    fn sole_producer(&self) -> Option<&'a Producer> {
        let queue: QueueId = self.followed.queue;
        let mut ours = self
            .model
            .producers
            .iter()
            .filter(|it| it.queues.contains(&queue));
        let only = ours.next()?;
        (ours.next().is_none() && only.queues.len() == 1).then_some(only)
    }

    fn levels(&self, to: &mut Vec<Found>) {
        let depth = self.cut.max_level();
        if depth.at_s >= self.from {
            self.add(to, self.metric("depth.max"), Some(depth.value), self.worth);
        }
        let lag = self.cut.max_lag();
        let fifo = self.model.queues[self.followed.queue].order == Order::Fifo;
        if fifo && lag.at_s >= self.from {
            // The head is the next of a line whose messages lie so far apart.
            let came = self.arrivals_at((lag.at_s - lag.value).max(0.0) + self.service);
            let gap = if came > 0.0 { self.worth / came } else { 0.0 };
            self.add(
                to,
                self.metric("lag.max"),
                Some(lag.value),
                gap + self.service,
            );
        }
    }

    fn counts(&self, to: &mut Vec<Found>) {
        let totals = &self.totals;
        // One more or less of each producer, and what the stages before hold.
        let sources = self.model.producers.len() as f64;
        let edges = 1.0 + sources + inherited(self.model, self.followed.queue);
        self.add(to, self.metric("offered"), Some(totals.offered), edges);
        let done = self.worth + in_hand(self.model, self.followed.queue);
        let given_up = totals.served * self.given_up;
        let completed = totals.served - given_up;
        self.add(to, self.metric("completed"), Some(completed), done);
        let (rejected, dropped) = match self.model.queues[self.followed.queue].overflow {
            Overflow::DropNewest => (totals.dropped, totals.rejected),
            Overflow::Refuse | Overflow::DropOldest | Overflow::DropLowest => {
                (totals.rejected, totals.dropped)
            }
        };
        let dropped = match self.model.queues[self.followed.queue].delivery.dead_letter {
            Some(_) if given_up > 0.0 => {
                self.add(to, self.metric("dead_lettered"), Some(given_up), done);
                dropped
            }
            Some(_) => dropped,
            None => dropped + given_up,
        };
        // What gives up in the last service is still in the line there.
        let more = self.worth + self.arrivals_at(self.cut.max_blocked().at_s) * self.service;
        self.add(to, self.metric("rejected"), Some(rejected), self.worth);
        self.add(to, self.metric("dropped"), Some(dropped), self.worth);
        self.add(to, self.metric("expired"), Some(totals.expired), more);
        self.add(to, self.metric("timed_out"), Some(totals.timed_out), more);
    }

    fn instants(&self, to: &mut Vec<Found>) {
        let history = &self.followed.history;
        let full = history.first_full();
        if full.is_none_or(|full| full >= self.from) {
            let grain = full.map_or(0.0, |full| self.grain_at(full));
            self.add(to, self.metric("full_at"), full, grain);
        }
        if let Some(calm) = self.calm {
            let drained = history.drained_at(calm);
            let grain = drained.map_or(0.0, |drained| self.grain_at(drained));
            self.add(to, self.metric("drained_at"), drained, grain);
        }
    }

    fn blocking(&self, to: &mut Vec<Found>) {
        let history = &self.followed.history;
        let most = self.cut.max_blocked();
        if most.value <= 0.0 || most.at_s < self.from {
            return;
        }
        let who = self.sole_producer();
        let whose = who.map_or(self.name(), |it| it.name.as_str());
        let metric = |name: &str| format!("{whose}.{name}");
        let unblocked = history.unblocked_at();
        let until = unblocked.unwrap_or(most.at_s);
        let grain = self.grain_at(until);
        self.add(to, metric("blocked.max"), Some(most.value), self.worth);
        self.add(to, metric("unblocked_at"), unblocked, grain);
        if let Some(longest) = self.cut.longest_block() {
            self.add(to, metric("block_time.max"), Some(longest), grain);
        }
        if who.is_some() {
            let ever = self.worth + self.arrivals_at(until) * grain;
            let totals = &self.totals;
            self.add(to, metric("blocked_ever"), Some(totals.blocked_ever), ever);
            let since = history.first_full().unwrap_or(0.0);
            let held = self.worth * (until - since).max(0.0);
            let seconds = totals.blocked_publisher_seconds;
            self.add(to, metric("blocked_seconds"), Some(seconds), held);
        }
    }
}

/// A fleet's worth of messages: those in hand, the one that comes next, and what the stages before
/// hold as well. A bound that counts those in hand lets so many fewer wait while they are at work.
fn worth(model: &Model, queue: QueueId) -> f64 {
    let bound = match model.queues[queue].counts {
        Counts::Waiting => 0.0,
        Counts::WaitingAndInFlight => in_hand(model, queue),
    };
    in_hand(model, queue) + 1.0 + bound + inherited(model, queue)
}

/// What all fleets of a queue have in hand at most.
fn in_hand(model: &Model, queue: QueueId) -> f64 {
    let fleets = model.fleets.iter().filter(|it| it.queue == queue);
    let held = fleets.map(|fleet| {
        let handlers = f64::from(fleet.most_handlers());
        let together = f64::from(fleet.handling.batch.map_or(1, |batch| batch.size));
        let each = match fleet.handling.intake {
            Intake::Pull => together,
            Intake::Push { prefetch } => {
                together.max(f64::from(prefetch) / f64::from(fleet.concurrency))
            }
        };
        handlers * each
    });
    held.sum()
}

/// How far what is done is off: what waits, and what is in hand besides.
fn worth_done(model: &Model, queue: QueueId) -> f64 {
    worth(model, queue) + in_hand(model, queue)
}

/// What the stages before a queue that is followed (so they are no loop) hold for it.
fn inherited(model: &Model, queue: QueueId) -> f64 {
    let before = model
        .producers
        .iter()
        .filter(|it| it.queues.contains(&queue));
    let held = before.map(|producer| match producer.origin {
        Origin::Arrivals { .. } => 0.0,
        Origin::Fleet(fleet) => {
            let fleet = &model.fleets[fleet];
            let copies = fleet.publishes.map_or(0, |it| it.copies);
            f64::from(copies) * worth_done(model, fleet.queue)
        }
    });
    held.sum()
}

fn since(all: Totals, before: Totals) -> Totals {
    Totals {
        offered: all.offered - before.offered,
        accepted: all.accepted - before.accepted,
        served: all.served - before.served,
        rejected: all.rejected - before.rejected,
        expired: all.expired - before.expired,
        dropped: all.dropped - before.dropped,
        timed_out: all.timed_out - before.timed_out,
        blocked_ever: all.blocked_ever - before.blocked_ever,
        blocked_publisher_seconds: all.blocked_publisher_seconds - before.blocked_publisher_seconds,
    }
}

/// Who gets a freed slot decides who pays: the longest block in each order.
fn by_order(name: &str, followed: &Followed) -> Option<String> {
    let OnFull::Block { timeout, .. } = followed.inputs.on_full else {
        return None;
    };
    let longest = |admission| {
        let history = run(&Inputs {
            on_full: OnFull::Block { admission, timeout },
            ..followed.inputs.clone()
        })
        .ok()?;
        let longest = seconds(history.longest_block()?);
        let gave_up = history.totals().timed_out;
        Some(if gave_up > 0.0 {
            format!("{longest} ({gave_up:.0} time out)")
        } else {
            longest
        })
    };
    Some(format!(
        "{name}: longest block by admission order (fluid): fifo {}, newcomers first {}, lifo {}",
        longest(Admission::Fifo)?,
        longest(Admission::NewcomersFirst)?,
        longest(Admission::Lifo)?,
    ))
}
