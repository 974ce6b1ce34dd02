//! `queuecast sweep`: a scenario at many points, in parallel; resumable, and in parts.
//!
//! Not the search for a point, and not how points are computed.

mod fingerprint;
mod shard;
mod store;

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use super::exit::{Exit, Failed};
use super::judge::judge;
use super::options::{Chosen, Common, Format, quoted};
use super::output::print;
use super::progress::Tally;
use crate::experiment::points::evaluate;
use crate::model::{Model, Replications};
use crate::outcome::Catalogue;
use crate::report::Pictures;
use crate::report::number::{count, counted};
use crate::report::sweep::{Axis, Ends, Goal, Layout, PAGE, Record, Sweep, Tick};
use crate::scenario::{Condition, Failure, Grid, Point, Scenario, Test, Walk};
use fingerprint::fingerprint;
use shard::{Asked, Shard};
use store::Store;

/// Simulate a scenario at many points and compare them
///
/// Varies any keys: from `--vary`, or from the scenario's own `[sweep]`. Prints
/// a table; writes every metric of every point into sweep.csv, a page, sweep.html,
/// and pictures: a curve over one key, a map over two. The points are kept as they
/// are computed: the same command goes on where it was stopped. Every point meets
/// the same chance, so that two points differ by what was varied.
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct Args {
    #[command(flatten)]
    chosen: Chosen,
    /// A key and its values: 48..80:4, 1..1000:x10, 30s,90s; may be repeated
    #[arg(long, value_name = "KEY=VALUES")]
    vary: Vec<String>,
    /// The keys go side by side instead of every value with every other
    #[arg(long)]
    pair: bool,
    /// A metric to show instead of those that move; may be repeated
    #[arg(long, value_name = "METRIC")]
    metric: Vec<String>,
    /// Only part I of N of the points; `auto` reads it from Slurm or Kubernetes
    #[arg(long, value_name = "I/N")]
    shard: Option<Asked>,
    /// The folder in which the scenario's folder is made
    #[arg(long, value_name = "DIR", default_value = "output")]
    output: PathBuf,
    /// Write no files, and keep nothing to go on from
    #[arg(long, conflicts_with_all = ["output", "png", "shard"])]
    no_report: bool,
    /// Write the pictures as PNG as well
    #[arg(long)]
    png: bool,
}

const EXAMPLES: &str = "\
Examples:
  queuecast sweep outage.toml --vary consumers.fleet.count=48..80:4
  queuecast sweep outage.toml --vary consumers.fleet.count=50..96:2 \\
                              --vary outages.0.duration=10s..200s:10s
  queuecast sweep outage.toml --vary consumers.fleet.service=30ms,40ms \\
                              --metric queues.orders.lag.max
  queuecast sweep outage.toml --vary producers.checkout.on_full=reject,block
  queuecast sweep outage.toml --vary consumers.fleet.count=1..400 --shard 2/8
  queuecast merge output/outage/sweep.*-of-8.csv

Values: 48,55,60 as listed; 48..80:4 with both ends; 1..400 in steps of 1;
1ms..1s:x2 each twice the last; in any unit, and exact.

Exit codes: 0 done, whether objectives are met or not; 2 the input is wrong;
3 a limit stopped some of the points, which are marked";

