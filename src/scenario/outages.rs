//! `[[outages]]`: when part of a fleet or of a dependency stops, or a dependency is slow, and what
//! becomes of the work in hand.
//!
//! Not crashes of single consumers.

use super::names::Names;
use super::reading::{above_zero, exactly_one, items, mean_or_law, mtbf, stray, word};
use crate::input::Variant;
use crate::input::{Data, Entry, Fields, Problem, Problems, Read, Span, Spanned, Value};
use crate::model::{
    Answers, DependencyId, FleetId, InFlight, Outage, Restart, Returns, Trouble, Windows,
};
use crate::random::law::DurationLaw;
use crate::units::{Ratio, SimDuration, SimTime};

/// What an outage strikes.
#[derive(Debug)]
pub(super) enum Struck {
    /// A fleet, or part of it.
    Fleet(Outage),
    /// A dependency, or part of it.
    Dependency(Trouble),
}

/// A dependency that is slower than this does not work at all.
const MOST_SLOWDOWN: f64 = 1e6;

/// The component that an outage names.
enum Target {
    Fleet(FleetId),
    Dependency(DependencyId),
}

/// Reads one outage.
pub(super) fn read(value: &Value, names: &Names<'_>, problems: &mut Problems) -> Option<Struck> {
    let mut fields = Fields::open(value, "outages", problems)?;
    let named = fields.required_spanned::<String>("target", problems);
    let target = named.and_then(|named| target(&named, names, problems));
    let windows = windows(&mut fields, problems);
    let struck = match target {
        Some(Target::Dependency(id)) => trouble(&mut fields, id, windows, problems),
        Some(Target::Fleet(id)) => outage(&mut fields, id, windows, problems),
        None => {
            // Its keys are known all the same.
            for key in ["share", "in_flight", "restart", "calls", "slowdown"] {
                fields.entry(key);
            }
            None
        }
    };
    fields.close(problems);
    struck
}

fn outage(
    fields: &mut Fields<'_>,
    fleet: FleetId,
    windows: Option<Windows>,
    problems: &mut Problems,
) -> Option<Struck> {
    let share = share(fields, problems);
    let in_flight = fields.or("in_flight", InFlight::Finish, problems);
    let restart = match word(fields, "restart", &["in_phase", "staggered"], problems) {
        Some(found) if found.it == "staggered" => Restart::Staggered,
        _ => Restart::InPhase,
    };
    let help = "nobody calls consumers: messages wait in their queue";
    belongs_elsewhere(fields, "calls", "a dependency", help, problems);
    let help = "consumers that are slow have a longer `service`";
    belongs_elsewhere(fields, "slowdown", "a dependency", help, problems);
    Some(Struck::Fleet(Outage {
        fleet,
        windows: windows?,
        share: share?.unwrap_or(Ratio::ONE),
        in_flight,
        restart,
    }))
}

fn trouble(
    fields: &mut Fields<'_>,
    dependency: DependencyId,
    windows: Option<Windows>,
    problems: &mut Problems,
) -> Option<Struck> {
    let slowdown = fields.spanned::<f64>("slowdown", problems);
    if let Some(slowdown) = &slowdown
        && slowdown.it <= 1.0
    {
        let title = format!("a slowdown of {} makes nothing slower", slowdown.it);
        let problem = Problem::error(title, slowdown.span.clone(), "must be above 1");
        problems.file(problem.help("3 makes each call that begins meanwhile take 3 times as long"));
    }
    if let Some(slowdown) = &slowdown
        && slowdown.it > MOST_SLOWDOWN
    {
        let title = format!("a slowdown of {:e} answers nobody", slowdown.it);
        let label = format!("must be at most {MOST_SLOWDOWN}");
        let problem = Problem::error(title, slowdown.span.clone(), label);
        problems.file(problem.help("to stop it altogether, write `share = 1` instead"));
    }
    let share = share(fields, problems)?;
    let stops = share.is_some() || slowdown.is_none();
    let in_flight = fields.or("in_flight", InFlight::Finish, problems);
    if let InFlight::Crash(Returns::AtRestart) = in_flight
        && let Some(entry) = fields.entry("in_flight")
    {
        let title = "a crashed call does not come back: its caller sees it fail at once";
        let problem = Problem::error(title, entry.value.span.clone(), "no `returns` here");
        problems.file(problem.help("write `in_flight = \"crash\"`"));
    }
    let answers = match word(fields, "calls", &["hang", "fail_fast"], problems) {
        Some(found) if found.it == "fail_fast" => Answers::FailFast,
        _ => Answers::Hang,
    };
    if !stops {
        for key in ["in_flight", "calls"] {
            let entry = fields.entry(key);
            stray(fields, key, "share", entry, problems);
        }
    }
    belongs_elsewhere(
        fields,
        "restart",
        "consumers",
        "the servers of a dependency come back together",
        problems,
    );
    Some(Struck::Dependency(Trouble {
        dependency,
        windows: windows?,
        share: match (share, stops) {
            (Some(share), _) => share,
            (None, true) => Ratio::ONE,
            (None, false) => Ratio::ZERO,
        },
        in_flight,
        answers,
        slowdown: slowdown.map_or(1.0, |slowdown| slowdown.it),
    }))
}

/// The part that stops, where it is said; the outer `None` when it is wrong.
#[expect(
    clippy::option_option,
    reason = "wrong, or not there: `?` tells them apart"
)]
fn share(fields: &mut Fields<'_>, problems: &mut Problems) -> Option<Option<Ratio>> {
    match fields.spanned("share", problems) {
        Some(Spanned {
            it: Ratio::ZERO,
            span,
        }) => {
            problems.file(Problem::error(
                "the outage stops nobody",
                span,
                "must be above zero",
            ));
            None
        }
        Some(share) => Some(Some(share.it)),
        None => Some(None),
    }
}

