//! `queuecast compare`: two or more scenarios, or one and variations of it, pair by pair.
//!
//! Not the verdicts (`experiment::compare`), and not how they are laid out.

use std::path::PathBuf;

use super::exit::{Exit, Failed};
use super::options::{Changes, Common, Format, level, quoted};
use super::output::print;
use super::progress::Meter;
use crate::experiment::compare::{Question, compare, names};
use crate::model::Model;
use crate::outcome::Catalogue;
use crate::report::{ArmOrigin, ComparisonReport};
use crate::scenario::Scenario;
use crate::sim::Detail;

/// Say what changes from one scenario to another, and what is noise
///
/// The first scenario is the baseline, A. All run under its seed and meet the
/// same messages, so differences are taken pair by pair, with an interval, and
/// every metric is said to move or to be noise at one level for all of them.
/// A scenario with a `[compare]` of its own needs no other: its variants are
/// laid side by side.
/// Writes report.html, differences.csv, timeline.txt, summary.json and pictures
/// that show all on one axis.
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct Args {
    /// The baseline, and what is compared with it
    #[arg(required = true)]
    scenarios: Vec<PathBuf>,
    /// A variation of the baseline to compare with it; may be repeated
    #[arg(long, value_name = "KEY=VALUE,...")]
    to: Vec<String>,
    #[command(flatten)]
    changes: Changes,
    /// Compare this metric alone, or those that it begins; may be repeated
    #[arg(long, value_name = "METRIC")]
    metric: Vec<String>,
    /// The level of each interval, and of all verdicts together
    #[arg(long, value_name = "LEVEL", default_value = "95%", value_parser = level)]
    level: f64,
    /// The folder in which the comparison's folder is made
    #[arg(long, value_name = "DIR", default_value = "output")]
    output: PathBuf,
    /// Write no files
    #[arg(long, conflicts_with = "output")]
    no_report: bool,
}

const EXAMPLES: &str = "\
Examples:
  queuecast compare scenarios/block_fifo.toml scenarios/block_lifo.toml
  queuecast compare scenarios/backpressure_five_answers.toml
  queuecast compare outage.toml --to consumers.fleet.count=75
  queuecast compare outage.toml --to consumers.fleet.count=55 \\
                                --to consumers.fleet.count=75,run.horizon=2h
  queuecast compare a.toml b.toml --set run.stop=10m --replications 50 \\
                                  --metric queues.orders.wait

Exit codes: 0 done; 2 the input is wrong; 3 a limit stopped a run";

/// The level unless another is asked for.
const USUAL: f64 = 0.95;
/// The most arms: A to Z.
const MOST: usize = 26;

/// Runs the command.
pub(super) fn run(args: &Args, common: &Common) -> Result<Exit, Failed> {
    let Arms {
        models,
        origins,
        show,
    } = args.load(common)?;
    args.check_metrics(&models[0])?;
    let question = Question {
        pairs: args.changes.replications(),
        level: args.level,
        metrics: if args.metric.is_empty() {
            &show
        } else {
            &args.metric
        },
    };
    let detail = if args.no_report {
        Detail::Measures
    } else {
        Detail::Series
    };
    let meter = Meter::new(&models[0].plan, common.talk());
    let comparison = compare(&models, question, detail, &|at| meter.reached(at));
    drop(meter);
    let report = ComparisonReport {
        comparison: &comparison,
        origins: &origins,
        show: &show,
        command: &args.command(),
    };
    print(&match common.format {
        Format::Text => report.text(),
        Format::Json => report.json(),
        Format::Csv => report.csv(),
    })?;
    if !args.no_report {
        let folder = args.output.join("compare").join(folder(&origins));
        report.write(&folder)?;
        let page = folder.join("report.html");
        common.tell(&format!(
            "\nwrote {}/, see {}\n",
            folder.display(),
            page.display()
        ));
    }
    let mut runs = comparison.arms.iter().flat_map(|arm| &arm.runs);
    Ok(if runs.any(|run| run.ended.why.is_partial()) {
        Exit::Limit
    } else {
        Exit::Done
    })
}

/// What is compared.
struct Arms {
    models: Vec<Model>,
    /// Where each came from.
    origins: Vec<ArmOrigin>,
    /// The metrics that are laid side by side.
    show: Vec<String>,
}

impl Args {
    /// All arms: the scenarios that are named, or one and its own variants.
    fn load(&self, common: &Common) -> Result<Arms, Failed> {
        if let ([path], []) = (&self.scenarios[..], &self.to[..]) {
            let scenario = self.changes.load(path, common.color())?;
            if !scenario.compare.list.is_empty() {
                common.tell(&scenario.render_warnings(common.color()));
                return own(scenario, common);
            }
        }
        self.named(common)
    }

    /// The scenarios that are named, and where they came from.
    fn named(&self, common: &Common) -> Result<Arms, Failed> {
        let files = self.scenarios.iter().map(|path| (path, Vec::new()));
        let varied = self.to.iter().map(|to| (&self.scenarios[0], apart(to)));
        let arms: Vec<(&PathBuf, Vec<String>)> = files.chain(varied).collect();
        let mut sets = arms.iter().flat_map(|(_, sets)| sets);
        if let Some(set) = sets.find(|set| !set.contains('=')) {
            let failed = Failed::new(format!(
                "`--to` sets a key to a value, and `{set}` has no `=`"
            ));
            return Err(failed.hint("write `--to consumers.fleet.count=75`, several with commas"));
        }
        if arms.len() < 2 {
            let failed = Failed::new("there is nothing to compare with");
            return Err(failed.hint(
                "name another scenario, or a variation: `--to consumers.fleet.count=75`; or give \
                 the scenario variants of its own: `queuecast explain compare.variants`",
            ));
        }
        few(arms.len())?;
        let mut told = String::new();
        let (mut models, mut origins) = (Vec::new(), Vec::new());
        for (path, sets) in arms {
            let scenario = self.changes.load_with(path, &sets, common.color())?;
            let warnings = scenario.render_warnings(common.color());
            // A variation has most of the warnings of its baseline.
            if warnings != told {
                common.tell(&warnings);
                told = warnings;
            }
            models.push(scenario.model);
            let pair = |set: &String| {
                let (key, value) = set.split_once('=').unwrap_or((set, ""));
                (key.trim().to_owned(), value.trim().to_owned())
            };
            origins.push(ArmOrigin {
                path: path.to_string_lossy().into_owned(),
                name: None,
                set: sets.iter().map(pair).collect(),
            });
        }
        let show = Vec::new();
        Ok(Arms {
            models,
            origins,
            show,
        })
    }

