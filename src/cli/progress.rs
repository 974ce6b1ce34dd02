//! How far a run is, on a terminal, when it takes long enough to wonder.
//!
//! Not a measurement: the wall clock decides only whether something is shown.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::options::Talk;
use crate::model::{Plan, Stop};
use crate::units::SimTime;

/// Runs that end sooner show nothing.
const PATIENCE: Duration = Duration::from_millis(500);

/// A bar for a run whose end is known, a growing number for others.
#[derive(Debug)]
pub(super) struct Meter {
    bar: ProgressBar,
}

impl Meter {
    /// A meter that does not show yet.
    pub(super) fn new(plan: &Plan, talk: Talk) -> Self {
        let end = match plan.stop {
            Stop::Drained | Stop::Settled => None,
            Stop::At(end) => Some(end.as_nanos()),
        };
        let bar = match talk {
            Talk::Quiet => ProgressBar::hidden(),
            Talk::Normal => ProgressBar::with_draw_target(end, ProgressDrawTarget::hidden()),
        };
        let template = match end {
            Some(_) => "simulating {bar:40} {percent:>3} %  {msg}",
            None => "simulating {spinner} {msg}",
        };
        let style = ProgressStyle::with_template(template);
        bar.set_style(style.expect("the template is right"));
        Self { bar }
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
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
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
