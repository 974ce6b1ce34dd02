//! The files of a run: written beside their place and moved there when all are complete.
//!
//! Not their contents. A run that is stopped leaves no half-written result, an earlier result is
//! replaced only by a complete one, and files that are not ours stay where they are.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::plot;
use super::{Report, timeline};

/// In which formats pictures are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pictures {
    /// SVG alone.
    #[default]
    Svg,
    /// SVG and PNG.
    SvgAndPng,
}

/// A result that could not be written.
#[derive(Debug, thiserror::Error)]
#[error("cannot {action} `{}`: {source}", path.display())]
pub struct WriteError {
    action: &'static str,
    path: PathBuf,
    source: io::Error,
}

impl WriteError {
    /// What can be done about it.
    pub fn hint(&self) -> &'static str {
        "choose another place with `--output DIR`, or write no files with `--no-report`"
    }
}

/// A file: its name, and what is in it.
type File = (&'static str, Vec<u8>);

/// Every name that a report may write; the last is moved last, so that a new one means that all
/// the others are new.
const OURS: [&str; 12] = [
    "series.csv",
    "timeline.txt",
    "depth.svg",
    "lag.svg",
    "rates.svg",
    "calls.svg",
    "depth.png",
    "lag.png",
    "rates.png",
    "calls.png",
    "report.html",
    "summary.json",
];

impl Report<'_> {
    /// Writes the files into `folder`, `output/<scenario>`, and returns their names:
    /// `summary.json`, `series.csv`, `timeline.txt`, `report.html`, and the pictures.
    ///
    /// # Errors
    /// When the folder cannot be written to; then what was there is still there.
    pub fn write(
        &self,
        folder: &Path,
        pictures: Pictures,
    ) -> Result<Vec<&'static str>, WriteError> {
        let files = self.files(pictures);
        place(folder, &files)?;
        Ok(files.into_iter().map(|(name, _)| name).collect())
    }

    fn files(&self, formats: Pictures) -> Vec<File> {
        let mut made = vec![
            (
                "timeline.txt",
                timeline(self.model, self.shown()).into_bytes(),
            ),
            ("report.html", self.html().into_bytes()),
            ("summary.json", self.json().into_bytes()),
        ];
        made.extend(
            self.series_csv()
                .map(|csv| ("series.csv", csv.into_bytes())),
        );
        for picture in plot::pictures(self.model, self.shown()) {
            made.push((named(picture.name(), "svg"), picture.svg().into_bytes()));
            if formats == Pictures::SvgAndPng {
                made.push((named(picture.name(), "png"), picture.png()));
            }
        }
        made.sort_by_key(|(name, _)| OURS.iter().position(|ours| ours == name));
        made
    }
}

fn named(picture: &str, ending: &str) -> &'static str {
    let is_it = |ours: &&&str| ours.strip_suffix(ending) == Some(&format!("{picture}."));
    OURS.iter().find(is_it).expect("every picture has its file")
}

/// Puts `files` into `folder`, all or none of them as far as writing goes: they are first written
/// to a folder beside it.
fn place(folder: &Path, files: &[File]) -> Result<(), WriteError> {
    let parent = match folder.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        Some(_) | None => Path::new("."),
    };
    fs::create_dir_all(parent).map_err(failed("create", parent))?;
    let mark = mark_of(folder);
    remove_leftovers(parent, &mark);
    let mut name = mark;
    name.push(std::process::id().to_string());
    let beside = parent.join(name);
    let done = fill(&beside, files).and_then(|()| move_over(&beside, folder, files));
    if done.is_err() {
        // What is left in it is worth nothing, and the first error is the one to tell.
        let _ = fs::remove_dir_all(&beside);
    }
    done
}

/// How the folders beside `folder` begin in which its files are made: `.checkout.unfinished-`.
fn mark_of(folder: &Path) -> OsString {
    let mut mark = OsString::from(".");
    mark.push(folder.file_name().unwrap_or_default());
    mark.push(".unfinished-");
    mark
}

