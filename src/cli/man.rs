//! `queuecast man`: the help of every command as manual pages.
//!
//! Not the manual of what is simulated: that is in the documentation of the library.

use std::io;
use std::path::{Path, PathBuf};

use clap::CommandFactory;
use clap_mangen::Man;

use super::Cli;
use super::exit::{Exit, Failed};
use super::options::Common;
use super::output::print;

/// Write manual pages, one a command
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct Args {
    /// The folder to write them to; without it the first page goes to standard
    /// output
    folder: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  queuecast man | man -l -
  queuecast man ~/.local/share/man/man1 && man queuecast-run";

/// Runs the command.
pub(super) fn run(args: &Args, common: &Common) -> Result<Exit, Failed> {
    let command = Cli::command().disable_help_subcommand(true);
    if let Some(folder) = &args.folder {
        std::fs::create_dir_all(folder)
            .and_then(|()| clap_mangen::generate_to(command, folder))
            .map_err(|error| cannot(folder, &error))?;
        common.tell(&format!("wrote manual pages to {}\n", folder.display()));
    } else {
        let mut page = Vec::new();
        let rendered = Man::new(command).render(&mut page);
        rendered.map_err(|error| Failed::new(format!("cannot make the page: {error}")))?;
        print(&String::from_utf8_lossy(&page))?;
    }
    Ok(Exit::Done)
}

fn cannot(folder: &Path, error: &io::Error) -> Failed {
    Failed::new(format!("cannot write to `{}`: {error}", folder.display()))
}
