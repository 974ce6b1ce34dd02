//! `queuecast explain`: what a key, a metric, a law or an arrival process means.
//!
//! Not the manual, which says how they work together.

use super::example::assignments;
use super::exit::{Exit, Failed};
use super::glossary::{PARTS, SECTIONS, SYNONYMS, TERMS, Term};
use super::laws::LAWS;
use super::listing::Listing;
use super::options::{Common, Format, quoted};
use super::output::print;
use crate::outcome::{MetricInfo, definitions};
use crate::report::{Grid, Side};
use crate::scenario::{Key, Preset, explain, keys, preset, presets};

/// Say what a key of a scenario, a metric, a law, or a preset means
///
/// A name can be whole, with your own names in it or NAME, or only its end.
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct Args {
    /// A key, a metric, a law, a process of arrivals, or a preset
    #[arg(value_name = "KEY_OR_METRIC", required = true, num_args = 1..)]
    asked: Vec<String>,
}

const EXAMPLES: &str = "\
Examples:
  queuecast explain on_full
  queuecast explain consumers.fleet.service
  queuecast explain queues.orders.wait.p99
  queuecast explain lognormal
  queuecast explain sqs
  queuecast explain wait sojourn";

/// One meaning of what was asked.
#[derive(Clone)]
struct Meaning {
    kind: &'static str,
    name: String,
    doc: String,
    /// What it takes, or the unit it is measured in.
    takes: String,
    default: String,
    example: String,
}

/// Runs the command.
pub(super) fn run(args: &Args, common: &Common) -> Result<Exit, Failed> {
    let together = args.asked.join(" ");
    let together = together.trim();
    let together = together.strip_prefix("preset ").unwrap_or(together).trim();
    if let Some(preset) = preset(together) {
        print(&defaults(preset, common.format)?)?;
        return Ok(Exit::Done);
    }
    let mut meanings = all_of(together);
    if meanings.is_empty() && args.asked.len() > 1 {
        // Not one name in several words, but several names.
        for asked in &args.asked {
            let found = all_of(asked);
            if found.is_empty() {
                return Err(unknown(asked));
            }
            meanings.extend(found);
        }
    }
    if meanings.is_empty() {
        return Err(unknown(together));
    }
    print(&match common.format {
        Format::Text => {
            let texts: Vec<_> = meanings.iter().map(Meaning::text).collect();
            texts.join("\n")
        }
        Format::Json | Format::Csv => {
            let mut listing = Listing::new(&["kind", "name", "doc", "takes", "default", "example"]);
            for Meaning {
                kind,
                name,
                doc,
                takes,
                default,
                example,
            } in &meanings
            {
                listing.push([kind, name, doc, takes, default, example]);
            }
            listing.render(common.format)?
        }
    })?;
    Ok(Exit::Done)
}

/// Every default of a preset, with its source.
fn defaults(preset: &Preset, format: Format) -> Result<String, Failed> {
    let mut listing = Listing::new(&["key", "default", "source"]);
    for key in preset.keys {
        listing.push([&key.pattern(), &key.shown(), key.source]);
    }
    let list = listing.render(format)?;
    Ok(match format {
        Format::Text => format!("{} (preset): {}\n{list}", preset.name, preset.doc),
        Format::Json | Format::Csv => list,
    })
}

/// All that a name means: what has it, else what the word stands for, else what others call so.
fn all_of(asked: &str) -> Vec<Meaning> {
    let mut found = meanings(asked);
    // `sweep` is a section, and the end of a key.
    if found.is_empty() || SECTIONS.iter().any(|term| term.name == asked) {
        found.extend(words(asked));
    }
    if found.is_empty() {
        let plain = asked.to_lowercase().replace(['_', '-', ' '], "");
        let called = SYNONYMS.iter().filter(|(word, _)| *word == plain);
        found = called.flat_map(|(_, ours)| meanings(ours)).collect();
    }
    found
}

fn meanings(asked: &str) -> Vec<Meaning> {
    let keys = explain(asked).into_iter().map(of_key);
    let laws = LAWS
        .iter()
        .filter(|law| law.name == asked)
        .map(|law| Meaning {
            kind: "law",
            name: law.name.to_owned(),
            doc: law.doc.to_owned(),
            takes: law.takes.to_owned(),
            default: String::new(),
            example: format!("service = {}", written(law.example)),
        });
    let mut known = definitions();
    known.retain(|metric| is_meant(&metric.name, asked));
    let metrics = known.chunk_by(|one, next| family(&one.name) == family(&next.name));
    keys.chain(laws).chain(metrics.map(metric)).collect()
}

