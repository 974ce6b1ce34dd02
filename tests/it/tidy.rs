//! The house rules that a compiler does not know: floors, lengths, heads, words. Each has its
//! exceptions here, by name and with a reason.
//!
//! Not lints: those are in `Cargo.toml`.

use std::fs;
use std::path::{Path, PathBuf};

/// Who may know whom: a module uses its own floor and those below it.
const FLOORS: [&[&str]; 8] = [
    &["units", "input"],
    &["exact", "random", "stats"],
    &["policy"],
    &["model"],
    &["outcome", "theory", "fluid", "sim"],
    &["experiment", "scenario", "formula"],
    &["report"],
    &["cli"],
];

/// Neighbours on one floor, or a floor below, that do not know each other: where two readings of
/// a model agree they agree independently, and a page is made from measures only.
const STRANGERS: [(&str, &str); 8] = [
    ("theory", "sim"),
    ("theory", "fluid"),
    ("fluid", "sim"),
    ("fluid", "theory"),
    ("sim", "theory"),
    ("sim", "fluid"),
    ("report", "sim"),
    ("experiment", "scenario"),
];

const MOST_COLUMNS: usize = 100;
const MOST_LINES: usize = 500;
const MOST_LINES_OF_A_FUNCTION: usize = 70;

/// Files whose lines may be wider.
const WIDE: [(&str, &str); 2] = [
    ("src/outcome/catalogue.rs", "a table: a metric a line"),
    ("src/outcome/catalogue/calls.rs", "a table: a metric a line"),
];

/// Files that may be longer.
const LONG: [(&str, &str); 1] = [(
    "tests/it/diagnostics.rs",
    "scenarios in full, one a mistake",
)];

/// Functions that may be longer.
const LONG_FUNCTIONS: [(&str, &str, &str); 8] = [
    (
        "tests/it/readings.rs",
        "closed_forms_agree_with_the_simulation",
        "a table of cases",
    ),
    ("src/sim/ledger.rs", "enter", "a table: an arm a fact"),
    ("src/sim/digest.rs", "fold", "a table: an arm a fact"),
    (
        "src/sim/recorder/statistics.rs",
        "observe",
        "a table: an arm a fact",
    ),
    (
        "src/sim/recorder/timeline.rs",
        "observe",
        "a table: an arm a fact",
    ),
    (
        "src/report/timeline.rs",
        "sentence",
        "a table: an arm a kind of moment",
    ),
    (
        "src/report/fixture/mod.rs",
        "outage",
        "one model, written out",
    ),
    (
        "tests/it/diagnostics.rs",
        "everything_that_can_be_said",
        "one scenario, written out",
    ),
];

/// Words that stay out, and why. Put together here, so that this file does not have them.
fn banned() -> Vec<(String, &'static str)> {
    let word = |parts: &[&str]| parts.concat();
    vec![
        (word(&["TO", "DO"]), "do it, or say in the manual why not"),
        (word(&["FIX", "ME"]), "fix it"),
        (word(&["dbg", "!("]), "a trace of debugging"),
        (word(&["to", "do!("]), "unfinished"),
        (word(&["unimple", "mented!("]), "unfinished"),
        (word(&["/ro", "ot"]), "a path of one machine"),
        (word(&["/ho", "me/"]), "a path of one machine"),
        (
            word(&["/tm", "p/"]),
            "a path of one machine; tests ask for a directory",
        ),
        (word(&["/wo", "rk/"]), "a path of one machine"),
    ]
}

struct Source {
    /// From the top of the repository, with slashes.
    path: String,
    text: String,
}

impl Source {
    fn lines(&self) -> impl Iterator<Item = (usize, &str)> {
        self.text
            .lines()
            .enumerate()
            .map(|(index, line)| (index + 1, line))
    }

    /// The lines of code before the unit tests.
    fn code(&self) -> impl Iterator<Item = (usize, &str)> {
        self.lines()
            .take_while(|(_, line)| !line.starts_with("#[cfg(test)]"))
            .filter(|(_, line)| !line.trim_start().starts_with("//"))
    }

    /// The module of `src` that it belongs to.
    fn module(&self) -> Option<&str> {
        let inside = self.path.strip_prefix("src/")?;
        inside.split(['/', '.']).next()
    }
}

fn collect(folder: &Path, sources: &mut Vec<Source>) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| entry.expect("readable").path())
        .collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            collect(&path, sources);
        } else if path.extension().is_some_and(|end| end == "rs") {
            let text = fs::read_to_string(&path).expect("readable");
            let path = path.to_string_lossy().replace('\\', "/");
            sources.push(Source { path, text });
        }
    }
}

/// All sources. Tests run at the top of the repository.
fn sources() -> Vec<Source> {
    let mut sources = Vec::new();
    for folder in ["src", "tests", "benches", "examples"] {
        collect(Path::new(folder), &mut sources);
    }
    assert!(sources.len() > 100, "only {} sources found", sources.len());
    sources
}

