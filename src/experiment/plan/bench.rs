//! One value of a plan at a time: its runs, as many as it takes, and how each objective stands.
//!
//! A closed form that is exact decides where it applies, and the runs are held against it: a mean
//! over 160 runs of some seconds cannot tell P(wait) = 9.99 % from 10 %, the form can. Where runs
//! firmly contradict it (by the mean for a mean; for a percentile, which of a single run is no
//! unbiased estimate, when most runs lie on the other side) they are short against the time in
//! which the queue forgets its start, or in which its rare crowds come. Then the plan errs to the
//! safe side: what fails by either fails. Short runs that have not seen a crowd cannot make a fleet
//! smaller, and a start that takes most of a run is not explained away.
//!
//! Not the search.

use super::Standing;
use super::standing::{has_failed, standing};
use super::{Step, Told};
use crate::experiment::readings::expect;
use crate::experiment::replicate::{digest, round};
use crate::experiment::warmup::settle;
use crate::model::{Model, Warmup};
use crate::outcome::{Catalogue, Condition, How, Known, Measures, RunRecord, Why};
use crate::sim::Detail;
use crate::stats::hypothesis::p_of_even_chances;

/// Runs at the first look when chance has a part; each look after it has twice as many.
pub const FIRST_LOOK: u32 = 20;

/// By what an objective was decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// By the runs.
    Simulation,
    /// By a closed form that is exact, and that the runs do not contradict.
    ClosedForm,
    /// By a closed form that is exact for the long run and says that it fails; these runs, which
    /// are short, would not.
    FormAgainstRuns,
    /// By the runs, which say that it fails; the long run, by a closed form that is exact, would
    /// not.
    RunsAgainstForm,
    /// A limit stopped a run: such a run meets nothing.
    Limit(Why),
}

impl By {
    /// The word for it in machine output.
    pub fn word(self) -> &'static str {
        match self {
            Self::Simulation => "simulation",
            Self::ClosedForm => "closed_form",
            Self::FormAgainstRuns => "closed_form_against_runs",
            Self::RunsAgainstForm => "runs_against_closed_form",
            Self::Limit(_) => "limit",
        }
    }
}

/// One value: what is known of it without runs, and its runs.
#[derive(Clone, Debug)]
pub struct Examined {
    /// Its place in the order of values.
    pub place: usize,
    /// What was run: with a warm-up in place of `auto`.
    pub model: Model,
    /// The runs so far, in order.
    pub runs: Vec<RunRecord>,
    /// Their metrics.
    pub measures: Measures,
    /// How each objective stands.
    pub standings: Vec<(Standing, By)>,
    /// What an exact closed form says of each objective's metric.
    pub exact: Vec<Option<Known>>,
    /// What the fluid says of it.
    pub fluid: Vec<Option<Known>>,
}

impl Examined {
    /// How all objectives stand together.
    pub fn standing(&self) -> Standing {
        Standing::all(self.standings.iter().map(|(standing, _)| *standing))
    }

    /// The digest of its runs.
    pub fn digest(&self) -> u64 {
        digest(&self.runs)
    }
}

/// What is asked of every value, and at which risk.
#[derive(Clone, Copy, Debug)]
pub(super) struct Terms<'a> {
    /// The objectives.
    pub(super) objectives: &'a [Condition],
    /// The most runs of a value.
    pub(super) most_runs: u32,
    /// The probability with which one look at one objective may err, to each side.
    pub(super) error: f64,
}

impl Terms<'_> {
    /// How often a value is looked at, at most.
    pub(super) fn looks(most_runs: u32) -> u32 {
        let mut looks = 1;
        let mut runs = FIRST_LOOK;
        while runs < most_runs {
            (looks, runs) = (looks + 1, runs * 2);
        }
        looks
    }
}

/// A model with its warm-up found, and what is known of it without runs.
pub(super) fn opened(place: usize, model: Model, terms: Terms<'_>) -> Examined {
    let model = match model.plan.warmup {
        Warmup::Auto => settle(&model).0,
        Warmup::For(_) => model,
    };
    let (exact, fluid) = predicted(&model, terms.objectives);
    Examined {
        place,
        measures: Measures::of(Catalogue::of(&model), &[]),
        runs: Vec::new(),
        standings: vec![(Standing::Open, By::Simulation); terms.objectives.len()],
        exact,
        fluid,
        model,
    }
}

/// What closed forms that are exact, and the fluid, say of each objective's metric.
pub(super) fn predicted(
    model: &Model,
    objectives: &[Condition],
) -> (Vec<Option<Known>>, Vec<Option<Known>>) {
    let readings = expect(model);
    let of = |objective: &Condition| {
        readings
            .rows
            .iter()
            .find(|it| it.metric == objective.metric)
    };
    let exact = |objective| {
        of(objective)?
            .theory
            .clone()
            .filter(|it| it.how == How::Exact)
    };
    let fluid = |objective| of(objective)?.fluid.clone();
    (
        objectives.iter().map(exact).collect(),
        objectives.iter().map(fluid).collect(),
    )
}

