//! The commands and the files of the manual's pages: each `$ …` of a console block is run, each
//! TOML block is loaded.
//!
//! Not the generated lists, nor the tests that rules name (`manual`); the pieces of `brokers` are
//! run there too. A page has a folder of its own with the gallery in it, and its commands are run
//! from top to bottom, so that one can use what an earlier one wrote. What is shown below a command
//! must be its output, line by line; `…` alone on a line stands for any lines, within a line for
//! any text. Nothing shown, nothing held. A command that fails must be followed by `$ echo $?`. A
//! TOML block whose first line is a name, `# orders.toml`, is put there. `QUEUECAST_BLESS=1` lays
//! the nearest lines of the output over those that are out of date.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use queuecast::scenario::{Color, Scenario};
use rayon::prelude::*;

use crate::cli::Desk;

const GAP: &str = "…";

/// A `$` line with what goes on from it, and the lines below it.
#[derive(Default)]
struct Step {
    command: Vec<String>,
    shown: Vec<String>,
}

/// A page's folder, and what its last command said.
struct Reader {
    desk: Desk,
    code: i32,
    run: usize,
    /// Whether `jq` is installed; without it a block is read as far as its first `jq`.
    jq: bool,
}

fn pages() -> Vec<PathBuf> {
    let entries = fs::read_dir("src/manual").expect("the manual");
    let mut pages: Vec<_> = entries.map(|entry| entry.expect("a page").path()).collect();
    pages.retain(|path| path.extension().is_some_and(|end| end == "rs"));
    pages.sort();
    pages
}

/// A line of a page as rustdoc reads it.
fn text_of(line: &str) -> Option<&str> {
    let text = line.strip_prefix("//!")?;
    Some(text.strip_prefix(' ').unwrap_or(text))
}

fn steps(lines: &[String]) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let mut goes_on = false;
    for line in lines {
        if !goes_on && line.starts_with("$ ") {
            steps.push(Step::default());
        }
        let step = steps.last_mut().expect("a block begins with a command");
        if goes_on || line.starts_with("$ ") {
            step.command.push(line.clone());
            goes_on = line.ends_with('\\');
        } else {
            step.shown.push(line.clone());
        }
    }
    steps
}

fn line_fits(shown: &str, line: &str) -> bool {
    let mut parts = shown.split(GAP);
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = line.strip_prefix(first) else {
        return false;
    };
    let mut last = None;
    for part in parts {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
        last = Some(part);
    }
    last.map_or(rest.is_empty(), |last| {
        last.is_empty() || line.ends_with(last)
    })
}

fn piece_fits(piece: &[String], lines: &[String]) -> bool {
    piece.len() == lines.len() && piece.iter().zip(lines).all(|(a, b)| line_fits(a, b))
}

/// Whether what is shown is the output with gaps where it says so.
fn fits(shown: &[String], output: &[String]) -> bool {
    let pieces: Vec<_> = shown.split(|line| line.trim() == GAP).collect();
    let (last, before) = pieces.split_last().expect("a split has a piece");
    let mut from = 0;
    for (index, piece) in before.iter().enumerate() {
        let starts = if index == 0 { 0..1 } else { from..output.len() };
        let found = starts.into_iter().find(|&at| {
            let lines = output.get(at..at + piece.len());
            lines.is_some_and(|lines| piece_fits(piece, lines))
        });
        match found {
            Some(at) => from = at + piece.len(),
            None => return false,
        }
    }
    let tail = output.len().checked_sub(last.len());
    tail.is_some_and(|at| {
        (if before.is_empty() {
            at == 0
        } else {
            at >= from
        }) && piece_fits(last, &output[at..])
    })
}

