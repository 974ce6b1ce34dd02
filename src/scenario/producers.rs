//! `[producers.NAME]`: who publishes, when, and where to.
//!
//! Not fleets that publish: those stand with the [consumers](super::consumers).

use super::names::Names;
use super::publish::{Claims, Publisher};
use super::reading::at_least;
use crate::input::{Entry, Fields, Problem, Problems};
use crate::model::{Origin, Producer};
use crate::policy::arrival::Arrivals;
use crate::units::{SimDuration, SimTime};

/// Reads one producer.
pub(super) fn read(
    entry: &Entry,
    names: &Names<'_>,
    claims: &mut Claims,
    problems: &mut Problems,
) -> Option<Producer> {
    let name = names.producers.dotted(&entry.key);
    let mut fields = Fields::open(&entry.value, name.clone(), problems)?;
    fields.not_yet(&["retry"], problems);
    let publisher = Publisher::read(&mut fields, names, claims, problems);
    let arrivals = fields.required_spanned::<Arrivals>("arrivals", problems);
    if let (Some(arrivals), Some(publisher)) = (&arrivals, &publisher)
        && matches!(arrivals.it, Arrivals::Clients(_))
        && publisher.queues.len() > 1
    {
        let title = "clients that publish to several queues";
        let span = arrivals.span.clone();
        let problem = Problem::error(title, span, "a client waits for one answer");
        let help = "name one queue, and let its consumers publish onwards: `publishes`";
        problems.file(problem.help(help));
    }
    let start = fields.spanned::<SimDuration>("start", problems);
    let count = fields.spanned::<u64>("count", problems);
    let count = count.map(|found| at_least(&1, found, "count", problems));
    let until = fields.spanned::<SimDuration>("until", problems);
    if let Some(until) = &until
        && until.it <= start.as_ref().map_or(SimDuration::ZERO, |start| start.it)
    {
        let title = "the producer ends before it begins";
        let problem = Problem::error(title, until.span.clone(), "ends here");
        let begins = start.as_ref().map(|start| start.span.clone());
        problems.file(match begins {
            Some(begins) => problem.also(begins, "begins here"),
            None => problem,
        });
    }
    fields.close(problems);
    let instant = |span: SimDuration| SimTime::ZERO.saturating_add(span);
    let Publisher {
        queues,
        size,
        priority,
        on_full,
        stamp,
    } = publisher?;
    let origin = Origin::Arrivals {
        start: instant(start.map_or(SimDuration::ZERO, |start| start.it)),
        arrivals: arrivals?.it,
        count: count.flatten(),
        until: until.map(|until| instant(until.it)),
    };
    Some(Producer {
        name,
        origin,
        queues,
        calls: None,
        size,
        priority,
        on_full,
        stamp,
    })
}
