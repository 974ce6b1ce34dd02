//! A comparison as text for a terminal: what moves, largest first; what is noise, in a line; and
//! the timelines merged. 80 columns.
//!
//! Not every number: of times the mean, the p99 and the longest, of levels the mean and the most.
//! JSON and CSV carry them all.

use std::fmt::Write;

use super::ComparisonReport;
use crate::experiment::compare::{Difference, Verdict, letter};
use crate::outcome::Unit;
use crate::report::grid::{Grid, Side};
use crate::report::names::Names;
use crate::report::number::{between, counted, fixed, plain};
use crate::stats::confidence::Interval;

/// Parts of a metric that have a row of their own.
const SHOWN: [&str; 4] = ["", "mean", "p99", "max"];
const LAST_OF_TIMES: [&str; 8] = ["mean", "p50", "p90", "p95", "p99", "p999", "max", "end"];
/// Changes smaller than this share have no row: percentiles are read from buckets 0.4 % wide.
const WORTH_A_ROW: f64 = 1e-3;
/// A column of names that can be broken is at least so wide.
const NAMES: usize = 18;
/// The most rows for one arm.
const MOST_ROWS: usize = 24;

impl ComparisonReport<'_> {
    /// The whole comparison as text.
    pub fn text(&self) -> String {
        let mut text = self.head();
        if self.side_by_side() {
            let _ = write!(
                text,
                "\nSide by side\n{}",
                self.values().text_in_parts(NAMES)
            );
            let mut gaps = self.gaps();
            // Differences are wide, so that names need a place at which they can be broken.
            for metric in gaps.rows.iter_mut().filter_map(|row| row.first_mut()) {
                *metric = metric.replacen('.', " .", 1);
            }
            let _ = write!(text, "\nDifferences from A\n{}", gaps.text_in_parts(NAMES));
            text.push_str(&self.rule_in_lines());
            return text + &self.timeline_in_words();
        }
        for arm in 1..self.comparison.arms.len() {
            let _ = write!(text, "\n{} against A\n{}", letter(arm), self.arm(arm));
        }
        text + &self.timeline_in_words()
    }

    /// What the verdicts of all differences are worth.
    fn rule_in_lines(&self) -> String {
        let mut rule = Grid::new("rule", &[], &[Side::Left, Side::Left]);
        let row = |it| vec!["rule".to_owned(), it];
        rule.rows.extend(self.rule().map(row));
        if rule.rows.is_empty() {
            return String::new();
        }
        format!("\n{}", rule.text())
    }

    fn timeline_in_words(&self) -> String {
        let mut text = String::new();
        let of = if self.comparison.pairs() > 1 {
            " (first run of each)"
        } else {
            ""
        };
        let _ = writeln!(text, "\nTimeline{of}");
        let sides = [Side::Right, Side::Left, Side::Left];
        let mut grid = Grid::new("timeline", &[], &sides);
        // A space at the front would be lost, and with it the column of the letter.
        let row = |[at, marks, what]: [String; 3]| vec![at, marks.replace(' ', "\u{a0}"), what];
        grid.rows
            .extend(self.moments_in_words().into_iter().map(row));
        text.push_str(&grid.text().replace('\u{a0}', " "));
        text
    }

    fn head(&self) -> String {
        let comparison = self.comparison;
        let seed = comparison.arms[0].model.plan.seed.0;
        let runs = match comparison.pairs() {
            1 => "one run of each".to_owned(),
            pairs => format!("{pairs} runs of each, pair by pair"),
        };
        let mut text = format!("Comparison: {runs}, seed {seed}\n");
        let mut grid = Grid::new("arms", &[], &[Side::Left, Side::Left]);
        for arm in 0..comparison.arms.len() {
            grid.rows
                .push(vec![letter(arm).to_string(), self.origin(arm)]);
        }
        text.push_str(&grid.text());
        let notes = self.remarks();
        if !notes.rows.is_empty() {
            text.push_str(&notes.text());
        }
        text
    }

    /// What must be known of the comparison.
    pub(super) fn remarks(&self) -> Grid {
        let mut notes = Grid::new("notes", &[], &[Side::Left, Side::Left]);
        let row = |note: &String| vec!["-".to_owned(), note.clone()];
        notes.rows.extend(self.comparison.notes.iter().map(row));
        for (arm, names) in &self.comparison.alone {
            let only = format!("only in {}: {}", letter(*arm), names.join(", "));
            notes.rows.push(vec!["-".to_owned(), only]);
        }
        notes
    }

    fn arm(&self, arm: usize) -> String {
        let (moved, below) = self.found(arm);
        let moved = match moved.rows.as_slice() {
            [] => "  nothing moves\n".to_owned(),
            [_, ..] => moved.text(),
        };
        format!("{moved}\n{}", below.text())
    }

    /// What moves, largest first, and what is said of the other metrics.
    pub(super) fn found(&self, arm: usize) -> (Grid, Grid) {
        let names = Names::of(&self.comparison.arms[0].model);
        let short = |it: &Difference| shortened(&names, &it.metric);
        let with = |verdicts: &[Verdict]| -> Vec<&Difference> {
            let among = self.of_arm(arm).filter(|it| verdicts.contains(&it.verdict));
            among.collect()
        };
        let mut moved = with(&[Verdict::Moves, Verdict::Exact, Verdict::Unknown]);
        moved.sort_by(|a, b| b.size().total_cmp(&a.size()));
        let (moved, barely): (Vec<_>, Vec<_>) =
            moved.into_iter().partition(|it| it.size() >= WORTH_A_ROW);
        let (rows, folded) = chosen(&moved);
        let grid = self.grid(arm, &rows, &names);
        let list = |list: &[&Difference]| families(list.iter().map(|it| short(it)).collect());
        let mut below = Grid::new("others", &[], &[Side::Left, Side::Left]);
        let mut say = |what: &str, which: &[&Difference]| {
            if !which.is_empty() {
                below.rows.push(vec![what.to_owned(), list(which)]);
            }
        };
        say("also", &folded);
        say("barely", &barely);
        say("unclear", &with(&[Verdict::Unclear]));
        say("noise", &with(&[Verdict::Noise]));
        let same = with(&[Verdict::Same]).len() as u64;
        if same > 0 {
            below
                .rows
                .push(vec!["same".to_owned(), counted(same, "metric")]);
        }
        if let Some(rule) = self.rule() {
            below.rows.push(vec!["rule".to_owned(), rule]);
        }
        (grid, below)
    }

    /// What the verdicts are worth.
    pub(super) fn rule(&self) -> Option<String> {
        let tested = self.comparison.tested();
        let level = percent(self.comparison.level);
        let first = format!(
            "intervals are {level} each; a metric moves when Holm's rule says so, so that the \
             chance of one false move among the {tested} tested is at most {}",
            percent(1.0 - self.comparison.level)
        );
        let unclear = self.comparison.differences.iter();
        let unclear = unclear.filter(|it| it.verdict == Verdict::Unclear).count();
        let more = match unclear {
            0 => String::new(),
            _ => "; unclear is what only an interval of its own sets apart: more runs tell".into(),
        };
        (tested > 0).then(|| first + &more)
    }

    fn grid(&self, arm: usize, rows: &[&Difference], names: &Names<'_>) -> Grid {
        let by_chance = self.comparison.by_chance && self.comparison.pairs() > 1;
        let difference = if by_chance {
            format!("difference ({})", percent(self.comparison.level))
        } else {
            "difference".to_owned()
        };
        let other = letter(arm).to_string();
        let head = ["metric", "A", &other, &difference, "change"];
        let sides = [
            Side::Left,
            Side::Right,
            Side::Right,
            Side::Right,
            Side::Right,
        ];
        let mut grid = Grid::new(&format!("{other} against A"), &head, &sides);
        for it in rows {
            grid.rows.push(vec![
                shortened(names, &it.metric),
                value(
                    it.baseline.mean,
                    it.baseline.happened,
                    it.baseline.runs,
                    it.unit,
                ),
                value(it.other.mean, it.other.happened, it.other.runs, it.unit),
                change(it),
                relative(it),
            ]);
        }
        grid
    }
}