fn of_key(key: &Key) -> Meaning {
    Meaning {
        kind: "key",
        name: key.pattern.to_owned(),
        doc: key.doc.to_owned(),
        takes: key.takes.to_owned(),
        default: key.default.to_owned(),
        example: assignments(key)
            .iter()
            .map(|one| format!("--set {}", quoted(one)))
            .collect::<Vec<_>>()
            .join(" "),
    }
}

/// What a word means that is no name by itself: a part of metrics, a section, a word that keys take
/// as their value, or a term.
fn words(asked: &str) -> Vec<Meaning> {
    let plain = |kind, term: &Term, takes| Meaning {
        kind,
        name: term.name.to_owned(),
        doc: term.doc.to_owned(),
        takes,
        default: String::new(),
        example: String::new(),
    };
    let part = asked.trim_start_matches('.');
    let parts = PARTS.iter().filter(|term| term.name == part);
    let parts = parts.map(|term| plain("part of a metric", term, read_as(term.name)));
    let bare = asked.trim_matches(['[', ']']);
    let is_section = |term: &&Term| term.name == bare || term.name.strip_suffix('s') == Some(bare);
    let sections = SECTIONS.iter().filter(is_section);
    let sections = sections.map(|term| plain("section", term, keys_below(term.name)));
    let spelled = [format!("\"{asked}\""), format!("{{ {asked}")];
    let takes = |key: &&Key| spelled.iter().any(|it| key.takes.contains(it));
    let values = keys().iter().filter(takes).map(of_key);
    let terms = TERMS
        .iter()
        .filter(|term| term.name.eq_ignore_ascii_case(asked));
    let terms = terms.map(|term| plain("term", term, String::new()));
    parts.chain(sections).chain(values).chain(terms).collect()
}

/// The metrics that have this part.
fn read_as(part: &str) -> String {
    let known = definitions();
    let ending = format!(".{part}");
    let ends = known
        .iter()
        .filter_map(|info| info.name.strip_suffix(&ending));
    let mut names: Vec<_> = ends.filter_map(|name| name.rsplit('.').next()).collect();
    names.sort_unstable();
    names.dedup();
    names.join(", ")
}

/// The keys of a section, without their inner ones.
fn keys_below(section: &str) -> String {
    let inside = |key: &&Key| key.pattern.split('.').next() == Some(section);
    let depth = if matches!(section, "run" | "sweep") {
        1
    } else {
        2
    };
    let names = keys().iter().filter(inside).filter_map(|key| {
        let parts: Vec<_> = key.pattern.split('.').collect();
        (parts.len() == depth + 1).then(|| parts[depth])
    });
    names.collect::<Vec<_>>().join(", ")
}

/// A value as it is written in a file: words in quotes.
fn written(example: &str) -> String {
    if example.starts_with('{') {
        example.to_owned()
    } else {
        format!("\"{example}\"")
    }
}

/// The name of a metric without `.p99` and the like: `queues.NAME.wait`.
pub(super) fn family(name: &str) -> &str {
    let third = name.match_indices('.').nth(2);
    third.map_or(name, |(end, _)| &name[..end])
}

/// One metric, or all that are read of one thing.
fn metric(infos: &[MetricInfo]) -> Meaning {
    let first = &infos[0];
    let family = family(&first.name);
    let unit = first.unit.word();
    let parts: Vec<_> = infos
        .iter()
        .map(|info| &info.name[family.len()..])
        .collect();
    let (name, takes) = if let [only] = infos {
        (only.name.as_str(), unit.to_owned())
    } else {
        (family, format!("{unit}; read as {}", parts.join(" ")))
    };
    Meaning {
        kind: "metric",
        name: name.to_owned(),
        doc: first.doc.to_owned(),
        takes,
        default: String::new(),
        example: String::new(),
    }
}

/// Whether a metric's name, `queues.NAME.wait.p99`, is what was asked for: all of it, or its part
/// behind the component's name, with its `.p99` or without.
fn is_meant(name: &str, asked: &str) -> bool {
    let known: Vec<_> = name.split('.').collect();
    let words: Vec<_> = asked.split('.').collect();
    let fits = |known: &[&str], words: &[&str]| {
        let same = |(known, word): (&&str, &&str)| *known == "NAME" || known == word;
        known.len() == words.len() && known.iter().zip(words).all(same)
    };
    // Behind the section and the component's name.
    let own = &known[2..];
    fits(&known, &words)
        || fits(own, &words)
        || fits(&known[..3], &words)
        || fits(&own[..1], &words)
}

