//! Rates over time: what comes to a queue, and what its consumers could do.
//!
//! Not what waits: the fluid solver follows that.

use super::found::Window;
use super::handled::{Handled, handled};
use crate::fluid::{Segment, capacity_of, sum};
use crate::model::{
    Ack, Fleet, FleetId, Intake, Model, Origin, Outage, Producer, QueueId, RetryPlace, Windows,
};
use crate::units::SimTime;

/// More changes of a rate than this are not followed.
const MOST_SEGMENTS: usize = 4_000;

/// The rate at an instant; 0 before the first segment.
pub(super) fn rate_at(segments: &[Segment], at: f64) -> f64 {
    let after = segments.partition_point(|segment| segment.from_s <= at);
    after
        .checked_sub(1)
        .map_or(0.0, |place| segments[place].rate)
}

/// What a producer with arrivals of its own sends, up to `horizon`.
pub(super) fn sent_by(producer: &Producer, horizon: f64) -> Result<Vec<Segment>, String> {
    let Origin::Arrivals {
        start,
        arrivals,
        count,
        until,
    } = &producer.origin
    else {
        return Ok(Vec::new());
    };
    let limit = SimTime::ZERO + crate::units::SimDuration::from_secs_rounded(horizon);
    let Some(rates) = arrivals.rate_segments(limit) else {
        return Err(format!(
            "how fast {} sends is not known beforehand: it waits for answers, or its gaps have no \
             mean",
            producer.name
        ));
    };
    if rates.len() > MOST_SEGMENTS {
        return Err(format!(
            "{} changes its rate {} times, too often to follow",
            producer.name,
            rates.len()
        ));
    }
    let start = start.as_secs_f64();
    let mut segments: Vec<Segment> = rates
        .into_iter()
        .map(|(from, rate)| Segment {
            from_s: start + from,
            rate,
        })
        .collect();
    let ends = [
        until.map(SimTime::as_secs_f64),
        count.and_then(|count| reaches(&segments, count as f64)),
    ];
    for end in ends.into_iter().flatten() {
        segments.retain(|segment| segment.from_s < end);
        segments.push(Segment {
            from_s: end,
            rate: 0.0,
        });
    }
    Ok(segments)
}

/// When so many have been sent.
fn reaches(segments: &[Segment], count: f64) -> Option<f64> {
    let mut sent = 0.0;
    for (place, segment) in segments.iter().enumerate() {
        let next = segments
            .get(place + 1)
            .map_or(f64::INFINITY, |it| it.from_s);
        let more = if segment.rate > 0.0 {
            segment.rate * (next - segment.from_s)
        } else {
            0.0
        };
        if sent + more >= count {
            return Some(segment.from_s + (count - sent) / segment.rate);
        }
        sent += more;
    }
    None
}

/// What the fleets of a queue could do together.
pub(super) fn able_of(
    model: &Model,
    queue: QueueId,
    window: Window,
) -> Result<Vec<Segment>, String> {
    let mut parts = Vec::new();
    for (id, fleet) in model.fleets.pairs().filter(|(_, it)| it.queue == queue) {
        let handled = handled(model, id, window)?;
        if let Some(why) = handled.no_flow.first() {
            return Err(why.clone());
        }
        if handled.copies > 1.0 {
            return Err(handled.no_wait.join("; "));
        }
        parts.push(able_of_fleet(model, id, fleet, &handled)?);
    }
    Ok(sum(&parts))
}

/// For how long a message keeps a handler from the next one, in seconds, when messages wait.
///
/// A handler that asks is away for two ways and the work on what it gets. One that is pushed works
/// on, unless its consumer runs out of credit: `prefetch` messages are out for two ways and the
/// work, or for the ways alone where they are acknowledged first.
pub(super) fn cycle(fleet: &Fleet, handled: &Handled) -> f64 {
    let work = handled.total.moments[0];
    // In place a message is delivered once, however often it is tried.
    let deliveries = match fleet.handling.retry.map(|retry| retry.place) {
        Some(RetryPlace::InPlace) => 1.0,
        Some(RetryPlace::Delayed) | None => handled.total.attempts,
    };
    let ways = 2.0 * deliveries * fleet.handling.delivery_delay.as_secs_f64();
    let together = f64::from(fleet.handling.batch.map_or(1, |batch| batch.size));
    match fleet.handling.intake {
        Intake::Pull => work + ways / together,
        Intake::Push { prefetch } => {
            let held = match fleet.handling.ack {
                Ack::Before => ways,
                Ack::After => ways + together * work,
            };
            work.max(held * f64::from(fleet.concurrency) / f64::from(prefetch))
        }
    }
}

