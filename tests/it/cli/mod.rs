//! The program as it is called: exit codes, what is written where, and every command's text.
//!
//! Not the numbers, except those that a user is promised to the digit.

mod answers;
mod files;
mod runs;
mod shells;
mod sizes;

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use tempfile::TempDir;

/// The worked example: an outage of 90 s.
pub(crate) const OUTAGE: &str = include_str!("../../../scenarios/outage_reject.toml");

/// A folder of its own in which the program is called, with the worked example in it.
pub(crate) struct Desk(TempDir);

/// What a call answered.
pub(crate) struct Answer {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Desk {
    pub(crate) fn new() -> Self {
        let desk = Self(TempDir::new().expect("a folder for the test"));
        desk.put("outage_reject.toml", OUTAGE);
        desk
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    pub(crate) fn put(&self, name: &str, text: &str) {
        let path = self.path().join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("created");
        fs::write(path, text).expect("written");
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path().join(name)).unwrap_or_else(|why| panic!("{name}: {why}"))
    }

    /// What is in a folder, hidden files included, in order.
    pub(crate) fn names(&self, folder: &str) -> Vec<String> {
        let entries = fs::read_dir(self.path().join(folder))
            .expect("a folder")
            .flatten();
        let mut names: Vec<_> = entries
            .map(|entry| entry.file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    /// The program, not yet started, without what the terminal of the tester would change.
    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_queuecast"));
        command
            .current_dir(self.path())
            .args(args)
            .stdin(Stdio::null())
            .env_remove("NO_COLOR");
        command
    }

    pub(crate) fn call(&self, args: &[&str]) -> Answer {
        let output = self.command(args).output().expect("the program starts");
        let text = |bytes| String::from_utf8(bytes).expect("the program writes UTF-8");
        Answer {
            code: output.status.code().expect("the program ends by itself"),
            stdout: text(output.stdout),
            stderr: text(output.stderr),
        }
    }

    /// A call as it is seen in a terminal, for a snapshot.
    pub(crate) fn seen(&self, args: &[&str]) -> String {
        let Answer {
            code,
            stdout,
            stderr,
        } = self.call(args);
        let words: Vec<_> = args
            .iter()
            .map(|word| {
                if word.contains(' ') {
                    format!("'{word}'")
                } else {
                    (*word).to_owned()
                }
            })
            .collect();
        let text = format!(
            "$ queuecast {}\n{stdout}--- messages, exit code {code}\n{stderr}",
            words.join(" ")
        );
        text.replace(env!("CARGO_PKG_VERSION"), "[version]")
    }
}

impl Answer {
    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|why| panic!("{why}: {}", self.stdout))
    }
}
