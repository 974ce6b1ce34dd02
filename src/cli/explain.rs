//! `queuecast explain`: what a key, a metric, a law or an arrival process means.
//!
//! Not the manual, which says how they work together.

use super::exit::{Exit, Failed};
use super::laws::LAWS;
use super::listing::Listing;
use super::options::{Common, Format, quoted};
use super::output::print;
use crate::outcome::{MetricInfo, definitions};
use crate::report::{Grid, Side};
use crate::scenario::{explain, keys};

/// Say what a key of a scenario, a metric, or a law means
///
/// A name can be whole, with your own names in it or NAME, or only its end.
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct Args {
    /// A key, a metric, a law, or a process of arrivals
    #[arg(value_name = "KEY_OR_METRIC")]
    asked: String,
}

const EXAMPLES: &str = "\
Examples:
  queuecast explain on_full
  queuecast explain consumers.fleet.service
  queuecast explain queues.orders.wait.p99
  queuecast explain lognormal";

/// One meaning of what was asked.
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
    let asked = args.asked.trim();
    let meanings = meanings(asked);
    if meanings.is_empty() {
        return Err(unknown(asked));
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

fn meanings(asked: &str) -> Vec<Meaning> {
    let keys = explain(asked).into_iter().map(|key| Meaning {
        kind: "key",
        name: key.pattern.to_owned(),
        doc: key.doc.to_owned(),
        takes: key.takes.to_owned(),
        default: key.default.to_owned(),
        example: format!(
            "--set {}",
            quoted(&format!("{}={}", key.pattern, key.example))
        ),
    });
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

/// A value as it is written in a file: words in quotes.
fn written(example: &str) -> String {
    if example.starts_with('{') {
        example.to_owned()
    } else {
        format!("\"{example}\"")
    }
}

/// The name of a metric without `.p99` and the like: `queues.NAME.wait`.
fn family(name: &str) -> &str {
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
    let list = "`queuecast list keys`, `list metrics` and `list laws` name everything";
    match nearest(asked) {
        Some(near) => failed.hint(format!("did you mean `{near}`? {list}")),
        None => failed.hint(list),
    }
}

/// The name that looks most like what was asked for.
fn nearest(asked: &str) -> Option<String> {
    let whole = keys().iter().map(|key| key.pattern.to_owned());
    let metrics = definitions().into_iter().map(|metric| metric.name);
    let laws = LAWS.iter().map(|law| law.name.to_owned());
    let names: Vec<String> = whole.chain(metrics).chain(laws).collect();
    let ends = names.iter().filter_map(|name| name.rsplit('.').next());
    let own = names.iter().filter_map(|name| name.splitn(3, '.').nth(2));
    let all = names.iter().map(String::as_str).chain(ends).chain(own);
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
    fn a_near_miss_is_named() {
        assert_eq!(nearest("conut").as_deref(), Some("count"));
        assert_eq!(nearest("lognromal").as_deref(), Some("lognormal"));
        assert_eq!(nearest("%%%%"), None);
    }
}
