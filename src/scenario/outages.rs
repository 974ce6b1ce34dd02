//! `[[outages]]`: when part of a fleet stops, and what becomes of the work in hand.
//!
//! Not crashes of single consumers.

use super::names::Names;
use super::reading::{above_zero, exactly_one, items, mean_or_law, mtbf, stray, word};
use crate::input::Variant;
use crate::input::{Data, Entry, Fields, Problem, Problems, Read, Span, Spanned, Value};
use crate::model::{FleetId, InFlight, Outage, Restart, Returns, Windows};
use crate::random::law::DurationLaw;
use crate::units::{Ratio, SimDuration, SimTime};

/// Reads one outage.
pub(super) fn read(value: &Value, names: &Names<'_>, problems: &mut Problems) -> Option<Outage> {
    let mut fields = Fields::open(value, "outages", problems)?;
    let target = fields.required_spanned::<String>("target", problems);
    let fleet = target.and_then(|target| fleet(&target, names, problems));
    let windows = windows(&mut fields, problems);
    let share = fields.spanned("share", problems);
    let share = match share {
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
        Some(share) => Some(share.it),
        None => Some(Ratio::ONE),
    };
    let in_flight = fields.or("in_flight", InFlight::Finish, problems);
    let restart = match word(&mut fields, "restart", &["in_phase", "staggered"], problems) {
        Some(found) if found.it == "staggered" => Restart::Staggered,
        _ => Restart::InPhase,
    };
    fields.close(problems);
    Some(Outage {
        fleet: fleet?,
        windows: windows?,
        share: share?,
        in_flight,
        restart,
    })
}

fn fleet(target: &Spanned<String>, names: &Names<'_>, problems: &mut Problems) -> Option<FleetId> {
    let (section, name) = target.it.split_once('.').unwrap_or(("", &target.it));
    if section == names.consumers.key {
        let name = Spanned {
            it: name.to_owned(),
            span: target.span.clone(),
        };
        return names.consumers.find(&name, problems);
    }
    let title = format!("an outage cannot strike `{}`", target.it);
    let label = "only consumers can be a target so far";
    let problem = Problem::error(title, target.span.clone(), label);
    let first = names
        .consumers
        .entries()
        .first()
        .map_or("NAME", |entry| &entry.key);
    problems.file(match names.consumers.get(&target.it) {
        Some(_) => problem.help(format!("write `\"consumers.{}\"`", target.it)),
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
