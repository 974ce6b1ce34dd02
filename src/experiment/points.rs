//! Many models at once: every replication of every point is a task of one pool, taken in order;
//! what comes of them is handed on point by point, in order too, whatever the threads (rule A3).
//!
//! Not which points: a sweep has them from a scenario's keys, a plan looks for them. All points
//! share their random numbers as far as they share their seed: a component draws from the stream
//! of its own name, so that two points differ by what was varied and not by chance.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock};

use super::precision::until;
use super::replicate::digest_of;
use super::warmup::settle;
use crate::model::{Model, Replications, Warmup};
use crate::outcome::{Catalogue, Ended, Measures, RunRecord};
use crate::sim::{Detail, measure};

/// What came of one point.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Its metrics, by replication.
    pub measures: Measures,
    /// How its runs ended: as the first that a limit stopped, else as the first.
    pub ended: Ended,
    /// The digest of all its runs.
    pub digest: u64,
    /// What a reader must know: what the warm-up was, which precision was missed.
    pub notes: Vec<String>,
}

/// How many tasks are done, and how many there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Done {
    /// Tasks that are done.
    pub done: usize,
    /// All tasks: a replication of a point, or a point whose replications are not yet counted.
    pub of: usize,
}

/// Runs every model as its plan asks for, and hands each outcome to `sink` with its position, in
/// the order of `models`. `sink` may break off: then what has not begun is left out. `progress` is
/// called after each task, from any thread.
///
/// # Panics
/// When a run or `sink` does.
pub fn evaluate(
    models: &[&Model],
    progress: &(dyn Fn(Done) + Sync),
    sink: impl FnMut(usize, Outcome) -> ControlFlow<()> + Send,
) {
    let points: Vec<Work<'_>> = models.iter().map(|model| Work::of(model)).collect();
    // The first task of each point, and behind the last the number of all.
    let mut firsts = vec![0];
    for point in &points {
        firsts.push(firsts[firsts.len() - 1] + point.tasks);
    }
    let all = firsts[points.len()];
    let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let stopped = AtomicBool::new(false);
    let delivery = Mutex::new(Delivery {
        waiting: points.iter().map(|_| None).collect(),
        next: 0,
        sink,
    });
    rayon::broadcast(|_| {
        loop {
            let task = next.fetch_add(1, Ordering::Relaxed);
            if task >= all || stopped.load(Ordering::Relaxed) {
                return;
            }
            let at = firsts.partition_point(|first| *first <= task) - 1;
            let finished = points[at].take(task - firsts[at]);
            progress(Done {
                done: done.fetch_add(1, Ordering::Relaxed) + 1,
                of: all,
            });
            let Some(outcome) = finished else { continue };
            let mut delivery = delivery.lock().expect("no sink has panicked");
            if delivery.hand(at, outcome).is_break() {
                stopped.store(true, Ordering::Relaxed);
            }
        }
    });
}

/// The outcomes of all models.
pub fn evaluate_all(models: &[&Model], progress: &(dyn Fn(Done) + Sync)) -> Vec<Outcome> {
    let mut outcomes = Vec::with_capacity(models.len());
    evaluate(models, progress, |_, outcome| {
        outcomes.push(outcome);
        ControlFlow::Continue(())
    });
    outcomes
}

/// Hands outcomes on in order: one that comes early waits for those before it.
struct Delivery<S> {
    waiting: Vec<Option<Outcome>>,
    next: usize,
    sink: S,
}

impl<S: FnMut(usize, Outcome) -> ControlFlow<()>> Delivery<S> {
    fn hand(&mut self, at: usize, outcome: Outcome) -> ControlFlow<()> {
        self.waiting[at] = Some(outcome);
        while let Some(outcome) = self.waiting.get_mut(self.next).and_then(Option::take) {
            let at = self.next;
            self.next += 1;
            if (self.sink)(at, outcome).is_break() {
                // Nothing more is wanted, not even what is done already.
                self.next = self.waiting.len();
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    }
}

/// A point while its replications run.
struct Work<'a> {
    asked: &'a Model,
    /// The model with its warm-up found, which the first task does.
    settled: OnceLock<(Model, Vec<String>)>,
    tasks: usize,
    runs: Mutex<Vec<Option<Run>>>,
}

/// What is kept of a run.
struct Run {
    row: Vec<Option<f64>>,
    ended: Ended,
    digest: u64,
}

impl Run {
    fn of(record: &RunRecord) -> Self {
        Self {
            row: Catalogue::read(record),
            ended: record.ended,
            digest: record.digest,
        }
    }
}

impl<'a> Work<'a> {
    fn of(model: &'a Model) -> Self {
        let tasks = match &model.plan.replications {
            Replications::Fixed(count) => *count as usize,
            Replications::Until(_) => 1,
        };
        let runs = match &model.plan.replications {
            Replications::Fixed(count) => (0..*count).map(|_| None).collect(),
            Replications::Until(_) => Vec::new(),
        };
        Self {
            asked: model,
            settled: OnceLock::new(),
            tasks,
            runs: Mutex::new(runs),
        }
    }

