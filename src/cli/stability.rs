//! `queuecast stability`: the map of what comes back when its trigger has gone.
//!
//! Not one run: `run` tells when a single one came back.

use std::path::PathBuf;

use super::exit::{Exit, Failed};
use super::options::{Chosen, Common, Format, level, quoted};
use super::output::print;
use super::progress::Tally;
use crate::experiment::stability::{Boundary, Map, Question, conditions, map};
use crate::model::{Model, Replications};
use crate::outcome::Catalogue;
use crate::report::stability::{Key, Stability};
use crate::scenario::{Axis, Failure, Grid, Scenario, Setting, Walk, requests};
use crate::units::SimTime;

/// Map which runs come back after their disturbance
///
/// Runs every pair of values and says in which share of runs goodput comes
/// back to its level before the disturbance, and stays there. Along the first
/// key, bisection finds where runs cease to come back, run by run; what rates
/// alone say stands beside it. Writes a page, stability.html.
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct Args {
    #[command(flatten)]
    chosen: Chosen,
    /// A key and its values; once or twice. The boundary is sought along the first
    #[arg(long, value_name = "KEY=VALUES", required = true, num_args = 1)]
    vary: Vec<String>,
    /// A metric that must have happened in a run that came back; may be repeated [default: every
    /// `recovered_at` of a dependency, else of a queue]
    #[arg(long, value_name = "METRIC")]
    recovered: Vec<String>,
    /// How often the gap between two values is halved in search of the boundary
    #[arg(
        long, value_name = "N", default_value_t = HALVINGS, value_parser = halvings
    )]
    halvings: u32,
    /// The level of the boundary's interval
    #[arg(long, value_name = "LEVEL", default_value = "95%", value_parser = level)]
    level: f64,
    /// The folder in which the scenario's folder is made
    #[arg(long, value_name = "DIR", default_value = "output")]
    output: PathBuf,
    /// Write no page
    #[arg(long, conflicts_with = "output")]
    no_report: bool,
}

const EXAMPLES: &str = "\
Examples:
  queuecast stability scenarios/storm_collapse.toml \\
            --vary producers.web.arrivals.poisson.rate=20/s..90/s:10/s \\
            --vary outages.0.duration=1s,2s,5s,10s --replications 8

Exit codes: 0 done; 2 the input is wrong";

/// Random scenarios have so many runs a point, unless something else is asked for.
const RUNS: u32 = 10;
/// How often a gap is halved unless it is said.
const HALVINGS: u32 = 4;
/// The level unless another is asked for.
const USUAL: f64 = 0.95;

/// Runs the command.
pub(super) fn run(args: &Args, common: &Common) -> Result<Exit, Failed> {
    let scenario = args.chosen.load(common)?;
    if args.vary.len() > 2 {
        return Err(Failed::new("a map has two keys at most").hint("vary one or two keys"));
    }
    let rendered = |failure: Failure| Failed::Rendered(failure.render(common.color()));
    let grid = scenario
        .grid(&args.vary, Some(Walk::Grid))
        .map_err(rendered)?;
    let stability = draw(args, common, &scenario, &grid).map_err(|wrong| match wrong {
        Wrong::Scenario(failure) => rendered(failure),
        Wrong::Asked(failed) => failed,
    })?;
    print(&match common.format {
        Format::Text => stability.text(),
        Format::Json => stability.json(),
        Format::Csv => stability.csv(),
    })?;
    if !args.no_report {
        let stem = scenario.path.file_stem().unwrap_or_default();
        let page = stability.write(&args.output.join(stem))?;
        common.tell(&format!("\nwrote {}\n", page.display()));
    }
    Ok(Exit::Done)
}

enum Wrong {
    Scenario(Failure),
    Asked(Failed),
}

fn draw(
    args: &Args,
    common: &Common,
    scenario: &Scenario,
    grid: &Grid<'_>,
) -> Result<Stability, Wrong> {
    let (across, down) = match grid.axes() {
        [across, down] => (across, Some(down)),
        [across, ..] => (across, None),
        [] => {
            let failed = Failed::new("a map varies one key, or two");
            return Err(Wrong::Asked(failed.hint("`--vary KEY=VALUES`")));
        }
    };
    let (across, down) = (in_order(across), down.map(in_order));
    let rows: Vec<Option<Setting>> = match &down {
        None => vec![None],
        Some(down) => down.settings.iter().cloned().map(Some).collect(),
    };
    let columns: Vec<Option<Setting>> = across.settings.iter().cloned().map(Some).collect();
    let compile = |across: &Option<Setting>, down: &Option<Setting>| {
        let settings: Vec<&Setting> = across.iter().chain(down).collect();
        grid.compile_at(&settings).map(|point| point.model)
    };
    let pairs = rows
        .iter()
        .flat_map(|row| columns.iter().map(move |column| (column, row)));
    let points: Result<Vec<Model>, _> = pairs.map(|(column, row)| compile(column, row)).collect();
    let points = points.map_err(Wrong::Scenario)?;
    let base = &points[0];
    let recovered = asked_for(&args.recovered, base).map_err(Wrong::Asked)?;
    let notes = quiet(&points, &recovered);
    for note in &notes {
        common.tell(&format!("note: {note}\n"));
    }
    let tally = Tally::new("mapping", common.talk());
    let found = map(&Question {
        across: &columns,
        down: &rows,
        points: &points,
        compile: &compile,
        between: &|low, high| low.as_ref()?.midpoint(high.as_ref()?).map(Some),
        recovered: &recovered,
        replications: runs_of(scenario, base),
        halvings: args.halvings,
        level: args.level,
        progress: &|at| tally.reached(at),
    });
    let found = found.map_err(Wrong::Scenario)?;
    drop(tally);
    let rows = points.chunks(columns.len());
    let said = |model: &Model| conditions(model, &requests(model));
    Ok(Stability {
        title: scenario.model.title.clone(),
        path: scenario.path.to_string_lossy().into_owned(),
        scenario_text: scenario.text.clone(),
        command: written(args),
        seed: base.plan.seed.0,
        recovered,
        across: key(&across),
        down: down.as_ref().map(key),
        map: in_words(found),
        conditions: rows.map(|row| row.iter().map(said).collect()).collect(),
        notes,
    })
}

