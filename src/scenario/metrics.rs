//! Which metrics a scenario has, for conditions that name one; and which of them can be watched
//! while the run goes on.
//!
//! Not their definitions: those are in the [catalogue](crate::outcome::definitions).

use std::ops::Range;

use super::condition::{Condition, Sentence};
use super::names::Names;
use super::preset::field;
use super::section::Section;
use crate::input::{Problem, Problems, Spanned};
use crate::model::{FleetId, Flow, Id, ProducerId, QueueId, Signal};
use crate::outcome::{MetricInfo, Unit, definitions};

/// The metrics of a scenario.
#[derive(Debug)]
pub(super) struct Metrics<'a> {
    names: &'a Names<'a>,
    known: Vec<MetricInfo>,
}

/// A metric's name, taken apart: `queues`, `orders`, `wait.p99`.
#[derive(Clone, Copy, Debug)]
struct Dotted<'s> {
    section: &'s str,
    name: &'s str,
    metric: &'s str,
}

impl<'s> Dotted<'s> {
    fn of(text: &'s str) -> Self {
        let (section, rest) = text.split_once('.').unwrap_or((text, ""));
        let (name, metric) = rest.split_once('.').unwrap_or((rest, ""));
        Self {
            section,
            name,
            metric,
        }
    }

    fn section_part(&self) -> Range<usize> {
        0..self.section.len()
    }

    fn name_part(&self) -> Range<usize> {
        let start = self.section.len() + 1;
        start..start + self.name.len()
    }

    fn metric_part(&self) -> Range<usize> {
        let start = self.section.len() + 1 + self.name.len() + 1;
        start..start + self.metric.len()
    }
}

impl<'a> Metrics<'a> {
    /// The metrics of the components that these names name.
    pub(super) fn of(names: &'a Names<'a>) -> Self {
        Self {
            names,
            known: definitions(),
        }
    }

    /// Reads a condition on the results of a run.
    pub(super) fn condition(
        &self,
        written: &Spanned<String>,
        problems: &mut Problems,
    ) -> Option<Condition> {
        let sentence = Sentence::parse(written, problems)?;
        let unit = self.unit(&sentence, problems)?;
        sentence.finish(unit, problems)
    }

    /// Files a problem when a text is not the name of a metric.
    pub(super) fn check_name(&self, written: &Spanned<String>, problems: &mut Problems) {
        self.unit(&Sentence::name(written), problems);
    }

    /// The unit of the metric of a sentence, or a problem that there is none.
    fn unit(&self, sentence: &Sentence<'_>, problems: &mut Problems) -> Option<Unit> {
        let dotted = Dotted::of(sentence.metric());
        self.component(sentence, dotted, problems)?;
        let metrics = self.metrics(dotted);
        if let Some((_, unit)) = metrics.iter().find(|(known, _)| *known == dotted.metric) {
            return Some(*unit);
        }
        let Dotted {
            section,
            name,
            metric,
        } = dotted;
        let title = format!("`{section}.{name}` has no metric `{metric}`");
        let place = sentence.place(dotted.metric_part());
        let problem = Problem::error(title, place, "unknown metric");
        let part = |known: &str| {
            let part = known.strip_prefix(metric)?.strip_prefix('.')?;
            Some(format!("`{metric}.{part}`"))
        };
        let parts: Vec<_> = metrics
            .iter()
            .filter_map(|(known, _)| part(known))
            .collect();
        problems.file(match parts[..] {
            [] => problem.suggest(metric, metrics.iter().map(|(known, _)| *known)),
            [..] => problem.help(format!("it is measured as {}", parts.join(", "))),
        });
        None
    }

    /// Reads a condition on what can be watched while a run goes on.
    pub(super) fn watch(
        &self,
        written: &Spanned<String>,
        problems: &mut Problems,
    ) -> Option<(Signal, Condition)> {
        let sentence = Sentence::parse(written, problems)?;
        let dotted = Dotted::of(sentence.metric());
        let position = self.component(&sentence, dotted, problems)?;
        let signals = signals(dotted.section, position);
        let found = signals.iter().find(|(known, ..)| *known == dotted.metric);
        if let Some((_, signal, unit)) = found {
            return Some((*signal, sentence.finish(*unit, problems)?));
        }
        let known = signals.iter().map(|(known, ..)| *known);
        let title = format!(
            "`{}` cannot be watched while the run goes on",
            sentence.metric()
        );
        let place = sentence.place(dotted.metric_part());
        let problem = Problem::error(title, place, "known only afterwards, or not at all");
        let level = dotted.metric.split('.').next().unwrap_or("");
        if signals.is_empty() {
            let help = "alerts watch producers, queues and consumers; `[[expect]]` asks of others";
            problems.file(problem.help(help));
            return None;
        }
        problems.file(if known.clone().any(|known| known == level) {
            let watched = format!("{}.{}.{level}", dotted.section, dotted.name);
            problem.help(format!("watch the level itself: `{watched}`"))
        } else {
            problem.suggest(dotted.metric, known)
        });
        None
    }

