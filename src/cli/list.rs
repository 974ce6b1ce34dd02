//! `queuecast list`: what there is, by kind.
//!
//! Not what each thing means at length: that is `explain`.

use std::path::{Path, PathBuf};

use clap::ValueEnum;

use super::exit::{Exit, Failed};
use super::explain::family;
use super::files::scenarios;
use super::laws::LAWS;
use super::listing::Listing;
use super::options::{Common, Format};
use super::output::print;
use crate::formula::models;
use crate::outcome::definitions;
use crate::scenario::{Scenario, keys, presets};

/// List scenarios, laws, arrival processes, metrics, keys, presets, or models
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct Args {
    /// What to list; nothing lists what can be listed
    #[arg(value_enum)]
    what: Option<What>,
}

const EXAMPLES: &str = "\
Examples:
  queuecast list metrics
  queuecast list keys --format csv
  queuecast explain wait";

#[derive(Clone, Copy, Debug, ValueEnum)]
enum What {
    /// The scenarios below `scenarios/`, with their titles
    Scenarios,
    /// Laws of random times, sizes and counts
    Laws,
    /// Processes of arrivals
    Arrivals,
    /// What is measured
    Metrics,
    /// Every key of a scenario
    Keys,
    /// Brokers whose defaults a queue can have
    Presets,
    /// What `queuecast formula` knows
    #[value(alias = "formulas")]
    Models,
}

/// Where the gallery is.
const GALLERY: &str = "scenarios";

/// Runs the command.
pub(super) fn run(args: &Args, common: &Common) -> Result<Exit, Failed> {
    let listing = match args.what {
        None => kinds(),
        Some(What::Scenarios) => gallery()?,
        Some(What::Laws) => laws(),
        Some(What::Arrivals) => arrivals(),
        Some(What::Metrics) => metrics(common.format),
        Some(What::Keys) => all_keys(),
        Some(What::Presets) => all_presets(),
        Some(What::Models) => all_models(),
    };
    print(&listing.render(common.format)?)?;
    Ok(Exit::Done)
}

fn kinds() -> Listing {
    let mut listing = Listing::new(&["kind", "doc"]);
    for what in What::value_variants() {
        if let Some(value) = what.to_possible_value() {
            let doc = value.get_help().map(ToString::to_string);
            listing.push([value.get_name(), &doc.unwrap_or_default()]);
        }
    }
    listing
}

fn gallery() -> Result<Listing, Failed> {
    if !Path::new(GALLERY).is_dir() {
        let message = format!("there is no folder `{GALLERY}` here");
        let hint = "go to the project's folder, or write a scenario with `queuecast init`";
        return Err(Failed::new(message).hint(hint));
    }
    let mut listing = Listing::new(&["path", "title"]);
    for path in scenarios(&[PathBuf::from(GALLERY)])? {
        let title = match Scenario::load(&path, &[]) {
            Ok(scenario) => scenario.model.title,
            Err(_) => "does not load; `queuecast check` says why".to_owned(),
        };
        listing.push([&path.to_string_lossy(), &title]);
    }
    Ok(listing)
}

fn laws() -> Listing {
    let mut listing = Listing::new(&["law", "doc", "takes"]);
    for law in LAWS {
        listing.push([law.name, law.doc, law.takes]);
    }
    listing
}

fn arrivals() -> Listing {
    let mut listing = Listing::new(&["process", "doc", "takes"]);
    for key in keys() {
        if let Some(name) = key.pattern.strip_prefix("producers.NAME.arrivals.") {
            listing.push([name, key.doc, key.takes]);
        }
    }
    listing
}

fn metrics(format: Format) -> Listing {
    match format {
        Format::Text => families(),
        Format::Json | Format::Csv => all_metrics(),
    }
}

/// For people: `queues.NAME.wait.{mean,p50,p99}` in one line.
fn families() -> Listing {
    let mut listing = Listing::new(&["metric", "unit", "doc"]);
    let known = definitions();
    for infos in known.chunk_by(|one, next| family(&one.name) == family(&next.name)) {
        let (first, family) = (&infos[0], family(&infos[0].name));
        let parts = infos
            .iter()
            .map(|it| it.name[family.len()..].trim_start_matches('.'));
        let name = match infos {
            [only] => only.name.clone(),
            _ => format!("{family}.{{{}}}", parts.collect::<Vec<_>>().join(",")),
        };
        listing.push([&name, first.unit.word(), first.doc]);
    }
    listing
}

fn all_metrics() -> Listing {
    let mut listing = Listing::new(&["metric", "unit", "doc"]);
    for metric in definitions() {
        listing.push([&metric.name, metric.unit.word(), metric.doc]);
    }
    listing
}

fn all_keys() -> Listing {
    let mut listing = Listing::new(&["key", "doc", "default"]);
    for key in keys() {
        listing.push([key.pattern, key.doc, key.default]);
    }
    listing
}

fn all_presets() -> Listing {
    let mut listing = Listing::new(&["preset", "doc"]);
    for preset in presets() {
        listing.push([preset.name, preset.doc]);
    }
    listing
}

fn all_models() -> Listing {
    let mut listing = Listing::new(&["model"]);
    for model in models() {
        listing.push([model]);
    }
    listing
}