/// How many runs each point has.
fn runs_of(scenario: &Scenario, base: &Model) -> u32 {
    match &scenario.model.plan.replications {
        Replications::Fixed(1) if base.is_random() => RUNS,
        Replications::Fixed(count) => *count,
        Replications::Until(_) => RUNS,
    }
}

/// Reads how often a gap is halved.
fn halvings(text: &str) -> Result<u32, String> {
    let most = 30;
    let read = text.parse().ok().filter(|it| *it <= most);
    read.ok_or_else(|| format!("expected a whole number from 0 to {most}"))
}

/// The values by their size, the smallest first, as far as all are quantities: a boundary has a
/// side below it and one above.
fn in_order(axis: &Axis) -> Axis {
    let mut axis = axis.clone();
    if axis.settings.iter().all(|it| it.number.is_some()) {
        let size = |it: &Setting| it.number.map_or(0.0, |(size, _)| size);
        axis.settings.sort_by(|a, b| size(a).total_cmp(&size(b)));
    }
    axis
}

/// What must be known where nothing can come back, since nothing disturbs.
fn quiet(points: &[Model], recovered: &[String]) -> Vec<String> {
    let asks = recovered.iter().any(|it| it.ends_with(".recovered_at"));
    let never = |it: &Model| it.calm_from().is_none_or(|calm| calm == SimTime::MAX);
    if !asks || !points.iter().all(never) {
        return Vec::new();
    }
    vec![
        "nothing scheduled disturbs the scenario, or its outages come at random for ever, so that \
         `recovered_at` cannot happen: add `[[outages]]` with a `start` and a `duration`"
            .to_owned(),
    ]
}

/// The metrics that mean that a run came back.
fn asked_for(asked: &[String], model: &Model) -> Result<Vec<String>, Failed> {
    let catalogue = Catalogue::of(model);
    let unknown = asked.iter().find(|name| catalogue.position(name).is_none());
    if let Some(name) = unknown {
        let failed = Failed::new(format!("the scenario has no metric `{name}`"));
        return Err(failed.hint("`queuecast list metrics` lists them"));
    }
    if !asked.is_empty() {
        return Ok(asked.to_vec());
    }
    let of = |section: &str| -> Vec<String> {
        let names = catalogue.entries().iter().map(|(name, _)| name);
        let named = names.filter(|it| it.starts_with(section) && it.ends_with(".recovered_at"));
        named.cloned().collect()
    };
    let dependencies = of("dependencies.");
    let all = if dependencies.is_empty() {
        of("queues.")
    } else {
        dependencies
    };
    if all.is_empty() {
        let failed = Failed::new("nothing of the scenario is known to recover");
        return Err(failed.hint("name a metric with `--recovered`"));
    }
    Ok(all)
}

fn key(axis: &Axis) -> Key {
    let values = axis.settings.iter();
    Key {
        name: axis.key.clone(),
        values: values.map(|it| (it.text.clone(), it.json())).collect(),
    }
}

fn in_words(found: Map<Option<Setting>>) -> Map<String> {
    let text = |it: Option<Option<Setting>>| it.flatten().map(|it| it.text);
    let boundary = |it: Boundary<Option<Setting>>| Boundary {
        median: text(it.median),
        low: text(it.low),
        high: text(it.high),
        level: it.level,
        side: it.side,
        crooked: it.crooked,
    };
    let boundaries = found.boundaries.into_iter();
    Map {
        rows: found.rows,
        boundaries: boundaries.map(|it| it.map(boundary)).collect(),
    }
}

/// The command that gives this again.
fn written(args: &Args) -> String {
    let path = quoted(&args.chosen.scenario.to_string_lossy());
    let options = |name: &str, values: &[String]| -> String {
        let words = values.iter().map(|it| format!(" {name} {}", quoted(it)));
        words.collect()
    };
    let halvings = (args.halvings != HALVINGS).then(|| format!(" --halvings {}", args.halvings));
    let level =
        (args.level.to_bits() != USUAL.to_bits()).then(|| format!(" --level {}", args.level));
    format!(
        "queuecast stability {path}{}{}{}{}{}",
        options("--vary", &args.vary),
        options("--recovered", &args.recovered),
        halvings.unwrap_or_default(),
        level.unwrap_or_default(),
        args.chosen.changes.written()
    )
}
