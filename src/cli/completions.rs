//! `queuecast completions`: what a shell needs to complete our commands and options.
//!
//! Not an installer: it prints, and the shell's user decides where to.

use clap::CommandFactory;
use clap_complete::{Shell, generate};

use super::Cli;
use super::exit::{Exit, Failed};
use super::output::print;

/// Print a script with which a shell completes commands and options
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct Args {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

const EXAMPLES: &str = "\
Examples:
  queuecast completions bash > ~/.local/share/bash-completion/completions/queuecast
  queuecast completions zsh > ~/.zfunc/_queuecast
  queuecast completions fish > ~/.config/fish/completions/queuecast.fish";

/// Runs the command.
pub(super) fn run(args: &Args) -> Result<Exit, Failed> {
    let mut script = Vec::new();
    generate(args.shell, &mut Cli::command(), "queuecast", &mut script);
    print(&String::from_utf8_lossy(&script))?;
    Ok(Exit::Done)
}
