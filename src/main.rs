//! The door of the program: parse, dispatch, exit code.
//!
//! Not the commands: each has its file in [`queuecast::cli`].

use std::process::ExitCode;

use clap::Parser;
use queuecast::cli::Cli;

fn main() -> ExitCode {
    Cli::parse().run().into()
}