/// A metric without its section, where no two components share a name: `orders.wait.p99`.
pub(super) fn shortened(names: &Names<'_>, metric: &str) -> String {
    let (component, part) = component_of(metric);
    let short = names.short(component);
    format!("{short}.{part}")
}

fn component_of(metric: &str) -> (&str, &str) {
    let name = metric.find('.').map_or(0, |dot| dot + 1);
    let end = metric[name..]
        .find('.')
        .map_or(metric.len(), |dot| name + dot);
    (&metric[..end], metric.get(end + 1..).unwrap_or(""))
}

/// The differences that have a row, and those that are only named: parts of a metric that says
/// the same, and the same numbers told of another component.
fn chosen<'a>(moved: &[&'a Difference]) -> (Vec<&'a Difference>, Vec<&'a Difference>) {
    let mut rows: Vec<&Difference> = Vec::new();
    let mut folded = Vec::new();
    for &it in moved {
        let (_, part) = split_part(&it.metric);
        let behind = component_of(&it.metric).1;
        let twin = |row: &&Difference| {
            component_of(&row.metric).1 == behind
                && (row.baseline, row.other, row.difference)
                    == (it.baseline, it.other, it.difference)
        };
        let worth = SHOWN.contains(&part) && rows.len() < MOST_ROWS;
        if worth && !rows.iter().any(twin) {
            rows.push(it);
        } else {
            folded.push(it);
        }
    }
    (rows, folded)
}