impl Examined {
    /// Makes runs until the objectives that `asked` names are decided together, or there are as
    /// many runs as there may be.
    pub(super) fn examine(
        &mut self,
        terms: Terms<'_>,
        asked: &[usize],
        told: Told<'_>,
    ) -> Standing {
        loop {
            let among = asked.iter().map(|index| self.standings[*index].0);
            let all = Standing::all(among);
            let Some(next) = self.next_look(terms.most_runs) else {
                return all;
            };
            if !self.runs.is_empty() && all != Standing::Open {
                return all;
            }
            let have = self.runs.len() as u32;
            // One run that a limit stops says as much as twenty, and may take long; so does one in
            // which there is something where nothing is asked for.
            if have == 0 {
                self.extend(1, told);
                if self.has_failed_at_once(terms, asked) {
                    return Standing::Fails;
                }
            }
            if !self.runs[0].ended.why.is_partial() {
                self.extend(next, told);
            }
            self.judge(terms);
        }
    }

    /// Makes runs until there are so many.
    pub(super) fn extend(&mut self, until: u32, told: Told<'_>) {
        let have = self.runs.len() as u32;
        (told.step)(Step::Value {
            place: self.place,
            runs: have,
        });
        let more = round(
            &self.model,
            have..until.max(have),
            Detail::Measures,
            told.reached,
        );
        self.runs.extend(more);
        self.measures = Measures::of(Catalogue::of(&self.model), &self.runs);
    }

    /// Whether the first run decides: what it cannot is left open, and the runs are not judged as
    /// if they were many.
    fn has_failed_at_once(&mut self, terms: Terms<'_>, asked: &[usize]) -> bool {
        if !self.model.is_random() || self.runs[0].ended.why.is_partial() {
            return false;
        }
        for (index, objective) in terms.objectives.iter().enumerate() {
            let by_runs = self.exact[index].is_none();
            if by_runs && has_failed(objective, &self.values(objective)) {
                self.standings[index] = (Standing::Fails, By::Simulation);
            }
        }
        let mut asked = asked.iter();
        asked.any(|index| self.standings[*index].0 == Standing::Fails)
    }

    /// The numbers of an objective's metric, one a run.
    pub(super) fn values(&self, objective: &Condition) -> Vec<Option<f64>> {
        match self.measures.catalogue().position(&objective.metric) {
            Some(place) => self.measures.values(place).collect(),
            None => vec![None; self.runs.len()],
        }
    }

    /// How many runs there are at the next look; `None` when there is none.
    fn next_look(&self, most_runs: u32) -> Option<u32> {
        let have = self.runs.len() as u32;
        let stopped = self.runs.iter().any(|run| run.ended.why.is_partial());
        if stopped || (have > 0 && !self.model.is_random()) {
            return None;
        }
        if !self.model.is_random() {
            return Some(1);
        }
        let next = if have < FIRST_LOOK {
            FIRST_LOOK
        } else {
            have * 2
        };
        (have < most_runs).then_some(next.min(most_runs))
    }

    fn judge(&mut self, terms: Terms<'_>) {
        let mut ends = self.runs.iter().map(|run| run.ended.why);
        let stopped = ends.find(|why| why.is_partial());
        for (index, objective) in terms.objectives.iter().enumerate() {
            self.standings[index] = match stopped {
                Some(why) => (Standing::Fails, By::Limit(why)),
                None => self.judged(objective, self.exact[index].as_ref(), terms.error),
            };
        }
    }

    fn judged(&self, objective: &Condition, exact: Option<&Known>, error: f64) -> (Standing, By) {
        let values = self.values(objective);
        let seen = standing(objective, &values, error);
        let Some(exact) = exact.filter(|_| self.model.is_random()) else {
            return (seen, By::Simulation);
        };
        let said = if objective.holds(exact.value) {
            Standing::Meets
        } else {
            Standing::Fails
        };
        let against = seen != Standing::Open && seen != said;
        if !against || !firmly(objective, &values, said, error) {
            (said, By::ClosedForm)
        } else if said == Standing::Fails {
            (said, By::FormAgainstRuns)
        } else {
            (seen, By::RunsAgainstForm)
        }
    }
}

/// Whether runs whose mean contradicts what a closed form says do so for good.
fn firmly(objective: &Condition, values: &[Option<f64>], said: Standing, error: f64) -> bool {
    let part = objective.metric.rsplit('.').next().unwrap_or("");
    let of_order = part == "max" || part.starts_with('p');
    if !of_order {
        return true;
    }
    let with = |value: &&Option<f64>| objective.holds(**value) == (said == Standing::Meets);
    let with = values.iter().filter(with).count() as u64;
    let all = values.len() as u64;
    2 * with < all && p_of_even_chances(with, all) <= 2.0 * error
}