/// Runs the command.
pub(super) fn run(args: &Args, common: &Common) -> Result<Exit, Failed> {
    let rendered = |failure: Failure| Failed::Rendered(failure.render(common.color()));
    let scenario = args.chosen.load(common)?;
    scenario
        .check_metrics("--metric ", &args.metric)
        .map_err(rendered)?;
    let walk = args.pair.then_some(Walk::Paired);
    let grid = scenario.grid(&args.vary, walk).map_err(rendered)?;
    if grid.axes().is_empty() {
        let failed = Failed::new("nothing varies");
        return Err(failed.hint(
            "say what: `--vary consumers.fleet.count=48..80:4`, or `[sweep]` in the scenario",
        ));
    }
    let shard = Shard::of(args.shard, common)?;
    let points: Result<Vec<Point>, Failure> =
        (0..grid.len()).map(|point| grid.compile(point)).collect();
    let points = points.map_err(rendered)?;
    let layout = layout(&scenario, &grid, &points)?;
    let part: Vec<usize> = (0..grid.len()).filter(|it| shard.has(*it)).collect();
    let folder = args
        .output
        .join(scenario.path.file_stem().unwrap_or_default());
    let mut store = if args.no_report {
        None
    } else {
        Some(Store::open(&folder, &shard.stem(), &layout, &part)?)
    };
    let mut records = store.as_mut().map(Store::take).unwrap_or_default();
    tell_known(store.as_ref(), records.len(), part.len(), common);
    if part.is_empty() {
        let all = counted(grid.len() as u64, "point");
        common.tell(&format!(
            "note: this part has none of the {all}: there are more parts than points\n"
        ));
    }
    let todo = &part[records.len()..];
    compute(
        &grid,
        &points,
        &layout,
        todo,
        store.as_mut(),
        &mut records,
        common,
    )?;
    if let Some(store) = store {
        store.finish()?;
    }
    let kept = (!args.no_report).then(|| folder.join(format!("{}.csv", shard.stem())));
    answer(
        args,
        common,
        &scenario,
        &grid,
        &layout,
        kept.as_deref(),
        &records,
    )
}

/// Says what is not computed again, and what is because its row was changed.
fn tell_known(store: Option<&Store>, known: usize, all: usize, common: &Common) {
    let Some(store) = store else { return };
    if let Some(damaged) = store.damaged() {
        common.tell(&format!(
            "note: {damaged};\n      it and those behind it are computed again\n"
        ));
    }
    if known > 0 {
        let (known, all) = (count(known as u64), counted(all as u64, "point"));
        let path = store.path().display();
        common.tell(&format!("{known} of {all} are known from {path}\n"));
    }
}

/// Computes the points of `todo`, and keeps each as soon as those before it are there.
fn compute(
    grid: &Grid<'_>,
    points: &[Point],
    layout: &Layout,
    todo: &[usize],
    mut store: Option<&mut Store>,
    records: &mut Vec<Record>,
    common: &Common,
) -> Result<(), Failed> {
    let models: Vec<&Model> = todo.iter().map(|point| &points[*point].model).collect();
    let tally = Tally::new("sweeping", common.talk());
    let mut failed = None;
    let mut notes: Vec<String> = Vec::new();
    evaluate(&models, &|done| tally.reached(done), |at, outcome| {
        let point = todo[at];
        let judged = judge(&points[point].objectives, &outcome.measures);
        let met = judged.iter().map(|one| one.held).collect();
        let record = Record::of(point, &outcome.measures, outcome.ended, outcome.digest, met);
        let of_point = |note: String| format!("{}: {note}", grid.name(point));
        notes.extend(outcome.notes.into_iter().map(of_point));
        let texts: Vec<&str> = grid
            .settings(point)
            .map(|(_, setting)| setting.text.as_str())
            .collect();
        let line = layout.row(&record, &texts);
        records.push(record);
        match store.as_mut().map(|store| store.append(&line)) {
            None | Some(Ok(())) => ControlFlow::Continue(()),
            Some(Err(error)) => {
                failed = Some(error);
                ControlFlow::Break(())
            }
        }
    });
    drop(tally);
    if models.iter().any(|model| is_single(model)) {
        common.tell(
            "note: one run of something random at each point: its numbers have no interval;\n      \
             set `--replications 20`\n",
        );
    }
    tell(&notes, common);
    failed.map_or(Ok(()), Err)
}

/// What must be known of single points, the first few of them.
fn tell(notes: &[String], common: &Common) {
    const MOST: usize = 5;
    for note in notes.iter().take(MOST) {
        common.tell(&format!("note: {note}\n"));
    }
    if notes.len() > MOST {
        let more = count((notes.len() - MOST) as u64);
        common.tell(&format!("note: {more} more of this kind\n"));
    }
}

fn is_single(model: &Model) -> bool {
    model.plan.replications == Replications::Fixed(1) && model.is_random()
}

