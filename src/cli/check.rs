//! `queuecast check`: reads a scenario and says what was understood.
//!
//! Not a run.

use super::exit::{Exit, Failed};
use super::listing::Listing;
use super::options::{Chosen, Common, Format};
use super::output::print;
use crate::experiment::readings::expect;
use crate::report::sources_text;
use crate::scenario::{Failure, Part};

/// Validate a scenario and print what was understood, defaults included
///
/// Every error of the file is shown at once, each with its place, the reason
/// and the way out. Nothing is simulated and nothing is written.
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct Args {
    #[command(flatten)]
    chosen: Chosen,
}

const EXAMPLES: &str = "\
Examples:
  queuecast check scenarios/outage_reject.toml
  queuecast check outage.toml --set consumers.fleet.count=48

Exit codes: 0 the scenario can run; 2 it cannot";

/// Runs the command.
pub(super) fn run(args: &Args, common: &Common) -> Result<Exit, Failed> {
    let scenario = args.chosen.load(common)?;
    // What `[sweep]` varies is checked like the file, value by value.
    let rendered = |failure: Failure| Failed::Rendered(failure.render(common.color()));
    let grid = scenario.grid(&[], None).map_err(rendered)?;
    for point in 0..grid.len() {
        grid.compile(point).map_err(rendered)?;
    }
    print(&listed(scenario.understood()).render(common.format)?)?;
    if common.format == Format::Text {
        let known = sources_text(&expect(&scenario.model));
        print(&format!("\nWhat is known before a run\n{known}"))?;
    }
    Ok(Exit::Done)
}

/// What was understood, a row for each part.
pub(super) fn listed(parts: impl IntoIterator<Item = Part>) -> Listing {
    let mut listing = Listing::new(&["part", "understood"]);
    for part in parts {
        listing.push([&part.name, &part.text]);
    }
    listing
}
