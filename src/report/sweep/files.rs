//! The page and the pictures of a sweep as files.
//!
//! Not its results file, which grows while it is computed.

use std::fs;
use std::path::Path;

use super::Sweep;
use crate::report::files::{Pictures, WriteError, replace};

/// The page of a sweep; that of a run in the same folder is `report.html`.
pub const PAGE: &str = "sweep.html";

impl Sweep<'_> {
    /// Writes the page and draws the pictures into `folder`, in place of those of an earlier sweep,
    /// and returns the names of the pictures. A part of a sweep has none of them, and leaves the
    /// folder as it is.
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
            let name = picture.name();
            let mut files = vec![(format!("{name}.svg"), picture.svg().into_bytes())];
            if formats == Pictures::SvgAndPng {
                files.push((format!("{name}.png"), picture.png()));
            }
            for (name, bytes) in files {
                replace(folder, &name, &bytes)?;
                drawn.push(name);
            }
        }
        replace(folder, PAGE, self.html().as_bytes())?;
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
