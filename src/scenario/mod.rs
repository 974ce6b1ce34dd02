//! The scenario: from a TOML file, and assignments on the command line, to a
//! [`Model`] and what is expected of it, or to every problem at once.
//!
//! Not the simulation, which knows no names and no places; and not serde, which stops at the
//! first error.

mod across;
mod alerts;
mod autoscale;
mod calls;
mod chains;
mod compile;
mod condition;
mod consumers;
mod delivery;
mod dependencies;
mod diagnostic;
mod handling;
mod key_list;
mod keys;
mod lint;
mod load;
mod metrics;
mod names;
mod off;
mod outages;
mod overlay;
mod parse;
mod preset;
mod producers;
mod publish;
mod queues;
mod reading;
mod redelivered;
mod replications;
mod run;
mod section;
mod source;
mod stamp;
mod understood;
mod vary;
mod watched;

use std::fmt;
use std::path::{Path, PathBuf};

pub use condition::{Condition, Test};
pub use diagnostic::{Color, render};
pub use keys::{Key, explain, keys};
use overlay::ask;
pub use overlay::{Assignment, overlay};
pub use preset::{Given, Of, Preset, PresetKey, preset, presets};
pub use source::{Source, Sources};
pub use understood::Part;
pub use vary::{Axis, Grid, Point, Setting, Sweep, Variant, Variants, Walk};

use crate::input::{Fields, Problems, Spanned, Value};
use crate::model::Model;

/// A scenario that can run.
#[derive(Clone, Debug)]
pub struct Scenario {
    /// What runs.
    pub model: Model,
    /// What is expected of it: `[[expect]]`.
    pub expectations: Vec<Condition>,
    /// What a plan has to meet: `[[objectives]]`.
    pub objectives: Vec<Condition>,
    /// What a sweep varies and shows: `[sweep]`.
    pub sweep: Sweep,
    /// What `compare` holds it against: `[compare]`.
    pub compare: Variants,
    /// Where it came from.
    pub path: PathBuf,
    /// The text of the file.
    pub text: String,
    /// The values of the file with the assignments laid over them.
    root: Value,
    sources: Sources,
    warnings: Problems,
}

/// Why there is no scenario.
#[derive(Clone, Debug)]
pub struct Failure(Reason);

#[derive(Clone, Debug)]
enum Reason {
    Unreadable {
        path: PathBuf,
        why: String,
    },
    Wrong {
        sources: Sources,
        problems: Problems,
    },
}

impl Scenario {
    /// Reads a file, with assignments such as `consumers.fleet.count=55` laid over it.
    ///
    /// # Errors
    /// When the file cannot be read, or anything in it or in the assignments is wrong.
    pub fn load(path: &Path, sets: &[String]) -> Result<Self, Failure> {
        Self::load_asking(path, sets, &[])
    }

    /// The same with further objectives than those of the file, such as
    /// `queues.orders.wait.p99 <= 200ms`.
    ///
    /// # Errors
    /// As [`Self::load`]; also when one of `objectives` is no condition.
    pub fn load_asking(
        path: &Path,
        sets: &[String],
        objectives: &[String],
    ) -> Result<Self, Failure> {
        let unreadable = |why: String| {
            Failure(Reason::Unreadable {
                path: path.to_owned(),
                why,
            })
        };
        let bytes = std::fs::read(path).map_err(|error| unreadable(error.to_string()))?;
        let text = String::from_utf8(bytes).map_err(|error| {
            let at = error.utf8_error().valid_up_to();
            unreadable(format!(
                "byte {at} is not UTF-8, so this is not a TOML file"
            ))
        })?;
        let folder = path.parent().unwrap_or(Path::new(""));
        Self::from_text_asking(&path.to_string_lossy(), &text, (sets, objectives), folder)
    }

    /// Reads a text that is called `name`, whose files are looked for in `folder`.
    ///
    /// # Errors
    /// When anything in it or in the assignments is wrong.
    pub fn from_text(
        name: &str,
        text: &str,
        sets: &[String],
        folder: &Path,
    ) -> Result<Self, Failure> {
        Self::from_text_asking(name, text, (sets, &[]), folder)
    }