    /// The position of the component that a metric is of, or a problem that there is none.
    fn component(
        &self,
        sentence: &Sentence<'_>,
        dotted: Dotted<'_>,
        problems: &mut Problems,
    ) -> Option<usize> {
        let Some(section) = self.section(dotted.section) else {
            let title = format!("`{}` is not a metric", sentence.metric());
            let place = sentence.place(dotted.section_part());
            let problem = Problem::error(title, place, "starts with no section");
            let sections = ["producers", "queues", "consumers", "dependencies"];
            let problem = problem.suggest(dotted.section, sections);
            problems.file(problem.help("metrics are written like `queues.NAME.wait.p99`"));
            return None;
        };
        let position = section.position(dotted.name);
        if position.is_none() {
            let span = match dotted.name {
                "" => sentence.place(dotted.section_part()),
                _ => sentence.place(dotted.name_part()),
            };
            let reference = Spanned {
                it: dotted.name.to_owned(),
                span,
            };
            problems.file(section.unknown(&reference));
        }
        position
    }

    fn section(&self, key: &str) -> Option<&Section<'a>> {
        let names = self.names;
        let sections = [
            &names.producers,
            &names.queues,
            &names.consumers,
            &names.dependencies,
        ];
        sections.into_iter().find(|section| section.key == key)
    }

    /// What a component's metrics are called behind its name, with their units.
    fn metrics(&self, dotted: Dotted<'_>) -> Vec<(&str, Unit)> {
        let of = |section: &str| {
            let prefix = format!("{section}.NAME.");
            let known = self.known.iter();
            let named = known.filter_map(move |info| {
                Some((info.name.strip_prefix(prefix.as_str())?, info.unit))
            });
            named.collect::<Vec<_>>()
        };
        let mut metrics = of(dotted.section);
        if dotted.section == self.names.consumers.key && self.has(dotted, "publishes") {
            metrics.extend(of(self.names.producers.key));
        }
        if !self.has(dotted, "calls") {
            metrics.retain(|(name, _)| !name.starts_with("calls."));
        }
        metrics
    }

    /// Whether a component's table has a key.
    fn has(&self, dotted: Dotted<'_>, key: &str) -> bool {
        let section = self.section(dotted.section);
        let body = section.and_then(|section| section.get(dotted.name));
        body.is_some_and(|body| field(body, key).is_some())
    }
}

/// What can be watched of the component at a position of a section.
fn signals(section: &str, position: usize) -> Vec<(&'static str, Signal, Unit)> {
    match section {
        "queues" => queue_signals(QueueId::at(position)),
        "producers" => {
            vec![(
                "blocked",
                Signal::Blocked(ProducerId::at(position)),
                Unit::Number,
            )]
        }
        "dependencies" => Vec::new(),
        _ => vec![("busy", Signal::Busy(FleetId::at(position)), Unit::Number)],
    }
}

fn queue_signals(id: QueueId) -> Vec<(&'static str, Signal, Unit)> {
    let levels = [
        ("depth", Signal::Depth(id), Unit::Number),
        ("lag", Signal::Lag(id), Unit::Seconds),
        ("in_flight", Signal::InFlight(id), Unit::Number),
        ("unacked_age", Signal::UnackedAge(id), Unit::Seconds),
        ("delayed", Signal::Delayed(id), Unit::Number),
        ("memory", Signal::Memory(id), Unit::Bytes),
        ("blocked", Signal::BlockedAt(id), Unit::Number),
    ];
    let count = |(name, flow)| (name, Signal::Count(flow, id), Unit::Count);
    levels
        .into_iter()
        .chain(Flow::ALL.into_iter().map(count))
        .collect()
}
