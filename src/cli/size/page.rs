//! The answer of `queuecast size` as text: what the load is, a row for each fleet, and the
//! smallest fleet for each goal.
//!
//! Not for machines: those take JSON or CSV.

use std::fmt::Write;

use super::Args;
use crate::experiment::size::{Goal, Known, Row, Sizing};
use crate::outcome::Unit;
use crate::report::number::{count, plain, seconds};
use crate::report::{Grid, Side};

pub(super) fn text(args: &Args, sizing: &Sizing) -> String {
    let mut text = load(args, sizing);
    text.push('\n');
    text.push_str(&fleets(sizing));
    text.push('\n');
    text.push_str(&answer(sizing));
    let model = &sizing.wait_model;
    let known = match model.known {
        Known::Exact => "exact for",
        Known::Approximate => "approximate, for",
    };
    let mut note = Grid::new("", &[], &[Side::Left, Side::Left]);
    if let Some(refused) = refused(sizing) {
        note.rows.push(vec!["refused:".to_owned(), refused]);
    }
    if sizing.backlog.is_some() {
        let drains = "fluid means; with chance about half of all drains take longer, so a fleet \
                      that drains in exactly the goal misses it about half of the time";
        note.rows
            .push(vec!["drains:".to_owned(), drains.to_owned()]);
    }
    let wait = format!(
        "{}, {known} {}; while nothing is out",
        model.model, model.note
    );
    note.rows.push(vec!["waits:".to_owned(), wait]);
    if args.service_cv.is_none() {
        let assumed = "taken for exponential (cv 1): say how uneven it is with `--service-cv`, 0 \
                       for constant; waits grow about as (1 + cv²)/2";
        note.rows
            .push(vec!["service:".to_owned(), assumed.to_owned()]);
    }
    let _ = write!(text, "\n{}", note.text());
    text
}

/// What refusals leave out of the backlog, and what it takes when publishers block instead.
fn refused(sizing: &Sizing) -> Option<String> {
    let (lost, all) = (sizing.rejected?, sizing.backlog_when_blocking?);
    let (lost, all) = (plain(lost, Unit::Number), plain(all, Unit::Number));
    let mut text = format!(
        "{lost} publishes are lost and no part of the backlog; all {all} drain when publishers \
         block instead"
    );
    for goal in &sizing.goals {
        if let (Some(refusing), Some(blocking)) = (goal.consumers, goal.when_blocking) {
            let (refusing, blocking) = (count(refusing), count(blocking));
            let name = &goal.goal;
            let _ = write!(
                text,
                ". `{name}` needs {refusing} when a full queue refuses, {blocking} when publishers \
                 block"
            );
        }
    }
    Some(text)
}

/// What is true whatever the fleet.
fn load(args: &Args, sizing: &Sizing) -> String {
    let mut grid = Grid::new("", &[], &[Side::Left, Side::Left]);
    let mut say = |what: &str, text: String| grid.rows.push(vec![what.to_owned(), text]);
    let in_work = plain(sizing.offered_load, Unit::Number);
    let (arrivals, service) = (args.arrivals, args.service);
    say(
        "offered load",
        format!("{in_work} in work at once: {arrivals} times {service} (Little's law)"),
    );
    say(
        "break-even",
        format!("{} consumers", count(sizing.break_even)),
    );
    if let (Some(outage), Some(backlog)) = (args.outage, sizing.backlog) {
        let backlog = plain(backlog, Unit::Number);
        say(
            "backlog",
            format!("{backlog} waiting after an outage of {outage}"),
        );
    }
    if let (Some(bound), Some(fill)) = (args.bound, sizing.bound_fill_s) {
        let (bound, fill) = (count(bound), seconds(fill));
        say("bound", format!("{bound} is {fill} of arrivals"));
    }
    if let (Some(rejected), Some(share)) = (sizing.rejected, sizing.rejected_share)
        && rejected > 0.0
    {
        let (rejected, share) = (plain(rejected, Unit::Number), plain(share, Unit::Ratio));
        say(
            "rejected",
            format!("{rejected} publishes, {share} of those during the outage"),
        );
    }
    grid.text()
}

fn fleets(sizing: &Sizing) -> String {
    let mut head = vec!["consumers", "throughput", "utilization", "headroom"];
    let outage = sizing.backlog.is_some();
    if outage {
        head.push("drain");
    }
    head.extend(["mean wait", "p99 wait"]);
    let mut grid = Grid::new("", &head, &vec![Side::Right; head.len()]);
    for row in &sizing.rows {
        let Row {
            consumers,
            throughput_per_s,
            utilization,
            headroom_per_s,
            ..
        } = *row;
        let mut cells = vec![
            count(consumers),
            plain(throughput_per_s, Unit::PerSecond),
            format!("{utilization:.4}"),
            plain(headroom_per_s, Unit::PerSecond),
        ];
        if outage {
            cells.push(or(row.drain_s, "never"));
        }
        let waits = [row.wait_mean_s, row.wait_p99_s];
        cells.extend(waits.map(|wait| or(wait, "grows")));
        grid.rows.push(cells);
    }
    grid.text()
}

/// The smallest fleet, and what each goal needs by itself.
fn answer(sizing: &Sizing) -> String {
    let mut text = match sizing.smallest {
        Some(fleet) => format!(
            "  smallest fleet: {} consumers, decided by `{}`\n",
            count(fleet),
            sizing.binding
        ),
        None => format!("  no fleet meets `{}`\n", sizing.binding),
    };
    let sides = [Side::Left, Side::Right, Side::Right, Side::Right];
    let mut grid = Grid::new("", &["goal", "needs", "then", "with one less"], &sides);
    for goal in &sizing.goals {
        let Goal {
            goal: name,
            consumers,
            when_blocking: _,
            reached_s,
            one_less_s,
        } = goal;
        // Stability is reached or not; there is no number to it.
        let (then, less) = match (consumers, name.as_str()) {
            (_, "stable") => (String::new(), "no headroom".to_owned()),
            (None, _) => (String::new(), String::new()),
            (Some(_), _) => (or(*reached_s, "never"), or(*one_less_s, "never")),
        };
        let needs = consumers.map_or_else(|| "none does".to_owned(), count);
        grid.rows.push(vec![name.clone(), needs, then, less]);
    }
    text.push_str(&grid.text());
    text
}

/// A time, or the word for there is none. Nothing is shorter than the clock's nanosecond.
fn or(time: Option<f64>, word: &str) -> String {
    match time {
        None => word.to_owned(),
        Some(time) if 0.0 < time && time < 1e-9 => "< 1 ns".to_owned(),
        Some(time) => seconds(time),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_words_at_both_ends() {
        assert_eq!(or(None, "never"), "never");
        assert_eq!(or(Some(0.0), "never"), "0 s");
        assert_eq!(or(Some(1e-15), "never"), "< 1 ns");
        assert_eq!(or(Some(240.0), "never"), "240 s");
    }
}
