//! The manual is held to the program: its lists of keys and metrics are generated, and the tests
//! that its rules name exist.
//!
//! Not its prose. `UPDATE_GOLDEN=1 cargo test manual` writes the lists anew.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use queuecast::experiment::conduct;
use queuecast::outcome::definitions;
use queuecast::scenario::{Color, Key, Scenario, keys, presets};
use queuecast::sim::Detail;

fn held(path: &str, text: &str) {
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(path, text).unwrap();
    }
    let found = fs::read_to_string(path).unwrap();
    assert_eq!(found, text, "{path} is out of date: UPDATE_GOLDEN=1");
}

#[test]
fn every_key_stands_in_the_manual() {
    let line = |key: &Key| {
        let default = match key.default {
            "" => String::new(),
            "required" => "; required".to_owned(),
            default => format!("; default: {default}"),
        };
        let Key {
            pattern,
            takes,
            doc,
            example,
            ..
        } = key;
        format!("- `{pattern}`: {doc}. Takes {takes}{default}. Example: `{example}`\n")
    };
    held(
        "src/manual/keys.md",
        &keys().iter().map(line).collect::<String>(),
    );
}

/// A metric with parts (`wait.mean`, `wait.p50` …) has one line.
#[test]
fn every_metric_stands_in_the_manual() {
    let mut text = String::new();
    let mut last = "";
    let all = definitions();
    for info in &all {
        if info.doc == last {
            let part = info.name.rsplit('.').next().unwrap();
            write!(text, " `.{part}`").unwrap();
            continue;
        }
        last = info.doc;
        let unit = info.unit.word();
        write!(text, "\n- {} ({unit}): `{}`", info.doc, info.name).unwrap();
    }
    held("src/manual/metrics.md", &format!("{}\n", text.trim_start()));
}

#[test]
fn every_preset_stands_in_the_manual_with_its_sources() {
    let mut text = String::new();
    for preset in presets() {
        write!(text, "**{}**: {}.\n\n", preset.name, preset.doc).unwrap();
        text += "| key | default | source |\n|---|---|---|\n";
        for key in preset.keys {
            let (pattern, shown) = (key.pattern(), key.shown().replace('`', ""));
            writeln!(text, "| `{pattern}` | `{shown}` | {} |", key.source).unwrap();
        }
        text += "\n";
    }
    held("src/manual/presets.md", &format!("{}\n", text.trim_end()));
}

/// The first piece of the page is the head of all others.
#[test]
fn what_brokers_do_is_what_the_manual_shows() {
    let page = fs::read_to_string("src/manual/brokers.rs").unwrap();
    let lines = page.lines().filter_map(|line| line.strip_prefix("//!"));
    let lines: Vec<_> = lines
        .map(|line| line.strip_prefix(' ').unwrap_or(line))
        .collect();
    let text = lines.join("\n");
    let mut pieces = text
        .split("```toml\n")
        .skip(1)
        .map(|rest| rest.split("```").next().unwrap());
    let head = pieces.next().expect("a head");
    let mut shown = 0;
    for piece in pieces {
        // What a piece says of the producer goes on where the head ended.
        let more = piece.strip_prefix("[producers.shop]\n").unwrap_or(piece);
        let scenario =
            Scenario::from_text("piece.toml", &format!("{head}{more}"), &[], Path::new(""));
        let Scenario {
            model,
            expectations,
            ..
        } = match scenario {
            Ok(scenario) => scenario,
            Err(why) => panic!("{piece}: {}", why.render(Color::Never)),
        };
        let measures = conduct(&model, Detail::Measures, &|_| {}).measures;
        assert!(!expectations.is_empty(), "{piece}");
        for expected in expectations {
            let observed = measures.value(&expected.metric);
            assert!(expected.holds(observed), "{}: {observed:?}", expected.text);
        }
        shown += 1;
    }
    assert!(shown >= 13, "only {shown} mechanisms are shown");
}

/// What looks like `file.rs: a_test`, in any page.
fn named_tests(page: &str) -> Vec<(String, String)> {
    let text: String = page
        .lines()
        .filter_map(|line| line.strip_prefix("//!"))
        .collect();
    let quoted = text.split('`').skip(1).step_by(2);
    let pair = |quote: &str| {
        let (file, name) = quote.split_once(".rs:")?;
        let is_name = |text: &str| {
            text.bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_')
        };
        let name = name.trim();
        (is_name(name) && is_name(file)).then(|| (format!("{file}.rs"), name.to_owned()))
    };
    quoted.filter_map(pair).collect()
}

fn sources(folder: &Path, into: &mut Vec<(String, String)>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, into);
        } else if path.extension().is_some_and(|end| end == "rs") {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            into.push((name, fs::read_to_string(path).unwrap()));
        }
    }
}

#[test]
fn the_tests_that_rules_name_exist() {
    let mut all = Vec::new();
    sources(Path::new("src"), &mut all);
    sources(Path::new("tests"), &mut all);
    let mut named = 0;
    for page in fs::read_dir("src/manual").unwrap() {
        let page = page.unwrap().path();
        for (file, test) in named_tests(&fs::read_to_string(&page).unwrap()) {
            named += 1;
            let function = format!("fn {test}(");
            let exists =
                |(name, text): &(String, String)| *name == file && text.contains(&function);
            assert!(all.iter().any(exists), "{}: {file}: {test}", page.display());
        }
    }
    assert!(named > 25, "only {named} tests are named");
}

#[test]
fn scenarios_that_pages_name_exist() {
    let rules = fs::read_to_string("src/manual/semantics.rs").unwrap();
    let named = rules.match_indices("*Scenario").count();
    assert!(named > 5, "only {named} rules name scenarios");
    for part in rules.split("*Scenario").skip(1) {
        let list = part
            .split("*Test")
            .next()
            .unwrap()
            .split("//!\n")
            .next()
            .unwrap();
        for name in list.split('`').skip(1).step_by(2) {
            assert!(
                Path::new(&format!("scenarios/{name}.toml")).exists(),
                "{name}"
            );
        }
    }
}
