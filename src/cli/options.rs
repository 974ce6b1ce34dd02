//! Options that commands share: what is common to all, and how a scenario is named and changed.
//!
//! Not the options of one command.

use std::io::{IsTerminal, stderr};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::exit::Failed;
use super::output::{say, wrapped};
use crate::scenario::{Color, Scenario};
use crate::units::Ratio;

/// Options of every command.
#[derive(Clone, Debug, Args)]
pub(super) struct Common {
    /// How the answer is written to standard output
    #[arg(
        long,
        global = true,
        value_enum,
        default_value_t,
        help_heading = "Common options"
    )]
    pub(super) format: Format,
    /// Threads that simulate; the answer does not depend on it [default: one a core]
    #[arg(
        long, global = true, value_name = "N", help_heading = "Common options",
        value_parser = clap::value_parser!(u16).range(1..=1024)
    )]
    jobs: Option<u16>,
    /// No warnings, no progress, no messages; errors and data remain
    #[arg(long, short, global = true, help_heading = "Common options")]
    quiet: bool,
    /// Colours in messages; `auto` on a terminal, unless NO_COLOR is set
    #[arg(
        long,
        global = true,
        value_name = "WHEN",
        value_enum,
        default_value_t,
        help_heading = "Common options"
    )]
    color: When,
}

/// How data is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// For people, 80 columns
    #[default]
    Text,
    /// For scripts; times in seconds, null for what did not happen
    Json,
    /// For spreadsheets
    Csv,
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum When {
    #[default]
    Auto,
    Always,
    Never,
}

/// Whether something is said besides errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Talk {
    /// Warnings, progress, and where files were written.
    Normal,
    /// Errors alone.
    Quiet,
}

impl Common {
    /// The threads of all that runs in parallel.
    pub(super) fn start_threads(&self) -> Result<(), Failed> {
        let Some(jobs) = self.jobs else {
            return Ok(());
        };
        rayon::ThreadPoolBuilder::new()
            .num_threads(jobs.into())
            .build_global()
            .map_err(|error| Failed::new(format!("cannot start {jobs} threads: {error}")))
    }

    pub(super) fn talk(&self) -> Talk {
        if self.quiet {
            Talk::Quiet
        } else {
            Talk::Normal
        }
    }

    /// Whether messages are coloured.
    pub(super) fn color(&self) -> Color {
        let no_color = std::env::var_os("NO_COLOR").is_some_and(|it| !it.is_empty());
        let colored = match self.color {
            When::Auto => stderr().is_terminal() && !no_color,
            When::Always => true,
            When::Never => false,
        };
        if colored { Color::Always } else { Color::Never }
    }

    /// A message, unless there shall be none.
    pub(super) fn tell(&self, text: &str) {
        match self.talk() {
            Talk::Normal => say(text),
            Talk::Quiet => {}
        }
    }

    /// What went wrong, and the way out.
    pub(super) fn complain(&self, failed: &Failed) {
        match failed {
            Failed::Rendered(text) => say(text),
            Failed::Plain { message, hint } => {
                let (red, cyan, reset) = match self.color() {
                    Color::Always => ("\x1b[1;31m", "\x1b[1;36m", "\x1b[0m"),
                    Color::Never => ("", "", ""),
                };
                say(&format!("{red}error:{reset} {message}\n"));
                if let Some(hint) = hint {
                    let hint = wrapped(hint, "hint: ".len());
                    say(&format!("{cyan}hint:{reset} {hint}\n"));
                }
            }
        }
    }
}

/// A scenario and what is changed of it.
#[derive(Clone, Debug, Args)]
pub(super) struct Chosen {
    /// A scenario file (`queuecast init` writes one to start from)
    pub(super) scenario: PathBuf,
    #[command(flatten)]
    pub(super) changes: Changes,
}

/// What is changed of a scenario.
#[derive(Clone, Debug, Default, Args)]
pub(super) struct Changes {
    /// Change any key of the scenario, checked like the file; may be repeated
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// The root of all randomness; as `--set run.seed=N`
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// How many independent runs; as `--set run.replications=N`
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    replications: Option<u32>,
}

impl Changes {
    /// Reads a scenario with these changes.
    pub(super) fn load(&self, path: &Path, color: Color) -> Result<Scenario, Failed> {
        self.load_with(path, &[], color)
    }

    /// The same with further assignments, laid over these.
    pub(super) fn load_with(
        &self,
        path: &Path,
        sets: &[String],
        color: Color,
    ) -> Result<Scenario, Failed> {
        let all = [&self.sets()[..], sets].concat();
        let loaded = Scenario::load(path, &all);
        loaded.map_err(|failure| Failed::Rendered(failure.render(color)))
    }

    /// All of them as assignments.
    pub(super) fn sets(&self) -> Vec<String> {
        // Quoted, since TOML has no whole numbers of 64 bits without a sign.
        let seed = self.seed.map(|seed| format!("run.seed=\"{seed}\""));
        let times = self.replications;
        let times = times.map(|times| format!("run.replications={times}"));
        self.set.iter().cloned().chain(seed).chain(times).collect()
    }

    /// How many independent runs there shall be, where that is said.
    pub(super) fn replications(&self) -> Option<u32> {
        self.replications
    }

    /// These changes as they are written on a command line, each behind a space.
    pub(super) fn written(&self) -> String {
        let sets = self.set.iter().map(|set| format!(" --set {}", quoted(set)));
        let seed = self.seed.map(|seed| format!(" --seed {seed}"));
        let times = self
            .replications
            .map(|times| format!(" --replications {times}"));
        sets.chain(seed).chain(times).collect()
    }
}

impl Chosen {
    /// Reads the scenario, and says what is odd about it.
    pub(super) fn load(&self, common: &Common) -> Result<Scenario, Failed> {
        let scenario = self.changes.load(&self.scenario, common.color())?;
        common.tell(&scenario.render_warnings(common.color()));
        Ok(scenario)
    }
}

/// Reads the level of an interval or of a decision.
pub(super) fn level(text: &str) -> Result<f64, String> {
    let level: Ratio = text.parse().map_err(|error| format!("{error}"))?;
    let inside = (0.5..1.0).contains(&level.get());
    inside
        .then_some(level.get())
        .ok_or_else(|| "a level lies between 50% and 100%, such as 95%".to_owned())
}

/// A word as a POSIX shell takes it.
pub(super) fn quoted(word: &str) -> String {
    let plain = |it: char| it.is_ascii_alphanumeric() || "._-/=:,+@%".contains(it);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shell_reads_back_what_was_quoted() {
        assert_eq!(
            quoted("consumers.fleet.count=55"),
            "consumers.fleet.count=55"
        );
        assert_eq!(quoted("title=a b"), "'title=a b'");
        assert_eq!(quoted("title=it's"), r"'title=it'\''s'");
        assert_eq!(quoted(""), "''");
    }
}
