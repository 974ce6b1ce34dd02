//! The results file of a sweep: a line a point, appended as soon as the point is there, so that a
//! sweep that was stopped goes on from its own file.
//!
//! Not the lines. While it grows the file is called `sweep.unfinished-FINGERPRINT.csv`; complete,
//! it is moved to `sweep.csv`. What another sweep left is never mixed with this one: its
//! fingerprint is another.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crate::cli::exit::Failed;
use crate::report::sweep::{Layout, Record, WrongRow};

/// The results file of a sweep or of a part of one.
#[derive(Debug)]
pub(super) struct Store {
    state: State,
    /// Where the complete file stands.
    complete: PathBuf,
    known: Vec<Record>,
    /// The line of the file from which on it was not as a sweep writes it, and why.
    damaged: Option<(usize, WrongRow)>,
}

#[derive(Debug)]
enum State {
    /// Every point is there.
    Complete,
    /// The file that grows, and its name.
    Growing(File, PathBuf),
}

impl Store {
    /// Opens the file for the points of `part`, with what is there of them already.
    pub(super) fn open(
        folder: &Path,
        stem: &str,
        layout: &Layout,
        part: &[usize],
    ) -> Result<Self, Failed> {
        let complete = folder.join(format!("{stem}.csv"));
        let text = fs::read_to_string(&complete).unwrap_or_default();
        let there = Beginning::of(&text, layout, part);
        if there.length > 0 && there.known.len() == part.len() {
            return Ok(Self {
                state: State::Complete,
                complete,
                known: there.known,
                damaged: None,
            });
        }
        let name = format!("{stem}.unfinished-{:016x}.csv", layout.fingerprint);
        let path = folder.join(name);
        fs::create_dir_all(folder).map_err(cannot("create", folder))?;
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
            .map_err(cannot("open", &path))?;
        if let Err(TryLockError::WouldBlock) = file.try_lock() {
            let message = format!("another sweep is writing `{}`", path.display());
            let failed = Failed::new(message);
            return Err(failed.hint("wait for it, or choose another place with `--output DIR`"));
        }
        let mut bytes = Vec::new();
        let read = file.read_to_end(&mut bytes);
        read.map_err(cannot("read", &path))?;
        let text = String::from_utf8_lossy(&bytes);
        let Beginning {
            known,
            length,
            damaged,
        } = Beginning::of(&text, layout, part);
        let mut from_here = || -> io::Result<()> {
            file.set_len(length)?;
            file.seek(SeekFrom::Start(length))?;
            if length == 0 {
                file.write_all(layout.header().as_bytes())?;
            }
            Ok(())
        };
        from_here().map_err(cannot("write", &path))?;
        Ok(Self {
            state: State::Growing(file, path),
            complete,
            known,
            damaged: damaged.or(there.damaged),
        })
    }

    /// Where the points are.
    pub(super) fn path(&self) -> &Path {
        match &self.state {
            State::Complete => &self.complete,
            State::Growing(_, path) => path,
        }
    }

    /// The points that were there already.
    pub(super) fn take(&mut self) -> Vec<Record> {
        std::mem::take(&mut self.known)
    }

    /// The line from which on the file was not as a sweep writes it, in words.
    pub(super) fn damaged(&self) -> Option<String> {
        self.damaged
            .map(|(line, wrong)| format!("line {line} of the results that were there: {wrong}"))
    }

    /// Appends a complete line: in one piece, so that whoever stops the sweep leaves at most the
    /// last one half-written.
    pub(super) fn append(&mut self, line: &str) -> Result<(), Failed> {
        match &mut self.state {
            State::Complete => Ok(()),
            State::Growing(file, path) => {
                let written = file.write_all(line.as_bytes());
                written.map_err(cannot("write", path))
            }
        }
    }

    /// Moves the complete file to its place.
    pub(super) fn finish(self) -> Result<(), Failed> {
        match self.state {
            State::Complete => Ok(()),
            State::Growing(file, path) => {
                let moved = file
                    .sync_all()
                    .and_then(|()| fs::rename(&path, &self.complete));
                moved.map_err(cannot("complete", &self.complete))
            }
        }
    }
}

/// What a file begins with that is of this sweep.
struct Beginning {
    /// The points that are those of the part, in order.
    known: Vec<Record>,
    /// How many bytes they take: zero when not even the names of the columns are those of this
    /// sweep. What was half-written, and all behind it, is left out.
    length: u64,
    /// The whole line, from 1, that ended them, and what is wrong with it.
    damaged: Option<(usize, WrongRow)>,
}

impl Beginning {
    fn of(text: &str, layout: &Layout, part: &[usize]) -> Self {
        let mut found = Self {
            known: Vec::new(),
            length: 0,
            damaged: None,
        };
        let header = layout.header();
        let Some(rows) = text.strip_prefix(header.as_str()) else {
            return found;
        };
        found.length = header.len() as u64;
        let lines = &rows[..rows.rfind('\n').map_or(0, |end| end + 1)];
        let mut reader = csv::ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .from_reader(lines.as_bytes());
        let mut row = csv::StringRecord::new();
        while found.known.len() < part.len() && reader.read_record(&mut row).unwrap_or(false) {
            let wrong = match layout.read(&row) {
                Ok(record) if record.point == part[found.known.len()] => {
                    found.known.push(record);
                    found.length = header.len() as u64 + reader.position().byte();
                    continue;
                }
                Ok(_) => WrongRow::Foreign,
                Err(wrong) => wrong,
            };
            found.damaged = Some((found.known.len() + 2, wrong));
            break;
        }
        found
    }
}

fn cannot(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Failed {
    let path = path.to_owned();
    move |error| {
        let failed = Failed::new(format!("cannot {action} `{}`: {error}", path.display()));
        failed.hint("choose another place with `--output DIR`, or keep nothing with `--no-report`")
    }
}
