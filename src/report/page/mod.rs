//! A page: one HTML file that is read offline, on a phone or on paper, in light or dark, with
//! eyes, keyboard or screen reader. It asks for nothing from anywhere. Every command that has
//! something to show puts one together from sections of plain data.
//!
//! Not the place where anything is computed, nor where a command says what it has to say.

mod chart;
mod frame;
mod section;
mod table;

pub use section::{Block, Instant, Section, Tone};

/// All that stands in a page.
#[derive(Clone, Debug)]
pub struct Page {
    /// Its heading.
    pub title: String,
    /// The command that made it: `run`.
    pub made_by: &'static str,
    /// What must be known before anything else: that a result is partial.
    pub banner: Option<String>,
    /// Which result this is, in names and values: the seed, the digest.
    pub facts: Vec<(&'static str, String)>,
    /// From the top; those without blocks are left out.
    pub sections: Vec<Section>,
    /// The result as JSON, as it is in its file: what scripts read, the page carries.
    pub json: String,
}

impl Page {
    /// The file.
    pub fn html(&self) -> String {
        frame::html(self)
    }
}
