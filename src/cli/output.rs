//! Writing to standard output and to standard error.
//!
//! Not what is written.

use std::io::{self, ErrorKind, Write};

use super::exit::Failed;

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