fn assert_none(wrong: &[String]) {
    assert!(
        wrong.is_empty(),
        "{} to tidy up:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

/// The modules that a line names with `crate::`.
fn named(line: &str) -> impl Iterator<Item = &str> {
    line.split("crate::").skip(1).filter_map(|rest| {
        let end = rest
            .find(|c: char| !c.is_ascii_lowercase() && c != '_')
            .unwrap_or(rest.len());
        (end > 0).then(|| &rest[..end])
    })
}

#[test]
fn nobody_knows_a_floor_above() {
    let floor = |module: &str| FLOORS.iter().position(|floor| floor.contains(&module));
    let mut wrong = Vec::new();
    for source in sources() {
        let Some(module) = source
            .module()
            .filter(|module| !["lib", "main", "manual"].contains(module))
        else {
            continue;
        };
        let Some(own) = floor(module) else {
            wrong.push(format!("{}: `{module}` stands on no floor", source.path));
            continue;
        };
        for (line, text) in source.code() {
            for other in named(text) {
                let above = floor(other).is_none_or(|other| other > own);
                if above || STRANGERS.contains(&(module, other)) {
                    wrong.push(format!("{}:{line}: {module} uses {other}", source.path));
                }
            }
        }
    }
    assert_none(&wrong);
}

#[test]
fn lines_and_files_are_short() {
    let mut wrong = Vec::new();
    for source in sources() {
        let excused = |list: &[(&str, &str)]| list.iter().any(|(path, _)| *path == source.path);
        let lines = source.lines().count();
        if lines > MOST_LINES && !excused(&LONG) {
            wrong.push(format!("{}: {lines} lines", source.path));
        }
        for (line, text) in source.lines() {
            let columns = text.chars().count();
            if columns > MOST_COLUMNS && !excused(&WIDE) {
                wrong.push(format!("{}:{line}: {columns} columns", source.path));
            }
        }
    }
    assert_none(&wrong);
}

/// The name of the function that begins in this line.
fn begins(line: &str) -> Option<&str> {
    let mut words = line.trim_start().split(' ').skip_while(|word| {
        ["pub", "const"].contains(word) || (word.starts_with("pub(") && word.ends_with(')'))
    });
    (words.next() == Some("fn")).then(|| words.next())?
}

#[test]
fn functions_are_short() {
    let mut wrong = Vec::new();
    for source in sources() {
        let lines: Vec<&str> = source.text.lines().collect();
        for (at, line) in lines.iter().enumerate() {
            let Some(name) = begins(line) else { continue };
            let name = name.split(['(', '<']).next().unwrap_or(name);
            let indent = &line[..line.len() - line.trim_start().len()];
            let is_end = |line: &&str| line.strip_prefix(indent).is_some_and(|rest| rest == "}");
            let one_line = line.ends_with('}') || line.ends_with(';');
            let length = lines[at..]
                .iter()
                .position(is_end)
                .filter(|_| !one_line)
                .unwrap_or(0)
                + 1;
            let excused = |(path, function, _): &(&str, &str, &str)| {
                *path == source.path && *function == name
            };
            if length > MOST_LINES_OF_A_FUNCTION && !LONG_FUNCTIONS.iter().any(excused) {
                wrong.push(format!(
                    "{}:{}: {name} has {length} lines",
                    source.path,
                    at + 1
                ));
            }
        }
    }
    assert_none(&wrong);
}

#[test]
fn every_file_says_what_it_is() {
    let headless = |source: &Source| !source.text.starts_with("//! ");
    let wrong = sources()
        .into_iter()
        .filter(headless)
        .map(|source| source.path);
    assert_none(&wrong.collect::<Vec<_>>());
}

#[test]
fn some_words_stay_out() {
    let banned = banned();
    let mut wrong = Vec::new();
    for source in sources() {
        for (line, text) in source.lines() {
            for (word, why) in &banned {
                if text.contains(word.as_str()) {
                    wrong.push(format!("{}:{line}: {word}: {why}", source.path));
                }
            }
        }
        if source.module().is_some() && !source.path.ends_with("testing.rs") {
            for (line, text) in source.code().filter(|(_, text)| text.contains(".unwrap()")) {
                wrong.push(format!(
                    "{}:{line}: say what is expected: {text}",
                    source.path
                ));
            }
        }
    }
    assert_none(&wrong);
}

#[test]
fn the_lock_file_is_committed() {
    assert!(Path::new("Cargo.lock").is_file());
    let ignored = fs::read_to_string(".gitignore").expect("there is one");
    assert!(
        !ignored.lines().any(|line| line.contains("Cargo.lock")),
        "{ignored}"
    );
}
