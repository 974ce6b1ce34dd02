//! A plan as JSON.
//!
//! Not for people: plain numbers in base units, `null` for what did not happen.

use serde_json::{Map, Value, json};

use super::PlanReport;
use crate::experiment::plan::{Examined, Headroom, Unmet};
use crate::report::json::number;

impl PlanReport<'_> {
    /// The whole plan as JSON, indented, with a line feed at the end. Its keys:
    ///
    /// - `queuecast`: the version; `scenario` (`title`, `path`); `command`; `key`; `seed`; `wanted`
    ///   (`smallest` or `largest`); `level` of all decisions together; `by_chance`;
    /// - `answer`: the value, `null` when none meets all; `binding`: the objective that decides,
    ///   the first where several do, `null` where the range begins at the answer;
    /// - `rejected`: the value before the answer that fails: `set`, `metrics`, and which objectives
    ///   it `fails`; `undecided`: values between the two;
    /// - `objectives`: `that`, `binds`, the value that it needs `alone`, and the value at which a
    ///   `closed_form` and the `fluid` first say that it is met;
    /// - `unmet`, objectives that no value meets: `that`, the `best` value seen and its `value` of
    ///   the metric, what the key does to it (`trend`: `nearer`, `farther`, `still`, `unknown`)
    ///   between the values `from` and `to`, and what to `try`;
    /// - `points`, every value that was run: `set`, `stands` (`meets`, `fails`, `undecided`),
    ///   `runs`, `digest`, `metrics`, and `objectives` (`that`, `stands`, `by`, `mean`, `low`,
    ///   `high`, `exact`, `fluid`);
    /// - `checked`: values that were looked at beyond the search; `exceptions`: those where more
    ///   does not help;
    /// - `headroom`: `key`, `what`, `now`, `up_to`, `beyond`, `fails`;
    /// - `warnings` of the scenario; `notes`.
    pub fn json(&self) -> String {
        let plan = self.plan;
        let value = |place: usize| self.axis.ticks[place].json.clone();
        let values = |places: &[usize]| places.iter().map(|it| value(*it)).collect::<Vec<_>>();
        let that = |index: &usize| self.objectives[*index].text.as_str();
        let rejected = plan.found.fails.and_then(|place| plan.of(place));
        let all = json!({
            "queuecast": env!("CARGO_PKG_VERSION"),
            "scenario": { "title": self.title, "path": self.path },
            "command": self.command,
            "key": self.axis.key,
            "seed": self.seed(),
            "wanted": self.wanted.word(),
            "level": plan.level,
            "by_chance": plan.by_chance(),
            "answer": plan.found.meets.map(value),
            "binding": plan.binding.first().map(that),
            "rejected": rejected.map(|it| self.rejected(it)),
            "undecided": values(&plan.found.open),
            "objectives": self.objective_list(),
            "unmet": plan.unmet.iter().map(|it| self.unmet_one(it)).collect::<Vec<_>>(),
            "points": plan.examined.iter().map(|it| self.point(it)).collect::<Vec<_>>(),
            "checked": values(&plan.checked),
            "exceptions": values(&plan.exceptions),
            "headroom": self.headroom.iter().map(|it| self.carried(it)).collect::<Vec<_>>(),
            "warnings": self.warnings,
            "notes": self.notes(),
        });
        format!("{all:#}\n")
    }

    fn set(&self, place: usize) -> Value {
        json!({ &self.axis.key: self.axis.ticks[place].json })
    }

    fn objective_list(&self) -> Vec<Value> {
        let value = |place: usize| self.axis.ticks[place].json.clone();
        let one = |(index, objective): (usize, &crate::outcome::Condition)| {
            let [exact, fluid] = self.plan.predicted[index];
            json!({
                "that": objective.text,
                "binds": self.plan.binding.contains(&index),
                "alone": self.plan.alone[index].meets.map(value),
                "closed_form": exact.map(value),
                "fluid": fluid.map(value),
            })
        };
        self.objectives.iter().enumerate().map(one).collect()
    }

    fn unmet_one(&self, it: &Unmet) -> Value {
        let objective = &self.objectives[it.objective];
        let best = it.best.and_then(|place| self.plan.of(place));
        let value = best.and_then(|best| self.mean(best, it.objective));
        json!({
            "that": objective.text,
            "best": best.map(|best| &self.axis.ticks[best.place].json),
            "value": number(value, objective.unit),
            "trend": it.trend.word(),
            "from": self.axis.ticks[it.between.0].json,
            "to": self.axis.ticks[it.between.1].json,
            "try": self.instead(it),
        })
    }

    fn rejected(&self, value: &Examined) -> Value {
        let failing = self.plan.binding.iter();
        let fails: Vec<_> = failing.map(|index| &self.objectives[*index].text).collect();
        json!({ "set": self.set(value.place), "metrics": metrics(value), "fails": fails })
    }

    fn point(&self, value: &Examined) -> Value {
        let one = |(index, objective): (usize, &crate::outcome::Condition)| {
            let (standing, by) = value.standings[index];
            let interval = self.interval(value, index);
            let known = |known: &Option<crate::outcome::Known>| {
                known
                    .as_ref()
                    .map(|it| json!({"value": it.value, "source": it.source}))
            };
            json!({
                "that": objective.text,
                "stands": standing.word(),
                "by": by.word(),
                "mean": number(self.mean(value, index), objective.unit),
                "low": interval.map(|it| it.low),
                "high": interval.map(|it| it.high),
                "exact": known(&value.exact[index]),
                "fluid": known(&value.fluid[index]),
            })
        };
        json!({
            "set": self.set(value.place),
            "stands": value.standing().word(),
            "runs": value.runs.len(),
            "digest": format!("{:016x}", value.digest()),
            "objectives": self.objectives.iter().enumerate().map(one).collect::<Vec<_>>(),
            "metrics": metrics(value),
        })
    }

    fn carried(&self, it: &Headroom) -> Value {
        let fails = it.fails.iter().map(|index| &self.objectives[*index].text);
        json!({
            "key": it.strain.key,
            "what": it.strain.what,
            "now": it.strain.now,
            "up_to": it.up_to,
            "beyond": it.beyond,
            "fails": fails.collect::<Vec<_>>(),
        })
    }
}

fn metrics(value: &Examined) -> Map<String, Value> {
    let all = value.measures.all();
    all.map(|(name, unit, value)| (name.to_owned(), number(value, unit)))
        .collect()
}
