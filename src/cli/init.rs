//! `queuecast init`: a commented scenario to start from.
//!
//! Not a wizard: it asks nothing and overwrites nothing.

use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use super::exit::{Exit, Failed};
use super::options::{Common, quoted};
use super::output::print;

/// Write a commented scenario to start from
///
/// It runs as it is: 60 consumers that are out for 90 s. Every line that is
/// likely to be changed says what else could stand there.
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct Args {
    /// The file to write, which must not exist; `-` is standard output
    #[arg(default_value = "scenario.toml")]
    file: PathBuf,
}

const EXAMPLES: &str = "\
Examples:
  queuecast init outage.toml && queuecast run outage.toml
  queuecast init - | less";

/// The scenario, which a test runs.
const STARTER: &str = include_str!("starter.toml");

/// Runs the command.
pub(super) fn run(args: &Args, common: &Common) -> Result<Exit, Failed> {
    if args.file == Path::new("-") {
        print(STARTER)?;
        return Ok(Exit::Done);
    }
    write(&args.file)?;
    let shown = quoted(&args.file.to_string_lossy());
    common.tell(&format!("wrote {shown}; next: queuecast run {shown}\n"));
    Ok(Exit::Done)
}

fn write(path: &Path) -> Result<(), Failed> {
    let shown = path.display();
    let file = OpenOptions::new().write(true).create_new(true).open(path);
    let written = file.and_then(|mut file| file.write_all(STARTER.as_bytes()));
    written.map_err(|error| {
        if error.kind() == ErrorKind::AlreadyExists {
            Failed::new(format!("`{shown}` is there already"))
                .hint("give another name; `queuecast init -` writes to standard output")
        } else {
            Failed::new(format!("cannot write `{shown}`: {error}"))
        }
    })
}
