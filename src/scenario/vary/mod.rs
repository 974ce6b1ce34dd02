//! What a sweep varies: keys with the values that each takes, from `--vary KEY=VALUES` or from
//! `[sweep]`; and the points that come of them, each a [`Model`] of its own.
//!
//! Not the runs of the points: an experiment makes those.

mod midpoint;
mod quantity;
mod table;
mod values;
mod variants;

pub use table::Sweep;
pub(super) use table::read;
pub use values::Setting;
pub(super) use variants::read as read_compared;
pub use variants::{Variant, Variants};

use super::condition::Condition;
use super::overlay::{Assignment, overlay, path};
use super::source::Sources;
use super::{Failure, Reason, Scenario, compile, off, preset, title};
use crate::input::{Data, Problem, Problems, Spanned, Value};
use crate::model::Model;

/// The most points of a sweep.
const MOST_POINTS: usize = 1_000_000;

/// How the values of several keys go together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Walk {
    /// Every value of the one with every value of the others; the first key is the slowest.
    #[default]
    Grid,
    /// The first with the first, the second with the second: lists of one length.
    Paired,
}

/// A key and the values that it takes.
#[derive(Clone, Debug)]
pub struct Axis {
    /// Its dotted name.
    pub key: String,
    /// Its values in order, at least one.
    pub settings: Vec<Setting>,
    path: Vec<Spanned<String>>,
}

/// The points of a scenario whose keys are varied, numbered from 0.
#[derive(Clone, Debug)]
pub struct Grid<'a> {
    scenario: &'a Scenario,
    axes: Vec<Axis>,
    walk: Walk,
    sources: Sources,
}

/// One point, ready to run.
#[derive(Clone, Debug)]
pub struct Point {
    /// What runs.
    pub model: Model,
    /// `[[objectives]]`, as this point has them.
    pub objectives: Vec<Condition>,
}

impl Scenario {
    /// The points of `vary`, texts such as `consumers.fleet.count=48..80:4`; those of `[sweep]`
    /// when `vary` is empty. `walk` as `[sweep]` says, unless it is given. Without any key there
    /// is one point: the scenario as it is.
    ///
    /// # Errors
    /// When a text is wrong: keys and values are checked by [`Grid::compile`].
    pub fn grid(&self, vary: &[String], walk: Option<Walk>) -> Result<Grid<'_>, Failure> {
        let mut sources = self.sources.clone();
        let mut problems = Problems::default();
        let parsed = |text: &String| axis(text, &mut sources, &mut problems);
        let mut axes: Vec<_> = vary.iter().filter_map(parsed).collect();
        if vary.is_empty() {
            axes.clone_from(&self.sweep.axes);
        }
        let grid = Grid {
            scenario: self,
            axes,
            walk: walk.unwrap_or(self.sweep.walk),
            sources,
        };
        check(&grid.axes, grid.walk, &mut problems);
        if problems.any_error() {
            let sources = grid.sources;
            return Err(Failure(Reason::Wrong { sources, problems }));
        }
        Ok(grid)
    }
}