    fn from_text_asking(
        name: &str,
        text: &str,
        (sets, objectives): (&[String], &[String]),
        folder: &Path,
    ) -> Result<Self, Failure> {
        // A mark of byte order is no character of the first line.
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut sources = Sources::default();
        let mut problems = Problems::in_folder(folder);
        let base = sources.add(name, text);
        let root = parse::document(text, base, &mut problems);
        let parsed = |set: &String| Assignment::parse(set, &mut sources, &mut problems);
        let assignments: Vec<_> = sets.iter().filter_map(parsed).collect();
        let compiled = root.and_then(|mut root| {
            overlay(&mut root, &assignments, &mut problems);
            ask(&mut root, objectives, &mut sources);
            let whole = off::strip(preset::apply(&root));
            let compiled = compile::compile(&whole, &title(name), &mut problems)?;
            drop(whole);
            Some((compiled, root))
        });
        match compiled {
            Some((compiled, root)) if !problems.any_error() => Ok(Self {
                model: compiled.model,
                expectations: compiled.expectations,
                objectives: compiled.objectives,
                sweep: compiled.sweep,
                compare: compiled.compare,
                path: PathBuf::from(name),
                text: text.to_owned(),
                root,
                sources,
                warnings: problems,
            }),
            Some(_) | None => Err(Failure(Reason::Wrong { sources, problems })),
        }
    }

    /// Looks names of metrics up that were given behind `option` (`--metric `).
    ///
    /// # Errors
    /// When one is no metric of this scenario.
    pub fn check_metrics(&self, option: &str, given: &[String]) -> Result<(), Failure> {
        let mut sources = self.sources.clone();
        let mut problems = Problems::default();
        let Some(mut top) = Fields::open(&self.root, "scenario", &mut problems) else {
            return Ok(());
        };
        let names = names::Names::open(&mut top, &mut problems);
        let metrics = metrics::Metrics::of(&names);
        for name in given {
            let start = sources.add("command line", format!("{option}{name}")) + option.len();
            let span = start..start + name.len();
            let it = name.clone();
            metrics.check_name(&Spanned { it, span }, &mut problems);
        }
        if problems.any_error() {
            return Err(Failure(Reason::Wrong { sources, problems }));
        }
        Ok(())
    }

    /// What was understood, part by part, defaults and units included.
    pub fn understood(&self) -> Vec<Part> {
        understood::parts(self)
    }

    /// The same as a text with the names in a column.
    pub fn render_understood(&self) -> String {
        understood::render(&self.understood())
    }

    /// How many warnings there are.
    pub fn warnings(&self) -> usize {
        self.warnings.len()
    }

    /// The warnings with their places; empty when there is none.
    pub fn render_warnings(&self, color: Color) -> String {
        render(&self.warnings, &self.sources, color)
    }
}

impl Failure {
    /// Everything that is wrong, with its places.
    pub fn render(&self, color: Color) -> String {
        match &self.0 {
            Reason::Unreadable { path, why } => {
                format!("error: cannot read `{}`: {why}\n", path.display())
            }
            Reason::Wrong { sources, problems } => render(problems, sources, color),
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render(Color::Never))
    }
}

impl std::error::Error for Failure {}

/// Requests a second of each caller of a model, in their order, once everything is calm; `None`
/// where that is not known.
pub fn requests(model: &Model) -> Vec<Option<f64>> {
    let load = load::Load::of(model);
    let callers = model.callers.pairs();
    callers.map(|(id, _)| load.requests(id)).collect()
}

/// The title of a scenario that has none: the file's name without its ending.
fn title(name: &str) -> String {
    let stem = Path::new(name).file_stem();
    stem.map_or_else(
        || parse::visible(name),
        |stem| parse::visible(&stem.to_string_lossy()),
    )
}
