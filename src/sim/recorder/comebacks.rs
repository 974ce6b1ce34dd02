//! When goodput was back for good after the last disturbance (`recovered_at`): of queues, of
//! producers that call a dependency themselves, of dependencies, of callers.
//!
//! Not how long a backlog takes to drain: work can be done again long before that, or never be.

use crate::model::{CallerId, DependencyId, Id, Model, QueueId, Recovery, Table};
use crate::sim::dependency::{Audience, CallFact, Reply, RequestEnd};
use crate::sim::fact::Fact;
use crate::sim::recorder::Recorder;
use crate::stats::Comeback;
use crate::units::SimTime;

/// The goodput of all components of a model that is disturbed, and calm again some time.
#[derive(Debug)]
pub(in crate::sim) struct Comebacks {
    criterion: Recovery,
    /// From when to when the level before is measured; nothing where the disturbance is there
    /// from the start, or before the statistics.
    before: (SimTime, SimTime),
    calm: SimTime,
    /// Whom each caller calls.
    whom: Table<CallerId, DependencyId>,
    pub(in crate::sim) queues: Table<QueueId, Goodput>,
    pub(in crate::sim) dependencies: Table<DependencyId, Goodput>,
    pub(in crate::sim) callers: Table<CallerId, Goodput>,
}

/// The goodput of a component.
#[derive(Clone, Debug)]
pub(in crate::sim) struct Goodput {
    windows: Comeback,
    /// What was done well before the disturbance.
    before: u64,
    /// What was wanted since calm.
    offered: u64,
}

fn table<I: Id, T>(of: &Table<I, T>, goodput: &Goodput) -> Table<I, Goodput> {
    of.iter().map(|_| goodput.clone()).collect()
}

impl Comebacks {
    /// Watches a model, if there is something to come back from.
    pub(in crate::sim) fn new(model: &Model) -> Option<Self> {
        let calm = model.calm_from().filter(|calm| *calm < SimTime::MAX)?;
        let disturbed = model.disturbed_from()?;
        let criterion = model.plan.recovery;
        let goodput = Goodput {
            windows: Comeback::new(criterion.window, calm),
            before: 0,
            offered: 0,
        };
        Some(Self {
            criterion,
            before: (SimTime::ZERO, disturbed),
            calm,
            whom: model.callers.iter().map(|it| it.dependency).collect(),
            queues: table(&model.queues, &goodput),
            dependencies: table(&model.dependencies, &goodput),
            callers: table(&model.callers, &goodput),
        })
    }

    /// The statistics begin: so does the level before, unless the disturbance has.
    fn restart(&mut self, now: SimTime) {
        self.before.0 = now;
        self.queues.iter_mut().for_each(|it| it.before = 0);
        self.dependencies.iter_mut().for_each(|it| it.before = 0);
        self.callers.iter_mut().for_each(|it| it.before = 0);
    }

    /// When a component's goodput was back for good, at the end of the run.
    pub(in crate::sim) fn since(&self, of: &Goodput, end: SimTime) -> Option<SimTime> {
        let (from, until) = self.before;
        let level = if from < until {
            of.before as f64 / until.since(from).as_secs_f64()
        } else if self.calm < end {
            of.offered as f64 / end.since(self.calm).as_secs_f64()
        } else {
            return None;
        };
        let usual = level * self.criterion.window.as_secs_f64();
        // Three standard deviations of a count: chance alone is no relapse.
        let least = self.criterion.share.get() * usual - 3.0 * usual.sqrt();
        // Where nothing was done before, nothing can come back.
        (usual > 0.0)
            .then(|| of.windows.clone().since(end, least))
            .flatten()
    }

    fn hear(&mut self, now: SimTime, fact: &CallFact) {
        let (before, calm) = (self.before.1, self.calm);
        if let CallFact::Answered {
            dependency,
            answer: Reply::Good,
            audience: Audience::Listening,
            ..
        } = *fact
        {
            self.dependencies[dependency].done(now, before);
        } else if let CallFact::Ended {
            caller,
            how: RequestEnd::Well,
            ..
        } = *fact
        {
            self.callers[caller].done(now, before);
        } else if let CallFact::Requested { caller, .. } = *fact {
            self.callers[caller].wanted(now, calm);
            let dependency = self.whom[caller];
            self.dependencies[dependency].wanted(now, calm);
        }
    }
}

impl Goodput {
    #[inline]
    fn done(&mut self, now: SimTime, disturbed: SimTime) {
        self.before += u64::from(now < disturbed);
        self.windows.count(now);
    }

    #[inline]
    fn wanted(&mut self, now: SimTime, calm: SimTime) {
        self.offered += u64::from(now >= calm);
    }
}

impl Recorder for Comebacks {
    #[inline(always)]
    fn observe(&mut self, now: SimTime, fact: &Fact) {
        if let Fact::Completed { queue, .. } | Fact::Acknowledged { queue, .. } = *fact {
            self.queues[queue].done(now, self.before.1);
        } else if let Fact::Offered { queue, .. } = *fact {
            self.queues[queue].wanted(now, self.calm);
        } else if let Fact::Call(fact) = fact {
            self.hear(now, fact);
        } else if matches!(fact, Fact::WarmedUp) {
            self.restart(now);
        }
    }
}
