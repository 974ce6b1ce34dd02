//! Scenario files in folders.
//!
//! Not what is in them.

use std::fs;
use std::path::{Path, PathBuf};

use super::exit::Failed;

/// The files that `paths` name: a file is itself, a folder is every `*.toml` below it, in the
/// order of their names.
pub(super) fn scenarios(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Failed> {
    let mut all = Vec::new();
    for path in paths {
        if path.is_dir() {
            let before = all.len();
            below(path, &mut all)?;
            if all.len() == before {
                let message = format!("there is no scenario (*.toml) in `{}`", path.display());
                return Err(Failed::new(message));
            }
        } else {
            all.push(path.clone());
        }
    }
    Ok(all)
}

fn below(folder: &Path, all: &mut Vec<PathBuf>) -> Result<(), Failed> {
    let cannot =
        |error: std::io::Error| Failed::new(format!("cannot read `{}`: {error}", folder.display()));
    let mut entries = Vec::new();
    for entry in fs::read_dir(folder).map_err(cannot)? {
        let entry = entry.map_err(cannot)?;
        // A link to a folder is not followed: it may lead back here.
        entries.push((entry.path(), entry.file_type().map_err(cannot)?));
    }
    entries.sort_by(|a, b| a.0.cmp(&b.0));
    for (path, kind) in entries {
        if kind.is_dir() {
            below(&path, all)?;
        } else if path.extension().is_some_and(|ending| ending == "toml") {
            all.push(path);
        }
    }
    Ok(())
}
