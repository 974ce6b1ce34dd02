//! `queuecast test`: runs scenarios and holds their expectations against them.
//!
//! Not the tests of this crate.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use serde_json::{Value, json};

use super::exit::{Exit, Failed};
use super::files::scenarios;
use super::listing::csv_of;
use super::options::{Changes, Common, Format, Talk};
use super::output::{print, say};
use super::simulate::Simulated;
use crate::outcome::{Ended, Why};
use crate::report::{Expected, number};
use crate::scenario::Color;
use crate::sim::Detail;

/// Run scenarios and hold their expectations against them
///
/// Each scenario has a line; what is off is shown with what was observed. A
/// limit that stops a run fails it only if an expectation does not hold.
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct Args {
    /// Scenario files, and folders that are searched for *.toml
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    changes: Changes,
}

const EXAMPLES: &str = "\
Examples:
  queuecast test scenarios
  queuecast test outage.toml --seed 7
  queuecast test scenarios --format json | jq '.[] | select(.result != \"ok\")'

A scenario says what it expects:
  [[expect]]
  that = \"queues.orders.rejected == 8000\"

Exit codes: 0 everything holds; 1 an expectation does not; 2 a scenario does
not load (the others are run all the same)";

/// What came of one file.
struct Outcome {
    path: PathBuf,
    result: Verdict,
}

enum Verdict {
    /// It does not load, for these reasons.
    Unloadable(String),
    /// It ran.
    Ran {
        expectations: Vec<Expected>,
        ended: Ended,
    },
}

/// Runs the command.
pub(super) fn run(args: &Args, common: &Common) -> Result<Exit, Failed> {
    let files = scenarios(&args.paths)?;
    let mut tally = Tally::default();
    let mut outcomes = Vec::new();
    // Lines come in the order of the files, and before all are done.
    for some in files.chunks(rayon::current_num_threads()) {
        let ran: Vec<_> = some
            .par_iter()
            .map(|path| test(path, &args.changes, common.color()))
            .collect();
        for outcome in ran {
            tally.add(&outcome);
            if let Verdict::Unloadable(why) = &outcome.result {
                say(why);
            }
            if common.format == Format::Text {
                print(&outcome.text())?;
            }
            outcomes.push(outcome);
        }
    }
    match common.format {
        Format::Text => print(&format!("\n{}\n", tally.text()))?,
        Format::Json => {
            let all: Value = outcomes.iter().map(Outcome::json).collect();
            print(&format!("{all:#}\n"))?;
        }
        Format::Csv => {
            let head = ["path", "result", "that", "held", "observed"].map(str::to_owned);
            let rows: Vec<_> = outcomes.iter().flat_map(Outcome::rows).collect();
            print(&csv_of(&head, &rows)?)?;
        }
    }
    Ok(tally.exit())
}

fn test(path: &Path, changes: &Changes, color: Color) -> Outcome {
    let result = match changes.load(path, color) {
        Err(Failed::Rendered(why)) => Verdict::Unloadable(why),
        Err(Failed::Plain { message, .. }) => Verdict::Unloadable(format!("error: {message}\n")),
        Ok(scenario) => {
            let simulated = Simulated::of(&scenario, Detail::Measures, Talk::Quiet);
            Verdict::Ran {
                ended: simulated.ended(),
                expectations: simulated.expectations,
            }
        }
    };
    Outcome {
        path: path.to_owned(),
        result,
    }
}

/// How a file counts.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Count {
    Passed,
    Failed,
    ExpectsNothing,
    Unloadable,
}

impl Count {
    fn word(self) -> &'static str {
        match self {
            Self::Passed => "ok",
            Self::Failed => "FAILED",
            Self::ExpectsNothing => "--",
            Self::Unloadable => "ERROR",
        }
    }
}

impl Outcome {
    fn count(&self) -> Count {
        match &self.result {
            Verdict::Unloadable(_) => Count::Unloadable,
            Verdict::Ran { expectations, .. } if expectations.is_empty() => Count::ExpectsNothing,
            Verdict::Ran { expectations, .. } if expectations.iter().all(|it| it.held) => {
                Count::Passed
            }
            Verdict::Ran { .. } => Count::Failed,
        }
    }

