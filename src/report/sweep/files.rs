//! The pictures of a sweep as files.
//!
//! Not its results file, which grows while it is computed.

use std::fs;
use std::path::Path;

use super::Sweep;
use crate::report::files::{Pictures, WriteError, failed};

impl Sweep<'_> {
    /// Draws the pictures into `folder`, in place of those of an earlier sweep, and returns their
    /// names. A part of a sweep has none, and leaves the folder as it is.
    ///
    /// # Errors
    /// When the folder cannot be written to.
    pub fn write_pictures(
        &self,
        folder: &Path,
        formats: Pictures,
    ) -> Result<Vec<String>, WriteError> {
        let mut drawn = Vec::new();
        if self.records.len() < self.places.len() {
            return Ok(drawn);
        }
        for picture in self.pictures() {
            let mut files = vec![(picture.name() + ".svg", picture.svg().into_bytes())];
            if formats == Pictures::SvgAndPng {
                files.push((picture.name() + ".png", picture.png()));
            }
            for (name, bytes) in files {
                let beside = folder.join(format!(".{name}.unfinished"));
                fs::write(&beside, bytes).map_err(failed("write", &beside))?;
                let path = folder.join(&name);
                fs::rename(&beside, &path).map_err(failed("replace", &path))?;
                drawn.push(name);
            }
        }
        remove_stale(folder, &drawn);
        Ok(drawn)
    }
}

/// Pictures that this sweep did not draw would tell of another one; what cannot be removed does no
/// harm.
fn remove_stale(folder: &Path, drawn: &[String]) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let ending = name.rsplit('.').next();
        let is_picture = matches!(ending, Some("svg" | "png"));
        if name.starts_with("sweep-") && is_picture && !drawn.contains(&name) {
            let _ = fs::remove_file(entry.path());
        }
    }
}
