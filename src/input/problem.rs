//! Problems: the place, the reason, and the way out of everything that is wrong with an input.
//!
//! Not their picture with carets: that is drawn by the scenario's diagnostics.

use std::path::{Path, PathBuf};

use super::value::Span;

/// Whether a problem stops the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// The input cannot be used.
    Error,
    /// The input can be used, and will surprise.
    Warning,
}

/// A place with a remark.
#[derive(Clone, Debug, PartialEq)]
pub struct Note {
    /// The place.
    pub span: Span,
    /// What is said about it; may be empty.
    pub text: String,
}

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    /// Whether it stops the program.
    pub severity: Severity,
    /// What is wrong, in lower case, without a full stop.
    pub title: String,
    /// Where, under the caret.
    pub at: Note,
    /// Other places that matter.
    pub also: Vec<Note>,
    /// Ways out, each a sentence in lower case.
    pub help: Vec<String>,
}

impl Problem {
    /// An error at a place; `label` stands beside the caret.
    pub fn error(title: impl Into<String>, span: Span, label: impl Into<String>) -> Self {
        Self::new(Severity::Error, title, span, label)
    }

    /// A warning at a place; `label` stands beside the caret.
    pub fn warning(title: impl Into<String>, span: Span, label: impl Into<String>) -> Self {
        Self::new(Severity::Warning, title, span, label)
    }

    fn new(
        severity: Severity,
        title: impl Into<String>,
        span: Span,
        label: impl Into<String>,
    ) -> Self {
        let at = Note {
            span,
            text: label.into(),
        };
        Self {
            severity,
            title: title.into(),
            at,
            also: Vec::new(),
            help: Vec::new(),
        }
    }

    /// The same, with a way out.
    #[must_use]
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help.push(text.into());
        self
    }

    /// The same, with another place that matters.
    #[must_use]
    pub fn also(mut self, span: Span, text: impl Into<String>) -> Self {
        self.also.push(Note {
            span,
            text: text.into(),
        });
        self
    }
}

/// Every problem met so far, in the order met, and the folder in which the files that an input
/// names are looked for.
#[derive(Clone, Debug, Default)]
pub struct Problems {
    list: Vec<Problem>,
    folder: PathBuf,
}

impl Problems {
    /// No problem yet, of an input whose files stand in `folder` (the scenario's own).
    pub fn in_folder(folder: impl Into<PathBuf>) -> Self {
        Self {
            list: Vec::new(),
            folder: folder.into(),
        }
    }

    /// The folder to which paths in the input are relative; the current one by default.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Files a problem.
    pub fn file(&mut self, problem: Problem) {
        self.list.push(problem);
    }

    /// Whether any of them stops the program.
    pub fn any_error(&self) -> bool {
        self.list
            .iter()
            .any(|problem| problem.severity == Severity::Error)
    }

    /// All of them, in the order of their places.
    pub fn sorted(&self) -> Vec<&Problem> {
        let mut all: Vec<_> = self.list.iter().collect();
        all.sort_by_key(|problem| problem.at.span.start);
        all
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }
}

/// The nearest of `known` to `word`, if it is near enough to be a slip of the fingers.
pub(super) fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    known
        .into_iter()
        .map(|candidate| (strsim::damerau_levenshtein(word, candidate), candidate))
        .filter(|(distance, candidate)| *distance <= 1.max(candidate.len().min(word.len()) / 3))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

impl Problem {
    /// Adds "did you mean" when one of `known` is near to `word`, else the list of what exists.
    #[must_use]
    pub fn suggest<'a>(self, word: &str, known: impl IntoIterator<Item = &'a str> + Clone) -> Self {
        if let Some(near) = nearest(word, known.clone()) {
            return self.help(format!("did you mean `{near}`?"));
        }
        let all: Vec<_> = known.into_iter().map(|name| format!("`{name}`")).collect();
        if all.is_empty() {
            self
        } else {
            self.help(format!("there are {}", all.join(", ")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suggests_the_near_and_lists_the_rest() {
        let known = ["count", "service", "queue"];
        let near = Problem::error("unknown key", 0..1, "").suggest("cuont", known);
        assert_eq!(near.help, ["did you mean `count`?"]);
        let far = Problem::error("unknown key", 0..1, "").suggest("elephants", known);
        assert_eq!(far.help, ["there are `count`, `service`, `queue`"]);
    }
}
