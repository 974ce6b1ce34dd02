//! How a command ends: its exit code, or what the user has to be told.
//!
//! Not panics: those are bugs of ours.

use std::process::ExitCode;

use crate::report::WriteError;

/// How a command ended, as scripts see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Done.
    Done,
    /// An expectation or an objective is not met.
    NotMet,
    /// The input is wrong.
    Wrong,
    /// A limit stopped the run; its result is partial.
    Limit,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(match exit {
            Exit::Done => 0,
            Exit::NotMet => 1,
            Exit::Wrong => 2,
            Exit::Limit => 3,
        })
    }
}

/// Why a command could not do what was asked.
#[derive(Clone, Debug)]
pub(super) enum Failed {
    /// A sentence, and the way out where there is one.
    Plain {
        message: String,
        hint: Option<String>,
    },
    /// The problems of a scenario, which carry their own heads and colours.
    Rendered(String),
}

impl Failed {
    /// A sentence without a full stop, which begins with a small letter.
    pub(super) fn new(message: impl Into<String>) -> Self {
        Self::Plain {
            message: message.into(),
            hint: None,
        }
    }

    /// The same with a way out.
    pub(super) fn hint(self, way_out: impl Into<String>) -> Self {
        match self {
            Self::Plain { message, .. } => Self::Plain {
                message,
                hint: Some(way_out.into()),
            },
            Self::Rendered(text) => Self::Rendered(text),
        }
    }
}

impl From<WriteError> for Failed {
    fn from(error: WriteError) -> Self {
        let hint = error.hint();
        Self::new(error.to_string()).hint(hint)
    }
}