/// What is shown, each piece of it replaced by as many lines of the output as look most like it.
fn nearest(shown: &[String], output: &[String]) -> Vec<String> {
    if !shown.iter().any(|line| line.trim() == GAP) {
        return output.to_vec();
    }
    let mut made = Vec::new();
    let mut from = 0;
    for (index, piece) in shown.split(|line| line.trim() == GAP).enumerate() {
        if index > 0 {
            made.push(GAP.to_owned());
        }
        let far = |at: &usize| -> usize {
            let lines = &output[*at..at + piece.len()];
            let pairs = piece.iter().zip(lines);
            pairs.map(|(a, b)| strsim::levenshtein(a, b)).sum()
        };
        let ends = output.len().saturating_sub(piece.len());
        if let Some(at) = (from..=ends).min_by_key(far) {
            made.extend_from_slice(&output[at..at + piece.len()]);
            from = at + piece.len();
        }
    }
    made
}

impl Reader {
    fn new() -> Self {
        let desk = Desk::new();
        for entry in fs::read_dir("scenarios").expect("the gallery") {
            let path = entry.expect("an entry").path();
            if path.is_file() {
                let text = fs::read_to_string(&path).expect("a scenario");
                desk.put(&path.to_string_lossy(), &text);
            }
        }
        Self {
            desk,
            code: 0,
            run: 0,
            jq: Command::new("jq").arg("--version").output().is_ok(),
        }
    }

    /// What a shell answers, both streams as a terminal would show them.
    fn asks(&mut self, command: &[String]) -> Vec<String> {
        let mut script = format!("exec 2>&1\n(exit {})\n", self.code);
        for line in command {
            script += line.strip_prefix("$ ").unwrap_or(line);
            script.push('\n');
        }
        let program = Path::new(env!("CARGO_BIN_EXE_queuecast"));
        let mut path = program.parent().expect("a folder").as_os_str().to_owned();
        path.push(":");
        path.push(std::env::var_os("PATH").unwrap_or_default());
        let output = Command::new("sh")
            .args(["-c", &script])
            .current_dir(self.desk.path())
            .env("PATH", path)
            .env_remove("NO_COLOR")
            .output()
            .expect("a shell");
        self.code = output.status.code().expect("it ends by itself");
        self.run += 1;
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        text.trim_end()
            .lines()
            .map(|line| line.trim_end().to_owned())
            .collect()
    }

    /// A console block with what its commands answer; into `wrong`, what it shows and is not so.
    fn console(&mut self, lines: &[String], wrong: &mut String) -> Vec<String> {
        let mut made = Vec::new();
        let mut steps = steps(lines).into_iter().peekable();
        while let Some(Step { command, shown }) = steps.next() {
            if !self.jq && command.iter().any(|line| line.contains("jq ")) {
                made.extend(command.into_iter().chain(shown));
                made.extend(steps.flat_map(|step| step.command.into_iter().chain(step.shown)));
                break;
            }
            let output = self.asks(&command);
            let told = steps
                .peek()
                .is_some_and(|next| next.command == ["$ echo $?"]);
            if self.code != 0 && !told {
                writeln!(wrong, "{command:?} ends with {}:\n{output:#?}", self.code).unwrap();
            }
            made.extend(command.iter().cloned());
            let held = shown
                .iter()
                .rposition(|line| !line.is_empty())
                .map_or(0, |at| at + 1);
            if held == 0 || fits(&shown[..held], &output) {
                made.extend(shown);
                continue;
            }
            writeln!(wrong, "{command:?} answers\n{}\n", output.join("\n")).unwrap();
            made.extend(nearest(&shown[..held], &output));
            made.extend_from_slice(&shown[held..]);
        }
        made
    }
}

/// A file of its own, or sections that can stand below those that `init` writes.
fn loads(reader: &Reader, lines: &[String]) -> Result<(), String> {
    let text = lines.join("\n") + "\n";
    let name = lines[0].strip_prefix("# ").filter(|name| {
        !name.contains(' ') && Path::new(name).extension().is_some_and(|end| end == "toml")
    });
    if let Some(name) = name {
        reader.desk.put(name, &text);
    }
    let load = |text: &str| Scenario::from_text("page.toml", text, &[], reader.desk.path());
    let alone = load(&text);
    if alone.is_ok() || name.is_none() && load(&(crate::cli::OUTAGE.to_owned() + &text)).is_ok() {
        return Ok(());
    }
    Err(alone.err().map_or_else(String::new, |why| {
        format!("{text}{}", why.render(Color::Never))
    }))
}