    fn check_metrics(&self, baseline: &Model) -> Result<(), Failed> {
        let catalogue = Catalogue::of(baseline);
        for asked in &self.metric {
            let one = std::slice::from_ref(asked);
            if !catalogue.entries().iter().any(|(name, _)| names(one, name)) {
                let failed = Failed::new(format!("the baseline has no metric `{asked}`"));
                let hint = "`queuecast list metrics` names them; `queues.orders.wait` stands for \
                            all that begin with it";
                return Err(failed.hint(hint));
            }
        }
        Ok(())
    }

    /// The command that gives this comparison again.
    fn command(&self) -> String {
        let word = |name: &str, value: &str| format!(" {name}{}", quoted(value));
        let files = self
            .scenarios
            .iter()
            .map(|path| word("", &path.to_string_lossy()));
        let to = self.to.iter().map(|to| word("--to ", to));
        let metrics = self.metric.iter().map(|it| word("--metric ", it));
        let level =
            (self.level.to_bits() != USUAL.to_bits()).then(|| format!(" --level {}", self.level));
        let rest: String = files.chain(to).chain(metrics).chain(level).collect();
        format!("queuecast compare{rest}{}", self.changes.written())
    }
}

/// Refuses more arms than there are letters.
fn few(arms: usize) -> Result<(), Failed> {
    if arms > MOST {
        let failed = format!("at most {MOST} scenarios can be compared");
        return Err(Failed::new(failed));
    }
    Ok(())
}

/// A scenario and the variants that it brings.
fn own(scenario: Scenario, common: &Common) -> Result<Arms, Failed> {
    let compared = scenario.compare.clone();
    few(compared.list.len() + 1)?;
    let path = scenario.path.to_string_lossy().into_owned();
    let mut arms = Arms {
        models: Vec::new(),
        origins: vec![ArmOrigin {
            path: path.clone(),
            name: compared.baseline,
            set: Vec::new(),
        }],
        show: compared.show,
    };
    for variant in &compared.list {
        let point = scenario.variant(variant);
        let point = point.map_err(|it| Failed::Rendered(it.render(common.color())))?;
        arms.models.push(point.model);
        let set = variant.set().map(|(key, it)| (key.into(), it.into()));
        arms.origins.push(ArmOrigin {
            path: path.clone(),
            name: Some(variant.name.clone()),
            set: set.collect(),
        });
    }
    arms.models.insert(0, scenario.model);
    Ok(arms)
}

/// The folder of a comparison: what its arms are called, joined.
fn folder(origins: &[ArmOrigin]) -> String {
    let one = |origin: &ArmOrigin| {
        let stem = std::path::Path::new(&origin.path).file_stem();
        let stem = stem.unwrap_or_default().to_string_lossy().into_owned();
        if let Some(name) = &origin.name {
            return name.clone();
        }
        if origin.set.is_empty() {
            return stem;
        }
        let set = origin
            .set
            .iter()
            .map(|(key, value)| format!("{key}={value}"));
        set.collect::<Vec<_>>().join(",")
    };
    let all: Vec<String> = origins.iter().map(one).collect();
    let plain = |c: char| {
        let kept = c.is_ascii_alphanumeric() || "._=,-".contains(c);
        if kept { c } else { '_' }
    };
    all.join("-").chars().map(plain).take(120).collect()
}

/// A list of assignments, apart at commas that stand in no brackets and no quotes.
fn apart(text: &str) -> Vec<String> {
    let (mut parts, mut depth, mut quote) = (vec![String::new()], 0_i32, None);
    for c in text.chars() {
        match (c, quote) {
            ('"' | '\'', None) => quote = Some(c),
            (_, Some(open)) if c == open => quote = None,
            ('{' | '[', None) => depth += 1,
            ('}' | ']', None) => depth -= 1,
            (',', None) if depth == 0 => {
                parts.push(String::new());
                continue;
            }
            (_, None | Some(_)) => {}
        }
        if let Some(part) = parts.last_mut() {
            part.push(c);
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn assignments_are_apart_at_commas_of_their_own() {
        let text = "a.b=1,c={ x = [1, 2], y = \"3,4\" },d=5";
        assert_eq!(
            apart(text),
            ["a.b=1", "c={ x = [1, 2], y = \"3,4\" }", "d=5"]
        );
    }

    #[test]
    fn a_folder_is_named_after_its_arms() {
        let arm = |path: &str, set: &[(&str, &str)]| ArmOrigin {
            path: path.to_owned(),
            name: None,
            set: set
                .iter()
                .map(|(k, v)| ((*k).to_owned(), (*v).to_owned()))
                .collect(),
        };
        let named = folder(&[
            arm("x/base.toml", &[]),
            arm("x/base.toml", &[("a.b", "1/s")]),
        ]);
        assert_eq!(named, "base-a.b=1_s");
    }
}