impl Grid<'_> {
    /// The keys, in the order in which they were given.
    pub fn axes(&self) -> &[Axis] {
        &self.axes
    }

    /// How they go together.
    pub fn walk(&self) -> Walk {
        self.walk
    }

    /// How many points there are.
    pub fn len(&self) -> usize {
        let lengths = self.axes.iter().map(|axis| axis.settings.len());
        match self.walk {
            Walk::Grid => lengths.product(),
            Walk::Paired => lengths.min().unwrap_or(1),
        }
    }

    /// Whether there is no point: never.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Which value of each key a point has.
    pub fn places(&self, point: usize) -> Vec<usize> {
        let mut places = vec![point; self.axes.len()];
        if self.walk == Walk::Grid {
            let mut rest = point;
            for (place, axis) in places.iter_mut().zip(&self.axes).rev() {
                *place = rest % axis.settings.len();
                rest /= axis.settings.len();
            }
        }
        places
    }

    /// The keys of a point with their values.
    pub fn settings(&self, point: usize) -> impl Iterator<Item = (&str, &Setting)> {
        let places = self.places(point).into_iter();
        let axes = self.axes.iter().zip(places);
        axes.map(|(axis, place)| (axis.key.as_str(), &axis.settings[place]))
    }

    /// A point in words: `consumers.fleet.count=48, outages.0.duration=90s`.
    pub fn name(&self, point: usize) -> String {
        let settings = self.settings(point);
        let words = settings.map(|(key, setting)| format!("{key}={}", setting.text));
        words.collect::<Vec<_>>().join(", ")
    }

    /// Lays the values of a point over the scenario and reads it like the file.
    ///
    /// # Errors
    /// When a key or a value is wrong.
    pub fn compile(&self, point: usize) -> Result<Point, Failure> {
        let scenario = self.scenario;
        let folder = scenario.path.parent().unwrap_or("".as_ref());
        let mut problems = Problems::in_folder(folder);
        let assignments: Vec<_> = self
            .axes
            .iter()
            .zip(self.places(point))
            .map(|(axis, place)| {
                Assignment::new(axis.path.clone(), axis.settings[place].value.clone())
            })
            .collect();
        let mut root = without_sweep(&scenario.root);
        overlay(&mut root, &assignments, &mut problems);
        let whole = off::strip(preset::apply(&root));
        let title = title(&scenario.path.to_string_lossy());
        match compile::compile(&whole, &title, &mut problems) {
            Some(compiled) if !problems.any_error() => Ok(Point {
                model: compiled.model,
                objectives: compiled.objectives,
            }),
            Some(_) | None => Err(Failure(Reason::Wrong {
                sources: self.sources.clone(),
                problems: self.named(&problems, point),
            })),
        }
    }

    /// The problems of a point, which say whose they are.
    fn named(&self, problems: &Problems, point: usize) -> Problems {
        let mut named = Problems::default();
        for problem in problems.sorted() {
            let whose = format!("this is the point {}", self.name(point));
            named.file(problem.clone().help(whose));
        }
        named
    }
}

/// A point is a scenario that varies nothing, and is compared with nothing.
fn without_sweep(root: &Value) -> Value {
    let mut root = root.clone();
    if let Data::Table(table) = &mut root.data {
        table
            .entries
            .retain(|entry| !["sweep", "compare"].contains(&entry.key.as_str()));
    }
    root
}

/// Reads `KEY=VALUES`, which is shown as an option of the command line.
fn axis(text: &str, sources: &mut Sources, problems: &mut Problems) -> Option<Axis> {
    const OPTION: &str = "--vary ";
    let start = sources.add("command line", format!("{OPTION}{text}")) + OPTION.len();
    let Some((keys, written)) = text.split_once('=') else {
        let span = start..start + text.len();
        let problem = Problem::error("a key that varies needs its values", span, "no `=` here");
        problems.file(problem.help("write `--vary consumers.fleet.count=48..80:4`"));
        return None;
    };
    let path = path(keys, start, problems)?;
    let at = start + keys.len() + 1;
    let whole = Spanned {
        it: written.to_owned(),
        span: at..at + written.len(),
    };
    let settings = values::read(&whole, problems)?;
    Some(Axis {
        key: dotted(&path),
        settings,
        path,
    })
}

fn dotted(path: &[Spanned<String>]) -> String {
    let keys: Vec<_> = path.iter().map(|key| key.it.as_str()).collect();
    keys.join(".")
}