/// A page with every command's answer, what is wrong in it, and how many commands it has.
fn read(page: &Path) -> (String, String, usize) {
    let text = fs::read_to_string(page).expect("a page");
    let pieces = page.ends_with("brokers.rs");
    let mut reader = Reader::new();
    let (mut made, mut wrong) = (String::new(), String::new());
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        made += line;
        made.push('\n');
        let Some(language) = text_of(line).and_then(|text| text.strip_prefix("```")) else {
            continue;
        };
        let block: Vec<_> = lines
            .by_ref()
            .map_while(text_of)
            .take_while(|text| !text.starts_with("```"))
            .map(str::to_owned)
            .collect();
        let block = match language {
            "console" => reader.console(&block, &mut wrong),
            "toml" if !pieces => {
                loads(&reader, &block).unwrap_or_else(|why| wrong += &why);
                block
            }
            _ => {
                let asks = |line: &String| line.trim_start().starts_with("queuecast ");
                if let Some(line) = block.iter().find(|line| asks(line)) {
                    writeln!(wrong, "not in a console block, so never run: {line}").unwrap();
                }
                block
            }
        };
        for line in block {
            made += format!("//! {line}").trim_end();
            made.push('\n');
        }
        made += "//! ```\n";
    }
    (made, wrong, reader.run)
}

#[test]
fn the_commands_of_the_manual_answer_as_it_says() {
    let read: Vec<_> = pages()
        .into_par_iter()
        .map(|page| {
            let (made, wrong, run) = read(&page);
            (page, made, wrong, run)
        })
        .collect();
    let mut all = String::new();
    for (page, made, wrong, _) in &read {
        if std::env::var_os("QUEUECAST_BLESS").is_some() {
            fs::write(page, made).expect("written");
        }
        if !wrong.is_empty() {
            writeln!(all, "{}:\n{wrong}", page.display()).unwrap();
        }
    }
    let run: usize = read.iter().map(|page| page.3).sum();
    assert!(run >= 40, "only {run} commands are shown");
    assert!(
        all.is_empty(),
        "{all}run the tests with QUEUECAST_BLESS=1, and look at what changed"
    );
}

/// Each page of the guided path ends where the next begins.
#[test]
fn the_guided_path_goes_on_from_page_to_page() {
    let list = fs::read_to_string("src/manual/mod.rs").expect("the list of pages");
    let path = list.split("# The pages").next().expect("a path");
    let steps: Vec<_> = path
        .lines()
        .filter_map(|line| line.split_once(". [`"))
        .map(|(_, rest)| rest.split('`').next().expect("a name"))
        .collect();
    assert!(!steps.is_empty(), "the path has no steps");
    for pair in steps.windows(2) {
        let text = fs::read_to_string(format!("src/manual/{}.rs", pair[0])).expect(pair[0]);
        let last = text.trim_end().rsplit("//!\n").next().expect("a last line");
        assert!(last.contains(&format!("super::{}", pair[1])), "{pair:?}");
    }
}

#[test]
fn gaps_are_as_wide_as_they_say() {
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    let output = lines("a 1\nb 2\nc 3\nd 4");
    for right in [
        "a 1\n…\nd 4",
        "…\nb 2\nc 3\n…",
        "a …\n…",
        "…\nb 2\n…\nd 4",
        "…",
    ] {
        assert!(fits(&lines(right), &output), "{right}");
    }
    for wrong in [
        "a 1",
        "b 2\n…",
        "…\nb 2\nd 4",
        "…\nc 3\n…\nb 2\n…",
        "…\nd …5",
        "a 1\n…\nc 3",
    ] {
        assert!(!fits(&lines(wrong), &output), "{wrong}");
    }
    assert_eq!(nearest(&lines("…\nb 9\n…"), &output), lines("…\nb 2\n…"));
}
