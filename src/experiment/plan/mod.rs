//! The smallest value of a key that meets every objective, with evidence: the value below it that
//! fails, the objective that decides, what each objective would need alone, and how far the answer
//! carries.
//!
//! Closed forms and the fluid say where to look; runs decide, or a closed form that is exact (see
//! the heads of `bench` and `standing`). Values have an order, and more is taken to help; that is
//! checked on further values, and said where it is not so. Not what a key is: values are places in
//! a list, and who asks compiles them.

mod bench;
mod headroom;
mod search;
mod standing;
mod unmet;

pub use bench::{By, Examined, FIRST_LOOK};
pub use headroom::{Headroom, Measure, Strain, strains};
pub use search::Found;
pub use standing::Standing;
pub use unmet::{Trend, Unmet};

use std::collections::BTreeMap;

use bench::{Terms, opened, predicted};
use search::{most_asked, smallest};

use crate::model::Model;
use crate::outcome::{Condition, Known, Why};
use crate::sim::Progress;

/// Runs of one value, at most, unless something else is said.
pub const MOST_RUNS: u32 = 160;
/// Values that are looked at beyond the search, to see whether more always helps.
const CHECKS: usize = 12;
/// A check may handle so many times the events of the answer's longest run.
const PATIENCE: u64 = 8;
/// A check has so many runs at most; what they leave open is no exception.
const RUNS_OF_CHECK: u32 = 2 * FIRST_LOOK;

/// What is told while a plan is made.
#[derive(Clone, Copy)]
#[expect(
    missing_debug_implementations,
    reason = "two functions, of which there is nothing to show"
)]
pub struct Told<'a> {
    /// What begins.
    pub step: &'a dyn Fn(Step<'_>),
    /// Which instant a run has reached, from any thread.
    pub reached: Progress<'a>,
}

/// What begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step<'a> {
    /// Runs of a value.
    Value {
        /// Its place.
        place: usize,
        /// How many there are already.
        runs: u32,
    },
    /// Runs of the answer under a strain.
    Strain {
        /// What is made worse.
        what: &'a str,
        /// How bad.
        value: &'a str,
    },
}

/// What is asked.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// The objectives, all of which have to be met.
    pub objectives: &'a [Condition],
    /// How many values there are, from the one that is tried to be kept to the one that surely is
    /// enough.
    pub values: usize,
    /// The level of the plan's decisions, together.
    pub level: f64,
    /// The most runs of a value.
    pub most_runs: u32,
}

/// The answer.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The first value that meets every objective, and the last before it that does not.
    pub found: Found,
    /// The same for each objective alone.
    pub alone: Vec<Found>,
    /// The objectives that decide: those that fail at the value before the answer.
    pub binding: Vec<usize>,
    /// Per objective, the value at which an exact closed form and the fluid first say that it is
    /// met.
    pub predicted: Vec<[Option<usize>; 2]>,
    /// Values where more does not help, though it should: beyond the answer and failing, or before
    /// the one that fails and meeting it.
    pub exceptions: Vec<usize>,
    /// Values that were looked at beyond the search.
    pub checked: Vec<usize>,
    /// The objectives that no value meets, and whether the key moves them at all.
    pub unmet: Vec<Unmet>,
    /// Everything that was run, in the order of values.
    pub examined: Vec<Examined>,
    /// The most runs of a value.
    pub most_runs: u32,
    /// The level of all decisions together.
    pub level: f64,
}

impl Plan {
    /// What is known of a value that was run.
    pub fn of(&self, place: usize) -> Option<&Examined> {
        self.examined.iter().find(|it| it.place == place)
    }

    /// Whether chance has a part.
    pub fn by_chance(&self) -> bool {
        self.examined.iter().any(|it| it.model.is_random())
    }
}

