//! The report as JSON: the shape that scripts read, and `summary.json`.
//!
//! Not for people: plain numbers in base units (seconds, bytes, shares), `null` for what did not
//! happen.

use serde_json::{Map, Number, Value, json};

use super::ledger::Account;
use super::names::Names;
use super::timeline::sentence;
use super::{Expected, Report, summary};
use crate::outcome::{Known, Reading, Unit, Verdict};
use crate::stats::confidence::Interval;

impl Report<'_> {
    /// The whole report as JSON, indented, with a line feed at the end. Its keys:
    ///
    /// - `queuecast`: the version; `scenario`: `title`, `path`, `seed`, `replications`;
    ///   `command`; `digest`, in 16 hexadecimal digits;
    /// - `ended`: `why` and `at_s`; `partial`: whether a limit stopped it;
    /// - `metrics`: each metric's value, or its mean over the replications;
    /// - `intervals`: `mean`, `low`, `high`, `level` and `n` of those that have an interval;
    /// - `timeline` of the first run: `t_s`, `kind`, `subject`, `text`;
    /// - `theory`, `fluid`: by metric `value` (`null` for never), `how` and `source`;
    /// - `disagree`: by metric the assumption that fails;
    /// - `notes`, `warnings`, `expect` (`that`, `held`, `observed`), and `ledger` of the first run
    ///   by component.
    pub fn json(&self) -> String {
        let ended = self.ended();
        let all = json!({
            "queuecast": env!("CARGO_PKG_VERSION"),
            "scenario": {
                "title": self.model.title,
                "path": self.path,
                "seed": self.model.plan.seed.0,
                "replications": self.runs.len(),
            },
            "command": self.command,
            "digest": self.digest_text(),
            "ended": { "why": ended.why.word(), "at_s": ended.at.as_secs_f64() },
            "partial": self.is_partial(),
            "metrics": self.metrics(),
            "intervals": self.interval_map(),
            "timeline": self.moments(),
            "theory": self.known_by(|reading| reading.theory.as_ref()),
            "fluid": self.known_by(|reading| reading.fluid.as_ref()),
            "disagree": self.disagreements(),
            "notes": self.notes(),
            "warnings": self.warnings,
            "expect": self.expected(),
            "ledger": self.ledger_map(),
        });
        format!("{all:#}\n")
    }

    fn metrics(&self) -> Map<String, Value> {
        let all = self.measures.all();
        all.map(|(name, unit, value)| (name.to_owned(), number(value, unit)))
            .collect()
    }

    /// The intervals that there are: over the replications, or else from batch means.
    pub(super) fn intervals(&self) -> Vec<(String, Interval)> {
        if self.runs.len() < 2 {
            return self.batch_means.to_vec();
        }
        let entries = self.measures.catalogue().entries().iter().enumerate();
        let interval = |(position, (name, _)): (usize, &(String, Unit))| {
            let found = self.measures.interval(position, summary::LEVEL)?;
            // No metric is ever negative; that Student's interval can be says nothing about it.
            let low = found.low.max(0.0_f64.min(found.mean));
            Some((name.clone(), Interval { low, ..found }))
        };
        entries.filter_map(interval).collect()
    }

    fn interval_map(&self) -> Map<String, Value> {
        let entry = |(name, interval): (String, Interval)| (name, ends(&interval));
        self.intervals().into_iter().map(entry).collect()
    }

    fn moments(&self) -> Vec<Value> {
        let run = self.shown();
        let names = Names::of(self.model);
        let moment = |moment| {
            let text = sentence(self.model, &names, run, moment);
            json!({
                "t_s": moment.at.as_secs_f64(),
                "kind": moment.kind.word(),
                "subject": names.full(moment.subject),
                "text": text,
            })
        };
        run.timeline.iter().map(moment).collect()
    }

    fn known_by(&self, which: fn(&Reading) -> Option<&Known>) -> Map<String, Value> {
        let entry = |reading: &Reading| {
            let known = which(reading)?;
            let value = number(known.value, reading.unit);
            let how = json!({"value": value, "how": known.how.word(), "source": known.source});
            Some((reading.metric.clone(), how))
        };
        self.readings.rows.iter().filter_map(entry).collect()
    }

    fn disagreements(&self) -> Map<String, Value> {
        let entry = |reading: &Reading| match &reading.verdict {
            Verdict::Differ { because } => Some((reading.metric.clone(), json!(because))),
            Verdict::Agree | Verdict::Alone => None,
        };
        self.readings.rows.iter().filter_map(entry).collect()
    }

    fn notes(&self) -> Vec<&String> {
        let readings = self.readings;
        readings
            .no_form
            .iter()
            .chain(&readings.no_flow)
            .chain(&readings.notes)
            .collect()
    }

    fn expected(&self) -> Vec<Value> {
        let row = |expected: &Expected| {
            json!({
                "that": expected.that,
                "held": expected.held,
                "observed": expected.observed,
            })
        };
        self.expectations.iter().map(row).collect()
    }

    fn ledger_map(&self) -> Map<String, Value> {
        let account = |account: Account| {
            let entry = |(name, many): (&str, u64)| (name.to_owned(), json!(many));
            let entries: Map<_, _> = account.entries().map(entry).collect();
            (account.component, Value::Object(entries))
        };
        self.ledger().into_iter().map(account).collect()
    }
}