/// Files what is wrong with keys beside each other.
fn check(axes: &[Axis], walk: Walk, problems: &mut Problems) {
    let place = |axis: &Axis| axis.path[0].span.start..axis.path[axis.path.len() - 1].span.end;
    for (position, axis) in axes.iter().enumerate() {
        let twin = axes[..position].iter().find(|other| other.key == axis.key);
        if let Some(twin) = twin {
            let title = format!("`{}` varies twice", axis.key);
            let problem = Problem::error(title, place(axis), "for the second time");
            problems.file(problem.also(place(twin), "for the first time"));
        }
    }
    let Some(first) = axes.first() else { return };
    match walk {
        Walk::Paired => {
            let (key, count) = (&first.key, first.settings.len());
            for axis in axes.iter().filter(|axis| axis.settings.len() != count) {
                let title = format!(
                    "paired keys have equally many values: `{key}` has {count}, `{}` has {}",
                    axis.key,
                    axis.settings.len()
                );
                let problem = Problem::error(title, place(axis), "not as many");
                problems.file(problem.help("without pairing, every value meets every other"));
            }
        }
        Walk::Grid => {
            let lengths = axes.iter().map(|axis| axis.settings.len());
            let points = lengths.fold(1_usize, usize::saturating_mul);
            if points > MOST_POINTS {
                let title = format!("{points} points are more than {MOST_POINTS}");
                let problem = Problem::error(title, place(first), "varies with the others");
                problems.file(problem.help("take larger steps, or pair the keys"));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    const BASE: &str = r#"
        [run]
        stop = "1s"
        [producers.p]
        queue = "orders"
        arrivals = { constant = { rate = "10/s" } }
        [queues.orders]
        [consumers.fleet]
        queue = "orders"
        count = 3
        service = "40ms"
    "#;

    fn scenario(more: &str) -> Scenario {
        let text = format!("{BASE}{more}");
        Scenario::from_text("base.toml", &text, &[], Path::new("")).expect("a scenario")
    }

    fn names(grid: &Grid<'_>) -> Vec<String> {
        (0..grid.len()).map(|point| grid.name(point)).collect()
    }

    fn owned(texts: &[&str]) -> Vec<String> {
        texts.iter().map(|&text| text.to_owned()).collect()
    }

    #[test]
    fn the_first_key_of_a_grid_is_the_slowest() {
        let base = scenario("");
        let vary = owned(&[
            "consumers.fleet.count=1,2",
            "consumers.fleet.service=1ms,2ms,3ms",
        ]);
        let grid = base.grid(&vary, None).expect("a grid");
        assert_eq!(
            names(&grid)[2..4],
            [
                "consumers.fleet.count=1, consumers.fleet.service=3ms",
                "consumers.fleet.count=2, consumers.fleet.service=1ms",
            ]
        );
        let point = grid.compile(3).expect("a model");
        let fleet = point.model.fleets.iter().next().expect("a fleet");
        assert_eq!((fleet.count, fleet.service.mean()), (2, 0.001));
    }

    #[test]
    fn paired_keys_walk_side_by_side() {
        let base = scenario("");
        let vary = owned(&[
            "consumers.fleet.count=1,2",
            "consumers.fleet.service=1ms,2ms",
        ]);
        let grid = base.grid(&vary, Some(Walk::Paired)).expect("a grid");
        assert_eq!(
            names(&grid),
            [
                "consumers.fleet.count=1, consumers.fleet.service=1ms",
                "consumers.fleet.count=2, consumers.fleet.service=2ms",
            ]
        );
        let vary = owned(&["consumers.fleet.count=1,2", "consumers.fleet.service=1ms"]);
        let failure = base
            .grid(&vary, Some(Walk::Paired))
            .unwrap_err()
            .to_string();
        assert!(
            failure.contains("`consumers.fleet.count` has 2"),
            "{failure}"
        );
    }

    #[test]
    fn a_table_of_the_file_varies_when_the_command_line_does_not() {
        let written = "[sweep]\nvary = { \"consumers.fleet.count\" = \"1..3\" }\n";
        let nested = "[sweep.vary]\nconsumers.fleet.count = [1, \"2\", 3]\n";
        for table in [written, nested] {
            let base = scenario(table);
            let grid = base.grid(&[], None).expect("a grid");
            assert_eq!(
                names(&grid),
                [
                    "consumers.fleet.count=1",
                    "consumers.fleet.count=2",
                    "consumers.fleet.count=3"
                ]
            );
            let vary = owned(&["run.seed=7"]);
            assert_eq!(
                names(&base.grid(&vary, None).expect("a grid")),
                ["run.seed=7"]
            );
            grid.compile(2).expect("a model");
        }
    }

    #[test]
    fn a_bad_value_is_shown_where_it_was_written() {
        let base = scenario("");
        let vary = owned(&["consumers.fleet.concurrency=0..2"]);
        let grid = base.grid(&vary, None).expect("a grid");
        let failure = grid.compile(0).unwrap_err().to_string();
        assert!(
            failure.contains("--vary consumers.fleet.concurrency=0..2"),
            "{failure}"
        );
        assert!(
            failure.contains("the point consumers.fleet.concurrency=0"),
            "{failure}"
        );
        let vary = owned(&["consumers.flet.count=1..2"]);
        let failure = base
            .grid(&vary, None)
            .expect("a grid")
            .compile(0)
            .unwrap_err();
        assert!(
            failure.to_string().contains("did you mean `fleet`?"),
            "{failure}"
        );
    }

    #[test]
    fn one_key_varies_once() {
        let base = scenario("");
        let vary = owned(&["run.seed=1", "run.seed=2"]);
        let failure = base.grid(&vary, None).unwrap_err().to_string();
        assert!(failure.contains("`run.seed` varies twice"), "{failure}");
    }

    #[test]
    fn without_keys_there_is_one_point() {
        let base = scenario("");
        let grid = base.grid(&[], None).expect("a grid");
        assert_eq!((grid.len(), grid.name(0)), (1, String::new()));
    }
}