/// Which columns the rows have, when all points have the same metrics and objectives.
fn layout(scenario: &Scenario, grid: &Grid<'_>, points: &[Point]) -> Result<Layout, Failed> {
    let metrics = Catalogue::of(&points[0].model).entries().to_vec();
    for (place, point) in points.iter().enumerate() {
        let same = Catalogue::of(&point.model).entries() == metrics;
        if !same || point.objectives.len() != scenario.objectives.len() {
            let message = format!(
                "the point {} has other metrics or objectives than the first",
                grid.name(place)
            );
            let failed = Failed::new(message);
            return Err(failed.hint("sweep each of them by itself, and compare the results"));
        }
    }
    let once = |point: &Point| point.model.plan.replications == Replications::Fixed(1);
    Ok(Layout {
        fingerprint: fingerprint(scenario, grid),
        points: points.len(),
        keys: grid.axes().iter().map(|axis| axis.key.clone()).collect(),
        goals: scenario.objectives.len(),
        metrics,
        ends: if points.iter().all(once) {
            Ends::None
        } else {
            Ends::Kept
        },
    })
}

/// Prints what came of the points, and draws it beside the results file that was kept.
fn answer(
    args: &Args,
    common: &Common,
    scenario: &Scenario,
    grid: &Grid<'_>,
    layout: &Layout,
    kept: Option<&Path>,
    records: &[Record],
) -> Result<Exit, Failed> {
    let axes: Vec<Axis> = grid.axes().iter().map(axis).collect();
    let places: Vec<_> = (0..grid.len()).map(|point| grid.places(point)).collect();
    let goals: Vec<Goal> = scenario.objectives.iter().map(goal).collect();
    let sweep = Sweep {
        title: &scenario.model.title,
        path: &scenario.path.to_string_lossy(),
        scenario_text: &scenario.text,
        seed: scenario.model.plan.seed.0,
        command: &command(args),
        axes: &axes,
        places: &places,
        paired: grid.walk() == Walk::Paired && axes.len() > 1,
        metrics: &layout.metrics,
        show: if args.metric.is_empty() {
            &scenario.sweep.show
        } else {
            &args.metric
        },
        goals: &goals,
        records,
    };
    let text = match common.format {
        Format::Text => sweep.text(),
        Format::Json => sweep.json(),
        Format::Csv => sweep.csv(layout),
    };
    print(&text)?;
    if let Some(kept) = kept {
        let folder = kept.with_file_name("");
        let pictures = if args.png {
            Pictures::SvgAndPng
        } else {
            Pictures::Svg
        };
        let drawn = sweep.write_pictures(&folder, pictures)?;
        let drawn = match drawn.len() as u64 {
            0 => String::new(),
            many => format!(
                " and {}, see {}",
                counted(many, "picture"),
                folder.join(PAGE).display()
            ),
        };
        common.tell(&format!("\nwrote {}{drawn}\n", kept.display()));
    }
    Ok(if sweep.partial().next().is_some() {
        Exit::Limit
    } else {
        Exit::Done
    })
}

fn axis(axis: &crate::scenario::Axis) -> Axis {
    let ticks = axis.settings.iter().map(|setting| Tick {
        text: setting.text.clone(),
        number: setting.number,
        json: setting.json(),
    });
    Axis {
        key: axis.key.clone(),
        ticks: ticks.collect(),
    }
}

fn goal(condition: &Condition) -> Goal {
    Goal {
        that: condition.text.clone(),
        metric: condition.metric.clone(),
        level: match condition.test {
            Test::Is(_, level) => Some(level),
            Test::Near { value, .. } => Some(value),
            Test::Never | Test::Happened => None,
        },
    }
}

/// The command that gives this result again.
fn command(args: &Args) -> String {
    let path = quoted(&args.chosen.scenario.to_string_lossy());
    let mut command = format!("queuecast sweep {path}{}", args.chosen.changes.written());
    command.extend(
        args.vary
            .iter()
            .map(|vary| format!(" --vary {}", quoted(vary))),
    );
    if args.pair {
        command += " --pair";
    }
    command
}
