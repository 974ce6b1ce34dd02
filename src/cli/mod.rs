//! The commands, one a file, and what they share: options, messages, and exit codes.
//!
//! Not what they compute: every number comes from a floor below, and the library does without
//! this module.

mod check;
mod compare;
mod completions;
mod example;
mod exit;
mod explain;
mod files;
mod formula;
mod glossary;
mod init;
mod judge;
mod laws;
mod list;
mod listing;
mod man;
mod merge;
mod options;
mod output;
mod plan;
mod progress;
mod run;
mod simulate;
mod size;
mod stability;
mod sweep;
mod test;

pub use exit::Exit;

use clap::{Parser, Subcommand};

use exit::Failed;
use options::Common;

/// The command line.
#[derive(Debug, Parser)]
#[command(
    name = "queuecast",
    version,
    about = "Simulates message queues and says how many consumers they need",
    long_about = LONG_ABOUT,
    after_help = EXIT_CODES,
    after_long_help = AFTER,
    max_term_width = 80
)]
pub struct Cli {
    #[command(flatten)]
    common: Common,
    #[command(subcommand)]
    command: Command,
}

const LONG_ABOUT: &str = "\
Simulates message queues and says how many consumers they need.

A scenario is a TOML file: who publishes, into which queues, who consumes, and what goes wrong. \
The same file and the same seed give the same answer on every run.";

const EXIT_CODES: &str = "\
Exit codes: 0 done; 1 an expectation or an objective is not met;
            2 the input is wrong; 3 stopped by a limit, the result is partial";

const AFTER: &str = "\
Examples:
  queuecast size --arrivals 1200/s --service 40ms --outage 60s
  queuecast init outage.toml
  queuecast run outage.toml --set consumers.fleet.count=75
  queuecast plan outage.toml --vary consumers.fleet.count=48..80 \\
                 --objective \"queues.orders.drained_at <= 5m\"
  queuecast compare outage.toml --to consumers.fleet.count=75
  queuecast test scenarios
  queuecast sweep outage.toml --vary consumers.fleet.count=48..80:4
  queuecast explain on_full

Data goes to standard output, messages and progress to standard error.

Exit codes:
  0  done
  1  an expectation or an objective is not met
  2  the input is wrong: the command line, a scenario, a file
  3  stopped by a limit (horizon, message limit); the result is partial
Stopped by Ctrl-C, a shell sees 130; no file is left half-written.";

#[derive(Debug, Subcommand)]
enum Command {
    Size(size::Args),
    Run(run::Args),
    Plan(plan::Args),
    Compare(compare::Args),
    Check(check::Args),
    Test(test::Args),
    Sweep(sweep::Args),
    Merge(merge::Args),
    Stability(stability::Args),
    Formula(formula::Args),
    Init(init::Args),
    List(list::Args),
    Explain(explain::Args),
    Completions(completions::Args),
    Man(man::Args),
}

impl Cli {
    /// Does what was asked for, and says how it ended.
    pub fn run(&self) -> Exit {
        match self.dispatch() {
            Ok(exit) => exit,
            Err(failed) => {
                self.common.complain(&failed);
                Exit::Wrong
            }
        }
    }

    fn dispatch(&self) -> Result<Exit, Failed> {
        let common = &self.common;
        common.start_threads()?;
        match &self.command {
            Command::Size(args) => size::run(args, common),
            Command::Run(args) => run::run(args, common),
            Command::Plan(args) => plan::run(args, common),
            Command::Compare(args) => compare::run(args, common),
            Command::Check(args) => check::run(args, common),
            Command::Test(args) => test::run(args, common),
            Command::Sweep(args) => sweep::run(args, common),
            Command::Merge(args) => merge::run(args, common),
            Command::Stability(args) => stability::run(args, common),
            Command::Formula(args) => formula::run(args, common),
            Command::Init(args) => init::run(args, common),
            Command::List(args) => list::run(args, common),
            Command::Explain(args) => explain::run(args, common),
            Command::Completions(args) => completions::run(args),
            Command::Man(args) => man::run(args, common),
        }
    }
}