impl Meaning {
    fn text(&self) -> String {
        let mut grid = Grid::new("", &[], &[Side::Left, Side::Left]);
        let takes = match self.kind {
            "metric" => "unit",
            "part of a metric" => "of",
            "section" => "keys",
            _ => "takes",
        };
        let lines = [
            ("means", &self.doc),
            (takes, &self.takes),
            ("default", &self.default),
            ("example", &self.example),
        ];
        let lines = lines.into_iter().filter(|(_, text)| !text.is_empty());
        grid.rows = lines
            .map(|(name, text)| vec![name.to_owned(), text.clone()])
            .collect();
        format!("{} ({})\n{}", self.name, self.kind, grid.text())
    }
}

fn unknown(asked: &str) -> Failed {
    let failed = Failed::new(format!("nothing is called `{asked}`"));
    match nearest(asked) {
        Some(near) => failed.hint(format!("did you mean `{near}`?")),
        None => failed.hint("`queuecast list keys`, `list metrics` and `list laws` name all"),
    }
}

/// The name that looks most like what was asked for.
fn nearest(asked: &str) -> Option<String> {
    let whole = keys().iter().map(|key| key.pattern.to_owned());
    let metrics = definitions().into_iter().map(|metric| metric.name);
    let laws = LAWS.iter().map(|law| law.name.to_owned());
    let presets = presets().iter().map(|preset| preset.name.to_owned());
    let names: Vec<String> = whole.chain(metrics).chain(laws).chain(presets).collect();
    let ends = names.iter().filter_map(|name| name.rsplit('.').next());
    let own = names.iter().filter_map(|name| name.splitn(3, '.').nth(2));
    let families = names.iter().filter_map(|name| name.split('.').nth(2));
    let all = names
        .iter()
        .map(String::as_str)
        .chain(ends)
        .chain(own)
        .chain(families);
    let likeness = |name: &str| strsim::jaro_winkler(name, asked);
    let near = all.filter(|name| likeness(name) > 0.8);
    let best = near.max_by(|a, b| likeness(a).total_cmp(&likeness(b)));
    best.map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_metric_is_found_by_all_of_its_names() {
        for asked in ["queues.orders.wait.p99", "queues.NAME.wait.p99", "wait.p99"] {
            assert!(is_meant("queues.NAME.wait.p99", asked), "{asked}");
        }
        for asked in ["queues.orders.wait", "wait"] {
            assert!(is_meant("queues.NAME.wait.p99", asked), "{asked}");
        }
        for asked in ["p99", "queues", "queues.orders", "producers.a.wait.p99"] {
            assert!(!is_meant("queues.NAME.wait.p99", asked), "{asked}");
        }
    }

    #[test]
    fn everything_that_is_listed_can_be_explained() {
        for key in keys() {
            assert!(!meanings(key.pattern).is_empty(), "{}", key.pattern);
        }
        for info in definitions() {
            assert!(!meanings(&info.name).is_empty(), "{}", info.name);
        }
    }

    #[test]
    fn words_that_are_no_names_are_explained_too() {
        let terms = PARTS.iter().chain(&SECTIONS).chain(&TERMS);
        let values = [
            "block",
            "reject",
            "retry",
            "drop_oldest",
            "poisson",
            "outage",
        ];
        for asked in terms.map(|term| term.name).chain(values) {
            let known = [meanings(asked), words(asked)].concat();
            assert!(known.iter().any(|it| !it.doc.is_empty()), "{asked}");
        }
        for term in &PARTS {
            assert!(!read_as(term.name).is_empty(), "{}", term.name);
        }
        for term in &SECTIONS {
            assert!(!keys_below(term.name).is_empty(), "{}", term.name);
        }
    }

    #[test]
    fn words_of_brokers_lead_to_ours() {
        for (word, ours) in SYNONYMS {
            assert!(!meanings(ours).is_empty(), "{word} -> {ours}");
            assert!(!all_of(word).is_empty(), "{word}");
        }
        for asked in [
            "maxReceiveCount",
            "ack deadline",
            "consumer lag",
            "DLQ",
            "max_attempts",
        ] {
            assert!(!all_of(asked).is_empty(), "{asked}");
        }
        let names: Vec<_> = all_of("dlq").into_iter().map(|it| it.name).collect();
        assert!(
            names.contains(&"queues.NAME.dead_letter".to_owned()),
            "{names:?}"
        );
    }

    #[test]
    fn a_near_miss_is_named() {
        assert_eq!(nearest("conut").as_deref(), Some("count"));
        assert_eq!(nearest("waitt").as_deref(), Some("wait"));
        assert_eq!(nearest("lognromal").as_deref(), Some("lognormal"));
        assert_eq!(nearest("sqs_ffio").as_deref(), Some("sqs_fifo"));
        assert_eq!(nearest("%%%%"), None);
    }
}
