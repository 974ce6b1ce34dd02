//! The sections of a page, and what they are made of, as plain data and as HTML.
//!
//! Not the frame around them.

use std::fmt::Write;

use super::{chart, table};
use crate::report::escape::escaped;
use crate::report::grid::Grid;
use crate::report::plot::{Figure, HeatMap};

/// A part of a page.
#[derive(Clone, Debug)]
pub struct Section {
    /// Its anchor, once in a page. Lower-case letters and hyphens.
    pub id: &'static str,
    /// Its heading.
    pub title: &'static str,
    /// From the top.
    pub blocks: Vec<Block>,
}

/// What stands in a section.
#[derive(Clone, Debug)]
pub enum Block {
    /// A paragraph.
    Text(String),
    /// A paragraph that says less than others.
    Aside(String),
    /// A sentence about something that was asked for.
    Verdict(Tone, String),
    /// A heading within the section.
    Heading(String),
    /// Sentences that do not follow from each other.
    List(Vec<String>),
    /// A table. Its caption is told to those who hear it.
    Table(Grid),
    /// What happened when. Where the page has figures over time, its rows point to them.
    Timeline(Vec<Instant>),
    /// Figures over one horizontal axis, drawn below each other, read and zoomed together.
    Figures(Vec<Figure>),
    /// A metric over two keys.
    Heat(Box<HeatMap>),
    /// A file or a command, to be copied.
    Code(String),
}

/// Whether what was asked for came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// It did.
    Good,
    /// It did not.
    Bad,
}

/// Something that happened.
#[derive(Clone, Debug, PartialEq)]
pub struct Instant {
    /// When, in seconds since the start.
    pub seconds: f64,
    /// When, as it is shown: `t+83.3s`.
    pub clock: String,
    /// What.
    pub text: String,
}

impl Section {
    /// A section of these blocks.
    pub fn new(id: &'static str, title: &'static str, blocks: Vec<Block>) -> Self {
        Self { id, title, blocks }
    }

    /// As HTML; empty when there is nothing in it.
    pub(super) fn html(&self) -> String {
        let body: String = self.blocks.iter().map(Block::html).collect();
        if body.is_empty() {
            return body;
        }
        let (id, title) = (self.id, escaped(self.title));
        format!(
            "<section aria-labelledby=\"{id}\">\n<h2 id=\"{id}\">{title}</h2>\n{body}</section>\n"
        )
    }
}

impl Block {
    fn html(&self) -> String {
        let paragraph = |class: &str, text: &str| match text {
            "" => String::new(),
            text => format!("<p{class}>{}</p>\n", escaped(text)),
        };
        match self {
            Self::Text(text) => paragraph("", text),
            Self::Aside(text) => paragraph(" class=\"muted\"", text),
            Self::Verdict(Tone::Good, text) => paragraph(" class=\"verdict good\"", text),
            Self::Verdict(Tone::Bad, text) => paragraph(" class=\"verdict bad\"", text),
            Self::Heading(text) => format!("<h3>{}</h3>\n", escaped(text)),
            Self::List(lines) => list(lines),
            Self::Table(grid) => table::html(grid),
            Self::Timeline(instants) => table::timeline(instants),
            Self::Figures(figures) => chart::figures(figures),
            Self::Heat(map) => chart::heat(map),
            Self::Code(text) => code(text),
        }
    }
}

fn list(lines: &[String]) -> String {
    if lines.is_empty() {
        return String::new();
    }
    let mut html = "<ul>\n".to_owned();
    for line in lines {
        let _ = writeln!(html, "<li>{}</li>", escaped(line));
    }
    html + "</ul>\n"
}

fn code(text: &str) -> String {
    match text.trim_end() {
        "" => String::new(),
        text => format!(
            "<div class=\"code\"><pre tabindex=\"0\"><code>{}</code></pre></div>\n",
            escaped(text)
        ),
    }
}