    fn text(&self) -> String {
        let count = self.count();
        let head = format!("{}  {}", count.word(), self.path.display());
        let Verdict::Ran {
            expectations,
            ended,
        } = &self.result
        else {
            return format!("{head}  does not load\n");
        };
        let limit = limit(*ended).map_or_else(String::new, |limit| format!(", {limit}"));
        let broken: Vec<_> = expectations.iter().filter(|it| !it.held).collect();
        let of = number::counted(expectations.len() as u64, "expectation");
        let said = match count {
            Count::ExpectsNothing => "has no [[expect]]".to_owned(),
            Count::Failed => format!("{} of {of} not held", broken.len()),
            Count::Passed | Count::Unloadable => of,
        };
        let mut text = format!("{head}  {said}{limit}\n");
        for expected in broken {
            let Expected { that, observed, .. } = expected;
            let _ = writeln!(text, "    expected  {that}\n    observed  {observed}");
        }
        text
    }

    fn json(&self) -> Value {
        let path = self.path.to_string_lossy();
        match &self.result {
            Verdict::Unloadable(why) => json!({"path": path, "result": "error", "why": why}),
            Verdict::Ran {
                expectations,
                ended,
            } => {
                let expect = |it: &Expected| {
                    json!({
                        "that": it.that,
                        "held": it.held,
                        "observed": it.observed,
                    })
                };
                json!({
                    "path": path,
                    "result": self.word(),
                    "ended": {"why": ended.why.word(), "at_s": ended.at.as_secs_f64()},
                    "expect": expectations.iter().map(expect).collect::<Vec<_>>(),
                })
            }
        }
    }

    /// A row for each expectation, one without for a scenario that has none.
    fn rows(&self) -> Vec<Vec<String>> {
        let path = self.path.to_string_lossy().into_owned();
        let row = |that: &str, held: &str, observed: &str| {
            let cells = [&path, self.word(), that, held, observed];
            cells.map(str::to_owned).to_vec()
        };
        match &self.result {
            Verdict::Ran { expectations, .. } if !expectations.is_empty() => expectations
                .iter()
                .map(|it| {
                    row(
                        &it.that,
                        if it.held { "true" } else { "false" },
                        &it.observed,
                    )
                })
                .collect(),
            Verdict::Ran { .. } | Verdict::Unloadable(_) => vec![row("", "", "")],
        }
    }

    /// The result in a word, for machines.
    fn word(&self) -> &'static str {
        match self.count() {
            Count::Passed => "ok",
            Count::Failed => "failed",
            Count::ExpectsNothing => "nothing_expected",
            Count::Unloadable => "error",
        }
    }
}

/// What limit stopped a run, if one did.
fn limit(ended: Ended) -> Option<String> {
    let at = number::seconds(ended.at.as_secs_f64());
    match ended.why {
        Why::Drained | Why::Settled | Why::Duration => None,
        Why::Horizon => Some(format!("stopped by the horizon at {at}")),
        Why::EventLimit => Some(format!("stopped by the event limit at {at}")),
        Why::MessageLimit => Some(format!("stopped by the message limit at {at}")),
    }
}

/// How many files there are of each kind.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    passed: u64,
    failed: u64,
    expect_nothing: u64,
    unloadable: u64,
}

impl Tally {
    fn add(&mut self, outcome: &Outcome) {
        let counter = match outcome.count() {
            Count::Passed => &mut self.passed,
            Count::Failed => &mut self.failed,
            Count::ExpectsNothing => &mut self.expect_nothing,
            Count::Unloadable => &mut self.unloadable,
        };
        *counter += 1;
    }

    fn text(&self) -> String {
        let mut text = format!("{} passed, {} failed", self.passed, self.failed);
        if self.expect_nothing > 0 {
            let _ = write!(text, ", {} without [[expect]]", self.expect_nothing);
        }
        if self.unloadable > 0 {
            let _ = write!(text, ", {} not loaded", self.unloadable);
        }
        text
    }

    fn exit(&self) -> Exit {
        if self.unloadable > 0 {
            Exit::Wrong
        } else if self.failed > 0 {
            Exit::NotMet
        } else {
            Exit::Done
        }
    }
}
