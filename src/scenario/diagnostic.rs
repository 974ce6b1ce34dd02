//! Problems as people read them: the line, a caret under the place, the reason, the way out.
//!
//! Not how problems are found: the readers file them in [`Problems`].

use annotate_snippets::renderer::DEFAULT_TERM_WIDTH;
use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Renderer, Snippet};

use super::source::{Source, Sources};
use crate::input::{Note, Problem, Problems, Severity, Span};

/// Whether text carries the escapes of a terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Color {
    /// Plain text.
    Never,
    /// Colours and bold.
    Always,
}

/// So many problems are shown, and the others counted: nobody reads more at once.
const MOST_SHOWN: usize = 40;

/// All problems with their places, in the order of the places, and a last line that counts the
/// errors. Empty when there is no problem.
pub fn render(problems: &Problems, sources: &Sources, color: Color) -> String {
    let renderer = match color {
        Color::Never => Renderer::plain(),
        Color::Always => Renderer::styled(),
    };
    let renderer = renderer.term_width(DEFAULT_TERM_WIDTH);
    let sorted = problems.sorted();
    let mut text = String::new();
    for problem in sorted.iter().take(MOST_SHOWN) {
        text += &renderer.render(&report(problem, sources));
        text += "\n\n";
    }
    let errors = sorted
        .iter()
        .filter(|it| it.severity == Severity::Error)
        .count();
    let count = match errors {
        0 => return text,
        1 => "1 error".to_owned(),
        _ => format!("{errors} errors"),
    };
    let hidden = match sorted.len().saturating_sub(MOST_SHOWN) {
        0 => String::new(),
        more => format!(", {more} problems not shown"),
    };
    text + &format!("error: {count} in the scenario{hidden}\n")
}

fn report<'a>(problem: &'a Problem, sources: &'a Sources) -> Vec<Group<'a>> {
    let level = match problem.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let mut group = Group::with_title(level.primary_title(problem.title.as_str()));
    for snippet in snippets(problem, sources) {
        group = group.element(snippet);
    }
    let help = |text: &'a String| Group::with_title(Level::HELP.secondary_title(text.as_str()));
    let mut report = vec![group];
    report.extend(problem.help.iter().map(help));
    report
}

/// A snippet for each text that has a place of the problem, the main place first.
fn snippets<'a>(problem: &'a Problem, sources: &'a Sources) -> Vec<Snippet<'a, Annotation<'a>>> {
    let mut snippets: Vec<(&Source, Snippet<'a, Annotation<'a>>)> = Vec::new();
    let places = std::iter::once((AnnotationKind::Primary, &problem.at));
    let also = problem
        .also
        .iter()
        .map(|note| (AnnotationKind::Context, note));
    for (kind, note) in places.chain(also) {
        let Some((source, place)) = sources.find(&note.span) else {
            continue;
        };
        let mark = annotation(kind, note, source, place);
        let known = snippets
            .iter()
            .position(|(other, _)| other.start == source.start);
        let (_, snippet) = match known {
            Some(at) => snippets.remove(at),
            None => (source, Snippet::source(&source.text).path(&source.name)),
        };
        let at = known.unwrap_or(snippets.len());
        snippets.insert(at, (source, snippet.annotation(mark)));
    }
    snippets.into_iter().map(|(_, snippet)| snippet).collect()
}

fn annotation<'a>(
    kind: AnnotationKind,
    note: &'a Note,
    source: &Source,
    place: Span,
) -> Annotation<'a> {
    // A place that runs over several lines is shown by its first.
    let first = source.text[place.clone()].lines().next().unwrap_or("");
    let mark = kind.span(place.start..place.start + first.len());
    if note.text.is_empty() {
        mark
    } else {
        mark.label(note.text.as_str())
    }
}