/// Files a key that belongs to outages of something else.
fn belongs_elsewhere(
    fields: &mut Fields<'_>,
    key: &'static str,
    whose: &str,
    help: &str,
    problems: &mut Problems,
) {
    let Some(entry) = fields.entry(key) else {
        return;
    };
    let title = format!("`{key}` belongs to an outage of {whose}");
    let problem = Problem::error(title, entry.key_span.clone(), "has no meaning here");
    problems.file(problem.help(help));
}

fn target(named: &Spanned<String>, names: &Names<'_>, problems: &mut Problems) -> Option<Target> {
    let (section, name) = named.it.split_once('.').unwrap_or(("", &named.it));
    let name = Spanned {
        it: name.to_owned(),
        span: named.span.clone(),
    };
    if section == names.consumers.key {
        return names.consumers.find(&name, problems).map(Target::Fleet);
    }
    if section == names.dependencies.key {
        let found = names.dependencies.find(&name, problems);
        return found.map(Target::Dependency);
    }
    let title = format!("an outage cannot strike `{}`", named.it);
    let label = "only consumers and dependencies can be a target";
    let problem = Problem::error(title, named.span.clone(), label);
    let sections = [&names.consumers, &names.dependencies];
    let bare = sections
        .iter()
        .find(|section| section.get(&named.it).is_some());
    let first = names
        .consumers
        .entries()
        .first()
        .map_or("NAME", |entry| &entry.key);
    problems.file(match bare {
        Some(section) => problem.help(format!("write `\"{}\"`", section.dotted(&named.it))),
        None => problem.help(format!("name a fleet, such as `\"consumers.{first}\"`")),
    });
    None
}

/// One of three ways to say when.
fn windows(fields: &mut Fields<'_>, problems: &mut Problems) -> Option<Windows> {
    let keys = ["start", "duration", "windows", "mtbf", "mttr"];
    let [_, _, list, up, down] = keys.map(|key| fields.entry(key));
    let ways = ["duration", "windows", "mtbf"];
    match exactly_one(fields, &ways, problems)? {
        "duration" => {
            stray(fields, "mttr", "mtbf", down, problems);
            let (start, span, _) = window(fields, problems)?;
            Some(Windows::Fixed(vec![(start, span)]))
        }
        "windows" => {
            stray(fields, "mttr", "mtbf", down, problems);
            let start = fields.entry("start");
            stray(fields, "start", "duration", start, problems);
            several(list, problems)
        }
        _ => {
            let start = fields.entry("start");
            stray(fields, "start", "duration", start, problems);
            if down.is_none() {
                fields.required::<DurationLaw>("mttr", problems);
            }
            let up = mtbf(&up?.value, "outages", problems);
            let down = mean_or_law(&down?.value, problems);
            Some(Windows::Random {
                up: up?,
                down: down?,
            })
        }
    }
}

/// A window with the place of its start.
fn window(
    fields: &mut Fields<'_>,
    problems: &mut Problems,
) -> Option<(SimTime, SimDuration, Span)> {
    let start = fields.required_spanned::<SimDuration>("start", problems);
    if !fields.has("duration") {
        fields.required::<SimDuration>("duration", problems);
    }
    let span = above_zero(fields, "duration", problems);
    let start = start?;
    Some((SimTime::ZERO.saturating_add(start.it), span?, start.span))
}

fn several(list: Option<&Entry>, problems: &mut Problems) -> Option<Windows> {
    let read = |item, problems: &mut _| {
        let mut fields = Fields::open(item, "windows", problems)?;
        let window = window(&mut fields, problems);
        fields.close(problems);
        window
    };
    let items = items(list, problems);
    if let (Some(entry), []) = (list, items)
        && matches!(entry.value.data, Data::Array(_))
    {
        let place = entry.value.span.clone();
        problems.file(Problem::error(
            "the outage has no windows",
            place,
            "name one at least",
        ));
    }
    let windows: Vec<_> = items.iter().map(|item| read(item, problems)).collect();
    let mut windows: Vec<_> = windows.into_iter().collect::<Option<_>>()?;
    windows.sort_by_key(|(start, ..)| *start);
    for pair in windows.windows(2) {
        let [(start, span, first), (next, _, second)] = pair else {
            continue;
        };
        if *next < start.saturating_add(*span) {
            let title = "the windows of an outage overlap";
            let problem = Problem::error(title, second.clone(), "starts before");
            let label = format!("this one has ended, at {}", start.saturating_add(*span));
            problems.file(problem.also(first.clone(), label));
        }
    }
    let windows: Vec<_> = windows
        .into_iter()
        .map(|(start, span, _)| (start, span))
        .collect();
    (!windows.is_empty()).then_some(Windows::Fixed(windows))
}

impl Read for InFlight {
    const EXPECTS: &'static str = "\"finish\", \"freeze\" or \"crash\"";

    fn read(value: &Value, problems: &mut Problems) -> Option<Self> {
        let words = ["finish", "freeze", "crash"];
        let variant = Variant::of(value, "a fate of work in hand", &words, problems)?;
        if variant.name == "crash" {
            let mut returns = None;
            if variant.body.is_some() {
                let mut fields = variant.fields(problems)?;
                let words = ["at_once", "at_restart"];
                returns = word(&mut fields, "returns", &words, problems);
                fields.close(problems);
            }
            return Some(Self::Crash(match returns.map(|found| found.it) {
                Some("at_restart") => Returns::AtRestart,
                _ => Returns::AtOnce,
            }));
        }
        variant.bare(problems);
        Some(if variant.name == "freeze" {
            Self::Freeze
        } else {
            Self::Finish
        })
    }
}
