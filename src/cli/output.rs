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
