//! `queuecast plan`: the smallest value of a key that meets every objective.
//!
//! Not the search (`experiment::plan`), and not how it is told.

use std::path::{Path, PathBuf};

use super::exit::{Exit, Failed};
use super::options::{Changes, Common, Format, level, quoted};
use super::output::print;
use super::progress::Search;
use super::run::titles;
use crate::experiment::plan::{self, MOST_RUNS, Plan, Question, Step, Told, headrooms, strains};
use crate::model::Model;
use crate::report::number::counted;
use crate::report::sweep::{Axis, Tick};
use crate::report::{PlanReport, Wanted};
use crate::scenario::{Color, Failure, Grid, Scenario, Setting, Walk};

/// Find the smallest value of a key that meets every objective
///
/// Objectives come from the scenario's [[objectives]] and from --objective.
/// Closed forms and the fluid say where to look, runs decide. Shows the value
/// before it that fails, the objective that decides, what each would need
/// alone, and how long an outage and how many arrivals the answer carries.
/// Writes plan.html, plan.csv and plan.json.
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct Args {
    /// A scenario file (`queuecast init` writes one to start from)
    scenario: PathBuf,
    /// The key and its values, as for `sweep`; else those of the file's [sweep]
    #[arg(long, value_name = "KEY=RANGE")]
    vary: Option<String>,
    /// One more objective: "queues.orders.wait.p99 <= 200ms"; may be repeated
    #[arg(long, value_name = "CONDITION")]
    objective: Vec<String>,
    /// Look for the largest value, where less is what helps
    #[arg(long)]
    largest: bool,
    /// The level of all decisions together
    #[arg(long, value_name = "LEVEL", default_value = "95%", value_parser = level)]
    level: f64,
    /// Leave out how long an outage and how many arrivals the answer carries
    #[arg(long)]
    no_headroom: bool,
    #[command(flatten)]
    changes: Changes,
    /// The folder in which the scenario's folder is made
    #[arg(long, value_name = "DIR", default_value = "output")]
    output: PathBuf,
    /// Write no files
    #[arg(long, conflicts_with = "output")]
    no_report: bool,
}

const EXAMPLES: &str = "\
Examples:
  queuecast plan scenarios/outage_reject.toml --vary consumers.fleet.count=48..80 \\
                 --objective \"queues.orders.drained_at <= 331s\"
  queuecast plan scenarios/plan_smallest_fleet.toml
  queuecast plan fleet.toml --vary queues.orders.capacity=10k..200k:10k \\
                 --objective \"queues.orders.rejected == 0\"
  queuecast plan fleet.toml --vary consumers.fleet.service=10ms..200ms:5ms --largest

With chance, --replications N is the most runs of a value (160), not their
number: a value has as many runs as it takes to decide.

Exit codes: 0 done; 1 no value of the range meets all; 2 the input is wrong";

/// The level unless another is asked for.
const USUAL: f64 = 0.95;

/// Runs the command.
pub(super) fn run(args: &Args, common: &Common) -> Result<Exit, Failed> {
    let scenario = args
        .changes
        .load_asking(&args.scenario, &args.objective, common.color())?;
    common.tell(&scenario.render_warnings(common.color()));
    if scenario.objectives.is_empty() {
        let failed = Failed::new("there is no objective to meet");
        return Err(failed.hint(
            "add `[[objectives]]` to the scenario, or `--objective \"queues.orders.wait.p99 <= \
             200ms\"`",
        ));
    }
    let range = Range::of(args, &scenario, common.color())?;
    let question = Question {
        objectives: &scenario.objectives,
        values: range.order.len(),
        level: args.level,
        most_runs: args.changes.replications().unwrap_or(MOST_RUNS),
    };
    let model = |place: usize| -> Result<Model, Failure> {
        Ok(range.grid.compile(range.order[place])?.model)
    };
    let meter = Search::new("planning", common.talk());
    let step = |step: Step<'_>| meter.begins(range.doing(step));
    let told = Told {
        step: &step,
        reached: &|_| meter.goes_on(),
    };
    let found = plan::plan(question, &model, told);
    let found = found.map_err(|failure| Failed::Rendered(failure.render(common.color())))?;
    let headroom = match answer_of(&found).filter(|_| !args.no_headroom) {
        Some((place, answer)) => {
            let vary = |key: &str, value: &str| range.with(&scenario, place, key, value);
            headrooms(question, strains(answer), &vary, told)
        }
        None => Vec::new(),
    };
    drop(meter);
    let report = PlanReport {
        plan: &found,
        objectives: &scenario.objectives,
        axis: &range.axis(),
        wanted: args.wanted(),
        headroom: &headroom,
        title: &scenario.model.title,
        path: &scenario.path.to_string_lossy(),
        scenario_text: &scenario.text,
        warnings: &titles(&scenario.render_warnings(Color::Never)),
        command: &args.command(),
    };
    print(&match common.format {
        Format::Text => report.text(),
        Format::Json => report.json(),
        Format::Csv => report.csv(),
    })?;
    if !args.no_report {
        let stem = args.scenario.file_stem().unwrap_or_default();
        let page = report.write(&args.output.join(stem))?;
        common.tell(&format!("\nwrote {}\n", page.display()));
    }
    Ok(match found.found.meets {
        Some(_) => Exit::Done,
        None => Exit::NotMet,
    })
}

