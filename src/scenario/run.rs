//! `[run]`: how long, how often, from which seed; and what ends a run that does not say so.
//!
//! Not the run itself.

use super::metrics::Metrics;
use super::names::Names;
use super::reading::{WordOr, above_zero, at_least, word_or};
use super::replications::Asked as Repeated;
use crate::input::{Fields, Problem, Problems, Read, Span, Spanned, Value};
use crate::model::{Model, Origin, Plan, Recovery, Stop, Warmup};
use crate::random::Seed;
use crate::units::{Ratio, SimDuration, SimTime};

/// The longest run: the clock reaches 584 years, and what is scheduled must fit behind it.
const LONGEST: SimDuration = SimDuration::from_secs(100 * 365 * 86_400);
const HORIZON: SimDuration = SimDuration::from_secs(86_400);
const MOST_ALIVE: u64 = 20_000_000;
const MOST_EVENTS: u64 = 2_000_000_000;

/// `[run]` as it was written.
#[derive(Debug)]
pub(super) struct Run {
    stop: Asked,
    horizon: Option<Spanned<SimDuration>>,
    warmup: Spanned<Warmup>,
    seed: u64,
    replications: Repeated,
    most_alive: u64,
    most_events: u64,
    recovery: Recovery,
    place: Option<Span>,
}

impl Run {
    /// Reads the section, which may be missing.
    pub(super) fn read(value: Option<&Value>, problems: &mut Problems) -> Self {
        let mut run = Self {
            stop: Asked::Nothing,
            horizon: None,
            warmup: Spanned {
                it: Warmup::For(SimDuration::ZERO),
                span: 0..0,
            },
            seed: 1,
            replications: Repeated::Fixed(1),
            most_alive: MOST_ALIVE,
            most_events: MOST_EVENTS,
            recovery: Recovery::default(),
            place: value.map(|value| value.span.clone()),
        };
        let Some(mut fields) = value.and_then(|value| Fields::open(value, "run", problems)) else {
            return run;
        };
        if let Some(entry) = fields.entry("stop") {
            let stop = word_or(&entry.value, &["drained", "settled"], problems);
            let span = entry.value.span.clone();
            run.stop = stop.map_or(Asked::Unreadable, |stop| match stop {
                WordOr::Word("drained") => Asked::Drained(span),
                WordOr::Word(_) => Asked::Settled(span),
                WordOr::Value(it) => Asked::After(Spanned { it, span }),
            });
            bounded("stop", run.stop.fixed(), problems);
        }
        run.horizon = fields.spanned("horizon", problems);
        bounded("horizon", run.horizon.clone(), problems);
        if let Some(warmup) = fields.spanned("warmup", problems) {
            run.warmup = warmup;
        }
        run.seed = fields.or("seed", run.seed, problems);
        if let Some(entry) = fields.entry("replications")
            && let Some(asked) = Repeated::read(&entry.value, problems)
        {
            run.replications = asked;
        }
        if let Some(found) = fields.spanned("max_alive", problems) {
            run.most_alive = at_least(&1, found, "max_alive", problems).unwrap_or(MOST_ALIVE);
        }
        if let Some(found) = fields.spanned("max_events", problems) {
            run.most_events = at_least(&1, found, "max_events", problems).unwrap_or(MOST_EVENTS);
        }
        run.recovery = fields.or("recovery", run.recovery, problems);
        fields.close(problems);
        run
    }

    /// Files what is wrong with the names of metrics in it.
    pub(super) fn check_metrics(&self, metrics: &Metrics<'_>, problems: &mut Problems) {
        self.replications.check(metrics, problems);
    }

    /// The plan of a model whose end is not yet decided.
    pub(super) fn plan(&self) -> Plan {
        let stop = self.stop.fixed();
        let horizon = self
            .horizon
            .as_ref()
            .or(stop.as_ref())
            .map_or(HORIZON, |found| found.it);
        Plan {
            stop: Stop::Settled,
            horizon: SimTime::ZERO.saturating_add(horizon),
            most_alive: self.most_alive,
            most_events: self.most_events,
            seed: Seed(self.seed),
            replications: self.replications.plan(),
            warmup: self.warmup.it,
            recovery: self.recovery,
        }
    }

    /// Decides what ends a run of `model`, and files why that cannot be.
    pub(super) fn stop(&self, model: &Model, names: &Names<'_>, problems: &mut Problems) -> Stop {
        let endless = endless(model, names);
        let calm = model.calm_from();
        match &self.stop {
            Asked::Nothing if endless.is_none() => Stop::Settled,
            Asked::Nothing if calm.is_some_and(|calm| calm < SimTime::MAX) => Stop::Drained,
            Asked::Nothing => {
                let place = self.place.clone().or(endless).unwrap_or(0..0);
                let title = "nothing says when the run ends";
                let problem = Problem::error(title, place, "sources go on for ever");
                problems.file(problem.help("add `stop = \"10m\"` to `[run]`"));
                Stop::Settled
            }
            Asked::Unreadable => Stop::Settled,
            Asked::Drained(span) => {
                check_drained(calm, span, problems);
                Stop::Drained
            }
            Asked::Settled(span) => {
                check_settled(endless, span, problems);
                Stop::Settled
            }
            Asked::After(after) => {
                self.check_fixed(after, problems);
                Stop::At(SimTime::ZERO.saturating_add(after.it))
            }
        }
    }