/// Searches the places `0..values` for the first that meets every objective; `model` compiles one.
///
/// # Errors
/// What `model` fails with.
pub fn plan<E>(
    question: Question<'_>,
    model: &dyn Fn(usize) -> Result<Model, E>,
    told: Told<'_>,
) -> Result<Plan, E> {
    let mut desk = Desk {
        terms: terms(question, searched(question)),
        model,
        told,
        examined: BTreeMap::new(),
        known: BTreeMap::new(),
    };
    let all: Vec<usize> = (0..question.objectives.len()).collect();
    let predicted = desk.predicted(question.values)?;
    let firsts = predicted.iter().map(|it| it[0].or(it[1]));
    // What no form speaks of cannot move the guess.
    let guess = firsts.flatten().max();
    let mut found = desk.search(question.values, guess, &all)?;
    let (mut exceptions, mut checked) = (Vec::new(), Vec::new());
    loop {
        let better = desk.check(question.values, &found, &all, &mut checked, &mut exceptions)?;
        let Some(better) = better else { break };
        found = desk.search(better + 1, Some(better), &all)?;
    }
    exceptions.retain(|place| !is_in_order(*place, &found, &desk.examined));
    let mut alone = Vec::new();
    for (index, first) in predicted.iter().enumerate() {
        let one = if all.len() == 1 {
            found.clone()
        } else {
            let guess = first[0].or(first[1]).or(found.meets);
            desk.search(question.values, guess, &[index])?
        };
        alone.push(one);
    }
    if let Some(place) = found.fails.filter(|_| all.len() > 1) {
        // One objective was enough to let it fail; which others do is what binds.
        for index in &all {
            desk.stands(place, &[*index])?;
        }
    }
    let without = (0..alone.len()).filter(|index| alone[*index].meets.is_none());
    let without: Vec<usize> = without.collect();
    let unmet = desk.unmet(question.values, &without);
    let examined: Vec<Examined> = desk.examined.into_values().collect();
    Ok(Plan {
        binding: binding(&found, &alone, &examined),
        found,
        alone,
        predicted,
        exceptions,
        checked,
        unmet,
        examined,
        most_runs: question.most_runs,
        level: question.level,
    })
}

/// How far the value at `answer` carries under each of `strains`; `vary` compiles the answer with
/// a key set to a value.
pub fn headrooms(
    question: Question<'_>,
    strains: Vec<Strain>,
    vary: &dyn Fn(&str, &str) -> Option<Model>,
    told: Told<'_>,
) -> Vec<Headroom> {
    let terms = terms(question, headroom::MOST_ASKED);
    let one = |strain: Strain| {
        let key = strain.key.clone();
        headroom::headroom(strain, terms, &|value| vary(&key, value), told)
    };
    strains.into_iter().filter_map(one).collect()
}

/// How many values a plan looks at, at most: one search for all objectives and one for each alone,
/// and the checks.
fn searched(question: Question<'_>) -> usize {
    (1 + question.objectives.len()) * most_asked(question.values) + CHECKS
}

/// The risk of one look at one objective of one value, so that all together are at most what the
/// level leaves.
fn terms(question: Question<'_>, values: usize) -> Terms<'_> {
    let looks = Terms::looks(question.most_runs) as usize;
    let decisions = values * looks * question.objectives.len().max(1);
    Terms {
        objectives: question.objectives,
        most_runs: question.most_runs,
        error: (1.0 - question.level) / decisions as f64,
    }
}

/// Whether a place is where it belongs, now that the answer is known.
fn is_in_order(place: usize, found: &Found, examined: &BTreeMap<usize, Examined>) -> bool {
    let standing = examined.get(&place).map(Examined::standing);
    match found.meets {
        Some(answer) if place >= answer => standing != Some(Standing::Fails),
        Some(_) | None => standing != Some(Standing::Meets),
    }
}

/// The objectives that fail where all together first fail; of those that need as much.
fn binding(found: &Found, alone: &[Found], examined: &[Examined]) -> Vec<usize> {
    let below = found.fails.or_else(|| found.open.last().copied());
    let below = below.and_then(|place| examined.iter().find(|it| it.place == place));
    if let Some(below) = below {
        let failing = |index: &usize| below.standings[*index].0 != Standing::Meets;
        return (0..alone.len()).filter(failing).collect();
    }
    Vec::new()
}

/// Where values are looked at, each once.
struct Desk<'a, E> {
    terms: Terms<'a>,
    model: &'a dyn Fn(usize) -> Result<Model, E>,
    told: Told<'a>,
    examined: BTreeMap<usize, Examined>,
    /// What closed forms and the fluid say, where that was asked.
    known: BTreeMap<usize, [Vec<Option<Known>>; 2]>,
}

