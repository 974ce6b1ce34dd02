//! The three readings of one model side by side, and the verdict on each (rule H3).
//!
//! Not the formulas ([`crate::theory`]), the solver ([`crate::fluid`]) or the simulator: here a
//! model is put to each of them, and their answers are compared.
//!
//! **The rule of the verdict.** Two replications or more: a reading agrees when it lies within the
//! simulation's 99 % Student interval, widened by its grain. One run without chance: within the
//! grain. One run with chance: within the 99 % scatter of such a run where theory knows its
//! variance (what is done and the work in it for any renewal source, what waits for M/M/c), else
//! there is no verdict. The grain is what whole messages are worth, and is derived, not tuned:
//!
//! - fluid: for `c` handlers at most `c + 1` messages are in hand instead of waiting, so counts and
//!   levels are off by `c + 1`, and what is done by `c` more; instants by `(c + 1)/h + S` with `h`
//!   the slope of the level at the time and `S` the service time; ages by `(c + 1)/l + S` with `l`
//!   the arrival rate; flows that begin or end at such an instant by their rate times that; a stage
//!   inherits the grain of the stages before it;
//! - closed forms: work in hand at the edges of the run, which is the number present over the
//!   measured time; percentiles the 0.4 % of a bucket of the histogram.
//!
//! When a reading does not agree, the sentence names the assumption that the model or the runs
//! show to fail: a bound that was reached, a run too short, an empty start, an approximation from
//! two moments, chance that the fluid leaves out, whole messages.

mod attempts;
mod flow_of;
mod flow_told;
mod found;
mod handled;
mod load_of;
mod rates_of;
mod redone;
mod source_of;
mod stamped;
mod station_of;
mod theory_of;
mod timeouts;
mod verdict;

use std::collections::BTreeMap;

use crate::model::Model;
use crate::outcome::{Catalogue, Measures, Reading, Readings, RunRecord, Unit, Verdict};
use found::{Found, Told, Window};
pub use redone::{Redone, endless, redone};
use verdict::Evidence;

/// Closed form, fluid, and what `runs` of `model` measured.
pub fn read(model: &Model, measures: &Measures, runs: &[RunRecord]) -> Readings {
    if runs.is_empty() {
        return expect(model);
    }
    let window = Window::of(model, runs);
    let evidence = Evidence {
        model,
        measures,
        runs,
        window,
        by_chance: model.is_random(),
    };
    let (theory, flow) = without_simulation(model, window);
    let mut notes = evidence.notes(&theory.found);
    let (forms, flows) = (by_metric(&theory), by_metric(&flow));
    let mut rows = Vec::new();
    for (place, (metric, unit)) in measures.catalogue().entries().iter().enumerate() {
        let found = [&forms, &flows].map(|known| known.get(metric.as_str()).copied());
        let known: Vec<&Found> = found.into_iter().flatten().collect();
        if known.is_empty() {
            continue;
        }
        let simulated = evidence.simulated(place);
        let nothing = |value: Option<f64>| value.is_none_or(|value| value == 0.0);
        if found[0].is_none() && nothing(known[0].known.value) && nothing(simulated.value) {
            continue;
        }
        let verdict = evidence.judge(place, &simulated, &known);
        if let Some(flow) = found[1] {
            notes.extend(evidence.on_phase(flow, &simulated));
        }
        let simulated = Some(simulated);
        rows.push(row((metric, *unit), found, simulated, verdict));
    }
    notes.extend(theory.notes);
    notes.extend(flow.notes);
    Readings {
        rows,
        no_form: theory.none,
        no_flow: flow.none,
        notes,
    }
}

/// What closed forms and the fluid say before anything is simulated. Averages are of the long run;
/// counts and highest values are up to the instant at which the fluid says that the run ends.
pub fn expect(model: &Model) -> Readings {
    let window = Window::of(model, &[]);
    let (theory, flow) = without_simulation(model, window);
    let (forms, flows) = (by_metric(&theory), by_metric(&flow));
    let mut rows = Vec::new();
    for (metric, unit) in Catalogue::of(model).entries() {
        let found = [&forms, &flows].map(|known| known.get(metric.as_str()).copied());
        let known = found.into_iter().flatten();
        // What goes on for ever at no known end is no number of the run.
        let says = known.filter_map(|it| match it.known.value {
            Some(value) => (value != 0.0 && value.is_finite()).then_some(()),
            None => Some(()),
        });
        if found[0].is_some() || says.count() > 0 {
            rows.push(row((metric, *unit), found, None, Verdict::Alone));
        }
    }
    let mut notes = theory.notes;
    notes.extend(flow.notes);
    Readings {
        rows,
        no_form: theory.none,
        no_flow: flow.none,
        notes,
    }
}

/// Theory, and the fluid.
fn without_simulation(model: &Model, window: Window) -> (Told, Told) {
    let theory = theory_of::theory_of(model, window);
    let flows = flow_of::flows_of(model, window);
    let flow = flow_told::told(model, &flows, window, model.is_random());
    (theory, flow)
}

/// What is known of each metric; of several answers the first.
fn by_metric(told: &Told) -> BTreeMap<&str, &Found> {
    let found = told.found.iter().rev();
    found.map(|found| (found.metric.as_str(), found)).collect()
}

fn row(
    (metric, unit): (&str, Unit),
    [theory, fluid]: [Option<&Found>; 2],
    simulation: Option<crate::outcome::Known>,
    verdict: Verdict,
) -> Reading {
    Reading {
        metric: metric.to_owned(),
        unit,
        theory: theory.map(|it| it.known.clone()),
        fluid: fluid.map(|it| it.known.clone()),
        simulation,
        verdict,
    }
}
