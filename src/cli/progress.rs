//! How far a run is, on a terminal, when it takes long enough to wonder.
//!
//! Not a measurement: the wall clock decides only whether something is shown.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::options::Talk;
use crate::experiment::points::Done;
use crate::model::{Plan, Stop};
use crate::units::SimTime;

/// Runs that end sooner show nothing.
const PATIENCE: Duration = Duration::from_millis(500);

/// A bar for a run whose end is known, a growing number for others.
#[derive(Debug)]
pub(super) struct Meter {
    bar: ProgressBar,
    talk: Talk,
}

impl Meter {
    /// A meter that does not show yet.
    pub(super) fn new(plan: &Plan, talk: Talk) -> Self {
        let end = match plan.stop {
            Stop::Drained | Stop::Settled => None,
            Stop::At(end) => Some(end.as_nanos()),
        };
        let bar = ProgressBar::with_draw_target(end, ProgressDrawTarget::hidden());
        let template = match end {
            Some(_) => "simulating {bar:40} {percent:>3} %  {msg}",
            None => "simulating {spinner} {msg}",
        };
        let style = ProgressStyle::with_template(template);
        bar.set_style(style.expect("the template is right"));
        Self { bar, talk }
    }

    /// Called with the instant that a run has reached.
    pub(super) fn reached(&self, at: SimTime) {
        if self.bar.elapsed() < PATIENCE {
            return;
        }
        // Runs in parallel are not equally far; the one that is furthest is shown.
        if at.as_nanos() <= self.bar.position() {
            return;
        }
        if self.bar.position() == 0 {
            show(&self.bar, self.talk);
        }
        self.bar.set_message(format!("{:.0} s", at.as_secs_f64()));
        self.bar.set_position(at.as_nanos());
    }
}

impl Drop for Meter {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// What a search is at: how many runs it takes nobody knows before.
#[derive(Debug)]
pub(super) struct Search {
    bar: ProgressBar,
    talk: Talk,
}

impl Search {
    /// A line that does not show yet; `what` is being done.
    pub(super) fn new(what: &'static str, talk: Talk) -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        let style = ProgressStyle::with_template("{prefix} {spinner} {msg}, {elapsed} so far");
        bar.set_style(style.expect("the template is right"));
        bar.set_prefix(what);
        Self { bar, talk }
    }

    /// Called when something begins.
    pub(super) fn begins(&self, said: String) {
        self.bar.set_message(said);
    }

    /// Called now and then, from any thread.
    pub(super) fn goes_on(&self) {
        if self.bar.elapsed() < PATIENCE {
            return;
        }
        if self.bar.position() == 0 {
            show(&self.bar, self.talk);
        }
        self.bar.inc(1);
    }
}

impl Drop for Search {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// From now on a bar can be seen, on a terminal, by those who did not ask for silence.
fn show(bar: &ProgressBar, talk: Talk) {
    match talk {
        Talk::Quiet => {}
        Talk::Normal => bar.set_draw_target(ProgressDrawTarget::stderr()),
    }
}

/// How many of many runs are done, and how long the rest takes at that speed.
#[derive(Debug)]
pub(super) struct Tally {
    bar: ProgressBar,
    talk: Talk,
}

impl Tally {
    /// A tally that does not show yet; `what` is being done.
    pub(super) fn new(what: &'static str, talk: Talk) -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        let template = "{prefix} {bar:30} {pos} of {len} runs, {eta} left";
        let style = ProgressStyle::with_template(template);
        bar.set_style(style.expect("the template is right"));
        bar.set_prefix(what);
        Self { bar, talk }
    }

    /// Called after each run.
    pub(super) fn reached(&self, at: Done) {
        if self.bar.elapsed() >= PATIENCE && self.bar.length().is_none() {
            show(&self.bar, self.talk);
            self.bar.set_length(at.of as u64);
        }
        // Runs in parallel may come here out of turn.
        if at.done as u64 > self.bar.position() {
            self.bar.set_position(at.done as u64);
        }
    }
}

impl Drop for Tally {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