fn able_of_fleet(
    model: &Model,
    id: FleetId,
    fleet: &Fleet,
    handled: &Handled,
) -> Result<Vec<Segment>, String> {
    let mean = cycle(fleet, handled);
    if !(mean > 0.0 && mean.is_finite()) {
        return Err(format!(
            "the mean service of {} must be above zero and finite",
            fleet.name
        ));
    }
    let mut windows = Vec::new();
    let crash = fleet.handling.crash.iter();
    windows.extend(crash.flat_map(|crash| {
        let end = |at: SimTime| at.saturating_add(crash.restart).as_secs_f64();
        let down = crash.consumers.min(fleet.count);
        crash
            .at
            .iter()
            .map(move |at| (at.as_secs_f64(), end(*at), down))
    }));
    for outage in model.outages.iter().filter(|outage| outage.fleet == id) {
        let Windows::Fixed(fixed) = &outage.windows else {
            return Err(format!(
                "outages of {} come at random; the fluid knows no chance",
                fleet.name
            ));
        };
        let stopped = stopped_by(fleet, outage);
        windows.extend(fixed.iter().map(|(start, span)| {
            let end = start.saturating_add(*span);
            (start.as_secs_f64(), end.as_secs_f64(), stopped)
        }));
    }
    let changes = fleet.staffing.iter().map(|it| it.from.as_secs_f64());
    let edges = windows.iter().flat_map(|(start, end, _)| [*start, *end]);
    let mut instants: Vec<f64> = changes.chain(edges).chain([0.0]).collect();
    instants.sort_by(f64::total_cmp);
    instants.dedup();
    let segment = |at: f64| {
        let due = fleet.staffing.iter().rev();
        let due = due.into_iter().find(|it| it.from.as_secs_f64() <= at);
        let count = due.map_or(fleet.count, |it| it.count);
        let out = windows
            .iter()
            .filter(|(start, end, _)| *start <= at && at < *end);
        let stopped = out.map(|(_, _, stopped)| *stopped).max().unwrap_or(0);
        let handlers = count.saturating_sub(stopped) * fleet.concurrency;
        Segment {
            from_s: at,
            rate: capacity_of(handlers.into(), mean),
        }
    };
    Ok(instants.into_iter().map(segment).collect())
}

/// The first consumers stop, out of all that the fleet ever has.
fn stopped_by(fleet: &Fleet, outage: &Outage) -> u32 {
    let consumers = fleet.most_handlers() / fleet.concurrency.max(1);
    (f64::from(consumers) * outage.share.get()).round() as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(from_s: f64, rate: f64) -> Segment {
        Segment { from_s, rate }
    }

    #[test]
    fn a_count_is_reached_in_the_segment_where_it_is() {
        // 20 by 10 s, none to 30 s, then 5/s.
        let rates = [at(0.0, 2.0), at(10.0, 0.0), at(30.0, 5.0)];
        assert_eq!(reaches(&rates, 10.0), Some(5.0));
        assert_eq!(reaches(&rates, 30.0), Some(32.0));
        assert_eq!(reaches(&rates[..2], 30.0), None);
    }

    #[test]
    fn nothing_comes_before_the_first_segment() {
        let rates = [at(1.0, 2.0), at(10.0, 3.0)];
        let found = [0.5, 1.0, 9.9, 10.0].map(|t| rate_at(&rates, t).to_bits());
        assert_eq!(found, [0.0, 2.0, 2.0, 3.0].map(f64::to_bits));
    }
}
