//! The names of all components, known before any of their bodies is read, so that a reference to
//! a component which is itself wrong is no second error.
//!
//! Not ids of anything else: outages and alerts are not referred to.

use super::section::Section;
use crate::input::{Fields, Problem, Problems};

/// The sections of components.
#[derive(Debug)]
pub(super) struct Names<'a> {
    /// `[producers.NAME]`
    pub producers: Section<'a>,
    /// `[queues.NAME]`
    pub queues: Section<'a>,
    /// `[consumers.NAME]`
    pub consumers: Section<'a>,
    /// `[dependencies.NAME]`
    pub dependencies: Section<'a>,
}

impl<'a> Names<'a> {
    /// Opens the sections of a scenario.
    pub(super) fn open(top: &mut Fields<'a>, problems: &mut Problems) -> Self {
        let names = Self {
            producers: Section::open(top, "producers", problems),
            queues: Section::open(top, "queues", problems),
            consumers: Section::open(top, "consumers", problems),
            dependencies: Section::open(top, "dependencies", problems),
        };
        // Fleets that publish stand in the table of producers too.
        let publishers = names.producers.entries().len() + names.consumers.entries().len();
        if publishers > usize::from(u16::MAX) {
            let place = names.consumers.entries()[0].key_span.clone();
            let title = format!("{publishers} producers and consumers are more than 65535");
            problems.file(Problem::error(title, place, "too many in all"));
        }
        names
    }
}