/// `orders.wait.p99` into `orders.wait` and `p99`; what has no parts has an empty one.
fn split_part(metric: &str) -> (&str, &str) {
    match metric.rsplit_once('.') {
        Some((base, part)) if LAST_OF_TIMES.contains(&part) => (base, part),
        Some(_) | None => (metric, ""),
    }
}

/// Names with their parts behind them: `orders.wait .mean .p99, fleet.utilization`.
fn families(names: Vec<String>) -> String {
    let mut families: Vec<(String, String)> = Vec::new();
    for name in names {
        let (base, part) = split_part(&name);
        let behind = if part.is_empty() {
            String::new()
        } else {
            format!(" .{part}")
        };
        match families.iter_mut().find(|(known, _)| known == base) {
            Some((_, parts)) => parts.push_str(&behind),
            None => families.push((base.to_owned(), behind)),
        }
    }
    let all: Vec<_> = families
        .into_iter()
        .map(|(base, parts)| base + &parts)
        .collect();
    all.join(", ")
}

pub(super) fn value(mean: Option<f64>, happened: usize, runs: usize, unit: Unit) -> String {
    match mean {
        Some(mean) => plain(mean, unit),
        None if happened > 0 => format!("in {happened} of {runs}"),
        None if unit == Unit::Instant => "never".to_owned(),
        None => "-".to_owned(),
    }
}

/// The difference with its sign, and half of its interval.
pub(super) fn change(it: &Difference) -> String {
    let Some(difference) = it.difference else {
        return String::new();
    };
    // A difference of shares in per cent would be taken for a share of the difference.
    let (unit, factor) = if it.unit == Unit::Ratio {
        (Unit::Number, 100.0)
    } else {
        (it.unit, 1.0)
    };
    let number = match &it.interval {
        Some(interval) => between(&scaled(interval, factor), unit),
        None => plain(difference * factor, unit),
    };
    let sign = if difference > 0.0 { "+" } else { "" };
    let points = if it.unit == Unit::Ratio {
        " points"
    } else {
        ""
    };
    format!("{sign}{number}{points}")
}

fn scaled(interval: &Interval, factor: f64) -> Interval {
    Interval {
        mean: interval.mean * factor,
        low: interval.low * factor,
        high: interval.high * factor,
        ..*interval
    }
}

/// The change in per cent of the baseline, to three digits.
fn relative(it: &Difference) -> String {
    let Some(relative) = it.relative() else {
        return match it.baseline.mean {
            Some(_) => "from zero".to_owned(),
            None => String::new(),
        };
    };
    if relative > 9.995 {
        return format!("{} times", digits(1.0 + relative));
    }
    let sign = if relative > 0.0 { "+" } else { "" };
    format!("{sign}{} %", digits(100.0 * relative))
}

/// Three digits.
fn digits(number: f64) -> String {
    let order = number.abs().log10().floor();
    let decimals = (2.0 - order).clamp(0.0, 6.0) as usize;
    let text = fixed(number, decimals);
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    }
}

fn percent(share: f64) -> String {
    format!("{} %", digits(100.0 * share))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_stand_behind_their_metric() {
        let names = ["orders.wait.mean", "fleet.utilization", "orders.wait.p99"];
        let told = families(names.map(str::to_owned).to_vec());
        assert_eq!(told, "orders.wait .mean .p99, fleet.utilization");
        assert_eq!(
            component_of("queues.orders.wait.p99"),
            ("queues.orders", "wait.p99")
        );
        assert_eq!(split_part("orders.full_at"), ("orders.full_at", ""));
    }

    #[test]
    fn shares_differ_by_points_and_changes_have_three_digits() {
        assert_eq!(percent(1.0 - 0.95), "5 %");
        assert_eq!(digits(-43.2109), "-43.2");
        assert_eq!(digits(0.00123), "0.00123");
        assert_eq!(digits(1234.0), "1,234");
    }
}
