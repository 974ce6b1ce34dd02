//! `replications` of `[run]`: a number, or the precision that metrics have to reach.
//!
//! Not the runs: an experiment makes them, and sees when they are enough.

use super::metrics::Metrics;
use super::reading::at_least;
use crate::input::{Data, Fields, Problem, Problems, Read, Spanned, Value};
use crate::model::{Precision, Replications};
use crate::units::Ratio;

/// What was asked for; the metrics are not yet looked up.
#[derive(Debug)]
pub(super) enum Asked {
    /// So many runs.
    Fixed(u32),
    /// As many as it takes.
    Until {
        /// The relative half-width.
        target: Ratio,
        /// The metrics.
        of: Vec<Spanned<String>>,
        /// The most runs.
        at_most: u32,
    },
}

impl Asked {
    /// Reads `20` or `{ until = "1%", of = "queues.orders.wait.mean", at_most = 200 }`.
    pub(super) fn read(value: &Value, problems: &mut Problems) -> Option<Self> {
        if !matches!(value.data, Data::Table(_)) {
            let found = Spanned::<u32>::read(value, problems)?;
            return at_least(&1, found, "replications", problems).map(Self::Fixed);
        }
        let mut fields = Fields::open(value, "replications", problems)?;
        let until = fields.required_spanned::<Ratio>("until", problems);
        let of = fields.required::<Named>("of", problems);
        let least = 2 * Precision::ROUND;
        let at_most = match fields.spanned("at_most", problems) {
            Some(found) => at_least(&least, found, "at_most", problems),
            None => Some(Precision::AT_MOST),
        };
        fields.close(problems);
        let until = until?;
        if until.it == Ratio::ZERO || until.it == Ratio::ONE {
            let title = "nothing is ever known to +-0%, and anything to +-100%";
            let problem = Problem::error(title, until.span, "must lie between");
            problems.file(problem.help("write `until = \"1%\"`"));
            return None;
        }
        Some(Self::Until {
            target: until.it,
            of: of?.0,
            at_most: at_most?,
        })
    }

    /// Files what is wrong with the names of metrics.
    pub(super) fn check(&self, metrics: &Metrics<'_>, problems: &mut Problems) {
        match self {
            Self::Fixed(_) => {}
            Self::Until { of, .. } => {
                for name in of {
                    metrics.check_name(name, problems);
                }
            }
        }
    }

    /// The same for a plan.
    pub(super) fn plan(&self) -> Replications {
        match self {
            Self::Fixed(count) => Replications::Fixed(*count),
            Self::Until {
                target,
                of,
                at_most,
            } => Replications::Until(Precision {
                target: *target,
                of: of.iter().map(|name| name.it.clone()).collect(),
                at_most: *at_most,
            }),
        }
    }
}

/// One name or several.
struct Named(Vec<Spanned<String>>);

impl Read for Named {
    const EXPECTS: &'static str = "a metric such as \"queues.orders.wait.mean\", or a list of them";

    fn read(value: &Value, problems: &mut Problems) -> Option<Self> {
        if !matches!(value.data, Data::Array(_)) {
            return Spanned::read(value, problems).map(|name| Self(vec![name]));
        }
        let names = Vec::<Spanned<String>>::read(value, problems)?;
        if names.is_empty() {
            let title = "`of` names no metric";
            problems.file(Problem::error(title, value.span.clone(), "empty").help(Self::EXPECTS));
            return None;
        }
        Some(Self(names))
    }
}