/// Removes what stopped runs left; what cannot be removed does no harm.
fn remove_leftovers(parent: &Path, mark: &OsString) {
    let entries = fs::read_dir(parent).into_iter().flatten().flatten();
    for entry in entries {
        let name = entry.file_name();
        let of = name
            .as_encoded_bytes()
            .strip_prefix(mark.as_encoded_bytes());
        if of.is_some_and(|process| !is_alive(process)) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

/// Whether the process of this number still writes, as far as the system shows its processes.
fn is_alive(process: &[u8]) -> bool {
    std::str::from_utf8(process).is_ok_and(|number| Path::new("/proc").join(number).exists())
}

fn fill(beside: &Path, files: &[File]) -> Result<(), WriteError> {
    fs::create_dir(beside).map_err(failed("create", beside))?;
    for (name, bytes) in files {
        let path = beside.join(name);
        fs::write(&path, bytes).map_err(failed("write", &path))?;
    }
    Ok(())
}

/// The whole folder in one step where there is none yet; otherwise file by file, so that files of
/// other people stay. Ours that this run did not make would tell of another run, and go.
fn move_over(beside: &Path, folder: &Path, files: &[File]) -> Result<(), WriteError> {
    if !folder.exists() {
        match fs::rename(beside, folder) {
            Ok(()) => return Ok(()),
            // Another run was quicker.
            Err(_) if folder.exists() => {}
            Err(error) => return Err(failed("create", folder)(error)),
        }
    }
    for stale in OURS
        .iter()
        .filter(|ours| files.iter().all(|(name, _)| name != *ours))
    {
        let path = folder.join(stale);
        if path.exists() {
            fs::remove_file(&path).map_err(failed("remove the old", &path))?;
        }
    }
    for (name, _) in files {
        let path = folder.join(name);
        fs::rename(beside.join(name), &path).map_err(failed("replace", &path))?;
    }
    fs::remove_dir(beside).map_err(failed("remove", beside))
}

fn failed(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> WriteError {
    let path = path.to_owned();
    move |source| WriteError {
        action,
        path,
        source,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::fixture::Told;

    /// A folder that is gone after the test.
    struct Scratch(PathBuf);

    impl Scratch {
        fn new(name: &str) -> Self {
            let path =
                std::env::temp_dir().join(format!("queuecast-{}-{name}", std::process::id()));
            let _ = fs::remove_dir_all(&path);
            Self(path)
        }

        fn names(&self, folder: &str) -> Vec<String> {
            let entries = fs::read_dir(self.0.join(folder))
                .expect("a folder")
                .flatten();
            let mut names: Vec<_> = entries
                .map(|entry| entry.file_name().to_string_lossy().into_owned())
                .collect();
            names.sort();
            names
        }
    }

    impl Drop for Scratch {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn writes_all_files_and_nothing_beside_them() {
        let scratch = Scratch::new("all");
        let folder = scratch.0.join("output/outage");
        let told = Told::outage();
        let written = told
            .report()
            .write(&folder, Pictures::SvgAndPng)
            .expect("written");
        // It has no dependency to draw.
        let drawn = OURS.iter().filter(|name| !name.starts_with("calls."));
        let mut names: Vec<_> = drawn.copied().collect();
        assert_eq!(written, names);
        names.sort_unstable();
        assert_eq!(scratch.names("output/outage"), names);
        assert_eq!(scratch.names("output"), ["outage"]);
        let png = fs::read(folder.join("depth.png")).expect("a picture");
        assert!(png.starts_with(b"\x89PNG"));
    }

    #[test]
    fn a_later_run_replaces_ours_and_leaves_what_is_not() {
        let scratch = Scratch::new("later");
        let folder = scratch.0.join("outage");
        let (old, new) = (Told::outage(), Told::blocked());
        old.report()
            .write(&folder, Pictures::SvgAndPng)
            .expect("written");
        fs::write(folder.join("notes.txt"), "mine").expect("written");
        let leftover = scratch.0.join(".outage.unfinished-999999999");
        fs::create_dir(&leftover).expect("created");
        fs::write(leftover.join("summary.json"), "{").expect("written");
        new.report().write(&folder, Pictures::Svg).expect("written");
        let summary = fs::read_to_string(folder.join("summary.json")).expect("a summary");
        assert_eq!(summary, new.report().json());
        assert_eq!(
            fs::read_to_string(folder.join("notes.txt")).expect("notes"),
            "mine"
        );
        assert!(
            !folder.join("depth.png").exists(),
            "a picture of the old run"
        );
        assert_eq!(scratch.names("."), ["outage"]);
    }

    #[test]
    fn a_write_that_fails_half_way_leaves_the_old_result() {
        let scratch = Scratch::new("half");
        let folder = scratch.0.join("outage");
        Told::outage()
            .report()
            .write(&folder, Pictures::Svg)
            .expect("written");
        let before = fs::read(folder.join("summary.json")).expect("a summary");
        let names = scratch.names("outage");
        let new = b"new".to_vec();
        let files: [File; 3] = [
            ("series.csv", new.clone()),
            ("no such folder/lag.svg", new.clone()),
            ("summary.json", new),
        ];
        let error = place(&folder, &files).expect_err("the second cannot be written");
        assert!(error.to_string().contains("cannot write"), "{error}");
        assert!(error.to_string().contains("lag.svg"), "{error}");
        assert_eq!(
            fs::read(folder.join("summary.json")).expect("a summary"),
            before
        );
        assert_ne!(
            fs::read(folder.join("series.csv")).expect("a series"),
            b"new"
        );
        assert_eq!(scratch.names("outage"), names);
        assert_eq!(scratch.names("."), ["outage"]);
    }

    #[test]
    fn a_place_that_cannot_be_written_to_is_named_with_the_way_out() {
        let scratch = Scratch::new("place");
        fs::create_dir_all(&scratch.0).expect("created");
        fs::write(scratch.0.join("output"), "a file").expect("written");
        let told = Told::outage();
        let error = told
            .report()
            .write(&scratch.0.join("output/outage"), Pictures::Svg)
            .expect_err("a file is no folder");
        assert!(error.to_string().contains("output`: "), "{error}");
        assert!(error.hint().contains("--output DIR"));
    }
}
