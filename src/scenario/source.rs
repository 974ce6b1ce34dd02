//! The texts that a scenario comes from, joined into one space of offsets: the file, then each
//! assignment of the command line, so that a place in any of them is one range.
//!
//! Not their meaning: [`super::parse`] and [`super::overlay`] read them.

use crate::input::Span;

/// The texts of a scenario.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    list: Vec<Source>,
}

/// One text.
#[derive(Clone, Debug)]
pub struct Source {
    /// What it is called: a path, or the command line.
    pub name: String,
    /// The text itself.
    pub text: String,
    /// The offset of its first byte.
    pub start: usize,
}

impl Sources {
    /// Adds a text and returns the offset of its first byte.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<String>) -> usize {
        // One byte lies between two texts, so that the end of one is not the start of the next.
        let start = self
            .list
            .last()
            .map_or(0, |last| last.start + last.text.len() + 1);
        self.list.push(Source {
            name: name.into(),
            text: text.into(),
            start,
        });
        start
    }

    /// All texts in order.
    pub fn list(&self) -> &[Source] {
        &self.list
    }

    /// The text that holds a place, with the place in it, cut to whole characters. `None` when
    /// there is no text at all.
    pub fn find(&self, span: &Span) -> Option<(&Source, Span)> {
        let after = self
            .list
            .partition_point(|source| source.start <= span.start);
        let source = self.list.get(after.saturating_sub(1))?;
        let text = &source.text;
        let boundary = |at: &usize| text.is_char_boundary(*at);
        let from = span.start.saturating_sub(source.start).min(text.len());
        let start = (0..=from).rev().find(boundary).unwrap_or(0);
        let to = span.end.saturating_sub(source.start).min(text.len());
        let end = (to..=text.len()).find(boundary).unwrap_or(text.len());
        Some((source, start..end.max(start)))
    }

    /// The line of a place, from 1, for messages in one line.
    pub fn line(&self, span: &Span) -> usize {
        self.find(span).map_or(1, |(source, place)| {
            1 + source.text[..place.start]
                .bytes()
                .filter(|byte| *byte == b'\n')
                .count()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_text_of_a_place() {
        let mut sources = Sources::default();
        assert!(sources.find(&(0..1)).is_none());
        assert_eq!(sources.add("a.toml", "one\ntwo"), 0);
        assert_eq!(sources.add("command line", "--set é=1"), 8);
        let named = |span: Span| {
            let (source, place) = sources.find(&span).expect("there are two");
            (source.name.clone(), place)
        };
        assert_eq!(named(4..7), ("a.toml".to_owned(), 4..7));
        assert_eq!(named(7..7), ("a.toml".to_owned(), 7..7));
        assert_eq!(named(8..13), ("command line".to_owned(), 0..5));
        assert_eq!(named(15..15), ("command line".to_owned(), 6..8), "within é");
        assert_eq!(named(900..990), ("command line".to_owned(), 10..10));
        assert_eq!(sources.line(&(5..6)), 2);
    }
}
