//! Open cases: questions that people asked in public about what brokers do to a message, each
//! with the answer that a tool should give. Every test names its case, where it was asked, and the
//! numbers of the answer; where a published number and the model disagree the comment says why.
//!
//! Not rules of the simulator: those are in [`crate::rules`].

#![expect(
    clippy::float_cmp,
    reason = "counts, and times that are whole milliseconds, are exact"
)]

mod ladder;
mod limits;
mod prefetch;
mod scaling;
mod visibility;
mod windows;

use std::path::Path;

use queuecast::outcome::{Catalogue, Kind, Measures, RunRecord};
use queuecast::scenario::{Color, Scenario};
use queuecast::sim::{Detail, Fact, Recorder, measure, simulate};
use queuecast::units::SimTime;

/// What became of a scenario.
pub(super) struct Answer {
    scenario: Scenario,
    measures: Measures,
    record: RunRecord,
}

#[derive(Default)]
struct Facts(Vec<(f64, Fact)>);

impl Recorder for Facts {
    fn observe(&mut self, now: SimTime, fact: &Fact) {
        self.0.push((now.as_secs_f64(), *fact));
    }
}

/// A scenario of a case, with these keys set besides.
pub(super) fn ask(text: &str, sets: &[&str]) -> Answer {
    let sets: Vec<String> = sets.iter().map(|&set| set.to_owned()).collect();
    let scenario = match Scenario::from_text("case.toml", text, &sets, Path::new("")) {
        Ok(scenario) => scenario,
        Err(failure) => panic!("{}", failure.render(Color::Never)),
    };
    let record = measure(&scenario.model, 0, Detail::Measures, &|_| {});
    let measures = Measures::of(
        Catalogue::of(&scenario.model),
        std::slice::from_ref(&record),
    );
    Answer {
        scenario,
        measures,
        record,
    }
}

impl Answer {
    /// A metric that happened.
    pub(super) fn value(&self, metric: &str) -> f64 {
        let known = self.measures.catalogue().position(metric).is_some();
        assert!(known, "no metric is called {metric}");
        let value = self.measures.value(metric);
        value.unwrap_or_else(|| panic!("{metric} did not happen"))
    }

    /// A metric, within this of that.
    #[track_caller]
    pub(super) fn is_about(&self, metric: &str, expected: f64, tolerance: f64) {
        let value = self.value(metric);
        let off = (value - expected).abs();
        assert!(off <= tolerance, "{metric}: {value}, not {expected}");
    }

    /// When the run ended, in seconds.
    pub(super) fn ended(&self) -> f64 {
        self.record.ended.at.as_secs_f64()
    }

    /// When such a moment is in the timeline, in seconds.
    pub(super) fn moments(&self, is: impl Fn(&Kind) -> bool) -> Vec<f64> {
        let moments = self.record.timeline.iter();
        let such = moments.filter(|moment| is(&moment.kind));
        such.map(|moment| moment.at.as_secs_f64()).collect()
    }

    /// When such facts were told, in seconds.
    pub(super) fn facts(&self, is: impl Fn(&Fact) -> bool) -> Vec<f64> {
        let (told, _, digest) = simulate(&self.scenario.model, 0, Facts::default());
        assert_eq!(digest, self.record.digest, "the same history");
        let such = told.0.into_iter().filter(|(_, fact)| is(fact));
        such.map(|(at, _)| at).collect()
    }

    /// When messages were received by consumers, in seconds.
    pub(super) fn receives(&self) -> Vec<f64> {
        self.facts(|fact| matches!(fact, Fact::Received { .. }))
    }

    /// Whether `check` warns of this.
    pub(super) fn warns_of(&self, title: &str) -> bool {
        self.scenario.render_warnings(Color::Never).contains(title)
    }
}
