//! The files of a run: written beside their place and moved there, as one, when all are complete.
//!
//! Not their contents. A run that is stopped leaves no half-written result, an earlier result is
//! there as a whole until the new one is, and what is not ours is kept.

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
pub(super) type File = (&'static str, Vec<u8>);

/// Every name that a report may write. Where files have to be moved one by one the last is moved
/// last, so that a new one means that all the others are new.
const OURS: [&str; 14] = [
    "series.csv",
    "timeline.txt",
    "depth.svg",
    "lag.svg",
    "rates.svg",
    "handlers.svg",
    "calls.svg",
    "depth.png",
    "lag.png",
    "rates.png",
    "handlers.png",
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
        place(folder, &files, &OURS)?;
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
            made.push((named(&picture.name, "svg"), picture.svg().into_bytes()));
            if formats == Pictures::SvgAndPng {
                made.push((named(&picture.name, "png"), picture.png()));
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

/// Puts `files` into `folder`, all or none of them: they are first written to a folder beside it.
/// Of `ours`, all names that there may be, those not made are removed.
pub(super) fn place(folder: &Path, files: &[File], ours: &[&str]) -> Result<(), WriteError> {
    let parent = match folder.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        Some(_) | None => Path::new("."),
    };
    fs::create_dir_all(parent).map_err(failed("create", parent))?;
    let mark = mark_of(folder);
    remove_leftovers(parent, &mark, folder, ours);
    let mut name = mark;
    name.push(std::process::id().to_string());
    let beside = parent.join(name);
    let done = fill(&beside, files).and_then(|()| move_over(&beside, folder, files, ours));
    if done.is_err() {
        // What is left of ours is worth nothing, and the first error is the one to tell.
        let _ = clear_out(&beside, folder, ours);
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

/// Removes what stopped runs left, and brings back what is not ours; what cannot be removed does no
/// harm.
fn remove_leftovers(parent: &Path, mark: &OsString, folder: &Path, ours: &[&str]) {
    let entries = fs::read_dir(parent).into_iter().flatten().flatten();
    for entry in entries {
        let name = entry.file_name();
        let of = name
            .as_encoded_bytes()
            .strip_prefix(mark.as_encoded_bytes());
        if of.is_some_and(|process| !is_alive(process)) {
            let _ = clear_out(&entry.path(), folder, ours);
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

/// The whole folder in one step: where there is one already the two change places, and what is not
/// ours goes back. Otherwise file by file: on file systems that cannot do that, and where the
/// folder is a link. Ours that this run did not make would tell of another run, and go.
fn move_over(
    beside: &Path,
    folder: &Path,
    files: &[File],
    ours: &[&str],
) -> Result<(), WriteError> {
    if !folder.exists() {
        match fs::rename(beside, folder) {
            Ok(()) => return Ok(()),
            // Another run was quicker.
            Err(_) if folder.exists() => {}
            Err(error) => return Err(failed("create", folder)(error)),
        }
    }
    if !folder.is_symlink() && exchange(beside, folder).is_ok() {
        return clear_out(beside, folder, ours);
    }
    for stale in ours
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

/// Two folders change places, in one step.
#[cfg(target_os = "linux")]
fn exchange(one: &Path, other: &Path) -> io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    Ok(renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE)?)
}

/// Two folders change places, in one step: not here.
#[cfg(not(target_os = "linux"))]
fn exchange(_one: &Path, _other: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Removes a folder that is no longer needed with what is ours in it; what is not goes to `folder`,
/// or stays where it is if something of its name is there.
fn clear_out(old: &Path, folder: &Path, ours: &[&str]) -> Result<(), WriteError> {
    for entry in fs::read_dir(old).map_err(failed("read", old))? {
        let entry = entry.map_err(failed("read", old))?;
        let (path, name) = (entry.path(), entry.file_name());
        let is_ours = ours.iter().any(|ours| name == *ours) && !path.is_dir();
        let place = folder.join(&name);
        if is_ours {
            fs::remove_file(&path).map_err(failed("remove the old", &path))?;
        } else if !place.exists() {
            fs::rename(&path, &place).map_err(failed("keep", &path))?;
        }
    }
    fs::remove_dir(old).map_err(failed("remove", old))
}

pub(super) fn failed(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> WriteError {
    let path = path.to_owned();
    move |source| WriteError {
        action,
        path,
        source,
    }
}

/// Writes one file beside its place and moves it there.
pub(super) fn replace(folder: &Path, name: &str, bytes: &[u8]) -> Result<(), WriteError> {
    let beside = folder.join(format!(".{name}.unfinished"));
    fs::write(&beside, bytes).map_err(failed("write", &beside))?;
    let path = folder.join(name);
    fs::rename(&beside, &path).map_err(failed("replace", &path))
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
        let error = place(&folder, &files, &OURS).expect_err("the second cannot be written");
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

    /// A run that was killed when the new folder was in its place, and before what is not ours was
    /// brought back from the old one.
    #[test]
    fn what_a_killed_run_did_not_bring_back_is_brought_back_by_the_next() {
        let scratch = Scratch::new("killed");
        let folder = scratch.0.join("outage");
        let (old, new) = (Told::outage(), Told::blocked());
        new.report().write(&folder, Pictures::Svg).expect("written");
        let leftover = scratch.0.join(".outage.unfinished-999999999");
        old.report()
            .write(&leftover, Pictures::SvgAndPng)
            .expect("written");
        fs::write(leftover.join("notes.txt"), "mine").expect("written");
        fs::create_dir(leftover.join("mine")).expect("created");
        fs::write(leftover.join("mine/summary.json"), "mine").expect("written");
        new.report().write(&folder, Pictures::Svg).expect("written");
        for file in ["notes.txt", "mine/summary.json"] {
            let kept = fs::read_to_string(folder.join(file)).expect(file);
            assert_eq!(kept, "mine");
        }
        assert!(!folder.join("depth.png").exists(), "of the old run");
        assert_eq!(scratch.names("."), ["outage"]);
    }

    /// One file of the old result cannot be replaced: it is a folder with something in it.
    #[cfg(target_os = "linux")]
    #[test]
    fn the_result_is_all_old_or_all_new_though_a_file_cannot_be_replaced() {
        let scratch = Scratch::new("stuck");
        let folder = scratch.0.join("outage");
        let (old, new) = (Told::outage(), Told::blocked());
        old.report().write(&folder, Pictures::Svg).expect("written");
        fs::remove_file(folder.join("lag.svg")).expect("removed");
        fs::create_dir(folder.join("lag.svg")).expect("created");
        fs::write(folder.join("lag.svg/notes.txt"), "mine").expect("written");
        let error = new.report().write(&folder, Pictures::Svg);
        let error = error.expect_err("there is no place for what is not ours");
        let report = new.report();
        let all = report.files(Pictures::Svg);
        for (name, bytes) in all {
            assert_eq!(fs::read(folder.join(name)).expect(name), bytes, "{name}");
        }
        let kept = fs::read_to_string(error.path.join("lag.svg/notes.txt"));
        assert_eq!(kept.expect("it is where the error says"), "mine");
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
