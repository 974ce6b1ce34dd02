//! Whether a reading agrees with the simulation, and if not, which assumption fails.
//!
//! The rule is in the head of [`super`]. Not the numbers that are compared.

use super::found::{Doubt, Found, LongRun, Window, number, seconds};
use crate::model::{Model, Restart, Warmup};
use crate::outcome::{How, Known, Measures, RunRecord, Verdict};
use crate::policy::admission::Admission;
use crate::stats::confidence::Interval;

/// The level of the intervals that judge.
const LEVEL: f64 = 0.99;

/// A run that measures fewer relaxation times than this is no long run.
const RELAXATIONS: f64 = 10.0;

/// With fewer than this, starting empty is seen in the means.
const FORGETS: f64 = 1_000.0;

/// What was simulated.
#[derive(Clone, Copy, Debug)]
pub(super) struct Evidence<'a> {
    pub(super) model: &'a Model,
    pub(super) measures: &'a Measures,
    pub(super) runs: &'a [RunRecord],
    pub(super) window: Window,
    /// Whether two runs of the model differ.
    pub(super) by_chance: bool,
}

/// How one reading lies to the simulation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Match {
    Within,
    Beyond,
    /// One run of chance, and no law for how far it strays.
    Unknown,
}

impl Evidence<'_> {
    /// What the simulation says of the metric at a place of the catalogue.
    pub(super) fn simulated(&self, place: usize) -> Known {
        let runs = self.runs.len();
        Known {
            value: self.measures.at(place),
            how: How::Simulated,
            source: match runs {
                1 => "one run".to_owned(),
                runs => format!("mean of {runs} runs"),
            },
            interval: self.measures.interval(place, LEVEL),
        }
    }

    /// The verdict on all that was found for one metric.
    pub(super) fn judge(&self, place: usize, simulated: &Known, found: &[&Found]) -> Verdict {
        let mut verdict = Verdict::Alone;
        for found in found {
            match self.compare(place, simulated, found) {
                Match::Beyond => {
                    let because = self.because(place, found);
                    return Verdict::Differ { because };
                }
                Match::Within => verdict = Verdict::Agree,
                Match::Unknown => {}
            }
        }
        verdict
    }

    fn compare(&self, place: usize, simulated: &Known, found: &Found) -> Match {
        let beyond = |holds: bool| if holds { Match::Within } else { Match::Beyond };
        let (Some(expected), Some(value)) = (found.known.value, simulated.value) else {
            return beyond(found.known.value.is_none() && self.measures.present(place) == 0);
        };
        // The clock has whole nanoseconds, and a float of them fifteen digits.
        let grain = found.grain + 1e-9 + 1e-12 * value.abs();
        if let Some(Interval { low, high, .. }) = simulated.interval {
            return beyond(low - grain <= expected && expected <= high + grain);
        }
        let off = (expected - value).abs();
        match found.scatter {
            _ if !self.by_chance => beyond(off <= grain),
            Some(scatter) => beyond(off <= grain + scatter),
            None => Match::Unknown,
        }
    }

    /// The assumption that fails, from what the model and the runs show.
    fn because(&self, place: usize, found: &Found) -> String {
        let present = self.measures.present(place);
        let runs = self.runs.len();
        if 0 < present && present < runs {
            return format!(
                "it happened in {present} of {runs} runs: chance decides, which the {} leaves out",
                reading(found)
            );
        }
        match &found.assumes {
            Some(assumes) => self.because_of_form(found, assumes),
            None => self.because_of_flow(found),
        }
    }

    /// In how many runs the bound was reached.
    fn full(&self, found: &Found) -> usize {
        let full = |run: &&RunRecord| run.queues[found.queue].full_at.is_some();
        self.runs.iter().filter(full).count()
    }

    fn because_of_form(&self, found: &Found, assumes: &LongRun) -> String {
        let source = &found.known.source;
        let queue = &self.model.queues[found.queue];
        let full = self.full(found);
        if full > 0 && assumes.places.is_infinite() {
            return format!(
                "{source} has no bound, and the bound of {} was reached in {full} of {} runs",
                number(queue.capacity as f64),
                self.runs.len()
            );
        }
        let span = self.window.span().unwrap_or(0.0);
        if span < RELAXATIONS * assumes.relaxation {
            return short(source, span, assumes);
        }
        let [ca2, cs2] = assumes.scv;
        if found.known.how == How::Approximate && assumes.doubt == Doubt::Wait {
            return format!(
                "{source} takes it that a message which comes back finds a free handler; here it \
                 waits for one at times, and is acknowledged meanwhile or comes back once more"
            );
        }
        if found.known.how == How::Approximate {
            return format!(
                "{source} knows two moments of gaps and of service times, and these are bursty or \
                 uneven (squared coefficients of variation {} and {}); the simulation knows the \
                 whole laws",
                number(ca2),
                number(cs2)
            );
        }
        let cold = matches!(self.model.plan.warmup, Warmup::For(span) if span.is_zero());
        if cold && span < FORGETS * assumes.relaxation {
            return format!(
                "{source} is the steady state, and the run counts its start with an empty queue; \
                 set `run.warmup`, or run longer than {}",
                seconds(FORGETS * assumes.relaxation)
            );
        }
        format!(
            "no assumption of {source} is seen to fail; one metric in a hundred differs by chance, \
             so run it with another seed or more replications"
        )
    }

    fn because_of_flow(&self, found: &Found) -> String {
        let queue = &self.model.queues[found.queue];
        if found.metric.ends_with("blocked_ever") && queue.admission == Admission::NewcomersFirst {
            return "in the fluid a newcomer takes a free slot the instant it comes; slots come \
                    free one service at a time, so newcomers are blocked too, but for no longer \
                    than that"
                .to_owned();
        }
        if let Admission::WakeUp(span) = queue.admission {
            return format!(
                "the fluid hands a slot over in no time; here a waiter takes {span} to wake up"
            );
        }
        if self.by_chance {
            return self.because_of_chance(found);
        }
        let in_phase = self
            .model
            .outages
            .iter()
            .any(|it| it.restart == Restart::InPhase);
        if in_phase {
            return "the fluid works evenly; here the consumers come back in phase and take their \
                    messages a fleet at a time"
                .to_owned();
        }
        "the fluid has no whole messages: no service in hand, and no gap between two arrivals"
            .to_owned()
    }

    fn because_of_chance(&self, found: &Found) -> String {
        let queue = &self.model.queues[found.queue];
        let fleets = self.model.fleets.pairs();
        let busiest = fleets
            .filter(|(_, it)| it.queue == found.queue)
            .filter_map(|(id, _)| self.runs.first()?.fleets[id].utilization)
            .fold(0.0, f64::max);
        if self.full(found) > 0 && queue.capacity < u64::MAX {
            return format!(
                "the fluid knows no chance: gaps and service times vary, and the bound of {} is \
                 reached by chance in {} of {} runs (its consumers were {:.0} % busy)",
                number(queue.capacity as f64),
                self.full(found),
                self.runs.len(),
                100.0 * busiest
            );
        }
        format!(
            "the fluid knows no chance: gaps and service times vary, so {} fills and drains by \
             chance too (its consumers were {:.0} % busy)",
            queue.name,
            100.0 * busiest
        )
    }

    /// What must be said of runs that are too short or too few.
    pub(super) fn notes(&self, all: &[Found]) -> Vec<String> {
        let mut notes = Vec::new();
        let mut told = Vec::new();
        let span = self.window.span().unwrap_or(0.0);
        for found in all {
            let Some(assumes) = &found.assumes else {
                continue;
            };
            if told.contains(&found.queue) || span >= RELAXATIONS * assumes.relaxation {
                continue;
            }
            told.push(found.queue);
            let name = &self.model.queues[found.queue].name;
            notes.push(format!(
                "{name}: {}",
                short(&found.known.source, span, assumes)
            ));
        }
        if self.runs.len() > 1 {
            notes.push(
                "the readings are judged by 99 % intervals, widened by what whole messages and \
                 the edges of the run are worth"
                    .to_owned(),
            );
        } else if self.by_chance {
            notes.push(
                "one run of a random model has no interval: where theory does not know how far a \
                 run strays there is no verdict; add `--replications 10`"
                    .to_owned(),
            );
        }
        notes
    }

    /// A word on the phase of the consumers, where it explains an instant that differs by more than
    /// a service.
    pub(super) fn on_phase(&self, found: &Found, simulated: &Known) -> Option<String> {
        let (Some(fluid), Some(value)) = (found.known.value, simulated.value) else {
            return None;
        };
        let fleets = self
            .model
            .fleets
            .pairs()
            .filter(|(_, it)| it.queue == found.queue);
        let mut fleets = fleets.map(|(id, it)| (id, it.service.mean()));
        let in_phase = fleets.any(|(id, service)| {
            let mut outages = self.model.outages.iter().filter(|it| it.fleet == id);
            outages.any(|it| it.restart == Restart::InPhase) && fluid - value > service
        });
        let drained = found.assumes.is_none() && found.metric.ends_with(".drained_at");
        (in_phase && drained && !self.by_chance).then(|| {
            format!(
                "{} is {value:.2} s, not the fluid {fluid:.2} s: the consumers come back in phase \
                 and hold a fleet's worth of messages, not waiting; with `restart = \
                 \"staggered\"` it is nearer",
                found.metric
            )
        })
    }
}

fn reading(found: &Found) -> &'static str {
    match found.known.how {
        How::Fluid => "fluid",
        How::Exact | How::Approximate | How::Simulated => "closed form",
    }
}

fn short(source: &str, span: f64, assumes: &LongRun) -> String {
    let longer = assumes.one_percent.map_or_else(String::new, |needs| {
        format!(", and {} for the mean depth to 1 %", seconds(needs))
    });
    format!(
        "not steady: {source} is for the long run, and {} is less than ten times the {} in which \
         the queue forgets its start; measure {} at least{longer}",
        seconds(span),
        seconds(assumes.relaxation),
        seconds(RELAXATIONS * assumes.relaxation),
    )
}
