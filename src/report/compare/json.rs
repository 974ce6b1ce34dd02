//! A comparison as JSON.
//!
//! Not for people: plain numbers in base units, `null` for what did not happen.

use serde_json::{Map, Value, json};

use super::{ArmOrigin, ComparisonReport};
use crate::experiment::compare::{Arm, Difference, letter};
use crate::report::json::number;

impl ComparisonReport<'_> {
    /// The whole comparison as JSON, indented, with a line feed at the end. Its keys:
    ///
    /// - `queuecast`: the version; `command`; `seed`; `pairs`, the runs of each; `by_chance`;
    ///   `level`, and `tested`, how many hypotheses share it;
    /// - `show`, the metrics that the question is about; empty for all;
    /// - `points`, one an arm, the baseline first: `arm` (its letter), `name`, `title`, `path`,
    ///   `set`, `digest`, `partial`, `metrics`;
    /// - `differences`: `arm`, `metric`, `unit`, `a` (the baseline), `b`, `difference`, `low`,
    ///   `high`, `level`, `n`, `relative`, `p`, `verdict` (`same`, `exact`, `moves`, `unclear`,
    ///   `noise`, `unknown`), `a_happened`, `b_happened` (in how many runs);
    /// - `only_in`, by arm: components that the baseline and the arm do not share;
    /// - `timeline` of the first runs, merged: `t_s`, `arms`, `kind`, `subject`, `text`;
    /// - `notes`.
    pub fn json(&self) -> String {
        let comparison = self.comparison;
        let only = |(arm, names): &(usize, Vec<String>)| (letter(*arm).to_string(), json!(names));
        let all = json!({
            "queuecast": env!("CARGO_PKG_VERSION"),
            "command": self.command,
            "seed": comparison.arms[0].model.plan.seed.0,
            "pairs": comparison.pairs(),
            "by_chance": comparison.by_chance,
            "level": comparison.level,
            "tested": comparison.tested(),
            "show": self.show,
            "points": self.points(),
            "differences": comparison.differences.iter().map(difference).collect::<Vec<_>>(),
            "only_in": comparison.alone.iter().map(only).collect::<Map<_, _>>(),
            "timeline": self.moments(),
            "notes": comparison.notes,
        });
        format!("{all:#}\n")
    }

    fn points(&self) -> Vec<Value> {
        let arms = self.comparison.arms.iter().zip(self.origins).enumerate();
        let point = |(place, (arm, origin)): (usize, (&Arm, &ArmOrigin))| {
            let set = origin.set.iter();
            let set: Map<_, _> = set
                .map(|(key, value)| (key.clone(), json!(value)))
                .collect();
            let metrics = arm.measures.all();
            let metrics: Map<_, _> = metrics
                .map(|(name, unit, value)| (name.to_owned(), number(value, unit)))
                .collect();
            json!({
                "arm": letter(place),
                "name": origin.name,
                "title": arm.model.title,
                "path": origin.path,
                "set": set,
                "digest": format!("{:016x}", arm.digest),
                "partial": arm.runs.iter().any(|run| run.ended.why.is_partial()),
                "metrics": metrics,
            })
        };
        arms.map(point).collect()
    }

    fn moments(&self) -> Vec<Value> {
        let moment = |it: super::merged::Merged| {
            let arms: Vec<_> = it.arms.iter().map(|arm| letter(*arm)).collect();
            json!({
                "t_s": it.at.as_secs_f64(),
                "arms": arms,
                "kind": it.kind,
                "subject": it.subject,
                "text": it.text,
            })
        };
        self.merged().into_iter().map(moment).collect()
    }
}

fn difference(it: &Difference) -> Value {
    let interval = it.interval.as_ref();
    json!({
        "arm": letter(it.arm),
        "metric": it.metric,
        "unit": it.unit.word(),
        "a": number(it.baseline.mean, it.unit),
        "b": number(it.other.mean, it.unit),
        "difference": it.difference,
        "low": interval.map(|interval| interval.low),
        "high": interval.map(|interval| interval.high),
        "level": interval.map(|interval| interval.level),
        "n": it.baseline.runs,
        "relative": it.relative(),
        "p": it.p,
        "verdict": it.verdict.word(),
        "a_happened": it.baseline.happened,
        "b_happened": it.other.happened,
    })
}