    fn check_fixed(&self, after: &Spanned<SimDuration>, problems: &mut Problems) {
        let Spanned { it: after, span } = after;
        if let Some(horizon) = self.horizon.as_ref().filter(|horizon| horizon.it < *after) {
            let title = format!("the horizon cuts the run short, at {}", horizon.it);
            let problem = Problem::warning(title, horizon.span.clone(), "comes first");
            problems.file(
                problem
                    .also(span.clone(), "never reached")
                    .help("remove `horizon`"),
            );
        }
        if let Warmup::For(warmup) = self.warmup.it
            && !warmup.is_zero()
            && warmup >= *after
        {
            let title = "nothing is measured: the warm-up takes all of the run";
            let problem = Problem::error(title, self.warmup.span.clone(), "left out at the front");
            problems.file(problem.also(span.clone(), "the run ends here"));
        }
    }
}

impl Read for Recovery {
    const EXPECTS: &'static str = "a table such as { share = \"90%\", window = \"10s\" }";

    fn read(value: &Value, problems: &mut Problems) -> Option<Self> {
        let plain = Self::default();
        let mut fields = Fields::open(value, "recovery", problems)?;
        let share = fields.spanned::<Ratio>("share", problems);
        let window = above_zero(&mut fields, "window", problems);
        fields.close(problems);
        if let Some(share) = &share
            && share.it == Ratio::ZERO
        {
            let title = "a recovery that is always there";
            let problem = Problem::error(title, share.span.clone(), "must be above 0");
            problems.file(problem.help("90% of the level before is the usual share"));
        }
        Some(Self {
            share: share.map_or(plain.share, |share| share.it),
            window: window.unwrap_or(plain.window),
        })
    }
}

/// What the file says of the end.
#[derive(Debug)]
enum Asked {
    Nothing,
    Unreadable,
    Drained(Span),
    Settled(Span),
    After(Spanned<SimDuration>),
}

impl Asked {
    fn fixed(&self) -> Option<Spanned<SimDuration>> {
        match self {
            Self::After(after) => Some(after.clone()),
            Self::Nothing | Self::Unreadable | Self::Drained(_) | Self::Settled(_) => None,
        }
    }
}

fn bounded(key: &str, found: Option<Spanned<SimDuration>>, problems: &mut Problems) {
    let Some(Spanned { it, span }) = found else {
        return;
    };
    let label = if it.is_zero() {
        "must be longer than zero"
    } else if it > LONGEST {
        "must be at most 36500d, a hundred years"
    } else {
        return;
    };
    problems.file(Problem::error(format!("`{key}` is {it}"), span, label));
}

/// The place of a source that never ends by itself.
fn endless(model: &Model, names: &Names<'_>) -> Option<Span> {
    let endless = |origin: &Origin| match origin {
        Origin::Arrivals {
            arrivals,
            count,
            until,
            ..
        } => !arrivals.ends() && count.is_none() && until.is_none(),
        Origin::Fleet(_) => false,
    };
    let at = model
        .producers
        .iter()
        .position(|producer| endless(&producer.origin))?;
    names
        .producers
        .entries()
        .get(at)
        .map(|entry| entry.key_span.clone())
}

fn check_drained(calm: Option<SimTime>, span: &Span, problems: &mut Problems) {
    let (title, label) = match calm {
        None => (
            "`drained` waits for a disturbance to end, and there is none",
            "ends at once",
        ),
        Some(SimTime::MAX) => (
            "`drained` waits for the last outage to end, and outages come at random for ever",
            "never ends",
        ),
        Some(_) => return,
    };
    let problem = Problem::error(title, span.clone(), label);
    problems.file(problem.help("stop after a time instead: `stop = \"10m\"`"));
}

fn check_settled(endless: Option<Span>, span: &Span, problems: &mut Problems) {
    let Some(source) = endless else { return };
    let title = "the run never settles: a source goes on for ever";
    let problem = Problem::error(title, span.clone(), "needs sources that end");
    problems.file(
        problem
            .also(source, "this one has no end")
            .help("give the producer `count` or `until`, or stop after a time: `stop = \"10m\"`"),
    );
}

impl Read for Warmup {
    const EXPECTS: &'static str = "a duration such as \"30s\", or \"auto\"";

    fn read(value: &Value, problems: &mut Problems) -> Option<Self> {
        Some(match word_or(value, &["auto"], problems)? {
            WordOr::Word(_) => Self::Auto,
            WordOr::Value(span) => Self::For(span),
        })
    }
}
