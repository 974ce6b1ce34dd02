//! Tables for spreadsheets: the metrics, and the series over time.
//!
//! Not the timeline, which is sentences.

use std::fmt::Display;

use super::Report;
use crate::model::Model;
use crate::outcome::{CallSample, RunRecord, Sample, Series};

impl Report<'_> {
    /// The metrics, a row each: `metric,value,low,high,unit`. What did not happen is empty, and so
    /// are the ends of an interval that there is not.
    pub fn csv(&self) -> String {
        let intervals = self.intervals();
        let header = ["metric", "value", "low", "high", "unit"].map(str::to_owned);
        let row = |(name, unit, value): (&str, crate::outcome::Unit, Option<f64>)| {
            let interval = intervals.iter().find(|(known, _)| known == name);
            let ends = interval.map(|(_, interval)| (interval.low, interval.high));
            vec![
                name.to_owned(),
                cell(value),
                cell(ends.map(|(low, _)| low)),
                cell(ends.map(|(_, high)| high)),
                unit.word().to_owned(),
            ]
        };
        write(std::iter::once(header.to_vec()).chain(self.measures.all().map(row)))
    }

    /// The series of the first run, a row for each bucket; `None` when it has none. Columns:
    ///
    /// - `t_s`: when the bucket ends, in seconds;
    /// - for each queue, as `queues.orders.depth`: at that instant `depth`, `in_flight`, `lag_s`,
    ///   `memory_bytes`, `blocked`, `delayed`; during the bucket `offered`, `accepted`, `refused`,
    ///   `discarded`, `completed`, `failed`, `redelivered`, `moved_in`, in messages a second;
    /// - for each producer `blocked` at that instant;
    /// - for each fleet `busy`, `up` (handlers) and `utilization` at that instant;
    /// - for each dependency `depth` (calls waiting) and `busy` (servers) at that instant; during
    ///   the bucket `calls` made to it, `goodput` (good answers in time), and answers too `late`
    ///   for anybody to hear, a second.
    pub fn series_csv(&self) -> Option<String> {
        series(self.model, self.shown())
    }
}

fn series(model: &Model, record: &RunRecord) -> Option<String> {
    let series = record.series.as_ref().filter(|series| !series.is_empty())?;
    let end = record.ended.at.as_secs_f64();
    let rows = (0..series.len()).map(|index| row(series, index, end));
    Some(write(std::iter::once(header(model)).chain(rows)))
}

const AT_THE_END: [&str; 6] = [
    "depth",
    "in_flight",
    "lag_s",
    "memory_bytes",
    "blocked",
    "delayed",
];
const DURING: [&str; 8] = [
    "offered",
    "accepted",
    "refused",
    "discarded",
    "completed",
    "failed",
    "redelivered",
    "moved_in",
];

const OF_CALLS: [&str; 5] = ["depth", "busy", "calls", "goodput", "late"];

fn header(model: &Model) -> Vec<String> {
    let mut names = vec!["t_s".to_owned()];
    for queue in &model.queues {
        let parts = AT_THE_END.into_iter().chain(DURING);
        names.extend(parts.map(|part| format!("{}.{part}", queue.name)));
    }
    for producer in &model.producers {
        names.push(format!("{}.blocked", producer.name));
    }
    for fleet in &model.fleets {
        let parts = ["busy", "up", "utilization"];
        names.extend(parts.map(|part| format!("{}.{part}", fleet.name)));
    }
    for dependency in &model.dependencies {
        names.extend(OF_CALLS.map(|part| format!("{}.{part}", dependency.name)));
    }
    names
}