/// An interval as scripts read it.
pub(super) fn ends(interval: &Interval) -> Value {
    let Interval {
        mean,
        low,
        high,
        level,
        count,
    } = interval;
    json!({"mean": mean, "low": low, "high": high, "level": level, "n": count})
}

/// A number as it is best read back: whole where it counts things and is whole, `null` where it is
/// absent or not finite.
pub(super) fn number(value: Option<f64>, unit: Unit) -> Value {
    let Some(value) = value else {
        return Value::Null;
    };
    let counts_things = match unit {
        Unit::Count | Unit::Number | Unit::Bytes => true,
        Unit::Seconds | Unit::Instant | Unit::Ratio | Unit::PerSecond => false,
    };
    if counts_things && value.fract() == 0.0 && (0.0..9e15).contains(&value) {
        return json!(value as u64);
    }
    Number::from_f64(value).map_or(Value::Null, Value::Number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::fixture::Told;

    #[test]
    fn one_run_as_json() {
        insta::assert_snapshot!(Told::outage().report().json());
    }

    #[test]
    fn no_interval_of_what_cannot_be_negative_goes_below_zero() {
        let mut told = Told::blocked();
        for (run, lost) in told.runs.iter_mut().zip([0, 0, 900]) {
            run.queues
                .iter_mut()
                .for_each(|queue| queue.flows.lost = lost);
        }
        let catalogue = crate::outcome::Catalogue::of(&told.model);
        told.measures = crate::outcome::Measures::of(catalogue, &told.runs);
        let read: Value = serde_json::from_str(&told.report().json()).expect("JSON");
        let lost = &read["intervals"]["queues.orders.lost"];
        assert_eq!(
            (lost["mean"].as_f64(), lost["low"].as_f64()),
            (Some(300.0), Some(0.0))
        );
        assert!(lost["high"].as_f64() > Some(900.0));
    }

    #[test]
    fn it_reads_back_and_says_what_it_must() {
        let told = Told::blocked();
        let read: Value = serde_json::from_str(&told.report().json()).expect("JSON");
        assert_eq!(read["partial"], true);
        assert_eq!(read["ended"], json!({"why": "horizon", "at_s": 420.0}));
        assert_eq!(read["metrics"]["queues.orders.accepted"], json!(500_000));
        assert_eq!(read["metrics"]["queues.orders.drained_at"], Value::Null);
        assert!(
            read["metrics"]
                .get("queues.mail.full_at")
                .is_some_and(Value::is_null)
        );
        let interval = &read["intervals"]["queues.orders.depth.mean"];
        assert_eq!(
            (interval["n"].as_u64(), interval["mean"].as_f64()),
            (Some(3), Some(56_792.9))
        );
        assert!(read["intervals"].get("queues.orders.drained_at").is_none());
        let metrics = read["metrics"].as_object().expect("a map");
        assert_eq!(
            metrics.len(),
            told.report().measures.catalogue().entries().len()
        );
    }
}