/// The answer's place and model.
fn answer_of(plan: &Plan) -> Option<(usize, &Model)> {
    let place = plan.found.meets?;
    Some((place, &plan.of(place)?.model))
}

impl Args {
    fn wanted(&self) -> Wanted {
        if self.largest {
            Wanted::Largest
        } else {
            Wanted::Smallest
        }
    }

    /// The command that gives this plan again.
    fn command(&self) -> String {
        let path = quoted(&self.scenario.to_string_lossy());
        let vary = self.vary.iter().map(|it| format!(" --vary {}", quoted(it)));
        let asked = self.objective.iter();
        let asked = asked.map(|it| format!(" --objective {}", quoted(it)));
        let largest = self.largest.then(|| " --largest".to_owned());
        let level =
            (self.level.to_bits() != USUAL.to_bits()).then(|| format!(" --level {}", self.level));
        let short = self.no_headroom.then(|| " --no-headroom".to_owned());
        let rest: String = vary
            .chain(asked)
            .chain(largest)
            .chain(level)
            .chain(short)
            .collect();
        format!("queuecast plan {path}{rest}{}", self.changes.written())
    }
}

/// The values of the key, in the order in which they are wanted.
struct Range<'a> {
    grid: Grid<'a>,
    /// Points of the grid.
    order: Vec<usize>,
}

impl<'a> Range<'a> {
    fn of(args: &Args, scenario: &'a Scenario, color: Color) -> Result<Self, Failed> {
        let vary: Vec<String> = args.vary.iter().cloned().collect();
        let grid = scenario.grid(&vary, Some(Walk::Grid));
        let grid = grid.map_err(|failure| Failed::Rendered(failure.render(color)))?;
        let [axis] = grid.axes() else {
            let failed = match grid.axes().len() {
                0 => Failed::new("there is no key to vary"),
                many => Failed::new(format!("a plan varies one key, and `[sweep]` has {many}")),
            };
            return Err(failed.hint("name it: `--vary consumers.fleet.count=1..400`"));
        };
        let numbers = axis
            .settings
            .iter()
            .map(|it| it.number.map(|(number, _)| number));
        let numbers: Option<Vec<f64>> = numbers.collect();
        let Some(numbers) = numbers else {
            let message = format!("the values of `{}` have no order", axis.key);
            return Err(Failed::new(message).hint("a plan needs numbers, durations, or rates"));
        };
        let mut order: Vec<usize> = (0..numbers.len()).collect();
        order.sort_by(|a, b| numbers[*a].total_cmp(&numbers[*b]));
        if args.wanted() == Wanted::Largest {
            order.reverse();
        }
        Ok(Self { grid, order })
    }

    fn setting(&self, place: usize) -> &Setting {
        &self.grid.axes()[0].settings[self.order[place]]
    }

    /// What a plan is at.
    fn doing(&self, step: Step<'_>) -> String {
        match step {
            Step::Value { place, runs: 0 } => {
                format!("{} = {}", self.grid.axes()[0].key, self.setting(place).text)
            }
            Step::Value { place, runs } => {
                let (key, text) = (&self.grid.axes()[0].key, &self.setting(place).text);
                format!(
                    "{key} = {text}, undecided after {}",
                    counted(runs.into(), "run")
                )
            }
            Step::Strain { what, value } => format!("headroom: {what}, {value}"),
        }
    }

    /// The key and its values, in this order.
    fn axis(&self) -> Axis {
        let tick = |place| {
            let setting = self.setting(place);
            Tick {
                text: setting.text.clone(),
                number: setting.number,
                json: setting.json(),
            }
        };
        Axis {
            key: self.grid.axes()[0].key.clone(),
            ticks: (0..self.order.len()).map(tick).collect(),
        }
    }

    /// The model at a place with one more key set; `None` where the scenario has no such key, or
    /// it is the one that is varied.
    fn with(&self, scenario: &Scenario, place: usize, key: &str, value: &str) -> Option<Model> {
        let varied = &self.grid.axes()[0].key;
        if varied == key {
            return None;
        }
        let sets = [
            format!("{varied}={}", self.setting(place).text),
            format!("{key}={value}"),
        ];
        let grid = scenario.grid(&sets, Some(Walk::Paired)).ok()?;
        Some(grid.compile(0).ok()?.model)
    }
}

impl Changes {
    /// Reads a scenario with these changes and further objectives.
    fn load_asking(
        &self,
        path: &Path,
        objectives: &[String],
        color: Color,
    ) -> Result<Scenario, Failed> {
        let loaded = Scenario::load_asking(path, &self.sets(), objectives);
        loaded.map_err(|failure| Failed::Rendered(failure.render(color)))
    }
}