fn row(series: &Series, index: usize, end: f64) -> Vec<String> {
    let from = match index {
        0 => 0.0,
        _ => series.end_of(index - 1).as_secs_f64(),
    };
    let until = series.end_of(index).as_secs_f64().min(end);
    let mut cells = vec![until.to_string()];
    for samples in &series.queues {
        match samples.get(index) {
            Some(sample) => cells.extend(of_queue(sample, until - from)),
            None => cells.extend(vec![String::new(); AT_THE_END.len() + DURING.len()]),
        }
    }
    cells.extend(
        series
            .blocked
            .iter()
            .map(|blocked| cell(blocked.get(index))),
    );
    for fleet in &series.fleets {
        let level = fleet.get(index);
        cells.push(cell(level.map(|(busy, _)| busy)));
        cells.push(cell(level.map(|(_, up)| up)));
        let able = level.filter(|(_, up)| *up > 0);
        cells.push(cell(
            able.map(|(busy, up)| f64::from(*busy) / f64::from(*up)),
        ));
    }
    for samples in &series.dependencies {
        match samples.get(index) {
            Some(sample) => cells.extend(of_calls(sample, until - from)),
            None => cells.extend(vec![String::new(); OF_CALLS.len()]),
        }
    }
    cells
}

fn of_calls(sample: &CallSample, span: f64) -> [String; OF_CALLS.len()] {
    let rate = |counted: u64| cell((span > 0.0).then(|| counted as f64 / span));
    [
        sample.depth.to_string(),
        sample.busy.to_string(),
        rate(sample.calls),
        rate(sample.answered),
        rate(sample.late),
    ]
}

fn of_queue(sample: &Sample, span: f64) -> [String; AT_THE_END.len() + DURING.len()] {
    let rate = |counted: u64| cell((span > 0.0).then(|| counted as f64 / span));
    [
        sample.depth.to_string(),
        sample.in_flight.to_string(),
        sample.lag.as_secs_f64().to_string(),
        sample.memory.to_string(),
        sample.blocked.to_string(),
        sample.delayed.to_string(),
        rate(sample.offered),
        rate(sample.accepted),
        rate(sample.refused),
        rate(sample.discarded),
        rate(sample.completed),
        rate(sample.failed),
        rate(sample.redelivered),
        rate(sample.moved_in),
    ]
}

pub(super) fn cell(value: Option<impl Display>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}

pub(super) fn write(rows: impl Iterator<Item = Vec<String>>) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for row in rows {
        writer
            .write_record(row)
            .expect("rows of one length go into memory");
    }
    let bytes = writer.into_inner().expect("memory takes them");
    String::from_utf8(bytes).expect("they were text")
}

#[cfg(test)]
mod tests {
    use crate::report::fixture::Told;

    #[test]
    fn metrics_have_their_intervals_and_units() {
        let told = Told::blocked();
        let csv = told.report().csv();
        assert!(csv.starts_with("metric,value,low,high,unit\n"));
        assert!(
            csv.contains("\nqueues.orders.offered,508000,508000,508000,count\n"),
            "{csv}"
        );
        assert!(
            csv.contains("\nqueues.orders.drained_at,,,,instant"),
            "{csv}"
        );
        assert!(
            csv.contains("\nqueues.orders.depth.mean,56792.9,565"),
            "{csv}"
        );
    }

    #[test]
    fn a_series_has_a_row_for_each_bucket() {
        let told = Told::outage();
        let csv = told.report().series_csv().expect("a series");
        let lines: Vec<&str> = csv.lines().collect();
        assert_eq!(lines.len(), 425);
        assert_eq!(
            lines[0],
            "t_s,queues.orders.depth,queues.orders.in_flight,queues.orders.lag_s,\
             queues.orders.memory_bytes,queues.orders.blocked,queues.orders.delayed,\
             queues.orders.offered,queues.orders.accepted,queues.orders.refused,\
             queues.orders.discarded,queues.orders.completed,queues.orders.failed,\
             queues.orders.redelivered,queues.orders.moved_in,producers.checkout.blocked,\
             consumers.fleet.busy,consumers.fleet.up,consumers.fleet.utilization"
        );
        assert_eq!(
            lines[60],
            "60,72000,0,60,0,0,0,1200,1200,0,0,0,0,0,0,0,0,60,0"
        );
        assert!(lines[424].starts_with("423.333333333,0,"), "{}", lines[424]);
    }
}