    /// Does one task, and tells what came of the point when it was the last.
    fn take(&self, task: usize) -> Option<Outcome> {
        let (model, notes) = match self.asked.plan.warmup {
            Warmup::For(_) => (self.asked, &Vec::new()),
            Warmup::Auto => {
                let (model, notes) = self.settled.get_or_init(|| settle(self.asked));
                (model, notes)
            }
        };
        match &model.plan.replications {
            Replications::Fixed(_) => {
                let record = measure(model, task as u32, Detail::Measures, &|_| {});
                let mut runs = self.runs.lock().expect("no run has panicked");
                runs[task] = Some(Run::of(&record));
                let all: Option<Vec<Run>> = if runs.iter().all(Option::is_some) {
                    runs.drain(..).collect()
                } else {
                    None
                };
                drop(runs);
                all.map(|runs| outcome(model, runs, notes.clone()))
            }
            Replications::Until(goal) => {
                let (records, said) = until(model, goal, Detail::Measures, &|_| {});
                let runs = records.iter().map(Run::of).collect();
                let notes = notes.iter().cloned().chain(said).collect();
                Some(outcome(model, runs, notes))
            }
        }
    }
}

/// The outcome of the runs of one point, in the order of replications.
fn outcome(model: &Model, runs: Vec<Run>, notes: Vec<String>) -> Outcome {
    let partial = runs.iter().find(|run| run.ended.why.is_partial());
    let ended = partial.unwrap_or(&runs[0]).ended;
    let digest = digest_of(runs.iter().map(|run| run.digest));
    let rows = runs.into_iter().map(|run| run.row).collect();
    Outcome {
        measures: Measures::from_rows(Catalogue::of(model), rows),
        ended,
        digest,
        notes,
    }
}

#[cfg(test)]
mod tests {
    use rayon::ThreadPoolBuilder;

    use super::*;
    use crate::experiment::conduct;
    use crate::model::{Precision, Stop};
    use crate::policy::arrival::{Arrivals, Poisson};
    use crate::random::law::DurationLaw;
    use crate::units::{Rate, Ratio, SimDuration, SimTime};

    /// A few messages a second for so many seconds.
    fn model(seconds: u64, replications: Replications) -> Model {
        let arrivals = Arrivals::Poisson(Poisson {
            rate: Rate::per_second(40),
        });
        let service = DurationLaw::constant(SimDuration::from_millis(20));
        let stop = Stop::At(SimTime::ZERO + SimDuration::from_secs(seconds));
        let mut model = Model::plain(arrivals, 1, service, stop);
        model.plan.replications = replications;
        model
    }

    fn points() -> Vec<Model> {
        let until = Precision {
            target: Ratio::new(0.2).expect("a ratio"),
            of: vec!["queues.q.wait.mean".to_owned()],
            at_most: 30,
        };
        let mut warm = model(60, Replications::Fixed(2));
        warm.plan.warmup = Warmup::Auto;
        vec![
            model(20, Replications::Fixed(1)),
            model(5, Replications::Fixed(3)),
            model(5, Replications::Until(until)),
            warm,
            model(1, Replications::Fixed(4)),
        ]
    }

    fn on(threads: usize, models: &[Model]) -> Vec<Outcome> {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build();
        let models: Vec<&Model> = models.iter().collect();
        pool.expect("threads")
            .install(|| evaluate_all(&models, &|_| {}))
    }

    #[test]
    fn a_point_among_others_is_what_it_is_alone_whatever_the_threads() {
        let models = points();
        for threads in [1, 3] {
            for (model, outcome) in models.iter().zip(on(threads, &models)) {
                let alone = conduct(model, Detail::Measures, &|_| {});
                assert_eq!(outcome.digest, alone.digest);
                let all = |measures: &Measures| {
                    let values = measures.all().map(|(_, _, value)| value);
                    values.collect::<Vec<_>>()
                };
                assert_eq!(all(&outcome.measures), all(&alone.measures));
            }
        }
    }

    #[test]
    fn points_come_in_order_and_every_task_is_told() {
        let models = points();
        let models: Vec<&Model> = models.iter().collect();
        let told = Mutex::new(Vec::new());
        let mut order = Vec::new();
        let progress = |done: Done| told.lock().expect("nobody panics").push(done);
        evaluate(&models, &progress, |at, _| {
            order.push(at);
            ControlFlow::Continue(())
        });
        assert_eq!(order, [0, 1, 2, 3, 4]);
        let mut told = told.into_inner().expect("nobody panics");
        told.sort_by_key(|it| it.done);
        let all: Vec<_> = (1..=11).map(|done| Done { done, of: 11 }).collect();
        assert_eq!(told, all);
    }

    #[test]
    fn a_sink_that_breaks_off_gets_no_more() {
        let models = points();
        let models: Vec<&Model> = models.iter().collect();
        let mut order = Vec::new();
        evaluate(&models, &|_| {}, |at, _| {
            order.push(at);
            if at == 1 {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        assert_eq!(order, [0, 1]);
    }
}
