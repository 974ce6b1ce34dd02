//! `queuecast run`: one scenario, everything about it.
//!
//! Not grids of scenarios.

use std::path::{Path, PathBuf};

use super::check::listed;
use super::exit::{Exit, Failed};
use super::options::{Chosen, Common, Format, quoted};
use super::output::{letters, print};
use super::simulate::Simulated;
use crate::experiment::readings::read;
use crate::outcome::{Kind, RunRecord};
use crate::report::number::counted;
use crate::report::{Pictures, Report};
use crate::scenario::{Color, Part, Scenario};
use crate::sim::Detail;

/// Simulate a scenario and report what happened
///
/// Prints what was understood, the timeline, a summary of every component, how
/// far closed forms and the arithmetic of rates agree with the simulation, and
/// whether the scenario's expectations held. Writes summary.json, series.csv,
/// timeline.txt, report.html and pictures into a folder of its own; an earlier
/// result is replaced only when the new one is complete.
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct Args {
    #[command(flatten)]
    chosen: Chosen,
    /// The folder in which the scenario's folder is made
    #[arg(long, value_name = "DIR", default_value = "output")]
    output: PathBuf,
    /// Write no files
    #[arg(long, conflicts_with_all = ["output", "png"])]
    no_report: bool,
    /// Write the pictures as PNG as well
    #[arg(long)]
    png: bool,
}

const EXAMPLES: &str = "\
Examples:
  queuecast run scenarios/outage_reject.toml
  queuecast run outage.toml --set consumers.fleet.count=75 \\
                            --set outages.0.duration=2m
  queuecast run outage.toml --replications 20 --seed 7
  queuecast run outage.toml --no-report --format json | jq .metrics

Exit codes: 0 done; 1 an expectation does not hold; 2 the input is wrong;
3 stopped by a limit (also when an expectation does not hold), result partial";

/// Runs the command.
pub(super) fn run(args: &Args, common: &Common) -> Result<Exit, Failed> {
    let scenario = args.chosen.load(common)?;
    let detail = match common.format {
        // Text has a drawing, a folder has pictures.
        Format::Json | Format::Csv if args.no_report => Detail::Measures,
        Format::Text | Format::Json | Format::Csv => Detail::Series,
    };
    let simulated = Simulated::of(&scenario, detail, common.talk());
    let mut readings = read(&scenario.model, &simulated.measures, &simulated.runs);
    readings.notes.extend(simulated.notes.iter().cloned());
    readings.notes.extend(unfinished(&simulated.runs));
    let parts = scenario.understood();
    let line = |part: &Part| format!("{}: {}", part.name, part.text);
    // What is expected stands at the end, with what was observed.
    let asked = |part: &Part| matches!(part.name.as_str(), "expect" | "objective" | "sweep");
    let head = parts.iter().filter(|part| !asked(part)).cloned();
    let warnings = scenario.render_warnings(Color::Never);
    let report = Report {
        model: &scenario.model,
        path: &scenario.path.to_string_lossy(),
        scenario_text: &scenario.text,
        command: &command(&args.chosen),
        understood: &parts.iter().map(line).collect::<Vec<_>>(),
        warnings: &titles(&warnings),
        runs: &simulated.runs,
        measures: &simulated.measures,
        batch_means: &simulated.batch_means,
        readings: &readings,
        expectations: &simulated.expectations,
        digest: simulated.digest,
    };
    let text = match common.format {
        Format::Text => format!(
            "{}\n{}",
            listed(head).render(Format::Text)?,
            report.text(letters())
        ),
        Format::Json => report.json(),
        Format::Csv => report.csv(),
    };
    print(&text)?;
    if !args.no_report {
        write(args, &scenario, &report, common)?;
    }
    Ok(if report.is_partial() {
        Exit::Limit
    } else if simulated.broken().next().is_some() {
        Exit::NotMet
    } else {
        Exit::Done
    })
}

/// What the times leave out: those that had not got so far when the run ended.
fn unfinished(runs: &[RunRecord]) -> Option<String> {
    let Kind::Ended { unfinished } = runs.first()?.timeline.last()?.kind else {
        return None;
    };
    if unfinished == 0 {
        return None;
    }
    let of = if runs.len() > 1 {
        " of the first run"
    } else {
        ""
    };
    let verb = if unfinished == 1 {
        "waits or is"
    } else {
        "wait or are"
    };
    Some(format!(
        "{} still {verb} in flight at the end{of}: `wait` covers only those delivered, `sojourn` \
         only those completed",
        counted(unfinished, "message")
    ))
}

fn write(
    args: &Args,
    scenario: &Scenario,
    report: &Report<'_>,
    common: &Common,
) -> Result<(), Failed> {
    let stem = scenario.path.file_stem().unwrap_or_default();
    let folder = args.output.join(stem);
    let pictures = if args.png {
        Pictures::SvgAndPng
    } else {
        Pictures::Svg
    };
    report.write(&folder, pictures)?;
    let page = folder.join("report.html");
    common.tell(&format!(
        "\nwrote {}/, see {}\n",
        shown(&folder),
        shown(&page)
    ));
    Ok(())
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}

/// The command that gives this result again.
fn command(chosen: &Chosen) -> String {
    let path = quoted(&chosen.scenario.to_string_lossy());
    format!("queuecast run {path}{}", chosen.changes.written())
}

/// The first line of each warning.
pub(super) fn titles(warnings: &str) -> Vec<String> {
    let title = |line: &str| line.strip_prefix("warning: ").map(str::to_owned);
    warnings.lines().filter_map(title).collect()
}
