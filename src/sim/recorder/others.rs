//! The recorders of a usual run beside its statistics and its timeline: of calls, of what comes
//! back, and of a series if one was asked for.
//!
//! Not a place for statistics: each of these has its file.

use super::calls::CallStatistics;
use super::comebacks::{Comebacks, Goodput};
use super::series::SeriesRecorder;
use super::{Levels, Recorder};
use crate::model::Model;
use crate::sim::fact::Fact;
use crate::units::SimTime;

/// All of them.
#[derive(Debug)]
pub(in crate::sim) struct Others {
    pub(in crate::sim) calls: CallStatistics,
    /// Where there is something to come back from.
    comebacks: Option<Comebacks>,
    pub(in crate::sim) series: Option<SeriesRecorder>,
}

impl Others {
    pub(in crate::sim) fn new(model: &Model, series: Option<SeriesRecorder>) -> Self {
        Self {
            calls: CallStatistics::new(model),
            comebacks: Comebacks::new(model),
            series,
        }
    }

    /// When the goodput of a component was back for good, if it ever was, or was ever gone.
    pub(in crate::sim) fn since(
        &self,
        end: SimTime,
        of: impl FnOnce(&Comebacks) -> &Goodput,
    ) -> Option<SimTime> {
        let comebacks = self.comebacks.as_ref()?;
        comebacks.since(of(comebacks), end)
    }
}

impl Recorder for Others {
    #[inline(always)]
    fn observe(&mut self, now: SimTime, fact: &Fact) {
        self.calls.observe(now, fact);
        self.comebacks.observe(now, fact);
        self.series.observe(now, fact);
    }

    fn next_sample(&self, now: SimTime) -> Option<SimTime> {
        self.series.next_sample(now)
    }

    fn sample(&mut self, now: SimTime, levels: &Levels) {
        self.series.sample(now, levels);
    }
}
