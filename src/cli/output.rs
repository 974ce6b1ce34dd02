//! Writing to standard output and to standard error.
//!
//! Not what is written.

use std::io::{self, ErrorKind, IsTerminal, Write};

use super::exit::Failed;
use crate::report::Letters;

/// Writes data to standard output. A reader that has gone, as `head` does, is no error.
pub(super) fn print(text: &str) -> Result<(), Failed> {
    let mut out = io::stdout().lock();
    let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    match written {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(Failed::new(format!(
            "cannot write to standard output: {error}"
        ))),
        Ok(()) | Err(_) => Ok(()),
    }
}

/// The letters that standard output can show. What goes to a file or a pipe is UTF-8; a terminal
/// has it unless it says otherwise.
pub(super) fn letters() -> Letters {
    if io::stdout().is_terminal() {
        of_terminal(|name| std::env::var(name).ok())
    } else {
        Letters::Blocks
    }
}

/// What these variables of the environment say of a terminal.
fn of_terminal(variable: impl Fn(&str) -> Option<String>) -> Letters {
    let named = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().map(&variable);
    let locale = named.flatten().find(|locale| !locale.is_empty());
    let is_utf8 = |locale: String| {
        let locale = locale.to_ascii_lowercase();
        locale.contains("utf-8") || locale.contains("utf8")
    };
    let is_dumb = variable("TERM").is_some_and(|term| term == "dumb");
    if is_dumb || !locale.is_none_or(is_utf8) {
        Letters::Plain
    } else {
        Letters::Blocks
    }
}

/// Writes a message to standard error; if nobody can read it there is nobody to tell.
pub(super) fn say(text: &str) {
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

/// A text in lines of at most 80 columns, broken between words; all lines but the first are
/// indented, and the first has as much before it.
pub(super) fn wrapped(text: &str, indent: usize) -> String {
    let mut lines = String::new();
    let mut column = indent;
    for word in text.split(' ') {
        let width = word.chars().count();
        if column > indent && column + 1 + width > 80 {
            lines.push('\n');
            lines.extend(std::iter::repeat_n(' ', indent));
            column = indent;
        } else if column > indent {
            lines.push(' ');
            column += 1;
        }
        lines.push_str(word);
        column += width;
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_terminal_says_which_letters_it_has() {
        let of = |set: &[(&str, &str)]| {
            of_terminal(|name| {
                let found = set.iter().find(|(known, _)| *known == name);
                found.map(|(_, value)| (*value).to_owned())
            })
        };
        assert_eq!(of(&[]), Letters::Blocks);
        assert_eq!(of(&[("LANG", "de_DE.UTF-8")]), Letters::Blocks);
        assert_eq!(
            of(&[("LC_ALL", "C"), ("LANG", "de_DE.UTF-8")]),
            Letters::Plain
        );
        assert_eq!(of(&[("LC_ALL", ""), ("LANG", "C.utf8")]), Letters::Blocks);
        assert_eq!(of(&[("TERM", "dumb"), ("LANG", "C.utf8")]), Letters::Plain);
    }

    #[test]
    fn lines_break_between_words() {
        let text = "word ".repeat(40);
        let wrapped = wrapped(text.trim(), 6);
        for (at, line) in wrapped.lines().enumerate() {
            let before = if at == 0 { 6 } else { 0 };
            assert!(before + line.len() <= 80, "{line}");
            assert!(at == 0 || line.starts_with("      word"), "{line}");
        }
        assert_eq!(wrapped.split_whitespace().count(), 40);
    }
}