impl<E> Desk<'_, E> {
    fn search(&mut self, values: usize, guess: Option<usize>, asked: &[usize]) -> Result<Found, E> {
        smallest(values, guess, |place| self.stands(place, asked))
    }

    fn stands(&mut self, place: usize, asked: &[usize]) -> Result<Standing, E> {
        let (terms, told) = (self.terms, self.told);
        if !self.examined.contains_key(&place) {
            let value = opened(place, (self.model)(place)?, terms);
            self.examined.insert(place, value);
        }
        let value = self.examined.get_mut(&place).expect("it was put there");
        Ok(value.examine(terms, asked, told))
    }

    /// Per objective, the first place at which exact forms, and at which the fluid, say that it is
    /// met.
    fn predicted(&mut self, values: usize) -> Result<Vec<[Option<usize>; 2]>, E> {
        let mut all = Vec::new();
        for index in 0..self.terms.objectives.len() {
            let mut firsts = [None, None];
            for (which, first) in firsts.iter_mut().enumerate() {
                *first = self.first_said(values, index, which)?;
            }
            all.push(firsts);
        }
        Ok(all)
    }

    fn first_said(
        &mut self,
        values: usize,
        index: usize,
        which: usize,
    ) -> Result<Option<usize>, E> {
        // Below stability no form may speak, so the last value says whether one does.
        let Some(last) = values.checked_sub(1) else {
            return Ok(None);
        };
        if self.says(last, index, which)?.is_none() {
            return Ok(None);
        }
        let (mut low, mut high) = (0, values);
        while low < high {
            let middle = low + (high - low) / 2;
            if self.says(middle, index, which)? == Some(true) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        Ok((high < values).then_some(high))
    }

    /// Whether a form says that an objective is met at a place; `None` where it says nothing.
    fn says(&mut self, place: usize, index: usize, which: usize) -> Result<Option<bool>, E> {
        let objectives = self.terms.objectives;
        if !self.known.contains_key(&place) {
            let (exact, fluid) = predicted(&(self.model)(place)?, objectives);
            self.known.insert(place, [exact, fluid]);
        }
        let known = self.known[&place][which][index].as_ref();
        Ok(known.map(|it| objectives[index].holds(it.value)))
    }

    /// Looks at further values beyond the answer and below what fails. Returns the lowest place
    /// below that meets all, which is then a better answer.
    fn check(
        &mut self,
        values: usize,
        found: &Found,
        all: &[usize],
        checked: &mut Vec<usize>,
        exceptions: &mut Vec<usize>,
    ) -> Result<Option<usize>, E> {
        let last = values.saturating_sub(1);
        let mut places = Vec::new();
        if let Some(answer) = found.meets {
            places.extend([answer + 1, usize::midpoint(answer, last), last]);
        }
        let below = found.fails.or(found.meets).unwrap_or(last);
        let low = [0, below / 4, below / 2, below.saturating_sub(1)];
        places.extend(low.into_iter().filter(|place| *place < below));
        places.retain(|place| *place <= last);
        places.sort_unstable();
        places.dedup();
        let mut better = None;
        for place in places {
            let known = self.examined.contains_key(&place);
            if !known && (checked.len() >= CHECKS || !self.is_worth_a_check(place, found)?) {
                continue;
            }
            let standing = if known {
                self.stands(place, all)?
            } else {
                checked.push(place);
                self.glance(place, found, all)?
            };
            let above = found.meets.is_some_and(|answer| place > answer);
            let odd = match standing {
                Standing::Meets => !above && found.meets != Some(place),
                Standing::Fails => above,
                Standing::Open => false,
            };
            if odd && !exceptions.contains(&place) {
                exceptions.push(place);
            }
            if odd && !above && better.is_none() {
                better = Some(place);
            }
        }
        Ok(better)
    }

    /// Whether a look is worth its time: not where the forms say that an objective fails below an
    /// answer, as they do of a fleet that never catches up.
    fn is_worth_a_check(&mut self, place: usize, found: &Found) -> Result<bool, E> {
        if found.meets.is_some_and(|answer| place > answer) {
            return Ok(true);
        }
        for index in 0..self.terms.objectives.len() {
            for which in 0..2 {
                if self.says(place, index, which)? == Some(false) {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// How a value stands, unless its runs take many times as long as the answer's: then it is
    /// left open and forgotten.
    fn glance(&mut self, place: usize, found: &Found, all: &[usize]) -> Result<Standing, E> {
        let answer = found.meets.and_then(|answer| self.examined.get(&answer));
        let events = answer.map(|it| it.runs.iter().map(|run| run.events).max().unwrap_or(0));
        let mut model = (self.model)(place)?;
        let asked = model.plan.most_events;
        if let Some(events) = events {
            model.plan.most_events = asked.min(events.saturating_mul(PATIENCE).max(100_000));
        }
        let shortened = model.plan.most_events < asked;
        let mut value = opened(place, model, self.terms);
        let few = Terms {
            most_runs: self.terms.most_runs.min(RUNS_OF_CHECK),
            ..self.terms
        };
        let standing = value.examine(few, all, self.told);
        let cut = value
            .runs
            .iter()
            .any(|run| run.ended.why == Why::EventLimit);
        if shortened && cut {
            return Ok(Standing::Open);
        }
        value.model.plan.most_events = asked;
        self.examined.insert(place, value);
        Ok(standing)
    }
}
